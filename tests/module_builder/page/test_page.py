"""The folder of the table page: what is in it, that its program stands alone, and what is refused."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from assistant import parse, read
from assistant.formats.vassal.containers import COMMANDS, MODULE_DATA, write_container
from assistant.formats.vassal.saves import write_save
from assistant.installed.registry import installed_games
from assistant.util.errors import InputError
from assistant.util.licences import _read_own
from module_builder.cli import cli
from module_builder.new import new_game
from module_builder.page.command import (
    NEEDED_WHEELS,
    OPTIONAL_WHEELS,
    _write_version,
    draw_still,
    games_to_pack,
    kept_parts,
)
from module_builder.vassal.setups import write_set_up
from tests.assistant.formats.vassal.test_positions import setting_of

from ...cases import thorough
from .parts import LIBRARY, LOCK, PURE, write_parts, write_wheel

ROOT = Path(__file__).parents[3]
TWILIGHT = "twilight-in-the-east"
VERSION = "program/version.js"
OTHER = "world-undone-east-prussia-1914"
BATTLE = (ROOT / "plugins" / "twilight_in_the_east" / "examples" / "battle.pos").read_text("utf-8")
BARE = "game twilight-in-the-east\nboard east\n"
COMBAT = {"at": "41.19", "attacker-ap": "3,20", "defender-ap": "1"}
DICE = {"crt": "2+5", "slrt": "3/4", "losses": "29/20,27/3", "ec.1/1": "6", "ec.29/20": "5", "ec.25/3": "12"}
ALONE = """
import json, pathlib, sys
sys.path.insert(0, sys.argv[1])
from assistant.faces.page.tables import Tables
from assistant.faces.page.respond import respond
tables = Tables(pathlib.Path(sys.argv[2]))
print(json.dumps([json.loads(respond(tables, line.encode())) for line in sys.stdin]))
"""
READS = """
import sys
sys.path[:0] = sys.argv[1:2]
import assistant
for name in sys.stdin.read().splitlines():
    try:
        position = assistant.read(name)
        print(assistant.to_json(position))
        for asked in position.asks:
            print(assistant.to_json(assistant.ask(position, asked)))
    except assistant.InputError as error:
        print(error)
"""
EXAMPLES = sorted(
    (
        *ROOT.glob("plugins/*/examples/*.v*"),
        *ROOT.glob("plugins/*/examples/*.pos"),
        *ROOT.glob("plugins/*/setups/*.pos"),
    )
)


def saves(folder: Path) -> list[str]:
    """VASSAL's files of all examples and set-ups that a module shows, and two that are spoiled."""
    folder.mkdir()
    for number, example in enumerate(EXAMPLES):
        data = example.read_bytes()
        if example.suffix == ".pos":
            position = read(example)
            try:
                data = write_save(write_set_up(setting_of(position.game), position).save)
            except InputError:  # what its module does not show
                continue
        (folder / f"{number:02}-{example.stem}{example.suffix.replace('.pos', '.vsav')}").write_bytes(data)
    names = sorted(map(str, folder.iterdir()))
    (folder / "cut.vsav").write_bytes(Path(names[0]).read_bytes()[:-30])
    (folder / "foreign.vsav").write_bytes(
        write_container({COMMANDS: b"begin_save", MODULE_DATA: b"<data><name>Foreign</data>"})
    )
    return [*names, str(folder / "cut.vsav"), str(folder / "foreign.vsav")]


@pytest.fixture(autouse=True)
def _without_node(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The parts are stand-ins, which compile nothing; commands run in an empty folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("FIELD_STAFF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("shutil.which", lambda name: None)


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    return write_parts(tmp_path / "parts")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["page", *words])


def made(parts: Path, *words: str, out: str = "table") -> dict[str, bytes]:
    """The files of the page, with one game if the words name none."""
    done = run("-o", out, "--parts", str(parts), *(words if "--game" in words else ("--game", OTHER, *words)))
    assert done.exit_code == 0, done.stderr
    folder = Path(out)
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the page, made once for all tests that only read them."""
    folder = tmp_path_factory.mktemp("page")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("FIELD_STAFF_CACHE", str(folder / "cache"))
        patch.setattr("shutil.which", lambda name: None)
        return made(write_parts(folder / "parts"))


def every_game() -> list[str]:
    """The words by which all games go in."""
    return [word for game in installed_games() for word in ("--game", game)]


def refused(done: Result, *said: str) -> None:
    """Unusable input: exit code 3, one or two lines, and nothing was written."""
    assert (done.exit_code, done.stdout) == (3, "")
    assert 1 <= len(done.stderr.splitlines()) <= 2
    for text in said:
        assert text in done.stderr


def unpacked(files: dict[str, bytes], folder: Path) -> Path:
    """The program, as it lies in the browser."""
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(files["program/program.tar.gz"]))) as archive:
        archive.extractall(folder, filter="data")
    return folder


def asked(program: Path, *requests: dict[str, Any]) -> list[Any]:
    """The responses of a program of which nothing else is installed: Python runs without its packages and without ours."""
    command = [sys.executable, "-I", "-S", "-c", ALONE, str(program), str(program.parent / "tables")]
    lines = "\n".join(map(json.dumps, requests))
    environment = {"FIELD_STAFF_DATA": str(program.parent / "data"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    responses: list[Any] = json.loads(done.stdout)
    return responses


# --- the folder -------------------------------------------------------------------------------------------------------


def test_folder_holds_the_page_python_the_program_and_their_licences(files: dict[str, bytes]) -> None:
    interpreter = {"pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json"}
    packed = {f"program/{name}" for name in (*interpreter, "program.tar.gz", "library.zip.gz", "version.js")}
    assert {name for name in files if name.startswith("program/")} == packed
    assert {"index.html", "page.js", "worker.js", "service-worker.js", "manifest.webmanifest"} <= files.keys()
    assert "host/http_host.js" not in files
    assert b"worker_host.js" in files["host.js"]
    text = files["licences.txt"].decode()
    for title in ("Field Staff", "Pyodide and Python", "Mozilla Public License 2.0", *NEEDED_WHEELS):
        assert title in text
    assert json.loads(files["program/pyodide-lock.json"]) == {**LOCK, "packages": {}}


def test_service_worker_keeps_every_file_by_its_sum(files: dict[str, bytes]) -> None:
    text = files["service-worker.js"].decode()
    kept = re.match(r'const VERSION = "[0-9a-f]{16}";\nconst FILES = (\{.*?\});\n', text, re.DOTALL)
    assert kept
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in files.items() if name != "service-worker.js"}
    assert json.loads(kept[1]) == sums


def test_version_is_that_of_all_other_files(files: dict[str, bytes]) -> None:
    others = {name: data for name, data in files.items() if name not in (VERSION, "service-worker.js")}
    assert files[VERSION] == _write_version(others)
    for name in ("worker.js", "program/program.tar.gz"):
        assert _write_version({**others, name: others[name] + b"\n"}) != files[VERSION]


def test_scripts_come_without_their_comments(files: dict[str, bytes]) -> None:
    lines = [line.strip() for name, data in files.items() if name.endswith(".js") for line in data.splitlines()]
    assert [line for line in lines if line.startswith((b"//", b"/**", b"* "))] == []
    assert b'import { findSnapshot, giveUpSnapshots } from "./host/snapshots.js";' in lines


def test_host_knows_how_large_the_files_are_that_a_first_visit_fetches(files: dict[str, bytes]) -> None:
    known = re.search(r"connectToWorker\((\{.*\})\)", files["host.js"].decode())
    assert known
    sizes = json.loads(known[1])["files"]
    assert {name: size for name, (size, _) in sizes.items()} == {name: len(files[f"program/{name}"]) for name in sizes}
    packed, built = "program.tar.gz", "pyodide.asm.wasm"
    assert sizes[packed][1] == len(files[f"program/{packed}"])
    assert sizes[built][1] == len(gzip.compress(files[f"program/{built}"], 6))


@thorough
def test_still_picture_is_light_and_has_the_units_where_the_board_shows_them_first() -> None:
    start, shows = read(ROOT / "plugins/twilight_in_the_east/setups/19-august-1914.pos"), ["45.21", "43.19"]
    still, bare = (draw_still(position, shows) for position in (start, parse(BARE, game=start.game)))
    assert len(still.png) < 20_000
    assert still.shows == tuple(abs(2 * part) for part in still.first)
    seen = []
    for drawn in (still, bare):
        with Image.open(io.BytesIO(drawn.png)) as picture:
            assert picture.size == (drawn.width, drawn.height)
            across, down = (half / 2 + part * drawn.hex for half, part in zip(picture.size, drawn.first, strict=True))
            seen.append(picture.convert("RGB").getpixel((int(across), int(down))))
    assert seen[0] != seen[1]


@thorough
def test_same_game_makes_the_same_bytes(parts: Path) -> None:
    assert made(parts, out="one") == made(parts, out="other")


@thorough
def test_page_can_be_installed_and_is_small(files: dict[str, bytes]) -> None:
    assert b'<link rel="manifest" href="manifest.webmanifest">' in files["index.html"]
    manifest = json.loads(files["manifest.webmanifest"])
    assert manifest["display"] == "standalone"
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == ("./", "./", "./")
    for icon in manifest["icons"]:
        with Image.open(io.BytesIO(files[icon["src"]])) as picture:
            assert "{}x{}".format(*picture.size) == icon["sizes"]
    assert {icon.get("purpose", "any") for icon in manifest["icons"]} == {"any", "maskable"}
    shell = {name: data for name, data in files.items() if not name.startswith("program/")}
    assert sum(len(gzip.compress(data)) for data in shell.values()) < 175_000
    with zipfile.ZipFile(io.BytesIO(gzip.decompress(files["program/library.zip.gz"]))) as library:
        assert set(library.namelist()) == LIBRARY.keys() - {"multiprocessing/pool.py"}
        assert {entry.compress_type for entry in library.infolist()} == {zipfile.ZIP_STORED}


def test_a_licence_that_is_nowhere_is_left_out() -> None:
    assert _read_own("NO-SUCH-LICENCE") is None


@thorough
def test_without_node_the_page_is_made_and_that_is_said(parts: Path) -> None:
    done = run("-o", "table", "--parts", str(parts))
    assert done.exit_code == 0
    assert "starts more slowly" in done.stderr
    assert done.stdout.startswith("table: ")
    assert set(installed_games()) == set(done.stdout.strip().rpartition(" with ")[2].split(", "))


# --- the program ------------------------------------------------------------------------------------------------------


@thorough
def test_program_answers_alone(parts: Path, tmp_path: Path) -> None:
    program = unpacked(made(parts, "--game", TWILIGHT, "--game", OTHER), tmp_path / "program")
    games, begun, answer, counter, drawn = asked(
        program,
        {"do": "games"},
        {"do": "begin", "table": "a", "game": TWILIGHT, "position": BATTLE},
        {"do": "enter", "table": "a", "line": "battle"},
        {"do": "counter", "table": "a", "unit": "29/20"},
        {"do": "draw", "table": "a", "question": "battle", "parameters": COMBAT, "answers": DICE},
    )
    assert {game["id"] for game in games["games"]} == {TWILIGHT, OTHER}
    assert begun["is"] == "table"
    assert not answer["refused"]
    assert answer["answer"]["answers"]
    assert counter["is"] == "drawn"
    assert drawn["is"] == "drawn", drawn


@thorough
def test_program_reads_saves_and_answers_as_the_installed_one_does(parts: Path, tmp_path: Path) -> None:
    program, names = unpacked(made(parts, *every_game()), tmp_path / "program"), saves(tmp_path / "saves")
    alone = [sys.executable, "-I", "-S", "-c", READS, str(program)]
    said = [
        subprocess.run(
            command, input="\n".join(names), capture_output=True, text=True, check=True, env=environment
        ).stdout
        for command, environment in (
            (alone, {"FIELD_STAFF_DATA": str(tmp_path)}),
            ([sys.executable, "-c", READS], None),
        )
    ]
    assert said[0] == said[1]
    assert said[0].count('"game"') >= len(names) - 2 >= 30
    assert "not a readable zip file" in said[0]
    assert "moduledata or savedata: mismatched tag" in said[0]


@thorough
def test_only_the_games_that_are_named_go_in(parts: Path, tmp_path: Path) -> None:
    program = unpacked(made(parts, "--game", OTHER), tmp_path / "program")
    assert not (program / "twilight_in_the_east").exists()
    [listed] = asked(program, {"do": "games"})
    assert [game["id"] for game in listed["games"]] == [OTHER]


@thorough
def test_game_of_ones_own_folder_goes_in(parts: Path, tmp_path: Path) -> None:
    own = tmp_path / "my-heath"
    new_game(own)
    program = unpacked(made(parts, "--game", str(own)), tmp_path / "program")
    position = (own / "examples" / "attack.pos").read_text("utf-8")
    listed, begun = asked(
        program, {"do": "games"}, {"do": "begin", "table": "a", "game": "my-heath", "position": position}
    )
    assert [game["id"] for game in listed["games"]] == ["my-heath"]
    assert begun["is"] == "table"


def test_of_a_folder_only_files_that_a_game_is_read_from_go_in(tmp_path: Path) -> None:
    new_game(own := tmp_path / "my-heath")
    [before] = games_to_pack([str(own)])
    for name in ("boards/field/scan.png", "saves/war.vsav", "war.journal", ".hidden.csv"):
        (own / name).parent.mkdir(exist_ok=True)
        (own / name).write_bytes(b"scan")
    [game] = games_to_pack([str(own)])
    assert game.files == before.files
    assert {"game.toml", "boards/field/terrain.txt", "boards/field/map.lines", "charts/crt.csv"} <= game.files.keys()
    assert (game.left_out, before.left_out) == (["boards/field/scan.png", "saves/war.vsav", "war.journal"], [])


def test_more_than_a_game_can_have_is_refused(tmp_path: Path) -> None:
    new_game(own := tmp_path / "my-heath")
    (own / "long.csv").write_bytes(b"x" * 600_000)
    with pytest.raises(InputError, match="it holds"):
        games_to_pack([str(own)])
    (own / "long.csv").unlink()
    for number in range(40):
        (own / f"{number}.csv").write_bytes(b"x" * 500_000)
    with pytest.raises(InputError, match="the game holds more than"):
        games_to_pack([str(own)])


@thorough
def test_pillow_goes_in_where_the_parts_have_it(parts: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(parts / "pillow-12.0.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl", "w") as wheel:
        wheel.writestr("PIL/__init__.py", b"")
        wheel.writestr("pillow-12.0.0.dist-info/METADATA", b"")
    program = unpacked(made(parts), tmp_path / "program")
    assert (program / "PIL" / "__init__.py").is_file()
    assert [file.name for file in program.glob("*.dist-info")] == ["field_staff_page-1.dist-info"]


# --- what is refused --------------------------------------------------------------------------------------------------


def test_nothing_is_fetched_unasked() -> None:
    refused(run("-o", "table"), "nothing is fetched unasked", "--fetch", "--parts FOLDER")
    assert not list(Path().iterdir())


@thorough
def test_kept_parts_are_used(parts: Path) -> None:
    kept_parts().parent.mkdir(parents=True)
    shutil.move(parts, kept_parts())
    assert run("-o", "table").exit_code == 0


def test_fetching_without_npm_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    refused(run("-o", "table", "--fetch"), "npm cannot be run", "--parts FOLDER")
    assert not list(Path().iterdir())
    assert not kept_parts().exists()


def test_what_npm_says_is_told_and_older_parts_stay(
    parts: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept_parts().parent.mkdir(parents=True)
    shutil.move(parts, kept_parts())
    npm = tmp_path / "npm"
    npm.write_text("#!/bin/sh\necho 'no network' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    refused(run("-o", "table", "--fetch"), "npm pack --silent pyodide@314.0.8: no network")
    assert len(list(kept_parts().iterdir())) == 1 + len(NEEDED_WHEELS)


def test_without_pip_it_says_which_installation_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("module_builder.page.command.find_spec", lambda name: None)
    refused(
        run("-o", "table", "--fetch"), "name a folder with the parts: --parts FOLDER; or uv tool install --with pip"
    )
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    refused(run("-o", "table", "--fetch"), "or install Field Staff by pipx: pipx install FILE.whl")


def test_npm_is_run_under_the_name_that_it_has_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    npm = tmp_path / "npm.cmd"
    npm.write_text("#!/bin/sh\necho 'no network' >&2\nexit 1\n")
    npm.chmod(0o755)
    monkeypatch.setattr("shutil.which", {"npm": str(npm)}.get)
    refused(run("-o", "table", "--fetch"), "npm pack --silent pyodide@314.0.8: no network")


@thorough
def test_page_works_without_what_is_only_wanted(parts: Path) -> None:
    assert not list(parts.glob("segno-*"))
    assert not set(NEEDED_WHEELS) & set(OPTIONAL_WHEELS)
    assert made(parts)


def test_fetch_and_parts_together_are_refused(parts: Path) -> None:
    refused(run("-o", "table", "--fetch", "--parts", str(parts)), "leave one out")


@thorough
def test_folder_that_holds_anything_is_refused_and_forced(parts: Path) -> None:
    Path("table").mkdir()
    Path("table", "index.html").write_text("mine")
    refused(run("-o", "table", "--parts", str(parts)), "already exists", "--force")
    assert Path("table", "index.html").read_text() == "mine"
    assert made(parts, "--force")["index.html"] != b"mine"


def test_missing_wheel_is_named(parts: Path) -> None:
    next(parts.glob("pluggy-*")).unlink()
    refused(run("-o", "table", "--parts", str(parts)), "no wheel of pluggy")


@pytest.mark.parametrize("tag", ["cp313-cp313-pyemscripten_2026_0_wasm32", "cp314-cp314-manylinux_2_28_x86_64"])
def test_wheel_of_another_python_or_machine_is_not_taken(parts: Path, tag: str) -> None:
    next(parts.glob("msgspec-*")).unlink()
    write_wheel(parts, "msgspec", tag)
    refused(run("-o", "table", "--parts", str(parts)), "no wheel of msgspec for cp314 and pyemscripten_2026_0")


def test_two_wheels_of_one_package_are_refused(parts: Path) -> None:
    shutil.copy(next(parts.glob("tomli-*")), parts / f"tomli-1.0-{PURE}.whl")
    refused(run("-o", "table", "--parts", str(parts)), "two wheels of tomli")


def test_missing_and_damaged_pyodide_are_refused(parts: Path) -> None:
    packed = next(parts.glob("pyodide-*"))
    packed.write_bytes(packed.read_bytes()[:100])
    refused(run("-o", "table", "--parts", str(parts)), "not Pyodide as npm packs it")
    packed.unlink()
    refused(run("-o", "table", "--parts", str(parts)), "there is no pyodide-*.tgz")
    refused(run("-o", "table", "--parts", "nowhere"), "there is no such folder")


def test_unknown_release_of_pyodide_is_refused(tmp_path: Path) -> None:
    parts = write_parts(tmp_path / "others", lock=[])
    refused(run("-o", "table", "--parts", str(parts)), "not a release of Pyodide")


def test_damaged_wheel_is_refused(parts: Path) -> None:
    next(parts.glob("tomli-*")).write_bytes(b"no zip file")
    refused(run("-o", "table", "--parts", str(parts)), "this wheel is damaged")


def test_unknown_and_repeated_games_are_refused(parts: Path) -> None:
    refused(run("-o", "table", "--parts", str(parts), "--game", "no-such-game"), "unknown game")
    twice = ["--game", TWILIGHT, "--game", "twilight"]
    refused(run("-o", "table", "--parts", str(parts), *twice), f"two games are called {TWILIGHT}")
