"""Units of a position as plain values, how many a hex holds, and the corps that take the place of armies (2.4, 2.5,
10.1, 12.1, 14.16).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Annotated, Any

import msgspec

from assistant.asking import Gather, View, note
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.state.vocabulary import Nation, UnitId, UnitSize, UnitType

from . import terms


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
        return self.size in terms.ARMIES

    @property
    def is_shock(self) -> bool:
        """Whether it allows the Shock table."""
        return self.arm in terms.SHOCK


def describe_newcomer(view: View, unit: Formation, rule: str) -> Iterator[Change]:
    """Yield what is stated of a unit that enters play if neither the position nor the roster has it. rule: by which it
    enters.
    """
    if unit.id not in view.state.units and unit.id not in view.game.roster:
        for track in ("nation", "arm", "size"):
            yield Change(track, unit.id, None, getattr(unit, track), rule)


MAY_PRINT_NONE = (terms.FORTRESS, terms.SUPPLY, terms.HEADQUARTERS, terms.AIRBASE)
"""The unit types whose attack or movement factor may be 0 or in brackets."""
FACTORS = ("attack", "defence", "movement")
"""The factors on a counter (2.4)."""
MOST_CORPS = 3
"""Corps that a hex holds if no army is in it (12.1)."""


def formation(facts: Gather, unit: Unit, *, fights: bool = True, factors: Collection[str] = FACTORS) -> Formation:
    """Return a unit's values, those of the side that is up. fights: whether its factors are needed too; factors: those
    that are; others read 0.

    Rule: 2.4, 2.5, 2.7
    """
    nation = facts.word("nation", unit.id)
    arm = facts.word("arm", unit.id)
    size = facts.word("size", unit.id)
    kind = Formation(id=unit.id, place=str(unit.place), nation=nation, arm=arm, size=size)
    if not fights:
        return kind
    read: dict[str, Any] = {name: facts.integer(name, unit.id) for name in factors if needs_factor(name, arm)}
    support = arm in (terms.HEADQUARTERS, terms.AIRBASE) or facts.flag("support", unit.id)
    return msgspec.structs.replace(kind, support=support, **read)


def formation_taken(facts: Gather, unit: Unit, needed: Collection[str], doubtful: Collection[str] = ()) -> Formation:
    """Return a unit's values as far as they are stated; attack and movement factors that are not are taken to be 1.

    needed: the factors that are asked for; doubtful: those asked for only of units that may print 0 or brackets, for
    which nothing is taken. `note_granted_factors` says what was taken where it matters.
    """
    view = facts.view
    may_be_none = facts.word("arm", unit.id) in MAY_PRINT_NONE
    asked = {*needed}
    if may_be_none:
        asked.update(doubtful)
    stated = {name for name in FACTORS if view.fact(name, unit.id)}
    stated_values = formation(facts, unit, factors=[name for name in FACTORS if name in asked | stated])
    taken = () if may_be_none else {"attack", "movement"} - asked - stated
    return msgspec.structs.replace(stated_values, **dict.fromkeys(taken, 1))


def note_granted_factors(view: View, units: Iterable[str], factor: str) -> None:
    """Say in the report of which units a factor was taken to be 1 or more on which a result rests."""
    for unit in units:
        if view.word("arm", unit) not in MAY_PRINT_NONE:
            text = f"{{units}} assumed to have a {factor} factor of 1 or more (not stated)"
            view.granted(factor, unit, 1, "2.4", text)


def needs_factor(factor: str, arm: str) -> bool:
    """Return whether a unit type has a printed factor other than 0: fortresses and supply units do not attack,
    fortresses do not move.
    """
    if factor == "attack":
        return arm not in (terms.FORTRESS, terms.SUPPLY)
    return not (factor == "movement" and arm == terms.FORTRESS)


def kind_of(arm: str, size: str) -> str:
    """Return what the charts call a unit: headquarters, army, abteilung, corps, fortress, supply or other. Rule: 2.5"""
    if arm in (terms.HEADQUARTERS, terms.FORTRESS, terms.SUPPLY):
        return arm
    if arm in (terms.TRAIN, terms.AIRBASE):
        return "other"
    return {terms.ARMY: "army", terms.ABTEILUNG: "abteilung", terms.CORPS: "corps"}.get(size, "other")


def is_within_limits(units: Iterable[Formation]) -> bool:
    """Return whether units may end a phase in one hex: one army or Headquarters, or three corps; and one supply unit,
    one fortress, and one armoured train, shock corps or tank besides.

    Units smaller than a corps count as corps. Rule: 12.1/1, 12.1/2, 12.1/3, 12.1/4
    """
    held = Counter(_find_slot(unit) for unit in units)
    if max(held["supply"], held["fortress"], held["train"]) > 1:
        return False
    besides = 0 if held["train"] else min(held["shock"], 1)
    corps = held["corps"] + held["shock"] - besides
    return held["army"] <= 1 and corps <= (0 if held["army"] else MOST_CORPS)


def has_room(facts: Gather, at: str, *entering: Formation) -> bool:
    """Return whether a hex holds no more than it may, with those that enter it. Rule: 12.2"""
    return is_within_limits([*(formation(facts, unit, fights=False) for unit in facts.view.stack(at)), *entering])


def _find_slot(unit: Formation) -> str:
    """Return what a unit counts as for stacking: supply, fortress, train (or tank), shock, army (or Headquarters),
    corps.
    """
    if unit.arm in (terms.SUPPLY, terms.FORTRESS):
        return unit.arm
    if unit.arm in (terms.TRAIN, "tank"):
        return "train"
    if unit.is_army or unit.arm == terms.HEADQUARTERS:
        return "army"
    return "shock" if unit.arm == "shock" else "corps"
