"""Armies and the corps that take their place."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from assistant.asking import MissingFacts
from assistant.asking.view import View
from assistant.state.changes import Change, Gain
from kaisers_war_in_the_east.corps import (
    available_corps,
    breaks_down,
    corps_at_hand,
    corps_of,
    count_off,
    is_alone,
    place_corps,
    waiting_corps,
)
from kaisers_war_in_the_east.forces import Formation, formation

from ...conftest import viewed

GAME = "game kaisers-war-in-the-east\nchart reorganization austro-hungarian infantry-army = 3\n"
ARMIES = "2622: AH-3\n2623: Sud\n2624: Ger-8\n2630: Bul-3\n"


def army(view: View, name: str) -> Formation:
    with view.gather() as facts:
        return formation(facts, view.unit(name), fights=False)


def corps(name: str, more: str = "") -> int:
    view = viewed(GAME + ARMIES + more)
    with view.gather() as facts:
        return len(corps_of(facts, army(view, name)) or ())


@pytest.mark.rule("10.0", "10.1", "21.1")
def test_an_army_is_as_many_corps_of_its_nations_as_the_chart_says() -> None:
    with pytest.raises(MissingFacts) as missing:
        corps("Bul-3")
    assert [ask.key for ask in missing.value.asks] == [("reorganization", "bulgarian", "infantry-army")]
    view = viewed(GAME + ARMIES)
    assert corps_of(view, army(view, "AH-3")) == ("austro-hungarian",) * 3
    assert corps_of(view, army(view, "Sud")) == ("german", "austro-hungarian")
    assert corps_of(view, army(view, "Ger-8")) == ("german",) * 3
    assert corps_of(view, army(view, "Bul-3")) is None


@pytest.mark.rule("10.1", "14.16")
@pytest.mark.parametrize(
    ("stated", "left"), [("", 3), ("spare-corps=2", 2), ("spare-corps=0", 0), ("spare-corps=5", 3)]
)
def test_no_more_corps_take_its_place_than_are_off_the_map(stated: str, left: int) -> None:
    view = viewed(f"{GAME}{ARMIES}" + (f"nation austro-hungarian {stated}\n" if stated else ""))
    at_hand = corps_at_hand(view, [("austro-hungarian", "infantry")] * 3)
    corps = available_corps(army(view, "AH-3"), ("austro-hungarian",) * 3, at_hand)
    assert [one.id for one in corps] == ["AH-inf-1", "AH-inf-2", "AH-inf-3"][:left]
    assert {(one.nation, one.arm, one.size, one.place) for one in corps} <= {
        ("austro-hungarian", "infantry", "XXX", "2622")
    }


@pytest.mark.rule("10.1", "14.16")
def test_what_other_armies_were_given_is_gone_and_only_infantry_is_counted() -> None:
    view = viewed(f"{GAME}{ARMIES}2640: german cavalry XXXX Cav\nnation german spare-corps=2\n")
    both = ("german", "austro-hungarian")
    kinds = [("german", "infantry"), ("german", "infantry"), ("austro-hungarian", "infantry"), ("german", "cavalry")]
    at_hand = corps_at_hand(view, kinds)

    def corps(name: str, nations: tuple[str, ...], used: tuple[str, ...] = ()) -> list[str]:
        return [one.id for one in available_corps(army(view, name), nations, at_hand, used)]

    assert corps("Sud", both, ("Ger-inf-1",)) == ["Ger-inf-2", "AH-inf-1"]
    assert corps("Sud", both, ("Ger-inf-1", "Ger-inf-2")) == ["AH-inf-1"]
    assert corps("Cav", ("german",)) == ["Ger-cav-1"]
    none = viewed(f"{GAME}nation german spare-corps=0\n")
    assert corps_at_hand(none, kinds[-1:]) == {("german", "cavalry"): ("Ger-cav-1",)}


@pytest.mark.rule("10.1", "21.1")
def test_corps_off_the_map_are_placed_once_each() -> None:
    off = 'Available: AH-inf-1, german infantry XXX G\n"Dead Pile": austro-hungarian infantry XXX H\n'
    view = viewed(f"{GAME}{ARMIES}{off}2640: austro-hungarian infantry XXX On\n")
    assert waiting_corps(view, "austro-hungarian", "infantry") == ["AH-inf-1", "H"]
    at_hand = corps_at_hand(view, [("german", "infantry"), *[("austro-hungarian", "infantry")] * 4])
    sud = available_corps(army(view, "Sud"), ("german", "austro-hungarian"), at_hand)
    moved = [*place_corps(view, sud, "17.8")]
    assert moved == [
        Change("place", "G", "Available", "2623", "17.8"),
        Change("place", "AH-inf-1", "Available", "2623", "17.8"),
    ]
    rest = available_corps(army(view, "AH-3"), ("austro-hungarian",) * 3, at_hand, [one.id for one in sud])
    assert [one.id for one in rest] == ["H", "AH-inf-2", "AH-inf-3"]
    assert [one for one in place_corps(view, rest, "17.8") if getattr(one, "subject", "") == "AH-inf-2"] == [
        Change("nation", "AH-inf-2", None, "austro-hungarian", "17.8"),
        Change("arm", "AH-inf-2", None, "infantry", "17.8"),
        Change("size", "AH-inf-2", None, "XXX", "17.8"),
    ]


@pytest.mark.rule("10.1", "14.16")
def test_corps_that_enter_and_leave_the_map_are_counted_where_the_position_keeps_a_count() -> None:
    view = viewed(f"{GAME}{ARMIES}nation german spare-corps=1\n")
    german, other = army(view, "Ger-8"), army(view, "AH-3")
    corps = [replace(german, id=name, size="XXX") for name in ("G-1", "G-2")]
    assert [*count_off(view, corps, 1, "5.1")] == [Gain("spare-corps", "german", 2, "5.1")]
    assert [*count_off(view, corps, -1, "9.4")] == [Gain("spare-corps", "german", -1, "9.4")], "never below none"
    cavalry = replace(corps[0], arm="cavalry")
    assert [*count_off(view, [german, replace(other, size="XXX"), cavalry], 1, "5.1")] == []


@pytest.mark.rule("10.6", "14.16", "17.8")
def test_armies_with_corps_break_down_and_nothing_else_does() -> None:
    view = viewed(f"{GAME}{ARMIES}2640: Rom-1\n2641: german infantry XXX Corps\n2642: german infantry abteilung Abt\n")
    assert [name for name in ("AH-3", "Abt", "Rom-1", "Corps") if breaks_down(army(view, name))] == ["AH-3", "Abt"]
    nations = ("romanian", "bolshevik", "german", "russian", "bulgarian")
    assert [one for one in nations if is_alone(one)] == ["romanian", "bolshevik"]
