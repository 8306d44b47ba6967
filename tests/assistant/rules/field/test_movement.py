"""Movement hex by hex: costs along a way, what bars it, the minimum move, and all hexes within reach."""

from __future__ import annotations

import pytest

from assistant.asking.report import MissingFacts
from assistant.asking.view import View
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.rules.field import HexOption, Hexside, HexsideTracks
from assistant.rules.field.movement import EnteredHex, Explored, Moving, barred_steps, bring_unit
from assistant.rules.field.ways import HexBar, NoWay
from assistant.state.changes import Change, Enter
from assistant.util.errors import InputError

from ....conftest import viewed

START = "41.19"
WOODS, SEA, ROAD = "41.18", "42.19", "40.20"
"""Of the hexes around the start one costs three points, one is barred, and one costs a point; all others cost two."""


def step(here: str, there: str, number: int) -> EnteredHex | HexBar:
    if there == SEA:
        return HexBar("2.2", f"sea, after {number}")
    return EnteredHex(hex=there, cost={WOODS: 3, ROAD: 1}.get(there, 2))


def moving(twilight: Game, points: int, *, minimum: bool = False) -> Moving[EnteredHex]:
    view = View(twilight, build_state(twilight))
    return Moving(view, START, points, step, lambda entered: minimum and points > 0)


def test_a_way_costs_what_its_hexes_cost(twilight: Game) -> None:
    walked = moving(twilight, 5).along((WOODS, "41.17"))
    assert ([one.hex for one in walked.entered], walked.cost) == ([WOODS, "41.17"], 5)
    assert (walked.barred, walked.lacks, walked.minimum) == (None, 0, False)


def test_it_ends_before_the_first_hex_that_is_barred_or_costs_too_much(twilight: Game) -> None:
    walked = moving(twilight, 9).along((ROAD, START, SEA, WOODS))
    assert [one.hex for one in walked.entered] == [ROAD, START]
    assert (walked.cost, walked.barred) == (3, HexBar("2.2", "sea, after 2"))
    walked = moving(twilight, 4).along((WOODS, "41.17"))
    assert ([one.hex for one in walked.entered], walked.cost, walked.lacks) == ([WOODS], 3, 1)


def test_the_only_hex_of_a_minimum_move_may_cost_more_than_there_is(twilight: Game) -> None:
    walked = moving(twilight, 1, minimum=True).along((WOODS,))
    assert ([one.hex for one in walked.entered], walked.cost, walked.minimum) == ([WOODS], 1, True)
    assert moving(twilight, 1).along((WOODS,)).lacks == 2
    assert moving(twilight, 1, minimum=True).along((WOODS, "41.17")).lacks == 2, "it is not the only one"
    assert not moving(twilight, 3, minimum=True).along((WOODS,)).minimum


def test_a_way_enters_hex_after_hex(twilight: Game) -> None:
    with pytest.raises(InputError, match="44.18 is not adjacent to 41.19"):
        moving(twilight, 9).along(("44.18",))


def test_within_reach_are_the_hexes_to_which_the_cheapest_way_is_cheap_enough(twilight: Game) -> None:
    found = {one.hex: one for one in moving(twilight, 3).within_reach()}
    around = set(View(twilight, build_state(twilight)).board.neighbours(START))
    assert around - {SEA} <= found.keys()
    assert (SEA in found, START in found) == (False, False)
    assert (found[ROAD].cost, found[WOODS].cost, found[WOODS].way) == (1, 3, (WOODS,))
    beyond = {hex: one for hex, one in found.items() if hex not in around}
    assert beyond and all(one.cost == 3 and one.way[0] == ROAD for one in beyond.values()), "only by the road"
    costs = [one.cost for one in moving(twilight, 3).within_reach()]
    assert costs == sorted(costs)


def test_what_a_rule_bars_beside_them_is_told_and_not_what_is_too_far_or_has_no_way(twilight: Game) -> None:
    reached, barred, _ = moving(twilight, 1).explore()
    assert [one.hex for one in reached] == [ROAD]
    assert barred == (HexOption(SEA, "2.2", "sea, after 0"),), "the others cost too much"
    assert (SEA, "2.2", "sea, after 0") in [
        (one.hex, one.rule, one.barred) for one in moving(twilight, 5).explore().barred
    ]
    unknown = moving(twilight, 1)._replace(enter=lambda here, there, number: NoWay("", "nothing is stated"))
    assert unknown.explore() == Explored(())


def by_terrain(view: View) -> Moving[EnteredHex]:
    """A unit that pays by the terrain that it enters."""

    def enter(here: str, there: str, number: int) -> EnteredHex:
        over = Hexside(view, here, there, HexsideTracks(lies="barrier", terrain="terrain"))
        return EnteredHex(hex=there, cost=over.cost_in({"clear": 1, "rough": 2}))

    return Moving(view, START, 2, enter)


def test_on_a_paper_map_hexes_of_unknown_terrain_are_left_out_and_those_on_a_way_asked_for() -> None:
    view = viewed("41.18 clear\n41.17 rough\n40.20 rough\n")
    assert [(one.hex, one.cost) for one in by_terrain(view).within_reach()] == [("41.18", 1), ("40.20", 2)]
    unknown = by_terrain(view).explore().unknown
    assert {hex: [ask.key for ask in asks] for hex, asks in unknown.items()} == {
        hex: [("terrain", hex)] for hex in ("40.18", "40.19", "41.20", "42.18", "42.19", "42.20")
    }
    with pytest.raises(MissingFacts) as missing:
        by_terrain(view).along(("41.18", "40.19"))
    assert [ask.key for ask in missing.value.asks] == [("terrain", "40.19")]
    with pytest.raises(KeyError, match="sea"):
        by_terrain(viewed("41.18 sea\n")).within_reach()


def test_what_is_missing_elsewhere_is_asked_for(twilight: Game) -> None:
    view = View(twilight, build_state(twilight))
    with view.gather() as facts:
        pass
    asking = Moving(view, START, 2, lambda here, there, number: EnteredHex(hex=there, cost=facts.integer("turn")))
    with pytest.raises(MissingFacts):
        asking.within_reach()


def test_hexes_that_the_same_rule_bars_are_told_together() -> None:
    options = [HexOption("1", "2.2", "sea"), HexOption("2", "2.3", "held"), HexOption("3", "2.2", "sea")]
    assert [(one.rule, one.text) for one in barred_steps(options)] == [("2.2", "1, 3: sea"), ("2.3", "2: held")]


def test_a_minimum_move_leads_one_hex_far(twilight: Game) -> None:
    found = moving(twilight, 1, minimum=True).within_reach()
    dear = [one for one in found if one.hex != ROAD]
    assert len(found) == 5 and all(len(one.way) == 1 for one in found)
    assert all(one.minimum and one.cost == 1 for one in dear)
    assert not next(one for one in found if one.hex == ROAD).minimum


def test_a_unit_of_the_position_moves_and_another_enters() -> None:
    view = viewed("41.19: 1/1, 36/17\n40.20: 25/3\n")
    assert bring_unit(view, "25/3", "41.19", "6.1") == Change("place", "25/3", "40.20", "41.19", "6.1")
    assert bring_unit(view, "25/3", None, "6.1") == Change("place", "25/3", "40.20", None, "6.1")
    assert bring_unit(view, "29/20", "41.19", "6.1") == Enter("29/20", "29/20", "41.19", 2, "6.1")
    assert bring_unit(view, "29/20", "41.19", "6.1", on_top=True) == Enter("29/20", "29/20", "41.19", 0, "6.1")
    assert bring_unit(view, "29/20", None, "6.1") == Enter("29/20", "29/20", None, 0, "6.1")


def test_it_may_begin_in_any_of_several_hexes(twilight: Game) -> None:
    """Each way then has the hex where it begins in front, and those hexes cost nothing."""
    starts = {(ROAD,): 0, ("38.19",): 0}
    found = {one.hex: one for one in moving(twilight, 2)._replace(at="", begun=starts).within_reach()}
    assert [(one.hex, one.cost, one.way) for one in found.values() if not one.cost] == [
        ("38.19", 0, ("38.19",)),
        (ROAD, 0, (ROAD,)),
    ]
    assert (found[START].cost, found[START].way) == (2, (ROAD, START))
    assert WOODS not in found


@pytest.mark.parametrize(("begun", "cost", "by"), [(0, 3, WOODS), (1, 2, "40.19")])
def test_what_later_steps_have_to_know_keeps_ways_into_one_hex_apart(
    twilight: Game, begun: int, cost: int, by: str
) -> None:
    """Once it has been in the woods, the last step costs two points less."""
    last = "40.18"

    def step_known(here: str, there: str, through: int) -> EnteredHex | HexBar:
        costs = {WOODS: 2, ROAD: 1, "40.19": 1, last: 3 - 2 * through}
        return EnteredHex(hex=there, cost=costs[there]) if there in costs else HexBar("", "not on the way")

    def so_far(through: int, entered: EnteredHex) -> int:
        return int(through or entered.hex == WOODS)

    base = moving(twilight, 9)._replace(enter=step_known, so_far=so_far, begun={(): begun}, tells_apart=True)
    found = {one.hex: one for one in base.within_reach()}
    assert (found["40.19"].cost, found[last].cost, found[last].way) == (1, cost, (by, last))
    begins = base._replace(at="", begun={(START,): begun})
    found = {one.hex: one for one in begins.within_reach()}
    assert (found[last].cost, found[last].way) == (cost, (START, by, last)), (
        "it knows as much where it begins elsewhere"
    )
