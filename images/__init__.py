"""Symbols for pictures and counters, as SVG, and the face of their letters."""
