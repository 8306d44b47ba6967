"""The words of typed lines: which of them state which facts of a game."""

from __future__ import annotations

import pytest

from assistant.state.tracks import Fact, Track
from assistant.state.words import Vocabulary, Word, check_signs
from assistant.util.errors import InputError, Where

RAIL = Track(name="rail", title="railway", on="hexside", kind="choice", rule="", values=("none", "single"), token="{}")
RIVER = Track(name="river", title="river", on="hexside", kind="choice", rule="", values=("none", "minor"), token="{}")
WORDS = Vocabulary({"rail": RAIL, "river": RIVER})


def test_a_word_of_two_tracks_has_to_say_which_is_meant() -> None:
    with pytest.raises(InputError) as caught:
        WORDS.read("hexside", Word("None", 1))
    assert (caught.value.what, caught.value.hint) == (
        "'None' can be a fact of rail or river",
        "write rail=None or river=None",
    )
    assert WORDS.read("hexside", Word("river=None", 1)) == (RIVER, Fact("none"))
    assert WORDS.read("hexside", Word("minor", 1)) == (RIVER, Fact("minor"))


def test_a_track_without_its_value_is_told_what_it_takes() -> None:
    assert WORDS.suggest("hexside", "Rail") == "state its value: one of none, single"


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("0101 \u201cMill\u201d", 6),
        ("0101 \u2013 0102", 6),
        ("0101 a; 0102", 7),
        ("0101 a\u202eb", 7),
        ('0101 "a" "b', 10),
    ],
)
def test_a_sign_of_word_processors_is_told_with_its_column(line: str, column: int) -> None:
    with pytest.raises(InputError) as caught:
        check_signs(line, lambda found: Where("typed", 1, found))
    assert str(caught.value.where) == f"typed:1:{column}"
