"""What was played at a table, as its viewpoint has seen it, passage by passage.

A passage is a line of the journal or a part of the table's first log, if it has changed anything that the viewpoint
sees. Passages are numbered from 1. A number never changes, and counts nothing that the viewpoint has not seen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from ...formats.positions import Asked, Position
from ...game.games import Game
from ...installed.formats import read_record
from ...records.explaining.played import Passage
from ...records.journal.entries import Amend, Answer, JournalEntry, Keep, OpenQuestion, Strike, find_entry, find_index
from ...records.journal.journal import Journal, split_lines
from ...records.journal.journal_text import format_entry
from ...records.journal.open_question import Asking, combat_of, find_target, follow_asking, posed_entry
from ...state.changes import AnyChange
from ...state.differences import find_differences
from ...state.state import GameState
from ...state.tracks import Source
from ...state.trust import Trust
from ...util.errors import InputError
from ..prompt.journal_table import table_asking
from .disclosure import NO_QUESTIONS, Questions, has_fewer_dice, see_combat
from .seen_entries import corrects, walk_lines

_MAX_PASSAGES_SINCE = 20
"""The maximum number of passages between the last die of a combat and the one that carries it out."""


class LinePassed(NamedTuple):
    """The numbers of the first and the last entry of a line that is a passage."""

    first: int
    last: int


class LastDie(NamedTuple):
    """The moment of the last die of a question whose answer may have been carried out since."""

    state: GameState
    """The state at that moment."""
    changed: tuple[frozenset[str], ...]
    """The units and places that each passage since has changed, without the passage in question."""


class QuestionPassed(NamedTuple):
    """A question with its dice and choices, of which a passage carries out the answer."""

    asked: Asked
    answers: Mapping[str, str]
    changes: tuple[AnyChange, ...] = ()
    """The changes as entered, or none if a side may not know them all."""
    since: LastDie | None = None
    """The moment of the last die if only the changes can tell whether the passage carries out the answer, or None."""
    guessed: frozenset[str] = frozenset()
    """The choices that only the map of a log shows."""
    in_order: frozenset[str] = frozenset()
    """The rolls of a log that were matched to throws by their order only."""


class TablePassage(NamedTuple):
    """A passage as a value."""

    number: int
    last: int
    """The number of the last passage."""
    before: Position
    after: Position
    question: QuestionPassed | None = None
    is_correction: bool = False
    lines: tuple[str, ...] = ()
    """The entries in short, or none for a side."""


class Passages:
    """The passages of a journal, for a viewpoint that sees all its entries."""

    def __init__(self) -> None:
        self._entries: Sequence[JournalEntry] = ()
        self._lines: list[LinePassed] = []

    def list_lines(self, journal: Journal) -> Sequence[LinePassed]:
        """Return the lines of a journal that are passages, the oldest first."""
        entries = journal.entries
        if not entries.goes_on(self._entries):
            self._entries, self._lines = (), []
        if len(entries) > len(self._entries):
            self._lines += self._find_lines(journal, len(self._entries), len(entries))
        self._entries = entries
        return self._lines

    def _find_lines(self, journal: Journal, first: int, end: int) -> Iterator[LinePassed]:
        """Yield the passages among the entries from `first` to before `end`."""
        for line in split_lines(journal.entries[first:end]):
            if any(_has_effect(journal, entry) for entry in line):
                yield LinePassed(line[0].number, line[-1].number)

    def find(self, journal: Journal, number: int) -> TablePassage:
        """Return a passage of a journal; number 0 is the start.

        Raises InputError if there is no such passage.
        """
        lines = self.list_lines(journal)
        check_number(number, len(lines))
        if number == 0:
            start = self._see(journal.start)
            return TablePassage(0, len(lines), start, start)
        line = lines[number - 1]
        entries = [entry for entry in journal.entries if line.first <= entry.number <= line.last]
        earlier = journal.until(line.first - 1)
        passage = TablePassage(
            number,
            len(lines),
            self._see(earlier.position()),
            self._see(journal.until(line.last).position()),
        )
        if self._tells_entries:
            texts = tuple(format_entry(journal, entry) for entry in entries)
            passage = passage._replace(is_correction=any(map(corrects, entries)), lines=texts)
        answer = next((entry.what for entry in entries if isinstance(entry.what, Answer)), None)
        if answer is not None:
            return passage._replace(question=self._see_answer(earlier, answer, passage.before))
        question, since = self._follow_combat(earlier, passage.before)
        if question is not None and (die := self._find_last_die(journal, since, line)) is not None:
            return passage._replace(question=question._replace(since=die))
        return passage

    def _find_last_die(self, journal: Journal, since: int, line: LinePassed) -> LastDie | None:
        """Return the moment of the last die, or None if too many passages have come between it and a line.

        `since`: the number of the last entry that changed the combat.
        """
        first = find_index(journal.entries, since + 1)
        end = find_index(journal.entries, line.first)
        state = before = self._see(journal.until(since).position()).state
        changed = list[frozenset[str]]()
        for _, at in walk_lines(journal, first, end):
            after = self._see(journal.start.with_state(at)).state
            if after != before:
                changed.append(changed_subjects(journal.game, before, after))
            before = after
            if len(changed) > _MAX_PASSAGES_SINCE:
                return None
        return LastDie(state, tuple(changed))

    _tells_entries = True
    """Whether a passage has its entries in short, and says that it corrects earlier ones."""

    def _see(self, position: Position) -> Position:
        return position

    def _see_answer(self, journal: Journal, answer: Answer, before: Position) -> QuestionPassed | None:
        """Return the question of an answer that was carried out.

        `journal`: the journal until then.
        `before`: the position until then, as the viewpoint sees it.
        """
        return _read_question(OpenQuestion(answer.question, answer.dice), answer.changes)

    def _follow_combat(self, journal: Journal, before: Position) -> tuple[QuestionPassed | None, int]:
        """Return the open combat if it has dice, and the number of the entry that changed it last.

        The parameters are those of `_see_answer`.
        """
        combat = combat_of(journal.asking, journal.game.file.prompt)
        question = _read_question(combat) if combat.dice else None
        return question, journal.asked_by


class SidePassages(Passages):
    """The passages of a journal that sides share, as one of them has seen it.

    `sight`: returns a state as the side sees it.
    `is_unseen`: returns whether the side sees no effect of the line with an entry of a journal.
    """

    _tells_entries = False  # what the side sees may change because of an entry that it does not see

    def __init__(self, sight: Callable[[GameState], GameState], is_unseen: Callable[[Journal, int], bool]) -> None:
        super().__init__()
        self._sight = sight
        self._is_unseen = is_unseen
        self._last: GameState | None = None  # the state after `_entries`, as the side sees it

    def _find_lines(self, journal: Journal, first: int, end: int) -> Iterator[LinePassed]:
        before = self._last if first and self._last else self._sight(journal.start.state)
        for line, state in walk_lines(journal, first, end):
            after = self._sight(state)
            if after != before:
                yield LinePassed(line[0].number, line[-1].number)
            before = self._last = after

    def _see(self, position: Position) -> Position:
        return position.with_state(self._sight(position.state))

    def _see_answer(self, journal: Journal, answer: Answer, before: Position) -> QuestionPassed | None:
        return self._see_combat(journal, Asking(OpenQuestion(answer.question, answer.dice)), before)[1]

    def _see_combat(self, journal: Journal, asking: Asking, before: Position) -> tuple[bool, QuestionPassed | None]:
        """Return whether a combat is hidden from the side, and the combat as the side sees it, or None."""
        seen = before.state.units.keys()
        unseen = journal.position().state.units.keys() - seen
        is_hidden, table = see_combat(table_asking(before, asking), unseen, seen)
        if table is None:
            return is_hidden, None
        return False, QuestionPassed(table.position.asks[0], table.position.answers)

    def _follow_combat(self, journal: Journal, before: Position) -> tuple[QuestionPassed | None, int]:
        prompt = journal.game.file.prompt
        asked = [*follow_asking(journal.counting.entries, prompt, journal.start_turn, 0)]
        targets = (find_target(combat_of(asking, prompt), prompt) for _, asking in reversed(asked))
        target = next(targets)
        if not target:
            return None, 0
        combat: QuestionPassed | None = None
        since = 0
        for number, asking in asked[-1 - sum(1 for _ in takewhile(lambda one: one == target, targets)) :]:
            is_hidden, now = self._see_combat(journal, asking, before)
            if is_hidden or now == combat:
                continue
            if (
                combat
                and number
                and has_fewer_dice(_as_asked(now), _as_asked(combat))
                and self._is_unseen(journal, number)
            ):
                continue
            combat, since = now, number
        return (combat if combat and combat.answers else None), since


def check_number(number: int, count: int) -> None:
    """Raise InputError if there is no passage with a number.

    `count`: the number of passages.
    """
    if not 0 <= number <= count:
        raise InputError(f"there is no passage {number}", hint=f"the last one is {count}")


def _has_effect(journal: Journal, entry: JournalEntry) -> bool:
    """Return whether an entry is more than an open question, or the correction of one."""
    what = entry.what
    if isinstance(what, Amend | Strike):
        target = find_entry(journal.entries, what.target)
        return target is None or not isinstance(target.what, OpenQuestion)
    return not isinstance(what, OpenQuestion | Keep)


def changed_subjects(game: Game, before: GameState, after: GameState) -> frozenset[str]:
    """Return the units and places that differ between two states."""
    differences = find_differences(before, after, game.tracks)
    moved = {move.unit for move in differences.moved}
    moved |= {arrival.unit for arrival in differences.came}
    moved |= {departure.unit for departure in differences.gone}
    return frozenset(moved | {fact.subject for fact in differences.facts})


def _as_asked(question: QuestionPassed | None) -> Questions:
    if question is None:
        return NO_QUESTIONS
    return ((question.asked.question, dict(question.asked.parameters)),), dict(question.answers)


def _read_question(question: OpenQuestion, changes: tuple[AnyChange, ...] = ()) -> QuestionPassed | None:
    try:
        asked, answers = posed_entry(question)
    except InputError:
        return None
    return QuestionPassed(asked, answers, changes) if asked else None


def read_log_passages(file: Path, game: Game, accepts: frozenset[Source], written_at: int) -> tuple[TablePassage, ...]:
    """Return the passages of the log with which a table began, the start first.

    `accepts`: the sources that the table trusts.
    `written_at`: the time of the file's last change, so that the passages of an earlier file are not taken for these.
    """
    from ...records.explaining.played_log import play_log  # loaded late: most tables begin with no log

    record = read_record(str(file), lambda _: game, lambda _, state: state)
    played = play_log(record, file.name, Trust(more=accepts))
    last = len(played.passages)
    start = TablePassage(0, last, played.start, played.start)
    return (start, *(_find_in_log(passage, number, last) for number, passage in enumerate(played.passages, 1)))


def _find_in_log(passage: Passage, number: int, last: int) -> TablePassage:
    found = TablePassage(number, last, passage.before, passage.after)
    if (question := passage.question) is None:
        return found
    return found._replace(
        question=QuestionPassed(
            question.asked,
            dict(question.answers),
            passage.changes,
            guessed=question.guessed,
            in_order=question.in_order,
        )
    )
