"""A board drawn from geography: places by latitude and longitude, coasts, rivers, railways and heights put on the hexes of a game.

A game's folder `geography/` holds the tables; `module-builder` draws from them the files of a board, byte for byte the same
each time. Nothing in here knows a game by name.
"""
