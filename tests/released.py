"""The snapshot of what users may rely on, in `tests/promise`, and what the newest release promised: what may not change since."""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from tools.release.changelog import read_changelog

ROOT = Path(__file__).parent.parent
PROMISE = ROOT / "tests" / "promise"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MAJOR = PROJECT["version"].partition(".")[0]
NEEDS = " needs "
"""Behind what stands before it, the line says what it needs."""
BOUND = re.compile(r"(?P<subject>.*) at (?P<which>least|most) (?P<value>-?[\d.]+)")
"""A line that says what a number must not go below or beyond."""

Lines = Iterator[str]


def snapshot() -> dict[str, list[str]]:
    """The lines that are kept, by the name of their file."""
    return lines_of_files(
        {file.relative_to(PROMISE).as_posix(): file.read_text("utf-8") for file in PROMISE.rglob("*.txt")}
    )


def differences(before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> Lines:
    """The lines that the first has and the second lacks, each behind the name of its file."""
    for name, lines in before.items():
        there = {*after.get(name, ())}
        yield from (f"{name}: {line}" for line in lines if line not in there)


def breaks(before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> list[str]:
    """What may not be within a major version: what is gone, what is needed now of what was there before, and bounds that are narrower."""
    if before.get("version") != after["version"]:
        return []
    gone, come = list(differences(before, after)), list(differences(after, before))
    bounds = {_bounded(line): float(match["value"]) for line in gone if (match := BOUND.fullmatch(line))}
    for line in come:
        if match := BOUND.fullmatch(line):
            was, now = bounds.get(_bounded(line)), float(match["value"])
            narrower = was is None or (now > was if match["which"] == "least" else now < was)
        else:
            narrower = NEEDS in line
        if narrower and _was_there(line, before):
            gone.append(f"new: {line}")
    return [line for line in gone if line.startswith("new: ") or not (NEEDS in line or BOUND.fullmatch(line))]


def _bounded(line: str) -> str:
    """What a line with a bound is of: all but the number."""
    return line.rpartition(" ")[0]


def _was_there(line: str, before: Mapping[str, Sequence[str]]) -> bool:
    """Whether that was there of which a line says what it needs, or how large it may be. line: with the name of its file."""
    file, _, line = line.partition(": ")
    bound = BOUND.fullmatch(line)
    subject = re.compile(re.escape(bound["subject"] if bound else line.partition(NEEDS)[0]) + r"(?![\w-])")
    return any(subject.match(known) for known in before.get(file, ()))


# --- what was released ------------------------------------------------------------------------------------------------


@cache
def released() -> Mapping[str, str]:
    """The files of `tests/promise` in the newest release of this major version on this branch, by their names; none before it.

    Where git does not know that, as in an sdist, the files that lie here are taken for it, once the changelog has a release.
    """
    tags = _git("tag", "--merged", "HEAD", "--list", f"v{MAJOR}.*", "--sort=-version:refname").split()
    if not tags:
        is_out = any(section.date and section.version.startswith(f"{MAJOR}.") for section in read_changelog())
        return {name: (PROMISE / name).read_text("utf-8") for name in _names_below(PROMISE)} if is_out else {}
    folder = PROMISE.relative_to(ROOT).as_posix()
    names = _git("ls-tree", "-r", "-z", "--name-only", f"{tags[0]}:{folder}").split("\0")
    return {name: _git("show", f"{tags[0]}:{folder}/{name}") for name in filter(None, names)}


def _git(*words: str) -> str:
    """What git says of this repository, nothing where there is none."""
    if not (ROOT / ".git").exists():
        return ""
    done = subprocess.run(["git", *words], cwd=ROOT, check=False, capture_output=True, encoding="utf-8")
    return done.stdout if done.returncode == 0 else ""


def _names_below(folder: Path) -> list[str]:
    return [file.relative_to(folder).as_posix() for file in sorted(folder.rglob("*")) if file.is_file()]


def lines_of_files(files: Mapping[str, str]) -> dict[str, list[str]]:
    """The lines of a snapshot, by the names of its files without their ending."""
    return {name.removesuffix(".txt"): text.splitlines() for name, text in files.items() if name.endswith(".txt")}


def write_snapshot(lines: Mapping[str, Sequence[str]], folder: Path = PROMISE) -> None:
    """Take the snapshot anew, and remove the files of what is no more."""
    for file in folder.rglob("*.txt"):
        if file.relative_to(folder).with_suffix("").as_posix() not in lines:
            file.unlink()
    for name, every in lines.items():
        file = folder / f"{name}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(every) + "\n", "utf-8")
