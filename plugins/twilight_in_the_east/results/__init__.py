"""The results of a combat's dice, from losses to the advance (10.9 to 11.4)."""
