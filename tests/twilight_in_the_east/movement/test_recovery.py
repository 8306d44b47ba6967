"""Recovery of levels, from Disorder and from an Incomplete marker: who, how far from the enemy, for how much (7.4.2, 8.6, 24.3.2)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.asking.case import list_bars
from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.forces.account import Account
from twilight_in_the_east.forces.spending import Effort
from twilight_in_the_east.movement.recovery import (
    Recovering,
    RecoveringFromDisorder,
    RecoveringLevels,
    recover_levels,
    turn_marker,
)

from ...conftest import answered, on_the_map, rulings, told, typed, values, viewed, why_not

# --- from Disorder ---------------------------------------------------------------------------------------------------------


def allowed(status: str) -> str:
    """A status with a movement allowance that is enough for anything, unless it states one."""
    return status if "movement=" in status else f"movement=20 {status}"


def recovery(status: str, enemy: str = "46.19", **parameters: Any) -> Report[Any]:
    text = f"41.19: german infantry XX A {allowed(status)}\n{enemy}: 25/3"
    return answered(typed(text), "recover", **{"unit": "A", "points": 7, **parameters})


@pytest.mark.rule("7.4.2")
@pytest.mark.parametrize(("status", "after", "change"), [("D2", 1, 1), ("D1", 0, None)])
def test_a_degree_for_seven_points(status: str, after: int, change: int | None) -> None:
    report = recovery(status)
    assert (report.verdict.kind, report.result.after) == ("yes", after)
    assert on_the_map(report) == [("disorder", change)]


@pytest.mark.rule("7.4.2", "8.6")
def test_points_are_carried_over_as_long_as_a_degree_is_left() -> None:
    given = ((2, 9), (1, 9), (2, 14), (2, 6), (2, 0), (3, 15))
    assert [recover_levels(*one) for one in given] == [(1, 2), (0, 0), (0, 0), (2, 6), (2, 0), (1, 1)]
    first = recovery("D1", points=4)
    assert (first.result.carried, first.result.after) == (4, 1)
    assert on_the_map(first) == [("task", "disorder"), ("expended", 4)]
    assert recovery("D1", carried=4, points=3).result.after == 0
    further = recovery("D2", carried=6, points=3).result
    assert (further.after, further.carried) == (1, 2)
    assert recovery("D1", points=4).verdict.text == "A needs 3 more Movement Points"
    assert recovery("D1", points=0).verdict.text == "A needs 7 more Movement Points"
    assert recovery("D1", points=7).verdict.text == "A recovers from D1, and stays Demoralized"


@pytest.mark.rule("7.4.2")
@pytest.mark.parametrize(
    ("status", "enemy", "allowed"),
    [
        ("D1", "46.19", True),
        ("D1", "45.19", False),
        ("D1 supply=low", "46.19", True),
        ("D1 supply=out", "46.19", False),
    ],
)
def test_far_from_the_enemy_and_not_out_of_supply(status: str, enemy: str, allowed: bool) -> None:
    assert recovery(status, enemy).result.allowed is allowed


@pytest.mark.rule("7.4.2")
@pytest.mark.parametrize(("enemy", "matters"), [("45.19", False), ("46.19", True), ("47.19", False)])
def test_how_the_hexes_to_the_enemy_are_counted_is_a_ruling(enemy: str, matters: bool) -> None:
    reports = [recovery(f"D1\nruling recovery-distance={reading}", enemy) for reading in ("counted", "between")]
    assert [report.result.allowed for report in reports] == ([True, False] if matters else [enemy == "47.19"] * 2)
    assert [rulings(report) for report in reports] == [["recovery-distance"] if matters else []] * 2


@pytest.mark.rule("7.4.2", "8.6")
def test_no_more_points_are_spent_in_a_phase_than_a_unit_has() -> None:
    with pytest.raises(
        InputError, match="A has 7 Movement Points left in this phase: no Forced March for recovery from Dis"
    ):
        recovery("D2 movement=7", points=14)
    assert recovery("D2 movement=7", points=7).result.after == 1


@pytest.mark.rule("2.2f")
@pytest.mark.parametrize(("counter", "allowed"), [({}, False), ({"counter": "no"}, True)])
def test_a_phase_that_is_supposed_counts_instead_of_that_of_the_position(
    counter: dict[str, str], allowed: bool
) -> None:
    text = "phase=attack\n41.19: german infantry XX A cel=-1 movement=7"
    assert answered(typed(text), "recover", unit="A", points=7, **counter).result.allowed is allowed


def barred(kind: type[Recovering], text: str = "turn=1", begun: int = 0, **values: Any) -> list[str]:
    """The rules against a recovery. begun: the points of earlier phases."""
    view = viewed(f"{text}\n41.19: german infantry XX A")
    effort = Effort("recovery", Fraction(7), begun, Fraction(0), Account("A"))
    case = kind(view=view, unit=view.unit("A"), place="41.19", effort=effort, counter=None, bound=(), **values)
    return [step.rule for step in list_bars(case.bars)]


@pytest.mark.rule("7.4.2")
@pytest.mark.parametrize("least", [5, 6])
def test_no_enemy_or_one_far_away_bars_nothing(least: int) -> None:
    counted = "counted" if least == 5 else "between"
    for reading in ("barred", "continued"):
        ruled = f"ruling recovery-distance={counted}\nruling disorder-nearer={reading}"
        assert barred(RecoveringFromDisorder, ruled, distance=None, unsupplied=False) == []
        assert barred(RecoveringFromDisorder, ruled, distance=least, unsupplied=False) == []
        near = barred(RecoveringFromDisorder, ruled, distance=least - 1, unsupplied=False)
        assert near == ["7.4.2"], "it has not begun"


@pytest.mark.rule("7.4.2")
@pytest.mark.parametrize(
    ("enemy", "begun", "barred", "continued"),
    [("44.19", 3, False, True), ("44.19", 0, False, False), ("46.19", 3, True, True), ("43.19", 3, False, True)],
)
def test_whether_it_goes_on_with_an_enemy_nearer_is_a_ruling(
    enemy: str, begun: int, barred: bool, continued: bool
) -> None:
    for reading, allowed in (("barred", barred), ("continued", continued)):
        report = recovery(f"D1\nruling disorder-nearer={reading}", enemy, carried=begun, points=4)
        assert report.result.allowed is allowed
        assert ("disorder-nearer" in rulings(report)) is (barred != continued)


# --- of levels --------------------------------------------------------------------------------------------------------

COMPLEX = "41.19: german fortress - K1 complex={} fssm=4"
SOUND = {"degree": 2, "distance": 3, "is_formation": True, "disordered": False, "unsupplied": False}
AT_WORK = {"covered": False, "in_complex": False, "tired_cavalry": False}


@pytest.mark.rule("8.6.1", "8.6.1b", "8.6.1c")
@pytest.mark.parametrize(
    ("values", "far"),
    [
        ({}, 3),
        ({"covered": True}, 2),
        ({"degree": 4}, 5),
        ({"degree": 4, "covered": True}, 5),
        ({"degree": 4, "begun": 3}, 2),
        ({"begun": 3}, 2),
        ({"in_complex": True, "unsheltered": False}, 1),
        ({"in_complex": True, "unsheltered": False, "begun": 3}, 1),
        ({"in_complex": True, "unsheltered": True}, 1),
        ({"in_complex": True, "unsheltered": True, "degree": 4}, 5),
    ],
)
def test_how_far_the_enemy_has_to_be(values: dict[str, Any], far: int) -> None:
    about = {**SOUND, **AT_WORK, **values}
    allowed = [not barred(RecoveringLevels, **{**about, "distance": distance}) for distance in range(1, 7)]
    assert allowed == [distance >= far for distance in range(1, 7)]


@pytest.mark.rule("8.6.1b")
def test_out_of_a_complex_an_enemy_is_told_once() -> None:
    about: dict[str, Any] = {**SOUND, **AT_WORK, "degree": 4, "unsheltered": True}
    assert barred(RecoveringLevels, **{**about, "distance": 4}) == ["8.6.1"]


@pytest.mark.rule("8.6.1", "8.6.2", "8.6.3")
@pytest.mark.parametrize(
    ("values", "against"),
    [
        ({}, []),
        ({"distance": None}, []),
        ({"distance": 2}, ["8.6.1"]),
        ({"disordered": True}, ["8.6.2"]),
        ({"unsupplied": True}, ["8.6.2"]),
        ({"tired_cavalry": True, "degree": 1}, ["8.6.3"]),
        ({"tired_cavalry": False, "degree": 1}, []),
        ({"tired_cavalry": True, "degree": 2}, []),
    ],
)
def test_what_forbids_it(values: dict[str, Any], against: list[str]) -> None:
    assert barred(RecoveringLevels, **{**SOUND, **AT_WORK, **values}) == against


@pytest.mark.rule("8.6", "8.6.1", "8.6.2", "8.6.3")
def test_what_a_position_says_of_a_unit_that_recovers() -> None:
    def of(unit: str, text: str = "turn=9") -> RecoveringLevels:
        view = viewed(f"{text}\n41.19: german {unit}")
        return RecoveringLevels(view=view, unit=view.unit("A"), place="41.19", distance=None)

    assert [of(f"infantry XX A{state}").disordered for state in ("", " D1", " D2")] == [False, True, True]
    formations = {arm: of(f"{arm} XX A").is_formation for arm in ("infantry", "cavalry", "artillery", "fort")}
    assert formations == {"infantry": True, "cavalry": True, "artillery": False, "fort": False}
    assert not of("infantry II A").is_formation
    tired = [of("cavalry XX A", f"turn={turn}").tired_cavalry for turn in (8, 9)]
    assert (tired, of("infantry XX A").tired_cavalry) == ([False, True], False)
    assert not of("infantry XX A").covered
    lost = [of(f"infantry XX A cel=-{levels}") for levels in (0, 1, 2, 3, 4)]
    assert [case.is_reduced for case in lost] == [False, True, True, True, True]
    assert [case.one_level_left for case in lost] == [False, True, False, False, False]
    assert [case.demoralized for case in lost] == [False, False, False, False, True]
    assert [of(f"infantry XX A supply={state}").unsupplied for state in ("in", "low", "out")] == [False, False, True]


def levels(status: str = "cel=-2", enemy: str = "44.19", more: str = "", **parameters: Any) -> Report[Any]:
    text = f"41.19: german infantry XX A {allowed(status)}\n{enemy}: 25/3\n{more}"
    return answered(typed(text), "recover", **{"unit": "A", "points": 7, **parameters})


@pytest.mark.rule("8.6", "8.9")
def test_a_level_for_seven_points_that_may_be_spent_in_several_phases() -> None:
    report = levels()
    assert report.verdict.text == "A recovers 1 level and has 1 to go"
    assert on_the_map(report) == [("cel", -1)]
    assert on_the_map(levels("cel=-1")) == [("cel", None)]
    assert levels("cel=-1").verdict.text == "A recovers 1 level"
    first = levels("cel=-2 movement=7", more="phase=counter-movement", points=3.5)
    assert first.verdict.text == "A needs 4 more Movement Points"
    assert on_the_map(first) == [("task", "recovery"), ("expended", 3)]
    then = levels("cel=-2 movement=7 task=recovery expended=3", more="phase=movement", points=4)
    assert on_the_map(then) == [("cel", -1), ("task", None), ("expended", None)]
    assert (then.result.allowed, then.result.spending.left, then.result.carried) == (True, 3, 0)
    assert not levels("cel=-2 movement=7", "42.19", points=3.5).result.allowed


@pytest.mark.rule("8.6")
def test_the_next_level_is_begun_only_where_it_may_be() -> None:
    assert recover_levels(3, 16, lambda done: done < 1) == (2, 0)
    assert recover_levels(3, 16, lambda done: done < 2) == (1, 0)
    asked = list[int]()
    assert recover_levels(3, 7, lambda done: not asked.append(done)) == (2, 0)
    assert asked == [0]


@pytest.mark.rule("8.6.3", "8.6")
def test_cavalry_that_recovers_two_levels_at_once_stops_before_the_last_one() -> None:
    text = "41.19: german cavalry XX A cel=-2 movement=10\n44.19: 25/3\nphase=movement turn={}"
    spent = {"unit": "A", "carried": 6, "points": 10}
    assert answered(typed(text.format(8)), "recover", **spent).result.after == 0
    tired = answered(typed(text.format(9)), "recover", **spent)
    assert (tired.result.after, tired.result.carried) == (1, 0)
    assert tired.verdict.text == "A recovers 1 level and keeps its last loss"


COVER = "42.19 ip={}: german infantry XX B\n42.20 ip={}: german infantry XX C"
"""Friends on both hexes between A and an enemy two hexes away."""


@pytest.mark.rule("8.6.1", "4.1")
@pytest.mark.parametrize(
    ("more", "allowed"),
    [
        ("", False),
        (COVER.format(1, 1), True),
        (COVER.format(1, 0), False),
        (COVER.format(3, 0), True),  # its ZOC reaches into the other hex
        (COVER.format(2, 0), False),
        ("41.20 ip=3: german infantry XX B", False),  # only one of the two is next to it
        ("42.19 ip=3: german infantry X F fort\n42.20: german infantry XX C", False),
        (COVER.format(1, 1) + "\n41.17: russian infantry XX R", False),  # another enemy, whom nobody covers
    ],
)
def test_two_hexes_are_enough_where_friends_cover_every_hex_between(more: str, allowed: bool) -> None:
    more = more.replace("infantry X F fort", "artillery - F")
    assert levels(enemy="43.19", more=more).result.allowed is allowed


@pytest.mark.rule("8.6.1", "8.6", "4.1")
def test_a_second_level_is_begun_anew_where_friends_cover_the_hexes_between() -> None:
    status = "cel=-2 movement=7 task=recovery expended=6"
    for cover, carried_over in ((COVER.format(1, 1), 6), (COVER.format(1, 0), 0)):
        result = levels(status, enemy="43.19", more=cover + "\nphase=movement").result
        assert (result.after, result.carried) == (1, carried_over)


@pytest.mark.rule("8.6")
def test_only_formations_have_levels_to_recover() -> None:
    for unit in ("infantry X A asset", "artillery XX A cel=-1", "major-depot - A", "fort - A"):
        report = answered(typed(f"41.19: german {unit} supply=out\n42.19: 25/3"), "recover", unit="A", points=7)
        assert why_not(report) == ["8.6"]
        assert told(report) == ["only formations lose and recover Combat Effectiveness Levels"]
    assert told(levels("cel=0"), "Not allowed") == ["it is neither Disordered nor below its base Combat Effectiveness"]


@pytest.mark.rule("8.6.1", "4.1")
@pytest.mark.parametrize(
    ("status", "points", "matters"),
    [
        ("cel=-2 task=recovery expended=3", 4, False),
        ("cel=-1 task=recovery expended=3", 7, False),
        ("cel=-2 task=recovery expended=3", 7, True),
    ],
)
def test_whether_its_own_zone_covers_matters_only_where_a_level_is_begun(
    status: str, points: int, matters: bool
) -> None:
    report = levels(status, enemy="43.19", more="41.19 ip=3", points=points)
    assert (report.result.allowed, rulings(report)) == (True, ["recovery-own-zone"] * matters)


@pytest.mark.rule("8.6.1")
def test_whether_its_own_zone_covers_is_a_ruling() -> None:
    for reading, allowed in (("any", True), ("others", False)):
        report = levels(enemy="43.19", more=f"41.19 ip=3\nruling recovery-own-zone={reading}")
        assert (report.result.allowed, rulings(report)) == (allowed, ["recovery-own-zone"])
    assert rulings(levels(enemy="43.19", more="41.19 ip=2")) == []


@st.composite
def fields(draw: st.DrawFn) -> list[tuple[str, str, int]]:
    """Units around 41.19, where A stands: hex, side and level of the Improved Position there."""
    hexes = [f"{column}.{row}" for column in range(39, 44) for row in range(17, 22) if (column, row) != (41, 19)]
    chosen = draw(st.lists(st.sampled_from(hexes), min_size=1, max_size=9, unique=True))
    return [(hex, draw(st.sampled_from(["german", "russian"])), draw(st.integers(0, 4))) for hex in chosen]


def may_begin(board: Any, field: list[tuple[str, str, int]], own_level: int, status: int) -> bool:
    """8.6.1 once more, enemy by enemy, for a unit outside fortresses whose ZOC counts too."""
    friends = {hex: level for hex, side, level in field if side == "german"} | {"41.19": own_level}
    for enemy in (hex for hex, side, _ in field if side == "russian"):
        far = board.distance("41.19", enemy)
        if far < 2 or (status == -4 and far < 5):
            return False
        if far == 2:
            for hex in (hex for hex in board.neighbours(enemy) if board.distance(hex, "41.19") == 1):
                strong = [
                    friend for friend, level in friends.items() if level >= 3 and board.distance(friend, hex) == 1
                ]
                if not friends.get(hex) and not strong:
                    return False
    return True


@settings(deadline=None)
@given(fields(), st.integers(0, 4), st.sampled_from([-4, -2]))
def test_where_recovery_begins_by_a_second_reading_of_the_rule(
    field: list[tuple[str, str, int]], own_level: int, status: int
) -> None:
    stacks = "\n".join(
        f"{hex} ip={level}: {side} infantry XX U{number}" for number, (hex, side, level) in enumerate(field)
    )
    text = f"41.19 ip={own_level}: german infantry XX A movement=7 cel={status}\n{stacks}"
    report = answered(typed(text), "recover", unit="A", points=7)
    assert report.result.allowed is may_begin(viewed(text).board, field, own_level, status)


@pytest.mark.rule("8.6.1b", "8.9.3a")
@pytest.mark.parametrize(("complex", "allowed"), [("K", True), ("", False)])
def test_next_to_the_enemy_in_a_fortress_complex(complex: str, allowed: bool) -> None:
    more = COMPLEX.replace("complex={}", f"complex={complex}" if complex else "")
    report = levels(enemy="42.19", more=more)
    assert report.result.allowed is allowed
    assert ("K1 belongs to no Fortress Complex (complex not stated)" in told(report)) is not allowed


@pytest.mark.rule("8.9.3a")
@pytest.mark.parametrize(("reading", "after"), [("kept", 1), ("lost", 2)])
def test_what_was_spent_in_a_complex_is_a_ruling(reading: str, after: int) -> None:
    more = COMPLEX.format("K") + f"\nruling complex-points={reading}"
    report = levels("cel=-2 task=recovery expended=3", "42.19", more, points=4)
    assert (report.result.after, rulings(report)) == (after, ["complex-points"])


@pytest.mark.rule("8.9.3a")
@pytest.mark.parametrize(("reading", "carried"), [("distant", 0), ("sheltered", 5)])
def test_a_demoralized_formation_in_a_complex_keeps_its_points_if_it_may_recover(reading: str, carried: int) -> None:
    more = COMPLEX.format("K") + f"\nruling complex-demoralized={reading}"
    report = levels("cel=-4 task=recovery expended=3", "42.19", more, points=2)
    assert (report.result.allowed, report.result.carried) == (carried > 0, carried)


@pytest.mark.rule("8.6.1c", "8.9.3a", "8.9", "4.1")
@pytest.mark.parametrize("expended", [1, 3])
@pytest.mark.parametrize(("enemy", "allowed"), [("43.19", True), ("42.19", False)])
def test_what_has_begun_goes_on_unless_an_enemy_comes_adjacent(enemy: str, allowed: bool, expended: int) -> None:
    report = levels(f"cel=-4 task=recovery expended={expended}", enemy, points=4)
    assert report.result.allowed is allowed
    assert ("an enemy is adjacent to A, so its MPs Expended marker is removed" in told(report)) is not allowed


@pytest.mark.rule("8.4.2b")
@pytest.mark.parametrize(("phase", "allowed"), [("counter-movement", False), ("movement", True)])
def test_a_unit_that_a_marker_points_at_does_not_recover(phase: str, allowed: bool) -> None:
    more = COMPLEX.format("K") + f"\nphase={phase}\n25/3 prepared=41.19"
    assert levels(enemy="42.19", more=more, points=3).result.allowed is allowed


@pytest.mark.rule("8.9.2")
def test_points_go_to_the_task_first() -> None:
    status = "cel=-2 task={} expended=3"
    assert levels(status.format("recovery"), points=4, spent=1).verdict.kind == "no"
    other = levels(status.format("position"), points=4)
    assert told(other, "Not allowed") == ["it has begun an Improved Position and needs 4 more Movement Points for it"]
    text = "phase=movement phasing=central-powers\n41.19: german infantry XX A movement=12 cel=-1 task=recovery expended=3 {}"
    assert answered(typed(text.format("spent=march:1")), "recover", unit="A", points=4).verdict.kind == "no"
    assert answered(typed(text.format("spent=march:1")), "recover", unit="A", points=4, spent=0).verdict.kind == "yes"
    with pytest.raises(InputError, match="A has expended=3, but its task is not stated"):
        levels("cel=-2 expended=3")


@pytest.mark.rule("2.2f", "8.3")
@pytest.mark.parametrize("counter", ["yes", "no"])
def test_the_allowance_is_halved_in_the_counter_movement_phase(counter: str) -> None:
    if counter == "no":
        assert levels("cel=-1 movement=7", counter=counter).result.after == 0
        return
    with pytest.raises(
        InputError, match=r"A has 3 1/2 Movement Points left in this phase: no Forced March for CEL Reco"
    ):
        levels("cel=-1 movement=7", counter=counter)
    with pytest.raises(InputError, match=r"A has 1 1/2 Movement Points left in this phase"):
        levels("cel=-1 movement=7", counter=counter, spent=2, points=3)


@pytest.mark.rule("8.6", "8.3.1")
@pytest.mark.parametrize(
    ("status", "given", "asks"),
    [
        ("cel=-2", {}, ["A movement=N"]),
        ("cel=-2", {"carried": 6, "points": 1}, ["A movement=N"]),
        ("cel=-2 movement=7", {}, []),
        ("cel=-2", {"points": 0}, []),
        ("cel=0", {}, []),
        ("cel=-2 supply=out", {}, []),
    ],
    ids=[
        "not stated",
        "for the last point",
        "stated",
        "nothing is spent",
        "nothing to recover",
        "refused all the same",
    ],
)
def test_the_allowance_is_asked_for_where_points_are_spent(status: str, given: dict[str, Any], asks: list[str]) -> None:
    text = f"41.19: german infantry XX A {status}\n44.19: 25/3"
    report = answered(typed(text), "recover", **{"unit": "A", "points": 7, **given})
    assert [ask.how for ask in report.asks] == asks


# --- Corps Trains -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("24.3.2")
@pytest.mark.parametrize(
    ("side", "points", "after", "changes"),
    [
        (1, 7, 1, [("incomplete", 2)]),
        (2, 7, 0, [("incomplete", None)]),
        (1, 6, 2, []),
        (1, 13, 1, [("incomplete", 2)]),
        (1, 14, 0, [("incomplete", None)]),
    ],
)
def test_an_incomplete_marker_takes_seven_points_of_one_phase(
    side: int, points: int, after: int, changes: list[Any]
) -> None:
    text = f"41.19: russian corps-train - T movement=20 incomplete={side}\n42.19: german infantry XX R"
    report = answered(typed(text), "recover", unit="T", points=points)
    assert (report.result.after, report.result.carried) == (after, 0)
    assert on_the_map(report) == changes


@pytest.mark.rule("24.3.2")
@pytest.mark.parametrize(
    ("side", "points", "then"), [(1, 6, 1), (1, 7, 2), (1, 14, 0), (1, 21, 0), (2, 6, 2), (2, 7, 0), (2, 14, 0)]
)
def test_a_marker_of_two_sides_never_has_a_third(side: int, points: int, then: int) -> None:
    assert turn_marker(side, points) == then


@pytest.mark.rule("24.3.2")
def test_a_corps_train_carries_no_points_over_and_makes_no_forced_march() -> None:
    text = "41.19: russian corps-train - T incomplete=1 movement={}\nphase=counter-movement"
    report = answered(typed(text.format(15)), "recover", unit="T", points=3.5, carried=3)
    assert report.verdict.text == "T needs 4 more Movement Points in this phase"
    with pytest.raises(
        InputError, match="T has 7 1/2 Movement Points left in this phase: a supply unit makes no Forced"
    ):
        answered(typed(text.format(15)), "recover", unit="T", points=8)
    whole = answered(typed("41.19: russian corps-train - T"), "recover", unit="T", points=7)
    assert (whole.verdict.kind, [step.rule for step in whole.parts[0].steps]) == ("no", ["24.3.2"])


@pytest.mark.rule("24.3.2")
@pytest.mark.parametrize("points", [0, 3, 7])
@pytest.mark.parametrize(
    ("status", "needed", "left"), [("movement=6", 7, "6"), ("movement=9 spent=march:3+incomplete:3", 4, "3")]
)
def test_a_corps_train_spends_nothing_on_a_marker_that_it_cannot_turn_in_the_phase(
    status: str, needed: int, left: str, points: int
) -> None:
    text = f"phase=movement phasing=russian\n41.19: russian corps-train - T incomplete=1 {status}"
    report = answered(typed(text), "recover", unit="T", points=points)
    said = f"{needed} more Movement Points would have to be spent on its marker in this phase, and it has {left} left"
    assert (report.verdict.kind, told(report, "Not allowed"), report.changes) == ("no", [said], ())
    enough = text.replace("movement=6", "movement=7").replace("movement=9", "movement=10")
    assert answered(typed(enough), "recover", unit="T", points=needed).verdict.kind == "yes"


# --- by the account of the unit ---------------------------------------------------------------------------------------


@pytest.mark.rule("24.3.2")
@pytest.mark.parametrize(
    ("account", "side", "points", "then", "spent"),
    [
        ("", 1, 3, 1, "incomplete:3"),
        ("spent=incomplete:3", 1, 4, 2, "incomplete:7"),
        ("spent=incomplete:7", 2, 4, 2, "incomplete:11"),
        ("spent=incomplete:9.5", 2, 4.5, None, "incomplete:14"),
        ("spent=incomplete:3", 1, 9, 2, "incomplete:7"),
    ],
)
def test_what_a_corps_train_has_spent_in_the_phase_counts_for_the_side_that_is_up(
    account: str, side: int, points: float, then: int | None, spent: str
) -> None:
    text = f"phase=movement phasing=russian\n41.19: russian corps-train - T movement=20 incomplete={side} {account}"
    report = answered(typed(text), "recover", unit="T", points=points)
    assert values(report).get(("incomplete", "T"), side) == then
    assert values(report)["spent", "T"] == spent


@pytest.mark.rule("8.9.2", "8.6", "8.1b")
@pytest.mark.parametrize(
    ("status", "points", "after", "carried", "spent"),
    [
        ("cel=-1", 7, 0, 0, "recovery:7"),
        ("cel=-1", 9, 0, 0, "recovery:7"),
        ("cel=-2", 9, 1, 2, "recovery:9"),
        ("cel=-1 task=recovery expended=5 spent=recovery:2.5", 2, 0, 0, "recovery:4"),
        ("cel=-1 task=recovery expended=5 spent=recovery:2.5", 1.5, 0, 0, "recovery:4"),
        ("cel=-2 task=recovery expended=6 spent=march:2+recovery:1", 1, 1, 0, "march:2+recovery:2"),
    ],
)
def test_what_recovery_adds_to_an_account(status: str, points: float, after: int, carried: int, spent: str) -> None:
    text = f"phase=movement phasing=central-powers\n41.19: german infantry XX A movement=12 {status}"
    report = answered(typed(text), "recover", unit="A", points=points)
    assert (report.result.after, report.result.carried) == (after, carried)
    assert [(one.after, one.rule) for one in report.changes if one.track == "spent"] == [(spent, "8.6")]


@pytest.mark.rule("8.3.1")
@pytest.mark.parametrize("status", ["spent=march:8", "spent=march:8 checked"])
def test_who_has_made_a_forced_march_does_not_recover_in_the_same_phase(status: str) -> None:
    text = f"phase=movement phasing=central-powers\n41.19: german infantry XX A movement=7 cel=-1 {status}"
    if "checked" in status:
        assert answered(typed(text), "recover", unit="A", points=1).verdict.kind == "no"
        return
    with pytest.raises(
        InputError, match="A has 0 Movement Points left in this phase: no Forced March for CEL Recovery"
    ):
        answered(typed(text), "recover", unit="A", points=1)
