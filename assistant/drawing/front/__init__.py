"""The front of a game over time: who holds which ground, and maps of it turn by turn."""
