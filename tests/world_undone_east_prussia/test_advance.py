"""How far victorious units follow, and the fall of a fortress (6.6)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.util.errors import InputError

from ..conftest import answered, told, typed, values, why_not
from .asking import GAME, state_after, undone

pytestmark = pytest.mark.rule("6.6/who", "6.6/stop", "6.6/fortress")
"""Every advance here asks who follows how far, and whether a fortress falls."""

WON = """
turn=3
phasing=german
phase=first-combat
5320: I/1 fought, 8A/1KB fought
5420 attacked trail="5520 5620"
5620-5720
5820: III/25
"""
"""The defender of 5420 has retreated by way of 5520 and 5620."""


def advance(position: str, *way: str, **parameters: Any) -> Report[Any]:
    """The report on an advance of the division into 5420 and on."""
    return undone(position, "advance", **({"units": ["I/1"], "at": "5420", "way": list(way)} | parameters))


def test_nobody_advances_over_a_lake_to_enemies_or_to_a_hex_that_is_not_adjacent() -> None:
    assert why_not(advance(WON + "5320|5420 lake\n")) == ["6.6"]
    assert why_not(advance(WON + "5420|5520 sea\n", "5520")) == ["6.6"]
    assert not why_not(advance(WON + "5320|5420 river\n")), "attackers advance over rivers"
    assert why_not(advance(WON + "5420: III/27\n")) == ["6.6"]
    far = advance(WON, at="5620")
    assert told(far) == ["I/1 in 5320 is not adjacent to 5620"]


def test_attackers_advance_along_the_retreat_that_is_recorded_or_told() -> None:
    report = advance(WON)
    assert (report.verdict.text, report.result.reach) == ("I/1 may advance to 5420", 3)
    assert [one.hex for one in report.result.options] == ["5520"]
    assert values(advance(WON, "5520", "5620"))["place", "I/1"] == "5620"
    assert told(advance(WON, "5521")) == ["the enemy is not known to have retreated through 5521"]
    assert why_not(advance(WON, "5521")) == ["6.6"]
    assert why_not(advance(WON.replace("5820:", "5520:"), "5520")) == ["6.6"]
    untold = WON.replace(' trail="5520 5620"', "")
    assert advance(untold).result.reach == 1
    assert why_not(advance(untold, "5520")) == ["6.6", "6.6"]
    assert advance(untold, "5520", along=["5520"]).result.allowed


@pytest.mark.rule("6.4/EX")
def test_nobody_advances_after_an_exchange() -> None:
    exchanged = WON + "5420 exchanged\n"
    assert why_not(advance(exchanged)) == ["6.4"]
    assert told(advance(exchanged)) == ["no unit advances: after an exchange all units stay"]
    assert advance(WON + "5520 exchanged\n").result.allowed


@pytest.mark.rule("3.2")
def test_units_advance_apart_and_may_crowd_a_hex_until_the_end_of_the_movement_phase() -> None:
    first = state_after(WON, "advance", units=["I/1"], at="5420", way=["5520"])
    assert (first.units["I/1"].place, first.units["8A/1KB"].place) == ("5520", "5320")
    assert values(advance(WON, units=["8A/1KB"]))["place", "8A/1KB"] == "5420"
    full = WON + "5420: I/2, XVII/35, XVII/36\n"
    assert (advance(full).result.over_stacked, advance(full).result.allowed) == (True, True)
    assert not advance(WON + "5420: I/2, XVII/35\n").result.over_stacked


def test_infantry_cavalry_and_garrisons_advance_and_no_others() -> None:
    for unit in ("I/1", "8A/1KB", "8A/G-Boyn"):
        assert advance(WON.replace("I/1 fought, 8A/1KB fought", f"{unit} fought"), units=[unit]).result.allowed
    russian = WON.replace("german", "russian").replace(
        "I/1 fought, 8A/1KB fought",
        "1A/1HA fought, 1A/Renn fought, XX/28 fought, Dummy/R1, Dummy/R2, III/27 over fought",
    )
    russian = russian.replace("5820: III/25", "5120: I/1")
    said = told(advance(russian, units=["1A/1HA", "1A/Renn", "III/27", "XX/28"]))
    assert said == [
        "1A/1HA does not advance: only infantry and cavalry do",
        "1A/Renn does not advance: only infantry and cavalry do",
        "III/27 does not advance: it is over the stacking limit",
    ]
    assert why_not(advance(russian, units=["1A/1HA"])) == ["6.6"]


DEFENDED = WON.replace("phasing=german", "phasing=russian")
"""The Germans have thrown an attack back."""


def test_defenders_advance_too_but_not_across_rivers_which_are_asked_for_where_they_decide() -> None:
    dry = DEFENDED + "5320-5420-5520\n"
    assert values(advance(dry, "5520"))["place", "I/1"] == "5520"
    assert told(advance(DEFENDED + "5320~5420\n")) == ["5420 cannot be entered: across a river"]
    assert told(advance(DEFENDED + "5320-5420~5520\n", "5520")) == ["5520 cannot be entered: across a river"]
    assert advance(WON + "5320~5420~5520\n", "5520").result.allowed, "attackers cross"
    assert [ask.key for ask in advance(DEFENDED, "5520").asks] == [("barrier", "5320|5420"), ("barrier", "5420|5520")]
    assert not advance(WON, "5520").asks
    assert why_not(advance(DEFENDED, at="5620")) == ["6.6"], "nothing is asked for an advance that cannot be"
    assert advance(WON.replace("phasing=german\n", "")).asks[0].key == ("phasing", "")


def test_beyond_the_first_hex_units_stop_in_an_enemy_zone_and_its_rivers_are_named() -> None:
    near = WON.replace("5820:", "5619:")
    assert advance(near, "5520").result.allowed, "5520 lies in the zone, and is entered"
    assert advance(near, "5520").result.options == ()
    assert told(advance(near, "5520", "5620")) == ["5620 cannot be entered: the units stop in an enemy zone of control"]
    assert why_not(advance(near, "5520", "5620")) == ["6.6"]
    first = WON.replace("5820:", "5421:")
    assert advance(first, "5520").result.allowed, "the zone in the first hex does not stop them"
    friendly = advance(near + "5520: I/2\n", "5520", "5620")
    assert why_not(friendly) == ["6.6"], "a friend in the zone does not matter"
    near = WON.replace("5820:", "5521:").replace("5420 attacked", "5320-5420-5520\n5420 attacked")
    assumed = told(advance(near, "5520"), "Assumed")
    assert any("5520|5521 assumed to have no river (not stated)" in line for line in assumed)
    assert not any("5520|5521" in line for line in told(advance(near + "5520-5521\n", "5520"), "Assumed"))


@pytest.mark.rule("2.0/Control")
def test_hexes_entered_come_under_control() -> None:
    russia = WON + "5320, 5420, 5520 country=russia\n"
    changed = values(advance(russia, "5520"))
    assert [key for key in changed if key[0] == "control"] == [("control", at) for at in ("5320", "5420", "5520")]
    assert changed["control", "5520"] == "german"
    option = "options=cavalry-control\n" + russia
    assert not [key for key in values(advance(option, "5520", units=["8A/1KB"])) if key[0] == "control"]
    assert values(advance(option, "5520"))["control", "5420"] == "german"


def test_no_zone_reaches_into_a_fortress_until_it_is_destroyed() -> None:
    def reached(position: str) -> bool:
        hexes = undone(position, "zones", at=["4025"]).result.hexes
        return any(zone.units for zone in hexes if zone.side == "russian")

    assert not reached(STORMED)
    assert reached(STORMED + "4025 destroyed\n")


STORMED = """
turn=8
phasing=russian
phase=second-combat
4126: XX/29 fought
4025 country=germany fortress=4 attacked trail=3925
4024: XX/28
3825: 8A/G-Boyn
"""
"""Russians have beaten the garrison of a fortress of 4 Strength Points."""


def storm(position: str, *way: str, **parameters: Any) -> Report[Any]:
    return undone(position, "advance", **({"units": ["XX/29"], "at": "4025", "way": list(way)} | parameters))


@pytest.mark.rule("3.3/fort-entry", "8.0/vp")
def test_an_attacking_russian_who_advances_into_a_fortress_destroys_it_and_its_zone() -> None:
    report = storm(STORMED)
    changed = values(report)
    assert (changed["destroyed", "4025"], changed["lost", "german"], changed["control", "4025"]) == (True, 4, "russian")
    assert "the fortress in 4025 is destroyed: 4 Strength Points lost by the Germans" in told(report)
    on = values(storm(STORMED, "3925"))
    assert (on["destroyed", "4025"], on["place", "XX/29"]) == (True, "3925")
    again = values(storm(STORMED + "4025 destroyed\n"))
    assert ("destroyed", "4025") not in again and ("lost", "german") not in again
    long = STORMED.replace("trail=3925", 'trail="3925 3825"').replace("3825: 8A", "3524: 8A")
    assert storm(long, "3925", "3825").result.allowed
    other = long + "3926 fortress=2\n"
    assert not storm(other, "3925", "3825").result.allowed, "that of another one does"


@pytest.mark.rule("3.3/fort-entry")
def test_no_other_advance_destroys_a_fortress_or_enters_one() -> None:
    defending = STORMED.replace("phasing=russian", "phasing=german") + "4126-4025-3925\n"
    assert why_not(storm(defending)) == ["3.3"]
    beyond = STORMED + "3925 fortress=2\n"
    assert why_not(storm(beyond, "3925")) == ["3.3"]
    german = WON + "5420 fortress=3\n"
    changed = values(advance(german))
    assert ("destroyed", "5420") not in changed and changed["place", "I/1"] == "5420"
    assert ("control", "5420") not in changed, "it has been German all along"


def test_only_who_fought_advances_or_is_taken_to_have_won_where_no_combat_is_recorded() -> None:
    untold = STORMED.replace(" fought", "").replace(" attacked", "")
    assumed = "XX/29, XX/28 taken to have won a combat for 4025 (not stated)"
    assert assumed in told(storm(untold, units=["XX/29", "XX/28"]), "Assumed")
    assert not [line for line in told(storm(STORMED)) if "taken to have won" in line]
    later = untold.replace("second-combat", "second-movement")
    assert why_not(storm(later)) == ["6.6"], "nobody has fought in a Movement Phase"
    assert why_not(storm(STORMED, units=["XX/28"])) == ["6.6"]
    assert why_not(storm(STORMED, units=["XX/29", "XX/28"])) == ["6.6"]
    held = STORMED.replace("4024: XX/28", "4024 attacked: XX/28")
    assert not why_not(storm(held, units=["XX/28"])), "a defender"


def test_what_is_no_advance_is_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="an advance needs units"):
        advance(WON, units=[])
    with pytest.raises(InputError, match="I/2 is not in a hex"):
        advance(WON + "I/2 arrives=5\n", units=["I/2"])
    with pytest.raises(InputError, match="5820 is not adjacent to 5420"):
        advance(WON, "5820")


def test_a_battle_its_retreat_and_its_advance_lead_from_position_to_position() -> None:
    begun = "turn=3\nphasing=german\nphase=first-combat\n3410 named=Königsberg\n5320: I/1, I/2\n5420 clear: III/25\n"
    begun += "5320-5420-5520-5620\nchart german-table 3:1+ 3 = D2\n"
    moves: list[tuple[str, dict[str, Any]]] = [
        ("battle", {"at": ["5420"], "answers": {"die": "3"}}),
        ("retreat", {"units": ["III/25"], "hexes": 2, "way": ["5520", "5620"]}),
        ("advance", {"units": ["I/1"], "at": "5420", "way": ["5520"]}),
    ]
    position = typed(f"game {GAME}\n{begun}")
    for question, parameters in moves:
        report = answered(position, question, **parameters)
        assert report.verdict.kind in ("yes", "figure"), report.verdict.text
        position = Position(position.game, apply_changes(position.game, position.state, report.changes))
    units = position.state.units
    assert [units[name].place for name in ("I/1", "I/2", "III/25")] == ["5520", "5320", "5620"]
    assert position.state.value("control", "5420") == position.state.value("control", "5520") == "german"
    assert position.state.value("disrupted", "I/1") is True


FOUGHT = """scenario=historical turn=6 phasing=german phase=first-combat
elsewhere clear open town=none no-rail
chart german-table 3:1 2 = DE
chart german-table 3:1 1 = AE
chart german-table 3:1 3 = -
5420: XX/28 supply=in
5320: I/1 supply=in, I/2 supply=in
5321: XVII/35 supply=in
"""
"""Three German divisions around a Russian one."""


def fought(text: str, die: int, at: str = "5420", *, start: str = "5320") -> Position:
    """The position after an attack from a hex."""
    position = typed(f"game {GAME}\n{text}")
    report = answered(position, "battle", at=[at], from_=[start], answers={"die": str(die)})
    assert report.verdict.kind == "figure", report.verdict.text
    return position.after(report.changes)


def advances(position: Position, *units: str, at: str = "5420") -> bool:
    """Whether units may advance into a hex."""
    return not why_not(answered(position, "advance", units=list(units), at=at))


def test_only_the_victors_beside_a_combat_advance_and_once() -> None:
    won = fought(FOUGHT, 2)
    assert advances(won, "I/1") and advances(won, "I/1", "I/2")
    assert not advances(won, "XVII/35") and not advances(won, "I/1", "XVII/35")
    there = won.after(answered(won, "advance", units=["I/1"], at="5420").changes)
    assert not advances(there, "I/1", at="5320")
    assert advances(there, "I/2"), "each goes apart"
    held = fought(FOUGHT, 1)
    assert advances(held, "XX/28", at="5320")
    assert not advances(held, "XX/28", at="5419")


@pytest.mark.rule("3.3/fort-entry")
def test_a_fortress_without_a_garrison_that_holds_is_not_entered() -> None:
    text = FOUGHT.replace("german", "russian").replace("5420: XX/28 supply=in", "5420 fortress=2 country=germany")
    text = text.replace("I/1 supply=in, I/2", "XX/28 supply=in, XX/29").replace("5321: XVII/35 supply=in", "")
    text = text.replace("chart russian-table 3:1", "chart russian-table 5:1")
    assert not advances(fought(text, 3), "XX/28")
    assert advances(fought(text, 2), "XX/28")


@pytest.mark.rule("10.2.2/effects", "10.2.2/release")
def test_attackers_advance_into_the_hex_that_cavalry_leaves_before_a_combat_and_cavalry_that_leaves_does_not() -> None:
    text = FOUGHT.replace("5420: XX/28", "5420: IC/2GC").replace("turn=6", "turn=6 options=cavalry-retreats")
    text = text.replace("elsewhere clear", "5520 map-edge=east\nelsewhere clear")
    left = typed(f"game {GAME}\n{text}")
    left = left.after(answered(left, "evade", unit="IC/2GC", against=["I/1", "I/2"], way=["5520"]).changes)
    assert left.state.units["IC/2GC"].place == "5520"
    assert advances(left, "I/1") and not advances(left, "XVII/35")
    rider = FOUGHT.replace("5320: I/1 supply=in, I/2", "5320: 8A/1KB").replace(
        "turn=6", "turn=6 options=cavalry-retreats"
    )
    rider = rider.replace("elsewhere clear", "5120 map-edge=west\nelsewhere clear")
    away = typed(f"game {GAME}\n{rider}")
    changes = answered(away, "evade", unit="8A/1KB", against=["XX/28"], way=["5220"]).changes
    assert away.after(changes).state.value("follows", "8A/1KB") == ""
    assert {change.rule for change in changes if change.track == "follows"} == {"10.2.2"}
