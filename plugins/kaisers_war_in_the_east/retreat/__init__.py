"""Retreat and pursuit after combat, hex by hex (15, 16)."""
