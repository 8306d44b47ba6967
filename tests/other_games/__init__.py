"""The games that are no more than boards yet."""
