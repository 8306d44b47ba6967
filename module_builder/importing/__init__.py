"""Conversion of a VASSAL module into the data files of a game."""
