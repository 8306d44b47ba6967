"""What has changed between an earlier table and a save that is opened later: step by step, and no more than the viewpoint may know."""

from __future__ import annotations

import shutil
from base64 import b64decode
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import assistant
from assistant.faces.page.earlier_passages import earlier_file, split_differences
from assistant.faces.page.sides import SideTables, WholeTables
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.differences import find_differences
from assistant.state.state import GameState
from assistant.state.tracks import Fact
from tests.cases import few, seeds

from .test_desk import GAME, Page
from .test_passages import Page as SharedPage
from .test_passages import words
from .test_vassal import SAVE, chosen, page

__all__ = ["page"]
START = Path(__file__).parents[4] / "plugins/twilight_in_the_east/setups/19-august-1914.pos"
HIDDEN = "77/7"


def opened_again(page: Page, *lines: str, side: str = "", earlier: str = "war") -> Any:
    """The table of a save that another player has sent back, after lines of theirs."""
    page.send("begin-from", table="theirs", **chosen(SAVE))
    for line in lines:
        assert not page.send("enter", table="theirs", line=line, sure=True)["refused"]
    given = page.send("give-save", table="theirs")
    assert given["why"] == []
    return page.send("begin-from", table="now", side=side, earlier=earlier, **chosen(b64decode(given["data"])))


def passages(page: Page, table: str = "now") -> Iterator[Any]:
    counted = page.send("passages", table=table, earlier=True)
    for number in range(1, counted["count"] + 1):
        yield page.send("passage", table=table, passage=number, earlier=True)


def test_save_that_comes_back_is_stepped_through_change_by_change(page: Page) -> None:
    start = START.read_text("utf-8")
    page.send("begin", table="start", game=GAME, position=start)  # has units of the save, but did not begin with one
    page.send("begin-from", table="war", **chosen(SAVE))
    assert page.send("look-into", **chosen(SAVE))["earlier"] == [
        {"table": "war", "title": "comprehensive example", "viewpoint": ""}
    ]
    shown = opened_again(page, "29/20 -5", "38.20 29/20", "39.20 25/3, 27/3")
    assert shown["has_earlier"]
    together, moved, lost = passages(page)
    assert words(together) == "Russian 25/3 and 27/3 from 40.20 to 39.20."
    assert together["moves"] == [
        {"start": "40.20", "end": "39.20", "side": "russian", "units": ["25/3", "27/3"], "way": []}
    ]
    assert words(moved) == "Russian 29/20 from 40.19 to 38.20."
    assert words(lost).strip() == "29/20 has lost 5 steps."
    assert lost["changed"] == ["38.20"]
    start = page.send("passage", table="now", passage=0, earlier=True)
    assert (start["number"], start["count"], start["sentences"]) == (0, 3, [])
    assert "40.20" in start["stacks"]
    assert page.send("passage", table="now", passage=4, earlier=True)["what"] == "there is no passage 4"


def test_units_that_came_and_left_and_a_new_turn_are_steps(page: Page) -> None:
    page.send("begin", table="before", game=GAME)
    for line in ("turn 3", "4119 clear german infantry XX 1/1 12-16-7-11", "4020 25/3 10--5-10"):
        page.send("enter", table="before", line=line)
    before = page.tables.desk("before").position
    for line in ("turn 4", "1/1 gone", "4219 german infantry XX 2/1 12-16-7-11"):
        assert not page.send("enter", table="before", line=line, sure=True)["refused"], line
    after = page.tables.desk("before").position
    states = [*split_differences(before.game, before.state, after.state)]
    told = [find_differences(*both, before.game.tracks) for both in pairwise(states)]
    assert [fact.track for fact in told[0].facts] == ["turn"]
    assert [[gone.unit for gone in one.gone] for one in told] == [[], ["1/1"], []]
    assert [[came.unit for came in one.came] for one in told] == [[], [], ["2/1"]]


def test_save_without_a_change_has_no_steps_and_one_without_comparison_says_so(page: Page) -> None:
    page.send("begin-from", table="war", **chosen(SAVE))
    opened_again(page)
    assert [*passages(page)] == []
    refused = page.send("passages", table="war", earlier=True)
    assert (refused["what"], refused["hint"]) == (
        "this table is compared with no earlier one",
        "choose an earlier table when you open a save",
    )
    assert not page.send("look", table="war")["has_earlier"]


def test_earlier_position_goes_with_its_table(page: Page) -> None:
    page.send("begin-from", table="war", **chosen(SAVE))
    opened_again(page, "38.20 27/3")
    for table in ("war", "theirs"):
        page.send("delete", table=table)
    assert len([*passages(page)]) == 1  # the earlier table need not stay
    page.send("delete", table="now")
    assert [*page.tables.folder.iterdir()] == []


def test_side_is_shown_no_more_of_the_earlier_table_than_it_may_know(page: Page) -> None:
    page.send("begin-from", table="war", **chosen(SAVE))
    for line in (f"4119 german infantry XX {HIDDEN} 12-16-7-11", f"4119: 1/1, {HIDDEN}"):
        entered = page.send("enter", table="war", line=line, sure=True)
        assert not entered["refused"], entered["refused"]
    shown = opened_again(page, "38.20 27/3", side="russian")
    assert shown["viewpoint"] == "russian"
    kept = earlier_file(page.tables.file("now")).read_text("utf-8")
    assert HIDDEN in page.tables.file("war").read_text("utf-8") and HIDDEN not in kept
    told = [*passages(page)]
    assert told and not any(HIDDEN in str(one) for one in told)


def test_what_a_side_knows_is_not_compared_with_what_others_know(page: Page) -> None:
    page.send("begin-from", table="war", side="russian", **chosen(SAVE))
    for side in ("", "central-powers"):
        refused = page.send("begin-from", table="now", side=side, earlier="war", **chosen(SAVE))
        assert refused["what"] == "the table war holds only what the Russian side may know"
        assert refused["hint"] == "continue as the Russian player, or compare with nothing"
    assert page.send("games")["tables"] == ["war"]
    assert page.send("begin-from", table="now", side="russian", earlier="war", **chosen(SAVE))["has_earlier"]
    page.send("begin", table="other", game="world-undone-east-prussia-1914")
    refused = page.send("begin-from", table="more", earlier="other", **chosen(SAVE))
    assert refused["what"].startswith("the table other is one of ")


def test_sides_of_a_shared_table_are_not_shown_the_comparison_of_the_laptop(page: Page, tmp_path: Path) -> None:
    page.send("begin-from", table="war", **chosen(SAVE))
    opened_again(page, "38.20 27/3")
    shared = SharedPage(tmp_path / "shared")
    shared.folder.mkdir()
    for file in page.tables.folder.glob("now.*"):
        shutil.copy(file, shared.folder / file.name.replace("now", "front"))
    whole = WholeTables(shared.seats[""], "front", ("russian", "central-powers"), tmp_path / "sides")  # type: ignore[arg-type]
    shared.seats |= {"": whole, "russian": SideTables(whole, "russian")}
    assert shared.send("", "look")["has_earlier"] and not shared.send("russian", "look")["has_earlier"]
    for do, more in (("passages", {}), ("passage", {"passage": 1}), ("board", {"passage": 0})):
        refused = shared.send("russian", do, earlier=True, **more)
        assert refused["what"] == "this table is compared with no earlier one", do


def changed_by_chance(game: Game, state: GameState, chance: Random) -> GameState:
    """A state in which some units moved, left or lost a step, and some hexes have another fact."""
    units, facts = dict(state.units), dict(state.facts)
    standing = [unit for unit in units.values() if unit.place]
    for unit in chance.sample(standing, min(len(standing), 12)):
        match chance.choice(("move", "leave", "lose")):
            case "move":
                place = chance.choice(standing).place
                units[unit.id] = replace(unit, place=place, order=chance.randrange(9))
            case "leave":
                del units[unit.id]
                facts = {key: fact for key, fact in facts.items() if key[1] != unit.id}
            case "lose":
                facts["lost", unit.id] = Fact(chance.randrange(4))
    facts["turn", ""] = Fact(chance.randrange(1, 9))
    return replace(state, units=units, facts=facts)


@few(3)
@pytest.mark.parametrize("seed", seeds(100))
def test_steps_tell_every_difference_once_and_end_in_the_later_position(seed: int) -> None:
    game = load_game(GAME)
    state = assistant.read(START).state
    chance = Random(seed)
    before, after = (changed_by_chance(game, state, chance) for _ in range(2))
    states = [*split_differences(game, before, after)]
    whole = find_differences(before, after, game.tracks)
    told = [find_differences(*both, game.tracks) for both in pairwise(states)]
    assert states[-1] == after
    kinds = [(one.moved, one.gone, one.came, one.facts) for one in told]
    assert all(sum(map(bool, kind)) == 1 for kind in kinds if any(kind))
    for name in ("moved", "gone", "came", "facts"):
        all_told = [change for one in told for change in getattr(one, name)]
        expected = [*getattr(whole, name)]
        if name == "facts":
            expected = [fact for fact in expected if not game.tracks[fact.track].is_passing]
        assert sorted(map(repr, all_told)) == sorted(map(repr, expected)), name
