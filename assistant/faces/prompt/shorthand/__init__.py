"""The shorthand of the table prompt: hexes, units and questions in few letters, expanded to position notation."""
