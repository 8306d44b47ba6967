"""A game as its folder states it: grid, board, roster, charts, rulings, rule index, the owner's pack."""
