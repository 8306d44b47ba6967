"""Where reinforcements may be placed (9.4, 9.6 to 9.8, 23.1, 23.2)."""

from __future__ import annotations

import pytest

from ..asking import kaiser, values, why_not

GROUND = """turn=20
scenario=1914
phasing=allies
side allies vp=60
side central-powers vp=60
2418 city country=russia objective
2010 city country=germany objective
2622 city country=austria-hungary objective
2701 city country=austria-hungary objective=no
3401 city country=austria-hungary objective=no
3410 city country=bulgaria objective=no
3420 map-edge city=no country=bulgaria objective=no
3010 city country=romania objective=no
3040 map-edge city=no country=russia objective=no
2430 city=no map-edge=no country=russia objective=no
"""


def placing(unit: str, at: str, text: str = "", **given: object) -> list[str]:
    """The rules that bar a unit from a hex."""
    return why_not(kaiser(GROUND + text, "place", unit=unit, at=at, **given))


@pytest.mark.rule("9.4/1", "9.4/2")
def test_cities_and_map_edges_of_the_own_country() -> None:
    rus = "Rus-6 arrives=20"
    assert placing("Rus-6", "2418", rus) == []
    assert placing("Rus-6", "3040", rus) == []
    assert placing("Rus-6", "2430", rus) == ["9.4"]
    assert placing("Rus-6", "2622", rus + "\n2622 control=allies") == ["9.4"]
    assert placing("Rus-6", "2418", rus + "\n2418 control=central-powers") == ["9.4"]


@pytest.mark.rule("9.7")
def test_neither_enemies_nor_their_zones_nor_the_sea() -> None:
    rus = "Rus-6 arrives=20\n"
    assert placing("Rus-6", "2418", rus + "2418: Ger-8 (8-8-4)") == ["9.7", "9.4"]
    assert placing("Rus-6", "2418", rus + "2419: Ger-8 (8-8-4)") == ["9.7"]
    assert placing("Rus-6", "2418", rus + "2419: Ger-8 (8-8-0)") == []
    assert placing("Rus-6", "2418", rus + "2418 terrain=all-sea") == ["9.7"]
    early = GROUND.replace("turn=20", "turn=5") + "Rom-4 arrives=5"
    assert why_not(kaiser(early, "place", unit="Rom-4", at="3010")) == ["9.7", "9.4"]


@pytest.mark.rule("9.6")
def test_a_hex_takes_one_army_or_three_others_a_phase() -> None:
    rus = "Rus-6 arrives=20\nRus-cav-1 arrives=20\n"
    assert placing("Rus-cav-1", "2418", rus + "2418: Rus-7 placed (1-1-1)") == ["9.6"]
    assert placing("Rus-6", "2418", rus + "2418: Rus-inf-1 placed (1-1-1)") == ["9.6"]
    two = "2418: Rus-inf-1 placed (1-1-1), Rus-inf-2 placed (1-1-1)"
    assert placing("Rus-cav-1", "2418", rus + two) == []
    assert placing("Rus-cav-1", "2418", rus + two + ", Rus-inf-3 placed (1-1-1)") == ["9.6"]
    assert placing("Rus-6", "2418", rus + "2418: Rus-7 (1-1-1)") == []
    assert placing("Allied-supply-1", "2418", "2418: Rus-7 placed (1-1-1)") == []
    assert placing("Rus-6", "2418", rus + "2418: Allied-supply-1 placed radius=3") == []


@pytest.mark.rule("9.4/3")
def test_supply_units_in_any_country_of_their_side_and_in_captured_objectives() -> None:
    ours = GROUND.replace("phasing=allies", "phasing=central-powers")

    def supply(at: str, text: str = "") -> list[str]:
        return why_not(kaiser(ours + text, "place", unit="CP-supply-1", at=at))

    assert supply("2010") == supply("2622") == supply("3410") == []
    assert supply("2418", "2418 control=central-powers") == []
    assert supply("3040", "3040 control=central-powers") == ["9.4"]


@pytest.mark.rule("9.8/CP", "9.8/AL", "23.1/1", "23.1/2")
def test_countries_make_so_many_supply_units_a_turn() -> None:
    ours = GROUND.replace("phasing=allies", "phasing=central-powers")
    made = "2701: CP-supply-1 placed radius=3\n"

    def supply(at: str, text: str) -> list[str]:
        return why_not(kaiser(ours + text, "place", unit="CP-supply-4", at=at))

    assert supply("2622", made) == []
    assert supply("2622", made + "3401: CP-supply-2 placed radius=3") == ["9.8"]
    assert supply("3410", "3410: CP-supply-1 placed radius=3") == ["9.8"]
    assert (
        supply("2010", "2010: CP-supply-1 placed radius=3, CP-supply-2 placed radius=3, CP-supply-3 placed radius=3")
        == []
    )
    assert placing("Allied-supply-2", "3010", "3010: Allied-supply-1 placed radius=3") == ["9.8"]


@pytest.mark.rule("9.4/4", "23.1/1", "23.1/2", "23.2", "21.5")
def test_balkan_units_in_cities_and_turks_by_the_map_edge() -> None:
    ours = GROUND.replace("phasing=allies", "phasing=central-powers").replace("turn=20", "turn=19")
    assert why_not(kaiser(ours, "place", unit="Turk-1", at="3420")) == []
    assert why_not(kaiser(ours + "3410 map-edge=no", "place", unit="Turk-1", at="3410")) == ["23.2"]
    assert why_not(kaiser(ours, "place", unit="Mackensen", at="3420")) == []
    assert why_not(kaiser(ours + '"Bul-4" bulgarian infantry XXXX arrives=19', "place", unit="Bul-4", at="3420")) == [
        "23.1"
    ]
    assert placing("Rom-4", "3010", "Rom-4 arrives=20") == []


@pytest.mark.rule("9.2", "9.4", "10.4", "9.3/armies")
def test_a_unit_comes_when_it_is_due_and_not_before() -> None:
    early = GROUND.replace("turn=20", "turn=1")
    assert why_not(kaiser(early, "place", unit="Rus-9", at="2418")) == ["9.2"]
    due = kaiser(GROUND.replace("turn=20", "turn=2"), "place", unit="Rus-9", at="2418")
    assert values(due) == {("place", "Rus-9"): "2418", ("placed", "Rus-9"): True, ("met", "Rus-9"): True}
    assert placing("Rus-12", "2418") == ["9.2"]
    assert placing("Rus-9", "2418", "2430: Rus-9 (1-1-1)") == ["9.5", "9.2"]


@pytest.mark.rule("Opt/CzLeg", "Opt/Bolshevik-reinf", "Opt/AEFR", "9.4/4")
def test_units_of_optional_rules_enter_where_these_say() -> None:
    czech = "2430 country=russia\n"
    assert placing("Cz-Leg", "2430", czech) == ["Opt/CzLeg"]
    assert placing("Cz-Leg", "2430", czech + "2430|2431 rail") == []
    red = "revolution=2"
    assert placing("RG", "2418", red) == []
    assert placing("RG", "2430", red) == ["Opt/Bolshevik-reinf"]
    aefr = "AEFR arrives=20"
    assert placing("AEFR", "3040", aefr) == []
    assert placing("AEFR", "2418", aefr + "\n2418 map-edge=no") == ["Opt/AEFR"]


@pytest.mark.rule("9.11")
def test_demobilization_needs_general_supply() -> None:
    text = "turn=3\n2418: Rus-inf-1 (1-1-1)\n"
    near = text + "2419: Allied-supply-1 radius=3\n"
    done = kaiser(near, "demobilize", unit="Rus-inf-1")
    assert values(done) == {("place", "Rus-inf-1"): "Available", ("demobilized", "Rus-inf-1"): True}
    assert done.result.source == "Allied-supply-1"
    assert why_not(kaiser(near + "phase=movement", "demobilize", unit="Rus-inf-1")) == ["9.11"]
    assert why_not(kaiser(near + "phasing=central-powers", "demobilize", unit="Rus-inf-1")) == ["9.11"]
    assert why_not(kaiser(text + "Rus-inf-1 supply=out", "demobilize", unit="Rus-inf-1")) == ["9.11"]
    assert why_not(kaiser(text, "demobilize", unit="Rus-inf-1")) == ["9.11"]
    far = kaiser(text + "2430: Allied-supply-1 radius=3", "demobilize", unit="Rus-inf-1")
    assert far.verdict.kind == "undecided"
