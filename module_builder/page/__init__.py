"""The table page as a folder for any static host: the rules run in the reader's own browser.

`parts` finds Python for the browser and the wheels that the program needs there, `program` gathers the program and the
games, `bytecode` compiles them, `folder` puts all together.
"""
