"""Who may enter a hex, whatever moves: the half-hexes that lead to the Holding Box above all (4.2, 8.1.1, 23.4.1)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from assistant.asking.report import Report
from twilight_in_the_east.ground.hexsides import Entry, between, entry_bar, hexes_closed_to, impassable, leads_to_box
from twilight_in_the_east.terms import HALF_HEXES

from ...conftest import answered, carried_out, typed, viewed

BESIDE = {
    "31.114": "31.113",
    "27.114": "27.113",
    "17.114": "17.113",
    "11.114": "11.113",
    "09.114": "09.113",
    "07.114": "07.113",
}
"""Each half-hex with the hex north of it."""
NATIONS = ("russian", "german", "austro-hungarian")
ENEMY = {"russian": "austro-hungarian", "german": "russian", "austro-hungarian": "russian"}
SIDES = tuple(product(HALF_HEXES, NATIONS))
"""Every half-hex with every nation that may come to it."""


def offered(report: Report[Any]) -> list[str]:
    """The hexes that a report offers as open."""
    return [one.hex for one in report.result.options if not one.barred]


def north_of(hex: str) -> str:
    """The hex two north of a half-hex, where the enemy stands."""
    column, row = hex.split(".")
    return f"{column}.{int(row) - 2}"


def entering(mover: str, half: str, nation: str) -> bool:
    """Whether a way of moving lets a unit of a nation into a half-hex from the hex north of it, an enemy standing behind that."""
    here, enemy = BESIDE[half], north_of(half)
    enemies = f"{enemy}: {ENEMY[nation]} infantry XX E (9-9-0-9)"
    infantry = f"turn=5\n{enemies}\n{here}: {nation} infantry XX U (9-9-0-9)"
    cavalry = f"turn=5\n{enemies}\n{here}: {nation} cavalry XX U (5-5-0-9)"
    match mover:
        case "retreat":
            return half in offered(answered(typed(infantry), "retreat", at=here, hexes=1))
        case "a second hex of a retreat":
            position = typed(
                f"turn=5\n{enemy}|{here} open\n{enemy} clear\n{here} clear\n{enemy}: {nation} infantry XX U (9-9-0-9)"
            )
            return half in offered(answered(position, "retreat", at=enemy, hexes=2, way=(here,)))
        case "a move":
            report = answered(typed(infantry), "ezoc", units=("U",), way=(half,))
            return not report.result.hexes[0].barred
        case "a retirement" | "a reaction":
            given: dict[str, Any] = {"when": "retirement"}
            if mover == "a reaction":
                given = {"when": "reaction", "enemy": ("E",), "left": f"{enemy[:3]}{int(enemy[3:]) - 1}"}
            return half in offered(answered(typed(cavalry), "cavalry", unit="U", **given))
        case "a Corps Train":
            beside = f"{enemy}: {ENEMY[nation]} infantry XX E (9-9-0-9)"
            position = typed(f"turn=5\n{beside}\n{here}: {nation} corps-train - T")
            refuges = answered(position, "displace", unit="T").result.refuges
            return any(half in refuge.way for refuge in refuges)
        case "a depot":
            line = f"{here}={half}\n{here}: {nation} minor-depot - D army=First"
            return answered(typed(f"turn=5\n{line}"), "move-depot", unit="D", to=half, rate=20).result.allowed
        case "an advance":
            return advances(half, nation)
        case "a return":
            position = typed(f"turn=5\nT {nation} corps-train - arrives=5")
            return bool(answered(position, "return", unit="T", at=half, in_supply=True).result.allowed)
        case "the Box":
            position = typed(f"turn=5\n{here}: {nation} infantry XX U")
            return bool(answered(position, "holding-box", unit="U", to=half).result.allowed)
    raise AssertionError(mover)


CELLS = "\n".join(
    [f"chart crt summer {column} 7 = - / W1" for column in ("1:1", "2:1", "3:1", "4:1", "5:1", "6:1")]
    + [f"chart slrt summer {size} {n} = 0 / 0" for n in range(-2, 9) for size in ("Small", "Medium", "Large")]
)


def advances(half: str, nation: str) -> bool:
    """Whether a unit of a nation may advance into a half-hex from which a combat has driven the enemy."""
    text = f"""turn=5
trust charts
{BESIDE[half]}|{half} open
{half} clear
{CELLS}
{half}: {ENEMY[nation]} infantry XX D corps=1 (9-6-0-9) back-steps=0
{BESIDE[half]}: {nation} infantry XX A corps=2 (30-9-0-9) back-steps=0
ask battle at={half} from={BESIDE[half]} attacker-ap=none defender-ap=none flanked=no
answers crt=7 slrt=1/1 ec.{BESIDE[half]}=2 ec.{half}=2
"""
    after = carried_out(text).result.outcome
    assert after.vacated
    return after.advance == ("A",)


MOVERS = (
    "retreat",
    "a second hex of a retreat",
    "a move",
    "a retirement",
    "a reaction",
    "a Corps Train",
    "a depot",
    "a return",
    "the Box",
    "an advance",
)


@pytest.mark.rule("23.4.1")
@pytest.mark.parametrize("mover", MOVERS)
def test_nothing_leads_russians_and_germans_into_a_half_hex_and_all_lead_austro_hungarians_there(mover: str) -> None:
    found = {(half, nation): entering(mover, half, nation) for half, nation in SIDES}
    assert found == {(half, nation): nation == "austro-hungarian" for half, nation in SIDES}


@pytest.mark.rule("23.4.1")
def test_a_mixed_stack_is_as_much_kept_out_as_its_german() -> None:
    assert hexes_closed_to("german") == hexes_closed_to("russian") == frozenset(HALF_HEXES)
    assert hexes_closed_to("austro-hungarian") == frozenset()
    assert entry_bar(Entry("17.114", ("austro-hungarian", "german"))) is not None
    assert entry_bar(Entry("17.114", ("austro-hungarian", ""))) is None, "of whom nothing is known nothing keeps out"
    assert entry_bar(Entry("17.113", ("german",))) is None
    assert not leads_to_box("17.114", ()), "of a stack that is not known"


@pytest.mark.rule("4.2b", "11.2.4a", "10.1.2e")
def test_enemies_and_the_ground_keep_everybody_out_but_a_retreat_crosses_a_grand_river() -> None:
    assert entry_bar(Entry("40.20", ("german",), enemies=True)) == ("4.2", "enemies stand there")
    both = entry_bar(Entry("40.20", ("german",), enemies=True, shut="lake"))
    assert both == ("4.2", "enemies stand there"), "of two reasons the enemies are told"
    assert entry_bar(Entry("40.20", ("german",), shut="lake", rule="9.1")) == (
        "9.1",
        "the hexside cannot be crossed: lake",
    )
    assert entry_bar(Entry("40.20", ("german",), shut="sea", into=True)) == ("8.1.1", "units cannot enter it: sea")
    view = viewed("turn=1\n40.20|41.19 grand-river no-crossing\n40.20|40.19 lake")
    river, lake = between(view, "40.20", "41.19"), between(view, "40.20", "40.19")
    assert (impassable(river), impassable(river, "retreat")) == ("a Grand River without bridge or ferry", "")
    assert impassable(lake) == impassable(lake, "retreat") == "lake"


@pytest.mark.rule("8.1.1")
def test_no_move_and_no_cavalry_crosses_what_nobody_may_move_over() -> None:
    """A move that is not a retreat needs a crossing of a Grand River too."""
    for side, why in (("lake", "lake"), ("grand-river no-crossing", "a Grand River without bridge or ferry")):
        text = (
            f"turn=1\n40.20: russian cavalry XX U (5-5-0-9)\n40.20|41.19 {side}\n40.22: german infantry XX E (9-9-0-9)"
        )
        (hex,) = answered(typed(text), "ezoc", units=("U",), way=("41.19",)).result.hexes
        assert hex.barred == f"the hexside cannot be crossed: {why}"
        aside = answered(typed(text.replace("40.22", "39.20")), "cavalry", unit="U", when="retirement")
        assert {one.hex: one.barred for one in aside.result.options}["41.19"] == hex.barred
