"""A game as its folder describes it: grid, boards, roster, charts, rulings, rule index, the owner's pack."""
