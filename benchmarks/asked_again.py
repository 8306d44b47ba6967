"""Questions that players ask one after the other at a table: what one has found, the next does not work out again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from assistant.asking.recent_answers import RecentAnswers
from assistant.faces.page.desk import StandingTable
from assistant.faces.page.messages.requests import AskRequest, DrawRequest, OnMapRequest, Reading
from assistant.faces.page.respond import answer_reading
from assistant.faces.page.tiles import Pictures
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game
from assistant.service import parse
from assistant.state.changes import Change
from assistant.util.datafiles import read_text
from benchmarks.cold import GAME
from benchmarks.measuring import Bench, Prepared, Row, least

TABLE = "bench"
HEX, SECOND_HEX = "45.20", "45.21"
"""Two hexes with units of the side that is threatened."""
UNIT, PLACE_AFTER = "25/3", "43.19"
"""An enemy unit near them, and the hex beside its own to which it moves."""


def rows(bench: Bench) -> Iterator[Row]:
    """A threat on the map, then its working; the same again; to another hex; after a move."""
    position = start_table()
    first = [threat_on_map(HEX)]
    why = [
        AskRequest(table=TABLE, question="threat", parameters={"at": HEX}, answers={}),
        DrawRequest(table=TABLE, question="threat", parameters={"at": HEX}, answers={}, what="picture"),
    ]
    once, with_why, again, second, moved = least(
        bench.sizes.runs,
        asked(position, first),
        asked(position, [*first, *why]),
        asked(position, first, before=first),
        asked(position, [threat_on_map(SECOND_HEX)], before=first),
        asked(after_a_move(position), first, before=first, position_before=position),
    )
    what = "`threat` to a hex of the start table, on its map"
    yield Row(f"{what}, then its working and its picture", "the first alone", with_why, once, 1.1)
    yield Row(f"{what}, asked again", "the first time", again, once, 0.05)
    yield Row(f"{what}, once another hex has been asked about", "the first time", second, once, 0.5)
    yield Row(f"{what}, once an enemy unit has moved by a hex", "the first time", moved, once, 0.5)


def start_table() -> Position:
    """The position with which the page begins, with what is trusted there."""
    game = load_game(GAME)
    start = game.file.start
    assert start is not None, f"{GAME} has a start table"
    file, called, _ = game.set_up(start.setup)
    return parse("\n".join([read_text(file, called), *(f"trust {kind}" for kind in start.trusts)]))


def after_a_move(position: Position) -> Position:
    """The position with an enemy unit beside the hex where it was."""
    place = position.state.units[UNIT].place
    change = Change("place", UNIT, place, PLACE_AFTER, "")
    return position.with_state(apply_changes(position.game, position.state, [change]))


def threat_on_map(hex: str) -> Reading:
    """A request for the threat to a hex with its picture on the board."""
    return OnMapRequest(table=TABLE, question="threat", parameters={"at": hex})


def asked(
    position: Position,
    requests: Sequence[Reading],
    *,
    before: Sequence[Reading] = (),
    position_before: Position | None = None,
) -> Prepared:
    """A job that answers requests of the page about a position, at a table that has answered others before."""
    pictures = Pictures()

    def prepared() -> Callable[[], object]:
        recent = RecentAnswers()
        earlier = StandingTable(position_before or position, None, pictures, recent)
        for request in before:
            answer_reading(earlier, request)
        table = StandingTable(position, None, pictures, recent)
        return lambda: [answer_reading(table, request) for request in requests]

    return prepared
