"""What has been tried already, kept until a source changes: a run of `make rules` that was broken off goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
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
TIMES = "seconds.json"
"""What a folder keeps of a run of tests: the state of the sources, what was covered, the seconds of each test."""
WITHOUT_EFFECT = ("equivalent_mutants.toml", "uncredited_rows.txt")
"""Files of the tests that only say how results are judged."""


class Tried:
    """The faults that were tried, in a file of a folder. sources: the folders and files on which results depend; tests: the folder of the
    tests, with the tool."""

    def __init__(self, folder: Path, sources: Iterable[Path], tests: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._file = folder, folder / "tried.txt"
        self.state = digest([*sources, tests])
        state = self.state + digest(tests / name for name in TOOL)
        lines = self._file.read_text("utf-8").splitlines() if self._file.is_file() else []
        self._known: dict[str, bool] = {}
        if lines[:1] == [state]:
            self._known = {key: noticed == "noticed" for noticed, _, key in (line.partition(" ") for line in lines[1:])}
        else:
            self._file.write_text(f"{state}\n", "utf-8")

    def seconds(self, measure: Callable[[], dict[str, float]], covered: Sequence[str] = ()) -> dict[str, float]:
        """How long each test takes, measured unless it was. covered: the folders and modules of which it is noted what they execute."""
        known = run_in(self._folder, self.state, covered)
        if known is None:
            known = measure()
            kept = {"state": self.state, "covered": list(covered), "seconds": known}
            (self._folder / TIMES).write_text(json.dumps(kept), "utf-8")
        return known

    def was_noticed(self, game: str, key: str) -> bool | None:
        """Whether a fault was noticed, None if it was not tried."""
        return self._known.get(f"{game} {key}")

    def keep(self, game: str, key: str, noticed: bool) -> None:
        """Note what has come of a fault."""
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{'noticed' if noticed else 'unnoticed'} {game} {key}\n")


def run_in(folder: Path, state: str, covered: Sequence[str]) -> dict[str, float] | None:
    """The seconds of the tests whose run is kept in a folder, None if it is of other sources or does not tell of all that is covered."""
    times = folder / TIMES
    known = json.loads(times.read_text("utf-8")) if times.is_file() else {}
    if known.get("state") != state or not set(covered) <= set(known.get("covered", ())):
        return None
    return dict(known["seconds"])


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
