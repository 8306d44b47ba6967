"""The question `attacks`: every hex that a side can attack, ranked, for those who see both sides: solitaire players,
umpires.

For each hex the largest legal attack and the smallest for each odds column, by the rules of a battle: each attack
for itself, as if it were the only one.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from assistant.mechanics.odds import Odds
from assistant.questions import Answers, View, declare, ranking
from assistant.questions.report import Ask, MissingFacts, Report

from ..combat.engagement import BattleParameters
from ..combat.legality import EVERY, after_a_retreat, out_of_turn, without_army
from ..forces.units import SIDES
from ..ground.calendar import weather_left_out
from ..ground.hexsides import between, closed
from .report import (
    AttacksParameters,
    AttacksResult,
    ColumnAttack,
    Target,
    granted_part,
    target_part,
    verdict_of,
)
from .search import Search, defence, defence_total, everybody, points_of, rank_attack, reach, why_not

MAGNITUDES = ("Massive", "Large", "Medium", "Small")


def answer(view: View, parameters: AttacksParameters, answers: Answers) -> Report[AttacksResult]:
    """The report on the attacks of a side. Facts that are missing of one hex do not stop the others.

    Raises InputError for a side that the game does not have, and where something is hidden from who asks; TooMuch for a
    hex with too many ways to attack it.
    """
    order = {name: number for number, name in enumerate(view.state.units)}
    places = ranking.targets_of(view, parameters)
    targets, asks = ranking.rank_places(
        view, places, Target, lambda at: target(view, parameters, at, places[at], order), rank
    )
    parts = [target_part(number, shown) for number, shown in enumerate(targets, 1)]
    parts += [granted_part(targets, weather_left_out(view))] if targets else []
    return Report(
        title=f"Attacks of {view.game.file.the_side(parameters.side)}",
        verdict=verdict_of(targets),
        parts=tuple(parts),
        asks=asks,
        result=AttacksResult(parameters.side, targets),
    )


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
    engagement = everybody(view, battle)
    if over := out_of_turn(msgspec.structs.replace(engagement, attackers=(), defenders=())):
        return Target(at=at, barred=tuple(step.text for step in over))
    for role, said in zip(SIDES, (parameters.attacker_ap, parameters.defender_ap), strict=True):
        if said is None and any(unit.ap for unit in engagement.side(role)):
            name, title = f"{role}-ap", "Artillery Ammunition Points"
            how = f"{name}=all, or none"
            raise MissingFacts([Ask(kind="parameter", name=name, rule="10.5.1", title=title, how=how)])
    defended = defence(view, engagement, parameters.defender_ap == "all")
    if defended is None:
        retreated = after_a_retreat(msgspec.structs.replace(engagement, attackers=()))
        return Target(at=at, barred=(*(step.text for step in retreated), "no legal defence"))
    neighbours = view.board.neighbours(at)
    reached = reach(Search(defended, neighbours, order, parameters.attacker_ap == "all"))
    if reached is None:
        return Target(at=at, barred=tuple(why_not(engagement, neighbours)))
    smallest = {column: rank_attack(defended, units) for column, units in reached.smallest.items()}
    return Target(
        at=at,
        defence=defence_total(defended),
        defenders=tuple(unit.id for unit in defended.defenders),
        defender_points=points_of(defended, "defender"),
        withheld=tuple(unit.id for unit in defended.withheld),
        largest=rank_attack(defended, reached.largest),
        columns=tuple(ColumnAttack(column, attack) for column, attack in smallest.items()),
        unsaid=engagement.ring.unsaid if engagement.flank.held >= 3 else (),
        no_army=(*without_army(engagement.attackers), *without_army(engagement.defenders)),
    )


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
