"""What forbids an attack (14.1 to 14.12, 19, 21.4)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

from ..examples import DRY, DUEL, ask


def why_not(position: str, **parameters: Any) -> str:
    """Why the attack on 2620 is not allowed."""
    report = ask(position, "battle", at="2620", **parameters)
    assert report.verdict.kind == "no", str(report)
    return "; ".join(step.text for part in report.parts if part.title == "Not allowed" for step in part.steps)


@pytest.mark.rule("14.1", "14.4", "14.17")
def test_a_unit_attacks_once_in_a_combat_phase_of_its_own_turn() -> None:
    assert "but this is movement" in why_not("phase=movement\n" + DUEL)
    assert "in the enemy's player turn" in why_not("phase=first-combat phasing=allies\n" + DUEL)
    for phase in ("first-combat", "second-combat"):
        report = ask(f"phase={phase} phasing=central-powers\n" + DUEL, "battle", at="2620")
        assert report.verdict.kind == "figure"
    assert "AH-4 has already attacked this phase" in why_not(
        DUEL.replace("(12-12-4)", "(12-12-4) fought"), **{"from": ["2621"]}
    )
    assert "2620 has already been attacked" in why_not(DUEL + "2620 attacked\n")


@pytest.mark.rule("14.4", "14.6", "20.0")
def test_who_has_attacked_has_no_factor_or_is_withheld_stays_out_and_is_withheld_in_vain() -> None:
    mixed = DUEL.replace("(12-12-4)", "(12-12-4) fought").replace("AH-inf-1 (4-4-3)", "AH-inf-1 (4-4-3), AH-3 (0-6-3)")
    report = ask(mixed, "battle", at="2620")
    assert [one.unit.id for one in report.result.combat.attackers] == ["AH-inf-1"]
    idle = "2521: german fortress - Posen (?-4-?)\n2720: CP-supply-1 radius=1\n2520: Ober-Ost (8-2-2) radius=2\n"
    idle += "2721: german airbase - KFO (3-1-2) radius=2\n2619: AH-3 (9-9-4) support\n"
    position = DUEL + idle + "".join(f"2620 | {hex} open\n" for hex in ("2521", "2720", "2520", "2721", "2619"))

    def attacking(position: str = position, **parameters: Any) -> list[str]:
        return [one.unit.id for one in ask(position, "battle", at="2620", **parameters).result.combat.attackers]

    assert attacking() == ["AH-4", "AH-inf-1"]
    assert attacking(withhold=["AH-4"]) == ["AH-inf-1"]
    enemies = position.replace("2619: AH-3 (9-9-4) support", "2619: Rus-3 (9-9-4)")
    assert attacking(enemies) == ["AH-4", "AH-inf-1"]
    both = position.replace("(9-9-4) support", "(9-9-4)")
    assert attacking(both) == ["AH-3", "AH-4", "AH-inf-1"]
    assert attacking(both, **{"from": ["2619"]}) == ["AH-3"]
    tired = DUEL.replace("(12-12-4)", "(12-12-4) fought") + "2821: AH-3 (9-9-4)\n"
    defender = ask(DUEL, "battle", at="2620").result.combat.defenders[0].unit.id
    for unit, why in {
        defender: "not of the attacker's side",
        "AH-3": "in none of the hexes",
        "AH-4": "has attacked",
    }.items():
        with pytest.raises(InputError, match=f"withhold: {unit} does not attack anyway: .*{why}"):
            ask(tired, "battle", at="2620", withhold=[unit])
    named = ask(tired, "battle", at="2620", withhold=["AH-4"], **{"from": ["2621"]})
    assert [one.unit.id for one in named.result.combat.attackers] == ["AH-inf-1"], (
        "who may not attack leaves a named hex"
    )


@pytest.mark.rule("14.2", "23.0/1")
def test_attackers_stand_next_to_the_defender_who_is_not_in_a_neutral_country() -> None:
    far = DUEL + "2622: AH-3 (9-9-4)\n2620 | 2622 open\n"
    assert "AH-3 in 2622 is not adjacent to 2620" in why_not(
        far.replace("2620 | 2622 open\n", ""), **{"from": ["2621", "2622"]}
    )
    assert "lies in a neutral country" in why_not(DUEL + "2620 country=romania\n")


@pytest.mark.rule("14.10", "19.3", "21.1", "14.12", "21.2")
def test_nations_attack_together_only_with_a_headquarters() -> None:
    mixed = DUEL + "2520: Ger-8 (9-9-4)\n2620 | 2520 open\n2622: Ober-Ost (4-1-2) radius=1\n"
    assert "several nations" in why_not(mixed)
    assert "no attacker is of the same nation as Ober-Ost" in why_not(mixed, hq="Ober-Ost", withhold=["Ger-8"])
    assert ask(mixed, "battle", at="2620", hq="Ober-Ost").result.combat.attack == 29
    sud = DUEL.replace("AH-4 (12-12-4), AH-inf-1 (4-4-3)", "Sud (5-5-4), Ger-inf-1 (4-4-3)")
    assert ask(sud, "battle", at="2620").result.combat.attack == 9
    mixed = "options=air-units\n" + DUEL + "2520: Ger-8 (9-9-4)\n2620 | 2520 open\n"
    mixed += "2622: german airbase - KFO (3-1-2) radius=2\n"
    assert "several nations" in why_not(mixed, airbase="KFO")
    alone = ask(mixed, "battle", at="2620", withhold=["AH-4", "AH-inf-1"])
    assert alone.verdict.kind == "figure"


@pytest.mark.rule("19.1", "19.2", "14.8/1", "19.0", "21.7", "Opt/Air/1", "Opt/Air/3")
def test_a_headquarters_and_an_airbase_support_one_attack_within_their_radius() -> None:
    led = DUEL + "2623: austro-hungarian headquarters XXXXX B (5-1-2) radius=1\n2622: AH-1 (1-1-1)\n"
    assert "B reaches no attacker within 1 hex of 2623" in why_not(led, hq="B")
    near = led.replace("radius=1", "radius=2")
    assert "B has already supported an attack" in why_not(near.replace("(5-1-2)", "(5-1-2) fought"), hq="B")
    assert "AH-1 is not a Headquarters" in why_not(near, hq="AH-1")
    theirs = near + "2619: Rus-W (5-1-2) radius=2\n"
    assert "Rus-W does not belong to the attacking side" in why_not(theirs, hq="Rus-W")
    assert why_not(near, hq="Rus-2") == "Rus-2 is not a Headquarters", "the first reason alone"
    led = DUEL + "2622: austro-hungarian headquarters XXXXX B (5-1-2) radius=1\n2520: AH-3 (9-9-4)\n2620 | 2520 open\n"
    assert ask(led, "battle", at="2620", hq="B").verdict.kind == "figure"
    german = DUEL + "2622: Ober-Ost (4-1-2) radius=1\n"
    assert why_not(german, hq="Ober-Ost") == "no attacker is of the same nation as Ober-Ost"
    away = DUEL + "Available: austro-hungarian headquarters XXXXX B (5-1-2)\n"
    assert why_not(away, hq="B") == "B is not on the map"
    names = ("AH-Staff", "AH-Other")
    text = DUEL + "".join(f"2622: austro-hungarian headquarters XXXXX {name} (2-2-2) radius=3\n" for name in names)
    for parameter, why in (("hq", "only one Headquarters"), ("airbase", "only one airbase")):
        with pytest.raises(InputError, match=f"{parameter}: an attack may use {why}") as error:
            ask(text, "battle", at="2620", **{parameter: ",".join(names).lower()})
        assert "name one of" in str(error.value.hint)
    with pytest.raises(InputError, match="unit: only one unit may be named"):
        ask(text, "move", unit=",".join(names), way=["2623"])
    with pytest.raises(InputError, match="unknown unit 'AH-Staff,Nobody'"):
        ask(text, "battle", at="2620", hq="AH-Staff,Nobody")
    air = "options=air-units\n" + DUEL
    assert why_not(air, airbase="AH-4") == "AH-4 is not an airbase"
    theirs = air + "2619: russian airbase - Air (1-1-2) radius=2\n"
    assert why_not(theirs, airbase="Air") == "Air does not belong to the attacking side"
    away = air + "Available: german airbase - KFO (3-1-2) radius=2\n"
    assert why_not(away, airbase="KFO") == "2620 is not within the range of KFO"


@pytest.mark.rule("17.10/1-3", "17.11", "17.9/2", "Opt/Entrench/1")
def test_supply_units_give_attack_supply_if_they_reach_somebody_and_have_not_moved() -> None:
    supply = DUEL + "2622: CP-supply-1 radius=1\n"
    assert "has already moved" in why_not(supply.replace("radius=1", "radius=1 moved"), supply=["CP-supply-1"])
    phase = "phase=first-combat phasing=central-powers\n" + supply
    assert ask(phase.replace("radius=1", "radius=1 declared"), "battle", at="2620", supply=["CP-supply-1"]).result
    assert "reaches no attacker" in why_not(supply.replace("2622:", "2623:"), supply=["CP-supply-1"])
    assert why_not(DUEL, supply=["AH-4"]) == "AH-4 is not a supply unit"
    theirs = DUEL + "2619: Allied-supply-1 radius=3\n"
    assert "Allied-supply-1 does not belong to the attacking side" in why_not(theirs, supply=["Allied-supply-1"])
    both = supply + "2623: CP-supply-2 radius=3\n"
    twice = why_not(both, supply=["CP-supply-1", "CP-supply-2"])
    assert twice == "CP-supply-2 reaches no attacker that is not already supplied"
    dug = "options=entrenching\n" + supply.replace("radius=1", "radius=1 entrenched")
    assert "is turned over to entrench others" in why_not(dug, supply=["CP-supply-1"])
    part = supply + "2520: AH-3 (9-9-4)\n2620 | 2520 open\n"
    assert ask(part, "battle", at="2620", supply=["CP-supply-1"]).verdict.kind == "figure"
    away = DUEL.replace("turn=1", "turn=15") + "Available: CP-supply-1 radius=3\n"
    assert why_not(away, supply=["CP-supply-1"]) == "CP-supply-1 is not on the map"


@pytest.mark.rule("14.12", "21.2")
def test_the_shock_table_takes_a_shock_unit() -> None:
    assert "requires a shock or tank unit" in why_not(DUEL, table="shock")
    shock = DUEL + "2621: austro-hungarian shock XXX St (5-3-4)\n"
    report = ask(shock, "battle", at="2620", table="shock")
    assert {one.value for one in report.result.chances} == {"AD", "MD", "DP"}
    assert report.result.other


@pytest.mark.rule("21.4")
def test_armoured_trains_attack_along_railroads() -> None:
    train = DUEL.replace("AH-4 (12-12-4), AH-inf-1 (4-4-3)", "AH-train-1 (3-2-9), AH-inf-1 (4-4-3)")
    assert [one.unit.id for one in ask(train, "battle", at="2620").result.combat.attackers] == ["AH-inf-1"]
    assert "attacks only along railroads" in why_not(train, **{"from": ["2621"]})
    railed = train + "2620 | 2621 rail\n"
    assert ask(railed, "battle", at="2620").result.combat.attack == 7


def test_defenders_of_several_nations_fight_as_one() -> None:
    mixed = DUEL.replace("turn=1", "turn=20").replace("Rus-2 (10-12-4)", "Rus-2 (10-12-4), Rom-1 (3-4-3)")
    assert ask(mixed, "battle", at="2620").result.combat.defence == 16


@pytest.mark.rule("14.4")
def test_an_attack_factor_that_is_missing_is_asked_for_with_what_lies_on_the_hexside() -> None:
    report = ask(DUEL.replace("(12-12-4), AH-inf-1 (4-4-3)", "(?-12-4)").replace(DRY, ""), "battle", at="2620")
    assert report.verdict.kind == "undecided"
    assert len(report.asks) == 2


@pytest.mark.rule("14.1", "17.11")
@pytest.mark.parametrize("phase", ["first-combat", "second-combat"])
def test_supply_units_are_named_at_the_start_of_either_combat_phase(phase: str) -> None:
    supply = f"phase={phase} phasing=central-powers\n" + DUEL + "2622: CP-supply-1 radius=1\n"
    assert "not named at the start" in why_not(supply, supply=["CP-supply-1"])
    agreed = ask("ruling declared-supply=combat\n" + supply, "battle", at="2620", supply=["CP-supply-1"])
    assert agreed.verdict.kind == "figure"


@pytest.mark.rule("Opt/Entrench/1")
def test_no_army_entrenches_others_whatever_is_stated_of_it() -> None:
    dug = "options=entrenching\n" + DUEL + "2620: Rus-9 (12-12-4) radius=1 entrenched\n"
    assert why_not(dug, entrench="Rus-9") == "Rus-9 is not a supply unit"


OPTIONAL = {
    "german airbase - KFO": "air-units",
    "AEFR": "expeditionary-force",
    "Cz-Leg": "czech-legion",
    "Vol-inf": "volunteers",
    "LR": "revolutions",
    "german tank X A7V": "",
    "optional": "",
}
"""Units of optional rules, each with its option, "" for any."""


@pytest.mark.rule("2.6/optional", "Opt/choice")
@pytest.mark.parametrize("unit", OPTIONAL)
def test_units_of_an_optional_rule_that_is_off_are_named_and_fight_in_no_battle(unit: str) -> None:
    option = OPTIONAL[unit]
    own = DUEL.replace("AH-4 (12-12-4)", "AH-4 (12-12-4) optional") if unit == "optional" else DUEL
    ours = unit.startswith(("german", "Vol", "optional"))
    place = "2621" if ours else "2620"
    text = own if unit == "optional" else own + f"{place}: {unit} (1-1-1)\n"
    name = "AH-4" if unit == "optional" else unit.split()[-1]
    how = f" (options={option})" if option else ""
    wanted = f"only with an optional rule{how}: {name}"
    if unit.startswith("german airbase"):
        text = text.replace("(1-1-1)", "(1-1-1) radius=3")
        assert why_not(text, airbase=name) == wanted
    else:
        assert wanted in why_not(text)
    assert steps_of(ask(text, "check"), "Not in force") == [wanted]
    in_force = f"options={option or 'revolutions'}\n" + text
    assert not steps_of(ask(in_force, "check"), "Not in force")
    assert "optional rule" not in str(ask(in_force, "battle", at="2620"))


@pytest.mark.rule("2.6/optional")
def test_of_the_roster_only_units_of_optional_rules_are_named() -> None:
    game = load_game("kaisers-war-in-the-east")
    names = [name for name in game.roster if name not in ("NWF", "UkrF", "WF")]  # whose type is the owner's to state
    hexes = (f"{column:02}{row:02}" for row in (1, 2) for column in range(1, 61))
    text = "".join(f'{at}: "{name}"\n' for at, name in zip(hexes, names, strict=False))
    (part,) = (part for part in ask(text, "check").parts if part.title == "Not in force")
    named = {name for line in part.steps for name in line.figures["units"]}
    optional = ("british", "czech", "nationalist", "bolshevik")
    assert named == {name for name in names if game.printed_nation(name) in optional} | {
        name for name in names if game.roster[name]["arm"][0].value == "airbase"
    }


def steps_of(report: Report[Any], title: str) -> list[str]:
    return [step.text for part in report.parts if part.title == title for step in part.steps]
