"""The question `attacks`: every hex that a side can attack, ranked, for those who see both sides: solitaire players, umpires.

For each hex the largest legal attack and the smallest for each odds column, by the rules of a battle: each attack for itself,
as if it were the only one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain

import msgspec

from assistant.mechanics.odds import Odds
from assistant.questions import Answers, View, declare, ranking
from assistant.questions.report import Ask, MissingFacts, Report
from assistant.state.hidden import hides
from assistant.util.errors import InputError

from ..battle.reckoning import weigh
from ..combat.allocation import EVERY
from ..combat.engagement import BattleParameters, Engagement, Units
from ..combat.legality import after_a_retreat, aimed_elsewhere, barred_ground, out_of_turn, unable, without_army
from ..combat.setup import LENIENT, agreed, engage, narrowed, on_withholding
from ..combat.strength import commands_of, defence_strength, rounded_total
from ..forces.units import SIDES, Role
from ..ground.calendar import weather_left_out
from ..ground.hexsides import between, closed
from .report import (
    AttacksParameters,
    AttacksResult,
    ColumnAttack,
    RankedAttack,
    Target,
    granted_part,
    target_part,
    verdict_of,
)
from .search import Search, commands, may_attack, reach, strongest_defence

MAGNITUDES = ("Massive", "Large", "Medium", "Small")


def answer(view: View, parameters: AttacksParameters, answers: Answers) -> Report[AttacksResult]:
    """The report on the attacks of a side. Facts that are missing of one hex do not stop the others.

    Raises InputError where something is hidden from who asks; TooMuch for a hex with
    too many ways to attack it.
    """
    if hides(view.state):
        hint = "use --umpire, or leave out --as, to see both sides"
        raise InputError("attacks are ranked for solitaire players and umpires, who see both sides", hint=hint)
    order = {name: number for number, name in enumerate(view.state.units)}
    places = targets_of(view, parameters)
    targets, asks = ranking.ranked(
        view,
        list(places),
        at=lambda at: target(view, parameters, at, places[at], order),
        lacking=lambda at, missing: Target(at=at, missing=tuple(ask.how for ask in missing.asks)),
        barred=lambda at, error: Target(at=at, barred=(error.what,)),
        order=rank,
    )
    parts = [target_part(number, one) for number, one in enumerate(targets, 1)]
    parts += [granted_part(targets, weather_left_out(view))] if targets else []
    return Report(
        title=f"Attacks of the {parameters.side} side",
        verdict=verdict_of(targets),
        parts=tuple(parts),
        asks=asks,
        result=AttacksResult(parameters.side, targets),
    )


def targets_of(view: View, parameters: AttacksParameters) -> dict[str, tuple[str, ...]]:
    """The hexes with enemies next to units of a side, each with the hexes from which it may be attacked, as the map numbers them.

    A unit whose nation is not stated counts as one of either side.
    """
    sides: dict[str, set[str]] = {}
    for unit in view.units():
        if unit.place and view.board.is_hex(unit.place):
            sides.setdefault(unit.place, set()).add(view.game.side_of_unit(unit, view.state.facts))
    ours = {place for place, there in sides.items() if there & {parameters.side, ""}}
    theirs = {place for place, there in sides.items() if there - {parameters.side}}
    wanted = sorted(theirs & set(parameters.at or theirs))
    around = {at: tuple(place for place in view.board.neighbours(at) if place in ours) for at in wanted}
    return {at: places for at, places in around.items() if places}


def target(
    view: View, parameters: AttacksParameters, at: str, places: tuple[str, ...], order: Mapping[str, int]
) -> Target:
    """One hex with what can be done against it.

    Raises MissingFacts for what the rules need and is not stated, InputError for a combat that cannot be named.
    """
    open_ones = tuple(place for place in places if not closed(between(view, place, at)))
    if not open_ones:
        return Target(at=at, barred=tuple(sorted({closed(between(view, place, at)) for place in places})))
    battle = BattleParameters(at=at, from_=open_ones, attacker_ap=(EVERY,), defender_ap=(EVERY,))
    engagement = engage(view, battle, any_part=True)
    if over := out_of_turn(msgspec.structs.replace(engagement, attackers=(), defenders=())):
        return Target(at=at, barred=tuple(step.text for step in over))
    if len(commands(engagement.attackers)) > 2:  # some of them may be of more corps than all of them
        engagement = msgspec.structs.replace(
            engagement, readings=agreed(view, engagement.readings, {"several_corps": True})
        )
    for role, said in zip(SIDES, (parameters.attacker_ap, parameters.defender_ap), strict=True):
        if said is None and any(unit.ap for unit in engagement.side(role)):
            name, title = f"{role}-ap", "Artillery Ammunition Points"
            how = f"{name}=most, or none"
            raise MissingFacts([Ask(kind="parameter", name=name, rule="10.5.1", title=title, how=how)])
    defended = defence(view, engagement, parameters.defender_ap == "most")
    if defended is None:
        retreated = after_a_retreat(msgspec.structs.replace(engagement, attackers=()))
        return Target(at=at, barred=(*(step.text for step in retreated), "no legal defence"))
    neighbours = view.board.neighbours(at)
    reached = reach(Search(defended, neighbours, order, parameters.attacker_ap == "most"))
    if reached is None:
        return Target(at=at, barred=tuple(why_not(engagement, neighbours)))
    smallest = {column: ranked(defended, one) for column, one in reached.smallest.items()}
    return Target(
        at=at,
        defence=rounded_total([defence_strength(unit) for unit in defended.defenders]),
        defenders=tuple(unit.id for unit in defended.defenders),
        defender_points=points_of(defended, "defender"),
        withheld=tuple(unit.id for unit in defended.withheld),
        largest=ranked(defended, reached.largest),
        columns=tuple(ColumnAttack(column, attack) for column, attack in smallest.items()),
        unsaid=engagement.ring.unsaid if engagement.flank.held >= 3 else (),
        no_army=(*without_army(engagement.attackers), *without_army(engagement.defenders)),
    )


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


def rank(target: Target) -> tuple[object, ...]:
    """The place of a hex in the ranking: see AttacksResult."""
    best = target.farthest
    if best is None or target.largest is None:
        return bool(target.missing) + 1, target.at
    column = -Odds.parse(best.column).columns
    return 0, column, MAGNITUDES.index(target.largest.magnitude), best.attack.strength, target.at


QUESTION = declare(
    "attacks",
    "the attacks that a side can make, ranked: the largest on each hex, and the smallest for each odds column",
    answer,
)
