"""What is known of a game at one moment: sources, facts, tracks, units, changes, and what is hidden from whom."""
