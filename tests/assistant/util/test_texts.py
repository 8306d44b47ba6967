"""Whole numbers in texts that come from outside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.mechanics.procedure import Dice
from assistant.state.tracks import Track
from assistant.util.errors import InputError
from assistant.util.texts import has_word, names_one_of, natural, whole

ROOT = Path(__file__).parents[3]
NO_NUMBERS = ["", "\u00b2", "\u0663", "\uff11", "9" * 10, "9" * 5000, "1_000", "1 1", "0x1", "1.0", "--1", "+"]


@pytest.mark.parametrize(
    ("text", "named"),
    [("unit 1/1", True), ("11/1", False), ("1/11", False), ("(1/1,x)", True), ("pr. HOLLAND", True), ("", False)],
)
def test_names_in_a_text(text: str, named: bool) -> None:
    assert names_one_of(text, ["1/1", "Pr. Holland", ""]) == named


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("999999999", 999_999_999), ("-3", -3), ("+3", 3)])
def test_whole_numbers(text: str, number: int) -> None:
    assert whole(text) == number
    assert natural(text) == (number if text.isdecimal() else None)


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_no_number_is_none_anywhere(text: str) -> None:
    assert whole(text) is natural(text) is None
    with pytest.raises(InputError, match="is not a roll of 2d6"):
        Dice(2, 6).read(f"1+{text}")
    with pytest.raises(InputError, match="is not allowed"):
        Track(name="turn", title="turn", on="game", kind="integer").parse(text)


@pytest.mark.parametrize(
    ("word", "text"),
    [("losses", "step loss"), ("armies", "the army"), ("army", "the army"), ("hexes", "a hex"), ("steps", "step loss")],
)
def test_a_word_is_found_in_any_form_of_it(word: str, text: str) -> None:
    assert has_word(word)(text)


def test_a_short_word_is_not_cut_to_a_letter() -> None:
    assert not has_word("as")("any")
    assert not has_word("losses")("a closed line")


def test_all_code_reads_numbers_in_this_way() -> None:
    """`isdigit` takes superscripts, `\\d` takes the digits of every script, and `int` refuses thousands of them."""
    doubtful = re.compile(r"\.is(?:digit|numeric)\(|\\d")
    folders = (ROOT / name for name in ("assistant", "plugins", "module_builder"))
    files = [path for folder in folders for path in folder.rglob("*.py")]
    found = [path.name for path in files if path.name != "numbers.py" and doubtful.search(path.read_text("utf-8"))]
    assert found == []


def test_many_large_dice_have_their_totals_at_once() -> None:
    totals = dict(Dice(20, 100).totals)
    assert (min(totals), max(totals), totals[21]) == (20, 2000, 20)
    assert sum(totals.values()) == 100**20
