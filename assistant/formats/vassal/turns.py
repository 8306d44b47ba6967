"""The state of a turn tracker: turns that are counted, and in each one lists to go through, such as player turns and
their phases.

A save holds numbers only; what they stand for is declared by a module of ours in one of its global properties.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from .sequence import flag, join, split

STEPS = "FieldStaffSteps"
"""The global property with the lists of a module's turn tracker, as JSON."""


class Steps(msgspec.Struct, frozen=True):
    """A list that is gone through within a turn, or within each entry of another list.

    words: the fact that each entry states, as position notation, "" for none; below: the lists within each entry, one
    after another.
    """

    words: tuple[str, ...]
    below: tuple[Steps, ...] = ()


def read_steps(text: str) -> tuple[Steps, ...]:
    """The lists that a module declares. Raises ValueError for a text that declares none."""
    return msgspec.json.decode(text, type=tuple[Steps, ...])


def tracker_state(turn: int, steps: Sequence[Steps], words: Sequence[str] = ()) -> str:
    """The state of a tracker at a turn, and at the first entry that states these facts; at the very first if none does."""
    at, below = _path(steps, frozenset(words)) or (0, [_list_state(step, ()) for step in steps])
    level = join((str(turn), str(at), flag(False), "-1", *below), ";")
    return join(("0", level), "|")


def can_show(steps: Sequence[Steps], words: Sequence[str]) -> bool:
    """Whether some entry states exactly these facts, with those of the entries that it is within."""
    return _path(steps, frozenset(words)) is not None


def shown(state: str, steps: Sequence[Steps]) -> tuple[str, list[str]]:
    """The turn that a state counts, and the facts that its entry states.

    Raises ValueError or IndexError for a state of other lists.
    """
    _, level, *_ = (*split(state, "|"), "")
    turn, *more = split(level, ";")
    words: list[str] = []
    if steps and len(more) > 3:
        _collect(more[0], more[3:], steps, words)
    return turn, [word for word in words if word]


def _collect(at: str, states: Sequence[str], steps: Sequence[Steps], words: list[str]) -> None:
    """Add what the list at a number states, and those within its entry."""
    if len(states) != len(steps):
        raise ValueError(f"{len(states)} lists instead of {len(steps)}")
    chosen = _index(at, len(steps))
    entry, below, _, _, *more = split(states[chosen], ";")
    words.append(steps[chosen].words[_index(entry, len(steps[chosen].words))])
    if steps[chosen].below:
        _collect(below, more, steps[chosen].below, words)


def _index(text: str, count: int) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) < count):
        raise ValueError(f"entry {text[:20]!r} of {count}")
    return int(text)


def _path(steps: Sequence[Steps], words: frozenset[str]) -> tuple[int, list[str]] | None:
    """The number of the list with the first entry that states these facts, and the states of all lists then; None if
    none does.
    """
    for number, steps_below in enumerate(steps):
        if (way := next(_entries(steps_below, words), None)) is not None:
            return number, [_list_state(other, way if other is steps_below else ()) for other in steps]
    return None


def _entries(steps: Steps, words: frozenset[str]) -> Iterator[tuple[int, ...]]:
    """The ways through a list to entries that state exactly these facts: an entry, then the list within it and its
    entry, and so on.
    """
    for entry, word in enumerate(steps.words):
        if word and word not in words:
            continue
        left = words - {word}
        if not steps.below and not left:
            yield (entry,)
        for number, inner in enumerate(steps.below):
            for way in _entries(inner, left):
                yield entry, number, *way


def _list_state(steps: Steps, way: Sequence[int]) -> str:
    """The state of a list with an entry chosen in it, and in the lists within; the first ones by default."""
    entry, at, *rest = (*way, 0, 0)[: max(len(way), 2)]
    active = ",".join([flag(True)] * len(steps.words))
    below = [_list_state(inner, rest if number == at else ()) for number, inner in enumerate(steps.below)]
    return join((str(entry), str(at), "0", active, *below), ";")
