"""A flag of hexes that a map prints: a sign in each hex that has it, of its own form, and a line of the key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.asking.view import View
from assistant.drawing.geometry import PageBox
from assistant.drawing.layout import Layout
from assistant.drawing.legend import column_key, map_key
from assistant.drawing.map.layers import MapWish, map_layers
from assistant.drawing.map.survey import Survey, SurveyReader, survey_of
from assistant.drawing.scene import Group, Layer, Polygon, Text
from assistant.drawing.symbols import Symbols
from assistant.game.games import Game
from assistant.installed.check import examine_game
from assistant.testing import game_in, typed
from module_builder.cli import cli as builder

from .boards import box

FLAGS = "".join(
    f'\n[{name}]\ntitle = "{title}"\non = "hex"\nkind = "flag"\nprinted = "map"\n{more}'
    for name, title, more in (("oasis", "oasis", ""), ("holy", "holy ground", "absent = false\n"), ("fog", "fog", ""))
)


@pytest.fixture
def folder(tmp_path: Path, own_data: None) -> Path:
    """A new game with three such flags, two of which its map has."""
    heath = tmp_path / "heath"
    assert CliRunner().invoke(builder, ["new", str(heath)]).exit_code == 0
    with heath.joinpath("tracks.toml").open("a", encoding="utf-8") as file:
        file.write(FLAGS)
    heath.joinpath("boards/field/more.lines").write_text("0404, 0506, 0302 oasis\n0404, 0205 holy\n", "utf-8")
    heath.joinpath("boards/field/places.csv").write_text("hex,name,class\n0404,Millford,town\n", "utf-8")
    return heath


def drawn(survey: Survey) -> dict[str, Layer]:
    return {layer.name: layer for layer in map_layers(survey, (500.0, 500.0), "#ffffff", MapWish()).all}


def signs(survey: Survey) -> dict[str, Polygon]:
    """The signs that are drawn, by what they are called."""
    groups = drawn(survey)["flags"].shapes if "flags" in drawn(survey) else ()
    return {
        group.title: group.shapes[0]
        for group in groups
        if isinstance(group, Group) and isinstance(group.shapes[0], Polygon)
    }


def round_of(sign: Polygon) -> PageBox:
    """The box round a sign."""
    xs, ys = zip(*sign.points, strict=True)
    return PageBox(min(xs), min(ys), max(xs), max(ys))


def said(layer: Layer) -> Iterator[str]:
    return (shape.text for shape in layer.shapes if isinstance(shape, Text))


def board_of(game: Game) -> Survey:
    board = game.board("field")
    return survey_of(Layout(board, sorted(board.hexes)), game)


def test_each_hex_that_has_a_flag_has_its_sign_and_the_key_says_what_it_means(folder: Path) -> None:
    assert examine_game(str(folder)).faults.lines == []
    survey = board_of(game_in(str(folder)))
    found = signs(survey)
    assert set(found) == {"0302: oasis", "0404: oasis", "0506: oasis", "0404: holy ground", "0205: holy ground"}
    assert len(found["0302: oasis"].points) != len(found["0205: holy ground"].points), "told apart without colours"
    assert found["0302: oasis"].fill != found["0205: holy ground"].fill
    for key in (column_key(survey, 180.0, 1.0), map_key(survey, (), 180.0)):
        assert [word.lower() for word in said(key.layer(0.0)) if word.lower() in ("oasis", "holy ground", "fog")] == [
            "oasis",
            "holy ground",
        ]


def test_signs_lie_in_their_hex_clear_of_names_and_of_one_another(folder: Path) -> None:
    survey = board_of(game_in(str(folder)))
    boxes = [(title[:4], round_of(sign)) for title, sign in signs(survey).items()]
    for at, sign in boxes:
        x, y = survey.layout.centre(at)
        assert x - 12 < sign.left and sign.right < x + 12 and y < sign.top and sign.bottom < y + 17
    (millford,) = (
        box(text) for text in drawn(survey)["names"].shapes if isinstance(text, Text) and text.text == "Millford"
    )
    areas = [millford, *(sign for _, sign in boxes)]
    for number, one in enumerate(areas):
        for other in areas[number + 1 :]:
            assert (
                one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top
            )


def test_a_position_may_state_one(folder: Path) -> None:
    game = game_in(str(folder))
    position = typed("board field\n0604 holy\n0506 oasis=no\n", game)
    look = SurveyReader(View(game, position.state))
    survey = Survey(Layout(look.board, sorted(look.board.hexes)), look, Symbols(game))
    assert {"0604: holy ground", "0404: oasis"} <= set(signs(survey)) and "0506: oasis" not in signs(survey)


def test_a_game_may_say_which_are_drawn_and_in_what_colour(folder: Path) -> None:
    toml = folder / "game.toml"
    text = (
        toml.read_text("utf-8")
        .replace("[picture]\n", '[picture]\nflags = ["holy"]\n')
        .replace("[picture.colours]\n", '[picture.colours]\nholy = "#123456"\n')
    )
    toml.write_text(text, "utf-8")
    assert examine_game(str(folder)).faults.lines == []
    found = signs(board_of(game_in(str(folder))))
    assert {sign.fill for sign in found.values()} == {"#123456"} and all("holy" in title for title in found)
    toml.write_text(text.replace('["holy"]', '["holly"]'), "utf-8")
    (line,) = examine_game(str(folder)).faults.lines
    assert line == "game.toml: [picture] flags: unknown flag of a hex 'holly'; nearest known: holy"
