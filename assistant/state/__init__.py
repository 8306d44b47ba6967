"""The state of a game: sources, facts, tracks, units, changes, and information hidden from a side."""
