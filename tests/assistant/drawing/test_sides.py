"""A side has one colour: whatever shows it takes it from the palette of the game, and no other side's can be taken for it."""

from __future__ import annotations

from itertools import combinations

import pytest

from assistant.asking.line_sketch import Origin, Strand
from assistant.drawing.chart import opponent_colours
from assistant.drawing.colours import WHITE, contrast, difference, find_close_colours, lightness, mix
from assistant.drawing.layout import Layout
from assistant.drawing.lines.reach import ring_layer
from assistant.drawing.lines.strands import strand_layers
from assistant.drawing.map.borders import border_layers, drawn_tints
from assistant.drawing.map.countries import tints_in_key
from assistant.drawing.map.survey import survey_of
from assistant.drawing.map.waters import Waters
from assistant.drawing.palettes import side_colours
from assistant.drawing.scene import Group, Scene, Shape
from assistant.drawing.style import PAPER, Palette, border_tint, marker_colour, move_off_water, palette_of
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from module_builder.counters.markings import tag_colour
from module_builder.vassal.pieces.traits import face_down_image, mask_pictures, nation_behind, shows_crests

from ...cases import few
from ...module_builder.aids.moor import wanted
from .test_situation import view_of

GAMES = ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914", "der-weltkrieg")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    return load_game(request.param)


def colours(shapes: tuple[Shape, ...]) -> set[str]:
    found = set[str]()
    for shape in shapes:
        if isinstance(shape, Group):
            found |= colours(shape.shapes)
        else:
            found |= {getattr(shape, "fill", ""), getattr(shape, "stroke", "")}
    return found - {""}


def test_every_sight_and_a_grey_print_tell_the_sides_apart(game: Game) -> None:
    palette = palette_of(game)
    strong = {side: palette.side(side).strong for side in game.file.sides}
    assert find_close_colours(strong, least=18, least_in_grey=18) == []
    assert find_close_colours({side: palette.side(side).ground for side in strong}) == []
    for colour in strong.values():
        assert contrast(colour, PAPER) >= 2.9, "a column or a line is seen on paper"


def test_a_side_goes_with_the_counters_of_the_nation_that_leads_it() -> None:
    palette = palette_of(load_game("twilight-in-the-east"))
    ochre, slate = palette.side("russian"), palette.side("central-powers")
    assert difference(ochre.ground, palette.nation("russian")) < 12
    assert difference(slate.ground, palette.nation("german")) < difference(slate.ground, palette.nation("russian"))
    assert (ochre.strong, slate.strong) == (palette.inks("russian").strong, palette.inks("german").strong)


def test_the_same_side_has_the_same_colour_in_every_game() -> None:
    russians = {
        palette_of(load_game(game)).side(side).strong
        for game, side in zip(GAMES, ("russian", "allies", "russian", "entente"), strict=True)
    }
    others = {
        palette_of(load_game(game)).side(side).strong
        for game, side in zip(GAMES, ("central-powers", "central-powers", "german", "central-powers"), strict=True)
    }
    assert (len(russians), len(others)) == (1, 1)


def test_lines_and_sources_have_the_colour_of_their_side() -> None:
    game = load_game("twilight-in-the-east")
    palette, layout = palette_of(game), Layout(game.board("east"), ["40.20", "40.21"])
    for side in game.file.sides:
        strand = Strand(unit="a", side=side, hexes=("40.20", "40.21"))
        _, lines = strand_layers(layout, [strand], [side], palette, 1.0)
        assert palette.side(side).strong in colours(lines.shapes)
        sources = ring_layer(layout, [Origin(name="a", place="40.20", side=side)], palette, 1.0)
        assert mix(palette.side(side).strong, WHITE, 0.35) in colours(sources.shapes)


def test_the_chances_of_a_battle_are_in_the_colours_of_both_sides_or_of_who_fights_a_known_one() -> None:
    units = "40.20: 25/3 nation=russian\n41.19: 1/1 nation=german\n"
    view = view_of(f"game twilight-in-the-east\n{units}")
    palette = palette_of(view.game)
    ochre, slate = palette.side("russian").strong, palette.side("central-powers").strong
    assert opponent_colours(view, ["25/3"], ["1/1"]) == (ochre, slate)
    assert opponent_colours(view, ["1/1"], ["25/3"]) == (slate, ochre)
    greys = opponent_colours(view, ["?"], ["??"])
    assert not {ochre, slate} & {*greys}, "of sides that are not known none has its colour"
    assert lightness(greys[1]) - lightness(greys[0]) > 25
    view = view_of("game twilight-in-the-east\n40.20: 1/1 nation=german\n")
    palette = palette_of(view.game)
    assert opponent_colours(view, ["?"], ["1/1"])[0] == palette.side("russian").strong


@few(1)
@pytest.mark.parametrize(("id", "board"), [(GAMES[0], "east"), (GAMES[3], "map-5-5")])
def test_a_frontier_has_the_tints_of_the_sides_beside_it_on_the_map_and_in_its_key(id: str, board: str) -> None:
    game = load_game(id)
    drawn = game.board(board)
    survey = survey_of(Layout(drawn, sorted(drawn.hexes)), game)
    palette = palette_of(game)
    layer, _ = border_layers(survey, Waters(survey))
    indigo = next(move_off_water(palette.side(side).strong) for side in game.file.sides)
    russia = palette.country("russian")
    assert {indigo, russia} <= colours(layer.shapes)
    assert set(drawn_tints(survey)) <= colours(layer.shapes), "what the key shows is on the map"
    assert indigo in tints_in_key(palette, game.tracks["country"].values)


def test_markers_of_control_are_in_the_colour_of_the_side_that_they_name(game: Game) -> None:
    palette, sides = palette_of(game), [*game.file.sides]
    naming = [track for track in game.tracks.values() if track.kind == "choice" and {*sides} <= {*track.values}]
    assert naming or game.id == "der-weltkrieg"
    for track in naming:
        for side in sides:
            strong = palette.side(side).strong
            assert marker_colour(track, side, palette) == tag_colour(track, side, palette) == strong


def test_player_aids_have_the_colour_of_the_side(game: Game) -> None:
    for side in game.file.sides:
        assert wanted(game).accent(side) == palette_of(game).side(side).strong


def test_counters_face_down_show_the_tint_of_their_side_or_where_crests_lie_up_of_their_nation(game: Game) -> None:
    for side, nations in game.file.sides.items():
        scene: Scene = mask_pictures(game)[face_down_image(side)]
        palette = palette_of(game)
        tint = palette.nation(nations[0]) if shows_crests(game) else palette.side(side).ground
        assert tint in colours(tuple(scene.layers[0].shapes))


def test_each_nation_has_its_crest_behind_where_units_lie_back_side_up() -> None:
    game = load_game("twilight-in-the-east")
    images = [nation_behind(game, unit) for unit in ("1/1", "1-det 11", "25/3")]
    assert images == ["", "austro-hungarian", ""], "the first nation of a side has the picture that older saves name"
    crests = [mask_pictures(game)[face_down_image(name)] for name in ("central-powers", "austro-hungarian", "russian")]
    assert len({str(crest.layers) for crest in crests}) == 3


def test_sides_of_made_up_nations_stay_apart() -> None:
    for nations in (["blue", "red"], ["ruritanian", "syldavian"], ["red", "pink"], ["german", "bavarian"]):
        palette = Palette({}, nations, sides={f"side {name}": [name] for name in nations})
        strong = {name: palette.side(f"side {name}").strong for name in nations}
        assert find_close_colours(strong) == [], nations


def test_a_game_states_the_colour_of_a_side() -> None:
    assert side_colours({"us": ["german"], "them": ["russian"]}, {}, {"us": "#123456"})["us"] == "#123456"
    with pytest.raises(InputError, match="'blue' is not a colour \\(for us\\)"):
        Palette({}, sides={"us": []}, of_sides={"us": "blue"})


@pytest.mark.parametrize("id", ["twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914"])
def test_no_two_great_powers_have_the_same_tint_along_a_border(id: str) -> None:
    palette = palette_of(load_game(id))
    words = load_game(id).tracks["country"].values
    powers = [word for word in words if word.startswith(("german", "austr", "russia", "romania"))]
    tints = [border_tint(palette.country(word)) for word in powers]
    assert min(difference(one, other) for one, other in combinations(tints, 2)) > 10
    assert all(palette.country(word) for word in powers)
