"""Worked cases for proof sheets, taken from the tests of rules: of all that functions compute, but for checks that have a sentence.

A case is the position about which a marked test asks whose answer shows the rule best: lines of it cite the rule, and change when a
function that computes the rule is spoiled (proof_showing.py); they have words of its title; the test is marked with few other rules; the
position is small. A case that cites another rule alone is none. proof_cases.tsv names the test of each. Cases without a test were written for the sheets, and stay as they are.

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
from assistant.game.rule_index import RuleRow, rule_index
from assistant.installed.registry import load_game
from assistant.service import pose_question
from assistant.util.errors import InputError

from .conftest import SAMPLE
from .credit import GAMES
from .proof_showing import Answer, Line, Spoiler, answered, cites, without_own_files

TESTS = Path(__file__).parent
SOURCES = TESTS / "proof_cases.tsv"
"""The tests that the worked cases are from: the game, the rule and the test, one case a line."""
NOTHING: Mapping[str, object] = {}
MAX_LINES = 20
"""The maximum number of lines of a position that a reader sets up."""
MAX_LETTERS = 1200
MAX_LINE = 240
"""The maximum length of a line of an answer, in letters."""
ASSUMED = re.compile(r"\bassumed\b|\bnot stated\b|^no chances without|\(ruling [\w-]+=")
"""What a line says that tells only on what an answer rests, a ruling included, or what it lacks."""
MANY = 3
"""The number of rules from which it does not matter how many mark a test."""
MAX_SHOWN = 2
"""The maximum number of lines of an answer that a sheet shows besides the verdict."""
LONG = 300
"""The length of a position, in letters, from which a shorter one is preferred."""
STEM = 5
"""The letters by which words are compared."""
MAX_ASKED = 24
"""The maximum number of questions of a rule's tests that are asked again."""
MAX_RANK = 2
"""The rank of an answer that cites a rule, though no fault changes the line."""
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
        usual = assistant.service.answer_in_view

        def answer_in_view(
            view: Any, position: Position, asked: Asked, answers: Mapping[str, object] = NOTHING
        ) -> Report[Any]:
            report = usual(view, position, asked, answers)
            if position.game.id == self._game and (text := written(position, asked, answers)):
                self.askings.add(Asking(test, rules, text))
            return report

        with pytest.MonkeyPatch.context() as patch:
            if rules:
                patch.setattr(assistant.service, "answer_in_view", answer_in_view)
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


def rules_to_show(game: Game) -> list[RuleRow]:
    """The rows that functions compute, but for the checks under which a sentence is shown."""
    proof = read_proof(game.folder, game.tracks)
    borne = {clause.rule for clause in proof.clauses}
    computed = {rule for function in proof.functions for rule in function.rules}
    return [row for row in rule_index(game) if row.rule in computed and not (row.kind == "check" and row.rule in borne)]


class Case(NamedTuple):
    """A worked case of one rule, with the test that asks it, "" if it was written for the sheet."""

    example: Example
    test: str


class Candidate(NamedTuple):
    """A question that may show a rule: the better, the smaller its first fields are."""

    rank: int
    words: int
    """The words of the rule's title that its lines have, below zero."""
    is_long: bool
    size: tuple[int, int, int, str]
    asking: Asking
    lines: tuple[Line, ...]


def telling_lines(answer: Answer) -> list[Line]:
    """The steps of an answer that a sheet may show: no long ones, and none that only say what is assumed."""
    return [line for line in answer.lines[1:] if len(line.text) <= MAX_LINE and not ASSUMED.search(line.text)]


def stems(text: str) -> set[str]:
    """What the words of a text begin with, without short ones."""
    return {word[:STEM] for word in re.findall(r"[a-z0-9]{3,}", text.casefold())}


def lines_shown(answer: Answer, row: RuleRow, changed: Collection[Line]) -> tuple[Line, ...]:
    """The lines of an answer that a sheet shows for a rule: the verdict, and those that cite the rule.

    First those that its functions change, and that have words of its title. If none has, a changed line of another rule follows that does.
    """
    title = stems(row.title)
    telling = sorted(telling_lines(answer), key=lambda line: (line not in changed, -len(title & stems(line.text))))
    own = [line for line in telling if line.rule == row.rule] or [
        line for line in telling if cites(line.rule, row.rule)
    ]
    other = [line for line in telling if line in changed and line not in own]
    fitting = [line for line in other if title & stems(line.text)]
    shown = own[:MAX_SHOWN]
    if not any(title & stems(line.text) for line in shown):
        shown = [*shown, *(fitting or ([] if own else other))[:1]]
    verdict = answer.lines[:1] if len(answer.lines[0].text) <= MAX_LINE or not shown else ()
    return *verdict, *sorted(shown, key=answer.lines.index)


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


def weigh(asking: Asking, answer: Answer, row: RuleRow, changed: Collection[Line], count: int) -> Candidate:
    """A question as one that may show a rule. changed: the lines that faults change; count: the number of faults that do."""
    lines = lines_shown(answer, row, changed)
    words = stems(row.title) & stems(" ".join(line.text for line in lines))
    rank = rank_of(answer, row.rule, changed, count)
    return Candidate(rank, -len(words), len(asking.text) > LONG, asking.size, asking, lines)


def choose(askings: Iterable[Asking], row: RuleRow, spoiler: Spoiler, ask: Any = answered) -> Case | None:
    """The example of a rule, from what its tests asked, None if they asked nothing that can be shown."""
    asked = dict[Asking, Answer]()
    for asking in sorted((each for each in askings if row.rule in each.rules), key=lambda each: each.size)[:MAX_ASKED]:
        answer = ask(asking.text)
        if answer and answer.kind != "undecided" and len(answer.lines[0].text) <= 2 * MAX_LINE:
            asked[asking] = answer
    found = list[Candidate]()
    for first in sorted(weigh(asking, answer, row, (), 0) for asking, answer in asked.items())[:MAX_SPOILED]:
        answer = asked[first.asking]
        changed, count = spoiler.changed_lines(row.rule, first.asking.text, answer)
        found.append(weigh(first.asking, answer, row, changed, count))
        if found[-1].rank == 0 and found[-1].words <= first.words:
            break
    if not found:
        return None
    best = min(found)
    is_own = best.rank == 0 and any(line.rule == row.rule for line in best.lines)
    if best.rank > MAX_RANK or not (best.words or is_own):
        return None  # the case would show another rule
    example = Example((row.rule,), best.asking.text, tuple(line.shown for line in best.lines))
    return Case(example, best.asking.test)


HEAD = "# Worked cases for proof sheets: python -m tests.proof_examples writes those of tests anew, and keeps the others.\n"


def examples_text(examples: Iterable[Example], head: str = HEAD) -> str:
    """The file of some examples; those of one position and answer stand together. head: what stands before them."""
    together = dict[tuple[str, tuple[str, ...]], list[str]]()
    for example in examples:
        together.setdefault((example.position, example.answer), []).extend(example.rules)
    lines = [head.rstrip("\n")]
    for (position, answer), rules in together.items():
        position = position.partition("\n")[2]  # without the line `game`
        lines += ["", "[[example]]", f"rules = {listed(dict.fromkeys(rules))}"]
        lines += [f"answer = {listed(answer)}", "position = '''", position, "'''"]
    return "\n".join(lines) + "\n"


def listed(texts: Iterable[str]) -> str:
    """Some texts in TOML."""
    return f"[{', '.join(map(quoted, texts))}]"


def quoted(text: str) -> str:
    """A text in TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def read_sources(game: str) -> dict[str, str]:
    """The tests that the worked cases of a game are from, by rules."""
    lines = [line.split("\t") for line in SOURCES.read_text("utf-8").splitlines()[1:]]
    return {rule: test for name, rule, test in lines if name == game}


def write_sources(game: str, cases: Iterable[Case]) -> None:
    """Write which tests the worked cases of a game are from."""
    head, *others = SOURCES.read_text("utf-8").splitlines()
    kept = [line for line in others if not line.startswith(f"{game}\t")]
    own = [f"{game}\t{case.example.rules[0]}\t{case.test}" for case in cases if case.test]
    lines = sorted([*kept, *own], key=lambda line: line.partition("\t")[0])  # which keeps the order of the rules
    SOURCES.write_text("\n".join([head, *lines]) + "\n", "utf-8")


def renew(game: Game, askings: Collection[Asking], rows: Sequence[RuleRow], only: Collection[str]) -> list[Case]:
    """The worked cases of a game, in the order of its rules: those written for the sheets, the others chosen again.

    rows: the rules that need a case; others keep the one that they have. only: the rules to choose for, none for all.
    """
    tests = read_sources(game.id)
    chosen = {
        rule: Case(Example((rule,), each.position, each.answer), tests.get(rule, ""))
        for each in list_examples(game)
        for rule in each.rules
    }
    spoiler = Spoiler(game.id)
    ask = cache(answered)
    needing = {row.rule for row in rows}
    rows = [row for row in rule_index(game) if row.rule in needing or row.rule in chosen]
    for row in rows:
        is_written = row.rule in chosen and not chosen[row.rule].test
        if not is_written and (row.rule in only or not only):
            chosen.pop(row.rule, None)
            if found := choose(askings, row, spoiler, ask):
                chosen[row.rule] = found
    return [chosen[row.rule] for row in rows if row.rule in chosen]


@click.command()
@click.option("--game", type=click.Choice(list(GAMES)), help="This game alone.")
@click.option("--rule", "only", multiple=True, help="Choose for this rule alone, and keep the other cases.")
@click.option("--check", is_flag=True, help="Write nothing.")
def main(game: str | None, only: Sequence[str], check: bool) -> None:
    """Write the worked cases of proof sheets."""
    with without_own_files():
        for name in [game] if game else GAMES:
            write_cases(name, only, check)


def write_cases(game: str, only: Sequence[str], check: bool) -> None:
    """Write the worked cases of a game. only: for these rules, none for all; check: write nothing."""
    package, folder = GAMES[game]
    about = load_game(game)
    rows = rules_to_show(about)
    cases = renew(about, record(game, TESTS / package), rows, only)
    having = {case.example.rules[0] for case in cases} & {row.rule for row in rows}
    shown = having & {case.example.rules[0] for case in cases if case.example.shows(case.example.rules[0])}
    click.echo(
        f"{game}: of {len(rows)} rules to show {len(having)} have a worked case, {len(shown)} one that cites them"
    )
    click.echo("without: " + ", ".join(row.rule for row in rows if row.rule not in having))
    click.echo("not cited: " + ", ".join(row.rule for row in rows if row.rule in having - shown))
    if not check:
        head, example, _ = (folder / FILE).read_text("utf-8").partition("[[example]]")
        (folder / FILE).write_text(examples_text((case.example for case in cases), head if example else HEAD), "utf-8")
        write_sources(game, cases)


if __name__ == "__main__":
    main()
