"""What can be asked of a position, how the answer reads, and how its doubts are made plain."""
