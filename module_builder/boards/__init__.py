"""Boards as pictures: the whole or an area with its margin, and sheets of paper to cut and join."""
