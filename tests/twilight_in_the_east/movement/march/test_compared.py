"""The questions `move` and `reach` against the naive reckoning of marches, on made-up ground."""

from __future__ import annotations

from fractions import Fraction

import pytest

from ....conftest import answered, typed, why_not
from .. import naive_march as naive
from ..made_marches import made, text_of

SEEDS = range(40)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_hexes_are_within_reach_at_the_same_cost(seed: int) -> None:
    world = made(seed)
    report = answered(typed(text_of(world)), "reach", units=world["movers"])
    assert {place.hex: Fraction(place.cost, 2) for place in report.result.hexes} == naive.reach(world)


@pytest.mark.parametrize("seed", SEEDS[:12])
def test_a_move_goes_where_reach_leads_and_costs_as_much(seed: int) -> None:
    world = made(seed)
    position = typed(text_of(world))
    for place in answered(position, "reach", units=world["movers"]).result.hexes[::3]:
        move = answered(position, "move", units=world["movers"], way=place.way)
        assert {move.points for move in move.result.moves} == {place.points}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_step_is_barred_by_a_rule_that_bars_it_there(seed: int) -> None:
    world = made(seed)
    start, position = world["units"][world["movers"][0]]["place"], typed(text_of(world))
    for there in (hex for hex in naive.around(start) if hex in world["hexes"]):
        judged, report = naive.step(world, start, there), answered(position, "move", units=world["movers"], way=[there])
        if isinstance(judged, naive.Points):
            spent = naive.may_spend(world, judged.all)
            assert (report.verdict.kind == "figure") is spent, report.verdict.text
        else:
            rules = {bar.rule for bar in judged} | ({"4.2", "4.1.1a"} if naive.Bar("8.0") in judged else set())
            rules |= {"8.1.1"} if naive.Bar("8.1.1b") in judged else set()
            assert {*why_not(report)} <= rules
