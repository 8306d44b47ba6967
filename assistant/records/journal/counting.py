"""Which entries of a journal count, and in which order they take effect."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from .entries import Amend, Corrections, JournalEntry, Keep, OpenQuestion, Strike, find_entry


class Counting(msgspec.Struct, frozen=True):
    """The entries that count, in the order in which they take effect."""

    among: tuple[JournalEntry, ...]
    """All entries."""
    entries: tuple[JournalEntry, ...]
    """Those that count, as amended."""
    amended_by: Mapping[int, int]
    """By the number of an entry that of its last amendment."""
    struck: frozenset[int]
    """The numbers of those that do not count."""
    kept: Mapping[int, int]
    """By the number of an answer that of the entry by which it was kept last."""

    def given_by(self, number: int) -> int:
        """Return the entry by which an answer was entered, amended or kept last."""
        return max(self.amended_by.get(number, number), self.kept.get(number, 0))


def counting(entries: Sequence[JournalEntry], known: Counting | None = None) -> Counting:
    """Return which of the entries of a journal count. entries: in the order of their numbers; known: for others, which
    need not be gone through again if these only go on from them: it is returned if there are no others.
    """
    among = tuple(entries)
    if known and among == known.among:
        return known
    if known and among[: len(known.among)] == known.among and (going_on := _go_on(known, among)):
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
    for at, entry in enumerate(effective):
        by = amendments.get(entry.number)
        if by is not None and isinstance(by.what, Amend):
            effective[at] = msgspec.structs.replace(entry, what=by.what.what, force=entry.force or by.force)
    effective.sort(key=_order)
    amended_by = {target: by.number for target, by in amendments.items()}
    return Counting(among, tuple(effective), amended_by, struck, kept)


def _order(entry: JournalEntry) -> tuple[int, int]:
    """Return by what entries are put in the order in which they take effect."""
    return entry.turn, entry.number


def _go_on(known: Counting, among: tuple[JournalEntry, ...]) -> Counting | None:
    """Return which entries count; None where those that are not known do more than to take effect behind all that
    counts, and to strike what does. among: all entries, of which the first are those that are known.
    """
    entries = [*known.entries]
    struck = set[int]()
    for entry in among[len(known.among) :]:
        if isinstance(entry.what, Strike):
            target = find_entry(among, entry.what.target)
            at = bisect_left(entries, _order(target), key=_order) if target else len(entries)
            if at == len(entries) or entries[at].number != entry.what.target:
                return None
            del entries[at]
            struck.add(entry.what.target)
        elif isinstance(entry.what, Amend | Keep) or (entries and entries[-1].turn > entry.turn):
            return None
        else:
            entries.append(entry)
    return msgspec.structs.replace(known, among=among, entries=tuple(entries), struck=known.struck | struck)


def questions_among(some: Iterable[JournalEntry], entries: Sequence[JournalEntry]) -> frozenset[int]:
    """Return the numbers of those of some entries that ask a question, and of those that strike one: nobody's books
    depend on them. entries: all, in the order of their numbers.
    """

    def asks(entry: JournalEntry | None) -> bool:
        while entry and (target := getattr(entry.what, "target", 0)):
            entry = find_entry(entries, target)
        return entry is not None and isinstance(entry.what, OpenQuestion)

    return frozenset(entry.number for entry in some if asks(entry))
