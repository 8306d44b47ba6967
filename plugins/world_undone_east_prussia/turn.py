"""The course of a turn (4.0, 7.1, 7.2, 9.4, 10.5, 10.6.2).

`release`, `recover`, `samsonov`, `replace`: dice outside combat.
`turn`, `next`: the open steps of a phase, and the following phase.
`close`: the effects of the end of a turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain, product
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from assistant.asking import (
    Answers,
    DieRow,
    Gather,
    InputError,
    OneDie,
    Part,
    Report,
    View,
    changed,
    declare,
    holding,
    note,
    step,
    verdict,
)
from assistant.asking.question import AnyName
from assistant.rules.arrivals import coming_units
from assistant.rules.field.attacks import enemies_in_zones
from assistant.rules.field.places import ask_for_place, hex_named
from assistant.rules.following import find_followers
from assistant.rules.owed_retreats import judge_retreats
from assistant.rules.phase_now import Duty, Judges, StepFinding
from assistant.rules.stacks import count_again, count_stack, crowded_hexes
from assistant.rules.turns import finding, of_position, turn_questions
from assistant.state.changes import AnyChange, Gain
from assistant.util.datafiles import read_records
from assistant.util.errors import quoted

from . import terms
from .combat import is_due
from .forces import SAMSONOV_LOSSES
from .ground import NO_RIVER, TRACKS, field
from .stacking import LIMITS
from .supply import out_of_supply

OWED_ATTACKS = 3
"""The number of attacks that the Germans owe in the first turn (7.1)."""
PENALTY_POINTS = 50
"""The Victory Points that Russia gains if the Germans do not make these attacks (7.1)."""
MAX_DISTANCE_HEXES = 10
"""The maximum distance from Königsberg at which Russian strength counts (7.2)."""
MIN_STRENGTH = 20
"""The Strength Points near Königsberg that end the rivalry of the Russian armies (7.2)."""
MUST_BE_ATTACKED = "must-be-attacked"
"""The track of hexes with enemies who must be attacked (6.0)."""
DICE = {row.question: row for row in read_records(Path(__file__).parent / "dice.csv", DieRow)}
COVERING_UNIT = "8A/41KB"
"""The unit that covers the German flank by the Masurian Lakes."""
FIRST_RELEASE_TURN = 20
"""The first turn in which a die may release the covering unit."""
UNITS_IN_THE_WEST = ("XX/37", "XX/41")
"""The units that the Schlieffen Plan keeps in the West."""
UNITS_PERHAPS_IN_THE_WEST = ("XVII/35", "XVII/36")
"""The units that the Schlieffen Plan may keep in the West too, by a ruling."""


# --- dice -------------------------------------------------------------------------------------------------------------


def release_cover(view: View, answers: Answers) -> Report[OneDie]:
    """Return the report on the release of 41KB.

    A die releases it from turn 20 on, or an adjacent Russian unit at once.

    Rule: 9.4/41KB
    """
    with view.gather() as facts:
        scenario = facts.word("scenario")
        at = view.unit(COVERING_UNIT).place
        met = at is not None and field(facts).around(terms.GERMAN).next_to_enemy(at)
        early = not met and facts.integer("turn") < FIRST_RELEASE_TURN
    clauses = (
        (scenario != terms.MASURIAN, "9.4", "it is bound to its flank only in the scenario of the Masurian Lakes"),
        (not view.flag("fixed", COVERING_UNIT), "9.4", "it is released already"),
        (early, "9.4", "the die is rolled from turn {first} on"),
        (view.flag("rolled", COVERING_UNIT) and not met, "9.4", "the die has been rolled this turn"),
    )
    reasons = holding(clauses, first=FIRST_RELEASE_TURN)
    return DICE["release"].settle(view, "Release of 41KB", reasons, answers, settled=True if met else None)


def recover_army(
    view: View,
    answers: Answers,
    *,
    army: Annotated[Literal["first", "second"], note("the Russian army that has lost its headquarters")],
) -> Report[OneDie]:
    """Return the report on whether an army without headquarters may move, by a die in the next two turns.

    Rule: 10.6.2/roll
    """
    subject = f"{terms.RUSSIAN} {army}"
    name = f"{army.title()} Army"
    lost = view.integer("headquarters-lost", subject)
    with view.gather() as facts:
        turn = facts.integer("turn") if lost else 0
    clauses = (
        (not lost, "10.6.2", "the {army} has not lost its headquarters"),
        (lost and turn <= lost, "10.6.2", "it was lost this turn: the die is rolled from the next one on"),
        (view.word("released", subject), "10.6.2", "the die has been rolled this turn"),
    )
    reasons = holding(clauses, army=name)
    title = f"Movement of the {name}"
    return DICE["recover"].settle(view, title, reasons, answers, number=turn - lost, army=name, subject=subject)


def roll_for_samsonov(view: View, answers: Answers) -> Report[OneDie]:
    """Return the report on Samsonov's die, rolled once when the Second Army has lost 25 Strength Points.

    Rule: 10.6.2.1/roll
    """
    lost = view.integer("army-lost", terms.SECOND_ARMY)
    with view.gather() as facts:
        turn = lost >= SAMSONOV_LOSSES and facts.integer("turn")
    clauses = (
        (lost < SAMSONOV_LOSSES, "10.6.2.1", "the Second Army has lost {lost:#Strength Point}; it takes {broken}"),
        (view.word("samsonov"), "10.6.2.1", "the die has been rolled already"),
    )
    reasons = holding(clauses, lost=lost, broken=SAMSONOV_LOSSES)
    return DICE["samsonov"].settle(view, "Samsonov", reasons, answers, turn=turn, next=turn + 1, free=turn + 2)


def stays_west(view: View, unit: str) -> bool:
    """Return whether a unit is of a German corps that the Schlieffen Plan keeps in the West. Rule: 9.2.1/setup"""
    used = "schlieffen" not in view.words("variants")
    return not used and (
        unit in UNITS_IN_THE_WEST or (unit in UNITS_PERHAPS_IN_THE_WEST and view.ruling("schlieffen-corps") == "xvii")
    )


def return_unit(
    view: View, answers: Answers, *, unit: Annotated[AnyName, note("the unit that is eliminated")]
) -> Report[OneDie]:
    """Return the report on the turn in which an eliminated unit returns, which a die decides. Rule: 10.5"""
    there = view.state.units.get(unit)
    if there is None and unit not in view.game.roster:
        raise InputError(f"unit: {unit} is not in the roster", hint="state when it returns instead: UNIT arrives=TURN")
    with view.gather() as facts:
        turn = facts.integer("turn")
    due = view.integer("arrives", unit)
    clauses = (
        (there and there.place, "10.5", "it is on the map"),
        (due > turn, "10.5", "it returns in turn {arrives} already"),
        (view.word("arm", unit) == terms.DUMMY, "10.1", "a dummy is not a unit"),
        (stays_west(view, unit), "9.2.1", "its corps is not used in the Schlieffen Plan variant"),
    )
    reasons = holding(clauses, arrives=due)
    title = f"Return of {unit}"
    return DICE["replace"].settle(view, title, reasons, answers, unit=unit, turn=turn)


# --- the end of a game turn -------------------------------------------------------------------------------------------


class Close(msgspec.Struct, frozen=True):
    """The effects of the end of a game turn."""

    near: Annotated[int, note("Strength Points of infantry of the Second Army near Königsberg")]
    strength: Annotated[int, note("how many of them are in supply, 0 where all are too few")]
    ends: Annotated[bool, note("whether the First and the Second Army may come near each other from now on")]
    award: Annotated[int, note("Victory Points that Russia gains, as the Germans have made too few attacks")]


def count_owed(turn: int, variants: Collection[str]) -> int:
    """Return the number of attacks at 2:1 or better on the First Army that the Germans owe.

    It is 0 by the Schlieffen Plan.

    Rule: 7.1/attacks, 9.2.1/first-turn
    """
    return OWED_ATTACKS if turn == 1 and "schlieffen" not in variants else 0


def _may_be_of_second_army(view: View, unit: str) -> bool:
    """Return whether a unit may be infantry of the Second Army, by the known facts."""
    known = (
        (view.side_of(unit), (terms.RUSSIAN,)),
        (view.word("army", unit), (terms.SECOND_ARMY.split()[-1],)),
        (view.word("arm", unit), terms.INFANTRY),
    )
    return all(word in ("", *possible) for word, possible in known)


def strength_near(facts: Gather) -> tuple[int, int]:
    """Return the Strength Points of the Second Army's infantry near Königsberg, in all and in supply.

    If all its infantry is too weak, or that near the city is, the second number is 0 and supply is not asked about.

    Rule: 7.2
    """
    view = facts.view
    places = {unit.id: unit.place for unit in view.units() if unit.place and _may_be_of_second_army(view, unit.id)}
    strengths = {unit: facts.integer("sp", unit) for unit in places}
    city = hex_named(view, terms.KONIGSBERG)
    if sum(strengths.values()) >= MIN_STRENGTH:
        for unit, track in product(strengths, ("nation", "army", "arm")):
            facts.word(track, unit)
        if city is None:
            facts.ask(ask_for_place(terms.KONIGSBERG, "7.2"))
    near = [unit for unit in strengths if city and view.board.distance(places[unit], city) <= MAX_DISTANCE_HEXES]
    total = sum(strengths[unit] for unit in near)
    if total < MIN_STRENGTH:
        return total, 0
    return total, sum(
        strengths[unit] for unit in {*near} - out_of_supply(facts, field(facts).around(terms.RUSSIAN), near)
    )


def close_turn(view: View) -> Report[Close]:
    """Return the report on the effects of the end of a game turn."""
    with view.gather() as facts:
        turn = facts.integer("turn")
        attacks = facts.integer("first-attacks")
        apart = not view.flag("rivalry-ended")
        near, strength = strength_near(facts) if apart else (0, 0)
    due = count_owed(turn, view.words("variants"))
    award = 0
    gain = "enough"
    if attacks < due and view.integer("awarded", terms.RUSSIAN):
        gain = "Russia has its Victory Points already"
    elif attacks < due:
        award = PENALTY_POINTS
        gain = "Russia gains {award}"
    found = Close(near, strength, strength >= MIN_STRENGTH, award)
    clauses = (
        (due, "7.1", "{attacks} of {owed} attacks at 2:1 or better on the First Army: " + gain),
        (apart, "7.2", "infantry of the Second Army near Königsberg: {near} of {enough} Strength Points"),
        (near >= MIN_STRENGTH, "7.2", "in supply: {strength} of them"),
        (found.ends, "7.2", "the First and the Second Army may come near each other from now on"),
    )
    changes: list[AnyChange] = [Gain("awarded", terms.RUSSIAN, award, "7.1")] if award else []
    if found.ends:
        changes.append(changed(view, "rivalry-ended", "", True, "7.2"))
    return Report(
        title=f"End of turn {turn}",
        verdict=verdict("figure", "{changes:#change}", changes=len(changes)),
        parts=(Part("What it brings", tuple(holding(clauses, found, attacks=attacks, owed=due, enough=MIN_STRENGTH))),),
        changes=tuple(changes),
        result=found,
    )


# --- what a phase still asks for --------------------------------------------------------------------------------------


def _judge_die(report: Report[OneDie], ask: str) -> StepFinding:
    """Return the finding whether a die is due, from the report on it.

    `ask`: the question with its parameters.
    """
    why = next(chain.from_iterable(part.steps for part in report.parts), None)
    if report.asks:
        return finding("owed", report.asks[0].rule, "the die is due", ask=ask)
    if report.changes:
        return finding("owed", why.rule if why else "", report.verdict.text, changes=report.changes)
    return finding("impossible", why.rule if why else "", why.text if why else report.verdict.text)


def _judge_release(view: View) -> Iterator[StepFinding]:
    if COVERING_UNIT in view.state.units:
        yield _judge_die(release_cover(view, {}), "release")


def _judge_recovery(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the die of an army without headquarters is due, in the two turns after the loss."""
    for army in ("first", "second"):
        turn_lost = view.integer("headquarters-lost", f"{terms.RUSSIAN} {army}")
        if turn_lost and duty.turn - turn_lost in (1, 2):
            yield _judge_die(recover_army(view, {}, army=army), f"recover army={army}")


def _judge_samsonov(view: View) -> Iterator[StepFinding]:
    yield _judge_die(roll_for_samsonov(view, {}), "samsonov")


def judge_replacements(view: View) -> Iterator[StepFinding]:
    """Yield the eliminated units that wait for the die of their return. Rule: 10.5"""
    off = [unit.id for unit in view.units() if unit.place is None]
    waiting = [unit for unit in off if return_unit(view.quiet_view(), {}, unit=unit).asks]
    if waiting:
        text = "it is not rolled yet for {units}"
        yield finding("owed", "10.5", text, units=waiting, ask=f"replace unit={quoted(waiting[0])}")
    else:
        yield finding("done", "10.5", "no unit waits for its die")


def _judge_reinforcements(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the units that must enter the map in this phase."""
    waiting = [coming.unit for coming in coming_units(view, duty.side) if coming.turn == duty.turn]
    if waiting:
        yield finding(
            "owed", "5.3", "{units} enter this turn, in this phase", units=waiting, ask=f"move units={waiting[0]}"
        )
    else:
        yield finding("impossible", "5.3", "no unit is stated to enter now")


def _judge_stacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the side's over-stacked hexes, or the units over the limits since a retreat that now count again."""
    own = [unit for unit in view.units() if unit.place and view.side_of(unit.id) == duty.side]
    with view.gather() as facts:
        crowded = [at for at in crowded_hexes(view) if any(unit.place == at for unit in own)]
        over = [at for at in crowded if count_stack(LIMITS, facts, at).too_many]
    if over:
        ask = f"stack at={','.join(over)} ended=yes"
        yield finding("owed", "3.2", "too many units in {places}", places=over, ask=ask)
        return
    again = [change for unit in own for change in count_again(view, unit.id, rule="6.5")]
    yield finding("owed" if again else "done", "3.2", "every hex is within the limits", changes=again)


def _judge_attacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield the enemies that must still be attacked, as they were in the zones of units that have attacked."""
    _assume_unmarked(view, duty.side)
    marked = (at for at in view.stated_about.get(MUST_BE_ATTACKED, ()) if view.flag(MUST_BE_ATTACKED, at))
    unattacked = sorted(
        at for at in marked if is_due(view, at) and any(view.side_of(unit.id) != duty.side for unit in view.stack(at))
    )
    if unattacked:
        yield finding("owed", "6.0", "those in {places} are left", places=unattacked, ask=f"battle at={unattacked[0]}")
    else:
        yield finding("done", "6.0", "none is left")


def judge_aftermath(view: View) -> Iterator[StepFinding]:
    """Yield the units that still owe a retreat, and the units that may advance. Rule: 6.5/path, 6.6/who"""
    owing = [*judge_retreats(view, terms.OWES, "6.5")]
    yield from owing
    for place, units in find_followers(view).items():
        ask = f"advance units={','.join(map(quoted, units))} at={place}"
        yield finding("possible", "6.6", "{units} may advance into {places}", units=units, places=[place], ask=ask)
    if not owing:
        yield finding("done", "6.5", "no unit owes a retreat")


def _find_attacking_hexes(view: View, side: str) -> set[str]:
    """Return the hexes of units that have attacked in the phase.

    If no such unit is stated next to an attacked hex, all hexes with units of the side there are returned.
    """
    marks = ("fought", "disrupted") if view.word("phase") == terms.FIRST_COMBAT else ("fought",)
    own = [unit for unit in view.units() if unit.place and view.side_of(unit.id) == side]
    fought = {str(unit.place) for unit in own if any(view.flag(mark, unit.id) for mark in marks)}
    attacked = [at for at in view.stated_about.get("attacked", ()) if view.flag("attacked", at)]
    by_others = [ring for at in attacked if fought.isdisjoint(ring := view.board.neighbours(at))]
    return fought | {str(unit.place) for unit in own if any(unit.place in ring for ring in by_others)}


def _assume_unmarked(view: View, side: str) -> None:
    """Note that unmarked enemies in the zones of units that have attacked need not be attacked.

    They may have come there since.
    """
    if not (places := _find_attacking_hexes(view, side)):
        return
    with view.gather() as facts:
        who = field(facts)
        known = [
            at
            for at in who.around(side).enemies
            if at in view.stated_about.get(MUST_BE_ATTACKED, ()) or not is_due(view, at)
        ]
        unmarked = enemies_in_zones(who, side, places, known, TRACKS, "3.3", NO_RIVER)
    if unmarked:
        text = "{places}: not in the zone of control of a unit when it attacked (must-be-attacked not stated)"
        view.premises.assume(step("6.0", text, places=unmarked))


def _judge_first_attacks(view: View) -> Iterator[StepFinding]:
    """Yield whether the Germans have made the attacks that they owe in the first turn."""
    attacks = view.integer("first-attacks")
    if attacks >= OWED_ATTACKS:
        yield finding("done", "7.1", "{attacks} made", attacks=attacks)
    elif view.integer("awarded", terms.RUSSIAN):
        yield finding(
            "done",
            "7.1",
            "{attacks} made; Russia has its {award} Victory Points",
            attacks=attacks,
            award=PENALTY_POINTS,
        )
    else:
        text = "{attacks} of {owed} made; `close` gives Russia {award} Victory Points for the others"
        yield finding("owed", "7.1", text, ask="close", attacks=attacks, owed=OWED_ATTACKS, award=PENALTY_POINTS)


def _judge_rivalry(view: View) -> Iterator[StepFinding]:
    """Yield whether the rivalry of the Russian armies ends now."""
    if view.flag("rivalry-ended"):
        yield finding("done", "7.2", "they may come near each other")
        return
    with view.gather() as facts:
        _, strength = strength_near(facts)
    if strength < MIN_STRENGTH:
        text = "{strength} of {enough} Strength Points of the Second Army's infantry are near Königsberg in supply"
        yield finding("impossible", "7.2", text, strength=strength, enough=MIN_STRENGTH)
        return
    ends: list[AnyChange] = [changed(view, "rivalry-ended", "", True, "7.2")]
    yield finding("owed", "7.2", "they may from now on", changes=ends)


JUDGES: Judges = {
    "recovery": _judge_recovery,
    "release": of_position(_judge_release),
    "samsonov": of_position(_judge_samsonov),
    "reinforcements": _judge_reinforcements,
    "replacements": of_position(judge_replacements),
    "stacks": _judge_stacks,
    "attacks": _judge_attacks,
    "retreats": of_position(judge_aftermath),
    "first-attacks": of_position(_judge_first_attacks),
    "rivalry": of_position(_judge_rivalry),
}
"""The function that judges each step of a phase, by its name in `course.toml`."""
QUESTIONS = (
    DICE["release"].declare(release_cover),
    DICE["recover"].declare(recover_army),
    DICE["samsonov"].declare(roll_for_samsonov),
    DICE["replace"].declare(return_unit),
    declare(
        "close", "what the end of a turn brings: the first turn's duty, the end of the armies' rivalry", close_turn
    ),
    *turn_questions(JUDGES),
)
