"""What has been tried already, kept until a source changes: a run of `make rules` that was broken off goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Sequence
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
NOTED = "noted.json"
"""What a folder keeps of a run of tests beside the notes: the state of the sources, and what was covered."""
WITHOUT_EFFECT = ("equivalent_mutants.toml", "judged_rows.txt", "uncredited_rows.txt")
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

    def are_noted(self, covered: Collection[str]) -> bool:
        """Whether it is noted what tests execute of what is covered."""
        return is_noted(self._folder, self.state, covered)

    def keep_noted(self, covered: Sequence[str]) -> None:
        """Keep that this is noted."""
        if not self.are_noted(covered):
            (self._folder / NOTED).write_text(json.dumps({"state": self.state, "covered": covered}), "utf-8")

    def was_noticed(self, game: str, key: str) -> bool | None:
        """Whether a fault was noticed, None if it was not tried."""
        return self._known.get(f"{game} {key}")

    def keep(self, game: str, key: str, noticed: bool) -> None:
        """Note what has come of a fault."""
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{'noticed' if noticed else 'unnoticed'} {game} {key}\n")


def is_noted(folder: Path, state: str, covered: Collection[str]) -> bool:
    """Whether a folder has notes of a run of tests, on these sources, that tells of all that is covered."""
    file = folder / NOTED
    known = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return known.get("state") == state and set(covered) <= set(known["covered"])


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
