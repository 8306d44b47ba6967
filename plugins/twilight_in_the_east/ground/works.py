"""What units build in a hex and over a hexside: Improved Positions and their levels (13.0, 13.4, 13.5), and pontoon
bridges (18.0).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from assistant.asking import View
from assistant.asking.view import Gather, changed
from assistant.state.changes import Change

from ..terms import COMBAT_ARMS

POINTS = "marker-points"
"""The track of the Movement Points on a marker that lies on a position."""
LATER = 20
"""The game turn from which on the positions that the map shows are of a higher level (13.5)."""
PRINTED = 3
"""Their level before it."""
PRINTED_LATER = 4
"""Their level from it on."""


def level_in(facts: Gather, hex: str) -> int:
    """Return the level of the Improved Position in a hex, 0 if there is none: that of its marker or that of the map,
    whichever is higher. It counts in all directions, for every friendly unit there, whoever has built it. Rule: 13.0
    """
    built = facts.integer("ip", hex)
    if not _is_printed(facts.view, hex) or facts.flag("ruined", hex):
        return built
    if any(_is_enemys(facts.view, unit.id, hex) for unit in facts.view.stack(hex)):
        return built  # whoever stands there ruined it as he came (13.5.1)
    turn = facts.integer("turn")
    open_turn = turn == LATER and built < PRINTED_LATER
    return max(built, printed_level(turn, facts.view.ruling("printed-level-4", open_turn)))


def printed_level(turn: int, reading: str) -> int:
    """Return the level of a position that the map shows and nobody has ruined; one that was rebuilt before rises with
    the others.

    reading: ruling printed-level-4. Rule: 13.5
    """
    last = LATER if reading == "after" else LATER - 1
    return PRINTED if turn <= last else PRINTED_LATER


def leave_position(view: View, place: str, gone: str) -> list[Change]:
    """Return what becomes of a position whose hex a unit has left: one that was built comes off when no friendly unit
    is left there. What an enemy has built on the ruins of one that the map shows is his own.

    view: of the state after that; gone: the unit. Rule: 13.4
    """
    built = view.state.value("ip", place)
    rebuilt = _is_printed(view, place) and not _is_enemys(view, gone, place)
    if not built or (rebuilt and built in (PRINTED, PRINTED_LATER)):
        return []
    left = [unit.id for unit in view.stack(place)]
    return [] if _is_kept(view, left) else [changed(view, "ip", place, None, "13.4")]


def clear_points(view: View, place: str, rule: str) -> list[Change]:
    """Return the change that takes an MPs Expended marker off a position, none if none lies there (8.9.3, 13.1.1)."""
    return [changed(view, POINTS, place, None, rule)] if view.state.value(POINTS, place) else []


def enter_position(view: View, place: str, unit: str) -> list[Change]:
    """Return what becomes of a position whose hex a unit enters in which no friend stands: one that the map shows is
    ruined by an enemy of its side (13.5.1). view: of the state before or after that.
    """
    fate_if_entered = find_fate("entered", 1, friendly=not _is_enemys(view, unit, place))
    return position_changes(view, place, *fate_if_entered) if fate_if_entered else []


def _is_kept(view: View, left: Sequence[str]) -> bool:
    """Return whether the units that are left in a hex keep the position that was built there; their arms matter by one
    reading of ruling position-keeper only, and are asked for then.
    """
    if not left or any(view.word("arm", unit) in COMBAT_ARMS for unit in left):
        return bool(left)
    if view.ruling("position-keeper") == "any":
        return True
    with view.gather() as facts:
        return any(facts.word("arm", unit) in COMBAT_ARMS for unit in left)


def find_fate(event: Literal["entered", "rebuilt"], turn: int, *, friendly: bool) -> tuple[bool, int] | None:
    """Return what an event makes of a position that the map shows: whether it is in ruins, and the level of the marker
    there; None for no change.

    An enemy who enters ruins it. Rebuilt at home it is Level 3 without lower levels, from `LATER` by a marker.
    friendly: whether it is its side's, or at home.
    Rule: 13.5.1
    """
    if event == "entered":
        return None if friendly else (True, 0)
    if not friendly:
        return None
    return (False, 0) if turn < LATER else (True, PRINTED)


def position_changes(view: View, place: str, ruined: bool, level: int) -> list[Change]:
    """Return the changes that bring a position of the map there."""
    made = (
        changed(view, "ruined", place, ruined or None, "13.5.1"),
        changed(view, "ip", place, level or None, "13.5.1"),
    )
    return [change for change in made if change.before != change.after]


def _is_printed(view: View, place: str) -> bool:
    return view.word("printed-ip", place) not in ("", "none")


def _is_enemys(view: View, unit: str, place: str) -> bool:
    """Return whether the map shows a position of a unit's enemies in a hex."""
    side = view.side_of(unit)
    return bool(side) and view.word("printed-ip", place) not in ("", "none", side)


MARKERS = {"german": 5, "austro-hungarian": 6, "russian": 10}
"""Pontoon Bridge markers of each nation; no more can lie on the map (18.0)."""
NOBODY = "none"


class Pontoon(msgspec.Struct, frozen=True):
    """A pontoon bridge on the map."""

    hexside: str
    nation: str
    """Whose marker it is, "" if that is not stated."""


def works_left(nation: str, laid: Collection[Pontoon]) -> int:
    """Return the markers that a nation still has to lay. Rule: 18.0"""
    return MARKERS[nation] - sum(pontoon.nation == nation for pontoon in laid)


def hexes_by_bridge(sides: str, neighbours: Mapping[str, Collection[str]], reading: str) -> frozenset[str]:
    """Return the hexes into which no enemy may move without the pontoon bridge coming off. reading: ruling
    pontoon-next-to.

    neighbours: of both hexes that it joins. Rule: 18.1c
    """
    here, there = sides.split("|")
    touching = set(neighbours[here]) & set(neighbours[there]) if reading == "around" else set()
    return frozenset({here, there} | touching)


# --- of a position ----------------------------------------------------------------------------------------------------


def pontoons(view: View) -> Iterator[Pontoon]:
    """Yield the pontoon bridges on the map, as they are stated."""
    for name in sorted(subject for track, subject in view.stated if track == "crossing"):
        if view.word("crossing", name) == "pontoon":
            owner = view.word("pontoon-of", name)
            yield Pontoon(name, "" if owner == NOBODY else owner)


def hexes_bringing_down(view: View, pontoon: Pontoon, enemies: Collection[str]) -> frozenset[str]:
    """Return the hexes adjacent to a pontoon bridge that enemies of its nation have entered; it comes off if there are
    any. Rule: 18.1c
    """
    board = view.board
    around = {hex: board.neighbours(hex) for hex in pontoon.hexside.split("|")}
    nearest = hexes_by_bridge(pontoon.hexside, around, "joined").intersection(enemies)
    wider = hexes_by_bridge(pontoon.hexside, around, "around").intersection(enemies)
    reading = view.ruling("pontoon-next-to", bool(wider) and not nearest)
    return wider if reading == "around" else nearest


def take_off_bridge(view: View, sides: str) -> list[Change]:
    """Return the changes that take a pontoon bridge off the map."""
    made = (changed(view, track, sides, None, "18.1") for track in ("crossing", "pontoon-of"))
    return [change for change in made if change.before is not None]
