"""Questions, the turn and what is filled in from one's own copy, in a browser: by taps and keys, on each size of screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Page, Route, expect

from assistant.faces.page.respond import respond
from assistant.faces.page.tables import Tables
from assistant.installed.registry import installed_games

from .browser import SCREENS, Visit, opened
from .looking import barriers, cut_off, scrolls_sideways, small_targets
from .tapping import Player

TWILIGHT, KAISER, UNDONE = "twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914"
WELTKRIEG = "der-weltkrieg"
Open = Callable[..., Page]


@pytest.fixture
def open_table(address: str, visit: Visit, tables: Tables) -> Open:
    """Opens a table of a game, with its first set-up if it has one, at a panel."""

    def send(**request: Any) -> Any:
        return msgspec.json.decode(respond(tables, msgspec.json.encode(request)))

    def begin(game: str, panel: str, screen: str = "phone", position: str = "", **options: Any) -> Page:
        setups = send(do="words", game=game)["setups"]
        position = position or (setups[0]["text"] if setups else "")
        send(do="begin", table="front", game=game, position=position)
        page = opened(visit.context(screen, origin=address, **options).new_page(), address)
        page.locator("#tabs").get_by_role("button", name=panel).click()
        Player(page).settle()
        return page

    return begin


def ask(page: Page, question: str) -> None:
    page.locator("ul.questions button", has=page.get_by_text(question, exact=True)).click()


def give(page: Page) -> None:
    page.locator("form.question button[type=submit]").click()
    Player(page).settle()


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_question_has_a_form_and_those_that_need_nothing_an_answer(open_table: Open, game: str) -> None:
    page = open_table(game, "Ask")
    names = page.locator("ul.questions strong").all_inner_texts()
    assert len(names) > 20
    combat = page.locator("#tabs").get_by_role("button", name="Battle").count()
    for name in names[combat:]:
        ask(page, name)
        if page.locator("form.question button[type=submit]").is_enabled():
            give(page)
            expect(page.locator(".outcome, #quiet .refused").first).to_be_visible(timeout=60_000)
            Player(page).settle()
            if page.locator("#quiet button").count():
                page.locator("#quiet button").click()
        page.get_by_role("button", name="All questions").click()
    page.wait_for_load_state("networkidle")


def test_what_the_phase_forbids_says_so_and_the_phase_is_set_there(open_table: Open) -> None:
    page = open_table(
        TWILIGHT,
        "Ask",
        position=f"game {TWILIGHT}\nturn=1 phase=other phasing=russian\n40.20 clear: 25/3 (10-10-5-10)\n",
    )
    ask(page, "Dig in")
    page.locator("form.question .offered .card").click()
    give(page)
    expect(page.locator(".reasons")).to_contain_text("only in movement phases")
    page.get_by_role("button", name="Set the phase").click()
    page.locator("#sheet").get_by_role("button", name="movement", exact=True).click()
    expect(page.locator("main")).not_to_contain_text("only in movement phases")


def test_no_word_of_a_line_stands_where_a_player_reads(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Ask")
    ask(page, "Retreat")
    expect(page.locator("form.question")).to_contain_text("The hex that the stack leaves")
    expect(page.locator("form.question")).not_to_contain_text("At needed")


def test_a_question_is_found_by_what_a_player_wishes_to_know(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Ask")
    page.get_by_label("Find a question").fill("how far can it march")
    expect(page.locator("ul.questions strong").first).to_have_text("Reach")
    expect(page.locator("ul.questions li")).to_have_count(5)
    page.get_by_label("Find a question").fill("retreet")
    expect(page.locator("ul.questions strong").first).to_have_text("Retreat")
    page.get_by_label("Find a question").fill("10.8a")
    expect(page.locator("ul.questions strong").first).to_have_text("Rule 10.8a")
    page.locator("ul.questions button").first.click()
    expect(page.locator("#sheet")).to_contain_text("10.8a")


def test_the_supply_of_a_side_is_told_with_its_picture_and_rules_that_open(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Turn")
    page.get_by_role("button", name="supply", exact=True).click()
    expect(page.locator(".outcome")).to_contain_text("In Supply")
    expect(page.locator(".picture img")).to_be_visible()
    page.locator(".working summary").nth(1).click()
    page.locator(".working .rule:visible").first.click()
    expect(page.locator("#sheet h3").first).to_be_visible()


def test_dice_are_boxes_and_what_changes_is_carried_out_and_undone(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Ask")
    ask(page, "Weather")
    give(page)
    page.locator(".die", has_text="6").click()
    expect(page.locator(".outcome")).to_contain_text("Summer Heat")
    page.get_by_role("button", name="Carry it out").click()
    expect(page.locator("#quiet")).to_contain_text("Carried out")
    page.locator("#tabs").get_by_role("button", name="Turn").click()
    expect(page.locator(".turn-head")).to_contain_text("summer heat")
    page.locator("#top .undo").click()
    expect(page.locator(".turn-head")).not_to_contain_text("summer heat")


def test_a_fact_that_is_missing_is_stated_where_it_is_asked_for(open_table: Open) -> None:
    page = open_table(
        TWILIGHT,
        "Ask",
        position=f"game {TWILIGHT}\nturn=1\nphase=attack\nphasing=russian\n"
        "40.20: 25/3 (10-?-5-10)\n41.19: 1/1 (12-16-7-11)\n",
    )
    ask(page, "Attacks")
    give(page)
    expect(page.locator(".outcome")).to_contain_text("facts are missing")
    first = page.locator(".ask.fact h2").first
    for word in ("clear", "open"):
        asked = first.inner_text()
        page.locator(".ask.fact").first.get_by_role("button", name=word, exact=True).click()
        expect(first).not_to_have_text(asked)


def test_a_cell_that_is_missing_has_the_keys_of_its_chart(open_table: Open) -> None:
    page = open_table(
        TWILIGHT,
        "Battle",
        position=f"game {TWILIGHT}\nturn=1\n41.19 clear: 1/1 (12-16-7-11)\n40.20: 25/3 (10-10-5-10)\n40.20|41.19 open\n",
    )
    player = Player(page)
    player.tap(page.locator(".chip.place", has_text="41.19"))
    player.mode("Roll")
    player.roll(4)
    cell = page.locator(".ask.fact")
    for field in ("Attacker", "Defender"):
        cell.get_by_role("group", name=field).get_by_role("button", name="+1", exact=True).click()
    cell.get_by_text("What its cells contain").click()
    expect(cell.locator(".code-list")).to_contain_text("B1")
    cell.get_by_role("button", name="State it").click()
    expect(page.locator(".ask.roll").first).to_contain_text("Step Loss Results Table")


def test_a_unit_of_the_roster_keeps_its_nation_where_it_is_put(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Map", position=f"game {TWILIGHT}\nturn=1\n40.20: 25/3 (10-10-5-10)\n")
    page.get_by_label("Go to a hex").fill("4119")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Put a unit here").click()
    page.get_by_label("Find a unit").fill("41/20")
    page.locator("#sheet .card").first.click()
    page.get_by_role("button", name="More about hex 41.19").click()
    page.locator(".board-card .card").click()
    expect(page.locator(".card-unit")).to_contain_text("german infantry")


def test_an_answer_is_that_of_the_values_and_the_table_that_are_in_sight(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Ask", position=f"game {TWILIGHT}\nturn=1\n41.19 clear: 1/1 (12-16-7-11)\n")
    ask(page, "Stack")
    page.locator("form.question .chip.place:visible", has_text="41.19").click()
    slow = []

    def hold(route: Route) -> None:
        if '"ask"' in (route.request.post_data or "") and not slow:
            slow.append(route)
        else:
            route.continue_()

    page.route("**/respond", hold)
    page.locator("form.question button[type=submit]").click()
    expect(page.get_by_role("button", name="Asking")).to_be_visible()
    page.locator("#field-at").fill("40.20")
    slow[0].continue_()
    page.wait_for_load_state("networkidle")
    expect(page.locator(".outcome")).to_have_count(0)
    page.locator("#field-at").fill("41.19")
    give(page)
    expect(page.locator(".outcome")).to_be_visible()
    before = page.locator(".given").inner_text()
    page.locator("#tabs").get_by_role("button", name="Map").click()
    page.get_by_label("Go to a hex").fill("1/1")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="More about hex 41.19").click()
    page.get_by_role("button", name="Remove it from the map").click()
    page.locator("#tabs").get_by_role("button", name="Ask").click()
    expect(page.locator(".given")).not_to_have_text(before)


def test_a_parameter_that_is_missing_is_chosen_in_the_form(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Ask", position=f"game {TWILIGHT}\nturn=1\n40.20: 25/3 (10-?-5-10)\n")
    ask(page, "Retreat")
    page.locator("form.question .chip.place:visible", has_text="40.20").click()
    give(page)
    page.get_by_role("button", name="Choose it above").click()
    page.keyboard.type("1")
    give(page)
    expect(page.locator(".outcome")).to_contain_text("1 hex to retreat")


def test_the_next_phase_says_what_ends_and_the_checklist_keeps_its_ticks(open_table: Open) -> None:
    page = open_table(UNDONE, "Turn")
    expect(page.locator(".phase[aria-current]")).to_have_text("Second Movement")
    page.locator(".checks .now input").first.check()
    page.get_by_role("button", name="Next: ").click()
    expect(page.locator(".phase[aria-current]")).to_have_text("Second Combat")
    page.reload()
    page.wait_for_selector("body[data-ready=yes]")
    expect(page.locator(".checks input:checked")).to_have_count(1)


@pytest.mark.parametrize("game", [TWILIGHT, KAISER, UNDONE, WELTKRIEG])
def test_the_turn_is_answered_before_anything_is_asked(open_table: Open, tables: Tables, game: str) -> None:
    page = open_table(game, "Turn")
    if page.get_by_role("button", name="Begin the first turn").is_visible():
        page.get_by_role("button", name="Begin the first turn").click()
        Player(page).settle()
    request = msgspec.json.encode({"do": "ask", "table": "front", "question": "turn"})
    turn = msgspec.json.decode(respond(tables, request))
    answered = page.locator("#panel-phase .verdict")
    expect(answered).to_have_text(" ".join(turn["sentences"] or turn["answers"]))
    expect(answered).to_be_in_viewport()
    answer = page.locator("#panel-phase .verdict, #panel-phase summary:has-text('Checklist of the turn')").last
    below = page.locator(".phase-row, .ask-now").first
    assert answer.bounding_box()["y"] < below.bounding_box()["y"]  # type: ignore[index]  # both are in sight


def test_the_turn_is_answered_while_more_is_worked_out(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Ask")
    waiting: list[Route] = []

    def stop(route: Route) -> None:
        data = route.request.post_data or ""
        waiting.append(route) if '"ask"' in data else route.continue_()

    page.route("**/respond", stop)
    with page.expect_request(lambda request: '"ask"' in (request.post_data or "")):
        page.locator("#tabs").get_by_role("button", name="Turn").click()
    expect(page.locator(".turn-head h1")).to_have_text("Turn 2")
    expect(page.locator(".phase-row, .ask-now, .phases")).to_have_count(0)
    waiting.pop().continue_()
    expect(page.locator(".phase-row").first).to_be_visible()
    expect(page.locator("#panel-phase .verdict")).to_contain_text("player turns: Russian")
    assert [route.continue_() for route in waiting] == [None]


def test_what_the_present_phase_asks_for_is_in_sight_before_a_line_for_each_phase(open_table: Open) -> None:
    page = open_table(UNDONE, "Turn")
    expect(page.locator(".check-part").first.get_by_text("Move any units that are not disrupted")).to_be_visible()
    lines = page.locator(".check-part", has_text="First Player Turn: German").locator(".check span")
    expect(lines).to_have_text(["Second Movement", "Second Combat"])


def test_turns_and_what_is_due_of_a_game_that_is_all_books(open_table: Open) -> None:
    page = open_table(WELTKRIEG, "Turn")
    page.get_by_role("button", name="Next turn").click()
    expect(page.locator(".turn-head")).to_contain_text("aug14/2")
    expect(page.locator("details", has_text="Due").first).to_contain_text("5 items due")


def test_a_second_tap_is_not_another_turn(open_table: Open, tables: Tables) -> None:
    page = open_table(WELTKRIEG, "Turn")
    page.get_by_role("button", name="Next turn").dblclick()
    Player(page).settle()
    expect(page.locator(".turn-head")).to_contain_text("aug14/2")
    assert sum(entry.text == "turn next" for entry in tables.desk("front").show().entries) <= 1
    assert tables.desk("front").show().turn == "aug14/2"


def test_the_turn_is_chosen_and_a_fact_of_the_game_too(open_table: Open) -> None:
    page = open_table(UNDONE, "Turn")
    page.get_by_role("button", name="Another turn").click()
    page.locator("#sheet").get_by_role("button", name="7", exact=True).click()
    expect(page.locator(".turn-head h1")).to_have_text("Turn 7")
    Player(page).settle()
    page.locator(".turn-head").get_by_role("button", name="scenario").click()
    page.locator("#sheet").get_by_role("button", name="masurian lakes").click()
    expect(page.locator(".turn-head")).to_contain_text("masurian lakes")


def test_buttons_stay_where_they_are_as_the_turn_goes_on_and_all_phases_are_in_sight(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Turn", position=f"game {TWILIGHT}\nturn=2\n")
    begin = page.get_by_role("button", name="Next turn")
    at = begin.bounding_box()
    begin.click()
    expect(page.locator(".phase-now")).to_have_text("Weather")
    after = page.get_by_role("button", name="Next turn").bounding_box()
    assert at and after and (at["x"], at["y"]) == (after["x"], after["y"])
    assert page.locator(".strip").first.evaluate("strip => strip.scrollWidth <= strip.clientWidth")
    expect(page.locator("main")).not_to_contain_text("phase=")
    rows = page.locator(".phase-row h2")
    expect(rows).to_have_text(["Before the player turns", "Russian", "Central Powers", "After the player turns"])
    last = page.locator(".phase-row").last
    expect(last.locator("button")).to_have_text(["Administrative Segment", "Replacement Allocation Segment"])
    Player(page).settle()
    page.get_by_role("button", name="Next: Reinforcement, Withdrawal and Activation").click()
    expect(page.locator(".phase-now")).to_have_text("Reinforcement, Withdrawal and Activation, Russian")


def test_points_stand_with_their_side(open_table: Open) -> None:
    page = open_table(KAISER, "Turn")
    expect(page.locator(".accounts .holder", has_text="Allies")).to_contain_text("80")


def test_cells_follow_each_other_by_keys_alone(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Charts", "desktop")
    page.get_by_role("button", name="Combat Results Table").click()
    page.get_by_role("button", name="Begin with the first empty cell").click()
    page.keyboard.type("+1w1/-")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="1:4, 2: +1 W1 / \N{MINUS SIGN}")).to_be_visible()
    expect(page.locator(".cell-place b")).to_have_text("Summer · 1:4 · 3")
    page.get_by_role("button", name="= as before").click()
    expect(page.get_by_role("button", name="1:4, 3: +1 W1 / \N{MINUS SIGN}")).to_be_visible()


def test_a_cell_is_tapped_and_what_cannot_be_is_refused(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Charts")
    page.get_by_role("button", name="Step Loss Results Table").click()
    page.get_by_role("button", name="Begin with the first empty cell").click()
    page.locator(".cell-editor input").first.fill("99")
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator("#quiet .refused")).to_contain_text("'99' is not allowed")
    expect(page.locator(".cell-place b")).to_contain_text("Small")


def test_a_chart_whose_ends_only_the_owner_knows_asks_for_them(open_table: Open) -> None:
    page = open_table(UNDONE, "Charts")
    page.get_by_role("button", name="Russians attacking").click()
    for place, end in enumerate(("1:3", "6:1", "0", "7")):
        page.locator(".ends input").nth(place).fill(end)
    page.get_by_role("button", name="Lay the chart out").click()
    page.locator(".keys").get_by_role("button", name="AE", exact=True).click()
    expect(page.get_by_role("button", name="1:3 or less, 0 or less: AE")).to_be_visible()


def test_a_whole_table_is_pasted_shown_as_it_was_read_and_kept_by_one_tap(open_table: Open) -> None:
    page = open_table(UNDONE, "Charts")
    page.get_by_role("button", name="Germans attacking").click()
    page.get_by_text("Paste the whole table").click()
    odds = ["1:5", "1:4", "1:3", "1:2", "1:1", *(f"{attack}:1" for attack in range(2, 10))]
    rows = [
        [str(die), *(["AE", "A1", "-", "d1", "DE"][(die + place) % 5] for place in range(13))] for die in range(2, 13)
    ]
    rows[0][1] = "A9"
    table = page.get_by_label("The table")
    table.fill("\n".join("\t".join(row) for row in [["", *odds], *rows]))
    page.get_by_role("button", name="Read it").click()
    read = page.get_by_role("region", name="What was read")
    expect(read).to_contain_text("rows are die 2- to 12+, by their headings; columns are odds 1:5- to 9:1+")
    expect(read).to_contain_text("odds 1:5-, die 2-: result: 'A9' is not allowed")
    assert not barriers(page, ".table-read") and not scrolls_sideways(page) and not small_targets(page)
    read.get_by_role("button", name="Save 142 cells").click()
    expect(page.locator(".chart-head")).to_contain_text("1 cell to type")
    expect(page.get_by_role("button", name="1:5 or less, 3: D1")).to_be_visible()
    page.get_by_text("Paste the whole table").click()
    table.fill("nothing of that kind")
    page.get_by_role("button", name="Read it").click()
    expect(page.locator("#quiet .refused")).to_contain_text("this is not a table of german-table")


def test_it_is_asked_which_season_a_table_without_a_title_is_of(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Charts", "desktop")
    page.get_by_role("button", name="Step Loss Results Table").click()
    page.get_by_text("Paste the whole table").click()
    rows = [["", "Small", "Medium", "Large", "Massive"], *([str(roll), *["2/0"] * 4] for roll in range(-2, 15))]
    page.get_by_label("The table").fill("\n".join("\t".join(row) for row in rows))
    page.get_by_role("button", name="Read it").click()
    read = page.get_by_role("region", name="What was read")
    expect(read).to_contain_text("season summer, which nothing names")
    read.get_by_role("button", name="Read it another way (2 fit)").click()
    expect(read).to_contain_text("season autumn, which nothing names")
    read.get_by_role("button", name="Not so").click()
    expect(page.get_by_label("The table")).to_be_visible()
    expect(page.locator(".chart-head")).to_contain_text("135 cells to type")


def test_a_counter_is_filled_in_where_its_figures_stand(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Charts")
    page.locator("summary", has_text="Russian First 3").click()
    page.get_by_role("button", name="25/3", exact=True).click()
    page.get_by_label("Steps printed (").fill("10")
    page.get_by_label("Defence strength printed (").fill("12")
    page.get_by_role("button", name="Save, then the next counter").click()
    expect(page.get_by_role("heading", name="27/3")).to_be_visible()


def test_the_pack_is_kept_as_a_copy_and_taken_in_again(open_table: Open, tmp_path: Path) -> None:
    page = open_table(TWILIGHT, "Charts")
    page.get_by_role("button", name="Combat Results Table").click()
    page.get_by_role("button", name="Begin with the first empty cell").click()
    page.locator("#cell-attacker").fill("-/-")
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("button", name="All charts and counters").click()
    expect(page.locator(".pack")).to_contain_text("charts/crt.csv")
    with page.expect_download() as kept:
        page.get_by_role("link", name="Keep a copy").click()
    kept.value.save_as(tmp_path / "pack.zip")
    page.get_by_label("Take a copy in").set_input_files(tmp_path / "pack.zip")
    expect(page.locator("#quiet")).to_contain_text("Imported: charts/crt.csv")
    page.get_by_label("Take a copy in").set_input_files(Path(__file__))
    expect(page.locator("#quiet")).to_contain_text("not a readable zip file")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_bars_anyone_or_is_cut_off(open_table: Open, screen: str, theme: str) -> None:
    page = open_table(TWILIGHT, "Turn", screen, color_scheme=theme)
    expect(page.get_by_text("Checklist of the turn")).to_be_visible()
    seen = {"turn": look(page)}
    page.get_by_role("button", name="supply", exact=True).click()
    expect(page.locator(".picture img")).to_be_visible()
    seen["answer"] = look(page)
    page.get_by_role("button", name="Change the question").click()
    seen["form"] = look(page)
    page.locator("#tabs").get_by_role("button", name="Charts").click()
    expect(page.locator(".pack")).to_contain_text("It is empty")
    seen["charts"] = look(page)
    page.get_by_role("button", name="Combat Results Table").click()
    page.get_by_role("button", name="Begin with the first empty cell").click()
    seen["chart"] = look(page)
    page.get_by_role("button", name="All charts and counters").click()
    page.locator("summary", has_text="Russian First 3").click()
    page.get_by_role("button", name="25/3", exact=True).click()
    expect(page.locator(".counter-face").first).to_be_visible()
    seen["counter"] = look(page)
    assert {place: faults for place, faults in seen.items() if faults} == {}


def test_text_of_twice_the_size_has_room(open_table: Open) -> None:
    page = open_table(TWILIGHT, "Turn")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.get_by_text("Checklist of the turn")).to_be_visible()
    seen = [*cut_off(page)]
    page.locator("#tabs").get_by_role("button", name="Charts").click()
    page.get_by_role("button", name="Combat Results Table").click()
    page.get_by_role("button", name="Begin with the first empty cell").click()
    seen += cut_off(page)
    assert (seen, scrolls_sideways(page)) == ([], False)


def look(page: Page) -> list[str]:
    """What is wrong with the page as it stands; what the tabs cover until it is scrolled is not."""
    wide = ["scrolls sideways"] if scrolls_sideways(page) else []
    barring = [barrier for barrier in barriers(page) if "partially obscured" not in barrier]
    return [*barring, *cut_off(page), *small_targets(page), *wide]
