"""The chart of what columns take: each column within reach, and one out of reach with what it lacks."""

from __future__ import annotations

from assistant.asking.view import View
from assistant.drawing.answer import draw_scene
from assistant.drawing.scene import Group, Rectangle
from assistant.drawing.style import palette_of
from assistant.service import ask
from twilight_in_the_east.attacks import need_question

from ...conftest import typed

PLAN = """game twilight-in-the-east
board east
trust charts
turn=1
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12-16-7-11)
41.19|40.19,40.20 open
"""


def chart(column: str) -> dict[str, Group]:
    position = typed(PLAN)
    report = ask(position, "need", at="41.19", column=column, attacker_ap="all", defender_ap="all")
    view = View(position.game, position.state)
    drawn = need_question.sketch(view, report)
    assert drawn is not None
    (layer,) = [layer for layer in draw_scene(view, drawn).layers if layer.name == "chart"]
    return {
        group.title.partition(":")[2].lstrip("0123456789").lstrip(": "): group
        for group in layer.shapes
        if isinstance(group, Group)
    }


def test_each_column_within_reach_has_a_bar_as_long_as_its_strength() -> None:
    groups = chart("1:1")
    assert "20 points, the column asked for, 25/3, 27/3 without an AP; Medium" in groups
    attacking = palette_of(typed(PLAN).game).side("russian").strong
    wide = {
        title.partition(" ")[0]: shape.width
        for title, group in groups.items()
        for shape in group.shapes
        if isinstance(shape, Rectangle) and shape.fill == attacking
    }
    assert wide["20"] == 2 * wide["10"]


def test_a_column_out_of_reach_says_what_it_lacks() -> None:
    assert "58 points, 28 lacking, the column asked for" in chart("3:1")
