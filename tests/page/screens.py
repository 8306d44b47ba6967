"""Pictures of the battle panel on a phone, a tablet and a desktop, light and dark: `python -m tests.page.screens FOLDER`.

The pictures of docs/table/page.md are page-battle.png (phone, before the dice), page-dice.png (tablet, the dice) and page-map.png
(phone, what changes on the map); the others are for looking at.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from assistant.faces.page.tables import Tables

from .battles import BATTLES, GAME
from .browser import started
from .small_host import hosted
from .tapping import Player

SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desktop": (1280, 800)}
IN_DOCS = {"phone-light-units": "page-battle", "tablet-light-roll": "page-dice", "phone-light-map": "page-map"}
"""Which of the pictures stand in the docs, by their names there."""


def play(page: Page) -> list[tuple[str, bytes]]:
    """The rulebook's example by taps; what the page looks like on the way."""
    player, shots = Player(page), list[tuple[str, bytes]]()

    def look(name: str) -> None:
        page.locator("#main").evaluate("main => main.scrollTo(0, 0)")
        page.wait_for_timeout(200)
        shots.append((name, page.screenshot()))

    player.choose_hex("4119")
    player.stack("1/1")
    player.focus("40.20")
    player.stack("25/3")
    player.stack("27/3")
    player.focus("40.19")
    player.stack("29/20")
    player.pick("29/20")
    player.tap(player.button("steps lost: 3"))
    look("units")
    player.mode("Options")
    look("options")
    player.mode("Roll")
    look("roll")
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    look("losses")
    player.option(3)
    for hex, total in (("40.20", 12), ("40.19", 5), ("41.19", 6)):
        player.roll(total, hex)
    look("retreat")
    player.option_hex("39.20")
    look("result")
    player.tap(player.button("Carry out"))
    page.locator(".tick").first.click()
    look("map")
    return shots


def main(folder: Path) -> None:
    """Write all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with started() as (browser, _):
        for screen, (width, height) in SIZES.items():
            for colours in ("light", "dark"):
                with tempfile.TemporaryDirectory() as kept:
                    tables = Tables(Path(kept))
                    tables.begin("table", GAME, BATTLES["the rulebook's example"].start)
                    with hosted(tables) as address:
                        context = browser.new_context(
                            viewport={"width": width, "height": height},
                            color_scheme=colours,  # type: ignore[arg-type]
                            device_scale_factor=2 if screen == "phone" else 1,
                        )
                        page = context.new_page()
                        page.goto(address)
                        page.wait_for_selector("body[data-ready=yes]")
                        for name, picture in play(page):
                            full = f"{screen}-{colours}-{name}"
                            (folder / f"{IN_DOCS.get(full, full)}.png").write_bytes(picture)
                        context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
