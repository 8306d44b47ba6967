"""What would let a line through, against opening each hex and each hexside in turn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.mechanics.crossings import Crossing, Crossings, Ground, compile_crossings
from assistant.mechanics.openings import opened_in_one_step, opened_once, openings
from assistant.mechanics.tracing import CostField, cost_field
from assistant.state.state import hexside

from ...cases import examples

COLUMNS, ROWS = 4, 3
HEXES = [f"{column}{row}" for column in range(COLUMNS) for row in range(ROWS)]
BARRED = 9


def around(hex: str) -> list[str]:
    """The hexes next to one, on a map of squares."""
    column, row = map(int, hex)
    beside = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
    return [f"{x}{y}" for x, y in beside if 0 <= x < COLUMNS and 0 <= y < ROWS]


SIDES = sorted({hexside(hex, other) for hex in HEXES for other in around(hex)})


def price(kind: Crossing) -> int | None:
    """What stands in the hex that is entered and on the hexside, None where either is barred."""
    cost, more = int(str(dict(kind.enters)["cost"])), int(str(dict(kind.over)["cost"]))
    return None if BARRED in (cost, more) else cost + more


def price_back(kind: Crossing) -> int | None:
    return price(Crossing(kind.enters, kind.over, kind.leaves))


def compiled(ground: Mapping[str, int]) -> Crossings:
    return compile_crossings(
        HEXES,
        around,
        lambda hex: (("cost", str(ground[hex])),),
        lambda here, there: (("cost", str(ground[hexside(here, there)])),),
    )


def lines(ground: Mapping[str, int], closed: Collection[str], limit: int) -> CostField:
    return cost_field(compiled(ground), price, {"00": 0}, closed=closed, limit=limit)


def opened(ground: Mapping[str, int], closed: Collection[str], limit: int) -> set[str]:
    """What alone would let a line from 00 to 32 through."""
    crossings = compiled(ground)
    best: Ground = (("cost", "0"),)
    home = cost_field(crossings, price_back, {"32": 0}, closed=closed, limit=limit)

    def in_hex(hex: str, now: Ground) -> list[tuple[str, Ground]]:
        return [(hex, now if hex in closed else best)]

    def on_side(here: str, there: str, now: Ground) -> list[tuple[str, Ground]]:
        return [(hexside(here, there), best)]

    begun = lines(ground, closed, limit)
    return set(openings(crossings, price, begun.cost, home.cost, limit, in_hex, on_side))


def test_one_hex_of_a_wall_may_be_opened_and_a_hexside_beside_it() -> None:
    walled: dict[str, Any] = dict.fromkeys(SIDES, 0) | dict.fromkeys(HEXES, 1)
    walled |= {"10": BARRED, "11": BARRED, "12|22": BARRED}
    assert opened(walled, (), 9) == {"10", "11", "12|22"}
    assert opened(walled, (), 5) == {"10", "11", "12|22"}
    assert opened(walled, (), 3) == set(), "each of them leaves a line of four at least"
    assert opened(walled | {"10": 1}, ("10",), 9) == {"10", "11", "12|22"}, "a closed hex, with the ground that it has"


costs = st.sampled_from([1, 1, 1, 2, 3, BARRED, BARRED])
mostly_free = st.sampled_from([0, 0, 0, 1, BARRED])


@given(
    st.fixed_dictionaries(dict.fromkeys(HEXES, costs) | dict.fromkeys(SIDES, mostly_free)),
    st.sets(st.sampled_from(HEXES[1:-1]), max_size=3),
    st.integers(2, 9),
)
def test_the_same_as_opening_each_in_turn(ground: dict[str, int], closed: set[str], limit: int) -> None:
    if "32" in lines(ground, closed, limit).cost:
        return
    by_ground = {name for name in {*HEXES, *SIDES} - closed if "32" in lines(ground | {name: 0}, closed, limit).cost}
    expected = by_ground | {hex for hex in closed if "32" in lines(ground, closed - {hex}, limit).cost}
    assert opened(ground, closed, limit) == expected


def opened_twice(ground: Mapping[str, int], closed: Collection[str], limit: int) -> set[str]:
    """What would let a line from 00 to 32 through, alone or with something else."""
    crossings = compiled(ground)
    best: Ground = (("cost", "0"),)

    def in_hex(hex: str, now: Ground) -> list[tuple[str, Ground]]:
        return [(hex, now if hex in closed else best)]

    def on_side(here: str, there: str, now: Ground) -> list[tuple[str, Ground]]:
        return [(hexside(here, there), best)]

    begun = lines(ground, closed, limit).cost
    home = cost_field(crossings, price_back, {"32": 0}, closed=closed, limit=limit).cost
    begun_once = opened_once(crossings, price, begun, closed, limit, in_hex, on_side)
    home_once = opened_once(crossings, price_back, home, closed, limit, in_hex, on_side)
    first = openings(crossings, price, begun, home_once, limit, in_hex, on_side)
    second = openings(crossings, price, begun_once, home, limit, in_hex, on_side)
    return {*first, *second, *opened_in_one_step(crossings, price, begun, home, limit, in_hex, on_side)}


def test_a_closed_hex_is_found_together_with_what_lies_beside_it() -> None:
    free: dict[str, int] = dict.fromkeys(SIDES, 0) | dict.fromkeys(HEXES, 1)
    assert {"22", "22|32"} <= opened_twice(free | {"31": BARRED, "22|32": BARRED}, {"22"}, 5), (
        "the hexside as it is left"
    )
    assert {"10", "00|10"} <= opened_twice(free | {"01": BARRED, "00|10": BARRED}, {"10"}, 5), "as it is entered"
    walled = free | {"31": 2, "21|31": BARRED, "22|32": BARRED}
    assert {"30", "31"} <= opened_twice(walled, {"30"}, 4), "a hex next to it, which costs less then"
    far = free | {"31": 2, "20|21": BARRED}
    assert {"30", "31"} <= opened_twice(far, {"11", "30"}, 4), "and that no line reaches as it is"


@settings(max_examples=examples(10), deadline=None)
@given(
    st.fixed_dictionaries(dict.fromkeys(HEXES, costs) | dict.fromkeys(SIDES, mostly_free)),
    st.sets(st.sampled_from(HEXES[1:-1]), max_size=3),
    st.integers(2, 7),
)
def test_two_that_let_a_line_through_together_are_both_found(
    ground: dict[str, int], closed: set[str], limit: int
) -> None:
    ground = ground | {"00": 1, "32": 1}
    if "32" in lines(ground, closed, limit).cost:
        return

    def passes(*otherwise: str) -> bool:
        bettered = ground | {one: 0 for one in otherwise if one not in closed}
        return "32" in lines(bettered, closed - {*otherwise}, limit).cost

    things = [one for one in (*HEXES[1:], *SIDES) if (ground[one] or one in closed) and not passes(one)]
    pairs = {one for pair in combinations(things, 2) if passes(*pair) for one in pair}
    assert pairs <= opened_twice(ground, closed, limit)
