"""A combat before the dice: who fights, whether he may, and at what odds (10)."""
