"""The Pythons on this machine, and the trial of a release in each: installed into an empty environment outside the
repository.
"""

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
"""The variable that names further Pythons, in the form of PATH: interpreters, or their folders."""
_BIN = "Scripts" if os.name == "nt" else "bin"
_PYTHON_PREFIXES = ("PYTHON", "VIRTUAL_ENV", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
"""The beginnings of variables that would bring this environment into an empty one, or change it from there."""
_USER_PREFIXES = ("FIELD_STAFF", "XDG_")
"""The beginnings of variables that would bring the user's data into it."""
_MAX_SECONDS = 600
TRIAL = Path(__file__).with_name("trial.py")


class Python(NamedTuple):
    """An interpreter of a version.

    `path`: its path, or "" if it was not found.
    """

    version: str
    path: str


def find_pythons(environment: Mapping[str, str] = os.environ) -> list[Python]:
    """Return one interpreter for each version: from those that PYTHONS names, or else from PATH.

    Raises InputError for a name in PYTHONS that gives none of them.
    """
    named: dict[str, str] = {}
    for name in filter(None, environment.get(VARIABLE, "").split(os.pathsep)):
        interpreters = _find_interpreters(name)
        if not interpreters:
            raise InputError(
                f"{VARIABLE}: {name} is not a Python of {', '.join(VERSIONS)}, nor a folder with one",
                hint="name an interpreter, such as /opt/python3.14/bin/python3.14, or its folder",
            )
        named = interpreters | named
    return [
        Python(version, named.get(version) or _find_on_path(version, environment.get("PATH", "")))
        for version in VERSIONS
    ]


def _find_interpreters(name: str) -> dict[str, str]:
    if Path(name).is_dir():
        interpreters = {version: _find_on_path(version, name) for version in VERSIONS}
    else:
        interpreters = {version_of(name): name}
    return {version: path for version, path in interpreters.items() if path and version in VERSIONS}


def _find_on_path(version: str, path: str) -> str:
    for folder in path.split(os.pathsep):
        interpreter = shutil.which(f"python{version}", path=folder) if folder else None
        if interpreter and version_of(interpreter) == version:
            return interpreter
    return ""


def version_of(path: str) -> str:
    """Return the version of an interpreter, such as 3.11, or "" if it does not run."""
    command = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_MAX_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ended.stdout.strip() if ended.returncode == 0 else ""


def new_environment(python: Python, folder: Path, archive: Path) -> Path:
    """Install an archive with all that it needs into an empty environment without pip, and return its interpreter."""
    run([python.path, "-m", "venv", "--without-pip", str(folder)], environment=outside())
    interpreter = folder / _BIN / ("python.exe" if os.name == "nt" else "python")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(interpreter)]
    run([*pip, "install", "--quiet", str(archive)], environment=outside())
    return interpreter


def try_release(interpreter: Path, version: str, folder: Path) -> None:
    """Run the checks of trial.py on an installed release.

    `folder`: an empty folder in which it runs and which is its user's home.
    """
    folder.mkdir(parents=True)
    run(
        [str(interpreter), "-I", str(shutil.copy(TRIAL, folder)), version],
        folder,
        clean_environment(folder, interpreter.parent),
    )


def outside() -> dict[str, str]:
    """Return the variables of this process without those about its own Python, such as PYTHONPATH."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_PYTHON_PREFIXES)}


def clean_environment(home: Path, programs: Path) -> dict[str, str]:
    """Return the variables of a user who has nothing but this environment."""
    others = {name: value for name, value in outside().items() if not name.startswith(_USER_PREFIXES)}
    return others | {"HOME": str(home), "PATH": os.pathsep.join([str(programs), os.defpath]), "COLUMNS": "100"}


def run(command: Sequence[str], folder: Path | None = None, environment: Mapping[str, str] | None = None) -> str:
    """Return the output of a command. Raises InputError, with the end of its messages, if it fails or is not found."""
    try:
        ended = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=_MAX_SECONDS
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"{' '.join(command)} has not ended within {_MAX_SECONDS} seconds") from None
    except OSError as error:
        raise InputError(
            f"{command[0]} cannot be run ({error.strerror})", hint="install it, or put it on PATH"
        ) from None
    if ended.returncode:
        last = (ended.stderr.strip() or ended.stdout.strip()).splitlines()[-3:]
        raise InputError(
            f"{' '.join(command)} failed with {ended.returncode}", hint="; ".join(line.strip() for line in last)
        )
    return ended.stdout


def list_missing(pythons: Sequence[Python]) -> Iterator[str]:
    """Yield a line for each Python that was not found."""
    for python in pythons:
        if not python.path:
            yield f"Python {python.version}: not found, not run ({VARIABLE} names interpreters that are not on PATH)"
