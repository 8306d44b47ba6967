"""Mutation testing of a game's rule modules: how many small faults, put in on purpose, no test would notice.

`python -m tests.mutation combat losses [--sample 300]` mutates these modules of the game, all rule modules if none is named, with mutmut, in a
copy of the project. It prints a row a module and each survivor, and fails if more than the limit survive. With `--write`
the figures go into docs/mutation.md.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGE = "twilight_in_the_east"
RULES = (
    "combat",
    "magnitude",
    "effectiveness",
    "losses",
    "legality",
    "resolution",
    "results",
    "zones",
    "stacking",
    "hexsides",
    "retreat",
    "repulse",
    "forced_march",
    "cavalry",
    "displacement",
    "ezoc",
    "prepared",
    "fieldworks",
    "recovery",
)
"""The modules whose functions are rules; those that only put them into words are not among them."""
KNOWN = ("killed", "timeout", "survived", "no tests")
"""What may become of a mutant: noticed by a test that fails or does not end, passed by all that run it, run by none."""
LIMIT = 0.10
"""The share of mutants that may survive, those of words apart."""
WORDS = "words"
"""A survivor that changes nothing but a text: what a report or a message says, or the name of a figure in it."""
CONFIG = """[mutmut]
source_paths={package}
only_mutate=
    {modules}
also_copy=
    assistant
    benchmarks
    module_builder
    field_staff_images
    plugins
    tests
    pyproject.toml
pytest_add_cli_args_test_selection=tests/{package}
"""


def lay_out(folder: Path, modules: list[str]) -> None:
    """Copy the project so that the game's package lies where its imports say."""
    skip = shutil.ignore_patterns("__pycache__", "*.pyc")
    for name in ("assistant", "benchmarks", "module_builder", "plugins", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=skip)
    shutil.copytree(ROOT / "plugins" / PACKAGE, folder / PACKAGE, ignore=skip)
    shutil.copytree(ROOT / "images", folder / "field_staff_images", ignore=skip)
    shutil.copy(ROOT / "pyproject.toml", folder)
    listed = "\n    ".join(f"{PACKAGE}/{module}.py" for module in modules)
    (folder / "setup.cfg").write_text(CONFIG.format(package=PACKAGE, modules=listed))


def outcomes(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Module, mutant and what became of it, for every mutant."""
    command = [sys.executable, "-m", "mutmut", "results", "--all", "true"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    for name, what in re.findall(rf"^\s*{PACKAGE}\.(\S+): (.+)$", done.stdout, re.MULTILINE):
        yield name.partition(".")[0], name, what.strip()


def main() -> int:
    """Run it. Returns 1 if too many mutants survive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", default=list(RULES))
    parser.add_argument("--sample", type=int, default=0, help="so many mutants by chance, not all")
    parser.add_argument("--write", action="store_true", help="write docs/mutation.md")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder, asked.modules)
        chosen = sampled(folder, asked.sample) if asked.sample else []
        command = [sys.executable, "-m", "mutmut", "run", "--max-children", str(os.cpu_count() or 1), *chosen]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        found = [one for one in outcomes(folder) if not chosen or f"{PACKAGE}.{one[1]}" in chosen]
        unchecked = sum(what not in KNOWN for _, _, what in found)
        if ran.returncode or unchecked or not found:
            sys.exit(
                f"mutmut did not check {unchecked} of {len(found)} mutants:\n{ran.stdout[-2000:]}{ran.stderr[-2000:]}"
            )
        survivors = {mutant: diff(folder, mutant) for _, mutant, what in found if what == "survived"}
    found = [(of, one, WORDS if is_of_words(survivors.get(one, "")) else what) for of, one, what in found]
    table = {module: Counter(what for of, _, what in found if of == module) for module in asked.modules}
    lines = list(rows(table))
    print("\n".join(lines))
    for mutant, change in sorted(survivors.items(), key=lambda one: (is_of_words(one[1]), one[0])):
        print(f"\n{mutant}\n{change}")
    if asked.write:
        (ROOT / "docs" / "mutation.md").write_text(document(lines, asked.sample), "utf-8")
    return int(share(table) > LIMIT)


def sampled(folder: Path, count: int) -> list[str]:
    """The names of so many mutants by chance, the same ones for the same code."""
    command = [sys.executable, "-m", "mutmut", "run", "none-of-them"]  # makes the mutants, and finds none to run
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    names = [f"{PACKAGE}.{name}" for _, name, _ in outcomes(folder)]
    return random.Random(1).sample(names, min(count, len(names)))


def diff(folder: Path, mutant: str) -> str:
    """What a mutant changes, as the lines that differ."""
    command = [sys.executable, "-m", "mutmut", "show", f"{PACKAGE}.{mutant}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return "\n".join(line for line in done.stdout.splitlines() if re.match(r"[+-](?![+-]{2})", line))


def is_of_words(change: str) -> bool:
    """Whether a change, given as lines that differ, is one of a text alone, or of the text that a step or an error is given."""
    before, after = (
        [
            re.sub(r"""f?"[^"]*"|\bNone\b""", "TEXT", line[1:]).strip()
            for line in change.splitlines()
            if line[:1] == sign
        ]
        for sign in "-+"
    )
    return bool(change) and before == after and '"' in change


def share(table: Mapping[str, Counter[str]]) -> float:
    """The share of mutants that no test noticed, of those that change more than words."""
    every = sum(row.total() - row[WORDS] for row in table.values())
    return sum(unnoticed(row) for row in table.values()) / every if every else 1.0


def unnoticed(row: Counter[str]) -> int:
    """The mutants of a module that no test noticed: those that it passed, and those that none ran."""
    return row["survived"] + row["no tests"]


def rows(table: Mapping[str, Counter[str]]) -> Iterator[str]:
    """The figures as a Markdown table."""
    yield "| module | mutants | noticed | survived | of them words alone | run by no test |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for module, row in table.items():
        yield _row(module, row)
    yield _row("all", sum(table.values(), Counter()))


def _row(name: str, row: Counter[str]) -> str:
    every, noticed = row.total(), row["killed"] + row["timeout"]
    return f"| {name} | {every} | {noticed} | {row['survived'] + row[WORDS]} | {row[WORDS]} | {row['no tests']} |"


def document(lines: list[str], sample: int) -> str:
    """docs/mutation.md."""
    which = f"These are {sample} of them, drawn by chance. " if sample else ""
    head = (
        "# Mutation testing\n\n"
        "Small faults put into the rule modules of *1914, Twilight in the East* on purpose, one at a time, with mutmut: how many of them a\n"
        f"test notices. {which}`make mutation` measures this anew and fails if more than {LIMIT:.0%} go\n"
        "unnoticed, not counting those that change a text alone (a message, the name of a figure).\n\n"
    )
    return head + "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
