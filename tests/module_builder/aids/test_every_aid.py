"""Every aid of every game: readable, inside the margins, nothing over anything else, nothing cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest

from assistant.drawing.lettering import MIN_READABLE_POINTS, POINT_MM, text_width
from assistant.drawing.scene import Scene, Text
from assistant.game.games import read_game
from assistant.installed.registry import installed_games, load_game
from module_builder.aids.cards import CARDS, CardPage, choose_cards, pack_cards, troubles
from module_builder.aids.page import MIN_SIZE_MM
from module_builder.new import new_game
from module_builder.sheets.sizes import PAPER_MARGIN_MM

from ...cases import few, thorough
from .moor import texts, wanted

GAMES = [*installed_games()]


@cache
def laid(name: str, paper: str = "a4", die: str = "5/8") -> list[CardPage]:
    return pack_cards(choose_cards(wanted(load_game(name), paper=paper, die=die), []))


def pages(name: str, paper: str = "a4", die: str = "5/8") -> Iterator[tuple[str, Scene]]:
    return ((page.scene.title, page.scene) for page in laid(name, paper, die))


def extent(text: Text) -> tuple[float, float, float, float]:
    """Where the ink of a line of text is: left, top, right, bottom; capitals and figures, not the tails of letters."""
    wide = text_width(text.text, text.size, bold=text.bold)
    left = text.x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
    return left, text.y - 0.7 * text.size, left + wide, text.y


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_too_small_or_outside_the_margins(name: str, paper: str) -> None:
    for where, page in pages(name, paper):
        for text in texts((page,)):
            assert text.size >= MIN_SIZE_MM - 1e-9 > MIN_READABLE_POINTS * POINT_MM, (where, text.text)
            left, top, right, bottom = extent(text)
            inside = left + 0.01 >= PAPER_MARGIN_MM and right - 0.01 <= page.width - PAPER_MARGIN_MM
            assert inside and top >= PAPER_MARGIN_MM and bottom <= page.height - PAPER_MARGIN_MM, (where, text.text)


@pytest.mark.parametrize("die", [pytest.param("1/2", marks=thorough), "5/8"])
@pytest.mark.parametrize("name", GAMES)
def test_no_words_lie_over_others(name: str, die: str) -> None:
    for where, page in pages(name, die=die):
        found = sorted(
            ((extent(text), text.text) for text in texts((page,)) if text.text.strip()), key=lambda one: one[0][1]
        )
        for (one, first), (other, second) in combinations(found, 2):
            if other[1] >= one[3]:
                continue
            apart = one[2] <= other[0] + 0.01 or other[2] <= one[0] + 0.01 or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (where, first, second)


@few(1)
@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", GAMES)
def test_nothing_is_cut_off(name: str, paper: str) -> None:
    assert [*troubles(laid(name, paper))] == []


@pytest.mark.parametrize("name", GAMES)
def test_minus_signs_are_minus_signs(name: str) -> None:
    for card in choose_cards(wanted(load_game(name)), []):
        if card.name != "answers":  # what is typed keeps its hyphens
            for text in texts(card.pages):
                assert not re.search(r"(?<![\w.,\u2013])-[0-9]", text.text), (card.title, text.text)


@pytest.mark.parametrize("name", GAMES)
def test_rules_are_numbers_of_the_rulebook(name: str) -> None:
    for where, page in pages(name):
        for text in texts((page,)):
            assert not re.fullmatch(r"[0-9][0-9.-]*/[A-Za-z].*|(Opt|TEC|CRT)/.*", text.text), (where, text.text)


@thorough
def test_every_game_has_the_cards_that_its_files_make() -> None:
    made = {name: {card.name for page in laid(name) for card in page.cards} for name in GAMES}
    assert all("answers" in names and "terrain-key" in names for names in made.values())
    assert set().union(*made.values()) == CARDS.keys() - {"turn-sheet", "roster"}


@pytest.mark.parametrize("paper", ["a4", "letter", pytest.param("a3", marks=thorough)])
@pytest.mark.parametrize("name", GAMES)
def test_all_cards_are_printed_and_each_begins_once(name: str, paper: str) -> None:
    cards = choose_cards(wanted(load_game(name), paper=paper), [])
    begun = [title for page in laid(name, paper) for title in page.begins]
    assert sorted(begun) == sorted(card.title for card in cards)


@pytest.mark.parametrize("paper", ["a4", *(pytest.param(paper, marks=thorough) for paper in ("letter", "a3"))])
@pytest.mark.parametrize("name", GAMES)
def test_no_page_is_less_than_half_full_but_the_last_of_its_kind(name: str, paper: str) -> None:
    for landscape in (False, True):
        room = wanted(load_game(name), paper=paper).area(landscape=landscape).height
        alike = [page for page in laid(name, paper) if page.sheet.landscape is landscape]
        assert all(page.sheet.bottom >= room / 2 for page in alike[:-1]), [page.scene.title for page in alike]


def test_aids_take_few_pages(tmp_path: Path) -> None:
    """A stranger's small game has its aids on two pages; two armies of Twilight share a page."""
    new_game(tmp_path / "drill")
    assert len(pack_cards(choose_cards(wanted(read_game("drill", tmp_path / "drill")), []))) == 2
    assert len(laid("twilight-in-the-east")) <= 22


@pytest.mark.parametrize("name", GAMES)
def test_a_checklist_of_a_game_takes_no_second_page(name: str) -> None:
    for paper in ("a4", "letter"):
        cards = choose_cards(wanted(load_game(name), paper=paper), [])
        assert all(len(card.pages) == 1 for card in cards if card.name == "checklist")
