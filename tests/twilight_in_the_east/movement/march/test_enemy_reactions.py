"""What a move triggers among the enemy, named at the hex where it happens (9.1.1)."""

from __future__ import annotations

import pytest

from ....conftest import answered, ruled, told, typed
from .ground import german, moved, russian, text_of


@pytest.mark.parametrize(
    ("way", "cavalry", "others", "pulled"),
    [
        ("30.19", "30.17", "", []),
        ("30.19,30.18", "30.16", "", []),
        ("30.19", "30.18", "", [("30.19", 1)]),
        ("30.19,30.18", "30.17", "", [("30.18", 1)]),
        ("30.19,31.18", "30.18", "", [("30.19", 1), ("31.18", 2)]),
        ("30.19", "30.18", f"\n31.18: {russian('S')}", []),
        ("30.19,30.20", "30.18", "", [("30.19", 1)]),
    ],
)
def test_cavalry_that_may_react_is_named_where_it_may(
    way: str, cavalry: str, others: str, pulled: list[tuple[str, int]]
) -> None:
    text = f"30.20: {russian('R', '').replace('movement=7', 'movement=20')}\n{cavalry}: german cavalry XX C (4-4-0-9){others}"
    report = moved(text, "R", way)
    assert [(reaction.hex, reaction.trigger) for reaction in report.result.reactions] == pulled
    assert len(told(report, "Reactions")) == len(pulled)
    assert report.verdict.text.endswith("; C may react") is bool(pulled)


def test_cavalry_to_which_no_hex_is_open_is_not_said_to_react() -> None:
    """Another enemy, not adjacent to it, and hexsides that cannot be crossed close all hexes but that of the mover."""
    sides = "\n".join(f"30.18|{hex} sea" for hex in ("29.17", "29.18", "30.17", "31.17"))
    text = f"30.20: {russian('R')}\n30.18: german cavalry XX C (4-4-0-9)\n{sides}"
    open_still = moved(text, "R", "30.19").result.reactions[0].open
    assert open_still == ("31.18",)
    report = moved(f"{text}\n31.18|30.18 sea", "R", "30.19")
    assert [(reaction.unit, reaction.open) for reaction in report.result.reactions] == [("C", ())]
    assert told(report, "Reactions") == [
        "as 30.19 is entered, C in 30.18 does not react: no hex is open to it (ask cavalry)"
    ]
    assert "may react" not in report.verdict.text and told(report, "Order") == []


def test_only_cavalry_of_the_enemy_reacts() -> None:
    for unit in (german("C"), "russian cavalry XX C (4-4-0-9)"):
        assert moved(f"30.20: {russian('R')}\n30.18: {unit}", "R", "30.19").result.reactions == ()


RIDER = "german cavalry XX C (4-4-0-9)"
LYING = "it is concealed, and only cavalry that is face up reacts"


@pytest.mark.rule("7.3.1b", "9.1", "9.1.4", "26.2.6")
@pytest.mark.parametrize(
    ("stack", "rule", "why"),
    [
        (f"{RIDER} cel=-4 supply=out", "9.1.4", "it is Demoralized and Out of Supply"),
        (f"{RIDER} supply=out", "", ""),
        (f"{RIDER} cel=-4", "", ""),
        (f"{RIDER} entrained", "8.2.4", "it is in Rail Mode and moves only by rail until it detrains"),
        (f"{RIDER} concealed", "", ""),
        (f"{german('D', 'concealed')}, {RIDER} concealed", "26.2.6", LYING),
    ],
)
def test_move_and_cavalry_agree_on_who_may_react(stack: str, rule: str, why: str) -> None:
    """Concealed cavalry on top is turned over as the enemy comes adjacent (26.2.4)."""
    text = f"hidden-units=concealment\n30.20: {russian('R')}\n30.18: {stack}"
    report = moved(text, "R", "30.19")
    reaction = report.result.reactions[0]
    assert (reaction.unit, reaction.barred, reaction.rule) == ("C", why, rule or "9.1.1")
    assert report.verdict.text.endswith("; C may react") is (not why)
    assert bool(told(report, "Order")) is not bool(why)
    now = typed(text_of(text)).after(report.changes)
    asked = answered(now, "cavalry", unit="C", enemy="R", left="30.20").result
    assert (asked.may, asked.trigger, asked.why if why else "") == (not why, 1, why)


WAITS = "it was concealed until this step turned it over, and reacts only to later ones"


@pytest.mark.rule("9.1.1", "26.2.4", "26.2.6")
@pytest.mark.parametrize(
    ("stack", "ruling", "barred"),
    [
        (f"{german('D', 'concealed')}, {RIDER} concealed", "", [LYING, ""]),
        (f"{german('D', 'concealed')}, {RIDER} concealed", "waits", [LYING, WAITS]),
        (f"{RIDER} concealed", "", ["", ""]),
        (f"{RIDER} concealed", "waits", [WAITS, ""]),
        (RIDER, "waits", ["", ""]),
    ],
)
def test_a_move_knows_what_its_earlier_steps_have_turned_over(stack: str, ruling: str, barred: list[str]) -> None:
    """R passes 30.18 by two hexes, each of which turns over the topmost concealed unit there."""
    stated = f"\nruling revealed-cavalry={ruling}" if ruling else ""
    mover = russian("R").replace("movement=7", "movement=20")
    text = f"hidden-units=concealment\n30.20: {mover}\n30.18: {stack}{stated}"
    report = moved(text, "R", "30.19,31.18")
    reactions = [one for one in report.result.reactions if one.unit == "C"]
    assert [(one.hex, one.barred) for one in reactions] == list(zip(("30.19", "31.18"), barred, strict=True))
    assert ruled(report, "revealed-cavalry") == ("" if stack == RIDER else ruling or "reacts")


@pytest.mark.rule("26.2.6")
def test_cavalry_says_that_it_was_face_up_before_the_step_where_only_that_bars_it() -> None:
    text = f"turn=3 phase=movement phasing=russian hidden-units=concealment\n41.19: {RIDER}\n40.20: russian infantry XX A\n"
    for ruling, count in (("waits", 1), ("reacts", 0)):
        report = answered(
            typed(f"{text}ruling revealed-cavalry={ruling}"), "cavalry", unit="C", enemy="A", left="40.21"
        )
        assert sum("lay face up before" in line for line in told(report)) == count


@pytest.mark.rule("9.1.1", "22.4.1")
@pytest.mark.parametrize("at", ["29.18", "28.19"])
def test_landsturm_that_a_step_drives_off_is_no_friend_beside_it(at: str) -> None:
    """R drives Tilsit off by its first step or by its second, so that no friend of C is adjacent to the second."""
    mover = russian("R").replace("movement=7", "movement=20")
    text = f"30.20: {mover}\n31.18: {RIDER}\n{at}: german infantry II Tilsit asset (1-1-0-7)"
    report = moved(text, "R", "30.19,29.19")
    assert [(one.hex, one.trigger) for one in report.result.reactions] == [("30.19", 1)]


@pytest.mark.rule("9.1.1a", "9.1.1b", "9.1.2b", "9.1.3")
@pytest.mark.parametrize(("way", "left", "trigger"), [("30.19", "30.20", 1), ("30.19,31.18", "30.19", 2)])
def test_move_and_cavalry_agree_on_the_hexes_open_to_it(way: str, left: str, trigger: int) -> None:
    """The hex that the enemy has just left is closed, also where it lies beside the cavalry (9.1.2)."""
    text = f"30.20: {russian('R', '').replace('movement=7', 'movement=20')}\n30.18: {RIDER}"
    report = moved(text, "R", way)
    reaction = report.result.reactions[-1]
    asked = answered(typed(text_of(text)).after(report.changes), "cavalry", unit="C", enemy="R", left=left).result
    assert (reaction.trigger, asked.trigger) == (trigger, trigger)
    assert set(reaction.open) == set(asked.open)
    assert left not in reaction.open


@pytest.mark.rule("8.2.4b")
@pytest.mark.parametrize(
    ("mover", "way", "caught"),
    [
        ("infantry XX", "30.19,30.18", True),
        ("cavalry XX", "30.19,30.18,29.17", True),
        ("artillery -", "30.19,30.18", True),
        ("corps-train -", "30.19,30.18", False),
        ("infantry XX", "30.19", False),
    ],
)
def test_units_in_rail_mode_displace_from_combat_units_and_artillery(mover: str, way: str, caught: bool) -> None:
    near = f"30.17: {german('G', 'entrained')}, german infantry XX H entrained, german fort - K\n31.19: {russian('F', 'entrained')}"
    text = f"30.20: russian {mover} R movement=20\n{near}"
    assert moved(text, "R", way).result.unsettled == (("G", "H") if caught else ())
    assert all("is in Rail Mode and displaces" in line for line in told(moved(text, "R", way), "What follows"))
    off_rails = text.replace(" entrained", "").replace("german infantry XX", "german corps-train -")
    assert "8.2.4" not in [step.rule for part in moved(off_rails, "R", "30.19").parts for step in part.steps]


@pytest.mark.rule("8.2.4b")
@pytest.mark.parametrize(
    ("at", "more", "caught"),
    [("30.18", "", True), ("30.17", "", False), ("30.18", "off-map=30.30:5", False), ("30.18", "entrained=no", False)],
)
def test_a_unit_in_rail_mode_is_named_that_displaces(at: str, more: str, caught: bool) -> None:
    rides = "" if "entrained" in more else "entrained"
    report = moved(f"30.20: {russian('R')}\n{at}: {german('A')} {rides} destination=30.15 {more}", "R", "30.19")
    line = f"A in {at} is in Rail Mode and displaces along its RR line at once"
    assert (line in told(report, "What follows")) == caught


def test_the_train_of_the_moving_side_displaces_from_nobody() -> None:
    text = f"30.20: {russian('R')}\n30.18: {russian('S')} entrained\n30.17: {german('A')}"
    assert not told(moved(text, "R", "30.19"), "What follows")
