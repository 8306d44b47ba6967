"""Journals that two players keep: lines to send, and lines that are taken, each once.

Both number their own entries, so a message names an entry by what it says: its turn, whom it concerns, what happened; the
second of two that say the same begins with `^2`. What is taken is there afterwards as often as the message counts it, however
often it is sent and in whatever batches. A correction names what it corrects in quotes, as JSON writes them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..game.events import Event, is_account
from ..game.viewpoint import check_viewpoint, seen_by
from ..util.errors import InputError, Where, located
from ..util.texts import natural
from .entries import AMEND, KEEP, STRIKE, TURN, Amend, Entry, Keep, Strike, TurnBegins, write_what
from .journal import Journal
from .lines import Line, check_of

_HEAD = re.compile(r"journal (\S+): ([0-9]{1,5}) entr(?:y|ies) ~([0-9a-z]{3})")
_TIMES = re.compile(r"\^([0-9]{1,4}) (.*)")
_CORRECTIONS = (AMEND, STRIKE, KEEP)


class Saying(NamedTuple):
    """What a message says of an entry: its text, and of how many that say the same it is the last."""

    text: str
    times: int = 1

    def __str__(self) -> str:
        return self.text if self.times == 1 else f"^{self.times} {self.text}"


class Fork(NamedTuple):
    """An entry that both sides have corrected, each in its own way."""

    target: Saying
    ours: str
    theirs: str


class Taken(NamedTuple):
    """What a message holds for a journal: entries that it lacks, as lines without a number; how many are there already; what both
    sides have corrected differently; and corrections of entries that it does not have.
    """

    lines: tuple[Line, ...]
    known: int
    forks: tuple[Fork, ...]
    missing: tuple[str, ...]


def texts_of(journal: Journal, side: str = "") -> dict[int, Saying]:
    """What each entry of a journal says, by its number, without its number. side: who reads it; entries that name what it
    may not know are left out, and neither count nor are counted.
    """
    counted: Counter[str] = Counter()
    texts: dict[int, Saying] = {}
    for entry in journal.entries:
        target = entry.what.target if isinstance(entry.what, Amend | Strike | Keep) else 0
        if side and ((target and target not in texts) or _hides(journal, entry, side)):
            continue
        text = _text_of(journal, entry, texts)
        counted[text] += 1
        texts[entry.number] = Saying(text, counted[text])
    return texts


def _text_of(journal: Journal, entry: Entry, texts: dict[int, Saying]) -> str:
    turn, what = journal.label(entry.turn), entry.what
    signs = "force " * entry.force
    if isinstance(what, Amend | Strike | Keep):
        target = texts[what.target]
        kind = type(what).__name__.casefold()
        named = json.dumps(str(target), ensure_ascii=False)
        more = f" {write_what(what.what, journal.game, journal.rules.events)}" if isinstance(what, Amend) else ""
        return f"{turn} {signs}{kind} {named}{more}"
    return f"{turn} {signs}{write_what(what, journal.game, journal.rules.events)}"


def write_message(journal: Journal, since: int, side: str = "") -> tuple[str, int]:
    """The entries after one as a message, and how many are withheld: those that name what a side may not know.

    since: the number of the last entry that is not sent; side: who reads it, "" for somebody who may know everything.
    Raises InputError for an unknown side.
    """
    texts = texts_of(journal, check_viewpoint(journal.game, side) if side else "")
    numbers = [entry.number for entry in journal.entries if entry.number > since]
    lines = [str(texts[number]) for number in numbers if number in texts]
    body = "\n".join(lines)
    count = f"{len(lines)} {'entry' if len(lines) == 1 else 'entries'}"
    return f"journal {journal.game.id}: {count} ~{check_of(body)}\n{body}\n", len(numbers) - len(lines)


def _hides(journal: Journal, entry: Entry, side: str) -> bool:
    """Whether an entry states what a side does not see before it or after it, or names a unit that the side does not see."""
    what = entry.what.what if isinstance(entry.what, Amend) else entry.what
    if isinstance(what, Event | TurnBegins) and not getattr(what, "unit", ""):
        tracks = journal.game.tracks.values()
        if not any(track.hidden and is_account(track) for track in tracks):
            return False
    if isinstance(what, Strike | Keep):
        return False
    number = entry.what.target if isinstance(entry.what, Amend) else entry.number
    try:
        touched = journal.until(entry.number).books.touched(number)
    except InputError:
        return True
    text = write_what(what, journal.game, journal.rules.events).casefold()
    for whole in touched.states:
        seen = seen_by(journal.game, whole, side)
        unseen = [name for name, unit in whole.units.items() if seen.units.get(name) != unit]
        if any(unit in touched.units or _names(text, unit) for unit in unseen):
            return True
        if any(key in whole.facts and seen.facts.get(key) != whole.facts[key] for key in touched.facts):
            return True
        if any(name not in seen.lines and _names(text, name) for name in whole.lines):
            return True
    return False


def _names(text: str, name: str) -> bool:
    """Whether a text names something, be it in other letters. text: case-folded."""
    return re.search(rf"(?<![\w/]){re.escape(name.casefold())}(?![\w/])", text) is not None


def read_message(journal: Journal, text: str, name: str) -> Taken:
    """What a message holds for a journal. name: of its file. Raises InputError for a text that is not a message, that has
    been changed on its way, or that is of another game.
    """
    rows = [row.lstrip("> ").rstrip() for row in text.replace("\r\n", "\n").split("\n")]
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
    if len(lines) < int(head[2]) or check_of("\n".join(lines)) != head[3]:
        hint = "copy it whole, from its first line to its last"
        raise InputError("the message is not as it was sent", where=Where(name, start + 1), hint=hint)
    with located(Where(name, start + 1)):
        return _sort_out(journal, lines)


def _sort_out(journal: Journal, lines: Sequence[str]) -> Taken:
    """What of the lines of a message a journal lacks."""
    texts = texts_of(journal)
    have = Counter(said.text for said in texts.values())
    numbers = {told: number for number, told in texts.items()}
    next_number, known, last = journal.last + 1, 0, journal.turn
    lacking, forks, missing = list[Line](), list[Fork](), list[str]()
    corrected = dict(_corrections(journal))
    for line in lines:
        said = _saying(line)
        if have[said.text] >= said.times:
            known += 1
            continue
        turn, _, rest = said.text.partition(" ")
        number = journal.rules.calendar.number(turn)
        if rest == TURN and number <= last and journal.entries:
            known += 1
            continue
        flags = ("force",) if rest.startswith("force ") else ()
        head, _, rest = rest.removeprefix("force ").partition(" ")
        if head in _CORRECTIONS:
            target, more = _target(rest)
            if target not in numbers:
                missing.append(line)
                continue
            ours = corrected.get(numbers[target])
            if ours is not None and ours not in lines:
                forks.append(Fork(target, ours, line))
                continue
            rest = f"{numbers[target]}{more}"
        flags = (*flags, "late") if number < last else flags
        lacking.append(Line(0, turn, flags, head, rest))
        last = max(last, number)
        have[said.text] += 1
        numbers[said] = next_number
        next_number += 1
    return Taken(tuple(lacking), known, tuple(forks), tuple(missing))


def _saying(line: str) -> Saying:
    match = _TIMES.fullmatch(line)
    return Saying(match[2], natural(match[1]) or 1) if match else Saying(line)


def _target(text: str) -> tuple[Saying, str]:
    """What a correction corrects, and what follows it. Raises InputError for one that does not say it in quotes."""
    try:
        target, end = json.JSONDecoder().raw_decode(text)
    except ValueError:
        target, end = None, 0
    if not isinstance(target, str):
        raise InputError(
            f"a correction names in quotes what it corrects: {text[:30]!r}", hint="send it with `journal send`"
        )
    return _saying(target), text[end:]


def _corrections(journal: Journal) -> Iterator[tuple[int, str]]:
    """The entries that are corrected, each with what its last correction says."""
    texts = texts_of(journal)
    for entry in journal.entries:
        if isinstance(entry.what, Amend | Strike) and entry.number not in journal.counting.struck:
            yield entry.what.target, str(texts[entry.number])
