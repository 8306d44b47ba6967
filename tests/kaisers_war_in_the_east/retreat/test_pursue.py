"""Pursuit after combat (16)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.formats.positions import Position
from assistant.testing import asked, typed
from assistant.util.errors import InputError

from ..examples import DRY, after, ask, game, reasons

pytestmark = pytest.mark.rule("16.1", "16.2", "16.4")
"""Every pursuit here begins with the hex that was cleared."""

CLEARED = """
turn=10
2621: AH-4 (12-12-4) fought, AH-cav-1 (2-2-6) fought
2620 clear combat-result=DD
2618: Rus-3 (9-9-4)
"""
"""An attack from 2621 has cleared 2620."""


def pursue(position: str, **parameters: Any) -> Any:
    """The report on a pursuit of the army into 2620."""
    return ask(position, "pursue", **({"units": ["AH-4"], "at": "2620"} | parameters))


@pytest.mark.rule("16.0", "16.1", "16.2", "16.4")
def test_the_first_hex_is_the_cleared_one_and_one_that_can_be_entered() -> None:
    report = pursue(CLEARED)
    assert (report.result.reach, report.result.end, report.result.options) == (1, "2620", ())
    assert after(CLEARED, "pursue", units=["AH-4"], at="2620").units["AH-4"].place == "2620"
    assert "AH-4 in 2621 is not adjacent to 2619" in reasons(pursue(CLEARED, at="2619"))
    assert "allows 1 hex of pursuit" in reasons(pursue(CLEARED, way=["2619"]))
    assert "2620 cannot be entered: enemy units are in it" in reasons(pursue(CLEARED.replace("2618:", "2620:")))
    assert "an impassable hexside" in reasons(pursue(CLEARED + "2620 | 2621 impassable\n"))
    assert "a neutral country" in reasons(pursue(CLEARED + "2620 country=romania\n"))


@pytest.mark.rule("16.2", "16.4", "13.6", "16.1", "16.3")
def test_a_breakthrough_leads_on_through_enemy_zones_from_the_last_hex_entered() -> None:
    report = pursue(CLEARED, result="BT")
    assert report.result.reach == 2
    assert {one.hex for one in report.result.options if not one.barred} >= {"2619", "2520", "2720"}
    assert pursue(CLEARED, result="BT", way=["2619"]).result.end == "2619"
    near = CLEARED.replace("2618:", "2619:")
    assert "enemy units are in it" in reasons(pursue(near, result="BT", way=["2619"]))
    report = pursue(CLEARED + "2620: AH-3 (9-9-4)\n", result="BT", way=["2619"])
    assert (report.result.end, report.result.over_stacked, report.result.options) == ("2619", False, ())
    here = pursue(CLEARED, result="BT")
    assert {one.hex for one in here.result.options} == {"2520", "2521", "2619", "2621", "2720", "2721"}
    joined = pursue(CLEARED + "2619: AH-3 (?-?-?)\n", result="BT", way=["2619"])
    assert joined.result.over_stacked
    with_friends = pursue(CLEARED + "2620: AH-inf-1 (?-?-?)\n", units=["AH-cav-1"])
    assert (with_friends.verdict.kind, with_friends.result.over_stacked) == ("yes", False)
    assert "train-pursuit" not in str(with_friends)
    far = pursue(CLEARED + "2619: Rus-cav-1 (2-2-4)\n", at="2618")
    assert reasons(far) == "AH-4 in 2621 is not adjacent to 2618"
    assert not far.result.allowed


@pytest.mark.rule("16.3", "16.2")
def test_only_units_with_both_factors_pursue_and_together_as_far_as_the_slowest() -> None:
    assert "AH-4 may not pursue" in reasons(pursue(CLEARED.replace("(12-12-4)", "(12-12-0)")))
    assert "AH-4 may not pursue" in reasons(pursue(CLEARED.replace("(12-12-4)", "(0-12-4)")))
    assert "AH-4 may not pursue" in reasons(pursue(CLEARED.replace("(12-12-4)", "(12-12-4) support")))
    option = "options=better-cavalry\n" + CLEARED
    assert pursue(option, units=["AH-4"], result="DZ").result.reach == 1
    assert pursue(option, units=["AH-cav-1", "AH-4"], result="DZ").result.reach == 1


@pytest.mark.rule("21.4")
def test_armoured_trains_pursue_on_their_own_rail_net() -> None:
    train = CLEARED.replace("AH-4 (12-12-4)", "AH-train-1 (3-2-9)")
    units = {"units": ["AH-train-1"]}
    assert "no railroad leads from 2621 to 2620" in reasons(pursue(train, **units))
    railed = train + "2620 | 2621 rail\n2620 control=allies\n"
    assert "the enemy controls the railroad" in reasons(pursue(railed, **units))
    assert pursue("ruling train-pursuit=yes\n" + railed, **units).verdict.kind == "yes"
    assert pursue(railed.replace("=allies", "=central-powers"), **units).verdict.kind == "yes"


def test_what_the_pursuers_find_is_told() -> None:
    full = CLEARED + "2620: AH-3 (9-9-4)\n"
    over = pursue(full)
    assert over.result.over_stacked
    says = "2620 is over-stacked: the owner must eliminate the excess, at no cost in Victory Points."
    assert over.headline == f"{' and '.join(over.result.units)} may pursue to 2620. {says}"
    assert "ask capture" in str(pursue(CLEARED + "2620 objective\n"))
    taken = after(CLEARED + "2620 control=allies\n", "pursue", units=["AH-4"], at="2620")
    assert taken.value("control", "2620") == "central-powers"
    with pytest.raises(InputError, match="a pursuit needs units"):
        pursue(CLEARED, units=[])


@pytest.mark.rule("16.2")
@pytest.mark.parametrize(
    ("code", "hexes"), [("BB", 1), ("BT", 2), ("DD", 1), ("DP", 1), ("DZ", 1), ("MD", 1), ("AZ", 1)]
)
def test_each_result_tells_how_far(code: str, hexes: int) -> None:
    assert pursue(CLEARED, result=code).result.reach == hexes


@pytest.mark.rule("16.1")
@pytest.mark.parametrize("code", ["AD", "ST"])
def test_a_result_that_specifies_no_pursuit_allows_none(code: str) -> None:
    assert reasons(pursue(CLEARED, result=code)) == "the result allows 0 hexes of pursuit"


@pytest.mark.rule("16.2")
@pytest.mark.parametrize(("code", "hexes"), [("DZ", 2), ("BT", 2), ("DD", 1), ("MD", 1)])
def test_cavalry_goes_farther_by_two_results_alone(code: str, hexes: int) -> None:
    option = "options=better-cavalry\n" + CLEARED
    assert pursue(option, units=["AH-cav-1"], result=code).result.reach == hexes


@pytest.mark.rule("16.1", "16.2", "CRT-result/BT")
def test_the_result_that_is_left_or_stated_tells_how_far() -> None:
    at, die = {"at": "2620", "table": "shock"}, {"die": "6"}
    fought = "turn=10\n" + DRY + "2620 clear: Rus-2 (1-4-4)\n2621: AH-4 (16-12-4) arm=shock\n"
    thrown = ask(fought, "battle", **at, answers=die)
    assert (thrown.result.outcome, thrown.result.pursuit) == ("BT", 2)
    left = after(fought, "battle", **at, answers=die)
    assert left.value("combat-result", "2620") == "BT"
    assert pursue(CLEARED.replace("=DD", "=BT"), way=["2619"]).result.end == "2619"
    asked = pursue(CLEARED.replace(" combat-result=DD", ""))
    assert asked.verdict.kind == "undecided"
    assert [ask.key for ask in asked.asks] == [("combat-result", "2620")]
    assert reasons(pursue(CLEARED.replace("=DD", "=ST"))) == "the result allows 0 hexes of pursuit"
    stood = CLEARED.replace(" combat-result=DD", "") + "2621 combat-result=AZ\n"
    assert pursue(stood).result.reach == 1


OPEN = "turn=8 phasing=central-powers phase=first-combat main-effort=east\nelsewhere clear open no-rail country=russia city=no\n"
OPEN += "side central-powers vp=50\nside allies vp=50\n"


def fought(position: Position, at: str, *attackers: str, die: int, **parameters: Any) -> Position:
    """The position after an attack by some units alone."""
    near = [unit for hex in position.game.board("").neighbours(at) for unit in position.state.stack(hex)]
    idle = [unit.id for unit in near if not position.state.value("fought", unit.id)]
    staying = [name for name in idle if name not in attackers and not name.startswith("Rus")]
    answers = {"die": str(die), **parameters.pop("answers", {})}
    report = asked(position, "battle", at=at, withhold=staying, answers=answers, **parameters)
    assert report.verdict.kind == "figure", str(report)
    return position.after(report.changes)


def allowed(position: Position, *units: str, at: str) -> bool:
    """Whether units may pursue into a hex."""
    report = asked(position, "pursue", units=list(units), at=at)
    assert report.verdict.kind in ("yes", "no"), str(report)
    return report.verdict.kind == "yes"


@pytest.mark.rule("16.0", "16.1", "16.3")
def test_only_attackers_pursue_once_and_before_the_next_battle() -> None:
    text = "2620: Rus-inf-1 (2-2-3)\n2720: Rus-inf-2 (2-2-3)\n2619: Ger-inf-1 (30-4-3)\n2721: Ger-inf-2 (30-4-3), Ger-cav-1 (4-4-3)\n"
    position = typed(OPEN + text, game())
    won = fought(position, "2620", "Ger-inf-1", die=6)
    assert won.state.value("combat-result", "2620") == "DZ"
    assert allowed(won, "Ger-inf-1", at="2620")
    assert not allowed(won, "Ger-cav-1", at="2620"), "it was withheld"
    assert not allowed(won, "Ger-inf-1", "Ger-cav-1", at="2620")
    there = won.after(asked(won, "pursue", units=["Ger-inf-1"], at="2620").changes)
    back = there.after(asked(there, "pursue", units=["Ger-inf-1"], at="2619").changes)
    assert back.state.units["Ger-inf-1"].place == "2620", "it has pursued"
    again = fought(won, "2720", "Ger-inf-2", die=6)
    assert allowed(again, "Ger-inf-2", at="2720")
    assert not allowed(again, "Ger-inf-2", at="2620"), "it has attacked another hex"
    assert not allowed(again, "Ger-inf-1", at="2620"), "the next battle has been fought"


@pytest.mark.rule("16.0", "16.1", "CRT-result/AZ")
def test_defenders_pursue_into_the_hexes_from_which_they_were_attacked() -> None:
    text = "2620: Rus-1 (9-12-4), Rus-inf-1 (3-3-0)\n2621: Ger-inf-1 (1-1-3)\n"
    held = fought(typed(OPEN + text, game()), "2620", "Ger-inf-1", die=1)
    assert held.state.value("combat-result", "2620") == "AZ"
    assert allowed(held, "Rus-1", at="2621")
    assert not allowed(held, "Rus-1", at="2619")
    assert not allowed(held, "Rus-inf-1", at="2621"), "it has no movement"
    now = asked(held, "turn").shown.now.items
    assert [item.units for item in now if item.ask.startswith("pursue")] == [("Rus-1",)]


@pytest.mark.rule("14.4", "14.16", "16.1")
def test_the_corps_of_an_army_that_attacked_have_attacked_and_pursue() -> None:
    text = "2620: Rus-inf-1 (2-2-3)\n2621: Ger-8 (4-4-4)\nchart reorganization german infantry-army = 3\n"
    won = fought(typed(OPEN + text, game()), "2620", "Ger-8", die=3, answers={"attacker.break-one-army": "Ger-8"})
    assert won.state.value("combat-result", "2620") == "BB"
    corps = sorted(unit.id for unit in won.state.stack("2621"))
    assert len(corps) == 3
    assert all(won.state.value("fought", unit) and won.state.value("follows", unit) == "2620" for unit in corps)


@pytest.mark.rule("16.0", "16.1", "16.3")
@pytest.mark.parametrize(
    ("phase", "may"), [("first-combat", True), ("second-combat", True), ("movement", False), ("attrition", False)]
)
def test_units_pursue_in_both_combat_phases_and_in_no_other(phase: str, may: bool) -> None:
    report = pursue(f"phase={phase} phasing=central-powers\n{CLEARED.replace(' fought', '')}")
    assert report.verdict.kind == ("yes" if may else "no")
    assert ("AH-4 may not pursue into 2620: it did not fight there" in str(report)) is not may


@pytest.mark.rule("16.1")
def test_a_pursuit_in_another_phase_is_none_and_a_combat_that_was_typed_counts() -> None:
    alone = CLEARED.replace(" fought", "")
    assert "AH-4 taken to have won a combat for 2620 (not stated)" in str(pursue(alone))
    assert "AH-4 may not pursue" in reasons(pursue("phase=movement phasing=central-powers\n" + alone))
    assert "AH-4 may not pursue" in reasons(pursue(alone.replace("combat-result=DD", "combat-result=DD attacked")))
    other = CLEARED + "2721 attacked\n"
    assert "AH-4 may not pursue" in reasons(pursue(other)), "it has fought beside the hex that was attacked"
