"""Attacks as a player asks for them: one with its die, all of a side, the cheapest that reaches a column."""
