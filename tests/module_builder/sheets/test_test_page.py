"""The page by which a printer is measured: what is read on its back is what the front is off by."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assistant.drawing.scene import Polyline, Scene, Shape, Text
from module_builder.sheets import test_page
from module_builder.sheets.layout import SheetSetting
from module_builder.sheets.sizes import PAPERS

PAPER = PAPERS["a4"]
MINUS = "\u2212"
Stroke = tuple[tuple[float, float], tuple[float, float], float]


def pages(monkeypatch: pytest.MonkeyPatch, offset: tuple[float, float] = (0.0, 0.0)) -> list[Sequence[Shape]]:
    """What front and back show besides what each sheet has."""
    drawn: list[Scene] = []
    monkeypatch.setattr(test_page, "to_pdf", lambda scenes, **_: drawn.extend(scenes) or b"")
    test_page.measuring_page(SheetSetting(PAPER, "long-edge", 15.0, 1.5), offset)
    return [next(layer.shapes for layer in scene.layers if layer.name == "test") for scene in drawn]


def net(shapes: Sequence[Shape], offset: tuple[float, float] = (0.0, 0.0)) -> set[Stroke]:
    """The lines, from the place where they cross."""
    x, y = PAPER.width / 2 + offset[0], PAPER.height / 2 + offset[1]
    lines = [shape for shape in shapes if isinstance(shape, Polyline)]
    ends = ([(round(at - x, 3), round(down - y, 3)) for at, down in line.points] for line in lines)
    return {(*sorted(points), line.width) for points, line in zip(ends, lines, strict=True)}


def test_front_and_back_reach_alike_in_all_four_directions(monkeypatch: pytest.MonkeyPatch) -> None:
    for shapes in pages(monkeypatch):
        found = net(shapes)
        assert len(found) >= 2
        for turned in (lambda x, y: (-x, y), lambda x, y: (x, -y), lambda x, y: (y, x)):
            assert {(*sorted(turned(*end) for end in line[:2]), line[2]) for line in found} == found


def test_each_whole_millimetre_has_a_line_and_each_length_stands_at_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _, back = pages(monkeypatch)
    columns = {one[0] for one, other, _ in net(back) if one[0] == other[0] and other[1] - one[1] > 1}
    reach = max(columns)
    assert columns == {float(at) for at in range(-int(reach), int(reach) + 1)}
    words = [shape for shape in back if isinstance(shape, Text) and shape.text.lstrip(MINUS).isdecimal()]
    lengths = [(float(word.text.replace(MINUS, "-")), word) for word in words]
    across = {length: word.x - PAPER.width / 2 for length, word in lengths if word.anchor == "middle"}
    down = {length: word.y - PAPER.height / 2 for length, word in lengths if word.anchor == "end"}
    assert all(at == pytest.approx(length) for length, at in across.items())
    assert len({round(at - length, 3) for length, at in down.items()}) == 1
    assert {*map(abs, across)} < {*map(abs, down)} and min(down) == -max(down) == -reach


def test_an_offset_moves_the_scale_on_the_back_and_nothing_on_the_front(monkeypatch: pytest.MonkeyPatch) -> None:
    (front, back), (same, moved) = pages(monkeypatch), pages(monkeypatch, (1.5, -0.5))
    assert same == front
    assert net(moved, (1.5, -0.5)) == net(back) != net(moved)
