"""The next phase: the steps that the present phase still owes, and the facts that end with it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Annotated, NamedTuple

import msgspec

from ..asking.permission import InForce, refused
from ..asking.report import Part, Report, VerdictKind, step, verdict
from ..asking.view import Gather, View, changed
from ..game import course
from ..game.course import Part as PartOfTurn
from ..game.phases import phases_in
from ..state.changes import Change
from ..state.tracks import Value
from ..util.errors import InputError, format_suggestion
from ..util.notes import note
from .phase_now import (
    NO_JUDGES,
    STATES,
    UNSETTLED,
    ChecklistItem,
    Judged,
    Judges,
    PhaseMoment,
    PhaseNow,
    StepFinding,
    format_finding,
    format_phase,
    format_unsettled,
    is_outside_player_turns,
    judge_phase,
    read_number,
)


class Next(msgspec.Struct, frozen=True):
    """The phase that follows."""

    turn: Annotated[int, note("the game turn")]
    side: Annotated[str, note("whose player turn it is, empty outside them")]
    phase: Annotated[str, note("the word of the phase")]
    ended: Annotated[int, note("how many facts end with the phase before")]
    left: Annotated[tuple[ChecklistItem, ...], note("what the phase before owes and a player leaves undone")] = ()
    carried_out: Annotated[tuple[ChecklistItem, ...], note("what is carried out as the phase before ends")] = ()


Order = Callable[[Gather], Iterable[str]]
"""A function that returns the sides in the order of their player turns."""


def _list_sides(facts: Gather) -> Iterable[str]:
    """Return the order of player turns in `course.toml`, or else that of the game's sides."""
    game = facts.view.game
    return course.course_file(game).turns.order or game.file.sides


def _find_last_turn(view: View) -> int | None:
    return view.game.tracks[course.course_file(view.game).turns.track].most


class TurnCourse(NamedTuple):
    """The course of a game's turns as far as `course.toml` does not give it."""

    order: Annotated[Order, note("returns the order of the player turns")] = _list_sides
    last: Annotated[Callable[[View], int | None], note("returns the last turn, or None if unknown")] = _find_last_turn


RUNNING = TurnCourse()
"""The course of turns by `course.toml` alone."""


def _list_moments(facts: Gather, number: int, order: Order) -> Iterator[PhaseMoment]:
    """Yield the phases of a turn that have a word, in order, each with its side.

    They are those before, in and after the player turns. The order of sides is read only as far as asked for.
    """
    game = facts.view.game
    options = InForce(facts)
    declared = course.course_file(game)

    def phases(part: PartOfTurn, side: str = "") -> Iterator[PhaseMoment]:
        for phase, _ in phases_in(game, declared, part, number, side, options):
            if phase.word:
                yield PhaseMoment(side, phase.word)

    yield from phases("turn")
    for side in order(facts):
        yield from phases("player-turn", side)
    yield from phases("inter-phase")


def lapsing(view: View, became: Mapping[str, Value | None], rule: str = "") -> Iterator[Change]:
    """Yield the changes that end facts that last only as long as other facts.

    `became`: the tracks that change, with their new values.
    """
    for (track, subject), fact in view.state.facts.items():
        if view.game.tracks[track].ends_as(became):
            yield Change(track, subject, fact.value, None, rule)


def _read_moment(facts: Gather) -> PhaseMoment:
    """Return the stated phase and its side. The side is asked for only in player turns."""
    word = facts.word("phase")
    return PhaseMoment("" if is_outside_player_turns(facts.view, word) else facts.word("phasing"), word)


def _find_next_moment(view: View, number: int, now: PhaseMoment, running: TurnCourse) -> tuple[int, PhaseMoment | None]:
    """Return the next phase with its turn. After the last phase of the game, the phase is None."""
    last = running.last(view) or number
    with view.gather() as facts:
        due = [*_list_moments(facts, number, running.order)]
    if now not in due:
        known = ", ".join(map(str, due))
        whose = f" of the side {now.side}" if now.side else ""
        raise InputError(f"turn {number} has no phase {now.word}{whose}", hint=f"it has: {known}")
    with view.gather() as facts:
        of_this_turn = ((number, phase) for phase in due[due.index(now) + 1 :])
        turns = range(number + 1, last + 1)
        later = ((turn, phase) for turn in turns for phase in _list_moments(facts, turn, running.order))
        return next(chain(of_this_turn, later), (number, None))


def answer_next(
    view: View, leave: Collection[str] = (), judges: Judges = NO_JUDGES, running: TurnCourse = RUNNING
) -> Report[Next]:
    """Return the next phase and its changes, or a refusal while the present phase owes something.

    `leave`: the names of steps to leave undone.

    Raises InputError if the turn has no such phase, or the phase no such step.
    """
    counts = course.course_file(view.game).turns.track
    with view.gather() as facts:
        number = read_number(facts)
        now = _read_moment(facts)
    turn, later = _find_next_moment(view, number, now, running)
    phase = judge_phase(view, number, judges)
    steps = phase.judged if phase else ()
    _check_left(leave, [judged.name for judged in steps])
    owed = [judged for judged in steps if judged.is_due and judged.name not in leave]
    if phase and owed:
        return _refuse_next(phase, owed, leave)
    ready = [judged for judged in steps if judged.finding.changes and judged.name not in leave]
    if later is None:
        return _end_game(number, [judged.finding for judged in ready])
    left = [judged for judged in steps if judged.finding.state in UNSETTLED and judged.name in leave]
    possible = [judged for judged in steps if judged.finding.state == "possible" and judged.name in judges]
    offered = [judged for judged in possible if judged not in ready]
    carried_out = tuple(change for judged in ready for change in judged.finding.changes)
    after: dict[str, Value | None] = {counts: turn, "phasing": later.side or None, "phase": later.word}
    changes = (changed(view, name, "", value, "") for name, value in after.items())
    moved = [change for change in changes if change.before != change.after]
    ended = tuple(lapsing(view.after(carried_out), {change.track: change.after for change in moved}))
    result = Next(
        turn=turn,
        side=later.side,
        phase=later.word,
        ended=len(ended),
        left=_list_items(phase, left),
        carried_out=_list_items(phase, ready),
    )
    coming = next(phase for phase in course.course_file(view.game).phase if phase.word == result.phase)
    return Report(
        title="The next phase",
        verdict=verdict("figure", "turn {turn}: {phase}", result, phase=format_phase(view, coming, result.side)),
        parts=(
            Part("Carried out as the phase ends", tuple(judged.finding.why for judged in ready)),
            Part("Left undone", tuple(map(format_finding, left))),
            Part("Not done, or not shown by the position", tuple(map(format_finding, offered))),
        ),
        changes=(*carried_out, *moved, *ended),
        result=result,
    )


def _end_game(number: int, ready: Sequence[StepFinding]) -> Report[Next]:
    title = "The next phase"
    text = "the game is over"
    last_step = step("", "turn {turn} is the last", turn=number)
    if not ready:
        return refused(title, text, [last_step])
    return Report(
        title=title,
        verdict=verdict("figure", text),
        parts=(Part("Carried out as the phase ends", (*(finding.why for finding in ready), last_step)),),
        changes=tuple(change for finding in ready for change in finding.changes),
    )


def _list_items(phase: PhaseNow | None, some: Collection[Judged]) -> tuple[ChecklistItem, ...]:
    return phase._replace(judged=tuple(some)).checklist.items if phase else ()


def _check_left(leave: Iterable[str], names: Collection[str]) -> None:
    for name in leave:
        if name not in names:
            hint = format_suggestion(name, dict.fromkeys(filter(None, names)))
            raise InputError(f"leave: no step of this phase is named {name!r}", hint=hint)


def _refuse_next(phase: PhaseNow, owed: Collection[Judged], leave: Iterable[str]) -> Report[Next]:
    names = list(dict.fromkeys((*leave, *(judged.name for judged in owed))))
    go_on = step("", "to leave this undone, type: next leave={names}", names=",".join(names))
    unsettled, counts = format_unsettled([judged.finding.state for judged in owed])
    kind: VerdictKind = "no" if "owed" in counts else "undecided"
    text = (
        f"{{phase}} is not over: {unsettled}" if kind == "no" else f"undecided whether {{phase}} is over: {unsettled}"
    )
    by_state = {
        state: tuple(format_finding(judged) for judged in owed if judged.finding.state == state) for state in UNSETTLED
    }
    return Report(
        title="The next phase",
        verdict=verdict(kind, text, phase=phase.title, **counts),
        parts=(
            *(Part(STATES[state].capitalize(), lines) for state, lines in by_state.items()),
            Part("To go on", (go_on,)),
        ),
        asks=phase.asks,
    )
