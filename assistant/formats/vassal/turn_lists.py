"""How the turn tracker of a module of ours names turns and phases, in its state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from .sequence import join, split, write_flag

STEPS = "FieldStaffSteps"
"""The global property with the lists of a module's turn tracker, as JSON."""


class TurnList(msgspec.Struct, frozen=True):
    """A list that is gone through within a turn, or within each entry of another list."""

    words: tuple[str, ...]
    """The fact that each entry states, as position notation, "" for none."""
    below: tuple[TurnList, ...] = ()
    """The lists within each entry, one after another."""


def read_steps(text: str) -> tuple[TurnList, ...]:
    """Return the lists that a module declares, none for an empty text. Raises ValueError for a text that declares none."""
    return msgspec.json.decode(text or "[]", type=tuple[TurnList, ...])


def tracker_state(turn: int, steps: Sequence[TurnList], words: Sequence[str] = ()) -> str:
    """Return the state of a tracker at a turn, and at the first entry that states these facts; at the very first if
    none does.
    """
    at, below = _find_path(steps, frozenset(words)) or (0, [_write_list_state(step, ()) for step in steps])
    level = join((str(turn), str(at), write_flag(False), "-1", *below), ";")
    return join(("0", level), "|")


def can_show(steps: Sequence[TurnList], words: Sequence[str]) -> bool:
    """Return whether some entry states exactly these facts, with those of the entries that it is within."""
    return _find_path(steps, frozenset(words)) is not None


def read_tracker_state(state: str, steps: Sequence[TurnList]) -> tuple[str, list[str]]:
    """Return the turn that a state counts, and the facts that its entry states.

    Raises ValueError or IndexError for a state of other lists.
    """
    _, level, *_ = (*split(state, "|"), "")
    turn, *more = split(level, ";")
    words = _read_entries(more[0], more[3:], steps) if steps and len(more) > 3 else []
    return turn, [word for word in words if word]


def _read_entries(at: str, states: Sequence[str], steps: Sequence[TurnList]) -> list[str]:
    """Return what the list at a number states, and those within its entry. Raises ValueError for other lists."""
    if len(states) != len(steps):
        raise ValueError(f"{len(states)} lists instead of {len(steps)}")
    chosen = _read_index(at, len(steps))
    entry, below, _, _, *more = split(states[chosen], ";")
    word = steps[chosen].words[_read_index(entry, len(steps[chosen].words))]
    inner = steps[chosen].below
    return [word, *_read_entries(below, more, inner)] if inner else [word]


def _read_index(text: str, count: int) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) < count):
        raise ValueError(f"entry {text[:20]!r} of {count}")
    return int(text)


def _find_path(steps: Sequence[TurnList], words: frozenset[str]) -> tuple[int, list[str]] | None:
    """Return the number of the list with the first entry that states these facts, and the states of all lists then;
    None if none does.
    """
    for number, steps_below in enumerate(steps):
        if (way := next(_find_entries(steps_below, words), None)) is not None:
            return number, [_write_list_state(other, way if other is steps_below else ()) for other in steps]
    return None


def _find_entries(steps: TurnList, words: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """Yield the ways through a list to entries that state exactly these facts: an entry, then the list within it and
    its entry, and so on.
    """
    for entry, word in enumerate(steps.words):
        if word and word not in words:
            continue
        left = words - {word}
        if not steps.below and not left:
            yield (entry,)
        for number, inner in enumerate(steps.below):
            for way in _find_entries(inner, left):
                yield entry, number, *way


def _write_list_state(steps: TurnList, way: Sequence[int]) -> str:
    """Return the state of a list with an entry chosen in it, and in the lists within; the first ones by default."""
    while len(way) < 2:
        way = (*way, 0)
    entry, at, *rest = way
    active = ",".join([write_flag(True)] * len(steps.words))
    below = [_write_list_state(inner, rest if number == at else ()) for number, inner in enumerate(steps.below)]
    return join((str(entry), str(at), "0", active, *below), ";")
