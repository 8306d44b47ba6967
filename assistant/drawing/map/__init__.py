"""The map drawn from the facts of hexes and hexsides, in the same way for reports, boards, modules and paper."""
