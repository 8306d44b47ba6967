"""Calendar, phases, hexsides, zones of control and Improved Positions (4, 5, 13)."""
