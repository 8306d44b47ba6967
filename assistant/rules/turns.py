"""The questions `turn` and `next`: the checklist of the phase, the course of the turn, and the next phase.

A game needs no code for `turn`, which reads `course.toml` and `turns.csv`. With judges of steps by name, `turn` says
what is done, owed, possible or impossible, and `next` waits for steps that are owed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import msgspec

from ..asking.permission import InForce
from ..asking.question import Question, declare
from ..asking.report import Part, Report, Step, Verdict, step, verdict
from ..asking.view import View
from ..asking.wording import figure_names
from ..game import course
from ..game.course import Part as PartOfTurn
from ..game.phases import phases_in
from ..game.turn_record import Turn, turns
from ..state.changes import AnyChange
from ..util.notes import note
from .next_phase import RUNNING, Next, TurnCourse, answer_next
from .phase_now import (
    NO_JUDGES,
    Checklist,
    DuePhases,
    ItemState,
    Judge,
    Judges,
    PhaseEntry,
    PlayerTurn,
    Say,
    StepFinding,
    add_ask,
    find_moment,
    format_entry,
    format_phase,
    format_unsettled,
    judge_phase,
    list_words,
    player_turns,
    read_number,
)

ORDINALS = ("First", "Second", "Third", "Fourth", "Fifth", "Sixth")
"""The words for the player turns of a turn, in order."""


class GameTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A game turn."""

    turn: Annotated[int, note("the number")]
    date: Annotated[str, note("the date, empty while unknown")] = ""
    players: Annotated[tuple[PlayerTurn, ...], note("the player turns in order")] = ()
    options: Annotated[tuple[str, ...], note("the optional rules and the like in force")] = ()
    now: Annotated[Checklist | None, note("the checklist of the phase, null if the position states none")] = None

    @property
    def states(self) -> tuple[ItemState, ...]:
        """The state of each step of the phase."""
        return tuple(item.state for item in self.now.items) if self.now else ()


Whole = Annotated[bool, note("list the whole turn, not only this phase")]
"""The parameter of `turn` in every game."""
T = TypeVar("T", bound=GameTurn)


def finding(
    state: ItemState,
    rule: str,
    template: str,
    /,
    *,
    units: Iterable[str] = (),
    places: Iterable[str] = (),
    ask: str = "",
    changes: Iterable[AnyChange] = (),
    **figures: Any,
) -> StepFinding:
    """Return a finding about a step; the template may name the units, the places and further figures."""
    unit_ids = tuple(units)
    at = tuple(places)
    why = step(rule, template, SimpleNamespace(units=unit_ids, places=at, **figures))
    return StepFinding(state=state, why=why, units=unit_ids, places=at, ask=ask, changes=tuple(changes))


def of_position(judge: Callable[[View], Iterable[StepFinding]]) -> Judge:
    """Return a judge that depends on the position alone, not on the turn or the side."""
    return lambda view, duty: judge(view)


def find_record(view: View, number: int) -> Turn:
    """Return the record of a turn in `turns.csv`, or an empty one."""
    return next((turn for turn in turns(view.game) if turn.number == number), Turn(number=number))


class TurnWords(NamedTuple, Generic[T]):
    """The contents of the report on a turn besides its phases."""

    word: Annotated[Callable[[T], Verdict], note("returns the verdict on a turn and its checklist")]
    title: Annotated[str, note("the title, by default the number and date of the turn")] = ""
    say: Annotated[Say, note("returns the line of a step")] = format_entry
    before: Annotated[Iterable[Step], note("further lines before the player turns")] = ()
    after: Annotated[Iterable[Step], note("further lines after the player turns")] = ()


def turn_report(
    view: View,
    turn: T,
    words: TurnWords[T],
    *,
    changes: Iterable[AnyChange] = (),
    judges: Judges = NO_JUDGES,
    whole: bool = False,
) -> Report[T]:
    """Return the report on a turn, which begins with the checklist of the phase if one is stated.

    `whole`: whether to list every step even after a checklist.
    """
    now = judge_phase(view, turn.turn, judges, words.say)
    declared = course.course_file(view.game)
    is_short = now is not None and not whole
    lines = _list_phases if is_short else partial(_list_steps, words.say)
    brief = "" if is_short else None
    with view.gather() as facts:
        options = InForce(facts)

        def listed(part: PartOfTurn, player: PlayerTurn | None = None) -> Iterator[Step]:
            side = player.side if player else ""
            return lines(view, phases_in(view.game, declared, part, turn.turn, side, options), player)

        parts = [*now.parts()] if now else []
        parts.append(Part("Before the player turns", (*listed("turn"), *words.before), brief))
        for which, player in zip(ORDINALS, turn.players, strict=False):
            name = f"{which} Player Turn: {view.title_of(player.side)}"
            parts.append(Part(name, tuple(listed("player-turn", player)), brief))
        parts.append(Part("After them", (*listed("inter-phase"), *words.after), brief))
    title = words.title or f"Turn {turn.turn}" + (f", {turn.date}" if turn.date else "")
    result = msgspec.structs.replace(turn, now=now.checklist if now else None)
    return Report(
        title=title,
        verdict=words.word(result),
        parts=tuple(parts),
        changes=tuple(changes),
        asks=now.asks if now else (),
        result=result,
    )


def _list_steps(say: Say, view: View, phases: DuePhases, player: PlayerTurn | None) -> Iterator[Step]:
    for phase, steps in phases:
        for what in steps or (course.CourseStep(do="", rule=phase.rule),):
            if line := say(view, PhaseEntry(phase, what, player)):
                yield add_ask(line, what.ask)


def _list_phases(view: View, phases: DuePhases, player: PlayerTurn | None) -> Iterator[Step]:
    for phase, steps in phases:
        arrives = bool(player and player.units) and any(what.arrives for what in steps)
        yield format_entry(view, PhaseEntry(phase, course.CourseStep(do="", rule=phase.rule, arrives=arrives), player))


def answer_turn(view: View, judges: Judges = NO_JUDGES, *, whole: bool = False) -> Report[GameTurn]:
    """Return the checklist of the phase and of the turn that the position states."""
    declared = course.course_file(view.game)
    with view.gather() as facts:
        number = read_number(facts)
    record = find_record(view, number)
    with view.gather() as facts:
        players = player_turns(facts, number)
    agreed = [word for name in declared.turns.options for word in list_words(view, name)]
    turn = GameTurn(
        turn=number,
        date=record.date.in_words if record.date else "",
        players=players,
        options=tuple(sorted(agreed)),
    )
    words = TurnWords(partial(_choose_verdict, view), before=_list_record_steps(view, record, turn))
    return turn_report(view, turn, words, judges=judges, whole=whole)


def _choose_verdict(view: View, turn: GameTurn) -> Verdict:
    sides = [view.title_of(player.side) for player in turn.players]
    moment = find_moment(view)
    phases = course.course_file(view.game).phase
    phase = next((format_phase(view, phase, moment.side) for phase in phases if moment.word == phase.word != ""), "")
    text = "turn {turn}" + (", player turns: {sides}" if sides else "")
    if phase:
        text += "; now {phase}"
    unsettled, counts = format_unsettled(turn.states)
    if unsettled:
        text += f", {unsettled}"
    figures: dict[str, Any] = {"sides": sides, "phase": phase, **counts}
    return verdict("figure", text, turn, **{name: figures[name] for name in figures if name in figure_names(text)})


def _list_record_steps(view: View, record: Turn, turn: GameTurn) -> Iterator[Step]:
    facts = (("season", record.season), ("weather", record.weather), ("then", record.interphase))
    for kind, fact in facts:
        if fact:
            yield step(fact.rule, f"{kind}: {{what}}", what=fact.in_words)
    for figure in course.course_file(view.game).turns.figures:
        if fact := record.figures.get(figure.name):
            whose = f" ({view.title_of(figure.who)})" if figure.who else ""
            yield step(figure.rule, f"{{title}}{whose}: {{what}}", title=figure.title, what=fact.in_words)
    for event in record.events:
        yield step(
            event.rule, ("{side}: " if event.who else "") + "{what}", side=view.title_of(event.who), what=event.in_words
        )
    if turn.options:
        yield step("", "played with: {options}", turn)


def turn_questions(judges: Judges = NO_JUDGES) -> tuple[Question[Any, GameTurn], Question[Any, Next]]:
    """Return the questions `turn` and `next` of a game."""

    def turn(view: View, *, whole: Whole = False) -> Report[GameTurn]:
        return answer_turn(view, judges, whole=whole)

    title = "what is done, owed and possible in this phase, and who does what in the game turn, in order"
    return declare("turn", title, turn), next_question(judges)


def next_question(judges: Judges = NO_JUDGES, running: TurnCourse = RUNNING) -> Question[Any, Next]:
    """Return the question `next` of a game."""

    def next_(
        view: View,
        *,
        leave: Annotated[
            tuple[str, ...], note("what is owed and left undone, by the names that the refused `next` gives")
        ] = (),
    ) -> Report[Next]:
        return answer_next(view, leave, judges, running)

    return declare("next", "the phase that follows, what this one still owes, and which facts end with it", next_)


QUESTIONS = turn_questions()
QUESTION = QUESTIONS[0]
