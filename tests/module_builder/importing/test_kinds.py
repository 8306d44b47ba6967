"""The kinds of a module's pieces: which one a piece is of, by its slot, traits, name and picture."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.formats.vassal.adoption.identity import recognise
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.traits import Trait, marker_trait
from module_builder.importing import kinds as kinds_module
from module_builder.importing.findings import Findings
from module_builder.importing.kinds import PieceKind, Pieces, UsedKinds
from module_builder.importing.source import open_source

from .foreign import build_file, packed, picture

pieces = st.builds(
    lambda slot, name, image, nation, strength: Piece(
        "null",
        (*((marker_trait(given),) if (given := _marks(nation, strength)) else ()), Trait(f"piece;;;{image};{name}")),
        slot=slot,
    ),
    st.sampled_from(["", "1", "2", "3"]),
    st.sampled_from(["1st", "2nd", ""]),
    st.sampled_from(["a.png", "b.png", ""]),
    st.sampled_from(["", "Blue", "Red"]),
    st.sampled_from(["", "4"]),
)


def _marks(nation: str, strength: str) -> dict[str, str]:
    return {name: text for name, text in (("Nation", nation), ("Strength", strength)) if text}


def kinds_of(folder: Path, palette: Sequence[Piece]) -> Pieces:
    """The kinds of a module with one palette."""
    file = folder / "module.vmod"
    file.write_bytes(packed(build_file({"All": [*palette]}), {name: picture() for name in ("a.png", "b.png")}))
    with open_source(file, ()) as source:
        return Pieces(source, Findings())


def look_through(all: Pieces, piece: Piece, used: Counter[PieceKind]) -> PieceKind | None:
    """The kind of a piece, found by looking at every kind."""
    definition, image = kinds_module._define_piece(piece), kinds_module.picture_of(piece)
    owner = kinds_module._read_owner(piece)
    by_slot = [kind for kind in all.kinds if piece.slot and piece.slot in kind.slots]
    equal = [kind for kind in all.kinds if kind.definition == definition]
    namesakes = [
        kind
        for kind in all.kinds
        if (definition.name and kind.name == definition.name)
        or (not definition.name and image and not kind.definition.name and kind.picture == image)
    ]
    named = [kind for kind in namesakes if not owner or kind.owner in ((), owner)]
    known = dict.fromkeys(by_slot + equal + named)
    signs = [by_slot, equal, named, [kind for kind in known if image and kind.picture == image]]
    found = recognise([*filter(None, signs)]).found
    if not found or (sum(found[0] in some for some in signs) == 1 and ([found[0]] == by_slot or len(namesakes) > 1)):
        return None
    return min(found, key=lambda kind: used[kind])


@given(palette=st.lists(pieces, min_size=1, max_size=8), searched=st.lists(pieces, max_size=12))
def test_a_piece_is_of_the_kind_for_which_most_of_its_signs_stand(
    tmp_path_factory: pytest.TempPathFactory, palette: list[Piece], searched: list[Piece]
) -> None:
    all = kinds_of(tmp_path_factory.mktemp("module"), palette)
    used, counted = UsedKinds(), Counter[PieceKind]()
    for piece in searched:
        expected = look_through(all, piece, counted)
        assert all.find_kind(piece, used) is expected
        if expected is not None:
            used.add(expected)
            counted[expected] += 1


def count_lines(all: Pieces, searched: Sequence[Piece]) -> int:
    """The lines of the module that are run, also within lists, until the kinds of all pieces are found."""
    lines = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        if frame.f_code.co_filename != kinds_module.__file__:
            return None
        lines += event == "line"
        return trace

    used = UsedKinds()
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for piece in searched:
            if (kind := all.find_kind(piece, used)) is not None:
                used.add(kind)
    finally:
        sys.settrace(before)
    return lines


@pytest.mark.parametrize("strength", ["{}", "of another {}"])
def test_the_kinds_of_twice_as_many_namesakes_take_twice_the_steps(tmp_path: Path, strength: str) -> None:
    """The pieces have no slots, and the texts of the palette's pieces or others."""

    def namesake(text: str) -> Piece:
        return Piece("null", (marker_trait({"Strength": text}), Trait("piece;;;a.png;Guards")))

    steps = []
    for count in (100, 200):
        all = kinds_of(tmp_path, [namesake(str(number)) for number in range(count)])
        steps.append(count_lines(all, [namesake(strength.format(number)) for number in range(count)]))
    assert steps[0] > 0
    assert steps[1] < 2.5 * steps[0]
