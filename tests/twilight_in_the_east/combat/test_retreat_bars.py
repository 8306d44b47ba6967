"""The table of what closes hexes to a stack that retreats."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from twilight_in_the_east.combat.pieces import Passage, Pieces
from twilight_in_the_east.combat.retreat_bars import WayIn, closed_around, lasting_bar, retreat_bar
from twilight_in_the_east.forces.units import CombatUnit, Force

from ...conftest import viewed

HERE, THERE = "41.19", "41.18"
ABANDONED = "an enemy was there at the moment of combat and has left in a retreat"


def way(there: str = THERE, **more: Any) -> WayIn:
    return WayIn(viewed(""), HERE, there, **{"nations": ("german",), **more})


@pytest.mark.rule("4.2b", "11.2.2b", "11.2.4a", "23.4.1")
@pytest.mark.parametrize(
    ("entered", "bar", "lasts"),
    [
        (way(), None, False),
        (way(enemies=True), ("4.2", "enemies stand there"), False),
        (way(abandoned=True), ("11.2.2", ABANDONED), False),
        (way(just_left=True), ("11.2.2", "the stack has just left it"), True),
        (way(passage=Passage("lake")), ("11.2.4", "the hexside cannot be crossed: lake"), True),
        (way(passage=Passage("sea", into_sea=True)), ("11.2.4", "units cannot enter it: sea"), True),
        (way(passage=Passage("", into_sea=True)), None, False),
        (way(passage=Passage("High Mountain")), ("11.2.4", "units cannot enter it: High Mountain"), True),
        (way("31.114", nations=("austro-hungarian",)), None, False),
        (way(enemies=True, just_left=True), ("4.2", "enemies stand there"), True),
    ],
    ids=lambda value: value.there if isinstance(value, WayIn) else None,
)
def test_what_closes_a_hex_by_which_rule_and_whether_that_stays_without_enemies(
    entered: WayIn, bar: tuple[str, str] | None, lasts: bool
) -> None:
    assert retreat_bar(entered) == bar
    assert (lasting_bar(entered) is not None) == lasts


@pytest.mark.rule("23.4.1")
def test_a_half_hex_is_closed_to_germans_though_no_enemy_is_in_it() -> None:
    closed = lasting_bar(way("31.114", nations=("austro-hungarian", "german"), enemies=True))
    assert closed is not None and closed.rule == "23.4.1"


def around(open_hexes: str, abandoned: str, before: str) -> dict[str, str]:
    """What closes each of some hexes around A, whose other hexsides are lakes."""
    others = [hex for hex in viewed("").board.neighbours(HERE) if hex not in open_hexes]
    lakes = "\n".join(f"{HERE}|{hex} lake" for hex in others)
    layout = Pieces(viewed(f"{HERE} clear: german infantry XX A\n{lakes}")).layout(())
    ground = layout.ground((Force("A", (CombatUnit("A", "german", "infantry", "XX", True, HERE, steps=10),)),), HERE)
    found = closed_around(replace(ground, abandoned=frozenset({abandoned})), HERE, before)
    return {hex: barred.why if barred else "" for hex, barred in found.items() if hex in open_hexes}


@pytest.mark.rule("11.2.2b")
def test_where_no_hex_is_open_what_enemies_have_left_is_but_not_the_way_back() -> None:
    assert around("41.18 41.20", "41.18", "") == {"41.18": ABANDONED, "41.20": ""}
    assert around("41.18 41.20", "41.18", "41.20") == {"41.18": "", "41.20": "the stack has just left it"}
    assert around("41.18 41.20", "41.18", "41.18") == {"41.18": ABANDONED, "41.20": ""}
    assert around("41.18", "41.18", "41.18") == {"41.18": "the stack has just left it"}
