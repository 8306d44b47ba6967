"""Reinforcements, returning units and new armies (16.0)."""
