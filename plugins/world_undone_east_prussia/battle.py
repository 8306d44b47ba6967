"""The questions of an attack: `battle`, before its die and after it; `attacks`, every hex that a side can attack; and
`need`, the cheapest attack that reaches an odds column (6.0 to 6.4).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated

from assistant.field.places import hexes_with
from assistant.mechanics.effects import Fought
from assistant.mechanics.odds import OddsColumns
from assistant.questions import Part, View, holding, note, step
from assistant.questions.what_if import next_column
from assistant.readymade import battle as readymade
from assistant.readymade.attacks import AttackNumbers, AttackRules, Plan, attack_questions
from assistant.state.changes import AnyChange

from . import combat as rules
from . import terms
from .combat import BattleParameters, Engagement
from .forces import eliminate
from .ground import fortress

COMBATS = readymade.Combats(rules.engage, rules.refusals)
Described = readymade.Described[BattleParameters, Engagement]


class Battle(readymade.Battle, frozen=True, kw_only=True):
    """An attack: its strengths, its chances before the die, and its result after it."""

    combat: Annotated[Engagement, note("who fights at what odds")]
    lost: Annotated[tuple[str, ...], note("the units that are eliminated, in order")] = ()


def read(view: View, asked: BattleParameters) -> readymade.Attack[Engagement]:
    """The combat that a player describes, on the table of the attacking side."""
    combat = rules.engage(view, asked)
    table = readymade.chart_table(
        view, f"{combat.side}-table", combat.column, combat.modifiers, name=view.title_of(combat.side)
    )
    parts = [strength_part(combat), due_part(combat)]
    return readymade.Attack(combat, [table], parts, rules.refusals(view, asked, combat))


def weigh_changes(view: View, asked: BattleParameters, combat: Engagement) -> readymade.Sensitivity:
    """What would change the column."""
    columns = readymade.odds_columns(view, f"{combat.side}-table")
    near = next_column(lambda attack: columns.of(attack, max(combat.defence, 1)), combat.attack)
    units = [unit.unit for unit in combat.attackers if unit.strength]
    return readymade.Sensitivity(near, COMBATS.columns_without(view, asked, units), ())


def settle(view: View, combat: Engagement, fought: Fought[str]) -> readymade.Settled:
    """What a result has led to: who is lost, who retreats, and whether anyone may advance."""
    steps = [step("6.4", "{unit} is eliminated", unit=unit) for unit in fought.fates]
    retreating, advances = rules.retreating(combat, fought.code), rules.may_advance(combat, fought.code)
    return readymade.Settled(fought.fates, steps, retreating, advances, partial(changes_of, view, combat, fought.fates))


def changes_of(view: View, combat: Engagement, lost: Sequence[str]) -> Iterator[AnyChange]:
    """What a combat changes in the position."""
    with view.gather() as facts:
        marks = [*rules.marks_of(facts, combat, lost), *rules.duty_done(facts, combat)]
    for unit in lost:
        yield from eliminate(view, unit, "6.4")
    yield from marks


# --- words ------------------------------------------------------------------------------------------------------------


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


# --- attacks ----------------------------------------------------------------------------------------------------------


def attacks_on(view: View, at: str) -> Iterator[Described]:
    """The attack of all units that can on a hex, if the rules allow it."""
    return COMBATS.attack(view, BattleParameters(at=(at,)))


def plan_of(attack: Described) -> Plan:
    """An attack as plain values."""
    combat = attack.combat
    drm = sum(modifier.amount for modifier in combat.modifiers)
    return Plan(
        attackers=tuple(unit.unit for unit in combat.attackers),
        attack=combat.attack,
        defence=combat.defence,
        column=combat.column,
        remarks=(f"die {drm:+}",) if drm else (),
    )


def weakest_first(attack: Described) -> list[str]:
    """The units of an attack, those first that add least to it."""
    return [unit.unit for unit in sorted(attack.combat.attackers, key=lambda unit: (unit.strength, unit.unit))]


def lone_fortresses(view: View, side: str) -> list[str]:
    """The fortresses without a garrison that a side can attack. Rule: 6.0/attack"""
    every = hexes_with(view, "fortress") if side == terms.RUSSIAN else ()
    return [at for at in every if fortress(view, at) and not view.stack(at)]


QUESTIONS = (
    readymade.battle_question(
        "odds column, modifiers and chances of an attack, or what its die leads to",
        BattleParameters,
        readymade.BattleRules(
            result=Battle,
            read=read,
            sensitivity=weigh_changes,
            fight=lambda view, asked, combat, code: readymade.Fight(
                rules.effects_of(combat), partial(settle, view, combat)
            ),
            where=lambda combat: [unit.place for unit in combat.attackers],
            rules=readymade.BattleNumbers("6.0", "6.0", "6.4", "6.5", "6.6"),
            following=readymade.Following("advance", "advance"),
        ),
        {"die": "the die on the Combat Results Table", "attacker.pay": "the units that the attacker eliminates"},
    ),
    *attack_questions(
        AttackRules(
            OddsColumns(),
            attacks_on,
            plan_of,
            weakest_first,
            COMBATS.without,
            AttackNumbers("6.0", "6.0"),
            lone_fortresses,
        )
    ),
)
