"""The state of a game: a checked, unchangeable snapshot of units, facts, stated chart cells and rulings.

A place is named as the map prints it: `41.19`, or the name of a box. A hexside is named by its two hexes, the smaller
first: `40.20|41.19`. Some tracks state what is hidden from a side.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from ..util.errors import CodeError, nearest
from ..util.mappings import Compared, Listing, compare_mappings, list_mapping
from ..util.notes import note
from .tracks import Fact, Source, Track, Value
from .trust import DEFAULT_SOURCES

K = TypeVar("K")
V = TypeVar("V")

FactKey = tuple[str, str]
"""The name of a track and its subject ("" for the game itself)."""


class Unit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A unit in play."""

    id: Annotated[str, note("the name, unique in the state")]
    type: Annotated[str, note("the entry in the roster, equal to the id for a unique unit")]
    place: Annotated[str | None, note("the hex or box, None when out of play")]
    order: Annotated[int, note("the position in the stack, 0 on top")] = 0


class Fields(dict[str, int | str]):
    """The fields of a chart cell by name.

    Raises CodeError, with a suggestion, if a field does not exist.
    """

    def __missing__(self, name: str) -> int | str:
        raise CodeError(f"the chart has no field {name!r}", nearest(name, self))


class Cell(msgspec.Struct, frozen=True):
    """A chart cell: its fields by name, and its source."""

    values: Mapping[str, int | str]
    source: Source = Source.STATED


CellKey = tuple[str, tuple[int | str, ...]]
"""The name of a chart and the keys of a cell."""


class Unread(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Something in a file that was not understood."""

    what: Annotated[str, note("the item in words")]
    about: Annotated[str | None, note('the unit; "" if everybody may know it, None for an umpire alone')] = ""
    track: Annotated[str, note("the track it concerns")] = ""
    place: Annotated[str, note("the position of an unknown unit, as for a unit")] = ""
    order: Annotated[int, note("the position of an unknown unit, as for a unit")] = 0
    by: Annotated[
        str, note("the side that put the unknown unit face down, and knows which it is, or '' if unknown")
    ] = ""
    shown: Annotated[
        str, note("the figure that its counter shows in place of the game's, by which questions are answered")
    ] = ""
    doubted: Annotated[bool, note("whether its counter may be that of another unit")] = False


class GameState(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Everything known of a game at one moment. Build it with `game.states.build_state`, which checks it.

    Cached properties are made from the fields alone. They are not compared, written or copied.
    """

    game: str
    board: str = ""
    units: Mapping[str, Unit] = MappingProxyType({})
    facts: Mapping[FactKey, Fact] = MappingProxyType({})
    cells: Mapping[CellKey, Cell] = MappingProxyType({})
    rulings: Mapping[str, str] = MappingProxyType({})
    lines: Annotated[Mapping[str, tuple[str, ...]], note("named paths, the source first")] = MappingProxyType({})
    line_facts: Annotated[Mapping[str, Mapping[FactKey, Fact]], note("facts that only a line states")] = (
        MappingProxyType({})
    )
    elsewhere: Annotated[Mapping[str, Fact], note("facts for all hexes or hexsides not otherwise known, by track")] = (
        MappingProxyType({})
    )
    accepts: Annotated[frozenset[Source], note("sources that answers may rest on, besides the certain ones")] = (
        DEFAULT_SOURCES
    )
    unread: Annotated[tuple[Unread, ...], note("items in its file that were not understood")] = ()
    seen_by: Annotated[str, note('the side whose knowledge this is, "umpire", or "" if not stated')] = ""

    def stack(self, place: str) -> tuple[Unit, ...]:
        """Return the units at a place, the top one first."""
        return self._stacks.get(place, ())

    @cached_property
    def _stacks(self) -> Mapping[str, tuple[Unit, ...]]:
        stacks: dict[str, list[Unit]] = {}
        for unit in sorted(self.units.values(), key=lambda unit: unit.order):
            if unit.place is not None:
                stacks.setdefault(unit.place, []).append(unit)
        return {place: tuple(units) for place, units in stacks.items()}

    @cached_property
    def by_folded_id(self) -> Mapping[str, Unit]:
        """The units by casefolded id. Of ids that differ only in case, the first one counts."""
        return {unit.id.casefold(): unit for unit in reversed(tuple(self.units.values()))}

    @cached_property
    def facts_of(self) -> Mapping[str, Mapping[str, Fact]]:
        """The stated facts by subject, then by track."""
        facts: dict[str, dict[str, Fact]] = {}
        for (track, subject), fact in self.facts.items():
            facts.setdefault(subject, {})[track] = fact
        return facts

    def facts_about(self, subjects: Collection[str]) -> Mapping[str, Mapping[str, Fact]]:
        """Return the stated facts about these subjects, by subject, then by track."""
        facts: dict[str, dict[str, Fact]] = {subject: {} for subject in subjects}
        for (track, subject), fact in self.facts.items():
            if subject in facts:
                facts[subject][track] = fact
        return facts

    def is_alike_beside_units(self, other: GameState) -> bool:
        """Return whether another state has the same content in the same order, except units and facts."""
        return self._list_others() == other._list_others()

    def _list_others(self) -> list[object]:
        mappings: list[Mapping[Any, Any]] = [self.cells, self.rulings, self.elsewhere, self.lines, self.line_facts]
        mappings += [*(cell.values for cell in self.cells.values()), *self.line_facts.values()]
        listed = [[*mapping.items()] for mapping in mappings]
        return [self.game, self.board, self.accepts, self.unread, self.seen_by, listed]

    @cached_property
    def tracks(self) -> frozenset[str]:
        """The tracks of the stated facts."""
        return frozenset(map(itemgetter(0), self.facts))

    def subjects_of(self, track: str) -> list[str]:
        """Return the subjects of the stated facts of a track."""
        return [subject for name, subject in self.facts if name == track] if track in self.tracks else []

    def facts_since(self, before: GameState) -> dict[FactKey, Fact]:
        """Return the facts that an earlier state lacks or states with another value."""
        return {key: self.facts[key] for key in self.compare_facts(before).since}

    @cached_property
    def listed_facts(self) -> Listing[FactKey, Fact]:
        """The facts in the form that `compare_mappings` takes."""
        return list_mapping(self.facts)

    def compare_facts(self, before: GameState) -> Compared[FactKey]:
        """Return the keys of facts that differ from an earlier state."""
        return compare_mappings(before.listed_facts, self.listed_facts)

    def compare_units(self, before: GameState) -> Compared[str]:
        """Return the ids of units that differ from an earlier state."""
        return compare_mappings(before._listed_units, self._listed_units)

    @cached_property
    def _listed_units(self) -> Listing[str, Unit]:
        return list_mapping(self.units)

    def value(self, track: str, subject: str = "") -> object:
        """Return the value that the state itself states, or None if it states none.

        Roster, board and defaults are not consulted.
        """
        if track == "place":
            return self.units[subject].place
        if track == "order":
            return self.units[subject].order
        key = (track, subject)
        fact = self.facts.get(key) or self._first_of_lines.get(key)
        return None if fact is None else fact.value

    @cached_property
    def _first_of_lines(self) -> Mapping[FactKey, Fact]:
        facts: dict[FactKey, Fact] = {}
        for key, fact in chain.from_iterable(stated.items() for stated in self.line_facts.values()):
            facts.setdefault(key, fact)
        return facts


def is_same_state(state: GameState, other: GameState) -> bool:
    """Return whether two states are equal and list everything in the same order."""
    if state is other:
        return True
    return state.is_alike_beside_units(other) and not any(chain(other.compare_units(state), other.compare_facts(state)))


def hexside(hex: str, other: str) -> str:
    """Return the name of the hexside between two hexes, in either order."""
    return f"{hex}|{other}" if hex < other else f"{other}|{hex}"


def copy_of(mapping: Mapping[K, V]) -> dict[K, V]:
    """Return a new dictionary with the entries of a mapping.

    `copy` of a state's proxies takes a fortieth of the time of `dict()`.
    """
    return mapping.copy() if isinstance(mapping, MappingProxyType) else dict(mapping)


def all_stated(state: GameState, tracks: Mapping[str, Track]) -> Mapping[FactKey, Fact]:
    """Return all facts that a state and its lines state.

    If several of them state the same fact, lists of words are joined. Otherwise the first one counts, with two
    exceptions: any fact of a line replaces another line's `nothing`, and a sure fact other than `nothing` replaces an
    assumed one.
    """
    if not state.line_facts:
        return state.facts
    facts = copy_of(state.facts)
    for key, fact in chain.from_iterable(stated.items() for stated in state.line_facts.values()):
        known = facts.get(key)
        nothing = tracks[key[0]].nothing
        if known is None or (known.value == nothing and key not in state.facts):
            facts[key] = fact
        elif isinstance(known.value, tuple) and isinstance(fact.value, tuple):
            words = tracks[key[0]].check((*known.value, *fact.value))
            facts[key] = Fact(words, assumed=known.assumed or fact.assumed)
        elif known.assumed and not fact.assumed and fact.value != nothing:
            facts[key] = fact
    return MappingProxyType(facts)


# --- hidden information ---


EVERYTHING = ""
"""The viewpoint if none is stated."""
UMPIRE = "umpire"
"""The viewpoint of the umpire."""
MASKED = "masked"
"""Track of a unit: the side that turned it face down."""
INVISIBLE = "invisible"
"""Track of a unit: the side that hides it from the other sides altogether."""
UNSEEN = "unseen"
"""Track of a place: the side of unseen units there."""
HIDDEN = "hidden"
"""Track of a unit: the names of its hidden tracks."""
NOBODY = "nobody"
"""The value of `masked` if no player of a side turned the unit face down."""
SOMEBODY = "somebody"
"""The value of `unseen` if the units may belong to any of several enemies."""
End = Literal["weakest", "strongest", "seen"]
"""The value to suppose for hidden facts: either end of their range, or their default, as if only seen facts existed."""
RANGE_ENDS: tuple[End, End] = ("weakest", "strongest")


def is_limited(viewpoint: str) -> bool:
    """Return whether information may be hidden from a viewpoint."""
    return viewpoint not in (EVERYTHING, UMPIRE)


def hides(state: GameState) -> bool:
    """Return whether a state may lack information: it shows a side's view, or has unseen units or facts."""
    return is_limited(state.seen_by) or not state.tracks.isdisjoint((UNSEEN, HIDDEN))


def stand_in(place: str) -> str:
    """Return the id of the unit that stands for all unseen units at a place."""
    return f"unseen at {place}"


def suppose_value(track: Track, end: End, below: int | None) -> Value | None:
    """Return the value to suppose for a hidden fact.

    The track's default, or None, is the strongest value, and the value as seen. The weakest is the value farthest from
    the default; if values cannot be listed, the weakest is the default too.

    `below`: the bound of a number, or None if unknown.
    """
    if end != "weakest":
        return track.absent
    highest = None if below is None else below - 1
    if track.kind == "integer":
        return track.farthest(highest)
    values = track.in_turn(highest)
    return values[-1] if values else track.absent
