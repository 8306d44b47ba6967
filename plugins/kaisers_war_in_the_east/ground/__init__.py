"""Seasons, countries, hexsides, zones of control, control of hexes."""
