"""Credit for rules: which row of a game's rule index is shown at work by which tests, and how well.

A row is credited only if a test marked with it executes a function that declares it (`Rule: ...` in its docstring), and if
at least nine in ten small faults in the functions that declare it are noticed (see mutants.py). Where a function declares
several rows, a fault in it counts for each of them, and may be noticed by the tests of any: a clause is often about one row
alone. A private function counts with the functions that call it. A row with fewer than ten faults may leave none unnoticed.

    python -m tests.credit [--sample N|all] [--write]

A sample is so many faults at least, all those of some rows drawn by chance. `--write` writes docs/mutation.md.
Faults that no test can notice, since they change nothing that is asked of the function, are in equivalent_mutants.toml.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

import click
import coverage

from assistant.game.rule_index import RuleRow, rule_index
from assistant.plugins.registry import load_game

from . import forks
from .credited import Constants, Function, found, functions
from .mutants import Mutant, mutants, without_results

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "rules"
GAMES = {
    game: (game.replace("-", "_"), ROOT / "plugins" / game.replace("-", "_"))
    for game in ("twilight-in-the-east", "kaisers-war-in-the-east")
}
"""The package and folder of each game with a rule index. A test counts for the game whose functions it executes."""
SHARE = 0.9
"""The least share of the faults in its functions that the tests of a row have to notice."""
UNCREDITED = Path(__file__).parent / "uncredited_rows.txt"
"""The rows whose tests notice too little as yet, one a line after its game: what `make rules` puts up with."""
PROCESSES = min(2, os.cpu_count() or 1)


class Fault(NamedTuple):
    """A fault in a function that declares rules, and the tests that may notice it, the fastest first."""

    function: Function
    mutant: Mutant
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.function}: {self.mutant.before} -> {self.mutant.after}"


class Row(NamedTuple):
    """A row of the rule index with its tests, the faults in its functions, and those of them that no test noticed."""

    row: RuleRow
    tests: tuple[str, ...]
    faults: tuple[Fault, ...]
    unnoticed: tuple[Fault, ...]

    @property
    def is_short(self) -> bool:
        """Whether its tests notice less than they have to."""
        return len(self.faults) - len(self.unnoticed) < SHARE * len(self.faults)


def run_marked_tests() -> dict[str, float]:
    """Run all tests with a rule mark under coverage; the seconds that each takes."""
    BUILD.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pytest", "-q", "-m", "rule", "-n", str(PROCESSES), "--cov=plugins"]
    command += ["--cov-context=test", "--cov-report=", "--durations=0", "--durations-min=0.001"]
    environment = os.environ | {"COVERAGE_FILE": str(BUILD / "coverage")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        failed = re.findall(r"^(?:FAILED|ERROR) .+$", done.stdout, re.MULTILINE)
        sys.exit("\n".join([*failed, done.stderr[-2000:], "the marked tests fail: mend them first"]))
    told = re.findall(r"^([\d.]+)s (call|setup|teardown) +(.+)$", done.stdout, re.MULTILINE)
    seconds: dict[str, float] = {}
    for each, _, test in told:
        seconds[test] = seconds.get(test, 0.0) + float(each)
    return seconds


def executed(functions: Iterable[Function]) -> dict[Function, set[str]]:
    """The tests that execute each function."""
    data = coverage.CoverageData(str(BUILD / "coverage"))
    data.read()
    lines = {file: data.contexts_by_lineno(str(file)) for file in {function.file for function in functions}}
    found: dict[Function, set[str]] = {}
    for function in functions:
        contexts = {context for line in function.lines for context in lines[function.file].get(line, ())}
        found[function] = {context.partition("|")[0] for context in contexts if context}
    return found


class Equivalents:
    """The faults that no test can notice, as equivalent_mutants.toml lists them."""

    def __init__(self, file: Path) -> None:
        entries = tomllib.loads(file.read_text("utf-8")).get("mutant", [])
        self._listed = {(entry["function"], entry["before"], entry["after"]) for entry in entries}
        self._met: set[tuple[str, str, str]] = set()

    def has(self, function: Function, mutant: Mutant) -> bool:
        """Whether a fault is listed; by the name of the function alone, which may move to another module."""
        key = (function.name, mutant.before, mutant.after)
        self._met |= {key} & self._listed
        return key in self._listed

    def stale(self) -> list[str]:
        """Those listed that were not met, among the functions that were gone through."""
        return [f"{name}: {before} -> {after}" for name, before, after in sorted(self._listed - self._met)]


def faults_in(
    function: Function, constants: Constants, tests: tuple[str, ...], equivalents: Equivalents
) -> list[Fault]:
    """The faults to put into a function: its mutants, or for one that has none the lack of any result."""
    scope = found(function).__globals__
    every = list(mutants(function.tree, scope, function.owner, constants.read_by(function)))
    if not every and not function.is_private:
        every = [without_results(function.tree, scope, function.owner)]
    return [Fault(function, mutant, tests) for mutant in every if not equivalents.has(function, mutant)]


def rows_of(game: str, tests: forks.Tests, seconds: Mapping[str, float], equivalents: Equivalents) -> list[Row]:
    """The rows of a game's rule index that functions declare, with their tests and faults, none tried so far."""
    every = list(functions(*GAMES[game]))
    constants, marks, runs = Constants(*GAMES[game]), tests.marked("rule"), executed(every)
    faults: dict[str, list[Fault]] = {}
    credit: dict[str, set[str]] = {}
    for function in every:
        own = [test for test in runs[function] if set(marks.get(test, ())) & set(function.rules)]
        own.sort(key=lambda test: (seconds.get(test, 0.0), test))
        found = faults_in(function, constants, tuple(own), equivalents)
        for rule in function.rules:
            faults.setdefault(rule, []).extend(found)
            if not function.is_private:
                credit.setdefault(rule, set()).update(test for test in own if rule in marks[test])
    index = {row.rule: row for row in rule_index(load_game(game))}
    if unknown := sorted(set(faults) - set(index)):
        sys.exit(f"{game}: {', '.join(unknown)} declared, and not in the rule index")
    declared = [row for row in index.values() if row.rule in faults]
    return [Row(row, tuple(sorted(credit[row.rule])), tuple(faults[row.rule]), ()) for row in declared]


def drawn(rows: list[Row], sample: str, seed: int) -> list[Row]:
    """The rows to judge: all, or some drawn by chance, until they have so many faults."""
    if sample == "all":
        return rows
    chosen: list[Row] = []
    left = int(sample)
    for row in random.Random(seed).sample(rows, len(rows)):
        if left <= 0:
            break
        chosen.append(row)
        left -= len(row.faults)
    return sorted(chosen, key=rows.index)


def within(row: Row, names: Sequence[str]) -> Row:
    """A row with those of its faults alone that are in some functions, by parts of their names."""
    faults = tuple(fault for fault in row.faults if any(name in str(fault.function) for name in names))
    return row._replace(faults=faults)


def judged(rows: list[Row], tests: forks.Tests, log: TextIO) -> list[Row]:
    """The rows with the faults that no test notices, each of which is written down when it is found."""
    faults = list({id(fault): fault for row in rows for fault in row.faults}.values())
    unnoticed = {id(fault) for fault in faults if not fault.tests}
    tried = [fault for fault in faults if fault.tests]
    trials = (
        forks.Trial(found(fault.function), fault.mutant.function, fault.mutant.reads, fault.tests) for fault in tried
    )
    for done, (number, noticed) in enumerate(tests.noticed(trials, PROCESSES), 1):
        if not noticed:
            unnoticed.add(id(tried[number]))
            log.write(f"{told(tried[number])}\n")
            log.flush()
        if done % 200 == 0 or done == len(tried):
            click.echo(f"{done} of {len(tried)} faults tried")
    return [row._replace(unnoticed=tuple(fault for fault in row.faults if id(fault) in unnoticed)) for row in rows]


def complaints(rows: Iterable[Row], uncredited: Collection[str] = ()) -> Iterator[str]:
    """What is wrong with the credit of rows. uncredited: the rules that are known to have none yet."""
    for row in rows:
        if not row.tests:
            yield f"{row.row.rule}: declared, but no test marked with it executes the code"
        elif row.is_short and row.row.rule not in uncredited:
            yield f"{row.row.rule}: its tests notice {figures(row)} faults"
        elif not row.is_short and row.row.rule in uncredited and row.faults:
            yield f"{row.row.rule}: its tests notice {figures(row)} faults; take it out of {UNCREDITED.name}"


def figures(row: Row) -> str:
    """How many of its faults the tests of a row notice: 9 of 10."""
    return f"{len(row.faults) - len(row.unnoticed)} of {len(row.faults)}"


def survivors(rows: Iterable[Row]) -> list[Fault]:
    """The faults that no test notices, by function."""
    every = {id(fault): fault for row in rows for fault in row.unnoticed}
    return sorted(every.values(), key=lambda fault: str(fault.function))


def listing(game: str, rows: Iterable[Row]) -> Iterator[str]:
    """A line for each row of the rule index: how it is credited, or why it is left out."""
    known = {row.row.rule: row for row in rows}
    for row in rule_index(load_game(game)):
        shown = f"left out: {row.left_out}"
        if row.rule in known:
            shown = f"{len(known[row.rule].tests)} tests, {len(known[row.rule].faults)} faults"
        yield f"{row.rule:<10} {row.kind:<9} {row.title:<40} {shown}"


def uncredited(game: str, text: str) -> list[str]:
    """The rules of a game in the text of uncredited_rows.txt."""
    return [rule for line in text.splitlines() for name, _, rule in [line.partition(" ")] if name == game]


def document(chapters: Sequence[str]) -> str:
    """docs/mutation.md, with a chapter for each game."""
    head = [
        "# Mutation testing",
        "",
        "Small faults are put into the functions that declare the rules of a game, one at a time and clause",
        "by clause: a condition held to be true or false, a bound moved by one, a word left out of a set. A row of the rule index",
        f"is credited only if the tests marked with it notice {SHARE:.0%} of them; with fewer than ten, all of them. A fault in a",
        "function that declares several rows counts for each, and the tests of any of them may notice it. What is put to a person",
        "in words is left alone, and so are the faults in `tests/equivalent_mutants.toml`, which change nothing that can be seen.",
        "",
        "`make rules` judges a sample of the rows, `make rules SAMPLE=all` every one, and `make mutation` writes this file anew.",
        "",
    ]
    return "\n".join(head) + "\n" + "\n".join(chapters)


def chapter(title: str, rows: list[Row], minutes: float) -> str:
    """The rows of one game."""
    faults = {id(fault) for row in rows for fault in row.faults}
    left = {id(fault) for row in rows for fault in row.unnoticed}
    lines = [
        f"## {title}",
        "",
        f"{len(faults) - len(left)} of {len(faults)} faults are noticed, and {sum(not row.is_short for row in rows)} of"
        f" {len(rows)} rows credited. It took {minutes:.0f} minutes.",
        "",
        "| rule | title | tests | faults | noticed | |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        noticed = len(row.faults) - len(row.unnoticed)
        mark = "short" if row.is_short else ""
        lines.append(
            f"| {row.row.rule} | {row.row.title} | {len(row.tests)} | {len(row.faults)} | {noticed} | {mark} |"
        )
    return "\n".join(lines) + "\n"


@click.command()
@click.option("--sample", default="600", show_default=True, help="How many faults to try at least, or `all`.")
@click.option("--seed", default=1914, show_default=True)
@click.option(
    "--only", default="", help="Try the faults in these functions alone, by parts of their names: `combat.,crt:`."
)
@click.option("--write", is_flag=True, help="Write docs/mutation.md; judges all rows.")
def main(sample: str, seed: int, only: str, write: bool) -> None:
    """Write build/rules; fail on a row without credit."""
    seconds = run_marked_tests()
    wrong: list[str] = []
    chapters: list[str] = []

    def judge(tests: forks.Tests) -> None:
        equivalents = Equivalents(Path(__file__).parent / "equivalent_mutants.toml")
        for game in GAMES:
            started = time.monotonic()
            rows = rows_of(game, tests, seconds, equivalents)
            (BUILD / f"{game}.txt").write_text("\n".join(listing(game, rows)) + "\n", "utf-8")
            named = [part for row in rows if (part := within(row, only.split(","))).faults]
            file = BUILD / f"{game}-survivors.txt"
            with file.open("w", encoding="utf-8") as log:
                chosen = judged(drawn(named, "all" if write or only else sample, seed), tests, log)
            left = survivors(chosen)
            file.write_text("".join(f"{told(fault)}\n" for fault in left), "utf-8")
            minutes = (time.monotonic() - started) / 60
            tried = len({id(fault) for row in chosen for fault in row.faults})
            click.echo(f"{game}: {len(rows)} rows computed, {len(chosen)} judged")
            click.echo(f"{game}: {tried - len(left)} of {tried} faults noticed, in {minutes:.1f} minutes")
            wrong.extend(complaints([row for row in rows if not row.tests]))
            wrong.extend(complaints(chosen, () if only else uncredited(game, UNCREDITED.read_text("utf-8"))))
            chapters.append(chapter(load_game(game).file.title, chosen, minutes))
        if write:
            (ROOT / "docs" / "mutation.md").write_text(document(chapters), "utf-8")
        wrong.extend(f"equivalent_mutants.toml: no such fault: {one}" for one in equivalents.stale())

    forks.collected(["-m", "rule", str(ROOT / "tests")], seconds, judge)
    click.echo(f"written: {BUILD.relative_to(ROOT)}")
    for one in wrong:
        click.echo(one, err=True)
    sys.exit(1 if wrong else 0)


def told(fault: Fault) -> str:
    """A fault with the rows and the tests that should have noticed it."""
    before, after = fault.mutant.before, fault.mutant.after
    rules, tests = ", ".join(fault.function.rules), len(fault.tests)
    return f"{fault.function} ({rules}; {tests} tests)\n  - {before}\n  + {after}"


if __name__ == "__main__":
    main()
