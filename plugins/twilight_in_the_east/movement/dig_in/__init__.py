"""Constructing Improved Positions (13.1)."""
