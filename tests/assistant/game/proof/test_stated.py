"""What files state of rules on proof sheets, and the worked cases beside it."""

from __future__ import annotations

import re

import pytest

from assistant.game.proof import stated
from assistant.game.proof.examples import Example, Table, cited_in, cites_of, list_examples, read_tables
from assistant.game.proof.stated import MAX_ROWS_SHOWN, Stated, StatedRow, read_stated
from assistant.game.rule_index import rule_index
from assistant.installed.registry import load_game
from assistant.state.tracks import Track

from ....cases import thorough
from ....credit import GAMES

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


@pytest.mark.parametrize(
    ("rule", "line"),
    [
        ("3-11", "  Shaken: at 1500 demoralization points (Germany)"),
        ("16-3", "  the journal may record of strength points rebuilt from replacements: irish (Britain)"),
        ("24-1", "  the journal of a campaign may record: Russia uses its artillery surprise"),
        ("10-7", "  the journal records no losses and no spending of a nation that is not in play: France and Great Britain have surrendered (Belgium)"),
        ("15-10", "  at most 25 supply points as turn 1 of August 1918 begins (the United States): more than the 1st HQ may begin with: allies had to take it"),
    ],
)  # fmt: skip
def test_events_and_levels_of_a_campaign_are_said_in_words(rule: str, line: str) -> None:
    assert line in [*read_stated(load_game("der-weltkrieg")).write(rule)]


def test_a_place_lies_in_its_hex_and_of_many_rows_the_first_are_shown() -> None:
    assert stated._say_row({"hex": "1114", "name": "Graudenz", "class": "fortress"}) == "Graudenz lies in hex 1114"
    rows = [StatedRow(number + 2, f"turn: {number}", ()) for number in range(MAX_ROWS_SHOWN + 3)]
    lines = [*Stated({}, {"7-1": {"t.csv": rows}}).write("7-1")]
    assert lines[:2] == ["  in the file t.csv:", "    line 2: turn: 0"]
    assert lines[-1] == f"    and 3 more, to line {MAX_ROWS_SHOWN + 4}"
    assert len(lines) == MAX_ROWS_SHOWN + 2


@pytest.mark.parametrize(
    ("head", "cell", "said"),
    [
        ("from", "enters+4fm", "enters plus 4 full months"),
        ("at", "lost+3m+1", "lost plus 3 months plus 1 turn"),
        (
            "until",
            "shaken dec14[early-rows=no]",
            "the earliest of shaken and December 1914 (by the ruling early-rows: no)",
        ),
        ("from", "dec14 left", "the latest of December 1914 and left"),
        ("at", "aug14/5", "turn 5 of August 1914"),
        ("at", "aug14/0", "the special turn of August 1914"),
        ("months", "jan apr", "January and April"),
        ("turns", "1-3 7", "1-3 and 7"),
        ("text", "1+2", "1+2"),
        ("from", "dec14", "December 1914"),
    ],
)
def test_dates_are_said_in_words(head: str, cell: str, said: str) -> None:
    assert stated._say_row({head: cell, "rule": "7-1", "empty": ""}) == f"{head}: {said}"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"who": "red", "at": "left+2", "item": "sp", "count": "3"}, "the Reds, leaving plus 2 turns: 3 supply points"),
        ({"who": "blue", "item": "sp", "text": "all"}, "blue: all"),
        ({"who": "red", "item": "red"}, "the Reds: 0 rows of red"),
    ],
)
def test_a_row_is_said_in_the_words_of_its_table(row: dict[str, str], said: str) -> None:
    words = {"red": "the Reds", "left": "leaving", "sp": "supply points", "item=red": "rows of red"}
    table = Table("{who}[, {at}]: [{text}|{count} {item}|0 {item}]", words)
    assert stated._say_row({**row, "rule": "7-1", "note": ""}, table) == said


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


@pytest.mark.parametrize("game", GAMES)
def test_tables_have_words_for_columns_of_their_files(game: str) -> None:
    about = load_game(game)
    for path, table in read_tables(about).items():
        columns = {*(about.folder / path).read_text("utf-8").partition("\n")[0].strip().split(",")}
        assert {*re.findall(r"{(\w+)}", table.row)} <= columns, path


def test_the_order_of_play_names_the_sides_and_the_phases() -> None:
    said = [*read_stated(load_game("twilight-in-the-east")).write("5.0")]
    assert "  the sides follow in this order: Russian and Central Powers" in said
    assert any(
        line.startswith("  the phases of the part player turn are: Reinforcement, Withdrawal and Activation")
        for line in said
    )


SHARED = Example(
    ("7.2.1", "11.3.2aa", "7.3"),
    "game any\nask battle",
    ("two fail", "A fails by 2 [7.2.1]", "A loses 1 level [11.3.2]", "B rolls 5 [7.2]"),
)


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("A fails by 2 [7.2.1]", "7.2.1"),
        ("no rule", ""),
        ("[7.2] begins", ""),
        ("C [of 3] goes [Opt/Fog/2]", "Opt/Fog/2"),
    ],
)
def test_a_line_cites_the_rule_at_its_end(line: str, rule: str) -> None:
    assert cited_in(line) == rule


@pytest.mark.parametrize(
    ("rule", "cites"),
    [
        ("11.3.2aa", {"11.3.2aa", "11.3.2"}),
        ("6.4/DE", {"6.4/DE", "6.4"}),
        ("7.2", {"7.2"}),
        ("14.8/3-edge", {"14.8/3-edge", "14.8"}),
    ],
)
def test_a_row_is_cited_by_its_number_or_that_of_its_section(rule: str, cites: set[str]) -> None:
    assert {*cites_of(rule)} == cites


@pytest.mark.parametrize(
    ("rule", "lines"),
    [("7.2.1", SHARED.answer[:2]), ("11.3.2aa", (SHARED.answer[0], SHARED.answer[2])), ("7.3", SHARED.answer)],
)
def test_a_shared_case_shows_each_rule_its_own_lines(rule: str, lines: tuple[str, ...]) -> None:
    assert SHARED.lines_for(rule) == lines


def test_a_shared_case_shows_each_rule_its_own_lines_alone() -> None:
    alone = Example(("7.2.1",), SHARED.position, SHARED.answer)
    assert alone.lines_for("7.2.1") == SHARED.answer
    (first, *_) = list_examples(load_game("der-weltkrieg"))
    assert first.position.startswith("game der-weltkrieg\n")


@pytest.mark.parametrize(("rule", "shows"), [("7.2.1", True), ("11.3.2aa", True), ("7.3", False), ("7.2/any", True)])
def test_a_case_shows_a_rule_that_one_of_its_lines_cites(rule: str, shows: bool) -> None:
    assert SHARED.shows(rule) == shows
