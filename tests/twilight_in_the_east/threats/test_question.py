"""The question `threat`: each figure against what `battle`, `attacks`, `reach`, `stack` and `supply` say themselves."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from assistant.asking.report import Report
from assistant.drawing.colours import MIN_DIFFERENCE_IN_GREY, find_close_colours, lightness
from assistant.drawing.sketch.layers import SHADES
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.game.viewpoint import reduce_state
from assistant.mechanics.odds import Odds
from assistant.rules.threats.report import format_chance
from assistant.rules.threats.terms import Danger, HexThreat, ThreatAttack
from assistant.service import ask, read, sketch, text_map
from assistant.state.changes import Change
from assistant.state.state import Unit
from assistant.util.errors import InputError
from benchmarks.front import front_line
from twilight_in_the_east.threats import question

from ... import threatening
from ...cases import few, seeds, thorough
from ...combats.worlds import world
from ...conftest import answered, told, typed
from ...threatening import assaults, at_attack, moved, threats

GAME = Path(__file__).parents[3] / "plugins/twilight_in_the_east"
EXAMPLE = GAME / "examples/threat.pos"
FACED = """turn=1
trust charts counters
40.20: 25/3 (10-?-5-10) movement=8, 27/3 (10-?-5-10) movement=8
40.19: 29/20 (10-?-5-10) -3 movement=8
41.19 clear: 1/1 (12-16-7-11) movement=8
41.19|40.19,40.20 open
"""


@cache
def example(side: str = "russian", *, march: bool = True) -> Report[Any]:
    """What is asked of the example in many tests."""
    return ask(msgspec.structs.replace(read(EXAMPLE), asks=()), "threat", side=side, march=march)


def compare(position: Position, result: Any) -> int:
    """Each attack of a result with what `battle` says of it; how many were compared."""
    count = 0
    for threat, assault in assaults(result):
        battle = ask(at_attack(position, result, assault, "attack"), "battle", **assault.battle).result
        assert battle is not None, assault.battle
        strength = sum(unit.strength for unit in battle.attacker.units)
        assert (battle.column, strength, battle.defender.total) == (assault.column, assault.attack, assault.defence)
        chances, danger = battle.chances, assault.chances
        assert (chances is None) == (danger is None)
        if chances and danger:
            assert (danger.lost, danger.at_least) == (chances.vacates, bool(chances.may_open))
            assert (danger.defender_mean, danger.attacker_mean) == (chances.defender_mean, chances.attacker_mean)
            assert (danger.defender_losses, danger.attacker_losses) == (chances.defender_steps, chances.attacker_steps)
            checks = {
                force.force: (1 - force.passes - force.unchecked, force.retreats, force.unchecked)
                for force in chances.forces
            }
            own = {check.unit: (check.fails, check.retreats, check.unchecked) for check in danger.checks}
            assert own.items() <= checks.items()
            assert {unit.unit for unit in battle.defender.units} & checks.keys() == own.keys()
        for approach in assault.approaches:
            assert approach.way[-1] == approach.to
        count += 1
        assert threat.worst == (threat.coming or threat.standing)
    for threat in result.hexes:
        there = at_attack(position, result, None, "attack")
        for reached in threat.columns:
            battle = ask(there, "battle", **reached.battle).result
            assert battle.column == reached.column, reached
            assert {unit.unit for unit in battle.attacker.units} == {*reached.attackers}
    return count


@few(1)
@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_every_figure_is_that_of_battle_in_the_example(side: str) -> None:
    result = example(side).result
    assert compare(read(EXAMPLE), result) >= 3
    assert any(threat.coming for threat in result.hexes)


@few(1)
@pytest.mark.parametrize("seed", seeds(60))
def test_every_figure_is_that_of_battle_in_random_combats(seed: int) -> None:
    made = world(Random(f"threat {seed}"))
    position = typed(made.text)
    for side in position.game.file.sides:
        result = threats(position, side)
        if result is not None:
            compare(position, result)


@few(1)
@pytest.mark.parametrize("seed", seeds(4))
def test_every_figure_is_that_of_battle_along_a_front(twilight: Any, seed: int) -> None:
    position = typed(front_line(twilight, 10 + 4 * seed, seed))
    assert sum(compare(position, threats(position, side)) for side in position.game.file.sides) >= 2 + seed


@thorough
@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_every_figure_is_that_of_battle_in_the_set_up(side: str) -> None:
    text = (GAME / "setups/19-august-1914.pos").read_text()
    head, _, rest = text.partition("turn=2")
    accepted = head[head.index("game ") :].replace("trust counters", "trust charts counters")
    position = typed(f"{accepted}turn=2 weather=normal{rest}")
    assert compare(position, threats(position, side)) >= 8


# --- who comes --------------------------------------------------------------------------------------------------------


@few(1)
@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_who_comes_can_come_and_finds_room(side: str) -> None:
    position, result = read(EXAMPLE), example(side).result
    for _, assault in assaults(result):
        there = at_attack(position, result, assault, "attack")
        moving = at_attack(position, result, msgspec.structs.replace(assault, approaches=()), "movement")
        for approach in assault.approaches:
            reach = ask(moving, "reach", units=[approach.unit]).result
            (found,) = (place for place in reach.hexes if place.hex == approach.to)
            assert (found.way, found.passes, bool(found.march)) == (approach.way, approach.passes, approach.beyond)
            assert not ask(there, "stack", at=approach.to).result.is_excessive
        chance = prod(approach.passes for approach in assault.approaches if approach.passes is not None)
        assert assault.arrives in (None, chance)


@thorough
def test_without_a_forced_march_fewer_come_and_without_a_march_none() -> None:
    slow, still = threats(read(EXAMPLE), "russian", forced=False), example(march=False).result
    near = [sum(len(threat.near) for threat in result.hexes) for result in (example().result, slow, still)]
    assert near[0] > near[1] > near[2] == 0
    assert not any(threat.coming for threat in still.hexes)
    assert (still.cuts, still.tried) == ((), 0)


def test_who_attacks_now_attacks_before_he_moves_again() -> None:
    text = FACED.replace("turn=1", "turn=1 phasing=russian phase=attack")
    report = answered(typed(text), "threat", side="central-powers")
    assert told(report, "Left out") == ["enemies attack from where they stand: none moves before that"]
    (threat,) = report.result.hexes
    assert threat.standing.attackers == ("25/3", "27/3", "29/20")


@pytest.mark.parametrize("moment", [" phasing=russian phase=post-combat", ""])
def test_the_next_attack_is_that_of_the_next_turn_once_the_phase_is_over(moment: str) -> None:
    """A position that states no phase but what has happened in one is after it."""
    text = FACED.replace("turn=1", f"turn=1{moment}") + "25/3 fought\n41.19 attacked\n"
    (threat,) = answered(typed(text), "threat", side="central-powers").result.hexes
    assert threat.standing.attackers == ("25/3", "27/3", "29/20")


# --- the ranking ------------------------------------------------------------------------------------------------------


@thorough
def test_the_most_endangered_hex_comes_first() -> None:
    result = example().result
    lost = [threat.worst.chances.lost for threat in result.hexes if threat.worst]
    assert lost == sorted(lost, reverse=True)
    assert len(lost) >= 8
    levels = [threat.level for threat in result.hexes]
    assert levels == sorted(levels, reverse=True)
    assert {0, 5} <= {*levels}


@few(1)
@pytest.mark.parametrize("seed", seeds(20))
def test_another_enemy_beside_a_hex_never_lowers_the_column_that_can_be_reached(seed: int) -> None:
    made = world(Random(f"another {seed}"))
    before = threats(typed(made.text), "russian", at=[made.at])
    if before is None or not before.hexes or not before.hexes[0].columns:
        return
    enemy = before.hexes[0].standing.attackers[0]
    position = typed(made.text)
    at, nation = position.state.units[enemy].place, position.state.facts["nation", enemy].value
    more = f'{at}: {nation} infantry X "one more" (4-4-0-9) movement=8 corps=99\n'
    after = threats(typed(made.text + more), "russian", at=[made.at])
    ranks = [Odds.parse(found.hexes[0].columns[-1].column).columns for found in (before, after)]
    assert ranks[0] <= ranks[1]


# --- what if ----------------------------------------------------------------------------------------------------------


@thorough
def test_a_unit_supposed_in_its_own_hex_changes_nothing() -> None:
    position = read(EXAMPLE)
    plain, supposed = example().result, threats(position, "russian", if_=["30/4@43.23"])
    assert plain == supposed
    assert plain.changes == plain.supposed == ()


@thorough
def test_a_unit_supposed_elsewhere_is_threatened_there() -> None:
    position = read(EXAMPLE)
    plain, supposed = example().result, threats(position, "russian", if_=["30/4@42.22"])
    assert [(move.subject, move.after) for move in supposed.supposed] == [("30/4", "42.22")]
    changed = {change.at: change for change in supposed.changes}
    now, then = ({threat.at: threat.worst for threat in result.hexes} for result in (plain, supposed))
    assert changed.keys() == {at for at in now.keys() | then.keys() if facts_of(now.get(at)) != facts_of(then.get(at))}
    assert changed["42.22"].before == now["42.22"]
    assert changed["42.22"].after == then["42.22"]
    assert changed["43.23"].after is None
    assert changed["42.22"].after.chances.lost < changed["42.22"].before.chances.lost
    assert compare(position, supposed) >= 6


def facts_of(assault: Any) -> Any:
    return assault and (assault.column, assault.attack, assault.defence, assault.chances)


@pytest.mark.parametrize(
    ("supposed", "why"),
    [
        ("30/4", "does not say which unit stands where"),
        ("1/1@42.22", "1/1 is not of the Russian side"),
        ("30/4@44.18", "enemies stand in 44.18"),
        ("30/9@42.22", "30/9"),
    ],
)
def test_what_cannot_be_supposed(supposed: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        threats(read(EXAMPLE), "russian", if_=[supposed])


# --- supply -----------------------------------------------------------------------------------------------------------


def states(report: Report[Any]) -> dict[str, str]:
    """The supply of each unit of a report, in words."""
    words = {"in": "In Supply", "low": "Low Supply", "out": "Out of Supply"}
    units = [unit for side in report.result.sides for unit in side.units]
    return {unit.unit: words[unit.could.state] + " and Isolated" * bool(unit.isolated) for unit in units}


@few(1)
@pytest.mark.parametrize(("side", "cuts"), [("russian", 4), ("central-powers", 0)])
def test_supply_that_can_be_cut_is_what_supply_says_then(side: str, cuts: int) -> None:
    position, result = read(EXAMPLE), example(side).result
    assert threatening.prove_supply(position, result, states) == len(result.cuts) == cuts
    assert result.tried


@thorough
def test_no_other_move_that_is_tried_cuts_supply() -> None:
    position, result = read(EXAMPLE), example().result
    found = {cut.at for cut in result.cuts}
    now = states(ask(msgspec.structs.replace(position, asks=()), "supply", side="russian"))
    standing = next(threat.standing for threat in result.hexes if threat.standing)
    moving = at_attack(position, result, standing, "movement")
    for reach in ask(moving, "reach", side="central-powers").result.each[:3]:
        for place in reach.hexes[::9]:
            after = threatening.moved(position, {reach.unit: place.hex})
            then = states(ask(msgspec.structs.replace(position, state=after, asks=()), "supply", side="russian"))
            assert place.hex in found or then == now or place.hex in result.untried


# --- what is missing and what is hidden -------------------------------------------------------------------------------


def test_units_that_have_to_leave_without_a_combat_are_those_that_displace() -> None:
    position, result = msgspec.structs.replace(read(EXAMPLE), asks=()), example().result
    driven = {threat.at: threat for threat in result.hexes if threat.leaving}
    assert {at: dict(threat.leaving) for at, threat in driven.items()} == {
        "38.19": {"3 Train": "9.8.1", "Russian FIRST Major Depot": "9.9"},
        "41.19": {"Russian 20 Train": "9.8.1"},
    }
    for threat in driven.values():
        then = msgspec.structs.replace(position, state=moved(position, {threat.intruder.unit: threat.intruder.to}))
        for unit in threat.leaving:
            assert ask(position, "displace", unit=unit).verdict.kind == "no"
            assert ask(then, "displace", unit=unit).verdict.kind != "no"


def test_facts_missing_of_one_hex_do_not_stop_the_others() -> None:
    text = FACED + "50.20: 2/1 (12-16-7-?) movement=8\n50.21: 30/4 (12-?-5-10)\n50.21|50.20 open\n"
    report = answered(typed(text), "threat", side="central-powers")
    by_hex = {threat.at: threat for threat in report.result.hexes}
    assert by_hex["41.19"].standing
    assert report.asks
    assert {ask.kind for ask in report.asks} <= {"fact", "cell", "parameter"}


def test_without_charts_attacks_are_told_by_their_columns() -> None:
    report = answered(typed(FACED.replace(" charts", "")), "threat", side="central-powers")
    (threat,) = report.result.hexes
    assert threat.standing.column
    assert threat.standing.chances is None
    assert threat.level
    assert any("are not known: battle names what its table lacks" in line for line in told(report, "Left out"))


def test_it_is_told_only_to_who_sees_both_sides() -> None:
    position = read(EXAMPLE)
    state = reduce_state(position.game, position.state, "russian")
    limited = msgspec.structs.replace(position, state=state)
    with pytest.raises(InputError, match="solitaire players and umpires"):
        ask(limited, "threat", side="russian")


def test_a_side_has_to_be_known_and_an_empty_hex_says_so() -> None:
    report = answered(typed(FACED), "threat")
    assert [ask.name for ask in report.asks] == ["side"]
    assert threats(typed(FACED), at=["41.19"]).side == "central-powers"
    assert threats(typed(FACED), unit=["25/3"]).side == "russian"
    (threat,) = threats(typed(FACED), "central-powers", at=["42.20"]).hexes
    assert threat.barred == ("no unit of the Central Powers stands there",)


def broken(*_: Any, **__: Any) -> Any:
    raise InputError("the file is spoiled")


def test_attacks_that_cannot_be_looked_at_are_not_told_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "posed_report", broken)
    report = answered(typed(FACED), "threat", side="central-powers")
    assert report.verdict.text == "undecided: where 3 units can move is not known"
    (threat,) = report.result.hexes
    assert threat.cut == ("not all attacks were tried: the file is spoiled",)
    assert "not checked: where 25/3 can move: the file is spoiled" in told(report, "Left out")
    drawn = sketch(typed(FACED), report)
    assert drawn is not None and [spot.label for spot in drawn.spots] == ["?"]


@thorough
def test_what_a_move_changes_is_told_only_where_both_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    position, asked = read(EXAMPLE), {"unit": ["30/4"], "if_": ["30/4@42.22"]}
    assert {change.at for change in threats(position, "russian", **asked).changes} == {"42.22", "43.23"}
    monkeypatch.setattr(question, "posed_report", broken)
    assert threats(position, "russian", **asked).changes == ()


def test_an_attack_that_cannot_be_weighed_is_told_without_its_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question.Setup, "engage_obliged", broken)
    report = answered(typed(FACED), "threat", side="central-powers")
    (threat,) = report.result.hexes
    assert (threat.standing.chances, threat.standing.unweighed) == (None, "the file is spoiled")
    assert threat.level
    assert "its chances are not known: the file is spoiled" in told(report, "1. 41.19")


def test_supply_that_cannot_be_looked_at_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "LifelineSearch", broken)
    report = answered(typed(FACED), "threat", side="central-powers")
    assert report.result.faults == ("supply: the file is spoiled",)
    assert "not checked: supply: the file is spoiled" in told(report, "Left out")


@pytest.mark.parametrize(("units", "room"), [("30/4", True), ("30/4 27/3 25/3 28/20 40/4", False)])
def test_units_supposed_over_the_stacking_limits_are_a_caution(units: str, room: bool) -> None:
    supposed = [f"{unit}@43.18" for unit in units.split()]
    report = ask(msgspec.structs.replace(read(EXAMPLE), asks=()), "threat", at=["38.19"], march=False, if_=supposed)
    over = [(caution.rule, caution.text) for caution in report.cautions if "over the stacking limits" in caution.text]
    text = "43.18 is over the stacking limits with what is supposed there: 29/20, 30/4, 27/3, 25/3, 28/20, 40/4"
    assert over == ([] if room else [("4.2.1", text)])


@thorough
def test_how_many_attacks_are_weighed_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_THREATS", "3")
    monkeypatch.setenv("FIELD_STAFF_LIMIT_CUTS", "2")
    report = ask(read(EXAMPLE), "threat", side="russian")
    assert sum(assault.chances is not None for _, assault in assaults(report.result)) <= 3
    assert any(line.startswith("not all attacks on ") for line in told(report, "Left out"))
    assert report.result.tried == 2
    assert report.result.untried


@thorough
def test_where_there_are_too_many_ways_to_attack_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_WAYS", "2")
    (threat,) = threats(read(EXAMPLE), "russian", at=["43.18"]).hexes
    assert threat.cut == ("not all attacks were tried: 43.18: its units can be put together in more than 2 ways",)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_WAYS", "60")
    (threat,) = threats(read(EXAMPLE), "russian", at=["42.21"]).hexes
    assert threat.cut[0].startswith("only the strongest")
    assert len(threat.coming.approaches) == 2


# --- the picture ------------------------------------------------------------------------------------------------------


def test_the_picture_numbers_the_three_weakest_hexes_and_shades_all() -> None:
    position, report = read(EXAMPLE), example()
    drawn = sketch(position, report)
    assert drawn is not None
    spots = {spot.hex: spot for spot in drawn.spots}
    weakest = [threat for threat in report.result.hexes if threat.worst][:3]
    assert [spots[threat.at].place for threat in weakest] == [1, 2, 3]
    assert {spot.hex for spot in drawn.spots if spot.role == "weakest"} == {threat.at for threat in weakest}
    assert all(spots[threat.at].level == threat.level for threat in report.result.hexes if threat.at in spots)
    assert {arrow.hexes[-1] for arrow in drawn.arrows if arrow.kind == "attack"} == {threat.at for threat in weakest}
    first = weakest[0]
    (check,) = first.worst.chances.checks
    percents = f"{round(first.worst.chances.lost * 100)}% check {round(check.retreats * 100)}%"
    assert f"{first.worst.column} {percents}" == spots[first.at].label
    row = next(row for table in drawn.tables for row in table.rows if row[0] == f"1. {first.at}")
    assert " ".join(row[1:4]) == f"{first.worst.column} {percents.replace('check ', '')}"
    rows = text_map(position, report, 120)
    assert any("{43.18}" in run.text for row in rows for run in row)


@few(1)
@pytest.mark.parametrize("side", ["russian", "central-powers"])
def test_the_picture_says_who_comes_to_which_of_the_three_and_who_only_helps(side: str) -> None:
    position, report = read(EXAMPLE), example(side)
    drawn = sketch(position, report)
    assert drawn is not None
    weakest = [threat for threat in report.result.hexes if threat.worst][:3]
    expected = {
        (approach.unit, number, approach.unit in threat.worst.attackers)
        for number, threat in enumerate(weakest, 1)
        for approach in threat.worst.approaches
    }
    goals = {(unit, arrow.goal) for arrow in drawn.arrows if arrow.name for unit in arrow.name.split(", ")}
    assert goals == {(unit, number) for unit, number, _ in expected}
    remarked = {
        (unit, int(number))
        for remark in drawn.remarks
        for part in remark.text.split("; ")
        for units, _, numbers in [part.partition(" to ")]
        for unit in units.split(", ")
        for number in numbers.split(" and ")
    }
    assert remarked <= goals
    kinds = {(unit, arrow.kind == "way") for arrow in drawn.arrows if arrow.name for unit in arrow.name.split(", ")}
    assert kinds == {(unit, attacks) for unit, _, attacks in expected}
    helpers = {unit for unit, attacks in kinds if not attacks}
    assert helpers == ({"1 gdc", "2 gdc", "2 c", "3 c", "27/3"} if side == "central-powers" else set())
    assert "Each attack is worked out by itself. A unit may appear in several, but can make only one." in drawn.results


def test_the_picture_names_whose_supply_is_cut_or_says_what_is_known_of_it() -> None:
    position, report = read(EXAMPLE), example()
    drawn = sketch(position, report)
    assert drawn is not None
    cuts = {spot.hex: spot.label for spot in drawn.spots if spot.role == "cut"}
    assert cuts["42.15"] == "cuts 2 c, 3 c, 1 gdc and 1 more"
    assert not any("supply" in line.lower() for line in drawn.results)
    stays = sketch(position, example(march=False))
    assert stays is not None
    assert "No enemy move to a line of supply was examined." in stays.results


@thorough
def test_the_picture_names_units_that_have_to_leave_and_who_makes_them_leave() -> None:
    position = read(EXAMPLE)
    drawn = sketch(position, example())
    assert drawn is not None
    assert "41.19: Russian 20 Train has to leave without a combat once German 1 c is in 40.19." in drawn.results
    pair = "38.19: 3 Train, Russian FIRST Major Depot have to leave without a combat once German 1 c is in 39.18."
    assert pair in drawn.results, "of a hex that the picture leaves out too"
    alone = sketch(position, ask(position, "threat", side="russian", at=["38.19"]))
    assert alone is not None
    assert [(spot.hex, spot.label) for spot in alone.spots] == [("38.19", "has to leave")]


@thorough
def test_the_picture_shows_what_supposed_moves_change() -> None:
    position = read(EXAMPLE)
    drawn = sketch(position, ask(position, "threat", side="russian", unit=["30/4"], **{"if": ["30/4@42.22"]}))
    assert drawn is not None
    assert drawn.results[:2] == (
        "With 30/4 in 42.22 the worst attack on 42.22 changes from 1:1, lost 50% to 1:3, lost 17%.",
        "With 30/4 in 42.22 the worst attack on 43.23 changes from 5:1, lost 95% to no attack.",
    )
    assert drawn.focus == ("43.23",), "the hex that it leaves is drawn"
    stays = sketch(position, ask(position, "threat", at=["41.19"], **{"if": ["Russian 20 Train@39.19"]}))
    assert stays is not None
    assert stays.results[0] == "With Russian 20 Train in 39.19 nothing changes."


def test_a_label_names_the_check_where_it_decides_and_the_table_has_it() -> None:
    position, report = read(EXAMPLE), example()
    drawn = sketch(position, report)
    assert drawn is not None
    labels = {spot.hex: spot.label for spot in drawn.spots}
    assert len(labels) > 5
    for threat in (threat for threat in report.result.hexes if threat.worst and threat.at in labels):
        checks = threat.worst.chances.checks
        decides = len(checks) == 1 and checks[0].retreats > threat.worst.chances.lost / 2
        assert ("check" in labels[threat.at]) == decides
    assert labels["43.18"] == "4:1 84% check 64%"
    (table,) = drawn.tables
    column = table.heads.index("retreat by check")
    assert next(row for row in table.rows if "43.18" in row[0])[column] == "64%"


def test_a_shade_agrees_with_the_percents_in_the_table() -> None:
    half = Fraction(4991, 10000)
    chances = Danger(lost=half, defender_mean=Fraction(1), attacker_mean=Fraction(1))
    assault = ThreatAttack(
        attackers=("a",), places=("b",), attack=Fraction(1), defence=1, column="1:1", rank=0, battle={}, chances=chances
    )
    threat = HexThreat(at="42.19", standing=assault)
    assert (format_chance(assault), threat.level) == ("50%", 4)


def test_a_hex_whose_attack_could_not_be_weighed_has_no_shade_beside_others_that_have() -> None:
    report = example()
    first, *others = report.result.hexes
    unknown = msgspec.structs.replace(first.worst, chances=None, unweighed="the file is spoiled")
    spoiled = msgspec.structs.replace(first, standing=unknown, coming=None)
    result = msgspec.structs.replace(report.result, hexes=(spoiled, *others))
    drawn = sketch(read(EXAMPLE), msgspec.structs.replace(report, result=result))
    assert drawn is not None
    levels = {spot.hex: spot.level for spot in drawn.spots}
    assert (levels[first.at], spoiled.level > 0) == (0, True)
    others = [threat for threat in others if threat.worst and threat.at in levels]
    assert len(others) > 3
    assert all(levels[threat.at] == threat.level for threat in others)
    assert "A hex with odds alone has no shade: the chance to lose it is not known." in drawn.results


def test_the_picture_in_grey_tells_the_levels_apart() -> None:
    light = [lightness(shade) for shade in SHADES]
    assert all(lighter - darker >= MIN_DIFFERENCE_IN_GREY for lighter, darker in pairwise(light))
    assert not find_close_colours({shade: shade for shade in SHADES})


@thorough
def test_what_stays_behind_in_a_hex_is_still_threatened() -> None:
    position = read(EXAMPLE)
    narrowed = threats(position, "russian", unit=["25/3"], if_=["2 c@42.15"])
    beside = threats(position, "russian", at=["42.16"], if_=["2 c@42.15"]).hexes
    (whole,) = (threat for threat in beside if threat.at == "42.16")
    (change,) = (change for change in narrowed.changes if change.at == "42.16")
    assert whole.units == ("3 c",)
    assert change.after == whole.worst is not None


@pytest.mark.parametrize(
    ("unit", "why"),
    [("35/17", "unit: 35/17 is not of the Russian side"), ("30/4", "unit: 30/4 is in no hex of the map")],
)
def test_units_that_cannot_be_asked_about(unit: str, why: str) -> None:
    position = read(EXAMPLE)
    off = apply_changes(position.game, position.state, [Change("place", "30/4", "43.23", None, "")])
    with pytest.raises(InputError, match=why):
        threats(msgspec.structs.replace(position, state=off), "russian", unit=[unit])


def test_a_unit_is_supposed_in_one_hex_only() -> None:
    with pytest.raises(InputError, match="30/4 cannot stand in two hexes"):
        threats(read(EXAMPLE), "russian", if_=["30/4@42.22", "30/4@42.21"])


def test_a_side_without_units_on_the_map_says_so(tmp_path: Path) -> None:
    (file := tmp_path / "alone.pos").write_text("game twilight-in-the-east\nboard east\ntrust counters\n44.18: 2/1\n")
    assert ask(read(file), "threat", side="russian").verdict.text == "the Russian side has no unit in a hex of the map"


# --- what is left out as facts are missing ----------------------------------------------------------------------------


def instead(old: str, new: str) -> Position:
    """The example with another text in it, and without its questions."""
    text = EXAMPLE.read_text("utf-8")
    assert old in text
    return msgspec.structs.replace(typed(text[text.index("game ") :].replace(old, new)), asks=())


def without_charts() -> Position:
    """The example without what the ground costs."""
    return instead(" charts", "")


@thorough
def test_where_nobody_knows_who_can_march_no_hex_is_safe() -> None:
    position = without_charts()
    report = ask(position, "threat", side="russian")
    assert report.verdict.text == (
        "the Central Powers can attack at least 4 of 10 hexes, weakest first: 43.18 (at least 2:1), "
        "42.16 (at least 1:2), 43.16 (at least 1:2); the chances on 4 hexes are not known; where 8 units can move is not known"
    )
    (left_out,) = (part for part in report.parts if part.title == "Left out")
    assert "chart terrain-cost summer secondary-road = cost" in left_out.steps[0].text
    assert not any(part.title == "Not attacked" for part in report.parts)
    (unknown,) = (part for part in report.parts if part.title == "Not known")
    safe = [threat.at for threat in report.result.hexes if not threat.worst]
    assert unknown.steps[0].figures["hexes"] == safe
    assert all(threat.at_least for threat in report.result.hexes)
    assert len(report.result.unknown) == 8
    drawn = sketch(position, report)
    assert drawn is not None
    spots = {spot.hex: spot for spot in drawn.spots}
    shown = [at for at in safe if at in spots]
    assert [(spots[at].role, spots[at].level, drawn.format_plain_label(spots[at])) for at in shown] == [
        ("unknown", 0, "?")
    ] * len(shown)
    (left,) = (line for line in drawn.caption if "is not known: shown when asked for" in line)
    assert all(at in left for at in safe if at not in spots)
    assert 0 < len(shown) < len(safe)
    assert spots["43.18"].label == "2:1 ?"
    standing = ask(position, "threat", side="russian", march=False)
    assert standing.verdict.text.startswith("the Central Powers can attack 4 of 10 hexes, weakest first: 43.18 (2:1)")
    assert not any(threat.at_least for threat in standing.result.hexes)


def test_an_enemy_of_whom_nothing_is_known_may_come_anywhere() -> None:
    position = read(EXAMPLE)
    unknown = msgspec.structs.replace(position.state, units={**position.state.units, "X": Unit("X", "", "44.24", 0)})
    report = ask(msgspec.structs.replace(position, state=unknown, asks=()), "threat", side="russian")
    assert {"X", "2/1"} <= {*report.result.unknown}, "nor where others can move, as it may have a zone"
    assert report.verdict.text.endswith("; where 9 units can move is not known")


@thorough
def test_what_supposed_moves_change_is_not_told_as_nothing_while_marches_are_not_known() -> None:
    report = ask(without_charts(), "threat", side="russian", if_=["30/4@42.23"])
    (changed,) = (part for part in report.parts if part.title == "What that changes")
    assert [step.text.startswith("what it changes on ") for step in changed.steps] == [True]


@pytest.mark.parametrize(("stated", "asks"), [("phase=movement", ["phasing"]), ("phasing=central-powers", ["phase"])])
def test_half_of_the_moment_is_asked_for(stated: str, asks: list[str]) -> None:
    report = ask(instead("phase=movement\nphasing=russian", stated), "threat", side="russian")
    assert (report.verdict.kind, [ask.key[0] for ask in report.asks]) == ("undecided", asks)


PAPER = """game twilight-in-the-east
turn=3 phase=movement phasing=russian weather=normal
41.17: 1/1 (12-16-7-11) movement=5
40.20: 25/3
"""
"""A paper map of which nothing is stated."""


def test_a_paper_map_names_the_ground_that_it_lacks_and_the_line_that_reads_a_drawn_one() -> None:
    report = answered(typed(PAPER), "threat", side="russian")
    assert report.verdict.text == (
        "undecided: where 1 unit can move is not known: the ground of 6 hexes is not stated; "
        "`board east` reads it from a drawn map"
    )
    lacks = "; ".join(told(report, "Paper map"))
    assert "the ground of 40.17, 40.18, 41.16, 41.18, 42.17, 42.18 is not stated" in lacks
    assert "one line, such as `elsewhere clear`" in lacks
    unmoving = answered(typed(PAPER.replace(" movement=5", "")), "threat", side="russian")
    assert unmoving.verdict.text.endswith(
        "where 1 unit can move is not known; `board east` reads the ground from a drawn map"
    )
    assert "1/1 movement=N" in told(unmoving, "Left out")[0]
    drawn = answered(typed(PAPER.replace("turn=3", "board east\nturn=3")), "threat", side="russian")
    assert "board east" not in str(drawn)
    assert not any(part.title == "Paper map" for part in drawn.parts)


def test_figures_that_a_threatened_hex_lacks_are_named_as_printed() -> None:
    report = answered(typed(PAPER.replace("41.17", "41.19")), "threat", side="russian")
    (threat,) = report.result.hexes
    assert threat.missing[:3] == ("25/3 steps=N", "25/3 defence=N", "25/3 artillery=N")
