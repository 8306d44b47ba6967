"""A board drawn from geography: places by latitude and longitude, coasts, rivers, railways and heights put on the hexes
of a game.

`games/` has a folder of tables for each game; from them the files of its boards are drawn, byte for byte the same each
time. No module in here knows a game by name.
"""
