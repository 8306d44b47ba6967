"""Optional rules of hidden units: Stack Caps, dummies, units with their crest up, and no displays (chapter 26)."""
