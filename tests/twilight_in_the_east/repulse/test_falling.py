"""Units that never retreat are destroyed instead, whichever question is asked (22.4.1, 22.4.2, 22.5.1)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ...conftest import answered, told, typed
from ..results.test_retreats import fought

LANDSTURM = "german infantry II Tilsit asset (1-1-0-7) back-steps=0 defence-only with=none"
BATTERY = "german artillery - Nikolaiken (1-?-1-7) with=none"
GUARD = '"KG Train" defence=1'
FALLING = {"Tilsit": "22.4.1", "Nikolaiken": "22.4.2", "KG Train": "22.5.1"}
STACK = f"german infantry XX G (2-2-0-11) army=Eighth corps=KG back-steps=0, {LANDSTURM}, {BATTERY}, {GUARD}"
FIELD = """trust charts counters
turn=5 phase={phase} phasing=russian weather=normal
elsewhere clear open
60.18: russian cavalry XX R (40-16-0-11) movement=12 army=First back-steps=0
60.17: {stack}
"""


def _falls(report: Report[Any]) -> dict[str, str]:
    return {one.subject: one.rule for one in report.changes if one.track == "place" and one.after is None}


def _pushed(stack: str = STACK) -> Report[Any]:
    position = typed(FIELD.format(phase="movement", stack=stack))
    return answered(position, "repulse", answers={"ec.60.17": "2"}, units="R", at="60.17", flanked="no")


@pytest.mark.rule("8.5.3", "22.4.1", "22.4.2", "22.5.1")
def test_a_repulse_destroys_them_and_the_others_owe_two_hexes() -> None:
    report = _pushed()
    assert (_falls(report), report.result.fallen) == (FALLING, (*FALLING,))
    assert {one.subject for one in report.changes if one.track == "owes"} == {"G"}
    assert "Tilsit is destroyed: it would have to retreat, and never does" in told(report)


@pytest.mark.rule("11.2.1", "22.4.1", "22.4.2", "22.5.1")
def test_a_retreat_destroys_them_and_the_others_go() -> None:
    position = typed(FIELD.format(phase="attack", stack=STACK))
    report = answered(position, "retreat", at="60.17", hexes=1, cause="crt", way="60.16", last="yes")
    assert (_falls(report), report.result.fallen, report.result.units) == (FALLING, (*FALLING,), ("G",))
    assert [one.after for one in report.changes if (one.track, one.subject) == ("place", "G")] == ["60.16"]
    assert report.short[0].text.startswith("Tilsit, Nikolaiken and KG Train are destroyed")


@pytest.mark.rule("11.2.1", "22.4.1")
def test_where_all_are_destroyed_there_is_no_way_to_ask_for() -> None:
    position = typed(FIELD.format(phase="attack", stack=LANDSTURM))
    report = answered(position, "retreat", at="60.17", hexes=2)
    assert (_falls(report), report.asks, report.result.complete) == ({"Tilsit": "22.4.1"}, (), True)
    assert report.verdict.text.startswith("Tilsit is destroyed")
    with pytest.raises(InputError, match="no unit is left to retreat"):
        answered(position, "retreat", at="60.17", hexes=2, way="60.16")


@pytest.mark.rule("11.3.2aa", "22.5.1")
def test_a_check_makes_no_train_retreat() -> None:
    position = typed(FIELD.format(phase="attack", stack=STACK))
    report = answered(position, "retreat", at="60.17", hexes=1, cause="check", way="60.16", last="yes")
    assert set(_falls(report)) == {"Tilsit", "Nikolaiken"}


CELLS = "\n".join(f"chart crt summer {column} 7 = - / {{cell}}" for column in ("4:1", "5:1", "6:1")) + "\n".join(
    ["", *(f"chart slrt summer {size} {number} = 0 / 0" for size in ("Small", "Medium") for number in range(-2, 9))]
)
DICE = {"crt": "7", "slrt": "3/3", "ec.60.18": "2", "advance": "none"}


def _fought(cell: str, stack: str = STACK, **given: Any) -> Report[Any]:
    """A battle for the stack. given: the parameters of the question, and its `answers`."""
    position = typed(FIELD.format(phase="attack", stack=stack) + CELLS.format(cell=cell))
    dice = {**DICE, **given.pop("answers", {})}
    return answered(position, "battle", answers=dice, at="60.17", attacker_ap="none", defender_ap="none", **given)


@pytest.mark.rule("10.9.1", "22.4.1", "22.4.2", "22.5.1")
@pytest.mark.parametrize("withhold", ["", "KG Train", "Nikolaiken"])
def test_a_battle_destroys_them_withheld_or_not(withhold: str) -> None:
    report = _fought("W1", answers={"retreat.60.17": "60.16", "ec.60.17": "2"}, withhold=withhold)
    assert _falls(report) == FALLING


@pytest.mark.rule("10.1.5f", "11.3.2aa", "22.5.1")
@pytest.mark.parametrize(("withhold", "falls"), [("", False), ("KG Train", True)])
def test_where_a_check_drives_all_others_out_the_train_falls_if_it_was_withheld(withhold: str, falls: bool) -> None:
    stack = STACK.replace(f", {LANDSTURM}, {BATTERY}", "")
    dice = {"ec.60.17": "12", "onward.60.17": "60.16"}
    report = _fought("-", stack.replace("-11)", "-5)"), answers=dice, withhold=withhold)
    assert report.asks == ()
    assert ("KG Train" in _falls(report)) is falls


@pytest.mark.rule("8.5.3", "22.4.1", "22.5.1")
def test_a_repulse_in_the_retreat_of_a_battle_destroys_them() -> None:
    """R1 must leave 40.20 and can do so only by a Repulse of 40.21."""
    around = [hex for hex in typed("").game.board("").neighbours("40.20") if hex not in ("40.21", "41.19")]
    held = "\n".join(f"{hex}: german infantry XX N{number} (9-9-0-9)" for number, hex in enumerate(around))
    held += f"\n40.21: {LANDSTURM}, {GUARD}\nelsewhere clear open\ntrust counters"
    more = "retreat.40.20=40.21 repulse.40.20=40.21 repulse.40.20.ec=2 repulsed.40.20=40.22,40.23 advance=none"
    report = fought("W1 / -", held, more=more)
    assert _falls(report) == {"Tilsit": "22.4.1", "KG Train": "22.5.1"}


@pytest.mark.rule("8.5.3", "9.8.1", "22.4.1")
def test_a_train_that_only_fallen_units_leave_behind_owes_no_hexes() -> None:
    """Both a Repulse and a battle leave it to 9.8.1."""
    stack = f"{LANDSTURM}, german corps-train - T corps=17 range=4"
    pushed = _pushed(stack)
    assert "Tilsit" in _falls(pushed)
    assert "owes" not in [change.track for change in pushed.changes]
    fallen = _fought("W1", stack)
    assert [one.rule for one in fallen.changes if (one.track, one.subject) == ("place", "T")] in ([], ["9.8.1"])
