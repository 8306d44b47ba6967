"""What stands below a map: how its facts are known, the scale, and the turn track in even rows."""

from __future__ import annotations

import pytest

from assistant.drawing.lettering import POINT_MM, text_width
from assistant.drawing.scene import Polygon, Rectangle, Text
from assistant.drawing.style import HEX_MM
from assistant.game.boards import Board
from assistant.game.boards.board import Layers
from assistant.game.hexes import HexGrid
from assistant.game.turn_record import Turn, TurnFact
from assistant.state.tracks import Source, Track
from assistant.util.errors import Where
from module_builder.boards.margin import (
    READABLE_UNIT,
    MarginShapes,
    add_compass,
    add_scale_bar,
    add_turns,
    format_sources,
)

POINTS = READABLE_UNIT * 18 / HEX_MM / POINT_MM
"""Points to a unit of the margin on paper, where a hex is 18 mm high."""


def track(course: list[Turn], width: float = 200.0) -> MarginShapes:
    parts = MarginShapes()
    add_turns(parts, course, 0.0, 0.0, width)
    return parts


def texts(parts: MarginShapes) -> list[str]:
    return [shape.text for shape in parts.shapes if isinstance(shape, Text)]


def test_a_track_tells_seasons_weather_dates_and_what_follows_a_turn() -> None:
    summer, heat, mud = (TurnFact(text) for text in ("Summer", "6+ heat", "mud"))
    course = [Turn(number=number, season=summer, weather=heat if number < 3 else mud) for number in range(1, 5)]
    assert texts(track(course)) == ["Summer", "1", "2", "3", "4", "6+ heat", "Mud"]
    course = [Turn(number=1), Turn(number=2, interphase=TurnFact("Inter-Phase"))]
    assert texts(track(course)) == ["1", "2", "Inter-Phase after the turn"]
    (number, *date) = texts(track([Turn(number=9, date=TurnFact("2 to 6 May", source=Source.RECONSTRUCTION))]))
    assert (number, " ".join(reversed(date))) == ("9", "about 2 to 6 May")
    assert track([]).shapes == []


def test_rows_are_of_even_length_and_as_wide_as_the_margin() -> None:
    boxes = [
        shape
        for shape in track([Turn(number=number) for number in range(1, 16)]).shapes
        if isinstance(shape, Rectangle)
    ]
    rows = [[box for box in boxes if box.y == top] for top in sorted({box.y for box in boxes})]
    assert [len(row) for row in rows] == [8, 7]  # fourteen would fit into the first
    assert max(box.x + box.width for box in boxes) == 200.0


@pytest.mark.parametrize("width", [60.0, 120.0, 246.0])
def test_no_date_and_no_season_is_cut(width: float) -> None:
    dates = ("November-December 1914", "about early September 1914", "Donaudampfschifffahrt 1914")
    seasons = ("Winter", "Thaw", "Summer of the long rains")
    course = [
        Turn(number=n, date=TurnFact(date), season=TurnFact(season, source=Source.RECONSTRUCTION))
        for n, (date, season) in enumerate(zip(dates, seasons, strict=True), 1)
    ]
    drawn = track(course, width)
    assert "…" not in "".join(texts(drawn))
    assert all(shape.size * POINTS >= 6 for shape in drawn.shapes if isinstance(shape, Text))
    for shape in drawn.shapes:
        if isinstance(shape, Text):
            assert shape.x + text_width(shape.text, shape.size, bold=shape.bold) <= width + 0.01, shape.text


@pytest.mark.parametrize(
    ("kilometres", "unit"),
    [(0.0, None), (7.9, "km"), (1.0, "km"), (0.3, "m"), (0.05, "m"), (1e-7, None), (1000.0, "km")],
)
def test_a_scale_is_in_a_unit_that_fits_on_the_map(kilometres: float, unit: str | None) -> None:
    parts = MarginShapes()
    add_scale_bar(parts, Board(name="b", title="b", grid=HexGrid(), kilometres=kilometres), 0.0, 0.0, 34.0, 300.0)
    units = [text for text in texts(parts) if not text.isdecimal()]
    assert units == (["hexes", unit] if unit else ["hexes"])
    assert all(shape.x + shape.width < 300 for shape in parts.shapes if isinstance(shape, Rectangle))


@pytest.mark.parametrize(("north", "right", "up"), [(0, 0, 1), (90, 1, 0), (-90, -1, 0), (180, 0, -1), (26, 0.44, 0.9)])
def test_the_compass_shows_where_the_north_is(north: float, right: float, up: float) -> None:
    parts = MarginShapes()
    add_compass(parts, 50.0, 40.0, north)
    (letter,) = (shape for shape in parts.shapes if isinstance(shape, Text))
    assert (letter.x - 50, 41.1 - letter.y) == pytest.approx((9.9 * right, 9.9 * up), abs=0.1)
    tips = [shape.points[2] for shape in parts.shapes if isinstance(shape, Polygon)]
    assert any((x - 50, 40 - y) == pytest.approx((8 * right, 8 * up), abs=0.1) for x, y in tips)


def test_a_map_says_how_it_is_known_and_counts_only_what_is_known_otherwise() -> None:
    layers = Layers({"a": Track(name="a", title="a", on="hex", kind="flag")})
    layers.put("a", "0101", True, Source.RULEBOOK, Where("m"))
    for row in range(2, 302):
        layers.put("a", f"01{row:02}", True, Source.DRAWN, Where("m"))
    board = Board(name="b", title="b", grid=HexGrid(), facts=layers.facts())
    assert format_sources(board) == "Drawn from geography, not from the printed map; 1 fact is from the rulebook."
