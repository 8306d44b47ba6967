"""What comes back onto the map (16.0)."""
