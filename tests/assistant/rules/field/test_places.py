"""Facts of hexes by which rules go: places by name, the edges of the map, hexes that change hands, and lines that are supposed."""

from __future__ import annotations

import msgspec
import pytest

from assistant.asking import View
from assistant.game.hexes import HexGrid
from assistant.rules.field.places import (
    ask_for_place,
    distance_to_edge,
    edge_assumed,
    edge_hexes,
    hex_named,
    hexes_taken,
    hexes_with,
    take_control,
)
from assistant.rules.field.suppositions import suppose_line
from assistant.state.changes import Change
from assistant.util.errors import InputError

from ....conftest import typed, viewed

GAME = "game world-undone-east-prussia-1914\n"


def seen(text: str = "", **grid: object) -> View:
    """A view of a position, on a grid of five columns and four rows unless it is another."""
    view = viewed(GAME + text)
    small = HexGrid(**{"columns": (1, 5), "rows": (1, 4), **grid})  # type: ignore[arg-type]
    view.board = msgspec.structs.replace(view.board, grid=small)
    return view


def test_hexes_by_what_is_printed_on_them() -> None:
    view = seen("0402 fortress=3\n0203 fortress=1\n0304 fortress=0\n")
    assert hexes_with(view, "fortress") == ["0203", "0402"]


def test_a_game_without_a_track_for_them_has_the_outermost_hexes_for_edges() -> None:
    view = seen()
    assert "not stated" in edge_assumed(view, "west", track="rim")
    assert edge_hexes(view, "west", "rim") == ("0101", "0102", "0103", "0104")


def test_a_place_is_found_by_its_name_with_accents_or_without_and_asked_for_by_it() -> None:
    view = seen("0203 named=Elbing\n0402 named=Königsberg\n")
    found = [hex_named(view, name) for name in ("Königsberg", "konigsberg", "ELBING", "Danzig")]
    assert found == ["0402", "0402", "0203", None]
    asked = ask_for_place("Königsberg", "3.4")
    assert (asked.rule, asked.title, asked.how) == ("3.4", "hex of Königsberg", "HEX named=Königsberg")


def test_a_drawn_board_names_places_only_where_it_is_used_and_what_a_player_states_counts_against_it() -> None:
    assert hex_named(viewed(GAME), "Lötzen") is None, "the printed map is not drawn"
    assert hex_named(viewed(f"{GAME}board east-prussia\n"), "Lotzen") == "4025"
    drawn = f"{GAME}board east-prussia\n"
    at = hex_named(viewed(drawn), "Königsberg")
    assert at is not None
    assert hex_named(viewed(f"{drawn}3408 named=Konigsberg\n"), "Königsberg") == "3408"
    assert hex_named(viewed(f"{drawn}2001 named=Königsberg\n"), "Königsberg") == "2001"


@pytest.mark.parametrize(
    ("edge", "grid", "expected"),
    [
        ("west", {}, "0101 0102 0103 0104"),
        ("east", {}, "0501 0502 0503 0504"),
        ("north", {}, "0101 0201 0301 0401 0501"),
        ("south", {}, "0104 0204 0304 0404 0504"),
        ("west", {"columns_from": "east"}, "0501 0502 0503 0504"),
        ("north", {"rows_from": "south"}, "0104 0204 0304 0404 0504"),
        ("west", {"orientation": "pointy"}, "0101 0102 0103 0104"),
        ("north", {"orientation": "pointy"}, "0101 0201 0301 0401 0501"),
    ],
)
def test_beyond_an_edge_the_grid_has_no_hex(edge: str, grid: dict[str, object], expected: str) -> None:
    assert edge_hexes(seen(**grid), edge) == tuple(expected.split())


def test_on_a_drawn_board_an_edge_follows_its_hexes() -> None:
    view = seen()
    view.board = msgspec.structs.replace(view.board, hexes=frozenset(["0201", "0301", "0302", "0202", "0402"]))
    assert edge_hexes(view, "west") == ("0201", "0202")
    assert edge_hexes(view, "south") == ("0202", "0302", "0402")


def test_what_is_stated_of_an_edge_counts_instead_of_the_grid() -> None:
    view = seen("0203 map-edge=west+south\n0102 map-edge=north\n")
    assert edge_hexes(view, "west") == ("0101", "0103", "0104", "0203")
    said = "the outermost hexes in the west assumed to be the western edge of the map (not stated)"
    assert (edge_assumed(view, "west"), edge_assumed(view, "west", ["0203"])) == (said, "")
    assert edge_assumed(view, "west", ["0203", "0104"]) == said


def test_how_far_an_edge_is_and_what_that_takes_for_granted() -> None:
    view = seen("0404 map-edge=west\n")
    assert (distance_to_edge(view, "0504", "west", "6.5"), view.premises.assumptions) == (1, ())
    assert (distance_to_edge(view, "0302", "west", "6.5"), distance_to_edge(view, "0104", "west")) == (2, 0)
    assert [step.rule for step in view.premises.assumptions] == ["6.5", ""]


def test_an_edge_where_no_hex_lies_is_asked_for() -> None:
    view = seen("".join(f"01{row:02} map-edge=north\n" for row in range(1, 5)))
    with pytest.raises(InputError, match="no hex lies at the western edge of the map") as fault:
        distance_to_edge(view, "0302", "west")
    assert fault.value.hint == "state which do: HEX map-edge=west"


def test_hexes_that_change_hands_as_a_unit_passes() -> None:
    holders = {"0101": "blue", "0102": "red", "0103": "", "0104": "red"}
    way = ["0101", "0102", "0103", "0102", "0104"]
    assert hexes_taken(way, "blue", holders.__getitem__) == ("0102", "0103", "0104")
    assert hexes_taken(way, "blue", holders.__getitem__, stays=False) == ()
    assert hexes_taken(way, "blue", holders.__getitem__, stays=False, kept=["0104", "0101"]) == ("0104",)
    view = seen("0102 control=german\n")
    (change,) = take_control(view, ["0102"], "russian", "2.0")
    assert (change.track, change.subject, change.before, change.after, change.rule) == (
        "control", "0102", "german", "russian", "2.0",
    )  # fmt: skip


def test_an_edge_is_read_anew_where_more_is_stated_of_it() -> None:
    view = seen("0203 map-edge=west\n")
    assert edge_hexes(view, "west") == edge_hexes(view, "west") == ("0101", "0102", "0103", "0104", "0203")
    moved = view.after([Change("map-edge", "0102", None, ("north",), "")])
    moved.board = view.board
    assert edge_hexes(moved, "west") == ("0101", "0103", "0104", "0203")
    elsewhere = view.after([Change("terrain", "0102", None, "forest", "")])
    elsewhere.board = view.board
    assert edge_hexes(elsewhere, "west") == edge_hexes(view, "west")


# --- a position as it would be if a line held as well -----------------------------------------------------------------

POSITION = typed("40.20 clear: german infantry XX g, german infantry XX h\n40.21 operational=russian\n")


def test_a_fact_or_a_whole_stack_is_replaced_and_the_position_stays_as_it_is() -> None:
    after = suppose_line(POSITION.game, POSITION.state, "40.21 operational=none")
    assert after.value("operational", "40.21") == "none"
    assert POSITION.state.value("operational", "40.21") == "russian"
    after = suppose_line(POSITION.game, POSITION.state, "40.20: russian infantry XX r")
    assert {unit.id: unit.place for unit in after.units.values()} == {"g": None, "h": None, "r": "40.20"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("40.21 operational=prussian", "side whose operational RR line this is: 'prussian' is not allowed"),
        ("ask supply", "'ask supply' is a question or an answer"),
        ("answers crt=7", "'answers crt=7' is a question or an answer"),
        ("game chess", "the game is already twilight-in-the-east"),
    ],
)
def test_what_cannot_be_supposed(line: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        suppose_line(POSITION.game, POSITION.state, line)
    assert str(refused.value).startswith(message)
