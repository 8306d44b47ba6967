"""An attack as a player asks for it."""
