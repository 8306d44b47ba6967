"""The pieces that show supply, the layers of the map, and the buttons that hide them."""

from __future__ import annotations

import io
from math import hypot

import pytest
from lxml import etree
from PIL import Image

from assistant.drawing.png import to_png
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.overlay import OVERLAY, degrees_of, write_link_name
from assistant.installed.registry import load_game
from module_builder.vassal.elements import MAP, WIDGET
from module_builder.vassal.module import BuiltModule, make_palettes, module_grid, shown_board, wanted_module
from module_builder.vassal.overlay import OverlayPiece, overlay_names, overlay_pieces
from module_builder.vassal.windows import add_layers
from tests.module_builder.test_data_game import files_of

GAMES = ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914")


def grey_values(png: bytes) -> list[int]:
    """The pixels of a picture on white, in grey."""
    drawn = Image.open(io.BytesIO(png)).convert("RGBA")
    ground = Image.new("RGBA", drawn.size, "white")
    return [*Image.alpha_composite(ground, drawn).convert("L").tobytes()]


def pieces(name: str) -> list[OverlayPiece]:
    game = load_game(name)
    board, grid = shown_board(game, wanted_module(game)), module_grid(game, wanted_module(game))
    return overlay_pieces(game, board, grid, dict.fromkeys(overlay_names(game, board, grid), "7"))


@pytest.mark.parametrize("name", GAMES)
def test_each_side_has_its_hexes_its_source_and_its_lines(name: str) -> None:
    game = load_game(name)
    shown = [made.piece.marks()[OVERLAY] for made in pieces(name)]
    assert len({*shown}) == len(shown) == 12 * len(game.file.sides)
    for side in game.file.sides:
        assert {f"{side} {state}" for state in ("full", "low", "none", "cut-off", "unknown", "source")} < {*shown}


@pytest.mark.parametrize("name", GAMES)
def test_each_step_from_a_hex_to_the_next_has_a_piece_of_a_line(name: str) -> None:
    """Each is as long as the step: a line of several has no gap."""
    game = load_game(name)
    board, grid = shown_board(game, wanted_module(game)), module_grid(game, wanted_module(game))
    drawn = {made.piece.marks()[OVERLAY]: made.scene for made in pieces(name)}
    side = next(iter(game.file.sides))
    for here in [*grid.hexes][:200]:
        for there in (other for other in board.neighbours(here) if other in grid.hexes):
            (a, b), (c, d) = grid.hexes[here], grid.hexes[there]
            scene = drawn[write_link_name(side, degrees_of((a, b), (c, d)), full=True)]
            line = scene.layers[0].shapes[-1]
            (x, y), (u, v) = line.points
            assert hypot(u - x, v - y) == pytest.approx(hypot(c - a, d - b), abs=1.5)


def test_the_way_of_a_step_is_the_same_from_either_end() -> None:
    assert degrees_of((0, 0), (0, 112)) == degrees_of((0, 112), (0, 0)) == 90
    assert degrees_of((0, 0), (97, 56)) == degrees_of((97, 56), (0, 0)) == 30
    assert degrees_of((0, 0), (97, -56)) == degrees_of((97, -56), (0, 0)) == 150


def test_the_states_of_a_hex_are_told_apart_in_grey_too() -> None:
    """Each two differ in a tenth of what either of them draws."""
    made = [one for one in pieces(GAMES[0]) if one.piece.marks()[OVERLAY].startswith("russian ")]
    hexes = [
        one
        for one in made
        if " line" not in one.piece.marks()[OVERLAY] and "low-line" not in one.piece.marks()[OVERLAY]
    ]
    drawn = [grey_values(picture) for picture in to_png([one.scene for one in hexes], 1)]
    for number, one in enumerate(drawn):
        for other in drawn[number + 1 :]:
            differing = sum(abs(a - b) > 40 for a, b in zip(one, other, strict=True))
            inked = min(sum(value < 200 for value in values) for values in (one, other))
            assert differing > inked / 10


def test_the_pieces_are_in_the_palettes_behind_the_markers_in_a_list_of_names(built: BuiltModule) -> None:
    slots = [slot for slot in make_palettes(load_game(GAMES[0])).slots if OVERLAY in slot.piece.marks()]
    assert len(slots) == 24
    assert len({slot.id for slot in slots}) == 24
    slots = [slot for slot in read_module(built.data).slots if OVERLAY in slot.piece.marks()]
    assert {slot.path for slot in slots} == {("Markers", "Supply")}
    root = etree.fromstring(files_of(built)["buildFile.xml"])
    (group,) = (element for element in root.iter(WIDGET + "ListWidget") if element.get("entryName") == "Supply")
    assert [slot.get("entryName") for slot in group][:2] == [
        "In supply (Central Powers)",
        "Low supply (Central Powers)",
    ]


# --- layers and buttons -----------------------------------------------------------------------------------------------


def layered(name: str, *, supply: bool = True) -> etree._Element:
    window = etree.Element("map")
    etree.SubElement(window, MAP + "CounterDetailViewer", display="from all layers")
    add_layers(window, load_game(name), supply=supply)
    return window


def test_layers_lie_in_order_with_a_button_to_hide_each() -> None:
    (layers,) = layered(GAMES[0]).iter(MAP + "LayeredPieceCollection")
    assert layers.get("layerOrder") == "Supply,Marker,central-powers,russian"
    buttons = {one.get("text"): one.get("layers") for one in layered(GAMES[0]).iter(MAP + "LayerControl")}
    assert buttons == {"Central Powers only": "russian", "Russian only": "central-powers", "Supply": "Supply"}
    window = layered(GAMES[0], supply=False)
    assert "Supply" not in [one.get("text") for one in window.iter(MAP + "LayerControl")]
    assert window.find(MAP + "MassKeyCommand") is None
    assert window.find(MAP + "CounterDetailViewer").get("display") == "from all layers"
    viewer = layered(GAMES[0]).find(MAP + "CounterDetailViewer")
    assert (viewer.get("display"), viewer.get("layerList")) == ("from layers other than those listed", "Supply")
    module = make_palettes(load_game(GAMES[0]))
    layer = {
        slot.name: slot.piece._replace(traits=module.expanded(slot.piece.traits)).marks().get("Layer")
        for slot in module.slots
    }
    assert (layer["25/3"], layer["1/1"]) == ("russian", "central-powers")
