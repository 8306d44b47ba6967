"""The activities that cost Movement Points (8, 9, 13)."""
