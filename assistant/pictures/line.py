"""The picture of a line over the map: a supply line, a retreat, a march."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..drawing.scene import Scene
from ..questions.view import View
from .situation import situation_scene


def line_picture(
    view: View,
    line: Sequence[str],
    *,
    title: str,
    caption: str = "",
    shown: Iterable[str] = (),
    labels: Mapping[str, str] = {},
) -> Scene:
    """A line with the hexes around it.

    line: the hexes that it passes, fewer than two for no line; shown: other hexes to show; labels: a few characters for
    a hex; caption: the text below the map.

    Raises InputError if no hex is left to draw, or if a colour of the game is invalid.
    """
    lines = [line] if len(line) > 1 else ()
    focus = list(dict.fromkeys([*line, *shown]))
    return situation_scene(view, focus, title=title, lines=lines, labels=labels, caption=[caption] if caption else [])
