"""The top unit of a stack is the same for battle and stack (4.2.5, 10.1.3)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.formats.positions import Position

from ...conftest import answered, typed
from ..results.test_retreats import fought

GROUND = """trust charts
turn=5 phase=attack phasing=russian weather=normal
elsewhere clear open
40.21: russian infantry XX A (12-12-0-9) army=First corps=3
40.20: {}
"""
BARE = {"at": "40.20", "attacker_ap": "none", "defender_ap": "none", "flanked": "no"}
DEMORALIZED = "german infantry XX D (12-12-0-11) cel=-4 army=Eighth corps=17"
SOUND = "german infantry XX S (8-8-0-11) army=Eighth corps=17"


@pytest.mark.rule("4.2.5", "4.2.5b", "10.1.3b")
@pytest.mark.parametrize("stack", [f"{DEMORALIZED}, {SOUND}", f"{SOUND}, {DEMORALIZED}"])
def test_a_demoralized_unit_is_not_on_top_wherever_it_lies(stack: str) -> None:
    position = typed(GROUND.format(stack))
    assert answered(position, "stack", at="40.20").result.order[0] == "S"
    assert answered(position, "battle", **BARE, withhold="D").verdict.kind != "no"
    assert "S is the top unit and cannot be withheld" in _reasons(answered(position, "battle", **BARE, withhold="S"))


def _reasons(report: Report[Any]) -> list[str]:
    return [step.text for part in report.parts for step in part.steps]


PAIR = ", ".join(f"german infantry XX {name} corps=1 (9-6-0-{{{name}}}) back-steps=0" for name in ("G1", "G2"))


def _order(report: Report[Any]) -> dict[str, object]:
    return {change.subject: change.after for change in report.changes if change.track == "order"}


@pytest.mark.rule("4.2.5")
@pytest.mark.parametrize(("lost", "order"), [("G2", {}), ("G1", {"G2": 0, "G1": 1})])
def test_after_a_combat_the_unit_that_is_now_the_largest_lies_on_top(lost: str, order: dict[str, int]) -> None:
    report = fought("- / -", stack=PAIR.format(G1=11, G2=11), steps=1, more=f"losses.defender={lost}")
    assert _order(report) == order


ZONE = "40.18: russian infantry XX R2 corps=3 (9-9-0-9) back-steps=0\n41.18|40.18,41.17 open"


def _agree(after: Position, at: str, top: str) -> None:
    """Check that `stack`, `battle` and the position have the same top unit."""
    assert answered(after, "stack", at=at).result.order[0] == top
    assert after.state.stack(at)[0].id == top


@pytest.mark.rule("4.2.5b", "10.1.3b")
def test_a_unit_that_its_retreat_demoralizes_gives_way_in_a_battle_and_in_a_retreat() -> None:
    """41.18 lies in a zone of R2, which costs G1 its last level."""
    stack = PAIR.format(G1=11, G2=11).replace("G1", "G1 cel=-3", 1)
    report = fought("- / W1", ZONE, stack=stack, check=2, more="retreat.41.19.1=41.18 advance=none")
    assert _order(report) == {"G2": 0, "G1": 1}
    position = typed(f"turn=5\n41.19: {stack}\n{ZONE}\n41.18|41.19 open\n41.18,41.19 clear")
    retreat = answered(position, "retreat", at="41.19", hexes=1, way="41.18", cause="crt", last="yes")
    assert _order(retreat) == {"G2": 0, "G1": 1}
    _agree(position.after(retreat.changes), "41.18", "G2")


@pytest.mark.rule("4.2.5b", "8.5.3")
def test_a_unit_that_the_check_of_a_repulse_demoralizes_gives_way() -> None:
    stack = PAIR.format(G1=11, G2=12).replace("G1", "G1 cel=-3", 1).replace("9-6", "2-2")
    position = typed(REPULSED.format(stack=stack))
    pushed = answered(position, "repulse", answers={"ec.41.19": "9"}, units="R1", at="41.19", flanked="yes")
    assert _order(pushed) == {"G2": 0, "G1": 1}
    _agree(position.after(pushed.changes), "41.19", "G2")


REPULSED = """trust charts
turn=5 phase=movement phasing=russian weather=normal
elsewhere clear open
40.20: russian infantry XX R1 (40-30-0-10) back-steps=0 movement=6
41.19: {stack}
"""


@pytest.mark.rule("4.2.5")
def test_how_a_stack_lies_after_a_move_into_its_hex() -> None:
    text = "turn=5 phase=movement phasing=russian weather=normal\nelsewhere clear open\n"
    text += "40.20: russian cavalry XX K (3-2-0-9) movement=12\n40.21: russian infantry XX I (9-9-0-9)\n40.21{}"
    report = answered(typed(text.format(" clear")), "move", units="K", way="40.21")
    assert _order(report) == {"K": 0, "I": 1}
    assert _order(answered(typed(text.format(" ip=1")), "move", units="K", way="40.21")) == {}
    text = "turn=5 phase=movement phasing=russian weather=normal\nelsewhere clear open\ntrust charts\n"
    text += "40.20: russian infantry XX A (9-9-0-9) movement=6\n40.21: russian infantry XX I"
    assert _order(answered(typed(text), "move", units="A", way="40.21")) == {}


@pytest.mark.rule("10.2")
@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ("", ""),
        ("39.20 announced", "40.20 is attacked too, though only 39.20 is announced"),
        ("39.20,39.21 announced", "40.20 is attacked too, though only 39.20 and 39.21 are announced"),
        ("39.20 announced\n40.20 announced", ""),
        ("39.20 attacked", "40.20 is attacked after 39.20, but is not stated as announced"),
        ("39.20 attacked\n40.20 announced", ""),
        ("39.20 attacked\nA prepared=40.20", ""),
    ],
)
@pytest.mark.parametrize("dice", ["", "7"])
def test_an_attack_that_was_not_announced_does_not_pass_in_silence(stated: str, said: str, dice: str) -> None:
    position = typed(f"{GROUND.format(SOUND)}{stated}")
    report = answered(position, "battle", answers={"crt": dice} if dice else {}, **BARE)
    short = [step.text for step in report.short if step.rule == "10.2"]
    working = [step.text for part in report.parts for step in part.steps if step.rule == "10.2"]
    assert short == [f"{text}." for text in working]
    assert [text[: len(said)] for text in short] == [said] * bool(said)


WEAK = ", ".join(f"german infantry XX W{number} (8-8-0-11) cel=-4 army=Eighth corps=17" for number in (1, 2, 3))


@pytest.mark.rule("10.1.3b", "10.1.5a", "4.2.2")
@pytest.mark.parametrize(
    ("withhold", "why"),
    [
        ("W2", ""),
        ("W3", ""),
        ("W1", "W1 is the top unit and cannot be withheld"),
        ("W2,W3", "no unit in 40.20 may be withheld: no formation there is free of Demoralization"),
        ("", "defender: 3 divisions and 0 artillery units in 40.20, but only 2 and 1 can fight"),
    ],
)
def test_of_three_demoralized_divisions_the_one_too_many_is_withheld(withhold: str, why: str) -> None:
    report = answered(typed(GROUND.format(WEAK)), "battle", **BARE, withhold=withhold)
    assert (report.verdict.kind == "no") is bool(why)
    assert not why or any(reason.startswith(why) for reason in _reasons(report))
