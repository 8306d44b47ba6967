"""Modules compiled for the browser: kept until one of them, or what compiles them, is another."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from module_builder.page.command import compile_modules, pack_tar

COMPILED = {"program/heath.pyc": b"compiled"}


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[bytes]:
    """The archives of sources that a stand-in for Node.js was given, which compiles all to the same."""
    given: list[bytes] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        *_, sources, compiled = command
        given.append(Path(sources).read_bytes())
        Path(compiled).write_bytes(pack_tar(COMPILED))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setenv("FIELD_STAFF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("shutil.which", lambda name: name)
    monkeypatch.setattr(subprocess, "run", run)
    return given


def test_what_is_compiled_is_kept_until_a_module_or_pyodide_changes(runs: list[bytes]) -> None:
    sources, pyodide = {"program/heath.py": b"a = 1\n"}, {"pyodide.mjs": b"//"}
    for _ in range(2):
        assert compile_modules(sources, pyodide) == COMPILED
    assert len(runs) == 1
    for changed in (({"program/heath.py": b"a = 2\n"}, pyodide), (sources, {"pyodide.mjs": b"// another"})):
        assert compile_modules(*changed) == COMPILED
    assert len(runs) == 3


def test_what_is_kept_and_damaged_is_compiled_anew(runs: list[bytes], tmp_path: Path) -> None:
    given = {"program/heath.py": b"a = 1\n"}, {"pyodide.mjs": b"//"}
    assert compile_modules(*given) == COMPILED
    (kept,) = tmp_path.glob("cache/*/*.tar.gz")
    kept.write_bytes(kept.read_bytes()[:-1])
    assert compile_modules(*given) == COMPILED
    assert len(runs) == 2
