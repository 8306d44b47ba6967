"""A game that cannot even be loaded."""

raise RuntimeError("the mill has burnt down")
