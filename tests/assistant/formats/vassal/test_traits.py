"""Traits: what a type line says comes apart and together again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.traits import (
    CONTROL_SHIFT,
    LabelTrait,
    LayerTrait,
    Trait,
    keystroke,
    marker_trait,
    read_label,
    read_layer,
    read_level,
    read_marker,
)

WORD = st.text(alphabet="abÄß '+-,;/\\:|\t$", max_size=8).filter(lambda text: not text.endswith("\\"))
NAME = WORD.filter(bool)
PAIR = st.tuples(WORD, WORD)
OFFSET = st.integers(-999, 999)


@given(st.lists(st.tuples(WORD, WORD), min_size=1, max_size=5), NAME, PAIR, PAIR, OFFSET, OFFSET, st.booleans())
def test_a_layer_comes_back(
    levels: list[tuple[str, str]],
    name: str,
    up: tuple[str, str],
    down: tuple[str, str],
    x: int,
    y: int,
    loop: bool,
) -> None:
    images, names = zip(*levels, strict=True)
    layer = LayerTrait(name, images, names, up, down, x, y, loop)
    assert Trait(layer.type).kind == "emb2"
    assert read_layer(layer.type) == layer


@given(NAME, WORD, WORD, NAME, st.integers(1, 99), st.tuples(st.just("t"), OFFSET, st.just("r"), OFFSET), st.booleans())
def test_a_label_comes_back(
    name: str, menu: str, stroke: str, written: str, size: int, place: tuple[str, int, str, int], always: bool
) -> None:
    label = LabelTrait(name, menu, stroke, written, size, "1,2,3", "4,5,6", place, f"{name} text", always)
    assert Trait(label.type).kind == "label"
    assert read_label(label.type) == label


@given(st.dictionaries(NAME, WORD, min_size=1, max_size=4))
def test_a_marker_comes_back(values: dict[str, str]) -> None:
    found = marker_trait(values)
    assert found.kind == "mark"
    assert read_marker(found) == values


def test_what_older_engines_leave_out_of_a_marker_or_a_label_is_nothing() -> None:
    assert read_marker(Trait("mark;a,b,c", "1")) == {"a": "1", "b": "", "c": ""}
    assert read_marker(Trait("mark;a", "1,2")) == {"a": "1"}
    label = read_label("label;;Write")
    assert (label.name, label.menu, label.written) == ("", "Write", "$pieceName$ ($label$)")


@pytest.mark.parametrize("type_", ["emb2;", "emb2", "emb2;;130;A;;;;;;;;;;false;0;0;a.png,b.png;x"])
def test_what_older_engines_leave_out_of_a_layer_is_nothing(type_: str) -> None:
    layer = read_layer(type_)
    assert (layer.name, layer.up, layer.loop) == ("", ("", ""), False)
    assert len(layer.images) == len(layer.names)


@pytest.mark.parametrize(
    ("state", "expected"),
    [("2", 2), ("-3", -3), ("1;more", 1), ("", 0), ("x", 0), ("²", 0), ("--1", 0), ("9" * 5000, 0), ("1.5", 0)],
)
def test_the_level_of_a_layer(state: str, expected: int) -> None:
    assert read_level(Trait("emb2;", state)) == expected


@pytest.mark.parametrize(
    ("name", "added"), [("+ low supply", "low supply"), ("+x", "x"), ("small +", ""), ("Wreck", ""), ("", "")]
)
def test_what_a_level_adds_to_a_name(name: str, added: str) -> None:
    layer = LayerTrait("supply", ("", "a.png"), ("", name))
    assert [layer.added(at) for at in (-2, 0, 1, 2, 3)] == ["", "", "", added, ""]


def test_keystrokes() -> None:
    assert keystroke("l") == keystroke("L") == "76,130"
    assert keystroke("") == ""
    assert keystroke("S", CONTROL_SHIFT) == "83,195"
