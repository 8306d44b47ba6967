"""The maps on the page of a story: how it stood at the start and at the end of each turn."""

from __future__ import annotations

from ...drawing.front.strip import MAP_WIDTH_MM, Strip, changes_shown, map_scene
from ...drawing.png import reduce_colours, to_png
from ...util.errors import InputError, MachineError
from .story import Story

_FINE = 7.5
"""The resolution of few maps in the page, in pixels to a millimetre."""
_COARSE = 5.5
"""That of more maps."""
_FEW = 16
"""How many maps are few."""
_COLOURS = 240
"""How many colours each map has."""
START = "start"
"""What stands for the moment before the first turn, which no turn is called."""
MOST_MAPS = 60
"""How many maps a page has at most."""


def draw_maps(story: Story) -> dict[str, tuple[bytes, str]]:
    """Return the map at the start and at the end of each turn as a PNG, with what it shows to have changed; none where
    no unit stands on a map.
    """
    try:
        strip = story.strip(MAP_WIDTH_MM, MOST_MAPS)
    except MachineError:
        raise
    except InputError:
        return {}
    first, *others = story.shots
    labels = {shot.view: chapter.label for shot, chapter in zip(others, story.chapters, strict=True)}
    labels[first.view] = START
    drawn = {
        number: labels[moment.shot.view] for number, moment in enumerate(strip.moments) if moment.shot.view in labels
    }
    fineness = _FINE if len(drawn) <= _FEW else _COARSE
    maps: dict[str, tuple[bytes, str]] = {}
    for number, label in drawn.items():
        maps[label] = _draw_png(strip, number, fineness), changes_shown(strip, number)
    return maps


def _draw_png(strip: Strip, number: int, fineness: float) -> bytes:
    """Return a map as a PNG of few colours. fineness: its resolution, in pixels to a millimetre."""
    (drawn,) = to_png([map_scene(strip, number)], fineness)
    return reduce_colours(drawn, _COLOURS, strip.theatre.key_colours)
