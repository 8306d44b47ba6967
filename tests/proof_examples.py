"""Worked cases for proof sheets, taken from the tests of rules that have no clause.

A case is written for its rule in the `worked_cases.toml` of a game's tests, or else it is the smallest position about which a marked test asks.
Its answer is the line with the rule's number, or the verdict. A number that several rows share, or a test that is marked with many rules, comes last.

    python -m tests.proof_examples [--game GAME] [--check]

Runs the tests that are marked with rules, and writes the cases to `proofs.toml` in the folder of each game. `--check` says which rows have one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
import pytest

import assistant.service
from assistant.asking.report import Report
from assistant.formats.notation import read_notation
from assistant.formats.notation_writer import write_notation
from assistant.formats.positions import Asked, Position
from assistant.game.games import Game
from assistant.game.proof.clauses import read_proof
from assistant.game.proof.examples import FILE, Example, read_cases
from assistant.game.rule_index import rule_index
from assistant.installed.registry import load_game
from assistant.service import ask, pose_question
from assistant.util.errors import InputError

from .conftest import SAMPLE
from .credit import GAMES

NOTHING: Mapping[str, object] = {}
WRITTEN = "worked_cases.toml"
"""The file with the cases that are written for their rules, in the folder of a game's tests."""
MAX_LINES = 20
"""The maximum number of lines of a position that a reader sets up."""
MAX_LETTERS = 1200
MAX_ANSWER = 240


class Asking(NamedTuple):
    """A question that a test asked, with the test, the rules that mark it and the report."""

    test: str
    rules: frozenset[str]
    position: Position
    asked: Asked
    answers: Mapping[str, str]
    report: Report[Any]


class Recorder:
    """A plugin of pytest that notes the questions of tests which are marked with rules."""

    def __init__(self) -> None:
        self.askings = list[Asking]()
        self._test = ""
        self._rules = frozenset[str]()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note what is asked while a test runs."""
        self._rules = frozenset(rule for mark in item.iter_markers("rule") for rule in mark.args)
        self._test = item.nodeid.partition("[")[0]
        usual = assistant.service.ask_in

        def ask_in(view: Any, position: Position, asked: Asked, answers: Mapping[str, object] = NOTHING) -> Report[Any]:
            report = usual(view, position, asked, answers)
            typed = {name: str(value) for name, value in answers.items()}
            self.askings.append(Asking(self._test, self._rules, position, asked, typed, report))
            return report

        with pytest.MonkeyPatch.context() as patch:
            if self._rules:
                patch.setattr(assistant.service, "ask_in", ask_in)
            yield


def record(folder: Path) -> list[Asking]:
    """Run the tests in a folder that are marked with rules, and return what they asked."""
    recorder = Recorder()
    words = [
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-m",
        "rule and not thorough",
        "--hypothesis-profile=few",
        str(folder),
    ]
    if code := pytest.main(words, plugins=[recorder]):
        sys.exit(f"a test fails (pytest says {code}): mend it first")
    return recorder.askings


def rules_without_clauses(game: Game) -> list[str]:
    """The rows that functions compute and that no clause bears."""
    proof = read_proof(game.folder, game.rulings, game.tracks)
    borne = {rule for clause in proof.clauses for rule in clause.rules}
    computed = {rule for function in proof.functions for rule in function.rules}
    return [row.rule for row in rule_index(game) if row.rule in computed - borne]


def figure_of(report: Report[Any], rule: str) -> str:
    """The line of an answer that bears the number of a rule or of the rule that it is a part of, "" if none does."""
    whole = rule.partition("/")[0].rstrip("abcdefghijklmnopqrstuvwxyz")
    steps = [*report.short, *(step for part in report.parts for step in part.steps)]
    own = [step.text for step in steps if step.rule == rule]
    of_whole = [step.text for step in steps if step.rule in (whole, rule.partition("/")[0])]
    return next((text for text in (*own, *of_whole) if len(text) <= MAX_ANSWER), "")


def lines_of(report: Report[Any]) -> list[str]:
    """The lines of an answer and its verdict."""
    steps = [*report.short, *(step for part in report.parts for step in part.steps)]
    return [report.verdict.text, *(step.text for step in steps)]


def written_cases(folder: Path) -> dict[str, Example]:
    """The cases that are written for rules in a folder of tests, by their rules. A case that is not answered so ends the program."""
    file = folder / WRITTEN
    if not file.is_file():
        return {}
    cases = [msgspec.structs.replace(case, test=f"{folder.name}/{WRITTEN}") for case in read_cases(file)]
    for case in cases:
        if case.answer not in lines_of(repeat(case.position)):
            sys.exit(f"{file}: {case.rules[0]} is not answered with {case.answer!r}")
    bare = [msgspec.structs.replace(case, position=case.position.rstrip("\n")) for case in cases]
    return {rule: case for case in bare for rule in case.rules}


def answer_of(report: Report[Any], rule: str) -> str:
    """The answer that an example shows: the line of the rule, or else the verdict."""
    return figure_of(report, rule) or report.verdict.text


def written(asking: Asking) -> str:
    """A question with its position in notation, "" if it cannot be typed."""
    if asking.position.state.facts and asking.position.game.folder is None:
        return ""
    try:
        text = write_notation(pose_question(asking.position, asking.asked, asking.answers)).rstrip("\n")
    except InputError:
        return ""
    return "" if f"board {SAMPLE.name}" in text or f"map {SAMPLE.name}" in text else text


def repeat(text: str) -> Report[Any]:
    """The report on the question of a position in notation."""
    return ask(read_notation(f"{text}\n".encode(), "example.pos", load_game))


def choose(askings: list[Asking], rule: str) -> Example | None:
    """The example of a rule: before others one whose answer has its number, then of a test of few rules, then the smallest position."""
    candidates = list[tuple[bool, int, int, int, str, str, str]]()
    for asking in askings:
        if rule not in asking.rules or asking.report.verdict.kind == "undecided":
            continue
        text = written(asking)
        if text and text.count("\n") < MAX_LINES and len(text) <= MAX_LETTERS:
            figure = figure_of(asking.report, rule)
            answer = figure or asking.report.verdict.text
            if len(answer) <= MAX_ANSWER:
                lines = text.count("\n")
                candidates.append((not figure, len(asking.rules), lines, len(text), text, asking.test, answer))
    for *_, text, test, answer in sorted(candidates)[:6]:
        try:
            again = answer_of(repeat(text), rule)
        except InputError:
            continue
        if again == answer:
            return Example((rule,), text, answer, test.removeprefix("tests/"))
    return None


def examples_text(examples: list[Example]) -> str:
    """The file of some examples; those of one position and answer stand together."""
    together = dict[tuple[str, str, str], list[str]]()
    for example in examples:
        together.setdefault((example.position, example.answer, example.test), []).extend(example.rules)
    lines = ["# Worked cases for proof sheets, from the tests: python -m tests.proof_examples writes this file."]
    for (position, answer, test), rules in together.items():
        named = ", ".join(f'"{rule}"' for rule in rules)
        lines += ["", "[[example]]", f"rules = [{named}]", f"test = {quoted(test)}", f"answer = {quoted(answer)}"]
        lines += ["position = '''", position, "'''"]
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    """A text in TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@click.command()
@click.option("--game", type=click.Choice(list(GAMES)), help="This game alone.")
@click.option("--check", is_flag=True, help="Write nothing.")
def main(game: str | None, check: bool) -> None:
    """Write the worked cases of proof sheets."""
    for name in [game] if game else GAMES:
        package, folder = GAMES[name]
        askings = [asking for asking in record(Path(__file__).parent / package) if asking.position.game.id == name]
        rules = rules_without_clauses(load_game(name))
        written_for = written_cases(Path(__file__).parent / package)
        chosen = {rule: written_for.get(rule) or choose(askings, rule) for rule in rules}
        examples = [example for example in ({**chosen, **written_for}).values() if example]
        click.echo(f"{name}: {len(examples)} of {len(rules)} rules without a clause have a worked case")
        click.echo("without: " + ", ".join(rule for rule, example in chosen.items() if example is None))
        if not check:
            (folder / FILE).write_text(examples_text(examples), "utf-8")


if __name__ == "__main__":
    main()
