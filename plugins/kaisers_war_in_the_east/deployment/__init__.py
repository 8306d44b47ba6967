"""What hexes hold: set-ups, stacks, zones of control."""
