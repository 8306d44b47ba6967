"""The consequences as units enter and leave hexes."""
