"""Rivers, railways, roads and borders: smooth to the eye, and never far from what the rules say."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from math import atan2, degrees, hypot
from pathlib import Path

import pytest

from assistant.asking.view import View
from assistant.drawing.colours import MIN_DIFFERENCE, MIN_DIFFERENCE_IN_GREY, find_close_colours, lightness, mix
from assistant.drawing.geometry import point_between
from assistant.drawing.layout import Layout
from assistant.drawing.map.borders import BORDER_COLOUR, border_layers
from assistant.drawing.map.countries import TINTS
from assistant.drawing.map.crossings import crossing_layer
from assistant.drawing.map.land import land_outlines, smooth_outlines
from assistant.drawing.map.survey import MapReader, Scale, Survey, SurveyReader, survey_of
from assistant.drawing.map.towns import STYLES
from assistant.drawing.map.waters import River, Waters, hexside_shapes
from assistant.drawing.map.ways import GAUGES, MapWays, WayStretch, railway_shapes, road_shapes
from assistant.drawing.palettes import is_water, our_nations
from assistant.drawing.scene import Path as Lines
from assistant.drawing.scene import Point, Polyline, encloses
from assistant.drawing.style import (
    BORDER_TINT,
    HEX_MM,
    RIVER,
    UNKNOWN_GROUND,
    distances_from_rivers,
    move_off_water,
    palette_of,
)
from assistant.game.hexes import Corner
from assistant.installed.registry import installed_games, load_game
from assistant.state.state import hexside

from ....cases import thorough
from ....conftest import typed
from .boards import GAME, board, survey


@cache
def the_east() -> tuple[Survey, Waters]:
    drawn = survey(load_game(GAME).board("east"))
    return drawn, Waters(drawn)


def distance(point: Point, start: Point, end: Point) -> float:
    (x, y), (x0, y0), (x1, y1) = point, start, end
    dx, dy = x1 - x0, y1 - y0
    share = min(max(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0), 1)
    return hypot(x - x0 - share * dx, y - y0 - share * dy)


def off(point: Point, line: Sequence[Point]) -> float:
    return min(distance(point, *pair) for pair in pairwise(line))


def strays(drawn: Survey, rivers: Sequence[River]) -> float:
    """How far a river ever is from its hexsides, or one of its hexsides from it, in hexes; but for its ends, which lie
    on the line of the river that it meets.
    """
    worst = 0.0
    for river in rivers:
        corners = [drawn.point(corner) for corner in river.course.nodes]  # type: ignore[arg-type]
        worst = max([worst, *(off(point, corners) for point in river.line[1:-1])])
        middles = [point_between(*pair, 0.5) for pair in pairwise(corners)]
        worst = max([worst, *(off(middle, river.line) for middle in middles)])
    return worst / HEX_MM


@thorough
def test_rivers_of_the_east_keep_within_a_seventh_of_a_hex_of_their_hexsides() -> None:
    drawn, waters = the_east()
    assert len(waters.rivers) > 100
    assert {side for river in waters.rivers for side in river.course.sides} == {
        side
        for side, words in drawn.barriers.items()
        if any(word.endswith("river") for word in words)
        and not any(is_water(drawn.terrain[name]) for name in side.split("|"))
    }
    assert strays(drawn, waters.rivers) < 1 / 7


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_short_rivers_and_single_bends_do_too(tmp_path: Path, orientation: str) -> None:
    rivers = {"flat": "major-river: 06.05|06.06", "pointy": "minor-river: 06.05|07.05"}[orientation]
    drawn = survey(board(tmp_path / "b", rivers, orientation=orientation))
    assert [len(river.course.sides) for river in Waters(drawn).rivers] == [1]
    assert strays(drawn, Waters(drawn).rivers) < 1 / 12


def test_a_river_runs_as_its_chain_says_and_without_a_name_into_the_other(tmp_path: Path) -> None:
    """Both ways of writing a brook that meets another river at the corner of 06.04, 07.04 and 06.05."""
    up, down = "06.04|07.04,07.03", "06.04|07.03,07.04"

    def course(name: str, sides: str) -> tuple[str, ...]:
        lines = f'"Mill" minor-river: 06.05|05.04,06.04,07.04,07.05\n{name} minor-river: {sides}\n'
        rivers = Waters(survey(board(tmp_path / "b", lines.replace("\n ", "\n")))).rivers
        return next(river.course.sides for river in rivers if river.course.name != "Mill")

    away, towards = ("06.04|07.04", "06.04|07.03"), ("06.04|07.03", "06.04|07.04")
    assert (course('"Brook"', up), course('"Brook"', down)) == (away, towards)
    assert (course("", up), course("", down)) == (towards, towards)


def test_a_river_that_comes_from_beyond_the_board_does_not_rise_at_its_edge() -> None:
    _, waters = the_east()
    first = {river.course.name: river.widths[0] / max(river.widths) for river in waters.rivers[::-1]}
    assert first["Danube"] > 0.6 > 0.5 > first["Nida"]


@thorough
def test_rivers_reach_the_coast_and_end_there() -> None:
    drawn, waters = the_east()
    water = {name for name, terrain in drawn.terrain.items() if is_water(terrain)}
    coasts = smooth_outlines(drawn, water)
    shore = {corner for name in water for _, corner, _ in drawn.around[name]}
    mouths = {river.course.name: river.course.nodes[-1] for river in waters.rivers if river.course.nodes[-1] in shore}
    assert {"Vistula", "Nogat", "Passarge", "Pregel", "Frisching"} <= mouths.keys()
    (layer,) = [layer for layer in waters.layers() if layer.name == "rivers"]
    drawn_points = [
        point for shape in layer.shapes if isinstance(shape, Lines) for line in shape.lines for point in line
    ]
    for name, corner in mouths.items():
        near = [
            point
            for point in drawn_points
            if hypot(*(a - b for a, b in zip(point, drawn.point(corner), strict=True))) < HEX_MM / 4
        ]
        gap = min(off(point, (*coast, coast[0])) for point in near for coast in coasts)
        deep = max(
            min(off(point, (*coast, coast[0])) for coast in coasts)
            for point in near
            if any(encloses(coast, point) for coast in coasts)
        )
        assert gap < 0.06 * HEX_MM and deep < 0.12 * HEX_MM, name


def test_a_tributary_ends_on_the_line_of_the_river_that_it_meets() -> None:
    _, waters = the_east()
    ends = 0
    for number, river in enumerate(waters.rivers):
        mouth = river.course.nodes[-1]
        for other in waters.rivers[:number]:
            if mouth in other.course.nodes[1:-1]:
                ends += 1
                assert off(river.line[-1], other.line) < 0.02 * HEX_MM
    assert ends > 50


def test_every_railway_passes_its_towns_and_stays_in_its_hexes() -> None:
    drawn, _ = the_east()
    ways = MapWays(drawn)
    points = [point for run in ways.rails for point in run.line]
    linked = {name for at in drawn.rails for name in (drawn.sides[at].one, drawn.sides[at].other)}
    towns = [drawn.layout.centre(place.hex) for place in drawn.board.places if place.hex in linked]
    assert len(towns) > 200
    near = {(round(x), round(y)) for x, y in points}
    for x, y in towns:
        assert any((round(x) + dx, round(y) + dy) in near for dx in (-1, 0, 1) for dy in (-1, 0, 1))
    middles = {
        name: point_between(drawn.layout.centre(side.one), drawn.layout.centre(side.other), 0.5)
        for name in drawn.rails
        for side in [drawn.sides[name]]
    }
    for x, y in middles.values():  # it leaves each hex in the middle of the side, where the link is
        assert any((round(x) + dx, round(y) + dy) in near for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def test_ways_end_at_the_edge_of_what_is_drawn(tmp_path: Path) -> None:
    drawn = board(tmp_path / "b", "rail1: 03.05 04.06 05.06 06.07 07.07\n")
    ways = MapWays(area := survey(drawn, ["05.06", "06.07"]))
    points = [point for run in ways.rails for point in run.line]
    edges = [
        point_between(area.layout.centre(one), area.layout.centre(other), 0.5)
        for one, other in (("04.06", "05.06"), ("06.07", "07.07"))
    ]
    assert min(points) == pytest.approx(min(edges))
    assert max(points) == pytest.approx(max(edges))
    chain = "03.05 04.06 05.06 06.06 07.05"
    drawn = survey(
        board(tmp_path / "2" / "b", f"rail1: {chain}\nroad: {chain}\n"), ["03.05", "04.06", "06.06", "07.05"]
    )
    beyond = drawn.layout.centre("05.06")
    for runs in (MapWays(drawn).rails, MapWays(drawn).roads):
        assert len(runs) == 2
        assert all(hypot(x - beyond[0], y - beyond[1]) > 0.4 * HEX_MM for run in runs for x, y in run.line)
        assert all(hypot(x1 - x0, y1 - y0) < HEX_MM / 2 for run in runs for (x0, y0), (x1, y1) in pairwise(run.line))


def turns(line: Sequence[Point]) -> list[float]:
    """By how many degrees a line turns at each of its points."""
    ways = [atan2(y1 - y0, x1 - x0) for (x0, y0), (x1, y1) in pairwise(line) if (x0, y0) != (x1, y1)]
    return [abs((degrees(after - before) + 180) % 360 - 180) for before, after in pairwise(ways)]


def test_a_railway_has_no_kink_swings_not_with_its_hexes_and_branches_in_its_direction(tmp_path: Path) -> None:
    lines = "rail1: 03.05 04.06 05.06 05.07 06.08 07.07\n"
    drawn = survey(board(tmp_path / "b", lines, "05.06,Town,town,\n"))
    (run,) = MapWays(drawn).rails
    assert max(turns(run.line)) < 25  # the curves are made of short straight pieces
    row = [f"{column:02}.05" for column in range(2, 10)]
    drawn = survey(board(tmp_path / "2" / "b", f"rail1: {' '.join(row)}\n"))
    (run,) = MapWays(drawn).rails
    centres = [drawn.layout.centre(name) for name in row]
    assert len({round(y, 3) for _, y in centres}) == 2, "the centres are in two rows"
    middle = sum({y for _, y in centres}) / 2
    inner = [y for x, y in run.line if centres[2][0] < x < centres[-3][0]]
    assert max(abs(y - middle) for y in inner) < 0.01 * HEX_MM
    assert max(turns(run.line)) < 25
    drawn = survey(
        board(tmp_path / "3" / "b", '"Main" rail1: 03.05 04.06 05.06 06.07 07.07\nrail1: 05.06 05.07 05.08\n')
    )
    main, branch = MapWays(drawn).rails
    centre = drawn.layout.centre("05.06")
    assert centre in (branch.line[0], branch.line[-1])
    near = branch.line[1] if branch.line[0] == centre else branch.line[-2]
    at = main.line.index(centre)
    assert min(turns((near, centre, main.line[beside]))[0] for beside in (at - 1, at + 1)) < 25


@pytest.mark.parametrize(("word", "turn", "right"), [("rail1", "07.04", False), ("rail2", "07.06", True)])
def test_a_road_beside_a_railway_keeps_off_its_ticks_on_the_side_to_which_it_turns(
    tmp_path: Path, word: str, turn: str, right: bool
) -> None:
    row = [f"{column:02}.05" for column in range(3, 8)]
    lines = f"{word}: {' '.join(row)}\nprimary-road: {' '.join(row)} {turn}\n"
    ways = MapWays(survey(board(tmp_path / "b", lines, f"{row[0]},Town,town,\n")))
    (rail,), (road,) = ways.rails, ways.roads
    assert road.line[0] == rail.line[0], "both reach the town"
    ticks = max(shape.width for shape in railway_shapes(rail, ways.survey.palette) if isinstance(shape, Polyline))
    (drawn,) = road_shapes(road, ways.survey.palette)
    assert isinstance(drawn, Polyline)
    middle = [point for point in road.line if rail.line[0][0] + HEX_MM < point[0] < rail.line[-1][0] - HEX_MM]
    assert len(middle) > 12
    for point in middle:
        assert off(point, rail.line) > (ticks + drawn.width) / 2
        assert _right_of(point, rail.line) == right


def test_a_lake_of_one_hexside_is_no_longer_than_it_and_lakes_that_meet_merge(tmp_path: Path) -> None:
    lines = "lake: 03.05|03.06\nlake: 08.05|08.06 08.06|09.05\nlake: 08.05|09.05\n"
    lakes = Waters(drawn := survey(board(tmp_path / "b", lines))).lakes
    ends = [drawn.point(corner) for corner in (drawn.sides["03.05|03.06"].start, drawn.sides["03.05|03.06"].end)]
    alone, *others = lakes
    assert max(x for x, _ in alone.area) - min(x for x, _ in alone.area) <= abs(ends[0][0] - ends[1][0]) + 0.1
    assert max(y for _, y in alone.area) - min(y for _, y in alone.area) > 4
    assert len(others) == 2
    fork = drawn.point(_shared(drawn, "08.05|08.06", "08.06|09.05", "08.05|09.05"))
    assert all(min(hypot(x - fork[0], y - fork[1]) for x, y in lake.area) < 6 for lake in others)


def test_a_lake_with_a_shape_has_it_where_the_hex_beside_it_is_drawn(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "lakes.csv").write_text("hex,outline\n05.05,-0.4 -0.2; 0.6 -0.3; 0.1 0.5\n", "utf-8")
    shaped = board(tmp_path / "b", "lake: 05.05|05.06\n")
    along, shape = Waters(drawn := survey(shaped)).lakes
    x, y = drawn.layout.centre("05.05")
    assert all(
        -0.45 * HEX_MM < px - x < 0.65 * HEX_MM and -0.35 * HEX_MM < py - y < 0.55 * HEX_MM for px, py in shape.area
    )
    assert max(px for px, _ in shape.area) - x > 0.4 * HEX_MM, "as far as its shore, smoothed"
    assert shape.colour == along.colour
    assert len(Waters(survey(shaped, ["09.09", "09.10"])).lakes) == 0, "far from what is drawn"


def test_lakes_are_the_same_whatever_was_read_before() -> None:
    """Those that meet rivers begin on them."""
    drawn, waters = the_east()
    assert waters.rivers and Waters(drawn).lakes == waters.lakes


def _shared(drawn: Survey, *names: str) -> Corner:
    """The corner that hexsides have in common."""
    (corner,) = set.intersection(*({drawn.sides[name].start, drawn.sides[name].end} for name in names))
    return corner


def test_double_track_and_gauges_look_different(tmp_path: Path) -> None:
    lines = "rail1 standard: 02.02 03.02 04.03\nrail2 broad: 02.05 03.05 04.06\nrail1 both: 02.08 03.08 04.09\n"
    drawn = survey(board(tmp_path / "b", lines))
    (layer,) = [layer for layer in MapWays(drawn).layers() if layer.name == "railways"]
    single, across, double, right, left, both, _, other = [
        shape for shape in layer.shapes if isinstance(shape, Polyline)
    ]
    assert (len(across.dash), len(right.dash), len(left.dash)) == (2, 4, 4)
    assert (single.stroke, double.stroke) == (GAUGES["standard"][0], GAUGES["broad"][0])
    assert {both.stroke, other.stroke} == {*GAUGES["both"]} and other.dash
    for ticks, sign in ((right, 1), (left, -1)):  # told apart without colour: ticks on one side and the other by turns
        assert sum(right.dash) == pytest.approx(2 * sum(across.dash))
        assert all(_right_of(point, double.points) is (sign > 0) for point in ticks.points[1:-1])
    assert left.points[0][0] - right.points[0][0] > 0.8 * sum(across.dash)
    widths = {word: railway_shapes(WayStretch(single.points, word), drawn.palette) for word in ("rail1", "rail2")}
    assert widths["rail2"][0].width > 1.5 * widths["rail1"][0].width  # type: ignore[union-attr]


def test_a_river_runs_below_a_bridge_that_is_square_to_it_and_smaller_than_a_town(tmp_path: Path) -> None:
    lines = "major-river: 04.06|05.05 05.05|05.06 05.05|06.06 06.05|06.06\nrail1: 05.05 05.06\nroad: 05.05 05.06\nroad: 08.05 08.06\n"
    drawn = survey(board(tmp_path / "b", lines))
    waters, ways = Waters(drawn), MapWays(drawn)
    rim, walls = crossing_layer(drawn, waters, ways).shapes
    assert isinstance(rim, Lines) and isinstance(walls, Lines)
    assert not any(shape.fill for shape in (rim, walls)), "nothing hides the water"
    one, other = walls.lines  # one bridge for both
    (_, a, b, _), (_, c, d, _) = one, other
    start, end = point_between(a, c, 0.5), point_between(b, d, 0.5)
    (_, piece), middle = waters.pieces["05.05|05.06"], point_between(start, end, 0.5)
    assert off(middle, piece) < 0.25
    along, across = (piece[5][0] - piece[4][0], piece[5][1] - piece[4][1]), (end[0] - start[0], end[1] - start[1])
    assert abs(along[0] * across[0] + along[1] * across[1]) < 0.1 * hypot(*along) * hypot(*across)
    for line, _ in ways.across("05.05|05.06"):
        assert off(middle, line) < hypot(a[0] - c[0], a[1] - c[1]) / 2, "both run over it"
    assert hypot(*across) < 2 * STYLES["town"].radius + waters.river_width_at("05.05|05.06")


def test_roads_meet_in_one_point_and_stay_on_one_side_of_a_railway() -> None:
    """In no hex of the east does a road end beside another one; nor does one cross a railway between two hexes where nothing
    else joins either.
    """
    drawn, _ = the_east()
    ways = MapWays(drawn)
    ends: dict[str, list[Point]] = defaultdict(list)
    joined = Counter(name for side in (*drawn.roads, *drawn.rails) for name in side.split("|"))
    beside = 0
    for side in drawn.roads:
        lines = {is_rail: line for line, is_rail in ways.across(side)}
        road = lines[False]
        for name in side.split("|"):
            x, y = drawn.layout.centre(name)
            ends[name].append(min((road[0], road[-1]), key=lambda point: hypot(point[0] - x, point[1] - y)))
        if True in lines and all(joined[name] == 4 and not drawn.is_town(name) for name in side.split("|")):
            beside += 1
            assert not any(_cross(one, other) for one in pairwise(road) for other in pairwise(lines[True]))
    assert beside > 50
    for points in ends.values():
        assert max(hypot(x - points[0][0], y - points[0][1]) for x, y in points) < 0.1


def test_a_ferry_a_pontoon_and_a_causeway_look_different(tmp_path: Path) -> None:
    sides = ("03.05|03.06", "06.05|06.06", "09.05|09.06")
    lines = "".join(
        f"major-river: {side}\n{side} {word}\n"
        for side, word in zip(sides, ("ferry", "pontoon", "causeway"), strict=True)
    )
    drawn = survey(board(tmp_path / "b", lines))
    rim, ferry, gap, pontoon, causeway = crossing_layer(drawn, Waters(drawn), MapWays(drawn)).shapes
    assert isinstance(ferry, Polyline) and ferry.dash
    assert isinstance(pontoon, Lines) and pontoon.dash and len(pontoon.lines) == 2
    assert isinstance(causeway, Polyline) and not causeway.dash
    for shape, side in ((rim, sides[0]), (gap, sides[1]), (causeway, sides[2])):
        one, other = side.split("|")
        assert isinstance(shape, Polyline)
        middle = point_between(drawn.layout.centre(one), drawn.layout.centre(other), 0.5)
        assert hypot(*(a - b for a, b in zip(point_between(*shape.points, 0.5), middle, strict=True))) < 0.1 * HEX_MM


def test_a_tint_has_the_border_for_its_edge_and_lies_in_its_own_country(tmp_path: Path) -> None:
    chain = "state-border: " + " ".join(f"06.{row:02}|07.{row:02} 06.{row + 1:02}|07.{row:02}" for row in range(1, 10))
    river = chain.replace("state-border", "major-river")
    drawn = survey(board(tmp_path / "b", chain + "\n" + " ".join(river.split()[:9]) + "\n"))
    waters = Waters(drawn)
    tints, lines = border_layers(drawn, waters)
    edge = waters.rivers[0].line
    assert lines.shapes
    for band in tints.shapes:
        assert isinstance(band, Lines)
        area, _ = band.lines  # along the river, and beyond it
        assert area[: len(edge)] in (edge, edge[::-1]), "along a river the border is the river"
        inner = area[len(edge) :]
        assert len({_right_of(point, edge) for point in inner[1:-1]}) == 1, "its other edge stays on one side"
        assert max(off(point, edge) for point in inner) < 0.2 * HEX_MM


def test_a_border_along_a_river_has_its_dashes_on_one_bank_and_the_other_by_turns(tmp_path: Path) -> None:
    chain = " ".join(f"06.{row:02}|07.{row:02} 06.{row + 1:02}|07.{row:02}" for row in range(1, 10))
    drawn = survey(board(tmp_path / "b", f"state-border: {chain}\ngrand-river: {chain}\n"))
    (river,) = Waters(drawn).rivers
    _, layer = border_layers(drawn, Waters(drawn))
    (path,) = [shape for shape in layer.shapes if isinstance(shape, Lines)]
    assert {_right_of(line[len(line) // 2], river.line) for line in path.lines} == {True, False}
    for line in path.lines:
        middle = line[len(line) // 4 : -len(line) // 4]
        assert all(off(point, river.line) >= max(river.widths) / 2 - 0.3 for point in middle), "the water is seen"
    assert path.dash[1] > path.dash[0], "where one bank has a dash, the other has none"


def _right_of(point: Point, line: Sequence[Point]) -> bool:
    """Whether a point lies to the right of the nearest piece of a line."""
    start, end = min(pairwise(line), key=lambda pair: distance(point, *pair))
    return (end[0] - start[0]) * (point[1] - start[1]) > (end[1] - start[1]) * (point[0] - start[0])


def test_rivers_wander_alike_whatever_part_of_the_board_is_drawn(tmp_path: Path) -> None:
    """Along a straight row of hexes no two bends are alike, and the line never crosses itself."""
    chain = " ".join(f"06.{row:02}|07.{row:02} 06.{row + 1:02}|07.{row:02}" for row in range(1, 10))
    for word in ("minor-river", "grand-river"):
        (river,) = Waters(survey(board(tmp_path / word, f"{word}: {chain}\n"))).rivers
        middle = sum(x for x, _ in river.line) / len(river.line)
        ups = [x - middle for x, _ in river.line]
        peaks = [b for a, b, c in zip(ups, ups[1:], ups[2:], strict=False) if (b > a) == (b > c)]
        assert len({round(peak, 1) for peak in peaks}) > 0.7 * len(peaks) > 10
        pieces = list(pairwise(river.line))
        for number, one in enumerate(pieces):
            assert not any(_cross(one, other) for other in pieces[number + 2 :])
    chain = " ".join(f"06.{row:02}|07.{row:02} 06.{row + 1:02}|07.{row:02}" for row in range(1, 10))
    whole = board(tmp_path / "b", f"major-river: {chain}\n")
    some = [f"{column:02}.{row:02}" for column in (5, 6, 7, 8) for row in range(3, 8)]
    (river,), (part,) = Waters(survey(whole)).rivers, Waters(cut := survey(whole, some)).rivers
    (x, y), (left, top) = survey(whole).layout.centre("06.05"), cut.layout.centre("06.05")
    moved = {(round(px - left + x, 3), round(py - top + y, 3)) for px, py in part.line[12:-12]}
    assert moved <= {(round(px, 3), round(py, 3)) for px, py in river.line}


def _cross(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two pieces of a line cross."""

    def turn(a: Point, b: Point, c: Point) -> bool:
        return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0])

    (a, b), (c, d) = one, other
    return turn(a, b, c) != turn(a, b, d) and turn(c, d, a) != turn(c, d, b)


def test_two_parts_of_one_country_have_the_same_tint(tmp_path: Path) -> None:
    def frontier(west: int) -> str:
        sides = (
            f"{west:02}.{row:02}|{west + 1:02}.{row:02} {west:02}.{row + 1:02}|{west + 1:02}.{row:02}"
            for row in range(1, 10)
        )
        return f"state-border: {' '.join(sides)} {west:02}.10|{west + 1:02}.10\n"

    def tints(text: str) -> set[str]:
        drawn = survey(board(tmp_path / f"b{len(text)}", text))
        layer, _ = border_layers(drawn, Waters(drawn))
        return {shape.fill for shape in layer.shapes if isinstance(shape, Lines)}

    lines = frontier(4) + frontier(8)
    assert tints(lines) == {*TINTS[:3]}
    palette = palette_of(load_game(GAME))
    own = {palette.country("russian"), palette.country("german")}
    assert tints(lines + "02.02 country=russian\n06.05 country=german\n10.05 country=russian\n") == own
    assert own == {move_off_water(palette.side(side).strong) for side in ("russian", "central-powers")}


def test_what_is_said_of_many_hexes_and_hexsides_is_what_is_said_of_each() -> None:
    position = typed(f"game {GAME}\nboard east\n41.19 rough\n42.19 terrain=sea?\n43.18 control=russian: 25/3\n")
    view = View(position.game, position.state)
    of_position = SurveyReader(view)
    of_map = MapReader(view.board, view.game.tracks, view.game.file.picture)
    for reader in (of_position, of_map):
        for track in ("terrain", "control", "country", "no-such-track"):
            of_many = reader.words_on_map(track, view.board.hexes)
            assert of_many == {name: reader.word(track, name) for name in view.board.hexes}
    assert of_position.words_on_map("terrain", ["41.19"]) == {"41.19": "rough"}
    text = f"game {GAME}\nboard east\n41.19|42.19 major-river?\n42.19|43.19 no-rail open\n41.19 station\n"
    position = typed(text)
    view = View(position.game, position.state)
    of_position = SurveyReader(view)
    of_map = MapReader(view.board, view.game.tracks, view.game.file.picture)
    for track in ("barrier", "rail", "state-border", "station", "no-such-track"):
        subjects = [
            "41.19|42.19",
            "42.19|43.19",
            "41.19",
            *(view.board.known(track) if track in view.game.tracks else ()),
        ]
        for reader in (of_position, of_map):
            each = {name: reader.lying(track, name) for name in subjects}
            assert reader.lying_on(track, subjects) == {name: words for name, words in each.items() if words}
    assert of_position.lying_on("barrier", ["41.19|42.19"]) == {"41.19|42.19": ("major-river",)}
    assert of_position.lying_on("station", ["41.19"]) == {"41.19": ("station",)}


@pytest.mark.parametrize("id", installed_games())
def test_the_tint_of_its_word_is_that_by_the_frontiers_which_neighbours_share_where_none_parts_them(id: str) -> None:
    game = load_game(id)
    for whole in (drawn for drawn in map(game.board, game.board_names) if drawn.hexes):
        drawn = survey_of(Layout(whole, sorted(whole.hexes)), game)
        assert {name: drawn.tint(name) for name in whole.hexes if drawn.tint(name)} == drawn.tints
        for name, tint in drawn.tints.items():
            assert tint and not is_water(drawn.terrain[name])
            for other in whole.neighbours(name):
                if not is_water(drawn.terrain[other]) and drawn.borders.get(hexside(name, other)) != drawn.frontier:
                    assert drawn.tints[other] == tint


@pytest.mark.parametrize("id", installed_games())
def test_no_tint_along_a_border_looks_like_a_river(id: str) -> None:
    """For every sight, beside a river and beside one as pale as the tint; in grey a tint is lighter than a river, and the
    line of a border darker and dashed.
    """
    game = load_game(id)
    palette = palette_of(game)
    words = {*game.file.sides, *our_nations()} | set(game.tracks["country"].values if "country" in game.tracks else ())
    tints = {colour for word in words if (colour := palette.country(word))} | {*TINTS}
    assert len(tints) > len(TINTS)
    for tint in tints:
        assert min(distances_from_rivers(tint)) >= MIN_DIFFERENCE
        assert lightness(mix(UNKNOWN_GROUND, tint, BORDER_TINT)) - lightness(RIVER) > MIN_DIFFERENCE_IN_GREY
    assert lightness(RIVER) - lightness(BORDER_COLOUR) > MIN_DIFFERENCE_IN_GREY
    assert move_off_water("#cc6a14") == "#cc6a14", "what is no blue stays as it is"


def test_a_border_along_the_edge_of_a_picture_is_whole(tmp_path: Path) -> None:
    chain = "state-border: " + " ".join(f"06.{row:02}|07.{row:02} 06.{row + 1:02}|07.{row:02}" for row in range(1, 10))
    whole = board(tmp_path / "b", chain + " 06.10|07.10\n")
    drawn = survey(whole, ["06.04", "06.05", "06.06", "05.05"])
    _, lines = border_layers(drawn, Waters(drawn))
    (path,) = [shape for shape in lines.shapes if isinstance(shape, Lines)]
    edge = [
        (drawn.point(side.start), drawn.point(side.end))
        for name, side in drawn.sides.items()
        if name in drawn.borders and drawn.layout.draws(side.one) != drawn.layout.draws(side.other)
    ]
    assert len(edge) >= 6
    (outline,) = land_outlines(drawn, {*drawn.layout.names})
    for point in path.lines[0][1:-1]:
        assert encloses(outline, point), "the line lies inside the hexes drawn"
        assert min(distance(point, *side) for side in edge) >= path.width / 2 - 0.01, "all of its width"


@pytest.mark.parametrize("ground", ["clear", "rough", "mountain", "wetlands"])
def test_both_sides_of_a_ridge_stand_out_from_every_ground(ground: str) -> None:
    """For every sight and in grey, and from one another."""
    palette = palette_of(load_game(GAME))
    style = palette.hexside("ridge")
    assert style is not None
    shapes = hexside_shapes(style, (0.0, 0.0), (20.0, 0.0))
    lit, shaded = (shape.fill for shape in shapes if isinstance(shape, Lines) and shape.fill)
    assert find_close_colours({"lit": lit, "shaded": shaded, ground: palette.ground(ground)}, least_in_grey=15.0) == []


def test_a_province_has_a_line_alone_and_is_none_of_a_state(tmp_path: Path) -> None:
    lines = "state-border: 02.02|03.02 02.03|03.02\nprovince-border: 06.05|06.06 06.06|07.05\n"
    drawn = survey(board(tmp_path / "b", lines))
    _, layer = border_layers(drawn, Waters(drawn))
    assert [
        len(shape.dash) for shape in layer.shapes if isinstance(shape, Lines) and shape.stroke == BORDER_COLOUR
    ] == [4, 2]
    drawn = survey(board(tmp_path / "b", "province-border: 06.05|06.06 06.06|07.05\n"))
    _, layer = border_layers(drawn, Waters(drawn))
    assert [len(shape.dash) for shape in layer.shapes if isinstance(shape, Lines)] == [2]


def test_small_maps_lose_zigzags_and_what_is_drawn_from_geography_is_dashed_if_wished(tmp_path: Path) -> None:
    river = "major-river: 03.05|03.06 03.05|04.06 04.05|04.06 04.06|05.05 05.05|05.06 05.05|06.06 06.05|06.06\n"
    drawn = board(tmp_path / "b", river + "rail1: 02.03 03.02 04.03 05.02 06.03 07.02 08.03\n")
    near, far = survey(drawn), survey(drawn, scale=Scale(2.0, 2.0))
    assert far.scale.small
    for line_of in (lambda seen: Waters(seen).rivers[0].line, lambda seen: MapWays(seen).rails[0].line):
        assert sum(turns(line_of(far))) < 0.6 * sum(turns(line_of(near)))
    lines = "minor-river: 05.05|05.06\nminor-river [rulebook 1.1]: 09.05|09.06\nrail1: 02.02 03.02\nrail1 [rulebook 1.2]: 02.08 03.08\n"
    drawn = board(tmp_path / "2" / "b", lines)

    def dashes(*, doubts: bool) -> tuple[int, int]:
        seen = survey(drawn, doubts=doubts)
        (rivers,) = [layer for layer in Waters(seen).layers() if layer.name == "rivers"]
        runs = MapWays(seen).rails
        return sum(bool(shape.dash) for shape in rivers.shapes if isinstance(shape, Lines)), sum(
            run.doubtful for run in runs
        )

    assert dashes(doubts=False) == (0, 0)
    assert dashes(doubts=True) == (1, 1)


def test_a_way_that_ends_at_the_edge_of_the_board_leaves_it_but_not_in_a_town(tmp_path: Path) -> None:
    lines = "rail1: 03.03 03.02 03.01\nrail1: 05.03 05.02 05.01\n"
    drawn = survey(board(tmp_path / "b", lines, "05.01,Town,town,\n"))
    leaves, ends = (min(y for _, y in run.line) for run in MapWays(drawn).rails)
    assert leaves == pytest.approx(drawn.layout.centre("03.01")[1] - HEX_MM / 2)
    assert ends == pytest.approx(drawn.layout.centre("05.01")[1])


@pytest.mark.parametrize(("line", "edge"), [("03.02 03.01", -HEX_MM / 2), ("03.09 03.10", HEX_MM / 2)])
def test_a_way_leaves_the_board_straight_on_where_it_can(tmp_path: Path, line: str, edge: float) -> None:
    drawn = survey(board(tmp_path / "b", f"rail1: {line}\n"))
    (run,) = MapWays(drawn).rails
    x, y = drawn.layout.centre(line.split()[-1])
    assert any(point == pytest.approx((x, y + edge)) for point in run.line)
