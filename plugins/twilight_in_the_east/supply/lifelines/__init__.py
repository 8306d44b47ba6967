"""What the supply of units hangs on: what may be lost on their lines, and who is worse off for it (14)."""
