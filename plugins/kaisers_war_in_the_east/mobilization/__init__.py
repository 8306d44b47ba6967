"""Reinforcements: arrivals, purchases and the placing of units."""
