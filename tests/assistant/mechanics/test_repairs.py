"""The line that lifts the fewest obstacles, and lines sought again where something lies apart, against whole searches."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.mechanics.crossings import Crossing, Crossings, Ground, OpenWays, compile_crossings
from assistant.mechanics.repairs import Lifted, Lifting, lifted_field
from assistant.mechanics.tracing import Spread, cost_field
from assistant.util.errors import InputError

from ...cases import examples

COLUMNS, ROWS = "abcd", "123"
HEXES = [column + row for column in COLUMNS for row in ROWS]


def next_to(hex: str) -> list[str]:
    column, row = COLUMNS.index(hex[0]), ROWS.index(hex[1])
    beside = [(column + x, row + y) for x, y in ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1))]
    return [COLUMNS[x] + ROWS[y] for x, y in beside if 0 <= x < len(COLUMNS) and 0 <= y < len(ROWS)]


def side(here: str, there: str) -> str:
    return "|".join(sorted((here, there)))


def board(cost: dict[str, int], rivers: Collection[str]) -> Crossings:
    """A small board: what each hex costs, and the hexsides that a river bars."""
    return compile_crossings(
        HEXES,
        next_to,
        lambda hex: (("cost", cost[hex]),),
        lambda here, there: (("river", side(here, there) in rivers),),
    )


def price(kind: Crossing) -> int | None:
    return None if kind.over[0][1] else int(str(kind.enters[0][1]))


def bridged(kind: Crossing) -> int | None:
    """What a step costs once its river is bridged."""
    return int(str(kind.enters[0][1])) + 1 if kind.over[0][1] else None


PLAIN = dict.fromkeys(HEXES, 1)


def lifted(
    closed: Collection[str] = (), rivers: Collection[str] = (), limit: int | None = None, to: str = "d1"
) -> Lifted | None:
    return lifted_field(Lifting(board(PLAIN, rivers), price, bridged, closed), ["a1"], limit=limit).to(to)


def test_nothing_is_lifted_for_a_line_that_is_open_or_that_no_bridge_mends() -> None:
    assert lifted() == Lifted(3, ("a1", "b1", "c1", "d1"))
    field = lifted_field(Lifting(board(PLAIN, [side("a1", there) for there in next_to("a1")]), price), ["a1"])
    assert field.to("d1") is None
    with pytest.raises(InputError, match="no line can be traced from z9"):
        lifted_field(Lifting(board(PLAIN, ()), price), ["z9"])


def test_a_river_is_bridged_where_that_is_the_fewest() -> None:
    across = [side(here, there) for here in HEXES for there in next_to(here) if (here[0] < "c") != (there[0] < "c")]
    found = lifted(rivers=across)
    assert found is not None
    assert (found.cost, found.opened, found.mended) == (4, (), ("b1|c1",))


def fewest(
    cost: dict[str, int], closed: set[str], rivers: set[str], limit: int, to: str
) -> tuple[int, set[frozenset[str]]] | None:
    """By trying all sets of obstacles: how many have to be lifted, and which sets of so many are enough."""
    obstacles = sorted(closed | rivers)
    for number in range(len(obstacles) + 1):
        enough = set()
        for some in combinations(obstacles, number):
            open_board = compile_crossings(
                HEXES,
                next_to,
                lambda hex: (("cost", cost[hex]),),
                lambda here, there, some=some: (  # type: ignore[misc]
                    ("river", side(here, there) in rivers - {*some}),
                    ("bridge", side(here, there) in rivers & {*some}),
                ),
            )

            def priced(kind: Crossing) -> int | None:
                plain = price(kind)
                return None if plain is None else plain + bool(kind.over[1][1])

            field = cost_field(open_board, priced, {"a1": 0}, closed=closed - {*some} - {"a1"}, limit=limit)
            if to in field.cost:
                enough.add(frozenset(some))
        if enough:
            return number, enough
    return None


@settings(max_examples=examples(60), deadline=None)
@given(
    st.fixed_dictionaries({hex: st.sampled_from((0, 1, 1, 2)) for hex in HEXES}),
    st.sets(st.sampled_from(HEXES[1:]), max_size=5),
    st.sets(st.sampled_from(sorted({side(here, there) for here in HEXES for there in next_to(here)})), max_size=4),
    st.integers(1, 6),
    st.sampled_from(HEXES[4:]),
)
def test_the_named_obstacles_are_the_fewest_that_restore_a_line(
    cost: dict[str, int], closed: set[str], rivers: set[str], limit: int, to: str
) -> None:
    lifting = Lifting(board(cost, rivers), price, bridged, closed)
    field = lifted_field(lifting, ["a1"], max_obstacles=9)
    found, expected = field.to(to, limit), fewest(cost, closed, rivers, limit, to)
    soon = lifted_field(lifting, ["a1"], max_obstacles=9, wanted={to: limit}, limit=limit).to(to, limit)
    assert (soon and (soon.cost, len(soon.obstacles))) == (found and (found.cost, len(found.obstacles)))
    assert (found is None) == (expected is None)
    if found and expected:
        number, enough = expected
        assert len(found.obstacles) == number
        assert frozenset(found.obstacles) in enough, "so no part of them is"
        assert found.cost <= limit


# --- sought again -----------------------------------------------------------------------------------------------------

costs = st.fixed_dictionaries({hex: st.sampled_from((0, 1, 1, 2)) for hex in HEXES})
some = st.sets(st.sampled_from(HEXES), max_size=5)
asked = st.lists(st.tuples(st.sampled_from(HEXES), st.integers(0, 6)), max_size=6)


def price_of(kind: Crossing) -> int | None:
    return int(str(kind.enters[0][1]))


def mended_for_nothing(kind: Crossing) -> int | None:
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
    spread = Spread(OpenWays(crossings, price_of, closed), {"a1": 0})
    for to, limit in questions:
        field = cost_field(crossings, price_of, {"a1": 0}, closed=closed - {"a1"}, limit=limit)
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
    ways = OpenWays(crossings, price_of, closed)
    spread = Spread(ways, {"b2": 0})
    known = [spread.cost(to, limit) for to, limit in before]
    changed = again(crossings, {**cost, **otherwise}, set(otherwise))
    there = ways.instead(changed, then_closed, otherwise)
    fresh = Spread(OpenWays(changed, price_of, then_closed), {"b2": 0})
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
    lifting = Lifting(crossings, price_of, mended_for_nothing, closed)
    field = lifted_field(lifting, ["a1"], limit=limit)
    changed = again(crossings, {**cost, **otherwise}, set(otherwise))
    there = lifting.instead(changed, then_closed, otherwise)
    fresh = lifted_field(Lifting(changed, price_of, mended_for_nothing, then_closed), ["a1"], limit=limit)
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
