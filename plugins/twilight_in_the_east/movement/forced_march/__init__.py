"""Forced marching (8.3)."""
