"""The lines of a journal as text: each is read as it was written."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.records.journal.lines import JournalLine, compute_tap_mark, has_check, read_entry, write_entry
from assistant.records.journal.question_lines import (
    Assumed,
    read_answer_line,
    read_change,
    read_question,
    write_answer,
    write_change,
    write_question,
)
from assistant.state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from assistant.state.tracks import Track
from assistant.util.errors import InputError
from assistant.util.limits import TooMuch

TRACKS = {
    track.name: track
    for track in (
        Track(name="steps", title="steps", on="unit", kind="integer"),
        Track(name="spent", title="spent", on="unit", kind="flag"),
        Track(name="supply", title="supply", on="unit", kind="choice", values=("in", "low", "out of supply")),
        Track(name="works", title="works", on="hex", kind="choices", values=("fort", "trench")),
        Track(name="army", title="army", on="unit", kind="text"),
    )
}
NAMES = st.sampled_from(["-", "->", "+", "up-to", "None", "enter", '"', "3 | 4; 5", "x~y ~abc"]) | st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=8
)
RULES = st.sampled_from(["11.3.2", "", "CRT/shock", "14.8/3-edge", 'the "rule" of', "-"])
VALUES = {
    "steps": st.integers(-99, 99),
    "spent": st.booleans(),
    "supply": st.sampled_from(("in", "low", "out of supply")),
    "works": st.sampled_from(((), ("fort",), ("fort", "trench"))),
    "army": NAMES | st.just(""),
}


@st.composite
def changes(draw: st.DrawFn) -> AnyChange:
    name = draw(st.sampled_from(sorted(VALUES)))
    unit, rule, value = draw(NAMES), draw(RULES), st.none() | VALUES[name]
    kinds: list[AnyChange] = [
        Change(name, unit, draw(value), draw(value), rule),
        Change("place", unit, draw(st.none() | NAMES), draw(st.none() | NAMES), rule),
        Change("order", unit, draw(st.integers(0, 9)), draw(st.integers(0, 9)), rule),
        Gain("steps", unit, draw(st.integers(-99, 99).filter(bool)), rule),
        Raise("steps", "", draw(st.integers(0, 99)), rule),
        Enter(unit, draw(NAMES), draw(st.none() | NAMES), draw(st.integers(0, 9)), rule),
        Leave(unit, rule),
    ]
    return draw(st.sampled_from(kinds))


@pytest.mark.hypothesis
@given(changes())
def test_a_change_is_read_as_it_was_written(change: AnyChange) -> None:
    assert read_change(write_change(change, TRACKS), TRACKS) == change


@pytest.mark.hypothesis
@given(st.lists(changes(), max_size=4))
def test_an_answer_is_read_as_it_was_written(some: list[AnyChange]) -> None:
    question, dice = 'battle at=41.19 line="3 | 4"', "crt=2+5 ec.29/20=5"
    assert read_answer_line(write_answer(question, dice, some, TRACKS), TRACKS) == (question, dice, tuple(some))


@st.composite
def assumed(draw: st.DrawFn) -> Assumed:
    name, value = draw(st.sampled_from(["", *sorted(VALUES)])), ""
    is_numbered = draw(st.booleans())
    if not is_numbered or draw(st.booleans()):
        track = TRACKS.get(name)
        value = draw(NAMES) if track is None else track.write(draw(VALUES[name].filter(lambda value: value != "")))
    return Assumed((name, draw(NAMES)), value, is_numbered)


@pytest.mark.hypothesis
@given(st.lists(assumed(), max_size=5))
def test_a_question_is_read_as_it_was_written(some: list[Assumed]) -> None:
    question, dice = 'battle at=41.19 line="3 | 4"', "crt=2+5 ec.29/20=5"
    in_order = tuple(sorted(some, key=lambda known: not known.is_numbered))
    assert read_question(write_question(question, dice, some, TRACKS), TRACKS) == (question, dice, in_order)
    assert read_question(write_question("", "", some, TRACKS), TRACKS) == ("", "", in_order)


@pytest.mark.hypothesis
@given(
    st.integers(1, 9_999_999),
    st.sampled_from(["mar16/5", "12"]),
    st.sampled_from([(), ("late",), ("force",), ("force", "late"), ("force", "late", f"tap={compute_tap_mark('x')}")]),
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=30),
)
def test_an_entry_is_read_as_it_was_written(number: int, turn: str, flags: tuple[str, ...], note: str) -> None:
    line = JournalLine(number, turn, flags, "ah", f"dm 22 {note}".strip())
    try:
        text = write_entry(line)
    except InputError:
        assert not note.isprintable()
        return
    assert has_check(text) and read_entry(text) == line
    assert read_entry(text.rpartition(" ~")[0]) == line, "a line written by hand lacks its check"


@pytest.mark.parametrize("text", ["", "x", "12", "12 mar16/5", "-1 mar16/5 ah dm 2", "1 mar16/5 ah dm 22 ~abc"])
def test_what_is_not_an_entry_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="not an entry|does not fit its check"):
        read_entry(text)


@pytest.mark.parametrize("sign", ["\x1b", "\n", "\0", "\x85", "\u2028", "\u202e", "\udcff"])
def test_an_entry_with_a_control_character_is_neither_read_nor_written(sign: str) -> None:
    with pytest.raises(InputError, match="one line of text"):
        read_entry(f"1 mar16/5 ah dm 22 a{sign}b")
    with pytest.raises(InputError, match="one line of text"):
        write_entry(JournalLine(1, "mar16/5", (), "ah", f"dm 22 a{sign}b"))


def test_what_an_editor_does_to_spaces_changes_nothing() -> None:
    line = JournalLine(2, "mar16/5", ("late",), "ah", "dm 22  Sabac")
    assert read_entry(f"{write_entry(line)} \t") == line
    assert read_entry("  2\tmar16/5  late\tah  dm 22  Sabac ") == line


@pytest.mark.parametrize(
    "line",
    [
        JournalLine(1, "mar16/5", (), "", "dm 22"),
        JournalLine(1, "mar16 /5", (), "ah", "dm 22"),
        JournalLine(1, "mar16/5", (), "late", "dm 22"),
        JournalLine(10**7, "mar16/5", (), "ah", "dm 22"),
        JournalLine(-1, "mar16/5", (), "ah", "dm 22"),
    ],
)
def test_a_line_that_would_be_read_as_another_is_not_written(line: JournalLine) -> None:
    with pytest.raises(InputError):
        write_entry(line)


def test_an_entry_has_room_for_the_changes_of_a_whole_army_and_no_more() -> None:
    line = JournalLine(1, "mar16/5", (), "answer", "supply | | " + "steps 29/20 0 -> 1 11.3; " * 500)
    assert read_entry(write_entry(line)) == msgspec.structs.replace(line, rest=line.rest.strip())
    for refused in (write_entry, lambda line: read_entry(f"1 mar16/5 ah {line.rest}")):
        with pytest.raises(TooMuch):
            refused(msgspec.structs.replace(line, rest="x" * 2**18))


def test_an_answer_that_would_be_read_as_another_is_not_written() -> None:
    with pytest.raises(InputError, match="cannot be written"):
        write_answer('battle at="41.19', "crt=2", [Leave("A1", "10.2")], TRACKS)
    with pytest.raises(InputError, match="QUESTION PARAMETERS"):
        write_answer("battle at=41.19", "crt=2 | 3", [Leave("A1", "10.2")], TRACKS)


PARTS = ('"', "|", ";", " ", "-", "->", "+", "up-to", "=", "?1", "steps", "enter", "leave", "A1", "9" * 20, "\udcff")


@pytest.mark.hypothesis
@given(st.lists(st.sampled_from(PARTS)))
def test_no_text_is_worse_than_refused(parts: list[str]) -> None:
    for text in ("".join(parts), " ".join(parts)):
        readers = (read_change, read_answer_line, read_question)
        for read in (read_entry, *(partial(reader, tracks=TRACKS) for reader in readers)):
            with suppress(InputError):
                read(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "steps A1 0 -> 1",
        "fly A1",
        "enter A1 A1 0101 x 1",
        "gold A1 1 -> 2 1",
        "spent A1 - -> maybe 1",
        "steps A1 up-to x 1",
        "order A1 x -> 1 1",
        'leave A"1" 1',
        'leave "A1 1',
        f"steps A1 up-to {'9' * 5000} 1",
    ],
)
def test_what_is_not_a_change_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_change(text, TRACKS)
