"""A game of three sides, whose hexes have a `country` instead of a `terrain`: nothing in the core assumes otherwise."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant.asking.view import View
from assistant.drawing.sketch.scene import standing_scene
from assistant.drawing.svg import to_svg
from assistant.formats.notation import read_notation
from assistant.game.games import Game, find_army, read_game
from assistant.game.names import regular_army
from assistant.game.viewpoint import reduce_state
from assistant.state.state import HIDDEN, SOMEBODY, UNSEEN, GameState, Unread
from assistant.state.tracks import Fact
from assistant.util.errors import InputError

from ...folders import game_of
from .track_files import format_track

FILES = {
    "game.toml": """
title = "Three Rivers"
about = "Made up for the tests."
[grid]
columns = [1, 5]
rows = [1, 5]
[notation]
identity = ["people"]
[sides]
red = ["red"]
blue = ["blue"]
green = ["green"]
[picture]
nation = "people"
terrain = "country"
colours = { fen = "#123456" }
[intelligence]
sees = "top"
weakest = { strength = "1" }
strongest = { strength = "9" }
""",
    "tracks.toml": "".join(
        (
            format_track("people", "unit", "choice", values=["red", "blue", "green"], printed="counter", token="{}"),
            format_track("strength", "unit", "integer", least=1, most=9, printed="counter"),
            format_track("tired", "unit", "flag", absent=False),
            format_track("country", "hex", "choice", values=["heath", "fen"], printed="map", token="{}"),
        )
    ),
    "boards/valley/board.toml": """
title = "Valley"
source = "drawn"
terrain = { h = "heath", f = "fen" }
[grid]
columns = [1, 5]
rows = [1, 5]
""",
    "boards/valley/terrain.txt": "01 02\n1 h f\n2 h h\n",
}
POSITION = """game rivers
0101: red R1
0102: blue B1 tired, blue B2 tired
0202: green G1 tired, green G2
"""


def game(folder: Path, sees: str = "top") -> Game:
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace('sees = "top"', f'sees = "{sees}"'), "utf-8")
    return read_game("rivers", folder)


def state(of: Game, text: str = POSITION) -> GameState:
    return read_notation(text.encode(), "x.pos", lambda _: of).state


def units(seen: GameState) -> list[str]:
    return sorted(seen.units)


def test_a_side_is_named_as_a_sentence_needs_it(tmp_path: Path) -> None:
    file = msgspec.structs.replace(game(tmp_path).file, titles={"blue": "Allies"})
    assert (file.the_side("red"), file.the_side("blue")) == ("the Red side", "the Allies")
    called = {
        "Austria-Hungary": "Austria-Hungary",
        "Italy": "Italy",
        "Ottoman Empire": "the Ottoman Empire",
        "Austrian": "the Austrian side",
    }
    assert {title: msgspec.structs.replace(file, titles={"red": title}).the_side("red") for title in called} == called


def test_a_game_shows_the_top_unit_of_a_stack_none_or_all(tmp_path: Path) -> None:
    rivers = game(tmp_path)
    position = state(rivers)
    red, green = reduce_state(rivers, position, "red"), reduce_state(rivers, position, "green")
    assert units(red) == ["B1", "G1", "R1"]
    assert (red.value(UNSEEN, "0102"), red.value(UNSEEN, "0202")) == ("blue", "green")
    assert units(green) == ["B1", "G1", "G2", "R1"]
    assert ((UNSEEN, "0202") in green.facts, green.value(UNSEEN, "0102")) == (False, "blue")
    rivers = game(tmp_path, sees="none")
    red = reduce_state(rivers, state(rivers), "red")
    assert units(red) == ["R1"]
    assert (red.value(UNSEEN, "0102"), red.value(UNSEEN, "0202")) == ("blue", "green")
    rivers = game(tmp_path, sees="all")
    red = reduce_state(rivers, state(rivers), "red")
    assert units(red) == ["B1", "B2", "G1", "G2", "R1"]
    assert red.value("tired", "B2") is True
    assert not [name for name, _ in red.facts if name in (UNSEEN, HIDDEN)]


def test_an_unknown_piece_may_belong_to_either_enemy(tmp_path: Path) -> None:
    rivers = game(tmp_path)
    position = msgspec.structs.replace(state(rivers), unread=(Unread("a piece", about=None, place="0201"),))
    red = reduce_state(rivers, position, "red")
    assert red.value(UNSEEN, "0201") == SOMEBODY
    view = View(rivers, red, end="strongest")
    stand_in = view.unseen["0201"]
    assert view.fact("strength", stand_in.id) == Fact(9)
    assert view.fact("people", stand_in.id) is None


def test_units_of_any_two_sides_never_share_a_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="0101 holds units of different sides: R1 and G1"):
        state(game(tmp_path), "game rivers\n0101: red R1, green G1\n")


def test_the_letters_of_a_board_and_the_colours_of_a_picture_are_those_of_its_own_track(tmp_path: Path) -> None:
    rivers = game(tmp_path)
    assert rivers.board("valley").fact("country", "0201") == Fact(
        "fen", rivers.board("valley").facts["country", "0201"].source
    )
    drawn = View(rivers, state(rivers, "game rivers\nboard valley\n0101: red R1\n"))
    scene = standing_scene(drawn)
    ground = next(layer for layer in scene.layers if layer.name == "terrain")
    assert "#123456" in [getattr(shape, "fill", "") for shape in ground.shapes]
    assert "fen" in to_svg(scene)


def test_an_army_is_named_by_the_longest_name_that_it_begins_with(tmp_path: Path) -> None:
    sides = {"reds": ("white",), "whites of the east": ("white russian",)}
    assert regular_army("white russian First", sides) == "whites of the east First"
    assert regular_army("White First", sides) == "reds First"
    file = 'title = "T"\n[sides]\nreds = ["red"]\n"whites of the east" = ["white"]\n'
    game = game_of(tmp_path, {"game.toml": file})
    assert find_army(game, "whites of the east First") == "whites of the east First"
    assert find_army(game, "re First") == "reds First"
    assert find_army(game, "First") == "First"
