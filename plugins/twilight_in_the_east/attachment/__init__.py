"""Armies, corps and who belongs to whom (6)."""
