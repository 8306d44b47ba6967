"""Which entries of a journal count, and in which order they take effect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from .entries import Amend, Corrections, JournalEntry, Keep, OpenQuestion, Strike


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
    need not be gone through again if these only go on from them.
    """
    among = tuple(entries)
    if known and among[: len(known.among)] == known.among:
        further = among[len(known.among) :]
        if _only_continue(known, further):
            return msgspec.structs.replace(known, among=among, entries=(*known.entries, *further))
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
    effective.sort(key=lambda entry: (entry.turn, entry.number))
    amended_by = {target: by.number for target, by in amendments.items()}
    return Counting(among, tuple(effective), amended_by, struck, kept)


def _only_continue(known: Counting, further: Sequence[JournalEntry]) -> bool:
    """Return whether further entries take effect behind all that count, and correct none."""
    turns = [entry.turn for entry in (*known.entries[-1:], *further)]
    return turns == sorted(turns) and not any(isinstance(entry.what, Amend | Strike | Keep) for entry in further)


def questions_among(entries: Iterable[JournalEntry]) -> frozenset[int]:
    """Return the numbers of the entries that ask a question, and of what strikes them: nobody's books depend on
    them.
    """
    numbers = set[int]()
    for entry in entries:
        if isinstance(entry.what, OpenQuestion) or getattr(entry.what, "target", 0) in numbers:
            numbers.add(entry.number)
    return frozenset(numbers)
