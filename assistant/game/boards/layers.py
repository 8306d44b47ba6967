"""The facts of a board while its files are read: the stronger source wins, and what contradicts itself is a fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple

from ...state.sources import STRENGTH, Fact, Source, Value
from ...state.state import FactKey
from ...state.tracks import Track
from ...util.errors import InputError, Where
from ...util.limits import Limit


class _Said(NamedTuple):
    value: Value
    source: Source
    where: Where


class Layers:
    """What is said of each hex and hexside so far."""

    def __init__(self, tracks: Mapping[str, Track]) -> None:
        self._tracks = tracks
        self._said: dict[FactKey, _Said] = {}
        self._most = Limit.DRAWN.most

    def put(self, track: str, subject: str, value: Value, source: Source, where: Where) -> None:
        """Add what one place of the files says. Of two sources the stronger one holds; several words of one strength
        add up.

        Raises InputError if sources of one strength contradict each other, or if there are more facts than are allowed.
        """
        key = (track, subject)
        said = self._said.get(key)
        if said is not None:
            weaker = STRENGTH[source] - STRENGTH[said.source]
            if weaker > 0 or (weaker == 0 and value == said.value):
                return
            if weaker == 0:
                declared = self._tracks[track]
                if not (isinstance(value, tuple) and isinstance(said.value, tuple) and value and said.value):
                    raise InputError(
                        f"{declared.title} of {subject} is {declared.write(value)} here and {declared.write(said.value)} at {said.where}",
                        where=where,
                        hint="leave out one of the two, or name the stronger source of the right one",
                    )
                value = declared.check((*said.value, *value))
        elif len(self._said) >= self._most:
            raise Limit.DRAWN.error("the board holds")
        self._said[key] = _Said(value, source, where)

    def facts(self) -> Facts:
        """The facts that hold."""
        numbers: dict[tuple[object, ...], int] = {}
        known: list[Fact] = []
        layers: dict[str, dict[str, int]] = {}
        for (track, subject), (value, source, _) in self._said.items():
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
        self.known, self.layers, self.over = known, layers, over

    def under(self, over: Mapping[FactKey, Fact]) -> Facts:
        """These facts with others over them."""
        return Facts(self.known, self.layers, {**self.over, **over})

    def known_of(self, track: str) -> list[str]:
        """The subjects of a track's facts."""
        below = (subject for subject in self.layers.get(track, ()) if (track, subject) not in self.over)
        return [*below, *(subject for name, subject in self.over if name == track)]

    def get(self, key: FactKey, default: Any = None) -> Any:
        """The fact of a track about a subject, or another value: the way that is taken for every hex of a line."""
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
