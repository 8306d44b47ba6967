"""Reinforcements: units that are due, units for sale, and their hexes."""
