"""After the first load the page needs no network, and what it has acknowledged outlives a tab that is closed."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page, expect

from .battles import BATTLES, GAME, KNOWN
from .browser import Visit, opened
from .hosting import asked_there, hosted, rules_alone
from .tapping import Player

KEPT = "async () => { await navigator.serviceWorker.ready; }"
"""Resolves once the browser keeps the page."""


def sent(page: Page, *requests: dict[str, object]) -> list[dict[str, object]]:
    """The responses to requests about a table."""
    texts = [json.dumps({"table": "warsaw", **request}) for request in requests]
    return [json.loads(response) for response in asked_there(page, texts)]


BEGIN = {"do": "begin", "game": GAME, "position": KNOWN}
EXAMPLE = BATTLES["the rulebook's example"]
TAPS: list[dict[str, object]] = [
    {"do": "enter", "line": line, "tap": f"tap-{number}"} for number, line in enumerate(EXAMPLE.lines, 1)
]
"""The battle line by line, each a tap of its own."""


def after_restart(shown: dict[str, object]) -> dict[str, object]:
    """What is shown of a table, but for what its last line said, and in which words `undo` names what it takes back."""
    return {name: value for name, value in shown.items() if name not in ("said", "undo")}


def test_battle_without_a_network(visit: Visit, folder: str) -> None:
    page = visit.page(folder)
    page.evaluate(KEPT)
    page.context.set_offline(True)
    opened(page, folder)
    *_, shown = sent(rules_alone(visit, page.context, folder), BEGIN, *TAPS)
    assert EXAMPLE.answer in shown["answer"]["answers"][0]  # type: ignore[index]


def test_page_opens_with_its_typeface_when_its_host_is_gone(visit: Visit, files: Path) -> None:
    with hosted(files) as address:
        page = visit.page(address)
        page.evaluate(KEPT)
    opened(page, address)
    assert page.get_by_role("heading", level=1).is_visible()
    page.wait_for_function("[...document.fonts].map(({ status }) => status).join() === 'loaded'")


def test_closed_tab_loses_nothing_that_was_acknowledged(visit: Visit, folder: str) -> None:
    context = visit.context(origin=folder)
    page = rules_alone(visit, context, folder)
    sent(page, BEGIN)
    for taps in (TAPS[:1], TAPS[1:4], TAPS[4:]):
        *_, shown = sent(page, *taps)
        page.close()
        page = rules_alone(visit, context, folder)
        [again] = sent(page, {"do": "look"})
        assert after_restart(again) == after_restart(shown), taps
        [twice] = sent(page, taps[-1])  # as if its answer had got lost with the tab
        assert twice["entry"] == shown["entry"], f"{taps[-1]} counted twice"


def test_two_tabs_share_a_table(visit: Visit, folder: str) -> None:
    context = visit.context(origin=folder)
    one, other = rules_alone(visit, context, folder), rules_alone(visit, context, folder)
    sent(one, BEGIN, TAPS[0])
    [seen] = sent(other, {"do": "look"})
    [entered] = sent(other, TAPS[1])
    assert seen["combat"]
    [shown] = sent(one, {"do": "look"})
    assert shown["entry"] == entered["entry"]
    assert shown["answer"] == entered["answer"]


def test_books_are_kept_without_a_network(visit: Visit, folder: str) -> None:
    page = visit.page(folder, "phone")
    page.evaluate(KEPT)
    page.context.set_offline(True)
    opened(page, folder)
    page.get_by_role("button", name="the tables").click()
    page.locator("#panel-tables").get_by_role("button", name="Der Weltkrieg", exact=True).click()
    keeper = Player(page)
    expect(page.locator(".turn-head h1")).to_contain_text("August 1914, turn 1", timeout=60_000)
    keeper.settle()
    keeper.tap(keeper.button("Next turn"))
    account = (
        page.locator(".holder", has=page.get_by_role("heading", name="France", exact=True)).locator(".account").first
    )
    keeper.tap(account)
    page.keyboard.type("21")
    keeper.tap(keeper.button("Enter it", "#sheet"))
    expect(account).to_contain_text("879 to Shaken")
    opened(page, folder)
    expect(page.locator(".account", has_text="879 to Shaken")).to_be_visible(timeout=60_000)
