"""Works on the map: Improved Positions in hexes (13.0, 13.4, 13.5), and pontoon bridges on hexsides (18.0)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from assistant.asking import View
from assistant.asking.view import Gather, changed
from assistant.state.changes import Change

from ..terms import COMBAT_ARMS

POINTS = "marker-points"
"""Track: the Movement Points on a marker that lies on an Improved Position."""
LATER_LEVEL_TURN = 20
"""The game turn in which the map's positions rise by a level (13.5)."""
PRINTED_LEVEL = 3
"""The level of the map's positions before `LATER_LEVEL_TURN`."""
LATER_PRINTED_LEVEL = 4
"""The level of the map's positions from `LATER_LEVEL_TURN` on."""


def level_in(facts: Gather, hex: str) -> int:
    """Return the level of the Improved Position in a hex, or 0 without one.

    It is the higher of marker and map. It counts in all directions for every friendly unit there, regardless of
    its builder.

    Rule: 13.0
    """
    built = facts.integer("ip", hex)
    if not _is_printed(facts.view, hex) or facts.flag("ruined", hex):
        return built
    if any(_is_enemys(facts.view, unit.id, hex) for unit in facts.view.stack(hex)):
        return built  # an enemy that entered has ruined the printed position (13.5.1)
    turn = facts.integer("turn")
    open_turn = turn == LATER_LEVEL_TURN and built < LATER_PRINTED_LEVEL
    return max(built, printed_level(turn, facts.view.ruling("printed-level-4", open_turn)))


def printed_level(turn: int, reading: str) -> int:
    """Return the level of an intact position of the map.

    A position that was rebuilt rises with the others.

    `reading`: the reading of ruling printed-level-4.

    Rule: 13.5
    """
    last = LATER_LEVEL_TURN if reading == "after" else LATER_LEVEL_TURN - 1
    return PRINTED_LEVEL if turn <= last else LATER_PRINTED_LEVEL


def leave_position(view: View, place: str, gone: str) -> list[Change]:
    """Return the changes of a position whose hex a unit has left.

    A built position is removed once no friendly unit remains. A position that an enemy has built on the ruins of a
    printed one is his own.

    `view`: the state after the move.
    `gone`: the unit.

    Rule: 13.4
    """
    built = view.state.value("ip", place)
    rebuilt = _is_printed(view, place) and not _is_enemys(view, gone, place)
    if not built or (rebuilt and built in (PRINTED_LEVEL, LATER_PRINTED_LEVEL)):
        return []
    left = [unit.id for unit in view.stack(place)]
    return [] if _is_kept(view, left) else [changed(view, "ip", place, None, "13.4")]


def clear_points(view: View, place: str, rule: str) -> list[Change]:
    """Return the change that takes an MPs Expended marker off a position, or [] if there is none (8.9.3, 13.1.1)."""
    return [changed(view, POINTS, place, None, rule)] if view.state.value(POINTS, place) else []


def enter_position(view: View, place: str, unit: str) -> list[Change]:
    """Return the changes of a position whose hex an enemy enters: one printed on the map is ruined (13.5.1).

    `view`: the state before or after the move.
    """
    fate_if_entered = find_fate("entered", 1, friendly=not _is_enemys(view, unit, place))
    return position_changes(view, place, *fate_if_entered) if fate_if_entered else []


def _is_kept(view: View, left: Sequence[str]) -> bool:
    """Return whether the units left in a hex keep the position built there.

    Their arms are asked for only if the reading of ruling position-keeper needs them.
    """
    if not left or any(view.word("arm", unit) in COMBAT_ARMS for unit in left):
        return bool(left)
    if view.ruling("position-keeper") == "any":
        return True
    with view.gather() as facts:
        return any(facts.word("arm", unit) in COMBAT_ARMS for unit in left)


def find_fate(event: Literal["entered", "rebuilt"], turn: int, *, friendly: bool) -> tuple[bool, int] | None:
    """Return the effect of an event on a position of the map, or None.

    The effect is whether the position is in ruins, and the level of its marker. An enemy who enters ruins it. Rebuilt
    at home it is Level 3 without lower levels, from `LATER_LEVEL_TURN` on by a marker.

    `friendly`: whether the position belongs to the side, or is at home.

    Rule: 13.5.1
    """
    if event == "entered":
        return None if friendly else (True, 0)
    if not friendly:
        return None
    return (False, 0) if turn < LATER_LEVEL_TURN else (True, PRINTED_LEVEL)


def position_changes(view: View, place: str, ruined: bool, level: int) -> list[Change]:
    """Return the changes that set the state of a position of the map.

    `ruined`: whether it is in ruins.
    `level`: the level of its marker, or 0 without one.
    """
    made = (
        changed(view, "ruined", place, ruined or None, "13.5.1"),
        changed(view, "ip", place, level or None, "13.5.1"),
    )
    return [change for change in made if change.before != change.after]


def _is_printed(view: View, place: str) -> bool:
    return view.word("printed-ip", place) not in ("", "none")


def _is_enemys(view: View, unit: str, place: str) -> bool:
    side = view.side_of(unit)
    return bool(side) and view.word("printed-ip", place) not in ("", "none", side)


MAX_PONTOON_MARKERS = {"german": 5, "austro-hungarian": 6, "russian": 10}
"""The number of Pontoon Bridge markers of each nation (18.0)."""
NOBODY = "none"


class Pontoon(msgspec.Struct, frozen=True):
    """A pontoon bridge on the map."""

    hexside: str
    nation: str
    """The nation of the marker, or "" if it is not stated."""


def works_left(nation: str, laid: Collection[Pontoon]) -> int:
    """Return the number of markers that a nation can still lay. Rule: 18.0"""
    return MAX_PONTOON_MARKERS[nation] - sum(pontoon.nation == nation for pontoon in laid)


def hexes_by_bridge(sides: str, neighbours: Mapping[str, Collection[str]], reading: str) -> frozenset[str]:
    """Return the hexes in which an enemy removes a pontoon bridge.

    `sides`: the hexside of the bridge.
    `neighbours`: the hexes around each of the two hexes that the bridge joins.
    `reading`: the reading of ruling pontoon-next-to.

    Rule: 18.1c
    """
    here, there = sides.split("|")
    touching = set(neighbours[here]) & set(neighbours[there]) if reading == "around" else set()
    return frozenset({here, there} | touching)


# --- pontoon bridges in a position ------------------------------------------------------------------------------------


def pontoons(view: View) -> Iterator[Pontoon]:
    """Yield the stated pontoon bridges."""
    for name in sorted(subject for track, subject in view.stated if track == "crossing"):
        if view.word("crossing", name) == "pontoon":
            owner = view.word("pontoon-of", name)
            yield Pontoon(name, "" if owner == NOBODY else owner)


def hexes_bringing_down(view: View, pontoon: Pontoon, enemies: Collection[str]) -> frozenset[str]:
    """Return the hexes next to a pontoon bridge that enemies of its nation have entered.

    Any of them removes the bridge.

    Rule: 18.1c
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
