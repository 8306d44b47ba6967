"""The questions `attacks` and `need`: every hex that a side can attack, ranked by column, and the cheapest attack that reaches one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.questions import (
    InputError,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    View,
    declare,
    holding,
    note,
    ranking,
    step,
    verdict,
)
from assistant.questions.ranking import AttacksAsked, Place, Way
from assistant.util.errors import suggested

from ..combat.engagement import BattleParameters, Engagement, engage
from ..combat.legality import allowed, helpers
from ..combat.strength import COLUMNS, rank
from ..terms import HEADQUARTERS, SUPPLY

MOST_SUPPLY = 6
"""The most supply units in reach of an attack whose sets are gone through."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that the rules allow, and what it spends."""

    attackers: Annotated[tuple[str, ...], note("the units that attack")]
    hq: Annotated[str, note("the Headquarters that supports it, empty for none")] = ""
    supply: Annotated[tuple[str, ...], note("supply units that it expends")] = ()
    attack: Annotated[int, note("strength of the attack")]
    defence: Annotated[int, note("strength of the defence")]
    percent: Annotated[int, note("the attack in whole percents of the defence")]
    column: Annotated[str, note("the percentage column")]
    shock: Annotated[bool, note("whether the Shock table may be chosen")] = False
    concentric: Annotated[bool, note("whether the attack is concentric")] = False


class Target(Place, frozen=True, kw_only=True):
    """A hex that can be attacked."""

    plain: Annotated[Plan | None, note("the largest attack without Headquarters and supply")] = None
    led: Annotated[Plan | None, note("the largest attack with a Headquarters and without supply")] = None
    most: Annotated[Plan | None, note("the cheapest attack in the highest column that can be reached")] = None


class AttacksResult(msgspec.Struct, frozen=True):
    """The attacks of a side."""

    side: Annotated[str, note("the side that attacks")]
    targets: Annotated[tuple[Target, ...], note("the hexes, those with the highest column first")]


class NeedParameters(Parameters, frozen=True):
    """A hex and the column that an attack on it should reach."""

    at: Annotated[PlaceName, note("the hex that is attacked")]
    column: Annotated[str, note("the percentage column, such as 200-299, or a percentage in it")]


class NeedResult(msgspec.Struct, frozen=True, kw_only=True):
    """The cheapest attack that reaches a column, or the best there is."""

    at: Annotated[str, note("the hex that is attacked")]
    column: Annotated[str, note("the column wanted")]
    plan: Annotated[Plan | None, note("the cheapest attack that reaches it, null if none does")] = None
    best: Annotated[Plan | None, note("if none reaches it, the cheapest in the highest column that one reaches")] = None


def attacks(view: View, parameters: AttacksAsked) -> Report[AttacksResult]:
    """The report on the attacks of a side, each as if it were the only one. Facts missing of one hex do not stop the others.

    Raises InputError where something is hidden from who asks.
    """
    hexes = ranking.targets_of(view, parameters)
    targets, asks = ranking.ranked(view, hexes, Target, partial(target, view), order)
    open_ones = sum(1 for one in targets if one.most)
    said = verdict("figure", "{targets:#hex} to attack", targets=open_ones)
    if not open_ones:
        said = verdict("no", "nothing to attack")
    return Report(
        title=f"Attacks of {view.game.file.the_side(parameters.side)}",
        verdict=said,
        parts=tuple(Part(f"Attack on {one.at}", tuple(lines(one))) for one in targets),
        asks=asks,
        result=AttacksResult(parameters.side, targets),
    )


def target(view: View, at: str) -> Target:
    """One hex with the attacks on it."""
    ways = list(ways_to_attack(view, at))
    if not ways:
        return Target(at=at, barred=("no attack on it is allowed (ask battle)",))
    plans = [plan_of(way) for way in ways]
    return Target(
        at=at,
        plain=strongest(plan for plan in plans if not plan.hq and not plan.supply),
        led=strongest(plan for plan in plans if plan.hq and not plan.supply),
        most=plan_of([*by_column(ways).values()][-1]),
    )


def strongest(plans: Iterable[Plan]) -> Plan | None:
    """The attack with the highest percentage, the first of equals."""
    return max(plans, key=lambda plan: plan.percent, default=None)


def order(target: Target) -> tuple[object, ...]:
    """The place of a hex in the ranking."""
    if not (most := target.most):
        return 1, bool(target.missing), target.at
    return 0, -rank(most.column), len(most.supply), bool(most.hq), -most.percent, target.at


def lines(target: Target) -> Iterator[Step]:
    """The attacks on a hex, a line each, or why there are none."""
    yield from (step("14.4", "{why}", why=why) for why in target.barred)
    yield from (step("14.3", "missing: {how}", how=how) for how in target.missing)
    for plan in dict.fromkeys(filter(None, (target.plain, target.led, target.most))):
        text = "{attack} against {defence}, column {column}: {attackers}"
        text += " with {hq}" if plan.hq else ""
        text += ", expending {supply}" if plan.supply else ""
        text += " (concentric)" if plan.concentric else ""
        text += " (Shock table possible)" if plan.shock else ""
        yield step("14.13", text, plan)


def need(view: View, parameters: NeedParameters) -> Report[NeedResult]:
    """The report on what a column needs.

    Raises InputError for a column that the tables do not have and where nothing attacks, MissingFacts for what is not stated.
    """
    at, wanted = parameters.at, column_named(parameters.column)
    found = by_column(ways_to_attack(view, at))
    plan = trimmed(view, found[wanted], wanted) if wanted in found else None
    best = None if plan or not found else plan_of([*found.values()][-1])
    result = NeedResult(at=at, column=wanted, plan=plan, best=best)
    said, steps = verdict("no", "no attack on {at} is allowed", result), list[Step]()
    if best:
        said = verdict("no", "the largest attack reaches column {column}: {attackers}", best)
    if plan:
        said = verdict("yes", "{attackers}: {attack} against {defence}, column {column}", plan)
        clauses = [
            (True, "14.13", "{attackers} attack, none of which can be withheld"),
            (plan.hq, "14.8", "{hq} supports the attack"),
            (plan.supply, "14.8", "{supply} expended for Maximum Attack Supply"),
            (plan.concentric, "14.8", "the attack is concentric"),
        ]
        steps = holding(clauses, plan)
    parts = (Part("Attack", tuple(steps)),)
    return Report(title=f"Column {wanted} against {at}", verdict=said, parts=parts, result=result)


def column_named(text: str) -> str:
    """The column of a name or of a whole percentage. Raises InputError for neither."""
    if text in COLUMNS.names:
        return text
    if text.isascii() and text.isdecimal() and len(text) < 5:
        return COLUMNS.of(int(text))
    raise InputError(f"{text!r} is not a column", hint=suggested(text, COLUMNS.names))


# --- the search ---------------------------------------------------------------------------------------------------------

Attack = tuple[BattleParameters, Engagement]


def by_column(ways: Iterable[Way[Attack, int]]) -> dict[str, Way[Attack, int]]:
    """For each column that can be reached, the cheapest way that reaches or passes it, from left to right."""
    found = ranking.cheapest(ways, range(len(COLUMNS.names)))
    return {COLUMNS.names[number]: way for number, way in found.items()}


def ways_to_attack(view: View, at: str) -> Iterator[Way[Attack, int]]:
    """The largest attack on a hex with each Headquarters or none and each set of supply units that the rules allow, the cheapest first: by
    supply units, then without a Headquarters, then by strength. Without a Headquarters each nation attacks apart.

    Raises InputError where nothing attacks and for too many supply units in reach, MissingFacts for what is not stated.
    """
    bare = BattleParameters(at=at)
    everybody, quiet = engage(view, bare), view.unnoticed()
    units = [one.unit for one in everybody.attackers]
    supplies = useful(quiet, bare, helpers(view, everybody.side, SUPPLY))
    apart = [
        replace(bare, withhold=tuple(one.id for one in units if one.nation != nation))
        for nation in sorted({one.nation for one in units})
    ]
    led = [replace(bare, hq=name) for name in helpers(quiet, everybody.side, HEADQUARTERS)]
    for count in range(len(supplies) + 1):
        for battle in (*apart, *led):
            for chosen in combinations(supplies, count):
                parameters = replace(battle, supply=chosen)
                if combat := allowed(quiet, parameters):
                    cost = count, bool(battle.hq), -combat.attack
                    yield Way((parameters, combat), rank(combat.column), cost)


def useful(view: View, parameters: BattleParameters, names: Iterable[str]) -> tuple[str, ...]:
    """The supply units that would supply somebody in an attack of all. Raises InputError for too many."""
    tried = {name: engage(view.unnoticed(), replace(parameters, supply=(name,))) for name in names}
    found = tuple(name for name, combat in tried.items() if any(one.supplied for one in combat.attackers))
    if len(found) > MOST_SUPPLY:
        raise InputError(f"{len(found)} supply units reach the attackers", hint="ask battle with those to expend")
    return found


def trimmed(view: View, way: Way[Attack, int], column: str) -> Plan:
    """An attack without the units that it can spare while it reaches a column, the weakest first."""
    parameters, combat = way.what
    for one in sorted(combat.attackers, key=lambda one: (one.strength, one.unit.id)):
        fewer = replace(parameters, withhold=(*parameters.withhold, one.unit.id))
        less = allowed(view.unnoticed(), fewer)
        if less and rank(less.column) >= rank(column):
            parameters, combat = fewer, less
    return plan_of(way._replace(what=(parameters, combat)))


def plan_of(way: Way[Attack, int]) -> Plan:
    """An attack as plain values."""
    parameters, combat = way.what
    return Plan(
        attackers=tuple(one.unit.id for one in combat.attackers),
        hq=parameters.hq or "",
        supply=parameters.supply,
        **{name: getattr(combat, name) for name in ("attack", "defence", "percent", "column", "shock", "concentric")},
    )


QUESTIONS = (
    declare("attacks", "the attacks that a side can make, ranked by column, with what would help", attacks),
    declare("need", "the cheapest attack on a hex that reaches a column", need),
)
