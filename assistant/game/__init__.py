"""A game as its folder describes it: grid, boards, roster, charts, rulings, rules, and the owner's pack."""
