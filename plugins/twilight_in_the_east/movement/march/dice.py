"""The dice of leaders as units begin to move, and their effects on the move (25.1.1, 25.6.1)."""

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
    """A die roll that a leader requires before units move."""

    rule: str
    track: str
    result_by_roll: Callable[[int], str]
    """A function from a roll of 1d6 to its result, a word of the track."""
    sentences: Mapping[str, str]
    """The sentence that reports each result."""

    def change(self, view: View, unit: str, result: str) -> Change:
        """Return the change that records a result.

        `unit`: the unit that rolls, or "" if its corps rolls as one.
        """
        return changed(view, self.track, unit, result, self.rule)

    @property
    def chances(self) -> Mapping[str, Fraction]:
        """The chance of each result."""
        return {result: Fraction(faces, 6) for result, faces in Counter(map(self.result_by_roll, range(1, 7))).items()}


KHAN = LeaderDie(
    khan.COMMAND_EFFECTS_RULE,
    khan.TRACK,
    khan.khan_die,
    {
        "free": "{unit} rolls {die}: it moves as usual",
        "slowed": "{unit} rolls {die}: half its Movement Allowance, and a Forced March of 3 Movement Points at most",
        "halted": "{unit} rolls {die}: no Movement Allowance and no Forced March in this phase",
    },
)
"""The die that each unit under Khan Nakhichevanski rolls."""
FRANCOIS = LeaderDie(
    francois.CLOSE_RULE,
    francois.TRACK,
    francois.francois_die,
    {
        "free": "the German 1st Corps rolls {die}: its units move as usual",
        "held": "the German 1st Corps rolls {die}: none of its combat units may end farther from the nearest enemy",
    },
)
"""The one die of the German 1st Corps, which Francois leads."""

R = TypeVar("R")


class LeaderDice(NamedTuple):
    """The dice that units must roll for their leaders before they move."""

    khan_units: tuple[str, ...] = ()
    """Ids of the units that must roll for Khan Nakhichevanski."""
    corps_rolls: bool = False
    """Whether the German 1st Corps must roll."""
    changes: tuple[Change, ...] = ()
    """The changes by the dice already rolled."""
    steps: tuple[Step, ...] = ()
    """The steps that report these changes."""
    asks: tuple[Ask, ...] = ()
    """The rolls still to be made."""

    def after(self, view: View) -> View:
        """Return the view after the dice already rolled."""
        return view.after(self.changes) if self.changes else view


def throw_for_leaders(view: View, units: Iterable[Unit], answers: Answers) -> LeaderDice:
    """Return the dice that units owe their leaders as they begin to move, with the results of those answered.

    Raises AnswerError if an answer names another roll, or is not a roll of 1d6.

    Rule: 25.1.1a, 25.6.1a
    """
    with view.gather() as facts:
        moving = list(units)
        khan_units = tuple(unit.id for unit in moving if owes_khan(facts, unit))
        corps_rolls = owes_francois(facts, moving)
    titles = {f"khan.{unit}": f"whether Khan Nakhichevanski lets {unit} move" for unit in khan_units}
    if corps_rolls:
        titles["francois"] = "whether the German 1st Corps must keep close to the enemy"
    totals, asks = throw_each(titles, francois.CLOSE_RULE if corps_rolls else khan.COMMAND_EFFECTS_RULE, answers)
    rolled = [(KHAN, unit, totals[f"khan.{unit}"]) for unit in khan_units if f"khan.{unit}" in totals]
    if "francois" in totals:
        rolled.append((FRANCOIS, "", totals["francois"]))
    changes = list[Change]()
    steps = list[Step]()
    for leader, unit, total in rolled:
        result = leader.result_by_roll(total)
        changes.append(leader.change(view, unit, result))
        steps.append(step(leader.rule, leader.sentences[result], SimpleNamespace(unit=unit), die=total))
    return LeaderDice(khan_units, corps_rolls, tuple(changes), tuple(steps), asks)


def owes_francois(facts: Gather, units: Iterable[Unit]) -> bool:
    """Return whether the German 1st Corps rolls before the units move.

    It does if one of its units moves first in the phase.
    """
    return not facts.view.word(francois.TRACK) and any(is_with_francois(facts, unit) for unit in units)


def dice_to_come(facts: Gather, units: Iterable[Unit], turns: Collection[int]) -> tuple[list[str], bool]:
    """Return the units that roll for Khan Nakhichevanski in later phases, and whether the German 1st Corps rolls.

    The units are assumed to keep their present attachment.

    `turns`: the game turns of the later phases, or 0 for a turn that is not stated.
    """
    agreed = agreed_leaders(facts.view)

    def may_command(leader: str) -> bool:
        return any(not turn or commands(leader_named(leader), turn, agreed) for turn in turns)

    moving = list(units) if turns else []
    khan_units = [unit.id for unit in moving if is_under_khan(facts, unit) and may_command("khan")]
    return khan_units, may_command("francois") and any(is_with_francois(facts, unit) for unit in moving)


def dice_steps(dice: LeaderDice) -> Iterator[Step]:
    """Yield a step for each roll, with its possible results."""
    for unit in dice.khan_units:
        text = "{unit} rolls 1d6: 1 to 4 it moves as usual, 5 half its Movement Allowance, 6 none"
        yield step(khan.COMMAND_EFFECTS_RULE, text, unit=unit)
    if dice.corps_rolls:
        text = "the German 1st Corps rolls 1d6: on a 6 none of its combat units may end farther from the nearest enemy"
        yield step(francois.CLOSE_RULE, text)


def format_dice(dice: LeaderDice) -> str:
    """Format the rolls before the move, such as "the 1st Corps rolls 1d6"."""
    names = [*dice.khan_units, "the 1st Corps"] if dice.corps_rolls else dice.khan_units
    return " and ".join(f"{name} rolls 1d6" for name in names)


def with_dice(report: Report[R], dice: LeaderDice) -> Report[R]:
    """Return a report with the results of the leaders' dice added, which count even if the move is refused."""
    if not dice.changes:
        return report
    parts = (Part("Leaders", dice.steps), *report.parts)
    return replace(report, parts=parts, changes=(*dice.changes, *report.changes))


def chance_to_move(view: View, dice: LeaderDice, is_allowed: Callable[[View], bool]) -> Fraction:
    """Return the chance that the leaders' dice allow a move.

    `is_allowed`: a function that returns whether the move is allowed in a position.
    """
    total = Fraction(0)
    corps_chances = FRANCOIS.chances if dice.corps_rolls else {"": Fraction(1)}  # "": the corps does not roll
    # "halted" is left out: one halted unit stops the whole move
    for khan_results in product(("free", "slowed"), repeat=len(dice.khan_units)):
        for corps_result, chance in corps_chances.items():
            changes = list[Change]()
            for unit, result in zip(dice.khan_units, khan_results, strict=True):
                changes.append(KHAN.change(view, unit, result))
                chance *= KHAN.chances[result]
            if corps_result:
                changes.append(FRANCOIS.change(view, "", corps_result))
            if is_allowed(view.quiet_view().after(changes)):
                total += chance
    return total
