"""Who takes part in a combat, and what is not allowed (10.1, 10.3)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from twilight_in_the_east.combat import legality
from twilight_in_the_east.combat.engagement import Engagement, Readings
from twilight_in_the_east.combat.legality import stands_idle
from twilight_in_the_east.forces.units import CombatUnit
from twilight_in_the_east.terms import FORTRESSES, SUPPLY_ARMS

from ...conftest import answered, typed
from .test_strength import GUNS, division


@pytest.mark.rule("10.1.4c", "10.5a")
@pytest.mark.parametrize(
    ("guns", "other", "idle"),
    [
        pytest.param(GUNS, division("A"), False, id="with infantry and an AP"),
        pytest.param(GUNS, division("A", arm="cavalry"), False, id="with cavalry"),
        pytest.param(msgspec.structs.replace(GUNS, ap=False), division("A"), True, id="without an AP"),
        pytest.param(
            msgspec.structs.replace(GUNS, flags=frozenset({"displaced"})), division("A"), True, id="Displaced"
        ),
        pytest.param(GUNS, division("A", place="40.19"), True, id="its division in another hex"),
        pytest.param(GUNS, msgspec.structs.replace(GUNS, id="9 h"), True, id="with other artillery alone"),
        pytest.param(division("B"), GUNS, False, id="a division is never idle"),
        *(
            pytest.param(GUNS, division("A", arm=arm), True, id=f"with a {arm} alone")
            for arm in (*FORTRESSES, *SUPPLY_ARMS, "dummy")
        ),
    ],
)
def test_which_artillery_stands_idle(guns: CombatUnit, other: CombatUnit, idle: bool) -> None:
    assert stands_idle(guns, [guns, other]) is idle


# --- who fights, and who is flanked -----------------------------------------------------------------------------------


def german(name: str = "D", **more: Any) -> CombatUnit:
    return msgspec.structs.replace(division(name, "41.19", nation="german"), **more)


def engaged(attackers: list[CombatUnit], defenders: list[CombatUnit], **more: Any) -> Engagement:
    """A combat at 41.19 in the open, on GT 1."""
    given = {"turn": 1, "terrain": "clear", "crossed": {}, "position": 0, "positions": {}, **more}
    return Engagement("41.19", tuple(attackers), tuple(defenders), **given)


PAIR = [division("A", "40.19"), division("B", "40.20")]


@pytest.mark.rule("10.1.2c", "10.1.5c", "10.1.5d", "10.3")
@pytest.mark.parametrize(
    ("attacker", "left_out", "is_bound"),
    [
        pytest.param({}, {"prepared": "41.19"}, True, id="its marker binds it"),
        pytest.param({}, {"prepared": "42.20"}, False, id="one on another hex does not"),
        pytest.param(
            {"army": "2", "prepared": "41.19"}, {"army": "1", "prepared": "41.19"}, False, id="another army has it"
        ),
        pytest.param({"army": "2"}, {"army": "1", "prepared": "41.19"}, True, id="but not for that"),
        pytest.param({"prepared": "41.19"}, {"army": "1", "prepared": "41.19"}, True, id="nor one not stated"),
        pytest.param({"army": "2", "prepared": "41.19"}, {"prepared": "41.19"}, True, id="nor where its own is not"),
        pytest.param(
            {"army": "1", "prepared": "41.19"}, {"army": "1", "prepared": "41.19"}, True, id="nor one of its own army"
        ),
    ],
)
def test_whom_a_prepared_attack_marker_binds(
    attacker: dict[str, Any], left_out: dict[str, Any], is_bound: bool
) -> None:
    out = division("B", "40.19", **left_out)
    assert (
        bool(list(legality.bound_steps(engaged([division("A", **attacker)], [german()], left_out=(out,))))) is is_bound
    )


RIDER = {"arm": "cavalry"}
AWAY = {"flags": frozenset({"retreated"})}


@pytest.mark.rule("10.1.5a", "10.1.5b", "10.1c")
@pytest.mark.parametrize(
    ("attackers", "defenders", "elsewhere", "out"),
    [
        pytest.param({"A": {}}, {"D": {}, "H": RIDER}, "", "H", id="less cavalry than infantry"),
        pytest.param({"A": {}}, {"D": {}, "H": RIDER, "K": RIDER}, "", "", id="as much cavalry"),
        pytest.param({"A": {}}, {"D": {"levels": 4}, "H": RIDER}, "", "", id="Demoralized infantry does not count"),
        pytest.param({"A": {}}, {"D": AWAY, "H": RIDER}, "", "D", id="nor infantry that has retreated"),
        pytest.param({"A": {}}, {"D": {}, "H": RIDER | AWAY, "K": RIDER}, "", "HK", id="nor such cavalry"),
        pytest.param({"A": RIDER, "B": {}}, {"D": {}}, "", "", id="attackers choose an arm"),
        pytest.param({"A": AWAY, "B": {}}, {"D": {}}, "", "A", id="an attacker who has retreated"),
        pytest.param({"A": AWAY}, {"D": {}, "H": RIDER}, "", "", id="nobody, if no attacker would be left"),
        pytest.param({"A": {}, "B": AWAY}, {"D": AWAY}, "", "", id="nobody, if no defender would be"),
        pytest.param({"A": {}, "B": {}}, {"D": {}}, "B", "B", id="a marker points elsewhere"),
        pytest.param({"B": {}}, {"D": {}}, "B", "", id="that of all attackers does"),
    ],
)
def test_who_must_be_withheld(
    attackers: dict[str, dict[str, Any]], defenders: dict[str, dict[str, Any]], elsewhere: str, out: str
) -> None:
    fight = engaged(
        [division(name, **more) for name, more in attackers.items()],
        [german(name, **more) for name, more in defenders.items()],
        elsewhere=dict.fromkeys(elsewhere, "42.20"),
    )
    assert "".join(sorted(legality.must_withhold(fight))) == out


@pytest.mark.rule("10.1.3b", "10.1.5b")
@pytest.mark.parametrize(
    ("stack", "withheld", "reading", "allowed"),
    [
        pytest.param({"D": {}}, "", "stack", True, id="nobody"),
        pytest.param({"D": {}, "C": {}}, "C", "stack", True, id="one below"),
        pytest.param({"C": {}, "D": {}}, "C", "stack", False, id="the top one"),
        pytest.param({"R": AWAY, "D": {}}, "R", "stack", True, id="the top one after its retreat"),
        pytest.param({"R": AWAY, "C": {}, "D": {}}, "RC", "stack", False, id="and not the next one"),
        pytest.param({"R": AWAY | {"levels": 4}, "D": {"levels": 4}}, "R", "stack", True, id="be all Demoralized"),
        pytest.param({"D": {"levels": 4}, "C": {"levels": 4}}, "C", "stack", False, id="else not then"),
        pytest.param(
            {"R": AWAY, "H": {"arm": "cavalry"}, "K": {"arm": "cavalry"}},
            "RH",
            "stack",
            False,
            id="no choice",
        ),
        pytest.param({"D": {}, "C": {}}, "C", "defending", True, id="a sound one defends"),
        pytest.param({"D": {}, "F": {"arm": "fort"}}, "D", "stack", False, id="nor all that stand with a Fort"),
        pytest.param({"D": {"levels": 4}, "C": {}}, "C", "defending", False, id="the only sound one"),
        pytest.param({"C": {}, "D": {"levels": 4}}, "C", "defending", False, id="also on top"),
        pytest.param({"C": {"levels": 4}, "D": {"levels": 4}}, "C", "stack", False, id="nor then the top one"),
    ],
)
def test_which_defenders_may_be_withheld(
    stack: dict[str, dict[str, Any]], withheld: str, reading: str, allowed: bool
) -> None:
    units = {name: german(name, **more) for name, more in stack.items()}
    fight = engaged(
        [division("A")],
        [unit for name, unit in units.items() if name not in withheld],
        withheld=tuple(units[name] for name in withheld),
        stack=tuple(units),
        readings=Readings(sound_formation=reading),
    )
    assert len(legality.withholding_steps(fight)) == (not allowed), "a single reason"


@pytest.mark.rule("10.1.2d", "10.1.2e")
def test_ground_over_which_nobody_moves_bars_attacks() -> None:
    fight = engaged(PAIR, [german()], unbridged=("40.19",), prohibited=("40.20",))
    assert [step.rule for step in legality.ground_steps(fight)] == ["10.1.2", "10.1.2"]
    assert not list(legality.ground_steps(engaged(PAIR, [german()])))
    by_the_strict_reading = engaged(PAIR, [german()], readings=Readings(half_hex_attack="barred"))
    assert not list(legality.ground_steps(by_the_strict_reading)), "both may enter 41.19"


@pytest.mark.rule("10.1.5f")
def test_of_a_withheld_defender_no_strength_and_no_effectiveness_is_asked_for() -> None:
    """It neither fights nor checks; its steps may be lost to EZOCs."""
    text = "turn=5 phase=attack phasing=russian weather=normal\nelsewhere clear open\ntrust charts\n"
    text += "40.21: russian infantry XX A (12-12-0-9) army=First corps=3\n"
    text += "40.20: german infantry XX S (8-8-0-11), german infantry XX T"
    given = {"at": "40.20", "attacker_ap": "none", "defender_ap": "none", "flanked": "no", "withhold": "T"}
    assert [ask.how for ask in answered(typed(text), "battle", **given).asks if ask.kind == "fact"] == ["T steps=N"]
