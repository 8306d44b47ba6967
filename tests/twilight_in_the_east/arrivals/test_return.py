"""Eliminated supply units that come back (16.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.forces.losses import return_supply_units

from ...conftest import answered, rulings, told, typed, viewed

GONE = 'turn={}\n"3 Train" range=5 extended-range=8 arrives=8'


def back(turn: int, text: str = "", **given: Any) -> Report[Any]:
    return answered(typed(GONE.format(turn) + text), "return", unit="3 Train", **given)


@pytest.mark.rule("16.4")
def test_where_and_when_it_is_placed() -> None:
    assert (
        back(7).verdict.text
        == "3 Train comes back in its side's Reinforcement Phase of GT 8, in any hex where it is In Supply"
    )
    placed = back(8, at="40.20", in_supply=True)
    assert {(one.track, one.after) for one in placed.changes} == {("place", "40.20"), ("arrives", None)}
    assert told(back(7, at="40.20", in_supply=True), "Not allowed") == ["it comes back in GT 8"]
    assert told(back(8, at="40.20", in_supply=False), "Not allowed") == ["it would not be In Supply in 40.20"]
    assert [ask.name for ask in back(8, at="40.20").asks] == ["in-supply"]
    beset = back(8, "\n40.20: german infantry XX G", at="40.20", in_supply=True)
    assert told(beset, "Not allowed") == ["40.20: enemies stand there"]


@pytest.mark.rule("16.1b", "16.4")
def test_it_appears_as_a_reinforcement_and_so_in_no_ezoc_and_by_a_ruling_in_no_hex_of_the_enemy() -> None:
    def bars(text: str) -> list[str]:
        return told(back(8, f"\ntrust charts\nweather=normal\n{text}", at="40.20", in_supply=True), "Not allowed")

    foe = "40.20 clear\n40.20|40.19 open\n40.19: german infantry XX G (6-6-1-9)"
    assert bars(foe) == ["40.20 is in an EZOC"]
    assert bars(f"{foe}\n40.20: russian infantry XX R (6-6-1-9)") == ["40.20 is in an EZOC"]
    lost = "40.20 control=central-powers"
    assert bars(lost) == []
    assert bars(f"{lost}\nruling entry-control=closed") == ["the enemy controls 40.20"]
    assert bars("40.20 control=russian") == bars("40.20: russian infantry XX R (6-6-1-9)") == []


@pytest.mark.rule("16.1b", "16.4")
def test_a_depot_comes_back_next_to_no_enemy() -> None:
    text = 'turn=8\ntrust charts\nweather=normal\n40.19: german artillery - G\n"{}" arrives=8'
    for unit, why in (
        ("Russian FIRST Major Depot", ["40.20 is adjacent to an enemy, where a depot may never be"]),
        ("3 Train", []),
    ):
        report = answered(typed(text.format(unit)), "return", unit=unit, at="40.20", in_supply=True)
        assert told(report, "Not allowed") == why


@pytest.mark.rule("16.4", "24.5.1")
@pytest.mark.parametrize(("unit", "rule"), [("KG Train", "22.5.1"), ("PRAGA", "24.5.1")])
def test_some_are_not_replaced(unit: str, rule: str) -> None:
    arm = "german corps-train" if unit == "KG Train" else "russian major-depot"
    report = answered(typed(f'turn=8\n"{unit}" {arm} - arrives=8'), "return", unit=unit, at="60.17", in_supply=True)
    assert (report.verdict.text, report.changes) == (f"{unit} does not come back (1 reason)", ())
    assert [one.rule for part in report.parts for one in part.steps] == [rule]


@pytest.mark.rule("16.4")
@pytest.mark.parametrize(
    ("now", "why"),
    [
        (
            "phase=attack",
            "that is done only in the Reinforcement Phase, and the phase is attack; state phase=reinforcement when the Reinforcement Phase begins",
        ),
        (
            "phase=other phasing=central-powers",
            "that is done in its side's Reinforcement Phase, but it is the Central Powers player turn",
        ),
    ],
)
def test_it_is_placed_in_the_reinforcement_phase_of_its_side(now: str, why: str) -> None:
    assert told(back(8, f"\n{now}", at="40.20", in_supply=True), "Not allowed") == [why]
    assert back(8, "\nphase=other phasing=russian", at="40.20", in_supply=True).result.allowed


@pytest.mark.rule("16.4")
def test_on_a_drawn_board_its_supply_there_is_traced() -> None:
    text = f"board east\n{GONE}"
    assert answered(typed(text.format(8)), "return", unit="3 Train", at="58.52").verdict.kind == "yes"
    assert answered(typed(text.format(8)), "return", unit="3 Train", at="60.30").verdict.kind == "no"


@pytest.mark.rule("16.4")
def test_on_paper_its_supply_is_traced_over_what_is_typed() -> None:
    """Where that does not tell, it is asked."""
    text = f"{GONE.format(8)}\n4026=4025:4024\n40.26 map-edge=russian\n"
    whole = "side russian whole-network\n"
    for more, at, kind in (
        (whole, "40.25", "yes"),
        (whole, "40.24", "no"),
        ("", "40.25", "yes"),
        ("", "40.24", "undecided"),
    ):
        report = answered(typed(text + more), "return", unit="3 Train", at=at)
        assert report.verdict.kind == kind, (more, at)
    assert [ask.how for ask in report.asks] == ["in-supply=yes|no"]


@pytest.mark.rule("16.4", "22.3.1")
def test_a_train_that_needs_no_line_comes_back_anywhere() -> None:
    text = 'turn={}\n"3 LW Train" arrives=8\nside central-powers whole-network\n'
    kinds = [
        answered(typed(text.format(turn)), "return", unit="3 LW Train", at="70.60").verdict.kind for turn in (9, 10)
    ]
    assert kinds == ["yes", "no"]


@pytest.mark.rule("16.4")
def test_the_turn_of_its_return_is_kept_and_told() -> None:
    view = viewed('turn=6\n41.19: "3 Train", 25/3\n60.46: russian major-depot - PRAGA')
    gone = ("3 Train", "25/3", "PRAGA")
    assert [(one.track, one.subject, one.after) for one in return_supply_units(view, gone)] == [
        ("arrives", "3 Train", 8)
    ]
    assert return_supply_units(viewed('turn=46\n41.19: "3 Train"'), gone[:1]) == [], "no turn is left"
    assert return_supply_units(viewed('41.19: "3 Train"'), gone[:1]) == []
    beset = GONE.removeprefix("turn={}\n") + "\n40.20: german infantry XX G"
    report = answered(typed(beset), "return", unit="3 Train", at="40.20")
    assert (report.result.turn, report.result.allowed) == (8, False), "the game turn is not stated"
    never = answered(typed('"KG Train" german corps-train - arrives=8'), "return", unit="KG Train", at="60.17")
    assert (never.result.turn, never.result.allowed) == (None, False)


def test_slips() -> None:
    with pytest.raises(InputError, match="T is on the map, in 40.20"):
        answered(typed("turn=8\n40.20: russian corps-train - T"), "return", unit="T")
    with pytest.raises(InputError, match="25/3 is not a supply unit"):
        answered(typed("turn=8\n25/3 arrives=8"), "return", unit="25/3")


@pytest.mark.rule("16.2.3a", "16.4")
def test_whether_the_train_of_frommel_comes_back_where_3_c_stands_is_a_ruling() -> None:
    third = '\n41.19: "3 C Train"'
    text = 'turn=8 phase=reinforcement phasing=central-powers\n"FR Train" arrives=8{}'

    def due(more: str) -> tuple[str, ...]:
        report = answered(typed(text.format(more)), "arrive")
        return tuple(unit.unit for unit in report.result.units)

    for more in ("", third, f"{third}\nruling return-of-frommel=returns", "\nruling return-of-frommel=replaced"):
        assert answered(typed(text.format(more)), "return", unit="FR Train").result.turn == 8
        assert due(more) == ("FR Train",)
    never = f"{third}\nruling return-of-frommel=replaced"
    assert due(never) == ()
    with pytest.raises(InputError, match="3 C Train has entered in the place of FR Train") as refused:
        answered(typed(text.format(never)), "return", unit="FR Train")
    assert "return-of-frommel=returns" in refused.value.hint
    assert "return-of-frommel" in rulings(answered(typed(text.format(third)), "return", unit="FR Train"))
    assert "return-of-frommel" not in rulings(answered(typed(text.format("")), "return", unit="FR Train"))
    other = answered(typed(GONE.format(8) + never), "return", unit="3 Train")
    assert other.result.turn == 8 and "return-of-frommel" not in rulings(other)
