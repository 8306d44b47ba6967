"""Field Staff's module builder: makes things to play with from a game's data files."""
