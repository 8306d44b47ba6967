"""Landsturm that flees from Russian infantry: `reach` and `ezoc` judge each way as `move` does (22.4.1)."""

from __future__ import annotations

from fractions import Fraction

import pytest

from twilight_in_the_east.movement.march.landsturm import find_flights

from ....cases import few
from ....conftest import answered, ruled, typed, viewed
from .ground import COUNTER, german, moved, reached, russian, text_of

MOVER = "30.20: russian {} XX R (9-9-0-9) movement=9"
GUARD = "30.17: german infantry II {}"


@pytest.mark.rule("22.4.1")
def test_who_flees_as_a_hex_is_entered() -> None:
    view = viewed(
        "30.20: russian infantry XX R, russian cavalry XX C\n31.20: german infantry XX G\n30.17: Tilsit, german infantry II Watch\n"
        '30.15: Elbing\n"Bukowina Holding Box": Osterode'
    )
    by_hex = find_flights(view, [view.unit("C"), view.unit("R")])
    assert by_hex["30.16"] == {"Tilsit", "Elbing"}
    assert (by_hex["30.18"], by_hex["30.14"]) == ({"Tilsit"}, {"Elbing"})
    assert set(by_hex) == {*view.board.neighbours("30.17"), *view.board.neighbours("30.15")}
    assert find_flights(view, [view.unit("C")]) == find_flights(view, [view.unit("G")]) == {}


@few(2)
@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize("reading", ["charged", "spared"])
@pytest.mark.parametrize(
    "guards",
    [
        GUARD.format("Tilsit"),
        f"{GUARD.format('Tilsit')}\n30.16: german infantry II Elbing",
        f"{GUARD.format('Tilsit')}\n28.18: {german('G')}",
        f"{GUARD.format('Tilsit')}, {german('G')}",
        GUARD.format("Watch"),
    ],
)
def test_each_way_of_a_reach_costs_what_the_move_does(reading: str, guards: str) -> None:
    text = f"ruling landsturm-zone={reading}\n{MOVER.format('infantry')}\n{guards}"
    places = [place for place in reached(text, "R").result.hexes if place.hex.startswith(("29.1", "30.1", "31.1"))]
    for place in places:
        move = moved(text, "R", ",".join(place.way)).result.moves[0]
        assert (move.points, move.spending.march) == (place.points, place.march), place.way
    near = {place.hex: place.points for place in places}
    alone = guards == GUARD.format("Tilsit")
    assert ("30.17" in near) is (not guards.endswith("Watch") and "Tilsit, " not in guards)
    assert not alone or near["30.17"] == (7 if reading == "charged" else 6)


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(
    ("mover", "guard", "points"),
    [
        ("infantry", "Tilsit", {"30.17": 7, "30.16": 9}),
        ("infantry", "Watch", {}),
        ("cavalry", "Tilsit", {"30.16": 15}),
    ],
)
def test_landsturm_that_flees_opens_hexes_and_its_zone_is_gone(mover: str, guard: str, points: dict[str, int]) -> None:
    report = reached(f"{MOVER.format(mover)}\n{GUARD.format(guard)}", "R")
    places = {place.hex: place.points for place in report.result.hexes}
    assert {hex: places[hex] for hex in ("30.17", "30.16") if hex in places} == points
    assert ("30.17" in {option.hex for option in report.result.barred}) is ("30.17" not in points)


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(
    ("mover", "reading", "extra", "closed"),
    [
        ("infantry", "charged", [0, 1, 0, 0], ""),
        ("infantry", "spared", [0, 0, 0, 0], ""),
        ("cavalry", "charged", [0, 1, 6, 6], "30.17"),
    ],
)
def test_what_the_zones_of_landsturm_add(mover: str, reading: str, extra: list[int], closed: str) -> None:
    text = f"ruling landsturm-zone={reading}\n{MOVER.format(mover)}\n{GUARD.format('Tilsit')}"
    report = answered(typed(text_of(text)), "ezoc", units="R", way="30.19,30.18,30.17,30.16")
    if not closed:
        assert [hex.extra for hex in report.result.hexes] == extra
    assert [hex.hex for hex in report.result.hexes if hex.barred] == ([closed] if closed else [])
    assert ruled(report, "landsturm-zone") == (reading if not closed else "")


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(("guard", "kind"), [("Tilsit", "yes"), ("Watch", "no")])
def test_who_has_fled_stays_away_in_later_phases(guard: str, kind: str) -> None:
    text = f"elsewhere clear\n{MOVER.format('infantry').replace('movement=9', 'movement=5')}\n{GUARD.format(guard)}"
    assert reached(text, "R", to="30.17", until=5).verdict.kind == kind
    assert reached(text, "R", COUNTER, to="30.17", until=5).verdict.kind == "no"


@pytest.mark.rule("22.4.1")
def test_a_stack_is_as_good_as_its_infantry() -> None:
    text = f"30.20: russian cavalry XX C (9-9-0-9) movement=9, {russian('R').replace('=7', '=9')}\n{GUARD.format('Tilsit')}"
    assert ["30.17" in {place.hex for place in reached(text, units).result.hexes} for units in ("C,R", "C", "R")] == [
        True,
        False,
        True,
    ]
    assert Fraction(7) in {place.points for place in reached(text, "C,R").result.hexes if place.hex == "30.17"}


@pytest.mark.rule("22.4.1")
@pytest.mark.parametrize(
    ("guard", "reading", "kind", "named"),
    [
        ("Tilsit", "charged", "no", "charged"),
        ("Tilsit", "spared", "figure", "spared"),
        ("Watch", "spared", "no", ""),
        ("Tilsit, german infantry II Watch", "spared", "no", ""),
    ],
)
def test_whether_landsturm_that_flees_closes_the_hex_is_the_same_ruling(
    guard: str, reading: str, kind: str, named: str
) -> None:
    strong = f"30.17 clear ip=3: german infantry II {guard}\n28.19 clear ip=3: {german('G')}"
    text = f"ruling landsturm-zone={reading}\n{MOVER.format('infantry')}\n{strong}"
    report = moved(text, "R", "30.19,29.18,29.17", without="30.17 28.19")
    assert (report.verdict.kind, ruled(report, "landsturm-zone")) == (kind, named)
    hexes = {place.hex for place in reached(text, "R", without="30.17 28.19").result.hexes}
    assert {"29.18"} <= hexes
    barred = answered(typed(text_of(text, without="30.17 28.19")), "ezoc", units="R", way="30.19,29.18,29.17")
    assert [hex.hex for hex in barred.result.hexes if hex.barred] == ([] if kind == "figure" else ["29.17"])
