"""The results of a combat's dice (10.9 to 11.4)."""
