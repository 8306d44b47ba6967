"""Towns and flags of hexes on the map: their signs, and their names clear of one another, of numbers and of counters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import hypot
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.asking.view import View
from assistant.drawing.geometry import PageBox
from assistant.drawing.hex_sets import board_hexes
from assistant.drawing.layout import Layout
from assistant.drawing.legend import column_key, map_key
from assistant.drawing.map.layers import MapWish, map_layers
from assistant.drawing.map.survey import Scale, Survey, SurveyReader, survey_of
from assistant.drawing.map.towns import STYLES, Town, town_kind, town_shapes, towns_of
from assistant.drawing.placement import TakenBoxes
from assistant.drawing.scene import Group, Layer, Point, Polygon, Text
from assistant.drawing.style import COUNTER_MM
from assistant.drawing.symbols import Symbols
from assistant.game.games import Game
from assistant.installed.check import examine_game
from assistant.installed.registry import load_game
from assistant.testing import game_in, typed
from module_builder.boards.command import scale_for
from module_builder.cli import cli as builder

from ....cases import few, thorough
from .boards import BOARDS, GAME, board, box, boxes, layers, survey


def test_a_name_stands_where_the_board_says_or_a_hand_put_it(tmp_path: Path) -> None:
    places = "".join(
        f"{column:02}.05,Town {side},town,{side}\n" for column, side in ((2, "n"), (5, "e"), (8, "s"), (11, "w"))
    )
    drawn = survey(board(tmp_path / "b", places=places))
    found = {text.text[-1]: text for text in layers(drawn)["names"] if isinstance(text, Text)}
    at = {side: drawn.layout.centre(f"{column:02}.05") for column, side in ((2, "n"), (5, "e"), (8, "s"), (11, "w"))}
    assert found["n"].y < at["n"][1] < found["s"].y
    assert found["e"].x > at["e"][0]
    assert found["w"].x < at["w"][0]
    assert {side: text.anchor for side, text in found.items()} == {
        "n": "middle",
        "e": "start",
        "s": "middle",
        "w": "end",
    }
    drawn = survey(board(tmp_path / "2" / "b", places="05.05,Old,town,\n08.05,Kept,town,\n"))
    assert [town.name for town in towns_of(drawn, {"05.05": "New", "02.02": "More"})] == ["More", "New", "Kept"]


def test_a_name_keeps_clear_of_counters_of_any_size(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", "rail1: 05.05 05.06\n", "05.05,Mallwischken,village,\n"))
    x, y = drawn.layout.centre("05.05")
    for side in (12.0, COUNTER_MM, 23.0):
        (name,) = boxes(layers(drawn, MapWish(counters=["05.05"], counter=side))["names"])
        counter = TakenBoxes()
        counter.take(PageBox(x - side / 2, y - side / 2, x + side / 2, y + side / 2), 1.0)
        assert not counter.cost(name)


def test_larger_towns_have_larger_signs_and_fortresses_their_own() -> None:
    assert [town_kind(word) for word in ("platform", "village", "town", "city", "star-fort", "")] == [
        "village",
        "village",
        "town",
        "city",
        "fortress",
        "spot",
    ]
    sizes = [STYLES[kind].size for kind in ("spot", "village", "town", "city")]
    assert sizes == sorted(set(sizes))
    kinds = ("city", "town", "village")
    for kind in kinds:
        plain, walled = (town_shapes(kind, (0.0, 0.0), fortress=fortress) for fortress in (False, True))
        assert not any(isinstance(shape, Polygon) for shape in plain)
        assert any(isinstance(shape, Polygon) for shape in walled)
        town = Town("05.05", (0.0, 0.0), "Thorn", kind, "", fortress=True)
        assert town.style.bold
        assert town.style.radius > 2 * STYLES["town"].radius
    signs = {repr(town_shapes(kind, (0.0, 0.0), fortress=True)) for kind in ("city", "town")}
    assert len(signs) == 2, "a city is told from a town, fortress or not"


def test_on_a_small_map_towns_whose_names_find_no_room_are_left_out_sign_and_all(tmp_path: Path) -> None:
    crowd = [f"{column:02}.{row:02}" for column in (4, 5, 6) for row in (4, 5, 6)]

    def named(kind: str, scale: Scale) -> set[str]:
        places = "".join(f"{hex},Mallwischken {hex},{kind},\n" for hex in (*crowd, "11.09"))
        drawn = layers(survey(board(tmp_path / f"{kind}{scale.lines}", places=places), scale=scale))
        signs = {sign.title for sign in drawn["towns"] if isinstance(sign, Group)}
        said = "".join(text.text for text in drawn["names"] if isinstance(text, Text))
        assert all(title[-5:] in said for title in signs) and said.count("Mallwischken") == len(signs)
        return {title[-5:] for title in signs}

    small = Scale(2.0, 2.0)
    assert named("town", Scale(1.0, 2.0)) == {*crowd, "11.09"}
    assert {"11.09"} < named("town", small) < {*crowd, "11.09"}
    assert {"11.09"} < named("city", small) < {*crowd, "11.09"}


@few(3)
@pytest.mark.parametrize("height", [11.0, 22.0, 36.0, 112.0])
@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_no_name_on_any_board_is_farther_from_its_sign_than_its_letters_are_high(
    game: str, name: str, height: float
) -> None:
    loaded = load_game(game)
    drawn = loaded.board(name)
    seen = survey_of(Layout(drawn, board_hexes(drawn)), loaded, scale=scale_for(height, ".png"))
    shapes = layers(seen)
    names = [text for text in shapes.get("names", ()) if isinstance(text, Text)]
    shown = Counter(sign.title for sign in shapes.get("towns", ()) if isinstance(sign, Group))
    for town in (town for town in towns_of(seen, {}) if shown[town.name] == 1):
        far = min(distance(town.at, box(text)) for text in names if text.text in town.name)
        reach = town.style.radius * seen.scale.signs + town.style.size * seen.scale.letters
        assert far <= reach, town.name


def distance(point: Point, area: PageBox) -> float:
    x, y = point
    return hypot(max(area.left - x, x - area.right, 0.0), max(area.top - y, y - area.bottom, 0.0))


def test_a_name_without_room_chooses_before_others_of_its_rank(tmp_path: Path) -> None:
    """All hexes have a long name: the last one in the last column is hemmed in by those before it."""
    names = ("Königsberg", "Gumbinnen, south-west", "Lyck", "Grumbkowkeiten", "Kraupischken, east", "Dtsch. Eylau")
    hexes = [f"{column:02}.{row:02}" for column in range(3, 10) for row in range(2, 7)]
    drawn = survey(board(tmp_path / "b"), hexes)
    written = layers(drawn, MapWish(places={name: names[n % len(names)] for n, name in enumerate(hexes)}))
    for one, other in combinations((*boxes(written["names"]), *boxes(written["numbers"])), 2):
        assert one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top


#: Fortresses of 1914 that the boards must show, by game and board.
FORTRESSES = {
    (GAME, "east"): {
        "Königsberg",
        "Thorn",
        "Ossowez",
        "Przemysl",
        "Krakau",
        "Novo-Georgievsk",
        "Brest-Litowsk",
        "Kowno",
    },
    ("der-weltkrieg", "map-5-5"): {"Przemysl", "Krakau", "Ivangorod"},
    ("world-undone-east-prussia-1914", "east-prussia"): {"Königsberg", "Lötzen", "Graudenz"},
}


@thorough
@pytest.mark.parametrize(("game", "name"), FORTRESSES)
def test_the_fortresses_of_1914_are_marked_and_named_in_bold(game: str, name: str) -> None:
    drawn = survey_of(Layout(b := load_game(game).board(name), sorted(b.hexes)), load_game(game))
    shapes = layers(drawn)
    starred = {
        group.title
        for group in shapes["towns"]
        if isinstance(group, Group) and any(isinstance(shape, Polygon) for shape in group.shapes)
    }
    assert FORTRESSES[game, name] <= starred
    bold = {text.text for text in shapes["names"] if isinstance(text, Text) and text.bold}
    assert FORTRESSES[game, name] <= bold


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


def test_each_hex_that_has_a_flag_has_its_sign_clear_of_names_and_the_key_its_meaning(folder: Path) -> None:
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
