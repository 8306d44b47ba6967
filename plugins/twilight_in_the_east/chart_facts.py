"""Facts that the rulebook reveals about the printed charts, used to find the owner's typing errors.

Each row of `chart_facts.csv` is a fact in this project's own words: firm, or a reading that the chart may contradict.
It claims that `some` or `no` cell of a range has something, how costs compare, or what a chart `never` shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import inf
from operator import eq, le, lt

from assistant.game.charts import Chart
from assistant.game.games import Game
from assistant.game.pack_charts import ChartFact, list_keys
from assistant.state.state import Cell
from assistant.util.datafiles import read_rows, resolve_within

Cells = Mapping[tuple[int | str, ...], Cell]
COLUMNS = ("chart", "rule", "sure", "each", "claim", "cells", "with", "text")
SEASONS = ("summer", "autumn")
WHOLE_SEASON = 99
"""The number of cells of the Combat Results Table in a season."""
ROADS = ("primary-road", "secondary-road", "rail")


def facts(game: Game) -> Iterator[ChartFact]:
    """Yield the known facts of the charts that the owner may enter."""
    for row, _ in read_rows(resolve_within(game.folder, "chart_facts.csv"), COLUMNS):
        for words in product(*(group.split("|") for group in row["each"].split())):
            filled = {column: text.format(*words) for column, text in row.items()}
            chart = filled["chart"]
            contradicted = _contradicted(game.chart(chart), filled["claim"], filled["cells"], filled["with"])
            yield ChartFact(chart, filled["rule"], filled["text"], filled["sure"] == "firm", contradicted)


def _contradicted(chart: Chart, claim: str, cells: str, having: str) -> Callable[[Cells], bool]:
    """Return a test whether the known cells contradict a claim.

    All cells of a `some`, and both of a comparison, must be known.
    """
    if claim == "never":
        return WHOLE_CHARTS[having]
    if claim in COMPARISONS:
        cell = tuple(cells.split())
        other = tuple(having.split())
        holds = COMPARISONS[claim]
        return lambda known: cell in known and other in known and not holds(_cost(known[cell]), _cost(known[other]))
    wanted = [part.split("|") for part in cells.split()]
    keys = [key for key in list_keys(chart) if all(map(_names, wanted, key))]
    if claim == "no":
        return lambda known: any(_shows(having, known[key]) for key in keys if key in known)
    return lambda known: all(key in known and not _shows(having, known[key]) for key in keys)


def _names(wanted: list[str], part: int | str) -> bool:
    return wanted == ["*"] or str(part) in wanted


def _tokens(cell: Cell, field: str) -> list[str]:
    return str(cell.values[field]).split()


def _has(having: str, cell: Cell) -> bool:
    """Return whether a cell has one of the tokens that follow a field's name, in each part of "steps 2 and ec 1"."""
    asked = [part.split() for part in having.split(" and ")]
    return all(not set(tokens).isdisjoint(_tokens(cell, field)) for field, *tokens in asked)


def _retreats(cell: Cell, side: str) -> list[str]:
    return [token for token in _tokens(cell, side) if token[0] in "WB"]


def _is_modified(cell: Cell, side: str) -> bool:
    return any(token[0] in "+-" and token[1:] for token in _tokens(cell, side))


SIDES = ("attacker", "defender")


def _shows(having: str, cell: Cell) -> bool:
    match having:
        case "the defender retreats":
            return bool(_retreats(cell, "defender"))
        case "the defender stays":
            return not _retreats(cell, "defender")
        case "a retreat that is not black":
            return _retreats(cell, "defender") not in ([], ["B1"])
        case "an X without a modifier":
            return _has("attacker X", cell) and not _is_modified(cell, "attacker")
    return _has(having, cell)


def _cost(cell: Cell) -> float:
    cost = str(cell.values["cost"])
    return inf if cost == "prohibited" else float(cost)


COMPARISONS: Mapping[str, Callable[[float, float], bool]] = {"=": eq, "<": lt, "<=": le}


def _many_autumn_retreats(cells: Cells) -> bool:
    if len(cells) < len(SEASONS) * WHOLE_SEASON:
        return False
    held = {key for key, cell in cells.items() if any(_retreats(cell, side) for side in SIDES)}
    summer = sum(key[0] == "summer" for key in held)
    autumn = sum(key[0] == "autumn" for key in held)
    return autumn >= summer


def _losses(cell: Cell) -> int:
    return int(cell.values["steps"]) * 2 + int(cell.values["ec"])


def _bloodier_autumn(cells: Cells) -> bool:
    pairs = ((cell, cells.get(("summer", *key[1:]))) for key, cell in cells.items() if key[0] == "autumn")
    return any(summer is not None and _losses(autumn) > _losses(summer) for autumn, summer in pairs)


def _cheaper_roll(cells: Cells) -> bool:
    pairs = ((cell, cells.get((*key[:2], int(key[2]) - 1))) for key, cell in cells.items())
    return any(lower is not None and _losses(cell) < _losses(lower) for cell, lower in pairs)


def _no_dearer_road(cells: Cells) -> bool:
    pairs = [[cells.get((season, road)) for season in SEASONS] for road in ROADS]
    return all(summer and autumn and _cost(summer) >= _cost(autumn) for summer, autumn in pairs)


WHOLE_CHARTS = {
    "as many retreats in autumn": _many_autumn_retreats,
    "a bloodier autumn": _bloodier_autumn,
    "a higher roll that costs less": _cheaper_roll,
    "no road dearer in autumn": _no_dearer_road,
}
"""Tests of whole charts, by their name in the claims, on known cells."""
