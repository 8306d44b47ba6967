"""Credit for rules: which row of a game's rule index is shown at work by which tests.

A row is credited only if a function that declares it (`Rule: ...` in its docstring) was executed by a test marked with
it. Some of the credited functions are then broken on purpose, one at a time: each must make one of its tests fail.

    python -m tests.credit [--sample N]
"""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import coverage

from assistant.game.rule_index import DECLARED, rule_index
from assistant.plugins.registry import load_game

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "rules"
GAMES = {"twilight-in-the-east": ("twilight_in_the_east", ROOT / "plugins" / "twilight_in_the_east")}


def run_marked_tests() -> dict[str, list[str]]:
    """Run all tests with a rule mark under coverage; the rules of each test by its id."""
    BUILD.mkdir(parents=True, exist_ok=True)
    marks = BUILD / "marks.json"
    environment = os.environ | {"FIELD_STAFF_MARKS": str(marks), "COVERAGE_FILE": str(BUILD / "coverage")}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-m",
        "rule",
        "-p",
        "no:randomly",
        "--cov=plugins",
        "--cov-context=test",
    ]
    done = subprocess.run([*command, "--cov-report="], cwd=ROOT, env=environment, check=False)
    if done.returncode:
        sys.exit("the marked tests fail: mend them first")
    found: dict[str, list[str]] = json.loads(marks.read_text("utf-8"))
    return found


def declaring_functions(folder: Path) -> Iterator[tuple[str, str, range, list[str]]]:
    """Each function that declares rules: its module, its qualified name, the lines of its body, the rules."""
    for file in sorted(folder.rglob("*.py")):
        module = ".".join(file.relative_to(folder).with_suffix("").parts)
        for scope, node in _functions(ast.parse(file.read_text("utf-8"))):
            found = DECLARED.search(ast.get_docstring(node) or "")
            if found:
                body = node.body[1:]  # without the docstring
                lines = range(body[0].lineno, (node.end_lineno or body[0].lineno) + 1)
                yield module, f"{scope}{node.name}", lines, found[1].replace(",", " ").split()


def _functions(tree: ast.AST, scope: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield scope, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{node.name}.")


def credit(game: str, marks: dict[str, list[str]]) -> tuple[list[dict[str, object]], dict[str, set[str]]]:
    """The rows of a game's rule index with the tests that credit them, and the tests that credit each function."""
    package, folder = GAMES[game]
    data = coverage.CoverageData(str(BUILD / "coverage"))
    data.read()
    by_rule: dict[str, set[str]] = {}
    by_function: dict[str, set[str]] = {}
    declared: dict[str, set[str]] = {}
    for module, name, lines, rules in declaring_functions(folder):
        executed = data.contexts_by_lineno(str(folder.joinpath(*module.split(".")).with_suffix(".py")))
        tests = {context.partition("|")[0] for line in lines for context in executed.get(line, ()) if context}
        for rule in rules:
            declared.setdefault(rule, set()).add(name)
            shown = {test for test in tests if rule in marks.get(test, ())}
            by_rule.setdefault(rule, set()).update(shown)
            by_function.setdefault(f"{package}.{module}:{name}", set()).update(shown)
    rows: list[dict[str, object]] = []
    known = set()
    for row in rule_index(load_game(game)):
        known.add(row.rule)
        entry: dict[str, object] = {"rule": row.rule, "kind": row.kind, "title": row.title, "code": list(row.code)}
        tests = sorted(by_rule.get(row.rule, ()))
        entry |= {"tests": tests} if row.rule in declared else {"left_out": row.left_out}
        rows.append(entry)
    for rule in sorted(set(declared) - known):
        sys.exit(f"{game}: {sorted(declared[rule])} declare rule {rule}, which is not in the rule index")
    return rows, by_function


def breaks(function: str, tests: set[str]) -> bool:
    """Whether breaking a function makes one of these tests fail."""
    environment = os.environ | {"FIELD_STAFF_BREAK": function}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-p", "no:cacheprovider", *sorted(tests)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    return done.returncode == 1


@click.command()
@click.option("--sample", default="12", show_default=True, help="How many functions to break, or `all`.")
@click.option("--seed", default=1914, show_default=True)
def main(sample: str, seed: int) -> None:
    """Write build/rules/GAME.json and a table; fail on a rule without credit or a break that no test notices."""
    marks = run_marked_tests()
    faults = []
    for game in GAMES:
        rows, by_function = credit(game, marks)
        (BUILD / f"{game}.json").write_text(json.dumps(rows, indent=1), "utf-8")
        lines = []
        for row in rows:
            tests = row.get("tests")
            shown = f"{len(tests)} tests" if isinstance(tests, list) else f"left out: {row['left_out']}"
            lines.append(f"{row['rule']:<10} {row['kind']:<9} {row['title']:<40} {shown}")
        (BUILD / f"{game}.txt").write_text("\n".join(lines) + "\n", "utf-8")
        computed = [row for row in rows if "tests" in row]
        uncredited = [str(row["rule"]) for row in computed if not row["tests"]]
        click.echo(
            f"{game}: {len(rows)} rows, {len(computed)} computed, {len(computed) - len(uncredited)} credited by tests"
        )
        faults += [f"{rule}: declared, but no test marked with it executes the code" for rule in uncredited]
        credited = sorted(function for function, tests in by_function.items() if tests)
        chosen = credited if sample == "all" else random.Random(seed).sample(credited, min(int(sample), len(credited)))
        for function in chosen:
            if not breaks(function, by_function[function]):
                faults.append(f"{function}: broken on purpose, and none of its tests failed")
        click.echo(f"{game}: {len(chosen)} of {len(credited)} credited functions broken on purpose")
    click.echo(f"written: {BUILD.relative_to(ROOT)}")
    for fault in faults:
        click.echo(fault, err=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
