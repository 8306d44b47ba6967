"""Strategic Plans: the forces bound, and the points for achieving and abandoning them (21.0, 27.2)."""
