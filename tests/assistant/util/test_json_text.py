"""JSON as it is printed and written."""

from __future__ import annotations

import json

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from assistant.util.json_text import json_text


def test_signs_that_steer_a_terminal_are_escaped() -> None:
    assert json_text(["a\u202eb", "\x7f", "Łódź", "\U000e0001"]).decode() == (
        '[\n  "a\\u202eb",\n  "\\u007f",\n  "Łódź",\n  "\\udb40\\udc01"\n]'
    )


@given(st.recursive(st.text() | st.integers(-9, 9), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_what_is_written_reads_as_it_was_and_is_printable(value: object) -> None:
    data = json_text(value)
    assert json.loads(data) == msgspec.json.decode(data) == value
    assert all(line.isprintable() for line in data.decode().split("\n"))
