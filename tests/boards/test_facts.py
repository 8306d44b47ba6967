"""What rulebooks print of hexes: names, lengths, which are adjacent, what lies in them and between them. `facts.csv` has it, a test a row.

The columns are the game's folder, the board, the rule ("" for notes on the maps), the kind of fact, one hex or several, the hex to
which a length leads, and a value. Each kind has its test below.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from _pytest.mark.structures import ParameterSet

from assistant.game.boards import Basis, Board
from assistant.game.boards.folder import lines_files
from assistant.game.boards.lines import LinesReader
from assistant.game.games import Game
from assistant.installed.registry import named_game
from assistant.mechanics.crossings import compile_crossings
from assistant.mechanics.tracing import cost_field
from assistant.state.state import hexside
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from twilight_in_the_east.railways.lines import read_off_map
from twilight_in_the_east.railways.network import RAIL_HEX_WEIGHTS
from twilight_in_the_east.railways.routes import RailNet, Route, cheapest_route, read_rail_net, ways

from ..cases import thorough
from ..conftest import viewed

PLUGINS = Path(__file__).parents[2] / "plugins"
TABLE = Path(__file__).parent / "facts.csv"
BARS_ZONES = {"major-river", "grand-river", "lake", "sea"}
"""What a ZOC does not extend across in *Twilight in the East* (4.1.1)."""


class Row(msgspec.Struct, frozen=True):
    """A row of the table. start, end: its `from` and `to`."""

    game: str
    board_name: str
    rule: str
    kind: str
    start: str
    end: str
    value: str

    @property
    def subjects(self) -> list[str]:
        """The hexes or hexsides of a row that names several."""
        return self.start.split()

    @property
    def board(self) -> Board:
        return game_of(self.game).board(self.board_name)


@cache
def table() -> list[Row]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [Row(*line) for line in list(csv.reader(file))[1:]]


@cache
def game_of(folder: str) -> Game:
    return named_game(str(PLUGINS / folder))


def rows(kind: str) -> list[ParameterSet]:
    """The rows of a kind as cases of a test, called by what they say."""
    return [
        pytest.param(row, id=" ".join(filter(None, (row.board_name, row.rule, row.start, row.end, row.value))))
        for row in table()
        if row.kind == kind
    ]


def boards() -> list[tuple[str, str]]:
    """All boards of the games of the table, with their games."""
    return [
        (folder, name) for folder in dict.fromkeys(row.game for row in table()) for name in game_of(folder).board_names
    ]


def value(board: Board, track: str, subject: str) -> Any:
    """What a board says of a hex or hexside; None if nothing."""
    fact = board.fact(track, subject)
    return fact.value if fact else None


def says(board: Board, statement: str, subject: str) -> bool:
    """Whether a board says something of a hex or hexside. statement: a track, or a track and its value: "rail=rail2"."""
    track, _, expected = statement.partition("=")
    known = value(board, track, subject)
    return known is not None and expected in ("", *(known if isinstance(known, tuple) else (words(known),)))


def words(known: object) -> str:
    """A value of a board as the table has it."""
    return "yes" if known is True else str(known)


def test_each_row_is_tested_once() -> None:
    source = Path(__file__).read_text("utf-8")
    assert {row.kind for row in table()} == {*re.findall(r'\brows\("([a-z-]+)"\)', source)}
    assert len({*table()}) == len(table())


# --- what is in a hex, and how the board knows it -----------------------------------------------------------------------


@cache
def stated(folder: str, name: str) -> dict[tuple[str, str], set[Basis]]:
    """What the files of a board say beyond its terrain and towns: by track and subject, how it is known."""
    board, bases = game_of(folder).board(name), dict[tuple[str, str], set[Basis]]()

    def keep(track: str, subject: str, _value: object, basis: Basis, _where: object) -> None:
        bases.setdefault((track, subject), set()).add(basis)

    def stop(error: InputError) -> None:
        raise error

    for file in lines_files(PLUGINS / folder / "boards" / name):
        usual = Basis(Source.DRAWN if board.hexes and file.name != "rulebook.lines" else Source.RULEBOOK)
        LinesReader(board, game_of(folder).tracks, usual, keep).read(file.read_text("utf-8"), file.name, stop)
    return bases


@thorough
@pytest.mark.parametrize(("folder", "board"), boards())
def test_no_fact_passes_for_a_rule_without_its_number(folder: str, board: str) -> None:
    for (track, subject), bases in stated(folder, board).items():
        for basis in bases:
            if basis.source is Source.RULEBOOK:
                assert basis.rule or basis.note == "notes on the maps", f"{track} of {subject}"


@pytest.mark.parametrize(("folder", "board"), boards())
def test_places_pass_for_those_of_rules_that_the_table_has(folder: str, board: str) -> None:
    places = game_of(folder).board(board).places
    assert {(place.name, place.hex, place.basis.rule) for place in places if place.basis.source is Source.RULEBOOK} == {
        (row.value, row.start, row.rule)
        for row in table()
        if (row.game, row.board_name, row.kind) == (folder, board, "place")
    }


@pytest.mark.parametrize("row", rows("place"))
def test_places_stand_in_their_hexes(row: Row) -> None:
    assert [place.hex for place in row.board.places if place.name == row.value] == [row.start]


@pytest.mark.parametrize("row", rows("states"))
def test_facts_are_there_with_their_rule(row: Row) -> None:
    track = row.value.partition("=")[0]
    for subject in row.subjects:
        fact = row.board.fact(track, subject)
        assert fact and fact.source is Source.RULEBOOK and says(row.board, row.value, subject), subject
        bases = stated(row.game, row.board_name)[track, subject]
        assert (Source.RULEBOOK, row.rule) in {(basis.source, basis.rule) for basis in bases}, subject


@pytest.mark.parametrize("row", rows("has"))
def test_what_follows_of_hexes_and_hexsides_is_so(row: Row) -> None:
    assert [subject for subject in row.subjects if not says(row.board, row.value, subject)] == []


@pytest.mark.parametrize("row", rows("land"))
def test_hexes_are_land(row: Row) -> None:
    assert row.board.hexes.issuperset(row.subjects)
    assert [hex for hex in row.subjects if value(row.board, "terrain", hex) in (None, "sea")] == []


@pytest.mark.parametrize("row", rows("edge"))
def test_hexes_lie_at_the_edge_of_the_map(row: Row) -> None:
    assert [hex for hex in row.subjects if len(row.board.neighbours(hex)) == 6] == []


# --- what lies between hexes ---------------------------------------------------------------------------------------------


@pytest.mark.rule("1.2")
@pytest.mark.parametrize("row", rows("adjacent"))
def test_hexes_are_adjacent(row: Row) -> None:
    assert row.end in row.board.neighbours(row.start) and row.start in row.board.neighbours(row.end)
    assert row.board.distance(row.start, row.end) == 1


@pytest.mark.parametrize("row", rows("distance"))
def test_hexes_are_so_far_apart(row: Row) -> None:
    assert row.board.distance(row.start, row.end) == int(row.value)


@pytest.mark.parametrize("row", rows("river"))
def test_hexes_lie_on_a_river(row: Row) -> None:
    river = {side for chain in row.board.chains if chain.name == row.value for side in chain.path}
    sides = {hex: {hexside(hex, other) for other in row.board.neighbours(hex)} for hex in row.subjects}
    assert [hex for hex in row.subjects if not sides[hex] & river] == []


@pytest.mark.parametrize("row", rows("hexsides"))
def test_a_hex_has_so_many_hexsides_with_something(row: Row) -> None:
    count, track = row.value.split()
    around = [hexside(row.start, other) for other in row.board.neighbours(row.start)]
    assert sum(says(row.board, f"{track}=yes", side) for side in around) == int(count)


@pytest.mark.parametrize("row", rows("open"))
def test_nothing_lies_on_hexsides(row: Row) -> None:
    """No river of any kind: an example gives the price of the step, or the odds of the attack, without one."""
    assert value(row.board, "barrier", hexside(row.start, row.end)) == ()


@pytest.mark.parametrize("row", rows("zone"))
def test_zones_of_control_extend_across_hexsides(row: Row) -> None:
    assert row.end in row.board.neighbours(row.start)
    assert BARS_ZONES.isdisjoint(value(row.board, "barrier", hexside(row.start, row.end)) or ())


# --- railways and roads ------------------------------------------------------------------------------------------------------------


def led_to(board: Board, hex: str, track: str = "rail") -> list[str]:
    """The adjacent hexes to which a railway leads, or a road. track: which of them."""
    return [
        there
        for there in board.neighbours(hex)
        if value(board, track, hexside(hex, there)) not in (None, f"no-{track}")
    ]


def lengths(board: Board, start: str, beyond: Callable[[str], list[str]]) -> Mapping[str, int]:
    """The hexes that can be reached from a hex, each with the hexes of the shortest way. beyond: the next ones of a hex."""
    crossings = compile_crossings(board.hexes, beyond, lambda hex: (), lambda here, there: ())
    return cost_field(crossings, lambda kind: 1, {start: 0}).cost


def by_rail(row: Row) -> Mapping[str, int]:
    """The hexes to which railways of any kind lead from the start of a row, each with the hexes of the shortest way."""
    return lengths(row.board, row.start, lambda hex: led_to(row.board, hex))


@pytest.mark.parametrize("row", rows("way"))
def test_a_railway_or_road_is_there(row: Row) -> None:
    for subject in row.subjects:
        here, _, there = subject.partition("|")
        ways_there = led_to(row.board, here, row.value)
        assert there in ways_there if there else ways_there, subject


@pytest.mark.parametrize(("folder", "board"), boards())
def test_hexes_with_a_railway_have_one_where_railways_are_drawn(folder: str, board: str) -> None:
    drawn = game_of(folder).board(board)
    assert not drawn.hexes or all(led_to(drawn, hex) for hex in drawn.known("rail-hex"))


@pytest.mark.parametrize("row", rows("joined"))
def test_a_railway_joins_two_hexes(row: Row) -> None:
    assert row.end in by_rail(row)


@pytest.mark.parametrize("row", rows("lines"))
def test_so_many_railways_leave_a_city(row: Row) -> None:
    """Each by a hex of its own, so that a ZOC that covers one leaves the others open."""
    beyond = [hex for hex in led_to(row.board, row.start) if not says(row.board, "city", hex)]
    assert len(beyond) == int(row.value)


@pytest.mark.parametrize("row", rows("field-railway"))
def test_a_field_railway_reaches_a_place(row: Row) -> None:
    """It is laid along roads, not into mountains, and has a greatest length (17.5.1, 17.5.2)."""
    hex_of = {place.name: place.hex for place in row.board.places}

    def along(hex: str) -> list[str]:
        return [
            there
            for there in led_to(row.board, hex, "road")
            if value(row.board, "terrain", there) not in ("mountain", "high-mountain")
        ]

    assert lengths(row.board, hex_of[row.start], along)[hex_of[row.end]] <= int(row.value)


@pytest.mark.parametrize("row", rows("unbuilt"))
def test_no_railway_leads_straight_from_one_hex_to_another(row: Row) -> None:
    """Those of which a rule says that they were begun in the war: what there is leads round, at least twice as far."""
    assert by_rail(row).get(row.end, 999) >= 2 * row.board.distance(row.start, row.end)


@cache
def net(side: str) -> RailNet:
    """The RR lines of *Twilight in the East* along which the units of a side move at the start."""
    return read_rail_net(viewed("board east\n"), side, ())


def route(row: Row) -> Route:
    """The cheapest route of German units between two hexes, off the map too."""
    off_map = read_off_map(viewed("board east\n"), "central-powers")
    cheapest = cheapest_route(net("central-powers"), row.start, row.end, off_map=off_map)
    assert cheapest is not None
    return cheapest


@pytest.mark.parametrize("row", rows("gauges"))
def test_both_gauges_meet(row: Row) -> None:
    for hex in row.subjects:
        gauges = {value(row.board, "gauge", hexside(hex, there)) for there in led_to(row.board, hex)}
        assert "both" in gauges or {"standard", "broad"} <= gauges, hex


@pytest.mark.parametrize("row", rows("gauge"))
def test_a_line_of_one_gauge_joins_two_hexes(row: Row) -> None:
    assert row.end in ways(row.start, net("russian").legs(row.value), ())


@pytest.mark.rule("8.2.8")
@pytest.mark.parametrize("row", rows("off-map"))
def test_lines_off_the_map_are_so_long(row: Row) -> None:
    (leg,) = route(row).legs
    assert (leg.off_map, leg.hexes) == (True, int(row.value))


@pytest.mark.rule("8.2.2")
@pytest.mark.parametrize("row", rows("rail"))
def test_the_cheapest_route_enters_so_many_hexes_of_the_map(row: Row) -> None:
    legs = route(row).legs
    assert (len(legs), any(leg.off_map for leg in legs)) == (int(row.value), False)


@pytest.mark.rule("8.2.2")
@pytest.mark.parametrize("row", [*rows("single-track"), *rows("double-track")])
def test_the_cheapest_route_is_of_one_kind_of_track_and_so_long(row: Row) -> None:
    weight = RAIL_HEX_WEIGHTS["rail1" if row.kind == "single-track" else "rail2"]
    assert [leg.hexes for leg in route(row).legs] == [weight] * int(row.value)


@pytest.mark.rule("8.2.2", "8.2.8")
@pytest.mark.parametrize("row", rows("count"))
def test_the_cheapest_route_counts_for_so_many_hexes(row: Row) -> None:
    """Those entered along single track count twice."""
    assert route(row).weighted == int(row.value)


@pytest.mark.parametrize("row", rows("via"))
def test_the_cheapest_route_leads_by_some_places(row: Row) -> None:
    hexes = route(row).hexes
    hex_of = {place.name: place.hex for place in row.board.places}
    passed = [hexes.index(hex_of[name]) for name in row.value.split("; ")]
    assert passed == sorted(passed)
