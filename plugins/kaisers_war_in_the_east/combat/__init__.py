"""Attacks, their percentage and column, and their results, including retreats and pursuit."""
