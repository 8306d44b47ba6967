"""Armies that come into play, and the call for the Western Front reinforcements: when (16.3, 22.1, 22.2, 23.1, 24.2).
Over plain values.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from assistant.util.console import format_count
from assistant.util.errors import quoted

from ..railways.stations import Reason
from ..terms import DEPOTS

FIRST_CALL = 5
"""The first game turn in which the Western Front reinforcements may be called (22.1)."""
LAST_CALL = 10
"""The game turn in which they are called anyway (22.1)."""
WITHOUT_CALL = ("29.1", "29.2", "29.3", "29.4")
"""The scenarios of the booklet that do not have them (22.1)."""
CALL_TO_ARRIVAL = 4
"""Game turns from the call to the arrival (22.1.2)."""
SCORES = {5: -2, 6: 0, 7: 2, 8: 4, 9: 6, 10: 8}
"""Victory Points of the German side by the game turn of the call (27.2.3)."""
FIRST_NINTH = 10
"""The first game turn in which the German Ninth Army may be formed (22.2)."""
LAST_NINTH = 21
"""The last one."""
FAR_FROM_WARSAW = 10
"""Hexes from Warsaw beyond which a Russian formation west of the Vistula calls the Ninth Army (22.2)."""
FIRST_ELEVENTH = 25
"""The first game turn of the Russian Eleventh Army (24.2)."""
FIRST_KARPATEN = 16
"""The first game turn in which Karpatensicherung may be activated (23.1.1)."""
LAST_KARPATEN = 21
"""The game turn in which it is activated anyway (23.1.1)."""
FORMATION_SIZES = ("XX", "X")
"""The sizes of divisions and brigades."""


class Call(NamedTuple):
    """How the call for the Western Front reinforcements stands."""

    turn: int
    called: int
    """Its game turn, 0 before."""
    maps: str
    """The maps in play."""
    used: bool = True
    """Whether the scenario has these reinforcements."""


def uses_western_front(scenario: str) -> bool:
    """Return whether a scenario has the Western Front reinforcements: 29.5 to 29.7 do, and one of a player's own may.
    scenario: its name, "" if not stated. Rule: 22.1
    """
    return scenario not in WITHOUT_CALL


def why_no_call(call: Call) -> Iterator[Reason]:
    """Yield why the German player does not call the Western Front reinforcements: he may from GT 5 on, once, with the
    northern map in play, and by GT 10 they have been called; in a scenario without them he never does. Rule: 22.1
    """
    if not call.used:
        yield "22.1", "the scenario does not use them"
    if call.maps == "south":
        yield "22.1", "only the southern map is in play"
    if call.called:
        yield "22.1", f"they were called in GT {call.called}"
    elif call.turn < FIRST_CALL:
        yield "22.1", f"they may be called from GT {FIRST_CALL} on"
    elif call.turn > LAST_CALL:
        yield "22.1", f"they were called in GT {LAST_CALL} at the latest; state when: western-call=TURN"


def is_called_anyway(call: Call) -> bool:
    """Return whether they are called in any case, as GT 10 has come. Rule: 22.1"""
    return call.turn >= LAST_CALL and not any(why_no_call(call))


def arrival_of_call(called: int) -> int:
    """Return the game turn in which the Western Front reinforcements arrive. called: that of the call. Rule: 22.1.2"""
    return called + CALL_TO_ARRIVAL


def score_of_call(called: int) -> int:
    """Return the Victory Points of the German side for the call. called: its game turn. Rule: 27.2.3"""
    return SCORES[min(max(called, FIRST_CALL), LAST_CALL)]


def format_score(points: int) -> str:
    """Return the Victory Points that a call scores or costs, in words."""
    return f"{format_count(abs(points), 'Victory Point')}{' lost' if points < 0 else ''}"


class Front(NamedTuple):
    """What the forming of the Ninth Army waits for."""

    turn: int
    free: int
    """The first game turn in which it might be formed, 0 before."""
    trains: tuple[str, ...]
    """The Russian Corps Trains in Prussia."""
    west: tuple[str, ...]
    """The Russian infantry brigades and divisions west of the Vistula, more than ten hexes from Warsaw."""


def is_far_west(size: str, arm: str, distance: int, *, west: bool) -> bool:
    """Return whether a Russian unit calls the Ninth Army: an infantry brigade or division west of the Vistula, more
    than ten hexes from Warsaw. distance: to Warsaw. Rule: 22.2
    """
    return arm == "infantry" and size in FORMATION_SIZES and west and distance > FAR_FROM_WARSAW


def why_ninth(front: Front) -> str:
    """Return why the German Ninth Army may be formed, "" while it may not: from GT 10 on, once no Russian Corps Train
    is in Prussia, or a Russian formation is far in the west; in GT 21 in any case, and later if it was put off.
    Rule: 22.2
    """
    if front.turn < FIRST_NINTH:
        return ""
    if front.free:
        return f"it has been possible since GT {front.free}"
    if front.turn >= LAST_NINTH:
        return f"it is formed in GT {LAST_NINTH} at the latest"
    if not front.trains:
        return "no Russian Corps Train is in Prussia"
    if front.west:
        return f"{', '.join(front.west)}: west of the Vistula, more than {FAR_FROM_WARSAW} hexes from Warsaw"
    return ""


def why_not_ninth(front: Front) -> Iterator[Reason]:
    """Yield why the German Ninth Army is not formed yet. Rule: 22.2"""
    if front.turn < FIRST_NINTH:
        yield "22.2", f"it may be formed from GT {FIRST_NINTH} on"
    elif not why_ninth(front):
        trains = ", ".join(front.trains)
        yield (
            "22.2",
            f"Russian Corps Trains are in Prussia ({trains}), and no Russian formation is far west of the Vistula",
        )


def why_not_eleventh(turn: int) -> Iterator[Reason]:
    """Yield why the Russian Eleventh Army is not formed yet: its owner may from GT 25 on. Rule: 24.2"""
    if turn < FIRST_ELEVENTH:
        yield "24.2", f"it may be formed from GT {FIRST_ELEVENTH} on"


def why_karpaten(turn: int, entered: int) -> str:
    """Return why Karpatensicherung is activated, "" while it is not: from GT 16 on, in the first Reinforcement Phase
    after a Russian unit has entered Hungary; in GT 21 in any case. With it AG P-B comes into play.

    entered: the game turn of that, 0 before. Rule: 23.1, 23.1.1
    """
    if turn >= LAST_KARPATEN:
        return f"it is activated in GT {LAST_KARPATEN} in any case"
    return f"a Russian unit entered Hungary in GT {entered}" if turn >= FIRST_KARPATEN and entered else ""


def why_not_karpaten(turn: int, entered: int) -> Iterator[Reason]:
    """Yield why Karpatensicherung is not activated yet. entered: as in `why_karpaten`. Rule: 23.1.1"""
    if turn < FIRST_KARPATEN:
        yield "23.1.1", f"it may be activated from GT {FIRST_KARPATEN} on"
    elif not why_karpaten(turn, entered):
        yield "23.1.1", "no Russian unit has entered Hungary yet (hungary-entered=TURN)"


def why_no_depot(hex: str, *, station: bool, linked: bool, blocked: bool) -> Iterator[Reason]:
    """Yield why a depot of a new army is not placed in a hex: it is placed on a friendly controlled RR Station that
    friendly operational lines join to the map edge.

    linked: whether they do; blocked: whether an enemy controls the hex or stands in it. Rule: 16.3
    """
    if not station:
        yield "16.3", f"{hex} has no RR Station"
    if blocked:
        yield "16.3", f"its side does not control {hex}"
    if not linked:
        yield "16.3", f"no friendly operational RR line joins {hex} to the map edge"


def comes_with_army(arm: str, *, new: bool, entry: bool) -> bool:
    """Return whether a unit that is due comes with its army: a depot that has not been in play and for which no entry
    hex is indicated. It is placed in any RR Station that `why_no_depot` does not bar.

    new: whether the scenario or its counter brings it; entry: whether an entry hex is indicated. Rule: 16.3
    """
    return arm in DEPOTS and new and not entry


def why_army_waits(army: str, formed: int) -> Iterator[Reason]:
    """Yield why a depot does not come before its army, which an event brings into play. formed: the game turn of that,
    0 before.
    Rule: 16.3
    """
    if not formed:
        yield "16.3", f"{army} comes into play first (ask activate army={quoted(army)})"


def formed_already(turn: int) -> Iterator[Reason]:
    """Yield why an army is not brought into play again. turn: in which it was, 0 if it was not. Rule: 16.3"""
    if turn:
        yield "16.3", f"it came into play in GT {turn}"
