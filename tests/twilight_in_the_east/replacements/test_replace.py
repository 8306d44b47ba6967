"""Replacements (15)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking import Gather
from assistant.asking.case import list_bars
from assistant.asking.report import Report
from assistant.game.turn_record import Turn, TurnFact
from assistant.rules.field import SideField
from assistant.state.tracks import Source
from assistant.util.errors import InputError
from twilight_in_the_east.ground import calendar
from twilight_in_the_east.replacements.rules import POINTS, Taking, points_left
from twilight_in_the_east.supply import ground

from ...conftest import answered, carried_on, ruled, rulings, told, typed, values, viewed
from ..turn.listing import followed, listed, states


def division(**more: Any) -> Taking:
    about = {"unit": "A", "nation": "german", "arm": "infantry", "size": "XX", "room": 5, "giver": "german"}
    return Taking(**{**about, "on_map": True, "isolated": False, **more})


SEGMENT = "turn=3\nphase=replacements\nnation german repl=5 cav-repl=2\n"


@pytest.mark.rule("15.0")
def test_each_arm_has_its_replacements() -> None:
    assert [POINTS.get(arm) for arm in ("infantry", "cavalry", "artillery", "fort", "corps-train")] == [
        "repl",
        "cav-repl",
        None,
        None,
        None,
    ]


@pytest.mark.rule("15.0")
@pytest.mark.parametrize("steps", [None, 1])
def test_a_unit_of_which_all_is_known_and_that_takes_none_is_told_so(steps: int | None) -> None:
    text = f"{SEGMENT}40.23: german corps-train - Wagons range=5 extended-range=8 steps=1 movement=6"
    refused = answered(typed(text), "replace", unit="Wagons", **({"steps": steps} if steps else {}))
    assert refused.verdict.kind == "no"
    assert told(refused) == ["Wagons is neither infantry nor cavalry, and takes no replacements"]


@pytest.mark.rule("15.0")
def test_a_unit_of_which_its_arm_or_its_nation_is_not_known_may_take_some() -> None:
    assert list_bars(division(arm="artillery").bars_of_points) != []
    assert list_bars(division(arm="artillery", nation="").bars_of_points) == []
    assert list_bars(division(arm="", giver="russian").bars_of_points) == []


@pytest.mark.rule("15.1.2")
def test_a_division_takes_two_and_any_other_unit_one() -> None:
    assert [division(size=size).limit for size in ("XX", "X", "III", "II", "-", "")] == [2, 1, 1, 1, 1, 1]
    assert [division(arm="cavalry", size=size).limit for size in ("XX", "X")] == [1, 1]
    assert [division(left=left).most for left in (5, None, 1, 0)] == [2, 2, 1, 0]
    assert division(size="X", taken=2, left=None).most == 0, "never below none"


@pytest.mark.rule("15.1.2")
@pytest.mark.parametrize(
    ("changed", "steps", "left", "why"),
    [
        ({}, 2, 2, []),
        ({}, 1, 1, []),
        ({}, 3, 9, ["A takes at most 2 replacements in a segment, 0 so far"]),
        ({"taken": 1}, 2, 9, ["A takes at most 2 replacements in a segment, 1 so far"]),
        ({"taken": 1}, 1, 9, []),
        ({"size": "X"}, 1, 9, []),
        ({"size": "X"}, 2, 9, ["A takes at most 1 replacement in a segment, 0 so far"]),
        ({"room": 1}, 2, 9, ["A lacks only 1 step of its full strength"]),
        ({"room": 2}, 2, 9, []),
        ({"room": 0}, 1, 9, ["A is at its full strength"]),
        ({}, 2, 1, ["the nation has 1 such replacement left"]),
    ],
)
def test_why_a_unit_does_not_take_so_many(changed: dict[str, Any], steps: int, left: int, why: list[str]) -> None:
    case = division(**changed, steps=steps, left=left)
    lines = list_bars(case.bars_of_amount)
    assert [line.text for line in lines] == why
    assert {line.rule for line in lines} <= {"15.1" if "nation" in text else "15.1.2" for text in why}


def asked(text: str, **given: Any) -> Report[Any]:
    return answered(typed(SEGMENT + text), "replace", **given)


@pytest.mark.rule("15.0", "15.1", "15.1.2")
def test_a_division_regains_its_steps_and_the_nation_has_fewer_replacements() -> None:
    position = typed(SEGMENT + "41.19: german infantry XX A (12-9-0-10) -3")
    report = answered(position, "replace", unit="A")
    assert report.verdict.text == "A takes 2 replacements: 11 steps"
    assert values(report) == {("lost", "A"): 1, ("repl-taken", "A"): 2, ("repl", "german"): 3}
    assert [change.rule for change in report.changes] == ["15.1", "15.1.2", "15.0"]
    again = answered(carried_on(position, report), "replace", unit="A")
    assert told(again, "Not allowed") == ["A takes at most 2 replacements in a segment, 2 so far"]


@pytest.mark.rule("15.1")
def test_one_step_at_a_time_and_over_to_the_full_side() -> None:
    text = "41.19: german infantry XX A (12-9-0-10) reduced back-steps=6 -1"
    first = asked(text, unit="A", steps=1)
    assert values(first) == {("lost", "A"): 0, ("repl-taken", "A"): 1, ("repl", "german"): 4}
    second = asked(text + " repl-taken=1", unit="A")
    assert values(second)["repl-taken", "A"] == 2
    turned = asked(text, unit="A", steps=2)
    assert values(turned) == {
        ("reduced", "A"): False,
        ("lost", "A"): 5,
        ("repl-taken", "A"): 2,
        ("repl", "german"): 3,
    }


@pytest.mark.rule("15.0")
def test_cavalry_takes_cavalry_replacements() -> None:
    report = asked("41.19: german cavalry XX C (3-3-1-9) -1", unit="C")
    assert values(report) == {("lost", "C"): 0, ("repl-taken", "C"): 1, ("cav-repl", "german"): 1}
    refused = asked("41.19: german cavalry XX C (3-3-1-9) -2", unit="C", nation="austro-hungarian")
    assert told(refused, "Not allowed") == ["the replacements of a nation are for its own units, and C is of another"]


@pytest.mark.rule("15.0")
def test_the_turn_record_tells_how_many_there_are_where_the_position_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert points_left(viewed(SEGMENT), "german", "repl") == 5
    assert points_left(viewed(SEGMENT), "russian", "repl") is None
    figures = {"russian-repl": TurnFact("12", source=Source.PRINTED)}
    monkeypatch.setattr(calendar, "turns", lambda game: [Turn(number=n, figures=figures) for n in range(1, 48)])
    assert points_left(viewed(SEGMENT), "russian", "repl") == 12
    assert points_left(viewed(SEGMENT), "german", "repl") == 5


@pytest.mark.rule("15.0")
def test_points_that_nobody_has_stated_are_asked_for() -> None:
    report = asked("41.19: russian infantry XX R (12-9-0-10) -3", unit="R")
    assert [ask.name for ask in report.asks] == ["nation russian repl=N"]
    assert report.asks[0].how.endswith("or enter russian-repl: assistant pack enter twilight-in-the-east turns")


@pytest.mark.rule("15.1")
@pytest.mark.parametrize(
    ("moment", "why"),
    [
        ("turn=3\nphase=movement phasing=russian", "; the phase is movement"),
        ("turn=4\nphase=movement phasing=russian", "; the phase is movement"),
        ("turn=4", "; this is GT 4"),
        ("turn=4\nphase=replacements", "; this is GT 4"),
    ],
)
def test_another_phase_or_turn_is_not_the_time(moment: str, why: str) -> None:
    report = answered(typed(f"{moment}\n41.19: german infantry XX A (12-9-0-10) -3"), "replace", unit="A")
    text = "replacements are allocated only in the Replacement Allocation Segment, after every third game turn"
    assert told(report, "Not allowed") == [text + why]
    every = answered(typed(f"{moment}\n41.19: german infantry XX A (12-9-0-10) -3"), "replace")
    assert told(every, "Not now") == [text + why]
    assert not told(every, "Afterwards")


@pytest.mark.rule("15.1.1")
def test_a_unit_that_is_isolated_or_gone_takes_none_whatever_it_lacks() -> None:
    assert told(asked("41.19: german infantry XX A isolated", unit="A"), "Not allowed") == ["A is Isolated"]
    assert told(asked("A german infantry XX arrives=5", unit="A"), "Not allowed") == ["A is not on the map"]


@pytest.mark.rule("15.1", "15.1.2")
def test_without_a_unit_it_tells_who_may_take_how_many() -> None:
    report = asked("""41.19: german infantry XX A (12-9-0-10) -3, german infantry X B (6-4-0-10) -3
41.21: german cavalry XX C (3-3-1-9) -1, german infantry XX D (12-9-0-10)
41.23: german infantry XX E (12-9-0-10) -1, german infantry XX F (12-9-0-10) -3 repl-taken=2
41.25: german infantry XX G (12-9-0-10) -3 isolated""")
    assert report.verdict.text == "German REPLs: 5 left; German CAV REPLs: 2 left"
    assert told(report, "Units") == ["A: 2", "B: 1", "C: 1", "E: 1"]
    assert told(report, "Afterwards") == ["replacements that are not allocated are lost as the segment ends"]


@pytest.mark.rule("15.0")
def test_who_may_take_how_many_of_those_that_are_left() -> None:
    def takers(left: int, lost: int) -> list[tuple[str, int]]:
        report = asked(
            f"nation russian repl={left}\n44.20: russian infantry XX R (12-9-0-10) -{lost}", nation="russian"
        )
        return [(each.unit, each.steps) for each in report.shown.units]

    assert takers(9, 1) == takers(1, 3) == [("R", 1)]
    assert (takers(9, 3), takers(0, 3)) == ([("R", 2)], [])


@pytest.mark.rule("15.0")
def test_another_nation_is_left_out_and_a_side_learns_of_its_own_alone() -> None:
    text = "41.19: german infantry XX A (12-9-0-10) -3\n44.20: russian infantry XX R (12-9-0-10) -3"
    report = asked(text, nation="russian")
    assert report.verdict.text == "Russian REPLs: not stated; Russian CAV REPLs: not stated"
    assert [each.unit for each in report.shown.units] == ["R"]
    from assistant.game.viewpoint import reduce_state

    position = typed(SEGMENT + "41.19: german infantry XX A (12-9-0-10) -3\n44.20: russian infantry XX R (9-9-0-9) -3")
    shown = position.with_state(reduce_state(position.game, position.state, "russian"))
    report = answered(shown, "replace")
    assert [pool.nation for pool in report.shown.pools] == ["russian", "russian"]
    assert [each.unit for each in report.shown.units] == ["R"]


def test_nothing_reduced_and_slips() -> None:
    report = answered(typed("turn=3\n41.19: german infantry XX A"), "replace")
    assert report.verdict.text == "no reduced unit is on the map, and no replacements are stated"
    with pytest.raises(InputError, match="steps: no unit is named"):
        asked("", steps=1)
    with pytest.raises(InputError, match="steps: 0 is not possible"):
        asked("41.19: german infantry XX A -1", unit="A", steps=0)


@pytest.mark.rule("15.1")
def test_the_segment_names_who_may_take_replacements_and_what_is_left_lapses_with_it() -> None:
    text = "nation german repl=5 cav-repl=0\n41.19: german infantry XX A (12-9-0-10) -3, german cavalry XX C -1"
    items = listed(text, "replacements", "replacements", "", turn=3)
    assert states(items) == [("possible", ("A",))]
    assert items[0].text.endswith("German: 5 REPLs left, which are lost if not allocated now, for A")
    assert items[0].ask == "replace"
    report = followed(text, "replacements", "", turn=3)
    assert values(report)["repl", "german"] is None
    unknown = listed("41.19: german infantry XX A -3", "replacements", "replacements", "", turn=3)
    assert unknown[0].text.endswith("German: how many REPLs there are is not known; A may take some")
    isolated = "nation german repl=5\n41.19: german infantry XX A -3 isolated, german infantry XX B -1 repl-taken=2"
    assert states(listed(isolated, "replacements", "replacements", "", turn=3)) == [("impossible", ())]


RING = "\n".join(
    f"{hex}: russian infantry XX R{number}"
    for number, hex in enumerate(("42.87", "42.89", "41.87", "41.89", "43.88", "43.89", "43.87", "41.88"))
)
CUT_OFF = f"""turn=3\nphase=replacements\nnation austro-hungarian repl=5\nboard east\n{RING}
42.88: austro-hungarian infantry XX H (12-9-0-10) -3 supply=out"""
NOW = "\nruling repl-isolated=now"


@pytest.mark.rule("15.1.1")
def test_who_is_isolated_is_what_the_last_supply_phase_found_or_by_a_ruling_what_is_so_now() -> None:
    def taken(text: str) -> Report[Any]:
        return answered(typed(text), "replace", unit="H")

    held = taken(CUT_OFF)
    assert held.result.allowed and ruled(held, "repl-isolated") == "marked"
    assert told(taken(CUT_OFF + NOW), "Not allowed") == ["H is Isolated"]
    assert told(taken(f"{CUT_OFF} isolated"), "Not allowed") == ["H is Isolated"]
    assert "repl-isolated" not in rulings(taken(f"{CUT_OFF} isolated")), "both readings say the same"
    relieved = CUT_OFF.replace(RING, "40.20: russian infantry XX R")
    assert told(taken(f"{relieved} isolated"), "Not allowed") == ["H is Isolated"]
    assert taken(f"{relieved} isolated{NOW}").result.allowed
    in_low = CUT_OFF.replace("supply=out", "supply=low")
    assert taken(in_low + NOW).result.allowed and "repl-isolated" not in rulings(taken(in_low)), (
        "it is not Out of Supply"
    )
    unmapped = CUT_OFF.replace("board east\n", "")
    assert taken(unmapped + NOW).result.allowed, "what no map shows is as it is marked"


def test_the_ground_of_supply_lines_is_made_ready_once_for_all_units(monkeypatch: pytest.MonkeyPatch) -> None:
    made, compile_board = list[str](), ground.compile_board

    def counted(facts: Gather, around: SideField) -> Any:
        made.append(around.side)
        return compile_board(facts, around)

    monkeypatch.setattr(ground, "compile_board", counted)
    others = "".join(f", austro-hungarian infantry X {name} (6-4-0-10) -1 supply=out" for name in "IJ")
    answered(typed(CUT_OFF + others), "replace")
    assert made == ["central-powers"]
