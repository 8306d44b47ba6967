"""Units as plain values on the side that is up, and armies with the corps that take their place (2.2 to 2.7, 10, 14.16)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from assistant.asking import MissingFacts
from assistant.asking.view import View
from assistant.rules.field import side_of
from assistant.state.changes import Change, Gain
from kaisers_war_in_the_east.forces import (
    Formation,
    available_corps,
    breaks_down,
    corps_at_hand,
    corps_of,
    count_off,
    formation,
    formation_taken,
    is_alone,
    kind_of,
    place_corps,
    waiting_corps,
)

from ...conftest import viewed, why_not
from ..asking import kaiser

GAME = "game kaisers-war-in-the-east\n"
UNITS = """2620: Ger-8 (12-14-5), Ober-Ost (8-2-3) back-attack=10 back-defence=3 back-movement=4, CP-supply-1 (?-1-3), german airbase - Air (2-1-2)
2622: Varna (?-6-?), german infantry XXX Siege (3-1-2) support
"""


def values(unit: str, more: str = "", **how: object) -> Formation:
    """A unit of the position above."""
    view = viewed(GAME + UNITS + more)
    with view.gather() as facts:
        return formation(facts, view.unit(unit), **how)  # type: ignore[arg-type]


@pytest.mark.rule("2.4", "2.5", "2.7")
def test_a_unit_is_what_its_counter_says_on_the_side_that_is_up() -> None:
    army = values("Ger-8")
    assert (army.nation, army.arm, army.size, army.place) == ("german", "infantry", "XXXX", "2620")
    assert (army.attack, army.defence, army.movement, army.support) == (12, 14, 5, False)
    assert values("Varna") == Formation(
        id="Varna", nation="bulgarian", arm="fortress", size="-", place="2622", defence=6
    )
    supply = values("CP-supply-1")
    assert (supply.attack, supply.defence, supply.movement, supply.support) == (0, 1, 3, False)
    assert (values("Ober-Ost").attack, values("Ober-Ost").movement) == (8, 3)
    back = values("Ober-Ost", "Ober-Ost reversed\n")
    assert (back.attack, back.defence, back.movement) == (10, 3, 4)
    assert values("Ger-8", factors=["defence"]) == Formation(
        id="Ger-8", nation="german", arm="infantry", size="XXXX", place="2620", defence=14
    )
    bare = values("Ober-Ost", fights=False)
    assert (bare.attack, bare.support) == (0, False)
    assert [values(unit).support for unit in ("Ober-Ost", "Air", "Siege", "Ger-8")] == [True, True, True, False]


@pytest.mark.rule("2.4", "2.5", "2.7")
def test_a_factor_that_is_not_stated_is_1_but_where_a_counter_may_print_none() -> None:
    bare = "german infantry XXX Bare, bulgarian cavalry X Part (3-?-?), german airbase - Air (?-2-?)"
    view = viewed(f"{GAME}2620: {bare}\n")

    def read_formation(unit: str, needed: tuple[str, ...] = (), doubtful: tuple[str, ...] = ()) -> Formation:
        with view.gather() as facts:
            return formation_taken(facts, view.unit(unit), needed, doubtful)

    def lacking(*asked: object) -> list[object]:
        with pytest.raises(MissingFacts) as missing:
            read_formation(*asked)  # type: ignore[arg-type]
        return [ask.key for ask in missing.value.asks]

    corps = Formation(id="Bare", nation="german", arm="infantry", size="XXX", place="2620", attack=1, movement=1)
    brigade = Formation(id="Part", nation="bulgarian", arm="cavalry", size="X", place="2620", attack=3, movement=1)
    planes = Formation(id="Air", nation="german", arm="airbase", size="-", place="2620", defence=2, support=True)
    assert [read_formation("Bare"), read_formation("Part"), read_formation("Air")] == [corps, brigade, planes]
    assert (read_formation("Bare", (), ("movement",)), read_formation("Part", ("attack",))) == (corps, brigade)
    assert lacking("Bare", ("attack",)) == [("attack", "Bare")]
    assert lacking("Air", ("attack",), ("movement",)) == [("attack", "Air"), ("movement", "Air")]


@pytest.mark.rule("2.5")
@pytest.mark.parametrize(
    ("arm", "size", "kind"),
    [
        ("infantry", "XXXX", "army"),
        ("infantry", "abteilung", "abteilung"),
        ("cavalry", "XXX", "corps"),
        ("infantry", "XX", "other"),
        ("infantry", "X", "other"),
        ("headquarters", "XXXXX", "headquarters"),
        ("fortress", "-", "fortress"),
        ("supply", "-", "supply"),
        ("armoured-train", "-", "other"),
        ("armoured-train", "XXX", "other"),
        ("airbase", "XXX", "other"),
    ],
)
def test_what_the_charts_call_a_unit_by_its_size(arm: str, size: str, kind: str) -> None:
    assert kind_of(arm, size) == kind


POWERS = ("german", "austro-hungarian", "bulgarian", "turkish", "nationalist")
ENTENTE = ("russian", "romanian", "czech", "british", "bolshevik")


@pytest.mark.rule("2.2", "2.7", "7.2")
@pytest.mark.parametrize(("side", "nations"), [("central-powers", POWERS), ("allies", ENTENTE)])
def test_all_nations_of_a_side_are_friends(side: str, nations: tuple[str, ...]) -> None:
    placed = ", ".join(f"{nation} infantry XXX {nation[:3].title()}" for nation in nations)
    view = viewed(f"{GAME}2620: {placed}\n")
    with view.gather() as facts:
        assert {side_of(facts, unit) for unit in view.stack("2620")} == {side}


@pytest.mark.rule("2.2")
def test_a_helper_of_the_enemy_supports_nobody() -> None:
    attack = "turn=10\n2620 clear: Rus-2 (10-12-4)\n2621: AH-4 (12-12-4)\n2620|2621 open\n"
    both = "2622: {} headquarters XXXXX Staff (5-1-2) radius=3\n"
    assert why_not(kaiser(attack + both.format("austro-hungarian"), "battle", at="2620", hq="Staff")) == []
    assert "19.1" in why_not(
        kaiser(attack.replace("2621:", "2621: ") + both.format("russian"), "battle", at="2620", hq="Staff")
    )
    supply = "2622: {} supply - Wagons radius=3\n"
    assert why_not(kaiser(attack + supply.format("bulgarian"), "battle", at="2620", supply=["Wagons"])) == []
    assert "17.9" in why_not(kaiser(attack + supply.format("romanian"), "battle", at="2620", supply=["Wagons"]))


CHARTED = "game kaisers-war-in-the-east\nchart reorganization austro-hungarian infantry-army = 3\n"
ARMIES = "2622: AH-3\n2623: Sud\n2624: Ger-8\n2630: Bul-3\n"


def army(view: View, name: str) -> Formation:
    with view.gather() as facts:
        return formation(facts, view.unit(name), fights=False)


def corps(name: str, more: str = "") -> int:
    view = viewed(CHARTED + ARMIES + more)
    with view.gather() as facts:
        return len(corps_of(facts, army(view, name)) or ())


@pytest.mark.rule("10.0", "10.1", "21.1")
def test_an_army_is_as_many_corps_of_its_nations_as_the_chart_says() -> None:
    with pytest.raises(MissingFacts) as missing:
        corps("Bul-3")
    assert [ask.key for ask in missing.value.asks] == [("reorganization", "bulgarian", "infantry-army")]
    view = viewed(CHARTED + ARMIES)
    assert corps_of(view, army(view, "AH-3")) == ("austro-hungarian",) * 3
    assert corps_of(view, army(view, "Sud")) == ("german", "austro-hungarian")
    assert corps_of(view, army(view, "Ger-8")) == ("german",) * 3
    assert corps_of(view, army(view, "Bul-3")) is None


@pytest.mark.rule("10.1", "14.16")
@pytest.mark.parametrize(
    ("stated", "left"), [("", 3), ("spare-corps=2", 2), ("spare-corps=0", 0), ("spare-corps=5", 3)]
)
def test_no_more_corps_take_its_place_than_are_off_the_map(stated: str, left: int) -> None:
    view = viewed(f"{CHARTED}{ARMIES}" + (f"nation austro-hungarian {stated}\n" if stated else ""))
    at_hand = corps_at_hand(view, [("austro-hungarian", "infantry")] * 3)
    corps = available_corps(army(view, "AH-3"), ("austro-hungarian",) * 3, at_hand)
    assert [one.id for one in corps] == ["AH-inf-1", "AH-inf-2", "AH-inf-3"][:left]
    assert {(one.nation, one.arm, one.size, one.place) for one in corps} <= {
        ("austro-hungarian", "infantry", "XXX", "2622")
    }


@pytest.mark.rule("10.1", "14.16")
def test_what_other_armies_were_given_is_gone_and_only_infantry_is_counted() -> None:
    view = viewed(f"{CHARTED}{ARMIES}2640: german cavalry XXXX Cav\nnation german spare-corps=2\n")
    both = ("german", "austro-hungarian")
    kinds = [("german", "infantry"), ("german", "infantry"), ("austro-hungarian", "infantry"), ("german", "cavalry")]
    at_hand = corps_at_hand(view, kinds)

    def corps(name: str, nations: tuple[str, ...], used: tuple[str, ...] = ()) -> list[str]:
        return [one.id for one in available_corps(army(view, name), nations, at_hand, used)]

    assert corps("Sud", both, ("Ger-inf-1",)) == ["Ger-inf-2", "AH-inf-1"]
    assert corps("Sud", both, ("Ger-inf-1", "Ger-inf-2")) == ["AH-inf-1"]
    assert corps("Cav", ("german",)) == ["Ger-cav-1"]
    none = viewed(f"{CHARTED}nation german spare-corps=0\n")
    assert corps_at_hand(none, kinds[-1:]) == {("german", "cavalry"): ("Ger-cav-1",)}


@pytest.mark.rule("10.1", "21.1")
def test_corps_off_the_map_are_placed_once_each() -> None:
    off = 'Available: AH-inf-1, german infantry XXX G\n"Dead Pile": austro-hungarian infantry XXX H\n'
    view = viewed(f"{CHARTED}{ARMIES}{off}2640: austro-hungarian infantry XXX On\n")
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
    view = viewed(f"{CHARTED}{ARMIES}nation german spare-corps=1\n")
    german, other = army(view, "Ger-8"), army(view, "AH-3")
    corps = [replace(german, id=name, size="XXX") for name in ("G-1", "G-2")]
    assert [*count_off(view, corps, 1, "5.1")] == [Gain("spare-corps", "german", 2, "5.1")]
    assert [*count_off(view, corps, -1, "9.4")] == [Gain("spare-corps", "german", -1, "9.4")], "never below none"
    cavalry = replace(corps[0], arm="cavalry")
    assert [*count_off(view, [german, replace(other, size="XXX"), cavalry], 1, "5.1")] == []


@pytest.mark.rule("10.6", "14.16", "17.8")
def test_armies_with_corps_break_down_and_nothing_else_does() -> None:
    view = viewed(
        f"{CHARTED}{ARMIES}2640: Rom-1\n2641: german infantry XXX Corps\n2642: german infantry abteilung Abt\n"
    )
    assert [name for name in ("AH-3", "Abt", "Rom-1", "Corps") if breaks_down(army(view, name))] == ["AH-3", "Abt"]
    nations = ("romanian", "bolshevik", "german", "russian", "bulgarian")
    assert [one for one in nations if is_alone(one)] == ["romanian", "bolshevik"]
