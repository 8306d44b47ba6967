"""A move as it is asked for, and as it is told (11, 18, 21.6)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from assistant.questions import Parameters, PlaceName, UnitName, Way, note

from .land import Entered
from .rails import CAPACITY


class MoveAsked(Parameters, frozen=True):
    """A move that a player wishes to make."""

    unit: Annotated[UnitName, note("its id")]
    way: Annotated[Way, note("the hexes that it enters, in order; by sea only the last one")]
    by: Annotated[Literal["land", "rail", "sea"], note("land, rail or sea")] = "land"
    entrain: Annotated[PlaceName | None, note("the hex where its rail move begins, if it is not the first")] = None
    detrain: Annotated[PlaceName | None, note("the hex where its rail move ends, if it is not the last")] = None
    forced: Annotated[str, note("the supply unit that is expended for a Forced March")] = ""
    supply: Annotated[str, note("the supply unit that is expended for an amphibious move or a naval transfer")] = ""


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A move as far as it is allowed."""

    unit: Annotated[str, note("its id")]
    at: Annotated[str, note("the hex that it leaves")]
    by: Annotated[str, note("land, rail or sea")]
    entered: Annotated[tuple[Entered, ...], note("the hexes that it enters, with their costs")] = ()
    cost: Annotated[int, note("what the move costs, in halves of a Movement Point")] = 0
    allowance: Annotated[int, note("what the unit has, in halves of a Movement Point")] = 0
    minimum: Annotated[bool, note("whether it is the minimum move of one hex, for all Movement Points")] = False
    disengages: Annotated[bool, note("whether the unit disengages from an enemy zone")] = False
    railed: Annotated[int, note("what it takes of the rail capacity, in thirds of an Army Equivalent")] = 0
    rail_left: Annotated[int, note("rail capacity that is left afterwards, in thirds of an Army Equivalent")] = CAPACITY
    over_stacked: Annotated[bool, note("whether the last hex is then over the stacking limits")] = False
    kind: Annotated[str, note("by sea: amphibious, landing, assault or transfer; else empty")] = ""
    landing: Annotated[
        str, note("by sea: eliminated, fails or lands, as rolled; empty if nothing is or was rolled")
    ] = ""
