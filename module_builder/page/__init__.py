"""The table page as a folder for any static host: the rules run in the reader's own browser.

`parts` finds Python for the browser and the wheels that the program needs there; `command` gathers the program and the
games, compiles them, draws the picture of the beginning, and puts all together.
"""
