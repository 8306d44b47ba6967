"""Prepared Attacks (8.4)."""
