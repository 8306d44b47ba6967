"""Displacement of artillery, Corps Trains and depots next to the enemy (9.5, 9.8, 9.9)."""
