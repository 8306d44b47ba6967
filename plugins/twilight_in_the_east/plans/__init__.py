"""Strategic Plans: the forces bound, conditions for achieving them, and the cost of abandoning them (21.0, 27.2)."""
