"""Legends: what the pieces of a save mean to a game, be it declared by a module of the builder or said by a player."""
