"""Units that take the place of others (16.2)."""
