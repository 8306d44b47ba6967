"""The consequences of moves as units enter and leave hexes."""
