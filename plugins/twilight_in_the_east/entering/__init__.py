"""Consequences of units entering hexes and leaving others."""
