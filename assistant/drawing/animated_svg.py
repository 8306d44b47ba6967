"""Scenes that follow one another in one SVG: shapes that are seen for a time, and shapes that move. It needs no script: a
viewer that does not animate shows the first scene.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from .scene import Point, Scene, Shape
from .svg import elements_of, number, to_svg

_LARGE = 2.0
"""How much larger than on paper it is shown."""


class Mover(NamedTuple):
    """Shapes that move. shapes: round the point 0, 0; places: where they are in each frame, None where they are not seen."""

    shapes: Sequence[Shape]
    places: Sequence[Point | None]


class AnimatedScene(NamedTuple):
    """What is seen. below: all the time; frames: what is seen only in each frame; movers: above both; above: all the
    time, above all else; headings: what is seen only in each frame, above all else; seconds: how long each stands;
    moving: how long of that the movers take to their places.
    """

    below: Scene
    frames: Sequence[Sequence[Shape]]
    movers: Sequence[Mover]
    above: Sequence[Shape]
    headings: Sequence[Sequence[Shape]]
    seconds: Sequence[float]
    moving: float


def to_animated_svg(animated: AnimatedScene) -> str:
    """The SVG, which begins anew after its last frame. Raises ValueError for a length that is not finite."""
    ends = [*accumulate(animated.seconds)]
    clock = _Clock(ends)
    lines = [to_svg(animated.below, _LARGE).removesuffix("</svg>\n").rstrip("\n")]
    for shapes, timed in ((animated.frames, clock), (None, clock), (animated.headings, clock)):
        if shapes is None:
            for mover in animated.movers:
                lines += timed.moving(mover, animated.moving)
            lines += ["<g>", *elements_of(animated.above), "</g>"]
            continue
        for at, group in enumerate(shapes):
            seen = [number_of == at for number_of in range(len(ends))]
            lines += [f'<g visibility="{"visible" if at == 0 else "hidden"}">', *timed.visible(seen)]
            lines += [*elements_of(group), "</g>"]
    return "\n".join([*lines, "</svg>", ""])


class _Clock:
    """When frames end, in seconds from the start."""

    def __init__(self, ends: Sequence[float]) -> None:
        self.starts, self.whole = [0.0, *ends[:-1]], ends[-1]

    def _always(self, values: Sequence[str], times: Sequence[float], more: str) -> str:
        keys = ";".join(f"{time / self.whole:.5f}".rstrip("0").rstrip(".") for time in times)
        return (
            f'values="{";".join(values)}" keyTimes="{keys}" dur="{number(self.whole)}s" repeatCount="indefinite"{more}'
        )

    def visible(self, seen: Sequence[bool]) -> Iterator[str]:
        """What makes an element visible in some frames only; nothing for one that always is."""
        if not all(seen):
            words = ["visible" if is_seen else "hidden" for is_seen in seen]
            timed = self._always(words, self.starts, ' calcMode="discrete"')
            yield f'<animate attributeName="visibility" {timed}/>'

    def moving(self, mover: Mover, takes: float) -> Iterator[str]:
        """A mover: at the beginning of each frame it goes to its place there."""
        seen = [place is not None for place in mover.places]
        known = next(place for place in mover.places if place is not None)
        places = list[Point]()
        for place in mover.places:  # one that is not seen waits where it was last, or where it will be seen first
            known = place or known
            places.append(known)
        yield f'<g transform="translate({_point(places[0])})" visibility="{"visible" if seen[0] else "hidden"}">'
        yield from self.visible(seen)
        if len({*places}) > 1:
            values, times = [_point(places[0])], [0.0]
            for start, before, place in zip(self.starts[1:], places, places[1:], strict=False):
                values += [_point(before), _point(place)]
                times += [start, start + takes]
            values.append(values[-1])
            times.append(self.whole)
            timed = self._always(values, times, "")
            yield f'<animateTransform attributeName="transform" type="translate" {timed}/>'
        yield from elements_of(mover.shapes)
        yield "</g>"


def _point(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"
