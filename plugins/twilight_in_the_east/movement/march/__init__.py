"""Marches from hex to hex: the cost of each step, its bars and consequences (8.1)."""
