"""Saves and logs of modules that are neither the builder's nor adopted: what they show without a game."""
