"""The proof sheet of a game: the clauses of its rules in words, for a player who reads them beside the rulebook.

- `sources` finds the definitions of names.
- `phrases` makes sentences from docstrings.
- `words` are those for what code only names.
- `names` finds what the names in a function stand for.
- `grounds` says what a phrase rests on.
- `calls`, `values` and `conditions` say code in words, and `wording` a whole function.
- `guards` finds the conditions around a part of a function.
- `clauses` reads the clauses of functions.
- `examples` reads the worked cases of rules.
- `stated` reads what the game's files state.
- `sheet` writes the lines.
"""
