"""How reinforcements enter the map: in which turn and hex, what blocks the hex and where they enter then, on foot or in
Rail Mode, and what the first hex costs (16.0, 16.1, 16.1.1). Over plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import Step, holding, note

from ..railways.routes import rail_points


class Entrance(msgspec.Struct, frozen=True, kw_only=True):
    """A hex in which units would enter, as their side sees it."""

    hex: str
    enemies: Annotated[bool, note("whether an enemy unit is in it")] = False
    zone: Annotated[bool, note("whether it is in an EZOC")] = False
    lost: Annotated[bool, note("whether the enemy controls it")] = False
    shut: Annotated[str, note("what closes it to everybody or to their nation, in words")] = ""
    edge: Annotated[bool, note("whether it is at an edge of the map")] = False
    railway: Annotated[bool, note("whether an RR line leads through it")] = False
    station: Annotated[bool, note("whether it has an RR Station")] = False
    beside: Annotated[bool, note("whether an enemy unit is adjacent to it, which bars depots")] = False


def is_due(due: int, turn: int, *, waits: bool) -> bool:
    """Return whether a reinforcement enters in a game turn: in that for which it is indicated; in a later one if the
    position says that it waits, for otherwise it has been in play.

    due: the turn for which it is indicated; turn: the present one; waits: whether the position states its arrival.
    Rule: 16.0
    """
    return due <= turn if waits else due == turn


def is_withdrawn(indicator: int | None, turn: int) -> bool:
    """Return whether a unit is removed in the Reinforcement Phase of a turn, or should have been in an earlier one.

    indicator: the game turn on its counter, None without one. Rule: 3.3.6, 16.5
    """
    return indicator is not None and indicator <= turn


def why_blocked(entrance: Entrance, *, control: bool = True) -> list[Step]:
    """Return what blocks a hex to reinforcements: an enemy unit, an EZOC, or that the enemy controls it; and to depots
    an enemy adjacent to it (9.9). control: whether the enemy's control does, which is by ruling entry-control in their
    entry hex. Rule: 16.1b
    """
    clauses = (
        (entrance.shut, "8.1.1", "{hex}: {why}"),
        (entrance.enemies, "16.1", "an enemy unit is in {hex}"),
        (entrance.zone, "16.1", "{hex} is in an EZOC"),
        (
            entrance.beside and not entrance.zone,
            "9.9",
            "{hex} is adjacent to an enemy, where a depot may never be",
        ),
        (entrance.lost and control, "16.1", "the enemy controls {hex}"),
    )
    return holding(clauses, entrance, why=entrance.shut)


CLOSED = (
    "[blocked:{entries} is blocked][alone:the enemy controls {entries}]"
    "[several:each of {hexes} is blocked or controlled by the enemy], and "
)
"""Why units do not enter in their entry hexes."""


def why_elsewhere(
    at: str, entries: Collection[str], instead: Collection[str], *, blocked: bool, lost: bool, edge: bool
) -> list[Step]:
    """Return why reinforcements do not enter in a hex: they enter in their entry hex; if that is blocked or the enemy's,
    from a map edge at the nearest open friendly RR hex, otherwise in a nearby RR Station.

    instead: the hexes where they enter then; blocked: whether every entry hex is blocked; lost: whether the enemy controls
    every entry hex that is not.
    Rule: 16.0, 16.1b
    """
    shut = blocked or lost
    barred = at not in entries and at not in instead
    clauses = (
        (at not in entries and not shut, "16.0", "the entry hex is {entries}"),
        (
            barred and shut and edge,
            "16.1",
            CLOSED + "units from the map edge enter at "
            "[instead:the nearest open friendly RR hex: {instead}|an open friendly RR hex, and none is known]",
        ),
        (
            barred and shut and not edge,
            "16.1",
            CLOSED + "{at} is not an open RR Station that their side controls",
        ),
    )
    several = not blocked and len(entries) > 1
    return holding(
        clauses,
        at=at,
        entries=" or ".join(entries),
        hexes=" and ".join(entries),
        instead=" or ".join(instead),
        blocked=blocked,
        alone=not blocked and not several,
        several=several,
    )


def why_no_rail_mode(entrance: Entrance, destination: str | None) -> list[Step]:
    """Return why reinforcements do not enter in Rail Mode: they do so only at a map edge where an RR line leads through
    their first hex, and name their destination before they spend a Movement Point. destination: None while none is
    named. Rule: 16.0, 16.1.1
    """
    clauses = (
        (not entrance.edge, "16.0", "{hex} is not at a map edge, and reinforcements enter in Rail Mode only there"),
        (not entrance.railway, "16.0", "no friendly operational RR line is known in {hex}"),
        (not destination, "16.1.1", "name the destination before units enter in Rail Mode (destination=HEX)"),
    )
    return holding(clauses, entrance)


def why_no_depot(entrance: Entrance) -> list[Step]:
    """Return why a depot of a new army is not placed in a hex: it is placed on a friendly controlled RR Station that
    friendly operational lines join to the map edge. Rule: 16.3
    """
    clauses = (
        (not entrance.station, "16.3", "{hex} has no RR Station"),
        (entrance.lost or entrance.enemies, "16.3", "its side does not control {hex}"),
        (not entrance.railway, "16.3", "no friendly operational RR line joins {hex} to the map edge"),
    )
    return holding(clauses, entrance)


def rail_points_due(cost: Fraction, *, edge: bool) -> Fraction:
    """Return the Rail Points for a reinforcement that comes in Rail Mode: none from a map edge; only trans-shipping
    costs the Russians theirs later.

    cost: its Rail Cost Points; edge: whether it enters from a map edge. Rule: 16.1.1
    """
    return Fraction(0) if edge else cost


def first_cost(ground: Callable[[], Fraction | None], *, edge: bool) -> Fraction | None:
    """Return the Movement Points of the first hex on foot: in a hex at a map edge those of its ground, otherwise none;
    None where the ground is prohibited. ground: gives them, and is not asked without need. Rule: 16.1c
    """
    return ground() if edge else Fraction(0)


def cost_by_rail(tracks: Collection[str], rate: int) -> Fraction:
    """Return the Movement Points of a first hex in Rail Mode: one RR hex, two if only single-track lines lead through
    it.

    tracks: of the lines, as `rail2`; rate: RR hexes to a Movement Point. Rule: 16.1c
    """
    return rail_points(1 if "rail2" in tracks else 2, rate)


def must_conform(hex: str, *, over: bool) -> list[Step]:
    """Return what is said of reinforcements that enter over the stacking limits: they may stand so until the end of the
    movement phase. over: whether their hex is over the limits. Rule: 16.1
    """
    text = "{hex} is over the stacking limits, which hold again at the end of this player turn's Movement Phase"
    return holding([(over, "16.1", text)], hex=hex)


def needs_army(arm: str, army: str, *, asset: bool) -> bool:
    """Return whether it has to be said to which army a reinforcement is attached: a formation or Corps Train has an
    Attachment marker, which is placed on a display at once. army: that is known, "" for none; asset: whether it is an
    Asset Unit. Rule: 16.1d
    """
    return not army and not asset and arm in ("infantry", "cavalry", "corps-train")
