"""Reinforcements: units that are due, units that can be bought, and their hexes."""
