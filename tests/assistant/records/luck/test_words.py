"""Luck in words, for a forum, as CSV and as JSON: the same figures everywhere."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import pytest

from assistant.installed.registry import load_game
from assistant.records.luck.evening import Evening
from assistant.records.luck.forum import format_forum
from assistant.records.luck.page import luck_html
from assistant.records.luck.report import format_text, luck_json
from assistant.records.luck.sheet import COLUMNS, write_rolls
from assistant.records.luck.words import amount, format_verdict, percentile

from ..explaining.played import CHECKS, DICE, OUTCOME
from .test_calculation import of_log


@pytest.fixture(scope="module")
def evening() -> Evening:
    return of_log(*DICE, *CHECKS, OUTCOME)


def test_every_form_begins_with_who_was_luckier_and_no_line_is_wider_than_a_mail(evening: Evening) -> None:
    said = "The Russian player was luckier than in 54 of 100 such battles."
    assert format_text(evening).startswith(f"{said}\n") and format_forum(evening).startswith(f"{said}\n")
    assert f"</h1>\n<p>{said}<br>" in luck_html(evening, load_game(evening.game))
    lines = format_text(evening).splitlines()
    assert max(map(len, lines)) <= 100 and all(line == line.rstrip() for line in lines)


@pytest.mark.parametrize(
    ("battles", "percentiles", "said"),
    [
        (12, ("67/100", "33/100"), "The German player was luckier than on 67 of 100 such evenings."),
        (12, ("33/100", "67/100"), "The Russian player was luckier than on 67 of 100 such evenings."),
        (1, ("1/3",), "The German player was luckier than in only 33 of 100 such battles."),
        (2, ("1/2", "1/2"), "The dice favoured no player."),
        (0, (), ""),
    ],
)
def test_the_luckier_player_is_named(evening: Evening, battles: int, percentiles: Sequence[str], said: str) -> None:
    sides = tuple(
        msgspec.structs.replace(evening.sides[0], title=title, battles=battles, percentile=Fraction(stands))
        for title, stands in zip(("German", "Russian"), percentiles, strict=False)
    )
    assert "".join(format_verdict(msgspec.structs.replace(evening, sides=sides))) == said


def test_expected_actual_and_percentile_stand_side_by_side_and_in_whole_lines_of_a_post(evening: Evening) -> None:
    said = format_text(evening)
    assert "   swing (Russian)                           -0.12       0          54\n" in said
    assert "(Russian)            2+5 = 7          33  -0.12 -> -0.33  -0.21\n" in said
    assert "  Russian: own rolls -0.21, enemy rolls +0.33, choices of both sides 0.00\n" in said
    assert "1 of 3 (2.36)           8\n" in said
    post = format_forum(evening)
    assert "swing (Russian) 0, expected -0.12, percentile 54\n" in post
    table = "- Combat Results Table, summer, 1:1 (Russian)"
    assert f"{table}: 2+5 = 7, percentile 33, swing -0.12 -> -0.33, luck -0.21\n" in post
    assert "  " not in post


def test_a_sheet_has_a_row_for_each_roll(evening: Evening) -> None:
    rows = list(csv.DictReader(io.StringIO(write_rolls(evening))))
    assert tuple(rows[0]) == COLUMNS and [row["roll"] for row in rows][:2] == ["crt", "slrt.attacker"]
    assert [row["natural"] for row in rows] == ["7", "3", "5", "12", "4", "6"]
    assert rows[0]["luck"] == "-0.212963" and rows[2]["checks"] == "1"
    total = sum(Fraction(row["luck"]) * (1 if row["side"] == "russian" else -1) for row in rows)
    assert abs(total - (evening.battles[0].swing - evening.battles[0].expected)) < Fraction(1, 10**5)


def test_json_has_exact_fractions(evening: Evening) -> None:
    told = json.loads(luck_json(evening))
    (battle,) = told["battles"]
    assert battle["expected"]["exact"] == "-13/108" and battle["turns"][0]["what"] == "roll"
    assert {turn["what"] for turn in battle["turns"]} == {"roll", "choice"}
    assert battle["chances"]["0"]["exact"] == str(evening.battles[0].chances[0])


@pytest.mark.parametrize(
    ("value", "said"),
    [(Fraction(0), "0"), (Fraction(1, 1000), "1"), (Fraction(999, 1000), "99"), (Fraction(1), "100"), (None, "")],
)
def test_only_what_is_certain_stands_at_an_end(value: Fraction | None, said: str) -> None:
    assert percentile(value) == said


def test_a_difference_has_its_sign_and_nothing_has_none() -> None:
    said = [amount(value, signed=True) for value in (Fraction(1, 3), Fraction(-1, 1000), 2, 0, -2)]
    assert said == ["+0.33", "0.00", "+2", "0", "-2"]
