"""Streams in which some commands are changed: all others stay as they were, nested as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.containers import ESCAPE, commands_of
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.streams import edited

COMMAND = st.text(alphabet="ab'\\/\tä", min_size=1, max_size=6).filter(lambda text: not text.endswith("\\"))
NESTED = st.recursive(COMMAND, lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=9)
Nested = str | list["Nested"]


def written(nested: Nested) -> str:
    """Commands within commands, as VASSAL nests them."""
    return nested if isinstance(nested, str) else join(["", *map(written, nested)], ESCAPE)


def test_one_command_is_changed_where_it_stands() -> None:
    stream = written(["a", ["b", ["c", "d"]], "e"]).encode()
    assert list(commands_of(stream)) == ["a", "b", "c", "d", "e"]
    assert edited(stream, {2: ["C"]}) == written(["a", ["b", ["C", "d"]], "e"]).encode()


def test_commands_are_put_in_taken_out_and_added_at_the_end() -> None:
    stream = written(["a", ["b", "c"]]).encode()
    assert list(commands_of(edited(stream, {0: [], 1: ["x", "b"]}, ["LOG\ty"]))) == ["x", "b", "c", "LOG\ty"]


@given(NESTED)
def test_what_is_not_changed_stays_byte_for_byte(nested: Nested) -> None:
    stream = written([nested, "end_save"]).encode()
    anew = {number: [command] for number, command in enumerate(commands_of(stream))}
    assert edited(stream, {}) == edited(stream, anew) == stream


@given(NESTED, st.integers(0, 8), COMMAND)
def test_all_others_stay_where_one_is_changed(nested: Nested, number: int, new: str) -> None:
    stream = written([nested, "end_save"]).encode()
    commands = list(commands_of(stream))
    number %= len(commands)
    after = list(commands_of(edited(stream, {number: [new]})))
    assert after == [*commands[:number], new, *commands[number + 1 :]]


def test_a_number_beyond_the_end_is_no_command() -> None:
    with pytest.raises(IndexError, match="no command 3"):
        edited(b"a\x1bb", {3: ["c"]})
