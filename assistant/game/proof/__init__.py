"""The proof sheet of a game: the clauses of its rules in words, for a player who reads them beside the rulebook.

- `sources` finds the definitions of names.
- `phrases` makes sentences from docstrings, and nouns from names of the code.
- `sayings` says conditions in words, as far as they read as English.
- `guards` finds the conditions around a part of a function.
- `clauses` reads the clauses of functions.
- `examples` reads the worked cases of rules, and the words for rows of files.
- `stated` reads what the game's files state.
- `sheet` writes the lines.
"""
