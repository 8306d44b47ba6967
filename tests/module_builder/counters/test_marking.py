"""Markers as counters."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from assistant.drawing.colours import INK, WHITE, contrast
from assistant.drawing.scene import Circle, Polyline, Text
from assistant.drawing.style import palette_of
from assistant.game.games import Game, read_game
from assistant.installed.registry import load_game
from assistant.util.errors import InputError
from assistant.util.typesetting import set_in_type
from module_builder.counters.checks import counter_faults
from module_builder.counters.faces import DESIGN_SIDE_MM
from module_builder.counters.markings import badge, face_down, face_down_mark, tag_colour
from module_builder.counters.pieces import design_counters, marker_faces
from module_builder.new import new_game
from module_builder.vassal.pieces.statuses import Statuses
from tests.module_builder.counters.made import markers
from tests.module_builder.counters.test_geometry import Box, ink
from tests.module_builder.counters.test_pieces import shown, texts


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("twilight-in-the-east")


def test_markers_are_the_printed_ones_with_two_levels_each_and_backs(game: Game) -> None:
    made = {counter.unit: counter for counter in markers(game)}
    both = made["ip 1/2"]
    assert "1" in " ".join(shown(both.front))
    assert "2" in " ".join(shown(both.back))
    assert both.is_marker
    assert [counter.unit for counter in markers(game) if counter.back is None] == []
    printed = {counter.unit: counter for counter in markers(game)}
    two, three = marker_faces(game, [(game.tracks["ip"], 2), (game.tracks["ip"], 3)])
    back = printed["ip 1/2"].back
    assert back is not None
    assert (shown(two), two.title) == (shown(back), back.title)
    assert shown(three) == shown(printed["ip 3/4"].front)
    assert (two.width, two.height) == (DESIGN_SIDE_MM, DESIGN_SIDE_MM), (
        "as large as a counter, so that the palette is readable"
    )


def test_each_side_controls_in_its_own_colour(game: Game) -> None:
    palette = palette_of(game)
    colours = {side: tag_colour(game.tracks["control"], side, palette) for side in game.file.sides}
    assert len(set(colours.values())) == len(game.file.sides)
    control = next(counter for counter in markers(game) if counter.unit.startswith("control"))
    assert control.ground == colours["central-powers"]


@pytest.mark.parametrize(
    ("stated", "key", "what"),
    [
        ('colour = "blue"', "colour", "'blue' is not a colour"),
        ("pairs = [[]]", "pairs", "a marker shows one value or two, not 0"),
        ("pairs = [[1, 2, 3]]", "pairs", "a marker shows one value or two, not 3"),
        ("pairs = [[1, 99]]", "pairs", "99 is not allowed"),
        ('pairs = [["one"]]', "pairs", "'one' is not allowed"),
        ('shows = { 99 = "X" }', "shows", "99 is not allowed"),
        ('symbols = { one = "fort" }', "symbols", "'one' is not allowed"),
    ],
)
def test_a_mistake_in_markers_is_named_with_its_place(tmp_path: Path, stated: str, key: str, what: str) -> None:
    new_game(tmp_path / "drill")
    (tmp_path / "drill" / "counters.toml").write_text(f"[markers.turn]\n{stated}\n", "utf-8")
    drill = read_game("drill", tmp_path / "drill")
    (fault,) = counter_faults(drill)
    assert str(fault).startswith(f"counters.toml:2: [markers.turn] {key}: ")
    assert what in str(fault)
    with pytest.raises(InputError, match=re.escape(what)):
        markers(drill)


def test_a_colour_of_a_track_that_is_none_is_named(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    tracks = tmp_path / "drill" / "tracks.toml"
    tracks.write_text(tracks.read_text("utf-8").replace("#8c1f28", "#8c1f2"), "utf-8")
    with pytest.raises(InputError, match=re.escape("tracks.toml: [disrupted.module] colour '#8c1f2' is not a colour")):
        markers(read_game("drill", tmp_path / "drill"))


@pytest.mark.parametrize("text", ["-3", "CEL -1", "D1", "LOW", "1", "out of supply", "", "Ä"])
@pytest.mark.parametrize("colour", ["#a3212b", "#f0e040"])
def test_a_badge_is_as_wide_as_its_text(text: str, colour: str) -> None:
    found = badge(text, colour)
    (words,) = texts(found)
    left, top, right, bottom = ink(words)
    assert (words.text, found.title) == (set_in_type(text), text)
    assert left > 0.3
    assert right < found.width - 0.3
    assert top > 0.05  # accents
    assert bottom < found.height - 0.05  # the tails of letters
    assert words.fill == (WHITE if colour == "#a3212b" else INK)


def test_a_badge_on_the_edge_covers_nothing_but_the_margin() -> None:
    assert badge("-3", "#a3212b").height / 2 <= 1.5


def tag_places(unit: str, statuses: Statuses) -> dict[str, Box]:
    """Where the widest tag of each status of a unit lies, in millimetres."""
    found = {}
    for status in statuses.shown(unit)[0]:
        if not status.shown.flips:
            tags = [
                badge(status.track.tag(level.value), "#000000")
                for level in status.levels[1:]
                if level.value is not None
            ]
            width, height = max(tag.width for tag in tags), tags[0].height
            x, y = ((0.5 + share) * DESIGN_SIDE_MM for share in status.shown.at)
            found[status.track.name] = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
    return found


def test_tags_have_places_of_their_own_cover_no_figure_and_shorten_long_values() -> None:
    game = load_game("twilight-in-the-east")
    statuses, tried = Statuses(game), 0
    for counter in design_counters(game):
        places = tag_places(counter.unit, statuses)
        for (one, place), (other, another) in combinations(places.items(), 2):
            assert place.apart(another) > 0, (counter.unit, one, other)
        for face in (counter.front, counter.back):
            for words in texts(face) if face else ():
                for name, place in places.items():
                    assert ink(words).apart(place) >= 0, (counter.unit, name, words.text)
                    tried += 1
    assert tried > 1000
    track = load_game("twilight-in-the-east").tracks["relocation"]
    assert [track.tag(value) for value in ("relocating", "consolidating")] == ["REL", "CON"]
    assert load_game("twilight-in-the-east").tracks["lost"].tag(3) == "-3"


def test_a_counter_face_down_shows_its_side_alone_but_can_be_read_by_its_own_players() -> None:
    """What lies on it for them covers nothing but its edge."""
    found = face_down("#84a8d3")
    assert (found.width, shown(found)) == (DESIGN_SIDE_MM, ["?"])
    (layer,) = face_down_mark("#84a8d3").layers
    frame, disc, sign = layer.shapes
    assert isinstance(frame, Polyline)
    assert isinstance(disc, Circle)
    assert isinstance(sign, Text)
    xs, ys = {x for x, _ in frame.points}, {y for _, y in frame.points}
    assert max(xs) - min(xs) >= DESIGN_SIDE_MM
    assert max(ys) - min(ys) >= DESIGN_SIDE_MM
    assert frame.dash
    assert disc.x == sign.x == max(xs), "at the right edge"
    assert (sign.text, contrast(disc.fill, sign.fill) > 4.5) == ("?", True)


@pytest.mark.parametrize("colour", ["red", "#fff", ""])
def test_a_colour_that_is_none_is_an_error(colour: str) -> None:
    with pytest.raises(InputError, match="is not a colour"):
        badge("-1", colour)
