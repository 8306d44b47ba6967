"""A side on a paper map: with all of its ground typed it has what it has on a drawn board with that ground, and what is told for
certain of a part of it stays so."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from assistant.asking.report import Report

from ....cases import few, seeds
from ....conftest import answered, told, typed, viewed
from .test_sides import HEAD, HEXES, position, units, whole

LINKS = ("rail", "road", "crossing")


@cache
def ground() -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """The sample board as it is typed: what is stated of each hex, and what of each hexside."""
    view = viewed(HEAD)
    hexes = {}
    for hex in HEXES:
        words = [str(view.value("terrain", hex))]
        for track in ("operational", "map-edge", "control"):
            words += [f"{track}={said}"] if (said := view.value(track, hex)) else []
        words += [] if view.value("operational", hex) else ["operational=none"]
        words += [] if view.value("map-edge", hex) == "russian" else ["linked=none"]
        words += ["station"] if view.value("station", hex) else ["station=no"]
        hexes[hex] = f"{hex} {' '.join(words)}"
    sides = {}
    for one in HEXES:
        for other in view.board.neighbours(one):
            if one < other and other in HEXES:
                name = f"{one}|{other}"
                lies = [str(word) for word in view.value("barrier", name) or ("open",)]  # type: ignore[union-attr]
                sides[one, other] = f"{name} {' '.join((*lies, *(str(view.value(track, name)) for track in LINKS)))}"
    return hexes, sides


def on_paper(lines: list[str], typed_too: Any = lambda one, other: True, more: str = "", **asked: Any) -> Report[Any]:
    """The supply of the Russians with these units and what is typed of the ground. typed_too: whether a hexside is."""
    hexes, sides = ground()
    network = [said for (one, other), said in sides.items() if typed_too(one, other)]
    text = "\n".join(["turn=5", *hexes.values(), *network, *lines, more]) + "\n"
    return answered(typed(text), "supply", **{"side": "russian", **asked})


def states(report: Report[Any]) -> dict[str, Any]:
    """What is told of each unit."""
    return {
        name: (one.stands.state, one.could.state, one.could.extended, one.could.cost, one.alone, one.isolated)
        for name, one in units(report).items()
    }


@few(3)
@pytest.mark.rule("14.2", "14.2b", "14.2.1", "14.2.2", "14.2.3", "14.3.1", "14.3.2", "14.4c", "14.4d", "14.4.1")
@pytest.mark.parametrize("seed", seeds(40))
def test_a_ground_that_is_typed_whole_gives_what_the_same_ground_gives_on_a_board(seed: int) -> None:
    lines = position(seed)
    board, paper = whole(lines), on_paper(lines, more="side russian whole-network")
    assert states(paper) == states(board)
    assert [(one.track, one.subject, one.after) for one in paper.changes] == [
        (one.track, one.subject, one.after) for one in board.changes
    ]
    assert {name: lacks(one) for name, one in units(paper).items()} == {
        name: lacks(one) for name, one in units(board).items()
    }, "one of several causes that are equally small may be told"


def lacks(one: Any) -> int:
    """How much a unit lacks."""
    return len(one.cause.hindrances) if one.cause else 0


@few(3)
@pytest.mark.rule("14.2", "14.2.1", "14.2.2", "14.2.3")
@pytest.mark.parametrize("seed", seeds(40))
def test_what_is_certain_of_a_part_is_so_on_the_whole(seed: int) -> None:
    """All railways are typed, and a part of the rest; hexes around which all is typed are complete."""
    lines, drawn = position(seed), random.Random(seed)
    share = drawn.choice((0.5, 0.8, 0.95))
    _, sides = ground()
    kept = {pair for pair, said in sides.items() if " rail" in said or drawn.random() < share}
    untyped = {hex for pair in sides.keys() - kept for hex in pair}
    inner = [hex for hex in HEXES if hex not in untyped and sum(hex in pair for pair in sides) == 6]
    complete = "\n".join(f"{hex} complete" for hex in inner)
    part = on_paper(lines, lambda one, other: (one, other) in kept, complete)
    every = units(on_paper(lines, more="side russian whole-network"))
    for name, one in units(part).items():
        if one.could.state is not None:
            assert one.alone == every[name].alone, name
            if one.could.state == every[name].could.state == "out" and one.isolated is not None:
                assert one.isolated == every[name].isolated, name


# --- modes, by example ------------------------------------------------------------------------------------------------

ROAD = "4030=4029:4028:4027:4026:4025:4024:4023:4022:4021:4020\nside russian whole-network\n"
"""A RR line that ends in 40.29, and a road from there."""


def side(text: str, question: str = "supply", **asked: Any) -> Report[Any]:
    return answered(typed(text), question, **{"side": "russian", **asked})


@pytest.mark.rule("14.2b", "14.4c", "14.4d")
def test_a_train_that_is_flipped_is_flipped_for_all_that_it_serves() -> None:
    """25/3 is at the extended range of the train and 27/3 beyond the normal range: both are served at the price of 26/3."""
    text = ROAD + '40.29: "3 Train" range=2 extended-range=8\n40.22: 25/3, 27/3\n40.27: russian infantry XX 26/3\n'
    found = side(text)
    assert {name: (one.stands.state, one.could.state) for name, one in units(found).items()} == {
        "25/3": ("out", "low"),
        "27/3": ("out", "low"),
        "26/3": ("in", "in"),
        "3 Train": ("in", "in"),
    }
    assert units(found)["26/3"].could.source == "the RR line at 40.29"
    assert [(one.subject, one.after) for one in found.changes] == [("3 Train", True)]
    assert "as it stands Out of Supply" in str(found)
    flipped = side(text.replace('"3 Train"', '"3 Train" extended'))
    assert units(flipped)["25/3"].stands.state == "low"
    assert not flipped.changes


@pytest.mark.rule("14.2b", "14.2.2")
def test_a_depot_is_flipped_for_the_train_that_it_feeds() -> None:
    text = ROAD + '40.29: "Russian FIRST Major Depot" army=First range=2 extended-range=4\n40.29 station\n'
    text += '40.25: "3 Train" army=First range=5 extended-range=6\n40.22: 25/3 army=First\n'
    found = answered(typed(text), "supply", unit="25/3")
    assert (found.result.state, found.result.stands) == ("in", "out")
    assert told(found, "Modes")[0].startswith("Russian FIRST Major Depot is flipped to Extended Mode")


@pytest.mark.rule("14.2.2")
def test_nobody_is_in_supply_from_a_train_that_is_undecided_itself() -> None:
    text = '40.25: "3 Train" range=9 extended-range=9\n40.22: 25/3\n4025:4024:4023:4022\n'
    found = units(side(text))
    assert {name: one.could.state for name, one in found.items()} == {"25/3": None, "3 Train": None}
    assert found["3 Train"].missing == found["25/3"].missing
    stated = units(side(text + '"3 Train" supply=in\n'))
    assert {name: one.could.state for name, one in stated.items()} == {"25/3": "in", "3 Train": "in"}
    assert stated["3 Train"].could.source == "as stated"


@pytest.mark.rule("14.7")
def test_the_bukowina_serves_three_units_and_fischer_on_paper_too() -> None:
    text = "turn=12\n17.112: " + ", ".join(f"austro-hungarian infantry XX {name}" for name in ("A", "B", "C", "D"))
    text += ", austro-hungarian infantry X Fischer\n"
    text += "17.112|17.113 road\n17.113|17.114 road\nside central-powers whole-network\n"
    states = sorted(one.could.state for one in units(side(text, side="central-powers")).values())
    assert states == ["in", "in", "in", "in", "out"]
    three = text.replace("XX A", "XX A bukowina").replace("XX B", "XX B bukowina").replace("XX C", "XX C bukowina")
    found = units(side(three, side="central-powers"))
    assert [name for name, one in found.items() if one.could.state == "out"] == ["D"], "it is not named"
    surplus = side(three.replace("XX D", "XX D bukowina"), side="central-powers")
    assert sorted(one.could.state for one in units(surplus).values()) == ["in", "in", "in", "in", "out"]
    assert "A, B, C, D are named to draw on the Bukowina, but no more than three may" in str(surplus)


@pytest.mark.rule("17.5.3", "17.5.3b")
def test_a_field_railway_carries_supply_on_paper() -> None:
    text = "4030=4031\n4030:4029:4028:4027:4026:4025:4024\nside russian whole-network\n40.24: 25/3\n"
    built = '40.30 built-line="40.30 40.29 40.28 40.27" built-kind=field built-by=russian built-turn=4\n'

    def could(more: str = "", line: str = text) -> tuple[str | None, Fraction | None, str]:
        lone = units(side(line + more))["25/3"].could
        return lone.state, lone.cost, lone.source

    assert could() == ("low", 6, "the RR line at 40.30")
    assert could(built) == ("in", 3, "the RR line at 40.27")
    around = f"{built}4028:4128:4127:4126:4026\n"
    assert could(around) == ("in", 3, "the RR line at 40.27")
    assert could(f"{around}40.27: german artillery - Guns\n") == ("low", 6, "the RR line at 40.28"), "guns have no zone"
    assert could(f"{around}40.30: german artillery - Guns\n")[0] == "out"
    beyond = f"{around}4029:4128\n40.28: german artillery - Guns\n"
    assert could(beyond) == ("low", 6, "the RR line at 40.29"), "beyond them it is not used either"
    alone = text.replace("4030:4029:4028:4027:", "4027:")
    assert could(built, alone) == ("in", 3, "the RR line at 40.27"), "it is a way of its own"
    assert could(f"{built}40.30 operational=none\n")[0] == "out", "nothing links its DEPLOYED marker"
    river = f"{built}40.23: 27/3\n40.23 clear\n40.24|40.23 major-river"
    states = [units(side(f"{text}{river}{crossing}\n"))["27/3"].could.state for crossing in ("", " bridge")]
    assert states == ["out", "low"], "no bridge lies where none is typed"
    train = '40.32: "3 Train" range=9 extended-range=9\n40.32=40.31\n'
    by_train = answered(typed(text + built + train), "supply", unit="25/3").result.tried
    assert [way.cost for way in by_train if way.source == "3 Train"] == [5], (
        "two hexes at a quarter, three at a half, three"
    )


@pytest.mark.rule("17.5.3")
def test_a_broken_line_between_two_hexes_of_a_field_railway_carries_no_supply_on_paper() -> None:
    broken = "4031=4030=4029=4028\n40.28 operational=none\n4028:4027:4026\n4029:4128:4028\nside russian whole-network\n"
    broken += '40.26: 25/3\n40.31: "3 Train" range=9 extended-range=9\n'
    broken += '40.29 built-line="40.29 41.28 40.28" built-kind=field built-by=russian built-turn=4\n'
    by_field = answered(typed(broken), "supply", unit="25/3").result.tried
    assert [way.cost for way in by_field if way.source == "3 Train"] == [Fraction(7, 2)]


@pytest.mark.rule("14.1.1b")
@pytest.mark.parametrize("typed_as", ["66.19-sea-67.18", "6619c/6718c"])
def test_the_strait_of_pillau_on_paper(typed_as: str) -> None:
    """However it is typed, sea lies there unless the Germans hold Pillau; who holds it is asked."""
    text = '66.20: german corps-train - "1 Train" range=5 extended-range=8 corps=1\n67.18: german infantry XX 1/1\n'
    text += f"66.21=66.20:66.19\n67.18 clear\n{typed_as}\nside central-powers whole-network\n"
    asked = answered(typed(text), "supply", unit="1/1")
    assert [ask.key for ask in asked.asks if ask.key == ("control", "66.18")]
    for holder, state in (("central-powers", "in"), ("russian", "out")):
        held = f"{text}66.18 control={holder}\n"
        assert answered(typed(held), "supply", unit="1/1").result.state == state
        lake = answered(typed(f"{held}66.20|66.19 lake\n".replace("66.20:66.19", "66.20/66.19")), "supply", unit="1/1")
        assert lake.result.state == "out", "the strait alone is open to a side"


@pytest.mark.rule("12.1", "8.2.4", "14.2.4", "24.4", "22.5.1")
def test_units_that_need_no_line_and_one_that_is_in_low_supply_at_best() -> None:
    text = 'turn=5\ntrust counters\n40.30: "2/23"\n40.30: "23 Train" range=5 extended-range=8 corps=23\n'
    text += "4030=4031\nside russian whole-network\n42.20: 25/3 entrained\n"
    text += "44.20: russian fortress - Keep supply-symbol\n44.21: russian infantry XX 27/3\n"
    phase = side(text, "supply-phase")
    assert {one.unit: one.now for one in phase.result.units} == {
        "2/23": "low",
        "23 Train": "in",
        "25/3": "in",
        "27/3": "in",
    }
    assert answered(typed(text), "supply", unit="2/23").result.state == "low"
    (low,) = [one for one in units(side(text)).values() if one.could.state == "low"]
    assert (low.unit, low.cause.text) == ("2/23", "up to GT 7 in Low Supply at best (24.4)")


@pytest.mark.rule("24.4")
def test_what_is_stated_lifts_no_unit_above_low_supply_that_is_in_it_at_best() -> None:
    report = answered(typed("turn=5\n42.20: 2/23 supply=in\n"), "supply", side="russian")
    assert {name: row.could.state for name, row in units(report).items()} == {"2/23": "low"}


@pytest.mark.rule("14.0", "14.2.2")
def test_a_phase_finds_anew_the_state_of_a_source_that_was_marked_out() -> None:
    text = "turn=5\n" + ROAD + '40.29: "3 Train" range=8 extended-range=8 supply=out\n40.22: 25/3 supply=out\n'
    phase = side(text, "supply-phase")
    assert {one.unit: one.now for one in phase.result.units} == {"3 Train": "in", "25/3": "in"}
    assert phase.result.settled
    assert not [step for step in told(phase, "Assumed") if "position states" in step]
    now = side(text)
    assert units(now)["25/3"].could.state == "out", "until then it supplies no units"
    open_still = side(text.replace("side russian whole-network\n", "").replace("4030=4029:", "4029:"), "supply-phase")
    assert {one.unit: one.now for one in open_still.result.units} == {"3 Train": "out", "25/3": "out"}
    assert "the supply stated for 25/3, 3 Train is assumed to be that of this Supply Phase" in told(
        open_still, "Assumed"
    )


@pytest.mark.rule("17.1.1")
def test_a_typed_railway_in_territory_that_the_enemy_is_stated_to_control_is_not_operational() -> None:
    text = ROAD + "4031=4030\n40.29 clear\n40.26: 25/3\n"
    assert units(side(text))["25/3"].could.source == "the RR line at 40.29"
    assert units(side(text + "40.29 control=central-powers\n"))["25/3"].could.source == "the RR line at 40.30"
    assert units(side(text + "40.29 operational=none\n"))["25/3"].could.source == "the RR line at 40.30"
    works = side(text + "40.29 control=central-powers operational=russian\n")
    assert units(works)["25/3"].could.source == "the RR line at 40.29", "it is stated to work all the same"
    assert units(side(text + "40.29 control=russian\n"))["25/3"].could.source == "the RR line at 40.29"


def test_it_is_said_which_modes_may_turn_on_what_is_undecided() -> None:
    text = '40.29: "3 Train" range=7 extended-range=9\n40.22: 25/3\n4030=4029:4028:4027:4026:4025:4024:4023:4022\n'
    caution = "whether 3 Train should be extended may depend on what is undecided"
    assert caution not in str(side(text))
    assert caution in str(side(text + "42.22: 27/3\n"))
    assert caution not in str(side(text + "42.22: 27/3\nside russian whole-network\n"))
