"""Who is in General Supply, along which hexes and why not; whom Offensive Supply reaches."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking import InputError
from assistant.asking.report import Report
from assistant.drawing.answer import draw_letters, draw_scene
from assistant.testing import check_json
from kaisers_war_in_the_east.ground import field
from kaisers_war_in_the_east.supply.question import WORDS
from kaisers_war_in_the_east.supply.reach import in_reach, offensive_radius

from ...conftest import answered, ruled, told, typed, viewed

GAME = "game kaisers-war-in-the-east\n"
NEAR = "2622: AH-3\n2624: CP-supply-1 radius=3\n"
"""A unit two hexes from a supply unit."""
FAR = "2622: AH-3\n2628: CP-supply-1 radius=3\n"
"""A unit six hexes from one, too far for its radius."""
RAILROAD = "2628=2627=2626=2625=2624=2623\n"
"""A railroad from the supply unit to the hex next to the unit."""
WHOLE = "side central-powers whole-network\n"
"""All railroads are typed."""


def supply(text: str, *units: str, **more: Any) -> Report[Any]:
    return answered(typed(GAME + text), "supply", unit=units, **more)


def of(text: str, unit: str = "AH-3") -> Any:
    (found,) = supply(text, unit).result.units
    return found


# --- General Supply ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("17.2", "17.5/1", "Opt/Entrench/1")
def test_a_supply_unit_reaches_as_far_as_its_radius_unless_it_is_turned_over_or_off_the_map() -> None:
    """As far as Krakow from Breslau, three hexes away, in the rulebook's example."""
    found = of("2622: AH-3\n2625: CP-supply-1 radius=3\n")
    assert (found.supplied, found.by, found.source, found.hexes) == (True, "radius", "CP-supply-1", 3)
    assert found.line == ("2625", "2624", "2623", "2622")
    assert of(f"2622: AH-3\n2625: CP-supply-1 radius=2\n{WHOLE}").supplied is False
    assert of(NEAR.replace("radius=3", "radius=3 entrenched") + WHOLE).supplied is False
    assert of(f"2622: AH-3\nAvailable: CP-supply-1 radius=9\n{WHOLE}").supplied is False


@pytest.mark.rule("17.3")
def test_what_is_taken_for_granted_of_a_line_is_said_and_the_known_one_taken() -> None:
    granted = told(supply(NEAR, "AH-3"), "Assumed")
    assert granted == [
        "2624, 2623, 2622 assumed to be neither marsh nor sea (terrain not stated)",
        "2624, 2623, 2622 assumed to lie in no neutral country (country not stated)",
    ]
    stated = f"{NEAR}2622 clear country=russia\n2623 forest country=russia\n2624 clear country=russia\n"
    assert told(supply(stated, "AH-3"), "Assumed") == []
    text = "2622: AH-3\n2722 clear\n2822: CP-supply-1 radius=2\n"
    assert of(text).line == ("2822", "2722", "2622")
    assert of(text.replace("2722", "2723")).line == ("2822", "2723", "2622")


@pytest.mark.rule("17.3")
@pytest.mark.parametrize(
    "bar",
    [
        pytest.param("2622 marsh", id="into marsh"),
        pytest.param("2624 marsh", id="out of marsh"),
        pytest.param("2623|2622 all-sea", id="across sea"),
        pytest.param("2622 country=elsewhere", id="into a country that takes no part"),
        pytest.param("2623: russian supply - Enemy movement=2", id="through an enemy without a zone"),
    ],
)
def test_no_line_passes_marsh_sea_neutral_countries_or_enemies(bar: str) -> None:
    ring = "2522 all-sea\n2722 all-sea\n2521 all-sea\n2621 all-sea\n2721 all-sea\n2523 all-sea\n2723 all-sea\n"
    assert of(f"{NEAR}{ring}{WHOLE}").supplied
    assert of(f"{NEAR}{ring}{WHOLE}{bar}").supplied is False


@pytest.mark.rule("17.3", "23.0/1")
def test_romania_bars_lines_until_it_is_at_war() -> None:
    text = f"{NEAR}{WHOLE}2622 country=romania\n"
    assert of(f"{text}turn=18").supplied is False
    assert of(f"{text}turn=19").supplied
    assert [ask.key for ask in supply(text, "AH-3").asks] == [("turn", "")]


@pytest.mark.rule("13.7", "17.3", "17.4", "17.5/1")
def test_a_line_leads_into_an_enemy_zone_and_not_out_of_it() -> None:
    """Rus-3 has 26.23 in its zone, on the only line; a friend in that hex does not help."""
    walls = "2523 all-sea\n2723 all-sea\n2522 all-sea\n2722 all-sea\n2621 all-sea\n2521 all-sea\n2721 all-sea\n"
    text = f"{NEAR}{walls}{WHOLE}"
    assert of(text).supplied
    broken = of(f"{text}2723: Rus-3\n")
    assert broken.supplied is False
    assert broken.cause.text == "within the radius of CP-supply-1, 3 hexes, but for: 2623, in the zone of Rus-3"
    assert of(f"{text}2723: Rus-3\n2623: AH-1\n").supplied is False
    assert of(f"{text}2723: Rus-3\n2623: AH-1\n", "AH-1").supplied, "into the zone"
    assert of(f"{text}2621: Rus-3\n").supplied
    assumed = "Rus-3 assumed to have a zone of control (movement factor not stated)"
    text = f"{NEAR}{walls}{WHOLE}2723: Rus-3\n3030: Rus-4\n"
    assert assumed in told(supply(text, "AH-3"), "Assumed")
    assert assumed not in told(supply(f"{text}Rus-3 movement=3\n", "AH-3"), "Assumed")
    text = f"2622: AH-3\n2623: CP-supply-1 radius=3, AH-1\n2624: Rus-3\n{WHOLE}"
    assert of(text).supplied is False
    found = of(text, "AH-1")
    assert (found.supplied, found.by, found.line, found.hexes) == (True, "same hex", ("2623",), 0)


@pytest.mark.rule("17.5/2", "17.7", "17.5/1", "17.5/3", "Opt/Bolshevik-units")
def test_supply_units_bolsheviks_and_fortresses_are_supplied_in_their_hex() -> None:
    text = f"2622: AH-3, austro-hungarian fortress - Lemberg\n2623: AH-1\n{WHOLE}"
    assert (of(text).by, of(text).source) == ("fortress", "Lemberg")
    assert of(text, "Lemberg").by == "always"
    assert of(text, "AH-1").supplied is False
    found = of("2623: CP-supply-1\n2624: Rus-3\n", "CP-supply-1")
    assert (found.by, found.source, found.line, found.hexes) == ("always", "", (), None)
    assert of("2623: bolshevik infantry XXX KonA\n", "KonA").by == "always"


@pytest.mark.rule("17.5/3")
def test_a_railroad_supplies_what_is_on_it_or_next_to_it_by_the_shortest_way() -> None:
    found = of(FAR + RAILROAD)
    assert (found.by, found.source, found.line) == (
        "railroad",
        "CP-supply-1",
        ("2628", "2627", "2626", "2625", "2624", "2623", "2622"),
    )
    assert of(f"{FAR}{RAILROAD}2623=2622\n").hexes == 6
    assert of(f"{FAR}2628=2627=2626=2625=2624\n{WHOLE}").supplied is False, "two hexes away"
    found = of(f"2724: AH-3\n2628: CP-supply-1 radius=3\n{RAILROAD}")
    assert found.line == ("2628", "2627", "2626", "2625", "2624", "2724"), "26.23 lies next to it too"
    assert of(f"{FAR}{RAILROAD}2621: Rus-3\n").supplied, "its own hex is not part of the railroad"
    assert of(f"{FAR}{RAILROAD}{WHOLE}2723: Rus-3\n").supplied is False, "26.23 is in the zone"
    assert of(f"2727: AH-3\n2728: CP-supply-1 radius=0\n{WHOLE}").supplied is False, (
        "without a railroad next to neither"
    )
    assert of(f"2622: AH-3\n2728: CP-supply-1 radius=0\n{RAILROAD}{WHOLE}").supplied is False


@pytest.mark.rule("17.5/3")
@pytest.mark.parametrize(
    ("more", "why"),
    [
        pytest.param("2625: Rus-3", "Rus-3 in 2625", id="enemy"),
        pytest.param("2725: Rus-3 (?-?-0)\n2726: Rus-4 (?-?-1)", "2626, in the zone of Rus-4", id="zone"),
        pytest.param("2628 marsh", "", id="marsh at its end"),
    ],
)
def test_enemies_zones_and_marsh_cut_a_railroad(more: str, why: str) -> None:
    found = of(f"{FAR}{RAILROAD}{WHOLE}{more}")
    assert found.supplied is False
    assert why in found.cause.text


@pytest.mark.rule("17.5/1", "17.5/3")
def test_the_railroad_that_only_the_player_sees_is_asked_for() -> None:
    found = supply(FAR, "AH-3")
    assert found.verdict.text == "undecided: nothing known supplies AH-3"
    assert told(found, "General Supply: Central Powers") == [
        "AH-3 in 2622: nothing known supplies it; 2622 is 6 hexes from CP-supply-1, whose radius is 3"
    ]
    (ask,) = found.asks
    assert (
        ask.title
        == "does a railroad in or adjacent to 2622 lead to a supply unit, clear of enemies and their zones of control"
    )
    assert ask.how.endswith("or AH-3 supply=in|out")
    stated = of(f"{FAR}AH-3 supply=in\n")
    assert (stated.supplied, stated.by, stated.cause) == (True, "stated", None)
    unsure = of(f"2622: AH-3\n2624: CP-supply-1\n{WHOLE}")
    assert (unsure.supplied, unsure.cause) == (None, None), "its radius decides"
    assert of(f"{FAR}AH-3 supply=out\n").supplied is False
    assert of(f"{FAR}{WHOLE}").cause.text == ("2622 is 6 hexes from CP-supply-1, whose radius is 3")
    assert of(f"{NEAR}AH-3 supply=out\n").supplied, "what is stated of the map wins"


def test_nothing_is_asked_where_no_railroad_could_help() -> None:
    assert of(f"{FAR}2629: Rus-3\n").supplied is False, "the supply unit is in an enemy zone"
    assert of(f"{FAR}2622 marsh\n").cause.text == "2622 is marsh: no supply line may be traced into it (17.3)"
    assert of("2622: AH-3\n").cause.text == "no supply unit of its side is on the map"


@pytest.mark.rule("17.2", "17.3", "17.4", "17.5/1", "17.5/3")
def test_a_reach_is_counted_in_hexes_and_the_nearest_supply_unit_named() -> None:
    with viewed(f"{GAME}2622: CP-supply-1 radius=2\n2623 marsh\n2624 marsh\n2722 clear\n").gather() as facts:
        around = field(facts).around("central-powers")
        reached = in_reach(facts, around, "2622", 2).cost
        assert (reached["2622"], reached["2722"], reached["2822"], len(reached)) == (0, 1, 2, 17)
        assert set(in_reach(facts, around, "2622", 0).cost) == {"2622"}
        assert "2822" not in in_reach(facts, around, "2622", 2, until="2722").cost
        assert set(in_reach(facts, around, "2622", 1).cost) == {"2622", "2621", "2522", "2523", "2722", "2723"}
    both = "2622: AH-3\n2625: CP-supply-1 radius=4\n2624: CP-supply-2 radius=4\n"
    assert of(both).source == "CP-supply-2"
    assert of(f"3030: CP-supply-2 radius=0\n{FAR}{RAILROAD}").source == "CP-supply-1"
    assert of(f"{FAR}{RAILROAD}3030: CP-supply-2 radius=0\n").source == "CP-supply-1"


@pytest.mark.rule("17.2", "17.5/1")
def test_a_radius_is_asked_for_only_where_it_decides() -> None:
    text = f"2622: AH-3\n2625: CP-supply-1\n{WHOLE}"
    assert [ask.key for ask in supply(text, "AH-3").asks] == [("radius", "CP-supply-1")]
    far = text.replace("2625:", "2642:")
    assert [ask.key for ask in supply(far, "AH-3").asks] == [("radius", "CP-supply-1")], "20 hexes at most"
    assert of(far.replace("2642:", "2643:")).supplied is False
    assert of(f"{text}2624: CP-supply-2 radius=2\n").source == "CP-supply-2"
    assert of(f"{text}2622=2623=2624=2625\n").by == "railroad"


def test_a_whole_side_is_told_unit_by_unit_without_neutrals() -> None:
    text = f"{NEAR}2922: AH-1\n3022: Rus-3\nphasing=central-powers\n{WHOLE}"
    report = answered(typed(GAME + text), "supply")
    assert report.verdict.text == "2 units in General Supply, 1 not"
    assert [one.unit for one in report.result.units] == ["AH-3", "CP-supply-1", "AH-1"]
    check_json(typed(GAME + text), report)
    assert len(answered(typed(GAME + text), "supply", side="allies").result.units) == 1
    report = answered(typed(f"{GAME}turn=3\n2926: Rom-1\n2622: Rus-3, Allied-supply-1 radius=2\n"), "supply")
    assert [one.unit for one in report.result.units] == ["Rus-3", "Allied-supply-1"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"unit": ("Rus-3",), "side": "central-powers"}, "Rus-3 is not a unit of the Central Powers"),
        ({"unit": ("AH-4",)}, "AH-4 is not on the map"),
        ({"side": "allies"}, "no unit is on the map"),
    ],
)
def test_who_is_not_there_is_refused(asked: dict[str, Any], why: str) -> None:
    text = f"{GAME}{NEAR}" + ("3030: Rus-3\n" if "unit" in asked else "")
    with pytest.raises(InputError, match=why):
        answered(typed(f"{text}Available: AH-4\n"), "supply", **asked)


# --- Offensive Supply -------------------------------------------------------------------------------------------------

ATTACK = "turn=3\n2622: AH-3\n2624: CP-supply-1 radius=2\n2625: AH-1\n2628: AH-4\n"


def reached(text: str, **more: Any) -> dict[str, tuple[str, ...]]:
    report = answered(typed(f"{GAME}{WHOLE}{text}"), "supply", side="central-powers", **more)
    (side,) = report.result.sides
    return {one.source: one.units for one in side.offensive if not one.why_not}


@pytest.mark.rule("17.9/1", "17.9/2", "17.10/1-3", "17.12", "17.13", "17.10/note")
def test_offensive_supply_is_given_by_units_that_have_not_moved_and_waits_for_the_turn() -> None:
    assert reached(ATTACK) == {"CP-supply-1": ("AH-3", "AH-1")}
    two = f"{ATTACK}2626: CP-supply-2 radius=2\n"
    assert reached(two) == {
        "CP-supply-1": ("AH-3", "AH-1", "CP-supply-2"),
        "CP-supply-2": ("CP-supply-1", "AH-1", "AH-4"),
    }
    assert reached(f"{ATTACK}CP-supply-1 moved\n") == {}
    assert reached(f"{ATTACK}CP-supply-1 arrives=3\n") == {"CP-supply-1": ("AH-3", "AH-1")}
    text = f"{GAME}{WHOLE}{ATTACK}CP-supply-1 moved\n"
    report = answered(typed(text), "supply")
    assert told(report, "Offensive Supply: Central Powers") == [
        "CP-supply-1 in 2624: no Offensive Supply, it has moved this player turn"
    ]
    assert report.result.units[0].supplied, "General Supply does not mind"
    text = ATTACK.replace("turn=3\n", "")
    assert supply(f"{WHOLE}{text}", "AH-3").result.sides[0].offensive is None
    report = answered(typed(GAME + text), "supply", unit=("AH-3",), offensive=True)
    assert [ask.key for ask in report.asks] == [("turn", "")]


@pytest.mark.rule("22.1/1")
@pytest.mark.parametrize(
    ("season", "country", "reading", "radius"),
    [
        ("summer", "russia", "ring", 4),
        ("winter", "germany", "ring", 1),
        ("winter", "russia", "hex", 1),
        ("thaw", "russia", "ring", 1),
        ("thaw", "russia", "hex", 0),
        ("thaw", "germany", "hex", 4),
    ],
)
def test_winter_leaves_the_hexes_next_to_the_supply_unit(season: str, country: str, reading: str, radius: int) -> None:
    assert offensive_radius(4, season, country, reading) == radius
    assert offensive_radius(0, season, country, reading) == 0


@pytest.mark.rule("22.1/1", "22.2", "22.0")
def test_a_thaw_is_hard_where_the_supply_unit_stands_in_russia() -> None:
    thaw = ATTACK.replace("turn=3", "turn=6\ntrust charts")
    assert reached(f"{thaw}2624 country=germany\n") == {"CP-supply-1": ("AH-3", "AH-1")}
    assert reached(f"{thaw}2624 country=russia\n") == {"CP-supply-1": ("AH-1",)}
    text = f"{GAME}{WHOLE}{thaw}2624 country=russia\n"
    assert ruled(answered(typed(text), "supply"), "thaw-radius") == "ring"
    assert reached(f"ruling thaw-radius=hex\n{thaw}2624 country=russia\n") == {"CP-supply-1": ()}
    hard = (
        "How far a supply unit in Russia reaches in a thaw: its own hex and the six around it (ruling thaw-radius=ring)"
    )

    def asked(turn: str, where: str) -> tuple[list[str], list[object]]:
        report = answered(typed(f"{GAME}{WHOLE}{ATTACK.replace('turn=3', turn)}{where}"), "supply", offensive=True)
        return told(report, "Rulings"), [ask.key for ask in report.asks]

    known = "trust charts\nturn=6"
    assert asked(known, "2624 country=russia\n") == ([hard], [])
    assert asked(known, "2624 country=germany\n") == ([], [])
    assert asked(known, "") == ([], [("country", "2624")])
    for season in ("summer", "winter"):
        assert asked(f"turn=4\nchart turn-record 4 = {season}", "") == ([], [])
    assert reached(ATTACK.replace("turn=3", "turn=4\nchart turn-record 4 = winter")) == {"CP-supply-1": ("AH-1",)}


# --- pictures ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("13.0", "17.2")
def test_lines_and_what_breaks_them_are_drawn() -> None:
    text = f"{GAME}{NEAR}2922: AH-1\n2821: Rus-3\n{WHOLE}"
    report = answered(typed(text), "supply", side="central-powers")
    view = viewed(text)
    assert draw_scene(view, WORDS.sketch(view, report)).width > 0
    shown = WORDS.sketch(viewed(f"{text}Available: AH-4\n"), report)
    assert (shown.focus, [strand.unit for strand in shown.strands]) == (("2622", "2624", "2922", "2821"), ["AH-3"])
    cut_off = report.result.units[-1]
    assert (cut_off.unit, shown.caption) == ("AH-1", (f"AH-1: {cut_off.cause.text}.",))
    rows = "\n".join(str(row) for row in draw_letters(view, WORDS.sketch(view, report), 100))
    assert "AH-3" in rows
