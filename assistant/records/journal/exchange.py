"""Journals of two players: messages to send, and entries taken from a message or a sheet, each once.

Each journal numbers its own entries, so a message names an entry by turn, holder and event, and the second of two equal
entries with `^2`. A correction quotes the corrected entry. A message begins with the check of the entry before its
first.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ...formats.positions import Position
from ...game.events import Event, is_account
from ...game.viewpoint import check_viewpoint, reduce_state
from ...state.state import GameState
from ...util.console import format_count
from ...util.errors import InputError, Where, located
from ...util.files import read_bytes
from ...util.patterns import late_pattern
from ...util.texts import natural
from .entries import (
    AMEND,
    ASK_WORD,
    FACT,
    FORCE,
    KEEP,
    LATE_SIGN,
    STRIKE,
    Amend,
    Answer,
    Corrections,
    EntryReader,
    Fact,
    JournalEntry,
    Keep,
    Strike,
    TurnBegins,
    questions_among,
    write_what,
)
from .journal import Journal
from .lines import JournalLine, compute_check, format_line

_HEAD = late_pattern(r"journal (\S+): ([0-9]{1,5}) entr(?:y|ies)(?: after (\S+ ~[0-9a-z]{3}))? ~([0-9a-z]{3})")
"""The first line of a message: game, number of entries, turn and check of the entry before, check of the rest."""
_TIMES = late_pattern(r"\^([0-9]{1,4}) (.*)")
"""A line equal to an earlier one, with its count."""
_CHECK_BEFORE = late_pattern(r" ~([0-9a-z]{3})(?= |$)")
"""The check of the previous correction of the same entry."""
_CORRECTIONS = (AMEND, STRIKE, KEEP)


class Saying(NamedTuple):
    """The text of an entry in a message, without `force`, which either side may add."""

    text: str
    times: int = 1
    """The number of entries with this text so far, including this one."""

    def __str__(self) -> str:
        return self.text if self.times == 1 else f"^{self.times} {self.text}"

    def line(self, *, force: bool) -> str:
        turn, _, rest = self.text.partition(" ")
        return str(self._replace(text=f"{turn} {FORCE} {rest}") if force else self)


class MessageEntries(NamedTuple):
    """The content of a message, compared with the entries of a journal."""

    lines: tuple[JournalLine, ...]
    """The entries that the journal lacks, without their numbers."""
    known: int
    """The number of entries that the journal has already."""
    forks: tuple[tuple[Saying, str, str], ...]
    """Corrected entries with different corrections here and there: the entry, our correction and theirs."""
    missing: tuple[str, ...]
    """The lines left out because an entry before them is missing in the journal."""


class _ToldEntries:
    """The entries of a journal, as texts in messages."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.corrections = Corrections()
        self.texts: dict[int, Saying] = {}  # number of an entry -> its text
        self.numbers: dict[Saying, int] = {}  # text of an entry -> its number
        self.counted = Counter[str]()
        # number of an entry that is withheld -> the facts that a side sees because of it
        self.sights: dict[int, list[Saying]] = {}

    def add(self, entry: JournalEntry, text: str = "") -> None:
        """Add the next entry.

        `text`: the entry's text in a message, or "" to make one.
        """
        text = text or self._format_entry(entry)
        self.corrections.add(entry)
        saying = self.texts[entry.number] = self._make_counted(text)
        self.numbers[saying] = entry.number

    def add_seen(self, entry: JournalEntry, seen: Iterable[JournalEntry]) -> None:
        """Add the next entry, which is withheld from a side except for the facts that the side sees.

        `seen`: entries that state these facts.
        """
        self.sights[entry.number] = [self._make_counted(self._format_entry(stated)) for stated in seen]

    def list_sayings(self, number: int) -> list[Saying]:
        return [self.texts[number]] if number in self.texts else self.sights.get(number, [])

    def _make_counted(self, text: str) -> Saying:
        self.counted[text] += 1
        return Saying(text, self.counted[text])

    def _format_entry(self, entry: JournalEntry) -> str:
        what = entry.what
        journal = self.journal
        turn = journal.label(entry.turn)
        if not isinstance(what, Amend | Strike | Keep):
            return f"{turn} {write_what(what, journal.game, journal.rules.events)}"
        named = json.dumps(str(self.texts[what.target]), ensure_ascii=False)
        before = "" if isinstance(what, Keep) else self.find_last_check(what.target)
        new_content = f" {write_what(what.what, journal.game, journal.rules.events)}" if isinstance(what, Amend) else ""
        return f"{turn} {type(what).__name__.casefold()} {named}{f' ~{before}' if before else ''}{new_content}"

    def find_last_check(self, target: int) -> str:
        last = self.corrections.last(target, Amend, Strike)
        return compute_check(str(self.texts[last.number])) if last else ""

    def find_other_correction(self, target: int, before: str) -> str:
        """Return our correction after the one with the check `before`, or "" if there is none.

        Returns "" also if no correction has this check.
        """
        corrections = [entry.number for entry in self.corrections.list_corrections(target)]
        known = [number for number in corrections if compute_check(str(self.texts[number])) == before]
        if before and not known:
            return ""
        last = self.corrections.last(target, Amend, Strike) or self.corrections.last(known[-1], Strike)
        return str(self.texts[last.number]) if last else ""


def _tell_entries(journal: Journal, side: str = "") -> _ToldEntries:
    """Return the texts of a journal's entries for a side, or for everybody if it is "". Open questions are left out."""
    entries = _ToldEntries(journal)
    asking = questions_among(journal.entries, journal.entries)
    settled = [entry for entry in journal.entries if entry.number not in asking]
    if side:
        _tell_side(entries, settled, side)
    else:
        for entry in settled:
            entries.add(entry)
    return entries


def _tell_side(entries: _ToldEntries, settled: Iterable[JournalEntry], side: str) -> None:
    """Add the entries that a side may know.

    An entry that names something hidden is left out, and so is a correction of an entry that is left out. An answer may
    rest on hidden facts, so the side gets only the facts that it comes to see and that change something for it. The
    same holds for a statement without an effect for the side, and for the correction of one.
    """
    so_far = entries.journal.until(0)
    told = so_far  # the part of the journal that the side knows
    answers = set[int]()  # numbers of the answers, and of the entries that correct them
    for entry in settled:
        before = so_far
        so_far = so_far.with_entries([entry])
        target = getattr(entry.what, "target", 0)
        if target in answers or (isinstance(entry.what, Answer) and _is_limited(so_far)):
            answers.add(entry.number)
            stated = _list_seen(entry, before, so_far, side)
            entries.add_seen(entry, stated)
            told = told.with_entries(stated)
            continue
        is_unknown = target and target not in entries.texts and target not in entries.sights
        if is_unknown or _is_hidden(so_far, entry, side):
            continue
        told_before = told
        told = told.with_entries([entry])
        if target in entries.sights or _is_without_effect(told_before, told, entry, side):
            entries.add_seen(entry, _list_seen(entry, told_before, told, side))
        else:
            entries.add(entry)


def _is_limited(journal: Journal) -> bool:
    """Return whether the sides of a game know less than the journal at its end."""
    return journal.game.hiding.limits(journal.position().state.facts) is not None


def _list_seen(entry: JournalEntry, before: Journal, after: Journal, side: str) -> list[JournalEntry]:
    """Return entries that state what a side comes to see by an entry, with its number, or none if no line can.

    The beginning of a turn is left out, as it is an entry of its own.

    `before`, `after`: the journal without the entry and with it.
    """
    seen_before = Position(after.game, _see_position(before, side))
    seen_after = Position(after.game, _see_position(after, side))
    try:
        lines = [line.rstrip() for line in after.lines_between(seen_before, seen_after)]
    except InputError:
        return []
    begin = f"{FACT} "
    return [
        JournalEntry(entry.number, after.turn, Fact(line.removeprefix(begin)))
        for line in lines
        if line.startswith(begin)
    ]


def _see_position(journal: Journal, side: str) -> GameState:
    return reduce_state(journal.game, journal.position().state, side)


def _is_without_effect(before: Journal, after: Journal, entry: JournalEntry, side: str) -> bool:
    """Return whether an entry states facts that take effect, but change nothing that a side sees.

    `before`, `after`: the journal, as told to the side, without the entry and with it.
    """
    has_effect = isinstance(entry.what, Fact) and all(number != entry.number for number, _ in after.books.faults)
    return has_effect and _see_position(before, side) == _see_position(after, side)


def list_texts(journal: Journal, side: str = "") -> dict[int, Saying]:
    """Return the text of each entry for a side, or for everybody if it is "", by number."""
    return _tell_entries(journal, side).texts


def write_message(journal: Journal, since: int, side: str = "") -> tuple[str, int]:
    """Return the entries after a number as a message, and the number of entries withheld from the side.

    `side`: the side that reads the message, or "" for everybody.

    Raises InputError for an unknown side.
    """
    entries = _tell_entries(journal, check_viewpoint(journal.game, side) if side else "")
    sayings = [(entry, saying) for entry in journal.entries for saying in entries.list_sayings(entry.number)]
    lines = [saying.line(force=entry.force) for entry, saying in sayings if entry.number > since]
    before = [saying for entry, saying in sayings if entry.number <= since and not _is_correction(entries, entry)]
    count = f"{len(lines)} {'entry' if len(lines) == 1 else 'entries'}"
    after = f" after {_format_place(before[-1])}" if before else ""
    asking = questions_among(journal.entries, journal.entries)
    due = [entry.number for entry in journal.entries if entry.number > since and entry.number not in asking]
    withheld = sum(not entries.list_sayings(number) for number in due)
    body = "\n".join(lines)
    return f"journal {journal.game.id}: {count}{after} ~{compute_check(body)}\n{body}\n", withheld


def _is_correction(entries: _ToldEntries, entry: JournalEntry) -> bool:
    return isinstance(entry.what, Amend | Strike | Keep) and entry.number not in entries.sights


def _is_hidden(journal: Journal, entry: JournalEntry, side: str) -> bool:
    """Return whether an entry states, removes or names something that a side does not see.

    Effects on other units do not count, such as those below a unit that moves.
    """
    what = entry.what.what if isinstance(entry.what, Amend) else entry.what
    if isinstance(what, Strike | Keep):
        return False
    if isinstance(what, Event | TurnBegins) and not getattr(what, "unit", ""):
        tracks = journal.game.tracks.values()
        if not any(track.hidden and is_account(track) for track in tracks):
            return False
    try:
        states, facts = journal.books.find_effect(getattr(entry.what, "target", entry.number))
    except InputError:
        return True
    text = write_what(what, journal.game, journal.rules.events).casefold()
    after = states[-1]
    for state in states:
        seen = reduce_state(journal.game, state, side)
        if any(name not in seen.units and _is_named_in(text, name) for name in state.units):
            return True
        stated_keys = (key for key in facts if key in state.facts and (state is after or key not in after.facts))
        if any(seen.facts.get(key) != state.facts[key] for key in stated_keys):
            return True
        if any(name not in seen.lines and _is_named_in(text, name) for name in state.lines):
            return True
    return False


def _is_named_in(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w/]){re.escape(name.casefold())}(?![\w/])", text) is not None


class Preview(NamedTuple):
    """The entries to take from a mail or a sheet, a report on them, and the number of those that cannot be taken."""

    lines: tuple[JournalLine, ...]
    said: tuple[str, ...]
    faults: int


def preview_source(journal: Journal, source: Path) -> Preview:
    """Return the entries in a mail, or in a sheet (.csv), that a journal may take.

    Raises InputError for any other file.
    """
    data = read_bytes(source)
    if source.suffix.casefold() == ".csv":
        from .sheets import read_sheet  # imported late, as most players send mails

        rows = read_sheet(journal, data, str(source))
        lines = tuple(row.entry for row in rows if row.entry and not row.known)
        known = sum(row.known for row in rows)
        names = ("row is", "rows are")
        if faults := [[f"{source}:{row.line}: {row.fault}"] for row in rows if row.fault]:
            lines = ()
            faults.append([f"nothing of {source} is taken until every row can be read"])
    else:
        lines, known, forks, missing = read_message(journal, data.decode("utf-8-sig", "replace"), str(source))
        names = ("entry is", "entries are")
        faults = [
            [f"both sides have corrected: {target}", f"    ours:   {ours}", f"    theirs: {theirs}"]
            for target, ours, theirs in forks
        ]
        faults += [[f"it follows what is not here, take the mail with that first: {line}"] for line in missing]
    texts = [*map(format_line, lines)]
    if known:
        texts.append(f"{format_count(known, *names)} there already")
    for first, *details in faults:
        texts += [f"! {first}", *details]
    return Preview(lines, tuple(texts) or ("nothing to take",), len(faults))


def read_message(journal: Journal, text: str, name: str) -> MessageEntries:
    """Return the content of a message for a journal.

    `name`: the name of the message in errors.

    Raises InputError if the text is not a message, was changed on its way, or is of another game.
    """
    rows = [row.lstrip("> ").rstrip(" \t\r") for row in text.replace("\r\n", "\n").split("\n")]
    start = next((at for at, row in enumerate(rows) if _HEAD.fullmatch(row)), None)
    if start is None:
        raise InputError(
            "this is not a message of a journal", where=Where(name), hint="it begins: journal GAME: N entries"
        )
    head = _HEAD.fullmatch(rows[start])
    assert head is not None
    lines = [row for row in rows[start + 1 :] if row][: int(head[2])]
    if head[1] != journal.game.id:
        raise InputError(f"the message is of {head[1]}, the journal of {journal.game.id}", where=Where(name))
    if len(lines) < int(head[2]) or compute_check("\n".join(lines)) != head[4]:
        hint = "copy it whole, from its first line to its last"
        raise InputError("the message is not as it was sent", where=Where(name, start + 1), hint=hint)
    with located(Where(name, start + 1)):
        return _find_missing(journal, lines, head[3] or "")


class _MessageLine(NamedTuple):
    text: str
    """The line as sent."""
    said: Saying
    line: JournalLine
    """The entry, without its own number and that of a corrected entry."""
    root: Saying
    """The entry at the end of a chain of corrections, or the line itself if it is no correction."""
    target: Saying | None = None
    """The text of the corrected entry, or None."""
    before: str = ""
    """The check of the previous correction of the same entry, or ""."""


def _find_missing(journal: Journal, texts: Sequence[str], follows: str) -> MessageEntries:
    """Return the lines of a message that a journal lacks.

    `follows`: the turn and check of the entry before the message, or "".
    """
    entries = _tell_entries(journal)
    lines = [_read_message_line(text) for text in texts]
    new_lines = list[JournalLine]()
    forks = list[tuple[Saying, str, str]]()
    missing = list[str]()
    comes_next = not follows or follows in map(_format_place, entries.texts.values())
    reader = EntryReader(journal.game, journal.rules.calendar, journal.rules.events, journal.entries)
    withdrawn = _find_withdrawn(lines)
    unknown_lines = [line for line in lines if line.said not in entries.numbers]
    turn = journal.turn
    calendar = journal.rules.calendar
    refused = set[Saying]()  # entries of which one correction is refused, and so all later ones
    for text, saying, line, root, target, before in unknown_lines:
        number = entries.numbers.get(target) if target else 0
        if not comes_next or number is None or root in refused or saying.times != entries.counted[saying.text] + 1:
            if target not in withdrawn:
                missing.append(text)
                refused.add(root)
            continue
        if target and line.head != KEEP and before != entries.find_last_check(number):
            if saying in withdrawn:
                continue
            if ours := entries.find_other_correction(number, before):
                forks.append((target, ours, text))
            else:
                missing.append(text)
            refused.add(root)
            continue
        is_late = calendar.number(line.turn) < turn
        turn = max(turn, calendar.number(line.turn))
        flags = (*line.flags, LATE_SIGN) if is_late else line.flags
        rest = f"{number or ''}{line.rest}"
        line = msgspec.structs.replace(line, number=journal.last + len(new_lines) + 1, flags=flags, rest=rest)
        entries.add(reader.read(line), saying.text)
        new_lines.append(msgspec.structs.replace(line, number=0))
    return MessageEntries(tuple(new_lines), len(lines) - len(unknown_lines), tuple(forks), tuple(missing))


def _find_withdrawn(lines: Sequence[_MessageLine]) -> set[Saying]:
    """Return the lines of a message that later lines of the same message strike."""
    struck = set[Saying]()
    for line in reversed(lines):
        if line.line.head == STRIKE and line.target and line.said not in struck:
            struck.add(line.target)
    return struck.intersection(line.said for line in lines)


def _read_message_line(text: str) -> _MessageLine:
    """Parse a line of a message.

    Raises InputError if a correction does not quote the corrected entry.
    """
    saying = _make_saying(text)
    turn, _, rest = saying.text.partition(" ")
    flags = (FORCE,) if rest.startswith(f"{FORCE} ") else ()
    rest = rest.removeprefix(f"{FORCE} ")
    saying = saying._replace(text=f"{turn} {rest}")
    head, _, rest = rest.partition(" ")
    if head.casefold() == ASK_WORD:
        raise InputError("a question that is open is not sent", hint="it is answered at the table that asks it")
    if head not in _CORRECTIONS:
        return _MessageLine(text, saying, JournalLine(0, turn, flags, head, rest), saying)
    try:
        target, end = json.JSONDecoder().raw_decode(rest)
    except (ValueError, RecursionError):
        target = None
        end = 0
    if not isinstance(target, str):
        raise InputError(
            f"a correction names in quotes what it corrects: {rest[:30]!r}", hint="send it with `journal send`"
        )
    before = _CHECK_BEFORE.match(rest, end)
    line = JournalLine(0, turn, flags, head, rest[before.end() if before else end :])
    return _MessageLine(
        text, saying, line, _read_message_line(target).root, _make_saying(target), before[1] if before else ""
    )


def _format_place(saying: Saying) -> str:
    return f"{saying.text.partition(' ')[0]} ~{compute_check(str(saying))}"


def _make_saying(line: str) -> Saying:
    match = _TIMES.fullmatch(line)
    return Saying(match[2], natural(match[1]) or 1) if match else Saying(line)
