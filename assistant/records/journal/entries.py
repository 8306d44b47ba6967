"""The entries of a journal: the content of each line, and which of them count.

Nothing is ever deleted: a correction (`amend`, `strike`, `keep`) names an earlier entry by its number. Entries take
effect in the order of their turns, and within a turn of their numbers. An open question is an entry that changes
nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice

import msgspec

from ...game.calendar import Calendar, parse_date
from ...game.events import Event, Events
from ...game.games import Game
from ...game.typed_events import find_holder, read_event, write_event, write_example
from ...state.changes import AnyChange
from ...util.errors import InputError, similar
from ...util.grown import Grown
from ...util.texts import natural
from .lines import AND, BOOKS, TAP, JournalLine
from .question_lines import Assumed, read_answer_line, read_question, write_answer, write_question

# The first words of entries; in a line they follow the turn.
FACT = "fact"
ANSWER = "answer"
AMEND = "amend"
STRIKE = "strike"
KEEP = "keep"
TURN = "turn"
ASK_WORD = "asked"
CORE = (FACT, ANSWER, AMEND, STRIKE, KEEP, TURN, ASK_WORD)
"""The first words of entries; any other line begins with the nation or side of an event."""
AGAIN_WORD = "again"
"""The word that amends an answer to what its question gives now, with the same dice."""
LATE_SIGN = "late"
"""The word before an entry of an earlier turn."""
FORCE = "force"
"""The word before an entry by which players agree to take more from an account than it has."""


class Fact(msgspec.Struct, frozen=True):
    """A line of position notation."""

    line: str


class Answer(msgspec.Struct, frozen=True):
    """An answer that was carried out: its question, parameters, dice and choices as typed, and its changes."""

    question: str
    dice: str
    changes: tuple[AnyChange, ...]


class TurnBegins(msgspec.Struct, frozen=True):
    """The beginning of a turn."""


class OpenQuestion(msgspec.Struct, frozen=True, omit_defaults=True):
    """An open question, or the end of one; it changes nothing else.

    The question, its parameters, dice and choices are as typed.
    """

    question: str = ""
    dice: str = ""
    assumed: tuple[Assumed, ...] = ()
    """The facts and parameters taken for granted."""

    def goes_on_with(self, earlier: OpenQuestion) -> bool:
        """Return whether this is the earlier question, with at least all of its dice and choices."""
        return self.question == earlier.question and {*earlier.dice.split()} <= {*self.dice.split()}


class Amend(msgspec.Struct, frozen=True):
    """A correction that replaces the content of an earlier entry."""

    target: int
    """The number of the earlier entry."""
    what: Event | Fact | Answer


class Strike(msgspec.Struct, frozen=True):
    """A correction by which an earlier entry no longer counts."""

    target: int
    """The number of the earlier entry."""


class Keep(msgspec.Struct, frozen=True):
    """A correction by which an answer stands although facts it was given from have changed."""

    target: int
    """The number of the answer's entry."""


Effect = Event | Fact | Answer | TurnBegins | OpenQuestion
"""The content of an entry that is not a correction."""


class JournalEntry(msgspec.Struct, frozen=True):
    """An entry of a journal."""

    number: int
    turn: int
    """The number of the turn."""
    what: Effect | Amend | Strike | Keep
    late: bool = False
    force: bool = False
    tap: str = ""
    """The mark of the tap on the page that entered the line, or ""."""
    more: bool = False
    """Whether the next entry belongs to the same typed line, or the same tap."""
    books: str = ""
    """The check of all that its line has changed in the accounts, or "" if it changed nothing or has none."""


def find_index(entries: Sequence[JournalEntry], number: int) -> int:
    """Return the number of entries whose number is lower than `number`."""
    return bisect_left(entries, number, key=lambda entry: entry.number)


def find_entry(entries: Sequence[JournalEntry], number: int) -> JournalEntry | None:
    """Return the entry with a number, or None."""
    found = entries[index] if (index := find_index(entries, number)) < len(entries) else None
    return found if found and found.number == number else None


class Corrections:
    """Entries in the order of their numbers, and the corrections in force.

    Corrections of entries before the first one are unknown.
    """

    def __init__(self, entries: Iterable[JournalEntry] = ()) -> None:
        self.by_number: dict[int, JournalEntry] = {}
        self._of: dict[int, list[JournalEntry]] = {}
        self._strikes = Counter[int]()  # number of an entry -> number of strikes in force
        for entry in entries:
            self.add(entry)

    def add(self, entry: JournalEntry) -> None:
        """Add the next entry. A strike of a strike restores the entry that the latter struck, and so on."""
        self.by_number[entry.number] = entry
        what = entry.what
        step = 1
        if isinstance(what, Amend | Strike | Keep):
            self._of.setdefault(what.target, []).append(entry)
        while isinstance(what, Strike) and what.target in self.by_number:
            self._strikes[what.target] += step
            if self._strikes[what.target] != max(step, 0):
                break  # the entry was struck before, or is still struck
            what = self.by_number[what.target].what
            step = -step

    def is_struck(self, number: int) -> bool:
        return self._strikes[number] > 0

    def list_corrections(self, target: int) -> Sequence[JournalEntry]:
        return self._of.get(target, ())

    def last(self, target: int, *kinds: type[Amend | Strike | Keep]) -> JournalEntry | None:
        """Return the last correction in force of an entry, of one of these kinds, or None."""
        standing = (entry for entry in reversed(self.list_corrections(target)) if not self.is_struck(entry.number))
        return next((entry for entry in standing if isinstance(entry.what, kinds)), None)

    def read_amended(self, number: int) -> Effect | Amend | Strike | Keep:
        amendment = self.last(number, Amend)
        return amendment.what.what if amendment and isinstance(amendment.what, Amend) else self.by_number[number].what


class EntryReader:
    """A reader of a journal's lines as entries.

    `before`: earlier entries to which corrections may refer.
    """

    def __init__(self, game: Game, calendar: Calendar, events: Events, before: Sequence[JournalEntry] = ()) -> None:
        self.game = game
        self.calendar = calendar
        self.events = events
        self._before = before
        self._read = list[JournalEntry]()
        self._corrections = Corrections()
        self._known: dict[str, str] = {}

    def read(self, line: JournalLine) -> JournalEntry:
        turn = self.calendar.number(line.turn)
        what = self.read_what(line.head, line.rest)
        taps = [flag.removeprefix(TAP) for flag in line.flags if flag.startswith(TAP)]
        books = [flag.removeprefix(BOOKS) for flag in line.flags if flag.startswith(BOOKS)]
        entry = JournalEntry(
            number=line.number,
            turn=turn,
            what=what,
            late=LATE_SIGN in line.flags,
            force=FORCE in line.flags,
            tap=taps[-1] if taps else "",
            more=AND in line.flags,
            books=books[-1] if books else "",
        )
        if isinstance(what, OpenQuestion) and (entry.late or entry.force):
            sign = LATE_SIGN if entry.late else FORCE
            raise InputError(
                f"a question that is open takes no `{sign}`", hint=f"write: {ASK_WORD} QUESTION, without it"
            )
        self._read.append(entry)
        return entry

    def _update_corrections(self) -> Corrections:
        for entry in islice(chain(self._before, self._read), len(self._corrections.by_number), None):
            self._corrections.add(entry)
        return self._corrections

    def read_what(self, head: str, rest: str) -> Effect | Amend | Strike | Keep:
        """Return the content of a line after its turn.

        Raises InputError if the line cannot be read.
        """
        word = head.casefold()
        if word == FACT:
            if not rest:
                raise InputError("the fact is missing", hint="write a line of position notation after `fact`")
            return Fact(rest)
        if word == ANSWER:
            question, dice, changes = read_answer_line(rest, self.game.tracks)
            return Answer(question, dice, changes)
        if word == TURN:
            return TurnBegins()
        if word == ASK_WORD:
            question, dice, assumed = read_question(rest, self.game.tracks)
            return OpenQuestion(question, dice, assumed)
        if word in (AMEND, STRIKE, KEEP):
            target, words = self._read_target(rest)
            if word == AMEND:
                return Amend(target.number, self._read_amendment(target, words))
            if word == STRIKE:
                return Strike(target.number)
            if not isinstance(target.what, Answer):
                raise InputError(f"entry {target.number} is not an answer", hint="only an answer can stand")
            return Keep(target.number)
        return read_event(self.game, self.events, self._read_whom(head, rest), rest)

    def _read_whom(self, head: str, rest: str) -> str:
        if (known := self._known.get(head)) is not None:
            return known
        events = self.events.event
        word = head.casefold()
        try:
            self._known[head] = find_holder(self.game, self.events, head)
            return self._known[head]
        except InputError as error:
            if word in events:
                what = f"the {events[word].on} before {head!r} is missing"
                raise InputError(what, hint=f"write: {write_example(self.events, word)}") from None
            if rest.partition(" ")[0].casefold() not in events and (near := similar(word, CORE, 0.6)):
                raise InputError(error.what, hint=f"nearest known: {', '.join(near)}") from None
            raise

    def _read_target(self, text: str) -> tuple[JournalEntry, str]:
        first, _, rest = text.strip().partition(" ")
        number = natural(first)
        last = next((entries[-1].number for entries in (self._read, self._before) if entries), 0)
        if number is None:
            raise InputError(f"{first[:20]!r} is not the number of an entry", hint=f"the last one is {last}")
        target = find_entry(self._read, number) or find_entry(self._before, number)
        if target is None:
            raise InputError(f"there is no entry {first[:20]}", hint=f"the last one is {last}")
        return target, rest.strip()

    def _read_amendment(self, target: JournalEntry, text: str) -> Event | Fact | Answer:
        """Return the amended content of an entry.

        For an event the new amount is enough; everything else stays as last amended.
        """
        number = target.number
        old = self._update_corrections().read_amended(number)
        if isinstance(old, Amend | Strike | Keep):
            kind = type(old).__name__.casefold()
            raise InputError(
                f"entry {number} is a correction ({kind}) of {old.target}",
                hint=f"amend {old.target} again, or strike {number}",
            )
        if isinstance(old, OpenQuestion):
            raise InputError(f"entry {number} asks a question", hint=f"ask it again, or strike {number}")
        if isinstance(old, TurnBegins):
            raise InputError(f"entry {number} begins a turn", hint=f"strike {number}, and begin the right one")
        if not text:
            raise InputError(f"what entry {number} should have said is missing", hint=f"amend {number} 18")
        head, _, rest = text.partition(" ")
        if text.casefold() == AGAIN_WORD:
            if not isinstance(old, Answer):
                raise InputError(f"entry {number} is not an answer", hint="only an answer can be asked again")
            return Answer(old.question, old.dice, ())
        if (date := parse_date(head)) and date[1] is not None:
            hint = f"strike {number}, and enter it again: {LATE_SIGN} {text}"
            raise InputError(f"entry {number} keeps its turn", hint=hint)
        if isinstance(old, Event):
            if natural(head) is None and head[:1] not in "+-":
                new = self.read_what(head, rest)
            else:
                new = self._replace_amount(old, head, rest)
        elif head.casefold() in (FACT, ANSWER):
            new = self.read_what(head, rest)
        else:
            new = Fact(text) if isinstance(old, Fact) else self.read_what(ANSWER, text)
        if isinstance(old, Answer) and isinstance(new, Answer):
            _check_dice(number, old, new)
        if not isinstance(new, Event | Fact | Answer) or type(new) is not type(old):
            raise InputError(
                f"entry {number} is of another kind", hint=f"strike {number}, and enter the new one as late"
            )
        return new

    def _replace_amount(self, old: Event, amount: str, rest: str) -> Event:
        """Return an event with another amount, and with the kind, unit and note in `rest` or else the old ones."""
        given = f"{old.word} {amount} {rest}"
        event = self.events.event[old.word]
        if event.least is None:
            raise InputError(f"`{old.word}` takes no amount", hint="write the whole event, or strike it")
        if rest.partition(" ")[0].casefold() not in event.kinds:
            unit = f'"{old.unit}"' if old.unit else ""
            given = " ".join(filter(None, (old.word, amount, old.kind, unit, rest or old.note)))
        return read_event(self.game, self.events, old.who, given)


def _check_dice(number: int, old: Answer, new: Answer) -> None:
    names = {word.partition("=")[0] for word in old.dice.split()}
    words = new.question.split()
    dice = [word for word in words if "=" in word and word.partition("=")[0] in names]
    if dice and not (new.dice or new.changes):
        question = " ".join(word for word in words if word not in dice)
        hint = f"write: {AMEND} {number} {question} | {' '.join(dice)}"
        raise InputError("dice stand after a bar", hint=hint)


def write_open(what: OpenQuestion, game: Game) -> str:
    """Return an open question as text of an entry.

    Raises InputError if it cannot be written.
    """
    return f"{ASK_WORD} {write_question(what.question, what.dice, what.assumed, game.tracks)}".rstrip()


def write_what(what: Effect | Amend | Strike | Keep, game: Game, events: Events) -> str:
    """Return the content of an entry as text: the part of its line after the turn and signs."""
    match what:
        case Event():
            return write_event(events, what)
        case Fact():
            return f"{FACT} {what.line}"
        case Answer():
            return f"{ANSWER} {write_answer(what.question, what.dice, what.changes, game.tracks)}"
        case TurnBegins():
            return TURN
        case OpenQuestion():
            return write_open(what, game)
        case Amend(target, new):
            return f"{AMEND} {target} {write_what(new, game, events)}"
        case Strike(target):
            return f"{STRIKE} {target}"
        case Keep(target):
            return f"{KEEP} {target}"


class Counting(msgspec.Struct, frozen=True):
    """The entries that count, in the order in which they take effect."""

    among: Grown[JournalEntry]
    """All entries."""
    entries: Grown[JournalEntry]
    """The entries that count, as amended, in the order of their effect."""
    amended_by: Mapping[int, int]
    """The number of the last amendment, by the number of the amended entry."""
    struck: frozenset[int]
    """The numbers of struck entries."""
    kept: Mapping[int, int]
    """The number of the last `keep` of an answer, by the number of the answer."""

    def given_by(self, number: int) -> int:
        return max(self.amended_by.get(number, number), self.kept.get(number, 0))


def find_counting(entries: Grown[JournalEntry], known: Counting | None = None) -> Counting:
    """Return the entries of a journal that count.

    `entries`: all entries in the order of their numbers.
    `known`: an earlier result that is extended if possible.
    """
    if known and entries.goes_on(known.among):
        going_on = _go_on(known, entries) if len(entries) > len(known.among) else known
        if going_on:
            return going_on
    corrections = Corrections(entries)
    struck = frozenset(entry.number for entry in entries if corrections.is_struck(entry.number))
    amendments: dict[int, JournalEntry] = {}
    kept: dict[int, int] = {}
    effective = []
    for entry in entries:
        if entry.number in struck:
            continue
        match entry.what:
            case Amend(target):
                amendments[target] = entry
            case Keep(target):
                kept[target] = entry.number
            case Strike():
                pass
            case _:
                effective.append(entry)
    for index, entry in enumerate(effective):
        amendment = amendments.get(entry.number)
        if amendment is not None and isinstance(amendment.what, Amend):
            effective[index] = msgspec.structs.replace(
                entry, what=amendment.what.what, force=entry.force or amendment.force
            )
    effective.sort(key=_order)
    amended_by = {target: amendment.number for target, amendment in amendments.items()}
    return Counting(entries, Grown(effective), amended_by, struck, kept)


def _order(entry: JournalEntry) -> tuple[int, int]:
    return entry.turn, entry.number


def _go_on(known: Counting, among: Grown[JournalEntry]) -> Counting | None:
    """Return `known` extended by the new entries, or None if everything must be counted again.

    That is so if a new entry amends or keeps another, belongs to an earlier turn, or strikes an entry that does not
    count.

    `among`: all entries; the first of them are those of `known`.
    """
    entries = known.entries
    struck = set[int]()
    for entry in among[len(known.among) :]:
        if isinstance(entry.what, Strike):
            target = find_entry(among, entry.what.target)
            index = bisect_left(entries, _order(target), key=_order) if target else len(entries)
            if index == len(entries) or entries[index].number != entry.what.target:
                return None
            entries = entries.first(index).plus(entries[index + 1 :])
            struck.add(entry.what.target)
        elif isinstance(entry.what, Amend | Keep) or (entries and entries[-1].turn > entry.turn):
            return None
        else:
            entries = entries.plus([entry])
    return msgspec.structs.replace(known, among=among, entries=entries, struck=known.struck | struck)


def questions_among(chosen: Iterable[JournalEntry], entries: Sequence[JournalEntry]) -> frozenset[int]:
    """Return the numbers of the chosen entries that are open questions or corrections of them.

    The books do not depend on these entries.

    `entries`: all entries.
    """

    def asks(entry: JournalEntry | None) -> bool:
        while entry and (target := getattr(entry.what, "target", 0)):
            entry = find_entry(entries, target)
        return entry is not None and isinstance(entry.what, OpenQuestion)

    return frozenset(entry.number for entry in chosen if asks(entry))
