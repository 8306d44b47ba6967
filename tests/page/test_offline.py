"""After the first load the page needs no network, and what it has acknowledged outlives a tab that is closed."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import Page

from .battles import BATTLES, GAME, KNOWN
from .browser import Visit, opened
from .hosting import asked_there, hosted, rules_alone

KEPT = "async () => { await navigator.serviceWorker.ready; }"
"""Resolves once the browser keeps the page."""


def sent(page: Page, *requests: dict[str, object]) -> list[dict[str, object]]:
    """The responses to requests about a table."""
    texts = [json.dumps({"table": "warsaw", **request}) for request in requests]
    return [json.loads(response) for response in asked_there(page, texts)]


BEGIN = {"do": "begin", "game": GAME, "position": KNOWN}
LINES = BATTLES["the rulebook's example"].lines


def enter(*lines: str) -> list[dict[str, object]]:
    """Requests that enter lines, each a tap of its own."""
    return [{"do": "enter", "line": line, "tap": f"tap-{LINES.index(line)}"} for line in lines]


def test_battle_without_a_network(visit: Visit, folder: str) -> None:
    page = visit.page(folder)
    page.evaluate(KEPT)
    page.context.set_offline(True)
    opened(page, folder)
    *_, shown = sent(rules_alone(page.context, folder), BEGIN, *enter(*LINES))
    assert shown["answer"]["answers"][0].startswith(BATTLES["the rulebook's example"].answer)  # type: ignore[index]


def test_page_opens_when_its_host_is_gone(visit: Visit, files: Path) -> None:
    with hosted(files) as address:
        page = visit.page(address)
        page.evaluate(KEPT)
    opened(page, address)
    [shown] = sent(page, BEGIN)
    assert shown["is"] == "table"


def test_closed_tab_loses_nothing_that_was_acknowledged(visit: Visit, folder: str) -> None:
    context = visit.context(origin=folder)
    page = rules_alone(context, folder)
    sent(page, BEGIN)
    for number, line in enumerate(LINES):
        *_, shown = sent(page, *enter(line))
        page.close()
        page = rules_alone(context, folder)
        [again] = sent(page, {"do": "look"})
        del shown["said"], again["said"]
        assert again == shown, f"after line {number + 1}"
        [twice] = sent(page, *enter(line))  # as if its answer had got lost with the tab
        assert twice["entry"] == shown["entry"], f"line {number + 1} counted twice"


def test_two_tabs_share_a_table(visit: Visit, folder: str) -> None:
    context = visit.context(origin=folder)
    one, other = rules_alone(context, folder), rules_alone(context, folder)
    sent(one, BEGIN, *enter(LINES[0]))
    [seen] = sent(other, {"do": "look"})
    [entered] = sent(other, *enter(LINES[1]))
    assert seen["combat"]
    [shown] = sent(one, {"do": "look"})
    assert shown["entry"] == entered["entry"]
    assert shown["answer"] == entered["answer"]
