"""The proof sheet of a game: the clauses of its rules in words, for a player who reads them beside the rulebook.

- `sources` finds the definitions of names.
- `phrases` makes sentences from docstrings.
- `wording` says code in words.
- `clauses` reads the clauses of functions.
- `examples` reads the worked cases of rules.
- `sheet` writes the lines.
"""
