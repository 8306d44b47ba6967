"""Entries written and read again are the same."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.boards import LABELS, Basis, Board, HexChain, MapLabel
from assistant.game.boards.lines import LinesReader
from assistant.game.boards.write_lines import WIDTH, write_chain, write_fact, write_facts, write_label
from assistant.game.hexes import HexGrid
from assistant.state.state import hexside
from assistant.state.tracks import Source, Value
from assistant.util.errors import Where

from .valley import TRACKS

pytestmark = pytest.mark.hypothesis
BOARD = Board(name="", title="", grid=HexGrid(columns=(1, 9), rows=(1, 9)), boxes=("Reserve", "Army reserve"))
USUAL = Basis(Source.DRAWN, "an atlas")
Facts = list[tuple[str, str, Value, Basis]]

names = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters='"'), max_size=60)
bases = st.one_of(
    st.just(USUAL),
    st.builds(
        Basis,
        st.sampled_from(Source),
        names,
        st.sampled_from(["", "4.1", "17.4a"]),
        st.sampled_from(["", "1914", "1914-08", "1914-08-17"]),
    ),
)
of_hexsides: st.SearchStrategy[tuple[str, Value]] = st.sampled_from(
    [("barrier", ("river",)), ("barrier", ("river", "lake")), ("barrier", ()), ("road", "road"), ("road", "no-road"), ("pipe", True), ("pipe", False)]
)  # fmt: skip
of_hexes: st.SearchStrategy[tuple[str, Value]] = st.one_of(
    st.sampled_from([("town", True), ("town", False), ("height", 0), ("height", 7), ("terrain", "lake")]),
    st.tuples(st.just("owner"), names.filter(lambda text: text.casefold() != "none")),
)


@st.composite
def chains(draw: st.DrawFn) -> HexChain:
    """A chain of either sort, as the reader makes it."""
    along = draw(st.booleans())
    grid = BOARD.grid
    at = grid.parse(draw(st.sampled_from(["0101", "0505", "0902", "0404"])))
    path = [grid.name(at)]
    if along:
        other = draw(st.sampled_from(list(grid.neighbours(at).values())))
        path, end = [hexside(grid.name(at), grid.name(other))], draw(st.sampled_from(grid.corners(at, other)))
        for _ in range(draw(st.integers(0, 30))):
            around = [grid.parse(name) for name in path[-1].split("|")]
            sides = {hexside(grid.name(a), grid.name(b)): grid.corners(a, b) for one in around for a in (one, *grid.neighbours(one).values()) for b in grid.neighbours(a).values()}  # fmt: skip
            ways = sorted(side for side, ends in sides.items() if end in ends and side != path[-1])
            if not ways:
                break
            path.append(draw(st.sampled_from(ways)))
            end = next(one for one in sides[path[-1]] if one != end)
    else:
        for _ in range(draw(st.integers(1, 30))):
            at = draw(st.sampled_from(list(grid.neighbours(at).values())))
            path.append(grid.name(at))
    facts = draw(st.lists(of_hexsides if along else st.one_of(of_hexsides, of_hexes), min_size=1, max_size=3, unique_by=lambda fact: fact[0]))  # fmt: skip
    return HexChain(
        name=draw(names),
        facts=tuple(facts),
        along=along,
        path=tuple(path),
        basis=draw(bases),
        where=Where("a.lines", 1, 1),
    )


def read(text: str) -> tuple[LinesReader, Facts]:
    """What an entry says."""
    facts: Facts = []
    reader = LinesReader(
        BOARD, TRACKS, USUAL, lambda track, subject, value, basis, _: facts.append((track, subject, value, basis))
    )

    def fail(fault: Exception) -> None:
        raise AssertionError(f"{fault}\n{text}")

    reader.read(text, "a.lines", fail)
    return reader, facts


@given(chain=chains())
def test_a_chain_is_the_same(chain: HexChain) -> None:
    text = write_chain(chain, TRACKS, USUAL)
    assert read(text)[0].chains == [chain]
    assert all(len(line) <= WIDTH or '"' in line for line in text.splitlines())


@given(name=names.filter(bool), kind=st.sampled_from(LABELS), basis=bases, count=st.integers(1, 40))
def test_a_label_is_the_same(name: str, kind: str, basis: Basis, count: int) -> None:
    hexes = tuple(f"{1 + n % 9:02}{1 + n // 9:02}" for n in range(count))
    label = MapLabel(name=name, kind=kind, hexes=hexes, basis=basis, where=Where("a.lines", 1, 1))
    assert read(write_label(label, USUAL))[0].labels == [label]


@given(
    subjects=st.lists(st.sampled_from(["0101", "0505", "Reserve", "Army reserve"]), min_size=1, unique=True),
    facts=st.lists(of_hexes, min_size=1, max_size=3, unique_by=lambda fact: fact[0]),
    basis=bases,
)
def test_facts_of_hexes_are_the_same(subjects: list[str], facts: list[tuple[str, Value]], basis: Basis) -> None:
    expected = {(track, subject, value, basis) for track, value in facts for subject in subjects}
    assert {*read(write_facts(subjects, dict(facts), TRACKS, basis, USUAL))[1]} == expected


@given(
    subjects=st.lists(st.sampled_from(["0101|0102", "0102|0202", "0505|0506"]), min_size=1, unique=True),
    facts=st.lists(of_hexsides, min_size=1, max_size=3, unique_by=lambda fact: fact[0]),
    basis=bases,
)
def test_facts_of_hexsides_are_the_same(subjects: list[str], facts: list[tuple[str, Value]], basis: Basis) -> None:
    expected = {(track, subject, value, basis) for track, value in facts for subject in subjects}
    assert {*read(write_facts(subjects, dict(facts), TRACKS, basis, USUAL))[1]} == expected


@pytest.mark.parametrize("text", ["|", "?", "0101|0102", "whose?"])
def test_a_text_may_hold_the_signs_of_hexsides_and_doubts(text: str) -> None:
    ((track, subject, value, _),) = read(write_facts(["0101"], {"owner": text}, TRACKS, USUAL, USUAL))[1]
    assert (track, subject, value) == ("owner", "0101", text)


def test_a_flag_whose_word_another_track_has_is_named() -> None:
    tracks = {**TRACKS, "pipe": msgspec.structs.replace(TRACKS["pipe"], token="wood")}
    assert [write_fact(tracks, "pipe", True), write_fact(TRACKS, "pipe", True)] == ["pipe=yes", "pipe"]
