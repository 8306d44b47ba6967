"""A paper map of which a line states what holds of all hexes that nothing else is known of: nothing is asked for, nothing guessed."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.asking.report import Report
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.records.journal.answers import collect_reads
from assistant.records.journal.files import parse_journal
from assistant.records.journal.findings import list_findings
from assistant.records.journal.journal import Journal
from assistant.records.journal.typed_lines import read_typed
from assistant.util.errors import InputError

from ...conftest import GAME, answered, told, typed, viewed

PAPER = """
turn=5
4023=4022=4021
40.23, 40.22, 40.21 operational=russian
40.21 map-edge=russian
40.23: russian corps-train - T corps=3 army=First range=5 extended-range=8
43.24: russian infantry XX A corps=3 army=First steps=10 movement=7
42.22: russian infantry XX B corps=3 army=First steps=10 movement=7
44.21: russian infantry XX C corps=3 army=First steps=10 movement=7
"""
CLEAR = "elsewhere clear open control=russian"


def supply(text: str) -> Report[Any]:
    return answered(typed(text), "supply", side="russian")


def test_a_line_says_of_a_paper_map_what_it_shows_everywhere_else() -> None:
    asked = supply(PAPER)
    assert asked.verdict.kind == "undecided"
    assert "`elsewhere clear open`" in told(asked, "Paper map")[0]
    stated = supply(f"{PAPER}{CLEAR}")
    assert not stated.asks
    assert [row.could.state for row in stated.result.units] == ["in"] * 4
    assert [caution.text.partition(":")[0] for caution in stated.cautions] == ["stated of all other hexes"]
    assert not told(stated, "Paper map")
    river = "\n".join(f"43.24|{near} lake" for near in ("43.23", "43.25", "42.24", "42.25", "44.24", "44.25"))
    states = {row.unit: row.could.state for row in supply(f"{PAPER}{CLEAR}\n{river}").result.units}
    assert states == {"T": "in", "A": "out", "B": "in", "C": "in"}
    march = answered(typed(f"{PAPER}{CLEAR}\nphase=movement phasing=russian"), "move", units="B", way="42.23")
    assert not [ask for ask in march.asks if ask.key[:1] in (("terrain",), ("barrier",))]


def test_each_side_may_know_what_holds_of_all_other_hexes() -> None:
    position = typed(f"{PAPER}{CLEAR}")
    assert reduce_state(position.game, position.state, "central-powers").elsewhere == position.state.elsewhere
    view = viewed(f"{PAPER}{CLEAR}")
    view.word("terrain", "40.40")
    assert collect_reads(view) == {("elsewhere", "terrain"): "clear", ("stack", "40.40"): ()}


def test_a_journal_carries_what_holds_of_all_other_hexes() -> None:
    text = f"journal {GAME} 1{PAPER}{CLEAR}\n\n"
    journal = Journal.read(parse_journal(text.encode(), "paper.journal"), "paper.journal", lambda _: load_game(GAME))

    def add(line: str) -> None:
        nonlocal journal
        journal = journal.check_typed(read_typed(journal, line))

    def controlled() -> object:
        return journal.position().state.elsewhere["control"].value

    assert not answered(journal.position(), "supply", side="russian").asks
    add("fact elsewhere control=central-powers")
    assert controlled() == "central-powers"
    add("undo")
    assert controlled() == "russian"
    add("fact elsewhere")
    assert not journal.position().state.elsewhere
    assert not [*list_findings(journal)]
    with pytest.raises(InputError, match="Stack Cap .* cannot be stated for all other hexes"):
        add("fact elsewhere capped")
