"""The page's parts besides the program: Pyodide, which is Python for the browser, and a few wheels.

Nothing is fetched unless the user asks for it. Then npm and pip fetch it, with the user's own settings.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from assistant.util.errors import InputError, Where, is_of_the_machine, word_machine_error
from assistant.util.extras import is_program
from assistant.util.files import cache_folder, read_bytes, read_own
from assistant.util.patterns import late_pattern
from assistant.util.writing import make_folder

PYODIDE = "pyodide@314.0.8"
"""The package of npm, with its version: the page makes snapshots through a private interface, which any version may change."""
_INTERPRETER = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
NEEDED_WHEELS = ("filelock", "msgspec", "pluggy", "tomli")
OPTIONAL_WHEELS = ("segno",)
"""Wheels that are fetched too, although the page works without them: QR codes need segno."""
PYODIDE_WHEELS = ("pillow",)
"""Wheels that only Pyodide's own distribution has, needed for an author's own pictures."""
_WHEEL = late_pattern(
    r"(?P<name>[\w.]+)-(?P<version>[\w.!+]+)(?:-[0-9]\w*)?-(?P<python>[\w.]+)-(?P<abi>[\w.]+)-(?P<platform>[\w.]+)\.whl"
)
_FETCH_TIMEOUT_SECONDS = 600
_HINT = "add --fetch, which has npm and pip fetch them, or name a folder with them: --parts FOLDER"


class PageParts(NamedTuple):
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
        _run_program([shutil.which("npm") or "npm", "pack", "--silent", PYODIDE], fetched)
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


def read_parts(folder: Path, *, named: bool = True) -> PageParts:
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
    return PageParts(interpreter, wheels)


def _read_interpreter(folder: Path) -> dict[str, bytes]:
    if (folder / _INTERPRETER[0]).is_file():
        return {name: read_bytes(folder / name) for name in _INTERPRETER}
    packed = _list_files(folder, "pyodide-*.tgz")
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


def _list_files(folder: Path, pattern: str) -> list[Path]:
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
    for file in _list_files(folder, "*.whl"):
        match = _WHEEL.fullmatch(file.name)
        name = match["name"].lower().replace("_", "-") if match else ""
        if match is None or name not in (*NEEDED_WHEELS, *OPTIONAL_WHEELS, *PYODIDE_WHEELS):
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
