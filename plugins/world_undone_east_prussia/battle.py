"""The questions of an attack: `battle`, before its die and after it; `attacks`, every hex that a side can attack; and
`need`, the cheapest attack that reaches an odds column (6.0 to 6.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated

from assistant.field.places import hexes_with
from assistant.mechanics.effects import Fought
from assistant.questions import Part, View, holding, note, step
from assistant.readymade import battle as readymade
from assistant.readymade.battle import BattleNumbers, Fight, Following, Settled
from assistant.readymade.odds_battle import OddsRules, odds_questions
from assistant.state.changes import AnyChange

from . import combat as rules
from . import terms
from .combat import BattleParameters, Engagement
from .forces import eliminate
from .ground import fortress


class Battle(readymade.Battle, frozen=True, kw_only=True):
    """An attack: its strengths, its chances before the die, and its result after it."""

    combat: Annotated[Engagement, note("who fights at what odds")]
    lost: Annotated[tuple[str, ...], note("the units that are eliminated, in order")] = ()


def settle(view: View, combat: Engagement, fought: Fought[str]) -> Settled:
    """What a result has led to: who is lost, who retreats, and whether anyone may advance."""
    steps = [step("6.4", "{unit} is eliminated", unit=unit) for unit in fought.fates]
    retreating, advances = rules.retreating(combat, fought.code), rules.may_advance(combat, fought.code)
    return Settled(fought.fates, steps, retreating, advances, partial(changes_of, view, combat, fought))


def changes_of(view: View, combat: Engagement, fought: Fought[str]) -> Iterator[AnyChange]:
    """What a combat changes in the position."""
    with view.gather() as facts:
        marks = [*rules.marks_of(facts, combat, fought), *rules.duty_done(facts, combat)]
    for unit in fought.fates:
        yield from eliminate(view, unit, "6.4")
    yield from marks


def strength_part(combat: Engagement) -> Part:
    """Each strength, the totals and the column."""
    steps = []
    for unit in (*combat.attackers, *combat.defenders):
        rule, halved = ("6.2", ", {strength} without a line of supply") if unit.halved else ("6.1", "")
        steps.append(step(rule, "{unit} in {place}: {sp}" + halved, unit))
    over = [name for names in combat.over.values() for name in names]
    clauses = [
        (combat.fortress, "6.1", "the fortress adds {fortress}"),
        (over, "6.5", "not counted, as it is over the stacking limit: {over}"),
        (True, "6.0", "{attack} against {defence}: column {column}"),
    ]
    steps += holding(clauses, combat, over=over)
    return Part("Strengths", tuple(steps), steps[-1].text)


def due_part(combat: Engagement) -> Part:
    """What else must be attacked, and what an exchange costs the attacker at least."""
    sp, ways = {unit.unit: unit.sp for unit in combat.attackers}, rules.exchanges(combat)
    least = sum(map(sp.__getitem__, ways[0]))
    cheapest = " or ".join(" and ".join(units) for units in ways if sum(map(sp.__getitem__, units)) == least)
    clauses = [
        (combat.also, "6.0", "must be attacked this phase too: {also}"),
        (True, "6.4", "an exchange costs the attacker at least {due} SP: {units} with {least}"),
    ]
    steps = holding(clauses, combat, units=cheapest, least=least)
    return Part("Due", tuple(steps), "; ".join(step.text for step in steps))


def lone_fortresses(view: View, side: str) -> list[str]:
    """The fortresses without a garrison that a side can attack. Rule: 6.0/attack"""
    every = hexes_with(view, "fortress") if side == terms.RUSSIAN else ()
    return [at for at in every if fortress(view, at) and not view.stack(at)]


QUESTIONS = odds_questions(
    "odds column, modifiers and chances of an attack, or what its die leads to",
    OddsRules(
        BattleParameters,
        Battle,
        rules.engage,
        rules.refusals,
        chart=rules.table_of,
        parts=lambda combat: [strength_part(combat), due_part(combat)],
        fight=lambda view, combat: Fight(rules.effects_of(combat), partial(settle, view, combat)),
        attack_on=lambda at: BattleParameters(at=(at,)),
        rules=BattleNumbers(die="6.3", table="6.0", result="6.4", retreat="6.5", pursuit="6.6"),
        following=Following("advance", "advance"),
        places=lone_fortresses,
    ),
    {"die": "the die on the Combat Results Table", "attacker.pay": "the units that the attacker eliminates"},
)
