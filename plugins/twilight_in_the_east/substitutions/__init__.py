"""Units that replace others (16.2)."""
