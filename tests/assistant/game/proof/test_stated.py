"""What files state of rules, on proof sheets."""

from __future__ import annotations

import pytest

from assistant.game.events import AccountLevel, EventWord, Kind
from assistant.game.proof import stated
from assistant.game.proof.stated import MAX_ROWS_SHOWN, Stated, StatedRow, read_stated
from assistant.game.rule_index import rule_index
from assistant.installed.registry import load_game
from assistant.state.tracks import Track

from ....cases import thorough

VALUES = {
    ("flag", (), None, None): "",
    ("choice", ("red", "blue"), None, None): ": red or blue",
    ("integer", (), 1, 26): ": at least 1 and at most 26",
    ("integer", (), None, 0): ": at most 0",
    ("choice", tuple(map(str, range(14))), None, None): ": 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 or 11, and 2 more",
}


@pytest.mark.parametrize(("fact", "said"), VALUES.items())
def test_a_track_is_said_with_its_values_or_bounds(
    fact: tuple[str, tuple[str, ...], int | None, int | None], said: str
) -> None:
    kind, values, least, most = fact
    track = Track(name="mark", title="Mark", on="unit", kind=kind, values=values, least=least, most=most)  # type: ignore[arg-type]
    assert [*stated._list_facts({"mark": track})] == [("", f'a position may state "Mark" of the unit{said}')]


def test_events_and_levels_say_their_figures() -> None:
    spend = EventWord(least=1, most=99, posts={"sp": -1}, unit=True, title="points spent", rule="16-4")
    kind = Kind(title="on guns", sets={"guns": "turn"}, only=("german", "russian"), rule="16-15")
    level = AccountLevel(account="dm", who="german", at=900, since="shaken", title="Shaken", rule="3-11, 3-12")
    assert stated._say_fields(spend) == ": points spent (posts: sp -1; least: 1; most: 99; unit: yes)"
    assert stated._say_fields(kind) == ": on guns (sets: guns turn; only: german, russian)"
    assert stated._say_fields(level) == " (account: dm; who: german; at: 900; since: shaken)"
    assert stated._say_fields(EventWord(title="begun")) == ": begun", "what is usual is not said"


@pytest.mark.parametrize(
    ("head", "cell", "said"),
    [
        ("from", "enters+4fm", "enters plus 4 full months"),
        ("at", "lost+3m+1", "lost plus 3 months plus 1 turn"),
        ("until", "shaken dec14[early-rows=no]", "shaken dec14 (by the ruling early-rows: no)"),
        ("text", "1+2", "1+2"),
        ("from", "dec14", "dec14"),
    ],
)
def test_dates_are_said_in_words(head: str, cell: str, said: str) -> None:
    assert stated._say_row({head: cell, "rule": "7-1", "empty": ""}) == f"{head}: {said}"


def test_a_file_of_many_rows_shows_the_first() -> None:
    rows = [StatedRow(number + 2, f"turn: {number}", ()) for number in range(MAX_ROWS_SHOWN + 3)]
    lines = [*Stated({}, {"7-1": {"t.csv": rows}}).write("7-1")]
    assert lines[:2] == ["  in the file t.csv:", "    line 2: turn: 0"]
    assert lines[-1] == f"    and 3 more, to line {MAX_ROWS_SHOWN + 4}"
    assert len(lines) == MAX_ROWS_SHOWN + 2


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
    said = read_stated(about)
    rules = [row.rule for row in rule_index(about) if any(".py:" not in place for place in row.code)]
    assert [rule for rule in rules if not [*said.write(rule)]] == []


def test_the_order_of_play_names_the_sides_and_the_phases() -> None:
    said = [*read_stated(load_game("twilight-in-the-east")).write("5.0")]
    assert "  the sides follow in this order: russian and central-powers" in said
    assert any(
        line.startswith("  the phases of the part player turn are: Reinforcement, Withdrawal and Activation")
        for line in said
    )
