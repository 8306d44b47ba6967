"""A journal: its start, its entries, and the positions to which they lead.

`Journal` reads and extends it. The functions at the end read and write its head, and return the position at a moment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from ...formats.notation import read_notation, read_on
from ...formats.notation_writer import WrittenLines, write_changes, write_lines
from ...formats.positions import Position
from ...game.events import Event
from ...game.games import Game
from ...game.schedule_dates import Dates
from ...game.turn_record import list_people
from ...game.viewpoint import check_viewpoint
from ...installed.fingerprints import name_rules
from ...state.changes import AnyChange, Change
from ...state.state import EVERYTHING, is_limited
from ...util.datafiles import read_text
from ...util.errors import InputError, UnknownWord, Where, located
from ...util.grown import Grown
from ...util.limits import Limit, TooMuch, find_exceeded
from ...util.texts import natural
from .entries import (
    FACT,
    FORCE,
    LATE_SIGN,
    TURN,
    Amend,
    Counting,
    EntryReader,
    JournalEntry,
    Keep,
    OpenQuestion,
    Strike,
    TurnBegins,
    find_counting,
    find_index,
    write_what,
)
from .files import VERSION, JournalText, parse_journal
from .fold import FoldedJournal, Reads, Rules, Shortfall
from .lines import AND, BOOKS, TAP, JournalLine
from .open_question import Asking, asking_after
from .room import measure_room

SEEN_BY_PREFIX = "seen by "
"""The prefix of the line in the head that names the side to whose knowledge the starting position is limited."""


def _mark_written(error: InputError) -> InputError:
    """Return an error with a hint at a newer program, which may have written an unknown word."""
    return error.written() if isinstance(error, UnknownWord) else error


class JournalMoment(NamedTuple):
    """The end of a turn (`@mar16/5`), or the moment after an entry (`#212`, with `#0` for the start)."""

    turn: str = ""
    entry: int | None = None


def _read_lines(
    reader: EntryReader, name: str, lines: Iterable[JournalLine]
) -> tuple[list[JournalEntry], list[InputError]]:
    entries = list[JournalEntry]()
    faults = list[InputError]()
    for line in lines:
        try:
            entries.append(reader.read(line))
        except InputError as error:
            faults.append(_mark_written(error).at(Where(name, line.line_number)))
    return entries, faults


class Head(NamedTuple):
    """The file, start and rules of a journal, which stay the same as entries are added."""

    name: str
    """The name of the file."""
    start: Position
    rules: Rules


class Journal:
    """A journal as read. Methods that change it return a new one.

    `faults`: the lines that cannot be read, each with its place.
    `reads`: the facts from which each answer was given, by entry.
    `earlier_books`: the books of a journal with almost the same entries, so that only differences are computed; or
    None.
    """

    def __init__(
        self,
        head: Head,
        text: JournalText,
        entries: Iterable[JournalEntry],
        faults: Iterable[InputError],
        reads: Mapping[int, Reads],
        earlier_books: FoldedJournal | None,
    ) -> None:
        self._head = head
        self.text = text
        self.reads = reads
        self._earlier_books = earlier_books
        self.entries = entries if isinstance(entries, Grown) else Grown(entries)
        self.faults = [*faults]
        self.name, self.start, self.rules = head
        self.game = head.rules.game
        self._books: FoldedJournal | None = None

    @classmethod
    def read(
        cls,
        text: JournalText,
        name: str,
        load_game: Callable[[str], Game],
        earlier: Journal | None = None,
        side: str = "",
    ) -> Journal:
        """Return the journal with a text.

        `name`: the name of the file in messages.
        `earlier`: the journal from an earlier version of the file, to save work; or None.
        `side`: the side whose knowledge the journal is, or "" for everything.

        Raises InputError if the head cannot be read.
        """
        with located(Where(name, 1)):
            game = load_game(text.game)
        start = earlier.start if earlier and earlier.game is game else _read_start(text, name, game)
        if side and start.state.seen_by != side:
            start = start.with_state(msgspec.structs.replace(start.state, seen_by=side))
        with located(Where(name)):
            rules = earlier.rules if earlier and earlier.game is game else Rules(game)
        entries, faults = _read_lines(EntryReader(game, rules.calendar, rules.events), name, text.lines)
        reads = earlier.reads if earlier else {}
        books = earlier._latest_books if earlier else None
        return cls(Head(name, start, rules), text, entries, [*text.faults, *faults], reads, books)

    def with_lines(self, text: JournalText) -> Journal:
        """Return the journal with lines added.

        `text`: all lines, of which the earlier ones are unchanged.
        """
        reader = EntryReader(self.game, self.rules.calendar, self.rules.events, self.entries)
        entries, faults = _read_lines(reader, self.name, text.lines[len(self.text.lines) :])
        all_entries = self.entries.plus(entries)
        return Journal(self._head, text, all_entries, [*self.faults, *faults], self.reads, self._latest_books)

    def with_start(self, text: JournalText, start: Position) -> Journal:
        """Return a journal of the same name without entries, with another start."""
        return Journal(self._head._replace(start=start), text, (), text.faults, {}, self._latest_books)

    @cached_property
    def counting(self) -> Counting:
        return find_counting(self.entries, self._earlier_books.counting if self._earlier_books else None)

    @property
    def books(self) -> FoldedJournal:
        """The states, accounts and faults that the entries lead to."""
        earlier = self._earlier_books
        has_same_entries = (
            earlier and earlier.counting is self.counting and earlier.goes_on_from(self.rules, self.start.state)
        )
        if self._books is None and earlier and has_same_entries and earlier.reads == self.reads:
            self._books = earlier
        if self._books is None:
            with located(Where(self.name)):
                self._books = FoldedJournal(self.rules, self.start, self.counting, self.reads, earlier)
        return self._books

    def lines_between(self, before: Position, after: Position) -> list[str]:
        """Return the lines of entries that lead from one position to another: a new turn, then changed facts.

        Raises InputError if no line can state a change.
        """
        lines: list[str] = []
        if moment := self.rules.moment:
            key = (moment.name, "")  # the fact of the turn
            turn = after.state.facts.get(key)
            if turn and turn != before.state.facts.get(key):
                lines.append(f"{TURN} {turn.value}")
                before = read_on(moment.how_to_state("", turn.value), before)
        return [*lines, *(f"{FACT} {line}" for line in write_changes(before, after))]

    def turn_after(self, changes: Iterable[AnyChange]) -> list[str]:
        """Return the line that begins the turn set by changes, or no line if they set no later turn."""
        moment = self.rules.moment
        if moment is None:
            return []
        turns = [change.after for change in changes if isinstance(change, Change) and change.track == moment.name]
        later = [turn for turn in turns if turn and self.rules.calendar.number(str(turn)) > self.turn]
        return [f"{TURN} {later[-1]}"] if later else []

    @cached_property
    def asking(self) -> Asking:
        """The open question with its dice so far, and the combat set aside for it."""
        return asking_after(self.counting.entries, self.game.file.prompt, self.turn)

    @property
    def asked_by(self) -> int:
        """The number of the entry with the open question, or 0 if no question is open."""
        asked = (entry.number for entry in reversed(self.counting.entries) if isinstance(entry.what, OpenQuestion))
        return next(asked) if self.asking.question.question else 0

    @property
    def last(self) -> int:
        return max(self.text.last, self.entries[-1].number if self.entries else 0)

    def position(self, moment: JournalMoment | None = None) -> Position:
        """Return the position at a moment, by default the last one.

        Raises InputError if there is no such turn or entry.
        """
        with located(Where(self.name)):
            if moment is None:
                state = self.books.last
            elif moment.entry is not None:
                if not 0 <= moment.entry <= self.last:
                    raise InputError(f"there is no entry {moment.entry}", hint=f"the last one is {self.last}")
                state = self.books.state_after(moment.entry)
            else:
                state = self.books.state_at(self.rules.calendar.number(moment.turn))
            return Position(self.game, state, past=None if is_limited(state.seen_by) else self.books.past)

    def all_faults(self) -> list[InputError]:
        """Return the faults of lines that cannot be read, and of entries that cannot take effect."""
        line_numbers = {line.number: line.line_number for line in self.text.lines}
        faults = [*self.faults]
        for number, error in self.books.faults:
            faults.append(_mark_written(error).at(Where(self.name, line_numbers.get(number, 0))))
        return faults

    @property
    def turn(self) -> int:
        entries = self.counting.entries
        return max(entries[-1].turn, self.start_turn) if entries else self.start_turn

    @cached_property
    def start_turn(self) -> int:
        return self.rules.turn_of(self.start.state) or self.rules.calendar.first

    @cached_property
    def rules_have_changed(self) -> bool:
        """Whether the journal began with other rules or data than those of today, as far as its head names them."""
        return bool(self.text.rules) and self.text.rules != name_rules(self.game)

    def label(self, turn: int) -> str:
        return self.rules.calendar.label(turn)

    @cached_property
    def people(self) -> frozenset[str]:
        return frozenset(list_people(self.game))

    def line_of(self, number: int) -> Sequence[JournalEntry]:
        """Return all entries made together with entry `number`, by one typed line or one tap on the page."""
        first = end = find_index(self.entries, number)
        while first and are_one_line(self.entries[first - 1], self.entries[first]):
            first -= 1
        while end + 1 < len(self.entries) and are_one_line(self.entries[end], self.entries[end + 1]):
            end += 1
        return self.entries[first : end + 1]

    def last_entered(self) -> list[JournalEntry]:
        """Return the entries that `undo` strikes: the last line or correction not undone yet.

        Raises InputError if there is none.
        """
        lines_in_force: list[Sequence[JournalEntry]] = []
        for line in split_lines(self.entries):
            # A line may undo several earlier lines, then do something of its own.
            remaining = line
            while lines_in_force and _strikes_all(remaining, lines_in_force[-1]):
                remaining = remaining[len(lines_in_force.pop()) :]
            if remaining:
                lines_in_force.append(remaining)
        if not lines_in_force:
            raise InputError("there is nothing to undo")
        return [*lines_in_force[-1]]

    def with_entries(self, typed: Sequence[JournalEntry]) -> Journal:
        """Return the journal with further entries, as if read from its file."""
        return self._replace_entries(self.entries.plus(typed))

    def until(self, number: int) -> Journal:
        """Return the journal as it was when entry `number` had just been made."""
        return self._replace_entries(entry for entry in self.entries if entry.number <= number)

    def standing_in(self, turn: int) -> Journal:
        """Return the journal as if `turn` were the latest, with all later corrections of the entries until then.

        Raises InputError if the journal begins later.
        """
        if turn < self.start_turn:
            raise InputError("the journal begins later", hint=f"with {self.label(self.start_turn)}")
        entries_kept: dict[int, JournalEntry] = {}
        for entry in self.entries:
            target = getattr(entry.what, "target", 0)
            if target in entries_kept if target else entry.turn <= turn:
                entries_kept[entry.number] = entry
        return self._replace_entries([*entries_kept.values(), JournalEntry(self.last + 1, turn, TurnBegins())])

    def with_reads(self, reads: Mapping[int, Reads]) -> Journal:
        return Journal(self._head, self.text, self.entries, self.faults, reads, self._latest_books)

    def with_books_of(self, other: Journal) -> Journal:
        """Return the journal with the books of a similar one, so that only differences are computed."""
        return Journal(self._head, self.text, self.entries, self.faults, self.reads, other._latest_books)

    def _replace_entries(self, entries: Iterable[JournalEntry]) -> Journal:
        return Journal(self._head, self.text, entries, self.faults, self.reads, self._latest_books)

    @property
    def _latest_books(self) -> FoldedJournal | None:
        return self._books or self._earlier_books

    def write_line(self, entry: JournalEntry) -> JournalLine:
        what = write_what(entry.what, self.game, self.rules.events)
        head, _, rest = what.partition(" ")
        signs = (
            (AND, entry.more),
            (BOOKS + entry.books, entry.books),
            (FORCE, entry.force),
            (LATE_SIGN, entry.late),
            (TAP + entry.tap, entry.tap),
        )
        flags = tuple(sign for sign, is_so in signs if is_so)
        return JournalLine(entry.number, self.label(entry.turn), flags, head, rest)

    def check_typed(self, typed: Sequence[JournalEntry]) -> Journal:
        """Return the journal with typed entries, after checking that each can take effect.

        Raises InputError for the first entry that cannot, or that overdraws an account without `force`, and TooMuch if
        the journal or its position becomes too large.
        """
        after = self.with_entries(typed)
        Limit.JOURNAL.check(len(after.entries), "with this the journal would hold")
        if after.books.counted.may_exceed and (exceeded := find_exceeded(measure_room(after.books.last))):
            before = measure_room(self.books.last)
            if exceeded := {limit: sizes for limit, sizes in exceeded.items() if sizes[1] > before[limit][1]}:
                raise TooMuch(exceeded)
        if not (fault := after._find_fault(typed, self)):
            return after
        if len(typed) == 1:
            raise fault
        # Find the first entry at fault by adding them one at a time.
        earlier = self
        for count, entry in enumerate(typed, 1):
            step = earlier.with_entries([entry])
            # A correction may spoil earlier typed entries, which were valid when made: only the correction is checked.
            is_correction = isinstance(entry.what, Amend | Strike)
            if first_fault := step._find_fault([entry] if is_correction else typed[:count], earlier):
                text = write_what(entry.what, self.game, self.rules.events)
                first_fault.what = f"{self.label(entry.turn)} {text}: {first_fault.what}"
                raise first_fault
            earlier = step
        return after

    def _find_fault(self, entries: Sequence[JournalEntry], before: Journal) -> InputError | None:
        """Return the first fault of `entries` or of the entries they correct, or None.

        Shortfalls that have not grown since the journal `before` do not count. If there are several entries, faults
        present in `before` do not count either.
        """
        effective = [entry for entry in entries if not isinstance(entry.what, Strike | Keep)]
        checked_numbers = {getattr(entry.what, "target", entry.number) for entry in effective}
        faulty_before = {number for number, _ in before.books.faults} if len(entries) > 1 else set()
        for number, error in self.books.faults:
            if number in checked_numbers and number not in faulty_before:
                return error
        hint = "begin with `force`, and note why, if the players agree to it"
        for _, reason in self.barred(checked_numbers):
            return InputError(reason, hint=hint)
        taken_before = {(short.entry, short.account, short.who): short.taken for short in before.books.shortfalls}
        for short in self.books.shortfalls:
            taken = taken_before.get((short.entry, short.account, short.who), 0)
            if short.entry in checked_numbers and not short.agreed and short.taken > taken:
                return InputError(self.in_words(short), hint=hint)
        return None

    def barred(self, among: Collection[int] | None = None) -> Iterator[tuple[int, str]]:
        """Yield the number of each event that the rules bar in its turn, and the reason.

        Entries with `force` are left out, as the players agreed to them.

        `among`: the numbers of the entries to check, or None for all.
        """
        rows = self.rules.events.barred
        dates = Dates(self.game, self.rules.calendar, self.books.value)
        if not rows:
            return
        for entry in self.counting.entries:
            what = entry.what
            if entry.force or not isinstance(what, Event) or (among is not None and entry.number not in among):
                continue
            for row in rows:
                applies = what.who in row.who and what.word in row.events
                if applies and dates.is_within(entry.turn, row.from_, row.until, what.who):
                    yield entry.number, f"{self.game.file.title_of(what.who)}: {row.title} (rule {row.rule})"
                    break

    def in_words(self, short: Shortfall) -> str:
        """Return a shortfall as a sentence such as `Germany: Replacements: 3 taken, but only 2 left`."""
        rule = f" (rule {short.rule})" if short.rule else ""
        return (
            f"{self.title_of(short.account, short.who)}: {short.taken} taken, but only {max(short.left, 0)} left{rule}"
        )

    def title_of(self, account: str, who: str = "") -> str:
        title = self.game.track(account).title
        return f"{self.game.file.title_of(who)}: {title}" if who else title


def are_one_line(entry: JournalEntry, following: JournalEntry) -> bool:
    """Return whether two successive entries were made by one typed line, or one tap on the page."""
    return entry.more or bool(following.tap and following.tap == entry.tap)


def split_lines(entries: Iterable[JournalEntry]) -> Iterator[Sequence[JournalEntry]]:
    """Group entries by the typed line, or the tap on the page, that made them."""
    line: list[JournalEntry] = []
    for entry in entries:
        if line and not are_one_line(line[-1], entry):
            yield line
            line = []
        line.append(entry)
    if line:
        yield line


def _strikes_all(entries: Sequence[JournalEntry], line: Sequence[JournalEntry]) -> bool:
    """Return whether `entries` begin with strikes of all entries of `line`, from last to first."""
    undoing = entries[: len(line)]
    targets = [entry.what.target for entry in undoing if isinstance(entry.what, Strike)]
    return targets == [entry.number for entry in reversed(line)]


def _read_start(text: JournalText, name: str, game: Game) -> Position:
    """Return the start of a journal, from the set-up and lines in its head."""
    lines = [f"game {game.id}"]
    seen_by = EVERYTHING
    for number, line in enumerate(text.head, 3 if text.rules else 2):
        word, _, rest = line.strip().partition(" ")
        if word == "setup":
            with located(Where(name, number)):
                file, file_name, _ = game.set_up(rest.strip())
            setup = read_text(file, file_name)
            lines += [row for row in setup.splitlines() if not row.startswith(("game ", "ask ", "answers "))]
        elif line.strip().startswith(SEEN_BY_PREFIX):
            with located(Where(name, number)):
                seen_by = check_viewpoint(game, line.strip().removeprefix(SEEN_BY_PREFIX))
            lines.append("")  # keeps the numbers of the lines that follow
        else:
            lines.append(line)
    with located(Where(name)):
        start = read_notation("\n".join(lines).encode(), name, lambda _: game)
    return start.with_state(msgspec.structs.replace(start.state, seen_by=seen_by))


def position_at(data: bytes, name: str, load_game: Callable[[str], Game], moment: str = "") -> Position:
    """Return the position at a moment of a journal.

    `moment`: the end of a turn (`@mar16/5`), the moment after an entry (`#212`), or "" for the last position.

    Raises InputError if the data are not a journal, a line cannot be read, or there is no such moment.
    """
    journal = Journal.read(parse_journal(data, name), name, load_game)
    faults = journal.all_faults()
    if journal.text.remnant:  # the last fault is the entry that was cut off: it was never acknowledged
        faults.remove(journal.faults[-1])
    if faults:
        if faults[0].hint:
            faults[0].hint += "; `assistant journal check` names all of them"
        raise faults[0]
    if not moment:
        return journal.position()
    number = natural(moment[1:]) if moment.startswith("#") else None
    if moment.startswith("#") and number is None:
        raise InputError(f"{moment[1:20]!r} is not the number of an entry", where=Where(name), hint="such as #212")
    return journal.position(JournalMoment(entry=number) if number is not None else JournalMoment(turn=moment[1:]))


def write_head(
    game: Game, start: Position | None, setup: str, written: WrittenLines | None = None, rules: str = ""
) -> str:
    """Return the text of a journal without entries.

    `start`: the position from which the journal starts, or None if only from a set-up.
    `setup`: the name of the set-up, or "".
    `written`: the lines of `start` if they are written already.
    `rules`: the version and fingerprint of the rules, or "" for a journal that names none, as that of a side.

    Raises InputError if the set-up is unknown, or the position is of another game.
    """
    lines = [f"journal {game.id} {VERSION}", f"rules {rules}"] if rules else [f"journal {game.id} 1"]
    if setup:
        game.set_up(setup)
        lines.append(f"setup {setup}")
    if start is not None:
        if start.game.id != game.id:
            raise InputError(f"this is a position of {start.game.id}", hint=f"not of {game.id}")
        if is_limited(start.state.seen_by):
            lines.append(f"{SEEN_BY_PREFIX}{start.state.seen_by}")
        lines += (written or write_lines(Position(game, start.state))).text.splitlines()[1:]
    return "\n".join([*lines, ""])
