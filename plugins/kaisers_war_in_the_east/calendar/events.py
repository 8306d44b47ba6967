"""Events that a die decides: the questions `romania`, `revolution`, `psywar` and `scout`.

Rules 5.5, 23.1, 23.2 and Optional Rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec

from assistant.asking import InputError, note
from assistant.asking.permission import DieRow, bars_by_option, holding
from assistant.asking.play import certain, refuse_others
from assistant.asking.question import Answers, PlaceName, SideName, UnitName
from assistant.asking.report import Report, Step, step
from assistant.asking.view import View, changed, turned_over
from assistant.game.schedule_files import read_schedules
from assistant.rules.arrivals import units_of_rows
from assistant.rules.field import side_of
from assistant.state.changes import AnyChange, Gain
from assistant.util.datafiles import read_records

from ..ground import romania_enters
from ..seasons import is_settled, settle
from ..terms import AIRBASE, ALLIES, DEAD_PILE, HEADQUARTERS, Cost
from ..victory.points import ALLIED_CAPS
from . import schedule

DICE = {row.question: row for row in read_records(Path(__file__).parent.parent / "dice.csv", DieRow)}
"""The questions that a single die decides."""
ROLLED = "the die has been rolled this turn"
REVOLUTION_NAMES = {1: "First", 2: "Second"}
PSYWAR_COST = 5
"""Victory Points of a PSYWAR attack."""
SCOUTING_RULES = {HEADQUARTERS: "Opt/Fog/3", AIRBASE: "Opt/Fog/4"}
"""The rule by which units see enemy stacks, by unit type."""


class Romania(msgspec.Struct, frozen=True, kw_only=True):
    """Whether Romania enters the war."""

    turn: Annotated[int, note("the game turn")]
    enters: Annotated[bool | None, note("whether Romania enters now, null until rolled")] = None
    most: Annotated[int, note("the highest die roll with which Romania enters, 0 if no die is rolled")] = 0
    chance: Annotated[Fraction, note("the chance that Romania enters")]


def judge_romania(view: View, answers: Answers) -> Report[Romania]:
    """Return the report on Romania's entry, by the calendar or by a die, and on its consequences.

    Rule: 23.1, 23.2, Opt/VarRomania, Opt/VarRomania-arrivals
    """
    with view.gather() as facts:
        turn = facts.integer("turn")
    row = DICE["romania"]
    due = romania_enters(view)
    rolled = is_settled(view, "romania")
    most = schedule.romanian_chance(turn) if schedule.is_rolled_for_romania(view, turn) and not rolled else 0
    thrown = row.throw(lambda die: die <= most, answers) if most else certain(turn == due)
    if not most and thrown.came:
        refuse_others(answers, [])
    result = Romania(turn=turn, enters=thrown.came, most=most, chance=thrown.chances.get(True, Fraction(0)))
    working = {"Entry": [step("Opt/VarRomania", "Romania enters the war on {most} or less", result)]}
    if thrown.came:
        working = {"What follows": [*list_romanian_effects(view, turn)]}
    changes = [changed(view, "romania-enters", "", turn, "23.1")] if thrown.came else []
    if most and thrown.came is False:
        changes.append(settle(view, "romania", "Opt/VarRomania"))
    clauses = (
        (rolled, "Opt/VarRomania", ROLLED),
        (not (most or thrown.came or rolled), "23.1", "Romania enters the war in turn {enters}"),
    )
    reasons = holding(clauses, enters=due)
    return row.report(f"Romania in turn {turn}", reasons, thrown, result, working=working, changes=changes)


def list_romanian_effects(view: View, turn: int) -> Iterator[Step]:
    """Yield the consequences of Romania's entry in a turn. Rule: 23.1, 23.2, Opt/VarRomania-arrivals"""
    yield step("23.1", "the Allies control Romania and its units")
    yield step("23.1", "Bulgaria enters the war in the next player turn of the Central Powers")
    entered = view.after([changed(view, "romania-enters", "", turn, "23.1")])
    schedules = read_schedules(view.game)
    counted = schedules.where(lambda row: row in schedules.counted)
    for coming in units_of_rows(view.game, counted, schedule.fact_of(entered)):
        yield step(coming.rule, "{unit} arrives in turn {turn}", coming)


class Revolution(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a Revolution breaks out."""

    points: Annotated[int, note("Victory Points of the Allies")]
    number: Annotated[int, note("the Revolutions in effect afterwards; as before until the die is rolled")]
    removed: Annotated[tuple[str, ...], note("units that leave the map")] = ()
    turned: Annotated[tuple[str, ...], note("Headquarters that return to their front side")] = ()


class Effect(msgspec.Struct, frozen=True):
    """A further effect of a Revolution, in words."""

    number: int
    rule: str
    text: str


def judge_revolution(
    view: View,
    answers: Answers,
    *,
    both: Annotated[bool, note("whether Allied Victory Points fell past both 25 and 10 this turn")] = False,
) -> Report[Revolution]:
    """Return the report on a Revolution: the First by a die, the Second without one. Rule: Opt/Rev1, Opt/Rev2"""
    with view.gather() as facts:
        turn = facts.integer("turn")
        points = facts.integer("vp", ALLIES)
        so_far = facts.integer("revolution")
    agreed = schedule.is_agreed(view, "revolutions")
    second = agreed and schedule.is_second_revolution_due(points, so_far, both=both)
    due = agreed and not second and schedule.is_first_revolution_due(turn, points, so_far)
    rolled = due and is_settled(view, "revolution")
    rolls = due and not rolled
    row = DICE["revolution"]
    number = 2 if second else 1
    thrown = row.throw(lambda die: die in row.faces_for(), answers) if rolls else certain(second)
    if second:
        refuse_others(answers, [])
    result = Revolution(points=points, number=so_far)
    working = {"Revolution": [step("Opt/Rev1", "it breaks out on {least} or more", least=row.faces_for()[0])]}
    changes = list[AnyChange]()
    if thrown.came:
        result = break_out(view, points, number)
        working = {"Effects": [*_list_effects(view, result)]}
        changes = [*_list_changes(view, result)]
    if rolls and thrown.came is False:
        changes.append(settle(view, "revolution", "Opt/Rev1"))
    undue = "a die is rolled only from 1917 on, at 25 Victory Points or fewer, until the First Revolution breaks out"
    clauses = (
        (not agreed, "Opt/Rev1", "Revolutions are an optional rule (options=revolutions)"),
        (agreed and not second and not due, "Opt/Rev1", undue),
        (rolled, "Opt/Rev1", ROLLED),
    )
    more: dict[str, Any] = {} if agreed else {"forbidden": "no Revolution"}
    more |= {
        "working": working,
        "changes": changes,
        "name": REVOLUTION_NAMES[number],
        "chance": thrown.chances.get(True),
    }
    return row.report("Russian Revolution", holding(clauses), thrown, result, **more)


def break_out(view: View, points: int, number: int) -> Revolution:
    """Return the effects of a Revolution: the units that leave the map or turn to another side.

    The First removes Russian Headquarters on their front side, and turns the others to it. The Second removes all
    Allied units except Bolsheviks.

    `points`: the Allied Victory Points.
    `number`: 1 for the First Revolution, 2 for the Second.

    Rule: Opt/Rev1-effects, Opt/Rev2-effects, Opt/CzLeg, Opt/International
    """
    removed = list[str]()
    turned = list[str]()
    for unit in view.units():
        if unit.place and not view.board.is_box(unit.place) and view.side_of(unit.id) == ALLIES:
            nation = view.word("nation", unit.id)
            leads = view.word("arm", unit.id) == HEADQUARTERS
            if (nation == "russian" and leads) if number == 1 else nation != "bolshevik":
                (turned if number == 1 and view.flag("reversed", unit.id) else removed).append(unit.id)
    return Revolution(points=points, number=number, removed=tuple(removed), turned=tuple(turned))


def _list_effects(view: View, revolution: Revolution) -> Iterator[Step]:
    number = revolution.number
    rule = f"Opt/Rev{revolution.number}-effects"
    clauses = (
        (revolution.removed, rule, "off the map, at no cost in Victory Points: {removed}"),
        (revolution.turned, rule, "{turned} return to their front side for good"),
        (True, rule, "from now on the Allies may have at most {cap:#Victory Point}"),
    )
    yield from holding(clauses, revolution, cap=ALLIED_CAPS[number])
    for row in schedule.read_rows(view.game, "revolutions", Effect):
        if row.number == number:
            yield step(row.rule, row.text)


def _list_changes(view: View, revolution: Revolution) -> Iterator[AnyChange]:
    number = revolution.number
    rule = f"Opt/Rev{revolution.number}-effects"
    yield changed(view, "revolution", "", number, rule)
    for unit in revolution.removed:
        yield changed(view, "place", unit, DEAD_PILE, rule)
    for unit in revolution.turned:
        yield from turned_over(view, "reversed", unit, False, rule)


class Psywar(msgspec.Struct, frozen=True, kw_only=True):
    """A PSYWAR attack."""

    side: Annotated[str, note("the side that makes the attack")]
    cost: Cost
    left: Annotated[int, note("Victory Points left to the side")]
    die: Annotated[int, note("the die roll, 0 until rolled")] = 0


def attack_by_psywar(
    view: View, answers: Answers, *, side: Annotated[SideName, note("the side that makes the attack")]
) -> Report[Psywar]:
    """Return the report on a PSYWAR attack: a die on a printed table, which the owner of the game reads.

    It costs the Allies nothing after the Second Revolution. With fog of war the owner may have entered the number of
    enemy stacks that each result opens.

    Rule: Opt/PSYWAR/1, Opt/PSYWAR/2, Opt/International, Opt/Fog/7, 5.5
    """
    with view.gather() as facts:
        points = facts.integer("vp", side)
        free = side == ALLIES and facts.integer("revolution") == 2
    row = DICE["psywar"]
    cost = 0 if free else PSYWAR_COST
    thrown = row.throw(int, answers)
    result = Psywar(side=side, cost=cost, left=points - cost, die=thrown.came or 0)
    rule = "Opt/PSYWAR/1"
    clauses = (
        (not schedule.is_agreed(view, "psywar"), rule, "PSYWAR is an optional rule (options=psywar)"),
        (view.flag("psywar", side), rule, "the {side} have already made their PSYWAR attack this player turn"),
        (cost and result.left < 1, "5.5", "{cost:#Victory Point} would leave {left}, but at least 1 must remain"),
    )
    spent = step("Opt/PSYWAR/2", "it costs {cost:#Victory Point}, leaving {left}", result)
    read = "read the result of {die} on the printed table; units that it eliminates count as lost"
    attack = [spent]
    changes = list[AnyChange]()
    if thrown.came:
        attack.append(step("Opt/PSYWAR/2", read, result))
        cell = view.cell("psywar", thrown.came) if schedule.is_agreed(view, "fog-of-war") else None
        if cell and (stacks := cell.values["stacks"]):
            text = "{stacks:#enemy stack} may be examined: state HEX examined={side}"
            attack.append(step("Opt/Fog/7", text, result, stacks=stacks))
        changes = [changed(view, "psywar", side, True, rule)]
        if cost:
            changes.append(Gain("vp", side, -cost, "Opt/PSYWAR/2"))
    title = f"PSYWAR attack of the {view.title_of(side)}"
    name = view.title_of(side)
    reasons = [*schedule.bars_by_phase(view, side, "mobilization", rule), *holding(clauses, result, side=name)]
    return row.report(title, reasons, thrown, result, working={"Attack": attack}, changes=changes)


class Scout(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a stack may be looked at."""

    unit: Annotated[str, note("who looks")]
    distance: Annotated[int, note("hexes to the stack")]
    radius: Annotated[int, note("how far the unit sees, in hexes")]
    most: Annotated[int, note("the highest die roll that shows the stack, 6 for an airbase, which needs no roll")]
    seen: Annotated[bool | None, note("whether the stack is shown, null until rolled")] = None


def scout_stack(
    view: View,
    answers: Answers,
    *,
    unit: Annotated[UnitName, note("a Headquarters or an airbase")],
    at: Annotated[PlaceName, note("the hex of the enemy stack")],
) -> Report[Scout]:
    """Return the report on a look at a stack: a Headquarters throws a die, an airbase needs none.

    Rule: Opt/Fog/3, Opt/Fog/4
    """
    who = view.unit(unit)
    hint = "name a Headquarters or an airbase on the map"
    with view.gather() as facts:
        arm = facts.word("arm", unit)
        side = side_of(facts, who)
        if arm not in ("", *SCOUTING_RULES):
            raise InputError(f"unit: {unit} is neither a Headquarters nor an airbase", hint=hint)
        if who.place is None or view.board.is_box(who.place):
            raise InputError(f"unit: {unit} is not on the map", hint=hint)
        staff = arm == HEADQUARTERS
        alone = all(side_of(facts, formation) == side for formation in view.stack(at))
        radius = facts.integer("radius", unit)
        most = facts.integer("attack", unit) if staff else 6
    distance = view.board.distance(who.place, at)
    row = DICE["scout"]
    thrown = row.throw(lambda die: die <= most, answers) if staff else certain(True)
    away = "{at} is {distance:#hex} away: its radius is {radius}"
    agreed = schedule.is_agreed(view, "fog-of-war")
    clauses = (
        (not agreed, "Opt/Fog/1", "scouting is an optional rule (options=fog-of-war)"),
        (alone, "Opt/Fog/3", "no enemy stands in {at}"),
        (distance > radius, SCOUTING_RULES[arm], away),
    )
    result = Scout(unit=unit, distance=distance, radius=radius, most=most)
    reasons = [*schedule.bars_by_phase(view, side, "movement", "Opt/Fog/3"), *bars_by_option(view, {unit: {}})]
    reasons += holding(clauses, result, at=at)
    if not reasons:
        result = msgspec.structs.replace(result, seen=thrown.came)
        if not staff:
            refuse_others(answers, [])
    sides = tuple(name for name in view.game.file.sides if name == side or name in view.words("examined", at))
    changes = [changed(view, "examined", at, sides, SCOUTING_RULES[arm])] if result.seen else []
    look = {"Look": [step(SCOUTING_RULES[arm], away, result, at=at)]}
    return row.report(f"{unit} and the stack in {at}", reasons, thrown, result, working=look, changes=changes)


QUESTIONS = (
    DICE["romania"].declare(judge_romania),
    DICE["revolution"].declare(judge_revolution),
    DICE["psywar"].declare(attack_by_psywar),
    DICE["scout"].declare(scout_stack),
)
