"""Cavalry that retreats before a combat (10.2.2)."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.util.errors import InputError

from ..conftest import told, values, why_not
from .asking import state_after, undone

pytestmark = pytest.mark.rule("10.2.2/option", "10.2.2/effects", "10.2.2/release")
"""Every unit here asks whether it may go, and what that leaves to the enemy."""

MET = """
turn=3
phasing=german
phase=first-combat
options=cavalry-retreats
5320: I/1
5420: IC/2GC
5420-5520-5620
"""
"""A German division attacks Russian cavalry."""


def evade(position: str, *way: str, **parameters: Any) -> Report[Any]:
    """The report on the retreat of the Russian cavalry."""
    return undone(position, "evade", **({"unit": "IC/2GC", "way": list(way)} | parameters))


def test_cavalry_attacked_by_infantry_alone_retreats_freely_one_hex_or_two() -> None:
    one = evade(MET)
    assert {option.hex for option in one.result.options if not option.barred} == {"5421", "5520", "5521"}
    assert values(evade(MET, "5520"))["place", "IC/2GC"] == "5520"
    assert [ask.key for ask in evade(MET.replace("5420-5520-5620\n", ""), "5520").asks] == [("barrier", "5420|5520")]
    assert evade(MET + "5520-5521\n", "5520", "5521", hexes=2).result.complete, (
        "the second hex may lie next to the first"
    )
    two = evade(MET, "5520", "5620", hexes=2)
    assert values(two)["place", "IC/2GC"] == "5620"
    with pytest.raises(InputError, match="1 to 2 hexes"):
        evade(MET, hexes=3)


def test_heavy_artillery_with_the_attackers_has_no_effect_and_does_not_advance() -> None:
    guns = MET.replace("I/1", "I/1, german heavy-artillery 8th 8A/HA (?-2)")
    assert evade(guns).result.options
    follows = {change.subject: change for change in evade(guns, "5520").changes if change.track == "follows"}
    assert {unit: change.after for unit, change in follows.items()} == {"I/1": "5420", "8A/HA": ""}
    assert {change.rule for change in follows.values()} == {"10.2.2"}


def test_with_cavalry_among_the_attackers_it_needs_a_one_two_or_three() -> None:
    ridden = MET.replace("I/1", "I/1, 8A/1KB")
    due = evade(ridden)
    assert (due.verdict.text, [ask.name for ask in due.asks]) == ("IC/2GC retreats on 1 to 3", ["die"])
    assert evade(ridden, answers={"die": "3"}).result.options
    fails = evade(ridden, answers={"die": "4"})
    assert (fails.verdict.kind, fails.verdict.text) == ("no", "IC/2GC does not retreat, and fights")
    assert fails.changes == ()
    assert values(evade(ridden, answers={"die": "1", "hex.1": "5520"}))["place", "IC/2GC"] == "5520"
    assert evade(ridden, against=["I/1"]).result.options, "only those who attack count"
    with pytest.raises(InputError, match="no roll or choice of that name is due"):
        evade(MET, answers={"die": "3"})


def test_only_cavalry_that_is_not_stacked_with_infantry_or_heavy_artillery() -> None:
    for other in ("III/25", "1A/1HA"):
        refused = evade(MET.replace("IC/2GC", f"IC/2GC, {other}"))
        assert told(refused) == [f"IC/2GC is stacked with {other}"]
        assert why_not(refused) == ["10.2.2"]
    for other in ("IC/1GC", "1A/Renn"):
        assert evade(MET.replace("IC/2GC", f"IC/2GC, {other}")).result.options
    assert told(evade(MET.replace("IC/2GC", "III/25"), unit="III/25")) == ["III/25 is not cavalry"]
    both = evade(MET.replace("IC/2GC", "III/25, III/27"), unit="III/25")
    assert told(both) == ["III/25 is not cavalry", "III/25 is stacked with III/27"]
    garrison = MET.replace("5320: I/1", "5420: 8A/1KB, 8A/G-Boyn").replace("5420: IC/2GC", "5520: III/25")
    assert told(evade(garrison, unit="8A/1KB")) == ["8A/1KB is stacked with 8A/G-Boyn"]
    assert evade(MET.replace("IC/2GC", "IC/2GC, russian dummy second D9 (?-2)")).result.options


def test_the_option_must_be_in_use_and_an_enemy_adjacent() -> None:
    assert told(evade(MET.replace("options=cavalry-retreats\n", ""))) == ["the option cavalry-retreats is not in use"]
    assert told(evade(MET.replace("5320:", "5220:"))) == ["no enemy is adjacent to IC/2GC"]
    assert told(evade(MET + "5120: I/2\n", against=["I/2"])) == ["no enemies adjacent to IC/2GC: I/2"]
    with pytest.raises(InputError, match="IC/2GC"):
        evade(MET.replace("5420: IC/2GC\n", ""))


def test_the_ways_are_those_of_a_retreat_unless_ruled_otherwise_and_who_finds_none_stays() -> None:
    assert told(evade(MET + "5420~5521\n"), "Hexes").count("5521: across a river") == 1
    free = "ruling evading-way=free\n" + MET + "5420~5521\n"
    assert "5521 is open" in told(evade(free), "Hexes")
    assert not evade("ruling evading-way=free\n" + MET.replace("5420-5520-5620\n", ""), "5520").asks
    shut = MET.replace("5420-5520-5620", "5420~5520") + "5420~5521\n5420~5421\n"
    stays = evade(shut)
    assert (stays.verdict.text, stays.changes) == ("no retreat: IC/2GC", ())
    zone = evade("ruling evading-way=free\n" + MET + "5321: I/2\n")
    assert "5421: in an enemy zone of control without a friend" in told(zone, "Hexes")


@pytest.mark.rule("3.5")
def test_the_attackers_have_attacked_and_may_advance_unless_others_are_left_to_fight() -> None:
    more = MET.replace("I/1", "I/1, I/2")
    changed = values(evade(more, "5520", "5620", hexes=2))
    assert changed["attacked", "5420"] is True
    for unit in ("I/1", "I/2"):
        assert changed["fought", unit] is changed["disrupted", unit] is True
    assert changed["trail", "5420"] == "5520"
    second = values(evade(more.replace("first-combat", "second-combat"), "5520"))
    assert second["fought", "I/1"] is True and ("disrupted", "I/1") not in second
    alone = values(evade(more, "5520", against=["I/1"]))
    assert ("fought", "I/2") not in alone
    assert ("fought", "IC/2GC") not in alone and ("spared", "5320") not in alone
    pair = MET.replace("IC/2GC", "IC/2GC, IC/1GC")
    state = state_after(pair, "evade", unit="IC/2GC", way=["5520"])
    assert (state.units["IC/2GC"].place, state.units["IC/1GC"].place) == ("5520", "5420")
    assert ("fought", "I/1") not in values(evade(MET.replace("IC/2GC", "IC/2GC, IC/1GC"), "5520"))
    german = (
        "turn=3\nphasing=russian\nphase=first-combat\noptions=cavalry-retreats\n5420: 8A/1KB\n5520: III/25\n5420-5320\n"
    )
    left = values(undone(german, "evade", unit="8A/1KB", way=["5320"]))
    assert left["fought", "III/25"] is True
    fort = values(undone(german + "5420 fortress=2\n", "evade", unit="8A/1KB", way=["5320"]))
    assert ("fought", "III/25") not in fort and fort["place", "8A/1KB"] == "5320"


def test_attacking_cavalry_that_retreats_frees_its_friends_from_attacking() -> None:
    probing = MET.replace("phasing=german", "phasing=russian")
    changed = values(evade(probing, "5520"))
    assert (changed["spared", "5320"], changed["fought", "IC/2GC"]) == (True, True)
    assert ("fought", "I/1") not in changed and ("disrupted", "I/1") not in changed
    ruled = values(evade("ruling evading-disruption=disrupted\n" + probing, "5520"))
    assert ruled["disrupted", "IC/2GC"] is True and ("disrupted", "IC/2GC") not in changed
    second = "ruling evading-disruption=disrupted\n" + probing.replace("first-combat", "second-combat")
    assert ("disrupted", "IC/2GC") not in values(evade(second, "5520"))
    both = probing.replace("5320: I/1", "5320: I/1\n5321: I/2, XVII/36")
    spared = [key for key in values(evade(both, "5520")) if key[0] == "spared"]
    assert sorted(spared) == [("spared", "5320"), ("spared", "5321")]


def test_whom_cavalry_has_freed_its_friends_from_need_not_be_attacked() -> None:
    probing = MET.replace("phasing=german", "phasing=russian") + "5419: III/25\n5319: I/2\n"
    probing += "5419-5320\n5419-5319\n5419-5420\n5319 clear\n3410 named=Königsberg\n"
    assert undone(probing, "battle", at=["5319"], **{"from": ["5419"]}).result.combat.also == ("5320",)
    spared = probing + "5320 spared\n"
    assert undone(spared, "battle", at=["5319"], **{"from": ["5419"]}).result.combat.also == ()
    fought = probing + "5320 attacked\n"
    assert undone(fought, "battle", at=["5319"], **{"from": ["5419"]}).result.combat.also == ()
