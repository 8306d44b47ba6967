"""The dice that leaders call for as units begin to move, and what they mean for the move (25.1.1, 25.6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from assistant.asking import Answers, Gather, Part, Report, Step, View, step
from assistant.asking.asks import Ask
from assistant.asking.play import throw_each
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.state import Unit

from ...forces.leaders import is_under_khan, is_with_francois, owes_khan
from ...leaders import francois, khan
from ...leaders.command import commands, leader_named
from ...leaders.facts import agreed_leaders


def _chances(result_of: Callable[[int], str]) -> Mapping[str, Fraction]:
    """Return the chance of each result of a die. result_of: what a roll of 1d6 means."""
    faces = Counter(map(result_of, range(1, 7)))
    return {result: Fraction(number, 6) for result, number in faces.items()}


KHAN = _chances(khan.khan_die)
"""The chance of each result of the die for Khan Nakhichevanski."""
CORPS = _chances(francois.francois_die)
"""The chance of each result of the die of the German 1st Corps."""

R = TypeVar("R")


class Thrown(NamedTuple):
    """The dice of leaders before a move."""

    khans: tuple[str, ...] = ()
    """The units that roll for Khan Nakhichevanski."""
    francois: bool = False
    """Whether the 1st Corps rolls."""
    changes: tuple[Change, ...] = ()
    """What those that are rolled change."""
    steps: tuple[Step, ...] = ()
    """The same in words."""
    asks: tuple[Ask, ...] = ()
    """Those that are due."""

    def after(self, view: View) -> View:
        """Return a view once those are known that are rolled."""
        return view.after(self.changes) if self.changes else view


def throw_for_leaders(view: View, units: Iterable[Unit], answers: Answers) -> Thrown:
    """Return the dice that units owe their leaders as they begin to move. Raises AnswerError for an answer to anything
    else, and for an impossible roll. Rule: 25.1.1a, 25.6.1a
    """
    with view.gather() as facts:
        moving = list(units)
        khans = tuple(unit.id for unit in moving if owes_khan(facts, unit))
        corps = owes_francois(facts, moving)
    titles = {f"khan.{unit}": f"whether Khan Nakhichevanski lets {unit} move" for unit in khans}
    if corps:
        titles["francois"] = "whether the German 1st Corps must keep close to the enemy"
    totals, asks = throw_each(titles, francois.CLOSE if corps else khan.MOVES, answers)
    settled = [resolve_khan(view, unit, totals[f"khan.{unit}"]) for unit in khans if f"khan.{unit}" in totals]
    if "francois" in totals:
        settled.append(resolve_francois(view, totals["francois"]))
    changes = tuple(change for change, _ in settled)
    steps = tuple(line for _, line in settled)
    return Thrown(khans, corps, changes, steps, asks)


def resolve_khan(view: View, unit: str, die: int) -> tuple[Change, Step]:
    """Return what the die of a unit for Khan Nakhichevanski changes, and that in words. Rule: 25.1.1a"""
    result = khan.khan_die(die)
    return changed(view, khan.TRACK, unit, result, khan.MOVES), step(khan.MOVES, KHAN_SAYS[result], unit=unit, die=die)


def resolve_francois(view: View, die: int) -> tuple[Change, Step]:
    """Return what the die of the German 1st Corps changes, and that in words. Rule: 25.6.1a"""
    result = francois.francois_die(die)
    change = changed(view, francois.TRACK, "", result, francois.CLOSE)
    return change, step(francois.CLOSE, FRANCOIS_SAYS[result], die=die)


KHAN_SAYS: Mapping[str, str] = {
    "free": "{unit} rolls {die}: it moves as usual",
    "slowed": "{unit} rolls {die}: half its Movement Allowance, and a Forced March of 3 Movement Points at most",
    "halted": "{unit} rolls {die}: no Movement Allowance and no Forced March in this phase",
}
FRANCOIS_SAYS: Mapping[str, str] = {
    "free": "the German 1st Corps rolls {die}: its units move as usual",
    "held": "the German 1st Corps rolls {die}: none of its combat units may end farther from the nearest enemy",
}


def owes_francois(facts: Gather, units: Iterable[Unit]) -> bool:
    """Return whether one of some units is the first of the German 1st Corps to move in the phase, so that the corps
    rolls.
    """
    return not facts.view.word(francois.TRACK) and any(is_with_francois(facts, unit) for unit in units)


def dice_to_come(facts: Gather, units: Iterable[Unit], turns: Collection[int]) -> tuple[list[str], bool]:
    """Return the units that roll for Khan Nakhichevanski in later phases, and whether the German 1st Corps does for one
    of them, as they are attached now.

    turns: the game turns of those phases, 0 for one that is not stated.
    """
    agreed = agreed_leaders(facts.view)

    def then(name: str) -> bool:
        return any(not turn or commands(leader_named(name), turn, agreed) for turn in turns)

    known = list(units) if turns else []
    led = [unit.id for unit in known if is_under_khan(facts, unit) and then("khan")]
    return led, then("francois") and any(is_with_francois(facts, unit) for unit in known)


def dice_steps(thrown: Thrown) -> Iterator[Step]:
    """Yield what the dice that are due will mean."""
    for unit in thrown.khans:
        text = "{unit} rolls 1d6: 1 to 4 it moves as usual, 5 half its Movement Allowance, 6 none"
        yield step(khan.MOVES, text, unit=unit)
    if thrown.francois:
        text = "the German 1st Corps rolls 1d6: on a 6 none of its combat units may end farther from the nearest enemy"
        yield step(francois.CLOSE, text)


def format_dice(thrown: Thrown) -> str:
    """Return who rolls first, in words."""
    names = [*thrown.khans, "the 1st Corps"] if thrown.francois else thrown.khans
    return " and ".join(f"{name} rolls 1d6" for name in names)


def with_dice(report: Report[R], thrown: Thrown) -> Report[R]:
    """Return the report on a move with what the dice of leaders change, whether it can be made or not."""
    if not thrown.changes:
        return report
    parts = (Part("Leaders", thrown.steps), *report.parts)
    return replace(report, parts=parts, changes=(*thrown.changes, *report.changes))


def chance_to_move(view: View, thrown: Thrown, is_allowed: Callable[[View], bool]) -> Fraction:
    """Return the chance that the dice let units make a move. is_allowed: whether the rules allow it in a position."""
    total = Fraction(0)
    corps: Mapping[str, Fraction] = CORPS if thrown.francois else {"": Fraction(1)}
    for results in product(("free", "slowed"), repeat=len(thrown.khans)):  # one that is halted stops all
        for held, chance in corps.items():
            changes = list[Change]()
            for unit, result in zip(thrown.khans, results, strict=True):
                changes.append(changed(view, khan.TRACK, unit, result, khan.MOVES))
                chance *= KHAN[result]
            if held:
                changes.append(changed(view, francois.TRACK, "", held, francois.CLOSE))
            if is_allowed(view.unnoticed().after(changes)):
                total += chance
    return total
