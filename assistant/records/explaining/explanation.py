"""A log explained: battles and checks decided by its dice, facts judged by its players, and unexplained throws."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import Annotated, Any, NamedTuple

import msgspec

from ...asking.asks import Ask
from ...asking.parameters import read_parameters
from ...asking.play import rolls_of
from ...asking.question import Question, decide, find_viewpoint, viewpoint_title
from ...asking.report import MissingFacts, Report
from ...asking.view import View
from ...formats.positions import BY_PROGRAM, Asked, ChatLine, Event, Position, RollReport, Throw
from ...installed.registry import question_of, questions_of
from ...mechanics.procedure import AnswerError
from ...service import answers_to, ask
from ...state.changes import AnyChange
from ...util.errors import InputError, MachineError
from ...util.notes import note
from .record import AnnotatedRecord, ChatNotation, Disagreement, JudgedFact, LogStretch, fights_of, judgements, reason

_MAX_OPENINGS = 8
"""The maximum number of questions tried for a throw."""
_MAX_THROWS = 60
"""The maximum number of throws for one question."""
_MAX_LATER_THROWS = 12
"""The maximum number of later throws before which the map is searched for marks."""
_MAX_TRIALS = 250
"""The maximum number of times that one question is asked to find the choices of a log."""
_MAX_LOG_TRIALS = 5000
"""The maximum number of times that questions are asked for a whole log."""
_MAX_OPTIONS = 40
"""The maximum number of options of a choice that are tried."""


class AnsweringThrow(msgspec.Struct, frozen=True):
    """A throw, and the roll answered by it."""

    name: Annotated[str, note("the roll, as answers name it")]
    throw: Annotated[Throw, note("the throw")]


class ExplainedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question found in the log, and its answer by the log's dice."""

    question: Annotated[str, note("the question's name")]
    parameters: Annotated[dict[str, Any], note("the parameters, as typed")]
    first: Annotated[int, note("the step of the log; the question is about the position before it")]
    last: Annotated[int, note("the step of the log until which the results may be carried out")]
    opened: Annotated[str, note("the sign in the log that the question is asked")]
    throws: Annotated[tuple[AnsweringThrow, ...], note("the throws that answer the question's rolls")] = ()
    in_order: Annotated[tuple[str, ...], note("rolls matched to throws by their order only")] = ()
    given: Annotated[dict[str, str], note("answers that stand in the chat or the notes, as typed")] = {}
    chosen: Annotated[dict[str, str], note("the question's choices, as the log shows them")] = {}
    unused: Annotated[tuple[Throw, ...], note("throws that the rules do not ask for, between those that answer")] = ()
    waiting: Annotated[
        tuple[Throw, ...], note("later throws that may answer the question once what is missing is stated")
    ] = ()
    is_partial: Annotated[
        bool, note("whether the limit of trials left choices or orders of dice untried that may fit better")
    ] = False
    differs: Annotated[tuple[Disagreement, ...], note("the differences of the log from the rules")] = ()
    unmarked: Annotated[
        tuple[tuple[str, str], ...], note("markers of the phase that are not set: track and subject")
    ] = ()
    report: Annotated[Report[Any] | None, note("the whole answer, null if the question cannot be asked")] = None
    why_not: Annotated[str, note("the reason why the question cannot be asked, or ''")] = ""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The questions, judged facts and unexplained throws of a log."""

    log: Annotated[str, note("the file")]
    game: Annotated[str, note("the game's id")] = ""
    steps: Annotated[int, note("the number of steps of the log")]
    by_lines: Annotated[
        bool, note("whether only throws and typed lines count as steps, so that no other step is revealed")
    ] = False
    explained: Annotated[tuple[ExplainedQuestion, ...], note("the battles and checks, in order")] = ()
    judged: Annotated[tuple[JudgedFact, ...], note("facts that players set and the rules determine")] = ()
    unexplained: Annotated[tuple[Throw, ...], note("throws with no known purpose")] = ()
    reported: Annotated[tuple[RollReport, ...], note("apparent throws of unknown buttons")] = ()
    faults: Annotated[
        tuple[tuple[ChatNotation, str], ...], note("lines that were typed for the assistant and cannot be read")
    ] = ()
    viewpoint: Annotated[
        str,
        note(
            "the side to whose knowledge the explanation is limited, or `umpire` or `everything`; empty if the game hides nothing"
        ),
    ] = ""
    viewpoint_title: Annotated[str, note("the name of the viewpoint's side")] = ""


class _Query(NamedTuple):
    asked: Asked
    step: int
    """The step of the log after which the question is asked."""
    why: str
    given: Mapping[str, str] = {}
    """The answers typed for the question."""
    thrown: tuple[AnsweringThrow, ...] = ()
    """The throws recorded in the given answers."""
    noted: bool = False
    """Whether this program noted the question."""


class _Scene(NamedTuple):
    opened: _Query | None
    """The question at the beginning of the scene, or None."""
    thrown: tuple[ThrowAndTalk, ...]
    last: int
    """The last step."""


def explain_log(table: AnnotatedRecord, name: str) -> Explanation:
    """Return the questions of a log with their answers, by its dice, moves and chat.

    Raises InputError if the positions of the log cannot be read.
    """
    return _Explainer(table).explain(name)


def read_until(table: AnnotatedRecord, explained: ExplainedQuestion, last: int) -> ExplainedQuestion:
    """Return a question with its dice and choices read anew, where its results may be carried out until a later step.

    Raises InputError if the positions of the log cannot be read.
    """
    asked = Asked(explained.question, explained.parameters)
    position = table.at(explained.first)
    steps = {rolled.throw.step for rolled in explained.throws} | {throw.step for throw in explained.unused}
    thrown = [entry for entry in _list_throws(table.record.events) if entry.throw.step in steps]
    stretch = _make_stretch(table, explained.question, explained.first, last)
    play = match_throws(position, asked, thrown, explained.given, stretch, TrialBudget())
    report = ask(position, asked, play.answers)
    differs, unmarked = stretch.agreement(report.changes)
    return msgspec.structs.replace(
        explained,
        last=last,
        throws=tuple(AnsweringThrow(name, throw) for name, throw in play.used),
        in_order=play.in_order,
        chosen={name: play.answers[name] for name in play.chosen},
        is_partial=play.is_partial,
        differs=differs,
        unmarked=unmarked,
        report=report,
    )


def _list_throws(events: Iterable[Event]) -> Iterator[ThrowAndTalk]:
    """Yield all throws, each with the lines typed since the previous throw."""
    talk: list[str] = []
    for event in events:
        if isinstance(event, Throw):
            yield ThrowAndTalk(event, tuple(talk))
            talk = []
        elif isinstance(event, ChatLine):
            talk.append(event.text)


def _make_stretch(table: AnnotatedRecord, question: str, first: int, last: int) -> LogStretch:
    fights = fights_of(question_of(table.record.game, question))
    return LogStretch(table, first, last, fights.rules if fights is not None else ())


class _Explainer:
    def __init__(self, table: AnnotatedRecord) -> None:
        self.table = table
        self.record = table.record
        self.unexplained: list[Throw] = []
        self.budget = TrialBudget()
        self.answered: list[tuple[object, Asked]] = []

    def explain(self, name: str) -> Explanation:
        first_view = View(self.record.game, self.record.at(0).state)
        explained = tuple(answered for scene in self.split_into_scenes() for answered in self.explain_scene(scene))
        return Explanation(
            log=name,
            game=self.record.game.id,
            steps=self.record.steps,
            by_lines=self.record.by_lines,
            explained=explained,
            judged=tuple(judgements(self.table)),
            unexplained=tuple(self.unexplained),
            reported=tuple(event for event in self.record.events if isinstance(event, RollReport)),
            faults=tuple(self.table.faults),
            viewpoint=find_viewpoint(first_view),
            viewpoint_title=viewpoint_title(first_view),
        )

    def split_into_scenes(self) -> Iterator[_Scene]:
        opened: _Query | None = None
        thrown: list[ThrowAndTalk] = []
        talk: list[str] = []
        for event in self.record.events:
            if isinstance(event, Throw):
                thrown.append(ThrowAndTalk(event, tuple(talk)))
                talk = []
            elif event.step in self.table.asked:
                asked = self.table.asked[event.step]
                scene_question = opened
                if event.player == BY_PROGRAM:
                    opened = self.read_noted(asked, event.step, thrown)
                    answered = {answering.throw.step for answering in opened.thrown}
                    thrown = [throw for throw in thrown if throw.throw.step not in answered]
                else:
                    opened = _Query(asked, event.step, f"typed in step {event.step} by {event.player}")
                if thrown or scene_question is None or not self.is_continued(scene_question, opened):
                    yield _Scene(scene_question, tuple(thrown), event.step - 1)
                thrown = []
                talk = []
            elif event.step in self.table.answered or isinstance(event, RollReport):
                continue
            else:
                talk.append(event.text)
        yield _Scene(opened, tuple(thrown), self.record.steps)

    def read_noted(self, asked: Asked, step: int, thrown: Sequence[ThrowAndTalk]) -> _Query:
        """Return a question, with its answers, that this program wrote into the notes of a save or log.

        `thrown`: the throws in the chat before the step. The last throw equal to a die of the answers is taken as that
        die.
        """
        until = min((at for at in self.table.asked if at > step), default=self.record.steps + 1)
        typed = next((answers for at, answers in self.table.answered.items() if step < at < until), {})
        answering = list[AnsweringThrow]()
        unmatched = [entry.throw for entry in thrown]
        given = self.read_noted_answers(asked, step)
        position = self.table.at(step)
        question = question_of(position.game, asked.question)
        view = View(position.game, position.state, "seen")
        kinds = rolls_of(question, view, asked.parameters, {**given, **typed}) if typed else {}
        dice = [(name, value) for name, answer in typed.items() for value in answer.split("/")]
        for name, value in reversed(dice):
            of_kind = [throw for throw in unmatched if throw.dice in kinds.get(name, throw.dice)]
            if (throw := _find_last_throw(of_kind, value)) is not None:
                unmatched.remove(throw)
                answering.append(AnsweringThrow(name, throw))
        why = f"noted by Field Staff in step {step}"
        return _Query(asked, step, why, given, tuple(reversed(answering)), noted=True)

    def read_noted_answers(self, asked: Asked, step: int) -> Mapping[str, str]:
        notes = self.record.at(step)
        noted = next((question for question in notes.asks if _may_be_same(question, asked)), None)
        return answers_to(notes, noted) if noted else {}

    def is_continued(self, earlier: _Query, opened: _Query) -> bool:
        """Return whether a question noted by this program is the question before it, which was not carried out yet."""
        if not opened.noted or not _may_be_same(earlier.asked, opened.asked):
            return False
        return not earlier.noted or any(_may_be_same(asked, opened.asked) for asked in self.record.at(opened.step).asks)

    def explain_scene(self, scene: _Scene) -> list[ExplainedQuestion]:
        if scene.opened is None:
            return self.recognise_throws(scene.thrown, scene.last)
        rolls = bool(question_of(self.record.game, scene.opened.asked.question).answers)
        opened = scene.opened
        if opened.noted:
            opened = opened._replace(given={**opened.given, **self.read_noted_answers(opened.asked, scene.last)})
        explained, rest = self.answer_query(opened, scene.thrown if rolls else (), scene.last)
        self.answered.append((self.read_moment(explained.first), opened.asked))
        return self.append_following(explained, rest if rolls else scene.thrown, scene.last)

    def recognise_throws(self, thrown: Sequence[ThrowAndTalk], last: int) -> list[ExplainedQuestion]:
        """Return the questions answered by throws without a typed question, from the notes or the map."""
        for number, first in enumerate(thrown):
            if self.budget.left and (best := self.find_best_opening(thrown[number:], last)) is not None:
                explained, rest = best
                asked = Asked(explained.question, explained.parameters)
                self.answered.append((self.read_moment(explained.first), asked))
                return self.append_following(explained, rest, last)
            self.unexplained.append(first.throw)
        return []

    def append_following(
        self, explained: ExplainedQuestion, rest: Sequence[ThrowAndTalk], last: int
    ) -> list[ExplainedQuestion]:
        """Return a question and those after it.

        If the question waits for something, later unexplained throws are added to it as waiting.
        """
        earlier_count = len(self.unexplained)
        following = self.recognise_throws(rest, last)
        explained = self.compare_with_log(explained, following)
        if explained.report is not None and explained.report.asks:
            end = following[0].first + 1 if following else last + 1
            waiting = tuple(throw for throw in self.unexplained[earlier_count:] if throw.step < end)
            self.unexplained[earlier_count:] = [
                throw for throw in self.unexplained[earlier_count:] if throw not in waiting
            ]
            explained = msgspec.structs.replace(explained, waiting=(*explained.waiting, *waiting))
        return [explained, *following]

    def find_best_opening(
        self, thrown: Sequence[ThrowAndTalk], last: int
    ) -> tuple[ExplainedQuestion, tuple[ThrowAndTalk, ...]] | None:
        best: tuple[tuple[bool, bool, int], tuple[ExplainedQuestion, tuple[ThrowAndTalk, ...]]] | None = None
        for opened in islice(self.list_openings(thrown, last), _MAX_OPENINGS):
            answer, rest = self.answer_query(opened, thrown, last)
            if answer.report is None or not (answer.throws or answer.report.asks):
                continue
            if not answer.throws:  # the question waits for something other than dice
                answer = msgspec.structs.replace(answer, waiting=(thrown[0].throw,))
                rest = tuple(thrown[1:])
            match = self.compare_with_log(answer, ())
            rank = (not answer.throws, match.report is None or not match.report.changes, len(match.differs))
            if best is None or rank < best[0]:
                best = rank, (answer, rest)
            if rank == (False, False, 0):
                break
        return best[1] if best else None

    def list_openings(self, thrown: Sequence[ThrowAndTalk], last: int) -> Iterator[_Query]:
        """Yield the questions that throws may answer: open questions of the notes, then questions shown by the map."""
        step = thrown[0].throw.step - 1
        position = self.table.at(step)
        notes = self.record.at(step)
        known = questions_of(position.game)
        for asked in notes.asks:
            if asked.question in known and known[asked.question].answers and not self.is_explained(asked, None):
                yield _Query(asked, step, "asked in the notes", answers_to(notes, asked))
        before = View(position.game, position.state, "seen")
        offered = set()
        moment_now = self.read_moment(step)
        until = [later.throw.step - 1 for later in thrown[1:_MAX_LATER_THROWS]]
        for later in (*until, last):
            self.budget.spend()
            view_then = View(position.game, self.table.at(later).state, "seen")
            for name, question in known.items():
                if question.openings is None:
                    continue
                for opening in question.openings(before, view_then):
                    asked = Asked(name, opening.parameters)
                    if (key := (name, repr(opening.parameters))) not in offered and not self.is_explained(
                        asked, moment_now
                    ):
                        offered.add(key)
                        yield _Query(asked, step, opening.sign)

    def read_moment(self, step: int) -> object:
        return frozenset(
            (track, fact.value) for (track, about), fact in self.table.at(step).state.facts.items() if not about
        )

    def is_explained(self, asked: Asked, now: object) -> bool:
        """Return whether a question has been explained already.

        `now`: the moment in which that counts, or None for any moment.
        """
        for earlier_moment, earlier in self.answered:
            has_common = not asked.parameters.keys().isdisjoint(earlier.parameters)
            if now in (None, earlier_moment) and has_common and _may_be_same(earlier, asked):
                return True
        return False

    def answer_query(
        self, opened: _Query, thrown: Sequence[ThrowAndTalk], last: int
    ) -> tuple[ExplainedQuestion, tuple[ThrowAndTalk, ...]]:
        step = thrown[0].throw.step - 1 if thrown else opened.step
        asked = opened.asked
        position = self.table.at(step)
        question = question_of(position.game, asked.question)
        typed = [answers for at, answers in self.table.answered.items() if min(step, opened.step) < at <= last]
        given = {name: value for answers in typed for name, value in answers.items() if question.waits_for(name)}
        answers = {**opened.given, **given}
        answered = ExplainedQuestion(
            question=asked.question, parameters=dict(asked.parameters), first=step, last=last, opened=opened.why
        )
        try:
            stretch = _make_stretch(self.table, asked.question, step, last)
            tried_throws = thrown[:_MAX_THROWS]
            if opened.noted and self.read_noted_answers(asked, last):  # the question still waits for its answers
                play = ThrowsMatch(answers)
            else:
                play = match_throws(position, asked, tried_throws, answers, stretch, self.budget)
            report = ask(position, asked, play.answers)
        except MachineError:
            raise
        except InputError as error:
            return msgspec.structs.replace(answered, why_not=reason(error)), tuple(thrown)
        latest = max((throw.step for _, throw in play.used), default=0)
        answered = msgspec.structs.replace(
            answered,
            throws=(*opened.thrown, *(AnsweringThrow(name, throw) for name, throw in play.used)),
            given={name: value for name, value in answers.items() if name in play.answers},
            in_order=play.in_order,
            chosen={name: play.answers[name] for name in play.chosen},
            unused=tuple(throw for throw in play.unused if throw.step < latest),
            is_partial=play.is_partial,
            report=report,
        )
        unused_steps = {throw.step for throw in play.unused if throw.step > latest}
        rest = [entry for entry in tried_throws if entry.throw.step in unused_steps]
        return answered, (*rest, *thrown[_MAX_THROWS:])

    def compare_with_log(self, explained: ExplainedQuestion, others: Sequence[ExplainedQuestion]) -> ExplainedQuestion:
        last = others[0].first if others else explained.last
        if explained.report is None or not explained.report.changes:
            return msgspec.structs.replace(explained, last=last)
        stretch = _make_stretch(self.table, explained.question, explained.first, last)
        differs, unmarked = stretch.agreement(explained.report.changes)
        return msgspec.structs.replace(explained, last=last, differs=differs, unmarked=unmarked)


def _find_last_throw(thrown: Sequence[Throw], value: str) -> Throw | None:
    by_faces = [throw for throw in thrown if "+".join(map(str, throw.faces)) == value]
    matching = by_faces or [throw for throw in thrown if str(throw.total) == value]
    return matching[-1] if matching else None


def _may_be_same(asked: Asked, other: Asked) -> bool:
    """Return whether two questions are the same one, except for parameters that only one of them states."""
    common_parameters = asked.parameters.keys() & other.parameters.keys()
    has_same_values = all(str(asked.parameters[name]) == str(other.parameters[name]) for name in common_parameters)
    return asked.question == other.question and has_same_values


class TrialBudget:
    """The number of trials left for a log: an answer or a later position counts as one."""

    def __init__(self) -> None:
        self.left = _MAX_LOG_TRIALS

    def spend(self) -> None:
        self.left = max(self.left - 1, 0)


class ThrowAndTalk(NamedTuple):
    """A throw, and the lines typed since the previous throw."""

    throw: Throw
    said: tuple[str, ...] = ()


class ThrowsMatch(NamedTuple):
    """The throws of a log, matched to the rolls of a question."""

    answers: Mapping[str, str]
    """The answers by name, as typed."""
    used: tuple[tuple[str, Throw], ...] = ()
    """Each throw with the name of the roll that it answers."""
    unused: tuple[Throw, ...] = ()
    """Throws that answer no roll."""
    in_order: tuple[str, ...] = ()
    """The names of rolls matched to throws only by their order."""
    chosen: tuple[str, ...] = ()
    """The names of choices that the log shows, if there were several options."""
    is_partial: bool = False
    """Whether the limit of trials left courses untried that may fit better."""


def match_throws(
    position: Position,
    asked: Asked,
    thrown: Sequence[ThrowAndTalk],
    given: Mapping[str, str],
    stretch: LogStretch,
    budget: TrialBudget,
) -> ThrowsMatch:
    """Return the match of throws to a question that contradicts the log least.

    Of equal ones it is the first in the order of the rules.

    `given`: the answers known already.
    `stretch`: the part of the log with which the answer's changes are compared.

    Raises InputError if parameters or answers are not allowed.
    """
    best: tuple[tuple[bool, int], ThrowsMatch] | None = None
    search = _Search(position, asked, thrown, stretch, budget)
    for tried, changes in search.list_nearest_first(ThrowsMatch(dict(given))):
        rank = (not changes, stretch.misfit(changes))
        if best is None or rank < best[0]:
            best = rank, tried
        if rank == (False, 0):
            return tried
    match = best[1] if best else ThrowsMatch(dict(given), unused=tuple(throw.throw for throw in thrown))
    return match._replace(is_partial=search.is_partial)


class _Search:
    """A search of the possible courses of a question."""

    def __init__(
        self,
        position: Position,
        asked: Asked,
        thrown: Sequence[ThrowAndTalk],
        stretch: LogStretch,
        budget: TrialBudget,
    ) -> None:
        self.position = position
        self.asked = asked
        self.thrown = thrown
        self.stretch = stretch
        self.budget = budget
        self.is_partial = False  # whether the limits left a possibility untried
        self._has_more = False  # whether there are courses farther from the likeliest one
        self._decided = dict[frozenset[tuple[str, str]], Report[Any] | AnswerError | None]()
        self.question: Question[Any, Any] = question_of(position.game, asked.question)
        self.trials = 0

    @property
    def spent(self) -> bool:
        """Whether the trials are used up, so that only the first of further possibilities is tried."""
        return self.trials > _MAX_TRIALS or not self.budget.left

    def decide(self, answers: Mapping[str, str]) -> Report[Any] | None:
        """Return the report without chances and without assumed facts, or None if facts are missing.

        Raises AnswerError if an answer is not allowed.
        """
        key = frozenset(answers.items())
        if key not in self._decided:
            self.trials += 1
            self.budget.spend()
            view = View(self.position.game, self.position.state, "seen")
            try:
                parameters = read_parameters(self.question, view, self.asked.parameters)
                self._decided[key] = decide(self.question, view, parameters, answers)
            except MissingFacts:
                self._decided[key] = None
            except AnswerError as error:
                self._decided[key] = error
        decided = self._decided[key]
        if isinstance(decided, AnswerError):
            raise decided
        return decided

    def list_nearest_first(self, start: ThrowsMatch) -> Iterator[tuple[ThrowsMatch, tuple[AnyChange, ...]]]:
        """Yield the courses by their distance from the likeliest one: how far other options are down their lists."""
        for distance in count():
            self._has_more = False
            yield from self.list_courses(start, 0, distance)
            if not self._has_more or self.spent:
                self.is_partial = self.is_partial or self._has_more
                return

    def list_courses(
        self, so_far: ThrowsMatch, at: int, distance: int
    ) -> Iterator[tuple[ThrowsMatch, tuple[AnyChange, ...]]]:
        """Yield the courses at a distance from the likeliest one. `at`: the number of throws that are settled."""
        report = self.decide(so_far.answers)
        asks = report.asks if report is not None else ()
        choice = next((wanted for wanted in asks if wanted.kind == "choice"), None)
        rolls = [wanted for wanted in asks if wanted.kind == "roll"]
        if choice is not None and choice.options:
            yield from self.try_options(so_far, at, distance, choice)
        elif rolls and at < len(self.thrown):
            yield from self.try_rolls(so_far, at, distance, rolls)
        elif not distance:
            unused = tuple(thrown.throw for thrown in self.thrown[at:])
            changes = report.changes if report is not None else ()
            yield so_far._replace(unused=(*so_far.unused, *unused)), changes

    def is_beyond(self, number: int, distance: int) -> bool:
        """Return whether a possibility, by its number in its list, is too far, or the trials are used up."""
        is_beyond = number.bit_length() > distance or (number > 0 and self.spent)
        self._has_more = self._has_more or is_beyond
        return is_beyond

    def try_options(
        self, so_far: ThrowsMatch, at: int, distance: int, choice: Ask
    ) -> Iterator[tuple[ThrowsMatch, tuple[AnyChange, ...]]]:
        several = (choice.name,) if len(choice.options) > 1 else ()
        chosen = so_far._replace(chosen=(*so_far.chosen, *several))
        options = sorted(choice.options, key=self.rank_option)
        self.is_partial = self.is_partial or len(options) > _MAX_OPTIONS
        for number, option in enumerate(options[:_MAX_OPTIONS]):
            if self.is_beyond(number, distance):
                return
            tried = chosen._replace(answers={**so_far.answers, choice.name: option})
            try:
                yield from self.list_courses(tried, at, distance - number.bit_length())
            except AnswerError:  # a later answer may rule out the option
                continue

    def rank_option(self, option: str) -> tuple[int, int]:
        """Return the place of an option in the order of trials: what changed in the log, then hexes near moved units."""
        return -sum(map(self.stretch.likely, option.split(","))), self.stretch.find_distance(option)

    def try_rolls(
        self, so_far: ThrowsMatch, at: int, distance: int, rolls: Sequence[Ask]
    ) -> Iterator[tuple[ThrowsMatch, tuple[AnyChange, ...]]]:
        """Yield the courses for each roll that the throw at index `at` may answer."""
        throw, talk = self.thrown[at]
        rolls_with_dice = [wanted for wanted in rolls if wanted.dice == throw.dice]
        rolls_named = [wanted for wanted in rolls_with_dice if self.is_named(talk, wanted)]
        if not rolls_with_dice:
            yield from self.list_courses(so_far._replace(unused=(*so_far.unused, throw)), at + 1, distance)
            return
        unsaid = len(rolls_with_dice) > 1 and len(rolls_named) != 1
        for number, roll in enumerate(rolls_named if len(rolls_named) == 1 else rolls_with_dice):
            if self.is_beyond(number, distance):
                return
            answers = {**so_far.answers, roll.name: "+".join(map(str, throw.faces))}
            used = (*so_far.used, (roll.name, throw))
            in_order = (*so_far.in_order, roll.name) if unsaid else so_far.in_order
            tried = so_far._replace(answers=answers, used=used, in_order=in_order)
            left = distance - number.bit_length()
            try:
                yield from self.list_courses(tried, at + 1, left)
            except AnswerError as error:  # the roll cannot have these dice
                if error.name != roll.name:
                    raise
                yield from self.list_courses(so_far._replace(unused=(*so_far.unused, throw)), at + 1, left)

    def is_named(self, talk: Sequence[str], wanted: Ask) -> bool:
        head, _, about = wanted.name.partition(".")
        words = [word.strip(".,:;!?") for line in talk for word in re.split(r"[\s,;:]+", line)]
        words = [word.removeprefix(f"{head}.") for word in words]
        places = [unit.place for word in words if (unit := self.position.state.units.get(word))]
        return bool(about) and about in (*words, *places)
