"""Movement by sea: amphibious units, and by the optional rules landings, assaults, naval transfers (21.6)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.util.errors import InputError
from kaisers_war_in_the_east.movement.question import find_sea

from ...conftest import viewed, why_not
from ..examples import GAME, after, ask, reasons

PORTS = """
turn=2 scenario=1914
2620: german marine XXX 1M movement=3 attack=2 defence=2
2620 port=baltic country=germany
2610 port=baltic country=russia
2640 port=black-sea country=russia
2615 coast=baltic port=none country=russia
"""
"""A German amphibious unit in a Baltic port, another port there, one on the Black Sea, and a stretch of coast."""
OPTION = "options=amphibious\n" + PORTS.replace("defence=2", "defence=2, CP-supply-1")


def sail(position: str, to: str, unit: str = "1M", **parameters: Any) -> Any:
    """The report on a move by sea."""
    return ask(position, "move", unit=unit, way=[to], by="sea", **parameters)


@pytest.mark.rule("12.2")
def test_a_port_that_is_then_over_the_limits_is_named_in_the_short_answer() -> None:
    crowd = ", ".join(f"german infantry XXX G{number} (4-4-4)" for number in range(4))
    assert sail(PORTS, "2610").headline == "1M may sail to 2610"
    over = sail(f"{PORTS}2610: {crowd}\n", "2610")
    assert over.headline == "1M may sail to 2610. 2610 would be over the stacking limits."


@pytest.mark.rule("21.6", "Opt/Amph/7", "Opt/Amph/4")
def test_an_amphibious_unit_sails_from_port_to_port_with_its_whole_move() -> None:
    found = sail(PORTS, "2610")
    assert (found.verdict.kind, found.result.kind, found.result.cost) == ("yes", "amphibious", 6)
    state = after(PORTS, "move", unit="1M", way=["2610"], by="sea")
    assert (state.units["1M"].place, state.value("moved", "1M")) == ("2610", True)
    near = PORTS + "2611: Rus-2 movement=3\n"
    assert sail(near, "2610").result.entered[0].stops, "enemy zones do not keep it out"
    army = PORTS + "2620: AH-4 movement=3\n"
    assert "without the optional rules" in reasons(sail(army, "2610", unit="AH-4"))
    with pytest.raises(InputError, match="one hex"):
        ask(PORTS, "move", unit="1M", way=["2610", "2611"], by="sea")
    corps = OPTION + "2620 named=Danzig\n2620: german infantry XXX Ger-1 movement=3\n"
    found = sail(corps, "2620", unit="Ger-1", supply="CP-supply-1")
    assert "the unit stands in 2620 already" in reasons(found) and found.changes == ()
    neutral = PORTS.replace("2640 port=black-sea country=russia", "2640 port=baltic country=romania")
    assert "lies in a neutral country" in reasons(sail(neutral, "2640"))


@pytest.mark.parametrize("more", [{"forced": "CP-supply-1"}, {"entrain": "2620"}, {"detrain": "2610"}])
def test_what_is_said_of_another_move_is_no_part_of_one_by_sea(more: dict[str, str]) -> None:
    position = PORTS + "2620: CP-supply-1 radius=5\n"
    with pytest.raises(InputError, match="forced, entrain and detrain are not for a move by sea"):
        sail(position, "2610", **more)


@pytest.mark.parametrize("by", ["land", "rail"])
def test_a_supply_unit_is_expended_only_for_a_move_by_sea(by: str) -> None:
    with pytest.raises(InputError, match="supply is only for a move by sea"):
        ask(OPTION, "move", unit="1M", way=["2610"], by=by, supply="CP-supply-1")


@pytest.mark.rule("Opt/Amph/1", "Opt/Amph/2")
def test_a_landing_begins_or_ends_in_a_port_and_costs_the_supply_unit_there() -> None:
    found = sail(OPTION, "2615")
    assert found.result.kind == "landing" and [one.name for one in found.asks] == ["landing"]
    assert "there is no supply unit in the port" in reasons(sail("options=amphibious\n" + PORTS, "2615"))
    assert "has already made an amphibious move" in reasons(sail(OPTION + "side central-powers sailed\n", "2615"))
    coast = OPTION.replace("2620 port=baltic", "2620 coast=baltic port=none")
    assert "neither 2620 nor 2615 is a port" in reasons(sail(coast, "2615", supply="CP-supply-1"))
    back = coast.replace("defence=2, CP-supply-1", "defence=2") + "2610 control=central-powers\n2610: CP-supply-1\n"
    assert sail(back, "2610").result.kind == "landing"
    assert "does not control 2610" in reasons(sail(coast, "2610", supply="CP-supply-1"))
    assert "is not a supply unit in the port" in reasons(
        sail(OPTION + "2622: CP-supply-2\n", "2615", supply="CP-supply-2")
    )
    coast = OPTION.replace("2620 port=baltic", "2620 coast=baltic port=none") + "2610 control=central-powers\n"
    assert "there is no supply unit in the port" in reasons(sail(coast, "2610")), "the one on the coast is in no port"
    both = OPTION + "2610 control=central-powers\n2610: CP-supply-2\n"
    assert sail(both, "2610").result.kind == "amphibious"
    assert [one.subject for one in sail(both, "2610").changes] == ["1M", "1M"], "from port to port costs none"
    for found in (sail(both, "2610"), sail(both, "2610", supply="CP-supply-2")):
        assert found.verdict.kind == "yes" and "is expended" not in str(found)
    without = TRANSFER.replace("options=amphibious\n", "")
    assert [one.rule for one in transfer("Danzig", "Riga", without).parts[0].steps] == ["21.6"]
    beside = OPTION.replace("CP-supply-1", "AH-4, CP-supply-1")
    assert "AH-4 is not a supply unit" in reasons(sail(beside, "2615", supply="AH-4"))
    assert sail(beside, "2615").changes == (), "nothing changes before the die"
    (spent, *_) = ask(beside + "ask move unit=1M way=2615 by=sea\nanswers landing=5\n", "").changes
    assert (spent.subject, spent.after) == ("CP-supply-1", "Available")


@pytest.mark.rule("Opt/Amph/4")
def test_a_landing_hex_holds_no_enemies_and_obeys_stacking() -> None:
    assert "enemies stand in 2615" in reasons(sail(OPTION + "2615: Rus-2 movement=3\n", "2615"))
    assert sail(OPTION + "2615: Ger-8 movement=3\n", "2615").result.over_stacked
    assert not sail(OPTION, "2615").result.over_stacked


@pytest.mark.rule("Opt/Amph/5", "Opt/Amph/1", "Opt/Amph/6")
def test_an_assault_ends_at_sea_next_to_an_enemy_and_is_no_landing() -> None:
    sea = OPTION + "2614 all-sea coast=baltic\n"
    found = sail(sea + "2615: Rus-2 movement=3\n", "2614")
    assert found.result.kind == "assault" and "if its result allows pursuit" in str(found)
    coast = sea.replace("2620 port=baltic", "2620 coast=baltic port=none") + "2615: Rus-2 movement=3\n"
    assert "must start in a port" in reasons(sail(coast, "2614", supply="CP-supply-1"))
    sea = OPTION + "2614 all-sea coast=baltic\n2615: Rus-2 movement=3\n"
    assert "no enemy is adjacent to 2614" in reasons(sail(sea.replace("2615: Rus-2", "2625: Rus-2"), "2614"))


@pytest.mark.rule("Opt/Amph/6")
def test_russians_alone_need_kronstadt_and_sevastopol_each_in_its_sea() -> None:
    russian = OPTION.replace("german marine", "russian marine").replace("CP-supply-1", "Allied-supply-1")
    russian = russian.replace("2620 port=baltic country=germany", "2620 port=baltic country=russia")
    assert "Kronstadt assumed not to be controlled" in str(sail(russian, "2615"))
    base = russian + "2605 named=Kronstadt country=russia\n"
    assert sail(base, "2615").verdict.kind == "figure"
    assert "the Central Powers control Kronstadt" in reasons(sail(base + "2605 control=central-powers\n", "2615"))
    lost = "2605 named=Kronstadt country=russia control=central-powers\n"
    assert sail(OPTION + lost, "2615").verdict.kind == "figure", "Germans do not need it"
    apart = sail(russian.replace("2620 port=baltic", "2620 port=black-sea"), "2615")
    assert "do not lie on the same sea" in reasons(apart) and "assumed not to be controlled" not in str(apart)
    south = russian.replace("baltic", "black-sea") + lost
    assert sail(south, "2615").verdict.kind == "figure", "it lies on the other sea"
    taken = south + "2606 named=Sevastopol country=russia control=central-powers\n"
    assert "the Central Powers control Sevastopol" in reasons(sail(taken, "2615"))


@pytest.mark.rule("Opt/Amph/7")
def test_a_naval_transfer_moves_a_corps_between_named_ports() -> None:
    position = OPTION.replace("german marine XXX 1M", "Ger-inf-1").replace("2620 port", "2620 named=Danzig port")
    position = position.replace("2610 port", "2610 named=Riga control=central-powers port")
    found = sail(position, "2610", unit="Ger-inf-1")
    assert (found.verdict.kind, found.result.kind) == ("yes", "transfer")
    state = after(position, "move", unit="Ger-inf-1", way=["2610"], by="sea")
    assert (state.units["Ger-inf-1"].place, state.units["CP-supply-1"].place) == ("2610", "Available")
    assert "does not control 2610" in reasons(
        sail(position.replace("control=central-powers", "control=allies"), "2610", unit="Ger-inf-1")
    )
    assert "a corps or a supply unit" in reasons(sail(position.replace("Ger-inf-1", "Ger-8"), "2610", unit="Ger-8"))
    assert "has already made an amphibious move" in reasons(
        sail(position + "side central-powers sailed\n", "2610", unit="Ger-inf-1")
    )
    nameless = TRANSFER.replace("named={} ", "")
    assert [one.key for one in sail(nameless, "2610", unit="Ger-inf-1").asks] == [("named", "2620"), ("named", "2610")]
    half = TRANSFER.replace("2620 named={} ", "2620 ")
    assert [one.key for one in transfer("Riga", "", half).asks] == [("named", "2620")]


# --- clause by clause ---------------------------------------------------------------------------------------------------

LANDING = OPTION + "side central-powers vp=60\nside allies vp=60\nmain-effort=east\n"
TRANSFER = """
turn=2 scenario=1914
options=amphibious
2620: Ger-inf-1 movement=3, CP-supply-1 movement=2
2620 named={} port=baltic country=germany control=central-powers
2610 named={} port=baltic country=russia control=central-powers
"""
GERMAN = ("Danzig", "Konigsberg", "Königsberg", "Koenigsberg", "Riga", "Helsinki")
RUSSIAN = ("Petrograd", "Kronstadt", "Riga", "Helsinki")


def transfer(start: str, end: str, position: str = TRANSFER, unit: str = "Ger-inf-1") -> Any:
    """The report on a naval transfer between two ports."""
    return sail(position.format(start, end), "2610", unit=unit)


@pytest.mark.rule("Opt/Amph/7")
@pytest.mark.parametrize("port", GERMAN)
def test_the_central_powers_ship_between_their_baltic_ports(port: str) -> None:
    other = "Riga" if port != "Riga" else "Danzig"
    assert transfer(port, other).verdict.kind == "yes"
    assert "may not go from" in reasons(transfer(port, "Petrograd"))


@pytest.mark.rule("Opt/Amph/7")
@pytest.mark.parametrize("port", RUSSIAN)
def test_the_allies_ship_in_each_sea_between_theirs(port: str) -> None:
    allied = TRANSFER.replace("Ger-inf-1", "Rus-inf-1").replace("CP-supply-1", "Allied-supply-1")
    allied = allied.replace("central-powers", "allies")
    other = "Riga" if port != "Riga" else "Petrograd"
    assert transfer(port, other, allied, "Rus-inf-1").verdict.kind == "yes"
    assert transfer("Odessa", "Sevastopol", allied, "Rus-inf-1").verdict.kind == "yes"
    assert "may not go from" in reasons(transfer("Odessa", port, allied, "Rus-inf-1"))
    assert "may not go from" in reasons(transfer(port, "Danzig", allied, "Rus-inf-1"))


@pytest.mark.rule("Opt/Amph/2", "Opt/Amph/7")
def test_a_supply_unit_is_shipped_at_the_cost_of_another_one() -> None:
    alone = TRANSFER.replace("Ger-inf-1 movement=3, CP-supply-1", "CP-supply-1")
    assert "there is no supply unit in the port" in reasons(transfer("Danzig", "Riga", alone, "CP-supply-1"))
    two = TRANSFER.replace("Ger-inf-1 movement=3", "CP-supply-2 movement=2")
    found = transfer("Danzig", "Riga", two, "CP-supply-2")
    assert found.verdict.kind == "yes"
    assert {one.subject: one.after for one in found.changes if one.track == "place"} == {
        "CP-supply-1": "Available",
        "CP-supply-2": "2610",
    }
    assert "may not go from" in reasons(transfer("Danzig", "Petrograd", two, "CP-supply-2"))
    there = TRANSFER.replace(", CP-supply-1 movement=2", "") + "2610: CP-supply-1\n"
    assert transfer("Danzig", "Riga", there).verdict.kind == "yes", "or one in the port of debarkation"
    found = sail(
        OPTION + "CP-supply-1 movement=2\n2620 named=Danzig\n2610 named=Riga control=central-powers\n",
        "2610",
        unit="CP-supply-1",
        supply="CP-supply-1",
    )
    assert "CP-supply-1 may not be expended for its own move" in reasons(found)
    with pytest.raises(InputError, match="Foo"):
        sail(OPTION, "2610", supply="Foo")


@pytest.mark.rule("5.3", "7.3/2", "Opt/Amph/3", "Opt/Amph/5")
def test_who_lands_takes_the_hex_and_who_fails_or_assaults_does_not() -> None:
    held = LANDING.replace("2615 coast=baltic port=none", "2615 control=allies coast=baltic port=none")

    def hexes_taken(text: str) -> list[str]:
        return [change.subject for change in ask(text, "").changes if change.track == "control"]

    ask_move = "ask move unit=1M way={} by=sea\n"
    landings = [f"{held}{ask_move.format('2615')}answers landing={die}\n" for die in (1, 2, 4)]
    assert [hexes_taken(text) for text in landings] == [[], [], ["2615"]]
    port = f"{held}2614 all-sea coast=baltic control=allies\n2615: Rus-2 movement=3\n{ask_move.format('2614')}"
    assert (ask(port, "").result.kind, hexes_taken(port)) == ("assault", [])


@pytest.mark.rule("Opt/Amph/2", "Opt/Amph/3")
@pytest.mark.parametrize("die", range(1, 7))
def test_what_the_die_of_a_landing_leads_to(die: int) -> None:
    unknown = LANDING.replace("movement=3 attack=2 defence=2", "movement=3")
    position = unknown + f"ask move unit=1M way=2615 by=sea\nanswers landing={die}\n"
    found, state = ask(position, ""), after(position, "")
    ends = {1: ("eliminated", "Dead Pile"), 2: ("fails", "2620"), 3: ("fails", "2620")}
    landing, place = ends.get(die, ("lands", "2615"))
    assert (found.result.landing, found.verdict.kind) == (landing, "yes" if die > 3 else "figure")
    assert [one.hex for one in found.result.entered] == (["2615"] if die > 3 else [])
    assert (state.units["1M"].place, state.units["CP-supply-1"].place) == (place, "Available")
    assert (state.value("vp", "central-powers"), state.value("vp", "allies")) == (58 if die == 1 else 60, 60)
    assert state.value("sailed", "central-powers") is True
    assert state.value("moved", "1M") is (None if die == 1 else True)


@pytest.mark.rule("21.6", "Opt/Amph/1")
def test_a_coastal_hex_without_a_port_is_stated_so_and_whether_it_has_one_is_asked() -> None:
    assert "there is no port in 2615" in reasons(sail(PORTS, "2615"))
    unknown = "2615 coast=baltic"
    for option in ("", "options=amphibious\n"):
        asked = sail(option + PORTS.replace(f"{unknown} port=none", unknown), "2615")
        assert (asked.verdict.kind, [each.key for each in asked.asks]) == ("undecided", [("port", "2615")])
    inland = OPTION.replace(f"{unknown} port=none", "2615 coast=none port=none")
    assert "2620 and 2615 do not lie on the same sea" in reasons(sail(inland, "2615", supply="CP-supply-1"))


@pytest.mark.rule("21.6", "Opt/Amph/1")
@pytest.mark.parametrize(
    ("stated", "kinds"),
    [
        ("port=baltic", ("amphibious", "transfer", "landing", "assault")),
        ("coast=baltic port=none", ("landing", "assault")),
        ("all-sea coast=baltic", ("landing", "assault")),
        ("coast=none port=none", ()),
    ],
)
def test_voyages_go_between_ports_and_landings_and_assaults_between_coasts(stated: str, kinds: tuple[str, ...]) -> None:
    with viewed(f"game {GAME}\n2615 {stated}").gather() as facts:
        seas = {kind: find_sea(facts, "2615", kind) for kind in ("amphibious", "transfer", "landing", "assault")}
    assert {kind for kind, sea in seas.items() if sea == "baltic"} == {*kinds}
    assert {*seas.values()} <= {"baltic", ""}


WINTER = "chart turn-record 4 = winter\nturn=4"


@pytest.mark.rule("21.6", "22.1/4", "Opt/Amph/4", "Opt/Partisan")
@pytest.mark.parametrize(
    ("more", "begins", "to", "why"),
    [
        ("", "baltic", "2610", []),
        ("", "baltic", "2640", ["21.6"]),
        ("", "baltic", "2615", ["21.6"]),
        ("", "baltic", "2620", ["21.6"]),
        ("", "black-sea", "2640", []),
        (WINTER, "baltic", "2610", ["22.1"]),
        (WINTER, "black-sea", "2640", []),
        ("2610: Rus-2 movement=3", "baltic", "2610", ["12.4"]),
        ("options=amphibious\nruling port-arrival=controlled\n2620: CP-supply-1", "baltic", "2615", []),
        ("ruling port-arrival=controlled", "baltic", "2610", ["21.6"]),
        ("ruling port-arrival=controlled\n2610 control=central-powers", "baltic", "2610", []),
    ],
)
def test_each_bar_to_a_voyage_is_named_alone(more: str, begins: str, to: str, why: list[str]) -> None:
    position = PORTS.replace("2620 port=baltic", f"2620 port={begins}")
    position = position.replace("turn=2", more) if more == WINTER else f"{position}{more}\n"
    assert why_not(sail(position, to)) == why


@pytest.mark.rule("21.6", "Opt/Partisan", "Opt/Amph/4", "22.1/4")
def test_no_partisans_sail_and_no_corps_is_shipped_to_a_hex_without_a_port() -> None:
    corps = OPTION.replace("german marine XXX 1M", "Ger-inf-1").replace("2620 port", "2620 named=Danzig port")
    shipped = sail(
        corps.replace("2615 coast", "2615 named=Riga control=central-powers coast"), "2615", unit="Ger-inf-1"
    )
    assert "there is no port in 2615" in reasons(shipped)
    partisans = PORTS.replace("german marine XXX 1M", "russian partisan XX P").replace("germany", "russia")
    assert "partisans may not move by sea" in reasons(sail(partisans, "2610", unit="P"))
