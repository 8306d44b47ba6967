"""Strategic Plans: what they bind, what achieves them, and what abandoning them costs (21.0, 27.2)."""
