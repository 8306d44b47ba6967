"""Supply attrition: who checks for it, and what becomes of whom it strikes (17.8)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from assistant.mechanics.procedure import Apart, Dice, Done, Node, Procedure, Roll, Situation
from assistant.questions import Gather, View
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Gain

from ..forces.armies import SUD_CORPS, corps_of, is_alone, spare_corps
from ..forces.units import Formation
from ..terms import AVAILABLE, DEAD_PILE, SUD
from ..victory.losses import worth

STRIKES = 3
"""The highest die by which attrition strikes."""


class Check(NamedTuple):
    """A unit that checks. die: its die, 0 before."""

    unit: str
    die: int = 0


def feature(facts: Gather, hex: str) -> str:
    """The line of the Terrain Effects Chart for a hex: its city, or else its terrain."""
    return "city" if facts.view.flag("city", hex) else facts.word("terrain", hex)


def must_check(facts: Gather, season: str, hex: str) -> bool:
    """Whether a unit in a hex that is not in General Supply checks for attrition, by the season and the Terrain Effects Chart.
    Rule: 17.6, 17.8
    """
    lying = feature(facts, hex)
    return bool(lying and season) and facts.cell("terrain-attrition", season, lying).values["check"] == "yes"


def procedure(units: Sequence[str]) -> Procedure:
    """The dice of the units that check, each by itself, in situations from "checks" on. Rule: 17.8"""

    def node(situation: Situation) -> Node:
        match situation:
            case "checks":
                return Apart({unit: Check(unit) for unit in units})
            case Check(unit, 0):
                title = f"supply attrition of {unit}"
                return Roll(f"attrition.{unit}", "17.8", title, Dice(1, 6), {}, partial(Check, unit))
            case Check(unit, die):
                return Done({f"attrition.{unit}": die})
            case _:
                raise TypeError(f"{situation!r} is not a situation of supply attrition")

    return node


def strikes(die: int) -> bool:
    """Whether a die brings attrition into effect. Rule: 17.8"""
    return die <= STRIKES


def breaks_down(unit: Formation) -> bool:
    """Whether a unit that attrition strikes breaks down: armies and Abteilungen do, others are eliminated, and so are armies that
    have no corps. Rule: 17.8, 10.6
    """
    return unit.is_army and not is_alone(unit.nation)


class Struck(NamedTuple):
    """What becomes of a unit. breaks: whether corps take its place instead of its elimination; corps: how many; changes: of the position."""

    unit: Formation
    breaks: bool
    corps: int
    changes: tuple[AnyChange, ...]


def consequences(facts: Gather, struck: Sequence[Formation], side: str) -> list[Struck]:
    """What becomes of the units of a side that attrition strikes, one after the other: armies share the corps that are not on the map.

    Victory Points are lost by the ruling attrition-points alone. Rule: 17.8
    """
    view, used, found = facts.view, dict[str, int](), list[Struck]()
    for unit in struck:
        if not breaks_down(unit):
            gone = (changed(view, "place", unit.id, AVAILABLE if unit.is_army else DEAD_PILE, "17.8"),)
            found.append(Struck(unit, False, 0, (*gone, *points(facts, unit, side))))
            continue
        before = used.get(unit.nation, 0)
        left = corps_of(facts, unit)
        if view.fact("spare-corps", unit.nation):
            left = min(left, view.integer("spare-corps", unit.nation) - before)
        moved = [changed(view, "place", one, unit.place, "10.1") for one in corps_for(view, unit, before, left)]
        used[unit.nation] = before + left
        broken = changed(view, "place", unit.id, AVAILABLE, "17.8")
        found.append(Struck(unit, True, left, (broken, *moved)))
    return found


def corps_for(view: View, army: Formation, used: int, number: int) -> list[str]:
    """The corps that the position names and that take the place of an army; of the Sud Army one of each nation. used: how many others
    have taken. Rule: 10.1, 21.1
    """
    if army.id == SUD:
        return [one.id for nation in SUD_CORPS for one in spare_corps(view, nation, army.arm)[used : used + 1]]
    return [one.id for one in spare_corps(view, army.nation, army.arm)[used : used + number]]


def points(facts: Gather, unit: Formation, side: str) -> tuple[AnyChange, ...]:
    """The Victory Points that the loss of a unit costs its side, none by the Victory Points Chart, which counts losses in combat."""
    if facts.view.ruling("attrition-points") == "none":
        return ()
    loss = worth(facts, unit, side).loss
    return (Gain("vp", side, -loss, "5.1"),) if loss else ()
