"""Moving past the enemy: what zones of control add, and what they close (4.1.4, 9.3, 13.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from assistant.asking import holding
from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.movement.march.zones import Friends, StepAmongZones, Zones

from ....conftest import answered, ruled, told, typed, why_not
from .ground import moved

RUSSIAN, GERMAN = "russian infantry XX", "german infantry XX"


def move(text: str, way: list[str], units: list[str] | None = None, **more: Any) -> Report[Any]:
    return answered(typed(text), "ezoc", units=units or ["R"], way=way, **more)


def outcome(report: Report[Any]) -> tuple[str, list[int], str]:
    barred = [hex.rule for hex in report.result.hexes if hex.barred]
    return report.verdict.kind, [hex.extra for hex in report.result.hexes], barred[0] if barred else ""


def closing(here: str, there: str, zones: Zones, friends: Friends, arms: set[str], *, counter: bool = False) -> str:
    """The rules that close a hex to units that move."""
    step = StepAmongZones(here, there, zones, friends, frozenset(arms), counter)
    return " ".join(bar.rule for bar in holding(step.bars()))


def points(here: str, there: str, every: set[str], friends: Friends, *, paid: bool = False) -> int:
    """The Movement Points that zones add to a step. every: the hexes in zones."""
    zones = Zones(frozenset(every), frozenset(), frozenset(), frozenset())
    return StepAmongZones(here, there, zones, friends, paid=paid).surcharge[0]


EXAMPLE = f"58.18: {RUSSIAN} R\n57.17: {RUSSIAN} Q\n59.17 ip=3: {GERMAN} G\n56.18 ip={{level}}: {GERMAN} H"


@pytest.mark.rule("4.1.4a", "4.1.4d", "13.2")
@pytest.mark.parametrize(
    ("unit", "to", "level", "kind", "extra", "rule"),
    [
        ("R", "58.17", 3, "no", 6, "4.1.4a"),
        ("Q", "58.17", 3, "no", 6, "4.1.4a"),
        ("R", "57.17", 3, "figure", 3, ""),
        ("Q", "58.18", 4, "figure", 3, ""),
        ("Q", "58.17", 2, "figure", 6, ""),
    ],
)
def test_the_example_of_13_2(unit: str, to: str, level: int, kind: str, extra: int, rule: str) -> None:
    assert outcome(move(EXAMPLE.format(level=level), [to], [unit])) == (kind, [extra], rule)


@pytest.mark.rule("4.1.4b", "4.1.4c", "4.1.4d", "4.1.4e")
@pytest.mark.parametrize(
    ("start", "way", "rule", "ruling", "extra"),
    [
        ("47.23", ["47.22", "47.23"], "", "each", [1, 1]),
        ("47.23", ["47.22", "47.23"], "once", "once", [1, 0]),
        ("47.23", ["47.22", "48.22", "48.23"], "once", "once", [1, 6, 0]),
        ("47.22", ["47.23", "47.22"], "once", "", [1, 1]),
        ("47.22", ["48.22", "48.23"], "once", "", [6, 1]),
    ],
)
def test_whether_leaving_a_zone_is_paid_for_by_entering_one_is_a_ruling(
    start: str, way: list[str], rule: str, ruling: str, extra: list[int]
) -> None:
    agreed = f"\nruling ezoc-leaving={rule}" if rule else ""
    report = move(f"{start}: {RUSSIAN} R\n47.21: {GERMAN} G{agreed}", way)
    assert (ruled(report, "ezoc-leaving"), outcome(report)[1]) == (ruling, extra)


@pytest.mark.rule("4.1.4e", "4.1.4d")
def test_zones_do_not_add_up_and_only_a_friend_who_stays_cancels_a_position() -> None:
    enemies = f"47.21: {GERMAN} G\n48.21: {GERMAN} H"
    assert outcome(move(f"47.23: {RUSSIAN} R\n{enemies}", ["47.22"])) == ("figure", [1], "")
    assert outcome(move(f"47.23: {RUSSIAN} R\n47.22: {RUSSIAN} friend\n{enemies}", ["47.22"])) == ("figure", [1], "")
    text = f"47.22 ip=1: {RUSSIAN} R\n47.21: {GERMAN} G"
    assert outcome(move(text, ["48.22", "47.22"]))[1] == [6, 6]


@pytest.mark.rule("9.3")
@pytest.mark.parametrize(
    ("enemy", "start", "friend", "counter", "rule"),
    [
        (GERMAN, "47.23", "", True, "9.3"),
        (GERMAN, "47.23", "", False, ""),
        (GERMAN, "47.23", f"47.22: {RUSSIAN} friend", True, ""),
        (GERMAN, "48.22", "", True, ""),  # from zone to zone
        ("german infantry III", "47.23", "", True, ""),  # an Asset Unit is no formation
        ("german cavalry XX", "47.23", "", True, ""),
    ],
)
def test_cavalry_keeps_away_from_infantry_formations(
    enemy: str, start: str, friend: str, counter: bool, rule: str
) -> None:
    text = f"{start}: russian cavalry XX R\n{friend}\n47.21: {enemy} G"
    assert outcome(move(text, ["47.22"], counter=counter))[2] == rule


@pytest.mark.rule("4.1.4d", "9.5", "9.8", "3.5")
@pytest.mark.parametrize(
    ("mover", "others", "units", "rule"),
    [
        ("russian artillery II", "", ["R"], "9.5"),
        ("russian corps-train -", "", ["R"], "9.8"),
        ("russian artillery II", f"47.23: {RUSSIAN} with", ["R", "with"], ""),
        ("russian artillery II", f"47.22: {RUSSIAN} there", ["R"], ""),
        ("russian artillery II", "47.22: russian artillery II there", ["R"], "9.5"),
        ("russian artillery II", "47.21|47.22 major-river", ["R"], ""),  # no zone reaches there
    ],
)
def test_guns_and_trains_go_with_combat_units(mover: str, others: str, units: list[str], rule: str) -> None:
    text = f"47.23: {mover} R\n{others}\n47.21: {GERMAN} G"
    assert outcome(move(text, ["47.22"], units))[2] == rule


@pytest.mark.rule("4.1.4d")
@pytest.mark.parametrize(
    ("there", "rule", "extra"),
    [
        ("48.22 ip=1: russian artillery II friend", "", 2),
        ("48.22 ip=1: russian artillery II friend", "ruling ezoc-position=combat", 6),
        (f"48.22 ip=1: {RUSSIAN} friend", "ruling ezoc-position=combat", 2),
        ("48.22 ip=1", "", 6),  # nobody holds it
        ("48.22: russian artillery II friend", "ruling ezoc-position=combat", 6),
    ],
)
def test_whose_position_counts_is_a_ruling(there: str, rule: str, extra: int) -> None:
    text = f"47.22: {RUSSIAN} R\n47.21: {GERMAN} G\n{there}\n{rule}"
    report = move(text, ["48.22"])
    assert outcome(report)[1] == [extra]
    assert (ruled(report, "ezoc-position") == "combat") is (bool(rule) and "ip=1: russian artillery" in there)


@pytest.mark.rule("4.1.4d")
def test_nobody_walks_over_enemies() -> None:
    report = move(f"47.22: {RUSSIAN} R\n47.21 ip=1: {GERMAN} G\n47.20: {GERMAN} H", ["47.21"])
    assert outcome(report) == ("no", [6], "4.2"), "and whoever stands there is no friend"


@pytest.mark.rule("4.5a")
def test_the_working_names_each_hex_and_the_sum() -> None:
    report = move(f"47.23: {RUSSIAN} R\n47.21: {GERMAN} G", ["47.22", "48.22"], ground=[1.5, 2])
    assert [(step.rule, step.text) for step in report.parts[0].steps] == [
        ("4.1.4", "47.22: +1, into an EZOC (ground 1 1/2)"),
        ("4.1.4", "48.22: +6, from EZOC to EZOC (ground 2)"),
        ("4.5", "10 1/2 in all; only the sum of the whole phase is rounded: 11"),
    ]
    assert report.verdict.text == "10 1/2 Movement Points, 7 of them for EZOCs; 11 if no more is spent in this phase"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"way": ["47.24"]}, "47.24 is not adjacent to 47.22"),
        ({"way": []}, "it must enter at least one hex"),
        ({"units": ["R", "far"]}, "are not all in one hex"),
        ({"units": ["Osowiec"]}, "never moves"),
        ({"units": ["store"]}, "moves only along railways"),
        ({"ground": [1, 2]}, "the number of costs, 2, is not that of the hexes, 1"),
        ({"ground": [-1]}, "no hex costs -1 Movement Points"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], message: str) -> None:
    text = f"47.22: {RUSSIAN} R\n47.22: russian fortress - Osowiec\n47.22: russian minor-depot - store\n50.25: {RUSSIAN} far"
    with pytest.raises(InputError, match=message):
        move(text, **{"way": ["47.23"], **changed})


AROUND = Zones(frozenset("ABC"), frozenset("AB"), frozenset("B"), frozenset())
"""A, B and C are in zones, A and B in those of strong positions, B in that of an infantry formation."""
COMBAT = Friends(anybody=True, combat=True)


@pytest.mark.rule("4.1.4a", "9.3", "9.5", "9.8", "13.2")
@pytest.mark.parametrize(
    ("step", "friends", "arms", "counter", "rules"),
    [
        ("AB", Friends(), {"infantry"}, False, "4.1.4a"),
        ("AB", Friends(anybody=True), {"infantry"}, False, ""),
        ("AC", Friends(), {"infantry"}, False, ""),
        ("XB", Friends(), {"artillery"}, False, "9.5"),
        ("XB", Friends(anybody=True), {"artillery"}, False, "9.5"),
        ("XB", COMBAT, {"artillery"}, False, ""),
        ("XB", Friends(), {"artillery", "infantry"}, False, ""),
        ("XB", Friends(), {"corps-train"}, False, "9.8"),
        ("XB", Friends(), {"corps-train", "artillery"}, False, "9.5"),
        ("XB", Friends(), {"cavalry"}, True, "9.3"),
        ("XB", Friends(), {"cavalry"}, False, ""),
        ("XB", Friends(), {"infantry"}, True, ""),
        ("XB", COMBAT, {"cavalry"}, True, ""),
        ("XC", Friends(), {"cavalry"}, True, ""),
        ("CB", Friends(), {"cavalry"}, True, ""),
        ("AX", Friends(), {"infantry"}, False, ""),
        ("BX", Friends(), {"artillery"}, False, ""),
        ("XB", COMBAT, {"corps-train"}, False, ""),
        ("XB", Friends(), {"corps-train", "cavalry"}, False, ""),
        ("XB", Friends(), {"cavalry", "infantry"}, True, "9.3"),
    ],
)
def test_what_zones_close(step: str, friends: Friends, arms: set[str], counter: bool, rules: str) -> None:
    assert closing(*step, AROUND, friends, arms, counter=counter) == rules


AREA = f'47.24: {RUSSIAN} R army=First\n47.21: {GERMAN} G\narmy "russian First" area="47.22 47.23"'


@pytest.mark.rule("6.3.1b")
def test_next_to_an_enemy_a_unit_keeps_to_the_area_of_its_army() -> None:
    assert outcome(move(AREA, ["47.23", "47.22"])) == ("figure", [0, 1], "")
    report = move(AREA.replace("47.22 47.23", "47.24"), ["47.23", "47.22"])
    assert outcome(report) == ("no", [0, 1], "6.3.1")
    assert (
        report.verdict.text
        == "47.22 is closed: it is adjacent to an enemy and outside the Area of Attachment of russian First"
    )
    report = move(AREA.partition("\narmy")[0], ["47.23", "47.22"])
    assert report.verdict.kind == "figure"
    text = "47.22 adjacent to enemies: whether they lie in the Area of Attachment of R is left to the players"
    assert text in [step.text for step in report.parts[-1].steps]
    far = move(AREA.partition("\narmy")[0], ["47.23"])
    assert [part.title for part in far.parts] == ["Hexes"]


# --- who spends no points ---------------------------------------------------------------------------------------------


@pytest.mark.rule("9.5.1a", "8.4")
@pytest.mark.parametrize(
    ("unit", "rule"),
    [
        (f"{RUSSIAN} R", ""),
        (f"{RUSSIAN} R prepared=47.21", "8.4"),
        ("russian artillery - R", ""),
        ("russian artillery - R displaced", "9.5.1"),
        (f"{RUSSIAN} R half", "8.2.5"),
        (f"{RUSSIAN} R entrained", "8.2.4"),
    ],
)
def test_who_bears_a_marker_moves_no_further(unit: str, rule: str) -> None:
    assert outcome(move(f"47.22: {unit}\n60.21: {GERMAN} G", ["48.22"]))[2] == rule


@pytest.mark.rule("8.4.2", "6.4.4")
@pytest.mark.parametrize(
    ("unit", "way", "more", "rule"),
    [
        ("R", ["47.23"], {"counter": "yes"}, "8.4.2"),
        ("R", ["47.23"], {}, ""),
        ("Q", ["47.22"], {"counter": "yes"}, ""),
        ("Q", ["47.22", "47.23"], {"counter": "yes"}, "8.4.2"),  # who comes there stays there
        ("1-det 11", ["47.23"], {"counter": "yes"}, ""),
    ],
)
def test_in_the_counter_movement_phase_nobody_leaves_a_hex_that_a_marker_points_at(
    unit: str, way: list[str], more: dict[str, Any], rule: str
) -> None:
    pinned = "russian" if unit != "1-det 11" else "austro-hungarian"
    other = "german" if unit != "1-det 11" else "russian"
    text = f'47.22: {pinned} infantry XX R, {pinned} infantry III "1-det 11"\n48.22: {pinned} infantry XX Q\n'
    text += f"47.21: {other} infantry XX G prepared=47.22"
    assert outcome(move(text, way, [unit], **more))[2] == rule


@pytest.mark.rule("8.4.2", "6.4.4")
def test_one_of_several_that_is_pinned_keeps_all_there() -> None:
    text = '47.22: austro-hungarian infantry III "1-det 11", austro-hungarian infantry XX R\n'
    text += "47.21: russian infantry XX G prepared=47.22"
    assert outcome(move(text, ["47.23"], ["1-det 11", "R"], counter="yes"))[2] == "8.4.2"


@pytest.mark.rule("8.4.2", "6.4.4")
@pytest.mark.parametrize(("more", "rule"), [({}, ""), ({"counter": "yes"}, "8.4.2")])
def test_a_marker_keeps_a_garrison_from_its_complex_in_the_counter_movement_phase_alone(
    more: dict[str, Any], rule: str
) -> None:
    text = "47.22: russian fortress - F complex=K, russian infantry XX R garrison\n47.23: russian fort - H complex=K\n"
    text += "47.21: german infantry XX G prepared=47.22"
    assert outcome(move(text, ["47.23"], ["R"], **more))[2] == rule


@pytest.mark.rule("4.1.4a", "9.3", "13.2")
def test_the_position_says_whether_it_is_the_counter_movement_phase() -> None:
    text = f"47.23: russian cavalry XX R\n47.21: {GERMAN} G\n"
    assert outcome(move(f"{text}phase=counter-movement", ["47.22"]))[2] == "9.3"
    assert outcome(move(f"{text}phase=counter-movement", ["47.22"], counter="no"))[2] == ""
    assert outcome(move(f"{text}phase=movement", ["47.22"]))[2] == ""


# --- all that a phase costs -------------------------------------------------------------------------------------------

PHASE = (
    "phase={}\n47.23: {} R (7-7-0-10) movement=7, russian cavalry XX C movement=10, russian artillery - G movement=7"
)


def phase(units: list[str], phase: str = "movement", status: str = "", **more: Any) -> Report[Any]:
    text = PHASE.format(phase, RUSSIAN) + f"\n47.21: {GERMAN} A\n{status}"
    return move(text, ["47.22"], units, **more)


@pytest.mark.rule("2.2", "5.4")
def test_points_are_spent_only_by_the_side_that_moves_now() -> None:
    late = phase(["R"], "attack", ground=[3])
    text = "Movement Points are spent only in movement phases, and the phase is attack"
    assert (late.verdict.kind, late.verdict.text, told(late, "Not allowed")) == ("no", text, [text])
    assert late.result.spending == ()
    theirs = phase(["R"], status="phasing=central-powers", ground=[3])
    assert theirs.verdict.kind == "no" and "moves in this phase" in theirs.verdict.text
    assert phase(["R"], "attack").verdict.text == "EZOCs add 1 Movement Point"


@pytest.mark.rule("4.5a")
def test_move_marker_and_forced_march_in_one_sum() -> None:
    """3 for the ground, 1 for the zone, 2 spent before and 3 for a marker are 9 of 7: two by Forced March, passed with 8 or less."""
    report = phase(["R"], ground=[3], spent=2, prepared="47.21")
    (of,) = report.result.spending
    assert (of.allowance, of.spent, of.left, of.march, of.most, of.passes) == (7, 9, 0, 2, 3, Fraction(26, 36))
    spent = "9 spent in this phase, 2 of them by Forced March: R"
    assert report.verdict.text == f"4 Movement Points, 1 of them for EZOCs; {spent}"


@pytest.mark.rule("4.5a")
@pytest.mark.parametrize(
    ("ground", "words"),
    [
        (7, "10 spent in this phase, of them by Forced March: Q 2, R 3"),
        (6, "9 spent in this phase, of them by Forced March: Q 1, R 2"),
        (5, "8 spent in this phase, 1 of them by Forced March: R"),
    ],
)
def test_units_of_different_allowances_march_each_by_its_own(ground: int, words: str) -> None:
    status = f"47.23: {RUSSIAN} Q (7-7-0-10) movement=8"
    report = phase(["Q", "R"], status=status, ground=[ground], spent=2)
    assert report.verdict.text == f"{ground + 1} Movement Points, 1 of them for EZOCs; {words}"


@pytest.mark.rule("4.5a")
@pytest.mark.parametrize(
    ("ground", "spent", "march"), [(5, 1, 0), (5, 1.25, 0), (5.5, 1, 1), (8, 1, 3), (8, 1.25, 3), (8.5, 1, None)]
)
def test_only_the_sum_of_the_phase_is_rounded(ground: float, spent: float, march: int | None) -> None:
    report = phase(["R"], ground=[ground], spent=spent)
    assert report.verdict.kind == ("no" if march is None else "figure")
    assert report.result.spending[0].march == (4 if march is None else march)


@pytest.mark.rule("8.3", "8.3.1")
@pytest.mark.parametrize(
    ("units", "given", "marches", "short"),
    [
        (["R", "G"], {"ground": [6]}, [0, 0], ""),
        (["R", "G"], {"ground": [7]}, [1, 1], "artillery makes no Forced March"),
        (["R", "C"], {"ground": [9]}, [3, 0], ""),
        (["R", "G"], {"ground": [3], "prepared": "47.21"}, [0, 0], ""),
        (["C"], {"ground": [9], "prepared": "47.21"}, [0], ""),  # which places no marker
        (["R"], {"ground": [3], "phase": "counter-movement"}, [1], ""),
        (["R"], {"ground": [5.5], "phase": "counter-movement"}, [3], ""),
        (
            ["R"],
            {"ground": [6], "phase": "counter-movement"},
            [4],
            "4 points beyond the allowance exceed the limit of 3 for infantry",
        ),
    ],
)
def test_each_unit_has_its_own_allowance(
    units: list[str], given: dict[str, Any], marches: list[int], short: str
) -> None:
    report = phase(units, **given)
    assert [one.march for one in report.result.spending] == marches
    assert [one.why for one in report.result.spending if one.why] == [short] * bool(short)
    assert (report.verdict.kind == "no") is bool(short)


def test_what_is_left_of_the_smallest_allowance() -> None:
    report = phase(["R", "C"], ground=[3])
    assert report.verdict.text == "4 Movement Points, 1 of them for EZOCs; 3 left"
    assert told(report, "Movement Points")[1] == "C: 4 of its 10 Movement Points spent in this phase, 6 left"
    assert phase(["R"]).result.spending == ()
    report = move(f"47.23: {RUSSIAN} R", ["47.22"], ground=[3])
    assert report.result.spending == ()
    assert "R has the Movement Points that it spends (movement allowance not stated)" in told(report)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"prepared": "47.20"}, "47.20 is not adjacent to 47.22"),
        ({"prepared": "47.21", "phase": "counter-movement"}, "no such marker is placed in the Counter Movement Phase"),
    ],
)
def test_a_marker_that_cannot_be_placed_at_the_end(given: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why):
        phase(["R"], ground=[3], **given)


@pytest.mark.rule("8.9.2")
def test_who_has_begun_a_task_does_not_move_away() -> None:
    report = phase(["R"], status="R task=position expended=1")
    assert report.verdict.figures["why"] == ("R has begun an Improved Position and needs 6 more Movement Points for it")


@pytest.mark.rule("9.5")
def test_where_the_way_is_closed_nothing_is_spent() -> None:
    text = "47.23: russian artillery - FA movement=6\n47.21: german infantry XX G\n47.21|47.22 open\n"
    closed = answered(typed(text), "ezoc", units=["FA"], way=["47.22"], ground=[2])
    assert (closed.verdict.kind, closed.result.spending) == ("no", ())
    assert not any("in all" in line for line in told(closed))
    guarded = answered(typed(text + "47.22: russian infantry XX A"), "ezoc", units=["FA"], way=["47.22"], ground=[2])
    assert [one.unit for one in guarded.result.spending] == ["FA"]


@pytest.mark.rule("9.5", "9.8")
@pytest.mark.parametrize(
    ("units", "more", "left"),
    [
        (["A"], "", "FA"),
        (["A"], ', "3 Train"', "FA, 3 Train"),
        (["A"], ' entrained, "3 Train"', "3 Train"),
        (["A"], ", russian infantry XX B", ""),
        (["A", "FA"], "", ""),
        (["FA"], "", ""),
    ],
)
def test_guns_that_combat_units_leave_alone_in_an_ezoc_are_named(units: list[str], more: str, left: str) -> None:
    text = (
        f"47.22: russian infantry XX A, russian artillery - FA{more}\n47.21: german infantry XX G\n47.21|47.22 open\n"
    )
    found = told(answered(typed(text), "ezoc", units=units, way=["47.23"]), "Assumed")
    said = f"left in 47.22, an EZOC, without a combat unit, and therefore displaced (ask displace): {left}"
    assert (said in found) == bool(left)
    assert any("left in" in line for line in found) == bool(left)


@pytest.mark.rule("4.1.4b", "4.1.4c", "4.1.4d", "4.1.4e")
@pytest.mark.parametrize(
    ("here", "there", "friends", "paid", "added"),
    [
        ("A", "B", Friends(), False, 6),
        ("A", "B", Friends(anybody=True), False, 6),
        ("A", "B", Friends(anybody=True, combat=True), False, 3),
        ("A", "B", Friends(anybody=True, combat=True, position=True), False, 2),
        ("A", "B", Friends(anybody=True, position=True), False, 2),
        ("A", "B", Friends(), True, 6),
        ("A", "X", Friends(anybody=True, combat=True, position=True), False, 1),
        ("X", "B", Friends(anybody=True, combat=True, position=True), False, 1),
        ("A", "X", Friends(), True, 0),
        ("X", "B", Friends(), True, 1),
        ("X", "Y", Friends(), False, 0),
    ],
)
def test_what_zones_add_to_a_step(here: str, there: str, friends: Friends, paid: bool, added: int) -> None:
    """A and B are in an enemy zone, X and Y in none."""
    assert points(here, there, {"A", "B"}, friends, paid=paid) == added


@pytest.mark.rule("4.1.4d")
@pytest.mark.parametrize(
    ("friend", "extra"),
    [
        (f"{RUSSIAN} F", 3),
        ("russian cavalry XX F", 3),
        ("russian artillery - F", 6),
        ("russian corps-train - F", 6),
        ("russian fort - F", 6),
    ],
)
def test_only_combat_units_make_the_way_from_zone_to_zone_easier(friend: str, extra: int) -> None:
    text = f"47.22: {RUSSIAN} R\n48.22: {friend}\n47.21: {GERMAN} G"
    assert outcome(move(text, ["48.22"])) == ("figure", [extra], "")


@pytest.mark.rule("4.1.4d", "9.5")
@pytest.mark.parametrize(("reading", "points", "rules"), [("counts", 3, []), ("other", 6, ["9.5"])])
def test_whether_friends_in_rail_mode_count_in_an_ezoc_is_a_ruling(reading: str, points: int, rules: list[str]) -> None:
    text = f"ruling rail-mode-friend={reading}\n30.20: russian infantry XX R (9-9-0-9) movement=20, russian artillery - A movement=9\n"
    text += "31.19: german infantry XX G (9-9-0-9)\n30.19: russian infantry XX F (9-9-0-9) {}"
    report = moved(text.format("entrained"), "R", "30.19")
    assert report.result.entered[0].zones == points
    assert ruled(report, "rail-mode-friend") == reading
    guns = moved(text.format("entrained"), "A", "30.19")
    assert (why_not(guns), ruled(guns, "rail-mode-friend")) == (rules, reading)
    for friends in ("", "entrained, russian cavalry XX C (3-3-0-9)"):
        awake = moved(text.format(friends), "R", "30.19")
        assert (awake.result.entered[0].zones, ruled(awake, "rail-mode-friend")) == (3, "")
    clear = moved(text.format("entrained").replace("31.19:", "30.18:"), "R", "30.19")
    assert (clear.result.entered[0].zones, ruled(clear, "rail-mode-friend")) == (1, "")


@pytest.mark.rule("9.5", "9.5.1")
@pytest.mark.parametrize(("reading", "must"), [("counts", False), ("other", True)])
def test_whether_friends_in_rail_mode_keep_artillery_in_an_ezoc_is_a_ruling(reading: str, must: bool) -> None:
    text = f"ruling rail-mode-friend={reading}\nturn=5 phase=movement phasing=central-powers\n30.20: russian artillery - A, russian infantry XX F (9-9-0-9) entrained\n"
    text += "31.19: german infantry XX G (9-9-0-9)\n30.23: russian infantry XX H (9-9-0-9)"
    report = answered(typed(text), "displace", unit="A")
    assert (report.result.must, ruled(report, "rail-mode-friend")) == (must, reading)
    awake = answered(typed(text.replace(" entrained", "")), "displace", unit="A")
    assert (awake.result.must, ruled(awake, "rail-mode-friend")) == (False, "")
    far = answered(typed(text.replace("31.19", "35.19")), "displace", unit="A")
    assert (far.result.must, ruled(far, "rail-mode-friend")) == (False, "")


@pytest.mark.rule("23.4.1", "9.5", "9.5.1")
@pytest.mark.parametrize(("reading", "must"), [("leaves", True), ("stays", False)])
def test_whether_artillery_stays_alone_in_a_half_hex_is_a_ruling(reading: str, must: bool) -> None:
    text = f"ruling half-hex-guns={reading}\nturn=5 phase=movement phasing=russian\n17.114: austro-hungarian artillery - A{{}}\n"
    text += "17.113: russian infantry XX R (9-9-0-9)"
    report = answered(typed(text.format("")), "displace", unit="A")
    assert (report.result.must, ruled(report, "half-hex-guns")) == (must, reading)
    guarded = answered(typed(text.format(", austro-hungarian infantry XX I (9-9-0-9)")), "displace", unit="A")
    assert (guarded.result.must, ruled(guarded, "half-hex-guns")) == (False, "")
    far = answered(typed(text.format("").replace("17.113", "17.111")), "displace", unit="A")
    assert (far.result.must, ruled(far, "half-hex-guns")) == (False, "")
