"""Armies that come into play, and the call for the Western Front reinforcements: when (16.3, 22.1, 22.2, 23.1, 24.2).
Over plain values.
"""

from __future__ import annotations

from assistant.util.console import format_count

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


def uses_western_front(scenario: str) -> bool:
    """Return whether a scenario has the Western Front reinforcements: 29.5 to 29.7 do, and one of a player's own may.
    scenario: its name, "" if not stated. Rule: 22.1
    """
    return scenario not in WITHOUT_CALL


def arrival_of_call(called: int) -> int:
    """Return the game turn in which the Western Front reinforcements arrive. called: that of the call. Rule: 22.1.2"""
    return called + CALL_TO_ARRIVAL


def score_of_call(called: int) -> int:
    """Return the Victory Points of the German side for the call. called: its game turn. Rule: 27.2.3"""
    return SCORES[min(max(called, FIRST_CALL), LAST_CALL)]


def format_score(points: int) -> str:
    """Return the Victory Points that a call scores or costs, in words."""
    return f"{format_count(abs(points), 'Victory Point')}{' lost' if points < 0 else ''}"


def is_far_west(size: str, arm: str, distance: int, *, west: bool) -> bool:
    """Return whether a Russian unit calls the Ninth Army: an infantry brigade or division west of the Vistula, more
    than ten hexes from Warsaw. distance: to Warsaw. Rule: 22.2
    """
    return arm == "infantry" and size in FORMATION_SIZES and west and distance > FAR_FROM_WARSAW


def comes_with_army(arm: str, *, new: bool, entry: bool) -> bool:
    """Return whether a unit that is due comes with its army: a depot that has not been in play and for which no entry
    hex is indicated. It is placed in any RR Station that `why_no_depot` does not bar.

    new: whether the scenario or its counter brings it; entry: whether an entry hex is indicated. Rule: 16.3
    """
    return arm in DEPOTS and new and not entry
