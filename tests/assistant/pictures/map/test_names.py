"""Names on the map: clear of one another, of numbers, railways and rivers, and along what they name."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import hypot
from pathlib import Path

import pytest

from assistant.drawing.lettering import POINT, READABLE, text_width
from assistant.drawing.scene import Group, Point, Polygon, Polyline, Shape, Text, encloses
from assistant.pictures.colours import too_close
from assistant.pictures.layout import Area, Layout, board_hexes
from assistant.pictures.map.drawing import MapWish, map_layers
from assistant.pictures.map.names import STYLES, Town, kind_of, letter_box, printed, town_shapes, towns_of
from assistant.pictures.map.survey import Room, Scale, Survey, survey_of
from assistant.pictures.map.waters import INKS, TINTS, Waters
from assistant.pictures.map.ways import BROAD, STANDARD, Ways
from assistant.pictures.style import COUNTER, HEX, RIVER, ROAD
from assistant.plugins.registry import installed_games, load_game
from module_builder.boards.files import scale_for
from module_builder.boards.poster import Wish, poster

from .boards import GAME, board, survey


def layers(drawn: Survey, wish: MapWish = MapWish()) -> dict[str, tuple[Shape, ...]]:
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
    lines: dict[str, list[Point]] = {}
    for river in waters.rivers:
        lines.setdefault(river.course.name, []).extend(river.line)
    groups = [group for group in east["waters"] if isinstance(group, Group) and group.title in lines]
    assert {"Vistula", "San", "Bug", "Dniester", "Narew", "Pripet"} <= {group.title for group in groups}
    for group in groups:
        letters = [letter for letter in group.shapes if isinstance(letter, Text)]
        assert "".join(letter.text for letter in letters) == printed(group.title).replace(" ", "")
        middle = letters[len(letters) // 2]
        near = min(hypot(x - middle.x, y - middle.y) for x, y in lines[group.title])
        assert near < 0.5 * HEX
        assert all(one.x < other.x or abs(one.turn) > 60 for one, other in pairwise(letters))


def test_names_are_printed_without_what_keeps_them_apart() -> None:
    assert [printed(name) for name in ("Kreuzburg (Prussia)", "Goldap river", "Saint Petersburg", "(x)")] == [
        "Kreuzburg",
        "Goldap",
        "Saint Petersburg",
        "(x)",
    ]


def test_regions_are_written_along_their_hexes(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", '"Heath" region: 03.05 05.05 07.05 09.05\n'))
    (group,) = layers(drawn)["regions"]
    assert isinstance(group, Group)
    xs = [letter.x for letter in group.shapes if isinstance(letter, Text)]
    assert xs == sorted(xs)
    assert drawn.layout.centre("03.05")[0] < xs[0] < xs[-1] < drawn.layout.centre("09.05")[0]
    assert layers(drawn, MapWish(regions=False)).get("regions") is None


def test_a_region_moves_off_what_its_name_would_cover(tmp_path: Path) -> None:
    row = [f"{column:02}.05" for column in range(3, 10)]
    region = f'"Heath" region: {" ".join(row)}\n'
    rails = f"rail1: 02.05 {' '.join(row)} 10.05"
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


def test_open_water_is_named_on_it(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", '"Sea" water: 02.03 02.05 02.07\n', water=3))
    sea = [drawn.layout.centre(name) for name in drawn.hexes if drawn.terrain[name] == "sea"]
    found = {group.title: group.shapes for group in layers(drawn)["regions"] if isinstance(group, Group)}
    for letter in found["Sea"]:
        assert isinstance(letter, Text)
        assert min(hypot(x - letter.x, y - letter.y) for x, y in sea) < HEX * 0.55  # it stands on its base line


def test_a_lake_between_hexes_has_its_name_in_it_and_a_small_one_beside_it_with_a_leader(tmp_path: Path) -> None:
    large = "lake: 06.04|07.04 06.05|07.04 06.05|07.05 06.06|07.05 06.06|07.06\n"
    lines = large + 'lake: 10.08|10.09\n"Mere" water: 06.05 07.05\n"Exceedingly Little Sea" water: 10.08\n'
    drawn = survey(board(tmp_path / "b", lines))
    lakes = Waters(drawn).lakes
    found = {group.title: group.shapes for group in layers(drawn)["waters"] if isinstance(group, Group)}
    middles = [letter_middle(letter) for letter in found["Mere"] if isinstance(letter, Text)]
    assert len(middles) == len("Mere")
    assert any(all(encloses(lake.area, middle) for middle in middles) for lake in lakes)
    leader, name = found["Exceedingly Little Sea"]
    assert isinstance(leader, Polyline) and isinstance(name, Text)
    assert not any(encloses(lake.area, corner) for lake in lakes for corner in box(name).corners)
    assert min(hypot(x - leader.points[0][0], y - leader.points[0][1]) for lake in lakes for x, y in lake.area) < 0.01


def letter_middle(letter: Text) -> Point:
    one = letter_box(letter)
    return (one.left + one.right) / 2, (one.top + one.bottom) / 2


def test_a_fortress_has_a_sign_of_its_own_whatever_the_size_of_its_town(tmp_path: Path) -> None:
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


BOARDS = [(game.id, name) for game in map(load_game, sorted(installed_games())) for name in game.board_names]


@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_no_letter_on_any_board_is_below_5_5_points_where_a_hex_is_16_mm_high(game: str, name: str) -> None:
    loaded = load_game(game)
    drawn = loaded.board(name)
    scene = poster(loaded, drawn, board_hexes(drawn), Wish(), scale_for(16.0, ".pdf"))
    texts = [text for layer in scene.layers for shape in layer.shapes for text in texts_in(shape)]
    points = {text.text: text.size * 16.0 / HEX / POINT for text in texts}
    assert min(points.values()) >= READABLE - 1e-6, min(points.items(), key=lambda entry: entry[1])


@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_no_name_across_any_board_lies_on_another(game: str, name: str) -> None:
    _, shapes = whole_board(game, name)
    groups = [[letter_box(text) for text in texts_in(group)] for group in shapes.get("regions", ())]
    for one, other in combinations(groups, 2):
        assert not any(_overlap(a, b) for a in one for b in other)


@cache
def whole_board(game: str, name: str) -> tuple[Survey, dict[str, tuple[Shape, ...]]]:
    loaded = load_game(game)
    drawn = loaded.board(name)
    seen = survey_of(Layout(drawn, board_hexes(drawn)), loaded)
    return seen, layers(seen)


@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_on_every_board_names_keep_clear_of_lines_lakes_one_another_and_the_edge(game: str, name: str) -> None:
    """Hardly one in forty lies on a railway or a river, where towns crowd; none on another name or beyond the frame."""
    seen, shapes = whole_board(game, name)
    waters, lines = Waters(seen), Room()
    for run in Ways(seen).rails:
        lines.take_line(run.line, 0.8, 1.0)
    for river in waters.rivers:
        lines.take_line(river.line, 0.8, 1.0)
    towns = sorted(boxes(shapes.get("names", ())), key=lambda one: one.left)
    assert sum(lines.cost(inner(town)) > 0 for town in towns) <= len(towns) / 40 + 1
    for one, other in combinations(towns, 2):
        assert other.left >= one.right or not _overlap(one, other)
    for town in towns:
        assert seen.frames(town, -HEX / 8)
    rivers = [group for group in shapes.get("waters", ()) if group.title in {one.course.name for one in waters.rivers}]  # type: ignore[union-attr]
    crossed = [group for group in rivers if any(lines.cost(inner(letter_box(text))) for text in texts_in(group))]
    assert len(crossed) <= len(rivers) / 20 + 1
    letters = [text for group in shapes.get("regions", ()) for text in texts_in(group)]
    assert sum(lines.cost(inner(letter_box(text))) > 0 for text in letters) <= len(letters) / 20
    for text in letters:
        assert not any(encloses(lake.area, letter_middle(text)) for lake in waters.lakes), text


def inner(area: Area) -> Area:
    return Area(area.left + 0.2, area.top + 0.3, area.right - 0.2, area.bottom - 0.3)


def _overlap(one: Area, other: Area) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def texts_in(shape: Shape) -> list[Text]:
    if isinstance(shape, Group):
        return [text for part in shape.shapes for text in texts_in(part)]
    return [shape] if isinstance(shape, Text) else []


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
