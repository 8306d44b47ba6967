"""Tracing: crossings, cost fields, lines and zones, against a second solution that tries everything."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.game.hexes import HexGrid
from assistant.mechanics.crossings import Crossing, Crossings, Ground, OpenWays, compile_crossings
from assistant.mechanics.tracing import ANY_LENGTH, CostField, Spread, cost_field, radius, trace_links, zone
from assistant.util.errors import InputError

from ...cases import examples

# --- small maps -------------------------------------------------------------------------------------------------------


class Country(NamedTuple):
    """A map as one writes it on a napkin: what a step from one hex into another costs, None where it is barred."""

    steps: Mapping[tuple[str, str], int | None]
    hexes: tuple[str, ...] = tuple("abcdefg")

    @property
    def crossings(self) -> Crossings:
        return compile_crossings(
            self.hexes,
            lambda here: [there for one, there in self.steps if one == here],
            lambda here: (),
            lambda here, there: (("cost", "barred" if self.steps[here, there] is None else str(self.steps[here, there])),),
        )  # fmt: skip


def written_on_it(kind: Crossing) -> int | None:
    """The price that stands on the napkin."""
    cost = str(dict(kind.over)["cost"])
    return None if cost == "barred" else int(cost)


def field(country: Country, sources: Mapping[str, int], **limits: object) -> CostField:
    return cost_field(country.crossings, written_on_it, sources, **limits)  # type: ignore[arg-type]


def both_ways(steps: Mapping[tuple[str, str], int | None]) -> Country:
    return Country({**steps, **{(there, here): cost for (here, there), cost in steps.items()}})


#: a road round a hill, straight over which it is dearer; g lies behind water
HILL = both_ways({("a", "b"): 1, ("b", "c"): 1, ("c", "d"): 1, ("a", "e"): 2, ("e", "d"): 2, ("d", "g"): None})


# --- examples ---------------------------------------------------------------------------------------------------------


def test_the_cheapest_way_counts_though_another_has_fewer_hexes() -> None:
    found = field(HILL, {"a": 0})
    assert found.cost == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 2}
    assert found.line("d") == ("a", "b", "c", "d")
    assert (found.line("e"), found.line("a")) == (("a", "e"), ("a",))
    with pytest.raises(KeyError):
        found.line("g")
    off = field(HILL, {"a": 0, "e": 0}, closed={"a", "nowhere"}, last_hexes={"nowhere"})
    assert off.cost == {"e": 0, "d": 2, "c": 3, "b": 4}, "what lies off the map closes nothing"
    with pytest.raises(InputError, match="no line can be traced from nowhere"):
        field(HILL, {"nowhere": 0})


@pytest.mark.parametrize("sources", [{"a": 0}, {"a": 0, "g": 0}])
def test_what_was_sought_farther_before_is_left_out_of_a_nearer_field(sources: Mapping[str, int]) -> None:
    """Of one source and of several, and though nothing is left to be sought."""
    spread = Spread(OpenWays(HILL.crossings, written_on_it), sources)
    far, near = spread.within(ANY_LENGTH), spread.within(1)
    assert (far.cost["d"], far.before["d"], len(far.before)) == (3, "c", 4)
    assert near.cost == {**sources, "b": 1}
    assert dict(near.before) == {"b": "a"} and "d" not in near.before
    with pytest.raises(KeyError):
        near.line("d")


def test_what_was_sought_farther_before_ends_at_the_nearest_of_some_all_the_same() -> None:
    row = "abcdef"
    next_to = {hex: [row[at] for at in (row.index(hex) - 1, row.index(hex) + 1) if 0 <= at < 6] for hex in row}
    crossings = compile_crossings(row, next_to.__getitem__, lambda hex: (), lambda here, there: ())
    spread = Spread(OpenWays(crossings, lambda kind: 1), {"a": 0})
    assert set(spread.within(4).cost) == set("abcde")
    assert set(spread.within(4, {"c", "d"}).cost) == set("abc")
    assert set(spread.within(1, {"c"}).cost) == set("ab")


def test_what_a_line_costs_is_found_along_it_too() -> None:
    spread = Spread(OpenWays(HILL.crossings, written_on_it, closed={"b"}), {"a": 0})
    reached = spread.within(ANY_LENGTH)
    assert {to: spread.ways.cost_along(reached.line(to)) for to in reached.cost} == reached.cost
    barred, apart, closed = spread.ways.cost_along("aedg"), spread.ways.cost_along("ad"), spread.ways.cost_along("abc")
    assert (barred, apart, closed, spread.ways.cost_along("aa")) == (None,) * 4


def test_each_kind_of_crossing_is_priced_once() -> None:
    asked: list[Crossing] = []

    def price(kind: Crossing) -> int | None:
        asked.append(kind)
        return written_on_it(kind)

    cost_field(HILL.crossings, price, {"a": 0, "d": 0})
    assert sorted(str(written_on_it(kind)) for kind in asked) == ["1", "2", "None"]


# --- against Bellman and Ford -----------------------------------------------------------------------------------------


class Search(NamedTuple):
    """Everything that a search is told."""

    country: Country
    sources: Mapping[str, int]
    closed: Collection[str]
    ends: Collection[str]
    limit: int | None

    @property
    def field(self) -> CostField:
        return field(self.country, self.sources, closed=self.closed, last_hexes=self.ends, limit=self.limit)


hexes = st.sampled_from(Country({}).hexes)
searches = st.builds(
    Search,
    st.dictionaries(st.tuples(hexes, hexes), st.none() | st.integers(0, 4), max_size=20).map(Country),
    st.dictionaries(hexes, st.integers(0, 6), max_size=4),
    st.sets(hexes, max_size=2),
    st.sets(hexes, max_size=2),
    st.none() | st.integers(0, 9),
)


def relaxed(search: Search) -> dict[str, int]:
    """The least costs, by going over every step as often as there are hexes."""
    best = {name: cost for name, cost in search.sources.items() if name not in search.closed}
    for _ in search.country.hexes:
        for (here, there), step in search.country.steps.items():
            if step is not None and here in best and here not in search.ends and there not in search.closed:
                best[there] = min(best.get(there, best[here] + step), best[here] + step)
    return {name: cost for name, cost in best.items() if search.limit is None or cost <= search.limit}


@settings(max_examples=examples(400), deadline=None)
@given(searches)
def test_the_field_is_that_of_a_search_that_tries_everything(search: Search) -> None:
    assert search.field.cost == relaxed(search)


@settings(max_examples=examples(400), deadline=None)
@given(searches, st.sets(hexes, max_size=3))
def test_a_search_that_ends_at_the_first_of_some_hexes_finds_the_nearest_of_them(
    search: Search, until: set[str]
) -> None:
    whole = relaxed(search)
    nearest = min((cost for name, cost in whole.items() if name in until), default=None)
    limits: dict[str, Any] = {"closed": search.closed, "last_hexes": search.ends, "limit": search.limit}
    found = field(search.country, search.sources, until=until, **limits)
    assert found.cost.items() <= whole.items(), "nothing is known of what might yet be cheaper"
    assert {name for name, cost in whole.items() if nearest is None or cost < nearest} <= set(found.cost)
    assert nearest is None or nearest in [found.cost.get(name) for name in until]
    assert set(found.before) <= set(found.cost)
    for name, cost in found.cost.items():
        line = found.line(name)
        assert search.sources[line[0]] + sum(search.country.steps[step] or 0 for step in pairwise(line)) == cost


@settings(max_examples=examples(400), deadline=None)
@given(searches)
def test_the_line_to_every_hex_is_a_real_one_and_costs_what_the_field_says(search: Search) -> None:
    found = search.field
    assert set(found.before) <= set(found.cost)
    for name, cost in found.cost.items():
        line = found.line(name)
        assert line[0] in search.sources and line[-1] == name
        assert not set(line) & set(search.closed) and not set(line[:-1]) & set(search.ends)
        steps = [search.country.steps[step] for step in pairwise(line)]
        assert search.sources[line[0]] + sum(step for step in steps if step is not None) == cost
        assert None not in steps and len(set(line)) == len(line)


# --- crossings --------------------------------------------------------------------------------------------------------

GROUND = {"a": "clear", "b": "clear", "c": "wood", "d": "clear"}
RIVER = {frozenset("cd")}


def compiled(names: str = "abcd") -> Crossings:
    """Four hexes in a row, and a fifth that nobody has drawn."""
    row = "abcde"
    return compile_crossings(
        names,
        lambda here: [row[at] for at in (row.index(here) - 1, row.index(here) + 1) if 0 <= at < len(row)],
        lambda here: (("terrain", GROUND[here]),),
        lambda here, there: (("river", frozenset({here, there}) in RIVER),),
    )


def kind(leaves: str, river: bool, enters: str) -> Crossing:
    return Crossing((("terrain", leaves),), (("river", river),), (("terrain", enters),))


def ways(crossings: Crossings) -> list[Sequence[tuple[int, int]]]:
    """The steps from every hex."""
    return [list(crossings.ways(number)) for number in range(len(crossings.hexes))]


def test_every_step_has_the_kind_of_its_ground() -> None:
    crossings = compiled()
    steps = {
        (crossings.hexes[at], crossings.hexes[to]): crossings.kinds[number]
        for at, steps in enumerate(ways(crossings))
        for to, number in steps
    }
    assert steps == {
        (here, there): kind(GROUND[here], frozenset({here, there}) in RIVER, GROUND[there])
        for one, other in pairwise("abcd")
        for here, there in ((one, other), (other, one))
    }


def test_hexes_are_numbered_as_given_and_steps_off_them_are_left_out() -> None:
    crossings = compiled("cb")
    assert (crossings.hexes, dict(crossings.number)) == (("c", "b"), {"c": 0, "b": 1})
    assert [[to for to, _ in steps] for steps in ways(crossings)] == [[1], [0]]


@given(st.lists(st.sampled_from(["clear", "wood", "bog"]), min_size=16, max_size=16))
def test_a_board_has_no_kind_twice_and_none_that_is_not_there(letters: list[str]) -> None:
    grid = HexGrid(columns=(1, 4), rows=(1, 4))
    ground = dict(zip((f"0{column}0{row}" for column in range(1, 5) for row in range(1, 5)), letters, strict=True))

    def around(here: str) -> Iterable[str]:
        return map(grid.name, grid.neighbours(grid.parse(here)).values())

    crossings = compile_crossings(ground, around, lambda here: (("terrain", ground[here]),), lambda here, there: ())
    pairs = {(ground[here], ground[there]) for here in ground for there in around(here)}
    assert len(ways(crossings)) == 16
    said = [(dict(kind.leaves)["terrain"], dict(kind.enters)["terrain"]) for kind in crossings.kinds]
    assert len(said) == len(pairs) and set(said) == pairs


def test_only_the_ground_is_read_that_a_line_may_pass() -> None:
    row = [f"{number:02}" for number in range(40)]
    read: list[str] = []

    def ground(here: str) -> Ground:
        read.append(here)
        return (("terrain", "clear"),)

    def around(here: str) -> list[str]:
        return [row[at] for at in (int(here) - 1, int(here) + 1) if 0 <= at < len(row)]

    crossings = compile_crossings(row, around, ground, lambda here, there: ())
    assert read == []
    field = cost_field(crossings, lambda kind: 2, {"20": 0}, limit=5)
    assert field.cost == {"18": 4, "19": 2, "20": 0, "21": 2, "22": 4}
    assert sorted(read) == ["17", "18", "19", "20", "21", "22", "23"], "each once"


# --- zones ------------------------------------------------------------------------------------------------------------


def test_a_zone_is_every_hex_around_the_units_that_it_extends_to() -> None:
    around = {"a": "be", "b": "ac", "c": "bd"}
    assert zone("ac", lambda at: around[at], lambda here, there: True) == set("bed")
    assert zone("ab", lambda at: around[at], lambda here, there: True) == set("beac"), "also where a unit stands"
    assert zone("ac", lambda at: around[at], lambda here, there: (here, there) != ("c", "d")) == set("be")
    assert zone("ac", lambda at: around[at], lambda here, there: here == "a") == set("be"), "b from one side is enough"
    assert zone("", lambda at: around[at], lambda here, there: True) == frozenset()


# --- by hexes and along links -----------------------------------------------------------------------------------------

RING = {"a": "bf", "b": "ac", "c": "bd", "d": "ce", "e": "df", "f": "ea"}


def around(hex: str) -> str:
    """The neighbours on a ring of six hexes."""
    return RING[hex]


def test_a_radius_counts_hexes_and_remembers_a_shortest_line_until_it_has_reached_what_is_looked_for() -> None:
    found = radius(["a"], 2, around)
    assert found.cost == {"a": 0, "b": 1, "f": 1, "c": 2, "e": 2}
    assert (found.line("e"), found.line("a")) == (("a", "f", "e"), ("a",))
    assert set(radius(["a"], None, around, until="b").cost) == set("abf")
    assert radius(["a"], None, around).cost["d"] == 3


def test_what_a_line_may_enter_leave_and_cross() -> None:
    assert set(radius(["a"], None, around, enters=lambda hex: hex not in "cf").cost) == set("ab")
    barred = radius(["a"], None, around, may_leave=lambda hex: hex != "b", crosses=lambda *pair: pair != ("a", "f"))
    assert barred.cost == {"a": 0, "b": 1}
    assert set(radius(["a"], 1, around, may_leave=lambda hex: hex != "a").cost) == set("abf"), "a source may be left"


def test_a_link_is_followed_until_it_is_shut() -> None:
    def rail(here: str, there: str) -> bool:
        return {here, there} != {"a", "f"}

    assert trace_links(["a"], around, rail).cost == {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4, "f": 5}
    assert set(trace_links(["a"], around, rail, shut=lambda hex: hex == "c").cost) == set("ab")
    assert trace_links(["a"], around, rail, reach=2).line("c") == ("a", "b", "c")
    shut = trace_links(["a", "d"], around, lambda *pair: "b" not in pair, shut=lambda hex: hex == "a")
    assert shut.cost == {"d": 0, "c": 1, "e": 1, "f": 2}, "nor does one begin there"


def test_the_steps_from_a_hex_are_told_with_their_kinds_and_turned_round() -> None:
    crossings = compile_crossings(
        "ab",
        lambda hex: [{"a": "b", "b": "a"}[hex]],
        lambda hex: (("name", hex),),
        lambda here, there: (("ford", True),),
    )
    ((other, kind),) = crossings.from_hex("a")
    assert (other, kind) == ("b", Crossing((("name", "a"),), (("ford", True),), (("name", "b"),)))
    assert [*crossings.from_hex("b")] == [("a", kind.back)]


@given(st.frozensets(st.sampled_from(sorted(RING))), st.frozensets(st.sampled_from(sorted(RING))), st.integers(0, 4))
def test_a_radius_reaches_what_a_cost_field_of_one_a_hex_does(
    sources: frozenset[str], closed: frozenset[str], reach: int
) -> None:
    """Whatever stands on a source: the two ways to trace a line close the same hexes."""
    ways = compile_crossings(sorted(RING), around, lambda hex: (), lambda here, there: ())
    field = cost_field(ways, lambda kind: 1, dict.fromkeys(sources, 0), closed=closed, limit=reach)
    assert radius(sorted(sources), reach, around, closed=closed).cost == field.cost
