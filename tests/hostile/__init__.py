"""Hostile and broken input."""
