"""The open steps of each phase in a position (chapter 5, with 3.3.6, 16.5 and 20.0)."""
