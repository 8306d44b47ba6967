"""Armies and the corps that take their place."""

from __future__ import annotations

import pytest

from assistant.questions import MissingFacts
from assistant.questions.view import View
from kaisers_war_in_the_east.forces.armies import (
    available,
    breaks_down,
    corps_of,
    corps_placed,
    counted,
    is_alone,
    waiting_corps,
)
from kaisers_war_in_the_east.forces.units import Formation, formation

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
def test_an_army_is_as_many_corps_as_the_chart_says_and_the_sud_army_one_of_each_nation() -> None:
    assert (corps("AH-3"), corps("Sud"), corps("Ger-8")) == (3, 2, 3)
    with pytest.raises(MissingFacts) as missing:
        corps("Bul-3")
    assert [ask.key for ask in missing.value.asks] == [("reorganization", "bulgarian", "infantry-army")]


@pytest.mark.rule("10.0", "10.1", "21.1")
def test_the_nations_of_the_corps_of_an_army() -> None:
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
    wanted = ("austro-hungarian",) * 3
    assert len(available(army(view, "AH-3"), wanted, counted(view, wanted))) == left


@pytest.mark.rule("10.1", "14.16")
def test_what_other_armies_were_given_is_gone_and_only_infantry_is_counted() -> None:
    view = viewed(f"{GAME}{ARMIES}2640: german cavalry XXXX Cav\n")
    sud, cavalry = army(view, "Sud"), army(view, "Cav")
    assert available(sud, ("german", "austro-hungarian"), {"german": 2}, ["german"]) == ("german", "austro-hungarian")
    assert available(sud, ("german", "austro-hungarian"), {"german": 2}, ["german"] * 2) == ("austro-hungarian",)
    assert available(cavalry, ("german",), {"german": 0}) == ("german",)


@pytest.mark.rule("10.1", "21.1")
def test_corps_off_the_map_are_placed_once_each() -> None:
    off = 'Available: AH-inf-1, german infantry XXX G\n"Dead Pile": austro-hungarian infantry XXX H\n'
    view = viewed(f"{GAME}{ARMIES}{off}2640: austro-hungarian infantry XXX On\n")
    assert waiting_corps(view, "austro-hungarian", "infantry") == ["AH-inf-1", "H"]
    taken = set[str]()
    sud = corps_placed(view, army(view, "Sud"), ("german", "austro-hungarian"), taken, "17.8")
    assert [(one.subject, one.after, one.rule) for one in sud] == [("G", "2623", "17.8"), ("AH-inf-1", "2623", "17.8")]
    rest = corps_placed(view, army(view, "AH-3"), ("austro-hungarian",) * 3, taken, "17.8")
    assert [(one.subject, one.after) for one in rest] == [("H", "2622")]
    assert taken == {"AH-inf-1", "G", "H"}


@pytest.mark.rule("10.6")
def test_romanian_and_bolshevik_armies_have_no_corps() -> None:
    nations = ("romanian", "bolshevik", "german", "russian", "bulgarian")
    assert [one for one in nations if is_alone(one)] == ["romanian", "bolshevik"]


@pytest.mark.rule("10.6", "14.16", "17.8")
def test_armies_with_corps_break_down_and_nothing_else_does() -> None:
    view = viewed(f"{GAME}{ARMIES}2640: Rom-1\n2641: german infantry XXX Corps\n2642: german infantry abteilung Abt\n")
    assert [name for name in ("AH-3", "Abt", "Rom-1", "Corps") if breaks_down(army(view, name))] == ["AH-3", "Abt"]
