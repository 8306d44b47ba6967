"""Whether what the rules give is what the log shows: steps lost, retreats, marks, and facts that players set on
counters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import Annotated, Any, NamedTuple

import msgspec

from ..formats.positions import Asked
from ..plugins.registry import questions_of
from ..questions.question import Judgement, Question
from ..questions.report import Report
from ..service import ask
from ..state.changes import PLACED, AnyChange, Change, Enter, Gain, Leave, Raise
from ..state.differences import Differences, FactChanged, differences
from ..state.hidden import HIDDEN
from ..state.sources import Value
from ..state.state import FactKey, GameState
from ..util.errors import InputError
from ..util.notes import note
from .course import reason
from .table import Table

_MOST_MOMENTS = 200
"""How many positions after the dice are searched for what was carried out and then went on."""


class Disagreement(msgspec.Struct, frozen=True):
    """Something that the log has otherwise than the rules."""

    track: Annotated[str, note("the track, or 'place'")]
    subject: Annotated[str, note("what it is about")]
    rules: Annotated[Value | None, note("its value by the rules, null for none or out of play")]
    log: Annotated[Value | None, note("its value in the log, null for none or out of play")]
    rule: Annotated[str, note("the rule, '' for what the rules leave as it was")]


class Agreement(NamedTuple):
    """differs: what the log has otherwise; unmarked: facts of the phase alone that nobody has marked."""

    differs: tuple[Disagreement, ...]
    unmarked: tuple[FactKey, ...]


class Stretch:
    """A stretch of a log, from one step to another, against which answers are held."""

    def __init__(self, table: Table, first: int, last: int) -> None:
        self.table, self.first, self.last = table, first, last
        self.tracks = table.record.game.tracks
        self._held: dict[FactKey, set[object]] = {}

    @cached_property
    def before(self) -> GameState:
        """The state at its beginning."""
        return self.table.at(self.first).state

    @cached_property
    def after(self) -> GameState:
        """The state at its end."""
        return self.table.at(self.last).state

    @cached_property
    def changed(self) -> Differences:
        """What differs between the two."""
        return differences(self.before, self.after, self.tracks)

    def likely(self, word: str) -> int:
        """How much happened to the unit, or at the place, that a word names."""
        facts = sum(fact.subject == word for fact in self.changed.facts if not self.tracks[fact.track].ends_with)
        return facts + sum(word in (move.unit, move.after) for move in self.changed.moved)

    def misfit(self, changes: Sequence[AnyChange]) -> int:
        """How many of these changes the log contradicts."""
        return len(self.agreement(changes).differs)

    def agreement(self, changes: Sequence[AnyChange]) -> Agreement:
        """What of these changes the log shows otherwise, or not at all."""
        differs: list[Disagreement] = []
        unmarked: list[FactKey] = []
        expected = {key: (value, rule) for change in changes for key, value, rule in self.expected(change)}
        for key, (value, rule) in expected.items():
            if self.is_unknown(key) or self.has_held(key, value):
                continue
            if key[0] in self.tracks and self.tracks[key[0]].ends_with:
                unmarked.append(key)
            else:
                differs.append(Disagreement(*key, value, self.value(key, self.after), rule))
        differs += self.besides(expected.keys())
        return Agreement(tuple(differs), tuple(unmarked))

    def expected(self, change: AnyChange) -> Iterator[tuple[FactKey, Value | None, str]]:
        """The value that a change gives a fact, or a unit's place."""
        match change:
            case Enter(unit, _, place, _, rule):
                yield ("place", unit), place, rule
            case Leave(unit, rule):
                yield ("place", unit), None, rule
            case Change(track, subject, _, after, rule) if track != "order":
                yield (track, subject), self.or_silence(track, after), rule
            case Gain(track, subject, amount, rule):
                now = self.value((track, subject), self.before)
                yield (track, subject), (now if isinstance(now, int) else 0) + amount, rule
            case Raise(track, subject, to, rule):
                now = self.value((track, subject), self.before)
                yield (track, subject), max(now if isinstance(now, int) else 0, to), rule

    def besides(self, keys: Collection[FactKey]) -> Iterator[Disagreement]:
        """Facts of the same kinds as the expected ones that changed in the log though the rules leave them as they
        were.
        """
        kinds = {track for track, _ in keys if track not in PLACED and not self.tracks[track].ends_with}
        for fact in self.changed.facts:
            if fact.track in kinds and (fact.track, fact.subject) not in keys:
                yield Disagreement(fact.track, fact.subject, fact.before, fact.after, "")

    def or_silence(self, track: str, value: Value | None) -> Value | None:
        """A value, or what silence means."""
        return self.tracks[track].absent if value is None and track in self.tracks else value

    def value(self, key: FactKey, state: GameState) -> Value | None:
        """The value of a fact, or the place of a unit, in a state."""
        track, subject = key
        if track in PLACED:
            unit = state.units.get(subject)
            return unit.place if unit else None
        fact = state.facts.get(key)
        return self.or_silence(track, fact.value if fact else None)

    def has_held(self, key: FactKey, value: Value | None) -> bool:
        """Whether a fact had a value at any step after the first."""
        if self.value(key, self.after) == value:
            return True
        if key not in self._held:
            between = [step for step in self.table.record.moments if self.first < step < self.last]
            states = (self.table.at(step).state for step in between[:_MOST_MOMENTS])
            self._held[key] = {self.value(key, state) for state in states}
        return value in self._held[key]

    def is_unknown(self, key: FactKey) -> bool:
        """Whether this viewpoint may not know a fact of a unit."""
        track, subject = key
        if track not in PLACED and self.tracks[track].on != "unit":
            return False
        if subject in self.before.units and subject not in self.after.units and track not in PLACED:
            return True
        said = self.after.facts.get((HIDDEN, subject))
        return said is not None and isinstance(said.value, tuple) and track in said.value


class Judged(msgspec.Struct, frozen=True):
    """A fact that a player set, and what the rules find."""

    step: Annotated[int, note("the step of the log that set it")]
    unit: Annotated[str, note("the unit")]
    track: Annotated[str, note("the track")]
    log: Annotated[Value | None, note("what the player set")]
    rules: Annotated[Value | None, note("what the rules find, null where they find nothing")]
    report: Annotated[Report[Any] | None, note("the whole answer, null where the question cannot be asked")]
    why_not: Annotated[str, note("why it cannot be asked, else ''")] = ""


def judgements(table: Table) -> Iterator[Judged]:
    """The facts that were set in a log and that a question of the game judges, in the order of their steps."""
    record = table.record
    judging = {question.judges.track: question for question in _with_judgement(table)}
    if not judging:
        return
    changed = differences(record.at(0).state, record.at(record.steps).state, record.game.tracks).facts
    dated = [(_set_at(table, change), change) for change in changed if change.track in judging]
    for step, fact in sorted(dated, key=lambda pair: (pair[0], pair[1].subject)):
        yield _judge(table, judging[fact.track], step, fact)


def _with_judgement(table: Table) -> Iterator[Any]:
    known = questions_of(table.record.game)
    yield from (question for name in known if (question := known[name]).judges is not None)


def _set_at(table: Table, change: FactChanged) -> int:
    """The step that gave a fact its last value."""
    record = table.record
    absent = record.game.tracks[change.track].absent

    def has(step: int) -> bool:
        fact = record.at(step).state.facts.get((change.track, change.subject))
        return (absent if fact is None else fact.value) == change.after

    least, most = 0, len(record.moments) - 1
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if has(record.moments[middle]) else (middle, most)
    return record.moments[most]


def _judge(table: Table, question: Question[Any, Any], step: int, change: FactChanged) -> Judged:
    judges = question.judges
    assert judges is not None
    asked = Asked(question.name, {judges.parameter: [change.subject]})
    try:
        report = ask(table.at(step - 1), asked)
        return Judged(step, change.subject, change.track, change.after, _find(judges, report), report)
    except InputError as error:
        return Judged(step, change.subject, change.track, change.after, None, None, reason(error))


def _find(judges: Judgement, report: Report[Any]) -> Value | None:
    return None if report.result is None else judges.value(report)
