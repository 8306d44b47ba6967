"""The facts of a board: few different ones about many hexes and hexsides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from ...state.state import FactKey
from ...state.tracks import STRENGTH, Fact, Source, Track, Value
from ...util.errors import InputError, Where
from ...util.limits import Limit


class _Statement(NamedTuple):
    value: Value
    source: Source
    where: Where


class Layers:
    """What is said of each hex and hexside so far."""

    def __init__(self, tracks: Mapping[str, Track]) -> None:
        self._tracks = tracks
        self._stated: dict[FactKey, _Statement] = {}
        self._most = Limit.DRAWN.most

    def put(self, track: str, subject: str, value: Value, source: Source, where: Where) -> None:
        """Add what one place of the files says. Of two sources the stronger one holds; several words of one strength
        add up.

        Raises InputError if sources of one strength contradict each other, or if there are more facts than are allowed.
        """
        key = (track, subject)
        known = self._stated.get(key)
        if known is not None:
            weaker = STRENGTH[source] - STRENGTH[known.source]
            if weaker > 0 or (weaker == 0 and value == known.value):
                return
            if weaker == 0:
                declared = self._tracks[track]
                if not (isinstance(value, tuple) and isinstance(known.value, tuple) and value and known.value):
                    here, there = declared.write(value), declared.write(known.value)
                    what = f"{declared.title} of {subject} is {here} here but {there} at {known.where}"
                    hint = "leave out one of the two, or name a stronger source for the right one"
                    raise InputError(what, where=where, hint=hint)
                value = declared.check((*known.value, *value))
        elif len(self._stated) >= self._most:
            raise Limit.DRAWN.error("the board holds")
        self._stated[key] = _Statement(value, source, where)

    def facts(self) -> Facts:
        """Return the facts that hold."""
        known: dict[tuple[object, ...], Fact] = {}
        by_subject: dict[str, dict[str, Fact]] = {}
        for (track, subject), (value, source, _) in self._stated.items():
            fact = known.setdefault((value.__class__, value, source), Fact(value, source))
            by_subject.setdefault(subject, {})[track] = fact
        kinds: list[Mapping[str, Fact]] = []
        numbers: dict[frozenset[tuple[str, int]], int] = {}
        kind_of = dict[str, int]()
        for subject, facts in by_subject.items():
            alike = frozenset((track, id(fact)) for track, fact in facts.items())
            if alike not in numbers:
                numbers[alike] = len(kinds)
                kinds.append(facts)
            kind_of[subject] = numbers[alike]
        return Facts(kinds, kind_of)


class Facts(Mapping[FactKey, Fact]):
    """Facts of hexes and hexsides: of a large map, few kinds of ground and many places of each.

    kinds: what lies in a hex or on a hexside, by track; kind_of: by subject, the number of its kind; over: facts that
    hold instead.
    """

    def __init__(
        self,
        kinds: Sequence[Mapping[str, Fact]],
        kind_of: Mapping[str, int],
        over: Mapping[FactKey, Fact] = MappingProxyType({}),
    ) -> None:
        self.kinds = kinds
        self.kind_of = kind_of
        self.over = over

    def with_facts_over(self, over: Mapping[FactKey, Fact]) -> Facts:
        """Return these facts with others over them."""
        return Facts(self.kinds, self.kind_of, {**self.over, **over})

    def subjects_of(self, track: str) -> list[str]:
        """Return the subjects of a track's facts."""
        over = [subject for name, subject in self.over if name == track]
        held = {*over}
        having = [track in kind for kind in self.kinds]
        below = [subject for subject, kind in self.kind_of.items() if having[kind] and subject not in held]
        return [*below, *over]

    def sources(self) -> dict[str, Counter[Source]]:
        """Return by track, how many of its facts are known from which source."""
        counters: dict[str, Counter[Source]] = {}
        for number, count in Counter(self.kind_of.values()).items():
            for track, fact in self.kinds[number].items():
                counters.setdefault(track, Counter())[fact.source] += count
        for (track, subject), fact in self.over.items():
            if (below := self._find_below(track, subject)) is not None:
                counters[track][below.source] -= 1
            counters.setdefault(track, Counter())[fact.source] += 1
        return {track: +counter for track, counter in counters.items()}

    def _find_below(self, track: str, subject: str) -> Fact | None:
        """Return the fact that holds but for those over it."""
        number = self.kind_of.get(subject)
        return None if number is None else self.kinds[number].get(track)

    def get(self, key: FactKey, default: Any = None) -> Any:
        """Return the fact of a track about a subject, or another value: the way that is taken for every hex of a line."""
        if key in self.over:
            return self.over[key]
        track, subject = key
        number = self.kind_of.get(subject)
        return default if number is None else self.kinds[number].get(track, default)

    def __getitem__(self, key: FactKey) -> Fact:
        if key in self.over:
            return self.over[key]
        track, subject = key
        return self.kinds[self.kind_of[subject]][track]

    def __iter__(self) -> Iterator[FactKey]:
        below = ((track, subject) for subject, kind in self.kind_of.items() for track in self.kinds[kind])
        return chain(self.over, (key for key in below if key not in self.over))

    def __len__(self) -> int:
        return sum(1 for _ in self)


NO_FACTS = Facts((), {})
