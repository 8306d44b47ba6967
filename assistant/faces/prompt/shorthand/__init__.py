"""Shorthand typed at the table: hexes, units and questions in few letters, expanded to position notation."""
