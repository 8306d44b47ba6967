"""Names on the map, letter by letter: clear of one another, of numbers, railways and rivers, and along what they name."""

from __future__ import annotations

from functools import cache
from itertools import combinations, pairwise
from math import cos, degrees, dist, hypot, pi, radians, sin
from pathlib import Path

import pytest

from assistant.drawing.colours import contrast, find_close_colours
from assistant.drawing.geometry import PageBox
from assistant.drawing.hex_sets import board_hexes
from assistant.drawing.layout import Layout
from assistant.drawing.lettering import MIN_READABLE_POINTS, POINT_MM, ink_extent, text_width
from assistant.drawing.map.arcs import MAX_TURN, Arc, arc_near, boxes_of, letter_box, set_word
from assistant.drawing.map.borders import BORDER_COLOUR
from assistant.drawing.map.countries import TINTS
from assistant.drawing.map.layers import MapWish
from assistant.drawing.map.names import printed_name
from assistant.drawing.map.survey import Scale, Survey, survey_of
from assistant.drawing.map.waters import Waters
from assistant.drawing.map.ways import BROAD_GAUGE_COLOUR, STANDARD_GAUGE_COLOUR, MapWays
from assistant.drawing.placement import TakenBoxes
from assistant.drawing.scene import SLANT_FACTOR, Group, Marks, Point, Polyline, Shape, Text, encloses
from assistant.drawing.style import HEX_MM, RIVER, ROAD
from assistant.installed.registry import load_game
from module_builder.boards.command import scale_for
from module_builder.boards.poster import PosterWish, poster_scene

from ....cases import few, thorough
from .boards import BOARDS, GAME, board, box, boxes, layers, survey, the_east


@thorough
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
        assert "".join(letter.text for letter in letters) == printed_name(group.title).replace(" ", "")
        middle = letters[len(letters) // 2]
        near = min(hypot(x - middle.x, y - middle.y) for x, y in lines[group.title])
        assert near < 0.5 * HEX_MM
        assert all(one.x < other.x or abs(one.turn) > 60 for one, other in pairwise(letters))


def test_numbers_stand_at_one_spot_clear_of_ways_and_of_the_edge(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", "rail1: 05.03 05.04 05.05 05.06\n"))
    numbers = [text for text in layers(drawn)["numbers"] if isinstance(text, Text)]
    spots = {
        (round(text.x - x, 6), round(text.y - y, 6)) for text in numbers for x, y in [drawn.layout.centre(text.text)]
    }
    assert len(numbers) == len(drawn.layout.names) and len(spots) == 1
    (run,) = MapWays(drawn).rails
    room = TakenBoxes()
    room.take_line(run.line, 1.5, 1.0)
    assert not any(map(room.cost, boxes(tuple(numbers))))
    drawn = survey(board(tmp_path / "b"), scale=Scale(2.0, 2.0))
    numbers = {text.text: text for text in layers(drawn)["numbers"] if isinstance(text, Text)}
    assert set(numbers) == {"05.05", "10.05"}  # but for 05.10 and 10.10, in the last row
    assert all(drawn.frames(box(number)) for number in numbers.values())


@few(1)
@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_nothing_written_on_any_board_hides_a_line_or_lies_on_a_texture(game: str, name: str) -> None:
    _, shapes = whole_board(game, name)
    assert not [text for some in shapes.values() for shape in some for text in texts_in(shape) if text.halo]
    signs = TakenBoxes()
    for marks in shapes.get("texture", ()):
        assert isinstance(marks, Marks)
        x, y = marks.symbol.width / 2, marks.symbol.height / 2
        for left, top in marks.points:
            signs.take(PageBox(left + x, top + y, left + x, top + y), 1.0)
    written = [
        text for layer in ("names", "waters", "regions") for group in shapes.get(layer, ()) for text in texts_in(group)
    ]
    assert not any(signs.cost(area) for area in boxes_of(written))


def test_names_are_printed_without_what_keeps_them_apart() -> None:
    assert [printed_name(name) for name in ("Kreuzburg (Prussia)", "Goldap river", "Saint Petersburg", "(x)")] == [
        "Kreuzburg",
        "Goldap",
        "Saint Petersburg",
        "(x)",
    ]


def test_regions_and_open_water_are_written_along_their_hexes(tmp_path: Path) -> None:
    drawn = survey(board(tmp_path / "b", '"Heath" region: 03.05 05.05 07.05 09.05\n'))
    (group,) = layers(drawn)["regions"]
    assert isinstance(group, Group)
    xs = [letter.x for letter in group.shapes if isinstance(letter, Text)]
    assert xs == sorted(xs)
    assert drawn.layout.centre("03.05")[0] < xs[0] < xs[-1] < drawn.layout.centre("09.05")[0]
    assert layers(drawn, MapWish(regions=False)).get("regions") is None
    drawn = survey(board(tmp_path / "2" / "b", '"Sea" water: 02.03 02.05 02.07\n', water=3))
    sea = [drawn.layout.centre(name) for name in drawn.hexes if drawn.terrain[name] == "sea"]
    found = {group.title: group.shapes for group in layers(drawn)["regions"] if isinstance(group, Group)}
    for letter in found["Sea"]:
        assert isinstance(letter, Text)
        assert min(hypot(x - letter.x, y - letter.y) for x, y in sea) < HEX_MM * 0.55  # it stands on its base line


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


@few(1)
@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_no_letter_on_any_board_is_below_5_5_points_where_a_hex_is_16_mm_high(game: str, name: str) -> None:
    loaded = load_game(game)
    drawn = loaded.board(name)
    scene = poster_scene(loaded, drawn, board_hexes(drawn), PosterWish(), scale_for(16.0, ".pdf"))
    texts = [text for layer in scene.layers for shape in layer.shapes for text in texts_in(shape)]
    points = {text.text: text.size * 16.0 / HEX_MM / POINT_MM for text in texts}
    assert min(points.values()) >= MIN_READABLE_POINTS - 1e-6, min(points.items(), key=lambda entry: entry[1])


@few(1)
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


@few(1)
@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_on_every_board_names_keep_clear_of_lines_lakes_one_another_and_the_edge(game: str, name: str) -> None:
    """Hardly one in thirty lies on a railway or a river, where lines meet in towns; none on another name or beyond the frame."""
    seen, shapes = whole_board(game, name)
    waters, lines = Waters(seen), TakenBoxes()
    for run in MapWays(seen).rails:
        lines.take_line(run.line, 0.8, 1.0)
    for river in waters.rivers:
        lines.take_line(river.line, 0.8, 1.0)
    towns = sorted(boxes(shapes.get("names", ())), key=lambda one: one.left)
    assert sum(lines.cost(inner(town)) > 0 for town in towns) <= len(towns) / 30 + 1
    for one, other in combinations(towns, 2):
        assert other.left >= one.right or not _overlap(one, other)
    for town in towns:
        assert seen.frames(town, -HEX_MM / 8)
    rivers = [group for group in shapes.get("waters", ()) if group.title in {one.course.name for one in waters.rivers}]  # type: ignore[union-attr]
    crossed = [group for group in rivers if any(lines.cost(inner(letter_box(text))) for text in texts_in(group))]
    assert len(crossed) <= len(rivers) / 20 + 1
    letters = [text for group in shapes.get("regions", ()) for text in texts_in(group)]
    assert sum(lines.cost(inner(letter_box(text))) > 0 for text in letters) <= len(letters) / 20
    for text in letters:
        assert not any(encloses(lake.area, letter_middle(text)) for lake in waters.lakes), text


def inner(area: PageBox) -> PageBox:
    return PageBox(area.left + 0.2, area.top + 0.3, area.right - 0.2, area.bottom - 0.3)


def _overlap(one: PageBox, other: PageBox) -> bool:
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
    lines = {
        "standard gauge": STANDARD_GAUGE_COLOUR,
        "broad gauge": BROAD_GAUGE_COLOUR,
        "road": ROAD,
        "river": RIVER,
        "border": BORDER_COLOUR,
    }
    assert find_close_colours({**lines, ground: drawn.palette.ground(ground)}) == []
    assert find_close_colours(dict(enumerate_names(TINTS[:3])), least_in_grey=0.0) == []


def enumerate_names(colours: tuple[str, ...]) -> list[tuple[str, str]]:
    return [(f"country {number}", colour) for number, colour in enumerate(colours, 1)]


@few(2)
@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_letters_along_a_line_turn_little_and_overlap_nowhere_on_any_board(game: str, name: str) -> None:
    _, shapes = whole_board(game, name)
    names = [texts_in(group) for layer in ("waters", "regions") for group in shapes.get(layer, ())]
    names = [letters for letters in names if len(letters) > 1]
    assert names or not load_game(game).board(name).labels
    for letters in names:
        for one, other in pairwise(letters):
            said = "".join(letter.text for letter in letters)
            assert abs(other.turn - one.turn) <= degrees(MAX_TURN) + 1e-6, said
            assert _depth(ink_of(one), ink_of(other)) < 0.05 * one.size, said
            assert hypot(other.x - one.x, other.y - one.y) > 0.2 * one.size, said


def ink_of(letter: Text) -> list[Point]:
    """The corners of the ink of a letter, which leans and is turned."""
    left, top, right, bottom = ink_extent(letter.text)
    half = text_width(letter.text, 1.0) / 2
    across, down = cos(radians(letter.turn)), sin(radians(letter.turn))
    lean = SLANT_FACTOR if letter.slant else 0.0
    corners = [(x - half - lean * y, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))]
    return [
        (letter.x + (x * across - y * down) * letter.size, letter.y + (x * down + y * across) * letter.size)
        for x, y in corners
    ]


def _depth(one: list[Point], other: list[Point]) -> float:
    """How far two convex shapes reach into one another, 0 or less if they do not."""
    depths = []
    for shape in (one, other):
        for (x0, y0), (x1, y1) in zip(shape, [*shape[1:], shape[0]], strict=True):
            across, down = (y1 - y0) / (length := hypot(x1 - x0, y1 - y0)), (x0 - x1) / length
            reaches = [[x * across + y * down for x, y in some] for some in (one, other)]
            depths.append(min(max(reaches[0]) - min(reaches[1]), max(reaches[1]) - min(reaches[0])))
    return min(depths)


@few(3)
@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_letters_across_any_board_keep_off_numbers_and_are_legible_on_their_ground(game: str, name: str) -> None:
    seen, shapes = whole_board(game, name)
    numbers = TakenBoxes()
    for number in boxes(shapes.get("numbers", ())):
        numbers.take(number, 1.0)
    letters = [text for group in shapes.get("regions", ()) for text in texts_in(group)]
    assert sum(numbers.cost(inner(letter_box(text))) > 0 for text in letters) <= len(letters) / 12
    for label in seen.board.labels:
        named = [group for group in shapes.get("regions", ()) if isinstance(group, Group) and group.title == label.name]
        grounds = {seen.ground(hex) for hex in label.hexes}
        assert all(
            contrast(text.fill, ground) >= 2.5 for group in named for text in texts_in(group) for ground in grounds
        )


@thorough
@pytest.mark.parametrize(("game", "name"), BOARDS)
def test_no_board_names_a_forest_where_the_game_knows_none(game: str, name: str) -> None:
    seen, _ = whole_board(game, name)
    forests = [label for label in seen.board.labels if label.name.endswith(("Forest", "Heide"))]
    for label in forests:
        assert "forest" in {seen.terrain.get(hex) for hex in label.hexes}, label.name


@pytest.mark.parametrize("bend", [-0.02, -0.001, 0.0, 0.004, 0.03])
@pytest.mark.parametrize("direction", [-1.2, 0.0, 0.4])
def test_the_line_near_points_on_an_arc_is_that_arc(bend: float, direction: float) -> None:
    arc = Arc(30.0, 20.0, direction, bend)
    points = [arc.at(along)[:2] for along in range(-12, 13, 2)]
    for ways in (points, points[::-1]):  # letters stand from west to east, whichever way a river runs
        found = arc_near(ways)
        assert found == pytest.approx(arc, abs=0.25)
        assert found.bend == pytest.approx(bend, rel=0.1, abs=1e-9)
        assert all(abs(found.place_of(point)[1]) < 0.1 for point in points)


def test_arcs_run_amid_their_points_and_evenly_beside_one_another() -> None:
    points = [(10 * cos(angle / 10), 10 * sin(angle / 10)) for angle in range(32)]
    arc = arc_near(points, 0.0)
    assert arc.bend == 0
    assert sum(arc.place_of(point)[1] for point in points) == pytest.approx(0, abs=1e-6)
    assert abs(arc_near(points, 0.05).bend) == 0.05
    arc = Arc(0.0, 0.0, 0.3, 0.05)
    below = arc.beside(4.0)
    assert dist(arc.at(0.0)[:2], below.at(0.0)[:2]) == pytest.approx(4.0)
    assert dist(arc.at(8.0)[:2], below.at(8.0 * (1 - 0.05 * 4))[:2]) == pytest.approx(4.0)
    assert below.y > arc.y


def test_letters_and_words_stand_evenly_apart_and_turn_little() -> None:
    text, size, apart = "SAMMLUNG", 10.0, 6.0
    word = set_word(text, size, apart)
    widths = [text_width(letter, size) for letter in text]
    gaps = [
        other - one - (before + after) / 2
        for (one, other), (before, after) in zip(pairwise(at for _, at in word.letters), pairwise(widths), strict=True)
    ]
    assert gaps == pytest.approx([apart] * len(gaps), abs=0.05 * size)  # but for kerning
    assert word.width == pytest.approx(text_width(text, size) + 7 * apart)
    word = set_word("EAST PRUSSIA", 10.0, 5.0)
    assert "".join(letter for letter, _ in word.letters) == "EASTPRUSSIA"
    places = [at for _, at in word.letters]
    assert max(other - one for one, other in pairwise(places)) == places[4] - places[3]
    assert places[0] + places[-1] == pytest.approx(0, abs=1.0)
    word = set_word("Weichsel", 4.5, 0.4)
    turns = [radians(letter.turn) for letter in word.along(Arc(0.0, 0.0, 0.0, word.most_bend))]
    assert max(other - one for one, other in pairwise(turns)) == pytest.approx(MAX_TURN)
    assert all(letter.turn == 90.0 for letter in word.across(Arc(0.0, 0.0, pi / 2)))
