"""Moves of one unit or a stack along a way: what is asked for, where units end, what they do on the way, and what that changes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.rules.field.movement import Moving, Prices, stretch_of, unable_now
from assistant.rules.field.ways import HexBar
from assistant.rules.moves import (
    REFUSED_MOVE,
    March,
    Marched,
    Order,
    choose_refusal,
    move_changes,
    order_of,
    order_to_reach,
    stack_move,
    starting_hex,
    walk,
)
from assistant.util.errors import InputError

from ...conftest import viewed
from .moor import moor, seen

GAME = "game world-undone-east-prussia-1914\n"
STACK = f"{GAME}3015: XX/37, XX/41\n3010: I/1\nI/2 arrives=9\n"
RULES = {"march": "5.1", "rail": "5.2", "over": "6.1"}


def order(*way: str, units: tuple[str, ...] = ("XX/37",), text: str = "", **asked: Any) -> Order:
    return order_of(viewed(STACK + text), units, way, **asked)


def march(here: str, there: str, number: int) -> Marched | HexBar:
    return HexBar("4.1", f"sea, after {number}") if there == "3010" else Marched(hex=there, cost=2)


def moved(found: Order, points: int, **more: Any) -> Any:
    view = viewed(STACK)
    movings = [Moving(view, found.line[0], points, march, **more) for _ in found.ends]
    return walk(found, movings, "5.1")


def test_units_that_move_together_begin_together() -> None:
    view = viewed(STACK)
    assert (starting_hex(view, ["XX/37", "XX/41"]), starting_hex(view, ["I/2"])) == ("3015", "")
    with pytest.raises(InputError, match="units: I/1 does not begin in 3015 with XX/37"):
        starting_hex(view, ["XX/37", "I/1"])
    with pytest.raises(InputError, match="units: I/1 does not begin in the same place with I/2"):
        starting_hex(view, ["I/2", "I/1"])
    with pytest.raises(InputError, match="units: none is named"):
        starting_hex(view, [])


def test_an_order_says_where_each_unit_ends() -> None:
    both = ("XX/37", "XX/41")
    assert order("3014", "3013", units=both).ends == {"XX/37": 2, "XX/41": 2}
    assert order("3014", "3013", units=both, drop=["XX/41@3014"]).ends == {"XX/37": 2, "XX/41": 1}
    assert order("3014", "3015", "3014", units=both, drop=["XX/41@3015"]).ends["XX/41"] == 2
    with pytest.raises(InputError, match="drop: 'I/1@3014' is not a unit that moves and a hex that it enters"):
        order("3014", units=both, drop=["I/1@3014"])
    with pytest.raises(InputError, match="way: it must enter at least one hex"):
        order()
    assert order(stays=True).stays
    assert not order("3014").stays
    with pytest.raises(InputError, match="way: it must enter at least one hex"):
        order(units=("I/2",), stays=True)


def test_entraining_riding_and_detraining_on_the_way() -> None:
    found = order("3014", "3013", "3012", "3011", entrain="3014", detrain="3012")
    assert (found.rail, found.riders, dict(found.done)) == (range(1, 3), 1, {1: 1, 3: 1})
    assert [found.rides(number) for number in range(4)] == [False, True, True, False]
    assert [found.sets_out(number) for number in range(4)] == [False, True, False, False]
    assert [found.spent(number) for number in range(4)] == [1, 0, 1, 0]
    here = order("3014", entrain="3015")
    assert (here.rail, here.spent(0), here.riders) == (range(0, 1), 1, 1)
    enters = order("0115", "0215", units=("I/2",), entrain="0115")
    assert (enters.rail, dict(enters.done), enters.riders) == (range(0, 2), {}, 1)
    aboard = order("3014", "3013", text="XX/37 entrained\n", detrain="3014")
    assert (aboard.rail, dict(aboard.done), aboard.riders) == (range(0, 1), {1: 1}, 0)
    both = order("3014", "3013", units=("XX/37", "XX/41"), entrain="3014", drop=["XX/41@3014"])
    assert both.riders == 2
    later = order("3014", "3013", units=("XX/37", "XX/41"), entrain="3013", drop=["XX/41@3014"])
    assert later.riders == 1, "the other has left before"


def test_to_reach_what_it_can_a_unit_entrains_where_it_stands() -> None:
    found = order_to_reach(viewed(STACK), "XX/37", by_rail=True)
    assert (found.line, found.railheads, found.spent(0), found.riders) == (("3015",), ("3015",), 1, 1)
    assert all(found.rides(number) for number in range(60))
    aboard = order_to_reach(viewed(STACK + "XX/37 entrained\n"), "XX/37", by_rail=True)
    assert (aboard.railheads, aboard.spent(0), aboard.riders) == ((), 0, 0)
    waiting = order_to_reach(viewed(STACK), "I/2", by_rail=True)
    assert (waiting.line, waiting.railheads, waiting.spent(0), waiting.riders) == (("",), (), 0, 1)
    assert order_to_reach(viewed(STACK), "XX/37", by_rail=False).rail is None
    assert order("3014", "3013", "3012", entrain="3014", detrain="3012").railheads == ("3014", "3012")


def test_what_a_unit_does_for_a_point_it_does_alone() -> None:
    found = order("3014", works={"dig": ["3015", "3014"], "hold": ["3014"]})
    assert (dict(found.done), found.spent(0)) == ({0: 1, 1: 2}, 3)
    assert (found.at("dig"), found.at("cut")) == (["3015", "3014"], ())
    with pytest.raises(InputError, match="^dig: the work of one unit"):
        order("3014", units=("XX/37", "XX/41"), works={"hold": [], "dig": ["3014"]})
    with pytest.raises(InputError, match="dig: 3010 is not on the route"):
        order("3014", works={"dig": ["3010"]})
    assert order("3014", units=("XX/37", "XX/41"), works={"dig": []}).done == {}


def test_each_unit_pays_for_its_own_part() -> None:
    found = order("3014", "3013", units=("XX/37", "XX/41"), drop=["XX/41@3014"])
    moves, bars = moved(found, 4)
    assert [(one.end, one.cost, one.left, one.way) for one in moves] == [
        ("3013", 4, 0, ("3015", "3014", "3013")),
        ("3014", 2, 2, ("3015", "3014")),
    ]
    assert bars == []
    assert [bar.text for bar in moved(found, 3)[1]] == ["3013: 4 Movement Points are needed, but XX/37 has 3"]
    spent, bars = moved(found, 0)[1], moved(found, 3)[1]
    assert [bar.text for bar in spent] == [f"{unit} has no Movement Points left" for unit in ("XX/37", "XX/41")]
    assert (choose_refusal([*bars, *spent]), choose_refusal(bars)) == ("{why}", REFUSED_MOVE)
    stays = order(works={"dig": ["3015"]})
    assert [one.cost for one in moved(stays, 1)[0]] == [1]
    assert [bar.text for bar in moved(stays, 0)[1]] == ["1 Movement Point needed, but XX/37 has 0"]


def test_the_hexes_that_are_then_over_the_limits() -> None:
    view = viewed(f"{GAME}3015: XX/37, XX/41\n3014: I/1\n")
    found = order_of(view, ["XX/37", "XX/41"], ["3014", "3013"], ["XX/41@3014"])
    moves, _ = walk(found, [Moving(view, "3015", 9, march)] * 2, "5.1")
    asked = list[tuple[str, ...]]()

    def fits(names: Any) -> bool:
        asked.append(tuple(names))
        return len(names) < 2

    assert stack_move(view, moves, fits).over == ("3014",)
    assert sorted(asked) == [("I/1", "XX/41"), ("XX/37",)]
    assert stack_move(view, moves, fits).way == ("3015", "3014", "3013")


def changes(found: Order, text: str = "") -> dict[str, Any]:
    view = viewed(STACK + text)
    moves, _ = walk(found, [Moving(view, found.line[0], 9, march)], "5.1")
    return {change.track: change.after for change in move_changes(view, moves[0], found, RULES)}  # type: ignore[union-attr]


def test_what_a_move_changes_of_a_unit() -> None:
    assert changes(order("3014")) == {"place": "3014", "moved": True}
    assert changes(order("3014", entrain="3015")) == {"place": "3014", "moved": True, "entrained": True}
    assert changes(order("3014", entrain="3015", detrain="3014")) == {"place": "3014", "moved": True}
    assert changes(order(entrain="3015")) == {"moved": True, "entrained": True}
    riding = "XX/37 entrained\n"
    assert changes(order("3014", text=riding), riding) == {"place": "3014", "moved": True}
    assert changes(order("3014", text=riding, detrain="3014"), riding) == {
        "place": "3014",
        "moved": True,
        "entrained": False,
    }


def test_a_part_of_a_way() -> None:
    names = ("begin", "end")
    line = ["1", "2", "3", "2", "4"]
    assert stretch_of(line, "", "", names=names) == (0, 4)
    assert stretch_of(line, "2", "2", names=names) == (1, 3)
    with pytest.raises(InputError, match="end: 5 is not on the route"):
        stretch_of(line, "2", "5", names=names)


@pytest.mark.parametrize(
    ("line", "reasons"),
    [
        ("", []),
        ("phase=first-movement phasing=german", []),
        ("phase=first-combat", ["units move only in the Movement Phase, but this is first-combat"]),
        ("phasing=russian", ["it is the player turn of the Russian side"]),
        ("XX/37 moved", ["XX/37 has already moved this phase"]),
    ],
)
def test_what_keeps_a_unit_from_moving_at_a_moment(line: str, reasons: list[str]) -> None:
    view = viewed(f"{STACK}{line}\n")
    assert [one.text for one in unable_now(view, "XX/37", "german", ("first-movement",), "5.1")] == reasons


PRICES = Prices("terrain-cost", of_hex=("terrain", "town"), of_hexside=("barrier",), free=("none", "open"))
LEVEL = "".join(f"chart terrain-cost {feature} = 2\n" for feature in ("clear", "forest", "swamp", "sea"))


def test_a_chart_of_the_owner_prices_a_step() -> None:
    text = f"{GAME}3014 forest town=town\n3014~3015\n"
    cells = "".join(
        f"chart terrain-cost {feature} = {cost}\n" for feature, cost in (("forest", 1), ("town", 2), ("river", 4))
    )
    with viewed(text + cells).gather() as facts:
        assert (PRICES.of_step(facts, "3015", "3014"), PRICES.of_step(facts, "", "3014")) == (7, 3)
    shut = viewed(text + cells.replace("= 2", "= prohibited"))
    with shut.gather() as facts:
        assert PRICES.of_step(facts, "3015", "3014") is None
    plain = viewed(f"{GAME}3014 town=none\n3014-3015\n{LEVEL}")
    with plain.gather() as facts:
        assert PRICES.of_step(facts, "3015", "3014") == 2, "all ground costs the same"


def test_a_game_may_move_units_by_rail_without_a_flag_for_those_aboard(tmp_path: Path) -> None:
    game = moor(tmp_path, {})
    view = seen(game, "0101: 1st\n")
    ride = March(unit="1st", at="0101", entered=(Marched(hex="0102", cost=1, how="rail"),), cost=2, allowance=4)
    changes = move_changes(view, ride, order_of(view, ["1st"], ["0102"], entrain="0101"), RULES)
    assert [(one.track, one.after) for one in changes] == [("place", "0102")]  # type: ignore[union-attr]
