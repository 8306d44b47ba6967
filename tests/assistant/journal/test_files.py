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
from pathlib import Path

import pytest

from assistant.journal.files import JournalText, append, create, parse_journal, read_journal
from assistant.journal.lines import Line, check_of, write_entry
from assistant.util.errors import InputError

FIRST = "journal small-war 1"
HEAD = f"{FIRST} ~{check_of(FIRST)}\nsetup august\n"
ENTRIES = ["aug14/1 ru dm 22 Ford", "aug14/2 ru dm 12", "aug14/3 fact 0102: A1 # a note", "aug14/3 amend 1 222"]


def line_of(number: int, text: str) -> str:
    turn, head, rest = text.split(" ", 2)
    return write_entry(Line(number, turn, (), head, rest))


def written() -> bytes:
    return (HEAD + "".join(f"{line_of(number, text)}\n" for number, text in enumerate(ENTRIES, 1))).encode()


def add(file: Path, text: str) -> Path | None:
    def entries(known: JournalText) -> Sequence[str]:
        return [line_of(known.lines[-1].number + 1 if known.lines else 1, text)]

    return append(file, entries)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "war.journal"
    path.write_bytes(written())
    return path


def test_cut_at_every_byte_it_loses_that_entry_alone(file: Path) -> None:
    data, whole = written(), read_journal(file).lines
    ends = [end + 1 for end, byte in enumerate(data) if byte == 10]
    for cut in range(len(HEAD), len(data) + 1):
        kept = sum(end <= cut for end in ends) - 2
        text = parse_journal(data[:cut], "war.journal")
        assert text.lines in (whole[:kept], whole[: kept + 1]), cut
        if len(text.lines) > kept:
            assert data[cut : cut + 1] in (b"\n", b""), "only the line end is missing"
        assert bool(text.remnant) == (len(text.lines) == kept and cut not in ends), cut


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


def test_a_journal_written_by_hand_needs_no_checks_and_no_last_line_end(tmp_path: Path) -> None:
    file = tmp_path / "war.journal"
    file.write_text(f"{FIRST}\n1 aug14/1 ru dm 22\n2 aug14/2 ru dm 3")
    assert [line.rest for line in read_journal(file).lines] == ["dm 22", "dm 3"]
    assert add(file, "aug14/4 ru dm 1") is None
    assert [line.rest for line in read_journal(file).lines] == ["dm 22", "dm 3", "dm 1"]


def test_one_bad_line_leaves_the_rest_readable_and_is_named(file: Path) -> None:
    rows = written().decode().splitlines()
    rows[3] = "what is this"
    text = parse_journal("\n".join([*rows, ""]).encode(), "war.journal")
    assert [line.number for line in text.lines] == [1, 3, 4]
    assert [str(fault.where) for fault in text.faults] == ["war.journal:4"]
    rows[3:4] = []
    text = parse_journal("\n".join([*rows, ""]).encode(), "war.journal")
    assert [line.number for line in text.lines] == [1, 3, 4] and "entry 2 is missing" in str(text.faults[0])
    rows[3:3] = [rows[2]]
    text = parse_journal("\n".join([*rows, ""]).encode(), "war.journal")
    assert "there already" in str(text.faults[0])


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "not a journal"),
        (b"game small-war\n", "not a journal"),
        (b"journal small-war 2\n", "a newer version"),
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


def test_a_journal_is_not_written_over(file: Path) -> None:
    with pytest.raises(InputError, match="exists"):
        create(file, HEAD)
    create(file, f"{FIRST}\nsetup august\n", force=True)
    assert read_journal(file).lines == () and file.read_text() == HEAD


WRITER = """
import sys
from pathlib import Path
from tests.assistant.journal.test_files import add
for number in range(int(sys.argv[2])):
    add(Path(sys.argv[1]), f"aug14/4 ru dm {number + 1} by {sys.argv[3]}")
    print(number, flush=True)
"""


def writer(file: Path, count: int, name: str) -> subprocess.Popen[str]:
    root = Path(__file__).parents[3]
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(file), str(count), name], cwd=root, stdout=subprocess.PIPE, text=True
    )


def test_eight_writers_at_once_add_eight_entries_once_each(file: Path) -> None:
    running = [writer(file, 1, f"w{number}") for number in range(8)]
    assert [process.wait(60) for process in running] == [0] * 8
    lines = read_journal(file).lines
    assert [line.number for line in lines] == list(range(1, 13)) and not read_journal(file).faults
    assert sorted(line.rest.rpartition(" ")[2] for line in lines[4:]) == [f"w{number}" for number in range(8)]


@pytest.mark.parametrize("kills", [5, pytest.param(200, marks=pytest.mark.thorough)])
@pytest.mark.skipif(os.name == "nt", reason="there are no such signals")
def test_a_writer_that_is_killed_loses_nothing_that_it_was_told(file: Path, kills: int) -> None:
    chance = random.Random(kills)
    acknowledged = 0
    for at in range(kills):
        process = writer(file, 500, f"k{at}")
        assert process.stdout
        process.stdout.readline()
        time.sleep(chance.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        acknowledged += 1 + len(process.stdout.readlines())
        process.wait()
    add(file, "aug14/5 ru dm 9 the last")
    text = read_journal(file)
    numbers = [line.number for line in text.lines]
    assert numbers == list(range(1, len(numbers) + 1)) and not text.faults
    assert acknowledged <= len(numbers) - 5 <= acknowledged + kills
    said = [line.rest for line in text.lines[4:-1]]
    assert len(set(said)) == len(said), "each once"
