"""The supply of whole sides (14.4)."""
