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
        numbers: dict[tuple[object, ...], int] = {}
        known: list[Fact] = []
        layers: dict[str, dict[str, int]] = {}
        for (track, subject), (value, source, _) in self._stated.items():
            same = (value.__class__, value, source)
            if same not in numbers:
                numbers[same] = len(known)
                known.append(Fact(value, source))
            layers.setdefault(track, {})[subject] = numbers[same]
        return Facts(known, layers)


class Facts(Mapping[FactKey, Fact]):
    """Facts of hexes and hexsides: of a large map, few different ones about many subjects.

    known: the different facts; layers: by track and subject, the number of the fact; over: facts that hold instead.
    """

    def __init__(
        self,
        known: Sequence[Fact],
        layers: Mapping[str, Mapping[str, int]],
        over: Mapping[FactKey, Fact] = MappingProxyType({}),
    ) -> None:
        self.known = known
        self.layers = layers
        self.over = over

    def with_facts_over(self, over: Mapping[FactKey, Fact]) -> Facts:
        """Return these facts with others over them."""
        return Facts(self.known, self.layers, {**self.over, **over})

    def subjects_of(self, track: str) -> list[str]:
        """Return the subjects of a track's facts."""
        over = [subject for name, subject in self.over if name == track]
        layer = self.layers.get(track, {})
        return [*([subject for subject in layer if (track, subject) not in self.over] if over else layer), *over]

    def sources(self) -> dict[str, Counter[Source]]:
        """Return by track, how many of its facts are known from which source."""
        counters: dict[str, Counter[Source]] = {}
        for track, layer in self.layers.items():
            held = layer if not self.over else [subject for subject in layer if (track, subject) not in self.over]
            counters[track] = Counter()
            for number, count in Counter([layer[subject] for subject in held]).items():
                counters[track][self.known[number].source] += count
        for (track, _), fact in self.over.items():
            counters.setdefault(track, Counter())[fact.source] += 1
        return counters

    def get(self, key: FactKey, default: Any = None) -> Any:
        """Return the fact of a track about a subject, or another value: the way that is taken for every hex of a line."""
        if key in self.over:
            return self.over[key]
        track, subject = key
        layer = self.layers.get(track)
        number = layer.get(subject) if layer else None
        return default if number is None else self.known[number]

    def __getitem__(self, key: FactKey) -> Fact:
        if key in self.over:
            return self.over[key]
        track, subject = key
        return self.known[self.layers[track][subject]]

    def __iter__(self) -> Iterator[FactKey]:
        below = ((track, subject) for track, layer in self.layers.items() for subject in layer)
        return chain(self.over, (key for key in below if key not in self.over))

    def __len__(self) -> int:
        return sum(1 for _ in self)


NO_FACTS = Facts((), {})
