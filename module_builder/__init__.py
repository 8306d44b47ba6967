"""Field Staff's module builder: makes modules and counters from a game's data files."""
