"""The map as a cartographer draws it from the facts of hexes and hexsides: the same for reports, boards, modules and
paper.
"""
