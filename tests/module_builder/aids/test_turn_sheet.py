"""The turn sheet: what a side does in the turn of its journal, from the entries to the page."""

from __future__ import annotations

from pathlib import Path

import pypdfium2
import pytest

from assistant.game.course import course_file
from assistant.game.games import Game
from assistant.installed.registry import named_game
from module_builder.aids.aid_set import AidSet
from module_builder.aids.page import AidStyle
from module_builder.aids.sequence import ChecklistLine
from module_builder.aids.turn_sheet import Section, Tally, journal_faults, turn_sections
from module_builder.sheets.sizes import PAPERS

from ...assistant.records.journal.small import journal, small_game
from ...pages import ROOT
from ..test_cli import refused, run
from .moor import MILLIMETRE, letters, moor, words_of

BOOKS = str(ROOT / "plugins/der_weltkrieg/examples/books.journal")
SHEET = ("--only", "turn-sheet", "--journal", BOOKS)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    folder = tmp_path_factory.mktemp("small-war")
    small_game(folder)
    return named_game(str(folder))


def sections(game: Game, *entries: str, side: str = "red", nation: str = "") -> list[Section]:
    style, its_journal = AidStyle(PAPERS["a4"], 15.0), journal(game, *entries)
    aids = AidSet(game, course_file(game), style, side=side, nation=nation, journal=its_journal)
    return turn_sections(aids, aids.journal, side) if aids.journal else []


def test_a_nation_or_side_has_what_it_holds_and_what_is_due(game: Game) -> None:
    rust, turn = sections(game, "aug14/2 ru dm 120 Ford", "dec14/1 turn")
    assert (rust.title, rust.who) == ("Rust", "rust")
    assert rust.tallies == [
        Tally("Demoralization points", 152, ["Shaken since aug14/2", "Broken at 200: 48 to go"]),
        Tally("Supply points", 20, []),
    ]
    assert [item.text for item in rust.ticked] == ["5 supply points (counted)"]
    assert turn == Section("The turn", "", ticked=[ChecklistLine("Movement", "")])
    entries = ("aug14/2 ru dm 1", "aug14/2 na dm 20", "aug14/2 ro dm 3")
    assert [section.title for section in sections(game, *entries)] == ["Rust", "Rose", "The turn"]
    assert [section.title for section in sections(game, *entries, side="blue")] == ["Navy", "The turn"]
    assert [section.title for section in sections(game, *entries, nation="rose")] == ["Rose", "The turn"]


def test_the_example_is_a_page_a_side_with_caps_dice_and_debts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("aids", "der-weltkrieg", *SHEET)
    assert (done.exit_code, done.output) == (0, "der-weltkrieg-aids.pdf: turn-sheet on 2 pages\n")
    with pypdfium2.PdfDocument("der-weltkrieg-aids.pdf") as document:
        powers, entente = (words_of(page) for page in document)
        assert [entry.get_title() for entry in document.get_toc()] == [
            "Turn dec15/0: Central Powers",
            "Turn dec15/0: Entente",
        ]
        for page in document:
            wide, high = (length / MILLIMETRE for length in page.get_size())
            assert (round(wide), round(high)) == (210, 297)
            for letter in letters(page):
                assert letter.left >= 9.9 and letter.right <= wide - 9.9
                assert letter.size >= 6.99 and letter.bottom <= high - 9.9
    assert "8 demoralization points for lack of imports (counted)" in powers
    assert "Two dice for a gas counter (ask gas)" in powers and "Economic Collapse at 775: 102 to go" in powers
    assert "A die for Italy (ask italy)" in entente and "A die for Italy" not in powers
    assert "Great Britain: 23 of at most 20, 3 too many" in entente and "Great Britain" not in powers
    assert "4 supply points for infantry" in entente and "France" in entente


def test_it_may_be_of_an_earlier_turn_and_says_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("aids", "der-weltkrieg", *SHEET[:-1], f"{BOOKS}@aug14/2").exit_code == 0
    with pypdfium2.PdfDocument("der-weltkrieg-aids.pdf") as document:
        assert next(iter(document.get_toc())).get_title() == "Turn aug14/2: Central Powers"
    Path("der-weltkrieg-aids.pdf").unlink()
    refused(run("aids", "der-weltkrieg", *SHEET[:-1], f"{BOOKS}#2"), "a turn sheet is of a turn", "@aug14/3")
    refused(run("aids", "der-weltkrieg", *SHEET[:-1], f"{BOOKS}@jan13/1"), "outside the game")
    monkeypatch.chdir(tmp_path)
    moor(tmp_path / "moor")
    refused(run("aids", "der-weltkrieg", "--only", "turn-sheet"), "a turn sheet is of a journal", "--journal")
    refused(run("aids", "moor", "--only", "turn-sheet"), "Moor keeps no books: it has no events", "events.toml")
    refused(run("aids", "moor", *SHEET), "this is a journal of der-weltkrieg, not of moor")
    broken = tmp_path / "broken.journal"
    broken.write_text("journal der-weltkrieg 1\n1 aug14/1 ge dm many\n")
    refused(run("aids", "der-weltkrieg", *SHEET[:2], "--journal", str(broken)), "broken.journal:2")


@pytest.mark.parametrize("entries", ["", "1 aug14/2 ru dm 1\n2 aug14/2 strike 1\n", "1 aug14/2 ru dm 1\n"])
def test_an_example_may_have_no_first_entry_that_counts(entries: str, tmp_path: Path) -> None:
    small_game(tmp_path)
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/war.journal").write_text(f"journal small-war 1\nsetup august\n{entries}")
    assert [*journal_faults(named_game(str(tmp_path)))] == []
