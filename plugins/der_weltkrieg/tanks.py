"""The questions `breakdown`, `tank-attack` and `tank-stack`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import msgspec

from assistant.asking import Answers, InputError, Parameters, Report, View, declare, holding, note, permission
from assistant.asking.play import throw_each

from .ground import find_rows
from .terms import Allowed, Count, list_remarks, turn_now, year_of

MAX_BREAKDOWN_DICE = {1916: 3, 1917: 2, 1918: 1}
"""The highest die by which a tank strength point breaks down, by year."""
SHELTERS = ("urban", "mountain")
"""Terrain in which tanks do not force a defender to retreat (19-9)."""
BATTALIONS_PER_BRIGADE = 3
"""The number of battalions that a tank brigade counts as, and the maximum in a hex besides other units."""


class Breakdown(msgspec.Struct, frozen=True, kw_only=True):
    """The tank strength points that break down."""

    most: Annotated[int, note("the highest die by which one breaks down, 0 for none")]
    lost: Annotated[int | None, note("how many break down, null until rolled")] = None
    expected: Annotated[Fraction, note("the expected number of points that break down")]


def breakdown(
    view: View,
    answers: Answers,
    *,
    strength: Annotated[int, msgspec.Meta(ge=1, le=60), note("tank strength points that move")],
    by: Annotated[Literal["march", "retreat", "advance", "rail"], note("how they move")] = "march",
) -> Report[Breakdown]:
    """Return the report on tanks that may break down as they move.

    Rule: 19-3, 19-6
    """
    with view.gather() as facts:
        year = year_of(view, turn_now(facts))
    most = 0 if by == "rail" else MAX_BREAKDOWN_DICE.get(year, 0)
    rolls = {f"die.{number}": f"strength point {number}" for number in range(1, strength + 1)} if most else {}
    totals, asks = throw_each(rolls, "19-3", answers)
    lost = None if asks else sum(die <= most for die in totals.values())
    text = "a die for each of {strength:#strength point}: lost on 1 to {most}"
    if lost is not None:
        text = "{lost:#strength point} lost"
    clauses = (
        (by == "rail", "19-3", "tanks that move by rail do not break down"),
        (most, "19-3", "{year}: a point breaks down on {most} or less"),
        (by != "rail" and not most, "19-3", "no breakdown is stated for {year}"),
        (True, "19-6", "tanks do not move by rail and otherwise in one Movement Phase"),
    )
    return permission(
        "Breakdown of tanks",
        (text, ""),
        [],
        Breakdown(most=most, lost=lost, expected=Fraction(strength * most, 6)),
        kind="figure",
        strength=strength,
        asks=asks,
        working={"The dice": holding(clauses, year=year, most=most)},
    )


class TankAttack(msgspec.Struct, frozen=True, kw_only=True):
    """The contribution of tanks to a combat."""

    attack: Annotated[int, note("the strength of the attack with them")]
    retreat: Annotated[bool, note("whether the defender has to retreat")]
    threshold: Annotated[Fraction, note("the losses, with attacking tanks, above which the defender retreats")]
    lost: Annotated[int, note("attacking tank strength that is lost besides")]
    allowed: Annotated[bool | None, note("whether the tanks may attack")] = None


class TankAttackParameters(Parameters, frozen=True, kw_only=True):
    """The parameters of `tank-attack`."""

    attack: Annotated[Count, note("strength of the attack without tanks")]
    tanks: Annotated[Count, note("tank strength that attacks")]
    divisions: Annotated[Count, note("attacking divisions")] = 0
    battalions: Annotated[Count, note("tank battalions that attack")] = 0
    brigades: Annotated[Count, note("tank brigades that attack")] = 0
    infantry: Annotated[Count, note("infantry strength of the defender")] = 0
    defending_tanks: Annotated[Count, note("tank strength of the defender")] = 0
    losses: Annotated[Count, note("losses of the defender by the table")] = 0
    counterattack: Annotated[Count, note("losses of the attacker by the counterattack")] = 0
    terrain: Annotated[str, note("terrain that the defender uses, in the words of the question `terrain`")] = ""
    reduced: Annotated[bool, note("whether extended supply would reduce them")] = False
    column: Annotated[bool, note("whether it is a column attack")] = False


TankAttackParameters.__name__ = "Tank-AttackParameters"  # the name in the JSON schema of the question


def tank_attack(_view: View, asked: TankAttackParameters) -> Report[TankAttack]:
    """Return the report on tanks in a combat.

    Rule: 19-1, 19-2, 19-8, 19-9, 19-10, 19-11, 19-12, 19-13, 19-14, 19-15
    """
    shelters = [row for row in find_rows((asked.terrain,) if asked.terrain else ()) if row.terrain in SHELTERS]
    suffers = bool(asked.counterattack and asked.tanks)
    if suffers and not (asked.divisions and asked.battalions + asked.brigades):
        raise InputError("counterattack: tank losses go by attacking divisions and by battalions or brigades of tanks")
    threshold = asked.infantry + Fraction(asked.defending_tanks, 2)
    count = asked.battalions + BATTALIONS_PER_BRIGADE * asked.brigades
    is_defended = asked.infantry > 0 or asked.defending_tanks > 0
    forced = is_defended and asked.losses + asked.tanks > threshold
    retreat = forced and not shelters
    lost = min(asked.tanks, count * asked.counterattack // asked.divisions) if asked.divisions else 0
    reasons = holding(
        [
            (asked.column, "19-2", "tanks take no part in column attacks"),
            (
                asked.reduced,
                "19-15",
                "no extended line supplies tanks: they neither attack nor counterattack where it would reduce them",
            ),
        ]
    )
    clauses = (
        (True, "19-8", "{base} and {tanks} of tanks: {attack}"),
        (is_defended, "19-9", "losses of {losses} and {tanks} attacking tank points against {threshold}"),
        (asked.defending_tanks, "19-12", "defending tanks count in full in the counterattack, and half here"),
        (asked.defending_tanks, "19-13", "they are lost only after all infantry strength"),
        (forced and not retreat, "19-9", "{terrain} keeps the defender in place"),
        (retreat, "19-9", "the defender retreats"),
        (retreat, "19-10", "the tanks may advance into the hex"),
        (suffers, "19-11", "{count} tank battalions by {divisions} divisions times {counterattack}: {lost}"),
        (
            asked.defending_tanks and asked.tanks,
            "19-14",
            (
                "tanks against tanks: a second counterattack by the defending tanks alone, whose losses only "
                "attacking tanks take"
            ),
        ),
    )
    found = TankAttack(attack=asked.attack + asked.tanks, retreat=retreat, threshold=threshold, lost=lost)
    figures = {
        "divisions": asked.divisions,
        "counterattack": asked.counterattack,
        "losses": asked.losses,
        "terrain": asked.terrain,
    }
    working = holding(clauses, found, base=asked.attack, tanks=asked.tanks, count=count, **figures)
    return permission(
        "Tanks in a combat",
        (
            "{attack} in all; {lost:#tank point} lost" + ("; the defender retreats" if retreat else ""),
            "the tanks may not attack",
        ),
        reasons,
        found,
        kind="figure",
        working={"Tanks": working},
    )


def tank_stack(
    *,
    battalions: Annotated[Count, note("tank battalions in the hex")] = 0,
    brigades: Annotated[Count, note("tank brigades in the hex")] = 0,
    headquarters: Annotated[bool, note("whether a friendly HQ is there")] = False,
    zone: Annotated[bool, note("whether the hex is in an enemy ZOC")] = False,
    rail: Annotated[bool, note("of rail-based units: whether the hex has an active friendly rail line")] = True,
    column: Annotated[bool, note("whether they move by column")] = False,
) -> Report[Allowed]:
    """Return the report on tanks in a hex, besides its other units.

    Rule: 19-2, 19-7, 20-1, 20-2
    """
    most = 2 if headquarters and not zone else 1
    clauses = (
        (battalions > BATTALIONS_PER_BRIGADE, "19-7", "{battalions} tank battalions are more than three"),
        (brigades > most, "19-7", "{brigades} tank brigades are more than {most}"),
        (battalions and brigades, "19-7", "it is battalions or a brigade"),
        (column, "19-2", "tanks do not move by column"),
        (not rail, "20-1", "a rail-based unit off an active friendly rail line is lost (20-2)"),
    )
    reasons = holding(clauses, battalions=battalions, brigades=brigades, most=most)
    return permission(
        "Tanks in a hex",
        ("they may stand there", "they may not stand there"),
        reasons,
        Allowed(),
        working={"Limits": list_remarks("tank-stack")},
    )


QUESTIONS = (
    declare(
        "breakdown", "tanks that break down as they move", breakdown, {"die.NUMBER": "a die for each strength point"}
    ),
    declare(
        "tank-attack", "what tanks add to a combat, whether the defender retreats, and what they lose", tank_attack
    ),
    declare("tank-stack", "may these tanks be in a hex", tank_stack),
)
