"""Counters: what must stand on the faces of any game, and where it may stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from assistant.drawing.colours import SIGHTS, WHITE, Sight, contrast, difference, mix, simulate_sight
from assistant.drawing.scene import Polygon, Rectangle, Scene, Symbol, Text
from assistant.game.games import Game, read_game
from assistant.installed.registry import installed_games, load_game
from assistant.state.tracks import CERTAIN
from module_builder.counters.faces import DESIGN_SIDE_MM
from module_builder.counters.pictures import counter_pictures, overview_png
from module_builder.counters.pieces import Counter, design_counters
from module_builder.new import new_game
from tests.module_builder.counters.made import markers

from ...assistant.drawing.pixels import read_png
from ...cases import few

DISTRIBUTIONS = Path(__file__).parents[2] / "distributions"
FOLDERS = {
    "mill-race": DISTRIBUTIONS / "mill_race" / "mill_race",
    "skirmish": DISTRIBUTIONS / "skirmish" / "skirmish_at_mill_creek",
}
POINT = 25.4 / 72


def read(name: str) -> Game:
    return read_game(name, FOLDERS[name]) if name in FOLDERS else load_game(name)


@pytest.fixture(
    scope="module",
    params=["twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914", *FOLDERS],
)
def game(request: pytest.FixtureRequest) -> Game:
    """Every game there is, whether it has a counters.toml or not."""
    return read(request.param)


@few(8)
@pytest.mark.parametrize("name", installed_games())
@pytest.mark.parametrize("sight", [None, *SIGHTS])
def test_any_two_nations_of_a_game_are_told_apart_at_a_glance(name: str, sight: Sight | None) -> None:
    """Allies stand beside each other as enemies do: so all pairs of counters, 10 apart by CIEDE2000."""
    grounds = {counter.nation: counter.ground for counter in design_counters(load_game(name)) if counter.nation}
    seen = {nation: simulate_sight(ground, sight) if sight else ground for nation, ground in grounds.items()}
    assert [pair for pair in combinations(seen, 2) if difference(seen[pair[0]], seen[pair[1]]) < 10] == []
    assert len(seen) > 1


@pytest.fixture(scope="module")
def made(game: Game) -> list[Counter]:
    return [*design_counters(game), *markers(game)]


@pytest.fixture(scope="module")
def drawn() -> dict[str, Counter]:
    return {counter.unit: counter for counter in design_counters(load_game("twilight-in-the-east"))}


def texts(scene: Scene) -> list[Text]:
    return [shape for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text)]


def shown(scene: Scene | None) -> list[str]:
    assert scene is not None
    return [text.text for text in texts(scene)]


def faces(made: list[Counter]) -> Iterator[Scene]:
    for counter in made:
        yield from filter(None, (counter.front, counter.back))


def test_every_unit_has_a_counter_with_its_figures_and_a_back_in_the_order_of_the_roster(game: Game) -> None:
    made = design_counters(game)
    assert [counter.unit for counter in made] == list(game.roster)
    assert all((face.width, face.height) == (DESIGN_SIDE_MM, DESIGN_SIDE_MM) for face in faces(made))
    assert all(counter.back for counter in design_counters(game))
    backs = {track.back for track in game.tracks.values()}
    shown_of_it = {"mill-race": {"attack", "defence"}}.get(game.id)
    for counter in design_counters(game):
        on_front = {number for text in shown(counter.front) for number in re.findall(r"\d+", text)}
        for track, facts in game.roster[counter.unit].items():
            if game.tracks[track].kind == "integer" and track not in backs and facts:
                assert f"{game.tracks[track].title} {facts[0].value}" in counter.title
                if track not in backs and (game.id == "twilight-in-the-east" or track in (shown_of_it or ())):
                    assert str(facts[0].value) in on_front, (counter.unit, track)


def test_the_reduced_side_is_pale_and_a_back_without_one_plain_or_a_crest(drawn: dict[str, Counter]) -> None:
    division = drawn["29/20"]
    assert {"10", "12", "5"} <= set(shown(division.front))
    assert {"5", "6", "3"} <= set(shown(division.back))
    assert "12" not in shown(division.back)
    assert division.back is not None
    pale = mix(division.ground, WHITE, 0.74)
    front, back = (
        [shape for shape in face.layers[0].shapes if isinstance(shape, Rectangle) and shape.fill == pale]
        for face in (division.front, division.back)
    )
    assert (len(front), len(back)) == (0, 1)
    assert back[0].y > DESIGN_SIDE_MM / 2
    assert ", back: " in division.back.title
    assert not drawn["20 lw"].is_plain_behind
    assert all(drawn[unit].is_plain_behind for unit in ("Tilsit", "KG Train", "Boyen", "35 r"))
    assert "35 r" in shown(drawn["35 r"].back)
    assert [shown(drawn[unit].back) for unit in ("Tilsit", "1 c bd", "Dummy/R1")] == [[], [], []]
    assert drawn["Tilsit"].back != drawn["1 c bd"].back


def test_doubtful_tracks_are_those_whose_shown_value_is_no_certain_one(game: Game) -> None:
    for counter in design_counters(game):
        facts = {track: facts[0] for track, facts in game.roster[counter.unit].items() if facts}
        assert all(facts[track].source not in CERTAIN for track in counter.doubtful)


def test_values_are_doubtful_unless_known_and_unknown_figures_keep_their_places(drawn: dict[str, Counter]) -> None:
    assert set(drawn["1/1"].doubtful) & {"defence", "artillery", "effectiveness"} == set()
    assert {"steps", "back-steps", "movement"} <= set(drawn["1/1"].doubtful)
    assert drawn["FIFTH Major Depot"].doubtful == ()

    def signs(unit: str) -> int:
        shapes = drawn[unit].front.layers[0].shapes
        return sum(isinstance(shape, Symbol) for shape in shapes)

    assert signs("1/1") == signs("29/20") + 1 == signs("20 lw") + 2
    assert "(1)" in "".join(shown(drawn["Tilsit"].front))
    assert {"R1", "7"} <= set(shown(drawn["Russian FIRST Major Depot"].front))
    assert {"9", "4", "Ext."} <= set(shown(drawn["Russian FIRST Major Depot"].back))
    known, unknown = drawn["29/20"].front, drawn["35 r"].front
    factors = [text for text in texts(known) if text.text == "10" and text.size > 4]
    blanks = [
        shape
        for shape in unknown.layers[0].shapes
        if isinstance(shape, Rectangle) and shape.stroke and shape.fill == WHITE and shape.width < shape.height > 2.3
    ]
    assert len(factors) == 1
    assert len(blanks) == 3  # steps, defence and artillery, to be filled in
    assert abs(blanks[0].y + blanks[0].height - factors[0].y) < 0.2
    assert all(shape.stroke_width >= 0.15 for shape in blanks)


@pytest.mark.parametrize("unit", ["German 1 Train", "Boyen", "29/20", "Wz/GZ"])
def test_a_counter_has_the_whole_name_of_its_unit(drawn: dict[str, Counter], unit: str) -> None:
    assert unit in shown(drawn[unit].front)


def test_the_sign_of_the_nation_tells_whose_depot_it_is(drawn: dict[str, Counter]) -> None:
    assert "1st Major Depot" in shown(drawn["A-H FIRST Major Depot"].front)
    assert "8th Minor Depot" in shown(drawn["German EIGHTH Minor Depot"].front)
    assert drawn["A-H FIRST Major Depot"].nation == "austro-hungarian"


def test_armies_have_stripes_of_their_own_and_an_unknown_one_none(drawn: dict[str, Counter]) -> None:
    """The colour of any would be read as that of an army."""

    def bands(unit: str) -> list[str]:
        shapes = drawn[unit].front.layers[0].shapes
        return [shape.fill for shape in shapes if isinstance(shape, Rectangle) and shape.y == 1.15 and shape.width > 10]

    assert (bands("35 r"), bands("3rd Guard"), bands("Zegrze")) == ([], [], [])
    assert len(bands("1/1")) == len(bands("25/3")) == 1
    assert {fill for unit in drawn for fill in bands(unit)} & {WHITE, ""} == set()

    def stripe(unit: str) -> str:
        fills = [shape.fill for shape in drawn[unit].front.layers[0].shapes if isinstance(shape, Rectangle | Polygon)]
        return fills[1]

    assert stripe("25/3") == stripe("29/20") != stripe("4/6")
    assert len({stripe(f"{nation} FIRST Major Depot") for nation in ("Russian", "A-H")}) == 2
    assert stripe("German EIGHTH Major Depot") != stripe("Russian EIGHTH Major Depot")


@pytest.mark.parametrize("bleed", [1.5, 3.0])
def test_the_ground_runs_out_to_the_bleed_and_nothing_else_is_near_the_cut(game: Game, bleed: float) -> None:
    whole = DESIGN_SIDE_MM + 2 * bleed
    for counter in [*design_counters(game, bleed=bleed, rounded=False), *markers(game, bleed=bleed, rounded=False)]:
        for face in filter(None, (counter.front, counter.back)):
            assert (face.width, face.height) == (whole, whole)
            wide = [shape for shape in face.layers[0].shapes if getattr(shape, "width", 0) == whole]
            assert wide and wide[-1].fill.startswith("#"), face.title  # type: ignore[union-attr]
        edge = [shape for shape in counter.front.layers[0].shapes if getattr(shape, "width", 0) == whole][-1]
        assert edge.fill == counter.ground  # type: ignore[union-attr]


def test_low_ink_leaves_the_ground_white() -> None:
    assert {counter.ground for counter in design_counters(read("mill-race"), variant="low-ink")} == {WHITE}


def test_pictures_of_both_sides_and_all_in_one(made: list[Counter]) -> None:
    some = made[:15]
    found = counter_pictures(some, 128)
    assert {unit for unit, _ in found} == {counter.unit for counter in some}
    assert sum(side == "back" for _, side in found) == sum(counter.back is not None for counter in some)
    assert {(read_png(data).width, read_png(data).height) for data in found.values()} == {(80, 80)}
    whole = read_png(overview_png(some, 128))
    assert whole.at(2, 2)[3] == 255
    assert read_png(overview_png([], 100)).width > 0


def test_the_rim_of_a_symbol_has_the_colour_of_each_counter(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    (tmp_path / "drill" / "counters.toml").write_text('stripe = "attack"\n[slots.symbol]\nrim = "stripe"\n', "utf-8")
    made = {counter.unit: counter for counter in design_counters(read_game("drill", tmp_path / "drill"))}
    rims = {
        unit: {shape.stroke for shape in made[unit].front.layers[0].shapes if isinstance(shape, Rectangle)}
        for unit in ("1st", "2nd", "10th")
    }
    assert len(set(map(frozenset, rims.values()))) == 3


def test_a_value_that_is_unknown_is_pale_beside_those_that_are_known(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    with (tmp_path / "drill" / "roster.csv").open("a", encoding="utf-8") as roster:
        roster.write("4th,blue,infantry,,1,2\n")
    counter = design_counters(read_game("drill", tmp_path / "drill"))[-1]
    fills = {text.text: text.fill for text in texts(counter.front)}
    assert fills["1"] == fills["2"]
    assert contrast(fills["?"], counter.ground) < contrast(fills["1"], counter.ground)


def test_a_doubtful_value_on_a_slot_of_all_sides_is_told(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    design = '[slots.figures]\nitems = []\n[slots.range]\ntext = "{movement}"\non = ["front", "back", "plain"]\n'
    (tmp_path / "drill" / "counters.toml").write_text(design, "utf-8")
    file = tmp_path / "drill" / "game.toml"
    file.write_text(file.read_text("utf-8").replace('source = "rulebook"', 'source = "illustrative"'), "utf-8")
    assert {counter.doubtful for counter in design_counters(read_game("drill", tmp_path / "drill"))} == {
        ("nation", "arm", "movement")
    }


def test_a_back_may_show_what_the_front_shows_under_its_own_design(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    plain = {counter.unit: counter for counter in design_counters(read_game("drill", tmp_path / "drill"))}
    file = tmp_path / "drill" / "counters.toml"
    text = f'backs = "same"\n{file.read_text("utf-8")}\n[slots.state]\ntext = "turned"\nbox = [1.6, 1.6, 6.0, 1.9]\non = ["back"]\n'
    file.write_text(text, "utf-8")
    same = {counter.unit: counter for counter in design_counters(read_game("drill", tmp_path / "drill"))}
    for unit, counter in same.items():
        assert not counter.is_plain_behind
        assert "turned" in shown(counter.back)
        assert "turned" not in shown(counter.front)
        figures = [text for text in shown(counter.front) if text.isdecimal()]
        assert [text for text in shown(counter.back) if text.isdecimal()] == figures
        assert shown(plain[unit].front) == shown(counter.front)
