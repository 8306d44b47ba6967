"""Faults outside the functions that declare rules: `python -m tests.faults --count 100 --seed 1914`.

Small faults (see mutants.py) are put into functions of the core and of the builder, drawn by chance and one at a time. Any test of
`make test` that executes the function may notice one: those first that execute the changed line, and among them the nearest in the tree
and those that compare whole outputs. Faults that change nothing are in equivalent_mutants.toml.
What share of the faults they notice is printed; those that nobody notices are in build/faults. Which test executes which line is found out
once, and again when a source has changed. `--trace` only finds that out, for the functions that are drawn, and shows the tests: it is
`make test` for whoever judges faults after it. What `make rules` has run of these tests, and noted for these functions, is not run again.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import click

from . import forks, reached
from .credited import Constants, Function, all_functions, load_function
from .equivalents import LISTED, Equivalents
from .mutants import Mutant, mutants
from .tried import digest, is_noted

ROOT = reached.ROOT
KEPT = ROOT / "build" / "faults"
SURVIVORS = KEPT / "survivors.txt"
PACKAGES = ("assistant", "module_builder")
PATIENCE = 30.0
"""Seconds of tests that a fault may live through; a function that everything calls is reached by thousands."""
WHOLE = "tests/test_pages.py"
"""The tests that compare all that is printed and drawn."""
SELECTION = ("-rs", "-m", "not thorough", "--hypothesis-profile=few")


class Fault(NamedTuple):
    """A fault in a function."""

    function: Function
    mutant: Mutant

    def __str__(self) -> str:
        return f"{self.function.module}:{self.function.name}\n  - {self.mutant.before}\n  + {self.mutant.after}"


def draw(count: int, seed: int, prefix: str = "") -> list[Fault]:
    """So many faults, a longer function with more chances. Each function has a chance of its own: what is drawn of the others
    stays the same when one changes. prefix: what the names of their modules begin with.
    """
    drawn = [
        (random.Random(f"{seed} {function.module}:{function.name}"), package, function)
        for package in PACKAGES
        if package.startswith(prefix.partition(".")[0])
        for function in all_functions(package, ROOT / package)
        if not function.rules and function.module.startswith(prefix) and len(function.lines)
    ]
    drawn.sort(key=lambda entry: entry[0].expovariate(len(entry[2].lines)))  # by weight, each once
    constants = {package: Constants(package, ROOT / package) for package in PACKAGES}
    equivalents = Equivalents(LISTED)
    mutated = (
        (function, _choose_mutant(function, constants[package], equivalents, chance))
        for chance, package, function in drawn
    )
    return list(islice((Fault(function, mutant) for function, mutant in mutated if mutant is not None), count))


def _choose_mutant(
    function: Function, constants: Constants, equivalents: Equivalents, chance: random.Random
) -> Mutant | None:
    """Any of the mutants of a function, None if it has none that can be put into its place."""
    try:
        original = load_function(function)
    except (AssertionError, KeyError):  # a command, or defined in another way
        return None
    every = mutants(function.tree, original.__globals__, function.owner, constants.read_by(function))
    free = original.__code__.co_freevars
    fitting = [mutant for mutant in every if mutant.function.__code__.co_freevars == free]
    real = [mutant for mutant in fitting if not equivalents.has(function, mutant)]
    return chance.choice(real) if real else None


def trace(faults: Sequence[Fault], is_shown: bool = False) -> reached.Reached:
    """What each test of `make test` executes of the functions with these faults, as long as no source changes.

    is_shown: whether the tests are run for themselves too: what they print is shown, and no other functions get probes.
    """
    KEPT.mkdir(parents=True, exist_ok=True)
    functions = keys_of(faults)
    state = digest([*reached.SOURCES, ROOT / "tests"])
    kept = KEPT / "run.json"
    known = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
    if is_shown or known.get("state") != state or not reached.are_covered(functions, known["covered"]):
        by_rules = is_shown and is_noted(reached.RULES, state, functions)
        selection = [*SELECTION, *(("-m", "not thorough and not rule") if by_rules else ())]
        covered = functions if is_shown else PACKAGES
        reached.trace(selection, covered, KEPT, is_shown=is_shown)
        known = {"state": state, "covered": covered, "by_rules": by_rules}
        kept.write_text(json.dumps(known), "utf-8")
    return reached.Reached([KEPT, *([reached.RULES] if known["by_rules"] else [])], only_usual=True)


def keys_of(faults: Iterable[Fault]) -> list[str]:
    """What the functions into which faults are put are called among what is covered."""
    return sorted({reached.key_of(fault.function) for fault in faults})


def choose_tests(fault: Fault, known: reached.Reached) -> list[str]:
    """The tests that may notice a fault, as many as may be run for one: those first that execute its line, of these those beside its
    module, then those that compare whole outputs, then the nearest in the tree, the fastest first."""
    function = fault.function
    beside = Path("tests", *function.module.split(".")[:-1], f"test_{function.module.rpartition('.')[2]}.py")
    at_the_line = set(known.tests(function.file, (fault.mutant.line,)))

    def order(test: str) -> tuple[bool, int, int]:
        file = test.partition("::")[0]
        rank = (str(beside), WHOLE).index(file) if file in (str(beside), WHOLE) else 2
        return bool(at_the_line) and test not in at_the_line, rank, -len(os.path.commonpath([file, beside]))

    chosen: list[str] = []
    left = PATIENCE
    for test in sorted(known.tests(function.file, function.lines), key=order):
        seconds = known.seconds.get(test, 0.0)
        if seconds <= left or not chosen:
            left -= seconds
            chosen.append(test)
    return chosen


def judge(faults: Sequence[Fault]) -> Iterator[tuple[Fault, bool]]:
    """Each fault and whether a test notices it. Those that none notices are written down when that is known."""
    known = trace(faults)
    tests = [choose_tests(fault, known) for fault in faults]
    files = sorted({test.partition("::")[0] for chosen in tests for test in chosen})
    results: list[tuple[Fault, bool]] = []

    def work(collected: forks.Tests) -> None:
        collected.seconds = known.seconds
        trials = [
            forks.Trial(load_function(fault.function), fault.mutant.function, fault.mutant.reads, chosen)
            for fault, chosen in zip(faults, tests, strict=True)
        ]
        with SURVIVORS.open("w", encoding="utf-8") as log:
            for number, is_noticed in collected.try_all(trials, reached.PROCESSES):
                results.append((faults[number], is_noticed))
                if not is_noticed:
                    log.write(f"{faults[number]} ({len(tests[number])} tests)\n")
                    log.flush()

    forks.collect([*SELECTION, *files], work, anew=True)
    yield from results


@click.command()
@click.option("--count", default=100, show_default=True, help="How many faults to put in.")
@click.option("--seed", default=1914, show_default=True)
@click.option("--module", default="", help="Draw from modules alone whose names begin so.")
@click.option("--least", default=0.0, help="Fail if a smaller share is noticed, in per cent.")
@click.option("--trace", "only_traced", is_flag=True, help="Run the tests of `make test`, and note what they execute.")
def main(count: int, seed: int, module: str, least: float, only_traced: bool) -> None:
    """Print the share, and write what nobody noticed."""
    began = time.monotonic()
    faults = draw(count, seed, module)
    if only_traced:
        trace(faults, is_shown=True)
        return
    results = list(judge(faults))
    noticed = sum(is_noticed for _, is_noticed in results)
    share = 100 * noticed / max(len(results), 1)
    minutes = (time.monotonic() - began) / 60
    click.echo(
        f"COUNT={count} SEED={seed}: {noticed} of {len(results)} faults noticed ({share:.0f} %) in {minutes:.1f} minutes"
    )
    click.echo(f"written: {SURVIVORS.relative_to(ROOT)}")
    sys.exit(int(not results or share < least))


if __name__ == "__main__":
    main()
