"""Proof sheets with a misreading put into some of them, to see whether a reader with the rulebook finds it.

    python -m tests.proof_reading FOLDER [--sheets 10] [--misread 6] [--seed 1914] [--only 6,8,17]

Writes the sheets to FOLDER, and beside them `key.txt`: for each sheet what was changed, nothing in those that are as the code has them.
"""

from __future__ import annotations

import ast
import random
import shutil
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from assistant.game.games import Game
from assistant.game.proof.clauses import ProofClause, read_proof
from assistant.game.proof.sheet import write_proof
from assistant.game.proof.stated import Stated
from assistant.game.rule_index import rule_index
from assistant.installed.registry import load_game

from .credited import is_fact
from .mutants import Change, changes_in

LEAST = 3
"""The clauses that a section has at least whose sheet is read."""
MOST = 25
"""The clauses that it has at most: a reader has ten minutes."""


class Misreading(NamedTuple):
    """A change of a module that a sheet shows."""

    path: str
    before: str
    after: str
    text: str
    """The module with it."""


def sections(clauses: list[ProofClause]) -> dict[str, list[ProofClause]]:
    """The clauses by the section of their rule, 17.5 for 17.5.1, where there are neither few nor very many."""
    found = dict[str, list[ProofClause]]()
    for clause in clauses:
        if clause.rule:
            found.setdefault(".".join(clause.rule.split(".")[:2]), []).append(clause)
    return {section: those for section, those in sorted(found.items()) if LEAST <= len(those) <= MOST}


def _turned(tree: ast.AST) -> Iterator[Change]:
    """The changes that a reader can see: no clause that is simply held to be true."""
    for change in changes_in(tree):
        if not (isinstance(change.new, ast.Constant) and isinstance(change.new.value, bool)):
            yield change


def _read_here(tree: ast.Module, lines: set[int]) -> Iterator[ast.AST]:
    """The parts of a module that a sheet shows: functions with clauses on some lines, facts of cases, constants."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() if is_fact(node) or not lines.isdisjoint(
                range(node.lineno, (node.end_lineno or 0) + 1)
            ):
                yield node
            case ast.Assign([ast.Name(name)]) if name.isupper():
                yield node


def _negations(tree: ast.Module, lines: set[int]) -> Iterator[Change]:
    """The changes that turn a clause on some lines into its opposite."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple) and len(node.elts) == 3 and node.lineno in lines:
            holds = node.elts[0]
            opposite = holds.operand if isinstance(holds, ast.UnaryOp) else ast.UnaryOp(ast.Not(), holds)
            yield Change(holds, opposite, partial(node.elts.__setitem__, 0))


def misreadings(path: str, text: str, lines: set[int]) -> Iterator[Misreading]:
    """The misreadings of the clauses on some lines of a module, and of what these rest on in it."""
    tree = ast.parse(text)
    parts = [*_read_here(tree, lines)]
    for change in [*_negations(tree, lines), *(change for part in parts for change in _turned(part))]:
        change.put(ast.fix_missing_locations(ast.copy_location(change.new, change.old)))
        yield Misreading(path, ast.unparse(change.old), ast.unparse(change.new), ast.unparse(tree))
        change.put(change.old)


def sheet_of(folder: Path, game: Game, section: str) -> str:
    """The sheet of a section. folder: with the code."""
    proof = read_proof(folder, game.tracks, section)
    return "\n".join(write_proof(proof, rule_index(game), {}, Stated({}, {}), section)) + "\n"


def write_sheets(target: Path, sheets: int, misread: int, seed: int, only: str = "") -> None:
    """Write the sheets and their key to a folder."""
    chance = random.Random(seed)
    game = load_game("twilight-in-the-east")
    source = Path(str(game.folder))
    chapters = only.split(",") if only else []
    every = sections([*read_proof(source, game.tracks).clauses])
    drawn = [name for name in every if not chapters or name.partition(".")[0] in chapters]
    drawn = sorted(chance.sample(drawn, min(sheets, len(drawn))))
    wrong = set(chance.sample(drawn, min(misread, len(drawn))))
    target.mkdir(parents=True, exist_ok=True)
    key = []
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "game"
        for section in drawn:
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", "setups", "boards"))
            sheet = sheet_of(copy, game, section)
            change = None
            if section in wrong:
                places = [(clause.path, clause.line) for clause in every[section]]
                paths = sorted({path for path, _ in places})
                candidates = [
                    each
                    for path in paths
                    for each in misreadings(
                        path, (copy / path).read_text("utf-8"), {line for of, line in places if of == path}
                    )
                ]
                chance.shuffle(candidates)
                for each in candidates:
                    (copy / each.path).write_text(each.text, "utf-8")
                    if (read := sheet_of(copy, game, section)) != sheet:
                        sheet, change = read, each
                        break
            (target / f"sheet-{section}.txt").write_text(sheet, "utf-8")
            key.append(f"{section}: {change.before} -> {change.after}" if change else f"{section}: as the code has it")
    (target / "key.txt").write_text("\n".join(key) + "\n", "utf-8")


@click.command()
@click.argument("folder", type=Path)
@click.option("--sheets", default=10, show_default=True)
@click.option("--misread", default=6, show_default=True)
@click.option("--seed", default=1914, show_default=True)
@click.option("--only", default="", help="The chapters to draw from: 6,8,17.")
def main(folder: Path, sheets: int, misread: int, seed: int, only: str) -> None:
    """Write proof sheets to FOLDER, some of them with a misreading."""
    write_sheets(folder, sheets, misread, seed, only)


if __name__ == "__main__":
    main()
