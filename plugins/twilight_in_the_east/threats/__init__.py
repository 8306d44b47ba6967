"""Threats: the other side's possible moves and attacks."""
