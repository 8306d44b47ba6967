"""All tables of a machine in its own browser, as `field-staff` alone opens them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from assistant.faces.page.server.serving import prepare_alone

from ..assistant.faces.page.server.served import running
from .browser import Visit
from .conftest import Laptop


@pytest.fixture
def laptop(own_data: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Laptop]:
    monkeypatch.setattr("sys.stdin", None)  # nobody sits at its terminal
    serving = prepare_alone(0)
    with running(serving) as address:
        yield Laptop(serving, address)


def type_line(page: Page, line: str) -> None:
    """Enter a line through the page."""
    page.evaluate(
        """async ([line]) => (await fetch("respond", { method: "POST", headers: { "content-type": "application/json" },
        body: JSON.stringify({ do: "enter", table: "world-undone-east-prussia-1914-1", line, tap: crypto.randomUUID() }) })).json()""",
        [line],
    )


def test_new_reader_chooses_a_game_and_both_his_windows_show_the_table(laptop: Laptop, visit: Visit) -> None:
    page = visit.page(laptop.link())
    expect(page.locator(".board-about")).to_contain_text("East Prussia, 19 August 1914")
    page.get_by_role("button", name="Other games and tables").click()
    page.get_by_role("button", name="The World Undone: East Prussia 1914", exact=True).click()
    page.locator("#sheet .choices button", has_text="An empty table").click()
    expect(page.locator("#panel-tables")).to_be_hidden()
    other = page.context.new_page()
    other.goto(f"{laptop.address}/0/")  # has entered, and goes on with the last table
    other.locator("body[data-ready=yes]").wait_for()
    expect(other.locator("#panel-tables")).to_have_count(0)
    other.get_by_role("button", name="Turn", exact=True).click()
    expect(other.locator("#top")).not_to_contain_text("2")
    type_line(page, "turn=2")
    expect(other.locator("#top")).to_contain_text("2")
