"""The board of a table: its tiles, which change with what they show alone, its counters, and a hex with how each fact is known."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from .test_desk import COMBAT, Page
from .test_sides import Table

EAST = """game twilight-in-the-east
board east
turn=1
65.37: 22/1
67.34: 37/20
"""


@pytest.fixture
def page(tmp_path: Path) -> Page:
    page = Page(tmp_path)
    page.send("begin", table="warsaw", game="twilight-in-the-east")
    page.send("begin", table="east", game="twilight-in-the-east", position=EAST)
    return page


def board(page: Page, table: str, **more: Any) -> Any:
    return page.send("board", table=table, **more)


def keys(shown: Any, level: int = 0) -> dict[tuple[int, int], str]:
    return {(column, row): key for column, row, key in shown["levels"][level]["tiles"]}


def tile(page: Page, table: str, at: tuple[int, int], level: int = 0, **more: Any) -> Any:
    return page.send("tile", table=table, level=level, column=at[0], row=at[1], **more)


def names_in(svg: str) -> list[str]:
    """The names of towns that a tile shows."""
    return re.findall(r"<title>([^<]+)</title>", svg)


def test_empty_table_has_a_field_which_grows_with_what_is_stated_and_its_hexes_stay(page: Page) -> None:
    assert board(page, "warsaw")["hexes"]
    page.enter(COMBAT)
    shown = board(page, "warsaw")
    hexes = {name for name, _, _ in shown["hexes"]}
    assert {"41.19", "40.20", "40.19", "41.18", "39.19"} <= hexes
    assert "60.60" not in hexes
    assert "60.60" in {name for name, _, _ in board(page, "warsaw", also=["60.60"])["hexes"]}
    assert shown["blank"]
    page.enter("4319 rough")
    before, after = ({*map(tuple, each["hexes"])} for each in (shown, board(page, "warsaw")))
    assert before < after


def test_drawn_board_takes_the_place_of_the_field(page: Page) -> None:
    page.enter(COMBAT)
    [(name, title)] = board(page, "warsaw")["boards"]
    assert title == "the Eastern Front, drawn from geography"
    page.enter(f"board {name}")
    shown = board(page, "warsaw")
    assert (shown["blank"], shown["boards"]) == (False, [])
    assert [unit["place"] for unit in page.send("look", table="warsaw")["units"] if unit["id"] == "1/1"] == ["41.19"]


def test_field_that_the_asker_has_is_not_sent_again(page: Page) -> None:
    whole = board(page, "east")
    again = board(page, "east", have=whole["field"])
    assert (again["hexes"], again["places"]) == ([], [])
    assert again["levels"] == whole["levels"]


def test_stated_ground_changes_the_tiles_that_show_it_alone_which_are_drawn_with_it(page: Page) -> None:
    before = board(page, "east")
    page.send("enter", table="east", line="4119 mountain", tap="ground")
    after = board(page, "east")
    for level in range(len(before["levels"])):
        changed = {at for at, key in keys(after, level).items() if keys(before, level)[at] != key}
        assert 1 <= len(changed) <= 4
    page.send("enter", table="east", line="turn=2", tap="turn")
    assert board(page, "east")["levels"] == after["levels"]
    [at, *_] = [at for at, key in keys(after).items() if keys(before)[at] != key]
    drawn = tile(page, "east", at)
    assert drawn["key"] == keys(after)[at]
    for tap in ("back to turn 1", "and to the ground before"):
        page.send("enter", table="east", line="undo", tap=tap)
    assert tile(page, "east", at)["ground"] != drawn["ground"]


def test_tiles_cover_every_hex_and_each_town_stands_in_one(page: Page) -> None:
    shown = board(page, "east")
    across = [at for at in keys(shown) if at[1] == 4][:4]
    towns = [name for at in across for name in names_in(tile(page, "east", at)["names"])]
    places = {name for _, name in shown["places"]}
    drawn = [name for name in towns if name in places]
    assert len(drawn) > 10
    assert len(drawn) == len(set(drawn))
    for level in shown["levels"]:
        there = {(column, row) for column, row, _ in level["tiles"]}
        assert all((x // level["width"], y // level["height"]) in there for _, x, y in shown["hexes"])
    assert all(nearer["least"] >= farther["least"] for nearer, farther in pairwise(shown["levels"]))
    assert all(nearer["width"] < farther["width"] for nearer, farther in pairwise(shown["levels"]))


def test_hex_tells_how_each_fact_is_known_and_whose_zones_reach_it(page: Page) -> None:
    page.enter(COMBAT)
    shown = page.send("hex", table="warsaw", hex="4119")
    assert (shown["hex"], shown["units"], shown["side"]) == ("41.19", ["1/1"], "central-powers")
    [ground] = shown["ground"]
    assert (ground["word"], ground["how"], ground["doubtful"]) == ("clear", "stated", False)
    sides = {side["hex"]: side["known"][0] for side in shown["sides"]}
    assert (sides["40.20"]["word"], sides["40.20"]["how"]) == ("open", "stated")
    assert (sides["41.18"]["word"], sides["41.18"]["how"]) == ("open", "taken for granted")
    assert [side["angle"] for side in shown["sides"]] == [0, 60, 120, 180, 240, 300]
    assert [(zone["title"], zone["of"]) for zone in shown["zones"]] == [("Russian", ["25/3", "27/3", "29/20"])]
    assert page.send("hex", table="warsaw", hex="4130")["zones"] == []
    drawn = page.send("hex", table="east", hex="6537")
    assert drawn["name"] == "Soldau"
    assert {fact["how"] for fact in drawn["ground"]} == {"drawn from geography", "from the rulebook"}


def test_combat_tells_of_its_ground_what_the_hex_tells(page: Page) -> None:
    combat = page.enter(COMBAT)["combat"]
    told = page.send("hex", table="warsaw", hex="4119")
    assert combat["ground"] == told["ground"] != []
    between = {there["hex"]: there["between"] for there in combat["around"]}
    known = {side["hex"]: [fact for fact in side["known"] if fact["value"]] for side in told["sides"]}
    assert between == known


def test_a_hex_unit_or_tile_that_is_not_there_is_refused(page: Page) -> None:
    assert page.send("hex", table="warsaw", hex="nowhere")["is"] == "refused"
    assert page.send("stack", table="warsaw", hex="4119")["is"] == "refused"
    assert page.send("counter", table="warsaw", unit="99/99")["is"] == "refused"
    assert tile(page, "east", (99, 99))["is"] == "refused"
    assert tile(page, "east", (0, 0), level=9)["is"] == "refused"


def test_counter_and_stack_show_what_has_become_of_units(page: Page) -> None:
    page.enter(COMBAT)
    before = page.send("counter", table="warsaw", unit="1/1")["svg"]
    stack = page.send("stack", table="warsaw", hex="4020")["svg"]
    assert "<title>40.20: 25/3" in stack
    assert "27/3" in stack
    page.enter("1/1 -4")
    assert page.send("counter", table="warsaw", unit="1/1")["svg"] != before


def test_stack_is_shown_with_its_ground_and_the_six_hexes_around_it(page: Page) -> None:
    """With the counters of the board, and without names, for the page writes in each hex."""
    alone, scene = (page.send("stack", table="east", hex="6537", around=around)["svg"] for around in (False, True))
    [counter] = re.findall(r"<title>(22/1: [^<]+)</title>", alone)
    assert counter in scene
    assert "65.36" not in scene
    assert len(scene) > 4 * len(alone)
    page.send("enter", table="east", line="6538 mountain", tap="ground")
    changed = page.send("stack", table="east", hex="6537", around=True)["svg"]
    assert changed != scene
    page.send("enter", table="east", line="6539: 24/1", tap="far")
    assert page.send("stack", table="east", hex="6537", around=True)["svg"] == changed
    assert page.send("stack", table="east", hex="6537")["svg"] == alone
    assert (
        page.send("stack", table="warsaw", hex="4119", around=True)["is"] == "drawn"
    )  # the field of a table without a board


def test_stacks_are_drawn_together_as_each_is_by_itself(page: Page) -> None:
    page.enter(COMBAT)
    places = ["4119", "4020", "4118", "nowhere"]
    shown = page.send("stacks", table="warsaw", hexes=places)["stacks"]
    alone = [page.send("stack", table="warsaw", hex=place).get("svg", "") for place in places]
    assert [(stack["hex"], stack["svg"]) for stack in shown] == [*zip(places, alone, strict=True)]
    assert [bool(svg) for svg in alone] == [True, True, False, False]


def test_stacks_of_more_hexes_than_a_request_may_name_are_refused(page: Page) -> None:
    assert page.send("stacks", table="east", hexes=["6537"] * 100)["is"] == "stacks"
    assert page.send("stacks", table="east", hexes=["6537"] * 101)["is"] == "refused"


def test_countries_change_every_tile_for_their_tints_reach_far(page: Page) -> None:
    before = keys(board(page, "east"))
    page.send("enter", table="east", line="4119 country=russia", tap="country")
    after = keys(board(page, "east"))
    assert before.keys() == after.keys()
    assert all(before[at] != after[at] for at in before)


def test_marker_is_shown_in_its_hex(page: Page) -> None:
    page.enter("4119 ip=2 1/1 12-16-7-11 < 4020 25/3")
    [marker] = board(page, "warsaw")["markers"]
    assert marker["hex"] == "41.19"
    assert "<svg" in marker["svg"]


def test_side_is_shown_of_a_hex_what_it_may_know(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.tap("central-powers", "4119 1/1 12-16-7-11")
    table.tap("russian", "4020 25/3 10--5-10 -2 27/3 10--5-10")
    requests = [("hex", {"hex": "4020"}), ("stack", {"hex": "4020"}), ("board", {}), ("counter", {"unit": "25/3"})]
    requests.append(("stacks", {"hexes": ["4020", "4119"]}))
    own, other = ([table.send(who, do, **about) for do, about in requests] for who in ("russian", "central-powers"))
    assert own[0]["units"] == ["25/3", "27/3"]
    assert other[0]["units"] == ["25/3"]
    assert other[0]["unseen"] == "Russian"
    assert other[2]["unseen"] == ["40.20"]
    assert "unseen units" in other[1]["svg"]
    assert "27/3" not in json.dumps(other)
    assert own[3] != other[3]  # the steps lost are hidden
    assert [each[4]["stacks"][0]["svg"] for each in (own, other)] == [own[1]["svg"], other[1]["svg"]]
    assert table.send("central-powers", "counter", unit="27/3")["is"] == "refused"
    zones = [of for zone in other[0]["zones"] for of in zone["of"]]
    assert "27/3" not in zones
