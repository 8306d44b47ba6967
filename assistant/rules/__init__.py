"""Questions that many games share. A game supplies its own rules and words."""
