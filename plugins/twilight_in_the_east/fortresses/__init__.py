"""Fortress units, garrisons and bridgeheads (12)."""
