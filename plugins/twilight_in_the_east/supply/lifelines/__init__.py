"""Losses that would cut the supply of units, and the units harmed by each (14)."""
