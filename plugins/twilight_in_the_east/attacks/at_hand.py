"""Who is at hand against a hex, its strongest defence, and an attack by some of them as a battle would see it: what `attacks` and
`need` share."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain

import msgspec

from assistant.questions import View

from ..battle.reckoning import weigh
from ..combat.engagement import BattleParameters, Engagement, Units
from ..combat.legality import aimed_elsewhere, barred_ground, unable
from ..combat.setup import LENIENT, agreed, engage, narrowed, on_withholding
from ..combat.strength import commands_of, defence_strength, rounded_total
from ..forces.bars import FOUGHT, RETREATED
from ..forces.units import Role
from ..ground.hexsides import between, closed
from .report import RankedAttack
from .search import commands, may_attack, strongest_defence


def everybody(view: View, battle: BattleParameters) -> Engagement:
    """The combat of all who are named, of whom any part may fight. Raises MissingFacts and InputError as `engage` does."""
    engagement = engage(view, battle, any_part=True)
    if len(commands(engagement.attackers)) <= 2:  # otherwise some of them may be of more corps than all of them
        return engagement
    readings = agreed(view, engagement.readings, {"several_corps": True})
    return msgspec.structs.replace(engagement, readings=readings)


def defence(view: View, engagement: Engagement, points: bool) -> Engagement | None:
    """The combat with its strongest legal defence, None if there is none: rulings on which units the defender may withhold are looked up
    only where they decide. points: whether he has Artillery Ammunition Points."""
    engagement = msgspec.structs.replace(engagement, readings=msgspec.structs.replace(engagement.readings, **LENIENT))
    asked: set[str] = set()
    while best := strongest_defence(engagement, points):
        deciding = {name: True for name, does in on_withholding(best).items() if does and name not in asked}
        if not deciding:
            return best
        engagement = msgspec.structs.replace(engagement, readings=agreed(view, engagement.readings, deciding))
        asked |= set(deciding)
    return None


def why_not(engagement: Engagement, neighbours: tuple[str, ...]) -> Iterator[str]:
    """Why nobody can attack: what bars each unit, or else that no combination is legal."""
    singly = (line for unit in engagement.attackers for line in unable(unit, engagement.at, neighbours))
    yield from (line.text for line in chain(barred_ground(engagement), singly, aimed_elsewhere(engagement)))
    for bar in (RETREATED, FOUGHT):
        yield from (f"{unit.id} {bar.text('attack')}" for unit in engagement.attackers if bar.holds(unit))
    if any(may_attack(engagement, unit, neighbours) for unit in engagement.attackers):
        yield "the units that may attack cannot be combined into a legal attack"


def ranked(engagement: Engagement, units: Units) -> RankedAttack:
    """An attack with what a battle would say of it before the dice."""
    fought = narrowed(engagement, units, engagement.defenders)
    result, _ = weigh(fought)
    return RankedAttack(
        units=tuple(unit.id for unit in units),
        places=tuple(dict.fromkeys(unit.place for unit in units)),
        points=points_of(fought, "attacker"),
        strength=sum((unit.strength for unit in result.attacker.units), Fraction(0)),
        total=result.attacker.total,
        **{name: getattr(result, name) for name in ("initial", "shifts", "final", "column", "magnitude")},
    )


def points_of(engagement: Engagement, role: Role) -> tuple[str, ...]:
    """The commands of a side that have an Artillery Ammunition Point."""
    units = engagement.side(role)
    return commands_of((unit for unit in units if unit.ap), units)


def defended_by(engagement: Engagement) -> int:
    """The strength of the defence, in points"""
    return rounded_total([defence_strength(unit) for unit in engagement.defenders])


def open_places(view: View, at: str) -> tuple[str, ...]:
    """The hexes around one from which it may be attacked, as far as its hexsides tell: with units in them, and not shut."""
    around = (place for place in view.board.neighbours(at) if view.stack(place))
    return tuple(place for place in around if not closed(between(view, place, at)))
