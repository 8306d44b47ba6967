"""A log with the position notation typed into its chat, and the differences between the log and the rules."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Annotated, Any, NamedTuple

import msgspec

from ...asking.question import Fights, Question, Sets
from ...asking.report import Report
from ...formats.notation import read_on
from ...formats.positions import Asked, ChatLine, Position, Record
from ...game.boards import Board
from ...game.course import clock_tracks
from ...game.games import Game
from ...installed.registry import question_of, questions_of
from ...service import ask
from ...state.changes import BUILT_IN_TRACKS, AnyChange, Change, Enter, Gain, Leave, Raise
from ...state.differences import Differences, FactChange, find_differences
from ...state.state import HIDDEN, FactKey, GameState, Unit
from ...state.tracks import Source, Value
from ...state.trust import AS_STATED, Trust
from ...util.errors import InputError, MachineError
from ...util.limits import Limit
from ...util.notes import note
from ...util.patterns import late_pattern

HEADING = "Field Staff"
"""The beginning of a chat line with position notation: `Field Staff: 41.19 clear`."""
_MAX_QUOTED_CHARS = 200
"""The maximum number of letters of a typed line that a report quotes."""
_QUOTED_NAME = late_pattern(r'"[^"]*"')
"""A name in quotes, which may contain spaces."""
_MAX_MOMENTS_SEARCHED = 200
"""The maximum number of positions that are searched for the changes of an answer."""
_STATED_PARTS = ("units", "facts", "cells", "rulings", "lines", "line_facts", "elsewhere")
"""The fields of a state that notation may change; each is a mapping."""


class ChatNotation(msgspec.Struct, frozen=True):
    """A line of position notation that a player typed into the chat."""

    step: Annotated[int, note("the step of the log")]
    text: Annotated[str, note("the line")]


class _Overridden(NamedTuple):
    """A change that a typed line makes in one part of the state.

    It holds until the record itself shows another value for the same key.
    """

    step: int
    """The step of the line."""
    part: str
    """The part of the state."""
    key: Hashable
    """The key of the value in that part."""
    recorded: object
    """The value in the record at that step."""
    stated: object
    """The value by the line, or None if the line removes it."""


class AnnotatedRecord:
    """A record of play with the notation typed into its chat.

    `trust`: added to the trust of its positions.
    """

    def __init__(self, record: Record, trust: Trust = AS_STATED) -> None:
        self.record = record
        self.trust = trust
        self.faults: list[tuple[ChatNotation, str]] = []  # unreadable lines, with their faults
        self._overridden: list[_Overridden] = []
        self._trusted: list[tuple[int, frozenset[Source]]] = []
        self.asked: dict[int, Asked] = {}
        self.answered: dict[int, dict[str, str]] = {}
        for event in record.events:
            if isinstance(event, ChatLine) and (line := find_notation(event.text, record.game)):
                self._note_line(ChatNotation(event.step, line))

    def _note_line(self, typed: ChatNotation) -> None:
        """Note the question, answers, acceptance and changes that a typed line states.

        Raises InputError if the position of the line cannot be read, or if the chat has too many questions.
        """
        before = msgspec.structs.replace(self.at(typed.step), asks=(), answers={})
        try:
            after = read_on(typed.text, before, f"step {typed.step}")
            for asked in after.asks[:1]:
                question_of(after.game, asked.question)
        except InputError as error:
            self.faults.append((_shorten_line(typed), str(error)))
            return
        if after.asks:
            self.asked[typed.step] = after.asks[0]
            Limit.ASKS.check(len(self.asked), "its chat asks")
        elif after.answers:
            self.answered[typed.step] = dict(after.answers)
        else:
            if after.state.accepts != before.state.accepts:
                self._trusted.append((typed.step, after.state.accepts))
            self._overridden += _find_overrides(typed.step, self.record.at(typed.step).state, before.state, after.state)

    def at(self, step: int) -> Position:
        position = self.record.at(step)
        state = position.state
        parts: dict[str, dict[Any, Any]] = {}
        for overridden in self._overridden:
            recorded: Mapping[Any, Any] = getattr(state, overridden.part)
            recorded_value = recorded.get(overridden.key)
            if overridden.step <= step and _find_visible_part(recorded_value) == _find_visible_part(
                overridden.recorded
            ):
                part = parts.setdefault(overridden.part, dict(recorded))
                part.pop(overridden.key, None)
                if overridden.stated is not None:
                    part[overridden.key] = overridden.stated
        units = parts.get("units", state.units)
        tracks = position.game.tracks
        if "facts" in parts:  # drops the facts of units that have left
            parts["facts"] = {
                key: fact
                for key, fact in parts["facts"].items()
                if key in state.facts or key[1] in units or tracks[key[0]].on != "unit"
            }
        accepts = next((sources for typed, sources in reversed(self._trusted) if typed <= step), state.accepts)
        return position.with_state(msgspec.structs.replace(state, accepts=self.trust.over(accepts), **parts))


def _shorten_line(typed: ChatNotation) -> ChatNotation:
    return (
        typed
        if len(typed.text) <= _MAX_QUOTED_CHARS
        else msgspec.structs.replace(typed, text=f"{typed.text[:_MAX_QUOTED_CHARS]} ...")
    )


def _find_overrides(step: int, record: GameState, before: GameState, after: GameState) -> Iterator[_Overridden]:
    """Yield the changes that a line makes.

    `record`: the state at the line's step without any typed line.
    `before`, `after`: the state with all earlier typed lines, and with this one too.
    """
    for part in _STATED_PARTS:
        values_before = getattr(before, part)
        values_after = getattr(after, part)
        for key in dict.fromkeys((*values_before, *values_after)):
            if values_before.get(key) != values_after.get(key):
                yield _Overridden(step, part, key, getattr(record, part).get(key), values_after.get(key))


def _find_visible_part(value: object) -> object:
    """Return the part of a value that, once changed in the record, ends a typed line about it: of a unit, its place."""
    return value.place if isinstance(value, Unit) else value


def find_notation(text: str, game: Game) -> str:
    """Return the position notation in a typed line, or "" if the line is something else.

    A sentence may begin with `ask` and still be something else.
    """
    head, colon, rest = text.partition(":")
    if colon and head.strip().casefold() == HEADING.casefold():
        return rest.strip()
    words = _QUOTED_NAME.sub("=", text).split()
    match words:
        case ["ask", name]:
            is_notation = name in questions_of(game)
        case ["ask", _, *given] | ["answers", *given]:
            is_notation = bool(given) and all("=" in word for word in given)
        case _:
            is_notation = False
    return text.strip() if is_notation else ""


class Disagreement(msgspec.Struct, frozen=True):
    """A fact whose value in the log differs from the rules."""

    track: Annotated[str, note("the track, or 'place'")]
    subject: Annotated[str, note("the subject")]
    rules: Annotated[Value | None, note("the value by the rules, null for none or out of play")]
    log: Annotated[Value | None, note("the value in the log, null for none or out of play")]
    rule: Annotated[str, note("the rule, '' if the rules leave the value as it was")]


class LogStretch:
    """A part of a log, from one step to another, with which answers are compared.

    `settled`: the tracks, and `place`, that change in units of the combat that is compared only as it has them.
    """

    def __init__(self, table: AnnotatedRecord, first: int, last: int, settled: Collection[str] = ()) -> None:
        self.table = table
        self.first = first
        self.last = last
        self.settled = settled
        self.tracks = table.record.game.tracks
        self._held: dict[FactKey, set[object]] = {}

    @cached_property
    def before(self) -> GameState:
        return self.table.at(self.first).state

    @cached_property
    def after(self) -> GameState:
        return self.table.at(self.last).state

    @cached_property
    def board(self) -> Board:
        return self.table.record.game.board_of(self.before)

    @cached_property
    def phase_end(self) -> GameState:
        """The last state before another phase begins."""
        clock = clock_tracks(self.table.record.game)

        def moment(state: GameState) -> list[object]:
            return [fact.value if (fact := state.facts.get((track, ""))) else None for track in clock]

        if moment(self.before) == moment(self.after):
            return self.after
        now = moment(self.before)
        states = (self.table.at(step).state for step in self.table.record.moments if self.first < step <= self.last)
        return [self.before, *takewhile(lambda state: moment(state) == now, states)][-1]

    @cached_property
    def changed(self) -> Differences:
        """The changes within the phase in which the part begins."""
        return find_differences(self.before, self.phase_end, self.tracks)

    def likely(self, word: str) -> int:
        facts = sum(fact.subject == word for fact in self.changed.facts if not self.tracks[fact.track].is_passing)
        return facts + sum(word in (move.unit, move.after) for move in self.changed.moved)

    def find_distance(self, word: str) -> int:
        """Return the distance of a hex to the nearest hex where a unit ended its move, or 0 for anything else."""
        if word not in self.board.hexes:
            return 0
        ends = [str(move.after) for move in self.changed.moved if str(move.after) in self.board.hexes]
        return min((self.board.distance(word, end) for end in ends), default=0)

    def misfit(self, changes: Sequence[AnyChange]) -> int:
        return len(self.agreement(changes)[0])

    def agreement(self, changes: Sequence[AnyChange]) -> tuple[tuple[Disagreement, ...], tuple[FactKey, ...]]:
        """Return the differences between the log and these changes, and the phase markers that no player has set."""
        differs: list[Disagreement] = []
        unmarked: list[FactKey] = []
        expected = {key: (value, rule) for change in changes for key, value, rule in self.expected(change)}
        for key, (value, rule) in expected.items():
            if not self.is_shown(key[0]) or self.is_unknown(key) or self.has_held(key, value):
                continue
            if key[0] in self.tracks and self.tracks[key[0]].is_passing:
                unmarked.append(key)
            else:
                track, subject = key
                differs.append(Disagreement(track, subject, value, self.value(key, self.after), rule))
        differs += self.besides(expected.keys())
        return tuple(differs), tuple(unmarked)

    def expected(self, change: AnyChange) -> Iterator[tuple[FactKey, Value | None, str]]:
        """Yield the fact, or the unit's place, that a change sets, with its new value and the rule."""
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
        """Yield what changed although the rules leave it as it was: facts of the expected kinds, and settled ones."""
        involved = {subject for _, subject in keys}
        lasting = {name for name, track in self.tracks.items() if not track.is_passing}
        kinds = {track for track, _ in keys} & lasting
        settled = lasting.intersection(self.settled)
        for fact in self.changed.facts:
            is_settled = fact.track in settled and fact.subject in involved
            if (fact.track in kinds or is_settled) and (fact.track, fact.subject) not in keys:
                yield Disagreement(fact.track, fact.subject, fact.before, fact.after, "")
        if "place" in self.settled:
            moved = [(move.unit, move.before, move.after) for move in self.changed.moved]
            gone = [(unit.unit, unit.place, None) for unit in self.changed.gone]
            for name, before, after in (*moved, *gone):
                if name in involved and ("place", name) not in keys:
                    yield Disagreement("place", name, before, after, "")

    def is_shown(self, track: str) -> bool:
        """Return whether a table shows a track: its counters do, a marker of the phase may, or it has changed."""
        if track in BUILT_IN_TRACKS:
            return True
        declared = self.tracks[track]
        return declared.module is not None or declared.is_passing or track in self._tracks_changed

    @cached_property
    def _tracks_changed(self) -> frozenset[str]:
        return frozenset(fact.track for fact in find_differences(self.before, self.after, self.tracks).facts)

    def or_silence(self, track: str, value: Value | None) -> Value | None:
        return self.tracks[track].absent if value is None and track in self.tracks else value

    def value(self, key: FactKey, state: GameState) -> Value | None:
        track, subject = key
        if track in BUILT_IN_TRACKS:
            unit = state.units.get(subject)
            return unit.place if unit else None
        fact = state.facts.get(key)
        return self.or_silence(track, fact.value if fact else None)

    def has_held(self, key: FactKey, value: Value | None) -> bool:
        if self.value(key, self.after) == value:
            return True
        if key not in self._held:
            between = [step for step in self.table.record.moments if self.first < step < self.last]
            states = (self.table.at(step).state for step in between[:_MAX_MOMENTS_SEARCHED])
            self._held[key] = {self.value(key, state) for state in states}
        return value in self._held[key]

    def is_unknown(self, key: FactKey) -> bool:
        track, subject = key
        if track not in BUILT_IN_TRACKS and self.tracks[track].on != "unit":
            return False
        if subject in self.before.units and subject not in self.after.units and track not in BUILT_IN_TRACKS:
            return True
        hidden = self.after.facts.get((HIDDEN, subject))
        return hidden is not None and isinstance(hidden.value, tuple) and track in hidden.value


class JudgedFact(msgspec.Struct, frozen=True):
    """A fact that a player set, and the value by the rules."""

    step: Annotated[int, note("the step of the log that set the value")]
    unit: Annotated[str, note("the unit")]
    track: Annotated[str, note("the track")]
    log: Annotated[Value | None, note("the value set by the player")]
    rules: Annotated[Value | None, note("the value by the rules, null if there is none")]
    report: Annotated[Report[Any] | None, note("the whole answer, null if the question cannot be asked")]
    why_not: Annotated[str, note("the reason why the question cannot be asked, or ''")] = ""


def judgements(table: AnnotatedRecord) -> Iterator[JudgedFact]:
    """Yield the facts that were set in a log and that a question of the game judges, in the order of their steps."""
    record = table.record
    judging = judging_questions(record.game)
    if not judging:
        return
    changed = find_differences(record.at(0).state, record.at(record.steps).state, record.game.tracks).facts
    dated = [(_find_step_set(table, change), change) for change in changed if change.track in judging]
    for step, fact in sorted(dated, key=lambda pair: (pair[0], pair[1].subject)):
        yield _judge_fact(table, judging[fact.track], step, fact)


class JudgingQuestion(NamedTuple):
    """A question that works out facts that players also set."""

    question: Question[Any, Any]
    sets: Sets

    def ask(self, position: Position, subject: str) -> tuple[Value | None, Report[Any]]:
        """Return the value that the rules give the fact of a subject, and the whole answer.

        Raises InputError if the question cannot be asked.
        """
        assert self.sets.value is not None
        report = ask(position, Asked(self.question.name, {self.sets.subject: [subject]}))
        return None if report.result is None else self.sets.value(report), report


def judging_questions(game: Game) -> dict[str, JudgingQuestion]:
    """Return the questions of a game that work out facts that players set, by the track of the fact."""
    return {
        sets.track: JudgingQuestion(question, sets)
        for question in questions_of(game).values()
        for sets in question.shows
        if isinstance(sets, Sets) and sets.value is not None
    }


def fights_of(question: Question[Any, Any]) -> Fights | None:
    """Return the combat that a question settles, or None if it settles none."""
    return next((shown for shown in question.shows if isinstance(shown, Fights)), None)


def _find_step_set(table: AnnotatedRecord, change: FactChange) -> int:
    """Return the step that gave a fact its last value.

    If the fact had that value earlier too, and lost it again, the step may be any that set it.
    """
    record = table.record
    absent = record.game.tracks[change.track].absent

    def has(step: int) -> bool:
        fact = record.at(step).state.facts.get((change.track, change.subject))
        return (absent if fact is None else fact.value) == change.after

    low = 0
    high = len(record.moments) - 1
    while high - low > 1:
        middle = (low + high) // 2
        if has(record.moments[middle]):
            high = middle
        else:
            low = middle
    return record.moments[high]


def _judge_fact(table: AnnotatedRecord, judging: JudgingQuestion, step: int, change: FactChange) -> JudgedFact:
    try:
        rules, report = judging.ask(table.at(step - 1), change.subject)
        return JudgedFact(step, change.subject, change.track, change.after, rules, report)
    except MachineError:
        raise
    except InputError as error:
        return JudgedFact(step, change.subject, change.track, change.after, None, None, reason(error))


def reason(error: InputError) -> str:
    """Return the reason why a question cannot be asked, with the remedy.

    Raises the error itself if it reveals what a side may not know.
    """
    if error.private:
        raise error
    return f"{error.what}; {error.hint}" if error.hint and not error.names_units else error.what
