"""The turn: what each phase asks for as the position stands (chapter 5, with 3.3.6, 16.5 and 20.0)."""
