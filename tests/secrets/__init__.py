"""Positions that differ only in what is hidden from a side, and all that this side is told of them."""
