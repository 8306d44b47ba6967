"""A board as a picture of its own, and on sheets of paper."""
