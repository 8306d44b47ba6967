"""A large board is kept by what is in its files; what is spoiled, foreign or of another time is made anew."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

import msgspec
import pytest

from assistant.game.boards import Board, copies, files, load_board
from assistant.state.tracks import Track
from assistant.util.errors import InputError

from .valley import TRACKS, folder_of

ROWS = {
    "rivers": '"Mill" river: 0202|0201,0302\n',
    "roads": "road: 0101 0102 [rulebook 3]\n0303 owner=crown height=2\n",
    "labels": '"Heath" region: 0101 0302\n',
    "places": "hex,name\n0101,Lyck\n",
    "terrain": "01 02 03 04\n1 c w c c\n2 c c c c\n3 c c l .\n",
}


@pytest.fixture
def boards_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the cache; every board is worth being kept."""
    monkeypatch.setenv("FIELD_STAFF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(copies, "MIN_CACHED_BYTES", 0)
    return tmp_path / "cache" / "boards"


def load(folder: Path, tracks: dict[str, Track] = TRACKS) -> Board:
    return load_board(folder, tracks)


def all_of(board: Board) -> tuple[object, ...]:
    """Everything that a board holds."""
    grid = (
        board.name,
        board.title,
        board.grid,
        board.boxes,
        dict(board.silence),
        board.hexes,
        board.kilometres,
        board.north,
    )
    return (*grid, dict(board.facts), board.drawn)


def refuse(*_: object, **__: object) -> Board:
    raise AssertionError("the board's files were read")


def test_a_board_from_the_cache_is_the_same(
    boards_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path, whole='["road", "barrier"]', **ROWS)
    (folder / "board.toml").write_text(
        "kilometres = 7.9\nnorth = -12.5\n" + (folder / "board.toml").read_text("utf-8"), "utf-8"
    )
    first = load(folder)
    assert (first.kilometres, first.north) == (7.9, -12.5)
    assert len(list(boards_folder.iterdir())) == 1
    monkeypatch.setattr(files, "read_board", refuse)
    again = load(folder)
    assert all_of(again) == all_of(first)
    assert again.neighbours("0202") == first.neighbours("0202")


@pytest.mark.parametrize("name", ["board.toml", "terrain.txt", "rivers.lines", "places.csv", "more.lines"])
def test_a_changed_file_makes_it_anew(name: str, boards_folder: Path, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, **ROWS)
    load(folder)
    texts = {
        "board.toml": (folder / "board.toml").read_text("utf-8").replace("Mill valley", "Other valley"),
        "terrain.txt": ROWS["terrain"].replace("l", "w"),
        "rivers.lines": "ridge: 0202|0201\n",
        "places.csv": "hex,name\n0102,Mill\n",
        "more.lines": "0102 town\n",
    }
    (folder / name).write_text(texts[name], "utf-8")
    changed = load(folder)
    (kept_file,) = boards_folder.iterdir()
    kept_file.unlink()
    assert all_of(changed) == all_of(load(folder))


def test_other_tracks_and_another_program_make_it_anew(
    boards_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path, roads="road: 0101 0102\n")
    load(folder)
    other = {name: track for name, track in TRACKS.items() if name != "road"}
    with pytest.raises(InputError, match="'road' is not a fact"):
        load(folder, other)
    folder = folder_of(tmp_path, **ROWS)
    load(folder)
    monkeypatch.setattr(copies, "mark_code", lambda _: b"another")
    seen = []
    real = files.read_board
    monkeypatch.setattr(files, "read_board", lambda *args, **more: seen.append(1) or real(*args, **more))
    load(folder)
    assert seen == [1]


@pytest.mark.parametrize("spoil", ["cut", "flipped", "empty", "foreign", "folder", "tail"])
def test_a_spoiled_file_is_made_anew(spoil: str, boards_folder: Path, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, **ROWS)
    first = load(folder)
    (file,) = boards_folder.iterdir()
    data = file.read_bytes()
    if spoil == "folder":
        file.unlink()
        file.mkdir()
    else:
        spoiled = {
            "cut": data[: len(data) // 2],
            "flipped": data[:-20] + bytes([data[-20] ^ 1]) + data[-19:],
            "empty": b"",
            "foreign": b"PK\x03\x04" + bytes(200),
            "tail": data[:64] + bytes(len(data) - 64),
        }
        file.write_bytes(spoiled[spoil])
    assert all_of(load(folder)) == all_of(first)
    if spoil != "folder":
        assert file.read_bytes() == data, "it is kept again"


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be", "utf-8")
    monkeypatch.setenv("FIELD_STAFF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(copies, "MIN_CACHED_BYTES", 0)
    folder = folder_of(tmp_path, **ROWS)
    assert load(folder).fact("barrier", "0201|0202") == load(folder).fact("barrier", "0202|0302")
    assert (tmp_path / "cache").read_text("utf-8") == "a file where the folder should be"


def test_a_board_with_a_fault_is_not_kept(boards_folder: Path, tmp_path: Path) -> None:
    folder = folder_of(tmp_path, roads="road: 0101 0103\n")
    for _ in range(2):
        with pytest.raises(InputError, match="roads.lines:1:12"):
            load(folder)
    assert not boards_folder.exists()


@pytest.mark.parametrize(("more", "is_kept"), [(-1, True), (0, True), (1, False)])
def test_a_board_is_kept_from_so_many_bytes_on(
    more: int, is_kept: bool, boards_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path, **ROWS)
    monkeypatch.setattr(copies, "MIN_CACHED_BYTES", sum(len(file.read_bytes()) for file in folder.iterdir()) + more)
    load(folder)
    assert boards_folder.exists() is is_kept


def test_boards_in_two_folders_do_not_mix(boards_folder: Path, tmp_path: Path) -> None:
    boards = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        boards.append(folder_of(tmp_path / name, roads="road: 0101 0102\n" if name == "one" else ""))
    for _ in range(2):
        assert [len(load(folder).facts) for folder in boards] == [1, 0]
    assert len(list(boards_folder.iterdir())) == 2


DEEP = msgspec.Raw(b"\x91" * 100_000 + b"\x90")
"""Lists in lists, deeper than Python reads."""


def crafted(data: bytes, place: int, value: object) -> bytes:
    """A kept board with another value in one place, and the check that belongs to it."""
    body = msgspec.msgpack.decode(data[36:])
    body[place] = value
    written: bytes = msgspec.msgpack.encode(body)
    return data[:32] + crc32(written).to_bytes(4, "big") + written


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (1, {"columns": [4, 1]}),
        (1, {"format": "{column.__class__}"}),
        (3, []),
        (4, {"road": {"0101|0102": 999}}),
        (4, {"road": {"0101|0102": -1}}),
        (4, DEEP),
        (9, 5),
        (9, {"chains": [{"name": 7}]}),
    ],
)
def test_a_file_that_somebody_made_up_is_made_anew(
    place: int, value: object, boards_folder: Path, tmp_path: Path
) -> None:
    folder = folder_of(tmp_path, **ROWS)
    first = load(folder)
    (file,) = boards_folder.iterdir()
    file.write_bytes(crafted(file.read_bytes(), place, value))
    assert all_of(load(folder)) == all_of(first)


def test_no_clock_is_asked(boards_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of(tmp_path, **ROWS)
    first = load(folder)
    for when in (0, 4_000_000_000):
        for file in (*folder.iterdir(), *boards_folder.iterdir()):
            os.utime(file, (when, when))
        with monkeypatch.context() as patch:
            patch.setattr(files, "read_board", refuse)
            assert all_of(load(folder)) == all_of(first)
    (folder / "roads.lines").write_text(ROWS["roads"].replace("0101 0102", "0101 0201"), "utf-8")
    os.utime(folder / "roads.lines", (0, 0))
    assert load(folder).fact("road", "0101|0201"), "another content, of the same size and time, is another board"


def test_boards_kept_longest_make_room(boards_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "BOARDS", msgspec.structs.replace(copies.BOARDS, max_copies=2))
    for number in range(4):
        (tmp_path / f"{number}").mkdir()
        load(folder_of(tmp_path / f"{number}", **ROWS))
        for file in boards_folder.iterdir():
            os.utime(file, (file.stat().st_mtime - 10,) * 2)
    assert len(list(boards_folder.iterdir())) == 2
