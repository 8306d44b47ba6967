"""Retreats (11.2)."""
