"""A board: one map with its grid, its boxes, the facts printed on it and what it is drawn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec

from ...state.sources import STRENGTH, Fact, Source
from ...state.state import FactKey, hexside
from ...state.tracks import Track
from ...util.errors import InputError, suggested
from ..hexes import Hex, HexGrid
from .entries import NO_FACTS, Chain, Drawing, Facts, Label, MapPicture, Place

if TYPE_CHECKING:
    from ...mechanics.crossings import Layout


class Board(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One map: its grid, its boxes (places that are not hexes), the facts printed on it, and the hexes that are drawn.

    silence: for each complete layer, the fact that holds where nothing is drawn.
    hexes: the hexes on the map; empty if it has not been drawn, and then every hex of the grid is on it.
    drawing: finds what it is drawn from, as `chains`, `labels`, `places` and `drawn` show it.
    kilometres: from one flat side of a hex to the other, 0 if that is not known.
    picture: its own, that a module shows instead of the drawn map.
    """

    name: str
    title: str
    grid: HexGrid
    boxes: tuple[str, ...] = ()
    facts: Facts = NO_FACTS
    silence: Mapping[str, Fact] = {}
    hexes: frozenset[str] = frozenset()
    drawing: Callable[[], Drawing] = Drawing
    kilometres: float = 0.0
    picture: MapPicture | None = None

    def under(self, over: Mapping[FactKey, Fact]) -> Board:
        """This board with other facts over its own, as far as those are not from a stronger source."""
        below = self.facts
        holding = {
            key: fact
            for key, fact in over.items()
            if (known := below.get(key)) is None or STRENGTH[known.source] >= STRENGTH[fact.source]
        }
        return msgspec.structs.replace(self, facts=below.under(holding))

    def with_boxes(self, boxes: Sequence[str]) -> Board:
        """This board with the boxes of its game, which lie beside every map."""
        return msgspec.structs.replace(self, boxes=tuple(dict.fromkeys((*self.boxes, *boxes))))

    @cached_property
    def drawn(self) -> Drawing:
        """What the board is drawn from."""
        return self.drawing()

    @property
    def chains(self) -> tuple[Chain, ...]:
        """The chains as they are written: rivers, railways, borders. What holds of a hexside is its `fact`."""
        return self.drawn.chains

    @property
    def labels(self) -> tuple[Label, ...]:
        """The names of regions, waters and ranges."""
        return self.drawn.labels

    @property
    def places(self) -> tuple[Place, ...]:
        """The towns and other named places."""
        return self.drawn.places

    @cached_property
    def in_order(self) -> tuple[str, ...]:
        """The hexes that are drawn, by their numbers."""
        return tuple(sorted(self.hexes))

    @cached_property
    def layout(self) -> Layout:
        """The same by number, with those next to each: for lines that are sought over all of them."""
        from ...mechanics.crossings import Layout  # only here: most questions trace no lines

        return Layout(self.in_order, self.neighbours)

    @cached_property
    def sources(self) -> Mapping[str, Mapping[Source, int]]:
        """By track, how many of its facts are known from which source."""
        counters: dict[str, Counter[Source]] = {}
        for (track, _), fact in self.facts.items():
            counters.setdefault(track, Counter())[fact.source] += 1
        return counters

    def place(self, text: str) -> str:
        """A hex or a box by its printed name. Raises InputError with the nearest names on the map."""
        box = self._boxes.get(text.casefold())
        if box is not None:
            return box
        name = self.grid.name(self.grid.parse(text))
        if self.hexes and name not in self.hexes:
            raise InputError(f"hex {name} is off the board {self.title}", hint=suggested(name, self.hexes))
        return name

    def hexside(self, text: str) -> str:
        """A hexside in its regular form. Raises InputError for two hexes that are not adjacent, and for anything else."""
        first, bar, other = text.partition("|")
        if not bar:
            raise InputError(f"{text!r} is not a hexside", hint="write a hexside as two hexes with a bar between them")
        here, there = self.place(first.strip()), self.place(other.strip())
        self.check_adjacent(here, there, "a hexside lies between two adjacent hexes")
        return hexside(here, there)

    def line(self, line: Sequence[str]) -> tuple[str, ...]:
        """The hexes of a line in their regular form. Raises InputError for fewer than two, and for two that are not
        adjacent.
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
            around = f"; next to {here}: {', '.join(self.neighbours(here))}"
            raise InputError(f"{here} and {there} are not adjacent", hint=hint + around)

    @cached_property
    def _boxes(self) -> dict[str, str]:
        return {box.casefold(): box for box in reversed(self.boxes)}

    def fact(self, track: str, subject: str) -> Fact | None:
        """A fact printed on the map, None if unknown."""
        stated = self.facts.get((track, subject))
        return stated if stated is not None or not subject else self.silence.get(track)

    def facts_of(
        self,
        track: Track,
        stated: Mapping[FactKey, Fact],
        may_read: Callable[[Fact], bool],
        records: Sequence[dict[FactKey, Fact]],
    ) -> Callable[[str], Fact | None]:
        """Tells the facts of one track of hexes or hexsides by subject, from the first source that knows them: for
        whoever reads many.

        stated: what a position states, which comes before what is printed; may_read: whether a fact is from a source
        that may be read; records: of what was read so far, the first of all of it; what is read besides is added to
        each.
        """
        name, absent = track.name, None if track.absent is None else Fact(track.absent)
        layer, silence, read = self.facts.layers.get(name, {}), self.silence.get(name), records[0]
        known = self.facts.known
        silent = silence if silence is not None and may_read(silence) else absent
        over = self.facts.over

        def look(subject: str) -> Fact | None:
            key = name, subject
            if key in read:
                return read[key]
            fact: Fact | None
            if key in stated and may_read(stated[key]):
                fact = stated[key]
            elif key in over:
                fact = over[key] if may_read(over[key]) else absent
            else:
                number = layer.get(subject)
                fact = silent if number is None else known[number] if may_read(known[number]) else absent
            if fact is not None:
                for record in records:
                    record[key] = fact
            return fact

        return look

    def known(self, track: str) -> list[str]:
        """The subjects of which the board itself states a fact of a track; silence states none."""
        return self.facts.known_of(track)

    def has(self, subject: str) -> bool:
        """Whether a hex, a box or a hexside, by its regular name, is on the board."""
        try:
            return all(self.place(part) == part for part in subject.split("|"))
        except InputError:
            return False

    def is_box(self, text: str) -> bool:
        """Whether a text names a box."""
        return text.casefold() in self._boxes

    def is_hex(self, place: str) -> bool:
        """Whether a place is a hex rather than a box."""
        return not self.boxes or self._boxes.get(place.casefold()) != place

    def neighbours(self, place: str) -> tuple[str, ...]:
        """The hexes next to a hex, clockwise from the north; a box has none."""
        known = self._neighbours.get(place)
        if known is None:
            if not self.is_hex(place):
                return ()
            at = self.grid.parse(place)
            (column, row), names, there = at, self._names, list[str]()
            for _, across, down in self.grid.steps(at):
                beyond = column + across, row + down
                name = names.get(beyond)
                if name := self._hex_name(beyond) if name is None else name:
                    there.append(name)
            self._neighbours[place] = known = tuple(there)
        return known

    def _hex_name(self, beyond: tuple[int, int]) -> str:
        """The number of a hex by its column and row if it is on the map, "" for any other."""
        at = Hex(*beyond)
        name = self.grid.name(at) if self.grid.holds(at) else ""
        self._names[beyond] = name = name if name in self.hexes or not self.hexes else ""
        return name

    @cached_property
    def _neighbours(self) -> dict[str, tuple[str, ...]]:
        """The neighbours of the hexes that were asked for."""
        return {}

    @cached_property
    def _names(self) -> dict[tuple[int, int], str]:
        """The numbers of the hexes next to those that were asked for, by column and row; "" off the map."""
        return {}

    def centre(self, place: str) -> tuple[float, float]:
        """The middle of a hex, in the units of the grid, to the right and down."""
        return self.grid.centre(self.grid.parse(place))

    def distance(self, start: str, other: str) -> int:
        """The distance between two hexes, in hexes."""
        return self.grid.distance(self.grid.parse(start), self.grid.parse(other))
