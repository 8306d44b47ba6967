"""A player at the battle panel: what is typed at the table prompt, done by taps, which are counted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Locator, Page

from assistant.installed.registry import load_game

_KEYS = {"/": "slash", "-": "minus"}
"""How keys of the pad are called that are no figures."""


@dataclass
class Player:
    """A player who has the battle panel before him. taps: so far; typed: letters by the device's own keyboard among them."""

    page: Page
    taps: int = 0

    def tap(self, what: Locator) -> None:
        """Tap, and wait until it has been answered."""
        self.taps += 1
        what.click()
        self.settle()

    def settle(self) -> None:
        """Wait until no tap is on its way, the page has drawn what came back, and taps count there."""
        self.page.wait_for_timeout(20)
        self.page.wait_for_selector("body[data-busy=no]")
        self.page.wait_for_selector(".panel[aria-busy=true]", state="detached")

    def button(self, name: str | re.Pattern[str], within: str = "main") -> Locator:
        """A button by its name."""
        exact = isinstance(name, str)
        return self.page.locator(within).get_by_role("button", name=name, exact=exact).first

    def choose_hex(self, digits: str) -> None:
        """The attacked hex, by its number: the battle panel has the pad."""
        self.to_battle()
        for digit in digits:
            self.tap(self.button(digit, ".hex-pad"))

    def to_battle(self) -> None:
        """The battle panel, if it is not there yet."""
        if not self.page.locator("#panel-battle").is_visible():
            self.tap(self.button("Battle", "#tabs"))

    def focus(self, hex: str) -> None:
        """One of the seven hexes."""
        self.tap(self.page.locator(".hex", has_text=hex).first)

    def stack(self, unit: str, *, find: str = "") -> None:
        """A unit into the hex that is chosen. find: what is typed to find its card."""
        for sign in find:
            self.tap(self.button(_KEYS.get(sign, sign), ".finder"))
        self.tap(self.page.locator(".cards .card", has=self.page.locator(f"b:text-is({unit!r})")).first)

    def new_unit(self, name: str, *, nation: str = "", arm: str = "") -> None:
        """A unit that no roster has, its name typed by the device's keyboard. nation, arm: those it is asked for, "" for the proposed one."""
        field = self.page.locator(".finder input")
        field.press_sequentially(name)
        self.taps += len(name)
        self.tap(self.page.locator(".card.new"))
        if nation:
            self.tap(self.button(nation, ".new-unit"))
        if arm:
            self.tap(self.button(arm, ".new-unit"))

    def figures(self, typed: str, game: str = "twilight-in-the-east") -> None:
        """Figures of a counter, as a line has them: each hops to the next one by itself where no digit can follow, and a digit
        that cannot follow begins the next one.
        """
        figures, playing = typed.split("-"), load_game(game)
        mosts = [playing.track(name).most for name in playing.file.notation.brackets]
        for number, (figure, after) in enumerate(zip(figures, [*figures[1:], ""], strict=True)):
            for digit in figure:
                self.tap(self.button(digit, ".figures-form"))
            form, most = self.page.locator(".figures-form"), mosts[number]
            begins = after and most is not None and int(figure + after[0]) > most
            if (
                not begins
                and form.is_visible()
                and form.locator(".field").nth(number).get_attribute("aria-pressed") == "true"
            ):
                self.tap(self.button("Next", ".figures-form"))

    def pick(self, unit: str) -> None:
        """A unit that stands in the hex that is chosen."""
        self.tap(self.page.locator(".here .card", has=self.page.locator(f"b:text-is({unit!r})")).first)

    def mode(self, name: str) -> None:
        """Units, Options, or what is due."""
        self.tap(self.button(name, ".modes"))

    def ground(self, hex: str, word: str) -> None:
        """The terrain of the hex that is chosen."""
        self.tap(self.page.locator(".ground-of summary"))
        self.tap(self.page.get_by_role("group", name=f"Terrain of {hex}").get_by_role("button", name=word, exact=True))

    def hexside(self, hex: str) -> None:
        """Turn a hexside to its next feature."""
        self.tap(self.page.get_by_role("button", name=re.compile(f"^Hexside to {re.escape(hex)}:")))

    def parameter(self, name: str, value: str) -> None:
        """A parameter of the combat."""
        self.tap(self.page.get_by_role("group", name=name, exact=True).get_by_role("button", name=value, exact=True))

    def roll(self, total: int, title: str = "") -> None:
        """A die or a total, in the box of its roll."""
        box = self.page.locator(".ask.roll", has_text=title).first
        self.tap(box.get_by_role("button", name=str(total), exact=True))

    def option(self, number: int) -> None:
        """A choice by its place in the list, from 1."""
        self.tap(self.page.locator(".ask.choice :is(.option, .hex.open)").nth(number - 1))

    def option_hex(self, hex: str) -> None:
        """A choice between hexes, on the map."""
        self.tap(self.page.locator(".ask.choice .hex.open", has_text=hex))
