"""What makes a new unit, and what a slip may have meant."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assistant.formats.new_units import may_be_new, not_a_unit
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game
from assistant.state.tracks import Track
from assistant.state.words import Vocabulary, Word

from .test_notation_writer import GAME_OF_ITS_OWN


@pytest.mark.parametrize("name", ["99/9", "36r/1R", "22+24/1", "1/13", "8/8"])
def test_an_id_makes_a_new_unit(name: str) -> None:
    assert may_be_new(Word(name, 1))


@pytest.mark.parametrize(
    "name", ["12-16-7", "low", "+1", "swamp", "20lw", "12", "3rd", "ip2", "25/", "/3", "1//1", "-3-2"]
)
def test_anything_else_only_in_quotes(name: str) -> None:
    assert not may_be_new(Word(name, 1))
    assert may_be_new(Word(name, 1, quoted=True))


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        (
            "12-16-7",
            "did you mean `12--16-7` (steps-artillery-effectiveness) or `12-16-7-?`? ratings are steps-defence-artillery-effectiveness",
        ),
        ("16", "ratings are steps-defence-artillery-effectiveness, with - between them"),
        ("25-3", "did you mean 25/3? ratings are"),
        ("low", "did you mean supply=low?"),
        ("20lw", 'did you mean "20 lw"?'),
        ("Lotzn", "did you mean Lötzen?"),
        ("ip2", "did you mean ip=2 (about a hex)?"),
        ("freeze", "did you mean weather=freeze (about the game)?"),
        ("swamp", "terrain is clear, rough, wetlands"),
        ("rduced", "did you mean reduced"),
        ("river", "did you mean minor-river or major-river or grand-river (about a hexside)?"),
    ],
)
def test_the_error_names_what_may_have_been_meant(twilight: Game, word: str, hint: str) -> None:
    error = not_a_unit(Word(word, 1), twilight, Vocabulary(twilight.tracks), list(twilight.roster))
    assert error.hint.startswith(hint)
    assert ("put a new unit in quotes" in error.hint) == (word not in ("12-16-7", "16", "25-3", "river"))


@pytest.mark.parametrize(("least", "most", "said"), [(None, -5, "-5"), (5, None, "5"), (-9, 9, "1")])
def test_an_example_is_a_number_that_is_allowed(least: int | None, most: int | None, said: str) -> None:
    depth = Track(name="depth", title="depth", on="unit", kind="integer", least=least, most=most)
    game = Game("own", Path("nowhere"), GAME_OF_ITS_OWN.file, {**GAME_OF_ITS_OWN.tracks, "depth": depth})
    assert f"depth={said}" in not_a_unit(Word("depth", 1), game, Vocabulary(game.tracks), ()).hint


@pytest.mark.parametrize("name", installed_games())
def test_no_hint_suggests_the_word_that_was_typed(name: str) -> None:
    game = load_game(name)
    vocabulary = Vocabulary(game.tracks)
    flags = [track.name for track in game.tracks.values() if track.kind == "flag"]
    words = {*game.tracks, *flags, *(value for track in game.tracks.values() for value in track.values)}
    for word in sorted(words):
        hint = f"{not_a_unit(Word(word, 1), game, vocabulary, list(game.roster)).hint}"
        meant = re.match(r"(?:did you mean|nearest known:) (.*?)(?: \(|\?|$)", hint)
        assert meant is None or word not in re.split(" or |, ", meant[1]), hint


def test_a_fact_in_the_wrong_place_is_shown_where_it_belongs(twilight: Game) -> None:
    hint = not_a_unit(Word("attacked", 1), twilight, Vocabulary(twilight.tracks), ()).hint
    assert hint == "it is a fact about a hex; type it in a separate line: HEX attacked"
