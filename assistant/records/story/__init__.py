"""The story of a game, told from a record of play, turn by turn: sentences, maps and a page."""
