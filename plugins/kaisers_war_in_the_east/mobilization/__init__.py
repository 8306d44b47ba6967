"""Reinforcements: what is due, what can be bought, where units are placed."""
