"""Symbols for pictures and counters, as SVG."""
