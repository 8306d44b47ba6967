"""The attachment of units to corps and armies (6)."""
