"""A plain of clear ground around 30.20 with a chart, on which marches are tested."""

from __future__ import annotations

from typing import Any

from assistant.asking.report import Report

from ....conftest import answered, typed

CHART = """chart terrain-cost summer clear = 2
chart terrain-cost summer rough = 3
chart terrain-cost summer high-mountain = prohibited
chart terrain-cost summer major-river = 4
chart terrain-cost summer primary-road = 1.5
chart terrain-cost summer causeway = 1.5
chart terrain-cost summer ferry = 1
"""
PLAIN = "".join(f"{column}.{row} clear\n" for column in range(25, 37) for row in range(14, 27))
NOW = "turn=5 phase=movement phasing=russian\n"
COUNTER = "turn=5 phase=counter-movement phasing=central-powers\n"
ENEMY_TURN = "turn=5 phase=movement phasing=central-powers\n"
DIVISION = "infantry XX {} (9-9-0-9) movement=7"


def russian(name: str, more: str = "") -> str:
    """A Russian division with 7 Movement Points."""
    return f"russian {DIVISION.format(name)} {more}".strip()


def german(name: str, more: str = "") -> str:
    """A German division with 7 Movement Points."""
    return f"german {DIVISION.format(name)} {more}".strip()


def text_of(text: str, now: str = NOW, without: str = "") -> str:
    """A position on the plain. without: hexes of it of which something else is stated, with spaces between."""
    left_out = tuple(f"{hex} clear" for hex in without.split())
    plain = "".join(f"{line}\n" for line in PLAIN.splitlines() if line not in left_out)
    return f"{CHART}{now}{plain}{text}\n"


def moved(text: str, units: str, way: str, now: str = NOW, without: str = "", **more: Any) -> Report[Any]:
    """The report on a move on the plain."""
    return answered(typed(text_of(text, now, without)), "move", units=units, way=way, **more)


def reached(text: str, units: str, now: str = NOW, without: str = "", **more: Any) -> Report[Any]:
    """The report on a reach on the plain."""
    return answered(typed(text_of(text, now, without)), "reach", units=units, **more)


def changes_of(report: Report[Any], *tracks: str) -> dict[tuple[str, str], Any]:
    """What a report changes of some tracks, by track and subject."""
    return {(change.track, change.subject): change.after for change in report.changes if change.track in tracks}
