"""Luck, computed exactly: the results of the dice in a record of play, compared with the expected ones."""
