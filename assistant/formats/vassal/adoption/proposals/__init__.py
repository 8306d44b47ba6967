"""Proposals for a mapping: the likely meanings of a published module's names, pictures and grids."""
