"""The Supply Phase of a side: its resets, checks, markers, rolls and losses in order (5.4.4, 14.4, 14.6)."""
