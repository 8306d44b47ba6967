"""Leaders: their commands and terms, and their effects on combat, movement and attachment (25)."""
