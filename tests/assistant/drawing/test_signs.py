"""The signs of all examples: arrows with a shaft, numbers that nothing cuts, keys without signs that are not drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from math import dist
from pathlib import Path

import msgspec
import pytest

from assistant.asking.line_sketch import LineSketch
from assistant.asking.view import View
from assistant.drawing.answer import draw_scene
from assistant.drawing.colours import WHITE
from assistant.drawing.lines.scene import _LineSigns
from assistant.drawing.map.arcs import text_box
from assistant.drawing.scene import Group, Polyline, Scene, Shape, Text
from assistant.drawing.scene import Path as Outline
from assistant.drawing.sketch.arrows import MIN_SHAFT_MM
from assistant.drawing.sketch.bridges import find_bridges
from assistant.drawing.style import RADIUS
from assistant.service import ask, drawable, parts, read

from ...cases import few

ROOT = Path(__file__).parents[3]
FILES = sorted(ROOT.glob("plugins/*/examples/*.pos"))
FRONT = ROOT / "plugins/twilight_in_the_east/setups/19-august-1914.pos"


def flat(shapes: Iterable[Shape]) -> Iterator[Shape]:
    for shape in shapes:
        yield from flat(shape.shapes) if isinstance(shape, Group) else (shape,)


def scenes_of(file: Path) -> Iterator[Scene]:
    """Yield the picture of each answer of an example."""
    position = read(file)
    for posed in position.asks:
        report = ask(
            position if len(position.asks) == 1 else msgspec.structs.replace(position, asks=(posed,), answers={})
        )
        if (drawn := drawable(position, report)) is not None:
            yield draw_scene(View(position.game, position.state), drawn)


@few(6)
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
def test_every_arrow_has_a_shaft_beside_its_head(file: Path) -> None:
    for scene in scenes_of(file):
        drawn = (layer for layer in scene.layers if layer.name in ("arrows", "ways"))
        arrows = [shape for layer in drawn for shape in flat(layer.shapes) if isinstance(shape, Polyline)]
        for arrow in (arrow for arrow in arrows if arrow.head and arrow.casing):
            assert sum(dist(*pair) for pair in pairwise(arrow.points)) - arrow.head >= MIN_SHAFT_MM - 0.01


@few(3)
@pytest.mark.parametrize("part", range(1, 10))
def test_on_a_page_of_supply_nothing_cuts_a_number_and_the_key_is_that_of_one_side(part: int) -> None:
    position = read(FRONT)
    report = ask(position, "supply")
    drawn, view = drawable(position, report), View(position.game, position.state)
    assert isinstance(drawn, LineSketch) and part <= len(parts(position, report))
    scene = draw_scene(view, drawn, part)
    assert " and " not in scene.title.partition(":")[0]
    numbers = [
        shape
        for layer in scene.layers
        if layer.name == "numbers"
        for shape in flat(layer.shapes)
        if isinstance(shape, Text)
    ]
    lists = [
        box
        for layer in scene.layers
        if layer.name == "units"
        for group in layer.shapes
        if isinstance(group, Group)
        for shape in group.shapes[:1]
        if (box := _box_of(shape))
    ]
    assert numbers and lists
    for number in numbers:
        for left, top, right, bottom in lists:
            box = text_box(number)
            assert not (left < box.right and box.left < right and top < number.y and box.top < bottom), number.text


def _box_of(shape: Shape) -> tuple[float, float, float, float]:
    x, y, width, height = (getattr(shape, name) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def test_the_key_of_supply_has_no_range_that_is_not_drawn() -> None:
    position = read(ROOT / "plugins/twilight_in_the_east/examples/supplied.pos")
    (scene,) = scenes_of(ROOT / "plugins/twilight_in_the_east/examples/supplied.pos")
    drawn = drawable(position, ask(position))
    assert isinstance(drawn, LineSketch)
    signs = _LineSigns.of(View(position.game, position.state), drawn)
    (single,) = (reach for reach in signs.shown.reaches if not reach.ways)
    assert single.far - single.near
    texts = [
        shape.text
        for layer in scene.layers
        if layer.name == "signs"
        for shape in flat(layer.shapes)
        if isinstance(shape, Text)
    ]
    assert any("within its range" in text for text in texts)
    assert not any("extended range" in text for text in texts)


def test_a_bridge_stands_where_a_way_crosses_another_at_a_point_of_one_of_them() -> None:
    straight = ((0.0, 0.0), (10.0, 0.0))
    bent = ((5.0, -5.0), (5.0, 0.0), (6.0, 5.0))
    assert len([*find_bridges(straight, bent)]) == 1
    assert len([*find_bridges(bent, straight)]) == 1
    touching = ((5.0, -5.0), (5.0, 0.0), (6.0, -5.0))
    assert not [*find_bridges(straight, touching)]
    assert not [*find_bridges(touching, straight)]


MIN_RING_SHARE = 0.96
"""The share of a ring that is drawn where a name has no other place than its corner."""


@few(6)
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}/{file.stem}")
def test_no_name_or_number_interrupts_the_ring_of_an_attacked_hex(file: Path) -> None:
    for scene in scenes_of(file):
        drawn = ring_shares(scene)
        assert all(share >= MIN_RING_SHARE for share in drawn.values()), drawn


def ring_shares(scene: Scene) -> dict[str, float]:
    """The share of each single ring that is drawn, by its title."""
    shares = dict[str, float]()
    for group in (shape for layer in scene.layers if layer.name == "parts" for shape in layer.shapes):
        assert isinstance(group, Group)
        paths = [path for path in group.shapes if isinstance(path, Outline) and path.stroke != WHITE]
        for ring in (path for path in paths if path.width >= 1.4):
            lines = [(*line, line[0]) if ring.closed else line for line in ring.lines]
            length = sum(dist(*pair) for line in lines for pair in pairwise(line))
            shares[group.title] = length / (6 * RADIUS * 0.95)
    return shares
