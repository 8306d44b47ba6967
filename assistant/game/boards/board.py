"""A board: a map with its grid, boxes, printed facts and drawing, each with its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise, product
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple, TypeGuard

import msgspec

from ...mechanics.crossings import HexGraph
from ...state.state import FactKey, hexside
from ...state.tracks import CERTAIN, SOURCE_RANKS, Fact, Source, Track, Value
from ...util.errors import InputError, Where, format_suggestion
from ...util.limits import Limit
from ...util.notes import note
from ...util.texts import folded
from ..hexes import Hex, HexGrid
from .features import Drawing, HexChain, MapLabel, NamedPlace, Outline
from .map_picture import PIXELS_PER_HEX, MapPicture, Point


class _Statement(NamedTuple):
    value: Value
    source: Source
    where: Where


class Layers:
    """The facts of hexes and hexsides in a board's files, collected while the files are read."""

    def __init__(self, tracks: Mapping[str, Track]) -> None:
        self._tracks = tracks
        self._stated: dict[FactKey, _Statement] = {}
        self._max_facts = Limit.DRAWN.most

    def put(self, track: str, subject: str, value: Value, source: Source, where: Where) -> None:
        """Add a stated fact. The stronger of two sources wins; lists of words from equal sources are joined.

        Raises InputError if equal sources contradict each other, or if there are too many facts.
        """
        key = (track, subject)
        known = self._stated.get(key)
        if known is not None:
            weaker = SOURCE_RANKS[source] - SOURCE_RANKS[known.source]
            if weaker > 0 or (weaker == 0 and value == known.value):
                return
            if weaker == 0:
                declared = self._tracks[track]
                if not (isinstance(value, tuple) and isinstance(known.value, tuple) and value and known.value):
                    new_text, known_text = declared.write(value), declared.write(known.value)
                    what = f"{declared.title} of {subject} is {new_text} here but {known_text} at {known.where}"
                    hint = "leave out one of the two, or name a stronger source for the right one"
                    raise InputError(what, where=where, hint=hint)
                value = declared.check((*known.value, *value))
        elif len(self._stated) >= self._max_facts:
            raise Limit.DRAWN.error("the board holds")
        self._stated[key] = _Statement(value, source, where)

    def facts(self) -> Facts:
        """Return the facts that remain after stronger sources have replaced weaker ones."""
        indices: dict[tuple[object, ...], int] = {}
        known: list[Fact] = []
        layers: dict[str, dict[str, int]] = {}
        for (track, subject), (value, source, _) in self._stated.items():
            identity = (value.__class__, value, source)
            if identity not in indices:
                indices[identity] = len(known)
                known.append(Fact(value, source))
            layers.setdefault(track, {})[subject] = indices[identity]
        return Facts(known, layers)


class Facts(Mapping[FactKey, Fact]):
    """Facts of hexes and hexsides. Equal facts are stored once, because a large map repeats a few facts.

    `layers`: the index of each fact in `known`, by track and subject.

    `over`: facts that replace those of the layers.
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
        """Return these facts with others that replace them."""
        return Facts(self.known, self.layers, {**self.over, **over})

    def subjects_of(self, track: str) -> list[str]:
        """Return the subjects of a track's facts."""
        over = [subject for name, subject in self.over if name == track]
        layer = self.layers.get(track, {})
        return [*([subject for subject in layer if (track, subject) not in self.over] if over else layer), *over]

    def sources(self) -> dict[str, Counter[Source]]:
        """Return the number of facts by track and source."""
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
        """Return the fact of a track about a subject, or the default.

        This path is fast, because a search takes it for every hex of a line.
        """
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


class Board(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A map: its grid, its boxes (places that are not hexes), its printed facts and its drawing."""

    name: str
    title: str
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    facts: Facts = NO_FACTS
    silence: Annotated[
        Mapping[str, Fact], note("the fact that holds where nothing is drawn, for each completely drawn track")
    ] = {}
    hexes: Annotated[
        frozenset[str],
        note("the hexes on the map; empty if it has not been drawn, and then every hex of the grid is on it"),
    ] = frozenset()
    drawing: Annotated[Callable[[], Drawing], note("a function that returns the drawing, called once")] = Drawing
    kilometres: Annotated[float, note("the width of a hex from side to side, or 0 if it is unknown")] = 0.0
    north: Annotated[float, note("the angle from the top of the map to true north, in degrees clockwise")] = 0.0
    picture: Annotated[MapPicture | None, note("a picture that modules show in place of the drawn map")] = None

    def with_facts_over(self, over: Mapping[FactKey, Fact]) -> Board:
        """Return this board with other facts in place of its own, unless its own come from a stronger source."""
        below = self.facts
        holding = {key: fact for key, fact in over.items() if _may_replace(fact, below.get(key))}
        return msgspec.structs.replace(self, facts=below.with_facts_over(holding))

    def printed(self) -> Board:
        """Return the board with only the certain facts: facts of the rulebook and facts typed by its owner."""
        facts = {key: fact for key, fact in self.facts.items() if fact.source in CERTAIN}
        silence = {track: fact for track, fact in self.silence.items() if fact.source in CERTAIN}
        return msgspec.structs.replace(
            self, facts=Facts((), {}, facts), silence=silence, hexes=frozenset(), drawing=Drawing
        )

    def with_silence(self, facts: Mapping[str, Fact]) -> Board:
        """Return this board with other facts for all hexes where none is drawn.

        A fact of its own from a stronger source stays.
        """
        below = self.silence
        holding = {track: fact for track, fact in facts.items() if _may_replace(fact, below.get(track))}
        return msgspec.structs.replace(self, silence={**below, **holding})

    def with_boxes(self, boxes: Sequence[str]) -> Board:
        """Return this board with the boxes of its game added."""
        return msgspec.structs.replace(self, boxes=tuple(dict.fromkeys((*self.boxes, *boxes))))

    @cached_property
    def drawn(self) -> Drawing:
        """The contents of the board's drawing, read when first needed."""
        return self.drawing()

    @property
    def is_map(self) -> bool:
        """Whether the board is a map to play on: hexes are drawn, it has a picture, or its printed edge is known.

        Any other board only has hexes by their numbers.
        """
        drawn = bool(self.hexes) or self.picture is not None
        return drawn or bool(self.name and (self.drawn.edge is None or self.drawn.edge.source in CERTAIN))

    @property
    def is_of_areas(self) -> bool:
        """Whether the board is a map of areas: a picture with places, without hexes."""
        return bool(self._spots)

    @cached_property
    def _spots(self) -> Mapping[str, Point]:
        """The positions of the places of a map of areas on its picture."""
        return self.picture.places if self.picture is not None and self.picture.first is None else {}

    @property
    def chains(self) -> tuple[HexChain, ...]:
        """The rivers, railways and borders as written in the files. Use `fact` for the facts of a hexside."""
        return self.drawn.chains

    @property
    def labels(self) -> tuple[MapLabel, ...]:
        """The names of regions, waters and ranges."""
        return self.drawn.labels

    @property
    def places(self) -> tuple[NamedPlace, ...]:
        """The towns and other named places."""
        return self.drawn.places

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """The shapes of lakes."""
        return self.drawn.outlines

    @cached_property
    def places_named(self) -> Mapping[str, tuple[NamedPlace, ...]]:
        """The places by each of their names, `folded`."""
        named: dict[str, tuple[NamedPlace, ...]] = {}
        for place in self.places:
            for name in dict.fromkeys(map(folded, (place.name, *place.names.values()))):
                named[name] = (*named.get(name, ()), place)
        return named

    @cached_property
    def in_order(self) -> tuple[str, ...]:
        """All hexes by number; if none are drawn, all hexes of the grid."""
        if self.hexes:
            return tuple(sorted(self.hexes))
        (first, last) = self.grid.columns
        (top, bottom) = self.grid.rows
        columns = range(first, last + 1)
        return tuple(self.grid.name(Hex(column, row)) for column in columns for row in range(top, bottom + 1))

    @cached_property
    def layout(self) -> HexGraph:
        """The graph of all hexes, for searches over the whole board."""
        return HexGraph(self.in_order, self.neighbours)

    @cached_property
    def sources(self) -> Mapping[str, Mapping[Source, int]]:
        """The number of facts by track and source."""
        return self.facts.sources()

    def place(self, text: str) -> str:
        """Return a hex or a box by its printed name.

        Raises InputError with the nearest names if the board has no such place.
        """
        box = self._boxes.get(text.casefold())
        if box is not None:
            return box
        name = self.grid.name(self.grid.parse(text))
        if self.hexes and name not in self.hexes:
            raise InputError(f"hex {name} is off the board {self.title}", hint=format_suggestion(name, self.hexes))
        return name

    def hexside(self, text: str) -> str:
        """Return a hexside in its regular form.

        Raises InputError if the text is not two adjacent hexes.
        """
        first, bar, other = text.partition("|")
        if not bar:
            raise InputError(f"{text!r} is not a hexside", hint="write a hexside as two hexes with a bar between them")
        here, there = self.place(first.strip()), self.place(other.strip())
        self.check_adjacent(here, there, "a hexside lies between two adjacent hexes")
        return hexside(here, there)

    def line(self, line: Sequence[str]) -> tuple[str, ...]:
        """Return the hexes of a line in their regular form.

        Raises InputError if there are fewer than two hexes, or if two in a row are not adjacent.
        """
        if len(line) < 2:
            raise InputError("a line needs at least two hexes, from the source to the unit")
        passed = tuple(map(self.place, line))
        for here, there in pairwise(passed):
            self.check_adjacent(here, there, "each hex of a line is adjacent to the one before")
        return passed

    def check_adjacent(self, here: str, there: str, hint: str) -> None:
        """Raise InputError if two hexes are not adjacent."""
        if there not in self.neighbours(here):
            around = "".join(
                f"; adjacent to {hex}: {', '.join(self.neighbours(hex))}"
                for hex in dict.fromkeys((here, there))
                if self.neighbours(hex)
            )
            raise InputError(f"{here} and {there} are not adjacent", hint=hint + around)

    @cached_property
    def states_anything(self) -> bool:
        """Whether any fact of the board is known, drawn or typed by its owner."""
        return bool(self.facts.layers or self.facts.over or self.silence)

    @cached_property
    def _boxes(self) -> dict[str, str]:
        return {box.casefold(): box for box in reversed(self.boxes)}

    def fact(self, track: str, subject: str) -> Fact | None:
        """Return a fact printed on the map, or None if it is unknown."""
        stated = self.facts.get((track, subject))
        return stated if stated is not None or not subject else self.silence.get(track)

    def facts_of(
        self,
        track: Track,
        stated: Mapping[FactKey, Fact],
        may_read: Callable[[Fact], bool],
        records: Sequence[dict[FactKey, Fact]],
    ) -> Callable[[str], Fact | None]:
        """Return a function that reads the facts of one track by subject, from the first source that has them.

        The function returns None if no source has the fact.

        `stated`: the facts of the position, which come before the printed ones.
        `may_read`: returns whether the player trusts the source of a fact.
        `records`: caches that receive each fact; the first is complete and is read from.
        """
        name = track.name
        absent = None if track.absent is None else Fact(track.absent)
        layer = self.facts.layers.get(name, {})
        silence = self.silence.get(name)
        read = records[0]
        silent = silence if silence is not None and may_read(silence) else absent
        printed = [fact if may_read(fact) else absent for fact in self.facts.known]
        over = self.facts.over

        def read_fact(subject: str) -> Fact | None:
            key = name, subject
            fact = read.get(key)
            if fact is not None:
                return fact
            fact = stated.get(key)
            if fact is None or not may_read(fact):
                if key in over:
                    fact = over[key] if may_read(over[key]) else absent
                else:
                    number = layer.get(subject)
                    fact = silent if number is None else printed[number]
            if fact is not None:
                for record in records:
                    record[key] = fact
            return fact

        return read_fact

    def known(self, track: str) -> list[str]:
        """Return the subjects for which the board itself states a fact of a track, without those of `silence`."""
        return self.facts.subjects_of(track)

    def has(self, subject: str) -> bool:
        """Return whether a hex, a box or a hexside, by its regular name, is on the board."""
        try:
            return all(self.place(part) == part for part in subject.split("|"))
        except InputError:
            return False

    def is_box(self, text: str) -> bool:
        """Return whether a text names a box."""
        return text.casefold() in self._boxes

    def is_hex(self, place: str | None) -> TypeGuard[str]:
        """Return whether a place is a hex rather than a box; None and "" are neither."""
        return False if not place else not self.boxes or self._boxes.get(place.casefold()) != place

    def shows(self, place: str | None) -> TypeGuard[str]:
        """Return whether a place is on the map: a hex, or a place of a map of areas."""
        return place in self._spots if self.is_of_areas else self.is_hex(place)

    def neighbours(self, place: str) -> tuple[str, ...]:
        """Return the hexes adjacent to a hex, clockwise from the north, or () for a box."""
        known = self._neighbours.get(place)
        if known is None:
            if not self.is_hex(place):
                return ()
            there = self.grid.adjacent(place)
            on_map = there if not self.hexes else [name for name in there if name in self.hexes]
            self._neighbours[place] = known = tuple(on_map)
        return known

    def nearest(self, start: str, hexes: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        """Return the distance from a hex to the nearest of some hexes, and all hexes at that distance."""
        key = start, hexes
        if key not in self._nearest:
            distances = {at: self.distance(start, at) for at in hexes}
            nearest = min(distances.values())
            self._nearest[key] = nearest, tuple(at for at in distances if distances[at] == nearest)
        return self._nearest[key]

    @cached_property
    def _nearest(self) -> dict[tuple[str, tuple[str, ...]], tuple[int, tuple[str, ...]]]:
        return {}

    def toward(self, start: str, end: str) -> tuple[str, ...]:
        """Return the hexes adjacent to `start` that are nearer to `end`."""
        key = start, end
        if key not in self._toward:
            distance = self.distance(start, end)
            self._toward[key] = tuple(at for at in self.neighbours(start) if self.distance(at, end) < distance)
        return self._toward[key]

    @cached_property
    def _toward(self) -> dict[tuple[str, str], tuple[str, ...]]:
        return {}

    def outermost(self, points: tuple[str, ...]) -> tuple[str, ...]:
        """Return the hexes at the edge of the map in some directions, in order.

        `points`: compass points. The first one alone counts if hexes have a side facing it.
        """
        if points not in self._outermost:
            grid = self.grid
            if self.hexes:
                hexes = {grid.parse(at) for at in self.hexes}
            else:  # on a full rectangle only hexes at its edge can be outermost
                (first, last) = grid.columns
                (top, bottom) = grid.rows
                sides = (
                    *product((first, last), range(top, bottom + 1)),
                    *product(range(first, last + 1), (top, bottom)),
                )
                hexes = {Hex(column, row) for column, row in sides}
            has_first = any(name == points[0] for name, _, _ in grid.steps(grid.middle))
            beyond = points[:1] if has_first else points[1:]
            outer = (grid.name(at) for at in hexes if not self._leads_on(at, beyond))
            self._outermost[points] = tuple(sorted(outer))
        return self._outermost[points]

    def _leads_on(self, at: Hex, points: Collection[str]) -> bool:
        beside = self.grid.neighbours(at)
        on_map = (self.grid.name(beside[point]) for point in points if point in beside)
        return any(name in self.hexes for name in on_map) if self.hexes else any(on_map)

    @cached_property
    def _outermost(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        return {}

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, ...]]:
        return {}

    def centre(self, place: str) -> tuple[float, float]:
        """Return the centre of a hex in the units of the grid, to the right and down.

        For a place of a map of areas, this is its position on the picture, in units of `PIXELS_PER_HEX`.
        """
        if spot := self._spots.get(place):
            return spot[0] / PIXELS_PER_HEX, spot[1] / PIXELS_PER_HEX
        return self.grid.centre(self.grid.parse(place))

    def distance(self, start: str, other: str) -> int:
        """Return the distance between two hexes, in hexes."""
        return self.grid.distance_of(start, other)


def _may_replace(fact: Fact, known: Fact | None) -> bool:
    return known is None or SOURCE_RANKS[known.source] >= SOURCE_RANKS[fact.source]
