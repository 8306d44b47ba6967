"""Dice, odds and graphs, without a game or a position: rounding, procedures, exact chances, tracing."""
