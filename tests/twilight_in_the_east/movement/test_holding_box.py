"""The Bukowina Holding Box (23.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.ground.hexsides import leads_to_box
from twilight_in_the_east.movement.holding_box import nation_bar
from twilight_in_the_east.retreat.ways import RetreatHex
from twilight_in_the_east.terms import HALF_HEXES

from ...conftest import answered, told, typed, why_not

BOX = "Bukowina Holding Box"


def asked(place: str, nation: str = "austro-hungarian", more: str = "", **given: Any) -> Report[Any]:
    text = f'turn=12\n"{place}": {nation} infantry XX U {more}\n17.112: russian infantry XX R'
    return answered(typed(text), "holding-box", unit="U", **given)


KEPT = {"control": "central-powers"}
"""Whose the hex stays that it leaves empty."""


def made(report: Report[Any]) -> dict[str, object]:
    return {one.track: one.after for one in report.changes}


@pytest.mark.rule("23.4", "23.4.1")
def test_only_austro_hungarians_pass_and_only_the_half_hexes() -> None:
    assert [
        hex
        for hex in ("31.114", "27.114", "17.114", "11.114", "09.114", "07.114", "18.114")
        if nation_bar("austro-hungarian", hex)
    ] == ["18.114"]
    assert len(HALF_HEXES) == 6
    for nation in ("german", "russian"):
        assert [one.rule for one in nation_bar(nation, "17.114")] == ["23.4"]


@pytest.mark.rule("23.4.1")
def test_a_half_hex_costs_one_point_of_what_is_left_enemy_zone_or_not() -> None:
    report = asked("17.113", to="17.114")
    assert (report.result.allowed, report.result.points, made(report)) == (
        True,
        1,
        {"place": "17.114", "spent": "march:1", "passed": "17.113 17.114"} | KEPT,
    )
    assert not asked("17.113", "russian", to="17.114").result.allowed
    with pytest.raises(InputError, match="20.110 and 17.114 are not adjacent"):
        asked("20.110", to="17.114")
    for spent, allowed in ((6, True), (9, True), (10, False)):
        report = asked("17.113", more=f"movement=7 spent=march:{spent}", to="17.114")
        assert report.result.allowed is allowed
    assert "10 of" in "".join(told(asked("17.113", more="movement=10 spent=march:9", to="17.114")))
    assert asked("17.113", more="movement=7 spent=march:10", to="17.114", retreat=True).result.allowed


@pytest.mark.rule("23.4.1", "8.1b")
def test_who_enters_a_half_hex_spends_a_point_and_ends_the_moves_of_others() -> None:
    begun = "\n20.110: austro-hungarian infantry XX V spent=march:2"

    def changes(place: str, **given: Any) -> list[tuple[str, str, object, str]]:
        every = asked(place, more=begun, **given).changes
        return [(one.track, one.subject, one.after, one.rule) for one in every if one.track != "control"]

    in_box = ("place", "U", BOX, "23.4.1")
    assert changes("17.113", to="17.114") == [
        ("place", "U", "17.114", "23.4.1"),
        ("spent", "U", "march:1", "23.4.1"),
        ("passed", "U", "17.113 17.114", "23.4.1"),
        ("ended", "V", True, "8.1"),
    ]
    assert changes("17.113", to="17.114", retreat=True) == [("place", "U", "17.114", "23.4.1")]
    assert changes("17.114") == [in_box, ("box-entered", "U", 12, "23.4.2")]
    assert changes("17.114", retreat=True) == [in_box]


@pytest.mark.rule("23.4", "23.4.1", "23.4.2")
def test_whoever_is_left_in_a_half_hex_goes_into_the_box() -> None:
    report = asked("17.114")
    assert made(report) == {"place": BOX, "box-entered": 12} | KEPT
    assert told(report) == ["in the Box it is In Supply, may recover levels, and need never come back"]
    assert made(asked("17.114", retreat=True)) == {"place": BOX} | KEPT
    assert told(asked("18.114"), "Not allowed")[0].startswith("18.114 is not one of the half-hexes 31.114, 27.114")


@pytest.mark.rule("23.4.2")
def test_who_entered_by_movement_stays_for_the_game_turn() -> None:
    assert not asked(BOX, more="box-entered=12", to="17.114").result.allowed
    later = asked(BOX, more="box-entered=11", to="17.114")
    spent = {"spent": "march:1", "passed": "17.114"}
    assert made(later) == {"place": "17.114", "box-entered": None} | spent
    unstated = asked(BOX, to="17.114")
    assert ([ask.name for ask in unstated.asks], unstated.verdict.kind) == (["moved-in"], "undecided")
    assert asked(BOX, to="17.114", moved_in=False).result.allowed
    assert not asked(BOX, to="17.114", moved_in=True).result.allowed
    assert not asked(BOX, "german", to="17.114").result.allowed, "no answer could change that"
    assert made(asked("17.114"))["box-entered"] == 12
    retreats = answered(typed("17.114: austro-hungarian infantry XX U"), "holding-box", unit="U", retreat=True)
    assert (retreats.result.allowed, retreats.asks) == (True, ()), "without the game turn"


def test_slips() -> None:
    with pytest.raises(InputError, match="U is in Bukowina Holding Box"):
        asked(BOX)
    with pytest.raises(InputError, match="3 Train is not on the map"):
        answered(typed('turn=3\n"3 Train" arrives=8'), "holding-box", unit="3 Train")


@pytest.mark.rule("23.4")
def test_units_recover_in_the_box_in_supply_and_far_from_all_enemies() -> None:
    text = 'turn=12\n"{}": {} infantry XX U (6-6-2-10) movement=7 cel=-2 supply=out\n17.113: russian infantry XX R'
    inside = answered(typed(text.format(BOX, "austro-hungarian")), "recover", unit="U", points=7)
    assert (inside.result.allowed, inside.result.after, inside.result.distance) == (True, 1, None)
    outside = answered(
        typed(text.replace('"{}"', "{}").format("17.112", "austro-hungarian")), "recover", unit="U", points=7
    )
    assert not outside.result.allowed
    with pytest.raises(InputError, match="25/3 is not on the map"):
        answered(typed("turn=12\n25/3 arrives=13 cel=-2"), "recover", unit="25/3", points=7)


def retreating(place: str, nation: str = "austro-hungarian", more: str = "", **given: Any) -> Report[Any]:
    """A stack that has to retreat two hexes by the result of a combat."""
    text = (
        f"turn=12\n17.113|17.114 open\n17.113 clear\n17.114 clear\n{place}: {nation} infantry XX U (6-6-2-10)\n{more}"
    )
    return answered(typed(text), "retreat", **{"at": place, "hexes": 2, "cause": "crt", **given})


def open_to(report: Report[Any]) -> list[str]:
    return [one.hex for one in report.result.options if not one.barred]


@pytest.mark.rule("11.2.3", "23.4", "23.4.1")
def test_a_stack_may_retreat_from_a_half_hex_into_the_box() -> None:
    assert BOX in open_to(retreating("17.114"))
    assert BOX not in open_to(retreating("18.113")) + open_to(retreating("17.114", "german"))
    (box,) = [one for one in retreating("17.114").result.options if one.hex == BOX]
    assert (box.is_safe, box.distance, box.friendly) == (True, 1, True)
    (box,) = [one for one in retreating("17.113", way=("17.114",)).result.options if one.hex == BOX]
    assert box.distance == 2, "from the hex where the combat was"
    assert not RetreatHex("17.114").is_safe
    assert f"{BOX}: open; the stack is safe there and its retreat ends" in told(retreating("17.114"), "Next hex")
    inside = retreating("17.114", way=(BOX,))
    off = "U ends off the map in the Bukowina Holding Box, where it is In Supply: no distance from its supply sources is measured"
    assert off in told(inside)
    assert (inside.result.complete, inside.result.surrenders) == (True, False)
    assert [(one.force, one.levels, one.steps) for one in inside.result.forces] == [("U", 0, 0)]
    assert made(inside) == {"place": BOX, "retreated": True, "control": "central-powers"}
    assert made(retreating("17.113", way=("17.114", BOX)))["place"] == BOX
    with pytest.raises(InputError, match="off the map"):
        answered(typed(f'turn=12\n"{BOX}": austro-hungarian infantry XX U'), "retreat", at=BOX, hexes=1)
    half_hexes = ("31.114", "27.114", "17.114", "11.114", "09.114", "07.114")
    assert all(leads_to_box(hex, ["austro-hungarian"]) for hex in half_hexes)
    assert not any(leads_to_box("17.114", nations) for nations in (["german"], ["german", "austro-hungarian"]))


@pytest.mark.rule("4.2.3b", "23.4", "23.4.1", "11.2.6a")
def test_the_box_holds_all_who_retreat_into_it_and_saves_who_is_shut_in() -> None:
    """A fourth division and a third artillery unit come to those that are there."""
    there = [f"austro-hungarian infantry XX B{n}" for n in (1, 2, 3)]
    there += [f"austro-hungarian artillery - H{n}" for n in (1, 2)]
    more = f'17.114: austro-hungarian artillery - K\n"{BOX}": {", ".join(there)}'
    assert not retreating("17.114", more=more, way=(BOX,)).result.over_stacked
    beset = "\n".join(
        f"{hex}: russian infantry XX R{n}" for n, hex in enumerate(("16.113", "17.113", "18.113", "16.114", "18.114"))
    )
    report = retreating("17.114", more=beset)
    assert (report.result.surrenders, open_to(report)) == (False, [BOX])
    assert not retreating("17.114", more=beset, way=(BOX,)).result.surrenders


@pytest.mark.rule("8.5.4")
@pytest.mark.parametrize(("place", "to"), [("17.113", "17.114"), ("17.114", None)])
def test_who_moves_no_further_neither_enters_a_half_hex_nor_the_box_but_retreats(place: str, to: str | None) -> None:
    given = {"to": to} if to else {}
    assert asked(place, more="halted", **given).verdict.kind == "no"
    assert asked(place, more="halted", retreat=True, **given).verdict.kind == "yes"


FIGHT = """turn=12
trust charts
17.112: russian infantry XX R1 corps=3 (30-?-0-10) back-steps=0
17.113 clear: {nation} infantry XX U corps=1 (12-6-0-8) back-steps=0
16.113: {other} infantry XX N1 (9-9-0-9)
16.114: {other} infantry XX N2 (9-9-0-9)
18.113: {other} infantry XX N3 (9-9-0-9)
18.114: {other} infantry XX N4 (9-9-0-9)
17.112|17.113 open
ask battle at=17.113 from=17.112 attacker-ap=none defender-ap=none flanked=no
{cells}
answers crt=7 slrt=1/1 ec.17.112=2 ec.17.113=2 {more}
"""
CELLS = "\n".join(
    [f"chart crt summer {column} 7 = - / W2" for column in ("2:1", "3:1", "4:1", "5:1", "6:1")]
    + [f"chart slrt summer Medium {n} = 0 / 0" for n in range(-2, 9)]
)


def fought(nation: str, more: str = "", open_hex: str = "") -> Report[Any]:
    """A division in front of a half-hex that has to retreat two hexes, every other hex being held by enemies but one."""
    lines = FIGHT.format(nation=nation, other="russian", cells=CELLS, more=more).splitlines()
    return answered(typed("\n".join(line for line in lines if not open_hex or not line.startswith(open_hex))))


@pytest.mark.rule("23.4", "23.4.1")
def test_a_battle_offers_the_box_and_its_half_hexes_to_austro_hungarians_only() -> None:
    done = fought("austro-hungarian", "advance=none")
    assert done.result.outcome.retreats[0].way == ("17.114", BOX), "no other hex is open"
    assert made_of(done, "U") == {"place": BOX, "retreated": True, "cel": -1, "fought": True}, (
        "the half-hex is in an EZOC"
    )
    (ask,) = fought("austro-hungarian", open_hex="16.114").asks
    assert (ask.name, {*ask.options}) == ("retreat.17.113.1", {"16.114", "17.114"})
    (ask,) = fought("austro-hungarian", "retreat.17.113.1=17.114", open_hex="16.114").asks
    assert {*ask.options} == {"16.114", BOX}
    (ask,) = fought("german").asks
    assert ask.name == "repulse.17.113", "no hex is open to a German"


def made_of(report: Report[Any], unit: str) -> dict[str, object]:
    return {one.track: one.after for one in report.changes if one.subject == unit}


@pytest.mark.rule("23.4.1", "11.4")
def test_nobody_but_austro_hungarians_advances_into_a_half_hex() -> None:
    text = FIGHT.format(nation="austro-hungarian", other="russian", cells=CELLS, more="").replace("17.113", "17.114")
    text = text.replace("17.112", "17.113")
    report = answered(typed(text + f'answers retreat.17.114="{BOX}"'))
    assert (report.result.outcome.vacated, report.result.outcome.advance, report.asks) == (True, (), ())


@pytest.mark.rule("23.4.1", "9.8.1", "9.5.1", "9.8.1b")
@pytest.mark.parametrize(
    ("unit", "marker"),
    [("austro-hungarian corps-train - T", "extended"), ("austro-hungarian artillery - G", "displaced")],
)
def test_a_train_or_artillery_alone_in_a_half_hex_goes_into_the_box(unit: str, marker: str) -> None:
    """Every other hex is held: without the Box it would be eliminated."""
    beset = "\n".join(f"{hex}: russian infantry XX R{n}" for n, hex in enumerate(("17.113", "16.114", "18.114")))
    report = answered(typed(f"turn=12\n17.114: {unit}\n{beset}"), "displace", unit=unit[-1])
    assert [one.hex for one in report.result.refuges] == [BOX]
    left = {} if marker == "extended" else {"control": "central-powers"}  # no supply unit holds a hex
    assert made(report) == {"place": BOX, marker: True, **left}


@pytest.mark.rule("23.4.1", "9.8.1", "9.8.1b")
def test_a_train_that_could_go_three_hexes_may_go_into_the_box_too() -> None:
    text = "turn=12\n17.113: austro-hungarian corps-train - T\n17.112: russian infantry XX R\n17.113|17.112 open"
    found = {one.hex: len(one.way) for one in answered(typed(text), "displace", unit="T").result.refuges}
    assert found.pop(BOX) == 2 and set(found.values()) == {3}


@pytest.mark.rule("23.4.1")
@pytest.mark.parametrize(
    ("phase", "phasing", "into", "half_hex"),
    [
        ("movement", "central-powers", "", ""),
        ("counter-movement", "russian", "", ""),
        ("movement", "russian", "5.4", "5.4"),
        ("attack", "central-powers", "2.2", "2.2"),
        ("post-combat", "central-powers", "", "2.2"),
        ("other", "russian", "", "2.2"),
    ],
)
def test_a_unit_moves_there_in_its_own_movement_phases(phase: str, phasing: str, into: str, half_hex: str) -> None:
    now = f"\nturn=12 phase={phase} phasing={phasing}"
    assert why_not(asked("17.114", more=now)) == ([into] if into else [])
    assert why_not(asked("17.113", more=now, to="17.114")) == ([half_hex] if half_hex else [])
    assert why_not(asked(BOX, more=now, to="17.114", moved_in=False)) == ([half_hex] if half_hex else [])
    assert why_not(asked("17.114", more=now, retreat=True)) == []
    marked = made(asked("17.114", more=now)).get("box-entered")
    assert marked == (None if into or half_hex else 12), "who is put there after the combats has not moved there"


@pytest.mark.rule("23.4.1")
@pytest.mark.parametrize(
    ("place", "to", "status", "rules"),
    [
        ("17.113", "17.114", "garrison", ["12.4.1"]),
        ("17.113", "17.114", "restriction=immobile", ["3.3.5"]),
        ("17.113", "17.114", "prepared=17.112", ["8.4"]),
        (BOX, "17.114", "restriction=immobile", ["3.3.5"]),
        ("17.113", "17.114", "", []),
    ],
)
def test_what_keeps_a_unit_where_it_is_keeps_it_from_a_half_hex(
    place: str, to: str, status: str, rules: list[str]
) -> None:
    given: dict[str, Any] = {"to": to} if to else {}
    given |= {"moved_in": False} if place == BOX else {}
    assert why_not(asked(place, more=status, **given)) == rules


@pytest.mark.rule("23.4.1", "8.4.2")
@pytest.mark.parametrize(
    ("phase", "phasing", "bound"), [("counter-movement", "russian", True), ("movement", "central-powers", False)]
)
def test_a_marker_pins_a_unit_that_would_go_into_a_half_hex_or_from_it(phase: str, phasing: str, bound: bool) -> None:
    for place, to in (("17.113", {"to": "17.114"}), ("17.114", {})):
        now = f"\nturn=12 phase={phase} phasing={phasing}\n16.114: russian infantry XX S prepared={place}"
        assert why_not(asked(place, more=now, **to)) == (["8.4.2"] if bound else [])


@pytest.mark.rule("23.3", "23.4")
def test_the_units_of_fischer_go_to_the_box_through_a_half_hex() -> None:
    text = "turn=12\n17.113: austro-hungarian infantry III Fischer (3-3-0-9) movement=7\n17.113 province=bukowina\n17.114 province=none"
    assert why_not(answered(typed(text), "move", units="Fischer", way="17.114")) == []
    assert why_not(answered(typed(f"{text}\n17.112 clear province=none"), "move", units="Fischer", way="17.112")) == [
        "23.3"
    ]
