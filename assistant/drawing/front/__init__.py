"""The front of a game over time: the ground held by each side, and maps of it turn by turn."""
