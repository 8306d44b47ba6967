"""The cost of the ground of a march, step by step (8.1.1).

For a single way, missing facts are asked for. For the whole map, steps are numbered by kind and each kind is priced
once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from assistant.asking import Gather, InputError, View
from assistant.asking.premises import Noted
from assistant.mechanics.crossings import Crossing, Crossings, Ground, Numbered, Worked, number_crossings
from assistant.state.differences import Divergence
from assistant.state.state import hexside
from assistant.state.tracks import Value
from assistant.util.memo import Memo

from ...ground.chart import HALVES_PER_POINT, Chart, assume_bare, lying, lying_over
from ...ground.costs import HALF_HEX_COST_HALVES, Price
from ...ground.hexsides import BRIDGE, between, why_closed
from ...terms import HALF_HEXES

Prices = Callable[[str, str], Price]
"""A function that returns the price of the ground between two adjacent hexes."""
HEXSIDE_TRACKS = ("barrier", "crossing", "causeway", "road", "rail")
"""The tracks of hexsides that affect the cost of a step."""
SPUR_CROSSINGS = frozenset({"ferry", "pontoon"})
"""The crossings that spurs of roads lead to, so that roads beyond the hexside count."""


def prices_of_way(facts: Gather, chart: Chart) -> Prices:
    """Return the prices of the steps of a way.

    Missing facts are asked for. A hexside without any stated fact is assumed bare and without a road.
    """

    def price(here: str, there: str) -> Price:
        if there in HALF_HEXES:
            return Price(HALF_HEX_COST_HALVES)
        name = hexside(here, there)
        if facts.view.fact("barrier", name) is None:
            assume_bare(facts.view, [name])
        kind = find_crossing(facts.view, here, there)
        lacking = chart.facts_needed(kind)
        if "crossing" in lacking:
            facts.word("crossing", name)
        if "escarpment" in lacking:
            facts.flag("escarpment", there)
        return chart.price(kind)

    return price


def check_ground(ground: Sequence[float], way: Sequence[str]) -> None:
    """Raise InputError if `ground` is not one possible number of Movement Points for each hex."""
    if ground and len(ground) != len(way):
        what = f"ground: the number of costs, {len(ground)}, is not that of the hexes, {len(way)}"
        raise InputError(what, hint="give the Movement Points of each hex, or of none")
    for points in ground:
        if not 0 < points < 100 or points * 2 != int(points * 2):
            raise InputError(f"ground: no hex costs {points:g} Movement Points", hint="give whole or half points")


def prices_given(line: Sequence[str], ground: Sequence[float]) -> Prices:
    """Return the prices that a player read off the chart, the same with and without a road."""
    steps = zip(pairwise(line), ground, strict=True)
    costs: dict[tuple[str, ...], Price] = {
        hexes: Price(int(Fraction(points) * HALVES_PER_POINT)) for hexes, points in steps
    }
    return lambda *hexes: costs[hexes]


def find_crossing(view: View, here: str, there: str) -> Crossing:
    """Return the kind of the step between two adjacent hexes."""
    return Crossing(lying(view, here), lying_over(view, here, there), lying(view, there))


class Across(NamedTuple):
    """The numbered kind of a step, and its hexside."""

    kind: int
    shut: str
    """The features of the hexside that bar all units, in words, or ""; the chart may bar others."""
    causeway: bool
    """Whether the step crosses a causeway."""


class Kinds(NamedTuple):
    """The steps of the map by kind.

    `across` and `prices` have the results by the number of the kind.
    """

    crossings: Crossings
    across: dict[int, Across]
    prices: dict[int, tuple[Price, Noted]]


_KINDS: Memo[None, Kinds] = Memo()
"""The kinds of steps on the map of a view."""


def _read_kinds(view: View) -> Kinds:
    """Return the kinds of steps on the map, computed once for a view.

    An unstated hexside counts as bare; unstated terrain has no price.
    """

    def compiled(known: Kinds | None, divergence: Divergence) -> Kinds:
        changed = {hex for _, subject in divergence.facts for hex in subject.split("|")}
        ground = MapGround(view, known.crossings.grounds if known else Numbered[Ground]())
        crossings = number_crossings(
            view.board.layout, ground.grounds, ground.in_hex, ground.beside, known.crossings if known else None, changed
        )
        return Kinds(crossings, known.across if known else {}, known.prices if known else {})

    return view.memo(_KINDS, None, compiled)


class MapGround:
    """The numbers of the kinds of ground, for each hex of the map and each hexside.

    Hexsides with the same facts share a number, unless the adjacent hexes matter too.
    """

    def __init__(self, view: View, grounds: Numbered[Ground]) -> None:
        self.view = view
        self.grounds = grounds
        self.layout = view.board.layout
        tracks = [view.facts_of(track) for track in HEXSIDE_TRACKS]
        terrain_of = view.facts_of("terrain")

        def said_of(name: str) -> tuple[Value | None, ...]:
            return tuple([None if (fact := fact_of(name)) is None else fact.value for fact_of in tracks])

        hexes, in_hexes = self.layout.hexes, dict[tuple[Value | None, bool], int]()

        def number_in(at: int) -> int:
            fact = terrain_of(hexes[at])
            key = None if fact is None else fact.value, hexes[at] in HALF_HEXES
            if key not in in_hexes:
                in_hexes[key] = grounds[lying(view, hexes[at])]
            return in_hexes[key]

        self.in_hex = number_in
        self._said = Worked[str, tuple[Value | None, ...]](said_of)
        self._alike = dict[tuple[Value | None, ...], int]()

    def beside(self, at: int) -> list[int]:
        """Return the numbers of the kinds of the hexsides around a hex.

        `at`: the number of the hex.
        """
        layout = self.layout
        numbers = list[int]()
        for other, name in zip(layout.around.of(at), layout.hexsides.of(at), strict=True):
            facts = self._said[name]
            number = self._alike.get(facts)
            if number is None or name == BRIDGE:
                number = self._number(layout.hexes[at], layout.hexes[other], facts)
            numbers.append(number)
        return numbers

    def _number(self, here: str, there: str, facts: tuple[Value | None, ...]) -> int:
        """Return the number of the hexside between two hexes.

        If only the facts of the hexside matter, all hexsides with these facts share the number.
        """
        ground = lying_over(self.view, here, there)
        number = self.grounds[ground]
        words = dict[str, Any](ground)
        if (
            "escarpment" not in words["lies"]
            and words["crossing"] not in SPUR_CROSSINGS
            and hexside(here, there) != BRIDGE
        ):
            self._alike[facts] = number
        return number


class PricedMap:
    """The prices of all steps of the map. Each kind is priced once for all views with the same chart."""

    def __init__(self, view: View, chart: Chart) -> None:
        self._view = view
        self._chart = chart
        self._kinds = _read_kinds(view)
        self._by_hex = dict[str, Mapping[int, int]]()
        country_of = view.facts_of("country")

        def read_country(hex: str) -> Value:
            fact = country_of(hex)
            return fact.value if fact else ""

        self.countries = Worked[str, Value](read_country)
        """The country of each hex, or "" if it is not stated."""

    @property
    def lacking(self) -> bool:
        """Whether a missing cell of the chart was asked for."""
        return bool(self._chart.lacking)

    def across(self, here: str, there: str) -> Across:
        """Return the kind of the step between two adjacent hexes."""
        crossings = self._kinds.crossings
        ways = self._by_hex.get(here)
        if ways is None:
            self._by_hex[here] = ways = dict(crossings.ways(crossings.number[here]))
        number = ways[crossings.number[there]]
        known = self._kinds.across.get(number)
        if known is None:
            over = dict[str, Any](crossings.kinds[number].over)
            known = Across(number, why_closed(between(self._view, here, there)), over["causeway"])
            self._kinds.across[number] = known
        return known

    def price(self, kind: int) -> Price:
        known = self._kinds.prices.get(kind)
        if known is None:
            known = self._view.premises.note(lambda: self._chart.price(self._kinds.crossings.kinds[kind]))
            if not self.lacking:
                self._kinds.prices[kind] = known
        self._view.premises.note_again(known[1])
        return known[0]
