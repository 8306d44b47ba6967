"""A journal: the game of which it is, the position from which it starts, its entries, and what they come to."""

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
    LATE,
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
from .files import JournalText, parse_journal
from .fold import FoldedJournal, Reads, Rules, Shortfall
from .lines import AND, TAP, JournalLine
from .open_question import Asking, asking_after
from .room import measure_room

SEEN_BY = "seen by "
"""What stands before the side whose knowledge the position is from which a journal starts."""


def _mark_written(error: InputError) -> InputError:
    """Return an error of an entry, which a program may have written."""
    return error.written() if isinstance(error, UnknownWord) else error


class JournalMoment(NamedTuple):
    """Where in a journal: at the end of a turn (`@mar16/5`), or after an entry (`#212`), `#0` being the start."""

    turn: str = ""
    entry: int | None = None


def _read_lines(
    reader: EntryReader, name: str, lines: Iterable[JournalLine]
) -> tuple[list[JournalEntry], list[InputError]]:
    """Return the entries in some lines, and the faults of lines that cannot be read. name: of the file."""
    entries = list[JournalEntry]()
    faults = list[InputError]()
    for line in lines:
        try:
            entries.append(reader.read(line))
        except InputError as error:
            faults.append(_mark_written(error).at(Where(name, line.place)))
    return entries, faults


class Head(NamedTuple):
    """What all entries of a journal stand on."""

    name: str
    """That of its file."""
    start: Position
    """The position from which it starts."""
    rules: Rules


class Journal:
    """A journal as it was read. text: its lines; faults: those that cannot be read, each with its place; reads: what
    its answers were given from, by the number of the entry; known: the books of one with almost the same entries, if
    there are any.
    """

    def __init__(
        self,
        head: Head,
        text: JournalText,
        entries: Iterable[JournalEntry],
        faults: Iterable[InputError],
        reads: Mapping[int, Reads],
        known: FoldedJournal | None,
    ) -> None:
        self._head = head
        self.text = text
        self.reads = reads
        self._known = known
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
        """Return the journal that lines make up. name: of its file; earlier: the journal that its first lines were, if
        it is known; side: whose knowledge it is, "" for everything. Raises InputError for a head that cannot be read.
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
        known = earlier._latest if earlier else None
        return cls(Head(name, start, rules), text, entries, [*text.faults, *faults], reads, known)

    def with_lines(self, text: JournalText) -> Journal:
        """Return the journal as it is read once lines have been added to it. text: all of its lines."""
        reader = EntryReader(self.game, self.rules.calendar, self.rules.events, self.entries)
        entries, faults = _read_lines(reader, self.name, text.lines[len(self.text.lines) :])
        whole = self.entries.plus(entries)
        return Journal(self._head, text, whole, [*self.faults, *faults], self.reads, self._latest)

    def with_start(self, text: JournalText, start: Position) -> Journal:
        """Return the journal of the same name without entries that starts from another position. text: all of it."""
        return Journal(self._head._replace(start=start), text, (), text.faults, {}, self._latest)

    @cached_property
    def counting(self) -> Counting:
        """Which entries count."""
        return find_counting(self.entries, self._known.counting if self._known else None)

    @property
    def books(self) -> FoldedJournal:
        """What the entries come to."""
        known = self._known
        is_alike = known and known.counting is self.counting and known.goes_on_from(self.rules, self.start.state)
        if self._books is None and known and is_alike and known.reads == self.reads:
            self._books = known
        if self._books is None:
            with located(Where(self.name)):
                self._books = FoldedJournal(self.rules, self.start, self.counting, self.reads, known)
        return self._books

    def lines_between(self, before: Position, after: Position) -> list[str]:
        """Return the lines of entries that lead from one position to another: the turn, if that is another, and what is
        stated in it.

        Raises InputError for what no line can state.
        """
        lines: list[str] = []
        if moment := self.rules.moment:
            key = (moment.name, "")
            turn = after.state.facts.get(key)
            if turn and turn != before.state.facts.get(key):
                lines.append(f"{TURN} {turn.value}")
                before = read_on(moment.how_to_state("", turn.value), before)
        return [*lines, *(f"{FACT} {line}" for line in write_changes(before, after))]

    def turn_after(self, changes: Iterable[AnyChange]) -> list[str]:
        """Return the line of the entry by which a turn begins that changes lead to, none if they lead to no later
        turn.
        """
        moment = self.rules.moment
        if moment is None:
            return []
        stated = [change.after for change in changes if isinstance(change, Change) and change.track == moment.name]
        later = [turn for turn in stated if turn and self.rules.calendar.number(str(turn)) > self.turn]
        return [f"{TURN} {later[-1]}"] if later else []

    @cached_property
    def asking(self) -> Asking:
        """The question that is open, with its dice so far, and the combat that it has set aside."""
        return asking_after(self.counting.entries, self.game.file.prompt, self.turn)

    @property
    def asked_by(self) -> int:
        """The number of the entry by which the question is open, 0 if there is none."""
        asked = (entry.number for entry in reversed(self.counting.entries) if isinstance(entry.what, OpenQuestion))
        return next(asked) if self.asking.question.question else 0

    @property
    def last(self) -> int:
        """The number of the last line, be it one that cannot be read, 0 for none."""
        return max(self.text.last, self.entries[-1].number if self.entries else 0)

    def position(self, moment: JournalMoment | None = None) -> Position:
        """Return the position at a moment, by default the last one. Raises InputError for a turn or an entry that there
        is not.
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
        """Return the lines that cannot be read, and the entries that cannot take effect."""
        places = {line.number: line.place for line in self.text.lines}
        faults = [*self.faults]
        for number, error in self.books.faults:
            faults.append(_mark_written(error).at(Where(self.name, places.get(number, 0))))
        return faults

    @property
    def turn(self) -> int:
        """The number of the turn in which the journal stands."""
        entries = self.counting.entries
        return max(entries[-1].turn, self.start_turn) if entries else self.start_turn

    @cached_property
    def start_turn(self) -> int:
        """The number of the turn in which the journal begins."""
        return self.rules.turn_of(self.start.state) or self.rules.calendar.first

    def label(self, turn: int) -> str:
        """Return how a turn is written."""
        return self.rules.calendar.label(turn)

    @cached_property
    def people(self) -> frozenset[str]:
        """The nations and sides of the game."""
        return frozenset(list_people(self.game))

    def line_of(self, number: int) -> Sequence[JournalEntry]:
        """Return the entries of the typed line, or of the tap on the page, to which an entry belongs."""
        first = end = find_index(self.entries, number)
        while first and are_one_line(self.entries[first - 1], self.entries[first]):
            first -= 1
        while end + 1 < len(self.entries) and are_one_line(self.entries[end], self.entries[end + 1]):
            end += 1
        return self.entries[first : end + 1]

    def last_entered(self) -> list[JournalEntry]:
        """Return the entries that `undo` strikes: the last line that is not undone, be it a correction.

        Raises InputError if there is none.
        """
        standing: list[Sequence[JournalEntry]] = []
        for line in split_lines(self.entries):
            left = line
            while standing and _strikes_all(left, standing[-1]):
                left = left[len(standing.pop()) :]
            if left:
                standing.append(left)
        if not standing:
            raise InputError("there is nothing to undo")
        return [*standing[-1]]

    def with_entries(self, typed: Sequence[JournalEntry]) -> Journal:
        """Return the journal with further entries, as it would be read."""
        return self._replace_entries(self.entries.plus(typed))

    def until(self, number: int) -> Journal:
        """Return the journal as it stood once an entry was made."""
        return self._replace_entries(entry for entry in self.entries if entry.number <= number)

    def standing_in(self, turn: int) -> Journal:
        """Return the journal as if it stood in a turn: with what has happened until then, and all corrections of it.
        Raises InputError for a turn before it begins.
        """
        if turn < self.start_turn:
            raise InputError("the journal begins later", hint=f"with {self.label(self.start_turn)}")
        there: dict[int, JournalEntry] = {}
        for entry in self.entries:
            target = getattr(entry.what, "target", 0)
            has_happened = target in there if target else entry.turn <= turn
            if has_happened:
                there[entry.number] = entry
        return self._replace_entries([*there.values(), JournalEntry(self.last + 1, turn, TurnBegins())])

    def with_reads(self, reads: Mapping[int, Reads]) -> Journal:
        """Return the journal with what its answers were given from."""
        return Journal(self._head, self.text, self.entries, self.faults, reads, self._latest)

    def with_books_of(self, other: Journal) -> Journal:
        """Return the journal, whose books begin with those of another one as far as they are alike."""
        return Journal(self._head, self.text, self.entries, self.faults, self.reads, other._latest)

    def _replace_entries(self, entries: Iterable[JournalEntry]) -> Journal:
        """Return the journal with other entries than its own."""
        return Journal(self._head, self.text, entries, self.faults, self.reads, self._latest)

    @property
    def _latest(self) -> FoldedJournal | None:
        """The books as far as they are worked out."""
        return self._books or self._known

    def write_line(self, entry: JournalEntry) -> JournalLine:
        """Return the line of an entry."""
        what = write_what(entry.what, self.game, self.rules.events)
        head, _, rest = what.partition(" ")
        signs = ((AND, entry.more), (FORCE, entry.force), (LATE, entry.late), (TAP + entry.tap, entry.tap))
        flags = tuple(sign for sign, is_so in signs if is_so)
        return JournalLine(entry.number, self.label(entry.turn), flags, head, rest)

    def check_typed(self, typed: Sequence[JournalEntry]) -> Journal:
        """Return the journal with typed entries, of which each takes effect.

        Raises InputError for the first of them that cannot take effect, or leaves less of an account than there can be
        without `force`; what a correction spoils was valid when it was made. Raises TooMuch for more entries, or a
        larger position, than may be.
        """
        after = self.with_entries(typed)
        Limit.JOURNAL.check(len(after.entries), "with this the journal would hold")
        if after.books.counted.may_exceed and (over := find_exceeded(measure_room(after.books.last))):
            before = measure_room(self.books.last)
            if over := {limit: sizes for limit, sizes in over.items() if sizes[1] > before[limit][1]}:
                raise TooMuch(over)
        if not (wrong := after._find_fault(typed, self)):
            return after
        if len(typed) == 1:
            raise wrong
        earlier = self
        for count, entry in enumerate(typed, 1):
            step = earlier.with_entries([entry])
            corrects = isinstance(entry.what, Amend | Strike)  # what it spoils stood when it was made
            if first := step._find_fault([entry] if corrects else typed[:count], earlier):
                text = write_what(entry.what, self.game, self.rules.events)
                first.what = f"{self.label(entry.turn)} {text}: {first.what}"
                raise first
            earlier = step
        return after

    def _find_fault(self, entries: Sequence[JournalEntry], before: Journal) -> InputError | None:
        """Return what is wrong with entries of it that it did not have before, None for nothing."""
        others = [entry for entry in entries if not isinstance(entry.what, Strike | Keep)]
        meant = {getattr(entry.what, "target", entry.number) for entry in others}
        faulty = {number for number, _ in before.books.faults} if len(entries) > 1 else set()
        for number, error in self.books.faults:
            if number in meant and number not in faulty:
                return error
        agreed = "begin with `force`, and note why, if the players agree to it"
        for _, why in self.barred(meant):
            return InputError(why, hint=agreed)
        known = {(short.entry, short.account, short.who): short.taken for short in before.books.shortfalls}
        for short in self.books.shortfalls:
            taken = known.get((short.entry, short.account, short.who), 0)
            if short.entry in meant and not short.agreed and short.taken > taken:
                return InputError(self.in_words(short), hint=agreed)
        return None

    def barred(self, among: Collection[int] | None = None) -> Iterator[tuple[int, str]]:
        """Yield the entries that count although they do not happen to their nation in that turn, unless the players
        have agreed to them: the number of each, and why not. among: the numbers of those that matter, None for all.
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
                concerned = what.who in row.who and what.word in row.events
                if concerned and dates.is_within(entry.turn, row.from_, row.until, what.who):
                    yield entry.number, f"{self.game.file.title_of(what.who)}: {row.title} (rule {row.rule})"
                    break

    def in_words(self, short: Shortfall) -> str:
        """Return a shortfall in words."""
        rule = f" (rule {short.rule})" if short.rule else ""
        return (
            f"{self.title_of(short.account, short.who)}: {short.taken} taken, but only {max(short.left, 0)} left{rule}"
        )

    def title_of(self, account: str, who: str = "") -> str:
        """Return an account in words, with its nation."""
        title = self.game.track(account).title
        return f"{self.game.file.title_of(who)}: {title}" if who else title


def are_one_line(entry: JournalEntry, following: JournalEntry) -> bool:
    """Return whether an entry and the one after it belong to one line, or to one tap on the page."""
    return entry.more or bool(following.tap and following.tap == entry.tap)


def split_lines(entries: Iterable[JournalEntry]) -> Iterator[Sequence[JournalEntry]]:
    """Yield the entries of each line, or of each tap on the page."""
    line: list[JournalEntry] = []
    for entry in entries:
        if line and not are_one_line(line[-1], entry):
            yield line
            line = []
        line.append(entry)
    if line:
        yield line


def _strikes_all(entries: Sequence[JournalEntry], line: Sequence[JournalEntry]) -> bool:
    """Return whether the first of some entries undo a line: each strikes one of its entries, the last one first."""
    first = entries[: len(line)]
    targets = [entry.what.target for entry in first if isinstance(entry.what, Strike)]
    return targets == [entry.number for entry in reversed(line)]


def _read_start(text: JournalText, name: str, game: Game) -> Position:
    """Return the position that a journal starts from: its head, or the set-up that this names."""
    lines = [f"game {game.id}"]
    seen = EVERYTHING
    for number, line in enumerate(text.head, 2):
        word, _, rest = line.strip().partition(" ")
        if word == "setup":
            with located(Where(name, number)):
                file, called, _ = game.set_up(rest.strip())
            setup = read_text(file, called)
            lines += [row for row in setup.splitlines() if not row.startswith(("game ", "ask ", "answers "))]
        elif line.strip().startswith(SEEN_BY):
            with located(Where(name, number)):
                seen = check_viewpoint(game, line.strip().removeprefix(SEEN_BY))
            lines.append("")
        else:
            lines.append(line)
    with located(Where(name)):
        start = read_notation("\n".join(lines).encode(), name, lambda _: game)
    return start.with_state(msgspec.structs.replace(start.state, seen_by=seen))


def position_at(data: bytes, name: str, load_game: Callable[[str], Game], moment: str = "") -> Position:
    """Return the position at a moment of a journal: `@mar16/5`, the end of a turn; `#212`, after an entry; the last for
    "".

    name: of its file. Raises InputError for what is not a journal or a moment of it, and if a line cannot be read.
    """
    journal = Journal.read(parse_journal(data, name), name, load_game)
    faults = journal.all_faults()
    if journal.text.remnant:  # the last of them is what was cut off
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


def write_head(game: Game, start: Position | None, setup: str, written: WrittenLines | None = None) -> str:
    """Return the text of a journal without entries. start: the position from which it starts, if it is not a set-up;
    written: its lines, if they are known. Raises InputError for an unknown set-up and a position of another game.
    """
    lines = [f"journal {game.id} 1"]
    if setup:
        game.set_up(setup)
        lines.append(f"setup {setup}")
    if start is not None:
        if start.game.id != game.id:
            raise InputError(f"this is a position of {start.game.id}", hint=f"not of {game.id}")
        if is_limited(start.state.seen_by):
            lines.append(f"{SEEN_BY}{start.state.seen_by}")
        lines += (written or write_lines(Position(game, start.state))).text.splitlines()[1:]
    return "\n".join([*lines, ""])
