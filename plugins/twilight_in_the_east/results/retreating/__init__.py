"""Retreats as a combat carries them out, hex by hex (10.2.1, 11.2)."""
