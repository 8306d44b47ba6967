"""Retreats, hex by hex (15)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from assistant.game.boards import Board
from assistant.rules.field import HexOption
from assistant.rules.retreat import RetreatResult
from assistant.state.changes import Change
from assistant.util.errors import InputError

from ...cases import few, seeds
from ..examples import after, ask, game

pytestmark = pytest.mark.rule("15.0", "15.2/5")
"""Every retreat here is moved hex by hex."""

BEATEN = """
turn=10 main-effort=east
side allies vp=40
2620 clear: Rus-inf-1 (4-4-3)
2621: AH-4 (12-12-4)
"""
"""A Russian corps north of an Austro-Hungarian army, whose zone covers 2521 and 2721."""


def hexes(position: str, **parameters: Any) -> dict[str, str]:
    """The hexes around, each with what bars it."""
    report = ask(position, "retreat", **({"units": ["Rus-inf-1"]} | parameters))
    return {one.hex: one.barred for one in report.result.options}


@pytest.mark.rule("15.0", "15.2/1", "15.2/2", "13.6", "20.1", "15.2/3", "23.3")
def test_no_retreat_into_enemies_their_zones_without_a_fortress_or_where_land_units_cannot_go() -> None:
    found = hexes(BEATEN)
    assert found["2621"] == "enemies stand there"
    assert found["2521"] == found["2721"] == "in the zone of control of AH-4"
    assert [hex for hex, why in found.items() if not why] == ["2520", "2619", "2720"]
    assert not hexes(BEATEN + "2721: russian fortress - Warsaw (?-4-?)\n")["2721"]
    assert hexes(BEATEN + "2721: Rus-cav-1 (2-3-5)\n")["2721"]
    chart = "chart terrain-cost summer mountain = prohibited\nchart turn-record 10 = summer\n"
    ground = "2619 all-sea\n2720 mountain\n2620 | 2520 impassable\n"
    found = hexes(chart + BEATEN + ground)
    assert (found["2619"], found["2720"], found["2520"]) == (
        "all-sea",
        "mountain is prohibited",
        "an impassable hexside",
    )
    assert hexes(BEATEN + "2520 country=romania\n")["2520"] == "a neutral country"
    bulgarian = (
        BEATEN.replace("turn=10", "turn=20 phasing=allies").replace("Rus-inf-1", "Bul-3").replace("AH-4", "Rus-3")
    )
    found = hexes(bulgarian + "2520 country=germany\n2619 country=romania\n", units=["Bul-3"])
    assert (found["2520"], found["2619"]) == ("Bulgarian units may not enter Germany", "")
    bare = BEATEN.replace("AH-4 (12-12-4)", "AH-4 (12-12-?), AH-3 (9-9-?)")
    report = ask(bare, "retreat", units=["Rus-inf-1"])
    assert "AH-4 assumed to have a zone of control" in str(report)
    assert "AH-3 taken" not in str(report)


@pytest.mark.rule("15.0", "15.1", "15.2/5")
def test_a_retreat_moves_the_units_as_many_hexes_as_they_owe_away_from_where_it_began() -> None:
    state = after(BEATEN, "retreat", units=["Rus-inf-1"], way=["2520"])
    assert state.units["Rus-inf-1"].place == "2520"
    assert state.value("vp", "allies") == 40
    owing = "turn=3\nelsewhere clear open\n2621: Ger-inf-1 (10-5-4) owes=2, AH-inf-1 (3-3-4) owes=2, AH-cav-1 (3-3-4) owes=1\n"
    two = ask(owing, "retreat", units=["Ger-inf-1", "AH-inf-1"])
    assert (two.result.owed, [ask.name for ask in two.asks]) == (2, ["hex.1"])
    assert ask(owing, "retreat", units=["Ger-inf-1"], hexes=3).result.owed == 3
    assert ask(owing.replace(" owes=2", ""), "retreat", units=["Ger-inf-1"]).result.owed == 1
    with pytest.raises(InputError, match="they must retreat different numbers of hexes"):
        ask(owing, "retreat", units=["Ger-inf-1", "AH-cav-1"])
    made = ask(owing, "retreat", units=["AH-cav-1"], way=["2622"])
    assert {(change.track, change.after) for change in made.changes if isinstance(change, Change)} >= {("owes", None)}
    found = hexes(BEATEN, hexes=3, way=["2619", "2618"])
    assert "2617" in [hex for hex, why in found.items() if not why]
    assert found["2619"] == "it is not farther from 2620, or has already been entered"
    away = ask(BEATEN, "retreat", units=["Rus-inf-1"], hexes=2, way=["2619", "2720"])
    assert away.verdict.kind == "no"
    report = ask(BEATEN, "retreat", units=["Rus-inf-1"], hexes=2, answers={"hex.1": "2619", "hex.2": "2618"})
    assert (report.result.way, report.result.complete) == (("2619", "2618"), True)


@pytest.mark.rule("15.2/4", "15.2/7", "15.0")
def test_over_stacked_hexes_are_avoided_or_passed_and_a_stack_of_ones_own_counts_once() -> None:
    full = "2619: Rus-3 (1-1-4)\n"
    assert hexes(BEATEN + full)["2619"] == "other routes avoid over-stacked hexes"
    walled = BEATEN + full + "2520 all-sea\n2720 all-sea\n"
    assert not hexes(walled)["2619"]
    on = ask(walled, "retreat", units=["Rus-inf-1"], way=["2619"])
    assert not on.result.complete
    assert "2618" in [one.hex for one in on.result.options if not one.barred]
    assert ask(walled, "retreat", units=["Rus-inf-1"], way=["2619", "2618"]).result.complete
    trio = BEATEN.replace("Rus-inf-1 (4-4-3)", "Rus-inf-1 (4-4-3), Rus-inf-2 (4-4-3), Rus-inf-3 (?-4-?)")
    every = ["Rus-inf-1", "Rus-inf-2", "Rus-inf-3"]
    assert ask(trio, "retreat", units=every, way=["2619"]).result.complete
    joined = trio + "2619: Rus-cav-1 (?-?-?)\n"
    assert hexes(joined, units=every)["2619"] == "other routes avoid over-stacked hexes"
    assert not hexes(joined, units=every[:2])["2619"]


@pytest.mark.rule("15.2/none", "15.2/4", "5.1")
def test_a_unit_without_a_way_is_eliminated_or_asked_about_at_once() -> None:
    """A supply unit whose counter is not described retreats next to a Headquarters that is not either."""
    walled = BEATEN + "2520 all-sea\n2720 all-sea\n2619 all-sea\n"
    report = ask(walled, "retreat", units=["Rus-inf-1"])
    assert report.result.eliminated == ("Rus-inf-1",)
    state = after(walled, "retreat", units=["Rus-inf-1"])
    assert state.units["Rus-inf-1"].place == "Dead Pile"
    assert state.value("vp", "allies") == 38
    crowded = walled.replace("2619 all-sea", "2619: Rus-3 (1-1-4)")
    crowded += "2519 all-sea\n2618 all-sea\n2719 all-sea\n"
    assert ask(crowded, "retreat", units=["Rus-inf-1"]).result.eliminated == ("Rus-inf-1",)
    position = "turn=10 main-effort=east\nside allies vp=40\n2620 clear: Allied-supply-1\n2519: Mackensen\n"
    report = ask(position, "retreat", units=["Allied-supply-1"], way=["2619"])
    assert [one.key for one in report.asks] == [("movement", "Allied-supply-1"), ("movement", "Mackensen")]
    stated = position.replace("supply-1", "supply-1 movement=0")
    assert ask(stated, "retreat", units=["Allied-supply-1"], way=["2619"]).result.eliminated == ("Allied-supply-1",)


@pytest.mark.rule("15.2/6")
def test_units_of_a_stack_retreat_together_or_apart() -> None:
    pair = BEATEN.replace("Rus-inf-1 (4-4-3)", "Rus-inf-1 (4-4-3), Rus-inf-2 (4-4-3)")
    together = after(pair, "retreat", units=["Rus-inf-1", "Rus-inf-2"], way=["2520"])
    assert together.units["Rus-inf-2"].place == "2520"
    apart = after(pair, "retreat", units=["Rus-inf-2"], way=["2619"])
    assert (apart.units["Rus-inf-1"].place, apart.units["Rus-inf-2"].place) == ("2620", "2619")
    with pytest.raises(InputError, match="are not stacked in one hex"):
        ask(pair + "2619: Rus-3 (1-1-4)\n", "retreat", units=["Rus-inf-1", "Rus-3"])


@pytest.mark.rule("15.2/8", "20.2", "Opt/Entrench/1", "15.2/6", "15.2/none")
def test_whoever_cannot_move_is_eliminated_and_no_retreat_begins_off_the_hexes() -> None:
    fort = BEATEN.replace("Rus-inf-1 (4-4-3)", "russian fortress - Warsaw (?-4-?), Rus-W (5-3-0)")
    fort = fort.replace("Rus-W (5-3-0)", "Rus-W (5-3-0), Allied-supply-1 (?-1-3) entrenched")
    report = ask(fort, "retreat", units=["Warsaw", "Rus-W", "Allied-supply-1"])
    assert report.result.eliminated == ("Warsaw", "Rus-W", "Allied-supply-1")
    assert after(fort, "retreat", units=["Warsaw", "Rus-W"]).value("vp", "allies") == 40 - 4 - 6
    for elsewhere in ("Available: Rus-3 (1-1-4)", "Rus-3 arrives=2"):
        with pytest.raises(InputError, match="units: Rus-3 is not in a hex"):
            ask(f"{BEATEN}{elsewhere}\n", "retreat", units=["Rus-3"])
    fort = BEATEN.replace("Rus-inf-1 (4-4-3)", "russian fortress - Warsaw (?-4-3), Rus-inf-1 (4-4-3)")
    report = ask(fort, "retreat", units=["Warsaw", "Rus-inf-1"], way=["2619"])
    assert report.result.eliminated == ("Warsaw",)
    unstated = ask(fort.replace("(?-4-3), Rus", "(?-4-?), Rus"), "retreat", units=["Warsaw", "Rus-inf-1"], way=["2619"])
    assert (unstated.result.eliminated, unstated.asks) == (("Warsaw",), ())


@pytest.mark.rule("21.4")
def test_armoured_trains_retreat_along_their_railroads() -> None:
    train = BEATEN.replace("Rus-inf-1 (4-4-3)", "Rus-train-1 (2-2-9)") + "2620 | 2520 rail\n2620 | 2619 rail\n"
    found = hexes(train + "2619 control=central-powers\n", units=["Rus-train-1"])
    assert found["2720"] == "no railroad leads from 2620 to 2720"
    assert found["2619"] == "the enemy controls the railroad there"
    assert not found["2520"]


def test_impossible_retreats_are_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="1 to 6 hexes"):
        ask(BEATEN, "retreat", units=["Rus-inf-1"], hexes=7)
    with pytest.raises(InputError, match="2420 is not adjacent to 2620"):
        ask(BEATEN, "retreat", units=["Rus-inf-1"], way=["2420"])
    over = ask(BEATEN, "retreat", units=["Rus-inf-1"], way=["2520", "2519"])
    assert "the retreat ends in 2520" in str(over)


@pytest.mark.rule("15.0", "15.2/none")
def test_a_retreat_that_is_stuck_on_its_way_loses_the_units_and_says_why() -> None:
    walled = BEATEN + "2520 all-sea\n2720 all-sea\n2619 all-sea\n"
    report = ask(walled, "retreat", units=["Rus-inf-1"])
    assert "Rus-inf-1 cannot retreat and is eliminated" in str(report)
    assert (report.result.complete, report.asks) == (True, ())
    moved = ask(BEATEN, "retreat", units=["Rus-inf-1"], hexes=2, way=["2619", "2618"])
    assert "eliminated" not in str(moved)
    assert [change.after for change in moved.changes] == ["2618"]
    for number in (1, 6):
        assert ask(BEATEN, "retreat", units=["Rus-inf-1"], hexes=number).result.owed == number
    for faulty in ({"hexes": 0}, {"units": []}):
        with pytest.raises(InputError, match="a retreat needs units"):
            ask(BEATEN, "retreat", **({"units": ["Rus-inf-1"]} | faulty))


# --- no way that ends in elimination or in an over-stacked hex while another does not (15.2/7) ---------------------------

DEAD_END = BEATEN + "2519 all-sea\n2618 all-sea\n2719 all-sea\n"
"""Beyond 2619 all is sea; 2520 and 2720 lead on to the north."""


@pytest.mark.rule("15.2/7", "15.2/none")
def test_a_panic_enters_no_dead_end_while_another_way_is_open() -> None:
    one, two = hexes(DEAD_END, hexes=1), hexes(DEAD_END, hexes=2)
    assert (one["2619"], two["2619"]) == ("", "it is hex 1 of 2, and no hex is open beyond it")
    assert not two["2520"] and not two["2720"]
    into = ask(DEAD_END, "retreat", units=["Rus-inf-1"], hexes=2, way=["2619"])
    assert (into.verdict.kind, into.verdict.text) == (
        "no",
        "2619 cannot be entered: it is hex 1 of 2, and no hex is open beyond it",
    )
    shut = DEAD_END + "2520 all-sea\n2720 all-sea\n"
    report = ask(shut, "retreat", units=["Rus-inf-1"], hexes=2)
    assert report.result.eliminated == ("Rus-inf-1",)
    assert {one.barred for one in report.result.options if one.hex == "2619"} == {
        "it is hex 1 of 2, and no hex is open beyond it"
    }


@pytest.mark.rule("15.2/7", "15.2/4", "15.2/5")
def test_a_hex_that_leads_to_over_stacked_ones_alone_is_left_for_another() -> None:
    full = (
        BEATEN
        + "2519, 2618, 2719 clear\n"
        + "".join(f"{hex}: Rus-{number} (1-1-4)\n" for number, hex in ((3, "2519"), (4, "2618"), (5, "2719")))
    )
    found = hexes(full, hexes=2)
    assert found["2619"] == "other routes avoid over-stacked hexes"
    assert not found["2520"] and not found["2720"]
    alone = hexes(full + "2520 all-sea\n2720 all-sea\n", hexes=2)
    assert alone["2619"] == "", "without another way it goes on beyond them"
    full = BEATEN + "2520, 2720 all-sea\n2619: Rus-3 (1-1-4)\n2618: Rus-4 (1-1-4)\n"
    found = hexes(full, way=["2619", "2618"])
    assert found["2619"] == "it is not farther from 2620, or has already been entered"
    assert "2617" in [hex for hex, why in found.items() if not why]


def ends_of(board: Board, owed: int, closed: set[str], full: set[str]) -> dict[str, set[bool]]:
    """The first hexes of every way from 2620 that ends where there is room, each with whether a way through it ends as soon as it may."""
    found: dict[str, set[bool]] = {}

    def beyond(way: tuple[str, ...]) -> bool:
        """Whether a way into a full hex leads on to one with room."""
        known, edge = {"2620", *way}, [way[-1]]
        while edge:
            fresh = {*board.neighbours(edge.pop())} - known - closed
            known |= fresh
            edge += fresh
        return bool(known - {"2620", *way} - full)

    def walk(way: tuple[str, ...]) -> None:
        if len(way) == owed:
            if way[-1] not in full or beyond(way):
                found.setdefault(way[0], set()).add(way[-1] not in full)
            return
        for there in board.neighbours(("2620", *way)[-1]):
            if there not in closed and board.distance("2620", there) == len(way) + 1:
                walk((*way, there))

    walk(())
    return found


@few(3)
@pytest.mark.rule("15.2/7", "15.2/4", "15.2/5", "15.2/none")
@pytest.mark.parametrize("seed", seeds(60))
def test_the_first_hexes_that_are_open_are_those_of_the_ways_that_end_best(seed: int) -> None:
    dice, board, near = random.Random(seed), game().board(""), {"2620"}
    for _ in range(4):
        near |= {there for hex in near for there in board.neighbours(hex)}
    hexes = sorted(near - {"2620", "2621"})
    closed = set(dice.sample(hexes, len(hexes) * dice.choice([3, 5, 6]) // 10))
    full = set(dice.sample(sorted({*hexes} - closed), 12)) - {"2521", "2721"}
    owed = dice.randint(1, 3)
    ground = "".join(f"{hex} all-sea\n" for hex in sorted(closed))
    ground += "".join(f"{hex}: russian infantry XXXX A{hex} (1-1-4)\n" for hex in sorted(full))
    zone = {"2621", *board.neighbours("2621")}
    best = ends_of(board, owed, closed | zone, full)
    report = ask(BEATEN + ground, "retreat", units=["Rus-inf-1"], hexes=owed)
    shorter = any(True in ends for ends in best.values())
    expected = {hex for hex, ends in best.items() if True in ends or not shorter}
    assert {one.hex for one in report.result.options if not one.barred} == expected
    assert bool(report.result.eliminated) == (not expected)


@pytest.mark.rule("15.2/1", "15.2/2")
def test_the_whole_report_before_a_retreat_and_after_it() -> None:
    options = (
        *map(HexOption, ("2520", "2619", "2720")),
        HexOption("2521", "15.2", "in the zone of control of AH-4"),
        HexOption("2621", "15.2", "enemies stand there"),
        HexOption("2721", "15.2", "in the zone of control of AH-4"),
    )
    before = RetreatResult(at="2620", units=("Rus-inf-1",), owed=1, options=options)
    one = ask(BEATEN, "retreat", units=["Rus-inf-1"])
    assert (one.result, one.verdict.text, one.changes) == (before, "open hexes: 2520, 2619, 2720", ())
    (due,) = one.asks
    assert (due.name, due.rule, due.title, due.options, due.units) == (
        "hex.1",
        "15.2",
        "hex 1 of the retreat from 2620, 1 owed",
        ("2520", "2619", "2720"),
        ("Rus-inf-1",),
    )
    onward = {"2520": ("2419", "2420", "2519"), "2619": ("2519", "2618", "2719"), "2720": ("2719", "2819", "2820")}
    two = ask(BEATEN, "retreat", units=["Rus-inf-1"], hexes=2)
    assert two.result == RetreatResult(at="2620", units=("Rus-inf-1",), owed=2, options=options, onward=onward)
    done = ask(BEATEN, "retreat", units=["Rus-inf-1"], hexes=2, way=["2619", "2618"])
    assert done.result == RetreatResult(at="2620", units=("Rus-inf-1",), owed=2, way=("2619", "2618"), complete=True)
    assert (done.verdict.text, done.asks) == ("the retreat ends in 2618", ())
    assert done.changes == (Change("place", "Rus-inf-1", "2620", "2618", "15.0"),)
    barred = ask(BEATEN, "retreat", units=["Rus-inf-1"], way=["2621"])
    assert (barred.result, barred.asks, barred.changes) == (before, (), ())
    assert barred.verdict.text == "2621 cannot be entered: enemies stand there"


@pytest.mark.rule("15.2/8", "20.2", "15.2/none", "5.1")
def test_the_whole_report_on_a_stack_of_which_a_part_cannot_move() -> None:
    fort = BEATEN.replace("Rus-inf-1 (4-4-3)", "russian fortress - Warsaw (?-4-0) owes=1, Rus-inf-1 (4-4-3) owes=1")
    report = ask(fort, "retreat", units=["Warsaw", "Rus-inf-1"], way=["2619"])
    assert report.result == RetreatResult(
        at="2620", units=("Warsaw", "Rus-inf-1"), owed=1, way=("2619",), eliminated=("Warsaw",), complete=True
    )
    assert [(change.track, change.subject) for change in report.changes if isinstance(change, Change)] == [
        ("place", "Warsaw"),
        ("owes", "Warsaw"),
        ("place", "Rus-inf-1"),
        ("owes", "Rus-inf-1"),
    ]


@pytest.mark.rule("15.0", "7.3/2")
def test_a_retreat_takes_the_hexes_of_the_enemy_through_which_it_leads() -> None:
    ground = "2619 country=russia control=central-powers\n2618 country=austria-hungary objective\n"
    report = ask(BEATEN + ground, "retreat", units=["Rus-inf-1"], hexes=2, way=["2619", "2618"])
    assert report.changes == (
        Change("place", "Rus-inf-1", "2620", "2618", "15.0"),
        Change("control", "2619", "central-powers", "allies", "7.3"),
        Change("capture-open", "2618", None, "allies", "5.3"),
    )
    assert [step.text for part in report.parts if part.title == "Afterwards" for step in part.steps] == [
        "the Allies take control of 2619"
    ]
    part = ask(BEATEN + ground, "retreat", units=["Rus-inf-1"], hexes=2, way=["2619"])
    back = "it is not farther from 2620, or has already been entered"
    options = (
        *map(HexOption, ("2519", "2618", "2719")),
        HexOption("2520", "15.2", back),
        HexOption("2620", "15.2", "in the zone of control of AH-4"),
        HexOption("2720", "15.2", back),
    )
    assert part.result == RetreatResult(at="2620", units=("Rus-inf-1",), owed=2, way=("2619",), options=options)
    assert (part.changes, [each.title for each in part.parts if each.steps]) == ((), ["Hexes", "Assumed"])
