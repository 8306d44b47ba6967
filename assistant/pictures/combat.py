"""The picture of a combat: the hexes, and an arrow from each attacking one."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from ..drawing.svg import to_svg
from ..questions.view import View
from .situation import CAPTION, situation_scene


def combat_picture(view: View, at: str, places: Iterable[str], *, title: str, caption: str = "") -> str:
    """The hexes of a combat and those around, as SVG.

    at: the defending hex; places: those that attack it; caption: what stands below the map, wrapped here.

    Raises InputError if no hex is left to draw, or for a colour of the game that is none.
    """
    attacking = list(dict.fromkeys(places))
    arrows = [(place, at) for place in attacking]
    wrapped = textwrap.wrap(caption, CAPTION)
    return to_svg(situation_scene(view, [at, *attacking], title=title, arrows=arrows, caption=wrapped))
