"""Saves and logs of modules that others made, and nobody has adopted for a game: what can be told of them without
knowing the game.
"""
