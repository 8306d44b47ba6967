"""Leaders: the game turns of their commands, and their effects on combat, movement and attachment (25)."""
