"""Optional rules of hidden units: Stack Caps, dummies, crests, and markers without displays (chapter 26)."""
