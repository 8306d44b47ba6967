"""A battle of three corps that no roster has, each with its artillery: nothing of them is known before it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from assistant.faces.page.tables import Tables

from .battles import GAME, THREE_CORPS
from .browser import Visit
from .small_host import hosted
from .tapping import Player

STATED = "2213 10/X5778 9/X141268 31/X131268 14/XVII4289 3/XVII121149 8/XVII1211410 6/VI4288 12/VI111049 39/VI 106/VI98410 6 34 1"
"""What has to be stated: the hex, names, figures that are not those of the unit before, dice, a choice."""


def three_corps(player: Player) -> None:
    player.choose_hex("2213")
    player.new_unit("10/X", nation="Russian", arm="artillery")
    player.figures("5-7-7-8")
    player.new_unit("9/X")
    player.figures("14-12-6-8")
    player.new_unit("31/X")
    player.figures("13-12-6-8")
    player.focus("22.12")
    player.new_unit("106/VI", nation="Austro-Hungarian")
    player.figures("9-8-4-10")
    player.focus("22.14")
    player.new_unit("14/XVII", nation="Austro-Hungarian", arm="artillery")
    player.figures("4-2-8-9")
    player.hexside("22.14")
    player.new_unit("3/XVII")
    player.figures("12-11-4-9")
    player.new_unit("8/XVII")
    player.figures("12-11-4-10")
    player.focus("23.13")
    player.new_unit("6/VI", nation="Austro-Hungarian", arm="artillery")
    player.figures("4-2-8-8")
    player.new_unit("12/VI")
    player.figures("11-10-4-9")
    player.new_unit("39/VI")
    player.tap(player.button("As 12/VI"))
    player.mode("Roll")
    player.roll(6)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(1)


def test_three_corps_take_what_must_be_stated_and_25_taps(visit: Visit, address: str, tables: Tables) -> None:
    tables.begin("table", GAME, THREE_CORPS.start)
    player = Player(visit.page(address, "phone"))
    three_corps(player)
    shown = tables.desk("table").show().answer
    assert shown
    assert THREE_CORPS.answer in shown.answers[0]
    assert player.taps <= len(STATED.replace(" ", "")) + 25


def test_what_was_typed_of_a_unit_stays_when_it_is_refused(visit: Visit, tmp_path: Path) -> None:
    """A name has no quotation mark."""
    tables = Tables(tmp_path)
    tables.begin("table", GAME, THREE_CORPS.start)
    with hosted(tables) as address:
        player = Player(visit.page(address, "phone"))
        player.choose_hex("2213")
        player.new_unit('9"1', nation="Russian", arm="artillery")
        player.figures("5-7-7-8")
        page = player.page
        expect(page.get_by_role("status").filter(has_text="cannot contain a quotation mark")).to_be_visible()
        expect(page.get_by_role("button", name="artillery", exact=True).first).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".figures-form .field b").first).to_have_text("5")
