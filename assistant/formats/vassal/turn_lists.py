"""The names of turns and phases in the state of the turn tracker of the builder's modules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from .sequence import join, split, write_flag

# A turn tracker is saved as numbers only: the turn, and the index of the entry in each list, such as a phase.
# This property states the fact that each entry stands for.
STEPS = "FieldStaffSteps"
"""The global property with the lists of a module's turn tracker, as JSON."""


class TurnList(msgspec.Struct, frozen=True):
    """A list of steps within a turn, or within each entry of another list."""

    words: tuple[str, ...]
    """The fact stated by each entry in position notation, or ""."""
    below: tuple[TurnList, ...] = ()
    """The lists within each entry, in order."""


def read_steps(text: str) -> tuple[TurnList, ...]:
    """Return the lists that a module declares, or none for an empty text.

    Raises ValueError if the text is no such declaration.
    """
    return msgspec.json.decode(text or "[]", type=tuple[TurnList, ...])


def tracker_state(turn: int, steps: Sequence[TurnList], words: Sequence[str] = ()) -> str:
    """Return the state of a tracker at a turn, at the first entry that states these facts.

    If no entry states them, the tracker is at its very first entry.
    """
    chosen, below = _find_path(steps, frozenset(words)) or (0, [_write_list_state(step, ()) for step in steps])
    level = join((str(turn), str(chosen), write_flag(False), "-1", *below), ";")
    return join(("0", level), "|")


def can_show(steps: Sequence[TurnList], words: Sequence[str]) -> bool:
    """Return whether an entry and the entries around it state exactly these facts."""
    return _find_path(steps, frozenset(words)) is not None


def read_tracker_state(state: str, steps: Sequence[TurnList]) -> tuple[str, list[str]]:
    """Return the turn of a state and the facts of its entry.

    Raises ValueError or IndexError if the state belongs to other lists.
    """
    _, level, *_ = (*split(state, "|"), "")
    turn, *tokens = split(level, ";")
    words = _read_entries(tokens[0], tokens[3:], steps) if steps and len(tokens) > 3 else []
    return turn, [word for word in words if word]


def _read_entries(at: str, states: Sequence[str], steps: Sequence[TurnList]) -> list[str]:
    """Return the facts of the current entry of the list numbered `at`, and of the lists within it.

    Raises ValueError if the state belongs to other lists.
    """
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
    """Return the number of the list with the first entry that states these facts, and all lists' states.

    The result is None if no entry states them.
    """
    for number, steps_below in enumerate(steps):
        if (way := next(_find_entries(steps_below, words), None)) is not None:
            return number, [_write_list_state(other, way if other is steps_below else ()) for other in steps]
    return None


def _find_entries(steps: TurnList, words: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """Yield the paths through a list to entries that state exactly these facts.

    A path is an entry, the number of a list within it, that list's entry, and so on.
    """
    for entry, word in enumerate(steps.words):
        if word and word not in words:
            continue
        remaining = words - {word}
        if not steps.below and not remaining:
            yield (entry,)
        for number, inner in enumerate(steps.below):
            for way in _find_entries(inner, remaining):
                yield entry, number, *way


def _write_list_state(steps: TurnList, way: Sequence[int]) -> str:
    """Return the state of a list with its chosen entry and the lists within, by default the first."""
    while len(way) < 2:
        way = (*way, 0)
    entry, at, *rest = way
    active = ",".join([write_flag(True)] * len(steps.words))
    below = [_write_list_state(inner, rest if number == at else ()) for number, inner in enumerate(steps.below)]
    return join((str(entry), str(at), "0", active, *below), ";")
