"""The names of the files of counters: readable, different on any disk, and those of no other picture."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.installed.registry import load_game
from module_builder.counters.picture_names import face_picture, file_word, picture_words

from ...cases import thorough


@pytest.mark.parametrize(
    ("unit", "file"),
    [
        ("1/1", "1-1-front.png"),
        ("29/20", "29-20-front.png"),
        ("1 r/1 R", "1-r-1-R-front.png"),
        ("Königsberg main reserve", "Konigsberg-main-reserve-front.png"),
        ("Dtsch. Eylau", "Dtsch-Eylau-front.png"),
        ("Łódź", "Lodz-front.png"),
    ],
)
def test_a_name_can_be_read(unit: str, file: str) -> None:
    assert face_picture(picture_words([unit])[unit], "front") == file


def test_units_whose_words_would_be_one_have_a_mark_each_whatever_stands_beside_them() -> None:
    words = picture_words(["1/1", "1-1", "1 GD", "1 gd", "Lancers"])
    assert words["Lancers"] == "Lancers"
    assert all(re.fullmatch("1-(1|gd)-[0-9a-f]{8}", words[unit], re.IGNORECASE) for unit in list(words)[:4])
    assert picture_words(["1-1", "2/2", "1/1"])["1/1"] == words["1/1"]
    assert file_word("low") == "low"
    assert re.fullmatch("Konigsberg-main-reserve-[0-9a-f]{8}", file_word("Königsberg main reserve"))


@pytest.mark.parametrize("unit", ["con", "NUL", "tag lost", "2x 1/1", "x-0123abcd", "???", ""])
def test_a_name_that_would_be_that_of_something_else_has_a_mark(unit: str) -> None:
    assert re.search("[0-9a-f]{8}$", picture_words([unit])[unit])
    assert picture_words([unit])[unit] not in (unit, unit.replace(" ", "-"))


@thorough
@given(st.lists(st.text(max_size=50), max_size=8, unique=True))
def test_no_two_units_have_one_word_and_any_disk_can_hold_them(units: list[str]) -> None:
    words = picture_words(units)
    assert len({word.casefold() for word in words.values()}) == len(units)
    for word in words.values():
        assert re.fullmatch("[A-Za-z0-9][A-Za-z0-9-]{0,49}", word)


@given(st.lists(st.text(max_size=50), max_size=8, unique=True))
def test_no_two_texts_have_one_word_whatever_else_there_is(texts: list[str]) -> None:
    words = list(map(file_word, texts))
    assert len({word.casefold() for word in words}) == len(texts)
    assert all(re.fullmatch("[A-Za-z0-9][A-Za-z0-9-]{0,49}", word) for word in words)


@pytest.mark.parametrize(
    "name", ["twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914", "der-weltkrieg"]
)
def test_hardly_a_unit_of_our_games_needs_a_mark(name: str) -> None:
    words = picture_words(load_game(name).roster)
    marked = [unit for unit, word in words.items() if re.search("-[0-9a-f]{8}$", word)]
    assert len(marked) <= len(words) / 20, marked
