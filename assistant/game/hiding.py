"""What a game lets a side hide from the others: what `[intelligence]` limits, and decoys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from ..state.state import FactKey, GameState, Unit
from ..state.tracks import Fact, Track, Value
from .gamefile import Intelligence
from .names import look_up
from .roster import Roster


class Hiding:
    """What may be hidden in a game, as its `[intelligence]` says. read_roster: gives what is printed on its counters."""

    def __init__(
        self, limits: Intelligence | None, tracks: Mapping[str, Track], read_roster: Callable[[], Roster]
    ) -> None:
        self._limits = limits
        self._tracks = tracks
        self._read_roster = read_roster

    def limits(self, facts: Mapping[FactKey, Fact]) -> Intelligence | None:
        """Return what a side may not know of another's units in a position with these facts; None where
        `[intelligence]` limits nothing, such as without the optional rule that it belongs to. Raises InputError for an
        unknown track and a word that is none of its values.
        """
        limits = self._limits
        return limits if limits and all(self._holds(facts, *fact) for fact in limits.when.items()) else None

    def _holds(self, facts: Mapping[FactKey, Fact], track: str, word: str) -> bool:
        """Return whether a fact of the game is what a word says; of a track of several words, whether it is one of
        them. What is not stated is what silence means. Raises InputError for an unknown track and a word that is none
        of its values.
        """
        declared = look_up(self._tracks, track, "track")
        fact = facts.get((track, ""))
        value = declared.absent if fact is None else fact.value
        return word in value if isinstance(value, tuple) else value == declared.parse(word)

    def may_have_decoys(self, facts: Mapping[FactKey, Fact]) -> bool:
        """Return whether decoys that count for nothing may be about in a position with these facts."""
        limits = self._limits
        return limits is not None and self._holds_any(facts, limits.decoys_with)

    def conceals(self, facts: Mapping[FactKey, Fact]) -> str:
        """Return the flag of units that lie back side up, "" where a position with these facts has no use for it."""
        limits = self._limits
        return limits.conceals if limits and self._holds_any(facts, limits.conceals_with) else ""

    def _holds_any(self, facts: Mapping[FactKey, Fact], wanted: Mapping[str, tuple[str, ...]]) -> bool:
        """Return whether any of some facts of the game holds. wanted: by track, its words."""
        return any(self._holds(facts, track, word) for track, words in wanted.items() for word in words)

    def decoys(self, state: GameState) -> frozenset[str]:
        """Return the units of a state that are decoys and count for nothing in any rule; none in a game that does not
        state with what these are about.
        """
        facts = state.facts
        words = self._decoy_words
        if not words:
            return frozenset()
        units: Iterable[Unit] = state.units.values()
        for track, (value, types) in words.items():
            units = [
                unit
                for unit in units
                if (unit.type in types if (fact := facts.get((track, unit.id))) is None else fact.value == value)
            ]
        return frozenset(unit.id for unit in units)

    @cached_property
    def _decoy_words(self) -> Mapping[str, tuple[Value | None, frozenset[str]]]:
        """What makes a unit a decoy that counts for nothing, by track: the value, and the types that have it printed."""
        limits = self._limits
        if limits is None or not limits.decoys_with:
            return {}
        values = {track: look_up(self._tracks, track, "track").parse(word) for track, word in limits.decoy.items()}
        return {track: (value, self._types_with(track, value)) for track, value in values.items()}

    def _types_with(self, track: str, value: Value | None) -> frozenset[str]:
        """Return the entries of the roster that have a value of a track printed on them."""
        printed = ((name, facts.get(track)) for name, facts in self._read_roster().items())
        return frozenset(name for name, known in printed if known and known[0].value == value)

    @cached_property
    def decoy_types(self) -> frozenset[str]:
        """The entries of the roster that are decoys and count for nothing in any rule, as `decoys` has it."""
        types = [types for _, types in self._decoy_words.values()]
        return frozenset.intersection(*types) if types else frozenset()

    @cached_property
    def facts_of_limits(self) -> Mapping[FactKey, Fact]:
        """The facts of the game with which `[intelligence]` holds. Raises InputError as `limits` does."""
        limits = self._limits
        words = limits.when if limits else {}
        return {(track, ""): Fact(look_up(self._tracks, track, "track").parse(word)) for track, word in words.items()}
