"""Artillery Ammunition Points: their sources and lines (10.5)."""
