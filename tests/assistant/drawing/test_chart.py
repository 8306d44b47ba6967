"""Chances as a picture: all that it tells stands in it, in words too, inside its edges and in every format."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace

from assistant.asking.report import Report, Verdict
from assistant.asking.sketch import Chart, Columns, Ladder, Row, Rows, Rung, chart_of
from assistant.drawing import WRITERS
from assistant.drawing.chart import chart_scene
from assistant.drawing.colours import mix
from assistant.drawing.lettering import text_width
from assistant.drawing.scene import Group, Rectangle, Scene, Shape, Text
from assistant.drawing.style import PAPER
from assistant.mechanics.chances import Likelihood

from ...conftest import viewed

SIDES = BLUE, ORANGE = "#2b6a9b", "#c4661f"


def likelihoods(*shares: int) -> list[Likelihood]:
    return [Likelihood(number, Fraction(share, sum(shares))) for number, share in enumerate(shares)]


def scene(many: int = 3, label: str = "1/1") -> Scene:
    columns = [
        Columns("Attacker's losses", "on average 1", "attacker", likelihoods(*range(1, many + 1))),
        Columns("Defender's losses", "on average 1", "defender", likelihoods(1, 3)),
    ]
    parts = (Fraction(7, 10), Fraction(29, 100), Fraction(1, 100))
    rows = [
        Rows("Checks", ("passed", "failed", "retreats"), [Row(label, "attacker", parts, "Disordered 2.0%")]),
        Rows("The hex", (), [Row("is left", "defender", (Fraction(1, 3),)), Row("never", "defender", (Fraction(0),))]),
    ]
    lines, caption = ["column 1:1"], ["Reconstruction, not the printed chart."]
    return chart_scene(Chart(title="A battle " * 8, lines=lines, columns=columns, rows=rows, caption=caption), SIDES)


class Chances(msgspec.Struct):
    """The result of a question."""

    loses: tuple[Likelihood, ...] = ()
    gains: tuple[Likelihood, ...] = ()


def test_the_chances_that_a_result_holds_are_drawn_each_under_its_title() -> None:
    draw = chart_of(lambda result: {"Losses": result.loses, "Gains": result.gains})
    view = viewed("41.19: 1/1")
    report = Report(title="A raid", verdict=Verdict("figure", "a gamble", {}), result=Chances(tuple(likelihoods(1, 2))))
    found = draw(view, report)
    assert found is not None
    words = [shape.text for shape in shapes(chart_scene(found, SIDES)) if isinstance(shape, Text)]
    assert {"A raid", "a gamble", "Losses"} <= {*words} and "Gains" not in words
    assert draw(view, replace(report, result=Chances())) is None


def shapes(found: Scene) -> Iterator[Shape]:
    todo = [shape for layer in found.layers for shape in layer.shapes]
    while todo:
        shape = todo.pop(0)
        if isinstance(shape, Group):
            todo = [*shape.shapes, *todo]
        else:
            yield shape


def texts(found: Scene) -> list[str]:
    return [shape.text for shape in shapes(found) if isinstance(shape, Text)]


def test_every_figure_stands_in_it_and_in_words_too() -> None:
    shown = texts(scene())
    assert {"16.7%", "33.3%", "50.0%", "25.0%", "75.0%", "70.0%", "29.0%"} <= set(shown)
    assert "retreats 1.0%, Disordered 2.0%" in shown, "what has no room in its bar stands behind it"
    assert {"passed", "failed", "retreats", "Reconstruction, not the printed chart."} <= set(shown)
    assert "Attacker's losses: 0 (16.7%), 1 (33.3%), 2 (50.0%)." in scene().description
    assert "1/1: passed 70.0%, failed 29.0%, retreats 1.0%, Disordered 2.0%." in scene().description
    titles = [shape.title for layer in scene().layers for shape in layer.shapes if isinstance(shape, Group)]
    assert "Defender's losses: 1, 75.0%" in titles
    assert "is left: 33.3%" in titles


def test_columns_are_on_one_scale_and_parts_of_a_bar_told_apart_without_colours() -> None:
    columns = [one for one in shapes(scene()) if isinstance(one, Rectangle) and one.fill in SIDES and one.height > 5]
    high = {round(one.height, 6) for one in columns if one.width < 20}
    assert max(high) / min(high) == pytest.approx(0.75 * 6), "from 16.7% to 75.0%"
    row = [one.fill for one in shapes(scene()) if isinstance(one, Rectangle) and one.stroke == PAPER][:3]
    light = [sum(int(colour[n : n + 2], 16) for n in (1, 3, 5)) for colour in row]
    assert row[2] == BLUE
    assert row[0] == mix(BLUE, PAPER, 0.68)
    assert light[0] - light[1] > 60 < light[1] - light[2]


def test_whom_a_column_takes_stands_below_its_bar() -> None:
    rungs = (Rung("2:1", 20, "25/3, 27/3"), Rung("1:1", 10, "29/20"), Rung("1:2", 8, "", lacking=3))
    found = chart_scene(Chart(title="Columns", ladder=Ladder("What columns take", "points", rungs)), SIDES)
    drawn = [[*one.shapes] for layer in found.layers for one in layer.shapes if isinstance(one, Group)]
    bars = [next(shape for shape in each if isinstance(shape, Rectangle)) for each in drawn]
    words = [[shape for shape in each if isinstance(shape, Text)][-1] for each in drawn]
    assert [text.text for text in words] == ["25/3, 27/3", "29/20", "3 points lacking"]
    below = [text.y - text.size - (bar.y + bar.height) for text, bar in zip(words, bars, strict=True)]
    assert all(-0.5 < far < 2 for far in below), below


def test_nothing_leaves_the_picture() -> None:
    for found in (scene(), scene(14), scene(label="Königsberg main reserve, the second of that name")):
        for shape in shapes(found):
            if isinstance(shape, Rectangle):
                assert shape.x >= 0
                assert shape.x + shape.width <= found.width + 0.01
                assert shape.y + shape.height <= found.height + 0.01
            if isinstance(shape, Text):
                wide = text_width(shape.text, shape.size, bold=shape.bold)
                start = shape.x - {"start": 0.0, "middle": wide / 2, "end": wide}[shape.anchor]
                assert start >= 0, shape
                assert start + wide <= found.width, shape
                assert 0 < shape.y < found.height


def test_many_columns_have_labels_that_do_not_touch() -> None:
    groups = [one for layer in scene(14).layers for one in layer.shapes if isinstance(one, Group)]
    mine = [one for one in groups if one.title.startswith("Attacker's")]
    many = [(one.x, text_width(one.text, one.size)) for each in mine for one in each.shapes if isinstance(one, Text)]
    assert len(many) == 28
    for labels in (many[::2], many[1::2]):
        for (x, wide), (other, next_wide) in pairwise(labels):
            assert x + wide / 2 <= other - next_wide / 2 + 0.01


@pytest.mark.parametrize(("count", "decimals"), [(14, True), (60, False)])
def test_chances_above_columns_have_decimals_where_there_is_room(count: int, decimals: bool) -> None:
    groups = [one for layer in scene(count).layers for one in layer.shapes if isinstance(one, Group)]
    mine = [one for one in groups if one.title.startswith("Attacker's")]
    percents = [one.text for each in mine for one in each.shapes if isinstance(one, Text) and "%" in one.text]
    assert percents and all(("." in text) is decimals for text in percents)


def test_words_below_columns_do_not_run_into_each_other_nor_a_note_into_what_stands_beside_it() -> None:
    words = ["exchange", "the attacker retreats three hexes", "the defender retreats three hexes", "elimination"] * 2
    outcomes = [Likelihood(word, Fraction(1, 8)) for word in words]
    columns = [
        Columns("Results", "a note " * 20, "attacker", outcomes),
        Columns("Losses", "", "defender", likelihoods(1)),
    ]
    found = [
        shape
        for shape in shapes(chart_scene(Chart(title="A battle", columns=columns), SIDES))
        if isinstance(shape, Text)
    ]
    labels = [text for text in found if text.anchor == "middle" and not text.text.endswith("%")][: len(words)]
    for one, other in pairwise(labels):
        halves = (text_width(one.text, one.size) + text_width(other.text, other.size)) / 2
        assert other.x - one.x > halves
    (note,) = [text for text in found if text.text.startswith("a note")]
    (beside,) = [text for text in found if text.text == "Losses"]
    assert note.x + text_width(note.text, note.size) < beside.x


def test_in_every_format() -> None:
    starts = {".svg": b"<svg", ".pdf": b"%PDF", ".png": b"\x89PNG"}
    for ending, write in WRITERS.items():
        assert write(scene()).startswith(starts[ending])
        assert write(scene()) == write(scene())
