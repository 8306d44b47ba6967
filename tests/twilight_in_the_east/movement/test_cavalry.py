"""Cavalry that steps aside: reaction to a move and retirement after combat (9.1, 9.2)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from assistant.asking import holding
from assistant.asking.report import Report
from assistant.util.errors import InputError
from twilight_in_the_east.displacement.reaction import TRIGGERS, bars_of_reaction, trigger, why_no_trigger

from ...conftest import answered, rulings, told, typed, values, viewed

#: The example of 9.1.3: Austro-Hungarian cavalry in 22.86; a Russian unit has moved from 21.85 into 21.86.
EXAMPLE = """22.86: austro-hungarian cavalry XX C (3-3-0-10) {}
21.86: russian infantry XX R
22.86|21.86,21.85,22.85,22.87,23.86,23.85 open
21.86|21.85,21.87,22.87,20.86,20.87,22.86 open
{}
"""


def asked(status: str = "", more: str = "", **parameters: Any) -> Report[Any]:
    given = {"unit": "C", "enemy": "R", "left": "21.85", **parameters}
    text = EXAMPLE.format(status, more)
    return answered(typed(text), "cavalry", **{name: value for name, value in given.items() if value})


@pytest.mark.rule("9.1.1a", "9.1.1b")
@pytest.mark.parametrize(
    ("now", "left", "other_enemies", "next_to_friends", "found"),
    [
        ("a", None, set(), set(), 1),
        ("a", "far", set(), set(), 1),
        ("a", "far", {"b"}, set(), 0),
        ("far", None, set(), set(), 0),
        ("a", "b", {"c"}, set(), 2),
        ("far", "b", set(), {"far"}, 2),
        ("far", "b", set(), set(), 0),
    ],
)
def test_what_triggers_a_reaction(
    now: str, left: str | None, other_enemies: set[str], next_to_friends: set[str], found: int
) -> None:
    assert trigger({"a", "b", "c"}, now, left, other_enemies, next_to_friends) == found
    against = [bar.text for bar in why_no_trigger(found, free=True)]
    assert against == ([] if found else ["the move triggers no reaction"])
    assert why_no_trigger(found, free=False)[-1].text == "no hex is open to it"


@pytest.mark.rule("9.1", "9.1.1a")
def test_units_that_move_together_are_one_move() -> None:
    stack = "21.86: russian infantry XX S"
    together = asked(more=stack, enemy="R,S", left="20.86").result
    apart = asked(more=stack, enemy="R", left="20.86").result
    assert (together.trigger, together.may, apart.trigger) == (1, True, 0)
    with pytest.raises(InputError, match="R, Q are not enemy units in one hex on the map"):
        asked(more="20.86: russian infantry XX Q", enemy="R,Q")


@pytest.mark.rule("9.1", "9.1.2b")
def test_an_enemy_who_moves_away_triggers_nothing_and_bars_nothing() -> None:
    """It has gone from 21.85 to 20.85."""
    text = EXAMPLE.format("", "").replace("21.86: russian", "20.85: russian")
    result = answered(typed(text), "cavalry", unit="C", enemy="R", left="21.85").result
    assert (result.trigger, result.may, result.why) == (0, False, "the move triggers no reaction")
    assert "21.85" in result.open


def surrounded(*but: str) -> str:
    """Other enemies in each hex around the cavalry, but for some."""
    around = ("21.85", "21.86", "22.85", "22.87", "23.85", "23.86")
    return "\n".join(f"{hex}: russian infantry XX {hex}" for hex in around if hex not in ("21.86", *but))


@pytest.mark.rule("9.1", "9.1.2b")
def test_who_can_go_nowhere_does_not_react() -> None:
    result = asked(more=surrounded("21.85")).result
    assert (result.trigger, result.may, result.open) == (2, False, [])
    assert result.why == "no hex is open to it"


@pytest.mark.rule("9.2", "9.2.2")
@pytest.mark.parametrize("status", ["", "D1"])
def test_who_can_go_nowhere_does_not_retire(status: str) -> None:
    result = asked(status, surrounded(), when="retirement", enemy="", left="").result
    assert (result.may, result.must, result.why) == (False, False, "no hex is open to it")


@pytest.mark.rule("9.1", "9.1.3", "9.2.1")
@pytest.mark.parametrize("given", [{}, {"when": "retirement", "enemy": "", "left": ""}])
def test_nobody_crosses_a_lake(given: dict[str, str]) -> None:
    text = EXAMPLE.format("", "22.86|23.86 lake").replace(",23.86,23.85 open", ",23.85 open")
    parameters = {"unit": "C", "enemy": "R", "left": "21.85", **given}
    report = answered(typed(text), "cavalry", **{name: value for name, value in parameters.items() if value})
    assert [(one.rule, one.barred) for one in report.result.options if one.hex == "23.86"] == [
        ("9.1", "the hexside cannot be crossed: lake")
    ]


@pytest.mark.rule("9.1.3", "9.2.1")
def test_the_zones_of_others_bar_it_unless_a_friend_is_there() -> None:
    others = "23.87: russian infantry XX S\n23.87|22.87,23.86 open"
    barred = {option.hex: option.rule for option in asked(more=others).result.options if option.barred}
    assert barred["22.87"] == barred["23.86"] == "9.1.3"
    friend = others + "\n22.87: austro-hungarian infantry XX F (9-9-0-10)"
    assert "22.87" in asked(more=friend).result.open
    view = viewed(EXAMPLE.format("", others))
    with view.gather() as facts:
        bars = bars_of_reaction(facts, view.unit("C"), ["R"], keeps=False)
        assert [bar.rule for bar in holding(bars.bars_of_zone("22.87"))] == ["9.1.3"]
        assert [bar.rule for bar in holding(replace(bars, retires=True).bars_of_zone("22.87"))] == ["9.2.1"]


@pytest.mark.rule("9.1", "9.1.4", "7.3.1b")
@pytest.mark.parametrize(
    ("status", "may"), [("", True), ("cel=-4", True), ("supply=out", True), ("cel=-4 supply=out", False)]
)
def test_who_is_demoralized_and_out_of_supply_cannot_react(status: str, may: bool) -> None:
    result = asked(status).result
    assert (result.may, result.why, result.rule) == (
        (True, TRIGGERS[2], "9.1.1") if may else (False, "it is Demoralized and Out of Supply", "9.1.4")
    )


@pytest.mark.rule("7.3.1b", "9.1.4", "9.2.2", "8.5.4")
def test_who_may_not_react_may_retire_all_the_same() -> None:
    result = asked("cel=-4 supply=out", when="retirement", enemy="", left="").result
    assert (result.may, result.must, result.rule) == (True, True, "9.2")
    report = asked("halted")
    assert (report.verdict.kind, report.result.may) == ("no", False)
    assert ("8.5.4", "it has failed a Repulse attempt in this phase and moves no further") in [
        (step.rule, step.text) for part in report.parts for step in part.steps
    ]
    assert asked("halted", when="retirement", enemy="", left="").result.may


@pytest.mark.rule("9.2", "9.2.1", "9.2.2")
@pytest.mark.parametrize(("status", "must"), [("", False), ("D1", True)])
def test_retirement(status: str, must: bool) -> None:
    result = asked(status, when="retirement", enemy="", left="").result
    assert (result.may, result.must, result.why) == (True, must, "an enemy is adjacent to it")
    assert result.obliged == ("is Demoralized" if must else "")
    barred = {option.hex: option.rule for option in result.options if option.barred}
    assert barred == {"21.86": "4.2", "21.85": "9.2.1", "22.87": "9.2.1"}


@pytest.mark.rule("9.2.1", "12.4.1")
@pytest.mark.parametrize(
    ("status", "nation", "rule"),
    [("", "german", "12.4.1"), ("D1", "german", ""), ("", "austro-hungarian", "12.4.1")],
)
def test_a_garrison_retires_from_its_complex_only_if_it_has_to(status: str, nation: str, rule: str) -> None:
    text = (
        f"41.19: {nation} cavalry XX C garrison {status}, {nation} fortress - F1 complex=K\n"
        "41.18: german fortress - F2 complex=K\n42.20: russian infantry XX E"
    )
    options = answered(typed(text), "cavalry", unit="C", when="retirement").result.options
    barred = {option.hex: option.rule for option in options}
    assert (barred["41.18"], barred["40.19"], barred["42.20"]) == ("", rule, "4.2")


@pytest.mark.rule("9.2.1", "23.4.1")
@pytest.mark.parametrize(("nation", "rule"), [("german", "23.4.1"), ("austro-hungarian", "")])
def test_only_austro_hungarian_cavalry_retires_into_a_half_hex(nation: str, rule: str) -> None:
    text = f"17.113: {nation} cavalry XX C (3-3-0-10)\n16.113: russian infantry XX E"
    options = answered(typed(text), "cavalry", unit="C", when="retirement").result.options
    assert {option.hex: option.rule for option in options}["17.114"] == rule


@pytest.mark.rule("9.2", "9.2.2")
@pytest.mark.parametrize("status", ["", "D1"])
def test_nobody_retires_from_nobody(status: str) -> None:
    text = f"22.86: austro-hungarian cavalry XX C (3-3-0-10) {status}\n25.86: russian infantry XX R"
    report = answered(typed(text), "cavalry", unit="C", when="retirement")
    assert (report.verdict.kind, report.result.why) == ("no", "no enemy is adjacent to it")
    assert (report.result.must, report.result.obliged) == (False, "")
    early = answered(typed(f"phase=supply\n{text} "), "cavalry", unit="C", when="retirement").result
    assert early.why == "cavalry retires only in the Post-Combat Phase, and the phase is supply"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"unit": "R"}, "unit: R is not cavalry"),
        ({"left": "28.85"}, "left: 28.85 is not adjacent to 21.86"),
        ({"enemy": "C"}, "enemy: C are not enemy units in one hex on the map"),
    ],
)
def test_what_cannot_be_asked(parameters: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        asked(**parameters)


@pytest.mark.parametrize(
    ("parameters", "lacking"),
    [({"enemy": "", "left": ""}, ["enemy", "left"]), ({"left": ""}, ["left"]), ({"enemy": ""}, ["enemy"])],
)
def test_who_has_moved_and_from_where_is_asked_for(parameters: dict[str, Any], lacking: list[str]) -> None:
    found = asked(**parameters)
    assert (found.verdict.kind, [(ask.kind, ask.name) for ask in found.asks]) == (
        "undecided",
        [("parameter", name) for name in lacking],
    )


@pytest.mark.rule("6.3.1b", "9.1.3", "9.2.1")
@pytest.mark.parametrize("when", ["reaction", "retirement"])
def test_whether_its_area_binds_cavalry_that_steps_aside_is_a_ruling(when: str) -> None:
    """22.87 is next to the enemy and outside the Area of Attachment of its army; a friend there opens it otherwise."""
    zone = "22.87: austro-hungarian infantry XX F"
    given = {"when": when, **({} if when == "reaction" else {"enemy": "", "left": ""})}
    area = 'army "central-powers First" area="22.86 23.85 23.86"'

    def stepping(*more: str) -> Report[Any]:
        return asked("army=First", "\n".join((zone, *more)), **given)

    free, bound = stepping(area), stepping(area, "ruling aside-area=bound")
    assert ("22.87" in free.result.open, "22.87" in bound.result.open) == (True, False)
    assert {"23.86", "23.85"} <= set(bound.result.open)
    assert {option.rule for option in bound.result.options if option.hex == "22.87"} == {"6.3.1"}
    assert [rulings(report) for report in (free, bound)] == [["aside-area"]] * 2
    inside = stepping(area.replace("23.86", "23.86 22.85 22.87 21.85 21.86 21.87"))
    assert [rulings(report) for report in (inside, stepping())] == [[], []]


@pytest.mark.rule("6.3.1b", "9.1", "9.1.2b")
def test_its_area_matters_only_to_cavalry_that_may_react() -> None:
    zone = "22.87: austro-hungarian infantry XX F\nruling aside-area=bound"
    more = f'{zone}\narmy "central-powers First" area="22.86 23.85 23.86"'
    bound = asked("army=First", more)
    assert (rulings(bound), {"21.85", "22.87"} & set(bound.result.open)) == (["aside-area"], set())
    weak = asked("army=First cel=-4 supply=out", more)
    assert (rulings(weak), "22.87" in weak.result.open) == ([], True)
    away = EXAMPLE.format("army=First", more).replace("21.86: russian", "20.85: russian")
    gone = answered(typed(away), "cavalry", unit="C", enemy="R", left="21.85")
    assert (rulings(gone), "22.87" in gone.result.open) == ([], True)


@pytest.mark.rule("9.1.3", "9.2.1", "12.4.1")
def test_a_fortress_garrison_steps_aside_within_its_complex_only() -> None:
    text = """41.19: russian cavalry XX C garrison, russian fortress - F1 complex=K
41.18: russian fortress - F2 complex=K
42.20: german infantry XX E"""
    report = answered(typed(text), "cavalry", unit="C", enemy="E", left="43.20")
    assert list(report.result.open) == ["41.18"]
    assert {one.rule for one in report.result.options if one.hex not in ("41.18", "42.20")} == {"12.4.1"}


RETIRES = """44.20: russian cavalry XX A (3-3-1-9) {}
44.21: german infantry XX D (10-10-2-10)
44.20|44.21 open
answers {}
"""


def retires(status: str, answer: str = "") -> Report[Any]:
    return asked_of(RETIRES.format(status, answer).replace("answers \n", ""))


def asked_of(text: str) -> Report[Any]:
    return answered(typed(text + "ask cavalry unit=A when=retirement"))


@pytest.mark.rule("9.2", "9.2.2")
def test_cavalry_that_may_retire_goes_or_stays_as_its_owner_says() -> None:
    (ask,) = retires("").asks
    assert (ask.name, "stays" in ask.options, "44.19" in ask.options) == ("to.A", True, True)
    assert "stays" not in retires("cel=-4").asks[0].options
    stays, goes = retires("", "to.A=stays"), retires("", "to.A=44.19")
    assert (values(stays), stays.verdict.kind) == ({}, "yes")
    assert stays.verdict.text == "A stays, as its owner chooses, and nothing changes"
    assert (goes.verdict.kind, goes.verdict.text) == ("yes", "A goes to 44.19: an enemy is adjacent to it")
    assert retires("").verdict.text.startswith("A may retire one hex, to ")
    assert values(retires("", "to.A=44.19")) == {
        ("place", "A"): "44.19",
        ("passed", "A"): "44.20 44.19",
        ("control", "44.20"): "russian",
    }
    with pytest.raises(InputError, match="to.A"):
        asked_of(RETIRES.format("", "to.A=44.19").replace("44.21: german", "44.25: german"))


@pytest.mark.rule("9.2")
def test_cavalry_of_the_phasing_side_that_may_still_retire_goes_first() -> None:
    def order(more: str, phasing: str) -> list[str]:
        text = RETIRES.format("", "").replace("answers \n", "")
        told_of = asked_of(f"phase=post-combat phasing={phasing}\n{text}\n{more}\n")
        return told(told_of, "Order")

    waiting = "48.20: german cavalry XX Q (4-4-0-9)\n48.21: russian infantry XX R3 (9-9-0-9)"
    line = "the phasing side retires first, and Q of that side may still do so"
    assert order(waiting, "central-powers") == [line]
    assert order(waiting, "russian") == [], "it is the other side's cavalry that waits"
    assert order(waiting.replace("(4-4-0-9)", '(4-4-0-9) passed="48.19 48.20"'), "central-powers") == []
    assert order("", "central-powers") == []


def test_cavalry_that_reacts_goes_where_its_owner_says() -> None:
    text = EXAMPLE.format("", "") + "answers to.C=23.86\nask cavalry unit=C enemy=R left=21.85"
    changes = values(answered(typed(text)))
    assert changes["place", "C"] == "23.86"
    assert ("passed", "C") not in changes


@pytest.mark.rule("9.1", "9.2")
@pytest.mark.parametrize(
    ("phase", "phasing", "when", "may"),
    [
        ("movement", "russian", "reaction", True),
        ("counter-movement", "central-powers", "reaction", True),
        ("movement", "central-powers", "reaction", False),
        ("counter-movement", "russian", "reaction", False),
        ("attack", "russian", "reaction", False),
        ("post-combat", "russian", "reaction", False),
        ("post-combat", "russian", "retirement", True),
        ("post-combat", "central-powers", "retirement", True),
        ("other", "russian", "retirement", True),
        ("attack", "russian", "retirement", False),
        ("movement", "russian", "retirement", False),
    ],
)
def test_cavalry_reacts_while_the_enemy_moves_and_retires_after_the_combats(
    phase: str, phasing: str, when: str, may: bool
) -> None:
    given = {} if when == "reaction" else {"enemy": "", "left": "", "when": when}
    report = asked(more=f"turn=5 phase={phase} phasing={phasing}", **given)
    assert report.result.may is may
    assert report.result.rule == ("9.1.1" if when == "reaction" and may else "9.1" if when == "reaction" else "9.2")
    refused = report.verdict.text.startswith(f"C stays: cavalry {'reacts' if when == 'reaction' else 'retires'} only")
    assert refused is not may
    if when == "retirement":
        low = asked("cel=-4", f"turn=5 phase={phase} phasing={phasing}", **given)
        assert (low.result.may, low.result.must) == (may, may)


@pytest.mark.rule("3.3.5", "9.1", "9.2")
@pytest.mark.parametrize("when", ["reaction", "retirement"])
@pytest.mark.parametrize(
    ("status", "rule"),
    [
        ("restriction=immobile", "3.3.5"),
        ("restriction=city release=6", "3.3.5"),
        ("entrained", "8.2.4"),
        ("restriction=immobile release=5", ""),
    ],
)
def test_cavalry_that_may_not_move_steps_aside_no_more_than_it_marches(when: str, status: str, rule: str) -> None:
    given = {} if when == "reaction" else {"enemy": "", "left": "", "when": when}
    report = asked(status, "turn=5", **given)
    assert (report.result.may, report.result.rule) == (not rule, rule or ("9.1.1" if when == "reaction" else "9.2"))
