"""Changes: the only way from one state to the next, and the journal that a state can be folded from.

A `Change` sets a track from what it was to what it becomes; a `Gain` adds to a number. The difference matters in a
journal: points that accumulate are gained, so an entry far back can be amended and every later one still stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType

import msgspec

from .errors import InputError
from .sources import Fact, Value
from .state import GameState


class Change(msgspec.Struct, frozen=True, tag="set", tag_field="how"):
    """One track set from what it was to what it becomes; "place" and "order" of a unit are built in.

    track: its name; subject: what it is about; before, after: its values, null for silent or out of play; rule: the rule
    that makes the change.
    """

    track: str
    subject: str
    before: Value | None
    after: Value | None
    rule: str


class Gain(msgspec.Struct, frozen=True, tag="gain", tag_field="how"):
    """So much more (or less) on a track that counts, whatever it stood at before.

    track: its name; subject: what it is about; amount: how much is added; rule: the rule that adds it.
    """

    track: str
    subject: str
    amount: int
    rule: str


def apply(state: GameState, changes: Iterable[Change | Gain]) -> GameState:
    """The state after the changes, in order.

    Raises InputError for a change whose `before` is not what the state says, and for a Gain on a track without number.
    """
    units, facts = dict(state.units), dict(state.facts)
    for change in changes:
        now = msgspec.structs.replace(state, units=MappingProxyType(units), facts=MappingProxyType(facts))
        if change.track in ("place", "order") and change.subject not in units:
            raise InputError(f"no unit {change.subject!r} in this state")
        stands = now.value(change.track, change.subject)
        if isinstance(change, Gain):
            if stands is not None and (not isinstance(stands, int) or isinstance(stands, bool)):
                raise InputError(f"{change.track} of {change.subject} is {stands!r}, which cannot be added to")
            facts[change.track, change.subject] = Fact(int(stands or 0) + change.amount)
            continue
        if stands != change.before:
            raise InputError(
                f"{change.track} of {change.subject or 'the game'} is {stands!r}, not {change.before!r}",
                hint="the change was made for another state",
            )
        if change.track in ("place", "order"):
            unit = units[change.subject]
            units[change.subject] = msgspec.structs.replace(unit, **{change.track: change.after})
        elif change.after is None:
            facts.pop((change.track, change.subject), None)
        else:
            facts[change.track, change.subject] = Fact(change.after)
    return msgspec.structs.replace(state, units=MappingProxyType(units), facts=MappingProxyType(facts))


class Entry(msgspec.Struct, frozen=True):
    """One line of a journal: when it happened in the game's own reckoning, why, and what changed.

    amends: the number of the earlier entry whose changes this one replaces; its own date stays that entry's.
    """

    when: str
    why: str
    changes: tuple[Change | Gain, ...] = ()
    amends: int | None = None


class Journal(msgspec.Struct, frozen=True):
    """What happened, line by line; nothing is ever struck out, a correction is a further entry. Entries count from 1."""

    entries: tuple[Entry, ...] = ()

    def add(self, entry: Entry) -> Journal:
        """The journal with one more entry. Raises InputError if it amends an entry that is not there."""
        if entry.amends is not None and not 1 <= entry.amends <= len(self.entries):
            raise InputError(f"there is no entry {entry.amends} to amend", hint=f"entries run to {len(self.entries)}")
        return Journal((*self.entries, entry))

    def in_force(self) -> Iterator[tuple[int, Entry]]:
        """The entries as amended, each with its number, in the order in which they happened."""
        last: dict[int, int] = {}  # original number -> number of its latest amendment
        first: dict[int, int] = {}  # number of an amendment -> original number
        for number, entry in enumerate(self.entries, 1):
            first[number] = first[entry.amends] if entry.amends else number
            last[first[number]] = number
        for number, entry in enumerate(self.entries, 1):
            if entry.amends is None:
                latest = self.entries[last[number] - 1]
                yield number, msgspec.structs.replace(latest, when=entry.when, amends=None)

    def fold(self, state: GameState) -> GameState:
        """The state that results when every entry in force is applied in order. Raises what `apply` raises."""
        for _, entry in self.in_force():
            state = apply(state, entry.changes)
        return state
