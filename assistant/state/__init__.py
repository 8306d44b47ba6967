"""The state of a game: sources, facts, tracks, units, changes, and what is hidden from each side."""
