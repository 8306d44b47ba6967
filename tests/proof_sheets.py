"""What is wrong with the proof sheets of the games.

    python -m tests.proof_sheets [GAME ...]

Faults are:

- a line with an empty placeholder, or with code,
- a clause below a rule that it does not bear,
- a rule to be checked without a bar, whose function yields bars and has no clauses of other rules either,
- wording by which only the code could be meant, or a function without words,
- a function of a rule that its sheet does not name,
- a rule of whose sheet nothing is left but its title.

The rules without a clause and without a worked case, and those whose case never cites them, are in unshown_rules.txt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

import click

from assistant.game.proof.clauses import Proof, read_proof
from assistant.game.proof.examples import read_examples
from assistant.game.proof.sheet import LAST_LINE, write_proof
from assistant.game.proof.stated import read_stated
from assistant.game.rule_index import RuleRow, rule_index
from assistant.installed.registry import load_game

from .credit import GAMES
from .proof_showing import without_own_files

EMPTY = re.compile(r"\{\s*\}|\(\s*\)|\[\s*\]| / ,|  +\S|[:,]\s*$|(?<!\d) ,|: ;")
"""A place in a sentence where something should stand."""
CODE = re.compile(
    r"\w_\w|[a-z]\(|\w\.[a-z]{2,}|[\[\]{}\\|*]|==|!=|[<>]=?|//| [+%&-] |\b(?:lambda|self|None|True|False|isinstance)\b|(?<!is )(?<!are )\bnot in\b|(?<!\w)'\w"
)
"""Signs that no sentence for a player has."""
PRIVATE = re.compile(
    r"\bas worked out by\b|\bthere (?:is|are)(?: no| an?)? (?:place|hex|side|unit) of\b|\b(the .+) (?:is|are) \1\b|"
    r"\bthe (\w+) (?:is|are)(?: not)? the \2\b(?! of)|\bsuch that\b|\bjoined with\b|\b(?:of|the) of\b|"
    r"\bstated, but not the\b|\b(?:a|an) (?:a|an|the)\b|\bof the (\w+) of the \3\b"
)
"""Wording by which only the code could be meant."""
FIGURE = re.compile(r"{([^{}]*)}")
PLAIN_FIGURE = re.compile(r"[a-z]+(?: [a-z]+)*")
HEADING = re.compile(r"  (?! )(?:(.*): )?\w+ \([\w/]+\.py:\d+\)")
"""The line of a function, with what it does."""
BARS = re.compile(r"(?:(?:Iterator|Iterable|Sequence|list|tuple)\[)?(?:Clause|\w*Bar)(?:, \.\.\.)?\]?(?: \| None)?")
"""The types of functions that give nothing but what bars something."""
EXAMPLE = "  for example:"
NOTHING = "  neither code nor a file states it"
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
    without_clause: Sequence[str]
    """The rules that functions compute, under which no clause is shown."""


@cache
def sheet_of(game: str) -> Sheet:
    """The sheet of a game."""
    about = load_game(game)
    proof = read_proof(about.folder, about.tracks)
    examples = read_examples(about)
    rows = rule_index(about)
    blocks = dict[str, list[str]]()
    rule = ""
    for line in write_proof(proof, rows, examples, read_stated(about)):
        if line and line != LAST_LINE and not line.startswith(" "):
            rule = line.partition("  ")[0]
        blocks.setdefault(rule, []).append(line)
    borne = {clause.rule for clause in proof.clauses}
    computed = {each for function in proof.functions for each in function.rules}
    return Sheet(blocks, proof, rows, [row.rule for row in rows if row.rule in computed and row.rule not in borne])


WITHOUT = "without a case"
UNCITED = "not cited"


def read_unshown(text: str) -> list[tuple[str, str, str]]:
    """The rules that no worked case shows as yet: the game, why, and the rule, of each line `GAME: WHY: RULE, ...`."""
    lines = [line.split(": ") for line in text.splitlines() if line and not line.startswith("#")]
    return [(game, why, rule) for game, why, rules in lines for rule in rules.split(", ")]


UNSHOWN = read_unshown((Path(__file__).parent / "unshown_rules.txt").read_text("utf-8"))


def unshown_rules(game: str) -> dict[str, list[str]]:
    """The rules of a game without a clause that have no worked case, and those whose case never cites them."""
    examples = read_examples(load_game(game))
    rules = sheet_of(game).without_clause
    return {
        WITHOUT: [rule for rule in rules if rule not in examples],
        UNCITED: [rule for rule in rules if rule in examples and not examples[rule].shows(rule)],
    }


def is_empty(block: Sequence[str]) -> bool:
    """Whether the sheet of a rule says nothing below its title."""
    return not any(line.strip() and line != NOTHING for line in block[1:])


def find_faults(game: str) -> Iterator[Fault]:
    """The faults of a game's sheet."""
    sheet = sheet_of(game)
    for rule, lines in sheet.blocks.items():
        yield from _faults_of_lines(rule, lines)
    yield from _strays(game, sheet)
    for row in sheet.rows:
        if is_empty(sheet.blocks.get(row.rule, ())):
            yield Fault("nothing is said", row.rule, row.title)
        block = "\n".join(sheet.blocks.get(row.rule, ()))
        functions = [place for place in row.code if ".py:" in place]
        if (
            row.kind == "check"
            and functions
            and not re.search(r"^    (?:(?:may )?says?|not shown): ", block, re.MULTILINE)
        ):
            yield from _missing_bars(game, row, functions, sheet.proof)
        for place in functions:
            at, _, name = place.rpartition(" ")
            if f"{name} ({at})" not in block:
                yield Fault("function not shown", row.rule, place)


def _missing_bars(game: str, row: RuleRow, places: Sequence[str], proof: Proof) -> Iterator[Fault]:
    """The functions of a rule without a clause that yield bars, of which the sheet shows none under any rule."""
    _, folder = GAMES[game]
    with_clauses = {clause.place for clause in proof.clauses} | {each.place for each in proof.functions if each.borne}
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
    """The faults of what a sheet says in its own words; rows of files, cases and rulings are words of a game's author."""
    for line in takewhile(EXAMPLE.__ne__, lines):
        if line.startswith(("      when ", "      and ", "      unless ", "      or ")):
            if CODE.search(_TEXT.sub("", line)):
                yield Fault("code", rule, line)
            if '"' in line and "the fact" not in line:
                yield Fault("private wording", rule, line)
        elif line.startswith(("    says: ", "    may say: ")):
            sentence = line.partition(": ")[2]
            if not sentence or EMPTY.search(sentence):
                yield Fault("empty placeholder", rule, line)
            if re.search(r"\w_\w", sentence) or not all(map(PLAIN_FIGURE.fullmatch, FIGURE.findall(sentence))):
                yield Fault("code", rule, line)
        elif not (heading := HEADING.fullmatch(line)):
            continue
        elif not heading[1]:
            yield Fault("function without words", rule, line)
        if PRIVATE.search(line):
            yield Fault("private wording", rule, line)


def _strays(game: str, sheet: Sheet) -> Iterator[Fault]:
    """The clauses below a rule that they do not name, though the code names one there."""
    _, folder = GAMES[game]
    for clause in sheet.proof.clauses:
        if clause.path.startswith("assistant/"):
            continue  # the core is given its rules
        for named in _named_at(folder / clause.path).get(clause.line, ()):
            if clause.rule and not re.fullmatch(rf"{re.escape(named)}([a-z]|/.+)?", clause.rule):
                yield Fault("clause of another rule", clause.rule, " / ".join(clause.says))


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


def count_conditions(sheet: Sheet) -> tuple[int, int]:
    """The conditions that a sheet shows, and the sentences whose conditions it does not show."""
    clauses = [clause for clause in sheet.proof.clauses if clause.rule]
    return sum(len(clause.when) for clause in clauses), sum(bool(clause.unsaid) for clause in clauses)


@click.command()
@click.argument("games", nargs=-1, type=click.Choice(list(GAMES)))
@click.option("--write", is_flag=True, help="Write which rules no case shows to unshown_rules.txt.")
def main(games: Sequence[str], write: bool) -> None:
    """Say what is wrong with the sheets."""
    with without_own_files():
        if write:
            write_unshown()
        for game in games or list(GAMES):
            report(game)


def write_unshown() -> None:
    """Write which rules no case shows."""
    lines = [
        f"{game}: {why}: {', '.join(rules)}" for game in GAMES for why, rules in unshown_rules(game).items() if rules
    ]
    head = "# Rules without a clause that no worked case shows as yet; python -m tests.proof_sheets --write"
    (Path(__file__).parent / "unshown_rules.txt").write_text("\n".join([head, *lines]) + "\n", "utf-8")


def report(game: str) -> None:
    """Say what is wrong with the sheets of a game."""
    sheet = sheet_of(game)
    lines = [line for block in sheet.blocks.values() for line in block]
    sentences = sum(line.startswith(("    says: ", "    may say: ")) for line in lines)
    faults = [*find_faults(game)]
    shown, others = count_conditions(sheet)
    unshown = unshown_rules(game)
    click.echo(
        f"{game}: {len(lines)} lines, {sentences} sentences, {len(faults)} faults, {shown} conditions, {others} sentences without theirs; "
        f"of {len(sheet.without_clause)} rules without a clause {len(unshown[WITHOUT])} have no worked case, {len(unshown[UNCITED])} one that does not cite them"
    )
    for fault in faults:
        click.echo(f"  {fault.kind}: {fault.rule}: {fault.line.strip()[:200]}")


if __name__ == "__main__":
    main()
