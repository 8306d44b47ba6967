"""Pictures of positions and chances, as scenes."""
