"""Worked cases for proof sheets, taken from the tests of rules that have no clause.

A case is the position about which a marked test asks whose answer shows the rule best: lines of it cite the rule, and change when a
function that computes the rule is spoiled (proof_showing.py); its test is marked with few other rules; it is small. Cases without a
test were written for the sheets, and stay as they are.

    python -m tests.proof_examples [--game GAME] [--rule RULE ...] [--check]

Runs the tests that are marked with rules, and writes the cases to `proofs.toml` in the folder of each game. `--check` says which rows have one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click
import pytest

import assistant.service
from assistant.asking.report import Report
from assistant.formats.notation_writer import write_notation
from assistant.formats.positions import Asked, Position
from assistant.game.games import Game
from assistant.game.proof.clauses import read_proof
from assistant.game.proof.examples import FILE, Example, list_examples
from assistant.game.rule_index import rule_index
from assistant.installed.registry import load_game
from assistant.service import pose_question
from assistant.util.errors import InputError

from .conftest import SAMPLE
from .credit import GAMES
from .proof_showing import Answer, Line, Spoiler, answered, cites

NOTHING: Mapping[str, object] = {}
MAX_LINES = 20
"""The maximum number of lines of a position that a reader sets up."""
MAX_LETTERS = 1200
MAX_LINE = 240
"""The maximum length of a line of an answer, in letters."""
ASSUMED = re.compile(r"\bassumed\b|\bnot stated\b")
MANY = 3
"""The number of rules from which it does not matter how many mark a test."""
MAX_SHOWN = 2
"""The maximum number of lines of an answer that a sheet shows besides the verdict."""
MAX_ASKED = 24
"""The maximum number of questions of a rule's tests that are asked again."""
MAX_SPOILED = 6
"""The maximum number of questions of a rule's tests that are asked with faults."""


class Asking(NamedTuple):
    """A question that a test asked, in notation, with the test and the rules that mark it."""

    test: str
    rules: frozenset[str]
    text: str

    @property
    def size(self) -> tuple[int, int, int, str]:
        """The number of rules that mark the test, as far as it matters, and the size of the position."""
        return min(len(self.rules), MANY), self.text.count("\n"), len(self.text), self.text


class Recorder:
    """A plugin of pytest that notes the questions of tests which are marked with rules of a game."""

    def __init__(self, game: str) -> None:
        self.askings = set[Asking]()
        self._game = game

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Note what is asked while a test runs."""
        rules = frozenset(rule for mark in item.iter_markers("rule") for rule in mark.args)
        test = item.nodeid.partition("[")[0].rpartition("::")[2]
        usual = assistant.service.ask_in

        def ask_in(view: Any, position: Position, asked: Asked, answers: Mapping[str, object] = NOTHING) -> Report[Any]:
            report = usual(view, position, asked, answers)
            if position.game.id == self._game and (text := written(position, asked, answers)):
                self.askings.add(Asking(test, rules, text))
            return report

        with pytest.MonkeyPatch.context() as patch:
            if rules:
                patch.setattr(assistant.service, "ask_in", ask_in)
            yield


def record(game: str, folder: Path) -> Collection[Asking]:
    """Run the tests in a folder that are marked with rules, and return what they asked of a game."""
    recorder = Recorder(game)
    words = ["-q", "-x", "-p", "no:cacheprovider", "-m", "rule and not thorough", "--hypothesis-profile=few"]
    if code := pytest.main([*words, str(folder)], plugins=[recorder]):
        sys.exit(f"a test fails (pytest says {code}): mend it first")
    return recorder.askings


def written(position: Position, asked: Asked, answers: Mapping[str, object]) -> str:
    """A question with its position in notation, "" if it cannot be typed, or is too long for a sheet."""
    if position.state.facts and position.game.folder is None:
        return ""
    typed = {name: str(value) for name, value in answers.items()}
    try:
        text = write_notation(pose_question(position, asked, typed)).rstrip("\n")
    except InputError:
        return ""
    is_made = f"board {SAMPLE.name}" in text or f"map {SAMPLE.name}" in text
    return "" if is_made or text.count("\n") >= MAX_LINES or len(text) > MAX_LETTERS else text


def rules_without_clauses(game: Game) -> list[str]:
    """The rows that functions compute and that no clause bears."""
    proof = read_proof(game.folder, game.rulings, game.tracks)
    borne = {rule for clause in proof.clauses for rule in clause.rules}
    computed = {rule for function in proof.functions for rule in function.rules}
    return [row.rule for row in rule_index(game) if row.rule in computed - borne]


class Candidate(NamedTuple):
    """A question that may show a rule: the better, the smaller its first fields are."""

    rank: int
    size: tuple[int, int, int, str]
    asking: Asking
    lines: tuple[Line, ...]


def telling_lines(answer: Answer) -> list[Line]:
    """The steps of an answer that a sheet may show: no long ones, and none that only say what is assumed."""
    return [line for line in answer.lines[1:] if len(line.text) <= MAX_LINE and not ASSUMED.search(line.text)]


def lines_shown(answer: Answer, rule: str, changed: Collection[Line]) -> tuple[Line, ...]:
    """The lines of an answer that a sheet shows for a rule: the verdict, and those that cite the rule, first those that its functions change."""
    telling = telling_lines(answer)
    own = [line for line in telling if line.rule == rule] or [line for line in telling if cites(line.rule, rule)]
    cited = [line for line in own if line in changed] or own
    shown = cited[:MAX_SHOWN] or [line for line in telling if line in changed][:1]
    verdict = answer.lines[:1] if len(answer.lines[0].text) <= MAX_LINE or not shown else ()
    return *verdict, *shown


def rank_of(answer: Answer, rule: str, changed: Collection[Line], count: int) -> int:
    """How well an answer shows a rule, 0 if well: a line cites it and its functions change that."""
    refused_otherwise = bool(answer.reasons) and not any(cites(each, rule) for each in answer.reasons)
    own = [line for line in telling_lines(answer) if cites(line.rule, rule)]
    if any(line in changed for line in own):
        rank = 0
    elif own and count:
        rank = 1
    elif own:
        rank = 2
    else:
        rank = 3 if changed else 4
    return rank + 5 * refused_otherwise


def choose(askings: Iterable[Asking], rule: str, spoiler: Spoiler, ask: Any = answered) -> Example | None:
    """The example of a rule, from what its tests asked, None if they asked nothing that can be shown."""
    asked = list[tuple[int, Asking, Answer]]()
    for asking in sorted((asking for asking in askings if rule in asking.rules), key=lambda each: each.size)[:MAX_ASKED]:
        answer = ask(asking.text)
        if answer and answer.kind != "undecided" and len(answer.lines[0].text) <= 2 * MAX_LINE:
            asked.append((rank_of(answer, rule, (), 0), asking, answer))
    asked.sort(key=lambda each: (each[0], each[1].size))
    candidates = list[Candidate]()
    for _, asking, answer in asked[:MAX_SPOILED]:
        changed, count = spoiler.changed_lines(rule, asking.text, answer)
        rank = rank_of(answer, rule, changed, count)
        candidates.append(Candidate(rank, asking.size, asking, lines_shown(answer, rule, changed)))
        if rank == 0 and len(asking.rules) == 1:
            break
    if not candidates:
        return None
    best = min(candidates)
    return Example((rule,), best.asking.text, tuple(line.shown for line in best.lines), best.asking.test)


def examples_text(examples: Iterable[Example]) -> str:
    """The file of some examples; those of one position and answer stand together."""
    together = dict[tuple[str, tuple[str, ...], str], list[str]]()
    for example in examples:
        together.setdefault((example.position.strip("\n"), example.answer, example.test), []).extend(example.rules)
    lines = ["# Worked cases for proof sheets. python -m tests.proof_examples writes those of tests; keep the others in order."]
    for (position, answer, test), rules in together.items():
        position = position.partition("\n")[2]  # without the line `game`
        lines += ["", "[[example]]", f"rules = {listed(dict.fromkeys(rules))}"]
        lines += [f"test = {quoted(test)}"] if test else []
        lines += [f"answer = {listed(answer)}", "position = '''", position, "'''"]
    return "\n".join(lines) + "\n"


def listed(texts: Iterable[str]) -> str:
    """Some texts in TOML."""
    return f"[{', '.join(map(quoted, texts))}]"


def quoted(text: str) -> str:
    """A text in TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def renew(game: Game, askings: Collection[Asking], rules: Sequence[str], only: Collection[str]) -> list[Example]:
    """The examples of a game, in the order of its rules: those written for the sheets, the others chosen again.

    only: the rules to choose for, none for all.
    """
    kept = list_examples(game)
    chosen = {rule: Example((rule,), each.position, each.answer, each.test) for each in kept for rule in each.rules}
    spoiler = Spoiler(game.id)
    ask = cache(answered)
    for rule in rules:
        is_written = rule in chosen and not chosen[rule].test
        if not is_written and (rule in only or not only):
            chosen.pop(rule, None)
            if found := choose(askings, rule, spoiler, ask):
                chosen[rule] = found
    return [chosen[rule] for rule in rules if rule in chosen]


@click.command()
@click.option("--game", type=click.Choice(list(GAMES)), help="This game alone.")
@click.option("--rule", "only", multiple=True, help="Choose for this rule alone, and keep the other cases.")
@click.option("--check", is_flag=True, help="Write nothing.")
def main(game: str | None, only: Sequence[str], check: bool) -> None:
    """Write the worked cases of proof sheets."""
    for name in [game] if game else GAMES:
        package, folder = GAMES[name]
        about = load_game(name)
        rules = rules_without_clauses(about)
        examples = renew(about, record(name, Path(__file__).parent / package), rules, only)
        shown = {rule for example in examples for rule in example.rules if example.shows(rule)}
        having = {rule for example in examples for rule in example.rules}
        click.echo(f"{name}: of {len(rules)} rules without a clause {len(having)} have a worked case, {len(shown)} cited")
        click.echo("without: " + ", ".join(rule for rule in rules if rule not in having))
        click.echo("not cited: " + ", ".join(rule for rule in rules if rule in having - shown))
        if not check:
            (folder / FILE).write_text(examples_text(examples), "utf-8")


if __name__ == "__main__":
    main()
