"""Entries of `.lines` files: chains, facts of single hexes, labels, and how they are known; what is written reads back as the same."""

from __future__ import annotations

import re
from itertools import pairwise
from math import dist
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.game.boards import LABELS, Basis, Board, HexChain, MapLabel
from assistant.game.boards.files import read_board
from assistant.game.boards.lines import WIDTH, LinesReader, write_chain, write_fact, write_facts, write_label
from assistant.game.hexes import HexGrid
from assistant.state.state import hexside
from assistant.state.tracks import Fact, Source, Value
from assistant.util.errors import InputError, Where

from .valley import TRACKS, drawn, folder_of, on_the_map

RULES = Source.RULEBOOK


def faults_of(at: Path, **texts: str) -> list[str]:
    """The faults of a board, with their places."""
    found: list[InputError] = []
    read_board(folder_of(at, **texts), TRACKS, found.append)
    return [f"{fault.where}: {fault.what}" for fault in found]


# --- chains -----------------------------------------------------------------------------------------------------------


def test_chains_run_along_hexsides_or_from_hex_to_hex(tmp_path: Path) -> None:
    board = drawn(tmp_path, rivers='"Mill" river: 0202|0201,0302 0302|0303\n')
    sides = ("0201|0202", "0202|0302", "0302|0303")
    assert dict(board.facts) == {("barrier", side): on_the_map(("river",)) for side in sides}
    (chain,) = board.chains
    assert (chain.name, chain.along, chain.path) == ("Mill", True, sides)
    assert (chain.facts, chain.basis) == ((("barrier", ("river",)),), Basis(Source.DRAWN))
    assert chain.where == Where("valley/rivers.lines", 1, 1)
    board = drawn(tmp_path / "2", roads="road pipe: 0101 0201 0202\n")
    assert dict(board.facts) == {
        ("road", "0101|0201"): on_the_map("road"),
        ("road", "0201|0202"): on_the_map("road"),
        ("pipe", "0101|0201"): on_the_map(True),
        ("pipe", "0201|0202"): on_the_map(True),
    }
    (chain,) = board.chains
    assert (chain.name, chain.along, chain.path) == ("", False, ("0101", "0201", "0202"))
    board = drawn(tmp_path / "3", more='"High road" road town: 0101 0201\n"Heath" height=3: 0101 0303\n')
    assert {key: fact.value for key, fact in board.facts.items()} == {
        ("road", "0101|0201"): "road",
        ("town", "0101"): True,
        ("town", "0201"): True,
        ("height", "0101"): 3,
        ("height", "0303"): 3,
    }
    around = drawn(tmp_path / "4", lake="lake: 0202|0201,0302,0303,0203,0103,0102").chains[0].path
    assert len(set(around)) == 6


def test_an_entry_goes_on_in_lines_that_begin_with_a_blank(tmp_path: Path) -> None:
    text = '# the river\n\n"Mill" river: 0202|0201,\n\t0302   # as far as the bridge\n\n  0302|0303\nroad: 0101 0102\n'
    board = drawn(tmp_path, rivers=text)
    assert [chain.path for chain in board.chains] == [("0201|0202", "0202|0302", "0302|0303"), ("0101", "0102")]
    assert [chain.where.line for chain in board.chains] == [3, 7]
    found = faults_of(tmp_path, more="road: 0101\n  0102 |\n  0202\n0101 town\n")
    assert found == ["valley/more.lines:2:8: | has no meaning here"]


def test_words_add_up_where_there_may_be_several_unless_a_stronger_source_replaces_them(tmp_path: Path) -> None:
    board = drawn(tmp_path, a="ridge: 0201|0202", b="river: 0201|0202 0202|0302", c="0201|0202 river")
    assert board.fact("barrier", "0201|0202") == on_the_map(("river", "ridge"))
    assert board.fact("barrier", "0202|0302") == on_the_map(("river",))
    known = "road: 0101 0102 [rulebook 17.4]\n"
    guess = "0101|0102 road=no-road [drawn]\n"
    for name, text in (("one", known + guess), ("two", guess + known)):
        assert drawn(tmp_path / "2" / name, roads=text).fact("road", "0101|0102") == Fact("road", RULES)
    board = drawn(tmp_path / "2", a="river: 0101|0102", b="0101|0102 barrier=none [rulebook 4.1]")
    assert board.fact("barrier", "0101|0102") == Fact((), RULES)


def corners(grid: HexGrid, side: str) -> set[tuple[float, float]]:
    """The ends of a hexside, by plain geometry: what lies equally far from both hexes, a third of their distance away."""
    one, other = (grid.centre(grid.parse(name)) for name in side.split("|"))
    middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
    across = ((other[1] - one[1]) * 3**0.5 / 6, (one[0] - other[0]) * 3**0.5 / 6)
    ends = ((middle[0] + sign * across[0], middle[1] + sign * across[1]) for sign in (1, -1))
    return {(round(x, 6) + 0.0, round(y, 6) + 0.0) for x, y in ends}


def naive(board: Board, sides: list[str]) -> bool:
    """Whether hexsides make one line, by the points at their ends: a second reading, as simple as can be."""
    if not all(dist(*(board.centre(name) for name in side.split("|"))) < 1.01 for side in sides):
        return False
    at: set[tuple[float, float]] = corners(board.grid, sides[0])
    for one, other in pairwise(sides):
        if hexside(*one.split("|")) == hexside(*other.split("|")):
            return False
        at &= corners(board.grid, other)
        if len(at) != 1:
            return False
        at = corners(board.grid, other) - at
    return True


@pytest.mark.hypothesis
@given(data=st.data())
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_second_reader_takes_the_same_chains_for_lines(
    data: st.DataObject, orientation: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shifted, east, south = (data.draw(st.booleans()) for _ in range(3))
    grid = HexGrid(
        orientation="pointy" if orientation == "pointy" else "flat",
        shifted="odd" if shifted else "even",
        columns_from="east" if east else "west",
        rows_from="south" if south else "north",
        columns=(1, 4),
        rows=(1, 4),
    )
    board = Board(name="", title="", grid=grid)
    sides: list[str] = []
    here = data.draw(st.sampled_from(["0202", "0303", "0203"]))
    for _ in range(data.draw(st.integers(1, 6))):  # mostly from a hex to the next, as a river winds
        there = data.draw(st.sampled_from(board.neighbours(here)))
        sides.append(f"{here}|{there}")
        here = data.draw(st.sampled_from([here, here, there]))
    from assistant.game.boards.lines import LinesReader

    found: list[InputError] = []
    reader = LinesReader(board, TRACKS, Basis(Source.DRAWN), lambda *_: None)
    reader.read("river: " + " ".join(sides), "rivers.lines", found.append)
    assert bool(found) is not naive(board, sides)
    assert [chain.path for chain in reader.chains] == ([] if found else [tuple(hexside(*s.split("|")) for s in sides)])


def test_facts_and_labels_of_single_hexes_boxes_and_hexsides(tmp_path: Path) -> None:
    text = (
        '0101, 0102 town height=3\nreserve town=no\n"The ford" 0202|0201,0302 road\n0101|0102, 0202|0203,0303 ridge\n'
    )
    board = drawn(tmp_path, more=text + '0202 owner="the crown"\n')
    assert {key: fact.value for key, fact in board.facts.items()} == {
        ("town", "0101"): True,
        ("town", "0102"): True,
        ("height", "0101"): 3,
        ("height", "0102"): 3,
        ("town", "Reserve"): False,
        ("road", "0201|0202"): "road",
        ("road", "0202|0302"): "road",
        ("barrier", "0101|0102"): ("ridge",),
        ("barrier", "0202|0203"): ("ridge",),
        ("barrier", "0202|0303"): ("ridge",),
        ("owner", "0202"): "the crown",
    }
    assert board.chains == ()
    board = drawn(tmp_path / "2", labels='"Mill heath" region: 0101 0302\n"The tarn" water: 0202 [rulebook 3]\n')
    assert [(label.name, label.kind, label.hexes) for label in board.labels] == [
        ("Mill heath", "region", ("0101", "0302")),
        ("The tarn", "water", ("0202",)),
    ]
    assert board.labels[1].basis == Basis(RULES, rule="3")
    assert dict(board.facts) == {}


def test_a_source_holds_until_the_next_one(tmp_path: Path) -> None:
    text = """road: 0101 0102
source printed "the owner's map" since 1914-08
road: 0102 0202
road: 0202 0302 [since 1915]
road: 0302 0402 [rulebook 17.4]
0101 town [3.2]
source rulebook 4
road: 0101 0201
"""
    board = drawn(tmp_path, roads=text, rivers="river: 0202|0201\n")
    printed = Basis(Source.PRINTED, "the owner's map", "", "1914-08")
    assert [chain.basis for chain in board.chains] == [
        Basis(Source.DRAWN),  # rivers.lines is read first
        Basis(Source.DRAWN),
        printed,
        Basis(Source.PRINTED, "the owner's map", "", "1915"),
        Basis(RULES, rule="17.4"),
        Basis(RULES, rule="4"),
    ]
    assert board.fact("town", "0101") == Fact(True, Source.PRINTED)


def test_sources_of_one_strength_that_contradict_each_other_name_both_places(tmp_path: Path) -> None:
    assert faults_of(tmp_path, a="road: 0101 0102", b="\n0102|0101 road=no-road\n0101 town") == [
        "valley/b.lines:2:1: road of 0101|0102 is no-road here but road at valley/a.lines:1:12"
    ]
    assert len(faults_of(tmp_path, a="river: 0101|0102", b="0101|0102 barrier=none")) == 1


# --- faults -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "column", "what", "hint"),
    [
        ('"Mill" river: 0202|0201 0101|0102', 25, "0101|0102 does not touch 0202|0201", "shares a corner"),
        ("river: 0202|0201 0201|0202", 18, "0201|0202 repeats the hexside before it", "shares a corner"),
        ("river: 0202|0201,0302 0201|0302", 23, "0201|0302 meets 0202|0302 at the corner where it began", "does not fork"),
        ("river: 0202|0101", 8, "0202 and 0101 are not adjacent", "adjacent to 0202: 0201"),
        ("river: 0202|0909", 8, "hex 0909 is off the map", "columns run from 1 to 4"),
        ("river: 0202|", 12, "| has no meaning here", ""),
        ("road: 0101 0103", 12, "0101 and 0103 are not adjacent", "each hex of a chain is adjacent to the one before"),
        ("road: 0101", 7, "a chain needs at least two hexes", "write "),
        ("road: 0101 0202|0201", 12, "hexes and hexsides in one chain", "write two entries"),
        ("road: 0101,0102", 11, "a comma has no meaning here", "HEX|NEXT,NEXT"),
        ("river: 0202|0201,,0302", 18, "a comma has no meaning here", ""),
        ("river: 0202|0201,", 17, "a hex is missing", "write "),
        ("road:", 5, "a hex is missing", "write "),
        (": 0101 0102", 1, "nothing before the colon says what lies there", "write "),
        ("road: 0101: 0102", 11, "a second colon in one entry", "begin the other entry"),
        ("raod: 0101 0102", 1, "'raod' is not a fact about a hexside", "nearest known: road"),
        ("town: 0101|0102", 1, "'town' is not a fact about a hexside", "known: "),
        ("lost=3: 0101 0102", 1, "'lost=3' is not a fact about a hexside", ""),
        ("road=raod: 0101 0102", 1, "road: 'raod' is not allowed", "nearest known: road"),
        ('road "Mill": 0101 0102', 6, '"Mill" has no meaning here', "a name comes first"),
        ("road, pipe: 0101 0102", 5, ", has no meaning here", ""),
        ("road: Reserve 0102", 7, "'Reserve' is not a hex number", "like 0202"),
        ("0101", 1, "the entry does not say what lies there", "write "),
        ("0101,", 5, "a hex is missing after the comma", "write "),
        ('"Mill"', 1, "a hex is missing after the name", "write "),
        ("0101 town?", 6, "'town?': a board holds no assumptions", "[drawn]"),
        ("0101 heigth=3", 6, "'heigth=3' is not a fact about a hex", "nearest known: height="),
        ("0101 height=12", 6, "height: 12 is not allowed", "from 0 to 9"),
        ("0101 road", 6, "'road' is not a fact about a hex", ""),
        ("0501 town", 1, "hex 0501 is off the map", ""),
        ("town", 1, "'town' is not a hex number", "like 0202"),
        ("0101|0103 river", 1, "0101 and 0103 are not adjacent", ""),
        ("0101|Reserve river", 1, "'Reserve' is not a hex number", ""),
        ("region: 0101 0102", 1, "a region without a name", 'write: "NAME" region: HEX HEX ...'),
        ('"Heath" region: 0101|0102', 17, "a label runs along hexes", "not hexsides"),
        ("0101 town [rulbook]", 12, "unknown source 'rulbook'", "nearest known: rulebook"),
        ("0101 town [rulebook since]", 12, "'' is not a date", "write 1914"),
        ("0101 town [since 14]", 12, "'14' is not a date", "write 1914"),
        ("0101 town [drawn] [drawn]", 20, "a second [...] in one entry", "at the end of the entry"),
        ("[drawn]", 2, "this [...] follows no entry", "after an entry"),
        ("0101 town [drawn", 11, "[ has no meaning here", "square brackets enclose"),
        ("source guess", 1, "unknown source 'guess'", "known: drawn"),
        ("SOURCE drawn: 0101", 13, ": has no meaning after a source", "in a separate line"),
        ("   0101 town", 1, "a line that begins with a space continues an entry, but there is none before it", "remove the space"),
        ('"Mill river: 0101|0102', 1, "a quotation mark is not closed", "in quotes"),
        ('"Mill" river: 0101|0102 [drawn "x]', 32, "a quotation mark is not closed", "in quotes"),
        ("0101; 0102 town", 5, "a semicolon has no meaning in notation", "write a comma"),
        ('"Mi\u2028ll" river: 0101|0102', 1, "'Mi\\u2028ll' has a character that cannot be printed", "type it again"),
        ('"Mill" river 0101|0102', 14, "a colon is missing before the hexes", "write "),
        ("road=road 0101 0102", 11, "a colon is missing before the hexes", "write "),
        ('"Mill" road:0101 0102', 8, "'road:0101' is not a hex number", "a space after the colon"),
        ("0101|0102 road=", 11, "road: '' is not allowed", "road"),
        ("0101|0102 barrier", 11, "'barrier' is not a fact about a hexside", "state its value: none or several of river, ridge"),
        ('"Heath" regoin: 0101 0102', 9, "'regoin' is not a fact about a hexside", "nearest known: region"),
        ("0101 town [since 1914-13]", 12, "'1914-13' is not a date", "write 1914"),
        ("0101 town []", 12, "this names no source", "name a source (rulebook"),
        ("source", 1, "this names no source", "name a source"),
        ("\u201cMill\u201d river: 0101|0102", 1, "\u201c is not allowed in notation", 'type " instead'),
        ("\u0661\u0662 town", 1, "'\u0661\u0662' is not a hex number", ""),
    ],
)  # fmt: skip
def test_faults_name_line_and_column(text: str, column: int, what: str, hint: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        drawn(tmp_path, more=f"# one line\n{text}\n")
    assert (caught.value.what, str(caught.value.where)) == (what, f"valley/more.lines:2:{column}")
    assert caught.value.hint and hint in caught.value.hint


def test_a_word_of_two_tracks_has_to_be_written_in_full(tmp_path: Path) -> None:
    both = {**TRACKS, "terrain": TRACKS["terrain"].__class__(**{f: getattr(TRACKS["terrain"], f) for f in TRACKS["terrain"].__struct_fields__} | {"token": "{}"})}  # fmt: skip
    with pytest.raises(InputError) as caught:
        read_board(folder_of(tmp_path, more="lake: 0101 0102"), both)
    assert caught.value.what == "'lake' can be a fact about hexsides or about hexes"
    assert caught.value.hint == "write barrier=lake or terrain=lake"
    board = read_board(folder_of(tmp_path, more="terrain=lake: 0101 0102\nlake: 0101|0102"), both)
    assert board.fact("terrain", "0102") == on_the_map("lake")
    assert board.fact("barrier", "0101|0102") == on_the_map(("lake",))


def test_each_fault_is_told_and_the_other_entries_are_read(tmp_path: Path) -> None:
    text = "road: 0101 0103\nroad: 0101 0102\n0101 twon\n0102 height=12\n  town\n0103 town\n"
    found: list[InputError] = []
    board = read_board(folder_of(tmp_path, more=text), TRACKS, found.append)
    assert [str(fault.where) for fault in found] == [
        "valley/more.lines:1:12",
        "valley/more.lines:3:6",
        "valley/more.lines:4:6",
    ]
    assert [*board.facts] == [("road", "0101|0102"), ("town", "0103")]


def test_more_facts_than_a_board_may_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_DRAWN", "3")
    with pytest.raises(InputError, match="the board holds more than 3 facts") as caught:
        drawn(tmp_path, more="road: 0101 0102 0202 0302 0402")
    assert caught.value.where and caught.value.where.line == 1


@given(text=st.text(alphabet='0123 |,:"[]#=?\n\troadviePegn', max_size=60))
def test_any_text_is_read_or_told(text: str) -> None:
    from assistant.game.boards.lines import LinesReader

    board = Board(name="", title="", grid=HexGrid(columns=(1, 4), rows=(1, 3)))
    found: list[InputError] = []
    LinesReader(board, TRACKS, Basis(Source.DRAWN), lambda *_: None).read(text, "any.lines", found.append)
    for fault in found:
        assert re.match(r"any\.lines:[1-9]", str(fault.where)), fault


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


def read_back(text: str) -> tuple[LinesReader, Facts]:
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
    assert read_back(text)[0].chains == [chain]
    assert all(len(line) <= WIDTH or '"' in line for line in text.splitlines())


@given(name=names.filter(bool), kind=st.sampled_from(LABELS), basis=bases, count=st.integers(1, 40))
def test_a_label_is_the_same(name: str, kind: str, basis: Basis, count: int) -> None:
    hexes = tuple(f"{1 + n % 9:02}{1 + n // 9:02}" for n in range(count))
    label = MapLabel(name=name, kind=kind, hexes=hexes, basis=basis, where=Where("a.lines", 1, 1))
    assert read_back(write_label(label, USUAL))[0].labels == [label]


@given(
    subjects=st.lists(st.sampled_from(["0101", "0505", "Reserve", "Army reserve"]), min_size=1, unique=True),
    facts=st.lists(of_hexes, min_size=1, max_size=3, unique_by=lambda fact: fact[0]),
    basis=bases,
)
def test_facts_of_hexes_are_the_same(subjects: list[str], facts: list[tuple[str, Value]], basis: Basis) -> None:
    expected = {(track, subject, value, basis) for track, value in facts for subject in subjects}
    assert {*read_back(write_facts(subjects, dict(facts), TRACKS, basis, USUAL))[1]} == expected


@given(
    subjects=st.lists(st.sampled_from(["0101|0102", "0102|0202", "0505|0506"]), min_size=1, unique=True),
    facts=st.lists(of_hexsides, min_size=1, max_size=3, unique_by=lambda fact: fact[0]),
    basis=bases,
)
def test_facts_of_hexsides_are_the_same(subjects: list[str], facts: list[tuple[str, Value]], basis: Basis) -> None:
    expected = {(track, subject, value, basis) for track, value in facts for subject in subjects}
    assert {*read_back(write_facts(subjects, dict(facts), TRACKS, basis, USUAL))[1]} == expected


@pytest.mark.parametrize("text", ["|", "?", "0101|0102", "whose?"])
def test_a_text_may_hold_the_signs_of_hexsides_and_doubts(text: str) -> None:
    ((track, subject, value, _),) = read_back(write_facts(["0101"], {"owner": text}, TRACKS, USUAL, USUAL))[1]
    assert (track, subject, value) == ("owner", "0101", text)


def test_a_flag_whose_word_another_track_has_is_named() -> None:
    tracks = {**TRACKS, "pipe": msgspec.structs.replace(TRACKS["pipe"], token="wood")}
    assert [write_fact(tracks, "pipe", True), write_fact(TRACKS, "pipe", True)] == ["pipe=yes", "pipe"]
