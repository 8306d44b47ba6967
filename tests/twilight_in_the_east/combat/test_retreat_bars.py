"""What closes hexes to a stack that retreats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from assistant.asking.permission import Clause
from twilight_in_the_east.combat import retreat_ground
from twilight_in_the_east.combat.pieces import Pieces
from twilight_in_the_east.combat.retreat_ground import (
    RetreatStep,
    WayIn,
    bars_of_way,
    closed_around,
    lasting_bar,
    retreat_bar,
)
from twilight_in_the_east.forces.units import CombatUnit, Force

from ...conftest import answered, told, typed, viewed

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
        (way(passage=RetreatStep("lake")), ("11.2.4", "the hexside cannot be crossed: lake"), True),
        (way(passage=RetreatStep("a sea hex", into_sea=True)), ("11.2.4", "it is a sea hex"), True),
        (way(passage=RetreatStep("", into_sea=True)), None, False),
        (way(passage=RetreatStep("sea", into_sea=True)), ("11.2.4", "units cannot enter it: sea"), True),
        (way(passage=RetreatStep("sea")), ("11.2.4", "the hexside cannot be crossed: sea"), True),
        (way(passage=RetreatStep("High Mountain")), ("11.2.4", "units cannot enter it: High Mountain"), True),
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


@pytest.mark.rule("23.3")
@pytest.mark.parametrize(
    ("province", "fischer", "rule"),
    [("bukowina", True, ""), ("none", True, "23.3"), ("none", False, ""), ("", True, "")],
)
def test_the_units_of_fischer_do_not_retreat_out_of_bukowina(province: str, fischer: bool, rule: str) -> None:
    stated = f"{THERE} province={province}" if province else ""
    closed = retreat_bar(replace(way(nations=("austro-hungarian",), fischer=fischer), facts=viewed(stated)))
    assert (closed.rule if closed else "") == rule


@pytest.mark.rule("23.3")
def test_a_retreat_of_fischer_is_offered_no_hex_outside_bukowina() -> None:
    text = "trust counters\nturn=5\n41.19: austro-hungarian infantry II Fischer (1-1-0-9) asset\n41.18 province=none"
    report = answered(typed(text), "retreat", at="41.19", hexes=1, cause="crt")
    assert any("the units of Fischer stay in Bukowina" in line for line in told(report))


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


def in_wetlands(way: WayIn) -> Iterator[Clause]:
    yield from bars_of_way(way)
    yield way.facts.word("terrain", way.there) == "wetlands", "11.2.9", "units do not retreat into wetlands"


BARRED = """turn=3
trust charts
41.18 wetlands: russian infantry XX R (4-4-0-9)
41.19 clear: german infantry XX A (10-10-0-9)
41.19|41.18 open
"""


@pytest.fixture
def thaw() -> Iterator[None]:
    """A bar that no rule of the game gives."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retreat_ground, "bars_of_way", in_wetlands)
        yield


@pytest.mark.usefixtures("thaw")
def test_another_row_holds_for_all_that_look_for_a_way_back() -> None:
    shut = [hex for hex in viewed("").board.neighbours(HERE) if hex != THERE]
    lakes = BARRED + "\n".join(f"{HERE}|{hex} lake" for hex in shut)
    empty = lakes.replace("wetlands: russian infantry XX R (4-4-0-9)", "wetlands")
    retreat = answered(typed(empty.replace("41.19|41.20 lake", "41.19|41.20 open")), "retreat", at=HERE, hexes=1)
    assert "41.18: units do not retreat into wetlands" in told(retreat)
    assert not any("Repulse" in line for line in told(answered(typed(lakes), "retreat", at=HERE, hexes=1)))
    attack = {"at": HERE, "from_": (THERE,), "attacker_ap": ("none",), "defender_ap": ("none",), "flanked": False}
    assert answered(typed(lakes), "battle", **attack).result.chances.may_open == ()


@pytest.mark.rule("11.2.2b", "23.3")
def test_what_a_row_reads_of_a_hex_that_is_entered_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def unfriendly(way: WayIn) -> Iterator[Clause]:
        yield from bars_of_way(way)
        yield way.facts.word("control", way.there) != "central-powers", "11.2.9", "not friendly"

    monkeypatch.setattr(retreat_ground, "bars_of_way", unfriendly)
    text = "41.19 clear: german infantry XX A (10-10-0-9)\n41.18 clear\n41.19|41.18 open"
    asks = answered(typed(text), "retreat", at=HERE, hexes=1, way=(THERE,)).asks
    assert [ask.key for ask in asks] == [("control", THERE)]
