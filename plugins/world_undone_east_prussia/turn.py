"""The questions `turn`, what the phase of the position still asks for, and `next`, the phase that follows (4.0): dice,
units that enter, stacks that hold too many, enemies that must be attacked, and what the first turn and the armies'
rivalry ask for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from assistant.asking import OneDie, Report, View, changed, step
from assistant.rules.arrivals import coming_units
from assistant.rules.field.attacks import enemies_in_zones
from assistant.rules.following import find_followers
from assistant.rules.owed_retreats import judge_retreats
from assistant.rules.phase_now import Duty, Judges, StepFinding
from assistant.rules.stacks import count_again, count_stack, crowded_hexes
from assistant.rules.turns import finding, of_position, turn_questions
from assistant.state.changes import AnyChange
from assistant.util.errors import quoted

from . import terms
from .combat import is_due
from .dice import COVER, recover, release, replace, samsonov
from .ground import NO_RIVER, TRACKS, field
from .stacking import LIMITS
from .victory import ENOUGH, OWED, PENALTY, strength_near

MARK = "must-be-attacked"
"""The track of hexes with enemies who must be attacked (6.0)."""


def _judge_die(report: Report[OneDie], ask: str) -> StepFinding:
    """Return whether a die is due by the report on it. ask: the question with its parameters."""
    why = next(chain.from_iterable(part.steps for part in report.parts), None)
    if report.asks:
        return finding("owed", report.asks[0].rule, "the die is due", ask=ask)
    if report.changes:
        return finding("owed", why.rule if why else "", report.verdict.text, changes=report.changes)
    return finding("impossible", why.rule if why else "", why.text if why else report.verdict.text)


def _judge_release(view: View) -> Iterator[StepFinding]:
    """Yield whether the die for 41KB is due."""
    if COVER in view.state.units:
        yield _judge_die(release(view, {}), "release")


def _judge_recovery(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the die is due of an army that has lost its headquarters: in the two turns after that one."""
    for army in ("first", "second"):
        lost = view.integer("headquarters-lost", f"{terms.RUSSIAN} {army}")
        if lost and duty.turn - lost in (1, 2):
            yield _judge_die(recover(view, {}, army=army), f"recover army={army}")


def _judge_samsonov(view: View) -> Iterator[StepFinding]:
    """Yield whether Samsonov's die is due."""
    yield _judge_die(samsonov(view, {}), "samsonov")


def judge_replacements(view: View) -> Iterator[StepFinding]:
    """Yield the eliminated units of which it has not been rolled when they return. Rule: 10.5"""
    off = [unit.id for unit in view.units() if unit.place is None]
    lost = [unit for unit in off if replace(view.unnoticed(), {}, unit=unit).asks]
    if lost:
        text = "it is not rolled yet for {units}"
        yield finding("owed", "10.5", text, units=lost, ask=f"replace unit={quoted(lost[0])}")
    else:
        yield finding("done", "10.5", "no unit waits for its die")


def _judge_reinforcements(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which units enter the map this turn, as they may not later."""
    waiting = [coming.unit for coming in coming_units(view, duty.side) if coming.turn == duty.turn]
    if waiting:
        yield finding(
            "owed", "5.3", "{units} enter this turn, in this phase", units=waiting, ask=f"move units={waiting[0]}"
        )
    else:
        yield finding("impossible", "5.3", "no unit is stated to enter now")


def _judge_stacks(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which hexes of the side hold too many units as its Movement Phase ends, and who counts again since a
    retreat.
    """
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
    """Yield which enemies must still be attacked, as they stood in the zones of control of units that have attacked."""
    _assume_unmarked(view, duty.side)
    marked = (at for at in view.stated_about.get(MARK, ()) if view.flag(MARK, at))
    left = sorted(
        at for at in marked if is_due(view, at) and any(view.side_of(unit.id) != duty.side for unit in view.stack(at))
    )
    if left:
        yield finding("owed", "6.0", "those in {places} are left", places=left, ask=f"battle at={left[0]}")
    else:
        yield finding("done", "6.0", "none is left")


def judge_aftermath(view: View) -> Iterator[StepFinding]:
    """Yield who still owes a retreat, and who may advance. Rule: 6.5/path, 6.6/who"""
    owing = [*judge_retreats(view, terms.OWES, "6.5")]
    yield from owing
    for place, units in find_followers(view).items():
        ask = f"advance units={','.join(map(quoted, units))} at={place}"
        yield finding("possible", "6.6", "{units} may advance into {places}", units=units, places=[place], ask=ask)
    if not owing:
        yield finding("done", "6.5", "no unit owes a retreat")


def _find_attacking_hexes(view: View, side: str) -> set[str]:
    """Return the hexes of a side in which units stand that have attacked in the phase, and those around an attacked hex
    next to which no such unit is stated.
    """
    marks = ("fought", "disrupted") if view.word("phase") == terms.FIRST_COMBAT else ("fought",)
    own = [unit for unit in view.units() if unit.place and view.side_of(unit.id) == side]
    fought = {str(unit.place) for unit in own if any(view.flag(mark, unit.id) for mark in marks)}
    attacked = [at for at in view.stated_about.get("attacked", ()) if view.flag("attacked", at)]
    by_others = [ring for at in attacked if fought.isdisjoint(ring := view.board.neighbours(at))]
    return fought | {str(unit.place) for unit in own if any(unit.place in ring for ring in by_others)}


def _assume_unmarked(view: View, side: str) -> None:
    """Say of enemies who stand in the zones of units that have attacked, and of whom it is not stated whether they must
    be attacked, that they need not be: they may have come there since.
    """
    if not (places := _find_attacking_hexes(view, side)):
        return
    with view.gather() as facts:
        who = field(facts)
        known = [at for at in who.around(side).enemies if at in view.stated_about.get(MARK, ()) or not is_due(view, at)]
        unmarked = enemies_in_zones(who, side, places, known, TRACKS, "3.3", NO_RIVER)
    if unmarked:
        text = "{places}: not in the zone of control of a unit when it attacked (must-be-attacked not stated)"
        view.premises.assume(step("6.0", text, places=unmarked))


def _judge_first_attacks(view: View) -> Iterator[StepFinding]:
    """Yield whether the Germans have made the attacks that they owe in the first turn; what they lack brings Russia
    Victory Points.
    """
    attacks = view.integer("first-attacks")
    if attacks >= OWED:
        yield finding("done", "7.1", "{attacks} made", attacks=attacks)
    elif view.integer("awarded", terms.RUSSIAN):
        yield finding(
            "done", "7.1", "{attacks} made; Russia has its {award} Victory Points", attacks=attacks, award=PENALTY
        )
    else:
        text = "{attacks} of {owed} made; `close` gives Russia {award} Victory Points for the others"
        yield finding("owed", "7.1", text, ask="close", attacks=attacks, owed=OWED, award=PENALTY)


def _judge_rivalry(view: View) -> Iterator[StepFinding]:
    """Yield whether the First and the Second Army may come near each other from now on."""
    if view.flag("rivalry-ended"):
        yield finding("done", "7.2", "they may come near each other")
        return
    with view.gather() as facts:
        _, strength = strength_near(facts)
    if strength < ENOUGH:
        text = "{strength} of {enough} Strength Points of the Second Army's infantry are near Königsberg in supply"
        yield finding("impossible", "7.2", text, strength=strength, enough=ENOUGH)
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
"""Who judges the steps of a phase, by the names that these have in `course.toml`."""
QUESTIONS = turn_questions(JUDGES)
