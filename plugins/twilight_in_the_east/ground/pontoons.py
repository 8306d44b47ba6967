"""Pontoon bridges: how many, over which hexsides, who lays them, and when they come off (18.0)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

from assistant.questions import Step, View, step
from assistant.questions.view import changed
from assistant.state.changes import Change

from ..terms import GREAT_RIVERS

MARKERS = {"german": 5, "austro-hungarian": 6, "russian": 10}
"""Pontoon Bridge markers of each nation; no more can lie on the map (18.0)."""
NOBODY = "none"


class Pontoon(msgspec.Struct, frozen=True):
    """A pontoon bridge on the map. nation: whose marker it is, "" if that is not stated."""

    hexside: str
    nation: str


class Crossing(msgspec.Struct, frozen=True, kw_only=True):
    """A hexside over which a pontoon bridge is to be laid.

    rivers: what lies there; bridged: whether a bridge lies there already; near, far: whether the side controls the hex
    of the marker, and the one beyond; enemy_zone: whether that is in an EZOC; occupied: whether a friendly combat unit
    is in it.
    """

    rivers: frozenset[str]
    bridged: bool
    near: bool
    far: bool
    enemy_zone: bool = False
    occupied: bool = False


def markers_left(nation: str, laid: Collection[Pontoon]) -> int:
    """The markers that a nation still has to lay. Rule: 18.0"""
    return MARKERS[nation] - sum(pontoon.nation == nation for pontoon in laid)


def against(crossing: Crossing) -> list[Step]:
    """Every reason against a pontoon bridge over a hexside. Rule: 18.1"""
    zone = crossing.enemy_zone and not crossing.occupied
    reasons = (
        (crossing.rivers.isdisjoint(GREAT_RIVERS), "a pontoon bridge crosses a Major or Grand River hexside only"),
        (crossing.bridged, "a bridge lies there already"),
        (not (crossing.near and crossing.far), "both hexes must be friendly controlled"),
        (zone, "the hex beyond is in an EZOC, and no friendly combat unit is in it"),
    )
    return [step("18.1", text) for holds, text in reasons if holds]


def against_train(*, used: bool, entrained: bool, within: bool) -> list[Step]:
    """Every reason why a Corps Train does not lay a pontoon bridge.

    used: whether it has laid one in this phase; within: whether the marker's hex is within its Supply Range, on the
    side that is up.
    Rule: 18.2
    """
    reasons = (
        (used, "a Corps Train lays one pontoon bridge in a phase, and it has laid one"),
        (entrained, "it is in Rail Mode, without a Supply Range"),
        (not within, "the hex is beyond its Supply Range, and Corps Trains are not extended in this phase"),
    )
    return [step("18.2", text) for holds, text in reasons if holds]


def next_to(sides: str, neighbours: Mapping[str, Collection[str]], reading: str) -> frozenset[str]:
    """The hexes into which no enemy may move without the pontoon bridge coming off. reading: ruling pontoon-next-to.

    neighbours: of both hexes that it joins. Rule: 18.1c
    """
    here, there = sides.split("|")
    touching = set(neighbours[here]) & set(neighbours[there]) if reading == "around" else set()
    return frozenset({here, there} | touching)


def may_take_up(phase: str, active: str, side: str) -> bool:
    """Whether a side may take up its own pontoon bridges: in its Pontoon Bridge Phase, where they can be laid again,
    and in its movement phases.

    phase: "" if it is not stated; active: the side that is active in it. Rule: 18.1c
    """
    return phase in ("", "other", "movement", "counter-movement") and active in ("", side)


# --- of a position ----------------------------------------------------------------------------------------------------


def pontoons(view: View) -> Iterator[Pontoon]:
    """The pontoon bridges on the map, as they are stated."""
    for name in sorted(subject for track, subject in view.stated if track == "crossing"):
        if view.word("crossing", name) == "pontoon":
            owner = view.word("pontoon-of", name)
            yield Pontoon(name, "" if owner == NOBODY else owner)


def fallen(view: View, pontoon: Pontoon, enemies: Collection[str]) -> frozenset[str]:
    """The hexes next to a pontoon bridge that enemies of its nation have entered; it comes off if there are any.
    Rule: 18.1c
    """
    board = view.board
    around = {hex: board.neighbours(hex) for hex in pontoon.hexside.split("|")}
    nearest, wider = (next_to(pontoon.hexside, around, reading) & set(enemies) for reading in ("joined", "around"))
    reading = view.ruling("pontoon-next-to", bool(wider) and not nearest)
    return wider if reading == "around" else nearest


def taken_off(view: View, sides: str) -> list[Change]:
    """That a pontoon bridge is taken off the map."""
    made = (changed(view, track, sides, None, "18.1") for track in ("crossing", "pontoon-of"))
    return [change for change in made if change.before is not None]
