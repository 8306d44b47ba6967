"""Streams of commands: sequences that come apart again, every form in which they come, and changes of some of them."""

from __future__ import annotations

import errno
import io
import lzma
import zipfile
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.formats.vassal.archives import Archive
from assistant.formats.vassal.containers import ESCAPE, ModuleData, read_module_data, write_container, write_module_data
from assistant.formats.vassal.saves import edit_stream
from assistant.formats.vassal.sequence import bare, fold, join, split, unfold
from assistant.formats.vassal.streams import deobfuscate, join_commands, obfuscate, split_commands
from assistant.util.errors import InputError
from tests.saves import read_container

from ....cases import examples

COMMAND = st.text(alphabet="ab'\\/\tä", min_size=1, max_size=6).filter(
    lambda text: text[-1] != "\\" and bare(text) == text
)
NESTED = st.recursive(COMMAND, lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=9)
Nested = str | list["Nested"]


def written(nested: Nested) -> str:
    """Commands within commands, as VASSAL nests them."""
    return nested if isinstance(nested, str) else join(["", *map(written, nested)], ESCAPE)


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


def test_commands_are_changed_with_apostrophes_and_backslashes_as_they_are() -> None:
    assert list(split_commands(b"''a''")) == ["a"]
    assert list(split_commands(b"b\x1b'''a'''")) == ["b", "a"]
    stream = written(["a", ["b", "c"]]).encode()
    assert list(split_commands(edit_stream(stream, {0: [], 1: ["x", "b"]}, ["LOG\ty"]))) == ["x", "b", "c", "LOG\ty"]


def test_a_command_that_is_not_there_or_ends_in_a_backslash() -> None:
    with pytest.raises(IndexError, match="no command 3"):
        edit_stream(b"a\x1bb", {3: ["c"]})
    assert edit_stream(b"a\x1bb\\", {0: ["c"]}) == b"c\x1bb\\"
    with pytest.raises(ValueError, match="none can follow"):
        edit_stream(b"a\x1bb\\", {}, ["c"])


DELIMITERS = "\t;,/|:+\x1b"
SIGNS = st.text(alphabet="ab'\\ ä" + DELIMITERS, max_size=8)
TOKEN = SIGNS.filter(lambda text: not text.endswith("\\"))
DELIMITER = st.sampled_from(DELIMITERS)


def naive_split(text: str, delimiter: str) -> list[str]:
    """Sign by sign, as the decoder of VASSAL goes."""
    tokens = [""]
    for at, sign in enumerate(text):
        if sign != delimiter:
            tokens[-1] += sign
        elif at and text[at - 1] == "\\":
            tokens[-1] = tokens[-1][:-1] + delimiter
        else:
            tokens.append("")
    return [one[1:-1] if len(one) > 1 and one[0] == one[-1] == "'" else one for one in tokens]


def naive_unfold(text: str, count: int) -> list[str]:
    """Level by level: a trait, and all that is within it, until nothing is within."""
    if count == 1 or "\t" not in text:
        return [text]
    trait, *within = naive_split(text, "\t")
    return [trait, *naive_unfold(within[0], count - 1)] if within else [trait]


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (["a", "b"], "a;b"),
        (["a;b", "c"], r"a\;b;c"),
        (["", ""], ";"),
        (["a", ""], "a;"),
        ([r"\a", "b"], r"'\a';b"),
        (["'a'", "'"], "''a'';'''"),
        ([r"a\;b"], r"a\\;b"),
        (["'a"], "'a"),
    ],
)
def test_tokens_stand_with_a_delimiter_between_them(tokens: list[str], text: str) -> None:
    assert join(tokens, ";") == text
    assert split(text, ";") == tokens


@pytest.mark.parametrize("token", ["\\", "a\\", "'\\"])
def test_a_token_that_would_not_come_back_is_refused(token: str) -> None:
    with pytest.raises(ValueError, match="ends in a backslash"):
        join(["a", token, "b"], ";")


@given(st.lists(TOKEN, min_size=1, max_size=5), DELIMITER)
def test_tokens_come_back(tokens: list[str], delimiter: str) -> None:
    assert split(join(tokens, delimiter), delimiter) == tokens


@given(SIGNS | st.text(max_size=10), DELIMITER)
def test_any_text_comes_apart_as_in_vassal(text: str, delimiter: str) -> None:
    assert split(text, delimiter) == naive_split(text, delimiter)


# --- traits in one another --------------------------------------------------------------------------------------------


@given(st.lists(TOKEN, min_size=1, max_size=6))
def test_traits_come_back_where_their_number_is_known(parts: list[str]) -> None:
    assert unfold(fold(parts), len(parts)) == parts


@given(st.lists(TOKEN, max_size=5), TOKEN.filter(lambda text: "\t" not in text))
def test_traits_come_back_where_the_innermost_has_no_tab(outer: list[str], innermost: str) -> None:
    assert unfold(fold([*outer, innermost])) == [*outer, innermost]


@given(st.text(alphabet="a'\\\t", max_size=14) | st.lists(TOKEN, min_size=1, max_size=5).map(fold), st.integers(0, 5))
def test_unfolding_takes_no_short_cut_that_matters(text: str, count: int) -> None:
    assert unfold(text, count) == naive_unfold(text, count)


@given(st.lists(TOKEN, min_size=1, max_size=6))
def test_folding_takes_no_short_cut_that_matters(parts: list[str]) -> None:
    *outer, text = parts
    for part in reversed(outer):
        text = join((part, text), "\t")
    assert fold(parts) == text


def test_a_piece_of_many_traits_is_none() -> None:
    with pytest.raises(InputError, match="a piece has more than 1000 traits"):
        unfold(fold(["'a'", *map(str, range(1100))]))


TEXT = st.text(alphabet=st.characters(codec="utf-8"), max_size=40)


def zipped(method: int = zipfile.ZIP_DEFLATED, **files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as container:
        for name, data in files.items():
            container.writestr(name, data)
    return out.getvalue()


# --- files ------------------------------------------------------------------------------------------------------------


def test_files_come_back_and_are_the_same_bytes_each_time() -> None:
    files = {"savedGame": b"text" * 100, "moduledata": b"<data/>", "setup.vsav": b"PK", "help.html": "ä".encode()}
    assert read_container(write_container(files)) == files
    assert write_container(files) == write_container(dict(files))


@given(
    st.binary(max_size=60).map(lambda data: data * 2000),
    st.sampled_from([zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]),
    st.integers(-2, 2),
)
@settings(max_examples=examples(60))
def test_of_an_entry_no_more_than_one_byte_is_inflated_beyond_what_is_asked_for(
    data: bytes, method: int, more: int
) -> None:
    archive = Archive(zipped(method, entry=data))
    for most in (0, 1, 7, 2**15, len(data) + more):
        chunks = list(archive.chunks("entry", most))
        assert max(map(len, chunks), default=0) <= 2**15
        assert b"".join(chunks) == data[: max(most + 1, 0)]
    archive.close()


def test_too_much_in_one_file_or_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_ENTRY", "1M")
    with pytest.raises(InputError, match="savedGame unpacks to more than 1 MiB"):
        read_container(zipped(savedGame=bytes(2**20 + 1)))
    monkeypatch.setenv("FIELD_STAFF_LIMIT_CONTAINER", "1M")
    files = {f"file {number}": bytes(2**17) for number in range(9)}
    with pytest.raises(InputError, match="it unpacks to more than 1 MiB"):
        read_container(zipped(**files))
    monkeypatch.setenv("FIELD_STAFF_LIMIT_TEXT", "1M")
    with pytest.raises(InputError, match="savedGame unpacks to more than 1 MiB"):
        deobfuscate(lzma.compress(bytes(2**21)))


def test_a_file_that_lies_about_its_size_gives_no_more_than_it_said() -> None:
    data = zipped(a=bytes(10**6))
    small = data.replace((10**6).to_bytes(4, "little"), (100).to_bytes(4, "little"))
    with pytest.raises(InputError, match="not a readable zip file: a does not match the archive's directory"):
        read_container(small)


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip file", b"PK\x05\x06" + bytes(18)[:-1], bytes(100)])
def test_no_zip_file(data: bytes) -> None:
    with pytest.raises(InputError, match="not a readable zip file"):
        read_container(data)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_file_is_said_to_be_one(method: int) -> None:
    """Each byte of it changed in its turn, and cut off after each."""
    data = zipped(method, savedGame=b"begin_save" * 3, moduledata=b"<data/>")
    damaged = [data[:at] for at in range(len(data))]
    damaged += [data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :] for at in range(len(data)) for flip in (1, 0x80)]
    for one in damaged:
        try:
            read_container(one)
        except InputError as error:
            assert "not a readable zip file" in error.what or "more than" in error.what


# --- the disguise -----------------------------------------------------------------------------------------------------


@given(TEXT, st.integers(0, 255))
def test_a_disguise_comes_off(text: str, key: int) -> None:
    told = obfuscate(text, key)
    assert deobfuscate(told).decode() == text
    assert told[:7] == b"!VCSK" + f"{key:02x}".encode()
    assert deobfuscate(lzma.compress(told)).decode() == text
    turned = bytes(byte ^ key for byte in text.encode())
    assert deobfuscate(b"VOBS" + bytes([key]) + turned).decode() == text


@pytest.mark.parametrize("text", ["", "begin_save", "+/1/piece;;;a;Löwe/Map;1;2;;0\x1bend_save"])
def test_plain_text_and_packed_text_are_read_too(text: str) -> None:
    assert deobfuscate(text.encode()).decode() == text
    assert deobfuscate(lzma.compress(text.encode())).decode() == text


@pytest.mark.parametrize(
    "data",
    [
        b"!VCSK",
        b"!VCSKxx00",
        b"!VCSK-100",
        b"!VCSK5a0",
        b"!VCSK5azz",
        b"!VCSK00ff",
        b"!VCSK5a\xc3\xa4",
        b"VOBS",
        b"VOBS\x00\xff",
        b"\xff\xfe",
        b"\xfd7zXZ\x00",
        b"\xfd7zXZ\x00" + bytes(30),
        lzma.compress(b"begin_save" * 9)[:-30],
        lzma.compress(b"\xff"),
    ],
)
def test_commands_that_cannot_be_read(data: bytes) -> None:
    with pytest.raises(InputError, match="savedGame cannot be read"):
        list(split_commands(deobfuscate(data)))


@given(st.binary(max_size=40), st.sampled_from([b"", b"!VCSK", b"VOBS", b"\xfd7zXZ\x00"]))
def test_any_bytes_are_text_or_an_input_error(data: bytes, head: bytes) -> None:
    with suppress(InputError):
        assert isinstance(list(split_commands(deobfuscate(head + data))), list)


# --- commands ---------------------------------------------------------------------------------------------------------

PLAIN_COMMAND = st.text(alphabet="ab'/\\\t", min_size=1, max_size=8).filter(
    lambda text: not {*text[:1], *text[-1:]} & {*"\\'"}
)


@given(st.recursive(PLAIN_COMMAND, lambda inner: st.lists(inner, min_size=2, max_size=4), max_leaves=12))
def test_nested_commands_come_in_turn_however_deep(tree: str | list[object]) -> None:
    def stream(part: object) -> str:
        return join_commands([stream(one) for one in part]) if isinstance(part, list) else str(part)

    def leaves(part: object) -> list[str]:
        return [leaf for one in part for leaf in leaves(one)] if isinstance(part, list) else [str(part)]

    assert list(split_commands(stream(tree).encode())) == leaves(tree)


def test_empty_commands_and_escapes_too_many_are_nothing() -> None:
    assert list(split_commands(b"\x1ba\x1b\x1bb\x1b")) == ["a", "b"]
    assert list(split_commands(b"")) == []
    assert list(split_commands(b"a\\\x1bb")) == ["a", "b"]


def test_commands_nested_deeper_than_any_save_nests_them() -> None:
    text = "a"
    for _ in range(40):
        text = join_commands([text, "b"])
    with pytest.raises(InputError, match="nests commands by more than 32 levels"):
        list(split_commands(text.encode()))


# --- what a container says of itself ----------------------------------------------------------------------------------

SAID = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=0x2FFF), max_size=20)


@given(SAID, SAID, SAID, SAID)
def test_facts_come_back(module: str, version: str, vassal: str, description: str) -> None:
    facts = ModuleData(module or "Game", version, vassal, description)
    assert read_module_data(write_module_data(facts)) == facts


def test_facts_of_a_save_name_no_module_and_a_disk_that_fails_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert b"<name" not in write_module_data(ModuleData("", "", "3.6.0", "text"))
    file = tmp_path / "a.vsav"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("savedGame", "x")

    class Failing(io.FileIO):
        def read(self, _: int | None = -1) -> bytes:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Path, "open", lambda path, mode: Failing(path))
    with pytest.raises(InputError) as raised:
        Archive(file)
    assert str(raised.value) == f"{file}: Input/output error\n  check that disk"


@pytest.mark.parametrize("translation", ['<name lang="es">Juego</name>', '<name lang="Juego">es</name>'])
def test_a_translation_is_not_the_name(translation: str) -> None:
    data = f"<data><name>Game</name>{translation}<version>1</version></data>"  # the second as VASSAL 3.5 writes it
    assert read_module_data(data.encode()) == ModuleData("Game", "1", "", "")


BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<data",
        b"\xff\xff",
        b"<data><name>a</data>",
        b"<data><name>\xff</name></data>",
        '<?xml version="1.0" encoding="utf-16"?><data/>'.encode("utf-16"),
        f'<!DOCTYPE data [<!ENTITY e0 "lol">{BOMB}]><data><name>&e9;</name></data>'.encode(),
        f'<!DOCTYPE data [<!ENTITY e0 "lol">{BOMB}]><data name="&e9;"/>'.encode(),
        b'<!DOCTYPE data [<!ENTITY file SYSTEM "file:///etc/passwd">]><data><name>&file;</name></data>',
        b'<!DOCTYPE data SYSTEM "http://127.0.0.1:9/data.dtd"><data/>',
        b"<a>" * 400 + b"</a>" * 400,
    ],
)
def test_facts_that_are_broken_or_mean_harm(data: bytes) -> None:
    with pytest.raises(InputError, match="moduledata or savedata"):
        read_module_data(data)


@given(st.binary(max_size=60) | TEXT.map(lambda text: f"<data><name>{text}</name></data>".encode(errors="replace")))
@settings(max_examples=examples(50))
def test_any_bytes_are_facts_or_an_input_error(data: bytes) -> None:
    with suppress(InputError):
        assert isinstance(read_module_data(data), ModuleData)
