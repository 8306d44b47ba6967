"""Luck, told exactly: what the dice of a record of play brought, beside what was expected of them."""
