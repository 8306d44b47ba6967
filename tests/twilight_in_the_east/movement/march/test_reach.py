"""The question `reach`: hexes with what is left, Forced Marches, stacks, a corps, and meetings (8.1, 8.3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.state.state import Unit
from assistant.util.errors import InputError
from twilight_in_the_east.movement.march.reach import MarchMoment, Purse, phases_until, purse_after_task

from ....assistant.drawing.sketch.answers import parts, sketched
from ....conftest import answered, ruled, told, typed
from .ground import CHART, COUNTER, NOW, german, moved, reached, russian, text_of


def by_hex(report: Report[Any]) -> dict[str, Any]:
    """The hexes within reach, by number."""
    return {place.hex: place for place in report.result.hexes}


@pytest.mark.rule("8.1", "8.3")
def test_hexes_with_what_is_left_and_the_chance_of_a_forced_march() -> None:
    report = reached(f"30.20: {russian('R')}", "R")
    hexes = by_hex(report)
    assert (hexes["30.19"].left, hexes["30.19"].march, hexes["30.19"].passes) == (5, 0, None)
    assert (hexes["30.17"].left, hexes["30.17"].points) == (1, 6)
    assert (hexes["30.16"].march, hexes["30.16"].left) == (1, 0)
    assert hexes["30.16"].passes == Fraction(5, 6)
    assert (hexes["30.15"].march, str(hexes["30.15"].passes)) == (3, "5/18")
    assert "30.14" not in hexes
    assert report.verdict.text == "R can move to 36 hexes and to 54 more by Forced March"
    plain = reached(f"30.20: {russian('R')}", "R", forced=False)
    assert (len(plain.result.hexes), plain.verdict.text) == (36, "R can move to 36 hexes")


@pytest.mark.rule("8.1", "8.3")
@pytest.mark.parametrize(
    ("spent", "farthest"), [("0", 5), ("march:1", 4), ("march:3", 3), ("march:9", 0), ("march:51/14", 3)]
)
def test_what_was_spent_before_counts(spent: str, farthest: int) -> None:
    spent = "" if spent == "0" else f"spent={spent}"
    hexes = by_hex(reached(f"30.20: {russian('R', spent)}", "R"))
    assert [row for row in range(14, 20) if f"30.{row}" in hexes][:1] == ([20 - farthest] if farthest else [])


@pytest.mark.rule("8.3")
@pytest.mark.parametrize(
    ("unit", "march"),
    [
        ("russian infantry XX R (9-9-0-9) movement=2", 3),
        ("russian cavalry XX R (9-9-0-9) movement=2", 6),
        ("russian artillery - R movement=2", 0),
        ("russian corps-train - R movement=2", 0),
    ],
)
def test_how_far_a_forced_march_leads(unit: str, march: int) -> None:
    """Halves of a point beyond the allowance round away."""
    report = reached(f"30.20: {unit}", "R")
    assert report.result.allowance == (2 + march) * 2
    assert max(place.points for place in report.result.hexes) <= 2 + march


@pytest.mark.rule("8.1", "8.3")
def test_half_a_point_too_many_rounds_up_and_less_is_nothing() -> None:
    text = "30.20: russian artillery - R movement=2 spent=march:{}\n30.20|30.19 primary-road"
    assert "30.19" in by_hex(reached(text.format("0.5"), "R"))
    assert "30.19" not in by_hex(reached(text.format("1"), "R"))
    assert "30.19" in by_hex(reached(text.format("13/14"), "R")), "3/7 of a point beyond the allowance are nothing"
    assert moved(text.format("13/14"), "R", "30.19").verdict.kind == "figure"


@pytest.mark.rule("8.1c")
def test_a_stack_goes_as_far_as_its_slowest_unit_and_uses_no_road() -> None:
    road = "30.20|30.19 primary-road"
    text = f"30.20: {russian('R')}, russian artillery - A movement=5\n{road}"
    alone, together = (by_hex(reached(text, units)) for units in ("R", "R,A"))
    assert (alone["30.19"].points, together["30.19"].points) == (Fraction(3, 2), 2)
    assert max(place.points for place in together.values()) == 4
    assert together["30.18"].left == 1


def test_each_unit_of_a_corps_moves_alone() -> None:
    text = f'30.20: russian infantry XX 1/2 (9-9-0-9) movement=2, "2 Train" movement=4\n32.20: {russian("Z")}'
    report = reached(text, (), corps="2", forced=False)
    assert [(each.unit, len(each.hexes)) for each in report.result.each] == [("1/2", 6), ("2 Train", 18)]
    assert len(report.result.hexes) == 18
    assert told(report, "Units") == ["1/2 from 30.20: 6 hexes", "2 Train from 30.20: 18 hexes"]
    assert report.verdict.text == "all units of the 2 Corps can move to 6 hexes; one or more to 18"
    with pytest.raises(InputError, match="no unit of the 9 Corps is on the map"):
        reached(text, (), corps="9")
    with pytest.raises(InputError, match="are both given"):
        reached(text, "1/2", corps="2")


def test_of_a_corps_each_hex_names_the_units_that_reach_it_and_those_that_all_reach_come_first() -> None:
    text = f'30.20: russian infantry XX 1/2 (9-9-0-9) movement=2, "2 Train" movement=4\n32.20: {russian("2/2")}'
    report = reached(text.replace("movement=7", "movement=4"), (), corps="2")
    hexes = {shared.hex: shared for shared in report.result.shared}
    assert (hexes["31.20"].units, hexes["31.20"].lacking) == (("1/2", "2 Train", "2/2"), ())
    assert (hexes["29.20"].forced, hexes["28.20"].lacking) == (("2/2",), ("2/2",))
    lines = told(report, "Hexes")
    assert lines[0] == "30.19: all units: 1/2 for 2, 2 Train for 2, 2/2 for 4"
    assert "29.20: all units: 1/2 for 2, 2 Train for 2, 2/2 for 6 (2 by Forced March)" in lines
    assert "30.20: 2/2 for 4" in lines
    assert any("reach corps=2 to=HEX" in line for line in lines)
    assert [bool(shared.lacking) for shared in report.result.shared] == sorted(
        bool(shared.lacking) for shared in report.result.shared
    )
    text = f"30.20: {russian('1/2')}, {russian('2/2', 'ended')}"
    report = reached(text, (), corps="2")
    assert {shared.lacking for shared in report.result.shared} == {("2/2",)}
    assert report.verdict.text.startswith("all units of the 2 Corps can move to 0 hexes")


def test_what_bars_the_hexes_beside_those_within_reach_is_told() -> None:
    report = reached(f"30.20: {russian('R')}\n30.19: {german('G')}", "R")
    assert [(option.hex, option.rule) for option in report.result.barred] == [("30.19", "4.2")]
    assert told(report, "Barred") == ["30.19: enemies stand there"]


def test_of_a_paper_map_only_ground_that_is_stated_is_listed() -> None:
    text = f"chart terrain-cost summer clear = 2\n{NOW}{{}}\n30.20: {russian('R')}"
    report = answered(typed(text.format("30.19 clear")), "reach", units="R")
    assert list(by_hex(report)) == ["30.19"]
    assert report.verdict.text == "R can move to at least 1 hex; too little is stated of the ground of 8 hexes"
    assert told(report, "Left out") == [
        "the ground of 29.18, 29.19, 29.20, 30.18, 30.21, 31.18, 31.19, 31.20 is not stated, or what lies on the way into them"
    ]
    none = answered(typed(text.format("")), "reach", units="R")
    assert none.verdict.text == "undecided: too little is stated of the ground of 6 hexes"
    assert [ask.key for ask in none.asks] == [("terrain", hex) for hex in none.result.unknown]


def test_cells_and_an_allowance_that_are_missing_are_asked_for() -> None:
    text = f"{NOW}30.19 wetlands\n30.21 rough\n30.20: {russian('R')}"
    asks = answered(typed(text), "reach", units="R").asks
    assert [ask.how.split(" = ")[0] for ask in asks] == [
        "chart terrain-cost summer wetlands",
        "chart terrain-cost summer rough",
    ]
    report = reached("30.20: russian infantry XX R (9-9-0-9)", "R")
    assert [ask.key for ask in report.asks] == [("movement", "R")]


@pytest.mark.parametrize(("reading", "points", "before"), [("each", 6, 3), ("once", 5, 2)])
def test_zones_entered_and_left_again(reading: str, points: int, before: int) -> None:
    """Into the zone of an enemy and out of it again, past a lake; by one reading entering pays for leaving, in the phase."""
    ground = f"{CHART}{NOW}ruling ezoc-leaving={reading}\n30.18: {german('G')}\n30.20|31.19 lake\n"
    text = f"{ground}30.19 clear\n31.19 clear\n30.20: {russian('R')}"
    report = answered(typed(text), "reach", units="R")
    assert (by_hex(report)["31.19"].points, ruled(report, "ezoc-leaving")) == (points, reading)
    assert answered(typed(text), "move", units="R", way="30.19,31.19").result.moves[0].points == points
    begun = f"{ground}31.19 clear\n30.19: {russian('R', 'spent=march:2+zones:1 passed=')}".replace(
        "passed=", 'passed="30.20 30.19"'
    )
    assert by_hex(answered(typed(begun), "reach", units="R"))["31.19"].points == before


@pytest.mark.rule("4.1", "4.1.1")
def test_the_picture_shows_the_points_left_and_the_last_step_of_each_way() -> None:
    sketch = sketched(
        typed(text_of(f"30.20: {russian('R')}\n30.20|30.19 primary-road")), "reach", units="R", forced="no"
    )
    shown = parts(sketch)
    assert (shown["30.20"], shown["30.19"], shown["30.21"]) == (("start", ""), ("reached", "5.5"), ("reached", "5"))
    assert ("30.20", "30.19") in [arrow.hexes for arrow in sketch.arrows]
    sketch = sketched(typed(text_of(f"30.20: {russian('R')}")), "reach", units="R")
    shown = parts(sketch)
    assert (shown["30.17"], shown["30.16"]) == (("reached", "1"), ("beyond", "-1"))
    costs = {
        place.hex: place
        for place in answered(typed(text_of(f"30.20: {russian('R')}")), "reach", units="R").result.hexes
    }
    assert {at: role for at, (role, _) in shown.items()} == {
        "30.20": "start",
        **{at: "beyond" if place.beyond else "reached" for at, place in costs.items()},
    }
    assert {arrow.hexes for arrow in sketch.arrows} == {("30.20", *place.way)[-2:] for place in costs.values()}
    assert (sketch.side, sketch.zones, sketch.focus) == ("russian", (), ())
    assert sketch.word("beyond") == "within reach only by Forced March, with the points lacking"


@pytest.mark.rule("4.1", "4.1.1")
def test_the_picture_of_a_corps_begins_where_each_of_its_units_stands() -> None:
    text = text_of(f"30.20: {russian('1/2')}\n32.20: {russian('2/2')}")
    sketch = sketched(typed(text), "reach", corps="2", forced="no")
    assert [spot.hex for spot in sketch.spots if spot.role == "start"] == ["30.20", "32.20"]
    assert {("30.20", "29.20"), ("32.20", "33.20")} <= {arrow.hexes for arrow in sketch.arrows}
    assert sketch.word("reached").startswith("within reach of one unit at least")
    near = sketched(typed(f"{text}\n30.17: {german('G')}"), "reach", corps="2", forced="no")
    assert [(zone.side, sorted(zone.hexes)) for zone in near.zones] == [
        ("central-powers", ["29.16", "29.17", "30.16", "30.18", "31.16", "31.17"])
    ]


# --- meetings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "now", "until", "moving", "present"),
    [
        (
            "russian",
            (5, "russian", "movement"),
            6,
            [(5, "russian", False), (5, "central-powers", True), (6, "russian", False), (6, "central-powers", True)],
            True,
        ),
        ("russian", (5, "russian", "counter-movement"), 5, [(5, "central-powers", True)], False),
        ("russian", (5, "central-powers", "counter-movement"), 5, [(5, "central-powers", True)], True),
        ("central-powers", (5, "russian", "movement"), 5, [(5, "russian", True), (5, "central-powers", False)], False),
        (
            "central-powers",
            (5, "central-powers", "attack"),
            6,
            [(6, "russian", True), (6, "central-powers", False)],
            False,
        ),
        ("central-powers", (5, "central-powers", "supply"), 5, [(5, "central-powers", False)], False),
        ("russian", (5, "central-powers", "attack"), 5, [], False),
        ("russian", (5, "", "weather"), 5, [(5, "russian", False), (5, "central-powers", True)], False),
        ("russian", (5, "", "administrative"), 5, [], False),
        ("central-powers", (5, "", "replacements"), 6, [(6, "russian", True), (6, "central-powers", False)], False),
    ],
)
def test_the_phases_in_which_a_side_moves(
    side: str, now: tuple[int, str, str], until: int, moving: list[tuple[int, str, bool]], present: bool
) -> None:
    phases = phases_until(side, MarchMoment(*now), until, ("russian", "central-powers"))
    assert [phase[:3] for phase in phases] == moving
    assert [phase.present for phase in phases] == [present, *(False for _ in moving[1:])][: len(moving)]


def test_a_meeting_before_the_player_turns_of_a_turn_needs_no_phasing_side() -> None:
    report = reached(f"30.20: {russian('R')}", "R", "turn=5 phase=weather\n", to="30.19")
    assert [(leg.turn, leg.phase) for leg in report.result.coming[0].legs] == [(5, "movement")]
    with pytest.raises(InputError, match="other does not say which phase it is"):
        reached(f"30.20: {russian('R')}", "R", "turn=5 phase=other\n", to="30.19")
    asks = reached(f"30.20: {russian('R')}", "R", "turn=5 phase=supply\n", to="30.19").asks
    assert [ask.key[0] for ask in asks] == ["phasing"]


@pytest.mark.rule("4.2.1")
def test_units_meet_in_a_hex_phase_by_phase() -> None:
    text = f"elsewhere clear\n30.24: {russian('R')}\n30.17: {russian('S')}"
    report = reached(text, "R,S", to="30.16", until=5)
    assert (report.verdict.kind, report.verdict.text) == ("yes", "R, S can be in 30.16 by the end of GT 5")
    found = report.result
    assert (found.unit, found.at, found.units, found.allowance) == ("R", "30.24", ("R", "S"), 0)
    assert (found.to, found.until, [each.unit for each in found.coming]) == ("30.16", 5, ["R", "S"])
    assert told(report, "Ways") == [
        "R, GT 5, Russian player turn, Movement Phase: 30.23, 30.22, 30.21, 30.20, 30.19 by Forced March",
        "R, GT 5, Central Powers player turn, Counter Movement Phase: 30.18, 30.17, 30.16 by Forced March",
        "S, GT 5, Russian player turn, Movement Phase: 30.16",
    ]
    assert "enemy units stay where they are, and the weather as it is" in told(report, "Assumed")
    late = reached(text.replace("30.24", "30.25"), "R,S", to="30.16", until=5)
    assert (late.verdict.kind, late.verdict.text) == ("no", "R cannot be in 30.16 by the end of GT 5")
    easy = reached(text.replace("30.24", "30.25"), "R,S", to="30.16", until=7)
    assert [leg.turn for leg in easy.result.coming[0].legs] == [5, 5, 6, 6, 7]
    assert not any(leg.forced for coming in easy.result.coming for leg in coming.legs)
    text = f"elsewhere clear\n30.24: {russian('R', 'corps=2')}\n30.17: {russian('S', 'corps=2')}"
    late = reached(text, "R,S", to="30.16", until=5, forced=False)
    assert (late.verdict.kind, late.verdict.text) == (
        "no",
        "R cannot be in 30.16 by the end of GT 5 without a Forced March",
    )
    there = reached(text, (), corps="2", to="30.19", until=6, forced=False)
    assert (there.verdict.kind, there.result.units) == ("yes", ("R", "S"))
    assert not any(leg.forced for coming in there.result.coming for leg in coming.legs)


@pytest.mark.rule("4.1")
def test_units_of_one_side_meet_where_the_zones_of_the_other_let_them() -> None:
    text = f"elsewhere clear\n30.20: {russian('R')}\n30.18: {german('G')}\n31.18: {german('H')}"
    ways = [leg.way for leg in reached(text, "R", to="30.17", until=5).result.coming[0].legs]
    assert ways == [("29.19", "28.19", "28.18", "28.17", "29.16"), ("30.17",)], "round the enemy, and only then to him"
    with pytest.raises(InputError, match="units: the units are of both sides"):
        reached(text, "R,G", to="30.19")


@pytest.mark.rule("12.1", "8.2.7")
def test_units_that_never_go_on_foot_meet_nobody_elsewhere() -> None:
    text = f"elsewhere clear\n30.20: russian fort - F, russian minor-depot - D, {russian('R')}"
    report = reached(text, "R,F,D", to="30.19", until=9)
    assert [(each.unit, each.arrives) for each in report.result.coming] == [("R", True), ("F", False), ("D", False)]
    assert [each.arrives for each in reached(text, "F,D", to="30.20", until=9).result.coming] == [True, True]
    unstated = reached(text.replace("elsewhere clear\n", ""), "R,F,D", to="30.19", until=9, without="30.19")
    assert ["30.19" in each.unknown for each in unstated.result.coming] == [True, False, False]


@pytest.mark.rule("4.2.1")
def test_a_corps_comes_together_without_its_train() -> None:
    text = f'elsewhere clear\n30.20: {russian("1/2")}, {russian("2/2")}, russian artillery - A corps=2 movement=7\n36.26: "2 Train" movement=2'
    left_out = "2 Train is left out, as a Corps Train supplies its corps from a distance (train=yes takes it in)"
    report = reached(text, (), corps="2", to="30.19")
    assert (report.verdict.kind, report.result.units) == ("yes", ("1/2", "2/2", "A"))
    assert left_out in told(report, "Assumed")
    whole = reached(text, (), corps="2", to="30.19", train=True)
    assert (whole.verdict.kind, whole.result.units) == ("no", ("1/2", "2/2", "A", "2 Train"))
    assert left_out not in told(whole, "Assumed")
    alone = reached('30.20: "2 Train" movement=2', (), corps="2", to="30.19")
    assert (alone.result.units, alone.verdict.kind, told(alone, "Assumed")[1:]) == (("2 Train",), "yes", [])
    text = f'30.20: {russian("1/2")}, "2 Train" movement=2'
    assert [each.unit for each in reached(text, (), corps="2").result.each] == ["1/2", "2 Train"]
    assert [each.unit for each in reached(text, (), corps="2", train=True).result.each] == ["1/2", "2 Train"]
    assert [each.unit for each in reached(text, (), corps="2", train=False).result.each] == ["1/2"]


def test_a_corps_is_of_one_nation() -> None:
    text = f"30.20: {russian('1/2')}\n34.20: {german('3/2')}"
    with pytest.raises(InputError, match="2 nations have a 2 Corps") as slip:
        reached(text, (), corps="2")
    assert slip.value.hint == 'corps="german 2" or corps="russian 2"'
    assert reached(text, (), corps="Russian 2").result.units == ("1/2",)
    with pytest.raises(InputError, match="no unit of the austro-hungarian 2 Corps is on the map"):
        reached(text, (), corps="austro-hungarian 2")
    reserve = text.replace("1/2 ", '"1/2 R" ')
    assert reached(reserve, (), corps="2 R").result.units == ("1/2 R",)


@pytest.mark.rule("4.2.1")
@pytest.mark.parametrize(("guns", "kind"), [(2, "yes"), (3, "no")])
def test_units_do_not_meet_where_they_are_too_many(guns: int, kind: str) -> None:
    pieces = ", ".join(f"russian artillery - A{number} movement=7" for number in range(guns))
    text = f"30.20: {russian('R')}, {pieces}\n30.18: {russian('S')}, {russian('T')}"
    units = ",".join(["R", *(f"A{number}" for number in range(guns))])
    report = reached(text, units, to="30.18")
    result = report.result
    assert (report.verdict.kind, result.unit, result.at, result.to) == (kind, "R", "30.20", "30.18")
    assert told(report, "Not allowed") == (
        [] if kind == "yes" else ["30.18 would hold more than may stay at the end of a movement phase (ask stack)"]
    )
    full = reached(text.replace(russian("T"), f"{russian('T')}, {russian('U')}"), units, to="30.18")
    assert full.verdict.kind == "no"
    taken = reached(
        f"elsewhere clear\n30.20: {russian('R')}\n30.18: {german('S')}, {german('T')}, {german('U')}", "R", to="30.18"
    )
    assert told(taken, "Not allowed") == ["R cannot be in 30.18 by the end of GT 5"]
    bare = reached(f"30.20: {pieces}", ",".join(f"A{number}" for number in range(guns)), to="30.19")
    assert bare.verdict.kind == kind


@pytest.mark.parametrize(("reading", "phase"), [("each", "counter-movement"), ("once", "movement")])
def test_a_zone_entered_before_in_the_phase_is_paid_for_in_that_phase_alone(reading: str, phase: str) -> None:
    text = (
        f"ruling ezoc-leaving={reading}\n30.18: {german('G')}\n30.19: {russian('R', 'spent=march:4+zones:1 passed=#')}"
    )
    text = text.replace("#", '"30.20 30.19"')
    (leg,) = reached(text, "R", to="30.20", until=5).result.coming[0].legs
    assert (leg.phase, leg.forced) == (phase, False)
    (later,) = reached(text.replace("march:4", "march:6"), "R", to="30.20", until=5).result.coming[0].legs
    assert later.phase == "counter-movement"


def test_what_was_spent_counts_in_the_phase_of_the_meeting() -> None:
    text = f"30.20: {russian('R', 'spent=march:{}')}"
    assert reached(text.format(6), "R", COUNTER, to="30.19").verdict.kind == "no"
    assert reached(text.format(1), "R", COUNTER, to="30.19").verdict.kind == "yes"
    now = reached(text.format(9), "R", to="30.19")
    assert [leg.phase for leg in now.result.coming[0].legs] == ["counter-movement"]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"to": "30.16", "until": 4}, "GT 4 is over"),
        ({"to": "30.16", "until": 12}, "GT 12 is too far ahead"),
        ({"until": 6}, "the hex is not named"),
        ({"to": "Bukowina Holding Box"}, "is not a hex of the map"),
        ({"units": "", "to": "30.16"}, "no unit is named"),
    ],
)
def test_slips_in_meetings(more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        reached(f"30.20: {russian('R')}", **{"units": "R", **more})


@pytest.mark.rule("3.3.5", "3.3.4")
@pytest.mark.parametrize(
    ("status", "until", "turn"),
    [
        ("", 5, 5),
        ("restriction=immobile", 8, 0),
        ("restriction=immobile release=7", 6, 0),
        ("restriction=immobile release=7", 7, 7),
        ("entrained", 8, 0),
        ("ended", 6, 6),
    ],
)
def test_what_binds_a_unit_keeps_it_from_a_meeting_as_long_as_it_does(status: str, until: int, turn: int) -> None:
    text = f"30.20: {russian('R', status)}"
    report = reached(text, "R", to="30.17", until=until)
    legs = report.result.coming[0].legs
    assert [leg.turn for leg in legs][-1:] == ([turn] if turn else [])
    assert [leg.phase for leg in legs][:1] == ([] if not turn else ["movement" if turn != 6 else "counter-movement"])
    assert report.verdict.kind == ("yes" if turn else "no")
    none = reached("30.20: russian infantry XX R movement=0", "R", to="30.19", until=8)
    assert none.verdict.kind == "no"


@pytest.mark.rule("8.9.2", "4.5b")
@pytest.mark.parametrize(
    ("status", "to", "until", "legs"),
    [
        ("task=position expended=3", "30.19", 5, [(5, "movement")]),
        ("task=position expended=3", "30.17", 5, [(5, "movement"), (5, "counter-movement")]),
        ("task=position expended=2", "30.19", 5, [(5, "movement")]),
        ("task=position expended=1", "30.19", 5, [(5, "counter-movement")]),
        ("task=position expended=1 spent=position:1", "30.19", 5, [(5, "counter-movement")]),
        ("task=position expended=1 spent=march:4", "30.19", 6, [(6, "movement")]),
        ("task=recovery expended=1 spent=recovery:7", "30.19", 6, [(6, "movement")]),
        ("task=disorder expended=3", "30.19", 5, [(5, "movement")]),
        ("task=ersatz expended=5", "30.18", 5, [(5, "movement")]),
        ("task=ersatz expended=7", "30.19", 6, []),
        ("task=entraining expended=2", "30.19", 6, []),
        ("task=trans-shipping expended=2", "30.19", 6, []),
    ],
)
def test_a_task_that_a_unit_has_begun_takes_its_first_points(
    status: str, to: str, until: int, legs: list[tuple[int, str]]
) -> None:
    report = reached(f"30.20: {russian('R', status)}", "R", to=to, until=until)
    assert [(leg.turn, leg.phase) for leg in report.result.coming[0].legs] == legs
    assert report.verdict.kind == ("yes" if legs else "no")
    (said,) = [line for line in told(report, "Assumed") if line.startswith("R: it has begun")]
    then = "its first Movement Points go into that" if legs else "no way on foot is sought for it"
    assert said.endswith(then)
    free = reached(f"30.20: {russian('R')}", "R", to=to, until=until)
    assert not any("it has begun" in line for line in told(free, "Assumed"))


@pytest.mark.rule("8.9.2", "4.5b")
@pytest.mark.parametrize(
    ("before", "due", "after", "left"),
    [
        (Fraction(0), 2, Fraction(2), 0),
        (Fraction(2), 9, Fraction(7), 4),
        (Fraction(13, 2), 2, Fraction(13, 2), 2),
        (Fraction(3, 2), 9, Fraction(13, 2), 4),
        (Fraction(7), 2, Fraction(7), 2),
        (Fraction(17, 2), 2, Fraction(17, 2), 2),
    ],
)
def test_whole_points_that_a_unit_has_left_go_into_its_task_and_it_makes_no_forced_march(
    before: Fraction, due: int, after: Fraction, left: int
) -> None:
    unit = Unit("R", "R", "30.20")
    assert purse_after_task(Purse(unit, before, Fraction(7), 3), due) == (Purse(unit, after, Fraction(7), 0), left)


@pytest.mark.parametrize(
    ("more", "others"),
    [
        ({"units": "R"}, "R"),
        ({"units": "R,A"}, "R and A"),
        ({"units": (), "side": "russian"}, "R"),
        ({"units": "F"}, ""),
    ],
)
def test_whose_area_of_attachment_is_not_judged_is_noted(more: dict[str, Any], others: str) -> None:
    text = f"30.20: {russian('R')}, russian artillery - A movement=7\n30.17: {german('G')}\n30.25: russian artillery - F movement=2"
    said = [line for line in told(reached(text, **more), "Assumed") if "Area of Attachment" in line]
    text = f"hexes adjacent to enemies: whether they lie in the Area of Attachment of {others} is left to the players"
    assert [line.replace(", ", " and ") for line in said] == ([text] if others else [])


def test_of_a_meeting_the_hexes_are_named_whose_area_is_not_judged() -> None:
    text = f"30.20: {russian('R')}\n30.17: {german('G')}"
    near, far = (told(reached(text, "R", to=to), "Assumed") for to in ("30.18", "30.21"))
    assert "30.18 adjacent to enemies: whether they lie in the Area of Attachment of R is left to the players" in near
    assert not any("Area of Attachment" in line for line in far)
