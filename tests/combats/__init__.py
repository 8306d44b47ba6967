"""Random combats, played with random dice and choices until nothing is owed."""
