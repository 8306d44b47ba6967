"""A VASSAL module turned into the data files of a game, for the builder to make it anew."""
