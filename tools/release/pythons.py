"""The Pythons that there are, and a release tried in each: installed into an empty environment and asked, outside the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from assistant.util.errors import InputError

VERSIONS = ("3.11", "3.12", "3.13", "3.14")
VARIABLE = "PYTHONS"
"""What names further Pythons, as PATH names folders: interpreters, or the folders in which they lie."""
_BIN = "Scripts" if os.name == "nt" else "bin"
_OWN = ("PYTHON", "VIRTUAL_ENV", "FIELD_STAFF", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "XDG_")
"""How variables begin that would bring something of this environment, or of its user, into an empty one."""
_MOST_SECONDS = 600
TRIAL = Path(__file__).with_name("trial.py")


class Python(NamedTuple):
    """An interpreter, by the version that it has. path: "" for one that is not there."""

    version: str
    path: str


def find_pythons(environment: Mapping[str, str] = os.environ) -> list[Python]:
    """One interpreter for each version: of those that PYTHONS names, or else of those on PATH."""
    named = [name for name in environment.get(VARIABLE, "").split(os.pathsep) if name]
    folders = [name for name in named if Path(name).is_dir()] + [environment.get("PATH", "")]
    of_files = {version_of(name): name for name in named if not Path(name).is_dir()}
    return [Python(version, of_files.get(version) or _on_path(version, folders)) for version in VERSIONS]


def _on_path(version: str, folders: Sequence[str]) -> str:
    """The interpreter of a version in some folders, "" if there is none that runs."""
    for folder in os.pathsep.join(folders).split(os.pathsep):
        path = shutil.which(f"python{version}", path=folder) if folder else None
        if path and version_of(path) == version:
            return path
    return ""


def version_of(path: str) -> str:
    """The version of an interpreter, such as 3.11; "" if it does not run."""
    command = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_MOST_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def new_environment(python: Python, folder: Path, archive: Path) -> Path:
    """Install an archive with all that it needs into an empty environment, which lacks even pip. Gives its interpreter."""
    run([python.path, "-m", "venv", "--without-pip", str(folder)])
    interpreter = folder / _BIN / ("python.exe" if os.name == "nt" else "python")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(interpreter)]
    run([*pip, "install", "--quiet", str(archive)])
    return interpreter


def try_release(interpreter: Path, version: str, folder: Path) -> None:
    """Ask an installed release what trial.py asks. folder: an empty one, in which it runs and which is its user's home."""
    folder.mkdir(parents=True)
    run(
        [str(interpreter), "-I", str(shutil.copy(TRIAL, folder)), version],
        folder,
        clean_environment(folder, interpreter.parent),
    )


def clean_environment(home: Path, programs: Path) -> dict[str, str]:
    """The variables of a user who has nothing but this environment. programs: the folder of its commands."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    return kept | {"HOME": str(home), "PATH": os.pathsep.join([str(programs), os.defpath]), "COLUMNS": "100"}


def run(command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
    """What a command prints. Raises InputError with the end of what it said if it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=_MOST_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{' '.join(command)} has not ended within {_MOST_SECONDS} seconds") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()[-3:]
        raise InputError(
            f"{' '.join(command)} failed with {done.returncode}", hint="; ".join(line.strip() for line in said)
        )
    return done.stdout


def untried(pythons: Sequence[Python]) -> Iterator[str]:
    """A line for each Python that is not there."""
    for python in pythons:
        if not python.path:
            yield f"Python {python.version}: not found, not run ({VARIABLE} names interpreters that are not on PATH)"
