"""Hidden units (chapter 26)."""
