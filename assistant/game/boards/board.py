"""A board: one map with its grid, its boxes, the facts printed on it and what it is drawn from, each with how it is
known.
"""

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
from ...state.tracks import CERTAIN, STRENGTH, Fact, Source, Track, Value
from ...util.errors import InputError, Where, format_suggestion
from ...util.limits import Limit
from ...util.notes import note
from ...util.texts import folded
from ..hexes import Hex, HexGrid
from .features import Drawing, HexChain, MapLabel, NamedPlace, Outline
from .map_picture import PIXELS, MapPicture, Point


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


class Board(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One map: its grid, its boxes (places that are not hexes), the facts printed on it, and the hexes that are drawn."""

    name: str
    title: str
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    facts: Facts = NO_FACTS
    silence: Annotated[
        Mapping[str, Fact], note("for each complete layer, the fact that holds where nothing is drawn")
    ] = {}
    hexes: Annotated[
        frozenset[str],
        note("the hexes on the map; empty if it has not been drawn, and then every hex of the grid is on it"),
    ] = frozenset()
    drawing: Annotated[
        Callable[[], Drawing], note("finds what it is drawn from, as `chains`, `labels`, `places` and `drawn` show it")
    ] = Drawing
    kilometres: Annotated[float, note("from one flat side of a hex to the other, 0 if that is not known")] = 0.0
    north: Annotated[float, note("how far the true north is turned from the top of the map, in degrees clockwise")] = (
        0.0
    )
    picture: Annotated[MapPicture | None, note("its own, that a module shows instead of the drawn map")] = None

    def with_facts_over(self, over: Mapping[FactKey, Fact]) -> Board:
        """Return this board with other facts over its own, as far as those are not from a stronger source."""
        below = self.facts
        holding = {key: fact for key, fact in over.items() if _stands_over(fact, below.get(key))}
        return msgspec.structs.replace(self, facts=below.with_facts_over(holding))

    def printed(self) -> Board:
        """Return the printed map as far as it is certain: its grid, what the rulebook states of it, and what its owner
        has typed.
        """
        facts = {key: fact for key, fact in self.facts.items() if fact.source in CERTAIN}
        silence = {track: fact for track, fact in self.silence.items() if fact.source in CERTAIN}
        return msgspec.structs.replace(
            self, facts=Facts((), {}, facts), silence=silence, hexes=frozenset(), drawing=Drawing
        )

    def with_silence(self, elsewhere: Mapping[str, Fact]) -> Board:
        """Return this board with what is stated of all hexes and hexsides not otherwise known, as far as its own
        silence is not from a stronger source. elsewhere: by track.
        """
        below = self.silence
        holding = {track: fact for track, fact in elsewhere.items() if _stands_over(fact, below.get(track))}
        return msgspec.structs.replace(self, silence={**below, **holding})

    def with_boxes(self, boxes: Sequence[str]) -> Board:
        """Return this board with the boxes of its game, which lie beside every map."""
        return msgspec.structs.replace(self, boxes=tuple(dict.fromkeys((*self.boxes, *boxes))))

    @cached_property
    def drawn(self) -> Drawing:
        """What the board is drawn from."""
        return self.drawing()

    @property
    def is_map(self) -> bool:
        """Whether it is a map to play on: its hexes are drawn, it has a picture, or it ends where the printed map is
        known to end. On any other board there are only places by their numbers.
        """
        drawn = bool(self.hexes) or self.picture is not None
        return drawn or bool(self.name and (self.drawn.edge is None or self.drawn.edge.source in CERTAIN))

    @property
    def is_of_areas(self) -> bool:
        """Whether it is a map of areas: a picture with places, without hexes."""
        return bool(self._spots)

    @cached_property
    def _spots(self) -> Mapping[str, Point]:
        """Where the places of a map of areas lie on its picture."""
        return self.picture.places if self.picture is not None and self.picture.first is None else {}

    @property
    def chains(self) -> tuple[HexChain, ...]:
        """The chains as they are written: rivers, railways, borders. What holds of a hexside is its `fact`."""
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
        """All hexes by their numbers; of a board that is not drawn those that its grid counts."""
        if self.hexes:
            return tuple(sorted(self.hexes))
        (first, last) = self.grid.columns
        (top, bottom) = self.grid.rows
        columns = range(first, last + 1)
        return tuple(self.grid.name(Hex(column, row)) for column in columns for row in range(top, bottom + 1))

    @cached_property
    def layout(self) -> HexGraph:
        """All hexes by number, with those adjacent to each: for lines that are sought over all of them."""
        return HexGraph(self.in_order, self.neighbours)

    @cached_property
    def sources(self) -> Mapping[str, Mapping[Source, int]]:
        """By track, how many of its facts are known from which source."""
        return self.facts.sources()

    def place(self, text: str) -> str:
        """Return a hex or a box by its printed name. Raises InputError with the nearest names on the map."""
        box = self._boxes.get(text.casefold())
        if box is not None:
            return box
        name = self.grid.name(self.grid.parse(text))
        if self.hexes and name not in self.hexes:
            raise InputError(f"hex {name} is off the board {self.title}", hint=format_suggestion(name, self.hexes))
        return name

    def hexside(self, text: str) -> str:
        """Return a hexside in its regular form. Raises InputError for two hexes that are not adjacent, and for anything
        else.
        """
        first, bar, other = text.partition("|")
        if not bar:
            raise InputError(f"{text!r} is not a hexside", hint="write a hexside as two hexes with a bar between them")
        here, there = self.place(first.strip()), self.place(other.strip())
        self.check_adjacent(here, there, "a hexside lies between two adjacent hexes")
        return hexside(here, there)

    def line(self, line: Sequence[str]) -> tuple[str, ...]:
        """Return the hexes of a line in their regular form. Raises InputError for fewer than two, and for two that are
        not adjacent.
        """
        if len(line) < 2:
            raise InputError("a line needs at least two hexes, from the source to the unit")
        passed = tuple(map(self.place, line))
        for here, there in pairwise(passed):
            self.check_adjacent(here, there, "each hex of a line is adjacent to the one before")
        return passed

    def check_adjacent(self, here: str, there: str, hint: str) -> None:
        """Raise InputError for two hexes that are not adjacent. hint: what they should be."""
        if there not in self.neighbours(here):
            around = "".join(
                f"; adjacent to {hex}: {', '.join(self.neighbours(hex))}"
                for hex in dict.fromkeys((here, there))
                if self.neighbours(hex)
            )
            raise InputError(f"{here} and {there} are not adjacent", hint=hint + around)

    @cached_property
    def states_anything(self) -> bool:
        """Whether any fact is known of it: of a map that is not drawn, and of which the owner has told nothing, none
        is.
        """
        return bool(self.facts.layers or self.facts.over or self.silence)

    @cached_property
    def _boxes(self) -> dict[str, str]:
        return {box.casefold(): box for box in reversed(self.boxes)}

    def fact(self, track: str, subject: str) -> Fact | None:
        """Return a fact printed on the map, None if unknown."""
        stated = self.facts.get((track, subject))
        return stated if stated is not None or not subject else self.silence.get(track)

    def facts_of(
        self,
        track: Track,
        stated: Mapping[FactKey, Fact],
        may_read: Callable[[Fact], bool],
        records: Sequence[dict[FactKey, Fact]],
    ) -> Callable[[str], Fact | None]:
        """Return what reads the facts of one track of hexes or hexsides by subject, from the first source that knows
        them.

        stated: what a position states, before what is printed; may_read: whether a fact is from a source that may be
        read; records: of what was read, the first of all of it; each fact read is added to them.
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
        """Return the subjects of which the board itself states a fact of a track; silence states none."""
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
        """Return whether a place is a hex rather than a box; nowhere, None or empty, is neither."""
        return False if not place else not self.boxes or self._boxes.get(place.casefold()) != place

    def shows(self, place: str | None) -> TypeGuard[str]:
        """Return whether a place lies on the map: a hex, or a place of a map of areas."""
        return place in self._spots if self.is_of_areas else self.is_hex(place)

    def neighbours(self, place: str) -> tuple[str, ...]:
        """Return the hexes adjacent to a hex, clockwise from the north; a box has none."""
        known = self._neighbours.get(place)
        if known is None:
            if not self.is_hex(place):
                return ()
            there = self.grid.adjacent(place)
            on_map = there if not self.hexes else [name for name in there if name in self.hexes]
            self._neighbours[place] = known = tuple(on_map)
        return known

    def nearest(self, start: str, hexes: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
        """Return how many hexes the nearest of some hexes are from a hex, and which they are."""
        key = start, hexes
        if key not in self._nearest:
            far = {at: self.distance(start, at) for at in hexes}
            least = min(far.values())
            self._nearest[key] = least, tuple(at for at in far if far[at] == least)
        return self._nearest[key]

    @cached_property
    def _nearest(self) -> dict[tuple[str, tuple[str, ...]], tuple[int, tuple[str, ...]]]:
        """The nearest hexes that were asked for."""
        return {}

    def toward(self, start: str, end: str) -> tuple[str, ...]:
        """Return the hexes adjacent to a hex that are nearer to another than it is."""
        key = start, end
        if key not in self._toward:
            far = self.distance(start, end)
            self._toward[key] = tuple(at for at in self.neighbours(start) if self.distance(at, end) < far)
        return self._toward[key]

    @cached_property
    def _toward(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The hexes on the way to others that were asked for."""
        return {}

    def outermost(self, points: tuple[str, ...]) -> tuple[str, ...]:
        """Return the hexes beyond which there are no others, in order. points: where, by compass points; the first
        alone counts where hexes have that one.
        """
        if points not in self._outermost:
            grid = self.grid
            if self.hexes:
                hexes = {grid.parse(at) for at in self.hexes}
            else:  # the middle of a whole grid has neighbours all round
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
        """Return whether a hex has another beside it in one of some directions."""
        beside = self.grid.neighbours(at)
        on_map = (self.grid.name(beside[point]) for point in points if point in beside)
        return any(name in self.hexes for name in on_map) if self.hexes else any(on_map)

    @cached_property
    def _outermost(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """The outermost hexes that were asked for."""
        return {}

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, ...]]:
        """The neighbours of the hexes that were asked for."""
        return {}

    def centre(self, place: str) -> tuple[float, float]:
        """Return the middle of a hex, in the units of the grid, to the right and down; where a place of a map of areas lies
        on its picture, in units of `PIXELS`.
        """
        if spot := self._spots.get(place):
            return spot[0] / PIXELS, spot[1] / PIXELS
        return self.grid.centre(self.grid.parse(place))

    def distance(self, start: str, other: str) -> int:
        """Return the distance between two hexes, in hexes."""
        return self.grid.distance_of(start, other)


def _stands_over(fact: Fact, known: Fact | None) -> bool:
    """Return whether a fact stands over one that is known, which is then from no stronger source."""
    return known is None or STRENGTH[known.source] >= STRENGTH[fact.source]
