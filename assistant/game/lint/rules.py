"""`Rule:` lines in the code of a game that its rule index loses."""

from __future__ import annotations

from collections.abc import Iterator

from ...util.errors import InputError, Where, suggested
from ..games import Game
from ..rule_index import rule_lines, rule_titles

SPELLING = "name rules as 10.8a, 14.8/3-edge or CRT/shock, parted by commas, with nothing behind them"


def rule_line_faults(game: Game) -> Iterator[InputError]:
    """The `Rule:` lines that cannot be read, that stand where none is read, or that name a rule which is no row of
    `rules.csv`; none in a game without an index. Raises InputError for a file that is not Python.
    """
    known = dict(rule_titles(game))
    for line in rule_lines(game.folder) if known else ():
        where = Where(line.path, line.line)
        if line.unreadable:
            yield InputError(
                f"{line.name}: the Rule: line cannot be read at {line.unreadable!r}", where=where, hint=SPELLING
            )
        elif not line.is_function:
            what = f"{line.name}: the Rule: line of a class is not read"
            yield InputError(what, where=where, hint="write it in the docstring of the function that applies the rule")
        for rule in line.rules if line.is_function else ():
            if rule not in known:
                what = f"{line.name}: Rule: {rule} is not in rules.csv"
                yield InputError(what, where=where, hint=suggested(rule, known))
