"""Whether what is needed next lies in sight, where a reader can tap it without having scrolled."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page

_WHY_NOT = """(element) => {
    const box = element.getBoundingClientRect();
    if (!box.width || !element.checkVisibility({ visibilityProperty: true })) return "is not shown";
    const cut = ({ top, bottom, left, right }, by) =>
        box.top < top - 1 || box.bottom > bottom + 1 || box.left < left - 1 || box.right > right + 1
            ? `is cut off by ${by}: ${Math.round(box.top)} to ${Math.round(box.bottom)}, of which ${Math.round(top)} to ${Math.round(bottom)} is seen` : "";
    const outside = cut({ top: 0, left: 0, bottom: innerHeight, right: innerWidth }, "the window");
    if (outside) return outside;
    for (let within = element.parentElement; within && within !== document.body; within = within.parentElement) {
        if (getComputedStyle(within).overflowY === "visible" || element.closest("dialog")) continue;
        const hidden = cut(within.getBoundingClientRect(), within.id || within.className);
        if (hidden) return hidden;
    }
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return element === hit || element.contains(hit) ? "" : `is covered by ${hit?.outerHTML.slice(0, 90)}`;
}"""
"""Why an element does not lie wholly in sight: outside the window, cut off by what scrolls, or covered; "" if it does."""


def why_hidden(what: Locator) -> str:
    """Why what is needed next cannot be seen as a whole and tapped as the page stands; empty if it can."""
    reason: str = what.evaluate(_WHY_NOT)
    return reason


@dataclass
class Reader:
    """A reader who taps what is needed next and never scrolls. touched: by a finger, or with the mouse."""

    page: Page
    touched: bool

    def sees(self, what: Locator, *, within: Locator | None = None) -> Locator:
        """What is needed next, once it is there; fails if it does not lie in sight. within: what of it must be seen as a whole."""
        what.wait_for()
        self.settle()
        for part in (within, what):
            if part is not None and (reason := why_hidden(part)):
                name = part.get_attribute("aria-label") or part.inner_text()
                raise AssertionError(f"{name.strip()[:60]!r} {reason}")
        return what

    def taps(self, what: Locator, *, within: Locator | None = None) -> None:
        """Tap what is needed next at its middle, where it lies in sight."""
        box = self.sees(what, within=within).bounding_box()
        assert box
        tap = self.page.touchscreen.tap if self.touched else self.page.mouse.click
        tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.settle()

    def settle(self) -> None:
        """Wait until no tap is on its way, what came back has been drawn, and taps count there."""
        self.page.wait_for_timeout(30)
        self.page.wait_for_selector("body[data-busy=no]")
        self.page.wait_for_selector(".panel[aria-busy=true]", state="detached")
