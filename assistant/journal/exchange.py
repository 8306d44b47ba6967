"""Journals that two players keep: lines to send, and lines that are taken, each once.

Both number their own entries, so a message names an entry by what it says: its turn, whom it concerns, what happened; the
second of two that say the same is marked `^2`. What is taken is there afterwards as often as the message counts it, however
often it is sent and in whatever batches. A correction names what it corrects in braces.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from zlib import crc32

from ..game.viewpoint import seen_by
from ..state.state import GameState
from ..util.errors import InputError, Where, located
from ..util.texts import natural
from .entries import TURN, Amend, Answer, Entry, Fact, Keep, Strike, write_what
from .journal import Journal
from .lines import check_of

_HEAD = re.compile(r"journal (\S+) since ([0-9]{1,7}): ([0-9]{1,5}) entr(?:y|ies) ~([0-9a-z]{3})")
_TARGET = re.compile(r"(amend|strike|keep) \{(.*)\}(?: \^([0-9]{1,4}))?(?: (.*))?")
_TIMES = re.compile(r"(.*) \^([0-9]{1,4})")


class Told(NamedTuple):
    """What a message says of an entry: its text, and of how many that say the same it is the last."""

    text: str
    times: int = 1

    def __str__(self) -> str:
        return self.text if self.times == 1 else f"{self.text} ^{self.times}"


class Fork(NamedTuple):
    """An entry that both sides have corrected, each in its own way."""

    target: Told
    ours: str
    theirs: str


class Taken(NamedTuple):
    """What a message holds for a journal: entries that it lacks, as typed lines; how many are there already; what both
    sides have corrected differently; and corrections of entries that it does not have.
    """

    lines: tuple[str, ...]
    known: int
    forks: tuple[Fork, ...]
    missing: tuple[str, ...]


def texts_of(journal: Journal) -> dict[int, Told]:
    """What each entry of a journal says, by its number, without its number."""
    counted: Counter[str] = Counter()
    texts: dict[int, Told] = {}
    for entry in journal.entries:
        text = _text_of(journal, entry, texts)
        counted[text] += 1
        texts[entry.number] = Told(text, counted[text])
    return texts


def _text_of(journal: Journal, entry: Entry, texts: dict[int, Told]) -> str:
    turn, what = journal.label(entry.turn), entry.what
    signs = "force " * entry.force
    if isinstance(what, Amend | Strike | Keep):
        target = texts[what.target]
        kind = type(what).__name__.casefold()
        named = f"{{{target.text}}}" + (f" ^{target.times}" if target.times > 1 else "")
        more = f" {write_what(what.what, journal.game, journal.rules.events)}" if isinstance(what, Amend) else ""
        return f"{turn} {signs}{kind} {named}{more}"
    return f"{turn} {signs}{write_what(what, journal.game, journal.rules.events)}"


def write_message(journal: Journal, since: int, side: str = "") -> tuple[str, int]:
    """The entries after one as a message, and how many are withheld: those that name what a side may not know.

    since: the number of the last entry that is not sent; side: who reads it, "" for somebody who may know everything.
    Raises InputError for an unknown side.
    """
    texts = texts_of(journal)
    lines, withheld = [], set[int]()
    for entry in journal.entries:
        target = entry.what.target if isinstance(entry.what, Amend | Strike | Keep) else 0
        if side and (target in withheld or _hides(journal, entry, side)):
            withheld.add(entry.number)
        elif entry.number > since:
            lines.append(str(texts[entry.number]))
    body = "\n".join(lines)
    count = f"{len(lines)} {'entry' if len(lines) == 1 else 'entries'}"
    head = f"journal {journal.game.id} since {since}: {count} ~{check_of(body)}"
    return f"{head}\n{body}\n", sum(number > since for number in withheld)


def _hides(journal: Journal, entry: Entry, side: str) -> bool:
    """Whether an entry speaks of units or facts that a side does not see after it."""
    what = entry.what.what if isinstance(entry.what, Amend) else entry.what
    if not isinstance(what, Fact | Answer):
        return False
    try:
        whole = journal.until(entry.number).books.state()
    except InputError:
        return True
    seen = seen_by(journal.game, whole, side)
    text = write_what(what, journal.game, journal.rules.events)
    hidden = (unit for unit in whole.units if not _is_seen(unit, whole, seen))
    return any(re.search(rf"(?<![\w/]){re.escape(unit)}(?![\w/])", text) for unit in hidden)


def _is_seen(unit: str, whole: GameState, seen: GameState) -> bool:
    """Whether a side sees a unit, where it stands and all that is stated of it."""
    if unit not in seen.units or seen.units[unit] != whole.units[unit]:
        return False
    return whole.facts_of.get(unit, {}) == seen.facts_of.get(unit, {})


def read_message(journal: Journal, text: str, name: str) -> Taken:
    """What a message holds for a journal. name: of its file. Raises InputError for a text that is not a message, that has
    been changed on its way, or that is of another game.
    """
    rows = [row.lstrip("> ").rstrip() for row in text.replace("\r\n", "\n").split("\n")]
    start = next((at for at, row in enumerate(rows) if _HEAD.fullmatch(row)), None)
    if start is None:
        raise InputError(
            "this is not a message of a journal", where=Where(name), hint="it begins: journal GAME since N"
        )
    head = _HEAD.fullmatch(rows[start])
    assert head is not None
    lines = [row for row in rows[start + 1 :] if row][: int(head[3])]
    if head[1] != journal.game.id:
        raise InputError(f"the message is of {head[1]}, the journal of {journal.game.id}", where=Where(name))
    if len(lines) < int(head[3]) or check_of("\n".join(lines)) != head[4]:
        hint = "copy it whole, from its first line to its last"
        raise InputError("the message is not as it was sent", where=Where(name, start + 1), hint=hint)
    with located(Where(name, start + 1)):
        return _sort_out(journal, lines)


def _sort_out(journal: Journal, lines: Sequence[str]) -> Taken:
    """What of the lines of a message a journal lacks."""
    texts = texts_of(journal)
    have = Counter(told.text for told in texts.values())
    numbers = {told: number for number, told in texts.items()}
    next_number, known, last = journal.last + 1, 0, journal.turn
    typed, forks, missing = list[str](), list[Fork](), list[str]()
    corrected = dict(_corrections(journal))
    for line in lines:
        told = _told(line)
        if have[told.text] >= told.times:
            known += 1
            continue
        turn, _, rest = told.text.partition(" ")
        number = journal.rules.calendar.number(turn)
        if rest == TURN and number <= last and journal.entries:
            known += 1
            continue
        signs = "force " if rest.startswith("force ") else ""
        match = _TARGET.fullmatch(rest.removeprefix("force "))
        if match is not None:
            target = Told(match[2], int(match[3] or 1))
            if target not in numbers:
                missing.append(line)
                continue
            ours = corrected.get(numbers[target])
            if ours is not None and ours not in lines:
                forks.append(Fork(target, ours, line))
                continue
            rest = f"{match[1]} {numbers[target]}" + (f" {match[4]}" if match[4] else "")
        else:
            rest = rest.removeprefix("force ")
        typed.append(f"{turn} {'late ' if number < last else ''}{signs}{rest}")
        last = max(last, number)
        have[told.text] += 1
        numbers[told] = next_number
        next_number += 1
    return Taken(tuple(typed), known, tuple(forks), tuple(missing))


def _told(line: str) -> Told:
    match = _TIMES.fullmatch(line)
    return Told(match[1], natural(match[2]) or 1) if match else Told(line)


def _corrections(journal: Journal) -> Iterator[tuple[int, str]]:
    """The entries that are corrected, each with what its last correction says."""
    texts = texts_of(journal)
    for entry in journal.entries:
        if isinstance(entry.what, Amend | Strike) and entry.number not in journal.counting.struck:
            yield entry.what.target, str(texts[entry.number])


def digest_of_entries(journal: Journal) -> int:
    """A check of what a journal's entries say, however they are numbered."""
    return crc32("\n".join(sorted(map(str, texts_of(journal).values()))).encode())
