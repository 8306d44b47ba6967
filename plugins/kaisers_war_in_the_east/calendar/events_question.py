"""The questions that a single die settles: `romania`, `revolution`, `psywar` and `scout` (23.1, Optional Rules)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.questions import InputError, note
from assistant.questions.permission import holding, permission, refused
from assistant.questions.play import throw
from assistant.questions.question import Answers, PlaceName, SideName, UnitName, declare
from assistant.questions.report import Part, Report, step, verdict
from assistant.questions.view import View, changed
from assistant.state.changes import AnyChange, Gain

from ..ground.countries import romania_enters
from ..ground.zones import side_of
from ..terms import AIRBASE, ALLIES, DEAD_PILE, HEADQUARTERS
from ..victory.points import CAPS
from . import schedule

BREAKS_OUT = 5
"""The lowest die with which the First Revolution breaks out."""
NAMES = {1: "First", 2: "Second"}
COST = 5
"""Victory Points of a PSYWAR attack."""
RULES = {HEADQUARTERS: "Opt/Fog/3", AIRBASE: "Opt/Fog/4"}
"""Who sees enemy stacks, by which rule."""


# --- Romania ----------------------------------------------------------------------------------------------------------


class Romania(msgspec.Struct, frozen=True, kw_only=True):
    """Whether Romania enters the war."""

    turn: Annotated[int, note("the game turn")]
    enters: Annotated[bool | None, note("whether it enters now, null before the die")] = None
    most: Annotated[int, note("the highest die with which it enters, 0 without one")] = 0
    chance: Annotated[Fraction, note("the chance that it enters")]


def romania(view: View, answers: Answers) -> Report[Romania]:
    """The report on Romania's entry, by the calendar or by the die of the Allied player, and on what follows: who is at war when, and
    what arrives. Rule: 23.1, 23.2, Opt/VarRomania, Opt/VarRomania-arrivals
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
    title = f"Romania in turn {turn}"
    if not schedule.rolls_for_romania(view, turn):
        enters: bool | None = turn == romania_enters(view)
        result = Romania(turn=turn, enters=enters, chance=Fraction(bool(enters)))
        if not enters:
            why = step("23.1", "Romania enters the war in turn {enters}", enters=romania_enters(view))
            return refused(title, "Romania does not enter the war in this turn", [why], result=result)
    else:
        most = schedule.romanian_chance(turn)
        thrown = throw("entry", "Opt/VarRomania", "Romanian entry", lambda die: die <= most, answers)
        enters = thrown.came
        result = Romania(turn=turn, enters=enters, most=most, chance=thrown.chances[True])
        if not enters:
            said = verdict("no", "Romania stays neutral; a die is thrown again next turn")
            if enters is None:
                said = verdict("figure", "Romania enters the war with a chance of {chance:%}", result)
            entry = Part("Entry", (step("Opt/VarRomania", "Romania enters the war on {most} or less", result),))
            return Report(title=title, verdict=said, parts=(entry,), asks=thrown.asks, result=result)
    steps = [
        step("23.1", "the Allies control Romania and its units"),
        step("23.1", "Bulgaria enters the war in the next player turn of the Central Powers"),
    ]
    for row in schedule.rows(view.game, "arrivals", schedule.Arrival):
        if not row.turn and schedule.agreed(view, row.option):
            steps.append(step(row.rule, "{unit} arrives in turn {turn}", row, turn=turn + row.entry))
    return Report(
        title=title,
        verdict=verdict("yes", "Romania enters the war in turn {turn}", result),
        parts=(Part("What follows", tuple(steps)),),
        changes=(changed(view, "romania-enters", "", turn, "23.1"),),
        result=result,
    )


# --- revolutions ------------------------------------------------------------------------------------------------------


class Revolution(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a Revolution breaks out."""

    points: Annotated[int, note("Victory Points of the Allies")]
    number: Annotated[int, note("the Revolutions that are in effect afterwards; as before while the die is not thrown")]
    removed: Annotated[tuple[str, ...], note("units that leave the map")] = ()
    turned: Annotated[tuple[str, ...], note("Headquarters that return to their front side")] = ()


class Effect(msgspec.Struct, frozen=True):
    """What else a Revolution means, in words."""

    number: int
    rule: str
    text: str


def revolution(
    view: View,
    answers: Answers,
    *,
    both: Annotated[bool, note("whether Allied points fell through both 25 and 10 in this turn")] = False,
) -> Report[Revolution]:
    """The report on a Revolution: the First breaks out on 5 or 6, the Second without a die. Rule: Opt/Rev1, Opt/Rev2"""
    with view.gather() as facts:
        turn, points, so_far = facts.integer("turn"), facts.integer("vp", ALLIES), facts.integer("revolution")
    title, result = "Russian Revolution", Revolution(points=points, number=so_far)
    if not schedule.agreed(view, "revolutions"):
        why = step("Opt/Rev1", "Revolutions are an optional rule (options=revolutions)")
        return refused(title, "no Revolution", [why], result=result)
    if schedule.second_revolution(points, so_far, both):
        return broken_out(view, title, points, 2)
    if not schedule.first_revolution_due(turn, points, so_far):
        text = "a die is thrown from 1917 on, at 25 points or fewer, until the First Revolution has come"
        no = "no Revolution is due with {points:#Victory Point}"
        return refused(title, no, [step("Opt/Rev1", text)], result, result=result)
    thrown = throw("revolution", "Opt/Rev1", "Russian Revolution", lambda die: die >= BREAKS_OUT, answers)
    if thrown.came:
        return broken_out(view, title, points, 1)
    said = verdict("no", "no Revolution; a die is thrown again at the start of the next Allied player turn")
    if thrown.came is None:
        text = "the First Revolution breaks out with a chance of {chance:%}"
        said = verdict("figure", text, chance=thrown.chances[True])
    part = Part("Revolution", (step("Opt/Rev1", "it breaks out on {least} or more", least=BREAKS_OUT),))
    return Report(title=title, verdict=said, parts=(part,), asks=thrown.asks, result=result)


def broken_out(view: View, title: str, points: int, number: int) -> Report[Revolution]:
    """The report on a Revolution that breaks out: who leaves, what is turned, how far points may rise.

    The First takes Russian Headquarters off the map that are on their front side, and returns the others to it; the Second takes all units
    of the Allies but Bolsheviks. Rule: Opt/Rev1-effects, Opt/Rev2-effects, Opt/CzLeg, Opt/International
    """
    removed, turned = list[str](), list[str]()
    for unit in view.units():
        if unit.place and not view.board.is_box(unit.place) and view.side_of(unit.id) == ALLIES:
            nation, leads = view.word("nation", unit.id), view.word("arm", unit.id) == HEADQUARTERS
            if (nation == "russian" and leads) if number == 1 else nation != "bolshevik":
                (turned if number == 1 and view.flag("reversed", unit.id) else removed).append(unit.id)
    result = Revolution(points=points, number=number, removed=tuple(removed), turned=tuple(turned))
    rule = f"Opt/Rev{number}-effects"
    changes = [changed(view, "revolution", "", number, rule)]
    changes += [changed(view, "place", unit, DEAD_PILE, rule) for unit in removed]
    changes += [changed(view, "reversed", unit, False, rule) for unit in turned]
    clauses = (
        (removed, rule, "off the map, at no loss of Victory Points: {removed}"),
        (turned, rule, "{turned} return to their front side for good"),
        (True, rule, "the Allies have {cap:#Victory Point} at most from now on"),
    )
    rows = schedule.rows(view.game, "revolutions", Effect)
    effects = [step(row.rule, row.text) for row in rows if row.number == number]
    return Report(
        title=title,
        verdict=verdict("yes", "the {name} Revolution breaks out", name=NAMES[number]),
        parts=(Part("Effects", (*holding(clauses, result, cap=CAPS[number]), *effects)),),
        changes=tuple(changes),
        result=result,
    )


# --- PSYWAR -----------------------------------------------------------------------------------------------------------


class Psywar(msgspec.Struct, frozen=True, kw_only=True):
    """A PSYWAR attack."""

    side: Annotated[str, note("the side that makes it")]
    cost: Annotated[int, note("Victory Points that it costs")]
    left: Annotated[int, note("Victory Points left to the side")]
    die: Annotated[int, note("the die, 0 before it is thrown")] = 0


def psywar(
    view: View, answers: Answers, *, side: Annotated[SideName, note("the side that makes the attack")]
) -> Report[Psywar]:
    """The report on a PSYWAR attack: one die on a table that is printed with the game alone, whose owner reads the result at the die. It costs
    nothing for the Allies after the Second Revolution.

    Rule: Opt/PSYWAR/1, Opt/PSYWAR/2, Opt/International, 5.5
    """
    with view.gather() as facts:
        points, free = facts.integer("vp", side), side == ALLIES and facts.integer("revolution") == 2
    cost, thrown = 0 if free else COST, throw("psywar", "Opt/PSYWAR/2", "PSYWAR Table", int, answers)
    result, rule = Psywar(side=side, cost=cost, left=points - cost, die=thrown.came or 0), "Opt/PSYWAR/1"
    clauses = (
        (not schedule.agreed(view, "psywar"), rule, "PSYWAR is an optional rule (options=psywar)"),
        (view.flag("psywar", side), rule, "the {side} have made their attack of this player turn"),
        (cost and result.left < 1, "5.5", "{cost:#Victory Point} would leave {left}, and at least 1 must remain"),
    )
    steps = [step("Opt/PSYWAR/2", "it costs {cost:#Victory Point}; {left} are left", result)]
    text, changes = "{cost:#Victory Point}; roll 1d6 on the PSYWAR Table", list[AnyChange]()
    if thrown.came:
        read = "read the result of {die} on the printed table; units that it eliminates count as lost"
        steps.append(step("Opt/PSYWAR/2", read, result))
        text = "read the result of {die} on the PSYWAR Table"
        changes = [changed(view, "psywar", side, True, rule)]
        changes += [Gain("vp", side, -cost, "Opt/PSYWAR/2")] if cost else []
    return permission(
        f"PSYWAR attack of the {view.title_of(side)}",
        (text, "this attack is not allowed"),
        [*schedule.out_of_phase(view, side, "mobilization", rule), *holding(clauses, result, side=view.title_of(side))],
        result,
        working={"Attack": steps},
        changes=changes,
        asks=thrown.asks,
        kind="figure",
    )


# --- looking at stacks ------------------------------------------------------------------------------------------------


class Scout(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a stack may be looked at."""

    unit: Annotated[str, note("who looks")]
    distance: Annotated[int, note("hexes to the stack")]
    radius: Annotated[int, note("how far it sees, in hexes")]
    most: Annotated[int, note("the highest die that shows the stack, 6 for an airbase, which needs none")]
    seen: Annotated[bool | None, note("whether the stack is shown, null before the die")] = None


def scout(
    view: View,
    answers: Answers,
    *,
    unit: Annotated[UnitName, note("a Headquarters or an airbase")],
    at: Annotated[PlaceName, note("the hex of the enemy stack")],
) -> Report[Scout]:
    """The report on a look at a stack, which zones of control do not hinder: a Headquarters throws a die against its support strength, an
    airbase needs none. Rule: Opt/Fog/3, Opt/Fog/4
    """
    who, hint = view.unit(unit), "name a Headquarters or an airbase on the map"
    with view.gather() as facts:
        arm, side = facts.word("arm", unit), side_of(facts, who)
        if arm not in ("", *RULES):
            raise InputError(f"unit: {unit} is neither a Headquarters nor an airbase", hint=hint)
        if who.place is None or view.board.is_box(who.place):
            raise InputError(f"unit: {unit} is not on the map", hint=hint)
        staff, alone = arm == HEADQUARTERS, all(side_of(facts, one) == side for one in view.stack(at))
        radius = facts.integer(view.side_up("radius", unit), unit)
        most = facts.integer(view.side_up("attack", unit), unit) if staff else 6
    distance = view.board.distance(who.place, at)
    thrown = throw("scout", "Opt/Fog/3", "HQ staff", lambda die: die <= most, answers)
    away = "{at} is {distance:#hex} away: its radius is {radius}"
    airless = not staff and not schedule.agreed(view, "air-units")
    clauses = (
        (not schedule.agreed(view, "fog-of-war"), "Opt/Fog/1", "that belongs to an optional rule (options=fog-of-war)"),
        (airless, "Opt/Fog/4", "airbases are an optional rule (options=air-units)"),
        (alone, "Opt/Fog/3", "no enemy stands in {at}"),
        (distance > radius, RULES[arm], away),
    )
    result = Scout(unit=unit, distance=distance, radius=radius, most=most)
    reasons = [*schedule.out_of_phase(view, side, "movement", "Opt/Fog/3"), *holding(clauses, result, at=at)]
    if not reasons:
        result = msgspec.structs.replace(result, seen=thrown.came if staff else True)
    text = "the stack is shown" if result.seen else "the stack is not shown"
    return permission(
        f"{unit} and the stack in {at}",
        ("it is shown on {most} or less" if result.seen is None else text, "{unit} does not see it"),
        reasons,
        result,
        working={"Look": [step(RULES[arm], away, result, at=at)]},
        asks=thrown.asks if staff else (),
        kind="figure" if result.seen is None else "yes" if result.seen else "no",
    )


QUESTIONS = (
    declare("romania", "whether Romania enters the war in this turn", romania, {"entry": "the die for its entry"}),
    declare(
        "revolution",
        "whether a Russian Revolution breaks out, and what it does",
        revolution,
        {"revolution": "the die for the First Revolution"},
    ),
    declare(
        "psywar",
        "whether a side may make a PSYWAR attack, and what it costs",
        psywar,
        {"psywar": "the die on the PSYWAR Table"},
    ),
    declare(
        "scout", "whether a Headquarters or an airbase sees an enemy stack", scout, {"scout": "the die of the HQ staff"}
    ),
)
