"""Retreats that lead off the map or out of a province: who has departed, and who is destroyed (1.2.2, 23.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from assistant.asking.report import Report
from assistant.state.changes import Change
from assistant.util.errors import InputError
from twilight_in_the_east.combat.engagement import Cause
from twilight_in_the_east.combat.pieces import Pieces, unit_of
from twilight_in_the_east.combat.retreat_ground import closed_around
from twilight_in_the_east.forces.losses import units_off_map
from twilight_in_the_east.forces.units import CombatUnit, Force, forces
from twilight_in_the_east.retreat.ways import (
    Charge,
    RetreatHex,
    Stakes,
    apply_charges,
    charges,
    hex_passed_over,
    price,
    unable_to_retreat,
)
from twilight_in_the_east.retreat.words import format_remark
from twilight_in_the_east.terms import BUKOWINA_BOX

from ...conftest import answered, ruled, told, typed, viewed

BASE = "trust counters\nturn=5\n"
RUSSIAN = "russian infantry XX {} (10-8-0-10)"
AROUND = ("01.49", "01.51", "02.50", "02.51")
"""The hexes around 01.50, which lies at the western edge."""
HELD = "\n".join(f"{hex}: german infantry XX G{number} (12-12-0-10)" for number, hex in enumerate(AROUND))
CHOICE = "\nruling off-map-retreat=choice"
GROUND = "".join(f"\n{hex} clear\n01.50|{hex} open" for hex in AROUND)


def stack_at_edge(*units: str, enemies: str = HELD, more: str = "") -> str:
    named = ", ".join(RUSSIAN.format(unit) for unit in units or ("R",))
    return f"{BASE}01.50: {named}\n{enemies}\n01.50 clear{GROUND}{more}"


def open_hexes(report: Report[Any]) -> list[str]:
    return [option.hex for option in report.result.options if not option.barred]


def made(report: Report[Any]) -> list[Change]:
    return [change for change in report.changes if isinstance(change, Change)]


def changes_of(report: Report[Any], *tracks: str) -> dict[tuple[str, str], Any]:
    return {(change.track, change.subject): change.after for change in made(report) if change.track in tracks}


# --- over the edge ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("1.2.2b")
def test_the_only_way_open_leads_off_the_map() -> None:
    report = answered(typed(stack_at_edge()), "retreat", at="01.50", hexes=2, cause="crt")
    assert open_hexes(report) == ["off-map"]
    assert report.asks[0].options == ("off-map",)
    assert "A against" not in told(report, "Repulse")[0] and "R against" in told(report, "Repulse")[0]
    (line,) = [line for line in told(report, "Next hex") if line.startswith("off-map")]
    assert "off the edge of the map" in line and "do not count as eliminated" in line
    report = answered(typed(stack_at_edge(more="\nanswers hex.1=off-map")), "retreat", at="01.50", hexes=1)
    assert report.verdict.text.startswith("R retreats off the map for good")


@pytest.mark.rule("1.2.2b")
@pytest.mark.parametrize("cause", ["crt", "check"])
def test_who_retreats_off_the_map_has_departed_and_pays_for_no_hex_that_lacks(cause: str) -> None:
    report = answered(typed(stack_at_edge("R", "S")), "retreat", at="01.50", hexes=3, cause=cause, off=True)
    assert report.verdict.text == "R, S retreat off the map for good: removed from the game, not eliminated"
    assert changes_of(report, "place", "departed", "cel", "lost", "retreated", "owes") == {
        ("place", "R"): None, ("place", "S"): None, ("departed", "R"): "off-map", ("departed", "S"): "off-map",
    }  # fmt: skip
    assert not told(report, "Victory Points")
    result = report.result
    assert result.departed == ("R", "S") and not result.surrenders
    assert (result.options, result.onward, result.closed, result.complete) == ((), {}, (), True)
    assert told(report, "Off the map") == [
        "R, S: off the map for good; they never return, and the enemy scores nothing for them"
    ]


@pytest.mark.rule("1.2.2b")
def test_while_a_hex_is_open_nobody_leaves_unless_the_players_have_agreed() -> None:
    text = stack_at_edge(enemies=HELD.splitlines()[0])
    report = answered(typed(text), "retreat", at="01.50", hexes=1, off=True)
    assert (
        report.verdict.text
        == "the stack cannot retreat off the map: a stack leaves the map only if no hex on it is open"
    )
    assert "off-map" not in open_hexes(answered(typed(text), "retreat", at="01.50", hexes=1))
    report = answered(typed(text + CHOICE), "retreat", at="01.50", hexes=1)
    assert set(open_hexes(report)) == {"02.50", "02.51", "01.51", "off-map"}
    assert answered(typed(text + CHOICE), "retreat", at="01.50", hexes=1, off=True).result.departed == ("R",)


def test_no_stack_leaves_from_a_hex_inside_the_map() -> None:
    text = stack_at_edge().replace("01.50: ", "30.20: ")
    with pytest.raises(InputError, match=r"30\.20 does not lie at an edge of the map"):
        answered(typed(text), "retreat", at="30.20", hexes=1, off=True)


@pytest.mark.rule("1.2.2b")
def test_a_hex_stated_to_be_an_edge_is_one() -> None:
    around = ("30.19", "30.21", "29.20", "31.20", "29.21", "31.21", "29.19", "31.19")
    held = "\n".join(f"{hex}: german infantry XX G{number} (12-12-0-10)" for number, hex in enumerate(around))
    text = f"{BASE}30.20: {RUSSIAN.format('R')}\n{held}\n30.20 clear"
    assert answered(typed(text), "retreat", at="30.20", hexes=1).result.surrenders
    edge = text + " map-edge=russian"
    assert open_hexes(answered(typed(edge), "retreat", at="30.20", hexes=1)) == ["off-map"]
    nobody = text + " map-edge=none"
    assert answered(typed(nobody), "retreat", at="30.20", hexes=1).result.surrenders


@pytest.mark.rule("1.2.2b")
def test_losses_on_the_way_off_come_first() -> None:
    """Artillery that dies on the way has not departed."""
    text = (
        f"{BASE}02.50: {RUSSIAN.format('R')}, russian artillery - Guns (1-?-3-?)\n"
        "01.49: german infantry XX G0 (12-12-0-10)\n02.49: german infantry XX G1 (12-12-0-10)\n"
        "01.51: german infantry XX G2 (12-12-0-10)\n02.51: german infantry XX G3 (12-12-0-10)\n"
        "03.50: german infantry XX G4 (12-12-0-10)\n03.49: german infantry XX G5 (12-12-0-10)\n"
        "02.50 clear\n01.50 clear\n01.50|02.50 major-river bridge=no\n"
    ).replace(" bridge=no", "")
    text += "01.50|02.50 no-crossing\n"
    first = answered(typed(text), "retreat", at="02.50", hexes=3)
    assert [(here, [hex.hex for hex in hexes]) for here, hexes in first.result.onward.items()] == [
        ("01.50", ["off-map"])
    ]
    next_one = answered(typed(text), "retreat", at="02.50", hexes=3, way="01.50")
    assert (open_hexes(next_one), next_one.result.onward, next_one.result.closed) == (["off-map"], {}, ())
    back = answered(typed(text), "retreat", at="02.50", hexes=3, way="01.50,02.50")
    assert back.verdict.text == "02.50 cannot be entered: the stack has just left it"
    report = answered(typed(text), "retreat", at="02.50", hexes=3, way="01.50", off=True)
    assert report.result.departed == ("R",)
    assert changes_of(report, "place", "departed", "cel") == {
        ("place", "Guns"): None, ("place", "R"): None, ("departed", "R"): "off-map",
    }  # fmt: skip


ELSEWHERE = ("01.49", "01.51", "02.49", "02.51", "03.49", "03.50")


def into_crowd(
    divisions: int = 3, *, held: tuple[str, ...] = ELSEWHERE, more: str = "", **parameters: Any
) -> Report[Any]:
    """A division in 02.50 that retreats into 01.50 at the western edge, where others stand."""
    crowd = ", ".join(RUSSIAN.format(f"F{number}") for number in range(divisions))
    enemies = "\n".join(f"{hex}: german infantry XX G{number} (12-12-0-10)" for number, hex in enumerate(held))
    text = f"{BASE}02.50: {RUSSIAN.format('R')}\n01.50: {crowd}\n{enemies}\n02.50 clear\n01.50 clear{GROUND}\n{more}"
    return answered(typed(text), "retreat", at="02.50", cause="crt", **parameters)


@pytest.mark.rule("4.2.3b", "1.2.2b")
def test_want_of_room_sends_nobody_off_the_map_unless_the_players_have_agreed() -> None:
    report = into_crowd(hexes=1, way="01.50", off=True)
    why = "units for which their last hex has no room may stay there until their side's next movement phase"
    assert (report.verdict.kind, report.verdict.text) == ("no", f"the stack cannot retreat off the map: {why}")
    assert (report.changes, ruled(report, "excess-off-map")) == ((), "stays")
    agreed = into_crowd(hexes=1, way="01.50", off=True, more="ruling excess-off-map=leaves")
    assert agreed.result.departed == ("R",)


@pytest.mark.rule("4.2.3b", "1.2.2b")
def test_hexes_that_are_owed_still_lead_off_the_map() -> None:
    report = into_crowd(hexes=2, way="01.50", off=True)
    assert (report.result.departed, ruled(report, "excess-off-map")) == (("R",), "")
    onward = into_crowd(hexes=1, way="01.50,01.51", held=tuple(hex for hex in ELSEWHERE if hex != "01.51"))
    assert (changes_of(onward, "place"), ruled(onward, "excess-off-map")) == ({("place", "R"): "01.51"}, "")
    for reading in ("leaves", "stays"):
        closed = into_crowd(hexes=1, way="01.50", off=True, held=ELSEWHERE[1:], more=f"ruling excess-off-map={reading}")
        assert closed.verdict.text.endswith("a stack leaves the map only if no hex on it is open")


# --- into Romania -----------------------------------------------------------------------------------------------------

NEAR_ROMANIA = ("30.19", "30.21", "29.20", "31.20", "29.21", "31.21", "29.19", "31.19")


def beside_romania(held: int, more: str = "") -> str:
    enemies = [f"{hex}: german infantry XX G{n} (12-12-0-10)" for n, hex in enumerate(NEAR_ROMANIA) if n][:held]
    ground = "30.20 clear\n30.19 clear country=romanian\n30.19|30.20 open\n30.21 clear\n30.20|30.21 open\n"
    return f"{BASE}30.20: {RUSSIAN.format('R')}\n" + "\n".join(enemies) + f"\n{ground}{more}"


@pytest.mark.rule("1.2.2b")
def test_romania_is_off_the_map_too() -> None:
    held = answered(typed(beside_romania(7)), "retreat", at="30.20", hexes=2)
    assert open_hexes(held) == ["30.19"]
    assert any(line.startswith("30.19: open, in Romania") for line in told(held, "Next hex"))
    report = answered(typed(beside_romania(7)), "retreat", at="30.20", hexes=2, way="30.19")
    assert changes_of(report, "place", "departed") == {("place", "R"): None, ("departed", "R"): "off-map"}
    assert not [change for change in made(report) if change.subject == "30.19"]
    text = beside_romania(0)
    report = answered(typed(text), "retreat", at="30.20", hexes=1)
    closed = {option.hex: (option.rule, option.barred) for option in report.result.options if option.barred}
    assert closed == {"30.19": ("1.2.2", "it lies in Romania, which is off the map")}
    report = answered(typed(text + "ruling off-map-retreat=choice\n"), "retreat", at="30.20", hexes=1)
    assert "30.19" in open_hexes(report)
    report = answered(
        typed(stack_at_edge(enemies=HELD.partition("\n")[2], more="\n01.49 country=romanian")),
        "retreat",
        at="01.50",
        hexes=1,
    )
    assert set(open_hexes(report)) == {"01.49", "off-map"}


# --- out of Bukowina --------------------------------------------------------------------------------------------------

FISCHER = "austro-hungarian infantry II Fischer (1-1-0-9) asset"
OTHER = "austro-hungarian infantry XX 8 (5-5-0-9)"
HEXES = ("41.18", "41.20", "40.19", "40.20", "42.19", "42.20")


def in_bukowina(inside: str = "", *, units: str = FISCHER, more: str = "") -> str:
    around = [f"{hex} clear province={'bukowina' if hex == inside else 'none'}\n41.19|{hex} open" for hex in HEXES]
    return f"{BASE}41.19: {units}\n41.19 clear province=bukowina\n" + "\n".join(around) + f"\n{more}"


@pytest.mark.rule("23.3")
def test_the_units_of_fischer_retreat_within_bukowina_while_they_can() -> None:
    report = answered(typed(in_bukowina("41.20")), "retreat", at="41.19", hexes=1)
    assert open_hexes(report) == ["41.20"]
    report = answered(typed(in_bukowina("41.20")), "retreat", at="41.19", hexes=1, way="41.20")
    assert changes_of(report, "place") == {("place", "Fischer"): "41.20"}
    further = "41.21 clear province=none\n41.20|41.21 open\n40.21 province=bukowina"
    report = answered(typed(in_bukowina("41.20", more=further)), "retreat", at="41.19", hexes=2, way="41.20,41.21")
    assert report.verdict.text == "41.21 cannot be entered: the units of Fischer stay in Bukowina or its Holding Box"


@pytest.mark.rule("23.3")
@pytest.mark.parametrize("cause", ["crt", "check"])
def test_those_that_must_leave_bukowina_are_destroyed(cause: str) -> None:
    report = answered(typed(in_bukowina()), "retreat", at="41.19", hexes=2, cause=cause, way="41.18")
    assert report.verdict.text == "Fischer eliminated on the way to 41.18"
    assert [(change.subject, change.after, change.rule) for change in made(report) if change.track == "place"] == [
        ("Fischer", None, "23.3")
    ]
    assert not changes_of(report, "departed")


@pytest.mark.rule("23.3")
def test_the_others_of_their_stack_go_on() -> None:
    text = in_bukowina(units=f"{OTHER}, {FISCHER.replace('asset', 'with=8 asset')}")
    report = answered(typed(text), "retreat", at="41.19", hexes=1, way="41.18")
    assert changes_of(report, "place") == {("place", "8"): "41.18", ("place", "Fischer"): None}
    assert report.result.forces[0].destroyed == ("Fischer",)
    assert "8: no levels or steps; destroyed: Fischer" in told(report, "The route")
    text = in_bukowina(
        units=f"{OTHER}, {FISCHER.replace('asset', 'with=8 asset')}",
        more="41.17 province=bukowina\n40.18 province=none\n",
    )
    report = answered(typed(text), "retreat", at="41.19", hexes=2, way="41.18")
    assert {"41.17", "40.18"} <= set(open_hexes(report))


def fischer(name: str = "Fischer", **more: Any) -> CombatUnit:
    given = {"steps": 2, "corps": "", **more}
    return CombatUnit(name, "austro-hungarian", "infantry", "XX", True, "41.19", **given)


@pytest.mark.rule("23.3")
def test_a_hex_outside_destroys_the_units_of_fischer_alone() -> None:
    (charge,) = charges([RetreatHex("41.18", outside=True)])
    assert charge == Charge("23.3", "no hex in Bukowina is open, and 41.18 lies outside", fischer=True)
    (own,) = forces([fischer()])
    lost = apply_charges(own, [charge])
    assert (lost.destroyed, lost.eliminated, lost.steps, lost.guns) == (("Fischer",), True, 0, ())
    (own,) = forces([fischer("Fischer 2")])
    assert apply_charges(own, [charge]).destroyed == ("Fischer 2",)
    (own,) = forces([fischer("8")])
    assert apply_charges(own, [charge]) == apply_charges(own, [])
    asset = CombatUnit("Fischer", "austro-hungarian", "infantry", "II", False, "41.19", steps=1, with_="8")
    both = Force("8", (fischer("8"), asset))
    lost = apply_charges(both, [charge, Charge("11.2.6", "", steps=1)])
    assert (lost.destroyed, lost.eliminated, lost.steps) == (("Fischer",), False, 1)
    assert apply_charges(both, [charge, Charge("11.2.6", "", steps=2)]).eliminated
    assert not apply_charges(both, [Charge("11.2.6", "", steps=2)]).eliminated
    assert charges([RetreatHex("41.18")]) == ()
    for force, said in (
        (Force("8", (fischer("8"),)), ""),
        (both, "eliminates Fischer"),
        (forces([fischer()])[0], "eliminates Fischer"),
    ):
        assert format_remark([force], {force.name: ()}, {force.name: [charge]}) == said
    (charge,) = charges([RetreatHex("off-map", leaves=True, outside=True)])
    assert charge.why == "no hex in Bukowina is open, and the place off the map lies outside"


@pytest.mark.rule("1.2.2b", "23.3")
def test_at_the_edge_of_the_map_they_are_destroyed_and_have_not_departed() -> None:
    held = HELD.replace("german", "russian")
    text = f"{BASE}01.50: {FISCHER}, {OTHER}\n{held}\n01.50 clear province=bukowina{GROUND}"
    report = answered(typed(text), "retreat", at="01.50", hexes=1)
    assert any("the units of Fischer are destroyed (23.3)" in line for line in told(report, "Next hex"))
    report = answered(typed(text), "retreat", at="01.50", hexes=1, off=True)
    assert changes_of(report, "place", "departed") == {
        ("place", "Fischer"): None, ("place", "8"): None, ("departed", "8"): "off-map",
    }  # fmt: skip


@pytest.mark.rule("23.3")
def test_romania_lies_outside_bukowina() -> None:
    text = beside_romania(7).replace("german", "russian").replace(RUSSIAN.format("R"), FISCHER)
    report = answered(typed(text), "retreat", at="30.20", hexes=1)
    assert [option.outside for option in report.result.options if not option.barred] == [True]


# --- the order of last resorts ----------------------------------------------------------------------------------------


@pytest.mark.rule("1.2.2b", "11.2.2b", "23.3")
@pytest.mark.parametrize(
    ("held", "abandoned", "open_ones"),
    [
        ((), ("41.20",), {"41.18", "42.19", "42.20"}),
        (("41.18", "42.19", "42.20"), ("41.20",), {"41.20"}),
        (("41.18", "42.19", "42.20"), (), {"40.20"}),
        (("41.18", "42.19", "42.20"), ("40.20",), {"40.20"}),
        (("41.18", "42.19", "42.20", "40.20"), (), {"40.19"}),
    ],
)  # fmt: skip
def test_what_opens_where_nothing_else_is(
    held: tuple[str, ...], abandoned: tuple[str, ...], open_ones: set[str]
) -> None:
    """41.20 is closed by enemies unless they have left it, 40.20 lies outside Bukowina, 40.19 in Romania."""
    enemies = [*held, *([] if "41.20" in abandoned else ["41.20"])]
    text = "\n".join(f"{hex}: russian infantry XX R{n} (1-1-0-9)" for n, hex in enumerate(enemies))
    text += "\n40.20 province=none\n40.19 country=romanian province=none"
    inside = "".join(f"\n{hex} province=bukowina" for hex in ("41.19", "41.18", "41.20", "42.19", "42.20"))
    view = viewed(f"41.19: {FISCHER}\n{text}{inside}")
    pieces = Pieces(view)
    own = forces([unit_of(view, "Fischer")])

    ground = replace(pieces.layout(()).ground(own, "41.19"), abandoned=frozenset(abandoned))
    assert {hex for hex, barred in closed_around(ground, "41.19").items() if not barred} == open_ones


# --- what follows from it ---------------------------------------------------------------------------------------------


@pytest.mark.rule("1.2.2b")
def test_from_a_half_hex_austro_hungarians_go_into_the_box_and_not_off_the_map() -> None:
    text = f"{BASE}31.114: {{}} infantry XX A (5-5-0-9)\n31.114 clear{CHOICE}"
    ours = answered(typed(text.format("austro-hungarian")), "retreat", at="31.114", hexes=1)
    assert BUKOWINA_BOX in open_hexes(ours) and "off-map" not in open_hexes(ours)
    assert "off-map" in open_hexes(answered(typed(text.format("german")), "retreat", at="31.114", hexes=1))


@pytest.mark.rule("1.2.2b")
def test_a_retreat_ends_off_the_map() -> None:
    assert RetreatHex(BUKOWINA_BOX).is_last and not RetreatHex("41.18").is_last
    gone, stays = RetreatHex("off-map", leaves=True), RetreatHex("41.18")
    causes: tuple[Cause, ...] = ("crt", "check")
    for cause in causes:
        assert not unable_to_retreat(3, [gone], cause).costs
    assert unable_to_retreat(3, [stays], "crt").costs
    assert hex_passed_over(gone, [stays]) is None
    assert hex_passed_over(RetreatHex("41.18", distance=1), [RetreatHex("off-map", leaves=True, distance=2)]) is None
    stakes = Stakes(owed=2, guns=False, in_mountains=False)
    assert price((gone,), stakes) > price((stays,), stakes) > price((stays, stays), stakes)
    assert price((gone,), stakes)[1] == 0


@pytest.mark.rule("1.2.2b")
def test_who_stays_has_not_departed_and_who_has_is_not_eliminated() -> None:
    report = answered(typed(stack_at_edge("R")), "retreat", at="01.50", hexes=1, off=True)
    assert (units_off_map(report.changes), told(report, "Victory Points")) == (["R"], [])
    held = "\n".join(f"{hex}: german infantry XX G{number} (12-12-0-10)" for number, hex in enumerate(NEAR_ROMANIA))
    stuck = answered(typed(f"{BASE}30.20: {RUSSIAN.format('R')}\n{held}\n30.20 clear"), "retreat", at="30.20", hexes=1)
    assert units_off_map(stuck.changes) == ["R"]
    assert told(stuck, "Victory Points") == ["Central Powers: 4 Victory Points for R eliminated"]
    report = answered(typed(stack_at_edge(enemies="")), "retreat", at="01.50", hexes=1, way="01.49")
    assert (report.result.departed, told(report, "Off the map")) == ((), [])
    assert changes_of(report, "place", "departed") == {("place", "R"): "01.49"}


@pytest.mark.rule("1.2.2b", "11.2.2b")
@pytest.mark.parametrize(("nation", "open_ones"), [("austro-hungarian", [BUKOWINA_BOX]), ("german", ["31.113"])])
def test_where_the_holding_box_is_open_nothing_else_is_a_last_resort(nation: str, open_ones: list[str]) -> None:
    """The enemies have left 31.113, and hold all other hexes around the half-hex 31.114."""
    enemy = "\n".join(
        f"{hex}: russian infantry XX R{n} (1-1-0-9)" for n, hex in enumerate(("30.114", "32.114", "30.113", "32.113"))
    )
    text = f"{BASE}31.114: {nation} infantry XX A (5-5-0-9)\n{enemy}\n31.114 clear"
    report = answered(typed(text), "retreat", at="31.114", hexes=1, abandoned="31.113")
    assert open_hexes(report) == open_ones


@pytest.mark.rule("1.2.2b")
def test_a_supply_unit_that_has_departed_never_comes_back() -> None:
    text = 'turn=9\n"3 Train" russian corps-train - departed=off-map arrives=9'
    with pytest.raises(InputError, match="3 Train has left the map for good"):
        answered(typed(text), "return", unit="3 Train")
