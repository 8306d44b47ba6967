"""An answer on the board lies in the free area: beside the card and the tools, whole, at each size of screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from assistant.drawing.style import COUNTER_MM, HEX_MM

from .browser import SCREENS, Visit
from .conftest import Serve
from .tapping import Player
from .test_board import drawn

BARRED = "\u00d7"
FRONT = Path(__file__).parents[2] / "plugins/twilight_in_the_east/setups/19-august-1914.pos"
_FIGURES = """() => {
    const area = (selector) => document.querySelector(selector).getBoundingClientRect();
    const stage = area(".board-stage"), card = area(".board-card");
    return [...document.querySelectorAll(".board-marks text")].map((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const isInside = left >= stage.left && right <= stage.right && top >= stage.top && bottom <= stage.bottom;
        const isFree = right < card.left || left > card.right || bottom < card.top || top > card.bottom;
        return { text: text.textContent, hex: text.dataset.hex, isFree: isInside && isFree, size: bottom - top };
    });
}"""


_COVERED = """(share) => [...document.querySelectorAll(".board-marks text")].filter((text) => {
    const stack = document.querySelector(`[data-name="stack ${text.dataset.hex}"]`)?.getBoundingClientRect();
    const chip = text.previousElementSibling.getBoundingClientRect();
    return stack && chip.left < (stack.left + stack.right) / 2 + (stack.height * share) / 2 - 1;
}).map((text) => text.dataset.hex)"""
"""The hexes whose figure lies over the counters there, by the side of a counter as a share of the height of a hex."""

_HIDDEN_NAMES = """async (least) => {
    const chips = [...document.querySelectorAll(".board-marks .chip-plate")].map((plate) => plate.getBoundingClientRect());
    const found = [];
    for (const image of document.querySelectorAll(".board-names img")) {
        const host = document.body.appendChild(document.createElement("div")), at = image.getBoundingClientRect();
        host.innerHTML = await (await fetch(image.src)).text();
        Object.assign(host.style, { position: "fixed", left: `${at.left}px`, top: `${at.top}px` });
        Object.assign(host.firstElementChild.style, { display: "block", width: `${at.width}px`, height: `${at.height}px` });
        for (const name of host.querySelectorAll("[aria-label]")) {
            const box = name.getBoundingClientRect();
            const shares = chips.map((chip) => {
                const width = Math.min(box.right, chip.right) - Math.max(box.left, chip.left);
                const height = Math.min(box.bottom, chip.bottom) - Math.max(box.top, chip.top);
                return (Math.max(width, 0) * Math.max(height, 0)) / (box.width * box.height);
            });
            if (Math.max(...shares) > least) found.push(name.getAttribute("aria-label"));
        }
        host.remove();
    }
    return found;
}"""
"""The names and numbers on the map of which a chip hides more than a share."""


def show_reach(page: Page, unit: str) -> Page:
    """Return the board with the card of a unit, once its answer is drawn."""
    page.get_by_role("button", name="Map", exact=True).click()
    field = page.get_by_label("Go to a hex or a place")
    field.fill(unit)
    field.press("Enter")
    Player(page).settle()
    page.wait_for_selector(".board-marks text")
    page.wait_for_timeout(500)
    return drawn(page)


@pytest.mark.parametrize("screen", SCREENS)
def test_all_figures_of_a_reach_are_seen_at_once(serve: Serve, visit: Visit, screen: str) -> None:
    position = f"{FRONT.read_text('utf-8').replace('trust counters', '')}\ntrust all\n"
    page = show_reach(visit.page(serve(position=position).link(), screen), "36/17")
    figures = [figure for figure in page.evaluate(_FIGURES) if figure["text"] != BARRED]
    assert len(figures) > 50
    assert [figure["hex"] for figure in figures if not figure["isFree"]] == []
    assert min(figure["size"] for figure in figures) >= 10
    assert page.evaluate(_COVERED, COUNTER_MM / HEX_MM) == []


@pytest.mark.parametrize("screen", ["tablet", "desktop"])  # on a phone letters are larger than chips can avoid
def test_figures_of_a_reach_hide_no_name(serve: Serve, visit: Visit, screen: str) -> None:
    position = f"{FRONT.read_text('utf-8').replace('trust counters', '')}\ntrust all\n"
    page = show_reach(visit.page(serve(position=position).link(), screen, bypass_csp=True), "36/17")
    assert page.locator(".board-names img").count() > 0
    assert page.evaluate(_HIDDEN_NAMES, 0.05) == []
