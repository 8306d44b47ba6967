"""The story of a game: what a record of play shows, turn by turn, in sentences, maps and a page."""
