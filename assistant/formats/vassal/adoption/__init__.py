"""Published modules that a player has adopted for a game: the mapping that he corrects, and the legend that it makes."""
