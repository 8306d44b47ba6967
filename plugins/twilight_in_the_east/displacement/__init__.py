"""Displacement: artillery, Corps Trains and depots that the enemy becomes adjacent to (9.5, 9.8, 9.9)."""
