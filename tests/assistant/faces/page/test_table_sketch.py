"""The small pictures of games and tables: what is drawn, by what a position says."""

from __future__ import annotations

import pytest
from lxml import etree

from assistant import parse
from assistant.asking.view import View
from assistant.drawing.style import palette_of
from assistant.faces.page.table_sketch import sketch_game, sketch_table
from assistant.installed.registry import installed_games, named_game

GAME = "twilight-in-the-east"


def fills(svg: str) -> set[str]:
    return {str(fill) for fill in etree.fromstring(svg.encode()).xpath("//@fill")}


@pytest.mark.parametrize("name", sorted(installed_games()))
def test_every_game_has_a_picture_of_two_colours_or_more(name: str) -> None:
    assert len(fills(sketch_game(named_game(name)))) > 2


@pytest.mark.parametrize("name", ["kaisers-war-in-the-east", GAME, "world-undone-east-prussia-1914"])
def test_set_up_shows_both_sides(name: str) -> None:
    game = named_game(name)
    palette = palette_of(game)
    on_map = {palette.side(side).strong for side in game.file.sides}
    on_counters = {nation for side in game.file.sides for nation in game.file.sides[side]}
    drawn = fills(sketch_game(game))
    assert on_map <= drawn or len(drawn & {palette.nation(nation) for nation in on_counters}) >= 2


def test_map_of_a_game_on_paper_is_the_drawn_one() -> None:
    game = named_game("world-undone-east-prussia-1914")
    assert palette_of(game).ground("sea") in fills(sketch_game(game))


def test_table_shows_its_units_and_no_more() -> None:
    lone = parse(f"game {GAME}\n41.19: german infantry XX 1/1 (12-16-7-11)\n")
    palette = palette_of(lone.game)
    strong = {side: palette.side(side).strong for side in lone.game.file.sides}
    drawn = fills(sketch_table(View(lone.game, lone.state)))
    assert strong["central-powers"] in drawn
    assert strong["russian"] not in drawn
    empty = parse(f"game {GAME}\n")
    assert sketch_table(View(empty.game, empty.state)) == ""
