"""Movement by sea: amphibious units, and by the optional rules landings, assaults, naval transfers (21.6)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.util.errors import InputError

from ..examples import after, ask, reasons

PORTS = """
turn=2 scenario=1914
2620: german marine XXX 1M movement=3 attack=2 defence=2
2620 port=baltic country=germany
2610 port=baltic country=russia
2640 port=black-sea country=russia
2615 coast=baltic country=russia
"""
"""A German amphibious unit in a Baltic port, another port there, one on the Black Sea, and a stretch of coast."""
OPTION = "options=amphibious\n" + PORTS.replace("defence=2", "defence=2, CP-supply-1")


def sail(position: str, to: str, unit: str = "1M", **parameters: Any) -> Any:
    """The report on a move by sea."""
    return ask(position, "move", unit=unit, way=[to], by="sea", **parameters)


@pytest.mark.rule("21.6")
def test_an_amphibious_unit_sails_from_port_to_port_with_its_whole_move() -> None:
    found = sail(PORTS, "2610")
    assert (found.verdict.kind, found.result.kind, found.result.cost) == ("yes", "amphibious", 6)
    state = after(PORTS, "move", unit="1M", way=["2610"], by="sea")
    assert (state.units["1M"].place, state.value("moved", "1M")) == ("2610", True)
    assert "do not lie on the same sea" in reasons(sail(PORTS, "2640"))
    assert "enemies stand in 2610" in reasons(sail(PORTS + "2610: Rus-2 movement=3\n", "2610"))
    near = PORTS + "2611: Rus-2 movement=3\n"
    assert sail(near, "2610").result.entered[0].stops, "enemy zones do not keep it out"
    controlled = "ruling port-arrival=controlled\n" + PORTS
    assert "does not control 2610" in reasons(sail(controlled, "2610"))
    army = PORTS + "2620: AH-4 movement=3\n"
    assert "without the optional rules" in reasons(sail(army, "2610", unit="AH-4"))
    with pytest.raises(InputError, match="one hex"):
        ask(PORTS, "move", unit="1M", way=["2610", "2611"], by="sea")


@pytest.mark.rule("22.1/4")
def test_ice_closes_the_baltic_in_winter() -> None:
    winter = PORTS.replace("turn=2", "chart turn-record 4 = winter\nturn=4")
    assert "in winter" in reasons(sail(winter, "2610"))
    south = winter.replace("2620 port=baltic", "2620 port=black-sea")
    assert sail(south, "2640").verdict.kind == "yes"


@pytest.mark.rule("Opt/Amph/1", "Opt/Amph/2")
def test_a_landing_begins_or_ends_in_a_port_and_costs_a_supply_unit() -> None:
    found = sail(OPTION, "2615")
    assert found.result.kind == "landing" and [one.name for one in found.asks] == ["landing"]
    assert "no supply unit stands in the port" in reasons(sail("options=amphibious\n" + PORTS, "2615"))
    assert "has made an amphibious move" in reasons(sail(OPTION + "side central-powers sailed\n", "2615"))
    coast = OPTION.replace("2620 port=baltic", "2620 coast=baltic")
    assert "neither 2620 nor 2615 is a port" in reasons(sail(coast, "2615", supply="CP-supply-1"))
    back = coast.replace("defence=2, CP-supply-1", "defence=2") + "2610 control=central-powers\n2610: CP-supply-1\n"
    assert sail(back, "2610").result.kind == "landing"
    assert "does not control 2610" in reasons(sail(coast, "2610", supply="CP-supply-1"))
    assert "is not a supply unit in the port" in reasons(
        sail(OPTION + "2622: CP-supply-2\n", "2615", supply="CP-supply-2")
    )


@pytest.mark.rule("Opt/Amph/2", "Opt/Amph/3")
@pytest.mark.parametrize(
    ("die", "landing", "place"),
    [
        (1, "eliminated", "Dead Pile"),
        (2, "fails", "2620"),
        (3, "fails", "2620"),
        (4, "lands", "2615"),
        (6, "lands", "2615"),
    ],
)
def test_the_die_of_a_landing(die: int, landing: str, place: str) -> None:
    position = (
        OPTION
        + f"side central-powers vp=60\nmain-effort=east\nask move unit=1M way=2615 by=sea\nanswers landing={die}\n"
    )
    assert ask(position, "").result.landing == landing
    state = after(position, "")
    assert (state.units["1M"].place, state.units["CP-supply-1"].place) == (place, "Available")
    assert state.value("vp", "central-powers") == (58 if die == 1 else 60)
    assert state.value("sailed", "central-powers") is True
    assert state.value("moved", "1M") is (None if die == 1 else True)


@pytest.mark.rule("Opt/Amph/4")
def test_a_landing_hex_holds_no_enemies_and_obeys_stacking() -> None:
    assert "enemies stand in 2615" in reasons(sail(OPTION + "2615: Rus-2 movement=3\n", "2615"))
    assert sail(OPTION + "2615: Ger-8 movement=3\n", "2615").result.over_stacked
    assert not sail(OPTION, "2615").result.over_stacked


@pytest.mark.rule("Opt/Amph/5")
def test_an_assault_ends_at_sea_next_to_an_enemy() -> None:
    sea = OPTION + "2614 all-sea coast=baltic\n"
    assert "no enemy stands next to 2614" in reasons(sail(sea, "2614"))
    found = sail(sea + "2615: Rus-2 movement=3\n", "2614")
    assert found.result.kind == "assault" and "if its result allows pursuit" in str(found)
    coast = sea.replace("2620 port=baltic", "2620 coast=baltic") + "2615: Rus-2 movement=3\n"
    assert "starts in a port" in reasons(sail(coast, "2614", supply="CP-supply-1"))


@pytest.mark.rule("Opt/Amph/6")
def test_russians_need_kronstadt_and_sevastopol() -> None:
    russian = OPTION.replace("german marine", "russian marine").replace("CP-supply-1", "Allied-supply-1")
    russian = russian.replace("2620 port=baltic country=germany", "2620 port=baltic country=russia")
    assert "Kronstadt taken not to be under control" in str(sail(russian, "2615"))
    base = russian + "2605 named=Kronstadt country=russia\n"
    assert sail(base, "2615").verdict.kind == "figure"
    assert "the Central Powers control Kronstadt" in reasons(sail(base + "2605 control=central-powers\n", "2615"))


@pytest.mark.rule("Opt/Amph/7")
def test_a_naval_transfer_moves_a_corps_between_named_ports() -> None:
    position = OPTION.replace("german marine XXX 1M", "Ger-inf-1").replace("2620 port", "2620 named=Danzig port")
    position = position.replace("2610 port", "2610 named=Riga control=central-powers port")
    found = sail(position, "2610", unit="Ger-inf-1")
    assert (found.verdict.kind, found.result.kind) == ("yes", "transfer")
    state = after(position, "move", unit="Ger-inf-1", way=["2610"], by="sea")
    assert (state.units["Ger-inf-1"].place, state.units["CP-supply-1"].place) == ("2610", "Available")
    assert "do not lead from Danzig to Odessa" in reasons(
        sail(position.replace("Riga", "Odessa"), "2610", unit="Ger-inf-1")
    )
    assert "does not control 2610" in reasons(
        sail(position.replace("control=central-powers", "control=allies"), "2610", unit="Ger-inf-1")
    )
    assert "a corps or a supply unit" in reasons(sail(position.replace("Ger-inf-1", "Ger-8"), "2610", unit="Ger-8"))
    assert "has made an amphibious move" in reasons(
        sail(position + "side central-powers sailed\n", "2610", unit="Ger-inf-1")
    )
