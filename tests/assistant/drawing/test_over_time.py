"""Figures over time as a picture: stepped lines, their names and levels, dates; nothing touches anything, and greys suffice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random

import pytest

from assistant.drawing.colours import contrast
from assistant.drawing.lettering import text_width
from assistant.drawing.over_time import (
    MAX_LINES,
    AccountCurve,
    Mark,
    Tick,
    line_colour,
    over_time_scene,
    round_step,
    spread_heights,
)
from assistant.drawing.scene import ANCHORS, Group, Polyline, Scene, Shape, Text
from assistant.drawing.style import MARGIN, PAPER

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def months(many: int, long: int = 8) -> list[Tick]:
    """Months of so many turns each, from August 1914 on."""
    return [Tick(1 + long * at, MONTHS[(at + 7) % 12], (at + 7) % 12, f"{1914 + (at + 7) // 12}") for at in range(many)]


def drawn(lines: Sequence[AccountCurve], many: int = 8, long: int = 8) -> Scene:
    return over_time_scene("Points", ["A war"], lines, months(many, long), (1, 1 + many * long), (1, 3, 6, 12))


def shapes(scene: Scene) -> Iterator[Shape]:
    for layer in scene.layers:
        for shape in layer.shapes:
            yield from shape.shapes if isinstance(shape, Group) else (shape,)


def words(scene: Scene) -> list[Text]:
    return [shape for shape in shapes(scene) if isinstance(shape, Text)]


def drawn_lines(scene: Scene) -> list[Polyline]:
    groups = [group for layer in scene.layers if layer.name == "lines" for group in layer.shapes]
    return [
        shape for group in groups if isinstance(group, Group) for shape in group.shapes if isinstance(shape, Polyline)
    ]


def extent(text: Text) -> tuple[float, float, float, float]:
    wide = text_width(text.text, text.size, bold=text.bold)
    left = text.x - ANCHORS[text.anchor] * wide
    return left, text.y - 0.714 * text.size, left + wide, text.y


def test_a_line_is_level_between_its_postings_and_named_where_it_ends() -> None:
    scene = drawn([AccountCurve("Rust", "#aa3322", [(1, 0), (9, 40), (33, 60)])])
    (line,) = drawn_lines(scene)
    for (x, y), (u, v) in zip(line.points, line.points[1:], strict=False):
        assert x == u or y == v, "each part is level or upright"
    heights = sorted({y for _, y in line.points}, reverse=True)
    assert (heights[0] - heights[1]) / (heights[1] - heights[2]) == pytest.approx(2.0)
    (name,) = [text for text in words(scene) if text.text == "Rust 60"]
    assert name.x > line.points[-1][0]
    assert abs(name.y - line.points[-1][1]) < 2


def test_levels_go_across_are_named_where_reached_and_not_before_the_period() -> None:
    both, own = Mark("Shaken", 50), Mark("Broken", 80)
    scene = drawn(
        [AccountCurve("Rust", "", [(1, 0), (9, 60)], [both, own]), AccountCurve("Navy", "", [(1, 0), (9, 30)], [both])]
    )
    shown = {text.text for text in words(scene)}
    assert {"Shaken 50", "Broken 80, Rust"} <= shown
    across = [shape for layer in scene.layers if layer.name == "levels" for shape in layer.shapes]
    (line,) = drawn_lines(scene)[:1]
    assert [shape.points[-1][0] - shape.points[0][0] for shape in across if isinstance(shape, Polyline)] == [
        pytest.approx(line.points[-1][0] - line.points[0][0])
    ]
    rust = AccountCurve("Rust", "", [(1, 0), (9, 60)], [Mark("Shaken", 50, 9), Mark("Broken", 900)])
    scene = drawn([rust, AccountCurve("Navy", "", [(1, 0)])])
    shown = {text.text for text in words(scene)}
    assert "Shaken 50" in shown
    assert not any("Broken" in text for text in shown), "far above all that was held"
    assert "Rust: 60, Shaken at 50 reached, 840 to Broken." in scene.description
    rust = AccountCurve("Rust", "", [(20, 60), (30, 70)], [Mark("Shaken", 50, 9)])
    scene = over_time_scene(
        "Points", [], [rust, AccountCurve("Navy", "", [(20, 0)])], months(8), (20, 60), (1, 3, 6, 12)
    )
    assert not any("Shaken" in text.text for text in words(scene))


@pytest.mark.parametrize(
    ("many", "shown"),
    [(5, "Aug Sep Oct Nov Dec"), (28, "Oct Jan Apr Jul Oct Jan Apr Jul Oct"), (52, "Jan Jul Jan Jul Jan Jul Jan Jul")],
)
def test_dates_stand_as_far_apart_as_they_have_room(many: int, shown: str) -> None:
    scene = drawn([AccountCurve("Rust", "", [(1, 0)])], many)
    dates = [text.text for text in words(scene) if text.text in MONTHS]
    assert " ".join(dates) == shown
    years = [text.text for text in words(scene) if text.text.startswith("19")]
    assert years == [str(year) for year in range(1914, 1914 + len(years))]


def lines_at_random(seed: int) -> list[AccountCurve]:
    random = Random(seed)
    lines = []
    for number in range(random.randint(1, MAX_LINES)):
        holds, points = 0, [(1, 0)]
        for turn in range(2, 300):
            if random.random() < 0.3:
                holds += random.randint(-4, 14)
                points.append((turn, holds))
        levels = sorted((random.randint(50, 1200), name) for name in ("Shaken", "Economic Collapse", "Surrender"))
        marks = [Mark(name, at, next((turn for turn, held in points if held >= at), None)) for at, name in levels]
        lines.append(
            AccountCurve(f"Nation of some length {number}", random.choice(["", "#f5f7d3", "#2b6a9b"]), points, marks)
        )
    return lines


@pytest.mark.parametrize("seed", range(12))
def test_no_words_touch_each_other_or_the_edge(seed: int) -> None:
    scene = drawn(lines_at_random(seed), 38)
    boxes = [(text.text, extent(text)) for text in words(scene)]
    for text, (left, top, right, bottom) in boxes:
        assert left > 0, text
        assert right < scene.width - 4, text
        assert 0 < top < bottom < scene.height, text
    for (one, first), (other, second) in combinations(boxes, 2):
        apart = first[2] <= second[0] or second[2] <= first[0] or first[3] <= second[1] or second[3] <= first[1]
        assert apart, (one, other)


def test_lines_differ_without_colours_and_are_all_seen_where_they_run_together() -> None:
    scene = drawn([AccountCurve(f"N{number}", "", [(1, number)]) for number in range(MAX_LINES)])
    assert len({(line.dash, line.width) for line in drawn_lines(scene)}) == MAX_LINES
    assert contrast(line_colour("#f5f7d3"), PAPER) >= 3
    assert line_colour("#2b6a9b") == "#2b6a9b", "one that can be seen stays as it is"
    scene = drawn([AccountCurve(name, "", [(1, 5)]) for name in ("Rust", "Navy", "Rose")])
    strokes = [(line.width, bool(line.dash), bool(line.casing)) for line in drawn_lines(scene)]
    assert strokes == [(0.75, False, False), (0.75, True, False), (0.35, False, False)], (
        "nothing of another is wiped out"
    )


def test_steps_are_round_and_heights_are_spread_around_where_they_were() -> None:
    assert [round_step(span, 6) for span in (4, 10, 24, 61, 560, 1170)] == [1, 2, 5, 20, 100, 200]
    assert spread_heights([1.0, 10.0], 3.0, 50.0) == [1.0, 10.0]
    assert spread_heights([10.0, 10.0, 10.0], 3.0, 50.0) == [7.0, 10.0, 13.0]
    assert spread_heights([49.0, 50.0], 3.0, 50.0) == [47.0, 50.0]


@pytest.mark.parametrize("held", [812_345, -812_345])
def test_figures_of_six_digits_stay_on_the_paper(held: int) -> None:
    scene = drawn([AccountCurve("Rust", "", [(1, 0), (9, held)])])
    figures = [text for text in words(scene) if text.anchor == "end"]
    assert len(figures) > 3
    assert min(extent(text)[0] for text in figures) > MARGIN - 0.5
