"""What a log tells: each battle and check that its dice decide, each fact that its players judged, and what cannot be
explained.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, NamedTuple

import msgspec

from ..formats.positions import BY_PROGRAM, Asked, RollReport, Throw
from ..plugins.registry import question_of, questions_of
from ..questions.play import rolls_of
from ..questions.question import viewpoint_of, viewpoint_title
from ..questions.report import Report
from ..questions.view import View
from ..service import ask
from ..util.errors import InputError
from ..util.notes import note
from .agreement import Disagreement, Judged, Stretch, judgements
from .course import Budget, Course, Thrown, course, fits, reason
from .table import Table, Typed


class Answering(msgspec.Struct, frozen=True):
    """A throw and the roll that it answers."""

    name: Annotated[str, note("the roll, as answers name it")]
    throw: Annotated[Throw, note("the throw")]


class Explained(msgspec.Struct, frozen=True, kw_only=True):
    """A question that the log asks, and its answer by the log's own dice."""

    question: Annotated[str, note("the question's name")]
    parameters: Annotated[dict[str, Any], note("its parameters, as typed")]
    first: Annotated[int, note("the step before which its position stands")]
    last: Annotated[int, note("the step until which its results may be carried out")]
    opened: Annotated[str, note("how the log shows that it is asked")]
    throws: Annotated[tuple[Answering, ...], note("the throws that answer its rolls")] = ()
    in_order: Annotated[tuple[str, ...], note("rolls of which only the order of the throws tells which is theirs")] = ()
    given: Annotated[dict[str, str], note("answers that stand in the chat or the notes, as typed")] = {}
    chosen: Annotated[dict[str, str], note("its choices, as the log shows them")] = {}
    unused: Annotated[tuple[Throw, ...], note("throws in between that the rules do not ask for")] = ()
    waiting: Annotated[
        tuple[Throw, ...], note("throws after it that may be for it, once what is missing is stated")
    ] = ()
    differs: Annotated[tuple[Disagreement, ...], note("what the log has otherwise than the rules")] = ()
    unmarked: Annotated[
        tuple[tuple[str, str], ...], note("marks of the phase that are not set: track and subject")
    ] = ()
    report: Annotated[Report[Any] | None, note("the whole answer, null where it cannot be asked")] = None
    why_not: Annotated[str, note("why it cannot be asked, else ''")] = ""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """What a log tells."""

    log: Annotated[str, note("its file")]
    game: Annotated[str, note("the game's id")] = ""
    steps: Annotated[int, note("how many steps it has")]
    by_lines: Annotated[
        bool, note("whether only throws and typed lines count as steps, so that no other step betrays itself")
    ] = False
    explained: Annotated[tuple[Explained, ...], note("the battles and checks, in order")] = ()
    judged: Annotated[tuple[Judged, ...], note("the facts that players set and the rules find")] = ()
    unexplained: Annotated[tuple[Throw, ...], note("throws of which nothing tells what they were for")] = ()
    reported: Annotated[tuple[RollReport, ...], note("what looks like throws of buttons that are not known")] = ()
    faults: Annotated[tuple[tuple[Typed, str], ...], note("lines typed for the assistant that it cannot read")] = ()
    viewpoint: Annotated[str, note("whose knowledge it rests on")] = ""
    viewpoint_title: Annotated[str, note("what that side is called")] = ""


_MOST_OPENINGS, _MOST_THROWS, _MOST_LATER = 8, 60, 12
"""How many questions are tried for a throw, how many throws one question may take, and before how many later ones marks
are looked for.
"""


class _Query(NamedTuple):
    """A question that the log asks.

    step: after which; given: answers that were typed for it; thrown: throws that these tell; noted: whether this
    program noted it.
    """

    asked: Asked
    step: int
    why: str
    given: Mapping[str, str] = {}
    thrown: tuple[Answering, ...] = ()
    noted: bool = False


class _Scene(NamedTuple):
    """A stretch of the log between two typed questions. opened: the one at its beginning, if any; last: its last step."""

    opened: _Query | None
    thrown: tuple[Thrown, ...]
    last: int


def explain(table: Table, name: str) -> Explanation:
    """What a log tells, as far as its dice, its moves and what was typed into its chat allow. name: its file.

    Raises InputError for a log whose positions cannot be read.
    """
    return _Explaining(table).all(name)


class _Explaining:
    """A log while it is explained."""

    def __init__(self, table: Table) -> None:
        self.table, self.record = table, table.record
        self.unexplained: list[Throw] = []
        self.budget = Budget()
        self.answered: list[tuple[object, Explained]] = []

    def all(self, name: str) -> Explanation:
        """The whole explanation."""
        begun = View(self.record.game, self.record.at(0).state)
        explained = tuple(answered for scene in self.scenes() for answered in self.of_scene(scene))
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
            viewpoint=viewpoint_of(begun),
            viewpoint_title=viewpoint_title(begun),
        )

    def scenes(self) -> Iterator[_Scene]:
        """The log in stretches, each from one typed question to the next."""
        opened: _Query | None = None
        thrown: list[Thrown] = []
        said: list[str] = []
        for event in self.record.events:
            if isinstance(event, Throw):
                thrown.append(Thrown(event, tuple(said)))
                said = []
            elif event.step in self.table.asked:
                asked, begun = self.table.asked[event.step], opened
                if event.player == BY_PROGRAM:
                    opened = self.noted(asked, event.step, thrown)
                    answered = {answering.throw.step for answering in opened.thrown}
                    thrown = [throw for throw in thrown if throw.throw.step not in answered]
                else:
                    opened = _Query(asked, event.step, f"typed in step {event.step} by {event.player}")
                if thrown or begun is None or not self.goes_on(begun, opened):
                    yield _Scene(begun, tuple(thrown), event.step - 1)
                thrown, said = [], []
            elif event.step in self.table.answered or isinstance(event, RollReport):
                continue
            else:
                said.append(event.text)
        yield _Scene(opened, tuple(thrown), self.record.steps)

    def noted(self, asked: Asked, step: int, thrown: Sequence[Thrown]) -> _Query:
        """A question that this program noted with its answers, in the notes and the dice also in the chat, to be
        carried out or passed on.

        thrown: the throws before it; those that are among its dice are its own, of equal ones the last.
        """
        until = min((at for at in self.table.asked if at > step), default=self.record.steps + 1)
        said = next((of for at, of in self.table.answered.items() if step < at < until), {})
        answering = list[Answering]()
        left = [entry.throw for entry in thrown]
        given = self.in_notes(asked, step)
        kinds = self.kinds_of_dice(asked, {**given, **said}, step) if said else {}
        dice = [(name, value) for name, answer in said.items() for value in answer.split("/")]
        for name, value in reversed(dice):
            if (
                throw := _last_of([throw for throw in left if throw.dice in kinds.get(name, throw.dice)], value)
            ) is not None:
                left.remove(throw)
                answering.append(Answering(name, throw))
        why = f"noted by Field Staff in step {step}"
        return _Query(asked, step, why, given, tuple(reversed(answering)), noted=True)

    def kinds_of_dice(self, asked: Asked, answers: Mapping[str, str], step: int) -> Mapping[str, frozenset[str]]:
        """Which answers to a question that was asked after a step are dice, with their kinds."""
        position = self.table.at(step)
        view = View(position.game, position.state, "seen")
        return rolls_of(question_of(position.game, asked.question), view, asked.parameters, answers)

    def in_notes(self, asked: Asked, step: int) -> Mapping[str, str]:
        """The answers to a question that stand in the notes after a step."""
        notes = self.record.at(step)
        return notes.answers if any(_is_same(question, asked) for question in notes.asks) else {}

    def goes_on(self, begun: _Query, opened: _Query) -> bool:
        """Whether a question that this program noted is the one before it, which was not carried out yet."""
        if not opened.noted or not _is_same(begun.asked, opened.asked):
            return False
        notes = self.record.at(opened.step)
        return not begun.noted or any(_is_same(question, opened.asked) for question in notes.asks)

    def of_scene(self, scene: _Scene) -> list[Explained]:
        """What is explained in one stretch."""
        if scene.opened is None:
            return self.recognised(scene.thrown, scene.last)
        rolls = bool(question_of(self.record.game, scene.opened.asked.question).answers)
        opened = scene.opened
        if opened.noted:
            opened = opened._replace(given={**opened.given, **self.in_notes(opened.asked, scene.last)})
        explained, rest = self.explained(opened, scene.thrown if rolls else (), scene.last)
        self.answered.append((self.when(explained.first), explained))
        return self.followed(explained, rest if rolls else scene.thrown, scene.last)

    def recognised(self, thrown: Sequence[Thrown], last: int) -> list[Explained]:
        """The questions behind throws that no typed question precedes: from the notes, or from what the map shows."""
        for number, first in enumerate(thrown):
            if self.budget.left and (best := self.best(thrown[number:], last)) is not None:
                explained, rest = best
                self.answered.append((self.when(explained.first), explained))
                return self.followed(explained, rest, last)
            self.unexplained.append(first.throw)
        return []

    def followed(self, explained: Explained, rest: Sequence[Thrown], last: int) -> list[Explained]:
        """A question and those that come after it; throws that nothing explains wait for it, if it waits for something."""
        known = len(self.unexplained)
        others = self.recognised(rest, last)
        explained = self.held_against(explained, others)
        if explained.report is not None and explained.report.asks:
            end = others[0].first + 1 if others else last + 1
            waiting = tuple(throw for throw in self.unexplained[known:] if throw.step < end)
            self.unexplained[known:] = [throw for throw in self.unexplained[known:] if throw not in waiting]
            explained = msgspec.structs.replace(explained, waiting=(*explained.waiting, *waiting))
        return [explained, *others]

    def best(self, thrown: Sequence[Thrown], last: int) -> tuple[Explained, tuple[Thrown, ...]] | None:
        """The question whose answer by these throws the log contradicts least; None if none may have been asked."""
        best: tuple[tuple[bool, bool, int], tuple[Explained, tuple[Thrown, ...]]] | None = None
        for opened in islice(self.openings(thrown, last), _MOST_OPENINGS):
            answer, rest = self.explained(opened, thrown, last)
            if answer.report is None or not (answer.throws or answer.report.asks):
                continue
            if not answer.throws:  # it waits for something else than dice
                answer, rest = msgspec.structs.replace(answer, waiting=(thrown[0].throw,)), tuple(thrown[1:])
            held = self.held_against(answer, ())
            rank = (not answer.throws, held.report is None or not held.report.changes, len(held.differs))
            if best is None or rank < best[0]:
                best = rank, (answer, rest)
            if rank == (False, False, 0):
                break
        return best[1] if best else None

    def openings(self, thrown: Sequence[Thrown], last: int) -> Iterator[_Query]:
        """What throws may have been for: questions of the notes that were not answered yet, then what the map shows, by
        the next throws and by the end.
        """
        step = thrown[0].throw.step - 1
        position, notes = self.table.at(step), self.record.at(step)
        known = questions_of(position.game)
        for asked in notes.asks:
            if asked.question in known and known[asked.question].answers and not self.is_explained(asked, None):
                yield _Query(asked, step, "asked in the notes", notes.answers)
        before, offered = View(position.game, position.state, "seen"), set()
        now = self.when(step)
        for later in (*(later_throw.throw.step - 1 for later_throw in thrown[1:_MOST_LATER]), last):
            self.budget.left = max(self.budget.left - 1, 0)
            then = View(position.game, self.table.at(later).state, "seen")
            for name in known:
                shows = known[name].openings
                for opening in shows(before, then) if shows is not None else ():
                    asked = Asked(name, opening.parameters)
                    if (key := (name, repr(opening.parameters))) not in offered and not self.is_explained(asked, now):
                        offered.add(key)
                        yield _Query(asked, step, opening.sign)

    def when(self, step: int) -> object:
        """The moment of the game, as its own facts tell it: turn, player turn, phase."""
        return frozenset(
            (track, fact.value) for (track, about), fact in self.table.at(step).state.facts.items() if not about
        )

    def is_explained(self, asked: Asked, now: object) -> bool:
        """Whether a question was found before: at all, or, if it is shown by marks, in the same phase of the game."""
        return any(
            (now is None or then == now)
            and earlier.question == asked.question
            and _agree(earlier.parameters, asked.parameters)
            for then, earlier in self.answered
        )

    def explained(self, opened: _Query, thrown: Sequence[Thrown], last: int) -> tuple[Explained, tuple[Thrown, ...]]:
        """A question answered by the throws that follow it, and the throws that are left over."""
        step = thrown[0].throw.step - 1 if thrown else opened.step
        asked, position = opened.asked, self.table.at(step)
        question = question_of(position.game, asked.question)
        typed = [of for at, of in self.table.answered.items() if min(step, opened.step) < at <= last]
        given = {name: value for of in typed for name, value in of.items() if question.waits_for(name)}
        answers = {**opened.given, **given}
        answered = Explained(
            question=asked.question, parameters=dict(asked.parameters), first=step, last=last, opened=opened.why
        )
        if why_not := fits(position, asked):
            return msgspec.structs.replace(answered, why_not=why_not), tuple(thrown)
        try:
            stretch, near = Stretch(self.table, step, last), thrown[:_MOST_THROWS]
            waits = opened.noted and self.in_notes(asked, last)
            play = Course(answers) if waits else course(position, asked, near, answers, stretch, self.budget)
            report = ask(position, asked, play.answers)
        except InputError as error:
            return msgspec.structs.replace(answered, why_not=reason(error)), tuple(thrown)
        latest = max((throw.step for _, throw in play.used), default=0)
        answered = msgspec.structs.replace(
            answered,
            throws=(*opened.thrown, *(Answering(name, throw) for name, throw in play.used)),
            given={name: value for name, value in answers.items() if name in play.answers},
            in_order=play.in_order,
            chosen={name: play.answers[name] for name in play.chosen},
            unused=tuple(throw for throw in play.unused if throw.step < latest),
            report=report,
        )
        return answered, (*_unused_throws(near, play, latest), *thrown[_MOST_THROWS:])

    def held_against(self, explained: Explained, others: Sequence[Explained]) -> Explained:
        """A question with what the log has otherwise, up to where the next one begins."""
        last = others[0].first if others else explained.last
        if explained.report is None or not explained.report.changes:
            return msgspec.structs.replace(explained, last=last)
        differs, unmarked = Stretch(self.table, explained.first, last).agreement(explained.report.changes)
        return msgspec.structs.replace(explained, last=last, differs=differs, unmarked=unmarked)


def _last_of(thrown: Sequence[Throw], value: str) -> Throw | None:
    """The last throw that an answer tells, by its faces or else by their sum; None if none is like it."""
    by_faces = [throw for throw in thrown if "+".join(map(str, throw.faces)) == value]
    return next(reversed(by_faces or [throw for throw in thrown if str(throw.total) == value]), None)


def _is_same(one: Asked, other: Asked) -> bool:
    """Whether two questions may be the same: no parameter is another one."""
    both = one.parameters.keys() & other.parameters.keys()
    same = all(str(one.parameters[name]) == str(other.parameters[name]) for name in both)
    return one.question == other.question and same


def _agree(some: Mapping[str, Any], others: Mapping[str, Any]) -> bool:
    """Whether parameters may be of one question: what both state is the same."""
    both = some.keys() & others.keys()
    return bool(both) and all(str(some[name]) == str(others[name]) for name in both)


def _unused_throws(thrown: Sequence[Thrown], play: Course, latest: int) -> tuple[Thrown, ...]:
    """The throws after the last one that was used."""
    unused = {throw.step for throw in play.unused}
    return tuple(answer for answer in thrown if answer.throw.step in unused and answer.throw.step > latest)
