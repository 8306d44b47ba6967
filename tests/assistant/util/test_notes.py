"""What docstrings say about fields."""

from __future__ import annotations

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from assistant.util.notes import field_notes, first_sentence


def documented(text: str | None) -> type[msgspec.Struct]:
    """A struct with this docstring."""
    return type("Counted", (msgspec.Struct,), {"__doc__": text})


def test_each_field_has_its_meaning_and_several_may_share_one() -> None:
    kind = documented(
        """A battle as counted.

        attack: strength of the attackers, in points; least, most: the bounds
        of the roll, both included.
        """
    )
    assert field_notes(kind) == {
        "attack": "strength of the attackers, in points",
        "least": "the bounds of the roll, both included",
        "most": "the bounds of the roll, both included",
    }


def test_a_meaning_may_run_over_several_sentences() -> None:
    kind = documented("A step. on: the hex. A hexside counts as two. rule: its number.")
    assert field_notes(kind) == {"on": "the hex. A hexside counts as two", "rule": "its number"}


def test_a_semicolon_ends_a_meaning() -> None:
    assert field_notes(documented("A step. kind: a flag; or a number; rule: its number.")) == {
        "kind": "a flag",
        "rule": "its number",
    }


def test_a_field_name_may_have_underscores_and_a_docstring_no_full_stop() -> None:
    assert field_notes(documented("A loss. steps_lost: so many steps")) == {"steps_lost": "so many steps"}


def test_notes_may_begin_at_once() -> None:
    assert field_notes(documented("unit: its id.")) == {"unit": "its id"}


def test_what_looks_like_a_note_within_a_sentence_is_none() -> None:
    assert field_notes(documented("One way into a chart: a word, or a ratio such as 3:1. Note: it may be open.")) == {}


def test_a_struct_without_notes() -> None:
    assert field_notes(documented("Nothing has to be said.")) == {}
    assert field_notes(documented(None)) == {}


def test_the_first_sentence_ends_at_a_full_stop_or_a_colon() -> None:
    assert first_sentence(documented("A battle as\n    counted. attack: points.")) == "A battle as counted."
    assert first_sentence(documented("A game: its tracks and charts.")) == "A game"
    assert first_sentence(documented("Hex 41.19 and no other.")) == "Hex 41.19 and no other."
    assert first_sentence(documented(None)) == ""


names = st.text("abcxyz_", min_size=1, max_size=6)
meanings = st.lists(st.sampled_from(["the", "unit", "(3:1)", "11.3.2", "points,", "`x`"]), min_size=1, max_size=6)


@given(st.dictionaries(names, meanings, max_size=5))
def test_notes_read_back_as_they_were_written(notes: dict[str, list[str]]) -> None:
    said = {name: " ".join(words) for name, words in notes.items()}
    text = "; ".join(f"{name}: {meaning}" for name, meaning in said.items())
    assert field_notes(documented(f"What it is.\n\n    {text}.")) == said
