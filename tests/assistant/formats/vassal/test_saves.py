"""Saves: what is written is read back, byte by byte the same each time; odd or damaged ones, and those with many empty stacks."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.formats.vassal.containers import COMMANDS, ESCAPE, ModuleData, write_container
from assistant.formats.vassal.pieces import Piece, PieceStack, read_added, unknown_kinds, write_definition
from assistant.formats.vassal.saves import Save, read_commands, read_save, write_commands, write_save
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.streams import deobfuscate, obfuscate
from assistant.formats.vassal.traits import LabelTrait, LayerTrait, Trait, marker_trait
from assistant.util.errors import InputError
from tests.growth import grows_evenly
from tests.saves import read_container

from ....cases import examples, thorough

TEXT = st.text(alphabet="abÄß€ '+-,;/\\:|\t$\n", max_size=10).filter(lambda text: not text.endswith("\\"))
NAME = TEXT.filter(lambda text: text and text != "null" and not text.startswith("@@"))
LINES = st.lists(st.text(alphabet="ab|\\'\t;/ ä", max_size=8).filter(lambda line: not line.endswith("\\")), max_size=5)
PIXEL = st.tuples(st.integers(-50, 9000), st.integers(-50, 9000))
LAYER = LayerTrait("Steps", ("", "a.png", "b.png"), ("", "+ (-1)", "small +"))


@st.composite
def traits(draw: st.DrawFn) -> tuple[Trait, ...]:
    kinds = st.one_of(
        st.builds(Trait, st.just(LAYER.type), st.integers(-3, 3).map(str)),
        st.builds(lambda name, text: Trait(LabelTrait(name, "Write").type, text), NAME, TEXT),
        st.builds(marker_trait, st.dictionaries(NAME, TEXT, min_size=1, max_size=3)),
        st.builds(lambda type, state: Trait(f"strange;{type}", state), TEXT, TEXT),
    )
    name = draw(NAME.filter(lambda text: "\t" not in text))
    basic = Trait(f"piece;;;image.png;{name.replace(';', chr(92) + ';')}".removesuffix("\\"))
    return (*draw(st.lists(kinds, max_size=4)), basic)


@st.composite
def saves(draw: st.DrawFn) -> Save:
    ids = draw(st.lists(NAME, max_size=6, unique=True))
    maps = st.sampled_from(["Map", "Karte/2; \\x", ""])
    pieces, stacks = {}, {}
    for number, id in enumerate(ids):
        noted = draw(st.lists(st.tuples(NAME, TEXT), max_size=2))
        pieces[id] = Piece(id, draw(traits()), draw(maps), draw(PIXEL), draw(TEXT), tuple(noted))
        if number % 3 == 2:
            under = ids[number - 1]
            stacks[f"stack {id}"] = PieceStack(f"stack {id}", (under, id), pieces[id].map, pieces[id].at)
            pieces[under] = pieces[under]._replace(map=pieces[id].map, at=pieces[id].at)
    boards = st.lists(st.tuples(NAME, st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=3).map(tuple)
    tracker = st.text(alphabet="abÄ0", max_size=4)
    return Save(
        about=ModuleData("Game", "1.0", "3.6.0", "some text"),
        boards=draw(st.dictionaries(st.sampled_from(["Map", "Übersicht"]), boards)),
        pieces=pieces,
        stacks=stacks,
        notes="\n".join(draw(LINES)),
        public_notes="\n".join(draw(LINES)),
        properties=draw(st.dictionaries(st.tuples(NAME, NAME), TEXT, max_size=3)),
        turns=draw(st.dictionaries(tracker, TEXT, max_size=2)),
        players=tuple(draw(st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=2, unique=True))),
        steps=tuple(draw(st.lists(st.sampled_from(["CHATa\tb", "-/1", "M/1/Map/2/3/null/Map/4/5/null/me"])))),
        loaded=tuple(draw(st.lists(st.sampled_from(["EXT\tMore\t1.0", "PLUGIN\tfield-staff\t1.0"])))),
        unread=tuple(draw(st.lists(st.sampled_from(["STRANGE\t1;2", "strange"])))),
        complete=draw(st.booleans()),
    )


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # a busy machine
@given(saves())
def test_a_save_comes_back(save: Save) -> None:
    data = write_save(save)
    assert read_save(data) == save
    assert write_save(read_save(data)) == data


def save_of(*commands: str) -> Save:
    return read_commands(["begin_save", *commands, "end_save"])


def test_a_save_by_hand() -> None:
    save = save_of(
        "MapBoardPicker\tEast\t0\t0\tWest/rev\t1\t0",
        "+/1/mark;unit\tpiece;;;a.png;1\\/1/1\\/1\tMap;10;-20;7;1;Old;x",
        "+/2/piece;;;b.png;Second/null;0;0;;0",
        "+/3/stack/Map;10;-20;1;@@0",
        "GlobalProperty\t;Weather;Mud;Module",
        "TURNTracker\t0|3;0;false;0",
        "PLAYER\tid\tName\tRed",
        "NOTES\tone||two",
        "PNOTES\t",
    )
    assert save.boards == {"Map": (("East", 0, 0), ("West/rev", 1, 0))}
    first = Trait("mark;unit", "1/1"), Trait("piece;;;a.png;1/1")
    assert save.pieces == {
        "1": Piece("1", first, "Map", (10, -20), "7", (("Old", "x"),)),
        "2": Piece("2", (Trait("piece;;;b.png;Second"),)),
    }
    assert save.stacks == {"3": PieceStack("3", ("1",), "Map", (10, -20))}
    assert save.properties == {("Module", "Weather"): "Mud"}
    assert (save.turns, save.players) == ({"Tracker": "0|3;0;false;0"}, (("id", "Name", "Red"),))
    assert (save.notes, save.public_notes, save.unread, save.complete) == ("one\n\ntwo", "", (), True)


def test_unknown_commands_and_pieces_without_ids_are_kept() -> None:
    save = save_of("SETUP_STACK\t", "STRANGE\ta;b", "OTHER")
    assert save.unread == ("STRANGE\ta;b", "OTHER")
    assert [command for command in write_commands(save) if command in save.unread] == ["STRANGE\ta;b", "OTHER"]
    save = save_of("+/null1/piece;;;;A/null;0;0;;0", *["+/null/piece;;;;B/Map;1;1;;0"] * 2, "+//piece;;;;C/Map;1;1;;0")
    assert [piece.name for piece in save.pieces.values()] == ["A", "B", "B", "C"]
    assert set(save.pieces) == {"null1", "null2", "null3", "null4"}


def test_extensions_and_plugins_that_were_loaded_are_known_and_kept() -> None:
    loaded = ("EXT\tMore counters\t1.0", "PLUGIN\tfield-staff\t1.0")
    save = save_of("SETUP_STACK\t", *loaded)
    assert (save.loaded, save.unread) == (loaded, ())
    assert [command for command in write_commands(save) if command in loaded] == [*loaded]


DECK = ";".join(
    ["deck", "true", "0,0,0", "370", "500", "Never", "Never", *["false"] * 3, "", "", "", "Russian Deck", ""]
)


def test_decks_lie_where_they_lie_and_stacks_with_their_pieces() -> None:
    deck = f"+/d/{DECK}/Map;5;6;true;1,2"
    save = save_of("+/1/piece;;;;A/null;0;0;;0", "+/2/piece;;;;B/Other;9;9;;0", deck)
    found = save.stacks["d"]
    assert (found.name, found.pieces, found.face_down) == ("Russian Deck", ("1", "2"), True)
    assert [(card.map, card.at) for card in save.pieces.values()] == [("Map", (5, 6))] * 2
    assert deck in write_commands(save)
    save = save_of("+/1/piece;;;;A/null;0;0;;0", "+/s/stack/Map;5;6;1;@@0")
    assert (save.pieces["1"].map, save.pieces["1"].at) == ("Map", (5, 6))
    found = [read_added(f"+/1/{rest}") for rest in ("piece;/null;0;0;;0", "stack/null;0;0", "deck;/null;0;0;false")]
    assert [type(one) for one in found] == [Piece, PieceStack, PieceStack]


@pytest.mark.parametrize("state", ["Map;5;6;false", "Map;5;6;false;1"])
def test_decks_are_written_as_they_were(state: str) -> None:
    assert f"+/d/{DECK}/{state}" in write_commands(save_of(f"+/d/{DECK}/{state}"))


@pytest.mark.parametrize("state", ["Map;1;2", "Map;1;2;@@0", "Map;1;2;7;8;@@-1", "Map;1;2;@@10", "null;1;2;7"])
def test_stacks_are_written_as_they_were(state: str) -> None:
    assert f"+/s/stack/{state}" in write_commands(save_of(f"+/s/stack/{state}"))


@pytest.mark.parametrize("form", [str.encode, obfuscate])
def test_a_save_of_an_old_engine_has_no_container(form: Callable[[str], bytes]) -> None:
    save = read_save(form("begin_save\x1b+/1/piece;;;;A/Map;1;1\x1bend_save"))
    assert [piece.name for piece in save.pieces.values()] == ["A"]
    assert save.complete


def test_a_save_that_was_not_finished_or_is_none() -> None:
    assert not read_commands(["begin_save", "PNOTES\ta"]).complete
    with pytest.raises(InputError, match="savedGame is missing"):
        read_save(write_container({"moduledata": b"<data/>"}))


@pytest.mark.parametrize(
    "command",
    [
        "+/",
        "+/1",
        "+/1/piece;;;;A",
        "+/1/piece;;;;A/",
        "+/1/piece;;;;A/Map;1",
        "+/1/piece;;;;A/Map;x;y;;0",
        "+/1/piece;;;;A/Map;1;2;;0/more",
        "+/1/mark;a\tpiece;;;;A/Map;1;2;;0",
        "+/1/mark;a\tmark;b\\\tpiece;;;;A/x\ty",
        "+/1/piece;;;;A/Map;9999999999;2;;0",
        f"+/1/piece;;;;A/Map;{'9' * 5000};2;;0",
        "+/1/stack/",
        "+/1/stack/Map",
        "+/1/stack/Map;1",
        "+/1/stack/Map;a;b;c",
        "GlobalProperty\ta",
        "MapBoardPicker\tEast\tx\ty",
    ],
)
def test_a_command_that_is_cut_off(command: str) -> None:
    with pytest.raises(InputError, match="cannot be read") as caught:
        save_of(command)
    assert command[:8] in caught.value.what


def test_what_newer_engines_add_is_kept() -> None:
    """The newest one gives each piece an id of its own among its properties, and ends a layer with two fields more."""
    piece = Piece(
        "7", (Trait(f"{LAYER.type};;true", "2"), Trait("piece;;;a.png;Unit")), "Map", (1, 2), "3", (("UniqueID", "7"),)
    )
    save = read_save(write_save(Save(pieces={"7": piece})))
    assert save.pieces == {"7": piece}
    assert write_definition(save.pieces["7"]).endswith("Map;1;2;3;1;UniqueID;7")
    assert save.pieces["7"].name == "Unit (-1)"


def named(*outer: Trait) -> str:
    return Piece("1", (*outer, Trait("piece;;;a.png;1\\;1 'lw'"))).name


@pytest.mark.parametrize(
    ("outer", "name"),
    [
        ((), "1;1 'lw'"),
        ((Trait(LAYER.type, "1"),), "1;1 'lw'"),
        ((Trait(LAYER.type, "2"),), "1;1 'lw' (-1)"),
        ((Trait(LAYER.type, "3"),), "small 1;1 'lw'"),
        ((Trait(LAYER.type, "-2"),), "1;1 'lw'"),
        ((Trait(LAYER.type, "9"),), "small 1;1 'lw'"),
        ((Trait(LayerTrait("x", ("",), ("Wreck",)).type, "1"), Trait(LAYER.type, "2")), "Wreck"),
        ((Trait(LAYER.type, "2"), Trait(LayerTrait("x", ("",), ("Wreck",)).type, "1")), "Wreck (-1)"),
        ((Trait(LabelTrait("x", "").type, "hurt"),), "1;1 'lw' (hurt)"),
        ((Trait(LabelTrait("x", "", "", "$label$ for $pieceName$").type, "$TextLabel$hurt"),), "hurt for 1;1 'lw'"),
        ((Trait(LabelTrait("x", "", "", "$label$ for $pieceName$$other$").type, "05"),), "5 for 1;1 'lw'$other$"),
        ((Trait(LabelTrait("x", "", "", "").type, "hurt"),), ""),
        ((Trait(LabelTrait("x", "", "", "($label$)", always=True).type, ""),), "()"),
        ((Trait(LabelTrait("x", "", "", "$of$ $label$").type, "$of$"), Trait("mark;of", "gd")), "gd gd"),
        ((Trait(LabelTrait("x", "").type, ""), Trait("mark;a", "b")), "1;1 'lw'"),
    ],
)
def test_a_piece_is_called_what_vassal_calls_it(outer: tuple[Trait, ...], name: str) -> None:
    assert named(*outer) == name


def test_the_marker_further_out_counts_and_unknown_kinds_of_traits_are_named() -> None:
    piece = Piece("1", (marker_trait({"a": "1"}), marker_trait({"a": "2", "b": "3"}), Trait("piece;;;;")))
    assert piece.marks() == {"a": "1", "b": "3"}
    piece = Piece("1", (Trait("odd;1"), Trait("odd;2"), Trait("mark;a"), Trait("piece;")))
    assert unknown_kinds(piece) == ["odd"]


# --- files ------------------------------------------------------------------------------------------------------------


def example() -> Save:
    piece = Piece(
        "1", (marker_trait({"unit": "1/1"}), Trait(LAYER.type, "2"), Trait("piece;;;;1/1")), "Map", (5, 5), "7"
    )
    return Save(
        about=ModuleData("Game"),
        pieces={"1": piece},
        stacks={"s": PieceStack("s", ("1",), "Map", (5, 5))},
        notes="a\nb",
    )


def is_read_or_refused(data: bytes) -> None:
    try:
        assert isinstance(read_save(data), Save)
    except InputError as error:
        assert error.what


@given(st.binary(max_size=200))
def test_any_bytes_are_a_save_or_an_input_error(data: bytes) -> None:
    is_read_or_refused(data)
    is_read_or_refused(write_container({COMMANDS: data}))


@given(st.integers(0, 10**6), st.integers(1, 255), st.booleans())
def test_a_damaged_file_is_a_save_or_an_input_error(at: int, flip: int, cut: bool) -> None:
    data = bytearray(write_save(example()))
    data[at % len(data)] ^= flip
    is_read_or_refused(bytes(data[: at % len(data)] if cut else data))


STREAM = deobfuscate(read_container(write_save(example()))[COMMANDS]).decode()
SIGNS = st.sampled_from([*"\x1b\t/;\\'|-9", "+/", "stack", "null", "²", "D/", "LOG\t", "NOTES\t", "TURN", "deck;"])


@given(st.lists(st.tuples(st.integers(0, len(STREAM)), st.integers(0, 4), SIGNS), min_size=1, max_size=6))
@settings(max_examples=examples(200))
def test_changed_commands_are_a_save_or_an_input_error(changes: list[tuple[int, int, str]]) -> None:
    text = STREAM
    for at, out, sign in changes:
        text = text[:at] + sign + text[at + out :]
    is_read_or_refused(write_container({COMMANDS: obfuscate(text)}))


def save_with_stacks(stacks: int, pieces: int = 300) -> bytes:
    """The file of a save with so many empty stacks, nested as the engine nests them."""
    units = [f"+/{n}/emb2;a,b\tpiece;;;a.png;Unit {n}/1\tMap;{n};{n};{n};0" for n in range(pieces)]
    empty = [f"+/{10**12 + n}/stack/Map;{n % 4000};{n % 3000};@@0" for n in range(stacks)]
    return write_container(
        {COMMANDS: obfuscate(ESCAPE.join(["begin_save", join(["", *units, *empty], ESCAPE), "end_save"]))}
    )


@thorough
def test_empty_stacks_are_no_pieces_and_count_against_no_limit_of_pieces() -> None:
    save = read_save(save_with_stacks(65_000))
    assert (len(save.pieces), len(save.stacks)) == (300, 65_000)


@thorough
def test_many_empty_stacks_take_time_and_memory_in_proportion(tmp_path: Path) -> None:
    """Memory above what the program takes anyway: under three times the decoded commands and 30 MiB."""

    def reading(count: int) -> Callable[[], object]:
        data = save_with_stacks(count, pieces=0)
        return lambda: read_save(data)

    assert grows_evenly(reading, larger=100)
    file = tmp_path / "many.vsav"
    file.write_bytes(save_with_stacks(65_000))
    measure = (
        "import resource, sys; from pathlib import Path\n"
        "from assistant.formats.vassal.saves import read_save\n"
        "data = Path(sys.argv[1]).read_bytes()\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "kept = read_save(data)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", measure, str(file)], capture_output=True, text=True, check=True)
    decoded = 65_000 * len("+/1000000000000/stack/Map;1000;1000;@@0\\\x1b")
    kib = int(done.stdout) / (1024 if sys.platform == "darwin" else 1)
    assert kib * 1024 < 3 * decoded + 30 * 2**20


def test_what_is_written_is_an_ordinary_zip_file() -> None:
    with zipfile.ZipFile(BytesIO(write_save(example()))) as container:
        assert container.testzip() is None
        assert [entry.filename for entry in container.infolist()] == ["savedGame", "savedata", "moduledata"]
