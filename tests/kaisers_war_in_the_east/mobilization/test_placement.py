"""Where reinforcements may be placed (9.4, 9.6 to 9.8, 23.1, 23.2)."""

from __future__ import annotations

import pytest

from assistant.util.errors import InputError
from kaisers_war_in_the_east.mobilization.question import Placing

from ...conftest import told, values, why_not
from ..asking import kaiser

GROUND = """turn=20
options=czech-legion+expeditionary-force+revolutions
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
3420 map-edge edge=south city=no country=bulgaria objective=no
3010 city country=romania objective=no
3040 map-edge edge=north city=no country=russia objective=no
2430 city=no map-edge=no country=russia objective=no
"""


def placing(unit: str, at: str, text: str = "", **given: object) -> list[str]:
    """The rules that bar a unit from a hex."""
    return why_not(kaiser(GROUND + text, "place", unit=unit, at=at, **given))


@pytest.mark.rule("9.4/1", "9.4/2", "9.4/3")
def test_units_enter_in_cities_and_at_map_edges_of_their_own_country() -> None:
    rus = "Rus-6 arrives=20\n"
    assert placing("Rus-6", "2418", rus) == []
    assert placing("Rus-6", "3040", rus) == []
    assert placing("Rus-6", "2430", rus) == ["9.4"]
    assert bars("Rus-6", "2430", rus) == ["2430 is neither a city nor a map edge with a railroad"]
    assert bars("Rus-6", "2622", rus + "2622 control=allies") == ["2622 is not in the country of Rus-6"]
    assert bars("Rus-6", "2418", rus + "2418 control=central-powers") == ["the Allies do not control 2418"]
    supply = "supply units enter only in cities and at map edges of their side, and in captured Strategic Objectives"
    assert bars("CP-supply-1", "3040", "3040 control=central-powers", OURS) == [supply]
    plain = "2011 city=no map-edge=no country=germany objective"
    assert bars("CP-supply-1", "2011", plain, OURS) == [supply]
    assert bars("CP-supply-1", "2011", plain.replace("city=no", "city"), OURS) == []
    assert bars("CP-supply-1", "2011", plain.replace("map-edge=no", "map-edge"), OURS) == []


@pytest.mark.rule("9.7", "9.2")
def test_neither_enemies_nor_their_zones_nor_the_sea() -> None:
    rus = "Rus-6 arrives=20\n"
    assert placing("Rus-6", "2418", rus + "2418: Ger-8 (8-8-4)") == ["9.7", "9.4"]
    assert placing("Rus-6", "2418", rus + "2419: Ger-8 (8-8-0)") == []
    early = GROUND.replace("turn=20", "turn=5") + "Rom-4 arrives=5"
    assert why_not(kaiser(early, "place", unit="Rom-4", at="3010")) == ["9.7", "9.4"]
    assert bars("Rus-6", "2418", rus + "2418: Ger-8 (8-8-4)")[0] == "enemy units are in 2418"
    assert bars("Rus-6", "2418", rus + "2418: Rus-7 (1-1-1)\n2419: Ger-8 (8-8-4)") == [
        "2418 lies in the zone of control of Ger-8"
    ]
    assert bars("Rus-6", "2418", rus + "2418 terrain=all-sea") == ["2418 is an all-sea hex"]
    assert bars("Rus-6", "2418", rus + "2418: Rus-7 (1-1-1)") == []


@pytest.mark.rule("9.6")
def test_a_hex_takes_one_army_or_headquarters_or_three_others_a_phase() -> None:
    rus = "Rus-6 arrives=20\nRus-cav-1 arrives=20\n"
    assert placing("Rus-cav-1", "2418", rus + "2418: Rus-7 placed (1-1-1)") == ["9.6"]
    assert placing("Rus-6", "2418", rus + "2418: Rus-inf-1 placed (1-1-1)") == ["9.6"]
    two = "2418: Rus-inf-1 placed (1-1-1), Rus-inf-2 placed (1-1-1)"
    assert placing("Rus-cav-1", "2418", rus + two) == []
    assert placing("Rus-cav-1", "2418", rus + two + ", Rus-inf-3 placed (1-1-1)") == ["9.6"]
    assert placing("Rus-6", "2418", rus + "2418: Rus-7 (1-1-1)") == []
    assert placing("Allied-supply-1", "2418", "2418: Rus-7 placed (1-1-1)") == []
    assert placing("Rus-6", "2418", rus + "2418: Allied-supply-1 placed radius=3") == []
    rus = "Rus-6 arrives=20\nRus-inf-4 arrives=20 russian infantry XXX\n"
    full = "{} entered in 2418 this phase: a hex takes only one Headquarters or army, or three other units"
    assert bars("Rus-6", "2418", rus + "2418: Rus-W placed (1-1-1)") == [full.format("Rus-W")]
    assert bars("Rus-inf-4", "2418", rus + "2418: Rus-W placed (1-1-1)") == [full.format("Rus-W")]
    assert bars("Rus-inf-4", "2418", rus + "2430: Rus-W placed (1-1-1)") == []
    assert bars("Rus-NW", "2418", "Rus-NW arrives=20\n2418: Rus-inf-1 placed (1-1-1)") == [full.format("Rus-inf-1")]


@pytest.mark.rule("9.4/3", "Opt/Bolshevik-reinf")
def test_supply_units_in_any_country_of_their_side_and_in_captured_objectives() -> None:
    ours = GROUND.replace("phasing=allies", "phasing=central-powers")

    def supply(at: str, text: str = "") -> list[str]:
        return why_not(kaiser(ours + text, "place", unit="CP-supply-1", at=at))

    assert supply("2010") == supply("2622") == supply("3410") == []
    assert supply("2418", "2418 control=central-powers") == []
    assert supply("3040", "3040 control=central-powers") == ["9.4"]


@pytest.mark.rule("9.4/4", "23.1/1", "23.1/2", "23.2", "21.5")
def test_balkan_units_in_cities_and_turks_by_the_map_edge() -> None:
    ours = GROUND.replace("phasing=allies", "phasing=central-powers").replace("turn=20", "turn=19")
    assert why_not(kaiser(ours, "place", unit="Turk-1", at="3420")) == []
    assert why_not(kaiser(ours, "place", unit="Mackensen", at="3420")) == []
    assert why_not(kaiser(ours + '"Bul-4" bulgarian infantry XXXX arrives=19', "place", unit="Bul-4", at="3420")) == [
        "23.1"
    ]
    assert placing("Rom-4", "3010", "Rom-4 arrives=20") == []


@pytest.mark.rule("9.2", "9.4", "10.4", "9.3/armies", "Opt/Rev2-effects")
def test_a_unit_comes_when_it_is_due_and_not_before() -> None:
    early = GROUND.replace("turn=20", "turn=1")
    mine = kaiser(early, "place", unit="X", at="2418", kind="infantry-corps", nation="russian")
    assert (why_not(mine), mine.result) == (["9.2"], Placing(unit="X", at="2418", allowed=False))
    due = kaiser(GROUND.replace("turn=20", "turn=2"), "place", unit="Rus-9", at="2418")
    assert values(due) == {("place", "Rus-9"): "2418", ("placed", "Rus-9"): True, ("met", "Rus-9"): True}
    assert placing("Rus-9", "2418", "2430: Rus-9 (1-1-1)") == ["9.5"]
    corps = kaiser(GROUND + "Rus-inf-1 arrives=20", "place", unit="Rus-inf-1", at="2418")
    assert values(corps) == {
        ("place", "Rus-inf-1"): "2418",
        ("placed", "Rus-inf-1"): True,
        ("arrives", "Rus-inf-1"): None,
    }
    assert told(corps, "Placement") == ["it may be placed in 2418, at no cost in Victory or Movement Points"]
    assert bars("Rus-9", "2418", "", GROUND.replace("turn=20", "turn=1")) == ["Rus-9 arrives in turn 2"]
    assert bars("Rus-12", "2418") == ["Rus-12 is not due (if the Turn Record Chart lists it, state arrives=TURN)"]
    assert bars("Rus-6", "2418", "Rus-6 arrives=20\nrevolution=2") == [
        "no units of the old armies arrive after the Second Revolution"
    ]
    assert bars("RG", "2418", "revolution=2") == []
    assert bars("Cz-Leg", "2430", "2430|2431 rail") == []
    assert why_not(kaiser(OURS + "Ger-9 arrives=20\nrevolution=2", "place", unit="Ger-9", at="2010")) == []


@pytest.mark.rule("Opt/CzLeg", "Opt/Bolshevik-reinf", "Opt/AEFR", "9.4/4", "9.4/3", "Opt/Volunteer")
def test_units_of_optional_rules_partisans_and_volunteers_enter_where_these_say() -> None:
    czech = "2430 country=russia\n"
    assert placing("Cz-Leg", "2430", czech + "2430|2431 rail") == []
    red = "revolution=2"
    assert placing("RG", "2418", red) == []
    aefr = "AEFR arrives=20"
    assert placing("AEFR", "3040", aefr) == []
    assert placing("AEFR", "2010", aefr + "\n2010 edge=north control=allies") == []
    asked = kaiser(GROUND + aefr, "place", unit="AEFR", at="2418")
    assert [ask.how for ask in asked.asks] == ["2418 edge=none|north|east|south|west"]
    assert placing("AEFR", "2418", aefr + "\n2418 edge=none") == ["Opt/AEFR"]
    red = "revolution=2\n"
    given = {"kind": "infantry-corps", "nation": "bolshevik"}
    assert placing("Reds", "2430", red, **given) == ["Opt/Bolshevik-reinf"]
    partisan = red + '"Kuban" bolshevik partisan X arrives=20\n2430 control=central-powers\n'
    assert placing("Kuban", "2430", partisan) == []
    assert bars("Kuban", "2010", partisan) == ["Kuban enters in Russia"]
    assert placing("Kuban", "2430", partisan + "2430: Ger-8 (8-8-4)") == ["9.7"]
    assert placing("Kuban", "2430", partisan + "2431: Ger-8 (8-8-4)") == ["9.7"]
    text = GROUND.replace("turn=20", "turn=24").replace("allies vp=60", "allies vp=20") + "options=volunteers\n"
    text = text.replace("phasing=allies", "phasing=central-powers")

    def why(name: str, more: str = "") -> list[str]:
        named = f"{text}2418 named={name}\n{more}"
        return told(kaiser(named, "mobilize", unit="Vol-inf", at="2418"), "Not allowed")

    assert why("Kharkov") == why("Abo") == []
    assert why("Minsk") == ["volunteers enter in Abo, Helsinki, Reval, Riga, Warsaw, Kiev, Kharkov, Sevastopol"]
    assert why("Riga", "2418: Rus-7 (1-1-1)") == ["enemy units are in 2418"]


@pytest.mark.rule("9.11")
def test_demobilization_needs_general_supply() -> None:
    text = "turn=3\n2418: Rus-inf-1 (1-1-1)\n"
    near = text + "2419: Allied-supply-1 radius=3\n"
    done = kaiser(near, "demobilize", unit="Rus-inf-1")
    assert values(done) == {("place", "Rus-inf-1"): "Available", ("demobilized", "Rus-inf-1"): True}
    assert done.result.source == "Allied-supply-1"
    assert why_not(kaiser(near + "phase=movement", "demobilize", unit="Rus-inf-1")) == ["9.11"]
    assert why_not(kaiser(near + "phasing=central-powers", "demobilize", unit="Rus-inf-1")) == ["9.11"]
    assert why_not(kaiser(text, "demobilize", unit="Rus-inf-1")) == ["9.11"]
    far = kaiser(text + "2430: Allied-supply-1 radius=3", "demobilize", unit="Rus-inf-1")
    assert far.verdict.kind == "undecided"
    text = "turn=3\n2418: Rus-inf-1 supply=out (1-1-1)\nAvailable: Rus-inf-2\n"
    report = kaiser(text, "demobilize", unit="Rus-inf-1")
    assert told(report) == ["Rus-inf-1 cannot trace General Supply: as stated"]
    assert (report.result.allowed, report.result.source) == (False, "")
    for unit in ("Rus-inf-2", "Rus-inf-3"):
        with pytest.raises(InputError, match=f"unit: {unit} is not on the map"):
            kaiser(text + "Rus-inf-3 arrives=9", "demobilize", unit=unit)
    text = "turn=3\n2417: Rus-inf-1\n2419: Allied-supply-1 radius=3\nnation russian spare-corps=2\n"
    report = kaiser(text, "demobilize", unit="Rus-inf-1")
    assert values(report)["spare-corps", "russian"] == 1
    assert told(report) == [
        "2419, 2418, 2417 assumed to be neither marsh nor sea (terrain not stated)",
        "2419, 2418, 2417 assumed to lie in no neutral country (country not stated)",
    ]


# --- told whole -------------------------------------------------------------------------------------------------------


def bars(unit: str, at: str, text: str = "", ground: str = GROUND, **given: object) -> list[str]:
    """Why a unit may not be placed in a hex, in words."""
    report = kaiser(ground + text, "place", unit=unit, at=at, **given)
    return told(report, "Not allowed")


OURS = GROUND.replace("phasing=allies", "phasing=central-powers")


@pytest.mark.rule("9.8/CP", "9.8/AL", "23.1/1", "23.1/2", "Opt/Bolshevik-reinf", "9.2")
def test_supply_units_are_counted_by_country_and_at_no_cost() -> None:
    made = "2701: CP-supply-1 placed radius=3\n"
    assert bars("CP-supply-4", "2622", made, OURS) == []
    made += "3401: CP-supply-2 placed radius=3\n"
    assert bars("CP-supply-4", "2622", made, OURS) == [
        "CP-supply-1, CP-supply-2 have already been placed in austria-hungary, where only 2 may be placed per turn"
    ]
    assert bars("CP-supply-4", "3410", made, OURS) == []
    three = ", ".join(f"CP-supply-{number} placed radius=3" for number in (1, 2, 3))
    assert bars("CP-supply-4", "2010", f"2010: {three}", OURS) == []
    assert placing("Allied-supply-2", "3010", "3010: Allied-supply-1 placed radius=3") == ["9.8"]
    assert bars("CP-supply-4", "3410", "3410: CP-supply-1 placed radius=3", OURS) == [
        "CP-supply-1 have already been placed in bulgaria, where only 1 may be placed per turn"
    ]
    captured = (
        "2622 control=allies\n2701 control=allies: Allied-supply-1 placed radius=3, Allied-supply-3 placed radius=3\n"
    )
    assert bars("Allied-supply-2", "2622", captured) == []
    assert bars("Allied-supply-2", "3010", "") == []
    early = GROUND.replace("turn=20", "turn=1")
    assert bars("Allied-supply-2", "2418", "", early) == []
    came = "2430: Allied-supply-1 placed received radius=3\n"
    assert bars("Allied-supply-2", "2418", came, early) == [
        "Allied-supply-1 have already been placed at no cost, and only 1 supply unit may be this turn"
    ]
    assert bars("Allied-supply-2", "2418", "2430: Allied-supply-1 placed radius=3", early) == []
    assert bars("Allied-supply-2", "2418", "2010: CP-supply-1 placed received radius=3", early) == []
    none = "turn=24\nrevolution=1\nmain-effort=west\n"
    after = GROUND.replace("turn=20\n", none)
    assert bars("Allied-supply-2", "2418", "", after) == [
        "none have already been placed at no cost, and only 0 supply units may be this turn"
    ]
    given = kaiser(early, "place", unit="Allied-supply-2", at="2418")
    assert values(given) == {
        ("place", "Allied-supply-2"): "2418",
        ("placed", "Allied-supply-2"): True,
        ("received", "Allied-supply-2"): True,
    }
    later = kaiser(GROUND, "place", unit="Allied-supply-2", at="2418")
    assert told(later, "Assumed")[0] == "the Turn Record Chart brings that many supply units this turn"


@pytest.mark.rule("23.2", "23.1/1", "23.1/2", "Opt/AEFR", "Opt/CzLeg", "Opt/Bolshevik-reinf", "9.4/4", "21.5")
@pytest.mark.parametrize(
    ("unit", "at", "text", "why"),
    [
        ("Turk-1", "3410", "3410 edge=none", "Turk-1 enters by the south map edge in Bulgaria"),
        ("Mackensen", "3410", "3410 edge=none", "Mackensen enters by the south map edge in Bulgaria"),
        (
            "Turk-1",
            "3419",
            "3419 map-edge edge=west country=bulgaria",
            "Turk-1 enters by the south map edge in Bulgaria",
        ),
        ("Mackensen", "2010", "2010 edge=south", "Mackensen enters by the south map edge in Bulgaria"),
        ("Rom-4", "2418", "Rom-4 arrives=19", "romanian units enter in cities of their own country"),
        ("AEFR", "2418", "AEFR arrives=19\n2418 map-edge edge=east", "AEFR enters by the north map edge"),
        ("Cz-Leg", "2430", "", "Cz-Leg enters on a railroad in Russia, but none is stated at 2430"),
        ("Cz-Leg", "2622", "2622 control=allies\n2622|2623 rail", "Cz-Leg enters on a railroad in Russia"),
        ("RG", "2430", "revolution=2", "RG enters in a Strategic Objective in Russia"),
        ("RG", "2622", "revolution=2\n2622 control=allies", "RG enters in a Strategic Objective in Russia"),
        (
            "Allied-supply-1",
            "2701",
            "revolution=2\n2701 control=allies",
            "Allied-supply-1 enters in a Strategic Objective in Russia",
        ),
    ],
)
def test_units_with_entrances_of_their_own(unit: str, at: str, text: str, why: str) -> None:
    side = "central-powers" if unit in ("Turk-1", "Mackensen") else "allies"
    ground = GROUND.replace("turn=20", "turn=19").replace("phasing=allies", f"phasing={side}")
    assert bars(unit, at, text, ground) == [why]


@pytest.mark.rule("Opt/AEFR", "Opt/Gallipoli")
def test_after_gallipoli_the_expeditionary_force_enters_on_the_black_sea_too() -> None:
    force = "AEFR arrives=20\noptions=gallipoli\n2430 edge=none\n"
    assert placing("AEFR", "2430", force + "2430 coast=black-sea") == []
    assert placing("AEFR", "2430", force.replace("2430 edge=none\n", "") + "2430 coast=black-sea") == []
    coast = force.replace("2430 edge=none\n", "") + "2430 coast=black-sea\n"
    assert kaiser(GROUND + coast, "place", unit="AEFR", at="2430").verdict.kind == "yes", "no edge is asked for"
    assert placing("AEFR", "2430", force + "2430 port=black-sea") == []
    assert placing("AEFR", "2430", force + "2430 coast=baltic") == ["Opt/AEFR"]
    assert placing("AEFR", "3040", force) == []
    assert placing("AEFR", "3040", force + "3040 control=central-powers") == ["9.4"]
    without = force.replace("options=gallipoli\n", "")
    assert placing("AEFR", "2430", without + "2430 coast=black-sea") == ["Opt/AEFR"]


@pytest.mark.rule("9.1", "9.2", "9.7/blocked", "9.8/CP", "9.8/AL", "Opt/Rev2-effects", "Opt/Gallipoli")
def test_the_arrivals_of_a_side_told_whole() -> None:
    text = GROUND.replace("turn=20", "turn=19") + (
        "chart scheduled-supply central-powers 19 = 2\nGer-14 arrives=20\nAH-7 arrives=22\nAH-5 arrives=18\n2010: Ger-9 arrives=18 (1-1-1)\n"
    )
    report = kaiser(text.replace("phasing=allies", "phasing=central-powers"), "arrivals", side="central-powers")
    assert told(report, "Units") == [
        "AH-5, due since turn 18: 2622, 2701, 3401",
        "Mackensen: 3420",
        "Turk-1: 3420",
    ]
    assert told(report, "Supply units") == [
        "2 supply units: schedule",
        "any number of them in Germany",
        "at most 2 of them in Austria-Hungary",
        "at most 1 of them in Bulgaria",
        "supply units may be placed in 2010, 2622, 2701, 3401, 3410, 3420",
    ]
    assert told(report, "Later") == ["Ger-14: turn 20", "AH-7: turn 22"]
    assert report.verdict.text == "AH-5, Mackensen, Turk-1; 2 supply units"
    assert told(report, "Assumed")[0].startswith("only these units arrive")
    text = GROUND + "revolution=2\nRus-6 arrives=20\n"
    report = kaiser(text, "arrivals", side="allies")
    assert (report.result.units, report.result.later) == ((), ())
    assert report.verdict.text == "no units are due; 1 supply unit"
    assert told(report, "Supply units")[0] == "1 supply unit: with the Bolshevik unit of the turn"
    assert report.result.supply_hexes == ("2418",)
    assert not any("only these units arrive" in one for one in told(report))
    assert kaiser(text, "arrivals", side="allies").result.production == {"russia": None, "romania": 1}
    blocked = "turn=2\nside allies vp=60\n2418 city country=russia\n2418: Ger-8 (8-8-4)\nscenario=1914\n"
    report = kaiser(blocked, "arrivals", side="allies")
    assert told(report, "Units") == ["Rus-9: to see where it may be placed, ask place unit=Rus-9 at=HEX"]
    text = GROUND + "options=gallipoli\nchart scheduled-supply allies 20 = 1"
    assert told(kaiser(text, "arrivals", side="allies"), "Supply units")[:2] == [
        "1 supply unit: schedule",
        "1 supply unit: Gallipoli: at Sevastopol or Odessa, or lost",
    ]


@pytest.mark.rule("9.4/1", "9.4/2", "9.4/3", "9.4/4")
def test_without_its_country_nothing_else_is_asked_about_a_hex() -> None:
    asked = kaiser("turn=2\nscenario=1914\n", "place", unit="Rus-9", at="2418")
    assert [ask.key for ask in asked.asks] == [("country", "2418")]


@pytest.mark.rule("9.5", "Opt/CzLeg")
@pytest.mark.parametrize(
    ("question", "asked", "option"),
    [
        ("place", {"unit": "Czech-1", "kind": "infantry-corps", "nation": "czech", "at": "2430"}, "czech-legion"),
        ("mobilize", {"unit": "Vol-inf", "at": "2418"}, "volunteers"),
    ],
)
def test_a_unit_of_an_optional_rule_that_is_off_is_refused_before_any_fact_is_asked_for(
    question: str, asked: dict[str, str], option: str
) -> None:
    report = kaiser("turn=20\nphasing=allies\n", question, **asked)
    assert (report.verdict.kind, report.asks) == ("no", ())
    assert told(report, "Not allowed") == [f"only with an optional rule (options={option}): {asked['unit']}"]
