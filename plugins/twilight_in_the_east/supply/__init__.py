"""Supply (14)."""
