"""The proof sheet of a game: each clause of its rules as the code has it, for a reader with the rulebook who does not program:
what it says and when, and how each fact in it is read.

A clause is what code gives as `(holds, rule, sentence)`; it is read from the sources, so that nothing stands between them and the
reader but names written out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources.abc import Traversable
from typing import NamedTuple

from .rule_index import MODULES_KEPT, RuleRow, declared_in, is_under, modules_of, tree_of
from .rulings import Ruling

_SIGNS = (
    (r"\bself\.(view\.|facts\.)?", ""),
    (r"\b(facts|view|it)\.", ""),
    (r" == ", " is "),
    (r" != ", " is not "),
    (r" >= ", " at least "),
    (r" <= ", " at most "),
    (r" > ", " more than "),
    (r" < ", " less than "),
    (r" not in ", " is not among "),
    (r"(?<!for \w) in ", " among "),
    (r" \| ", " or "),
    (r" & ", " shared with "),
    (r" // ", " divided, rounded down, by "),
    (r"(?<=\w)_(?=\w)", " "),
    (r"(?<![\w'])_(?=\w)", ""),
)
"""The signs of Python in words, in the order in which they are replaced."""
_FIGURE = re.compile(r"{(\w+):[^}]*}")
"""A figure of a sentence with how it is said."""
_SENTENCE = re.compile(r"\S+ \S+")
LONG_CODE = 400
"""The letters of code from which on a sheet does not write it out."""
_RULE = re.compile(r"[\dA-Z][\w./+-]*")


class ProofFact(NamedTuple):
    """A fact that a clause turns on."""

    name: str
    means: str
    """What it says, "" for what its name says."""
    read: str
    """How the code reads it."""
    names: tuple[str, ...]
    """What the code names there, in its order."""


class ProofClause(NamedTuple):
    """A clause of a rule."""

    rules: tuple[str, ...]
    """Its rule, or all those of its function where it takes its rule from elsewhere."""
    about: str
    """What the function says of itself that has the clause."""
    when: str
    """When it holds."""
    says: str
    facts: tuple[ProofFact, ...]
    """Those that it names, and those that they are read from."""
    names: tuple[str, ...]
    """What its condition names, in its order."""
    place: str
    """Its module and line."""


def proof_sheet(folder: Traversable, rulings: Mapping[str, Ruling], number: str = "") -> Iterator[ProofClause]:
    """Yield the clauses of the rules under a number, as the modules of a game's folder have them, in the order of their places.
    Raises InputError for a file that is too large, or is not Python.
    """
    sources = dict(modules_of(folder))
    for path, text in sources.items():
        for clause in _read_clauses(path, text):
            if any(is_under(rule, number) for rule in clause.rules):
                named = [*clause.names, *(name for fact in clause.facts for name in fact.names)]
                constants = _follow(named, _constants_in(path, sources))
                facts = (*clause.facts, *constants)
                yield clause._replace(facts=(*facts, *_find_rulings(clause, facts, rulings)))


def _find_rulings(
    clause: ProofClause, facts: Iterable[ProofFact], rulings: Mapping[str, Ruling]
) -> Iterator[ProofFact]:
    """Yield the rulings that a clause or its facts turn on: their readings, and the one that is taken."""
    text = " ".join([clause.when, *(fact.read for fact in facts)])
    for name in dict.fromkeys(re.findall(r"ruling\('([\w-]+)'", text)):
        if ruling := rulings.get(name):
            readings = "; ".join(f"{reading}: {meaning}" for reading, meaning in ruling.readings.items())
            yield ProofFact(f"ruling {name}", f"{ruling.doubt} Readings: {readings}. Taken: {ruling.default}", "", ())


def write_proof(clauses: Iterable[ProofClause], rows: Iterable[RuleRow], number: str = "") -> Iterator[str]:
    """Yield the lines of a proof sheet: the rules under a number in the order of the rulebook, each with its clauses, and
    below them the facts that these turn on; then the rules that have none. rows: those of the rule index.
    """
    by_rule = dict[str, list[ProofClause]]()
    for clause in clauses:
        for rule in clause.rules:
            by_rule.setdefault(rule, []).append(clause)
    others = list[RuleRow]()
    for row in rows:
        if not is_under(row.rule, number):
            continue
        if row.rule in by_rule:
            yield f"{row.rule}  {row.title}"
            yield from (*_write_clauses(by_rule[row.rule]), "")
        else:
            others.append(row)
    if by_rule and others:
        yield "Here no clause forbids or permits, and the code is to be read, or the rulebook:"
        yield from (f"  {row.rule}  {row.title}: {row.left or '; '.join(row.code[:2])}" for row in others)


def _write_clauses(clauses: Iterable[ProofClause]) -> Iterator[str]:
    """Yield the lines of the clauses of one rule."""
    facts = dict[tuple[str, str], ProofFact]()
    about = ""
    for clause in clauses:
        if clause.about != about:
            about = clause.about
            yield f"  {about} ({clause.place})"
        yield f"    when {clause.when}"
        yield f"       says: {clause.says}"
        facts |= {(fact.name, fact.read): fact for fact in clause.facts}
    if facts:
        yield "    where"
    for fact in facts.values():
        yield f"       {fact.name}: {fact.means or fact.read}"
        if fact.means and fact.read:
            yield f"          read as: {fact.read}"


def _constants_in(path: str, sources: Mapping[str, str]) -> dict[str, ProofFact]:
    """Return the constants that a module names: its own, and those that it imports from another one of the game. sources: the
    texts of all modules by their paths.
    """
    constants = dict[str, ProofFact]()
    folders = path.split("/")[:-1]
    for node in tree_of(path, sources[path]).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            up = folders[: len(folders) - node.level + 1]
            other = "/".join([*up, *(node.module or "").split(".")]) + ".py"
            theirs = _read_constants(other, sources[other]) if other in sources else {}
            constants |= {name.asname or name.name: theirs[name.name] for name in node.names if name.name in theirs}
    return constants | _read_constants(path, sources[path])


@lru_cache(MODULES_KEPT)
def _read_constants(path: str, text: str) -> dict[str, ProofFact]:
    """Return the constants of a module that are not too long to be written out."""
    every = (fact for node in tree_of(path, text).body for fact in _read_value(node))
    return {name: fact for name, fact in every if name.isupper()}


@lru_cache(MODULES_KEPT)
def _read_clauses(path: str, text: str) -> tuple[ProofClause, ...]:
    tree = tree_of(path, text)
    return tuple(_list_clauses(path, tree, dict(fact for node in tree.body for fact in _read_facts(node))))


def _list_clauses(path: str, tree: ast.Module | ast.ClassDef, facts: Mapping[str, ProofFact]) -> Iterator[ProofClause]:
    """Yield the clauses of a module, or of a class in it. facts: those that may be named there."""
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            bases = [classes[base.id] for base in node.bases if isinstance(base, ast.Name) and base.id in classes]
            own = dict(fact for each in (*reversed(bases), node) for fact in _read_facts(each))
            yield from _list_clauses(path, node, {**facts, **own})
        elif isinstance(node, ast.FunctionDef):
            declared, _ = declared_in(ast.get_docstring(node) or "")
            about = _first_sentence(node)
            for clause in ast.walk(node):
                if isinstance(clause, ast.Tuple) and isinstance(clause.ctx, ast.Load) and len(clause.elts) == 3:
                    holds, rule, says = clause.elts
                    sentence = _say_sentence(_value_of(says, node, clause.lineno))
                    named = str(rule.value) if isinstance(rule, ast.Constant) else ""
                    if not sentence or isinstance(holds, ast.Constant | ast.Tuple):
                        continue
                    if isinstance(rule, ast.Constant) and not _RULE.fullmatch(named):
                        continue
                    names = _names_in(holds)
                    needed = _follow(names, {**facts, **dict(_read_locals(node))})
                    when = say_code(ast.unparse(holds))
                    place = f"{path}:{clause.lineno}"
                    yield ProofClause((named,) if named else declared, about, when, sentence, needed, names, place)


def _value_of(expression: ast.expr, function: ast.FunctionDef, line: int) -> ast.expr:
    """Return what a name in a function stands for at a line, as it was last given; anything else as it is."""
    if not isinstance(expression, ast.Name):
        return expression
    given = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and node.lineno < line and ast.unparse(node.targets[0]) == expression.id
    ]
    return max(given, key=lambda value: value.lineno, default=expression)


def _read_facts(node: ast.stmt) -> Iterator[tuple[str, ProofFact]]:
    """Yield the fact that a function works out, or those that a class has, by their names in the code."""
    match node:
        case ast.FunctionDef():
            body = [line for line in node.body if not _is_docstring(line)]
            read = "; ".join(ast.unparse(line).removeprefix("return ") for line in body)
            means = _first_sentence(node)
            yield node.name, ProofFact(_say_name(node.name), means, _say_if_short(read), _names_in(*body))
        case ast.ClassDef():
            yield from (fact for method in node.body for fact in _read_facts(method))
            for field, after in zip(node.body, [*node.body[1:], None], strict=True):
                if isinstance(field, ast.AnnAssign) and (means := _describe_field(field, after)):
                    name = ast.unparse(field.target)
                    yield name, ProofFact(_say_name(name), means, "", ())


def _describe_field(field: ast.AnnAssign, after: ast.stmt | None) -> str:
    """Return what a field says of itself: in a note, or in the text behind it. after: the statement behind it."""
    for part in ast.walk(field.annotation):
        match part:
            case ast.Call(ast.Name("note"), [ast.Constant(str(text)), *_]):
                return text
    match after:
        case ast.Expr(ast.Constant(str(text))):
            return text
    return ""


def _first_sentence(node: ast.FunctionDef) -> str:
    """Return the first sentence of what a function says of itself."""
    text = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z])", text)[0].removeprefix("Return ").removeprefix("Yield ")


def _read_locals(function: ast.FunctionDef) -> Iterator[tuple[str, ProofFact]]:
    """Yield what a function gives a name."""
    for node in ast.walk(function):
        yield from _read_value(node)


def _read_value(node: ast.AST) -> Iterator[tuple[str, ProofFact]]:
    """Yield the value that gets a name, where it is not too long to be written out."""
    match node:
        case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
            if read := _say_if_short(ast.unparse(value)):
                yield name, ProofFact(_say_name(name), "", read, _names_in(value))


def _names_in(*trees: ast.AST) -> tuple[str, ...]:
    """Return the names and attributes in some code, in its order."""
    named = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute)]
    named.sort(key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0))
    return tuple(dict.fromkeys(node.id if isinstance(node, ast.Name) else node.attr for node in named))


def _say_if_short(code: str) -> str:
    return say_code(" ".join(code.split())) if len(code) < LONG_CODE else ""


def _say_name(name: str) -> str:
    return name.lstrip("_").replace("_", " ")


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _follow(names: Iterable[str], facts: Mapping[str, ProofFact]) -> tuple[ProofFact, ...]:
    """Return the facts of some names, and those that they are read from."""
    found = dict[str, ProofFact]()
    waiting = [*names]
    while waiting:
        name = waiting.pop(0)
        if name in facts and name not in found:
            found[name] = facts[name]
            waiting += facts[name].names
    return tuple(found.values())


def say_code(code: str) -> str:
    """Return an expression of Python with its signs and names in words."""
    for sign, words in _SIGNS:
        code = re.sub(sign, words, code)
    return code


def _say_sentence(says: ast.expr) -> str:
    """Return the sentence of a clause, of several those that it may be."""
    texts = [part.value for part in ast.walk(says) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return " / ".join(_FIGURE.sub(r"{\1}", text) for text in texts if _SENTENCE.search(text))
