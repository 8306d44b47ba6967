"""The lines of a journal as text: each is read as it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.journal.lines import (
    Line,
    has_check,
    read_answer,
    read_change,
    read_entry,
    write_answer,
    write_change,
    write_entry,
)
from assistant.state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from assistant.state.tracks import Track
from assistant.util.errors import InputError

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
NAMES = (
    st.text(
        st.characters(codec="ascii", categories=("L", "N", "P", "S", "Zs"), exclude_characters='"'),
        min_size=1,
        max_size=8,
    )
    .map(str.strip)
    .filter(bool)
)
RULES = st.sampled_from(["11.3.2", "", "CRT/shock", "14.8/3-edge"])
VALUES = {
    "steps": st.integers(-99, 99),
    "spent": st.booleans(),
    "supply": st.sampled_from(("in", "low", "out of supply")),
    "works": st.sampled_from(((), ("fort",), ("fort", "trench"))),
    "army": NAMES.filter(lambda name: name.casefold() != "none"),
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
    assert read_answer(write_answer(question, dice, some, TRACKS), TRACKS) == (question, dice, tuple(some))


@pytest.mark.hypothesis
@given(
    st.integers(1, 9_999_999),
    st.sampled_from(["mar16/5", "12"]),
    st.sampled_from([(), ("late",), ("force",), ("force", "late")]),
    st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=30),
)
def test_an_entry_is_read_as_it_was_written(number: int, turn: str, flags: tuple[str, ...], note: str) -> None:
    line = Line(number, turn, flags, "ah", f"dm 22 {note}".strip())
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


@pytest.mark.parametrize(
    "text", ["", "steps A1 0 -> 1", "fly A1", "enter A1 A1 0101 x 1", "gold A1 1 -> 2 1", "spent A1 - -> maybe 1"]
)
def test_what_is_not_a_change_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_change(text, TRACKS)
