"""VASSAL's files in a browser: dropped or chosen, continued as a table, and given back; and read there as an installation reads them."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect

import assistant
from assistant.faces.page.respond import respond
from assistant.faces.page.tables import Tables
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.saves import write_save
from module_builder.vassal.setups import write_set_up

from ..assistant.faces.page.test_vassal import spoiled
from ..assistant.formats.vassal.adoption.published import build, example
from ..assistant.formats.vassal.test_positions import setting_of
from .browser import Visit, opened
from .first_visit import SAVE, drop
from .hosting import asked_there, rules_alone
from .looking import barriers, cut_off
from .questions import COUNT, PARTS, choose_part, questions
from .small_host import hosted

SAVES = 10
SPOILED = 1000


@pytest.fixture
def page(tmp_path: Path, own_data: None, visit: Visit) -> Iterator[Page]:
    """A phone before any table has begun."""
    with hosted(Tables(tmp_path / "tables")) as address:
        yield opened(visit.context("phone", origin=address).new_page(), address)
        visit.close()


def is_whole(page: Page) -> None:
    """Nobody is barred, and nothing is cut off."""
    assert barriers(page) == []
    assert cut_off(page) == []


def test_a_save_that_is_dropped_is_continued_as_a_table_and_given_back(page: Page, tmp_path: Path) -> None:
    drop(page, SAVE.name, SAVE.read_bytes())
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("1914, Twilight in the East")
    is_whole(page)
    sheet.get_by_role("button", name="Continue as a table").click()
    expect(page.locator("#line")).to_contain_text("1:1, Large")
    expect(sheet).to_be_hidden()
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="As a save").click()
    link = page.get_by_role("link", name=f"Keep {SAVE.name}")
    expect(link).to_be_visible()
    is_whole(page)
    given = tmp_path / "given.vsav"
    given.write_bytes(b64decode((link.get_attribute("href") or "").partition(",")[2]))
    assert assistant.read(given).state == assistant.read(SAVE).state


def test_a_save_that_is_chosen_is_continued_as_what_a_side_knows(page: Page) -> None:
    page.get_by_role("button", name="Other games and tables").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open a save or a log").click()
    chooser.value.set_files(SAVE)
    page.get_by_role("button", name="Continue as the Russian player").click()
    expect(page.locator("#top")).to_contain_text("as russian")


def test_a_folder_that_is_dropped_is_refused(page: Page) -> None:
    page.evaluate("""() => {
        const folder = new File([], "saves");
        folder.arrayBuffer = async () => { throw new DOMException("a folder", "NotFoundError"); };
        const files = new DataTransfer();
        files.items.add(folder);
        const dropped = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: files });
        Object.defineProperty(dropped, "dataTransfer", { value: { types: ["Files"], files: [folder] } });
        document.body.dispatchEvent(dropped);
    }""")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("the file cannot be read")


def test_of_an_unknown_module_the_pieces_are_listed(page: Page) -> None:
    drop(page, "foreign.vsav", write_save(example(read_module(build()))))
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("25th Inf Div")
    expect(sheet.get_by_role("button", name="Continue as a table")).to_have_count(0)
    is_whole(page)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("cut.vsav", SAVE.read_bytes()[:900], "not a readable zip file"),
        ("picture.png", b"\x89PNG", "this is not a file of VASSAL that is read here"),
        ("large.vlog", bytes(17 * 2**20), "the file is too large"),
    ],
)
def test_what_cannot_be_read_is_refused_and_the_page_goes_on(page: Page, name: str, data: bytes, said: str) -> None:
    drop(page, name, data)
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("alert")).to_contain_text(said)
    is_whole(page)
    sheet.get_by_role("button", name="Close").click()
    expect(page.get_by_role("region", name="Map")).to_be_visible()


# --- in the browser as installed --------------------------------------------------------------------------------------


@cache
def saved() -> dict[Path, bytes]:
    """Saves of the positions about which most is asked, as far as their modules show them."""
    files, asked = dict[Path, bytes](), questions(3 * COUNT)
    counts = Counter(asking.file for asking in asked)
    for file in sorted(counts, key=lambda file: (-counts[file], file)):
        position = assistant.read(file)
        try:
            files[file] = write_save(write_set_up(setting_of(position.game), position).save)
        except assistant.InputError:
            continue
        if len(files) == SAVES:
            return files
    raise AssertionError(len(files))


def differing(visit: Visit, folder: str, tables: Tables, requests: list[str]) -> list[tuple[str, str, str]]:
    """The requests that are answered otherwise in the browser than by the installed program, with both answers."""
    here = [respond(tables, request.encode()).decode() for request in requests]
    there = asked_there(rules_alone(visit, visit.context(origin=folder), folder), requests)
    return [each for each in zip(requests, here, there, strict=True) if each[1] != each[2]]


@pytest.mark.parametrize("part", range(PARTS))
def test_two_hundred_questions_about_saves_are_answered_alike(
    visit: Visit, folder: str, tmp_path: Path, part: int
) -> None:
    every = [asking for asking in questions(3 * COUNT) if asking.file in saved()][:COUNT]
    assert len(every) == COUNT
    asked = choose_part(every, part)
    names = {file: f"save-{number}" for number, file in enumerate(dict.fromkeys(asking.file for asking in asked))}
    begun = [
        {"do": "begin-from", "table": name, "name": "game.vsav", "data": b64encode(saved()[file]).decode()}
        for file, name in names.items()
    ]
    put = [
        {"do": "ask", "table": names[asking.file], "question": asking.question, "parameters": asking.parameters, "answers": asking.answers}
        for asking in asked
    ]  # fmt: skip
    given = [{"do": "give-save", "table": name} for name in names.values()]
    assert differing(visit, folder, Tables(tmp_path), [json.dumps(each) for each in (*begun, *put, *given)]) == []


@pytest.mark.parametrize("part", range(PARTS))
def test_spoiled_saves_are_refused_alike(visit: Visit, folder: str, tmp_path: Path, part: int) -> None:
    requests = [
        {"do": "look-into", "name": "game.vsav", "data": b64encode(spoiled(SAVE.read_bytes(), Random(seed))).decode()}
        for seed in range(SPOILED)[part::PARTS]
    ]
    assert differing(visit, folder, Tables(tmp_path), [json.dumps(each) for each in requests]) == []
