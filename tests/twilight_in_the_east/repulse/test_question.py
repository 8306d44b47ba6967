"""Repulse: the two examples of 8.5.5, what is not allowed, what the dice make of it, and its chances by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from assistant import parse
from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game
from assistant.mechanics.procedure import AnswerError
from assistant.util.errors import InputError
from twilight_in_the_east.combat.before_dice import read_result
from twilight_in_the_east.repulse.question import note_owed_hexes

from ...conftest import GAME, answered, ruled, told, typed, viewed

FIRST = """turn=1
40.20: german infantry XX DX (7-7-0-10), german infantry XX DY (7-7-0-10)
41.19 clear: russian infantry X Z asset (2-2-0-9)
41.19|40.20 open
{}
"""


def asked(more: str = "", answers: str = "", position: str = FIRST, **parameters: Any) -> Report[Any]:
    text = position.format(more) + (f"answers {answers}" if answers else "")
    given = {"at": "41.19", "from": "40.20", "units": "DX", "flanked": "no", **parameters}
    return answered(typed(text), "repulse", **{name: value for name, value in given.items() if value})


# --- the examples -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.5.2", "8.5.2b", "8.5.3")
def test_example_1_before_and_after_the_dice() -> None:
    """Division X has 7 steps against 2: 4:1, no shift; an 8 is a retreat; Z's 10 against 9 costs it a step."""
    before = asked("chart crt summer 4:1 8 = - / B1")
    assert (before.result.final, before.result.needs, before.result.shifts) == ("4:1", "roll", ())
    report = asked("chart crt summer 4:1 8 = - / B1", "crt=8 ec=10")
    assert (report.result.repulsed, report.result.crt) == (True, "- / B1")
    (check,) = report.result.checks
    assert (check.force, check.cel, check.passed, check.failed_by, check.levels, check.steps) == (
        "Z",
        9,
        False,
        1,
        0,
        1,
    )
    assert [(change.track, change.subject, change.after) for change in report.changes] == [
        ("lost", "Z", 1),
        ("owes", "Z", 2),
        ("retreat-cause", "Z", "repulse"),
        ("spent", "DX", "repulse:1"),
    ]


def test_the_hex_of_the_force_is_that_of_its_units() -> None:
    assert asked(**{"from": ""}).result.force == ("DX",)
    nobody = asked(**{"from": "", "units": ""})
    assert [(ask.name, ask.title) for ask in nobody.asks] == [("units", "the Force that attempts the Repulse of 41.19")]
    with pytest.raises(InputError, match="units: they are not all in one hex"):
        asked(**{"from": "", "units": "DX,Z"})


@pytest.mark.rule("8.5.2b")
def test_in_example_1_a_position_would_have_held() -> None:
    report = asked("41.19 ip=1\nchart crt summer 3:1 8 = - / B1", "crt=8")
    assert (report.result.final, report.result.repulsed) == ("3:1", False)


UNSTATED = """turn=5
40.20: russian infantry XX R1 ({}-12-4-10) {}
41.19 clear: german infantry III asset FF (1-{}-0-9) prepared=40.20
40.20|41.19 open
"""


def unstated(steps: int, defence: int, status: str = "") -> Report[Any]:
    return answered(typed(UNSTATED.format(steps, status, defence)), "repulse", at="41.19", **{"from": "40.20"})


@pytest.mark.rule("8.5.2", "10.4.3")
@pytest.mark.parametrize(
    ("steps", "defence", "needs"),
    [
        (10, 1, "automatic"),
        (7, 1, "automatic"),
        (6, 1, ""),
        (4, 1, ""),
        (2, 2, ""),
        (1, 2, "hopeless"),
        (2, 6, "hopeless"),
    ],
)
def test_flanks_that_cannot_change_how_it_ends_are_not_asked(steps: int, defence: int, needs: str) -> None:
    report = unstated(steps, defence)
    assert (report.result.needs if report.result else "") == needs
    assert [ask.key[0] for ask in report.asks if ask.key] == ([] if needs else ["barrier"] * 4)
    assert any("flanked or not, the outcome is the same" in line for line in told(report)) == bool(needs)
    if needs:
        assert report.result.shifts == (), "nothing is counted that is not stated"


@pytest.mark.rule("8.5.1", "8.5.2", "10.4.3")
def test_what_is_asked_for_before_any_flanks() -> None:
    report = unstated(5, 1, "cel=-4")
    assert (report.verdict.kind, report.asks) == ("no", ())
    two_armies = UNSTATED.format(5, "", 1).replace("prepared=40.20", "army=1, german infantry III GG (1-1-0-9) army=2")
    report = answered(typed(two_armies), "repulse", at="41.19", **{"from": "40.20"})
    assert (report.verdict.kind, report.asks) == ("no", ())
    report = answered(typed(UNSTATED.format(5, "", "?")), "repulse", at="41.19", **{"from": "40.20"})
    assert [ask.key[0] for ask in report.asks if ask.key] == ["defence"]


# --- what is allowed --------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.5.1", "12.1.1")
@pytest.mark.parametrize(
    ("more", "side", "units", "said"),
    [
        ("41.19: russian fort - F", "open", "DX", "F is a fortress unit, whose hex cannot be cleared"),
        ("41.19: russian fortress - F", "open", "DX", "F is a fortress unit, whose hex cannot be cleared"),
        ("DX cel=-4", "open", "DX", "DX is Demoralized and cannot attack"),
        ("", "major-river bridge", "DX", "no Repulse over the Major or Grand River 40.20|41.19"),
        (
            "40.20: german infantry X A asset with=DX, german infantry X B asset with=DX",
            "open",
            "DX,A,B",
            "two combat units at most: DX, A, B",
        ),
    ],
)
def test_what_forbids_it_is_said_though_no_strength_is_stated(more: str, side: str, units: str, said: str) -> None:
    bare = FIRST.replace(" (7-7-0-10)", "").replace(" (2-2-0-9)", "").replace("|40.20 open", f"|40.20 {side}")
    report = asked(more, position=bare, units=units)
    assert (report.verdict.kind, told(report)) == ("no", [said])
    assert asked(position=bare.replace(side, "open")).verdict.kind == "undecided"


@pytest.mark.rule("8.5.1")
def test_neither_side_is_asked_for_points_nor_counts_artillery() -> None:
    """Guns of the Force and guns beside the defenders would use a point each in a combat."""
    guns = "40.20: german artillery - G with=DX (1-0-6-?)"
    position = FIRST.replace("Z asset (2-2-0-9)", "Z asset (2-2-0-9), russian artillery II RG (1-?-4-?) with=Z")
    report = asked(guns, position=position, units="DX,G")
    assert ([ask.name for ask in report.asks], report.verdict.kind) == (["crt"], "figure")
    assert (report.result.attack, report.result.defence) == (7, 2)
    unrated = position.replace("(7-7-0-10)", "(7-7-?-10)").replace("(1-?-4-?) ", "").replace("(2-2-0-9)", "(2-2-?-9)")
    report = asked("40.20: german artillery - G with=DX", position=unrated, units="DX,G")
    assert ([ask.name for ask in report.asks], report.verdict.kind) == (["crt"], "figure")
    assert (report.result.attack, report.result.defence) == (7, 2)


@pytest.mark.rule("8.5.4")
def test_cavalry_loses_the_step_of_a_failed_repulse_too() -> None:
    position = FIRST.replace("german infantry XX DX", "german cavalry XX DX")
    guns = "40.20: german artillery - G with=DX (1-0-6-?)\nchart crt summer 4:1 3 = +1 / -"
    assert asked(guns, "crt=3", position=position, units="DX,G").result.losses == {"DX": 1}


@pytest.mark.rule("8.5.1", "8.5.5")
def test_two_combat_units_at_most_and_one_force_have_a_part_in_it() -> None:
    assets = "\n".join(f"40.20: german infantry X {name} asset with=DX (4-4-0-9)" for name in "ABC")
    guns = f"{assets}\n40.20: german artillery - G with=DX (1-0-6-?)"
    assert asked(guns, units="DX,A,G").verdict.kind == "figure", "artillery is not a combat unit"
    assert "two combat units at most: DX, A, B" in told(asked(assets, units="DX,A,B"))
    assert asked(assets, units="DX,A").verdict.kind == "figure"
    report = asked("DY cel=-4 prepared=41.19", "crt=8")
    assert (report.result.force, report.result.attack) == (("DX",), 7)
    assert report.verdict.kind == "undecided", "the chart's cell is not known"


@pytest.mark.rule("8.5.1")
@pytest.mark.parametrize(
    ("unit", "name", "said"),
    [
        (
            "german infantry XX DX (7-7-0-10) halted",
            "DX",
            "DX has failed a Repulse attempt in this phase and moves no further",
        ),
        ("Elbing II (5-1-0-9)", "Elbing", "Elbing is a Landsturm Abteilung and never moves"),
    ],
)
def test_no_repulse_in_movement_by_who_does_not_move(unit: str, name: str, said: str) -> None:
    position = FIRST.replace("german infantry XX DX (7-7-0-10)", unit)
    assert said in told(asked(position=position, units=name))
    assert said not in told(asked(position=position, units=name, during="retreat"))


@pytest.mark.rule("8.5.1")
def test_no_repulse_in_movement_by_who_bears_a_marker_nor_by_artillery_alone() -> None:
    assert asked("DX prepared=41.19").verdict.kind == "no"
    assert asked("DX prepared=41.19", during="retreat").verdict.kind == "figure"
    with pytest.raises(InputError, match=r"no combat unit in 40\.20 attempts it"):
        asked("40.20: german artillery - G (1-0-6-?)", units="G")
    with pytest.raises(InputError, match=r"41\.19 holds only artillery, which is not repulsed"):
        asked(position=FIRST.replace("infantry X Z asset (2-2-0-9)", "artillery - Z (1-0-3-?)"))


def test_the_top_unit_is_not_withheld_from_it_either() -> None:
    position = FIRST.replace(
        "infantry X Z asset (2-2-0-9)", "infantry XX Y1 (9-9-0-9), russian infantry XX Y2 (1-1-0-9)"
    )
    assert asked(position=position, withhold="Y1").verdict.kind == "no"


@pytest.mark.rule("8.5.3")
def test_of_several_asset_units_the_owner_says_which_takes_the_step() -> None:
    position = FIRST.replace(
        "infantry X Z asset (2-2-0-9)", "infantry X Z asset (2-1-0-9), russian infantry X Z2 asset (2-1-0-9)"
    )
    cell = "chart crt summer 4:1 8 = - / B1"
    report = asked(cell, "crt=8 ec=10", position=position)
    assert [(ask.name, ask.options) for ask in report.asks] == [("losses.Z", ("Z", "Z2"))]
    assert report.changes == ()
    settled = asked(cell, "crt=8 ec=10 losses.Z=Z2", position=position)
    assert ("lost", "Z2", 1) in [(change.track, change.subject, change.after) for change in settled.changes]


PUSHED = """turn=1
40.20: german infantry XX DX (9-9-0-10)
41.19 clear: russian infantry X Z asset (2-2-0-9), russian infantry X W asset (1-1-0-9) with=Z, russian artillery - RF (1-?-3-9), "3 Train"
41.19|40.20 open
"""


@pytest.mark.rule("8.5.3")
def test_a_repulsed_stack_owes_two_hexes_which_are_remembered_with_their_cause() -> None:
    def owing(answers: str) -> dict[str, dict[str, Any]]:
        report = asked(position=PUSHED.replace("(9-9", "(28-28") + "{}", units="", answers=answers)
        found: dict[str, dict[str, Any]] = {}
        for change in report.changes:
            found.setdefault(change.subject, {})[change.track] = change.after
        return found

    assert owing("") == {}, "before the check nothing is carried out"
    both = {"owes": 2, "retreat-cause": "repulse"}
    paid = {"DX": {"spent": "repulse:1"}}
    assert owing("ec=5") == {"Z": both, "W": both, "RF": both, "3 Train": both, **paid}
    depot = PUSHED.replace('"3 Train"', "russian minor-depot - D, russian fort - F")
    assert note_owed_hexes(viewed(depot), "41.19", ()) == note_owed_hexes(viewed(PUSHED), "41.19", ("3 Train",))


# --- how it ends ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.5.2")
@pytest.mark.parametrize(
    ("attack", "defence", "needs", "repulsed"),
    [
        (7, 3, "hopeless", False),
        (6, 2, "roll", None),
        (7, 2, "roll", None),
        (6, 1, "roll", None),
        (7, 1, "automatic", True),
    ],
)
def test_what_the_odds_mean(attack: int, defence: int, needs: str, repulsed: bool | None) -> None:
    position = FIRST.replace("(2-2-0-9)", f"({defence}-{defence}-0-9)").replace("DX (7-7", f"DX ({attack}-{attack}")
    assert asked(position=position).result.needs == needs
    rolled = asked(position=position, answers="ec=9" if needs == "automatic" else "")
    assert rolled.result.repulsed is repulsed
    assert [ask.name for ask in rolled.asks] == (["crt"] if needs == "roll" else [])


@pytest.mark.rule("8.5.3")
@pytest.mark.parametrize(("roll", "passed"), [("9", True), ("10", False), ("6+3", True)])
def test_a_check_is_passed_with_the_level_on_two_dice(roll: str, passed: bool) -> None:
    report = asked("chart crt summer 4:1 8 = - / B1", f"crt=8 ec={roll}")
    assert report.result.checks[0].passed is passed
    for wrong in ("13", "7+1", "1+1+1"):
        with pytest.raises(AnswerError):
            asked("chart crt summer 4:1 8 = - / B1", f"crt=8 ec={wrong}")


@pytest.mark.rule("8.5.4", "8.5.4b")
@pytest.mark.parametrize(
    ("during", "then"), [("movement", "it moves no further"), ("retreat", "it must continue its retreat")]
)
def test_a_repulse_that_fails_costs_each_combat_unit_a_step(during: str, then: str) -> None:
    guns = "40.20: german artillery - G with=DX (1-0-6-?)\nchart crt summer 4:1 3 = +1 / -"
    report = asked(guns, "crt=3", units="DX,G", during=during)
    assert (report.result.repulsed, report.result.losses) == (False, {"DX": 1})
    paid = [("spent", "DX", "repulse:1"), ("spent", "G", "repulse:1")]
    halted = [("halted", "DX", True), ("halted", "G", True), *paid] if during == "movement" else []
    order = [("order", "DY", 0), ("order", "DX", 1)]  # DY is the larger one now (4.2.5)
    assert [(one.track, one.subject, one.after) for one in report.changes] == [("lost", "DX", 1), *halted, *order]
    assert any(then in text for text in told(report))


@pytest.mark.rule("8.5.3")
@pytest.mark.parametrize(("status", "levels", "steps"), [("", 1, 0), ("cel=-3", 1, 0), ("cel=-4", 0, 1), ("D1", 0, 1)])
def test_a_formation_that_fails_loses_a_level_or_if_it_has_none_a_step(status: str, levels: int, steps: int) -> None:
    position = FIRST.replace("infantry X Z asset (2-2-0-9)", f"infantry XX Z (2-2-0-9) {status}")
    (check,) = asked("chart crt summer 4:1 8 = - / W1", "crt=8 ec.Z=12", position=position).result.checks
    assert (check.levels, check.steps) == (levels, steps)


@pytest.mark.rule("8.5.3")
@pytest.mark.parametrize(
    ("status", "rule", "ruling", "lost"),
    [
        ("cel=-4", "", "step", (0, 1)),
        ("cel=-4", "ruling repulse-demoralized=nothing", "nothing", (0, 0)),
        ("cel=-3", "ruling repulse-demoralized=nothing", "", (1, 0)),
        ("asset", "ruling repulse-demoralized=nothing", "", (0, 1)),
    ],
)
def test_what_a_failed_check_costs_a_demoralized_formation_is_a_ruling(
    status: str, rule: str, ruling: str, lost: tuple[int, int]
) -> None:
    size = "X" if status == "asset" else "XX"
    position = FIRST.replace("infantry X Z asset (2-2-0-9)", f"infantry {size} Z {status} (2-2-0-9)")
    report = asked(f"chart crt summer 4:1 8 = - / W1\n{rule}", "crt=8 ec.Z=12", position=position)
    (check,) = report.result.checks
    assert (ruled(report, "repulse-demoralized"), (check.levels, check.steps)) == (ruling, lost)


PAIR = """40.20: german infantry X A asset with=DX (1-1-0-9), german artillery - G with=DX (1-0-6-?)
chart crt summer 4:1 3 = +1 / -
"""


@pytest.mark.rule("8.5.4")
@pytest.mark.parametrize(
    ("units", "rule", "ruling", "losses"),
    [
        ("DX", "ruling repulse-step=every", "", {"DX": 1}),
        ("DX,A,G", "", "combat", {"DX": 1, "A": 1}),
        ("DX,A,G", "ruling repulse-step=every", "every", {"DX": 1, "A": 1, "G": 1}),
        ("DX,G", "ruling repulse-step=force", "force", {"DX": 1}),
    ],
)
def test_who_loses_the_step_of_a_failed_repulse_is_a_ruling(
    units: str, rule: str, ruling: str, losses: dict[str, int]
) -> None:
    report = asked(PAIR + rule, "crt=3", units=units)
    assert (report.result.repulsed, ruled(report, "repulse-step"), report.result.losses) == (False, ruling, losses)
    assert {change.subject for change in report.changes if change.track not in ("halted", "spent", "order")} == set(
        losses
    )


@pytest.mark.rule("8.5.4")
def test_if_the_force_loses_one_step_its_owner_says_who() -> None:
    report = asked(f"{PAIR}ruling repulse-step=force", "crt=3", units="DX,A,G")
    assert report.verdict.text == "the Repulse fails; its owner chooses which unit loses a step"
    assert [(ask.name, ask.options) for ask in report.asks] == [("losses.DX", ("DX", "A"))]
    assert report.changes == ()
    settled = asked(f"{PAIR}ruling repulse-step=force", "crt=3 losses.DX=A", units="DX,A,G")
    assert settled.result.losses == {"A": 1}
    assert [(one.track, one.subject) for one in settled.changes] == [
        ("place", "A"),
        *(("halted", unit) for unit in ("DX", "G")),
        *(("spent", unit) for unit in ("DX", "G")),
    ]


@pytest.mark.rule("8.5.2b")
def test_its_chance_is_that_of_a_retreat_on_two_dice() -> None:
    report = asked("trust charts")
    cells = load_game(GAME).chart("crt").cells
    ways = 0
    for one, two in product(range(1, 7), repeat=2):
        found = read_result(str(cells["summer", "4:1", one + two].values["defender"]))
        ways += bool(found.white or found.black)
    assert report.result.chance == Fraction(ways, 36)
    assert report.result.checks[0].fails == Fraction(6, 36)


@pytest.mark.parametrize(
    ("more", "answers", "units", "said"),
    [
        (PAIR, "crt=3 ec=8", "DX,A,G", "no roll or choice of that name is due"),
        (PAIR, "crt=3 losses.A=A", "DX,A,G", "no roll or choice of that name is due"),
        (PAIR, "crt=3 losses.Z=Z", "DX,A,G", "no roll or choice of that name is due"),
        ("chart crt summer 4:1 8 = - / B1", "crt=8 ec=8 losses.DX=DX", "DX", "no roll or choice of that name is due"),
        ("trust charts", "slrt=3/4", "DX", "does not ask for it"),
        ("trust charts", "crt=13", "DX", "13 is impossible"),
    ],
)
def test_answers_that_are_not_due_are_refused(more: str, answers: str, units: str, said: str) -> None:
    """No check follows a Repulse that fails, by the usual ruling nobody chooses who takes its steps, and who has succeeded loses none."""
    with pytest.raises(AnswerError, match=said):
        asked(more, answers, units=units)


# --- when, how often, for how much ------------------------------------------------------------------------------------


def not_allowed(report: Report[Any]) -> list[str]:
    return told(report, "Not allowed")


@pytest.mark.rule("8.5")
@pytest.mark.parametrize(
    ("phase", "during", "allowed"),
    [
        ("", "movement", True),
        ("phase=movement", "movement", True),
        ("phase=counter-movement", "movement", True),
        ("phase=attack", "movement", False),
        ("phase=other", "movement", False),
        ("phase=attack", "retreat", True),
        ("phase=counter-attack", "retreat", True),
        ("phase=movement phasing=central-powers", "movement", True),
        ("phase=movement phasing=russian", "movement", False),
        ("phase=counter-movement phasing=russian", "movement", True),
        ("phase=attack phasing=russian", "retreat", True),
    ],
)
def test_when_a_repulse_is_tried(phase: str, during: str, allowed: bool) -> None:
    assert (asked(phase, during=during).verdict.kind != "no") is allowed


@pytest.mark.rule("8.5")
def test_in_a_wrong_phase_it_does_not_matter_whose_turn_it_is() -> None:
    reasons = not_allowed(asked("phase=attack phasing=russian"))
    assert reasons == ["a Repulse is attempted only in movement phases or in a retreat, and the phase is attack"]


@pytest.mark.rule("8.5.1")
def test_it_speaks_of_no_points_that_nobody_may_allocate() -> None:
    guns = FIRST.replace("(7-7-0-10),", "(7-7-6-10),")
    texts = told(asked(position=guns))
    assert "attacker: AP allocated to none" in texts
    assert not [text for text in texts if "would serve" in text]


@pytest.mark.rule("8.5.1c")
def test_a_stack_that_has_retreated_once_in_the_phase_tries_one_in_its_next_retreat() -> None:
    """By its check, after the result: the one attempt of that retreat."""
    position = FIRST.replace("(7-7-0-10),", "(7-7-0-10) fought retreated owes=1,")
    assert asked(position=position, during="retreat", cause="check").verdict.kind != "no"


@pytest.mark.rule("8.5.1b")
@pytest.mark.parametrize(
    ("during", "points", "cost", "left"),
    [
        ("movement", None, 1, None),
        ("movement", 1, 1, Fraction(0)),
        ("movement", 3.5, 1, Fraction(5, 2)),
        ("retreat", None, 0, None),
    ],
)
def test_what_an_attempt_costs(during: str, points: float | None, cost: int, left: Fraction | None) -> None:
    found = asked(during=during, points=points).result
    assert (found.cost, found.points) == (cost, left)
    said = [step.text for part in asked(points=3).parts for step in part.steps if step.rule == "8.5.1"]
    assert said == ["the attempt costs the Force 1 Movement Point, of which 2 are left"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"tried": True}, "tried: this matters only to a stack that retreats"),
        ({"cause": "repulse"}, "cause: this matters only to a stack that retreats"),
        ({"during": "retreat", "points": 2}, "points: an attempt in a retreat costs no Movement Points"),
        ({"points": -1}, "points: -1 Movement Points cannot be spent"),
    ],
)
def test_what_would_be_ignored_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked(**wrong)


@pytest.mark.rule("8.5.1b")
def test_a_force_without_the_point_cannot_try() -> None:
    assert not_allowed(asked(points=0.5)) == ["an attempt costs 1 Movement Point, but 0.5 are left"]


ACCOUNT = """phase=movement phasing=central-powers
DX movement=7 spent={}
chart crt summer 4:1 8 = - / B1
"""


@pytest.mark.rule("8.5.1b")
@pytest.mark.parametrize(
    ("spent", "left", "said"),
    [
        ("march:2", 4, "of which 4 are left"),
        ("march:6", 0, "of which 0 are left"),
        ("march:7", 0, "1 beyond its allowance of 7 by Forced March"),
        ("march:37/4", 0, "beyond its allowance of 7 by Forced March"),
    ],
)
def test_what_the_accounts_of_the_force_leave_it(spent: str, left: int, said: str) -> None:
    report = asked(ACCOUNT.format(spent))
    assert report.result.points == left
    assert any(said in text for text in told(report))
    done = asked(ACCOUNT.format(spent), "crt=8 ec=10")
    assert ("spent", "DX", f"{spent}+repulse:1") in [(one.track, one.subject, one.after) for one in done.changes]


@pytest.mark.rule("8.5.1b", "8.5.4")
@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("march:10", "DX would spend 11 Movement Points, and its limit is 10: 7, and 3 by Forced March"),
        ("march:2 ended", "DX has ended its move in this phase and moves no further"),
        ("march:8 checked", "DX has made the check of its Forced March in this phase"),
    ],
)
def test_a_force_whose_account_leaves_no_point_does_not_try(status: str, said: str) -> None:
    assert said in " ".join(not_allowed(asked(ACCOUNT.format(status))))
    assert asked(ACCOUNT.format(status), points=3).verdict.kind == ("figure" if status == "march:10" else "no")


@pytest.mark.rule("8.9.3b")
def test_a_repulse_is_an_attack_that_takes_markers_off() -> None:
    more = f"{ACCOUNT.format('march:2')}Z task={{}} expended=3\n41.19 marker-points=2"
    for task, lost in (("position", True), ("ersatz", True), ("recovery", False)):
        done = {(one.track, one.subject): one.after for one in asked(more.format(task), "crt=8 ec=5").changes}
        assert (("task", "Z") in done, ("expended", "Z") in done) == (lost, lost)
        assert done["marker-points", "41.19"] is None
    gone = asked(more.format("position"), "crt=8 ec=12", position=FIRST.replace("(2-", "(1-"))
    assert ("place", "Z") in {(one.track, one.subject) for one in gone.changes}
    assert ("task", "Z") not in {(one.track, one.subject) for one in gone.changes}


@pytest.mark.rule("8.1b")
def test_an_attempt_ends_the_moves_of_others_but_not_of_its_own_stack() -> None:
    way = 'passed="40.21 40.20"'
    more = f"""{ACCOUNT.format("march:2")}DX {way}
DY {way} spent=march:2
30.20: german infantry XX FAR spent=march:1"""
    done = asked(more, "crt=8 ec=10", units="DX")
    assert [one.subject for one in done.changes if one.track == "ended"] == ["FAR"]


@pytest.mark.rule("8.5.1c")
@pytest.mark.parametrize(
    ("given", "reasons"),
    [
        ({"during": "retreat"}, []),
        ({"during": "retreat", "cause": "check"}, []),
        ({"during": "retreat", "cause": "repulse"}, ["a stack that retreats because of a Repulse may not attempt one"]),
        (
            {"during": "retreat", "tried": "yes"},
            ["a stack may attempt only one Repulse during a retreat, and this one already has"],
        ),
    ],
)
def test_how_often_a_retreating_stack_tries(given: dict[str, str], reasons: list[str]) -> None:
    assert not_allowed(asked(**given)) == reasons


def test_of_the_bounds_of_attack_phases_none_holds_for_a_repulse() -> None:
    position = FIRST.replace("asset (2-2-0-9)", "asset (2-2-0-9) retreated fought").replace(
        "turn=1", "turn=1 phase=attack"
    )
    assert asked("41.19 attacked", position=position, during="retreat").verdict.kind == "figure"


# --- who attempts it --------------------------------------------------------------------------------------------------


@pytest.mark.rule("8.5.1")
def test_of_several_forces_the_owner_chooses_one() -> None:
    cell = "chart crt summer 4:1 8 = - / B1"
    several = asked(cell, units="")
    (ask,) = several.asks
    assert (several.result, ask.kind, ask.name, ask.options) == (None, "choice", "force", ("DX", "DY"))
    assert asked(cell, "force=DY", units="").result.force == ("DY",)
    settled = asked(cell, "force=DY crt=8 ec=10", units="")
    assert settled.result.repulsed
    assert settled.result == asked(cell, "crt=8 ec=10", units="DY").result
    with pytest.raises(AnswerError, match="only one Force is there"):
        asked(cell, "force=DX")
    with pytest.raises(InputError, match="DZ"):
        asked(cell, "force=DZ", units="")


def test_an_empty_hex_and_friends_are_named_as_such() -> None:
    with pytest.raises(InputError, match="no unit that can attempt it is in 40.22"):
        asked(units="", **{"from": "40.22"})
    with pytest.raises(InputError, match="41.19 holds units of the same side"):
        asked(position=FIRST.replace("russian infantry X Z", "german infantry X Z"), units="")


# --- who has failed moves no further ----------------------------------------------------------------------------------

FAILED = (
    FIRST
    + """
40.20: german artillery - G with=DX (1-0-6-?)
DX movement=7
DY movement=7
40.20|40.21 open
phase=movement phasing=central-powers
chart crt summer 4:1 3 = +1 / -
"""
)


def after_failing(during: str = "movement", **parameters: Any) -> Position:
    """The position once the Repulse by DX and its guns has failed."""
    position = typed(FAILED.format("") + "answers crt=3")
    given = {"at": "41.19", "from": "40.20", "units": "DX,G", "flanked": "no", "during": during, **parameters}
    report = answered(position, "repulse", **given)
    assert report.result.repulsed is False
    state = apply_changes(position.game, position.state, report.changes)
    return replace(position, state=state, answers={}, asks=())


@pytest.mark.rule("8.5.4")
@pytest.mark.parametrize(
    ("question", "given"),
    [
        ("forced-march", {"unit": "DX", "points": 1}),
        ("ezoc", {"units": "DX", "way": "40.21"}),
        ("repulse", {"units": "DX", "at": "41.19", "from": "40.20", "flanked": "no"}),
    ],
)
def test_whose_repulse_has_failed_moves_no_further_in_the_phase(question: str, given: dict[str, Any]) -> None:
    position = after_failing()
    report = answered(position, question, **given)
    said = [step.text for part in report.parts for step in part.steps if step.rule == "8.5.4"]
    assert report.verdict.kind == "no"
    assert said and all("has failed a Repulse attempt in this phase and moves no further" in text for text in said)
    assert answered(position, "forced-march", unit="DY", points=1).verdict.kind == "figure", "it had no part in it"
    later = parse("phase=counter-movement phasing=russian", position)
    assert answered(later, "forced-march", unit="DX", points=1).verdict.kind == "figure", "a new phase has begun"


@pytest.mark.rule("8.5.4")
def test_guns_that_took_part_move_no_further_either_and_nobody_is_halted_in_a_retreat() -> None:
    def halted(position: Position) -> list[str]:
        return [unit for unit in ("DX", "DY", "G") if position.state.value("halted", unit)]

    assert halted(after_failing()) == ["DX", "G"]
    assert halted(after_failing("retreat")) == []


@pytest.mark.rule("8.5.4")
def test_whose_repulse_has_failed_recovers_nothing_but_works_on_a_position_and_places_a_marker() -> None:
    position = parse("DX cel=-1", after_failing())
    assert (
        "spends Movement Points only on a Prepared Attack marker or an Improved Position"
        in told(answered(position, "recover", unit="DX", points=1), "Not allowed")[0]
    )
    assert answered(position, "dig-in", unit="DX", points=6).verdict.kind == "yes"
    assert answered(position, "prepared", unit="DX", at="41.19", points=6).verdict.kind == "yes"
    for purpose in ("prepared", "position"):
        assert answered(position, "forced-march", unit="DX", points=1, purpose=purpose).verdict.kind == "figure"


@pytest.mark.rule("8.5.4")
def test_whom_the_failed_repulse_has_eliminated_is_not_halted() -> None:
    report = asked(position=FIRST.replace("infantry XX DX (7-7-0-10)", "infantry X DX asset (1-1-0-9)"))
    assert [(change.track, change.subject) for change in report.changes] == [("place", "DX")]


def test_who_is_not_in_the_hex_is_named_before_anything_is_said_of_arms() -> None:
    with pytest.raises(InputError, match=r"units: Z is not in 40\.20"):
        asked(units="Z")


@pytest.mark.rule("8.5.3")
@pytest.mark.parametrize(
    ("attacker", "defender", "withhold", "asked_for"),
    [
        ("(12-?-?-?)", "(2-2-0-11)", "", []),
        ("(12-?-?-?)", "(2-2-0-?)", "", ["S effectiveness=N"]),
        ("(12-?-?-?)", "(2-2-0-11), german infantry III Z asset (1-1-0-?)", "", []),
        ("(12-?-?-?)", "(2-2-0-11), german infantry III Z asset (1-1-0-?)", "S", ["Z effectiveness=N"]),
    ],
)
def test_an_effectiveness_is_asked_for_only_where_a_force_checks_by_it(
    attacker: str, defender: str, withhold: str, asked_for: list[str]
) -> None:
    """Nobody who attempts a Repulse checks, and an Asset Unit only without a formation."""
    text = "turn=5 phase=movement phasing=russian weather=normal\nelsewhere clear open\ntrust charts\n"
    text += f"40.21: russian infantry XX A {attacker} army=First corps=3\n40.20: german infantry XX S {defender}"
    report = answered(typed(text), "repulse", units="A", at="40.20", flanked="no", withhold=withhold)
    assert [ask.how for ask in report.asks if ask.kind == "fact"] == asked_for
