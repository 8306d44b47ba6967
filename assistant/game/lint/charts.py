"""Charts that the game's own files hold, but not wholly."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from ...state.tracks import Source
from ..charts import ABOVE, BELOW, Chart, Keys, format_row, rows_of
from ..games import Game

_LEAST_SHARE = 0.75
_MOST_NAMED = 3
"""From what share of its cells on a chart is meant to be whole; of how many rows the missing cells are named."""
_MOST_CELLS = 10_000
"""How many cells a chart has at most whose missing ones are looked for."""


def chart_remarks(game: Game) -> Iterator[str]:
    """Yield the charts of which a few cells are missing. Where the rulebook gives most cells of a chart, its author has
    meant to enter them all; one with other sources, or with less, waits for its owner.
    """
    for chart in game.charts.values():
        if chart.cells and chart.sources == {Source.RULEBOOK}:
            yield from _find_unstated_ends(chart)
        cells = _list_cells(chart)
        missing = [key for key in cells if key not in chart.cells]
        if missing and chart.sources == {Source.RULEBOOK} and len(missing) <= len(cells) * (1 - _LEAST_SHARE):
            rows = [format_row(row) for row in rows_of(missing)]
            more = f"; and {len(rows) - _MOST_NAMED} more rows" if len(rows) > _MOST_NAMED else ""
            named = "; ".join(rows[:_MOST_NAMED]) + more
            yield f"chart {chart.name}: {len(cells) - len(missing)} of {len(cells)} cells; {chart.file} lacks {named}"


def _find_unstated_ends(chart: Chart) -> Iterator[str]:
    """Yield the keys of a chart of which the rulebook's cells do not tell where they end, so that rows and columns
    beyond them are asked for.
    """
    for key, parts, ends in zip(chart.keys, zip(*chart.cells, strict=True), chart.ends(chart.cells), strict=True):
        if key.has_owner_ends:
            least, most = min(parts, key=key.size), max(parts, key=key.size)
            first = f"{least}{BELOW}" if key.least is None and not ends.first else ""
            last = f"{most}{ABOVE}" if key.most is None and not ends.last else ""
            if first or last:
                named = " and ".join(filter(None, [first, last]))
                yield f"chart {chart.name}: {chart.file} does not say where {key.name} ends: write {named} there"


def _list_cells(chart: Chart) -> list[Keys]:
    """Return the keys of all cells of a chart, as far as its known cells tell where it ends; none while that is
    unknown.
    """
    rows = [key.values or key.row(ends) for key, ends in zip(chart.keys, chart.ends(chart.cells), strict=True)]
    return [*product(*rows)] if prod(map(len, rows)) <= _MOST_CELLS else []
