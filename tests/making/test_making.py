"""The maker of positions: the same for a seed, of any game and size, with facts spoiled in each way, and cases made smaller."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from assistant.installed.registry import installed_games, load_game
from assistant.testing import game_in
from assistant.util.errors import InputError

from ..conftest import typed
from . import hexes
from .chance import fill_in
from .maker import Front, Size, make_front, readable
from .scene import Scene
from .shrinking import shrink, without_lines
from .spoiling import assume, contradict, hide, leave_out, spoil
from .strategies import fronts

SKIRMISH = Path(__file__).parents[1] / "distributions/skirmish/skirmish_at_mill_creek"
TEXT = """game twilight-in-the-east
turn=5
ruling way-back=yes
41.19 clear ip=2
41.19: german infantry XX A (6-6-0-9) cel=-2
40.20: russian infantry XX B
"""


@pytest.mark.parametrize("game", installed_games())
@pytest.mark.parametrize("hex", ["41.19", "40.19", "2620", "2721"])
def test_neighbours_are_those_of_the_paper_map(game: str, hex: str) -> None:
    board = load_game(game).board("")
    try:
        known = board.neighbours(board.place(hex))
    except InputError:
        return  # the map of another game
    if board.place(hex) == hex:
        assert set(hexes.neighbours(hex)) == set(known)


def test_ways_and_areas_of_hexes() -> None:
    assert len(hexes.within("41.19", 2)) == 19
    assert hexes.distances("2620", 3)["2920"] == 3
    assert len(hexes.hexsides(hexes.within("41.19", 1))) == 12
    way = hexes.walk(Random(1), "41.19", 5)
    assert len({"41.19", *way}) == 6
    assert set(hexes.walk(Random(1), "41.19", 9, {"41.19", "41.20"}, returns=True)) == {"41.19", "41.20"}


def test_templates_are_filled_in_by_chance() -> None:
    random = Random(3)
    drawn = Counter(fill_in("{clear*7 | rough}{30%:  ip={1..3}}", random) for _ in range(800))
    assert sum(many for text, many in drawn.items() if text.startswith("clear")) in range(660, 740)
    assert sum(many for text, many in drawn.items() if "ip=" in text) in range(190, 290)
    assert {text[-1] for text in drawn if "ip=" in text} == {"1", "2", "3"}
    both = fill_in(
        "{side := german | russian} {20%: never}\n{0%: gone}\n{side} 41.19|40.20 {hex}", random, {"hex": ["41.19"]}
    )
    first, second = both.splitlines()
    assert second == f"{first.split()[0]} 41.19|40.20 41.19"
    below = [fill_in("{steps := {2..5}} {1..<steps}", random).split() for _ in range(60)]
    assert all(int(lost) < int(steps) for steps, lost in below) and {lost for _, lost in below} == set("1234")
    with pytest.raises(KeyError):
        fill_in("{nobody}", random)


@pytest.mark.parametrize("game", installed_games())
def test_a_front_of_each_game_is_the_same_each_time_and_can_be_read(game: str) -> None:
    one, again, other = (make_front(Random(seed), load_game(game)) for seed in (1, 1, 2))
    assert one.scene.text() == again.scene.text() != other.scene.text()
    position = typed(readable(one.scene.text()))
    assert {unit.place for unit in position.state.units.values()} >= {one.at}


def test_a_front_of_a_game_in_a_folder_is_of_the_size_wanted() -> None:
    game = game_in(str(SKIRMISH))
    for size in (Size(1, 1, 0), Size(2, 3, 6)):
        scene = make_front(Random(5), game, size).scene
        assert scene.text().startswith(f"game {game.id}\n")
        assert len({unit["place"] for unit in scene.units.values()}) <= 1 + size.front + size.beyond


@given(fronts("kaisers-war-in-the-east", Size(1, 2, 0)))
def test_strategies_draw_fronts(front: Front) -> None:
    assert front.at in {unit["place"] for unit in front.scene.units.values()}


def test_a_scene_writes_what_it_holds() -> None:
    scene = Scene(
        "twilight-in-the-east", ratings=("steps", "defence", "artillery", "effectiveness"), lines=["trust charts"]
    )
    scene.settings = {"turn": 5, "campaign": True}
    scene.hexes["41.19"] = {"terrain": "rough?", "ip": 2, "station": False}
    scene.sides["40.20", "41.19"] = {"barrier": {"minor-river"}, "road": "road"}
    scene.units["1/3 LW"] = {
        "place": "41.19",
        "nation": "german",
        "arm": "infantry",
        "size": "XX",
        "steps": 6,
        "lost": 2,
    }
    scene.units["T"] = {"nation": "german", "arm": "corps-train", "size": "-", "range": 4}
    assert scene.stack("41.19") == ["1/3 LW"]
    state = typed(scene.text()).state
    assert state.value("barrier", "40.20|41.19") == ("minor-river",)
    assert [state.value(track, "41.19") for track in ("terrain", "ip", "station")] == ["rough", 2, False]
    assert state.facts["terrain", "41.19"].assumed
    assert [state.value(track, "1/3 LW") for track in ("steps", "lost", "arm")] == [6, 2, "infantry"]
    assert state.units["T"].place is None and state.value("campaign", "") is True


def test_facts_are_left_out_assumed_hidden_and_contradicted() -> None:
    random = Random(1)
    assert typed(leave_out(TEXT, random, 1)).state.value("terrain", "41.19") is None
    assert "ruling way-back=yes" in leave_out(TEXT, random, 1)
    assert typed(assume(TEXT, random, 1)).state.facts["ip", "41.19"].assumed
    hidden = typed(hide(TEXT, random, 1, "russian")).state
    assert hidden.value("invisible", "A") == hidden.value("invisible", "B") == "russian"
    with pytest.raises(InputError, match="terrain is stated twice"):
        typed(contradict(TEXT, random, ["rough", "clear"]))
    kept = TEXT.replace("41.19 clear", "!41.19 clear")
    spoiled = {spoil(f"{kept}ask turn\n", Random(seed), ["weather=mud", "turn=7", "C -1"]) for seed in range(40)}
    assert len(spoiled) > 5 and all("\n41.19 clear ip=2\n" in text for text in spoiled)
    assert all(text.endswith("\nask turn\n") and "C -1" not in text for text in spoiled)
    assert any("\nweather=mud\n" in text for text in spoiled)
    assert all("turn=5" not in text for text in spoiled if "turn=7" in text)


def test_a_case_is_made_smaller_while_it_fails() -> None:
    small = shrink(TEXT, without_lines, lambda text: "ip=2" in text and "A" in text)
    assert small == "game twilight-in-the-east\n41.19 ip=2\n41.19: A\n"
