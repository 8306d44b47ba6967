"""A board drawn from geography: places, coasts, rivers, railways and heights are put on the hexes of a game.

`games/` has a folder of tables for each game. The files of its boards are drawn from them, byte for byte the same each
time. No module in here knows a game by name.
"""
