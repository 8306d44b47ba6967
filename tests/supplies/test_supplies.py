"""A short run of `make explore WHAT=supplies`, and what it would notice."""

from __future__ import annotations

from typing import Any

import pytest

from ..cases import few, seeds
from ..comparing.search import tried
from ..making.hexes import neighbours
from .checking import SEARCH, Case
from .naive import Solver, World, is_open, settled
from .worlds import KINDS, make_world, text_of


@few(1)
@pytest.mark.parametrize("seed", seeds(10))
def test_each_unit_has_one_verdict_and_the_true_one(seed: int) -> None:
    many = len(KINDS)
    seen, wrong, _ = tried(SEARCH, range(many * seed, many * seed + many))
    assert wrong == []
    assert all(seen[kind] == 1 for kind in KINDS)
    assert seen["units"] > 3 * many


def test_a_position_is_the_same_each_time() -> None:
    assert text_of(make_world(7, 3)) == text_of(make_world(7, 3)) != text_of(make_world(7, 4))


# --- the naive solver itself, by example ------------------------------------------------------------------------------

LINE = [f"30.{row}" for row in range(20, 30)]


def along(signs: str, **units: dict[str, Any]) -> World:
    """A world of one column: railway (=), road (:) and open ground (/) from 30.20 on, and Russian units."""
    ways = {"=": {"rail": "rail2"}, ":": {"road": "road"}, "/": {}}
    plain = {"barrier": frozenset[str](), "rail": "no-rail", "road": "no-road", "crossing": "no-crossing"}
    between = {(here, there): {**plain, **ways[sign]} for here, there, sign in zip(LINE, LINE[1:], signs, strict=False)}
    known = {"terrain": "clear", "control": "russian", "station": True}
    basic = {"nation": "russian", "size": "XX", "corps": "1", "army": "First"}
    return {
        "kind": "network", "board": False, "whole": True, "side": "russian", "turn": 5, "weather": "normal", "campaign": None,
        "hexes": {hex: dict(known) for hex in LINE[: len(signs) + 1]}, "between": between, "lines": [],
        "units": {name: {**basic, **unit} for name, unit in units.items()},
    }  # fmt: skip


def outcomes(world: World, name: str) -> set[tuple[str, bool | None]]:
    return {Solver(one, edge).outcome(name) for one, edge in settled(world, 0)}


TRAIN = {"arm": "corps-train", "range": 2, "extended-range": 5}
DIVISION = {"arm": "infantry"}
ENEMY = {"arm": "infantry", "nation": "german"}


@pytest.mark.parametrize(("at", "state"), [("30.24", "in"), ("30.27", "low"), ("30.28", "out")])
def test_a_railway_supplies_at_three_hexes_and_at_six(at: str, state: str) -> None:
    assert {one for one, _ in outcomes(along("=::::::::", U={**DIVISION, "place": at}), "U")} == {state}


def test_a_train_beyond_its_normal_range_gives_low_supply_and_must_be_supplied_itself() -> None:
    world = along("==:::::::", T={**TRAIN, "place": "30.22"}, U={**DIVISION, "place": "30.24"})
    assert outcomes(world, "U") == {("in", None)}
    world["units"]["U"]["place"] = "30.27"
    assert outcomes(world, "U") == {("low", None)}
    world["units"]["U"]["place"], world["units"]["T"]["place"] = "30.29", "30.26"
    assert outcomes(world, "U") == {("out", False)}, "it stands four hexes off the railway"


def test_of_a_railway_that_an_enemy_cuts_it_is_open_which_end_leads_on() -> None:
    world = along("=====", U={**DIVISION, "place": "30.25"}, E={**ENEMY, "place": "30.22"})
    assert outcomes(world, "U") == {("in", None), ("out", True)}
    world["hexes"]["30.25"]["linked"] = "none"
    assert outcomes(world, "U") == {("out", True)}
    del world["hexes"]["30.25"]["linked"]
    world["hexes"]["30.24"]["linked"] = "russian"
    assert outcomes(world, "U") == {("in", None)}


def test_a_loc_does_not_pass_an_empty_hex_in_an_ezoc() -> None:
    depot = {"arm": "major-depot", "range": 2, "extended-range": 2, "place": "30.24"}
    world = along("====", D=depot, E={**ENEMY, "place": "31.21"})
    assert outcomes(world, "D") == {("in", None), ("out", False)}
    world["units"] |= {f"U{hex}": {**world["units"]["D"], **DIVISION, "place": hex} for hex in ("30.21", "30.22")}
    assert outcomes(world, "D") == {("in", None)}
    assert not is_open(world)


def test_where_all_is_typed_a_railway_leads_on_at_its_free_end_or_where_that_is_stated() -> None:
    world = along("====:", U={**DIVISION, "place": "30.25"}, E={**ENEMY, "place": "30.22"})
    assert outcomes(world, "U") == {("out", True)}, "a road leads on from 30.24"
    world["hexes"]["30.24"]["linked"] = "russian"
    assert outcomes(world, "U") == {("in", None)}
    del world["hexes"]["30.24"]["linked"]
    world["whole"] = False
    assert {state for state, _ in outcomes(world, "U")} == {"in", "out"}


def test_the_six_hexes_next_to_one() -> None:
    assert set(neighbours("64.38")) == {"64.37", "64.39", "63.37", "63.38", "65.37", "65.38"}
    assert "67.18" in neighbours("66.19")


def test_a_train_serves_two_cavalry_formations_from_outside_its_corps() -> None:
    riders = {name: {"arm": "cavalry", "corps": "", "place": "30.26"} for name in "ABC"}
    world = along("==:::::", T={**TRAIN, "range": 5, "extended-range": 5, "place": "30.22"}, **riders)
    world["hexes"]["30.26"]["terrain"] = world["hexes"]["30.25"]["terrain"] = "clear"
    ((one, edge),) = settled(world, 0)
    solver = Solver(one, edge)
    assert solver.alone("A") == "in"
    assert solver.best() == (4, 3, 0), "two of the three, the third has Low Supply from the railway"


def test_a_case_compares_what_is_said_of_a_unit_alone_and_with_its_side() -> None:
    case = Case(along("==:::::", T={**TRAIN, "place": "30.22"}, U={**DIVISION, "place": "30.24"}))
    assert list(case.faults()) == []
    case.rows["U"] = case.rows["T"]
    case.alone["U"] = case.alone["T"]
    assert list(case.about("U")) == []
