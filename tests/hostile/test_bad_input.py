"""Each kind of bad input through the command line: one or two lines, exit code 3, nothing written, bounded memory."""

from __future__ import annotations

import io
import json
import lzma
import os
import stat
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from assistant.faces.cli.group import UNUSABLE_EXIT_CODE
from assistant.faces.cli.main import cli
from assistant.formats.vassal.containers import COMMANDS, ESCAPE, MODULE_DATA, write_container
from assistant.formats.vassal.grids import HEXES
from assistant.formats.vassal.modules import BOARD, MAPS, PICKER, read_module
from assistant.formats.vassal.streams import deobfuscate, join_commands, obfuscate
from tests.saves import read_container

from ..cases import few, thorough
from .inputs.seeds import FOLDER, GAME, sound_files
from .reading import outcome

SAVE = (FOLDER / "examples/comprehensive-example.vsav").read_bytes()
FILES = read_container(SAVE)
STREAM = deobfuscate(FILES[COMMANDS]).decode()
MIB = 2**20


def save(stream: str) -> bytes:
    return write_container({**FILES, COMMANDS: obfuscate(stream)})


def more(*commands: str) -> bytes:
    """The save with further commands."""
    *before, end = STREAM.split(ESCAPE)
    return save(ESCAPE.join([*before, *commands, end]))


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as container:
        for name, data in files:
            container.writestr(name, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def position(text: str) -> bytes:
    return f"game {GAME}\n{text}\n".encode()


def ask_of(parameters: str) -> bytes:
    return f'{{"game": "{GAME}", "asks": [{{"question": "battle", "parameters": {parameters}}}]}}'.encode()


def entity(doctype: str) -> bytes:
    return write_container({**FILES, MODULE_DATA: f"<!DOCTYPE data {doctype}><data><name>&e;</name></data>".encode()})


def lying() -> bytes:
    """A save of which one entry is larger than its header says."""
    data = zipped((COMMANDS, bytes(MIB)))
    return data.replace(MIB.to_bytes(4, "little"), (100).to_bytes(4, "little"))


def nested() -> bytes:
    inner = zipped((COMMANDS, bytes(8 * MIB)))
    for _ in range(5):
        inner = zipped(("inner.vsav", inner))
    return inner


CASES: dict[str, tuple[str, Callable[[], bytes], str]] = {
    # zip files
    "truncated": ("x.vsav", lambda: SAVE[: len(SAVE) // 2], "not a readable zip file"),
    "mutated": ("x.vsav", lambda: SAVE[:60] + b"\xff" * 9 + SAVE[69:], "not a readable zip file"),
    "no zip": ("x.vsav", lambda: b"not a zip file", "not a readable zip file: File is not a zip file"),
    "empty": ("x.vsav", lambda: b"", "not a readable zip file"),
    "a zip in a zip": ("x.vsav", lambda: zipped(("x.vsav", SAVE)), "savedGame is missing"),
    "a zip as notation": ("x.pos", lambda: SAVE, "this is not UTF-8 text\n  name it NAME.vsav"),
    "a zip as JSON": ("x.json", lambda: SAVE, "JSON is malformed"),
    "many entries": ("x.vsav", lambda: zipped(*((f"{n}", b"") for n in range(20_001))), "more than 20000 entries"),
    "a large entry": ("x.vsav", lambda: zipped((COMMANDS, bytes(40 * MIB))), "savedGame unpacks to more than 32 MiB"),
    "a nested bomb": ("x.vsav", nested, "savedGame is missing"),
    "a lying header": ("x.vsav", lying, "not a readable zip file: savedGame does not match the archive's directory"),
    "an xz bomb": ("x.vsav", lambda: zipped((COMMANDS, lzma.compress(bytes(40 * MIB)))), "more than 32 MiB"),
    # XML
    "an entity": ("x.vsav", lambda: entity('[<!ENTITY e "lol">]'), "declares a document type"),
    "a file as an entity": ("x.vsav", lambda: entity('[<!ENTITY e SYSTEM "file:///etc/passwd">]'), "document type"),
    "a fetched DTD": ("x.vsav", lambda: entity('SYSTEM "http://127.0.0.1:9/x.dtd"'), "moduledata or savedata"),
    "large XML": ("x.vsav", lambda: write_container({**FILES, MODULE_DATA: b" " * 17 * MIB}), "more than 16 MiB"),
    "many tags": ("x.vsav", lambda: write_container({**FILES, MODULE_DATA: b"<" * 400_001}), "more than 400000 tags"),
    # commands
    "plain noise": ("x.vsav", lambda: write_container({COMMANDS: b"\xff\xfe\0a"}), "savedGame cannot be read"),
    "many commands": ("x.vsav", lambda: more("a" + ESCAPE * 500_000), "more than 500000 commands"),
    "a long command": ("x.vsav", lambda: more("PLAYER\t" + "a" * 200_001), "more than 200000 letters"),
    "many pieces": (
        "x.vsav",
        lambda: more(*[f"+/n{n}/piece;;;a;b/Map;1;1;;0" for n in range(20_001)]),
        "more than 20000 pieces",
    ),
    "a high stack": ("x.vsav", lambda: more("+/1/stack/Map;1;1" + ";1" * 1001), "a stack holds more than 1000 pieces"),
    "deep commands": ("x.vsav", lambda: save(deep(40)), "savedGame nests commands by more than 32 levels"),
    "huge numbers": ("x.vsav", lambda: more("+/n/piece;;;a;b/Map;" + "9" * 5000 + ";1;;0"), "cannot be read"),
    "many notes": ("x.vsav", lambda: more("PNOTES\t" + "|" * 20_000), "the notes hold more than 10000 lines"),
    "moves without end": ("x.vlog", lambda: whirl(), "the steps of the log handle more than 2M pieces"),
    "a large grid": (
        "x.vsav",
        lambda: more("GlobalProperty\t;FieldStaffGrid Map;" + "[" * 70_000 + ";Module"),
        "64K letters",
    ),
    # texts
    "UTF-16": ("x.pos", lambda: position("").decode().encode("utf-16"), "x.pos:1: this is not UTF-8 text"),
    "UTF-16 without a mark": (
        "x.pos",
        lambda: position("").decode().encode("utf-16-le"),
        "x.pos:1: this is not UTF-8 text",
    ),
    "Latin-1": (
        "x.pos",
        lambda: position("# Königsberg").decode().encode("latin-1"),
        "x.pos:2: this is not UTF-8 text",
    ),
    "NULs": ("x.pos", lambda: position("\0" * 9), "x.pos:2: this is not UTF-8 text"),
    "steering signs": ("x.pos", lambda: position("\x1b[31mred"), "a line cannot begin with"),
    "long lines": ("x.pos", lambda: position("41.19 " + "clear " * 1000), "the line holds more than 4K letters"),
    "many lines": ("x.pos", lambda: position("\n" * 10_000), "it holds more than 10000 lines"),
    "long notation": ("x.pos", lambda: position("# words\n" * 40_000), "it holds more than 256K letters"),
    "a large file": ("x.pos", lambda: bytes(17 * MIB), "it holds more than 16 MiB"),
    "a huge hex": ("x.pos", lambda: position(f"{'4' * 3000}.19 clear"), "is not a hex number"),
    "huge odds": ("x.pos", lambda: position(f"chart crt {'4' * 3000}:1 1 = A"), "x.pos:2"),
    "a long word": ("x.pos", lambda: position("x" * 4000), "a line cannot begin with"),
    "UTF-16 JSON": ("x.json", lambda: '{"game": "x"}'.encode("utf-16"), "JSON is malformed"),
    "Latin-1 JSON": ("x.json", lambda: b'{"game": "\xe4"}', "this is not UTF-8 text"),
    "deep JSON": ("x.json", lambda: b"[" * 100_000, "Expected `object`"),
    "deep parameters": ("x.json", lambda: ask_of('{"at": ' + "[" * 400 + "]" * 400 + "}"), "by more than 32 levels"),
    "deeper parameters": ("x.json", lambda: ask_of('{"at": ' + "[" * 20_000 + "}"), "x.json"),
    "huge JSON numbers": ("x.json", lambda: ask_of('{"turn": 1' + "0" * 5000 + "}"), "x.json"),
    "many units": ("x.json", lambda: units(10_001), "it holds more than 10000 units"),
    "large JSON": ("x.json", lambda: b" " * (MIB + 1), "it holds more than 1 MiB"),
}


def deep(levels: int) -> str:
    text = "a"
    for _ in range(levels):
        text = join_commands([text, "b"])
    return text


def whirl() -> bytes:
    """A log that moves a high stack about for ever."""
    pieces = [f"+/n{n}/piece;;;a;b/Map;5;5;;0" for n in range(1000)]
    stack = "+/s/stack/Map;5;5;" + ";".join(f"n{n}" for n in range(1000))
    steps = [f"LOG\tM/s/Map/{n}/9/null/Map/5/5/null/me" for n in range(2000)]
    return save(ESCAPE.join([STREAM, *pieces, stack, *steps]))


def units(count: int) -> bytes:
    found = [{"id": f"u{number}", "type": "x", "place": None} for number in range(count)]
    return json.dumps({"game": GAME, "units": found}).encode()


def refused(name: str, command: str, what: str) -> None:
    """A command refuses a file in two lines at most, which tell the place, and leaves the folder as it was."""
    before = snapshot()
    done = CliRunner().invoke(cli, [command, name])
    assert snapshot() == before
    assert (done.exit_code, done.stdout) == (UNUSABLE_EXIT_CODE, ""), done.output
    assert what in done.stderr
    assert done.stderr.startswith("assistant: ")
    assert name in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert len(done.stderr) < 1500
    assert done.stderr.replace("\n", "").isprintable()


def snapshot() -> dict[str, tuple[int, int, int]]:
    return {
        str(path): (s := path.lstat()).st_mode and (s.st_mode, s.st_size, s.st_mtime_ns) for path in Path().rglob("*")
    }


@few(3)
@pytest.mark.parametrize("command", ["check", "battle", "convert"])
@pytest.mark.parametrize("name", CASES)
def test_a_file_is_refused(name: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file, data, what = CASES[name]
    Path(file).write_bytes(data())
    refused(file, command, what)


def test_marks_of_encodings_that_do_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, data in (("x.pos", position("")), ("x.json", f'{{"game": "{GAME}"}}'.encode())):
        Path(name).write_bytes(b"\xef\xbb\xbf" + data)
        assert CliRunner().invoke(cli, ["check", name]).exit_code == 0


def test_paths_that_climb_out_and_links_lead_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such a save is read, for nothing of it is ever written."""
    monkeypatch.chdir(tmp_path)
    link = zipfile.ZipInfo("link")
    link.create_system, link.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    outside = tmp_path / "outside"
    paths: list[tuple[str | zipfile.ZipInfo, bytes]] = [("../outside", b"1"), (str(outside), b"2"), (link, b"outside")]
    paths += [("..\\outside", b"3"), ("images/../../outside", b"4")]
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    Path("x.vsav").write_bytes(zipped(*FILES.items(), *paths))
    for command in ("check", "convert", "battle"):
        assert CliRunner().invoke(cli, [command, "x.vsav"]).exit_code == 0
    assert [path.name for path in tmp_path.rglob("*")] == ["folder", "x.vsav"]


# --- files that are none ----------------------------------------------------------------------------------------------


def test_files_that_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder.vsav").mkdir()
    Path("zero.pos").symlink_to("/dev/zero")
    Path("itself.pos").symlink_to("itself.pos")
    os.mkfifo("pipe.pos")
    for name, what in (
        ("folder.vsav", "Is a directory"),
        ("zero.pos", "this is not a regular file"),
        ("itself.pos", "Too many levels of symbolic links"),
        ("pipe.pos", "this is not a regular file"),
        ("nowhere.pos", "No such file"),
        ("/dev/zero", "this is not a regular file"),
        ("x" * 300 + ".pos", "File name too long"),
    ):
        refused(name, "check", what)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.pos").write_text("", "utf-8")
    Path("x.pos").chmod(0)
    refused("x.pos", "check", "Permission denied")


def shell(words: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    variables = {"BATTLE": str(FOLDER / "examples/battle.pos"), **variables}
    env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "ASSISTANT": f"{sys.executable} -m assistant", **variables}
    return subprocess.run(
        ["sh", "-c", words], cwd=folder, env=env, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


@few(2)
@pytest.mark.parametrize(
    ("words", "what"),
    [
        ("$ASSISTANT check - <&-", "standard input: it cannot be read\n  name a file instead of -"),
        ("$ASSISTANT check - < /dev/zero", "standard input: it holds more than 16 MiB"),
        ("$ASSISTANT check \"$(printf 'a\\377b.pos')\"", "a\\udcffb.pos: No such file"),
        ('$ASSISTANT ask battle $BATTLE --params "$(printf \'{"at": "\\377"}\')"', "--params: "),
        ("FIELD_STAFF_LIMIT_FILE=x $ASSISTANT check - < /dev/null", "FIELD_STAFF_LIMIT_FILE: 'x' is not a limit"),
    ],
)
def test_standard_input(words: str, what: str, tmp_path: Path) -> None:
    done = shell(words, tmp_path)
    assert (done.returncode, done.stdout) == (UNUSABLE_EXIT_CODE, "")
    assert what in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert list(tmp_path.iterdir()) == []


# --- games of strangers -----------------------------------------------------------------------------------------------

BROKEN_GAMES = {
    "raises on import": ({"__init__.py": "raise RuntimeError('burnt down')"}, "RuntimeError: burnt down"),
    "leaves on import": ({"__init__.py": "import nowhere_at_all"}, "ModuleNotFoundError"),
    "has no files": ({"__init__.py": ""}, "game.toml"),
    "broken TOML": ({"__init__.py": "", "game.toml": "title = ["}, "game.toml"),
    "TOML of another encoding": ({"__init__.py": "", "game.toml": "title = '\udce4'"}, "the text is not UTF-8"),
    "TOML of other types": ({"__init__.py": "", "game.toml": "title = 3"}, "game.toml"),
}


@few(1)
@pytest.mark.parametrize("name", BROKEN_GAMES)
def test_a_game_that_is_broken(name: str, tmp_path: Path) -> None:
    """The message names what is broken, and other games go on."""
    files, what = BROKEN_GAMES[name]
    about, game, desk = (tmp_path / part for part in ("broken-1.dist-info", "broken_game", "desk"))
    for folder in (about, game, desk):
        folder.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[field_staff.games]\nbroken = broken_game\n")
    for file, text in files.items():
        (game / file).write_bytes(text.encode("utf-8", "surrogateescape"))
    (desk / "x.pos").write_text("game broken\n")
    (desk / "y.pos").write_bytes(position(""))
    done = shell("$ASSISTANT check x.pos", desk, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (UNUSABLE_EXIT_CODE, "")
    assert what in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert shell("$ASSISTANT check y.pos", desk, PYTHONPATH=str(tmp_path)).returncode == 0
    assert sorted(path.name for path in desk.iterdir()) == ["x.pos", "y.pos"]


# Of each what it does, a command that meets it (commands of plugins are asked for where a name is not one of ours), and what is said.
PLUGINS = {
    "raises on import": ("1 / 0", "check x.odd", "ZeroDivisionError"),
    "raises on registering a format": (
        "@hookimpl\ndef register_formats(register): 1 / 0",
        "check x.odd",
        "ZeroDivisionError",
    ),
    "raises on registering a command": (
        "@hookimpl\ndef register_commands(cli): 1 / 0",
        "odd x.odd",
        "ZeroDivisionError",
    ),
    "raises on reading": (
        "def read(data, name, load_game): 1 / 0\n"
        "@hookimpl\ndef register_formats(register): register(Format('odd text', ('.odd',), read))",
        "check x.odd",
        "the reader of odd text failed: ZeroDivisionError",
    ),
}


@few(1)
@pytest.mark.parametrize("name", PLUGINS)
def test_a_plugin_that_raises(name: str, tmp_path: Path) -> None:
    code, words, what = PLUGINS[name]
    about, desk = tmp_path / "odd-1.dist-info", tmp_path / "desk"
    about.mkdir()
    desk.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[field_staff.plugins]\nodd = odd\n")
    heading = "from assistant import hookimpl\nfrom assistant.formats.positions import Format\n"
    (tmp_path / "odd.py").write_text(heading + code + "\n")
    (desk / "x.odd").write_bytes(position(""))
    done = shell(f"$ASSISTANT {words}", desk, PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (UNUSABLE_EXIT_CODE, "")
    assert what in done.stderr
    assert "odd" in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert [path.name for path in desk.iterdir()] == ["x.odd"]


# --- modules ----------------------------------------------------------------------------------------------------------

GRID = f"<{HEXES} x0='5' y0='5' dx='9' dy='9'/>"


def huge(kind: str) -> bytes:
    """A picture of one pixel whose head says 60,000 by 60,000."""
    out = io.BytesIO()
    Image.new("L", (1, 1)).save(out, kind)
    data = out.getvalue()
    if kind == "JPEG":
        at = data.index(b"\xff\xc0") + 5
        return data[:at] + (60_000).to_bytes(2) * 2 + data[at + 4 :]
    head = b"IHDR" + (60_000).to_bytes(4) * 2 + data[24:29]
    return data[:12] + head + zlib.crc32(head).to_bytes(4) + data[33:]


@pytest.mark.parametrize(("file", "kind"), [("x.png", "PNG"), ("x.jpg", "JPEG")])
def test_a_huge_picture_is_no_board(file: str, kind: str) -> None:
    board = f"<{PICKER}><{BOARD} name='B' image='{file}'>{GRID}</{BOARD}></{PICKER}>"
    build = f"<VASSAL.build.GameModule><{MAPS[0]} mapName='M'>{board}</{MAPS[0]}></VASSAL.build.GameModule>"
    module = read_module(write_container({"buildFile.xml": build.encode(), f"images/{file}": huge(kind)}))
    assert module.unread == (f"board B: image {file} cannot be read: it is too large",)
    assert module.maps["M"].boards["B"].grid is None


# --- many spoiled files -----------------------------------------------------------------------------------------------


@thorough
def test_spoiled_files_are_read_or_refused(tmp_path: Path) -> None:
    """As `make explore WHAT=hostile` does with many more, in processes with their memory limited."""
    words = [sys.executable, "-m", "tests.comparing", "hostile", "1", "12"]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert list(tmp_path.iterdir()) == []


BOMBS = (
    "a large entry",
    "an xz bomb",
    "many commands",
    "a long command",
    "moves without end",
    "large XML",
    "many units",
)


@thorough
def test_bombs_take_no_more_memory_than_a_process_may_have(tmp_path: Path) -> None:
    for name in BOMBS:
        file, data, _ = CASES[name]
        (tmp_path / f"{name.replace(' ', '-')}{Path(file).suffix}").write_bytes(data())
    words = (
        "import sys; from pathlib import Path; from tests.hostile.reading import *; limit_memory()\n"
        "print([o for p in Path().iterdir() if (o := outcome(p)).crash or o.kind == 'read' or o.memory > MEMORY])"
    )
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", words], cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@thorough
def test_the_sound_files_are_sound(tmp_path: Path) -> None:
    for name, data in sound_files():
        (tmp_path / name).write_bytes(data)
        assert outcome(tmp_path / name)[0::3] == ("read", "")
