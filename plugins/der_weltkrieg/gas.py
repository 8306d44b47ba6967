"""The questions `gas`, on counters gained and lost, and `gas-attack`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    Answers,
    Parameters,
    Report,
    SideName,
    Step,
    View,
    changed,
    declare,
    holding,
    note,
    permission,
    step,
    throw,
)
from assistant.asking.play import refuse_others, throw_each
from assistant.mechanics.procedure import Dice

from .ground import find_rows
from .terms import CENTRAL_POWERS, Count, format_nation, format_turn, read_campaign_calendar, read_rows, turn_now

TWO_DICE = Dice(2, 6)
GAIN_ROLLS = {CENTRAL_POWERS: (2, 12), "entente": (2,)}
LOSS_ROLLS = {CENTRAL_POWERS: (2, 3, 12), "entente": (2, 3, 4, 11, 12)}
"""The rolls by which a side loses a gas counter that it held before."""
MAJOR = "major effect"
CATASTROPHIC = "catastrophic effect"
"""The name in `tables/gas.csv` of an effect that, like `MAJOR`, may force the defender to retreat."""
SHELTERS = ("rough", "wooded-rough", "mountain")
"""The terrain that protects the defender from gas."""


class GasRolls(msgspec.Struct, frozen=True, kw_only=True):
    """The gas counters of a side in a special turn."""

    held: Annotated[int, note("counters before it")]
    gained: Annotated[bool | None, note("whether one is gained, null until rolled")] = None
    lost: Annotated[bool | None, note("whether one is lost, null without one or until rolled")] = None
    left: Annotated[int | None, note("counters after it, null until rolled")] = None


def gas(view: View, answers: Answers, *, side: SideName) -> Report[GasRolls]:
    """Return the report on a side's gas rolls in a special turn.

    Rule: 18-1, 18-2
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    held = view.integer("gas", side)
    clauses = (
        (
            read_campaign_calendar(view).turn_of_month(turn),
            "18-1",
            "gas is rolled for in a special turn, and this is {turn}",
        ),
    )
    reasons = holding(clauses, turn=format_turn(view, turn))
    if reasons:
        refuse_others(answers, [], "; ".join(reason.text for reason in reasons))
        return permission("Gas", ("", "no gas is rolled for"), reasons, GasRolls(held=held))
    rolls = {"gain": "a new gas counter"}
    if held:
        rolls["loss"] = "the loss of a gas counter from an earlier month"
    totals, asks = throw_each(rolls, "18-1", answers, dice=TWO_DICE)
    gained = totals["gain"] in GAIN_ROLLS[side] if "gain" in totals else None
    lost = totals["loss"] in LOSS_ROLLS[side] if "loss" in totals else None
    left = None
    if not asks:
        left = held + (1 if gained else 0) - (1 if lost else 0)
    text = "{side} has {left:#gas counter}" if left is not None else "{side} rolls for gas"
    working = [
        step("18-1", "a counter is gained on {numbers}", numbers=[*GAIN_ROLLS[side]]),
        *holding([(held, "18-2", "one is lost on {numbers}")], numbers=[*LOSS_ROLLS[side]]),
    ]
    changes = []
    if left is not None and left != held:
        changes.append(changed(view, "gas", side, left, "18-2" if lost else "18-1"))
    return permission(
        "Gas",
        (text, ""),
        [],
        GasRolls(held=held, gained=gained, lost=lost, left=left),
        side=format_nation(view, side),
        kind="figure",
        asks=asks,
        changes=changes,
        working={"The dice": working},
    )


class GasEffect(msgspec.Struct, frozen=True):
    """An effect of gas, with its range of rolls."""

    rule: str
    least: int
    most: int
    name: str
    """The effect of gas."""
    attack: int | None = None
    counterattack: int | None = None
    text: str = ""


class GasAttack(msgspec.Struct, frozen=True, kw_only=True):
    """The effect of gas in an attack."""

    effect: Annotated[str, note("what it does, empty until rolled")] = ""
    attack: Annotated[int | None, note("the DRM on the attack, null without an attack")] = None
    counterattack: Annotated[int | None, note("the DRM on the counterattack")] = None
    column: Annotated[
        int | None, note("the strength whose column of the 1914-1916 table gives the attacker's loss")
    ] = None
    retreat: Annotated[
        bool | None, note("whether the defender has to retreat, null unless his losses and strength are stated")
    ] = None
    chances: Annotated[dict[str, Fraction], note("the chance of each effect")] = {}
    allowed: Annotated[bool | None, note("whether the counter may be placed")] = None


def effect_of(total: int) -> GasEffect:
    """Return the effect of gas by the total of two dice.

    Rule: 18-4/2-3, 18-4/4-5, 18-4/6-8, 18-4/9-10, 18-4/11-12
    """
    return next(row for row in read_rows("gas", GasEffect) if row.least <= total <= row.most)


def must_retreat(row: GasEffect, losses: int, infantry: int) -> bool:
    """Return whether gas forces the defender to retreat.

    `losses`: the defender's losses.
    `infantry`: the defender's infantry strength.

    Rule: 18-4/9-10, 18-4/11-12
    """
    is_heavy = row.name == MAJOR and 2 * losses > infantry
    return is_heavy or (row.name == CATASTROPHIC and losses > 0)


class GasAttackParameters(Parameters, frozen=True, kw_only=True):
    """The parameters of `gas-attack`."""

    side: SideName
    terrain: Annotated[tuple[str, ...], note("terrain that the defender could use, as `terrain` names it", "name")] = ()
    trench: Annotated[bool, note("whether the hex has an enemy trench or Hindenburg Line marker")] = True
    counters: Annotated[Count, note("gas counters that are placed on the attack")] = 1
    strength: Annotated[Count, note("the attacking strength, for the column if gas contaminates the attacker")] = 0
    losses: Annotated[Count, note("strength that the defender loses by the table")] = -1
    infantry: Annotated[Count, note("infantry strength of the defender")] = -1
    phase: Annotated[Literal["before", "after"], note("whether supply points have been spent on the attack")] = "after"


GasAttackParameters.__name__ = "Gas-AttackParameters"  # the name in the JSON schema of the question


def shelters_in(terrain: tuple[str, ...]) -> list[str]:
    """Return the shelters from gas in the terrain.

    Rule: 18-3
    """
    return [row.terrain for row in find_rows(terrain) if row.terrain in SHELTERS]


def list_effects(row: GasEffect, asked: GasAttackParameters, column: int | None, retreat: bool | None) -> list[Step]:
    """Return steps for an effect of gas on an attack and on the defender.

    Rule: 18-4
    """
    clauses = [
        (row.attack is not None, row.rule, "{attack:+d} on the attack, {counterattack:+d} on the counterattack"),
        (row.text, row.rule, "{text}"),
        (column is not None, row.rule, "{strength} / 3 is the column of {column}"),
        (retreat, row.rule, "{losses} of {infantry} lost: the defender retreats"),
    ]
    figures = {"strength": asked.strength, "losses": asked.losses, "infantry": asked.infantry}
    return holding(clauses, row, column=column, **figures)


def gas_attack(view: View, asked: GasAttackParameters, answers: Answers) -> Report[GasAttack]:
    """Return the report on gas in an attack.

    Rule: 18-3, 18-4
    """
    held = view.integer("gas", asked.side)
    closed = shelters_in(asked.terrain)
    clauses = (
        (not held, "18-3", "{side} has no gas counter"),
        (asked.counters > 1, "18-3", "one gas counter may be used in an attack"),
        (not asked.trench, "18-3", "the hex has no enemy trench"),
        (closed, "18-3", "the defender could use {closed}"),
    )
    reasons = holding(clauses, side=format_nation(view, asked.side), closed=closed)
    if reasons:
        refuse_others(answers, [], "; ".join(reason.text for reason in reasons))
        return permission("Gas attack", ("", "the gas counter may not be placed"), reasons, GasAttack())
    if asked.phase == "before":
        refuse_others(answers, [], "the effect is rolled after the attacker has spent his supply points")
    thrown = throw("gas", "18-4", "the effect of gas", lambda total: effect_of(total).name, answers, dice=TWO_DICE)
    chances = dict(thrown.chances)
    if thrown.came is None:
        return permission(
            "Gas attack",
            ("the gas counter may be placed", ""),
            [],
            GasAttack(chances=chances),
            asks=thrown.asks if asked.phase == "after" else (),
        )
    row = next(row for row in read_rows("gas", GasEffect) if row.name == thrown.came)
    column = asked.strength // 3 if asked.strength and row.attack is None else None
    is_stated = min(asked.losses, asked.infantry) >= 0 and row.attack is not None
    retreat = must_retreat(row, asked.losses, asked.infantry) if is_stated else None
    return permission(
        "Gas attack",
        ("gas: {effect}", ""),
        [],
        GasAttack(
            effect=row.name,
            attack=row.attack,
            counterattack=row.counterattack,
            column=column,
            retreat=retreat,
            chances=chances,
        ),
        kind="figure",
        changes=[changed(view, "gas", asked.side, held - 1, "18-3")],
        working={"What it does": [*list_effects(row, asked, column, retreat), step("18-3", "the counter is spent")]},
    )


QUESTIONS = (
    declare(
        "gas",
        "the gas counters that a side gains and loses in a special turn",
        gas,
        {"gain": "two dice", "loss": "two dice"},
    ),
    declare("gas-attack", "may a gas counter be placed, and what the dice make of it", gas_attack, {"gas": "two dice"}),
)
