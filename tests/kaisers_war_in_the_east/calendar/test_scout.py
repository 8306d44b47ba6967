"""Looking at hidden stacks (optional Fog of War)."""

from __future__ import annotations

import pytest

from assistant.util.errors import InputError

from ...conftest import why_not
from ..asking import kaiser

FOG = "turn=3\noptions=fog-of-war options=air-units\n2418: Rus-SW radius=3 (2-2-3)\n2421: Ger-8 (8-8-4)\n2422: AH-1 (4-4-4)\n"


@pytest.mark.rule("Opt/Fog/3")
def test_a_headquarters_sees_a_stack_in_its_radius_by_a_die() -> None:
    report = kaiser(FOG, "scout", unit="Rus-SW", at="2421")
    assert (report.result.most, [ask.name for ask in report.asks]) == (2, ["scout"])
    assert kaiser(FOG + "ask scout unit=Rus-SW at=2421\nanswers scout=2").verdict.kind == "yes"
    assert kaiser(FOG + "ask scout unit=Rus-SW at=2421\nanswers scout=3").verdict.kind == "no"
    assert why_not(kaiser(FOG, "scout", unit="Rus-SW", at="2422")) == ["Opt/Fog/3"]
    assert why_not(kaiser(FOG, "scout", unit="Rus-SW", at="2419")) == ["Opt/Fog/3"]
    assert why_not(kaiser(FOG + "phase=first-combat", "scout", unit="Rus-SW", at="2421")) == ["Opt/Fog/3"]
    own = kaiser(FOG + "phasing=allies phase=movement", "scout", unit="Rus-SW", at="2421")
    assert [ask.name for ask in own.asks] == ["scout"]
    plain = FOG.replace("options=fog-of-war options=air-units", "")
    assert why_not(kaiser(plain, "scout", unit="Rus-SW", at="2421")) == ["Opt/Fog/1"]


@pytest.mark.rule("Opt/Fog/4")
def test_an_airbase_sees_a_stack_in_its_range_without_a_die() -> None:
    air = FOG + "2419: german airbase - KFO radius=2 (1-1-1)\n2420: Rus-2 (6-6-4)\n2424: Rus-3 (6-6-4)\n"
    assert kaiser(air, "scout", unit="KFO", at="2420").result.seen
    with pytest.raises(InputError, match="no roll or choice of that name is due"):
        kaiser(air + "ask scout unit=KFO at=2420\nanswers scout=6")
    assert why_not(kaiser(air, "scout", unit="KFO", at="2424")) == ["Opt/Fog/4"]
    without = air.replace(" options=air-units", "")
    assert why_not(kaiser(without, "scout", unit="KFO", at="2420")) == ["Opt/Air/1"]
