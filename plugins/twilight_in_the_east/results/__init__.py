"""What the dice of a combat lead to (10.9 to 11.4)."""
