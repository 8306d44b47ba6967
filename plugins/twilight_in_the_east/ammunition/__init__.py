"""Artillery Ammunition Points: who can give them and along which line (10.5)."""
