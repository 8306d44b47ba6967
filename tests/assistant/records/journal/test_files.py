"""The file of a journal: nothing that was acknowledged is ever lost, and what was cut off is never read as something else."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.records.journal import files
from assistant.records.journal.files import JournalText, append_entries, create, parse_journal, parse_more
from assistant.records.journal.lines import JournalLine, compute_check, write_entry
from assistant.util.errors import InputError
from assistant.util.writing import Unsettled

from ....cases import thorough

FIRST = "journal small-war 1"
ROOT = Path(__file__).parents[4]
HEAD = f"{FIRST} ~{compute_check(FIRST)}\nsetup august\n"
ENTRIES = ["aug14/1 ru dm 22 Ford", "aug14/2 ru dm 12", "aug14/3 fact 0102: A1 # a note", "aug14/3 amend 1 222"]


def read_journal(file: Path) -> JournalText:
    return parse_journal(file.read_bytes(), str(file))


def line_of(number: int, text: str) -> str:
    turn, head, rest = text.split(" ", 2)
    return write_entry(JournalLine(number, turn, (), head, rest))


def written() -> bytes:
    return (HEAD + "".join(f"{line_of(number, text)}\n" for number, text in enumerate(ENTRIES, 1))).encode()


def add(file: Path, text: str) -> Path | None:
    def prepare(data: bytes) -> tuple[Sequence[str], None]:
        known = parse_journal(data, str(file))
        return [line_of(known.lines[-1].number + 1 if known.lines else 1, text)], None

    return append_entries(file, prepare)[1]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "war.journal"
    path.write_bytes(written())
    return path


@pytest.mark.parametrize("first", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_cut_at_every_byte_it_loses_that_entry_alone(first: bytes, end: bytes) -> None:
    data = first + written().replace(b"\n", end)
    whole = parse_journal(data, "war.journal").lines
    assert len(whole) == len(ENTRIES)
    ends = [at + 1 for at, byte in enumerate(data) if byte == 10]
    for cut in range(ends[0], len(data) + 1):
        last = max(at for at in ends if at <= cut)
        kept, rest = max(0, ends.index(last) - 1), data[last:cut]
        text = parse_journal(data[:cut], "war.journal")
        if last >= ends[1] and rest and data[cut] in b"\r\n":  # only the line end is missing
            assert text.lines == whole[: kept + 1] and not text.remnant, cut
        else:
            assert text.lines == whole[:kept] and text.remnant == rest, cut


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_of_a_typed_line_of_several_entries_all_count_or_none(tmp_path: Path, end: bytes) -> None:
    texts = [
        "1 aug14/1 ru dm 22",
        "2 aug14/2 and ru dm 1",
        "3 aug14/2 and late ru dm 2",
        "4 aug14/2 tap=0123456789ab ru dm 3",
    ]
    rows = [HEAD.encode().removesuffix(b"\n"), *(f"{text} ~{compute_check(text)}".encode() for text in texts)]
    data = end.join([*rows, b""])
    first = len(end.join([*rows[:2], b""]))
    for cut in range(first, len(data) + 1):
        text = parse_journal(data[:cut], "war.journal")
        is_whole = cut >= len(data.rstrip())
        assert len(text.lines) == (4 if is_whole else 1), cut
        assert text.remnant == (b"" if is_whole else data[first:cut]), cut
    file = tmp_path / "war.journal"
    file.write_bytes(data[: -len(rows[-1]) - len(end)])
    begun = parse_journal(data[:first], "war.journal")
    assert parse_more(begun, data[:first], file.read_bytes()[first:], "war.journal") is None
    aside = add(file, "aug14/2 ru dm 9")
    assert aside is not None and aside.read_bytes() == data[first : -len(rows[-1]) - len(end)]
    assert [line.rest for line in read_journal(file).lines] == ["dm 22", "dm 9"]


def test_entries_of_a_typed_line_that_was_cut_off_are_not_copied_once_for_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copied = list[int]()

    class Counted(bytes):
        def __getitem__(self, at: Any) -> Any:
            part = super().__getitem__(at)
            copied.append(len(part))
            return Counted(part)

    without_half_line = files._without_half_line
    monkeypatch.setattr(files, "_without_half_line", lambda data: Counted(without_half_line(data)))
    texts = [f"{number} aug14/1 and ru dm 9" for number in range(1, 201)]
    rows = "".join(f"{text} ~{compute_check(text)}\n" for text in texts).encode()
    text = parse_journal(HEAD.encode() + rows, "war.journal")
    assert (len(text.lines), text.remnant) == (0, rows)
    assert sum(copied) < 2 * len(HEAD.encode() + rows)


def test_cut_in_its_first_line_it_is_refused_or_empty() -> None:
    for cut in range(written().index(b"\n")):
        with suppress(InputError):
            assert not parse_journal(written()[:cut], "war.journal").lines


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("ended", [True, False])
def test_the_first_entry_that_is_added_to_a_journal_written_by_hand_is_never_read_as_another(
    tmp_path: Path, end: bytes, ended: bool
) -> None:
    file = tmp_path / "war.journal"
    by_hand = end.join([FIRST.encode(), b"1 aug14/1 ru dm 22", b"2 aug14/2 ru dm 3"]) + end * ended
    file.write_bytes(by_hand)
    add(file, "aug14/4 ru dm 22 Ford")
    data = file.read_bytes()
    for cut in range(data.index(b"ru dm 3" + end) + 7 + len(end), len(data) + 1):
        said = [line.rest for line in parse_journal(data[:cut], "war.journal").lines]
        assert said in (["dm 22", "dm 3"], ["dm 22", "dm 3", "dm 22 Ford"]), cut
        if len(said) == 3:
            assert not data[cut:].strip(), "only the line end is missing"


def test_a_remnant_is_set_aside_by_the_next_entry(file: Path) -> None:
    data = written()
    file.write_bytes(data[:-9])
    aside = add(file, "aug14/4 ru dm 1")
    assert aside is not None and aside.read_bytes() == data[:-9].rsplit(b"\n", 1)[1]
    assert [(line.number, line.rest) for line in read_journal(file).lines][2:] == [
        (3, "0102: A1 # a note"),
        (4, "dm 1"),
    ]
    assert not read_journal(file).faults
    file.write_bytes(file.read_bytes()[:-5])
    assert add(file, "aug14/4 ru dm 2") != aside


def test_zeros_at_the_end_are_set_aside(file: Path) -> None:
    file.write_bytes(written() + b"\0" * 512)
    text = read_journal(file)
    assert len(text.lines) == 4 and text.remnant == b"\0" * 512 and "cut off" in str(text.faults[0])
    assert add(file, "aug14/4 ru dm 1") is not None
    assert len(read_journal(file).lines) == 5 and b"\0" not in file.read_bytes()


@pytest.mark.parametrize(
    "change", [lambda data: data.replace(b"\n", b"\r\n"), lambda data: b"\xef\xbb\xbf" + data, lambda data: data[:-1]]
)
def test_an_editor_loses_nothing(file: Path, change: object) -> None:
    whole = read_journal(file).lines
    file.write_bytes(change(written()))  # type: ignore[operator]
    assert read_journal(file).lines == whole and not read_journal(file).faults
    assert add(file, "aug14/4 ru dm 1") is None
    assert [line.number for line in read_journal(file).lines] == [1, 2, 3, 4, 5]


def test_entries_are_added_with_the_line_ends_that_the_file_has(file: Path) -> None:
    file.write_bytes(written().replace(b"\n", b"\r\n"))
    add(file, "aug14/4 ru dm 1")
    assert file.read_bytes().count(b"\n") == file.read_bytes().count(b"\r\n") == 7


def test_a_journal_written_by_hand_needs_no_checks_and_no_last_line_end(tmp_path: Path) -> None:
    file = tmp_path / "war.journal"
    file.write_text(f"{FIRST}\n1 aug14/1 ru dm 22\n2 aug14/2 ru dm 3")
    assert [line.rest for line in read_journal(file).lines] == ["dm 22", "dm 3"]
    assert add(file, "aug14/4 ru dm 1") is None
    assert [line.rest for line in read_journal(file).lines] == ["dm 22", "dm 3", "dm 1"]


@pytest.mark.hypothesis
@given(st.sampled_from([3, 4]), st.binary(max_size=30).filter(lambda row: b"\n" not in row))
def test_whatever_a_line_has_become_the_others_are_read_and_it_is_named(at: int, row: bytes) -> None:
    rows = written().split(b"\n")
    rows[at] = row
    text = parse_journal(b"\n".join(rows), "war.journal")
    assert [line.number for line in text.lines] == [number for number in (1, 2, 3, 4) if number != at - 1]
    where = at + 1 if row.strip() else at + 2  # a line that is missing is named at the one that follows
    assert [str(fault.where) for fault in text.faults] == [f"war.journal:{where}"]


@pytest.mark.parametrize(
    ("numbers", "kept", "said"),
    [
        ((1, 3, 4), (1, 3, 4), "war.journal:3: entry 2 is missing before entry 3"),
        ((1, 7, 8), (1, 7, 8), "war.journal:3: entry 2 is missing before entry 7"),
        ((1, 1, 2, 3), (1, 2, 3), "war.journal:3: entry 1 is there already"),
        ((1, 2, 0, 4), (1, 2, 4), "war.journal:4"),
        ((1, 2, 2, 4), (1, 2, 4), "war.journal:4"),
        ((1, 2, 50, 4), (1, 2, 4), "war.journal:4"),
    ],
)
def test_a_number_out_of_turn_is_named_and_costs_that_line_alone(
    numbers: tuple[int, ...], kept: tuple[int, ...], said: str
) -> None:
    rows = [FIRST, *(f"{number} aug14/1 ru dm 1" for number in numbers), ""]
    text = parse_journal("\n".join(rows).encode(), "war.journal")
    assert tuple(line.number for line in text.lines) == kept and text.last == kept[-1]
    (fault,) = text.faults
    assert str(fault).startswith(said)


def test_the_number_of_an_entry_that_cannot_be_read_is_not_given_again() -> None:
    spoilt = line_of(5, "aug14/3 ru dm 4").replace("dm", "sp")
    text = parse_journal(written() + f"{spoilt}\n".encode(), "war.journal")
    assert len(text.lines) == 4 and text.last == 5


def test_a_first_entry_that_is_spoilt_is_named(file: Path) -> None:
    text = parse_journal(written().replace(b"1 aug14/1", b"\x01 aug14/1"), "war.journal")
    assert [line.number for line in text.lines] == [2, 3, 4] and text.head == ("setup august",)
    assert [str(fault.where) for fault in text.faults] == ["war.journal:3"]


@pytest.mark.parametrize("turn", ["aug14/1", "Aug14/1", "12"])
def test_entries_begin_with_the_first_turn_however_it_is_written(turn: str) -> None:
    text = parse_journal(f"{FIRST}\nsetup august\n1 {turn} ru dm 1\n".encode(), "war.journal")
    assert text.head == ("setup august",) and text.lines[0].turn == turn


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "not a journal"),
        (b"game small-war\n", "not a journal"),
        (b"journal small-war 3\n", "a newer version"),
        (b"journal small-war 2\n1 aug14/1 ru dm 22\n", "line with the rules is missing"),
        (b"journal small-war 0\n", "no version 0"),
        (b"journal small-war 1\n\xff\xfe\n", "not UTF-8"),
    ],
)
def test_what_is_not_a_journal_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(InputError, match=what):
        parse_journal(data, "war.journal")


def test_a_full_disk_adds_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def short(handle: int, data: bytes) -> int:
        return real(handle, data[:7])

    monkeypatch.setattr(os, "write", short)
    with pytest.raises(InputError, match="not written: No space left"):
        add(file, "aug14/4 ru dm 1")
    assert file.read_bytes() == written()

    def full(handle: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(InputError, match="not written: No space left"):
        add(file, "aug14/4 ru dm 1")
    monkeypatch.undo()
    assert file.read_bytes() == written()


def test_what_the_disk_does_not_confirm_is_told_apart(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(handle: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(Unsettled, match="its durability is unknown"):
        add(file, "aug14/4 ru dm 1")
    assert len(read_journal(file).lines) == 5
    by_hand = file.with_name("hand.journal")
    by_hand.write_text(f"{FIRST}\n")
    with pytest.raises(InputError, match="not written") as error:
        add(by_hand, "aug14/4 ru dm 1")
    assert not isinstance(error.value, Unsettled) and not read_journal(by_hand).lines


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need rights there")
def test_a_link_leads_to_the_same_journal(file: Path) -> None:
    link = file.with_name("link.journal")
    link.symlink_to(file)
    add(link, "aug14/4 ru dm 1")
    assert link.is_symlink() and len(read_journal(file).lines) == 5
    assert {other.name for other in file.parent.iterdir()} == {file.name, link.name}, "no lock stays"


def test_a_journal_begins_as_it_can_be_read(tmp_path: Path) -> None:
    file = tmp_path / "new.journal"
    create(file, f"{FIRST}\nsetup august")
    assert read_journal(file).head == ("setup august",) and not read_journal(file).faults
    for head in ("game small-war\n", f"{FIRST}\n1 aug14/1 ru dm 2\n"):
        with pytest.raises(InputError):
            create(tmp_path / "bad.journal", head)
    assert not (tmp_path / "bad.journal").exists()


def test_a_journal_is_not_written_over(file: Path) -> None:
    with pytest.raises(InputError, match="exists"):
        create(file, HEAD)
    create(file, f"{FIRST}\nsetup august\n", force=True)
    assert read_journal(file).lines == () and file.read_text() == HEAD


def test_a_journal_does_not_become_too_large_to_be_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_FILE", str(len(file.read_bytes()) + 60))
    add(file, "aug14/4 ru dm 1")
    before = file.read_bytes()
    with pytest.raises(InputError, match="with this it would hold more than"):
        add(file, f"aug14/4 ru dm 1 {'x' * 60}")
    assert file.read_bytes() == before
    assert not read_journal(file).faults


WRITER = """
import sys
from pathlib import Path
from tests.assistant.records.journal.test_files import add
for number in range(int(sys.argv[2])):
    add(Path(sys.argv[1]), f"aug14/4 ru dm {number + 1} by {sys.argv[3]}")
    print(number, flush=True)
"""


def writer(file: Path, count: int, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file), str(count), name], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )


@thorough
def test_writers_at_once_add_each_entry_once_and_leave_no_lock(file: Path) -> None:
    running = [writer(file, 40, f"w{number}") for number in range(4)]
    assert [process.wait(120) for process in running] == [0] * 4
    lines = read_journal(file).lines
    assert [line.number for line in lines] == list(range(1, 165))
    assert not read_journal(file).faults
    assert sorted(line.rest.rpartition(" ")[2] for line in lines[4:]) == sorted(
        40 * [f"w{number}" for number in range(4)]
    )
    assert [other.name for other in file.parent.iterdir()] == [file.name]


@thorough
@pytest.mark.parametrize("kills", [20, 200])
@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
def test_a_writer_that_is_killed_loses_nothing_that_it_was_told(file: Path, kills: int) -> None:
    chance = random.Random(kills)
    acknowledged = list[str]()
    for at in range(kills):
        process = writer(file, 500, f"k{at}")
        assert process.stdout
        numbers = [process.stdout.readline()]
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        numbers += process.stdout.readlines()
        process.wait()
        acknowledged += [f"dm {int(number) + 1} by k{at}" for number in numbers]
    add(file, "aug14/5 ru dm 9 the last")
    text = read_journal(file)
    assert [line.number for line in text.lines] == list(range(1, len(text.lines) + 1)) and not text.faults
    said = [line.rest for line in text.lines[4:-1]]
    assert len(set(said)) == len(said), "each once"
    assert set(acknowledged) <= set(said) and len(said) <= len(acknowledged) + kills
