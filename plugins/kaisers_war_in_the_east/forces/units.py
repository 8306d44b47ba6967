"""A unit of a position as plain values, and how many a hex holds (2.4, 2.5, 12.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any, Protocol

import msgspec

from assistant.questions import Gather, View, note
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Nation, UnitId, UnitSize, UnitType

from ..terms import ABTEILUNG, AIRBASE, ARMIES, ARMY, FORTRESS, HEADQUARTERS, SHOCK, SUPPLY, TRAIN


class Formation(msgspec.Struct, frozen=True, kw_only=True):
    """A unit with the values of the side of its counter that is up."""

    id: UnitId
    nation: Nation
    arm: UnitType
    size: UnitSize
    place: Annotated[str, note("where it stands")]
    attack: Annotated[int, note("attack factor, or support strength of a Headquarters")] = 0
    defence: Annotated[int, note("defence factor")] = 0
    movement: Annotated[int, note("movement factor")] = 0
    support: Annotated[bool, note("whether its attack factor only supports attacks")] = False

    @property
    def is_army(self) -> bool:
        """Whether results of combat count it as an army. Rule: 14.15"""
        return self.size in ARMIES

    @property
    def is_shock(self) -> bool:
        """Whether it allows the Shock table."""
        return self.arm in SHOCK


class Kind(Protocol):
    """What a unit is, whether it is on the map or not."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def nation(self) -> str:
        """Its nation."""

    @property
    def arm(self) -> str:
        """Its unit type."""

    @property
    def size(self) -> str:
        """Its size."""


def describe_newcomer(view: View, unit: Kind, rule: str) -> Iterator[Change]:
    """What is stated of a unit that enters play if neither the position nor the roster has it. rule: by which it
    enters.
    """
    if unit.id not in view.state.units and unit.id not in view.game.roster:
        for track in ("nation", "arm", "size"):
            yield Change(track, unit.id, None, getattr(unit, track), rule)


MAY_PRINT_NONE = (FORTRESS, SUPPLY, HEADQUARTERS, AIRBASE)
"""The unit types whose attack or movement factor may be 0 or in brackets."""
FACTORS = ("attack", "defence", "movement")
"""The factors on a counter (2.4)."""
MOST_CORPS = 3
"""Corps that a hex holds if no army is in it (12.1)."""


def formation(facts: Gather, unit: Unit, *, fights: bool = True, factors: Collection[str] = FACTORS) -> Formation:
    """A unit's values, those of the side that is up. fights: whether its factors are needed too; factors: those that
    are; others read 0.

    Rule: 2.4, 2.5, 2.7
    """
    word: dict[str, Any] = {name: facts.word(name, unit.id) for name in ("nation", "arm", "size")}
    if not fights:
        return Formation(id=unit.id, place=str(unit.place), **word)
    arm = word["arm"]
    read: dict[str, Any] = {
        name: facts.integer(facts.view.side_up(name, unit.id), unit.id) for name in factors if needs(name, arm)
    }
    support = arm in (HEADQUARTERS, AIRBASE) or facts.flag("support", unit.id)
    return Formation(id=unit.id, place=str(unit.place), support=support, **word, **read)


def formation_taken(facts: Gather, unit: Unit, needed: Collection[str], doubtful: Collection[str] = ()) -> Formation:
    """A unit's values as far as they are stated; attack and movement factors that are not are taken to be 1.

    needed: the factors that are asked for; doubtful: those asked for only of units that may print 0 or brackets, for
    which nothing is taken. `grant_factors` says what was taken where it matters.
    """
    view, may_be_none = facts.view, facts.word("arm", unit.id) in MAY_PRINT_NONE
    asked = {*needed, *(doubtful if may_be_none else ())}
    stated = {name for name in FACTORS if view.fact(view.side_up(name, unit.id), unit.id)}
    stated_values = formation(facts, unit, factors=[name for name in FACTORS if name in asked | stated])
    taken = () if may_be_none else {"attack", "movement"} - asked - stated
    return msgspec.structs.replace(stated_values, **dict.fromkeys(taken, 1))


def grant_factors(view: View, units: Iterable[str], factor: str) -> None:
    """Say in the report of which units a factor was taken to be 1 or more on which a result rests."""
    for unit in units:
        if view.word("arm", unit) not in MAY_PRINT_NONE:
            text = f"{{units}} taken to have a {factor} factor of 1 or more (not stated)"
            view.granted(view.side_up(factor, unit), unit, 1, "2.4", text)


def needs(factor: str, arm: str) -> bool:
    """Whether a unit type has a printed factor other than 0: fortresses and supply units do not attack, fortresses do
    not move.
    """
    if factor == "attack":
        return arm not in (FORTRESS, SUPPLY)
    return not (factor == "movement" and arm == FORTRESS)


def kind_of(arm: str, size: str) -> str:
    """What the charts call a unit: headquarters, army, abteilung, corps, fortress, supply or other. Rule: 2.5"""
    if arm in (HEADQUARTERS, FORTRESS, SUPPLY):
        return arm
    if arm in (TRAIN, AIRBASE):
        return "other"
    return {ARMY: "army", ABTEILUNG: "abteilung", "XXX": "corps"}.get(size, "other")


def is_within_limits(units: Iterable[Formation]) -> bool:
    """Whether units may end a phase in one hex: one army or Headquarters, or three corps; and one supply unit, one
    fortress, and one armoured train, shock corps or tank besides.

    Units smaller than a corps count as corps. Rule: 12.1/1, 12.1/2, 12.1/3, 12.1/4
    """
    held = Counter(slot(unit) for unit in units)
    if max(held["supply"], held["fortress"], held["train"]) > 1:
        return False
    besides = 0 if held["train"] else min(held["shock"], 1)
    corps = held["corps"] + held["shock"] - besides
    return held["army"] <= 1 and corps <= (0 if held["army"] else MOST_CORPS)


def has_room(facts: Gather, at: str, *entering: Formation) -> bool:
    """Whether a hex holds no more than it may, with those that enter it. Rule: 12.2"""
    return is_within_limits([*(formation(facts, unit, fights=False) for unit in facts.view.stack(at)), *entering])


def slot(unit: Formation) -> str:
    """What a unit counts as for stacking: supply, fortress, train (or tank), shock, army (or Headquarters), corps."""
    if unit.arm in (SUPPLY, FORTRESS):
        return unit.arm
    if unit.arm in (TRAIN, "tank"):
        return "train"
    if unit.is_army or unit.arm == HEADQUARTERS:
        return "army"
    return "shock" if unit.arm == "shock" else "corps"
