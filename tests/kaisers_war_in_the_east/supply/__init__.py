"""Supply at work."""
