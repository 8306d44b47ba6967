"""Published modules adopted for a game: the mapping that a player corrects, and the legend made from it."""
