"""The proof sheet of a game: the clauses of its rules in words, for a player with the rulebook.

- `sources` finds the definitions of names.
- `phrases` makes sentences from docstrings, and nouns from names of the code.
- `sayings` puts conditions into words.
- `guards` finds the conditions around a part of a function.
- `clauses` reads the clauses of functions.
- `examples` reads the worked cases of rules, and the words for rows of files.
- `stated` reads the rules in the game's files.
- `sheet` writes the lines.
"""
