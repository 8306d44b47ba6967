"""Mechanics independent of any game or position: dice, odds, rounding, procedures, exact chances, tracing."""
