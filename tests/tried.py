"""What has been tried already, kept until a source changes: a run of `make rules` that was broken off goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

TOOL = (
    "core.py",
    "credit.py",
    "credited.py",
    "faults.py",
    "forks.py",
    "joints.py",
    "mutants.py",
    "reached.py",
    "tried.py",
)
"""The modules of the tests that put the faults in: no test depends on them, but what a fault is does."""
WITHOUT_EFFECT = ("equivalent_mutants.toml", "uncredited_rows.txt")
"""Files of the tests that only say how results are judged."""


class Tried:
    """The faults that were tried, in a file of a folder. sources: the folders and files on which results depend; tests: the folder of the
    tests, with the tool."""

    def __init__(self, folder: Path, sources: Iterable[Path], tests: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file, self._times = folder / "tried.txt", folder / "seconds.json"
        self._state = digest([*sources, tests])
        state = self._state + digest(tests / name for name in TOOL)
        lines = self._file.read_text("utf-8").splitlines() if self._file.is_file() else []
        self._known: dict[str, bool] = {}
        if lines[:1] == [state]:
            self._known = {key: noticed == "noticed" for noticed, _, key in (line.partition(" ") for line in lines[1:])}
        else:
            self._file.write_text(f"{state}\n", "utf-8")

    def seconds(self, measure: Callable[[], dict[str, float]]) -> dict[str, float]:
        """How long each test takes, measured unless it was."""
        known = json.loads(self._times.read_text("utf-8")) if self._times.is_file() else {}
        if known.get("state") == self._state:
            return dict(known["seconds"])
        measured = measure()
        self._times.write_text(json.dumps({"state": self._state, "seconds": measured}), "utf-8")
        return measured

    def was_noticed(self, game: str, key: str) -> bool | None:
        """Whether a fault was noticed, None if it was not tried."""
        return self._known.get(f"{game} {key}")

    def keep(self, game: str, key: str, noticed: bool) -> None:
        """Note what has come of a fault."""
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{'noticed' if noticed else 'unnoticed'} {game} {key}\n")


def digest(sources: Iterable[Path]) -> str:
    """What tells the state of some folders and files from any other."""
    hash = hashlib.sha256()
    for source in sources:
        files = sorted(source.rglob("*")) if source.is_dir() else [source]
        for file in files:
            skipped = source.is_dir() and file.parent == source and file.name in (*TOOL, *WITHOUT_EFFECT)
            if file.is_file() and file.suffix != ".pyc" and not skipped:
                hash.update(f"{file.relative_to(source.parent)}\n{file.stat().st_size}\n".encode())
                hash.update(file.read_bytes())
    return hash.hexdigest()
