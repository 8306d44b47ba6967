"""What files say for rules, on proof sheets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from assistant.game.course import CourseStep, Phase, Skip
from assistant.game.events import AccountLevel, Events, EventWord, Kind
from assistant.game.proof import facts
from assistant.game.proof.facts import read_facts
from assistant.game.rule_index import RuleRow, rule_index
from assistant.installed.registry import load_game
from assistant.state.tracks import Track

from ....cases import thorough

FACTS = {
    ("flag", (), None, None): "Mark, a fact of the unit",
    ("choice", ("red", "blue"), None, None): "Mark, a fact of the unit: red, blue",
    ("integer", (), 1, 26): "Mark, a fact of the unit: at least 1, at most 26",
    ("integer", (), None, 0): "Mark, a fact of the unit: at most 0",
    ("choice", tuple(map(str, range(14))), None, None): (
        "Mark, a fact of the unit: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"
    ),
}


@pytest.mark.parametrize(("fact", "said"), FACTS.items())
def test_a_track_is_described_by_its_values(
    fact: tuple[str, tuple[str, ...], int | None, int | None], said: str
) -> None:
    kind, values, least, most = fact
    track = Track(name="mark", title="Mark", on="unit", kind=kind, values=values, least=least, most=most)  # type: ignore[arg-type]
    assert facts._describe_track(track) == said


PHASE = Phase(
    title="Movement",
    rule="4.0",
    skipped=(Skip(turns="1", who="russian", unless="plan", rule="7.1"),),
    steps=(
        CourseStep(do="March", rule="5.0"),
        CourseStep(do="Pay for towns", rule="10.4", turns="1-4", option="refugees"),
    ),
)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("4.0", ["Movement: March; Pay for towns (turns 1-4, with refugees)"]),
        ("7.1", ["Movement is left out (russian, turn 1, unless plan)"]),
        ("10.4", ["Movement: Pay for towns (turns 1-4, with refugees)"]),
        ("5.0", ["Movement: March"]),
        ("5.1", []),
    ],
)
def test_a_phase_says_for_a_rule_what_the_rule_is_of(rule: str, said: list[str]) -> None:
    assert [*facts._say_phase(PHASE, rule)] == said


def test_long_phases_name_their_first_steps() -> None:
    steps = tuple(CourseStep(do=f"Step {number}") for number in range(14))
    (said,) = facts._say_phase(Phase(title="Supply", rule="14.4", steps=steps), "14.4")
    assert said.startswith("Supply: Step 0; Step 1;")
    assert said.endswith("; Step 11; and 2 more")


def test_events_and_levels_say_their_figures() -> None:
    spend = EventWord(
        least=1, most=99, posts={"sp": -1}, kinds={"guns": Kind(title="on guns", rule="16-15")}, rule="16-4"
    )
    level = AccountLevel(account="dm", who="german", at=900, since="shaken", title="Shaken", rule="3-11, 3-12")
    events = Events(event={"spend": spend}, level=(level,))
    assert [*facts._say_event(events, "16-4", "spend")] == ["spend: posts: sp -1; on: nation; least: 1; most: 99"]
    assert [*facts._say_event(events, "16-15", "spend")] == ["spend: title: on guns"]
    assert [*facts._say_event(events, "3-12", "Shaken")] == [
        "Shaken: account: dm; who: german; at: 900; since: shaken; title: Shaken"
    ]


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("from", "enters+4fm", "enters plus 4 full months"),
        ("at", "lost+3m+1", "lost plus 3 months plus 1 turns"),
        ("until", "shaken dec14[early-rows=no]", "shaken dec14 (by the ruling early-rows: no)"),
        ("text", "1+2", "1+2"),
        ("from", "dec14", "dec14"),
    ],
)
def test_dates_are_said_in_words(column: str, cell: str, said: str) -> None:
    assert facts._say_cell(column, cell) == said


def rows_of(count: int, **cells: str) -> list[Mapping[str, str]]:
    return [{"rule": "1", "turn": str(number), "empty": "", **cells} for number in range(count)]


ROWS: list[tuple[Mapping[str, Sequence[Mapping[str, str]]], list[str]]] = [
    ({"1": rows_of(1)}, ["t.csv: turn: 0"]),
    ({"1": rows_of(2)}, ["t.csv: 2 rows", "  turn: 0", "  turn: 1"]),
    ({"1": rows_of(9)}, ["t.csv: 9 rows, which begin", *(f"  turn: {number}" for number in range(4))]),
    ({"1": rows_of(1), "29": rows_of(3)}, ["t.csv: the 3 rows of 29, which begin", "  turn: 0"]),
    ({"1": rows_of(1, who="b"), "29": rows_of(3)}, ["t.csv: turn: 0; who: b"]),
    ({}, []),
]


@pytest.mark.parametrize(("by_rule", "said"), ROWS)
def test_rows_are_shown_by_their_column_titles(
    by_rule: Mapping[str, Sequence[Mapping[str, str]]], said: list[str]
) -> None:
    assert [*facts._say_rows("t.csv", "1", by_rule)] == said


@pytest.mark.parametrize(
    "game",
    [
        "world-undone-east-prussia-1914",
        *(
            pytest.param(game, marks=thorough)
            for game in ("twilight-in-the-east", "kaisers-war-in-the-east", "der-weltkrieg")
        ),
    ],
)
def test_whatever_a_rule_has_in_files_is_said(game: str) -> None:
    about = load_game(game)
    rows = [row for row in rule_index(about) if any(".py:" not in place for place in row.code)]
    said = read_facts(about, rows)
    assert [row.rule for row in rows if not said.get(row.rule)] == []


def test_the_order_of_play_names_the_sides_and_the_phases() -> None:
    row = RuleRow("5.0", "sequence", "Turn structure", "", ("course.toml:order of play",))
    said = read_facts(load_game("twilight-in-the-east"), [row])["5.0"]
    assert said[0] == "course.toml: order of the sides: russian, central-powers"
    assert any("player turn: Reinforcement, Withdrawal and Activation" in line for line in said)


def test_rows_in_a_file_of_the_owner_are_shown_too(tmp_path: Path) -> None:
    own = tmp_path / "historical.csv"
    own.write_text("rule,who,at\n5.3,german,4\n", "utf-8")
    row = RuleRow("5.3", "data", "Entry", "", (f"{own}:2",))
    said = read_facts(load_game("world-undone-east-prussia-1914"), [row])
    assert said == {"5.3": [f"{own}: who: german; at: 4"]}
