"""A march at a table of the page: the move that is open there, and where units can go together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .test_desk import Page

PRUSSIA = "world-undone-east-prussia-1914"
POSITION = f"""game {PRUSSIA}
board east-prussia
scenario=historical
turn=4
phasing=german
phase=first-movement
trust counters
3015: XVII/36, 8A/1KB
3012: II/26
"""


@pytest.fixture
def page(tmp_path: Path) -> Page:
    return laid(tmp_path, POSITION)


def laid(folder: Path, position: str) -> Page:
    page = Page(folder)
    game = position.split()[1]
    assert page.send("begin", table="warsaw", game=game, position=position)["is"] == "table"
    return page


def reach(page: Page, *units: str) -> Any:
    return page.send("reach", table="warsaw", units=units)


def left(shown: Any) -> dict[str, str]:
    return {place["hex"]: place["left"] for place in shown["hexes"]}


def test_open_move_is_shown_with_its_units_and_way(page: Page) -> None:
    assert page.send("look", table="warsaw")["march"] is None
    march = page.enter("XVII/36 8A/1KB > 3014 3114 forced=yes")["march"]
    assert (march["units"], march["at"], march["way"]) == (["XVII/36", "8A/1KB"], "3015", ["3014", "3114"])
    values = {parameter["name"]: parameter["value"] for parameter in march["parameters"]}
    assert values["forced"] == "yes"
    assert not {"units", "way"} & {*values}


def test_no_move_is_open_once_it_is_carried_out_or_another_question_is_asked(page: Page) -> None:
    page.enter("XVII/36 > 3014")
    assert page.enter("done")["march"] is None
    assert page.enter("undo")["march"]["way"] == ["3014"]
    assert page.enter("supply XVII/36")["march"] is None


def test_hexes_within_reach_have_what_is_left_and_the_cheapest_way(page: Page) -> None:
    shown = reach(page, "XVII/36")
    there = {place["hex"]: place for place in shown["hexes"]}
    assert (there["3014"]["left"], there["3014"]["way"]) == ("2", ["3014"])
    assert there["2714"] == {"hex": "2714", "left": "0", "beyond": "", "way": ["2915", "2814", "2714"]}
    assert shown["answer"] is None


def test_stack_goes_as_far_as_the_unit_with_the_fewest_points(page: Page) -> None:
    foot, horse, both = (
        left(reach(page, "XVII/36")),
        left(reach(page, "8A/1KB")),
        left(reach(page, "XVII/36", "8A/1KB")),
    )
    assert {*foot} < {*horse}
    assert both == foot == left(reach(page, "8A/1KB", "XVII/36"))
    assert any(horse[at] != foot[at] for at in foot)


def test_barred_hexes_have_the_reason(page: Page) -> None:
    shown = reach(page, "XVII/36")
    assert dict(shown["barred"])["3012"]
    assert "3012" not in left(shown)


def test_unit_that_may_not_move_keeps_all_back_and_says_why(page: Page) -> None:
    page.enter("XVII/36 disrupted")
    shown = reach(page, "8A/1KB", "XVII/36")
    assert shown["hexes"] == []
    assert (shown["answer"]["kind"], shown["answer"]["title"]) == ("no", "Reach of XVII/36 by march")
    assert "disrupted" in str(shown["answer"]["parts"][0])


def test_missing_cell_is_asked_for(tmp_path: Path) -> None:
    shown = reach(laid(tmp_path, POSITION.replace("trust counters", "")), "XVII/36")
    assert shown["hexes"] == []
    assert shown["answer"]["asks"][0]["kind"] == "cell"
    assert shown["answer"]["asks"][0]["line"].endswith("= {}")


def test_points_are_written_as_players_write_them(tmp_path: Path) -> None:
    war = """game kaisers-war-in-the-east
scenario=1914 turn=1 main-effort=west phasing=allies phase=movement
2822=2922
2822,2922 clear country=russia
2822: Rus-SW (8-2-2) radius=2
trust charts counters
"""
    assert left(reach(laid(tmp_path, war), "Rus-SW")) == {"2922": "1.5"}


def test_unit_that_is_not_there_and_no_unit_are_refused(page: Page) -> None:
    assert reach(page)["what"] == "no unit is named"
    assert reach(page, "XX/37")["is"] == "refused"


def test_words_name_the_question_of_a_move(page: Page) -> None:
    assert page.send("words", game=PRUSSIA)["march"] == "move"


def test_game_without_that_question_shows_nothing_in_reach(tmp_path: Path) -> None:
    page = laid(tmp_path, "game der-weltkrieg\n")
    assert reach(page, "1")["hexes"] == []
    assert page.send("look", table="warsaw")["march"] is None


def test_stack_is_asked_about_as_one_where_the_game_can_and_forced_marches_are_told_apart(tmp_path: Path) -> None:
    east = """game twilight-in-the-east
board east
turn=1
phasing=russian
phase=movement
trust charts counters
42.21: 27/3, 25/3
"""
    shown = reach(laid(tmp_path, east), "27/3", "25/3")
    there = {place["hex"]: place for place in shown["hexes"]}
    assert (there["41.21"]["left"], there["41.21"]["beyond"]) == ("4", "")
    assert (there["38.19"]["left"], there["38.19"]["beyond"]) == ("0", "1")
