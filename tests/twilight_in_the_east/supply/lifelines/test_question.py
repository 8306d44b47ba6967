"""What the supply of units hangs on: against the whole question asked anew after each loss, and by example."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from assistant.asking.report import Report, to_text
from assistant.asking.view import View
from assistant.game.viewpoint import reduce_state
from assistant.state.state import Unit
from assistant.testing import check_json
from assistant.util.errors import InputError
from assistant.util.limits import TooMuch
from twilight_in_the_east.supply.ground import SupplyGround, supply_ground
from twilight_in_the_east.supply.isolation import WaysOut, find_way_out
from twilight_in_the_east.supply.lifelines.report import SupplyLoss
from twilight_in_the_east.supply.lifelines.suppositions import Suppositions
from twilight_in_the_east.supply.side import states as side_module
from twilight_in_the_east.supply.side.states import side_states

from ....cases import few, seeds, thorough
from ....conftest import answered, typed
from ..side.test_paper import ground
from ..side.test_sides import HEAD, HEXES, position

TRAIN = '65.37: russian corps-train - "1 Train" corps=1 army=Second range=7 extended-range=8\n'
NEAR = "67.35: russian infantry XX 1/1 army=Second\n"
"""So near to the railway that it is in supply without the train."""
FAR = "70.33: russian infantry XX 1/1 army=Second\n"
"""Farther from the railway than a unit may be without a train."""


def lifelines(lines: list[str] | str, **more: Any) -> Report[Any]:
    text = lines if isinstance(lines, str) else "\n".join(lines) + "\n"
    return answered(typed(HEAD + text), "lifelines", side="russian", **more)


def side(report: Report[Any]) -> Any:
    (found,) = report.result.sides
    return found


def lost(report: Report[Any]) -> dict[str, dict[str, str | None]]:
    """By loss, as `hex 65.37`, the state that each unit has left."""
    return {
        f"{one.kind} {one.where}": {effect.unit: effect.after.state for effect in one.worse}
        for one in side(report).losses
    }


# --- the whole question asked anew ------------------------------------------------------------------------------------

States = dict[str, tuple[str | None, bool | None]]


def states(lines: list[str]) -> States:
    found = answered(typed(HEAD + "\n".join(lines) + "\n"), "supply", side="russian")
    rows = (one for told in found.result.sides for one in told.units)
    return {one.unit: (one.could.state, one.isolated) for one in rows}


def worth(state: tuple[str | None, bool | None]) -> int:
    return (None, ("out", True), ("out", False), "low", "in").index(
        (state[0], bool(state[1])) if state[0] == "out" else state[0]
    )


def written_anew(lines: list[str], kind: str, where: str, *, zone: bool) -> list[str]:
    """The position after a loss, as a player would write it down."""
    stays = [line for line in lines if not (line.startswith(f"{where}:") if kind == "hex" else f'"{where}"' in line)]
    match kind:
        case "hex":
            return [*stays, f"{where}: german {'infantry XX' if zone else 'artillery III'} entering army=Eighth"]
        case "source":
            return stays if len(stays) < len(lines) else [line for line in lines if f" {where} " not in line]
        case "railway":
            return [*lines, f"{where} operational=none"]
    return [*lines, f"{where} no-rail no-road no-crossing"]


def every_loss(lines: list[str]) -> Iterator[tuple[str, str]]:
    """All hexes without an enemy that a lonely loss may concern, those of the railway, the sources, and some hexsides."""
    place = typed(HEAD + "\n".join(lines) + "\n")
    view = View(place.game, place.state)
    held = {line.partition(":")[0] for line in lines if "german" in line}
    yield from (("hex", hex) for hex in HEXES if hex not in held)
    yield from (("railway", hex) for hex in HEXES if view.word("operational", hex) == "russian")
    yield from (("source", name) for name in ("1 Train", "2 Train", "Depot"))


@few(1)
@pytest.mark.parametrize("zone", [False, True])
@pytest.mark.parametrize("seed", seeds(3))
def test_every_loss_does_what_the_whole_question_says_of_the_position_written_anew(seed: int, zone: bool) -> None:
    lines = position(seed, enemies=4)
    before, found = states(lines), side(lifelines(lines, zone=zone))
    known = {(one.kind, one.where): one for one in found.losses}
    losses = random.Random(seed).sample(list(every_loss(lines)), 20)
    for kind, where in {*losses, *known}:
        if kind == "bridge":
            continue
        after = states(written_anew(lines, kind, where, zone=zone))
        worse = {name for name in after if name in before and worth(after[name]) < worth(before[name])}
        told = known.get((kind, where))
        assert ({one.unit for one in told.worse} if told else set()) == worse, (kind, where)
        if told:
            assert {one.unit: (one.after.state, one.after.isolated) for one in told.worse} == {
                n: after[n] for n in worse
            }
            assert set(told.gone) == before.keys() - after.keys()


@few(1)
@pytest.mark.parametrize("seed", seeds(3))
def test_a_ground_that_is_typed_whole_hangs_on_what_it_hangs_on_on_a_board(seed: int) -> None:
    lines, (hexes, sides) = position(seed, enemies=4), ground()
    network = ["turn=5", *hexes.values(), *sides.values(), "side russian whole-network", *lines]
    paper = answered(typed("\n".join(network) + "\n"), "lifelines", side="russian")
    assert lost(paper) == lost(lifelines(lines))


# --- by example -------------------------------------------------------------------------------------------------------


NARROW = TRAIN + NEAR + "67.36: german infantry XX g/9 army=Eighth\n69.35: german infantry XX h/9 army=Eighth\n"
"""A division that one way between two enemies serves."""


def test_a_hex_that_a_line_can_go_round_is_not_listed_and_the_other_way_is_told_of_a_unit_that_is_named() -> None:
    found = side(lifelines(TRAIN + NEAR, unit=["1/1"]))
    (now,) = {one.before.line for one in side(lifelines(TRAIN + NEAR, through="66.36")).through}
    round_it = next(one for one in found.alternatives if "66.36" in one.without)
    assert round_it.after.state == "in" and "66.36" not in round_it.after.line != now
    assert not any(one.kind == "hex" and one.where == "66.36" for one in found.losses)


def test_the_units_that_stand_in_a_hex_that_falls_are_lost_and_not_worse_off() -> None:
    found = side(lifelines(TRAIN + NEAR, through="65.37"))
    assert {one.unit: one.after and one.after.state for one in found.through} == {"1 Train": None, "1/1": "low"}


@pytest.mark.rule("14.1.1")
def test_a_line_over_a_great_river_hangs_on_its_bridge() -> None:
    text = "40.24c=40.23c:40.22c:40.21c\n40.21|40.22 major-river\nside russian whole-network\n40.24 linked=russian\n"
    found = answered(typed(f"{text}40.21: russian infantry XX 25/3\n"), "lifelines", side="russian")
    assert lost(found)["bridge 40.21|40.22"] == {"25/3": "out"}


def test_what_passes_a_hex_is_said_for_each_unit() -> None:
    depot = "63.39: russian major-depot - Depot army=Second range=3 extended-range=3\n"
    lines = depot + TRAIN.replace("65.37", "67.36") + FAR
    (train,) = (one for one in side(lifelines(lines, through="67.36")).through if one.unit == "1 Train")
    between = train.before.line[-2]
    told = {one.unit: one.by for one in side(lifelines(lines, through=between)).through}
    assert (told["1 Train"], told["1/1"]) == ("line", "source")


# --- suppositions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("supposed", "worse", "gone"),
    [
        ("off 1 Train", ["1/1"], ["1 Train"]),
        ("65.37 enemy; 64.38 operational=none", ["1/1"], ["1 Train"]),
        ("6538 enemy", [], []),
        ('72.41: "1 Train"', ["1/1", "1 Train"], []),
    ],
)
def test_what_is_supposed_is_answered_by_what_changes(supposed: str, worse: list[str], gone: list[str]) -> None:
    found = side(lifelines(TRAIN + FAR, if_=supposed))
    assert sorted(one.unit for one in found.worse) == sorted(worse)
    assert list(found.gone) == gone


def test_units_that_leave_the_map_are_told_of() -> None:
    found = lifelines(TRAIN + FAR, if_="65.37 enemy")
    assert found.verdict.text == "1 unit worse off, 0 better off, 1 off the map"
    assert "Off the map\n  14.4  1 Train" in to_text(found, 100)
    assert lifelines(TRAIN + FAR, if_="off 1/1").verdict.text == "no unit is better or worse off, 1 off the map"


@pytest.mark.rule("17.1.1")
def test_a_railway_that_is_converted() -> None:
    lines = "64.39 operational=none\n64.38 operational=none\n" + TRAIN + NEAR
    found = lifelines(lines, if_="64.39 operational=russian; 64.38 operational=russian")
    assert found.verdict.text == "0 units worse off, 2 better off"
    assert {one.unit for one in side(found).better} == {"1/1", "1 Train"}


@pytest.mark.rule("17.1.2", "17.1.4")
@pytest.mark.parametrize(
    ("supposed", "better"),
    [
        ("off G", []),
        ("72.41: G", []),
        ("off G; 64.38 operational=russian", ["1 Train", "1/1"]),
        ("off G; 64.38 enemy; 64.38 operational=russian", []),
    ],
)
def test_where_an_enemy_has_stood_the_railway_waits_for_rr_engineers(supposed: str, better: list[str]) -> None:
    report = lifelines("64.38: german cavalry III G army=Eighth\n" + TRAIN + FAR, if_=supposed)
    assert sorted(one.unit for one in side(report).better) == better
    waits = [step.text for part in report.parts for step in part.steps if step.rule == "17.1.2"]
    assert bool(waits) is (supposed in ("off G", "72.41: G"))


@pytest.mark.rule("17.1.2", "17.1.4")
@pytest.mark.parametrize(("supposed", "waiting"), [("off G", ("64.38",)), ("off G; 64.38 operational=russian", ())])
def test_that_it_is_converted_is_supposed_with_the_words_of_the_position(
    supposed: str, waiting: tuple[str, ...]
) -> None:
    """These tell of the line before the enemy came."""
    enemy = "64.38 operational=russian\n64.38: german cavalry III G army=Eighth\n"
    assert side(lifelines(enemy + TRAIN + FAR, if_=supposed)).waiting == waiting


@pytest.mark.parametrize(
    ("supposed", "message"),
    [
        ("64.39 fog", "if: 'fog' is not a fact about a hex"),
        ("64.39 operational=prussian", "if: side whose operational RR line this is: 'prussian' is not allowed"),
        ("99.39 enemy", "if: hex 99.39 is off the map"),
        ("off 9 Train", "if: unknown unit '9 Train'"),
        ("ask supply", "if: 'ask supply' is a question or an answer"),
        (" ; ", "if: nothing is supposed"),
    ],
)
def test_a_bad_supposition_is_refused_in_a_line(supposed: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        lifelines(TRAIN + NEAR, if_=supposed)
    assert str(refused.value).startswith(message)
    assert str(refused.value).count("\n") <= 1


# --- slips ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"through": "66.36", "if_": "66.36 enemy"}, "through and if cannot be combined"),
        ({"through": "Bukowina Holding Box"}, "is not a hex"),
        ({"unit": ["g/9"]}, "g/9 is not a unit of the Russian side"),
    ],
)
def test_what_cannot_be_asked(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        lifelines(NARROW, **parameters)


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_LOSSES", "3")
    with pytest.raises(TooMuch, match="supposing one loss after another finds more than 3 outcomes"):
        lifelines(TRAIN + NEAR)


ON_THE_BOARD = "game twilight-in-the-east\ntrust charts counters\nboard east\nturn=3\n"
STRAYS = '35.32: "2 Train"\n36.30: "3 Train"\n30.30: "4 Train"\n45.30: "22 Train"\n35.31: "5 lw"\n'
"""Russian corps trains without supply, near RR lines and an enemy."""


@thorough
@pytest.mark.rule("14.4.1")
def test_a_way_out_is_the_shortest_of_those_that_pass_the_fewest_enemy_hexes() -> None:
    (side,) = answered(typed(ON_THE_BOARD + STRAYS), "lifelines", side="russian").result.sides
    assert side.tried < 300  # a way that wanders over the board has five hundred hexes that may be lost
    (near,) = answered(typed(ON_THE_BOARD + STRAYS), "lifelines", side="russian", through="36.30").result.sides
    assert [unit.unit for unit in near.through] == ["3 Train"]


def certain_ways(ground: SupplyGround) -> WaysOut:
    return WaysOut(ground.around, ground.certain.lines, ground.certain.linked, frozenset({"russian"}))


def ways_of_strays(lines: str) -> Iterator[tuple[View, Unit, tuple[str, ...]]]:
    """Stray units of a position on the board, each with its way out."""
    view = View((stray := typed(ON_THE_BOARD + lines)).game, stray.state)
    ways = certain_ways(supply_ground(view, "russian"))
    for unit in view.state.units.values():
        if view.side_of(unit.id) == "russian":
            yield view, unit, ways.find(str(unit.place))


@few(1)
@pytest.mark.rule("14.4.1")
@pytest.mark.parametrize("zone", [False, True])
def test_a_way_that_is_known_tells_of_isolation_as_the_search_for_one_does(zone: bool) -> None:
    """Whatever enemy stands on it, beside it, or all round the unit."""
    told = set[tuple[bool, bool]]()
    for view, unit, way in ways_of_strays(STRAYS):
        near = {hex for at in way for hex in (at, *view.board.neighbours(at))} - {unit.place}
        ring = view.board.neighbours(str(unit.place))
        for hexes in [*([hex] for hex in sorted(near)), ring, ring[1:]]:
            state = view.state
            for at in hexes:
                state = Suppositions(view.game, "russian", zone).after_loss(state, SupplyLoss("hex", at))
            then = view.view_of(state)
            ground = supply_ground(then, "russian")
            isolated = find_way_out(then, unit, ground) is None
            still = certain_ways(ground).still_lead(way)
            assert not (still and isolated)
            (held,) = (row for row in side_states(then, "russian", causes=False).answer([unit.id]).supply.units)
            assert held.isolated in (None, isolated)
            told.add((still, isolated))
    assert told == {(True, False), (False, False), (False, True)}


@thorough
@pytest.mark.rule("14.4.1")
def test_after_a_loss_only_the_ways_out_that_it_cuts_are_sought_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sought = list[str]()

    def seek(view: View, unit: Unit, ground: SupplyGround) -> tuple[str, ...] | None:
        sought.append(unit.id)
        return find_way_out(view, unit, ground)

    monkeypatch.setattr(side_module, "find_way_out", seek)
    (side,) = answered(typed(ON_THE_BOARD + STRAYS), "lifelines", side="russian").result.sides
    assert len(sought) < side.tried / 4  # of four units after each loss


@thorough
@pytest.mark.rule("14.4.1")
def test_a_way_out_is_that_of_the_hex_in_which_a_unit_stands() -> None:
    """One that is supposed elsewhere, all round which enemies stand, is Isolated there."""
    asked = typed(ON_THE_BOARD + STRAYS)
    board = asked.game.board(asked.state.board)
    enemies = "; ".join(f"{at} enemy" for at in board.neighbours("20.30"))
    (side,) = answered(asked, "lifelines", side="russian", if_=f'20.30: "3 Train"; {enemies}').result.sides
    (moved,) = (effect for effect in (*side.worse, *side.otherwise) if effect.unit == "3 Train")
    assert moved.after.isolated


def test_what_leaves_every_line_as_it_is_counts_for_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = typed(ON_THE_BOARD + STRAYS.partition("\n")[0] + "\n")
    (side,) = answered(asked, "lifelines", side="russian").result.sides
    monkeypatch.setenv("FIELD_STAFF_LIMIT_LOSSES", str(side.tried - 10))
    assert answered(asked, "lifelines", side="russian").result.sides[0].losses == side.losses


def test_a_bound_on_the_choice_of_modes_is_said_aloud(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_PLANS", "0")
    found = lifelines(TRAIN.replace("=7 extended-range=8", "=6 extended-range=9") + FAR)
    assert any("not every choice of modes was tried" in one.text for one in found.cautions)


def test_what_the_position_says_of_supply_is_not_believed_once_the_line_is_cut() -> None:
    text = "40.25=40.24=40.23c:40.22c:40.21c\n40.25 linked=russian\n40.21: russian infantry XX 25/3 supply=in\n"
    (one,) = answered(typed(text), "lifelines", side="russian", if_="40.22 enemy").result.sides
    assert [(effect.unit, effect.after.state) for effect in one.unsure] == [("25/3", None)]


def test_a_side_is_told_of_its_own_lifelines_alone() -> None:
    found = typed(HEAD + NARROW)
    own = found.with_state(reduce_state(found.game, found.state, "russian"))
    assert [one.side for one in answered(own, "lifelines").result.sides] == ["russian"]
    with pytest.raises(InputError, match="the Russian side sees only its own lifelines"):
        answered(own, "lifelines", side="central-powers")


# --- elsewhere --------------------------------------------------------------------------------------------------------


@thorough
def test_its_json_fits_the_schema() -> None:
    place = typed(HEAD + NARROW)
    for more in ({}, {"unit": ["1/1"]}, {"through": "66.36"}, {"if_": "66.36 enemy"}):
        check_json(place, answered(place, "lifelines", side="russian", **more))


def test_either_end_of_a_line_may_be_the_one_that_leads_to_the_map_edge() -> None:
    """So its outermost hexes are named like those between, unless it is stated which end leads there."""
    text = "turn=5\n40.20: 25/3\n4025-4024-4023-4022-4021:4020\n40.20 complete\n"

    def out_of_use(more: str = "") -> dict[str, str | None]:
        losses = answered(typed(text + more), "lifelines", side="russian").result.sides[0].losses
        return {one.where: one.worse[0].after.state for one in losses if one.kind == "railway"}

    assert out_of_use() == dict.fromkeys(("40.21", "40.22", "40.23", "40.24", "40.25"))
    assert out_of_use("40.21 linked=russian\n") == {"40.21": None}
