"""Improved Positions on the map: which level holds in a hex, when one comes off, and when a printed one is ruined
(13.0, 13.4, 13.5).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from assistant.questions.view import Gather, View, changed
from assistant.state.changes import Change

from ..terms import COMBAT_ARMS

PRINTED, PRINTED_LATER, LATER = 3, 4, 20
"""The levels of positions that the map shows, before a game turn and from it on (13.5)."""


def level_in(facts: Gather, hex: str) -> int:
    """The level of the Improved Position in a hex, 0 if there is none: that of its marker or that of the map, whichever
    is higher. It counts in all directions, for every friendly unit there, whoever has built it.
    Rule: 13.0
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
    """The level of a position that the map shows and nobody has ruined; one that was rebuilt before rises with the
    others.

    reading: ruling printed-level-4. Rule: 13.5
    """
    last = LATER if reading == "after" else LATER - 1
    return PRINTED if turn <= last else PRINTED_LATER


def left_behind(view: View, place: str, gone: str) -> list[Change]:
    """What becomes of a position whose hex a unit has left: one that was built comes off when no friendly unit is left
    there. What an enemy has built on the ruins of one that the map shows is his own.

    view: of the state after that; gone: the unit. Rule: 13.4
    """
    built = view.state.value("ip", place)
    rebuilt = _is_printed(view, place) and not _is_enemys(view, gone, place)
    if not built or (rebuilt and built in (PRINTED, PRINTED_LATER)):
        return []
    left = [unit.id for unit in view.stack(place)]
    return [] if _keep(view, left) else [changed(view, "ip", place, None, "13.4")]


def when_entered(view: View, place: str, unit: str) -> list[Change]:
    """What becomes of a position whose hex a unit enters in which no friend stands: one that the map shows is ruined by
    an enemy of its side (13.5.1). view: of the state before or after that.
    """
    lies = fate("entered", not _is_enemys(view, unit, place), 1)
    return becomes(view, place, *lies) if lies else []


def _keep(view: View, left: Sequence[str]) -> bool:
    """Whether the units that are left in a hex keep the position that was built there; their arms matter by one reading
    of ruling position-keeper only, and are asked for then.
    """
    if not left or any(view.word("arm", unit) in COMBAT_ARMS for unit in left):
        return bool(left)
    if view.ruling("position-keeper") == "any":
        return True
    with view.gather() as facts:
        return any(facts.word("arm", unit) in COMBAT_ARMS for unit in left)


def fate(event: Literal["entered", "rebuilt"], friendly: bool, turn: int) -> tuple[bool, int] | None:
    """What an event makes of a position that the map shows: whether it then lies in ruins, and the level of the marker
    there; None if it changes nothing.

    An enemy who enters ruins it. In the home country of who rebuilds it, which takes no lower levels first, it is Level
    3: up to a game turn like the others, with which it then rises, and after that by a marker, to be raised in the
    usual way.

    friendly: whether the hex is friendly to the unit: the position is of its side, or lies in its home country.
    Rule: 13.5.1
    """
    if event == "entered":
        return None if friendly else (True, 0)
    if not friendly:
        return None
    return (False, 0) if turn < LATER else (True, PRINTED)


def becomes(view: View, place: str, ruined: bool, level: int) -> list[Change]:
    """The changes that bring a position of the map there."""
    rows = (
        changed(view, track, place, then, "13.5.1")
        for track, then in (("ruined", ruined or None), ("ip", level or None))
    )
    return [change for change in rows if change.before != change.after]


def _is_printed(view: View, place: str) -> bool:
    return view.word("printed-ip", place) not in ("", "none")


def _is_enemys(view: View, unit: str, place: str) -> bool:
    """Whether the map shows a position of a unit's enemies in a hex."""
    side = view.side_of(unit)
    return bool(side) and view.word("printed-ip", place) not in ("", "none", side)
