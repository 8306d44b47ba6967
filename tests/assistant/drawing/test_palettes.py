"""Colours by the meaning of a game's words; unknown words stay apart; nations have stripes that nobody else has."""

from __future__ import annotations

from itertools import combinations

import pytest

from assistant.drawing.colours import (
    APART,
    APART_IN_GREY,
    SIGHTS,
    WHITE,
    change_tone,
    contrast,
    difference,
    find_close_colours,
    lightness,
    simulate_sight,
)
from assistant.drawing.palettes import (
    SIGNS,
    choose_grounds,
    choose_nations,
    ground_colour,
    kind_of_nation,
    kinds_of_ground,
    our_nations,
)
from assistant.drawing.style import NO_STRIPE, PLAIN, RIVER, ROAD, UNKNOWN, Palette, stripe_shapes
from assistant.util.errors import InputError

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


def test_the_order_of_words_changes_no_colour() -> None:
    nations, grounds = ["russian", "blue", "german", "ruritania"], ["swamp", "clear", "blorb", "woods"]
    one, other = Palette({}, nations, grounds), Palette({}, nations[::-1], grounds[::-1])
    assert [one.nation(word) for word in nations] == [other.nation(word) for word in nations]
    assert [one.ground(word) for word in grounds] == [other.ground(word) for word in grounds]


def test_a_ground_of_two_kinds_is_between_them() -> None:
    both, woods, hill = (ground_colour(word) for word in ("wooded-hill", "woods", "hill"))
    assert max(difference(both, woods), difference(both, hill)) < difference(woods, hill)
    assert ground_colour("open woods") == woods
    assert ground_colour("wooded hill swamp") == both, "a third kind changes nothing"


def test_what_a_game_states_comes_first() -> None:
    palette = Palette({"german": "#112233", "clear": "#445566"}, ["german", "russian"], ["clear"])
    assert (palette.nation("german"), palette.ground("clear")) == ("#112233", "#445566")
    assert palette.mark("german") == "nation-german"
    with pytest.raises(InputError, match="'red' is not a colour"):
        Palette({"german": "red"})


def test_what_stands_for_a_nation_from_afar_has_the_colour_that_its_game_states() -> None:
    palette = Palette({"german": "#8f9a8b", "russian": "#efc88c"}, ["german", "russian", "french"])
    strong = {nation: palette.inks(nation).strong for nation in ("german", "russian", "french")}
    assert strong["german"] != Palette({}, ["german"]).inks("german").strong
    for nation, tint in (("german", "#8f9a8b"), ("russian", "#efc88c")):
        assert difference(change_tone(strong[nation], lightness(tint)), tint) < 10, "of the same hue"
        assert lightness(strong[nation]) < lightness(tint) - 15
    assert strong["french"] == Palette({}, ["french"]).inks("french").strong
    assert abs(lightness(strong["german"]) - lightness(strong["russian"])) > 2 * APART_IN_GREY


def test_words_that_are_not_of_the_game_are_plain() -> None:
    palette = Palette({}, ["german"], ["clear"])
    assert (palette.nation("martian"), palette.ground("lava"), palette.mark("martian")) == (UNKNOWN, PLAIN, "")
    assert palette.stripe("martian", 0) == NO_STRIPE


def test_opponents_are_told_apart_by_everybody_and_in_grey() -> None:
    palette = Palette({}, ALL)
    for one in CENTRAL:
        for other in ALL:
            if other not in CENTRAL:
                assert not find_close_colours({one: palette.nation(one), other: palette.nation(other)}), (one, other)
                strong = {one: palette.inks(one).strong, other: palette.inks(other).strong}
                assert abs(lightness(strong[one]) - lightness(strong[other])) > 2 * APART_IN_GREY
    main = ("german", "austro-hungarian", "russian")
    assert not find_close_colours({nation: palette.nation(nation) for nation in main})


def test_all_nations_differ_at_a_glance_and_in_their_sign() -> None:
    palette = Palette({}, ALL)
    for one, other in combinations(ALL, 2):
        assert difference(palette.nation(one), palette.nation(other)) > 6, (one, other)
    assert len({palette.mark(nation) for nation in ALL}) == len(ALL)


def test_unknown_nations_stay_apart_from_those_taken() -> None:
    nations = ["german", "russian", "ruritanian", "bordurian"]
    palette = Palette({}, nations)
    assert not find_close_colours({nation: palette.nation(nation) for nation in nations}, least_in_grey=4)
    assert {palette.mark("ruritanian"), palette.mark("bordurian")} == {"nation-sign-1", "nation-sign-2"}
    stripes = [palette.stripe(nation, number) for nation in nations for number in range(6)]
    assert len(set(stripes)) == len(stripes)


def test_red_and_blue_are_red_and_blue() -> None:
    palette = Palette({}, ["red", "blue"])
    assert not find_close_colours({nation: palette.nation(nation) for nation in ("red", "blue")})
    for nation, lightest in (("red", 1), ("blue", 5)):
        colour = palette.nation(nation)
        assert max((1, 3, 5), key=lambda at: int(colour[at : at + 2], 16)) == lightest


# --- stripes ----------------------------------------------------------------------------------------------------------


def test_no_nation_has_the_stripe_of_another() -> None:
    palette = Palette({}, ALL)
    of = {nation: [palette.stripe(nation, number) for number in range(6)] for nation in ALL}
    for one, other in combinations(ALL, 2):
        for stripe in of[one]:
            assert min(difference(stripe.colour, another.colour) for another in of[other]) > 3.5, (one, other, stripe)


@pytest.mark.parametrize("nation", ALL)
def test_six_formations_are_told_apart_by_everybody_and_in_grey(nation: str) -> None:
    palette = Palette({}, ALL)
    stripes = [palette.stripe(nation, number) for number in range(30)]
    assert len(set(stripes)) == 30
    for one, other in combinations(stripes[:6], 2):  # any two armies may stand side by side
        assert difference(one.colour, other.colour) >= 20
        assert abs(lightness(one.colour) - lightness(other.colour)) > APART_IN_GREY
        for sight in SIGHTS:
            assert difference(simulate_sight(one.colour, sight), simulate_sight(other.colour, sight)) > APART - 1
    for stripe in stripes:
        assert contrast(stripe.colour, stripe.ink) >= 4.5
        assert abs(lightness(stripe.colour) - lightness(palette.nation(nation))) > APART_IN_GREY


def test_after_six_formations_patterns_tell_them_apart() -> None:
    palette = Palette({}, ["german"])
    patterns = [palette.stripe("german", number).pattern for number in (0, 6, 12, 18, 24, 30)]
    assert patterns == ["plain", "line", "dashes", "lines", "dots", "plain"]
    plain, line = (stripe_shapes(palette.stripe("german", number), 1, 2, 15, 4) for number in (0, 6))
    assert len(plain) == 1
    assert len(line) == 2


def test_low_ink_leaves_the_ground_white_and_the_frame_in_the_nations_colour() -> None:
    full, low = (Palette({}, ["german", "russian"], low_ink=low) for low in (False, True))
    assert full.inks("german").ground == full.nation("german")
    assert {low.inks(nation).ground for nation in ("german", "russian")} == {WHITE}
    assert low.inks("german").frame == full.inks("german").strong != low.inks("russian").frame
    assert low.stripe("german", 1) == full.stripe("german", 1)


@pytest.mark.parametrize("more", [0, 1, 2 * SIGNS])
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
        f"nation-sign-{number + 1}" for number in range(min(SIGNS, len(strange)))
    }
    tints = [found[word].tint for word in (*known, *strange) if word != "tribe a1"]
    assert len(set(tints)) >= min(len(tints), len(ALL) - 1)


def test_a_ground_has_the_colour_that_its_game_states_whatever_its_word_means() -> None:
    words = ["clear", "forest", "elsewhere", "nowhere"]
    plain, stated = choose_grounds(words, {}), choose_grounds(words, {"forest": "#123456", "nowhere": "#654321"})
    assert (stated["forest"], stated["nowhere"], stated["clear"]) == ("#123456", "#654321", plain["clear"])
    assert plain["forest"] == ground_colour("forest") != "#123456"
    assert len({*stated.values()}) == len({*plain.values()}) == len(words)


def test_grounds_and_lines_that_meet_are_told_apart_in_grey() -> None:
    assert lightness(ground_colour("rough")) - lightness(ground_colour("wetlands")) > 5
    assert lightness(ground_colour("wetlands")) - lightness(ground_colour("mountain")) > 5
    assert lightness(ROAD) - lightness(RIVER) > 12
