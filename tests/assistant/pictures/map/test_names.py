"""Names on the map: clear of one another, of numbers, railways and rivers, and along what they name."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path

import pytest

from assistant.drawing.lettering import text_width
from assistant.drawing.scene import Group, Shape, Text
from assistant.pictures.colours import too_close
from assistant.pictures.layout import Area
from assistant.pictures.map.drawing import MapWish, map_layers
from assistant.pictures.map.names import STYLES, kind_of, towns_of
from assistant.pictures.map.survey import Room, Scale, Survey
from assistant.pictures.map.waters import INKS, TINTS, Waters
from assistant.pictures.map.ways import BROAD, STANDARD, Ways
from assistant.pictures.style import COUNTER, HEX, RIVER, ROAD
from assistant.plugins.registry import load_game

from .boards import GAME, board, survey


def layers(drawn: Survey, wish: MapWish = MapWish()) -> dict[str, tuple[Shape, ...]]:  # noqa: B008
    size = drawn.layout.width, drawn.layout.height
    return {layer.name: layer.shapes for layer in map_layers(drawn, size, "#ffffff", wish).all}


@cache
def the_east() -> tuple[Survey, dict[str, tuple[Shape, ...]]]:
    drawn = survey(load_game(GAME).board("east"))
    return drawn, layers(drawn)


def box(text: Text) -> Area:
    """The box of the letters themselves."""
    width = text_width(text.text, text.size, bold=text.bold)
    left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.anchor] * width
    return Area(left, text.y - text.size * 0.74, left + width, text.y + text.size * 0.05)


def boxes(shapes: tuple[Shape, ...]) -> list[Area]:
    return [box(text) for text in shapes if isinstance(text, Text)]


def test_names_of_towns_cover_no_other_name_and_no_number() -> None:
    drawn, east = the_east()
    names, numbers = boxes(east["names"]), boxes(east["numbers"])
    assert len(names) >= len(drawn.board.places) > 600
    room = Room()
    for number in numbers:
        room.take(number, 1.0)
    assert len([name for name in names if room.cost(name)]) <= 2  # where towns crowd
    names.sort(key=lambda one: one.left)
    for one, other in combinations(names, 2):
        if other.left >= one.right:
            continue
        assert other.top >= one.bottom or other.bottom <= one.top


def test_hardly_a_name_lies_on_a_railway_or_river() -> None:
    drawn, east = the_east()
    waters = Waters(drawn)
    room = Room()
    for run in Ways(drawn).rails:
        room.take_line(run.line, 0.8, 1.0)
    for river in waters.rivers:
        room.take_line(river.line, 0.8, 1.0)
    names = boxes(east["names"])
    assert sum(room.cost(name) > 0 for name in names) <= len(names) / 25


def test_a_name_stands_where_the_board_says(tmp_path: Path) -> None:
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


def test_a_name_keeps_clear_of_counters_of_any_size(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", "rail1: 05.05 05.06\n", "05.05,Mallwischken,village,\n"))
    x, y = drawn.layout.centre("05.05")
    for side in (12.0, COUNTER, 23.0):
        (name,) = boxes(layers(drawn, MapWish(counters=["05.05"], counter=side))["names"])
        counter = Room()
        counter.take(Area(x - side / 2, y - side / 2, x + side / 2, y + side / 2), 1.0)
        assert not counter.cost(name)


def test_larger_towns_have_larger_signs_and_letters() -> None:
    assert [kind_of(word) for word in ("platform", "village", "town", "city", "star-fort", "")] == [
        "village",
        "village",
        "town",
        "city",
        "fortress",
        "spot",
    ]
    sizes = [STYLES[kind].size for kind in ("spot", "village", "town", "city")]
    assert sizes == sorted(set(sizes))


def test_on_a_small_map_towns_are_named_unless_they_crowd(tmp_path: Path) -> None:
    crowd = [f"{column:02}.{row:02}" for column in (4, 5, 6) for row in (4, 5, 6)]

    def named(kind: str, scale: Scale) -> int:
        places = "".join(f"{hex},Mallwischken {hex},{kind},\n" for hex in (*crowd, "11.09"))
        drawn = layers(survey(board(tmp_path / f"{kind}{scale.lines}", places=places), scale=scale))
        said = {text.text for text in drawn["names"] if isinstance(text, Text)}
        assert any("11.09" in text for text in said)
        return sum(any(hex in text for text in said) for hex in crowd)

    small = Scale(2.0, 2.0)
    assert named("town", Scale(1.0, 2.0)) == named("city", small) == len(crowd)
    assert 0 < named("town", small) < len(crowd)


def test_a_place_named_by_hand_replaces_that_of_the_board(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", places="05.05,Old,town,\n08.05,Kept,town,\n"))
    assert [town.name for town in towns_of(drawn, {"05.05": "New", "02.02": "More"})] == ["More", "New", "Kept"]


def test_rivers_are_named_beside_their_course() -> None:
    drawn, east = the_east()
    waters = Waters(drawn)
    lines = {river.course.name: [] for river in waters.rivers}
    for river in waters.rivers:
        lines[river.course.name] += river.line
    groups = [group for group in east["waters"] if isinstance(group, Group)]
    assert {"Vistula", "San", "Bug", "Dniester", "Narew", "Pripet"} <= {group.title for group in groups}
    for group in groups:
        letters = [letter for letter in group.shapes if isinstance(letter, Text)]
        assert "".join(letter.text for letter in letters) == group.title.replace(" ", "")
        middle = letters[len(letters) // 2]
        near = min(hypot(x - middle.x, y - middle.y) for x, y in lines[group.title])
        assert near < 0.5 * HEX
        assert all(one.x < other.x or abs(one.turn) > 60 for one, other in pairwise(letters))


def test_regions_are_written_along_their_hexes(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", '"Heath" region: 03.05 05.05 07.05 09.05\n'))
    (group,) = layers(drawn)["regions"]
    assert isinstance(group, Group)
    xs = [letter.x for letter in group.shapes if isinstance(letter, Text)]
    assert xs == sorted(xs)
    assert drawn.layout.centre("03.05")[0] < xs[0] < xs[-1] < drawn.layout.centre("09.05")[0]
    assert layers(drawn, MapWish(regions=False)).get("regions") is None


def test_a_region_moves_off_what_its_name_would_cover(tmp_path: Path) -> None:
    region = '"Heath" region: 03.05 05.05 07.05 09.05\n'
    rails = "rail1: " + " ".join(f"{column:02}.{5 if column % 2 else 6:02}" for column in range(2, 11))
    rooms, ys = Room(), []
    for number, lines in enumerate((region, region + rails + "\n")):
        drawn = survey(board(tmp_path / f"b{number}", lines))
        (group,) = layers(drawn)["regions"]
        assert isinstance(group, Group)
        texts = [letter for letter in group.shapes if isinstance(letter, Text)]
        ys.append(sum(letter.y for letter in texts))
        for run in Ways(drawn).rails:
            rooms.take_line(run.line, 0.8, 1.0)
    assert ys[0] != ys[1]
    assert not any(map(rooms.cost, boxes(tuple(texts))))


def test_water_is_named_on_it_and_a_lake_between_hexes_beside_it(tmp_path: Path) -> None:
    lines = "lake: 08.05|08.06 08.06|09.05\n" + '"Mere" water: 08.05 08.06\n"Sea" water: 02.03 02.05 02.07\n'
    drawn = survey(board(tmp_path / "b", lines, water=3))
    sea = [drawn.layout.centre(name) for name in drawn.hexes if drawn.terrain[name] == "sea"]
    found = {group.title: group.shapes for group in layers(drawn)["regions"] if isinstance(group, Group)}
    for letter in found["Sea"]:
        assert isinstance(letter, Text)
        assert min(hypot(x - letter.x, y - letter.y) for x, y in sea) < HEX * 0.55  # it stands on its base line
    room = Room()
    for lake in Waters(drawn).lakes:
        room.take_line(lake.area, 0.8, 1.0)
    assert not any(map(room.cost, boxes(found["Mere"])))


def test_without_names_no_letter_is_left_but_hex_numbers(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", '"Heath" region: 03.05 05.05 07.05\n', "05.05,Town,town,\n"))
    silent = layers(drawn, MapWish(names=False))
    texts = [shape.text for shapes in silent.values() for shape in shapes if isinstance(shape, Text)]
    assert set(texts) == drawn.board.hexes
    assert silent["towns"]


@pytest.mark.parametrize("ground", ["clear", "rough", "mountain"])
def test_lines_are_told_apart_by_every_sight_and_in_grey(ground: str) -> None:
    drawn = survey(load_game(GAME).board("east"), ["50.50"])
    lines = {"standard gauge": STANDARD, "broad gauge": BROAD, "road": ROAD, "river": RIVER, "border": INKS}
    assert too_close({**lines, ground: drawn.palette.ground(ground)}) == []
    assert too_close(dict(enumerate_names(TINTS[:3])), least_in_grey=0.0) == []


def enumerate_names(colours: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(f"country {number}", colour) for number, colour in enumerate(colours, 1)]
