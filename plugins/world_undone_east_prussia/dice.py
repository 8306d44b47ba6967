"""What a single die settles: `release` of 41KB, `recover` from the loss of a headquarters, `samsonov`, and `replace`,
the return of a lost unit (9.4, 10.5, 10.6.2).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from assistant.asking import Answers, DieRow, InputError, OneDie, Report, View, holding, note
from assistant.asking.question import AnyName
from assistant.util.datafiles import read_records

from .forces import SAMSONOV_LOSSES
from .ground import field
from .terms import DUMMY, GERMAN, MASURIAN, RUSSIAN, SECOND_ARMY

DICE = {row.question: row for row in read_records(Path(__file__).parent / "dice.csv", DieRow)}
COVER = "8A/41KB"
"""The unit that covers the German flank by the Masurian Lakes."""
FIRST_ROLL = 20
"""The first turn in which a die may release it."""
IN_THE_WEST = ("XX/37", "XX/41")
"""The units that the Schlieffen Plan keeps in the West."""
PERHAPS_THERE = ("XVII/35", "XVII/36")
"""The units that it may keep there, by a ruling."""


def release(view: View, answers: Answers) -> Report[OneDie]:
    """Return the report on the release of 41KB: from turn 20 on by 5 or 6, or by a Russian unit next to it. Rule:
    9.4/41KB
    """
    with view.gather() as facts:
        scenario = facts.word("scenario")
        at = view.unit(COVER).place
        met = at is not None and field(facts).around(GERMAN).next_to_enemy(at)
        early = not met and facts.integer("turn") < FIRST_ROLL
    clauses = (
        (scenario != MASURIAN, "9.4", "it is bound to its flank only in the scenario of the Masurian Lakes"),
        (not view.flag("fixed", COVER), "9.4", "it is released already"),
        (early, "9.4", "the die is rolled from turn {first} on"),
        (view.flag("rolled", COVER) and not met, "9.4", "the die has been rolled this turn"),
    )
    reasons = holding(clauses, first=FIRST_ROLL)
    return DICE["release"].settle(view, "Release of 41KB", reasons, answers, settled=True if met else None)


def recover(
    view: View,
    answers: Answers,
    *,
    army: Annotated[Literal["first", "second"], note("the Russian army that has lost its headquarters")],
) -> Report[OneDie]:
    """Return the report on an army without its headquarters: it may move on a 1 in the first turn after the loss, on 1
    to 3 in the second, and from the third turn on. Rule: 10.6.2/roll
    """
    subject = f"{RUSSIAN} {army}"
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


def samsonov(view: View, answers: Answers) -> Report[OneDie]:
    """Return the report on Samsonov's die, rolled once, as soon as the Second Army has lost 25 Strength Points; on 1 to
    4 he dies. Rule: 10.6.2.1/roll
    """
    lost = view.integer("army-lost", SECOND_ARMY)
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
    return not used and (unit in IN_THE_WEST or (unit in PERHAPS_THERE and view.ruling("schlieffen-corps") == "xvii"))


def replace(
    view: View, answers: Answers, *, unit: Annotated[AnyName, note("the unit that is eliminated")]
) -> Report[OneDie]:
    """Return the report on the return of an eliminated unit, in as many turns as a die says; what it cost stays lost.
    Rule: 10.5
    """
    there = view.state.units.get(unit)
    if there is None and unit not in view.game.roster:
        raise InputError(f"unit: {unit} is not in the roster", hint="state when it returns instead: UNIT arrives=TURN")
    with view.gather() as facts:
        turn = facts.integer("turn")
    due = view.integer("arrives", unit)
    clauses = (
        (there and there.place, "10.5", "it is on the map"),
        (due > turn, "10.5", "it returns in turn {arrives} already"),
        (view.word("arm", unit) == DUMMY, "10.1", "a dummy is not a unit"),
        (stays_west(view, unit), "9.2.1", "its corps is not used in the Schlieffen Plan variant"),
    )
    reasons = holding(clauses, arrives=due)
    title = f"Return of {unit}"
    return DICE["replace"].settle(view, title, reasons, answers, unit=unit, turn=turn)


QUESTIONS = tuple(DICE[answer.__name__].declare(answer) for answer in (release, recover, samsonov, replace))
