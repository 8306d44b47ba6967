"""The line that lifts the fewest obstacles, against a search of all sets of them."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.mechanics.crossings import Crossing, Crossings, compile_crossings
from assistant.mechanics.repairs import Lifted, Lifting, lifted_field
from assistant.mechanics.tracing import cost_field
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
    field = lifted_field(lifting, ["a1"], most=9)
    found, expected = field.to(to, limit), fewest(cost, closed, rivers, limit, to)
    soon = lifted_field(lifting, ["a1"], most=9, wanted={to: limit}, limit=limit).to(to, limit)
    assert (soon and (soon.cost, len(soon.obstacles))) == (found and (found.cost, len(found.obstacles)))
    assert (found is None) == (expected is None)
    if found and expected:
        number, enough = expected
        assert len(found.obstacles) == number
        assert frozenset(found.obstacles) in enough, "so no part of them is"
        assert found.cost <= limit
