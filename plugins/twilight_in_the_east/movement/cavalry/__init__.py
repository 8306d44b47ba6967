"""Cavalry reaction and retirement (9.1, 9.2)."""
