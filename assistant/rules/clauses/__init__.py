"""The questions of a game whose rules are clauses of its `rules.toml`.

- `compiled` has the conditions of clauses, compiled once for a game.
- `overrides` has the functions of a game that say what clauses cannot.
- Each other module has the questions of a section.
"""

from .overrides import override

__all__ = ["override"]
