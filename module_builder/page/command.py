"""The command `page`: the table page as a folder for any static host, with its program, compiled modules and licences.

Its other parts are Pyodide, which is Python for the browser, and a few wheels. Nothing is fetched unless the user asks
for it. Then npm and pip fetch it, with the user's own settings.
"""

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
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import click
import msgspec

from assistant.asking.view import View
from assistant.drawing.geometry import PageBox
from assistant.drawing.png import reduce_colours, to_png
from assistant.drawing.scene import Layer, Point, Rectangle, Scene
from assistant.drawing.situation import counters_of
from assistant.drawing.style import HEX_MM, RIVER
from assistant.drawing.svg_reader import read_drawing
from assistant.faces.page import shell_files
from assistant.faces.page.tiles import Pictures
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.installed.registry import game_folder, installed_games, make_game_loader, named_game
from assistant.service import parse
from assistant.util.console import echo, format_count, show_working
from assistant.util.copies import Copies, Copy, mark_content
from assistant.util.datafiles import read_text
from assistant.util.errors import InputError, Where, is_of_the_machine, located, word_machine_error
from assistant.util.extras import is_program
from assistant.util.files import cache_folder, files_below, package_folder, read_bytes, read_own
from assistant.util.licences import Licences, is_licence, join_licences, own_licences
from assistant.util.limits import Limit
from assistant.util.patterns import late_pattern
from assistant.util.writing import make_folder, write_all

from ..printing import force

_PYODIDE = "pyodide@314.0.8"
"""The package of npm, with its version: the page makes snapshots through a private interface, which any version may change."""
_INTERPRETER = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NEEDED_WHEELS = ("filelock", "msgspec", "pluggy", "tomli")
OPTIONAL_WHEELS = ("segno",)
"""Wheels that are fetched too, although the page works without them: QR codes need segno."""
_PYODIDE_WHEELS = ("pillow",)
"""Wheels that only Pyodide's own distribution has, needed for an author's own pictures."""
_WHEEL = late_pattern(
    r"(?P<name>[\w.]+)-(?P<version>[\w.!+]+)(?:-[0-9]\w*)?-(?P<python>[\w.]+)-(?P<abi>[\w.]+)-(?P<platform>[\w.]+)\.whl"
)
_FETCH_TIMEOUT_SECONDS = 600
_HINT = "add --fetch, which has npm and pip fetch them, or name a folder with them: --parts FOLDER"


class _PageParts(NamedTuple):
    """The parts."""

    interpreter: Mapping[str, bytes]
    """Pyodide's files by name."""
    wheels: Mapping[str, zipfile.ZipFile]
    """The wheels by the names of their packages."""


def kept_parts() -> Path:
    """Return the folder of fetched parts, in the user's cache."""
    return cache_folder() / "page-parts"


_PYTHON = "3.14"
_ABI = "2026_0"


def fetch_parts(folder: Path) -> None:
    """Have npm and pip fetch all parts, and replace the folder with them. Raises InputError if one fails."""
    if find_spec("pip") is None:
        raise InputError("this installation has no pip", where=Where("--fetch"), hint=_hint_without_pip())
    make_folder(folder.parent)
    with tempfile.TemporaryDirectory(dir=folder.parent) as beside:
        fetched = Path(beside, folder.name)
        fetched.mkdir()
        _run_program([shutil.which("npm") or "npm", "pack", "--silent", _PYODIDE], fetched)
        tag = f"cp{_PYTHON.replace('.', '')}"
        wanted = ["--no-deps", "--only-binary=:all:", "--implementation=cp", f"--python-version={_PYTHON}"]
        wanted += [f"--abi={tag}", "--abi=none", f"--platform=pyemscripten_{_ABI}_wasm32", "--platform=any"]
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download"]
        _run_program([*pip, *wanted, *NEEDED_WHEELS, *OPTIONAL_WHEELS], fetched)
        if folder.exists():
            shutil.move(folder, Path(beside, "before"))
        shutil.move(fetched, folder)


def _hint_without_pip() -> str:
    """Return a hint for an installation without pip: the packaged program, or one by uv."""
    instead = (
        "install Field Staff by pipx: pipx install FILE.whl" if is_program() else "uv tool install --with pip FILE.whl"
    )
    return f"name a folder with the parts: --parts FOLDER; or {instead}"


def _run_program(command: Sequence[str], folder: Path) -> None:
    program = "pip" if command[0] == sys.executable else Path(command[0]).stem  # npm.cmd on Windows
    command_in_words = " ".join((program, *command[5 if program == "pip" else 1 :]))
    try:
        finished = subprocess.run(
            command, cwd=folder, check=False, capture_output=True, text=True, timeout=_FETCH_TIMEOUT_SECONDS
        )
    except OSError as error:
        hint = "install Node.js, or name a folder with the parts: --parts FOLDER"
        raise InputError(f"{program} cannot be run: {error.strerror}", where=Where("--fetch"), hint=hint) from None
    except subprocess.TimeoutExpired:
        hint = "is the machine online? Or name a folder with the parts: --parts FOLDER"
        raise InputError(
            f"{command_in_words}: not done in {_FETCH_TIMEOUT_SECONDS} seconds", where=Where("--fetch"), hint=hint
        ) from None
    if finished.returncode:
        output = (finished.stderr.strip() or finished.stdout.strip()).splitlines()
        hint = "is the machine online? Or name a folder with the parts: --parts FOLDER"
        raise InputError(f"{command_in_words}: {output[-1] if output else 'failed'}", where=Where("--fetch"), hint=hint)


def read_parts(folder: Path, *, named: bool = True) -> _PageParts:
    """Return the parts in a folder: wheels, and Pyodide as an npm package (pyodide-*.tgz) or as its files.

    `named`: whether the user named the folder.

    Raises InputError for parts that are missing, duplicate or of another release.
    """
    if not named and not folder.is_dir():
        raise InputError("Python for the browser is not here, and nothing is fetched unasked", hint=_HINT)
    if not folder.is_dir():
        raise InputError("there is no such folder", where=Where(str(folder)), hint=_HINT)
    interpreter = _read_interpreter(folder)
    try:
        about = json.loads(interpreter["pyodide-lock.json"])["info"]
        abi, tag = str(about["abi_version"]), "cp" + "".join(str(about["python"]).split(".")[:2])
    except (ValueError, LookupError, TypeError):
        raise InputError(
            "this is not a release of Pyodide that is known", where=Where("pyodide-lock.json"), hint=_HINT
        ) from None
    wheels = {name: _open_wheel(file) for name, file in _find_wheels(folder, tag, f"pyemscripten_{abi}_wasm32")}
    if missing := [name for name in NEEDED_WHEELS if name not in wheels]:
        what = f"no wheel of {', '.join(missing)} for {tag} and pyemscripten_{abi}"
        raise InputError(what, where=Where(str(folder)), hint=_HINT)
    return _PageParts(interpreter, wheels)


def _read_interpreter(folder: Path) -> dict[str, bytes]:
    if (folder / _INTERPRETER[0]).is_file():
        return {name: read_bytes(folder / name) for name in _INTERPRETER}
    packed = _list_part_files(folder, "pyodide-*.tgz")
    if len(packed) != 1:
        what = "there are several releases of Pyodide" if packed else "there is no pyodide-*.tgz"
        raise InputError(what, where=Where(str(folder)), hint="leave only one there" if packed else _HINT)
    try:
        with tarfile.open(fileobj=io.BytesIO(read_own(packed[0]))) as archive:
            files = {name: archive.extractfile(f"package/{name}") for name in _INTERPRETER}
            return {name: file.read() for name, file in files.items() if file is not None}
    except InputError:
        raise
    except (tarfile.TarError, KeyError, EOFError, OSError, ValueError) as error:
        raise InputError(
            f"this is not Pyodide as npm packs it: {error}", where=Where(str(packed[0])), hint=_HINT
        ) from None


def _list_part_files(folder: Path, pattern: str) -> list[Path]:
    """Return the files in a folder whose names match, in order, or nothing if there is no folder."""
    try:
        return sorted(file for file in folder.iterdir() if file.match(pattern))
    except OSError as error:
        if is_of_the_machine(error):
            raise word_machine_error(error, str(folder)) from None
        return []


def _find_wheels(folder: Path, tag: str, platform: str) -> Iterator[tuple[str, Path]]:
    """Yield the usable wheels, each with the name of its package. Raises InputError for two of one package."""
    seen: dict[str, Path] = {}
    for file in _list_part_files(folder, "*.whl"):
        match = _WHEEL.fullmatch(file.name)
        name = match["name"].lower().replace("_", "-") if match else ""
        if match is None or name not in (*NEEDED_WHEELS, *OPTIONAL_WHEELS, *_PYODIDE_WHEELS):
            continue
        fits = match["platform"] == "any" or (
            platform in match["platform"].split(".") and tag in match["python"].split(".")
        )
        if not fits:
            continue
        if name in seen:
            what = f"there are two wheels of {name}: {seen[name].name} and {file.name}"
            raise InputError(what, where=Where(str(folder)), hint="remove one of them")
        seen[name] = file
        yield name, file


def _open_wheel(file: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(read_bytes(file)))
    except zipfile.BadZipFile:
        raise InputError("this wheel is damaged", where=Where(str(file)), hint="fetch it again") from None


_PROGRAM = "program"
"""The folder of the program in the browser."""
_LIBRARY = "python_stdlib.zip"
"""The standard library, among Pyodide's files."""
_STILL = "still.png"
"""The picture that is shown until the page has begun."""
_STILL_WIDTH_HEXES = 19
"""Hexes across in that picture: the number on a large screen."""
_STILL_ROWS = 13
_STILL_HEX_PX = 18
"""The height of a hex in that picture."""
_STILL_COLOURS = 10
_KEPT_COLOURS = (RIVER,)
"""Colours that are kept, though few pixels have them."""
_LEFT_OUT_LAYERS = ("names", "numbers")
"""The layers that cannot be read in it."""
_VERSION = f"{_PROGRAM}/version.js"
"""The module with the version of the page, by which its workers know their snapshots and words."""
_SERVICE_WORKER = "service-worker.js"
_COMMENT = re.compile(rb"^[ \t]*(?://[^\n]*|/\*\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
_LAPTOP_FILES = ("host/http_host.js",)
"""Files that only a page needs that a laptop serves."""
_ICON_SIZES_PX = (192, 512)
"""Sides of the installed icons."""
_ICON_SIDE_MM = 64.0
"""The side of the icon in its scene."""
_ICON_REACH_MM = 48.0
"""The side of the drawing within the icon: a system may cut a circle out of the icon."""
_ICON_COLOURS = 16
_ICON_GROUND = "#9a2c17"
_HOST_MODULE = """import {{ connectToWorker }} from "./host/worker_host.js";

export const connect = () => connectToWorker({});
"""
_COUNTED_FILES = ("library.zip.gz", "program.tar.gz", "pyodide.asm.wasm")
"""The files of the program whose coming is shown: nearly all that a first visit fetches."""
_HEAD = """<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-192.png">
</head>"""
_UNUSED_FILES = (
    "assistant/__main__.py",
    "assistant/faces/cli/",
    "assistant/faces/mcp/",
    "assistant/faces/page/server/",
    "assistant/faces/page/shell/",
    "assistant/faces/prompt/keyboard.py",
    "assistant/testing.py",
    "field_staff_images/fonts/Condensed",
)
"""Files that a browser has no use for: the command line, what programs ask, and the fonts of a PDF."""
_LEFT_OUT = late_pattern(r"(.*/)?(__pycache__/.*|.*\.(pyc|pyo|pyi|typed|c|h|pyx|pxd)|\..*|tests?/.*)")
_GAME_PREFIX = "game_"
"""The beginning of the name of a package that holds a game from a folder."""
_READ_ENDINGS = (".toml", ".csv", ".pos", ".txt", ".lines", ".svg", ".py")
"""The suffixes of the files that a game is read from: a scan, a save or a module beside them stays at home."""
_MAX_GAME_BYTES = 16_000_000
"""The maximum size of the files of a game from a folder."""
_SCRIPT = Path(__file__).with_name("compile.mjs")
_COPIES = Copies("compiled-pages", ".tar.gz", max_copies=2)
_LIBRARY_PATH = "lib/python314.zip"
"""The path of the standard library in the browser."""
_UNUSED_MODULES = (
    "_pyrepl/", "bdb.py", "cProfile.py", "cmd.py", "code.py", "doctest.py", "ensurepip/", "ftplib.py", "http/server.py", "idlelib/",
    "imaplib.py", "logging/config.py", "logging/handlers.py", "mailbox.py", "multiprocessing/", "netrc.py", "pdb.py", "pickletools.py",
    "poplib.py", "profile.py", "pstats.py", "pydoc", "smtplib.py", "socketserver.py", "sqlite3/", "tkinter/", "trace.py", "turtle",
    "unittest/", "venv/", "webbrowser.py", "wsgiref/", "xmlrpc/", "zipapp.py",
)  # fmt: skip
"""The modules of the standard library that no rule needs."""
_FILE_DATE_SECONDS = 315_532_800
"""The date of all files in an archive, in seconds: 1 January 1980."""
_PYODIDE_LICENCES = """Pyodide, in the folder program, is under the Mozilla Public License 2.0 (https://www.mozilla.org/MPL/2.0/); its source is at
https://github.com/pyodide/pyodide. The Python within it is under the PSF License (https://docs.python.org/3/license.html).
"""


@click.command("page")
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path, readable=False),
    required=True,
    help="The folder to write to, a new or an empty one.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help=(
        "Only this game: an installed one by its id, or a folder. Repeat it for several. By default all that "
        "are installed."
    ),
)
@click.option(
    "--parts",
    type=click.Path(path_type=Path, readable=False),
    help="A folder with Pyodide and the wheels, instead of those fetched.",
)
@click.option(
    "--fetch", is_flag=True, help="Have npm and pip fetch Pyodide and the wheels first; they are stored for later."
)
@force
def page(out: Path, games: tuple[str, ...], parts: Path | None, fetch: bool, force: bool) -> None:
    """Make a folder with the table page, for any static host: the rules run in the reader's own browser, without a
    network after the first visit. The handbook's page "Hosting the table page" says how.
    """
    if fetch and parts:
        raise InputError("--fetch has its own folder for what it fetches", where=Where("--parts"), hint="leave one out")
    _check_folder(out, force=force)
    packed = games_to_pack(games)
    if fetch:
        with show_working("fetching Pyodide and the wheels"):
            fetch_parts(kept_parts())
    with show_working(f"making {out}"):
        read = read_parts(parts or kept_parts(), named=parts is not None)
        still = find_still(
            make_game_loader(named_game(game.home) if game.home else None, pack="none")(game.id) for game in packed
        )
        made = make_page(program_files(packed, read), read, still)
    write_all(out, made.files, force=force)
    if not made.is_compiled:
        echo("Node.js is not installed, so the page is not compiled and starts more slowly", err=True)
    for game in packed:
        if game.left_out:
            files, first = format_count(len(game.left_out), "file"), game.left_out[0]
            echo(f"{game.id}: {files} left out from which no game is read, {first} first", err=True)
    size = sum(map(len, made.files.values())) / 1e6
    echo(f"{out}: {format_count(len(made.files), 'file')}, {size:.1f} MB, with {', '.join(game.id for game in packed)}")


def _check_folder(folder: Path, *, force: bool) -> None:
    if not force and folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        hint = "name a new folder, or --force writes over what it holds"
        raise InputError("it already exists", where=Where(str(folder)), hint=hint)


class Page(NamedTuple):
    """The page."""

    files: Mapping[str, bytes]
    """The files by their paths."""
    is_compiled: bool
    """Whether a browser need not compile the modules at each start."""


def make_page(program: Mapping[str, bytes], parts: _PageParts, first_picture: Still | None = None) -> Page:
    """Return the page. Raises InputError if Pyodide does not run.

    `program`: the files of the program by their paths.
    `first_picture`: the picture shown until the page has begun, or None.
    """
    files = {path: _strip_comments(path, data) for path, data in shell_files().items() if path not in _LAPTOP_FILES}
    files["index.html"] = _add_head(files["index.html"])
    files |= _draw_icons(files["icon.svg"])
    files["manifest.webmanifest"] = _write_json(_make_manifest())
    files["licences.txt"] = licences(parts)
    sources = {f"{_PROGRAM}/{path}": data for path, data in program.items() if path.endswith(".py")}
    compiled = compile_modules({**library_sources(parts.interpreter[_LIBRARY]), **sources}, parts.interpreter)
    files |= {f"program/{name}": data for name, data in _pack_program(program, parts, compiled).items()}
    if first_picture:
        files[_STILL] = first_picture.png
    files["host.js"] = _write_host(files, first_picture)
    files[_VERSION] = _write_version(files)
    files[_SERVICE_WORKER] = _write_service_worker(files)
    return Page(dict(sorted(files.items())), bool(compiled))


def _pack_program(program: Mapping[str, bytes], parts: _PageParts, compiled: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the folder `program`: archives of Python's library and the program, and Pyodide's other files."""
    made = {path: compiled.get(f"{_PROGRAM}/{path}") for path in program}
    lean = {path if made[path] is None else f"{path}c": made[path] or data for path, data in program.items()}
    return {
        **{name: data for name, data in parts.interpreter.items() if name != _LIBRARY},
        "pyodide-lock.json": _drop_packages(parts.interpreter["pyodide-lock.json"]),
        "program.tar.gz": gzip.compress(pack_tar(lean), 9, mtime=0),
        "library.zip.gz": gzip.compress(pack_library(parts.interpreter[_LIBRARY], compiled), 9, mtime=0),
    }


def _strip_comments(path: str, data: bytes) -> bytes:
    """Return a script without the comments that have lines of their own, or another file unchanged."""
    return _COMMENT.sub(b"", data) if path.endswith(".js") else data


def _write_version(files: Mapping[str, bytes]) -> bytes:
    """Return the module with the version of the page: a digest of all its other files."""
    return f'export const VERSION = "{_find_version(_sum_files(files))}";\n'.encode()


def _find_version(sums: Mapping[str, str], *more: bytes) -> str:
    return hashlib.sha256(b"".join([json.dumps(sums).encode(), *more])).hexdigest()[:16]


def _sum_files(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the checksums of the files that the service worker keeps."""
    return {path: hashlib.sha256(data).hexdigest() for path, data in sorted(files.items()) if path != _SERVICE_WORKER}


def _write_host(files: Mapping[str, bytes], still: Still | None) -> bytes:
    """Return the host of the page, with the sizes of the files, raw and compressed, to show until it has begun."""
    sizes = {}
    for name in _COUNTED_FILES:
        data = files[f"program/{name}"]
        sizes[name] = len(data), len(data if name.endswith(".gz") else gzip.compress(data, 6))
    picture = (
        {"file": _STILL, **{key: value for key, value in still._asdict().items() if key != "png"}} if still else None
    )
    return _HOST_MODULE.format(json.dumps({"files": sizes, "still": picture})).encode()


def _add_head(index: bytes) -> bytes:
    assert index.count(b"</head>") == 1
    return index.replace(b"</head>", _HEAD.encode())


def _draw_icons(drawing: bytes) -> dict[str, bytes]:
    symbol = read_drawing(drawing, "the icon", coloured=True)
    edge = (_ICON_SIDE_MM - _ICON_REACH_MM) / 2
    placed = msgspec.structs.replace(symbol, x=edge, y=edge, width=_ICON_REACH_MM, height=_ICON_REACH_MM)
    ground = Rectangle(x=0, y=0, width=_ICON_SIDE_MM, height=_ICON_SIDE_MM, fill=_ICON_GROUND)
    scene = Scene(
        width=_ICON_SIDE_MM, height=_ICON_SIDE_MM, title="Field Staff", layers=(Layer("icon", (ground, placed)),)
    )
    drawn = {f"icon-{size}.png": to_png([scene], size / _ICON_SIDE_MM)[0] for size in _ICON_SIZES_PX}
    return {name: reduce_colours(png, _ICON_COLOURS, [_ICON_GROUND]) for name, png in drawn.items()}


def _make_manifest() -> Mapping[str, object]:
    sizes = [{"src": f"icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"} for size in _ICON_SIZES_PX]
    whole = {"src": "icon-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"}
    return {
        "name": "Field Staff",
        "short_name": "Field Staff",
        "description": "Rules of hex wargames, worked out at the table",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#f3eddd",
        "theme_color": "#f3eddd",
        "icons": [*sizes, whole],
    }


def _drop_packages(lock: bytes) -> bytes:
    """Return Pyodide's lock file without packages: the program brings its own, so that nothing is fetched."""
    return _write_json({**json.loads(lock), "packages": {}})


def _write_service_worker(files: Mapping[str, bytes]) -> bytes:
    """Return the service worker with its version, and the files that it keeps with their checksums."""
    sums = _sum_files(files)
    version = _find_version(sums, files[_SERVICE_WORKER])
    constants = f'const VERSION = "{version}";\nconst FILES = {json.dumps(sums, indent=1)};\n\n'
    return constants.encode() + files[_SERVICE_WORKER]


def _write_json(value: object) -> bytes:
    return json.dumps(value, indent=1).encode() + b"\n"


class PackedGame(NamedTuple):
    """A game in the archive."""

    id: str
    package: str
    """The name of the package that is imported."""
    files: Mapping[str, bytes]
    """The files by their paths in the package."""
    left_out: Sequence[str] = ()
    """The paths of files in the folder that no game is read from."""
    home: str = ""
    """The folder, or "" for an installed game."""


def games_to_pack(named: Iterable[str]) -> list[PackedGame]:
    """Return the games with these ids or folders, by default all installed ones.

    Raises InputError if a game is missing or named twice.
    """
    games = [_pack_game(name) for name in named] or [_pack_game(name) for name in sorted(installed_games())]
    twice = next(
        (game.id for number, game in enumerate(games) if game.id in [other.id for other in games[:number]]), ""
    )
    if twice:
        raise InputError(f"two games are called {twice}", where=Where("--game"), hint="name each of them once")
    if not games:
        raise InputError("no game is installed", hint="name a folder with a game: --game FOLDER")
    return games


def _pack_game(named: str) -> PackedGame:
    game = game_folder(named)
    if not game.home:
        package = installed_games()[game.id].value.partition(":")[0].partition(".")[0]
        return PackedGame(game.id, package, dict(_list_package(package_folder(package))))
    package = _GAME_PREFIX + game.id.replace("-", "_")
    files, left_out = _read_folder(Path(named))
    return PackedGame(game.id, package, {"__init__.py": b"", **files}, left_out, game.home)


def _read_folder(folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of a game in a folder by their paths, and the paths of other files.

    Raises InputError if there is more than a game can have.
    """
    files, left_out = dict[str, bytes](), list[str]()
    for path, _ in files_below(folder):
        if _LEFT_OUT.fullmatch(path):
            continue
        if not path.endswith(_READ_ENDINGS):
            left_out.append(path)
            continue
        files[path] = read_bytes(folder / path)
        with located(Where(str(folder / path))):
            Limit.DATA.check(len(files[path]), "it holds")
        if sum(map(len, files.values())) > _MAX_GAME_BYTES:
            raise InputError(
                f"the game holds more than {_MAX_GAME_BYTES} bytes",
                where=Where(str(folder)),
                hint="is it the folder of one game?",
            )
    return files, left_out


def program_files(games: Iterable[PackedGame], parts: _PageParts) -> dict[str, bytes]:
    """Return the files of the program, games and wheels by their paths in the archive."""
    return dict(_list_files(list(games), parts))


def _list_files(games: list[PackedGame], parts: _PageParts) -> Iterator[tuple[str, bytes]]:
    for package in ("assistant", "field_staff_images"):
        for path, data in _list_package(package_folder(package)):
            if not f"{package}/{path}".startswith(_UNUSED_FILES):
                yield f"{package}/{path}", data
    for wheel in parts.wheels.values():
        for path in wheel.namelist():
            if ".dist-info/" not in path and not path.endswith("/") and not _LEFT_OUT.fullmatch(path):
                yield path, wheel.read(path)
    for game in games:
        for path, data in game.files.items():
            yield f"{game.package}/{path}", data
    yield "field_staff_page-1.dist-info/entry_points.txt", _write_entry_points(games).encode()


def _write_entry_points(games: list[PackedGame]) -> str:
    own = [f"{game.id} = {game.package}" for game in games]
    return "\n".join(["[field_staff.plugins]", "assistant = assistant.builtin", "[field_staff.games]", *own, ""])


def _list_package(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for path, file in files_below(folder):
        if not _LEFT_OUT.fullmatch(path):
            yield path, read_own(file)


def compile_modules(sources: Mapping[str, bytes], interpreter: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the compiled modules by their paths in the browser, or none without Node.js.

    Modules with a syntax error are left out. The result is cached until a module or Pyodide changes.

    Raises InputError if Pyodide does not run.
    """
    node = shutil.which("node")
    if node is None:
        return {}
    packed = pack_tar(sources)
    parts = [
        packed,
        _SCRIPT.read_bytes(),
        *(part for name in sorted(interpreter) for part in (name.encode(), interpreter[name])),
    ]
    copy = Copy(_COPIES, "\n".join(sorted(sources)), mark_content(parts))
    compiled = copy.read()
    if compiled is None:
        compiled = memoryview(_run_compiler(node, packed, interpreter))
        copy.write(bytes(compiled))
    with tarfile.open(fileobj=io.BytesIO(compiled)) as archive:
        files = ((member.name, archive.extractfile(member)) for member in archive)
        return {name: file.read() for name, file in files if file is not None}


def _run_compiler(node: str, sources: bytes, interpreter: Mapping[str, bytes]) -> bytes:
    """Return the archive of compiled modules. Raises InputError if Pyodide does not run."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        for name, data in interpreter.items():
            (here / name).write_bytes(data)
        (here / "sources.tar").write_bytes(sources)
        command = [node, str(_SCRIPT), folder, str(here / "sources.tar"), str(here / "compiled.tar")]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            reason = (done.stderr.strip() or "no word why").splitlines()[-1]
            hint = "are the parts whole? --fetch has npm and pip fetch them again"
            raise InputError(f"Pyodide does not run here: {reason}", where=Where(node), hint=hint)
        return gzip.compress((here / "compiled.tar").read_bytes(), 1, mtime=0)


def library_sources(library: bytes) -> dict[str, bytes]:
    """Return the needed modules of the standard library, a zip file, by their paths in the browser."""
    with zipfile.ZipFile(io.BytesIO(library)) as archive:
        return {
            f"{_LIBRARY_PATH}/{name}": archive.read(name)
            for name in archive.namelist()
            if name.endswith(".py") and not name.startswith(_UNUSED_MODULES)
        }


def pack_library(library: bytes, compiled: Mapping[str, bytes]) -> bytes:
    """Return the standard library with compiled modules as an uncompressed archive, which a browser reads faster."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(library)) as archive, zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as packed:
        for name in archive.namelist():
            if name.startswith(_UNUSED_MODULES) or name.endswith("/"):
                continue
            data = compiled.get(f"{_LIBRARY_PATH}/{name}")
            packed.writestr(
                zipfile.ZipInfo(name if data is None else f"{name}c"), archive.read(name) if data is None else data
            )
    return made.getvalue()


def pack_tar(files: Mapping[str, bytes]) -> bytes:
    """Return an archive of files by their paths."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(files):
            member = tarfile.TarInfo(path)
            member.size, member.mtime = len(files[path]), _FILE_DATE_SECONDS
            archive.addfile(member, io.BytesIO(files[path]))
    return packed.getvalue()


def licences(parts: _PageParts) -> bytes:
    """Return all licences of the folder's contents, each below a title."""
    return join_licences(_list_texts(parts))


def _list_texts(parts: _PageParts) -> Licences:
    yield from own_licences()
    yield "Pyodide and Python", _PYODIDE_LICENCES
    for package, wheel in sorted(parts.wheels.items()):
        for path in wheel.namelist():
            if is_licence(path):
                yield package, wheel.read(path).decode("utf-8", "replace")


class Still(NamedTuple):
    """The still picture of a board."""

    png: bytes
    width: int
    height: int
    hex: int
    """The height of a hex, in pixels."""
    shows: Point
    """The distance of the hexes shown first, across and down, in heights of a hex; their middle is that of the picture."""
    first: Point
    """The offset of the first of these hexes from the middle."""


def find_still(games: Iterable[Game]) -> Still | None:
    """Return the still picture of the first game that the page can begin with, or None."""
    for game in games:
        if start := game.file.start:
            file, called, _ = game.set_up(start.setup)
            return draw_still(parse(read_text(file, called), game=game), start.shows)
    return None


def draw_still(position: Position, shows: Sequence[str]) -> Still:
    """Return the board of a position with its units, around these hexes."""
    view = View(position.game, position.state)
    board = Pictures().of(view, shows)
    xs, ys = zip(*map(board.field.centre, shows), strict=True)
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    width, height = _STILL_WIDTH_HEXES * HEX_MM, _STILL_ROWS * HEX_MM
    survey, drawn = board.draw_box(PageBox(x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    units, _, _ = counters_of(survey.layout, board.look, survey.symbols, (), {})
    written = (layer for layer in drawn.written if layer.name not in _LEFT_OUT_LAYERS)
    scene = Scene(width=width, height=height, title="", layers=(*drawn.ground, *drawn.ways, *written, units))
    [png] = to_png([scene], _STILL_HEX_PX / HEX_MM)
    return Still(
        reduce_colours(png, _STILL_COLOURS, _KEPT_COLOURS),
        _STILL_WIDTH_HEXES * _STILL_HEX_PX,
        _STILL_ROWS * _STILL_HEX_PX,
        _STILL_HEX_PX,
        ((max(xs) - min(xs)) / HEX_MM, (max(ys) - min(ys)) / HEX_MM),
        ((xs[0] - x) / HEX_MM, (ys[0] - y) / HEX_MM),
    )
