"""Units, stacks, armies and markers (2 to 4, 6)."""
