"""Facts removed from positions: a figure may then become a lower bound or undecided, but no other figure that looks whole."""
