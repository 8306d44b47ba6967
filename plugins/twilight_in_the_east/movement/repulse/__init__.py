"""Repulse (8.5)."""
