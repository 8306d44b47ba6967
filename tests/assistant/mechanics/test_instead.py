"""Lines sought again where something lies apart: the same as those sought afresh."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.mechanics.crossings import Crossing, Crossings, Ground, OpenWays, compile_crossings
from assistant.mechanics.repairs import Lifting, lifted_field
from assistant.mechanics.tracing import Spread, cost_field

from ...cases import examples
from .test_repairs import HEXES, next_to

costs = st.fixed_dictionaries({hex: st.sampled_from((0, 1, 1, 2)) for hex in HEXES})
some = st.sets(st.sampled_from(HEXES), max_size=5)
asked = st.lists(st.tuples(st.sampled_from(HEXES), st.integers(0, 6)), max_size=6)


def price(kind: Crossing) -> int | None:
    return int(str(kind.enters[0][1]))


def mended(kind: Crossing) -> int | None:
    return 0


def ground(cost: dict[str, int]) -> Callable[[str], Ground]:
    return lambda hex: (("cost", cost[hex]),)


def again(known: Crossings, cost: dict[str, int], apart: set[str]) -> Crossings:
    """The same board where something else lies in some hexes."""
    return compile_crossings(HEXES, next_to, ground(cost), lambda here, there: (), known, apart)


@settings(max_examples=examples(200), deadline=None)
@given(costs, some, asked)
def test_what_is_asked_of_a_spread_is_what_a_whole_search_finds(
    cost: dict[str, int], closed: set[str], questions: list[tuple[str, int]]
) -> None:
    crossings = compile_crossings(HEXES, next_to, ground(cost), lambda here, there: ())
    spread = Spread(OpenWays(crossings, price, closed), {"a1": 0})
    for to, limit in questions:
        field = cost_field(crossings, price, {"a1": 0}, closed=closed - {"a1"}, limit=limit)
        if to == "a1" or to in closed or "a1" not in closed:
            assert spread.cost(to, limit) == field.cost.get(to)
            if to in field.cost:
                assert spread.line(to) == field.line(to)


@settings(max_examples=examples(200), deadline=None)
@given(costs, some, asked, st.dictionaries(st.sampled_from(HEXES), st.integers(0, 2), max_size=2), some, asked)
def test_lines_on_other_ways_are_those_of_a_new_search(
    cost: dict[str, int],
    closed: set[str],
    before: list[tuple[str, int]],
    otherwise: dict[str, int],
    then_closed: set[str],
    after: list[tuple[str, int]],
) -> None:
    crossings = compile_crossings(HEXES, next_to, ground(cost), lambda here, there: ())
    ways = OpenWays(crossings, price, closed)
    spread = Spread(ways, {"b2": 0})
    known = [spread.cost(to, limit) for to, limit in before]
    changed = again(crossings, {**cost, **otherwise}, set(otherwise))
    there = ways.instead(changed, then_closed, otherwise)
    fresh = Spread(OpenWays(changed, price, then_closed), {"b2": 0})
    kept = spread.moved_to(there) or Spread(there, {"b2": 0})
    for to, limit in after:
        assert kept.cost(to, limit) == fresh.cost(to, limit)
        if kept.cost(to, limit) is not None:
            assert kept.line(to) == fresh.line(to)
    assert [spread.cost(to, limit) for to, limit in before] == known, "of the map before nothing is forgotten"


@settings(max_examples=examples(200), deadline=None)
@given(costs, some, st.dictionaries(st.sampled_from(HEXES), st.integers(0, 2), max_size=2), some, st.integers(1, 5))
def test_obstacles_on_other_ways_are_those_of_a_new_search(
    cost: dict[str, int], closed: set[str], otherwise: dict[str, int], then_closed: set[str], limit: int
) -> None:
    crossings = compile_crossings(HEXES, next_to, ground(cost), lambda here, there: ())
    lifting = Lifting(crossings, price, mended, closed)
    field = lifted_field(lifting, ["a1"], limit=limit)
    changed = again(crossings, {**cost, **otherwise}, set(otherwise))
    there = lifting.instead(changed, then_closed, otherwise)
    fresh = lifted_field(Lifting(changed, price, mended, then_closed), ["a1"], limit=limit)
    kept = field if field.still(there) else lifted_field(there, ["a1"], limit=limit)
    assert [kept.to(hex) for hex in HEXES] == [fresh.to(hex) for hex in HEXES]


def test_a_closed_hex_off_the_lines_lets_them_stand() -> None:
    row = [f"{number:02}" for number in range(20)]
    beside = {one: [other for pair in pairwise(row) if one in pair for other in pair if other != one] for one in row}
    crossings = compile_crossings(row, beside.__getitem__, lambda here: (), lambda here, there: ())
    ways = OpenWays(crossings, lambda kind: 1)
    spread = Spread(ways, {"05": 0})
    assert spread.cost("08", 5) == 3
    far, near = ways.instead(crossings, {"15"}, ()), ways.instead(crossings, {"07"}, ())
    kept = spread.moved_to(far)
    assert kept is not None and (kept.cost("08", 5), kept.cost("15", 20)) == (3, None)
    assert spread.moved_to(near) is None
