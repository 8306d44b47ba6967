"""Player aids on paper: the turn track, the sequence of play, charts, the terrain key, displays and tracks, from a
game's data.
"""
