"""Colours as the eye has them and by the meaning of a game's words; those of nations, stripes and sides that nobody else has."""

from __future__ import annotations

from itertools import combinations

import pytest

from assistant.asking.line_sketch import Origin, Strand
from assistant.drawing.chart import opponent_colours
from assistant.drawing.colours import (
    INK,
    MIN_DIFFERENCE,
    MIN_DIFFERENCE_IN_GREY,
    SIGHTS,
    WHITE,
    change_tone,
    contrast,
    convert_to_grey,
    darken,
    difference,
    find_close_colours,
    ink_on,
    lightness,
    mix,
    simulate_sight,
)
from assistant.drawing.layout import Layout
from assistant.drawing.lines.layers import ring_layer, strand_layers
from assistant.drawing.map.borders import border_layers, drawn_tints
from assistant.drawing.map.countries import tints_in_key
from assistant.drawing.map.survey import survey_of
from assistant.drawing.map.waters import Waters
from assistant.drawing.palettes import (
    SIGN_COUNT,
    choose_grounds,
    choose_nations,
    ground_colour,
    kind_of_nation,
    kinds_of_ground,
    our_nations,
    side_colours,
)
from assistant.drawing.scene import Group, Scene, Shape
from assistant.drawing.style import (
    NO_STRIPE,
    PAPER,
    RIVER,
    ROAD,
    UNKNOWN,
    UNKNOWN_GROUND,
    Palette,
    border_tint,
    marker_colour,
    move_off_water,
    palette_of,
    stripe_shapes,
)
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from module_builder.counters.markings import tag_colour
from module_builder.vassal.pieces.traits import face_down_image, mask_pictures, nation_behind, shows_crests

from ...cases import few
from ...module_builder.aids.moor import wanted
from .test_situation import view_of

ALL = our_nations()
CENTRAL = ("german", "austro-hungarian", "bulgarian", "ottoman")


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("german", "german"),
        ("Imperial-German", "german"),
        ("Austria-Hungary", "austro-hungarian"),
        ("k.u.k.", "austro-hungarian"),
        ("Rumanian", "romanian"),
        ("turkish 4th", "ottoman"),
        ("germane", ""),
        ("ruritanian", ""),
        ("", ""),
    ],
)
def test_a_nation_is_known_by_what_its_word_means(word: str, kind: str) -> None:
    assert kind_of_nation(word) == kind


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("clear", ("clear",)),
        ("Wooded-Hill", ("woods", "hill")),
        ("hill, wooded", ("hill", "woods")),
        ("high-mountain", ("high-mountain",)),
        ("mountain", ("mountain",)),
        ("Swamp", ("wetlands",)),
        ("all-sea", ("sea",)),
        ("blorb", ()),
    ],
)
def test_a_ground_is_known_by_what_its_word_means(word: str, kinds: tuple[str, ...]) -> None:
    assert kinds_of_ground(word) == kinds


def test_grounds_are_between_their_kinds_in_whatever_order() -> None:
    nations, grounds = ["russian", "blue", "german", "ruritania"], ["swamp", "clear", "blorb", "woods"]
    one, other = Palette({}, nations, grounds), Palette({}, nations[::-1], grounds[::-1])
    assert [one.nation(word) for word in nations] == [other.nation(word) for word in nations]
    assert [one.ground(word) for word in grounds] == [other.ground(word) for word in grounds]
    both, woods, hill = (ground_colour(word) for word in ("wooded-hill", "woods", "hill"))
    assert max(difference(both, woods), difference(both, hill)) < difference(woods, hill)
    assert ground_colour("open woods") == woods
    assert ground_colour("wooded hill swamp") == both, "a third kind changes nothing"


def test_what_a_game_states_comes_first_and_other_words_are_plain() -> None:
    palette = Palette({"german": "#112233", "clear": "#445566"}, ["german", "russian"], ["clear"])
    assert (palette.nation("german"), palette.ground("clear")) == ("#112233", "#445566")
    assert palette.mark("german") == "nation-german"
    with pytest.raises(InputError, match="'red' is not a colour"):
        Palette({"german": "red"})
    palette = Palette({}, ["german"], ["clear"])
    assert (palette.nation("martian"), palette.ground("lava"), palette.mark("martian")) == (UNKNOWN, UNKNOWN_GROUND, "")
    assert palette.stripe("martian", 0) == NO_STRIPE


def test_what_stands_for_a_nation_from_afar_has_the_colour_that_its_game_states() -> None:
    palette = Palette({"german": "#8f9a8b", "russian": "#efc88c"}, ["german", "russian", "french"])
    strong = {nation: palette.inks(nation).strong for nation in ("german", "russian", "french")}
    assert strong["german"] != Palette({}, ["german"]).inks("german").strong
    for nation, tint in (("german", "#8f9a8b"), ("russian", "#efc88c")):
        assert difference(change_tone(strong[nation], lightness(tint)), tint) < 10, "of the same hue"
        assert lightness(strong[nation]) < lightness(tint) - 15
    assert strong["french"] == Palette({}, ["french"]).inks("french").strong
    assert abs(lightness(strong["german"]) - lightness(strong["russian"])) > 2 * MIN_DIFFERENCE_IN_GREY


def test_opponents_are_told_apart_by_everybody_and_in_grey() -> None:
    palette = Palette({}, ALL)
    for one in CENTRAL:
        for other in ALL:
            if other not in CENTRAL:
                assert not find_close_colours({one: palette.nation(one), other: palette.nation(other)}), (one, other)
                strong = {one: palette.inks(one).strong, other: palette.inks(other).strong}
                assert abs(lightness(strong[one]) - lightness(strong[other])) > 2 * MIN_DIFFERENCE_IN_GREY
    main = ("german", "austro-hungarian", "russian")
    assert not find_close_colours({nation: palette.nation(nation) for nation in main})


def test_nations_differ_at_a_glance_and_in_their_sign_also_unknown_ones() -> None:
    palette = Palette({}, ALL)
    for one, other in combinations(ALL, 2):
        assert difference(palette.nation(one), palette.nation(other)) > 6, (one, other)
    assert len({palette.mark(nation) for nation in ALL}) == len(ALL)
    nations = ["german", "russian", "ruritanian", "bordurian"]
    palette = Palette({}, nations)
    assert not find_close_colours({nation: palette.nation(nation) for nation in nations}, least_in_grey=4)
    assert {palette.mark("ruritanian"), palette.mark("bordurian")} == {"nation-sign-1", "nation-sign-2"}
    stripes = [palette.stripe(nation, number) for nation in nations for number in range(6)]
    assert len(set(stripes)) == len(stripes)
    palette = Palette({}, ["red", "blue"])
    assert not find_close_colours({nation: palette.nation(nation) for nation in ("red", "blue")})
    for nation, lightest in (("red", 1), ("blue", 5)):
        colour = palette.nation(nation)
        assert max((1, 3, 5), key=lambda at: int(colour[at : at + 2], 16)) == lightest


# --- stripes ----------------------------------------------------------------------------------------------------------


def test_no_nation_has_the_stripe_of_another_and_patterns_tell_further_ones_apart() -> None:
    palette = Palette({}, ALL)
    of = {nation: [palette.stripe(nation, number) for number in range(6)] for nation in ALL}
    for one, other in combinations(ALL, 2):
        for stripe in of[one]:
            assert min(difference(stripe.colour, another.colour) for another in of[other]) > 3.5, (one, other, stripe)
    palette = Palette({}, ["german"])
    patterns = [palette.stripe("german", number).pattern for number in (0, 6, 12, 18, 24, 30)]
    assert patterns == ["plain", "line", "dashes", "lines", "dots", "plain"]
    plain, line = (stripe_shapes(palette.stripe("german", number), 1, 2, 15, 4) for number in (0, 6))
    assert len(plain) == 1
    assert len(line) == 2


@pytest.mark.parametrize("nation", ALL)
def test_six_formations_are_told_apart_by_everybody_and_in_grey(nation: str) -> None:
    palette = Palette({}, ALL)
    stripes = [palette.stripe(nation, number) for number in range(30)]
    assert len(set(stripes)) == 30
    for one, other in combinations(stripes[:6], 2):  # any two armies may stand side by side
        assert difference(one.colour, other.colour) >= 20
        assert abs(lightness(one.colour) - lightness(other.colour)) > MIN_DIFFERENCE_IN_GREY
        for sight in SIGHTS:
            assert (
                difference(simulate_sight(one.colour, sight), simulate_sight(other.colour, sight)) > MIN_DIFFERENCE - 1
            )
    for stripe in stripes:
        assert contrast(stripe.colour, stripe.ink) >= 4.5
        assert abs(lightness(stripe.colour) - lightness(palette.nation(nation))) > MIN_DIFFERENCE_IN_GREY


def test_low_ink_leaves_the_ground_white_and_the_frame_in_the_nations_colour() -> None:
    full, low = (Palette({}, ["german", "russian"], low_ink=low) for low in (False, True))
    assert full.inks("german").ground == full.nation("german")
    assert {low.inks(nation).ground for nation in ("german", "russian")} == {WHITE}
    assert low.inks("german").frame == full.inks("german").strong != low.inks("russian").frame
    assert low.stripe("german", 1) == full.stripe("german", 1)


@pytest.mark.parametrize("more", [0, 1, 2 * SIGN_COUNT])
@pytest.mark.parametrize("known", [(), CENTRAL])
def test_however_many_nations_a_game_has_each_is_shown_and_those_that_ours_suffice_for_differ(
    more: int, known: tuple[str, ...]
) -> None:
    strange = [f"tribe {letter}{number}" for letter in "abcd" for number in range(10)][: len(ALL) - len(known) + more]
    found = choose_nations([*strange, *known], {"tribe a1": "#123456"})
    assert found.keys() == {*strange, *known}
    assert {found[word].mark for word in known} == {f"nation-{word}" for word in known}
    assert found["tribe a1"].tint == "#123456"
    assert {found[word].mark for word in strange} == {
        f"nation-sign-{number + 1}" for number in range(min(SIGN_COUNT, len(strange)))
    }
    tints = [found[word].tint for word in (*known, *strange) if word != "tribe a1"]
    assert len(set(tints)) >= min(len(tints), len(ALL) - 1)


def test_grounds_have_the_colour_that_is_stated_and_are_told_apart_in_grey() -> None:
    words = ["clear", "forest", "elsewhere", "nowhere"]
    plain, stated = choose_grounds(words, {}), choose_grounds(words, {"forest": "#123456", "nowhere": "#654321"})
    assert (stated["forest"], stated["nowhere"], stated["clear"]) == ("#123456", "#654321", plain["clear"])
    assert plain["forest"] == ground_colour("forest") != "#123456"
    assert len({*stated.values()}) == len({*plain.values()}) == len(words)
    assert lightness(ground_colour("rough")) - lightness(ground_colour("wetlands")) > 5
    assert lightness(ground_colour("wetlands")) - lightness(ground_colour("mountain")) > 5
    assert lightness(ROAD) - lightness(RIVER) > 12


@pytest.mark.parametrize(
    ("one", "other", "far"),
    [  # from coloraide, an independent implementation
        ("#000000", "#ffffff", 100.0),
        ("#ff0000", "#00ff00", 86.6),
        ("#ff0000", "#0000ff", 52.9),
        ("#92978a", "#ecc382", 24.1),
        ("#22458e", "#8ecb7f", 64.95),
        ("#808080", "#818181", 0.4),
        ("#123456", "#123456", 0.0),
    ],
)
def test_colours_are_as_far_apart_as_ciede2000_has_them(one: str, other: str, far: float) -> None:
    assert difference(one, other) == pytest.approx(far, abs=0.06)
    assert difference(other, one) == pytest.approx(difference(one, other))


def test_letters_are_legible_and_red_and_green_alike_to_those_who_lack_one() -> None:
    red, green = "#c0504d", "#6f8f3f"
    assert difference(red, green) > 40
    assert difference(simulate_sight(red, "deuteranopia"), simulate_sight(green, "deuteranopia")) < 20
    assert simulate_sight("#808080", "tritanopia") in ("#808080", "#7f8080", "#80807f")
    assert (ink_on("#ecc382"), ink_on("#22458e")) == (INK, WHITE)
    for level in range(0, 256, 5):
        colour = f"#{level:02x}{level:02x}{level:02x}"
        assert contrast(colour, ink_on(colour)) > 3.8
        assert contrast(darken(colour), WHITE) > 4


def test_a_grey_print_keeps_the_lightness_and_colours_are_mixed_by_shares() -> None:
    for colour in ("#92978a", "#9a0636", "#ecc382"):
        assert lightness(convert_to_grey(colour)) == pytest.approx(lightness(colour), abs=0.5)
        assert len({convert_to_grey(colour)[index : index + 2] for index in (1, 3, 5)}) == 1
    assert mix("#000000", "#ff8000", 0.5) == "#804000"
    assert mix("#102030", "#ffffff", 0) == "#102030"


def test_colours_that_are_too_close_are_found_with_the_sight_that_takes_them_for_one() -> None:
    assert find_close_colours({"german": "#92978a", "russian": "#ecc382"}) == []
    assert find_close_colours({}) == find_close_colours({"german": "#92978a"}) == []
    ((*pair, why),) = find_close_colours({"one": "#92978a", "other": "#949a8c"})
    assert pair == ["one", "other"]
    assert "apart; at least 9 is needed" in why
    ((*_, why),) = find_close_colours({"red": "#c98a86", "green": "#98a86d"}, min_difference=15)
    assert "as seen with" in why
    ((*_, why),) = find_close_colours({"german": "#84a8d3", "russian": "#d2a46a"})
    assert why.startswith("in a grey print (")
    assert find_close_colours({"german": "#84a8d3", "russian": "#d2a46a"}, least_in_grey=0) == []


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
    assert find_close_colours(strong, min_difference=18, least_in_grey=18) == []
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


def test_player_aids_and_markers_of_control_have_the_colour_of_the_side(game: Game) -> None:
    for side in game.file.sides:
        assert wanted(game).accent(side) == palette_of(game).side(side).strong
    palette, sides = palette_of(game), [*game.file.sides]
    naming = [track for track in game.tracks.values() if track.kind == "choice" and {*sides} <= {*track.values}]
    assert naming or game.id == "der-weltkrieg"
    for track in naming:
        for side in sides:
            strong = palette.side(side).strong
            assert marker_colour(track, side, palette) == tag_colour(track, side, palette) == strong


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


def test_sides_have_the_colour_that_is_stated_or_stay_apart() -> None:
    for nations in (["blue", "red"], ["ruritanian", "syldavian"], ["red", "pink"], ["german", "bavarian"]):
        palette = Palette({}, nations, sides={f"side {name}": [name] for name in nations})
        strong = {name: palette.side(f"side {name}").strong for name in nations}
        assert find_close_colours(strong) == [], nations
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
