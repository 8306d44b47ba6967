"""Many counters in one picture, and each as a picture of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from assistant.drawing.scene import Layer, Rectangle, Scene
from assistant.pictures.style import PAPER

from .pieces import Counter

if TYPE_CHECKING:
    from assistant.drawing.pdf import Page

#: Faces in a line, of a few and of many, and the room between them.
_FEW, _ABREAST, _GAP = 8, 14, 1.5


def sides(made: Sequence[Counter], *, plain: bool = True) -> dict[tuple[str, str], Scene]:
    """The drawing of each side of counters, by unit and "front" or "back". plain: whether backs without values are
    among them.
    """
    fronts = {(counter.unit, "front"): counter.front for counter in made}
    backs = (counter for counter in made if plain or not counter.is_plain_behind)
    return fronts | {(counter.unit, "back"): counter.back for counter in backs if counter.back}


def pictures(made: Sequence[Counter], dpi: float) -> dict[tuple[str, str], bytes]:
    """A PNG of each side of counters, by unit and "front" or "back". dpi: pixels to the inch."""
    from assistant.drawing.png import to_png

    scenes = sides(made)
    return dict(zip(scenes, to_png(list(scenes.values()), dpi / 25.4), strict=True))


def page(made: Sequence[Counter]) -> Page:
    """All counters on one page, each front with its back beside it."""
    from assistant.drawing.pdf import Page, PlacedScene

    lines: list[list[Scene]] = [[]]
    pairs = list(_show(made))
    abreast = _FEW if len(pairs) <= _FEW else _ABREAST
    for pair in pairs:
        if len(lines[-1]) + len(pair) > abreast:
            lines.append([])
        lines[-1] += pair
    side = max((counter.front.width for counter in made), default=0.0)
    step = side + _GAP
    width, height = _GAP + step * max(map(len, lines)), _GAP + step * len(lines)
    paper = Rectangle(x=0, y=0, width=width, height=height, fill=PAPER)
    ground = Scene(width=width, height=height, title="", layers=(Layer("paper", (paper,)),))
    placed = [
        PlacedScene(scene, _GAP + column * step, _GAP + number * step, side, side)
        for number, line in enumerate(lines)
        for column, scene in enumerate(line)
    ]
    return Page(width, height, (PlacedScene(ground, 0, 0, width, height), *placed))


def _show(made: Sequence[Counter]) -> Iterator[list[Scene]]:
    for counter in made:
        yield [counter.front, *([counter.back] if counter.back else [])]


def overview(made: Sequence[Counter], dpi: float) -> bytes:
    """One PNG with all counters, each front with its back beside it. dpi: pixels to the inch."""
    from assistant.drawing.png import page_to_png

    return page_to_png(page(made), dpi / 25.4)
