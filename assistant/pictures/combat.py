"""The picture of a combat: its hexes, with an arrow from each attacking hex."""

from __future__ import annotations

from collections.abc import Iterable

from ..drawing.scene import Scene
from ..questions.view import View
from .situation import situation_scene


def combat_picture(view: View, at: str, places: Iterable[str], *, title: str, caption: str = "") -> Scene:
    """The hexes of a combat and those around them.

    at: the defending hex; places: those that attack it; caption: the text below the map.

    Raises InputError if no hex is left to draw, or if a colour of the game is invalid.
    """
    attacking = list(dict.fromkeys(places))
    arrows = [(place, at) for place in attacking]
    return situation_scene(view, [at, *attacking], title=title, arrows=arrows, caption=[caption] if caption else [])
