"""The new game of a module whose own file holds the set-up: at pixels, at printed places, and in decks."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.grids import HEXES, REGIONS, SQUARES, ZONES
from assistant.formats.vassal.modules import SLOTS, STARTS, Module
from assistant.formats.vassal.new_game import set_up_game

from ..test_modules import GRID, MAP, PICKER, A, board, module

ZONE, REGION = (
    "VASSAL.build.module.map.boardPicker.board.mapgrid.Zone",
    "VASSAL.build.module.map.boardPicker.board.Region",
)
SQUARE = (
    f'<{SQUARES} x0="10" y0="10" dx="20" dy="20">'
    '<VASSAL.build.module.map.boardPicker.board.mapgrid.SquareGridNumbering hType="A" sep="-"/>'
    f"</{SQUARES}>"
)
BOXES = f'<{REGIONS}><{REGION} name="Dead" originx="5" originy="6"/><{REGION} name="Turn 2" originx="90" originy="6"/></{REGIONS}>'
ZONED = (
    f'<{ZONES}><{ZONE} name="Reserve" path="60,0;100,0;100,40;60,40" locationFormat="$name$"/>'
    f'<{ZONE} name="Track" path="0,60;100,60;100,80;0,80" locationFormat="$name$: $gridLocation$">{BOXES.replace("6", "70")}</{ZONE}>'
    f"{GRID}</{ZONES}>"
)


def slot(name: str, traits: str = "", states: str = "") -> str:
    return f'<{SLOTS[0]} entryName="{name}" gpid="{name}1">+/null/{traits}piece;;;a.png;{name}/{states}null;0;0;{name}1;0</{SLOTS[0]}>'


def start(*slots: str, kind: str = STARTS[0], **said: object) -> str:
    attributes = " ".join(f'{name}="{value}"' for name, value in said.items())
    return f"<{kind} {attributes}>{''.join(slots)}</{kind}>"


def with_starts(*starts: str, grid: str = GRID) -> Module:
    boards = f"<{PICKER}>{board('Land', grid)}{board('Sea')}</{PICKER}>"
    return module(f'<{MAP} mapName="Field" edgeWidth="10" edgeHeight="5">{boards}{"".join(starts)}</{MAP}>', A)


def test_pieces_lie_at_pixels_of_their_board() -> None:
    save = set_up_game(
        with_starts(start(slot("Guards"), slot("Line"), name="Stack", owningBoard="Land", x="30", y="40"))
    )
    assert [(piece.name, piece.map, piece.at, piece.slot) for piece in save.pieces.values()] == [
        ("Guards", "Field", (40, 45), "Guards1"),
        ("Line", "Field", (40, 45), "Line1"),
    ]
    assert [stack.pieces for stack in save.stacks.values()] == [("1.1", "1.2")]
    assert save.boards == {"Field": (("Land", 0, 0),)}


@pytest.mark.parametrize(
    ("grid", "location"),
    [
        (GRID, "0101"),
        (GRID, "0201"),
        (SQUARE, "B-02"),
        (BOXES, "Turn 2"),
        (ZONED, "0101"),
        (ZONED, "Reserve"),
        (ZONED, "Track: Dead"),
        (f'<{HEXES} x0="9" y0="3" dx="17" dy="20" sideways="true">' + GRID.partition(">")[2], "0301"),
    ],
)
def test_pieces_lie_at_printed_places(grid: str, location: str) -> None:
    """The module finds the place that it names."""
    placed = with_starts(
        start(slot("Guards"), name="S", useGridLocation="true", location=location, x="1", y="1"), grid=grid
    )
    save = set_up_game(placed)
    assert placed.locate(save, save.pieces["1.1"]) == location


@pytest.mark.parametrize(
    ("grid", "location"),
    [(GRID, "somewhere"), (GRID, "0"), (GRID, ""), (BOXES, "turn 2"), (ZONED, "Dead: Track"), (SQUARE, "AB-02")],
)
def test_a_place_that_the_board_does_not_have_is_left_to_the_pixels(grid: str, location: str) -> None:
    found = with_starts(start(slot("Guards"), useGridLocation="true", location=location, x="1", y="2"), grid=grid)
    assert set_up_game(found).pieces["1.1"].at == (11, 7)


def test_a_number_beyond_the_edge_and_a_piece_that_never_stacks_lie_where_they_would() -> None:
    save = set_up_game(with_starts(start(slot("Guards"), useGridLocation="true", location="9901")))
    assert save.pieces["1.1"].at[0] > 3000
    save = set_up_game(with_starts(start(slot("Guards"), slot("Lake", "immob;n;N;R;\t", "\t"), slot("Line"), name="S")))
    assert [stack.pieces for stack in save.stacks.values()] == [("1.1", "1.3")]
    assert [piece.name for piece in save.pieces.values()] == ["Guards", "Lake", "Line"]


def test_a_new_game_has_the_boards_that_the_map_names_and_what_stands_on_them() -> None:
    starts = [start(slot(f"on {board}"), owningBoard=board, x="1", y="2") for board in ("Land", "Sea")]
    boards = f"<{PICKER}><setup>FieldBoardPicker\tSea\t0\t0</setup>{board('Land', GRID)}{board('Sea')}</{PICKER}>"
    save = set_up_game(module(f'<{MAP} mapName="Field">{boards}{"".join(starts)}</{MAP}>'))
    assert save.boards == {"Field": (("Sea", 0, 0),)}
    assert [piece.name for piece in save.pieces.values()] == ["on Sea"]


def test_prototypes_are_replaced_and_decks_have_cards() -> None:
    deck = start(slot("One", "prototype;A\t", "\t"), slot("Two"), kind=STARTS[1], name="Events", x="3", y="4")
    save = set_up_game(with_starts(deck))
    assert [(stack.name, stack.pieces, stack.at) for stack in save.stacks.values()] == [
        ("Events", ("1.1", "1.2"), (13, 9))
    ]
    assert [trait.kind for trait in save.pieces["1.1"].traits] == ["mark", "piece"]


def test_a_map_without_boards_and_a_stack_outside_all_maps() -> None:
    found = module(f'<{MAP} mapName="Box">{start(slot("Guards"), x="3", y="x")}</{MAP}>', start(slot("Lost")))
    assert [(piece.name, piece.at) for piece in set_up_game(found).pieces.values()] == [("Guards", (3, 0))]
