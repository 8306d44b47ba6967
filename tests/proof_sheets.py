"""What is wrong with the proof sheets of the games.

    python -m tests.proof_sheets [GAME ...]

Faults are:

- a line with an empty placeholder, or with code,
- a clause below a rule that it does not bear,
- a rule to be checked without a bar, whose function yields bars and has no clauses of other rules either,
- a term that the sheet does not explain,
- a function of a rule that its sheet does not name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click

from assistant.game.proof.clauses import Proof, read_proof
from assistant.game.proof.examples import read_examples
from assistant.game.proof.sheet import write_proof
from assistant.game.proof.stated import read_stated
from assistant.game.rule_index import RuleRow, rule_index
from assistant.installed.registry import load_game

from .credit import GAMES

EMPTY = re.compile(r"\{\s*\}|\(\s*\)|\[\s*\]| / ,|  +\S|[:,]\s*$|(?<!\d) ,|: ;")
"""A place in a sentence where something should stand."""
CODE = re.compile(
    r"\w_\w|[a-z]\(|\w\.[a-z]{2,}|[\[\]{}\\|*]|==|!=|[<>]=?|//| [+%&-] |\b(?:lambda|self|None|True|False|isinstance)\b|(?<!is )(?<!are )\bnot in\b|(?<!\w)'\w"
)
"""Signs that no sentence for a player has."""
BARS = re.compile(r"(?:(?:Iterator|Iterable|Sequence|list|tuple)\[)?(?:Clause|\w*Bar)(?:, \.\.\.)?\]?(?: \| None)?")
"""The types of functions that give nothing but what bars something."""
NOT_SHOWN = "no words here show"
_PLACE = re.compile(r"\w+ \([\w/]+\.py:\d+\)$")
_TEXT = re.compile(r'"[^"]*"')


class Fault(NamedTuple):
    """Something wrong on a sheet."""

    kind: str
    rule: str
    line: str


class Sheet(NamedTuple):
    """The sheet of a game, by rules."""

    blocks: Mapping[str, Sequence[str]]
    proof: Proof
    rows: Sequence[RuleRow]
    without_case: Sequence[str]
    """The rules that functions compute without a clause, and that have no worked case."""


@cache
def sheet_of(game: str) -> Sheet:
    """The sheet of a game."""
    about = load_game(game)
    proof = read_proof(about.folder, about.rulings, about.tracks)
    examples = read_examples(about)
    rows = rule_index(about)
    blocks = dict[str, list[str]]()
    rule = ""
    for line in write_proof(proof, rows, examples, read_stated(about)):
        if line and not line.startswith(" "):
            rule = line.partition("  ")[0]
        blocks.setdefault(rule, []).append(line)
    borne = {each for clause in proof.clauses for each in clause.rules}
    computed = dict.fromkeys(each for function in proof.functions for each in function.rules)
    return Sheet(blocks, proof, rows, [each for each in computed if each not in borne and each not in examples])


def find_faults(game: str) -> Iterator[Fault]:
    """The faults of a game's sheet."""
    sheet = sheet_of(game)
    for rule, lines in sheet.blocks.items():
        yield from _faults_of_lines(rule, lines)
        yield from _unexplained(rule, lines)
    yield from _strays(game, sheet)
    for row in sheet.rows:
        block = "\n".join(sheet.blocks.get(row.rule, ()))
        functions = [place for place in row.code if ".py:" in place]
        if row.kind == "check" and functions and not re.search(r"^    (?:when |always$)", block, re.MULTILINE):
            yield from _missing_bars(game, row, functions, sheet.proof)
        for place in functions:
            at, _, name = place.rpartition(" ")
            if f"{name} ({at})" not in block:
                yield Fault("function not shown", row.rule, place)


def _missing_bars(game: str, row: RuleRow, places: Sequence[str], proof: Proof) -> Iterator[Fault]:
    """The functions of a rule without a clause that yield bars, of which the sheet shows none under any rule."""
    _, folder = GAMES[game]
    with_clauses = {function.place for function in proof.functions if function.borne}
    for place in places:
        at, _, name = place.rpartition(" ")
        path, _, line = at.rpartition(":")
        if f"{name} ({at})" not in with_clauses and BARS.fullmatch(_returned_at(folder / path).get(int(line), "")):
            yield Fault("bar missing", row.rule, f"{row.title}: {place}")


@cache
def _returned_at(file: Path) -> dict[int, str]:
    """What the functions of a module return, by line."""
    return {
        node.lineno: ast.unparse(node.returns) if node.returns else ""
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }


def _faults_of_lines(rule: str, lines: Sequence[str]) -> Iterator[Fault]:
    for line in lines:
        if line.startswith(("    when ", "     and ")):
            if NOT_SHOWN not in line and CODE.search(_TEXT.sub("", line[9:])):
                yield Fault("code", rule, line)
        elif line.startswith("       says"):
            sentence = line.partition(": ")[2]
            if not sentence or EMPTY.search(sentence):
                yield Fault("empty placeholder", rule, line)
            if re.search(r"\w_\w", sentence):
                yield Fault("code", rule, line)
        elif line.startswith("       ") and not (line.startswith("       ruling ") or _PLACE.search(line)):
            yield from [Fault("code", rule, line)] if CODE.search(_TEXT.sub("", line)) else ()


def _unexplained(rule: str, lines: Sequence[str]) -> Iterator[Fault]:
    """The terms in the conditions of a rule that neither a line below nor a loop explains."""
    explained = {term for line in lines for term in re.findall(r'^ {7}"([a-z ]+)"', line)}
    explained |= {term for line in lines for term in re.findall(r'\b(?:each|some|no|every|and) "([a-z ]+)"', line)}
    for line in lines:
        if line.startswith(("    when ", "     and ")):
            for term in re.findall(r'(?<!fact )"([a-z]+)"', line):
                if term not in explained:
                    yield Fault("term not explained", rule, line)


def _strays(game: str, sheet: Sheet) -> Iterator[Fault]:
    """The clauses below a rule that they do not name, though the code names one there."""
    _, folder = GAMES[game]
    for clause in sheet.proof.clauses:
        if clause.path.startswith("assistant/"):
            continue  # the core is given its rules
        for named in _named_at(folder / clause.path).get(clause.line, ()):
            for rule in clause.rules:
                if not re.fullmatch(rf"{re.escape(named)}([a-z]|/.+)?", rule):
                    yield Fault("clause of another rule", rule, clause.says)


@cache
def _named_at(file: Path) -> dict[int, list[str]]:
    """The rules that clauses of a module name, by line."""
    named = dict[int, list[str]]()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        match node:
            case ast.Tuple([_, ast.Constant(str(rule)), _]) | ast.Call(ast.Name(), [ast.Constant(str(rule)), *_]):
                if re.match(r"\d", rule):
                    named.setdefault(node.lineno, []).append(rule)
    return {line: rules for line, rules in named.items() if len(rules) == 1}


def not_shown(sheet: Sheet) -> list[str]:
    """The conditions that a sheet names only by their line, each once."""
    return [*dict.fromkeys(line[9:] for block in sheet.blocks.values() for line in block if NOT_SHOWN in line)]


@click.command()
@click.argument("games", nargs=-1, type=click.Choice(list(GAMES)))
def main(games: Sequence[str]) -> None:
    """Say what is wrong with the sheets."""
    for game in games or list(GAMES):
        sheet = sheet_of(game)
        lines = [line for block in sheet.blocks.values() for line in block]
        conditions = sum(line.startswith("    when ") for line in lines)
        faults = [*find_faults(game)]
        click.echo(
            f"{game}: {len(lines)} lines, {conditions} clauses, {len(faults)} faults, {len(not_shown(sheet))} conditions not shown, {len(sheet.without_case)} rules without a worked case"
        )
        for fault in faults:
            click.echo(f"  {fault.kind}: {fault.rule}: {fault.line.strip()[:200]}")


if __name__ == "__main__":
    main()
