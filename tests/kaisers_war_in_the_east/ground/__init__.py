"""Ground at work."""
