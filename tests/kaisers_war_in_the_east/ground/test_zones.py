"""Who may enter which countries (23.3, optional rules), and which season a game turn has: where a thaw is as hard as winter."""

from __future__ import annotations

import pytest

from assistant.asking import MissingFacts
from kaisers_war_in_the_east.ground import bound_as, may_enter
from kaisers_war_in_the_east.seasons import is_hard, season

from ...conftest import told, viewed, why_not
from ..asking import kaiser

COUNTRIES = ("germany", "austria-hungary", "bulgaria", "russia", "romania")


@pytest.mark.rule("11.7", "23.3", "Opt/Volunteer", "Opt/Partisan")
@pytest.mark.parametrize(
    ("nation", "arm", "open_to"),
    [
        ("romanian", "infantry", ("austria-hungary", "bulgaria", "russia", "romania")),
        ("bulgarian", "cavalry", ("bulgaria", "romania")),
        ("nationalist", "infantry", ("russia",)),
        ("bolshevik", "partisan", ("russia",)),
        ("bolshevik", "infantry", COUNTRIES),
        ("german", "infantry", COUNTRIES),
    ],
)
def test_the_countries_that_units_may_enter(nation: str, arm: str, open_to: tuple[str, ...]) -> None:
    bound = bound_as(nation, arm)
    assert tuple(one for one in COUNTRIES if may_enter(bound, one)) == open_to
    assert may_enter(bound, "")


PARTISANS = """turn=1
scenario=1914
options=revolutions options=amphibious
revolution=2
main-effort=west
side allies vp=9
side central-powers vp=50
2418: bolshevik partisan X Kuban movement=4 attack=1 defence=1, bolshevik infantry XXX Reds movement=4 attack=2 defence=2
2418, 2419 clear country=russia
2418 port=black-sea named=Odessa
2430 port=black-sea country=russia named=Sevastopol
2417 clear country=austria-hungary
2418|2419 open
2418|2417 open
"""


def moved(unit: str, to: str, by: str = "land") -> list[str]:
    """The rules that keep a unit from a hex."""
    text = PARTISANS + "2418=2419\n" if by == "rail" else PARTISANS
    return why_not(kaiser(text + "Kuban supply=in\nReds supply=in", "move", unit=unit, way=[to], by=by))


@pytest.mark.rule("Opt/Partisan", "23.3")
def test_partisans_stay_in_russia_and_use_neither_rails_nor_ships() -> None:
    assert (moved("Kuban", "2419"), moved("Kuban", "2417")) == ([], ["Opt/Partisan"])
    assert moved("Reds", "2417") == []
    assert (moved("Kuban", "2419", "rail"), moved("Reds", "2419", "rail")) == (["Opt/Partisan"], [])
    assert "Opt/Partisan" in moved("Kuban", "2430", "sea")
    assert "Opt/Partisan" not in moved("Reds", "2430", "sea")


@pytest.mark.rule("Opt/Partisan")
def test_partisans_get_no_maximum_attack_supply() -> None:
    alone = PARTISANS.partition("2418: ")[0] + "2418, 2419 clear country=russia\n2418|2419 open\n"
    units = "bolshevik partisan X Kuban (1-1-4), bolshevik infantry XXX Reds (2-2-4), Allied-supply-1 radius=3"
    fight = f"{alone}2418: {units}\n2419: Ger-8 (3-3-4)\n"
    report = kaiser(fight, "battle", at="2419", **{"from": ["2418"], "supply": ["Allied-supply-1"]})
    assert told(report, "Strengths")[:2] == [
        "Kuban in 2418: 1",
        "Reds in 2418: 2 x 2 = 4 (Maximum Attack Supply from Allied-supply-1)",
    ]


GAME = "game kaisers-war-in-the-east\n"


def season_of(text: str) -> str:
    with viewed(GAME + text).gather() as facts:
        return season(facts)


@pytest.mark.rule("22.0")
def test_the_turn_record_tells_the_season() -> None:
    """August to October 1914 are single months, which only summer turns are; the rest of the record is reconstructed."""
    assert season_of("turn=1") == "summer"
    assert season_of("trust charts\nturn=4") == "winter"
    assert season_of("trust charts\nturn=6") == "thaw"
    assert season_of("chart turn-record 4 = summer\nturn=4") == "summer"
    with pytest.raises(MissingFacts):
        season_of("turn=4")
    with pytest.raises(MissingFacts) as missing, viewed(GAME).gather() as facts:
        season(facts)
        facts.word("phasing")
    assert [ask.key for ask in missing.value.asks] == [("turn", ""), ("phasing", "")]


@pytest.mark.rule("22.2")
def test_a_thaw_is_as_hard_as_winter_in_russia_alone() -> None:
    hard = {
        (one, place) for one in ("summer", "winter", "thaw") for place in ("russia", "germany") if is_hard(one, place)
    }
    assert hard == {("winter", "russia"), ("winter", "germany"), ("thaw", "russia")}
