"""How reinforcements enter, over plain values (16.0, 16.1, 16.1.1)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assistant.asking import Step
from assistant.asking.case import list_bars
from twilight_in_the_east.arrivals.arrive_question import Reinforcement
from twilight_in_the_east.arrivals.entry import (
    Entrance,
    cost_by_rail,
    first_cost,
    is_due,
    must_conform,
    needs_army,
    rail_points_due,
    why_blocked,
    why_elsewhere,
    why_no_rail_mode,
)


def said(bars: list[Step]) -> list[tuple[str, str]]:
    return [(bar.rule, bar.text) for bar in bars]


@pytest.mark.rule("16.0")
def test_a_reinforcement_is_due_in_its_turn_and_later_if_it_waits() -> None:
    assert is_due(5, 5, waits=False) and is_due(5, 5, waits=True)
    assert is_due(5, 6, waits=True) and not is_due(5, 6, waits=False)
    assert not is_due(6, 5, waits=True) and not is_due(6, 5, waits=False)


@pytest.mark.rule("16.0")
def test_it_enters_in_no_earlier_turn_and_not_again() -> None:
    def why(turn: int, *, known: bool = True, waits: bool = False) -> list[tuple[str, str]]:
        unit = Reinforcement(unit="1 r", turn=turn, since=5, known=known, waits=waits)
        return said(list_bars(unit.bars))

    assert why(4) == [("16.0", "1 r: it arrives in GT 5")]
    assert why(5) == why(6, known=False) == why(6, waits=True) == []
    state = 'if it still waits, state "1 r" arrives=5'
    assert why(6) == [("16.0", f"1 r: it was due in GT 5 and has been in play; {state}")]


@pytest.mark.rule("16.1b")
def test_what_blocks_a_hex() -> None:
    assert said(why_blocked(Entrance(hex="44.20", edge=True, railway=True, station=True))) == []
    assert said(why_blocked(Entrance(hex="44.20", enemies=True))) == [("16.1", "an enemy unit is in 44.20")]
    assert said(why_blocked(Entrance(hex="44.20", zone=True))) == [("16.1", "44.20 is in an EZOC")]
    assert said(why_blocked(Entrance(hex="44.20", lost=True))) == [("16.1", "the enemy controls 44.20")]
    assert said(why_blocked(Entrance(hex="44.20", lost=True), control=False)) == []
    beside = [("9.9", "44.20 is adjacent to an enemy, where a depot may never be")]
    assert said(why_blocked(Entrance(hex="44.20", beside=True))) == beside
    assert [rule for rule, _ in said(why_blocked(Entrance(hex="44.20", beside=True, zone=True)))] == ["16.1"]
    assert said(why_blocked(Entrance(hex="44.20", shut="it is a sea hex"))) == [("8.1.1", "44.20: it is a sea hex")]


@pytest.mark.rule("16.0", "16.1b")
def test_units_enter_in_their_entry_hex_and_elsewhere_only_if_it_is_blocked() -> None:
    def why(at: str, *instead: str, blocked: bool, edge: bool, lost: bool = False) -> list[tuple[str, str]]:
        return said(why_elsewhere(at, ("01.20", "01.21"), instead, blocked=blocked, lost=lost, edge=edge))

    assert why("01.20", blocked=False, edge=True) == why("01.21", "01.22", blocked=True, edge=False) == []
    assert why("01.22", "01.22", blocked=False, edge=True) == [("16.0", "the entry hex is 01.20 or 01.21")]
    assert why("01.22", "01.22", blocked=False, edge=False) == [("16.0", "the entry hex is 01.20 or 01.21")]
    assert why("01.22", "01.22", blocked=True, edge=True) == why("01.22", "01.22", blocked=True, edge=False) == []
    assert why("01.23", "01.22", blocked=False, edge=False) == [("16.0", "the entry hex is 01.20 or 01.21")]
    text = "01.20 or 01.21 is blocked, and units from the map edge enter at "
    near = text + "the nearest open friendly RR hex: 01.22 or 01.24"
    assert why("01.23", "01.22", "01.24", blocked=True, edge=True) == [("16.1", near)]
    none = text + "an open friendly RR hex, and none is known"
    assert why("01.23", blocked=True, edge=True) == [("16.1", none)]
    station = "01.20 or 01.21 is blocked, and 01.23 is not an open RR Station that their side controls"
    assert why("01.23", "01.22", blocked=True, edge=False) == [("16.1", station)]
    some = "each of 01.20 and 01.21 is blocked or controlled by the enemy"
    enemy = station.replace("01.20 or 01.21 is blocked", some)
    assert why("01.23", "01.22", blocked=False, lost=True, edge=False) == [("16.1", enemy)]
    assert why("01.22", "01.22", blocked=False, lost=True, edge=True) == []
    [(_, single)] = said(why_elsewhere("01.23", ("01.20",), (), blocked=False, lost=True, edge=False))
    assert single == "the enemy controls 01.20, and 01.23 is not an open RR Station that their side controls"


@pytest.mark.rule("16.0", "16.1.1")
def test_units_enter_in_rail_mode_at_a_map_edge_with_an_rr_line_and_name_their_destination() -> None:
    edge = Entrance(hex="01.20", edge=True, railway=True)
    assert said(why_no_rail_mode(edge, "05.20")) == []
    assert said(why_no_rail_mode(edge, None)) == [
        ("16.1.1", "name the destination before units enter in Rail Mode (destination=HEX)")
    ]
    inside = "05.20 is not at a map edge, and reinforcements enter in Rail Mode only there"
    assert said(why_no_rail_mode(Entrance(hex="05.20", railway=True), "06.20")) == [("16.0", inside)]
    none = "no friendly operational RR line is known in 01.20"
    assert said(why_no_rail_mode(Entrance(hex="01.20", edge=True), "06.20")) == [("16.0", none)]


@pytest.mark.rule("16.1.1")
def test_rail_mode_from_a_map_edge_is_free() -> None:
    assert rail_points_due(Fraction(3), edge=True) == 0
    assert rail_points_due(Fraction(3), edge=False) == 3


@pytest.mark.rule("16.1c")
def test_the_first_hex_costs_only_units_from_a_map_edge() -> None:
    assert first_cost(lambda: Fraction(3, 2), edge=True) == Fraction(3, 2)
    assert first_cost(lambda: None, edge=True) is None
    assert first_cost(lambda: Fraction(3, 2), edge=False) == 0
    assert cost_by_rail(("rail1", "rail2"), 12) == Fraction(1, 12)
    assert cost_by_rail(("rail1",), 12) == Fraction(1, 6)
    assert cost_by_rail((), 10) == Fraction(1, 5)


@pytest.mark.rule("16.1")
def test_arrivals_may_stand_over_the_limits_until_the_movement_phase_ends() -> None:
    assert must_conform("01.20", over=False) == []
    text = "is over the stacking limits, which hold again at the end of this player turn's Movement Phase"
    assert said(must_conform("01.20", over=True)) == [("16.1", f"01.20 {text}")]


@pytest.mark.rule("16.1d")
@pytest.mark.parametrize(
    ("arm", "asset", "needed"),
    [
        ("infantry", False, True),
        ("cavalry", False, True),
        ("corps-train", False, True),
        ("infantry", True, False),
        ("cavalry", True, False),
        ("artillery", True, False),
        ("minor-depot", False, False),
        ("fortress", False, False),
    ],
)
def test_formations_and_corps_trains_are_attached_at_once(arm: str, asset: bool, needed: bool) -> None:
    assert needs_army(arm, "", asset=asset) == needed
    assert not needs_army(arm, "Second", asset=asset)
