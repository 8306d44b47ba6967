"""A combat before the dice: its units, whether it is legal, and its odds (10)."""
