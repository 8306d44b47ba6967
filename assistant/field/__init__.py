"""The field: who stands where, whose zones of control reach where, what lies on a hexside, and which hexes are open."""
