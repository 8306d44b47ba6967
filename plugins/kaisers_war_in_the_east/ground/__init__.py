"""Countries, seasons, control of hexes; zones of control and the hexes that units can enter."""
