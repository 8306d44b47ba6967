"""A battle by taps, from an empty table to the list of what changes on the map, and how many taps it takes."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from assistant.drawing.style import palette_of
from assistant.faces.page.messages.requests import EnterRequest
from assistant.faces.page.tables import Tables
from assistant.installed.registry import make_game_loader, named_game
from assistant.util.errors import quoted

from ..folders import written
from .battles import BATTLES, EMPTY, GAME, UNROSTERED
from .browser import Visit
from .looking import barriers, cut_off, scrolls_sideways, small_targets, units_shown
from .small_host import hosted
from .tapping import Player

Plays = Callable[[Player], None]


def player(
    visit: Visit, address: str, tables: Tables, start: str = "", game: str = GAME, screen: str = "phone"
) -> Player:
    """A player at a table that begins with a position, at the battle panel; the tap that leads there counts."""
    tables.begin("table", game, start or f"game {game}")
    table = Player(visit.page(address, screen))
    table.to_battle()
    return table


def before_the_dice(player: Player) -> None:
    player.choose_hex("4119")
    player.stack("1/1")
    player.focus("40.20")
    player.stack("25/3")
    player.stack("27/3")
    player.focus("40.19")
    player.stack("29/20")
    player.pick("29/20")
    player.tap(player.button("steps lost: 3"))
    player.mode("Roll")


def example(player: Player) -> None:
    before_the_dice(player)
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(3)
    player.roll(12, "40.20")
    player.roll(5, "40.19")
    player.roll(6, "41.19")
    player.option_hex("39.20")


def river(player: Player) -> None:
    player.choose_hex("4119")
    player.ground("41.19", "rough")
    player.stack("1/1")
    player.focus("40.20")
    player.stack("25/3")
    player.hexside("40.20")
    player.stack("27/3")
    player.mode("Roll")
    player.roll(9)
    player.roll(3, "attacker")
    player.roll(4, "defender")


def _against(player: Player, *attackers: tuple[str, tuple[str, ...]], defender: str = "1/1") -> None:
    player.choose_hex("4119")
    player.stack(defender)
    for hex, units in attackers:
        player.focus(hex)
        for unit in units:
            player.stack(unit)


ALL_THREE = ("40.20", ("25/3", "27/3")), ("40.19", ("29/20",))


def without_ammunition(player: Player) -> None:
    _against(player, *ALL_THREE)
    player.mode("Options")
    player.parameter("AP of the attacker", "none")
    player.mode("Roll")
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(1)


def flanked(player: Player) -> None:
    _against(player, ALL_THREE[0])
    player.mode("Options")
    player.parameter("flanked", "yes")
    player.mode("Roll")
    player.roll(11)
    player.option(2)


def defender_without_ammunition(player: Player) -> None:
    player.choose_hex("4119")
    player.ground("41.19", "wetlands")
    player.stack("1/1")
    player.focus("40.20")
    player.stack("25/3")
    player.mode("Options")
    player.parameter("AP of the defender", "none")
    player.mode("Roll")
    player.roll(5)
    player.roll(2, "attacker")
    player.roll(6, "defender")


def cavalry(player: Player) -> None:
    _against(player, ("40.20", ("2/2",)), defender="8/8")
    player.mode("Roll")
    player.roll(8)
    player.roll(6, "attacker")
    player.roll(1, "defender")


def withheld(player: Player) -> None:
    _against(player, ("40.19", ("29/20",)), ("40.20", ("25/3", "27/3")))
    player.pick("27/3")
    player.tap(player.button("Withhold"))
    player.mode("Roll")
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(2)


def worn(player: Player) -> None:
    player.choose_hex("4119")
    player.stack("1/1")
    player.pick("1/1")
    player.tap(player.button("steps lost: 4"))
    player.focus("40.20")
    player.stack("25/3")
    player.stack("27/3")
    for unit in ("25/3", "27/3"):
        player.pick(unit)
        player.tap(player.button("steps lost: 2"))
    player.mode("Roll")
    player.roll(10)
    player.option(2)


def three_sides(player: Player) -> None:
    _against(player, ("40.20", ("25/3",)), ("40.19", ("27/3",)), ("41.20", ("29/20",)))
    player.mode("Roll")
    player.roll(8)


def mountains(player: Player) -> None:
    player.choose_hex("4119")
    player.ground("41.19", "mountain")
    player.stack("1/1")
    player.pick("1/1")
    player.tap(player.button("More", ".unit-row"))
    player.tap(player.button("combat effectiveness status: one less"))
    player.focus("40.20")
    player.stack("25/3")
    player.stack("27/3")
    player.mode("Roll")
    player.roll(6)
    player.roll(1, "attacker")
    player.roll(1, "defender")


PLAYED: dict[str, Plays] = {
    "the rulebook's example": example,
    "over a river into rough ground": river,
    "without ammunition": without_ammunition,
    "a flanked defender": flanked,
    "a defender without ammunition": defender_without_ammunition,
    "cavalry alone": cavalry,
    "one division withheld": withheld,
    "worn divisions": worn,
    "from three sides": three_sides,
    "in the mountains, with a level lost": mountains,
}


@pytest.mark.parametrize("name", BATTLES)
def test_battle_takes_at_most_half_the_keys_of_the_prompt(
    name: str, visit: Visit, address: str, tables: Tables
) -> None:
    battle = BATTLES[name]
    table = player(visit, address, tables, battle.start)
    PLAYED[name](table)
    shown = tables.desk("table").show().answer
    assert shown
    assert battle.answer in shown.answers[0]
    assert table.taps <= battle.keys // 2


def unrostered(player: Player) -> None:
    player.choose_hex("2213")
    player.ground("22.13", "rough")
    player.new_unit("9/X", nation="Russian")
    player.figures("14-12-6-8")
    player.new_unit("31/X")
    player.tap(player.button("As 9/X"))
    player.focus("22.14")
    player.new_unit("3/XIV", nation="Austro-Hungarian")
    player.figures("12-11-4-9")
    player.hexside("22.14")
    player.new_unit("8/XIV")
    player.figures("12-11-4-10")
    player.focus("23.13")
    player.new_unit("12/VI", nation="Austro-Hungarian")
    player.figures("11-10-4-9")
    player.new_unit("39/VI")
    player.tap(player.button("As 12/VI"))
    player.mode("Roll")
    player.roll(7)
    player.roll(3, "attacker")
    player.roll(4, "defender")
    player.option(1)


STATED = "22139/X14126831/X3/XIV1211498/XIV121141012/VI11104939/VI7341"
"""What has to be stated of the battle whose units no roster has: hex, names, figures that differ, dice, a choice."""


def test_units_of_no_roster_take_what_must_be_stated_and_25_taps(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, UNROSTERED.start)
    unrostered(table)
    shown = tables.desk("table").show().answer
    assert shown
    assert UNROSTERED.answer in shown.answers[0]
    assert table.taps <= len(STATED) + 25


def test_the_hexes_that_are_offered_have_the_names_of_their_units(visit: Visit, address: str, tables: Tables) -> None:
    some = zip(range(30, 43), named_game(GAME).roster, strict=False)
    stacks = "\n".join(f"{column}.20: {quoted(unit)}" for column, unit in some)
    chips = player(visit, address, tables, f"{EMPTY}\n{stacks}\n").page.locator(".hex-pad .chip")
    expect(chips.first).to_have_text(f"30.20{next(iter(named_game(GAME).roster))}")
    expect(chips).to_have_count(13)


def test_a_figure_that_cannot_be_leaves_the_others_as_they_are(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, EMPTY)
    table.choose_hex("4119")
    table.stack("41/20", find="41/20")
    for key in ("1", "2", "1", "6", "5", "2", "5"):
        table.tap(table.button(key, ".figures-form"))
    table.tap(table.button("Done", ".figures-form"))
    form = table.page.locator(".figures-form")
    expect(form).to_contain_text("from 1 to 20")
    expect(form.locator(".field b")).to_have_text(["12", "16", "5", "25"])
    for key in ("Delete the last character", "Delete the last character", "1", "1"):
        table.tap(table.button(key, ".figures-form"))
    assert units_shown(tables, "table")[0].figures == ("12", "16", "5", "11")


def test_the_next_key_skips_no_figure_after_the_form_has_moved_on_by_itself(
    visit: Visit, address: str, tables: Tables
) -> None:
    table = player(visit, address, tables, EMPTY)
    table.choose_hex("4119")
    table.stack("41/20", find="41/20")
    fields = table.page.locator(".figures-form .field")
    for keys, at in ((("1", "2", "Next"), 1), (("Next",), 2), (("4", "Next"), 3)):
        for key in keys:
            table.tap(table.button(key, ".figures-form"))
        expect(fields.nth(at)).to_have_attribute("aria-pressed", "true")
    for digit in "11":
        table.tap(table.button(digit, ".figures-form"))
    assert units_shown(tables, "table")[0].figures == ("12", "?", "4", "11")


def test_the_example_from_an_empty_table_to_the_map(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, EMPTY)
    page = table.page
    table.choose_hex("4119")
    table.stack("1/1")
    table.focus("40.20")
    table.stack("25/3", find="3")
    table.stack("27/3")
    table.focus("40.19")
    table.stack("29/20", find="29")
    table.pick("29/20")
    table.tap(table.button("steps lost: 3"))
    table.mode("State")
    for figures in ("10", "5", "10", "5", "12"):  # steps and artillery of the attackers, steps of the defender
        for digit in figures:
            table.tap(table.button(digit, ".ask"))
    expect(page.locator("#line .answer b")).to_have_text("1:1, Large")
    table.roll(7)
    table.roll(2, "attacker")
    table.tap(table.page.locator("#top .undo"))
    table.roll(3, "attacker")
    table.roll(4, "defender")
    table.option(3)
    table.roll(12, "40.20")
    table.roll(5, "40.19")
    table.roll(6, "41.19")
    table.option_hex("39.20")
    table.tap(table.button("Carry out"))
    ticks = page.locator(".tick")
    expect(ticks.first).to_be_visible()
    ticks.nth(1).click()
    page.reload()
    table.tap(table.button("Battle", "#tabs"))
    expect(page.locator(".tick input").nth(1)).to_be_checked()
    expect(page.locator(".tick input").first).not_to_be_checked()
    retreated = next(unit for unit in units_shown(tables, "table") if unit.id == "27/3")
    assert retreated.place == "39.20"
    assert retreated.state[:2] == ("-1", "cel -2")


def test_after_a_battle_the_next_hex_is_asked_for(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["the rulebook's example"].start)
    example(table)
    table.tap(table.button("Carry out"))
    for tick in table.page.locator(".tick").all():
        table.tap(tick)
    table.tap(table.button("On to the next"))
    expect(table.page.locator(".hex-pad")).to_be_visible()
    table.choose_hex("4019")
    expect(table.page.locator(".hex.middle")).to_contain_text("40.19")
    table.tap(table.button("Another hex"))
    expect(table.page.locator(".board-about")).to_contain_text("Tap the hex that is attacked")
    table.tap(table.button("Battle", "#tabs"))
    expect(table.page.locator(".hex-pad")).to_be_visible()


def test_a_list_that_was_read_again_gives_way_to_the_next_hex(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["the rulebook's example"].start)
    example(table)
    table.tap(table.button("Carry out"))
    table.page.reload()
    table.tap(table.button("Battle", "#tabs"))
    table.tap(table.button("Hide the list"))
    expect(table.page.locator(".hex-pad")).to_be_visible()
    table.tap(table.button("What changed last"))
    expect(table.page.locator(".tick").first).to_be_visible()


SECOND_TAP = """([x, y]) => {
  const panel = document.querySelector("#panel-battle");
  const seen = new MutationObserver(() => {
    if (panel.getAttribute("aria-busy") !== "true") return;
    seen.disconnect();
    document.elementFromPoint(x, y).click();
    panel.dataset.tapped = "twice";
  });
  seen.observe(panel, { attributes: true });
}"""
"""Taps at a point as soon as the page has drawn something else there."""


def test_the_second_tap_of_two_is_not_meant_for_what_has_come_in_between(
    visit: Visit, address: str, tables: Tables
) -> None:
    table = player(visit, address, tables, BATTLES["the rulebook's example"].start)
    page = table.page

    def twice(what: Locator) -> None:
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        assert box
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.evaluate(SECOND_TAP, [x, y])
        page.mouse.click(x, y)
        expect(page.locator("#panel-battle")).to_have_attribute("data-tapped", "twice")
        table.settle()
        page.locator("#panel-battle").evaluate("panel => delete panel.dataset.tapped")

    _against(table, *ALL_THREE)
    table.mode("Roll")
    twice(page.locator(".die", has_text="7"))
    boxes = page.locator(".ask.roll")
    expect(boxes).to_have_count(2)
    boxes.first.get_by_role("button", name="3", exact=True).dblclick()
    table.settle()
    expect(boxes.last.locator(".die:enabled")).to_have_count(6)
    expect(boxes.first.locator("[aria-pressed=true]")).to_have_text("3")
    table.roll(4, "defender")
    table.option(3)
    for total, hex in (12, "40.20"), (5, "40.19"), (6, "41.19"):
        table.roll(total, hex)
    table.option_hex("39.20")
    twice(table.button("Carry out"))
    expect(page.locator(".tick").first).to_be_visible()


def test_a_battle_of_another_game(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, game="kaisers-war-in-the-east")
    table.choose_hex("2620")
    table.stack("Rus-2", find="2")
    table.figures("9-12-4")
    table.focus("2621")
    table.stack("AH-4", find="4")
    table.figures("10-11-4")
    table.mode("Roll")
    expect(table.page.locator("#line .answer b")).to_contain_text("50-99")
    table.roll(3)
    shown = tables.desk("table").show().answer
    assert shown
    assert "the attacker is defeated" in shown.answers[0]


def test_who_attacks_is_a_tap_beside_his_units(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, f"game {GAME}\n41.19: 1/1\n40.20: 25/3\n40.19: 29/20")
    table.choose_hex("4119")
    table.focus("40.19")
    table.focus("40.19")  # changes nothing
    table.tap(table.button("attacks", ".here"))
    combat = tables.desk("table").show().combat
    assert combat
    assert {one.hex: one.attacks for one in combat.around if one.units} == {"40.19": False, "40.20": True}
    table.tap(table.button("stays out", ".here"))
    combat = tables.desk("table").show().combat
    assert combat
    assert all(one.attacks for one in combat.around if one.units)


def test_the_line_is_whole_on_a_small_phone(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["the rulebook's example"].start)
    table.page.set_viewport_size({"width": 360, "height": 740})

    def whole() -> None:
        boxes = [one.bounding_box() for one in table.page.locator("#line :is(.figure, .earlier)").all()]
        found = [(one["x"], one["y"], one["x"] + one["width"], one["y"] + one["height"]) for one in boxes if one]
        assert all(left >= 0 and right <= 360 for left, _, right, _ in found)
        for (left, top, right, foot), (to_left, to_top, to_right, to_foot) in combinations(found, 2):
            assert right <= to_left + 1 or to_right <= left + 1 or foot <= to_top + 1 or to_foot <= top + 1
        assert not [text for text in cut_off(table.page) if text in table.page.locator("#line .chain").inner_text()]

    _against(table, *ALL_THREE)
    expect(table.page.locator("#line .figure b")).to_have_text(["45", "23", "1.96:1", "2:1", "\u22121", "1:1, Large"])
    whole()
    table.mode("Roll")
    assert not re.search(r"(?<![\w.)?])-\d|\w'[a-z]", table.page.locator("body").inner_text()), "set in type"
    table.roll(7)
    expect(table.page.locator("#line .earlier")).to_contain_text("1:1, Large")
    table.roll(3, "attacker")
    table.roll(4, "defender")
    expect(table.page.locator("#line .chain")).to_contain_text("2 steps due")
    table.option(3)
    for hex, total in (("40.20", 12), ("40.19", 5), ("41.19", 6)):
        table.roll(total, hex)
    table.option_hex("39.20")
    expect(table.page.locator("#line .chain")).to_contain_text("holds the hex")
    whole()
    table.tap(table.page.locator("#tabs button", has_text="Charts"))
    assert (table.page.locator("#line").bounding_box() or {})["height"] < 80


def test_the_hexes_are_shown_as_they_lie_on_the_board(visit: Visit, address: str, tables: Tables) -> None:
    start = f"game {GAME}\nboard east\nturn=1\n44.19: 1/1\n43.18: 29/20\n43.19: 25/3, 27/3"
    table = player(visit, address, tables, start)
    table.choose_hex("4419")
    views = table.page.locator(".map .hex .view")
    expect(views).to_have_count(7)
    around = [hex.inner_text() for hex in table.page.locator(".map .hex").all()]
    assert len({view.evaluate("view => getComputedStyle(view).backgroundImage") for view in views.all()}) == 1
    assert len({view.evaluate("view => getComputedStyle(view).backgroundPosition") for view in views.all()}) == 7
    for hex in table.page.locator(".map .hex").all():
        view, box = hex.locator(".view").bounding_box(), hex.bounding_box()
        assert view and box
        assert abs(view["x"] - box["x"]) < 1 and abs(view["width"] - box["width"]) < 1  # whatever its rim
    assert len(around) == 7
    stack = table.page.locator(".map .hex", has_text="43.19").locator(".stack")
    expect(stack).to_have_text("25/327/3")  # for those who hear the page
    unseen = stack.bounding_box()
    assert unseen and unseen["width"] <= 1
    before = views.first.evaluate("view => view.style.backgroundImage")
    table.focus("43.19")
    table.pick("27/3")
    table.tap(table.button("steps lost: 2"))
    expect(table.page.locator(".map .hex", has_text="43.19").locator(".role")).to_have_text("27/3 \N{MINUS SIGN}2")
    table.page.wait_for_function(
        "before => document.querySelector('.map .view').style.backgroundImage !== before", arg=before
    )


def test_chances_have_the_colours_of_their_sides(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["the rulebook's example"].start)
    before_the_dice(table)
    palette = palette_of(tables.desk("table").game)
    for role, side in (("attacker", "russian"), ("defender", "central-powers")):
        bars = table.page.locator(".tray .part div", has_text=f"steps the {role} loses").locator(".bar")
        assert bars.count() >= 3
        red, green, blue = (int(palette.side(side).strong[at : at + 2], 16) for at in (1, 3, 5))
        shown = bars.first.evaluate(
            "bar => { const at = document.createElement('canvas').getContext('2d');"
            " at.fillStyle = getComputedStyle(bar).backgroundColor; at.fillRect(0, 0, 1, 1);"
            " return [...at.getImageData(0, 0, 1, 1).data.slice(0, 3)]; }"
        )
        assert max(abs(one - other) for one, other in zip(shown, (red, green, blue), strict=True)) <= 1, role


def test_a_hex_shows_its_number_and_what_the_combat_turns_on(visit: Visit, address: str, tables: Tables) -> None:
    start = f"""game {GAME}
41.19 rough country=german control=central-powers ip=2
41.19: 1/1, 2/1, "German 1 Train"
40.20: 25/3, 27/3, 29/20"""
    table = player(visit, address, tables, start)
    table.page.set_viewport_size({"width": 360, "height": 740})
    table.choose_hex("4119")
    hexes = table.page.locator(".map .hex")
    for hex in hexes.all():
        number, box = hex.locator(".contents > b").bounding_box(), hex.bounding_box()
        assert number
        assert box
        assert box["y"] + 5 < number["y"] < box["y"] + box["height"] / 3
        assert "=" not in hex.inner_text()
    expect(table.page.locator(".hex.middle .ground")).to_have_text("rough, ip 2")


def test_a_second_tap_on_an_assumption_changes_no_more_than_the_first(
    visit: Visit, address: str, tables: Tables
) -> None:
    table = player(visit, address, tables, BATTLES["cavalry alone"].start)
    _against(table, ("40.20", ("2/2",)), defender="8/8")
    chip = table.page.locator("#line .decisive").first
    assert chip.inner_text() == "41.19 clear"
    chip.dblclick()
    table.settle()
    assert chip.inner_text() == "41.19 rough"


def test_each_of_two_quick_taps_counts(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["the rulebook's example"].start)
    _against(table, *ALL_THREE)
    table.mode("Options")
    table.button("further shifts: one more").dblclick()
    table.settle()
    expect(table.page.get_by_role("group", name="further shifts", exact=True).locator("output")).to_have_text("2")
    table.mode("Units")
    table.pick("29/20")
    table.button("steps lost: one more").dblclick()
    table.settle()
    table.tap(table.page.locator(".ground-of summary"))
    table.focus("41.19")
    table.button("level of the Improved Position: one more").dblclick()
    table.settle()
    expect(table.page.locator(".hex.middle .ground")).to_contain_text("ip 2")
    unit = next(unit for unit in units_shown(tables, "table") if unit.id == "29/20")
    assert unit.state == ("-2",)


def test_options_that_are_chosen_first_hold_once_the_attackers_stand_there(
    visit: Visit, address: str, tables: Tables
) -> None:
    table = player(visit, address, tables, BATTLES["the rulebook's example"].start)
    table.choose_hex("4119")
    table.stack("1/1")
    table.mode("Options")
    table.parameter("AP of the attacker", "none")
    table.tap(table.button("further shifts: one more"))
    table.mode("Units")
    table.focus("40.20")
    table.stack("25/3")
    expect(table.page.locator("#line .answer")).to_be_visible()
    combat = tables.desk("table").show().combat
    assert combat
    assert {one.name: one.value for one in combat.parameters if one.value} == {"attacker-ap": "none", "shift": "1"}


def test_what_nobody_has_stated_is_named_before_the_dice(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["the rulebook's example"].start)
    _against(table, *ALL_THREE)
    table.mode("Roll")
    asked = table.page.locator(".rolls details").first
    expect(asked).to_contain_text("steps lost: none; level of the Improved Position: 0; AP of the attacker: all")
    table.tap(asked.locator("summary"))
    table.tap(table.button(re.compile("Improved Position"), ".rolls .chips"))
    expect(table.button("level of the Improved Position: one more")).to_be_visible()
    table.mode("Roll")
    table.roll(7)
    expect(table.page.locator(".rolls")).not_to_contain_text("Before the dice")


def test_an_assumption_is_changed_and_confirmed(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["cavalry alone"].start)
    _against(table, ("40.20", ("2/2",)), defender="8/8")
    chip = table.page.locator("#line .decisive").first
    before = chip.inner_text()
    table.tap(chip)
    assert chip.inner_text() != before
    table.tap(table.page.locator("#line .so"))
    expect(table.page.locator("#line .decisive")).to_have_count(0)


def test_dice_thrown_by_the_page_come_from_the_seed_that_is_shown(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["cavalry alone"].start)
    _against(table, ("40.20", ("2/2",)), defender="8/8")
    table.mode("Roll")
    table.tap(table.button("Throw for me"))
    said = table.page.locator("#quiet").inner_text()
    thrown, seed = said.removeprefix("Thrown: ").removesuffix(".").split(", from the seed ")
    again = table.page.evaluate(
        f"import('./parts/dice.js').then(({{ throwDice }}) => throwDice(2, 6, 0x{seed}).faces.join('+'))"
    )
    assert thrown == again
    assert f"{thrown} for Combat Results Table" in tables.desk("table").show().undo


def test_a_die_that_has_been_thrown_is_not_thrown_again(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["cavalry alone"].start)
    _against(table, ("40.20", ("2/2",)), defender="8/8")
    table.mode("Roll")
    table.button("Throw for me").dblclick()
    table.settle()
    assert sum("crt=" in entry.text for entry in tables.desk("table").show().entries) == 1
    [(given, thrown)] = tables.desk("table").position.answers.items()
    again = tables.desk("table").enter(EnterRequest(table="table", line=f"{given}=2", tap="of another link"))
    assert again.refused
    assert again.refused.what == f"{given} is {thrown} already"


def test_a_tap_waits_while_nothing_answers_and_counts_once(visit: Visit, address: str, tables: Tables) -> None:
    visit.expected.append("Failed to load resource")
    table = player(visit, address, tables, BATTLES["cavalry alone"].start)
    table.choose_hex("4119")
    table.page.route("**/respond", lambda route: route.abort())
    table.page.locator(".cards .card", has=table.page.locator("b:text-is('8/8')")).click()
    expect(table.page.locator("#top .away")).to_contain_text("1 tap to send")
    assert tables.desk("table").show().entry == 0
    table.page.unroute("**/respond")
    expect(table.page.locator(".here .card")).to_have_count(1)
    table.settle()
    expect(table.page.locator("#top .away")).to_have_count(0)
    entered = [entry.text for entry in tables.desk("table").show().entries]
    assert len([text for text in entered if text.startswith("fact 41.19")]) == 1


def test_a_battle_without_touching_the_screen(visit: Visit, address: str, tables: Tables) -> None:
    table = player(visit, address, tables, BATTLES["cavalry alone"].start, screen="desktop")
    keys = table.page.keyboard
    table.page.locator(".hex-pad input").wait_for()
    keys.type("4119")
    table.page.locator(".finder input").focus()
    keys.type("8/8")
    keys.press("Enter")
    expect(table.page.locator(".here .card")).to_have_count(1)
    table.settle()
    table.page.locator(".hex", has_text="40.20").focus()
    keys.press("Enter")
    table.page.locator(".finder input").focus()
    keys.type("2/2")
    keys.press("Enter")
    expect(table.page.locator("#line .answer b")).to_contain_text("Small")


HEATH = {
    "game.toml": """title = "Heath"
[grid]
orientation = "pointy"
format = "{column:A}{row}"
columns = [1, 30]
rows = [1, 20]
[notation]
brackets = ["strength"]
[sides]
red = ["red"]
blue = ["blue"]
[picture]
nation = "army"
figures = ["strength"]
""",
    "tracks.toml": """[army]
title = "army"
on = "unit"
kind = "choice"
values = ["red", "blue"]
printed = "counter"
token = "{}"

[strength]
title = "strength"
on = "unit"
kind = "integer"
least = 0
printed = "counter"

[turn]
title = "turn"
on = "game"
kind = "integer"
least = 1
most = 9

[terrain]
title = "terrain"
on = "hex"
kind = "choice"
values = ["heath", "wood"]
""",
}


def test_a_game_of_data_alone_has_facts_and_questions_but_no_battle(visit: Visit, tmp_path: Path) -> None:
    game = named_game(str(written(tmp_path / "heath", HEATH)))
    tables = Tables(tmp_path / "tables", make_game_loader(game))
    tables.begin("table", "heath", "game heath\nB3: red A1 strength=4")
    with hosted(tables) as address:
        page = visit.page(address, "phone")
        tabs = page.locator("#tabs button")
        expect(tabs.first).to_be_visible()
        assert "Battle" not in tabs.all_inner_texts()
        page.locator("#tabs button", has_text="Ask").click()
        expect(page.locator("#panel-ask")).to_contain_text("check", ignore_case=True)
        page.wait_for_selector("body[data-busy=no]")


@pytest.mark.parametrize("screen", ["phone", "tablet", "desktop"])
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_nothing_bars_anybody_from_a_battle(
    screen: str, colours: str, visit: Visit, address: str, tables: Tables
) -> None:
    tables.begin("table", GAME, BATTLES["the rulebook's example"].start)
    page = visit.page(address, screen, color_scheme=colours, reduced_motion="reduce", bypass_csp=True)
    table = Player(page)

    def seen(small: int = 44) -> None:
        assert barriers(page) == []
        assert not scrolls_sideways(page)
        assert [one for one in small_targets(page, small) if "checkbox" not in one] == []

    seen()
    _against(table, *ALL_THREE)
    table.pick("29/20")
    seen()
    table.mode("Options")
    seen()
    table.mode("Roll")
    seen()
    table.roll(7)
    table.roll(3, "attacker")
    table.roll(4, "defender")
    seen()


def test_text_twice_as_large_is_whole(visit: Visit, address: str, tables: Tables) -> None:
    tables.begin("table", GAME, BATTLES["the rulebook's example"].start)
    page = visit.page(address, "phone", bypass_csp=True)
    page.add_style_tag(content="html { font-size: 200% }")
    table = Player(page)
    _against(table, *ALL_THREE)
    for mode in ("Units", "Options", "Roll"):
        table.mode(mode)
        assert not scrolls_sideways(page)
        assert cut_off(page) == []
