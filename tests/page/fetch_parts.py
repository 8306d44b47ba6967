"""Fetch what the tests of the page need: `python tests/page/fetch_parts.py FOLDER`, with npm on the path.

Into the folder go Python for the browser, the wheels that the program needs there, and axe-core, which looks for what
people with impairments could not use. All are pinned: the page is tested with what it is built from.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

PYODIDE = "pyodide@314.0.7"
AXE = "axe-core@4.14.1"
WHEELS = (
    "click==8.5.1",
    "filelock==4.3.1",
    "fonttools==4.68.0",
    "msgspec==0.22.0",
    "platformdirs==4.14.8",
    "pluggy==1.7.0",
    "segno==1.6.6",
    "tomli==2.5.0",
    "tomlkit==0.15.2",
)
BROWSER_PYTHON = (
    "--platform=pyemscripten_2026_0_wasm32",
    "--python-version=3.14",
    "--implementation=cp",
    "--abi=cp314",
)


def fetch(folder: Path) -> None:
    """Put all parts there, as their registries have them: archives of npm, and wheels."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as part:
        for package in (PYODIDE, AXE):
            _run(["npm", "pack", "--silent", package], Path(part))
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        _run([*pip, "download", "--no-deps", "--only-binary=:all:", *BROWSER_PYTHON, *WHEELS], Path(part))
        for file in Path(part).iterdir():
            file.replace(folder / file.name)


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    except FileNotFoundError:
        sys.exit(f"{command[0]} is not installed")
    if done.returncode:
        sys.exit(f"`{' '.join(command)}` failed:\n{done.stderr}")


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
