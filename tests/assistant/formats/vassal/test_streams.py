"""Streams in which some commands are changed: all others stay as they were, nested as they were."""

from __future__ import annotations

from contextlib import suppress
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.containers import ESCAPE
from assistant.formats.vassal.sequence import bare, join
from assistant.formats.vassal.streams import split_commands
from assistant.formats.vassal.written.changed_save import edit_stream

COMMAND = st.text(alphabet="ab'\\/\tä", min_size=1, max_size=6).filter(
    lambda text: text[-1] != "\\" and bare(text) == text
)
NESTED = st.recursive(COMMAND, lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=9)
Nested = str | list["Nested"]


def written(nested: Nested) -> str:
    """Commands within commands, as VASSAL nests them."""
    return nested if isinstance(nested, str) else join(["", *map(written, nested)], ESCAPE)


def test_commands_are_put_in_taken_out_and_added_at_the_end() -> None:
    stream = written(["a", ["b", "c"]]).encode()
    assert list(split_commands(edit_stream(stream, {0: [], 1: ["x", "b"]}, ["LOG\ty"]))) == ["x", "b", "c", "LOG\ty"]


@given(NESTED)
def test_what_is_not_changed_stays_byte_for_byte(nested: Nested) -> None:
    stream = written([nested, "end_save"]).encode()
    anew = {number: [command] for number, command in enumerate(split_commands(stream))}
    assert edit_stream(stream, {}) == edit_stream(stream, anew) == stream


@given(NESTED, st.integers(0, 8), COMMAND)
def test_all_others_stay_where_one_is_changed(nested: Nested, number: int, new: str) -> None:
    stream = written([nested, "end_save"]).encode()
    commands = list(split_commands(stream))
    number %= len(commands)
    after = list(split_commands(edit_stream(stream, {number: [new]})))
    assert after == [*commands[:number], new, *commands[number + 1 :]]


def test_streams_that_no_engine_writes_are_changed_in_one_place_too() -> None:
    """All streams of up to five of the signs that mean something: a command taken out, put in front, put behind."""
    for size in range(1, 6):
        for signs in product(r"a\'" + ESCAPE, repeat=size):
            stream = "".join(signs).encode()
            if not (commands := list(split_commands(stream))):
                continue
            first, *others = commands
            for edits, more, wanted in (
                ({0: []}, [], others),
                ({0: ["X", first]}, [], ["X", *commands]),
                ({0: ["X"]}, ["Y"], ["X", *others, "Y"]),
            ):
                with suppress(ValueError):  # a command that ends in a backslash
                    assert list(split_commands(edit_stream(stream, edits, more))) == wanted, stream


def test_apostrophes_around_a_command_are_none_of_it_however_deep_it_is() -> None:
    assert list(split_commands(b"''a''")) == ["a"]
    assert list(split_commands(b"b\x1b'''a'''")) == ["b", "a"]


def test_a_command_that_is_not_there_or_ends_in_a_backslash() -> None:
    with pytest.raises(IndexError, match="no command 3"):
        edit_stream(b"a\x1bb", {3: ["c"]})
    assert edit_stream(b"a\x1bb\\", {0: ["c"]}) == b"c\x1bb\\"
    with pytest.raises(ValueError, match="none can follow"):
        edit_stream(b"a\x1bb\\", {}, ["c"])
