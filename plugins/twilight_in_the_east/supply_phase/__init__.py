"""The Supply Phase of a side: resets, checks, markers, rolls and losses (5.4.4, 14.4, 14.6)."""
