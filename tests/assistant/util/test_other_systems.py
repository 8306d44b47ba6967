"""What differs on Windows and macOS, by standing in for them: files that are open, locks, signals, consoles, folders. Nothing here was run there."""

from __future__ import annotations

import io
import re
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from filelock import BaseFileLock
from hypothesis import given
from hypothesis import strategies as st

from assistant.util import console, renaming, signals, writing
from assistant.util.console import echo, prepare_streams
from assistant.util.errors import InputError
from assistant.util.files import cache_folder, data_folder
from assistant.util.locks import hold_abandoned
from assistant.util.renaming import name_file, replace_file
from assistant.util.writing import LOCK, check_free, clear, hold_folder, write_all, write_whole

from ...cases import thorough
from .standing_in import stand_in_for_windows
from .test_writing import NEW, OLD, SET, held, names

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="it says which files are open here")


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        stand_in_for_windows(patch)
        yield


# --- files ---


def test_file_that_another_program_reads_is_replaced_once_that_is_done(
    tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, waited = tmp_path / "kept.json", []
    path.write_bytes(OLD)
    reading = path.open("rb")

    def pause(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 3:
            reading.close()

    monkeypatch.setattr(renaming.clock, "pause", pause)
    write_whole(path, NEW, force=True)
    assert (path.read_bytes(), len(waited)) == (NEW, 3)


def test_file_that_is_never_closed_is_left_as_it_is(tmp_path: Path, windows: None) -> None:
    path = tmp_path / "kept.json"
    path.write_bytes(OLD)
    with path.open("rb"), pytest.raises(InputError, match="not written: the file is open"):
        write_whole(path, NEW, force=True)
    assert held(tmp_path) == {"kept.json": OLD}


@pytest.mark.parametrize("there", [{}, {"one.png": OLD}, {"one.png": OLD, "other.txt": OLD}], ids=len)
def test_set_of_files_is_written_and_taken_back(
    there: dict[str, bytes], tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "set"
    if there:
        folder.mkdir()
        for name, data in there.items():
            (folder / name).write_bytes(data)
        with monkeypatch.context() as failing:
            failing.setattr(writing, "name_file", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))
            with pytest.raises(InputError):
                write_all(folder, SET, force=True)
        assert held(tmp_path) == {f"set/{name}": data for name, data in there.items()}
    write_all(folder, SET, force=True)
    assert held(folder) == {**there, **SET}
    assert names(tmp_path) == ["set"]


def test_what_a_killed_run_left_is_removed_and_what_is_being_written_is_not(tmp_path: Path, windows: None) -> None:
    dead = tmp_path / ".field-staff-dead.part"
    dead.write_bytes(NEW[:7])
    with writing._open_part(tmp_path, []) as (part, _):
        clear(tmp_path)
        assert names(tmp_path) == [part.name]
    assert names(tmp_path) == []


def test_abandoned_file_is_gone_before_the_work_that_it_stands_for(tmp_path: Path, windows: None) -> None:
    part = tmp_path / "part"
    part.touch()
    with hold_abandoned(part):
        assert not part.exists()


def test_name_that_another_file_has_is_refused(tmp_path: Path, windows: None) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(NEW)
    two.write_bytes(OLD)
    with pytest.raises(FileExistsError):
        name_file(one, two)
    replace_file(one, two)
    assert held(tmp_path) == {"two": NEW}
    check_free(tmp_path / "three")


def test_lock_is_released_before_its_file_is_removed(
    tmp_path: Path, windows: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = []
    let_go = BaseFileLock.release

    def release(lock: BaseFileLock, force: bool = False) -> None:
        done.append((tmp_path / LOCK).exists())
        let_go(lock, force)

    monkeypatch.setattr(BaseFileLock, "release", release)
    with hold_folder(tmp_path):
        pass
    assert done[0], "an open lock is not removed"
    with hold_folder(tmp_path):
        pass


Writing = tuple[str, dict[str, bytes], bool]
"""What is written: a file (into "") or a set of files into a folder, and whether over others."""
_NAMES, _DATA = st.sampled_from(["a", "b", "c/d"]), st.binary(max_size=3)
_WRITINGS = st.tuples(st.sampled_from(["", "set"]), st.dictionaries(_NAMES, _DATA, min_size=1), st.booleans())


def outcome(folder: Path, writings: list[Writing]) -> tuple[list[str], dict[str, bytes]]:
    """What comes of each of several writings into a folder, and what it then holds."""
    said = []
    for below, files, force in writings:
        try:
            if below:
                write_all(folder / below, files, force=force)
            else:
                name, data = min(files.items())
                write_whole(folder / name, data, force=force)
            said.append("written")
        except InputError as error:
            said.append(error.what)
    return said, held(folder)


@given(writings=st.lists(_WRITINGS, max_size=6))
def test_whatever_is_written_is_there_as_on_this_system(writings: list[Writing]) -> None:
    with TemporaryDirectory() as here, TemporaryDirectory() as there, pytest.MonkeyPatch.context() as patch:
        expected = outcome(Path(here), writings)
        stand_in_for_windows(patch)
        assert outcome(Path(there), writings) == expected


# --- folders ---


@pytest.mark.parametrize(
    ("system", "folder", "data", "cache"),
    [
        ("windows.Windows", "C:/Users/x/AppData/Local", "field-staff", "field-staff/Cache"),
        ("macos.MacOS", "", "~/Library/Application Support/field-staff", "~/Library/Caches/field-staff"),
        ("unix.Unix", "", "~/.local/share/field-staff", "~/.cache/field-staff"),
    ],
)
def test_folders_are_those_that_the_handbook_names(
    system: str, folder: str, data: str, cache: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib

    import platformdirs

    module, kind = system.split(".")
    dirs = importlib.import_module(f"platformdirs.{module}")
    monkeypatch.setattr(platformdirs, "PlatformDirs", getattr(dirs, kind))
    if folder:
        monkeypatch.setattr(dirs, "get_win_folder", lambda name: folder)
    for variable in ("FIELD_STAFF_DATA", "FIELD_STAFF_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    for stated, found in ((data, data_folder()), (cache, cache_folder())):
        assert str(found).replace("\\", "/") == str(Path(folder, stated).expanduser())
        shown = f"%LOCALAPPDATA%/{stated}" if folder else stated
        assert f"`{shown}`" in (ROOT / "docs/reference/installation.md").read_text("utf-8").replace("\\", "/")


# --- signals ---


@pytest.mark.parametrize("has_break", [True, False])
def test_whatever_ends_a_program_ends_it_as_an_interruption(has_break: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = {}
    system = SimpleNamespace(SIGTERM=15, signal=lambda number, handler: heard.update({number: handler}))
    if has_break:
        system.SIGBREAK = 21
    monkeypatch.setitem(sys.modules, "signal", system)
    signals.end_as_interrupted()
    assert sorted(heard) == [15, 21][: 1 + has_break]
    for number, handler in heard.items():
        with pytest.raises(SystemExit) as ended:
            handler(number, None)
        assert ended.value.code == 128 + number


def test_interrupts_are_heard_again_after_a_process_has_begun() -> None:
    before = signal.getsignal(signal.SIGINT)
    with signals.without_interrupts():
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    assert signal.getsignal(signal.SIGINT) == before


def test_thread_that_hears_no_signals_begins_processes_too() -> None:
    done = []

    def begin() -> None:
        with signals.without_interrupts():
            done.append(True)

    thread = threading.Thread(target=begin)
    thread.start()
    thread.join()
    assert done == [True]


# --- consoles ---


@pytest.mark.parametrize("encoding", ["cp437", "cp1252"])
def test_console_that_lacks_a_letter_shows_another(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.BytesIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding=encoding, newline="\n"))
        prepare_streams()
        echo("Łódź: 3 steps")
        sys.stdout.flush()
        assert shown.getvalue().decode(encoding).startswith("?") and b": 3 steps\n" in shown.getvalue()


def test_program_without_a_console_says_its_errors_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", None)
        patch.setattr(sys, "stdout", None)
        console.prepare_streams()
        echo("a warning", err=True)
        sys.stderr.close()


# --- where it stands ---

OF_SYSTEMS = {
    "assistant/util/console.py",
    "assistant/util/desktop.py",
    "assistant/util/files.py",
    "assistant/util/locks.py",
    "assistant/util/processes.py",
    "assistant/util/renaming.py",
    "assistant/util/signals.py",
}
"""The modules of what differs between systems."""
ASKS = re.compile(
    r"^ *(?:import|from) (?:fcntl|msvcrt|platformdirs|pwd|resource|signal|termios|winreg)\b"
    r"|\b(?:os\.name|sys\.platform|platform\.system)\b",
    re.MULTILINE,
)
"""A module that imports what only some systems have, or asks on which it runs."""


@thorough
def test_what_differs_between_systems_stands_behind_one_module_each() -> None:
    files = [file for part in ("assistant", "module_builder", "plugins") for file in (ROOT / part).rglob("*.py")]
    asking = {file.relative_to(ROOT).as_posix() for file in files if ASKS.search(file.read_text("utf-8"))}
    assert asking - OF_SYSTEMS == {"assistant/faces/cli/doctor.py"}, "which names the system to whoever reports a fault"
