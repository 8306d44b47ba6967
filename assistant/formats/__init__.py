"""File formats of positions: position notation, JSON, VASSAL saves; plugins may add others.

A file is read as a `Position`, which keeps the state, the questions asked and the answers so far apart.
"""
