"""Repulses: a Force pushes a stack out of its hex, in movement or in a retreat (8.5)."""
