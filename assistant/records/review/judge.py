"""The review of a record, phase by phase: its moves, its declared questions, and what else its steps changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from ...formats.positions import Asked, Position
from ...game.course import Phase, active_sides, course_file
from ...game.games import Game
from ...installed.registry import questions_of
from ...rules.next_phase import Next
from ...service import ask
from ...state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from ...state.state import FactKey, is_limited
from ...state.tracks import Value
from ...util.errors import InputError, MachineError
from ..explaining.explanation import ExplainedQuestion
from ..explaining.played import read_played_moment
from ..explaining.record import JudgedFact, reason
from .deeds import PLACE, Deed, TableStep, changes_of_step, clock_tracks, list_deeds, split_by_clock
from .marks import Judgement, Mark
from .moves import Ground, MoveJudge, Movement, movements_of, stand_ins_of
from .orders import Action, Outcome, PhaseMoves

_MAX_LEAVES = 4
"""The maximum number of times that steps are left undone to learn the next phase."""


class Declared(NamedTuple):
    """What a log declares besides its moves."""

    explained: Sequence[ExplainedQuestion] = ()
    """The questions that its chat, its notes or its marks ask, with their answers by its dice."""
    judged: Sequence[JudgedFact] = ()
    """The facts that its players set and a question works out."""


def judge_steps(game: Game, steps: Iterable[TableStep], declared: Declared = Declared()) -> list[Mark]:
    """Return the marks of a record, in the order of its steps.

    `steps`: the steps that changed the table.
    """
    marks = [mark for stretch in split_by_clock(game, steps) for mark in _PhaseReview(game, stretch, declared).judge()]
    marks += [mark_explained(question) for question in declared.explained]
    return sorted(marks, key=lambda mark: mark.step)


class _PhaseReview:
    """The steps of one phase, the last of which may lead to the next one."""

    def __init__(self, game: Game, steps: Sequence[TableStep], declared: Declared) -> None:
        self.game = game
        self.steps = steps
        self.declared = declared
        self.start = steps[0].before
        self.end = steps[-1].after
        self.when = read_played_moment(game, self.start.state).label(game)
        self.phase = _find_phase(game, self.start)
        self.clock = clock_tracks(game)
        self.follows = dict[FactKey, Value | None]()
        """The facts that lawful moves of the phase set, with their values."""

    def judge(self) -> Iterator[Mark]:
        """Yield the marks of the phase."""
        deeds = list[Deed]()
        for step in self.steps:
            if step.question is not None:
                yield self.date(mark_answer(step))
            elif not step.is_ruled:
                deeds += list_deeds(step)
        of_questions = {deed for deed in deeds if self.is_of_question(deed)}
        loose = [deed for deed in deeds if deed not in of_questions]
        marks = [mark_deed(deed, "lawful", why="so its question has it") for deed in deeds if deed in of_questions]
        marks += self.judge_places([deed for deed in loose if deed.track == PLACE])
        marks += self.judge_facts([deed for deed in loose if deed.track != PLACE])
        yield from map(self.date, marks)

    def date(self, mark: Mark) -> Mark:
        return msgspec.structs.replace(mark, when=self.when)

    def is_of_question(self, deed: Deed) -> bool:
        """Return whether a question that the log declares changes a fact, or a place, as the table then shows it."""
        for explained in self.declared.explained:
            if not explained.first < deed.step <= explained.last or explained.report is None or explained.report.asks:
                continue
            expected = {key: value for change in explained.report.changes for key, value in _list_expected(change)}
            if deed.key in expected and expected[deed.key] in (deed.after, self.read_end(deed)):
                return True
        return False

    def read_end(self, deed: Deed) -> Value | None:
        """Return the value of a deed's fact, or the place of its unit, at the end of the phase."""
        state = self.end.state
        if deed.track == PLACE:
            return state.units[deed.subject].place if deed.subject in state.units else None
        fact = state.facts.get(deed.key)
        return self.game.tracks[deed.track].absent if fact is None else fact.value

    # --- units in other places

    def judge_places(self, deeds: Sequence[Deed]) -> Iterator[Mark]:
        """Yield the judgements on the units that stand elsewhere at the end of the phase."""
        net = dict[str, Deed]()
        for deed in deeds:
            first = net.get(deed.subject, deed)
            net[deed.subject] = deed._replace(before=first.before)
        moved = [deed for deed in net.values() if deed.before != deed.after]
        yield from (mark_deed(deed, "aside", why="there and back") for deed in net.values() if deed not in moved)
        ground = Ground.of(self.game, self.start.state)
        movements = self.list_movements()
        actions = {action: deed for action, deed in self.list_actions(ground, moved, bool(movements))}
        outcomes = PhaseMoves(MoveJudge(movements), ground, [*actions]).judge_all()
        for action, deed in actions.items():
            if deed is None:
                continue
            if action in outcomes:
                yield self.mark_move(deed, outcomes[action])
            else:
                yield mark_deed(deed, "undecided", why=self.tell_doubt(action, bool(movements)))

    def list_movements(self) -> list[Movement]:
        """Return all kinds of move, if the phase asks for one of them or the record states no phase."""
        movements = movements_of(self.game)
        if self.phase is None:
            return movements
        asked = {step.ask.partition(" ")[0] for step in self.phase.steps}
        return movements if any(movement.question.name in asked for movement in movements) else []

    def list_actions(
        self, ground: Ground, moved: Sequence[Deed], has_moves: bool
    ) -> Iterator[tuple[Action, Deed | None]]:
        """Yield the actions of the phase in their order, each with its deed, or None for a journal's answer."""
        active = active_sides(self.game, self.start.state.facts)
        by_step: list[tuple[int, Action, Deed | None]] = []
        for deed in moved:
            before, after = str(deed.before or ""), str(deed.after or "")
            side = ground.view.side_of(deed.subject) if deed.subject in ground.state.units else ""
            acts = not active or side in active
            is_judged = has_moves and acts and bool(after) and deed.subject in ground.state.units
            is_judged = is_judged and ground.view.board.is_hex(after)
            change = self.change_of(deed)
            action = Action(deed.step, deed.subject, before, after, (change,), is_judged, is_hostile=not acts)
            by_step.append((deed.step, action, deed))
        for step in self.steps:
            if step.question is not None:
                by_step.append((step.number, Action(step.number, "", "", "", changes_of_step(step), False, True), None))
        yield from ((action, deed) for _, action, deed in sorted(by_step, key=lambda entry: entry[0]))

    def change_of(self, deed: Deed) -> AnyChange:
        if deed.before is None and deed.subject not in self.start.state.units:
            return Enter(deed.subject, self.end.state.units[deed.subject].type, str(deed.after), 0, "")
        return Change(PLACE, deed.subject, deed.before, deed.after, "")

    def mark_move(self, deed: Deed, outcome: Outcome) -> Mark:
        """Return the mark of a move; only a move from hex to hex in a known phase can be against a rule."""
        verdict = outcome.verdict
        if verdict.kind == "lawful":
            self.follows |= {key: value for change in verdict.changes for key, value in _list_expected(change)}
            return mark_deed(deed, "lawful", why=outcome.order, way=verdict.way, rests_on=verdict.rests_on)
        doubt = ""
        if verdict.kind == "against":
            is_hex = self.start.game.board_of(self.start.state).is_hex
            if self.phase is None:
                doubt = "which phase it is"
            elif not (deed.before and is_hex(str(deed.before))):
                doubt = f"what brought it from {deed.before or 'off the map'} to {deed.after}"
            elif deed.step == self.steps[-1].number and self.ends_phase:
                doubt = "whether it moved before or after the phase ended"
            elif not verdict.rule:
                doubt = verdict.why or "what moved it"
        if doubt or verdict.kind == "undecided":
            return mark_deed(deed, "undecided", why=doubt or verdict.why)
        more = {"rule": verdict.rule, "why": verdict.why, "remedy": verdict.remedy, "rests_on": verdict.rests_on}
        return mark_deed(deed, "against", **more)

    @property
    def ends_phase(self) -> bool:
        """Whether the last step leads to another phase."""
        states = self.steps[-1].before.state, self.steps[-1].after.state
        return any(states[0].facts.get((track, "")) != states[1].facts.get((track, "")) for track in self.clock)

    def tell_doubt(self, action: Action, has_moves: bool) -> str:
        """Return what is missing to judge an action that the moves of the phase do not decide."""
        if is_limited(self.start.state.seen_by) and not (action.before and action.after):
            return "whether it is only seen, or no longer seen"
        if not action.before:
            return "what brought it into play"
        if not action.after:
            return "what took it out of play"
        if action.is_hostile and has_moves:
            return "what moved a unit of the side that does not move now"
        if not has_moves:
            return "what moved it in a phase without moves"
        return "what moved it off the hexes of the map"

    # --- facts

    def judge_facts(self, deeds: Sequence[Deed]) -> Iterator[Mark]:
        """Yield the judgements on the facts that were set."""
        judged = {(fact.step, fact.track, fact.unit): fact for fact in self.declared.judged}
        clock = [deed for deed in deeds if deed.track in self.clock and not deed.subject]
        if clock:
            yield self.judge_clock(clock)
        for deed in deeds:
            track = self.game.tracks[deed.track]
            if deed in clock:
                continue
            if (known := judged.get((deed.step, *deed.key))) is not None:
                yield mark_judged(deed, known)
            elif deed.key in self.follows and self.follows[deed.key] == deed.after:
                yield mark_deed(deed, "lawful", why="it follows from a move")
            elif track.printed or not track.rule:
                yield mark_deed(deed, "aside")
            else:
                yield mark_deed(deed, "undecided", why="what set it is not declared")

    def judge_clock(self, deeds: Sequence[Deed]) -> Mark:
        """Return the judgement on the step to the next phase: whether the course of play leads there."""
        before, after = self.steps[-1].before, self.steps[-1].after
        number = self.steps[-1].number
        what = f"on to {read_played_moment(self.game, after.state).label(self.game) or 'no stated phase'}"
        due = find_next(before)
        stated = tuple(str(after.state.value(track, "") or "") for track in ("phase", "phasing"))
        if isinstance(due, str):
            return Mark(step=number, judgement="undecided", what=what, why=due, cause="phase")
        turn = after.state.facts.get((self.clock[0], ""))
        if (due.phase, due.side) == stated and str(due.turn) == str(turn.value if turn else ""):
            return Mark(step=number, judgement="lawful", what=what, cause="phase")
        follows = " ".join(filter(None, (f"turn {due.turn}", due.side, due.phase)))
        return Mark(
            step=number, judgement="undecided", what=what, why=f"by the course of play {follows} follows", cause="phase"
        )


# --- marks ------------------------------------------------------------------------------------------------------------


def mark_deed(deed: Deed, judgement: Judgement, **more: Any) -> Mark:
    """Return the mark of a deed. `more`: further fields of the mark."""
    if deed.track != PLACE:
        subject = f"{deed.subject}: " if deed.subject else ""
        what = f"{subject}{deed.track} {_write(deed.before)} to {_write(deed.after)}"
    elif deed.before is None:
        what = f"{deed.subject} comes to {deed.after}"
    elif deed.after is None:
        what = f"{deed.subject} leaves {deed.before}"
    else:
        what = f"{deed.subject} from {deed.before} to {deed.after}"
    cause = "move" if deed.track == PLACE else deed.track
    return Mark(step=deed.step, judgement=judgement, what=what, cause=cause, **more)


def mark_judged(deed: Deed, fact: JudgedFact) -> Mark:
    """Return the mark of a fact that a question works out."""
    report = fact.report
    if report is None or report.asks or report.verdict.kind == "undecided":
        return mark_deed(deed, "undecided", why=fact.why_not or (report.headline if report else ""))
    if fact.rules == fact.log:
        return mark_deed(deed, "lawful")
    return mark_deed(deed, "undecided", why=f"at this step the rules have {_write(fact.rules)}: {report.headline}")


def mark_answer(step: TableStep) -> Mark:
    """Return the mark of a journal's answer: it is given again, with its dice, in the position before it."""
    assert step.question is not None
    asked = step.question.asked
    what = " ".join([asked.question, *(f"{name}={_write(value)}" for name, value in asked.parameters.items())])
    report = step.question.report
    base: dict[str, Any] = {"step": step.number, "what": what, "cause": asked.question}
    base["rests_on"] = stand_ins_of(report)
    if report is None:
        return Mark(judgement="undecided", why=step.question.why_not, **base)
    if report.asks:
        missing = report.asks[0].title or report.asks[0].name
        return Mark(judgement="undecided", why=f"{missing} is not stated", **base)
    if report.verdict.kind == "undecided":
        return Mark(judgement="undecided", why=report.verdict.text, **base)
    wrong = find_wrong(step)
    if wrong is None:
        return Mark(judgement="lawful", why=report.headline, **base)
    if report.reasons:
        return Mark(judgement="against", rule=report.reasons[0].rule, why=report.reasons[0].text, **base)
    return Mark(judgement="undecided", why=f"given again, the answer differs: {wrong}", **base)


def find_wrong(step: TableStep) -> str | None:
    """Return the first difference between an answer as it is entered and as the rules give it, or None.

    The order in stacks does not count, nor what a later version of the rules marks besides until the phase ends.
    """
    assert step.question is not None and step.question.report is not None
    tracks = step.before.game.tracks
    entered = dict(pair for change in step.changes for pair in _list_expected(change))
    ruled = dict(pair for change in step.question.report.changes for pair in _list_expected(change))
    for key in {**entered, **ruled}:
        track, subject = key
        is_marked_besides = key not in entered and track in tracks and (tracks[track].is_passing or tracks[track].owed)
        if track != "order" and not is_marked_besides and (key in entered, entered.get(key)) != (key in ruled, ruled.get(key)):
            return f"{track} {subject}: {_write(entered.get(key))}, by the rules {_write(ruled.get(key))}"
    return None


def mark_explained(explained: ExplainedQuestion) -> Mark:
    """Return the mark of a question that a log declares."""
    what = " ".join([explained.question, *(f"{name}={_write(value)}" for name, value in explained.parameters.items())])
    report = explained.report
    base: dict[str, Any] = {"step": explained.last, "what": what, "cause": explained.question}
    base["rests_on"] = stand_ins_of(report)
    if report is None:
        return Mark(judgement="undecided", why=explained.why_not, **base)
    if report.asks:
        missing = report.asks[0].title or report.asks[0].name
        return Mark(judgement="undecided", why=f"{missing} is not stated", **base)
    if explained.differs:
        first = explained.differs[0]
        why = f"{first.subject}: {first.track} is {_write(first.log)}, by the rules {_write(first.rules)}"
        return Mark(judgement="undecided", why=f"{why}, read as the dice fit best", **base)
    if report.verdict.kind == "undecided":
        return Mark(judgement="undecided", why=report.verdict.text, **base)
    return Mark(judgement="lawful", why=report.headline, **base)


def _write(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _list_expected(change: AnyChange) -> Iterator[tuple[FactKey, Value | None]]:
    """Yield the fact, or the place of a unit, that a change sets, with its value or the amount added."""
    match change:
        case Change(track, subject, _, after):
            yield (track, subject), after
        case Enter(unit, _, place):
            yield (PLACE, unit), place
        case Leave(unit):
            yield (PLACE, unit), None
        case Gain(track, subject, amount):
            yield (track, subject), amount
        case Raise(track, subject, to):
            yield (track, subject), to


# --- the course of play -----------------------------------------------------------------------------------------------


def _find_phase(game: Game, position: Position) -> Phase | None:
    word = position.state.facts.get(("phase", ""))
    return next((phase for phase in course_file(game).phase if word and phase.word == word.value), None)


def find_next(position: Position) -> Next | str:
    """Return the phase that follows by the course of play, whatever is owed, or why that is not known."""
    leave: list[str] = []
    if "next" not in questions_of(position.game):
        return "the game's course of play is not known"
    for _ in range(_MAX_LEAVES):
        try:
            report = ask(position, Asked("next", {"leave": leave} if leave else {}))
        except MachineError:
            raise
        except InputError as error:
            return reason(error)
        if isinstance(report.result, Next):
            return report.result
        go_on = next((part.steps[0] for part in report.parts if part.title == "To go on" and part.steps), None)
        names = str(go_on.figures["names"]).split(",") if go_on else []
        if not {*names} - {*leave}:
            return report.headline
        leave = [*dict.fromkeys([*leave, *names])]
    return "what the phase owes is not known"
