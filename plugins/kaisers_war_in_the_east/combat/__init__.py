"""Who attacks whom at what percentage, and what the result does, up to retreats and pursuit."""
