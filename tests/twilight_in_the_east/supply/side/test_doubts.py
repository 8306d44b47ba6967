"""On which drawn facts the supply of a whole side rests: what is told of its units, what is asked for, and what settles it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from assistant.formats.notation import read
from assistant.game.games import Game
from assistant.game.packs import Pack, overlaid
from assistant.questions import doubts as weighing
from assistant.questions.doubts import Trials, Values, is_kept
from assistant.questions.report import Report
from twilight_in_the_east.supply.side import doubts
from twilight_in_the_east.supply.side.doubts import WorstFacts, fewest

from ....cases import thorough
from ....conftest import answered, told, typed

HEAD = """game twilight-in-the-east
board east
accept illustrative
turn=5
64.39 operational=russian control=russian
64.38 operational=russian control=russian map-edge=russian
65.37 operational=russian control=russian: "Russian 1 Train"
64.38|65.37 rail1
"""
SUPPLIED = "68.35: 22/1\n66.37: 43/2\n"
CUT_OFF = "68.35: 22/1\n68.36: 41/20\n66.35: 37/20\n68.33: 35/17\n70.35: 36/17\n"
WAYS = ("65.37|66.37", "66.37|67.36", "67.36|68.36", "68.35|68.36")
"""The hexsides that the line to 68.35 crosses."""


@cache
def whole(text: str) -> Report[Any]:
    """The report on the Russian side, whose railway begins where its train stands."""
    return answered(typed(HEAD + text), "supply", side="russian")


def units(report: Report[Any]) -> dict[str, Any]:
    """What is told of each unit."""
    return {row.unit: row for found in report.result.sides for row in found.units}


def keys(report: Report[Any]) -> set[tuple[str, str]]:
    """The facts of the drawn map that a report asks for."""
    return {(str(ask.key[0]), str(ask.key[1])) for ask in report.asks if ask.drawn}


def test_each_unit_is_told_on_how_many_drawn_facts_its_state_rests() -> None:
    report = whole(SUPPLIED)
    drawn = {name: row.drawn for name, row in units(report).items()}
    assert drawn == {"Russian 1 Train": 0, "43/2": 2, "22/1": 8}, "the position states the railway under the train"
    lines = told(report, "In Supply")
    assert lines[1] == "43/2 in 66.37: In Supply from the RR line at 65.37, 1 hex away; on 2 drawn facts"


def test_one_line_settles_all_that_it_passes() -> None:
    report = whole(SUPPLIED)
    hexes = {("terrain", hex) for hex in ("66.37", "67.36", "68.36", "68.35")}
    assert keys(report) == hexes | {("barrier", side) for side in WAYS}
    assert report.verdict.kind == "undecided"
    assert report.verdict.figures["verdict"] == "3 In Supply, 0 in Low Supply, 0 Out of Supply"


def test_the_answers_are_kept_and_settle_it(twilight: Game, tmp_path: Path) -> None:
    pack, asks = Pack(twilight, tmp_path), whole(SUPPLIED).asks
    assert all(is_kept(twilight, ask) for ask in asks)
    pack.enter_all({}, {("east", str(ask.key[1]), str(ask.key[0])): ask.drawn for ask in asks})
    settled = answered(
        read((HEAD + SUPPLIED).encode(), "a.pos", lambda _: overlaid(twilight, tmp_path)), "supply", side="russian"
    )
    assert (settled.verdict.kind, settled.asks) == ("figure", ())
    assert {row.drawn for row in units(settled).values()} == {0}
    pack.enter_all(ground={("east", "67.36", "terrain"): "high-mountain"})
    pack.enter_all(ground={("east", "68.35", "terrain"): "high-mountain"})
    known = overlaid(twilight, tmp_path)
    otherwise = answered(read((HEAD + SUPPLIED).encode(), "a.pos", lambda _: known), "supply", side="russian")
    assert units(otherwise)["22/1"].could.state == "out"


def test_whoever_accepts_the_drawn_map_is_asked_nothing() -> None:
    report = whole("accept drawn\n" + SUPPLIED)
    assert (report.verdict.kind, report.asks) == ("figure", ())
    assert {row.drawn for row in units(report).values()} == {0}


@thorough
def test_what_would_free_a_unit_counts_too() -> None:
    alone = answered(typed(HEAD + CUT_OFF), "supply", unit="22/1")
    report = whole(CUT_OFF)
    assert units(report)["22/1"].drawn > 0 and "better line" not in str(report)
    assert keys(alone) <= {*keys(report)}, "at least what the unit alone turns on"


@thorough
def test_of_a_railway_that_nothing_leads_round_not_every_hex_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "game twilight-in-the-east\nboard east\naccept illustrative\nturn=5\n"
    text += "".join(f"{hex} operational=russian control=russian\n" for hex in ("64.39", "64.38", "65.37"))
    position = typed(text + '65.37: "Russian 1 Train"\n68.35: 22/1\n')
    made = list[object]()
    consequence_of = Trials.consequence_of

    def counted(trials: Trials, others: Values) -> str:
        made.append(others)
        return consequence_of(trials, others)

    monkeypatch.setattr(Trials, "consequence_of", counted)
    report = answered(position, "supply", unit="22/1")
    few = len(made)
    monkeypatch.setattr(WorstFacts, "only_way", lambda self, hexes: iter(()))
    assert answered(position, "supply", unit="22/1") == report
    assert len(made) - 2 * few > 40, "without that, each hex of the railway once"


def test_for_many_units_it_is_said_that_no_better_line_was_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doubts, "MOST_BETTER", 0)
    report = whole.__wrapped__(CUT_OFF)
    assert units(report)["22/1"].drawn == 0
    assert report.cautions[0].text == (
        "whether a drawn fact denies a better line to 1 unit more was not examined: ask supply unit=UNIT"
    )


def test_where_many_facts_hold_it_the_first_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weighing, "ASKED", 3)
    report = whole.__wrapped__(SUPPLIED)
    assert report.cautions[-1].text.endswith("; the first 3 are asked for")
    assert len(report.asks) == 3 and ("terrain", "66.37") in keys(report), "it carries both units"


def test_among_sources_those_are_taken_that_rest_on_few_facts_together() -> None:
    def group(subjects: str) -> Values:
        return {("terrain", hex): "sea" for hex in subjects}

    own, shared = group("ab"), group("cde")
    taken = fewest({"1": [own, shared], "2": [shared], "3": [group("cdef")]})
    assert taken["1"] is shared, "two facts alone are more than three that others need anyway"
    assert fewest({"1": [own, shared]})["1"] is own


def test_a_supply_phase_says_how_many_states_rest_on_drawn_facts() -> None:
    report = answered(typed(HEAD + SUPPLIED), "supply-phase", side="russian")
    assert "the state of 2 units rests on 8 drawn facts, which `ask supply side=russian` asks for" in [
        caution.text for caution in report.cautions
    ]
    assert report.result.settled, "what is drawn holds up nothing"
