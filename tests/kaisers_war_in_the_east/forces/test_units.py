"""Units as plain values: nation, type, size, and the factors of the side that is up (2.2, 2.4, 2.5, 2.7)."""

from __future__ import annotations

import pytest

from assistant.asking import MissingFacts
from assistant.rules.field import side_of
from kaisers_war_in_the_east.forces import Formation, formation, formation_taken, kind_of

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
