"""Displacement of artillery and supply units (9.5, 9.8, 9.9)."""
