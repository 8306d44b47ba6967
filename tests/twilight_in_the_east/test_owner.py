"""The pack of a made-up owner is whole and contradicts nothing: whole turns of August 1914 are played with it."""

from __future__ import annotations

import pytest

from assistant.game.owned_turns import unknown_turns
from assistant.game.pack_charts import ChartFact, list_keys
from assistant.game.turn_record import turns
from assistant.state.tracks import Source
from twilight_in_the_east.chart_facts import facts

from ..cases import few
from ..conftest import answered
from .owner import RAIL_RATES, TURNS, owned, owned_game, owned_setup

FACTS = tuple(facts(owned_game()))


def told(fact: ChartFact) -> str:
    return f"{fact.chart} {fact.rule} {fact.text}"


@few(40)
@pytest.mark.parametrize("fact", FACTS, ids=told)
def test_his_charts_contradict_nothing_that_is_known(fact: ChartFact) -> None:
    assert not fact.contradicted(dict(owned_game().chart(fact.chart).cells))


def test_his_charts_are_whole_and_printed() -> None:
    for chart in owned_game().charts.values():
        assert set(chart.cells) == set(list_keys(chart, chart.cells)), chart.name
        assert {cell.source for cell in chart.cells.values()} <= {Source.PRINTED, Source.RULEBOOK}, chart.name


def test_his_record_is_whole_for_six_turns() -> None:
    assert not [kind for kind, numbers in unknown_turns(owned_game()).items() if numbers and numbers[0] in TURNS]
    record = {turn.number: turn for turn in turns(owned_game())}
    assert {number: record[number].figures["rail-rate"].text for number in TURNS} == RAIL_RATES
    assert {kind for kind in record[3].figures if kind.endswith("-rp")} == {
        kind for kind in record[6].figures if kind.endswith("-rp")
    }
    assert not [kind for kind in record[2].figures if kind.endswith("-rp")]


def test_a_battle_of_his_needs_no_reconstruction() -> None:
    text = """turn=1
40.20: russian infantry XX 25/3 (10-12-5-10)
41.19 clear: german infantry XX 1/1 (12-16-7-11)
41.19|40.20 open
"""
    given = {"at": "41.19", "attacker_ap": "none", "defender_ap": "none", "flanked": "no"}
    report = answered(owned(text), "battle", **given)
    assert report.result.chances is not None
    assert not [ask for ask in report.asks if ask.name.startswith("chart")]


@pytest.mark.parametrize(("turn", "rate"), [(1, 10), (6, 12)])
def test_a_depot_of_the_set_up_moves_at_his_rate(turn: int, rate: int) -> None:
    position = owned_setup("19-august-1914", turn, "phase=movement phasing=central-powers")
    assert not position.state.accepts & {Source.RECONSTRUCTION}
    report = answered(position, "move-depot", unit="German EIGHTH Major Depot", to="53.22")
    assert report.verdict.kind == "yes"
    assert rate in [step.figures.get("rate") for part in report.parts for step in part.steps]
