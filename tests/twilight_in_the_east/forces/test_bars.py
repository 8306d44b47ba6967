"""What bars a unit: one table, and no position in which two rules demand opposite things."""

from __future__ import annotations

import msgspec
import pytest

from assistant.asking.view import View
from assistant.installed.registry import load_game
from twilight_in_the_east.combat.allocation import NO_USE_REASON
from twilight_in_the_east.combat.engagement import artillery_value, shift_for_position
from twilight_in_the_east.combat.legality import stands_idle
from twilight_in_the_east.forces.bars import BARS, FLAGS, Doing, bars, first_bar, is_barred
from twilight_in_the_east.forces.unit import StatusRead, gather_unit
from twilight_in_the_east.forces.units import CombatUnit

from ...conftest import GAME, answered, told, typed

SOUND = CombatUnit("A", "german", "infantry", "XX", True, "41.19")


@pytest.mark.rule("9.5.1a", "22.4.1", "22.4.2", "22.5.1", "3.5.1")
@pytest.mark.parametrize(
    ("changed", "doings"),
    [
        ({}, ""),
        ({"flags": frozenset({"halted"})}, "move"),
        ({"prepared": "41.20"}, "spend"),
        ({"flags": frozenset({"displaced"})}, "attack, use AP, spend, retreat alone"),
        ({"half": True}, "attack, use AP, spend"),
        ({"flags": frozenset({"entrained"})}, "attack, spend"),
        ({"flags": frozenset({"defence-only"})}, "attack"),
        ({"arm": "fort"}, "attack"),
        ({"id": "Tilsit"}, "spend, move"),
        ({"id": "Nikolaiken"}, "spend, move"),
        ({"id": "KG Train"}, "spend, move"),
        ({"levels": 4}, "attack"),
        ({"disorder": 1}, "attack"),
        ({"flags": frozenset({"retreated"})}, "attack, defend"),
        ({"flags": frozenset({"fought"})}, "attack, defend"),
    ],
)
def test_what_each_status_bars(changed: dict[str, object], doings: str) -> None:
    every: tuple[Doing, ...] = ("attack", "defend", "use AP", "spend", "move", "retreat alone")
    unit = msgspec.structs.replace(SOUND, **changed)  # type: ignore[arg-type]
    assert ", ".join(doing for doing in every if is_barred(unit, doing)) == doings


def test_the_first_bar_in_words() -> None:
    assert first_bar(SOUND, "spend") == ("", "")
    both = msgspec.structs.replace(SOUND, half=True, flags=frozenset({"entrained"}))
    assert first_bar(both, "spend") == ("8.2.5", "it bears a 1/2 marker and spends no Movement Points")
    assert [bar.text("attack") for bar in bars(both, "attack")] == [
        "bears a 1/2 marker and cannot attack",
        "is in Rail Mode and cannot attack",
    ]


def test_every_bar_names_a_rule_of_the_game() -> None:
    rules = load_game(GAME).folder.joinpath("rules.csv").read_text("utf-8")
    assert all(f"\n{bar.rule}" in rules for bar in BARS)


MARKED = """turn=5
40.20: russian infantry XX R1 (10-12-0-10), russian infantry XX R2 (10-12-0-10) prepared=41.19 {status}
40.20: russian artillery II R3 (1-?-4-?) prepared=41.19 {guns}
41.19 clear: german infantry XX A (12-14-0-9)
41.19|40.20 open
ask battle at=41.19 attacker-ap=none defender-ap=none flanked=no withhold={out}
"""


@pytest.mark.rule("10.1.2c", "10.1.5a", "10.1.5c", "10.1.5d", "10.3")
@pytest.mark.parametrize(
    ("status", "out", "reasons"),
    [
        ("retreated", "R3", []),
        ("retreated", "R2,R3", []),
        ("fought", "R2,R3", []),
        ("cel=-4", "R2,R3", []),
        ("", "R2,R3", ["R2 has a Prepared Attack marker on 41.19 and cannot be withheld"]),
    ],
)
def test_who_must_be_withheld_may_be_whatever_marker_he_bears(status: str, out: str, reasons: list[str]) -> None:
    report = answered(typed(MARKED.format(status=status, guns="displaced", out=out)))
    assert told(report, "Not allowed") == reasons
    withheld = ["R2 has retreated in this phase and must be withheld"] if out == "R3" else []
    assert told(report, "Withheld") == withheld


@pytest.mark.rule("10.1.4c", "10.1.5d")
def test_displaced_guns_with_a_marker_may_be_withheld_and_may_stand_idle() -> None:
    for out in ("R2,R3", "R2"):
        report = answered(typed(MARKED.format(status="retreated", guns="displaced", out=out)))
        assert report.verdict.kind == "figure"
    bound = answered(typed(MARKED.format(status="retreated", guns="", out="R2,R3")))
    assert bound.parts[0].steps[0].text == "R3 has a Prepared Attack marker on 41.19 and cannot be withheld"


def test_a_status_that_is_read_is_that_of_the_unit() -> None:
    position = typed("40.20: russian infantry XX R (10-12-0-10) half fought prepared=41.19")
    view = View(position.game, position.state)
    with view.gather() as facts:
        read = StatusRead(facts, view.unit("R"))
        assert [flag for flag in FLAGS if read.has(flag)] == ["fought"]
        assert (read.arm, read.prepared, read.half, read.demoralized) == ("infantry", "41.19", True, False)
        assert gather_unit(facts, view.unit("R"), None).flags == {"fought"}


@pytest.mark.parametrize("status", [{"half": True}, {"flags": frozenset({"displaced"})}], ids=str)
def test_what_bars_a_unit_from_using_an_ap_keeps_its_artillery_out_of_everything(status: dict[str, object]) -> None:
    """One table: the strength, the classes that negate a position, who stands idle, and the sentence about it."""
    sound = CombatUnit(
        "G", "german", "artillery", "II", False, "41.19", artillery=4, classes=frozenset({"heavy"}), ap=True
    )
    barred = msgspec.structs.replace(sound, **status)  # type: ignore[arg-type]
    assert [artillery_value(unit) for unit in (sound, barred)] == [4, 0]
    assert [len(shift_for_position(1, [unit])) for unit in (sound, barred)] == [2, 1]
    side = [msgspec.structs.replace(SOUND, id="B")]
    assert [stands_idle(unit, [*side, unit]) for unit in (sound, barred)] == [False, True]
    (words,) = [bar.words for bar in BARS if "use AP" in bar.doings and bar.holds(barred)]
    assert words in NO_USE_REASON
