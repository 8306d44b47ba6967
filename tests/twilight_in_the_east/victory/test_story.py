"""Victory Points after each phase of a few game turns, in a journal, beside an account kept by hand (27.1, 27.2)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant import ask, read
from assistant.formats.positions import Position
from assistant.installed.registry import load_game
from assistant.records.journal.accounts import format_accounts, open_account, open_accounts
from assistant.records.journal.files import create
from assistant.records.journal.findings import list_findings
from assistant.records.journal.journal import Journal, write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.records.journal.typed_lines import read_typed
from assistant.service import parse
from twilight_in_the_east.scoring.points import ACCOUNTS

from ...cases import examples
from ...conftest import GAME

BEGIN = """game twilight-in-the-east
trust charts
turn=5 phase=attack phasing=russian
40.20: russian infantry XX R1 (30-9-0-10) corps=3 prepared=41.19
40.19: russian infantry XX R2 (30-9-0-10) corps=3 prepared=41.19
41.19 clear country=german star=3: german infantry XX G1 (1-3-0-9), german corps-train - T1
41.18 clear: german infantry X G2 (5-3-0-9) movement=7
41.19|40.20,40.19,41.18 open
army "russian Second" plan
66.35: russian infantry XX R3 (9-9-0-10) army=Second corps=13
"""
BATTLE = (
    "answer battle at=41.19 attacker-ap=none defender-ap=none flanked=no"
    " | crt=3 slrt=5/5 ec.40.20=4 ec.40.19=4 to.T1=42.17 advance=none"
)


@pytest.fixture
def file(tmp_path: Path) -> JournalFile:
    path, game = tmp_path / "east.journal", load_game(GAME)
    create(path, write_head(game, Position(game, parse(BEGIN).state), ""))
    return JournalFile(path, load_game)


def total(file: JournalFile, moment: str = "") -> dict[str, int]:
    return {score.side: score.total for score in ask(read(f"{file.file}{moment}"), "victory").result.scores}


def accounts(file: JournalFile, side: str) -> dict[str, list[tuple[int, int, str]]]:
    """The entries of each account of a side that has any: the entry, its points, its rule."""
    journal = file.read()
    opened = (open_account(journal, name, side) for name in journal.rules.accounts if name.startswith("vp-"))
    rows = {each.account: [(row.entry, row.amount, row.rule) for row in each.rows] for each in opened}
    return {name: entries for name, entries in rows.items() if entries}


def test_each_phase_adds_what_a_player_counts_by_hand(file: JournalFile) -> None:
    assert total(file) == {"central-powers": 0, "russian": 0}
    file.add(BATTLE)  # 1 for the Prepared Attack, 4 for G1; nobody advances
    assert total(file) == {"central-powers": 0, "russian": 5}
    file.add("fact phase=movement phasing=russian")
    file.add("answer move units=R2 way=41.19 ground=2")  # the first to occupy it: 3
    assert total(file) == {"central-powers": 0, "russian": 8}
    file.add("answer move units=R2 way=40.19 ground=2")
    file.add("turn next")
    file.add("fact phase=movement phasing=central-powers")
    file.add("answer move units=G2 way=41.19 ground=2")  # recaptured: 3
    assert total(file) == {"central-powers": 3, "russian": 8}
    file.add("turn next")
    file.add("fact phase=reinforcement phasing=central-powers")
    file.add("answer call")  # in GT 7: 2
    assert total(file) == {"central-powers": 5, "russian": 8}
    file.add("fact phase=attachment phasing=russian")
    file.add('answer abandon army="russian Second"')  # 66.35 to Osterode, 66.31: 4 hexes, -10
    assert total(file) == {"central-powers": 5, "russian": -2}
    assert accounts(file, "russian") == {
        "vp-attacks": [(1, 1, "27.2.1")],
        "vp-plans": [(12, -10, "27.2.2")],
        "vp-towns": [(3, 3, "27.2.4")],
        "vp-divisions": [(1, 4, "27.2.5")],
    }
    assert accounts(file, "central-powers") == {"vp-call": [(10, 2, "27.2.3")], "vp-towns": [(7, 3, "27.2.4")]}
    lines = list(format_accounts(open_accounts(file.read(), "vp", "russian")))
    assert [line for line in lines if not line.startswith(" ")] == [
        "Russian: Victory Points for Prepared Attacks: 1",
        "Russian: Victory Points for Strategic Plans: -10",
        "Russian: Victory Points for starred towns and cities: 3",
        "Russian: Victory Points for enemy divisions eliminated: 4",
        "in all: -2",
    ]
    assert total(file, "@5") == {"central-powers": 0, "russian": 8}
    assert total(file, "@6") == {"central-powers": 3, "russian": 8}


def test_a_loss_that_is_amended_takes_its_points_with_it(file: JournalFile) -> None:
    file.add("fact G1 steps=1")
    file.add(BATTLE)
    file.add("turn next")
    file.add("fact side russian vp-towns=2")
    assert total(file) == {"central-powers": 0, "russian": 7}
    file.add("amend 1 G1 steps=9 back-steps=4")
    assert total(file) == {"central-powers": 0, "russian": 7}, "until the combat is asked again"
    file.add(f"amend 2 {BATTLE.replace('to.T1=42.17 advance=none', 'ec.41.19=2')}")
    assert total(file) == {"central-powers": 0, "russian": 3}
    assert accounts(file, "russian") == {"vp-attacks": [(2, 1, "27.2.1")], "vp-towns": [(4, 2, "")]}


def test_a_move_against_a_plan_is_named_once_that_binds_again(file: JournalFile) -> None:
    file.add("fact phase=movement phasing=russian")
    file.add('fact army "russian Second" plan=no')
    file.add("answer move units=R3 way=66.36 ground=2")
    file.add("strike 2")
    (line,) = list_findings(file.read())
    assert line == (
        "entry 3 (move units=R3 way=66.36 ground=2) was given from Strategic Plan in force of russian Second: "
        "no, now yes: `keep 3`, or `strike 3`"
    )


STORY = (
    BATTLE,
    "fact phase=movement phasing=russian",
    "answer move units=R2 way=41.19 ground=2",
    "answer move units=R2 way=40.19 ground=2",
    "turn next",
    "fact phase=movement phasing=central-powers",
    "answer move units=G2 way=41.19 ground=2",
    "turn next",
    "fact phase=reinforcement phasing=central-powers",
    "answer call",
    "fact phase=attachment phasing=russian",
    'answer abandon army="russian Second"',
    "fact side russian vp-towns=7",
    "fact side central-powers vp-supply-units=2",
)
"""Real answers that score by each rule, and totals that a player states."""
WEAK = BATTLE.replace("crt=3 slrt=5/5", "crt=2 slrt=4/6")
RIGHT = {
    1: (f"amend 1 {WEAK}", "strike 1"),
    3: ("strike 3",),
    4: ("strike 4",),
    7: ("strike 7",),
    10: ("strike 10",),
    12: ("strike 12",),
    13: ("amend 13 side russian vp-towns=4", "amend 13 side russian vp-towns=-3", "strike 13"),
    14: ("amend 14 side central-powers vp-supply-units=9", "strike 14"),
}
"""What may be corrected of it later, by entry."""


@pytest.fixture(scope="module")
def told_story(tmp_path_factory: pytest.TempPathFactory) -> Journal:
    path, game = tmp_path_factory.mktemp("story") / "east.journal", load_game(GAME)
    create(path, write_head(game, Position(game, parse(BEGIN).state), ""))
    whole = JournalFile(path, load_game)
    for line in STORY:
        whole.add(line)
    return whole.read()


def corrected(journal: Journal, lines: Iterable[str]) -> Journal:
    for line in lines:
        journal = journal.check_typed(read_typed(journal, line))
    return journal


def sums(journal: Journal) -> dict[str, int]:
    """What the entries of all accounts come to for each side, each account being the sum of its own."""
    added = dict.fromkeys(("central-powers", "russian"), 0)
    for side, name in product(added, ACCOUNTS):
        account = open_account(journal, name, side)
        assert account.before == 0 and account.after == sum(row.amount for row in account.rows)
        added[side] += account.after
    return added


@pytest.mark.hypothesis
@pytest.mark.rule("27.1")
@settings(max_examples=examples(25), deadline=None)
@given(chosen=st.dictionaries(st.sampled_from([*RIGHT]), st.integers(0, 2), min_size=1), data=st.data())
def test_whatever_is_amended_of_real_answers_in_any_order_a_total_is_the_sum_of_its_entries(
    told_story: Journal, chosen: dict[int, int], data: st.DataObject
) -> None:
    lines = [RIGHT[entry][which % len(RIGHT[entry])] for entry, which in chosen.items()]
    first, second = (corrected(told_story, order) for order in (lines, data.draw(st.permutations(lines))))
    assert sums(first) == sums(second)
    for journal in (first, second):
        scores = ask(journal.position(), "victory").result.scores
        assert {score.side: score.total for score in scores} == sums(journal)


@pytest.mark.rule("27.1")
def test_each_correction_of_the_story_takes_or_gives_its_own_points(told_story: Journal) -> None:
    assert sums(told_story) == {"central-powers": 7, "russian": 2}
    struck = {entry: sums(corrected(told_story, [f"strike {entry}"])) for entry in (1, 3, 7, 10, 12, 14)}
    assert struck == {
        1: {"central-powers": 7, "russian": 2 - 5},
        3: {"central-powers": 7, "russian": 2},
        7: {"central-powers": 7 - 3, "russian": 2},
        10: {"central-powers": 7 - 2, "russian": 2},
        12: {"central-powers": 7, "russian": 2 + 10},
        14: {"central-powers": 7 - 2, "russian": 2},
    }, "a total that is stated holds whatever was scored in its account before"
