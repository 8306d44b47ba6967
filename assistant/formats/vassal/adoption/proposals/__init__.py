"""Proposals of a mapping: what names, pictures and grids of a published module are likely to mean."""
