"""What can be seen of a page without looking at it: what bars people with impairments, what is cut off, what scrolls sideways."""

from __future__ import annotations

import functools
import tarfile
from collections.abc import Sequence
from typing import Any

import msgspec
from playwright.sync_api import Page

from assistant.faces.page.messages.table import UnitShown
from assistant.faces.page.tables import Tables

from .browser import PARTS

_AXE = """async ([standards, within]) => {
    const { violations } = await axe.run(within || document, { runOnly: standards, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`));
}"""
_STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_CUT = """() => [...document.querySelectorAll("body *")].flatMap((element) => {
    const style = getComputedStyle(element);
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own || !element.checkVisibility({ visibilityProperty: true }) || element.closest(".skip, .heard, [data-scrolls]")) return [];
    const scrolls = ["auto", "scroll"].includes(style.overflowX);
    const cut = element.scrollWidth > element.clientWidth + 1 && style.display !== "inline" && !scrolls;
    const { left, right } = element.getBoundingClientRect();
    if (right - left <= 1) return []; // it is heard, and not seen
    const outside = right > innerWidth + 1 || left < -1;
    let within = element.parentElement;
    for (; within; within = within.parentElement) if (["auto", "scroll"].includes(getComputedStyle(within).overflowX)) break;
    const dots = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
    return cut || (outside && !within) || dots ? [`${element.tagName.toLowerCase()}.${element.className}: ${element.textContent.trim().slice(0, 60)}`] : [];
})"""
_SMALL = """(least) => [...document.querySelectorAll("button, a[href], input, select, [role=button]")].flatMap((element) => {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest(".skip")) return [];
    const { width, height } = element.getBoundingClientRect();
    return width && (width < least || height < least) ? [`${element.textContent.trim().slice(0, 40) || element.outerHTML.slice(0, 80)}: ${width} by ${height}`] : [];
})"""


@functools.cache
def _axe_source() -> str:
    (archive,) = PARTS.glob("axe-core-*.tgz")
    with tarfile.open(archive) as packed:
        source = packed.extractfile("package/axe.min.js")
        assert source
        return source.read().decode()


def barriers(page: Page, within: str = "", only: Sequence[str] = _STANDARDS) -> list[str]:
    """What axe-core finds against WCAG 2.2 AA and good practice in the page as it stands. within: a part of it, "" for all; only:
    the standards, or single rules of axe-core.
    """
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(_axe_source())
    found: list[str] = page.evaluate(_AXE, [[*only], within])
    return found


def cut_off(page: Page) -> list[str]:
    """Elements whose text is wider than they are, stands outside the page, or ends in dots."""
    found: list[str] = page.evaluate(_CUT)
    return found


def scrolls_sideways(page: Page) -> bool:
    """Whether the page is wider than the screen."""
    wide: Any = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    return bool(wide)


def small_targets(page: Page, least: int = 24) -> list[str]:
    """What can be tapped and is smaller than that many CSS pixels either way (WCAG 2.2, 2.5.8: 24)."""
    found: list[str] = page.evaluate(_SMALL, least)
    return found


def units_shown(tables: Tables, name: str) -> list[UnitShown]:
    """The units that a table shows."""
    return [msgspec.json.decode(unit, type=UnitShown) for unit in tables.desk(name).show().units]
