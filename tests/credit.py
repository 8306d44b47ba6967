"""Credit for rules: which row of a game's rule index is shown at work by which tests, and how well.

A row is credited only if a test marked with it executes a function that declares it (`Rule: ...` in its docstring), and if
at least nine in ten small faults in the functions that declare it are noticed (see mutants.py). Where a function declares
several rows, a fault in it counts for each of them, and may be noticed by the tests of any; but a clause that a function yields
with its rule counts for that row alone. A private function, and a fact of a case, counts with the functions that call it. A row with fewer than ten faults may leave none unnoticed.

Faults are put too where these functions are joined (joints.py), and into the functions of the core that do their work (core.py). They
count apart, for all rows on either side of the call: the tests of any of them may notice them, and those that none notices are listed.

    python -m tests.credit [--sample N|all] [--only NAMES] [--row RULE] [--game GAME] [--write]

With `--row` the faults of one row have to be noticed by the tests of its own mark, and of no other: which of its clauses these show. Only
these tests are collected and traced then, so that it takes seconds; joints that none of them reaches are left out.
A sample has at least that number of faults, but no more than a sixth of a game: all those of some rows drawn by chance. Of rows that have
changed since all were judged it has that number, and of the others a third (`judged_rows.txt`). `--write` records the figures in docs/maintaining/runs.md, with `--game` those of
that game alone, and keeps a table of all rows in build/runs. What has been tried is kept in build/rules until a source changes: a run that was broken off goes on where it was.
Faults that no test can notice, since they change nothing that is asked of the function, are in equivalent_mutants.toml.
"""

from __future__ import annotations

import ast
import hashlib
import random
import sys
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, TextIO

import click

from assistant.game.rule_index import RuleRow, rule_index
from assistant.installed.registry import load_game

from . import forks, reached
from .core import LAYERS, core_functions
from .credited import Constants, Function, all_functions, load_function
from .equivalents import LISTED, Equivalents
from .faults import draw as draw_faults
from .faults import keys_of
from .joints import Joints
from .mutants import Mutant, drop_results, mutants
from .reached import covered_functions
from .runs import PAGE as RUNS
from .runs import keep_tables, record, row_of
from .tried import Tried

ROOT = reached.ROOT
BUILD = reached.RULES
GAMES = {
    game: (package, ROOT / "plugins" / package)
    for game, package in (
        ("twilight-in-the-east", "twilight_in_the_east"),
        ("kaisers-war-in-the-east", "kaisers_war_in_the_east"),
        ("world-undone-east-prussia-1914", "world_undone_east_prussia"),
        ("der-weltkrieg", "der_weltkrieg"),
    )
}
"""The package and folder of each game with a rule index. A test counts for the game whose functions it executes."""
SHARE = 0.9
"""The least share of the faults in its functions that the tests of a row have to notice."""
PART = 6
"""Of how many rows of a game a sample has one at most: a small game takes its share of the time alone."""
OTHERS = 3
"""Of how many faults one is put into rows that have not changed since all were judged, where changed ones may have that many."""
JUDGED = Path(__file__).parent / "judged_rows.txt"
"""What each row was when all were judged the last time: a line for each, with a hash of its functions and tests."""
UNCREDITED = Path(__file__).parent / "uncredited_rows.txt"
"""The rows whose tests notice too little as yet, one a line after its game: what `make rules` puts up with."""
CORE = ROOT / "assistant"


class Fault(NamedTuple):
    """A fault in a function, the rules that it concerns, the tests that may notice it, and what it is known by from run to run."""

    function: Function
    mutant: Mutant
    rules: tuple[str, ...]
    tests: tuple[str, ...]
    key: str = ""

    def __str__(self) -> str:
        return f"{self.function}: {self.mutant.before} -> {self.mutant.after}"


class Row(NamedTuple):
    """A row of the rule index with its tests, the faults in its functions, those where they are joined and in the core, and those of both
    that no test noticed."""

    row: RuleRow
    tests: tuple[str, ...]
    faults: tuple[Fault, ...] = ()
    unnoticed: tuple[Fault, ...] = ()
    joints: tuple[Fault, ...] = ()
    blind: tuple[Fault, ...] = ()

    @property
    def is_short(self) -> bool:
        """Whether its tests notice less than they have to."""
        return len(self.faults) - len(self.unnoticed) < SHARE * len(self.faults)


def marked_tests(rule: str = "", game: str | None = None) -> list[str]:
    """What pytest is told to run: all tests with a rule mark, or those with that of one row, in the files that name it, or have a
    table of cases beside them that does. game: whose tests are wanted, None for all; other games have rules of the same number.
    """
    others = {package for name, (package, _) in GAMES.items() if game not in (None, name)}
    text = f'"{rule}"' if rule else "mark.rule"
    tables = {file.parent for file in ROOT.glob("tests/**/cases.csv") if rule and rule in file.read_text("utf-8")}
    every = sorted(ROOT.glob("tests/**/test_*.py"))
    files = [file for file in every if others.isdisjoint(file.relative_to(ROOT / "tests").parts)]
    named = [file for file in files if file.parent in tables or text in file.read_text("utf-8")]
    return [*(["--rule", rule] if rule else ["-m", "rule"]), *map(str, named)]


def covered_by(game: str | None, faults: int = 0, seed: int = 0) -> list[str]:
    """What it is noted of what tests execute. faults, seed: with the functions into which `make faults` puts so many."""
    own = [GAMES[game][0] if game else reached.PLUGINS, *(f"{CORE.name}.{layer}" for layer in LAYERS)]
    return own + (keys_of(draw_faults(faults, seed)) if faults else [])


class Runs:
    """Which marked tests execute which lines. marks: the rules that each test is marked with; known: what their runs have noted."""

    def __init__(self, marks: Mapping[str, Collection[str]], known: reached.Reached) -> None:
        self._known = known
        marked: dict[str, list[str]] = {}
        for test, rules in marks.items():
            for rule in rules:
                marked.setdefault(rule, []).append(test)
        self._masks = {rule: known.mask(tests) for rule, tests in marked.items()}

    def through(self, file: Path, lines: Iterable[int], rules: Collection[str]) -> list[str]:
        """The tests marked with any of these rules that execute any of these lines, the fastest first."""
        among = 0
        for rule in rules:
            among |= self._masks.get(rule, 0)
        return self._known.tests(file, lines, among)

    def tests_at(self, tests: Sequence[str], file: Path, line: int, rules: Collection[str]) -> tuple[str, ...]:
        """Those of the tests that execute a line, which alone may notice what is wrong there; all if it is in no statement that one executes."""
        there = set(self.through(file, (line,), rules))
        return tuple(test for test in tests if test in there) or tuple(tests)


def faults_in(function: Function, constants: Constants, runs: Runs, equivalents: Equivalents) -> list[Fault]:
    """The faults to put into a function: its mutants, or for one that has none the lack of any result."""
    scope, own = load_function(function).__globals__, runs.through(function.file, function.lines, function.rules)
    every = list(mutants(function.tree, scope, function.owner, constants.read_by(function)))
    if not every and not function.is_part:
        every = [drop_results(function.tree, scope, function.owner)]
    faults = []
    for number, mutant in enumerate(every):
        if equivalents.has(function, mutant):
            continue
        rule = function.rule_at(mutant.line)
        rules = (rule,) if rule else function.rules
        tests = runs.through(function.file, function.lines_of(rule), rules) if rule else own
        at_line = runs.tests_at(tests, function.file, mutant.line, rules)
        faults.append(Fault(function, mutant, rules, at_line, f"{function}#{number}"))
    return faults


class Rows:
    """The rows of a game's rule index that functions declare, but for reminders, which nothing judges. The faults of a row are made once it
    is judged. marks: the rules that each test is marked with."""

    def __init__(self, game: str, marks: Mapping[str, Collection[str]], runs: Runs, equivalents: Equivalents) -> None:
        words = {track.name: track.values for track in load_game(game).tracks.values() if track.values}
        every = list(all_functions(*GAMES[game]))
        self._constants = Constants(*GAMES[game])
        joints, core_constants = Joints(GAMES[game][0], every, words), Constants(CORE.name, CORE)
        core = list(core_functions(every, CORE))
        self._functions = [*every, *core]
        self._own = _by_rule((function, function.rules) for function in every)
        self._core = _by_rule((function, function.rules) for function in core)
        self._joined = _by_rule((function, joints.rules_at(function)) for function in every)
        self._own_faults = cache(lambda function: faults_in(function, self._constants, runs, equivalents))
        self._core_faults = cache(lambda function: faults_in(function, core_constants, runs, equivalents))
        self._joint_faults = cache(lambda function: joint_faults(function, joints, runs, equivalents))
        index = rule_index(load_game(game))
        if unknown := sorted(self._own.keys() - {row.rule for row in index}):
            sys.exit(f"{game}: {', '.join(unknown)} declared, and not in the rule index")
        self.every = [
            Row(row, self._tests_of(row.rule, runs)) for row in index if row.rule in self._own and not row.is_reminder
        ]
        """All rows with their tests, and without faults as yet."""

    def _tests_of(self, rule: str, runs: Runs) -> tuple[str, ...]:
        whole = [function for function in self._own[rule] if not function.is_part]
        return tuple(sorted({
            test for each in whole for test in runs.through(each.file, each.lines_of(rule), (rule,))
        }))  # fmt: skip

    def with_faults(self, row: Row) -> Row:
        """A row with its faults, none tried so far."""
        rule = row.row.rule
        own = [fault for each in self._own[rule] for fault in self._own_faults(each)]
        joints = [fault for each in self._joined.get(rule, ()) for fault in self._joint_faults(each)]
        joints += (fault for each in self._core.get(rule, ()) for fault in self._core_faults(each))
        of_rule = [tuple(fault for fault in faults if rule in fault.rules) for faults in (own, joints)]
        return row._replace(faults=of_rule[0], joints=of_rule[1])

    def meet(self, names: Collection[str]) -> None:
        """Make all faults of the functions with some names."""
        for function in self._functions:
            if function.name in names:
                is_core = function.module.startswith(f"{CORE.name}.")
                for make in (self._core_faults,) if is_core else (self._own_faults, self._joint_faults):
                    if function.rules or make is self._joint_faults:
                        make(function)

    def sources(self, rule: str) -> Iterator[str]:
        """The text of each function of a row, and of each constant that it reads."""
        for function in self._own[rule]:
            yield ast.unparse(function.tree)
            for name, constant in self._constants.read_by(function).items():
                yield f"{name} = {ast.unparse(constant.value)}"


def _by_rule(concerned: Iterable[tuple[Function, Iterable[str]]]) -> dict[str, list[Function]]:
    """The functions that concern each rule."""
    by_rule: dict[str, list[Function]] = {}
    for function, rules in concerned:
        for rule in rules:
            by_rule.setdefault(rule, []).append(function)
    return by_rule


def joint_faults(function: Function, joints: Joints, runs: Runs, equivalents: Equivalents) -> list[Fault]:
    """The faults where a function of a game is joined to others."""
    return [
        Fault(function, joint.mutant, joint.rules, tuple(tests), f"{function}|{number}")
        for number, joint in enumerate(joints.list_faults(function))
        if not equivalents.has(function, joint.mutant)
        for tests in [runs.through(function.file, joint.lines, joint.rules)]
    ]


def draw(
    rows: Sequence[Row], sample: str, seed: int, make: Callable[[Row], Row], changed: Collection[str] | None = None
) -> list[Row]:
    """The rows to judge with their faults: all, or some drawn by chance, until they have so many faults or are a sixth of the game.

    make: what gives a row its faults; changed: the rules whose row has changed since all were judged. As many faults of these are drawn at
    most, and of the others a third of that number; None if nothing tells.
    """
    if sample == "all":
        return [row for row in map(make, rows) if row.faults or row.joints]
    drawn = random.Random(seed).sample(list(rows), len(rows))
    parts = [(drawn, int(sample))]
    if changed is not None:
        new = [row for row in drawn if row.row.rule in changed]
        parts = [(new, int(sample)), ([row for row in drawn if row not in new], int(sample) // OTHERS)]
    chosen: dict[int, Row] = {}
    for part, most in parts:
        left, most_rows = most, -(-len(rows) // PART)
        for row in part:
            if left <= 0 or most_rows <= 0:
                break
            made = make(row)
            if made.faults or made.joints:
                chosen[rows.index(row)] = made
                left -= len(made.faults) + len(made.joints)
                most_rows -= 1
    return [chosen[place] for place in sorted(chosen)]


def restrict(row: Row, names: Sequence[str]) -> Row:
    """A row with those of its faults alone that are in some functions, by parts of their names."""

    def those(faults: Iterable[Fault]) -> tuple[Fault, ...]:
        return tuple(fault for fault in faults if any(name in str(fault.function) for name in names))

    return row._replace(faults=those(row.faults), joints=those(row.joints))


def by_own_mark(row: Row, marks: Mapping[str, Collection[str]]) -> Row:
    """A row with the tests of its own mark alone for each fault. marks: the rules that each test is marked with."""
    rule = row.row.rule

    def own(faults: Iterable[Fault]) -> tuple[Fault, ...]:
        return tuple(
            fault._replace(
                tests=tuple(test for test in fault.tests if rule in marks[test]), key=f"{fault.key} by {rule}"
            )
            for fault in faults
        )

    return row._replace(faults=own(row.faults), joints=own(row.joints))


def judge_rows(game: str, rows: list[Row], tests: forks.Tests, log: TextIO, tried: Tried) -> list[Row]:
    """The rows with the faults that no test notices, each of which is written down when it is found."""
    faults = list({id(fault): fault for row in rows for fault in (*row.faults, *row.joints)}.values())
    noticed = {id(fault): bool(fault.tests) and tried.was_noticed(game, fault.key) for fault in faults}
    waiting = [fault for fault in faults if noticed[id(fault)] is None]
    trials = [
        forks.Trial(load_function(fault.function), fault.mutant.function, fault.mutant.reads, fault.tests)
        for fault in waiting
    ]
    for done, (number, is_noticed) in enumerate(tests.try_all(trials, reached.PROCESSES), 1):
        fault = waiting[number]
        noticed[id(fault)] = is_noticed
        tried.keep(game, fault.key, is_noticed)
        if not is_noticed:
            log.write(f"{describe(fault)}\n")
            log.flush()
        if done % 200 == 0 or done == len(waiting):
            click.echo(f"{done} of {len(waiting)} faults tried")

    def left(every: Iterable[Fault]) -> tuple[Fault, ...]:
        return tuple(fault for fault in every if not noticed[id(fault)])

    return [row._replace(unnoticed=left(row.faults), blind=left(row.joints)) for row in rows]


def complaints(rows: Iterable[Row], uncredited: Collection[str] = ()) -> Iterator[str]:
    """What is wrong with the credit of rows. uncredited: the rules that are known to have none yet."""
    for row in rows:
        if not row.tests:
            yield f"{row.row.rule}: declared, but no test marked with it executes the code"
        elif row.is_short and row.row.rule not in uncredited:
            yield f"{row.row.rule}: its tests notice {figures(row)} faults"
        elif not row.is_short and row.row.rule in uncredited and row.faults:
            yield f"{row.row.rule}: its tests notice {figures(row)} faults; take it out of {UNCREDITED.name}"


def is_outdated(page: str, title: str, rows: Sequence[Row]) -> bool:
    """Whether the page of runs has the figures of a game from before some of its rows were computed."""
    return f" in {len(rows)} rows" not in row_of(page, run_of(title))


def run_of(title: str) -> str:
    """What the page of runs calls the run of a game."""
    return f"Mutation testing, *{title}*"


def figures(row: Row) -> str:
    """How many of its faults the tests of a row notice: 9 of 10."""
    return f"{len(row.faults) - len(row.unnoticed)} of {len(row.faults)}"


def survivors(rows: Iterable[Row]) -> list[Fault]:
    """The faults that no test notices, by function."""
    every = {id(fault): fault for row in rows for fault in (*row.unnoticed, *row.blind)}
    return sorted(every.values(), key=lambda fault: str(fault.function))


def listing(game: str, rows: Iterable[Row], judged: Iterable[Row]) -> Iterator[str]:
    """A line for each row of the rule index: how it is credited, or why it is left out. judged: those of the rows whose faults were tried."""
    known, tried = {row.row.rule: row for row in rows}, {row.row.rule: row for row in judged}
    for row in rule_index(load_game(game)):
        shown = row.left if row.is_reminder else f"left out: {row.left_out}"
        if row.rule in known:
            shown = f"{len(known[row.rule].tests)} tests"
        if judged_row := tried.get(row.rule):
            shown += f", {len(judged_row.faults)} faults, {len(judged_row.joints)} in joints"
        yield f"{row.rule:<10} {row.kind:<9} {row.title:<40} {shown}"


def uncredited_rules(game: str, text: str) -> list[str]:
    """The rules of a game in the text of uncredited_rows.txt."""
    return [rule for line in text.splitlines() for name, _, rule in [line.partition(" ")] if name == game]


def figures_of(rows: Sequence[Row]) -> tuple[str, str]:
    """What a run over all rows of a game has tried, and what tests noticed."""

    def count(several: Iterable[Iterable[Fault]]) -> int:
        return len({id(fault) for faults in several for fault in faults})

    faults, left = count(row.faults for row in rows), count(row.unnoticed for row in rows)
    joints, blind = count(row.joints for row in rows), count(row.blind for row in rows)
    credited = sum(not row.is_short for row in rows)
    return (
        f"{faults:,} faults in {len(rows)} rows, {joints:,} in joints",
        f"{faults - left:,} and {joints - blind:,} noticed, {credited} rows credited",
    )


def table(rows: Iterable[Row]) -> str:
    """The rows of one game with what their tests notice."""
    lines = [
        "| rule | title | tests | faults | noticed | joints | noticed | |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        cells = [row.row.rule, row.row.title, len(row.tests), len(row.faults), len(row.faults) - len(row.unnoticed)]
        cells += [len(row.joints), len(row.joints) - len(row.blind), "short" if row.is_short else ""]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines) + "\n"


@click.command()
@click.option("--sample", default="600", show_default=True, help="How many faults to try at least, or `all`.")
@click.option("--seed", default=1914, show_default=True)
@click.option(
    "--only", default="", help="Try the faults in these functions alone, by parts of their names: `combat.,crt:`."
)
@click.option("--row", "rule", default="", help="Judge this row alone, by the tests of its own mark and no others.")
@click.option("--game", type=click.Choice(list(GAMES)), help="Judge this game alone.")
@click.option("--write", is_flag=True, help="Record the figures in docs/maintaining/runs.md; judges all rows.")
@click.option(
    "--faults",
    default=0,
    help="Note also what the tests execute of the functions where `make faults` puts so many faults.",
)
def main(sample: str, seed: int, only: str, rule: str, game: str | None, write: bool, faults: int) -> None:
    """Write build/rules; fail on a row without credit."""
    build = BUILD / "rows" / (game or "") / rule.replace("/", "-") if rule else BUILD
    selection = marked_tests(rule, game)
    if rule and not any(word.endswith(".py") for word in selection):
        sys.exit(f"no test is marked with {rule}")
    games = [game] if game else [*GAMES]
    if rule and not any(rule in each.rules for name in games for each in all_functions(*GAMES[name])):
        sys.exit(f"no function declares {rule}: a row of a table is not judged")
    tried = Tried(build, reached.SOURCES, ROOT / "tests")
    covered = covered_by(game, faults, seed)
    wrong: list[str] = []
    judged: list[str] = []

    def judge(tests: forks.Tests) -> None:
        processes = 1 if rule else reached.PROCESSES
        if not tried.are_noted(covered) and not tests.trace(partial(covered_functions, covered), build, processes):
            return
        tried.keep_noted(covered)
        equivalents = Equivalents(LISTED)
        marks, sources = tests.marked("rule"), {} if rule else tests.sources()
        known = reached.Reached([build])
        tests.seconds = known.seconds
        times = (f"{taken:.3f} {test}\n" for test, taken in sorted(known.seconds.items()))
        (build / "seconds.txt").write_text("".join(times), "utf-8")
        runs = Runs(marks, known)
        for name in games:
            started = time.monotonic()
            made = Rows(name, marks, runs, equivalents)
            rows = [row for row in made.every if rule in ("", row.row.rule)]
            if rule and not rows:
                continue
            if not game and not rule:
                made.meet(equivalents.names)

            def make(row: Row, made: Rows = made) -> Row:
                row = restrict(made.with_faults(row), only.split(","))
                if rule:
                    row = by_own_mark(row, marks)
                    row = row._replace(joints=tuple(fault for fault in row.joints if fault.tests))
                return row

            sampled = not write and not only and not rule and sample != "all"
            row_marks = mark_rows(name, rows, made, marks, sources) if sampled or write else {}
            changed = changed_since(row_marks, JUDGED, name) if sampled else None
            drawn = draw(rows, sample if sampled else "all", seed, make, changed)
            file = build / f"{name}-survivors.txt"
            with file.open("w", encoding="utf-8") as log:
                chosen = judge_rows(name, drawn, tests, log, tried)
            (build / f"{name}.txt").write_text("\n".join(listing(name, rows, chosen)) + "\n", "utf-8")
            left = survivors(chosen)
            file.write_text("".join(f"{describe(fault)}\n" for fault in left), "utf-8")
            minutes = (time.monotonic() - started) / 60
            every = len({id(fault) for row in chosen for fault in (*row.faults, *row.joints)})
            click.echo(f"{name}: {len(rows)} rows computed, {len(chosen)} judged")
            if changed:
                beyond = len(changed - {row.row.rule for row in chosen})
                click.echo(f"{name}: {len(changed)} rows changed since all were judged, {beyond} of them left out")
            click.echo(f"{name}: {every - len(left)} of {every} faults noticed, in {minutes:.1f} minutes")
            wrong.extend(complaints([row for row in rows if not row.tests]))
            short = [*complaints(chosen, () if only or rule else uncredited_rules(name, UNCREDITED.read_text("utf-8")))]
            title = load_game(name).file.title
            judged.append(name)
            if write:
                keep_tables(f"mutation-{name}", table(chosen))
                record(run_of(title), *figures_of(chosen), f"make mutation GAME={name}")
                keep_marks(JUDGED, name, row_marks)
            if sampled and is_outdated(RUNS.read_text("utf-8"), title, rows):  # short rows fail once all are recorded
                for line in ("make mutation has not run since rows were added", *short):
                    click.echo(f"to do: {line}")
            else:
                wrong.extend(short)
        if not game and not rule:
            wrong.extend(f"equivalent_mutants.toml: no such fault: {each}" for each in equivalents.stale("mutant"))

    forks.collect(selection, judge)
    if rule and not judged:
        sys.exit(f"{rule} was not judged: what stopped the run stands above")
    if len(judged) < (1 if game or rule else len(GAMES)):
        sys.exit("not every game was judged: what stopped it stands above")
    click.echo(f"written: {build.relative_to(ROOT)}")
    for complaint in wrong:
        click.echo(complaint, err=True)
    sys.exit(1 if wrong else 0)


def mark_rows(
    game: str, rows: Iterable[Row], made: Rows, marks: Mapping[str, Collection[str]], sources: Mapping[str, str]
) -> dict[str, str]:
    """Return a hash of the functions and the tests of each row. sources: the text of each test."""
    others = {package for package, _ in GAMES.values()} - {GAMES[game][0]}
    tests: dict[str, set[str]] = {}
    for test, rules in marks.items():
        if others.isdisjoint(Path(test.partition("::")[0]).parts):
            for rule in rules:
                tests.setdefault(rule, set()).add(sources[test])
    told: dict[str, str] = {}
    for rule in (row.row.rule for row in rows):
        text = "\n".join(sorted((*made.sources(rule), *tests.get(rule, ()))))
        told[rule] = hashlib.sha256(text.encode()).hexdigest()[:8]
    return told


def changed_since(told: Mapping[str, str], file: Path, game: str) -> set[str] | None:
    """Return the rules whose row has changed since all of a game were judged, or None if a file does not say what they were then.

    told: the hashes of the rows as they are now.
    """
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    before = {rule: mark for name, rule, mark in map(str.split, lines) if name == game}
    return {rule for rule, mark in told.items() if before.get(rule) != mark} if before else None


def keep_marks(file: Path, game: str, told: Mapping[str, str]) -> None:
    """Note the hashes of a game's rows in a file, in place of those from before."""
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    kept = [line for line in lines if line.split()[0] != game]
    file.write_text("".join(f"{line}\n" for line in (*kept, *(f"{game} {rule} {mark}" for rule, mark in told.items()))))


def describe(fault: Fault) -> str:
    """A fault with the rows and the tests that should have noticed it."""
    before, after = fault.mutant.before, fault.mutant.after
    rules, tests = ", ".join(fault.rules), len(fault.tests)
    return f"{fault.function} ({rules}; {tests} tests)\n  - {before}\n  + {after}"


if __name__ == "__main__":
    main()
