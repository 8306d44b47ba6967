"""The dice that leaders call for as units begin to move, and what they mean for the move (25.1.1, 25.6.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
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


class LeaderDie(NamedTuple):
    """A die that a leader calls for as units begin to move."""

    rule: str
    track: str
    comes_to: Callable[[int], str]
    """What a roll of 1d6 means."""
    says: Mapping[str, str]
    """The same in words."""

    def change(self, view: View, unit: str, result: str) -> Change:
        """Return what a result changes. unit: that rolls, "" for a corps."""
        return changed(view, self.track, unit, result, self.rule)

    @property
    def chances(self) -> Mapping[str, Fraction]:
        """The chance of each result."""
        return {result: Fraction(faces, 6) for result, faces in Counter(map(self.comes_to, range(1, 7))).items()}


KHAN = LeaderDie(
    khan.MOVES,
    khan.TRACK,
    khan.khan_die,
    {
        "free": "{unit} rolls {die}: it moves as usual",
        "slowed": "{unit} rolls {die}: half its Movement Allowance, and a Forced March of 3 Movement Points at most",
        "halted": "{unit} rolls {die}: no Movement Allowance and no Forced March in this phase",
    },
)
"""The die for Khan Nakhichevanski."""
CORPS = LeaderDie(
    francois.CLOSE,
    francois.TRACK,
    francois.francois_die,
    {
        "free": "the German 1st Corps rolls {die}: its units move as usual",
        "held": "the German 1st Corps rolls {die}: none of its combat units may end farther from the nearest enemy",
    },
)
"""The die of the German 1st Corps."""

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
    rolled = [(KHAN, unit, totals[f"khan.{unit}"]) for unit in khans if f"khan.{unit}" in totals]
    rolled += [(CORPS, "", total) for name, total in totals.items() if name == "francois"]
    changes = list[Change]()
    steps = list[Step]()
    for leader, unit, total in rolled:
        result = leader.comes_to(total)
        changes.append(leader.change(view, unit, result))
        steps.append(step(leader.rule, leader.says[result], SimpleNamespace(unit=unit), die=total))
    return Thrown(khans, corps, tuple(changes), tuple(steps), asks)


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
    corps = CORPS.chances if thrown.francois else {"": Fraction(1)}
    for results in product(("free", "slowed"), repeat=len(thrown.khans)):  # one that is halted stops all
        for held, chance in corps.items():
            changes = list[Change]()
            for unit, result in zip(thrown.khans, results, strict=True):
                changes.append(KHAN.change(view, unit, result))
                chance *= KHAN.chances[result]
            if held:
                changes.append(CORPS.change(view, "", held))
            if is_allowed(view.quiet_view().after(changes)):
                total += chance
    return total
