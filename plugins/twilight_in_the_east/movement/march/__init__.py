"""Units that march from hex to hex: what a step costs, what bars it, and what follows (8.1)."""
