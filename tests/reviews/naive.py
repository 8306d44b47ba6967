"""A second, naive judge of one move: every choice of the other moves before it, every way hex by hex, every companion.

It rests on the question `move` alone, which it asks of each way from the first hex on; `reach` is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from assistant.asking.parameters import read_parameters
from assistant.asking.question import decide
from assistant.asking.report import MissingFacts
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.installed.registry import question_of
from assistant.records.review.deeds import carry_out
from assistant.state.changes import AnyChange
from assistant.util.errors import InputError

from .playing import KAISERS_WAR, SUPPLY_UNITS

MAX_WAYS = 1500
"""The number of ways beyond which a case is too large."""


class TooLarge(Exception):
    """A case with too many ways to try them all."""


def is_lawful(start: Position, others: Sequence[tuple[AnyChange, ...]], unit: str, target: str) -> bool:
    """Return whether a unit may move to a hex after any of the other moves.

    `others`: the other moves of the phase, each by its changes.

    Raises TooLarge if there are too many ways, MissingFacts if a fact is missing.
    """
    tracks = start.game.tracks
    for number in range(len(others) + 1):
        for before in combinations(others, number):
            changes = [change for made in before for change in made]
            state = carry_out(start.state, changes, tracks) if changes else start.state
            view = View(start.game, state)
            if any(target in find_ends(view, asked, unit) for asked in list_companies(start, view, unit)):
                return True
            if start.game.id == KAISERS_WAR and may_end(view, {"unit": unit, "way": [target], "by": "sea"}):
                return True
    return False


def list_companies(start: Position, view: View, unit: str) -> Iterator[dict[str, Any]]:
    """Yield the parameters of `move` for the unit alone, with each unit that began in its hex, and by forced march."""
    if start.game.id == KAISERS_WAR:
        yield {"unit": unit}
        yield from ({"unit": unit, "forced": name} for name in SUPPLY_UNITS.values() if name in view.state.units)
        return
    yield {"units": [unit]}
    if start.game.id == "world-undone-east-prussia-1914":
        yield {"units": [unit], "forced": "yes"}
        return
    here = start.state.units[unit].place
    for other in start.state.units.values():
        if other.id != unit and other.place == here and view.unit(other.id).place == here:
            yield {"units": [unit, other.id]}


def find_ends(view: View, asked: dict[str, Any], unit: str) -> set[str]:
    """Return the hexes where a way may end."""
    board = view.board
    first = str(view.unit(unit).place)
    ends = set[str]()
    waiting: list[tuple[str, ...]] = [()]
    tried = 0
    while waiting:
        way = waiting.pop()
        for there in board.neighbours(way[-1] if way else first):
            if there == first or there in way:
                continue
            tried += 1
            if tried > MAX_WAYS:
                raise TooLarge
            longer = (*way, there)
            if any(may_end(view, {**asked, "way": longer, **ride}) for ride in list_rides(view, (first, *longer))):
                ends.add(there)
                waiting.append(longer)
    return ends


def list_rides(view: View, line: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield no ride, then the rides on each stretch of a line of hexes where a game's `move` takes these together."""
    yield {}
    if view.game.id == KAISERS_WAR:
        for entrain, detrain in combinations(line, 2):
            yield {"by": "rail", "entrain": entrain, "detrain": detrain}


def may_end(view: View, asked: dict[str, Any]) -> bool:
    """Return whether a move along a way is allowed."""
    question = question_of(view.game, "move")
    try:
        report = decide(question, view, read_parameters(question, view, asked), {})
    except InputError:
        return False
    if report.verdict.kind == "undecided" or report.asks:
        raise MissingFacts(report.asks)
    return report.verdict.kind != "no"
