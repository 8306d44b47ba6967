"""Attacks, their percentage and column, and their results up to retreats and pursuit."""
