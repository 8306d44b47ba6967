"""Boards as pictures: the whole or an area with its margin, the image of a module, and sheets of paper to cut and join."""
