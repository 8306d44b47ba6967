"""Control of hexes, and Front Lines (4.3)."""
