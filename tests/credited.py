"""The functions of a game that declare rules, with the private ones and the constants that they read."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Collection, Iterator, Mapping, Set
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

from assistant.game.proof.clauses import name_rows
from assistant.game.rule_index import declared_in

from .mutants import Constant


class Function(NamedTuple):
    """A function: its module, its name in it (`Class.name` for a method), its file and syntax, the rules that it declares, or
    for a part of such functions those of all that call it."""

    module: str
    name: str
    file: Path
    tree: ast.FunctionDef
    rules: tuple[str, ...]

    @property
    def owner(self) -> str:
        """The class of a method, "" for a function."""
        return self.name.rpartition(".")[0]

    @property
    def is_part(self) -> bool:
        """Whether it is private or a fact, and declares no rule itself."""
        return _is_part(self.tree)

    def lines_of(self, rule: str) -> Collection[int]:
        """The lines of the clauses that it yields for a rule, or of all its body where it yields none."""
        own = [line for lines, rows in self._clauses if rule in rows for line in lines]
        return own or self.lines

    def rule_at(self, line: int) -> str:
        """The rule of the clause that a line is in, "" if it is in none, or in one whose rule is worked out."""
        rows = next((rows for lines, rows in self._clauses if line in lines), ())
        return rows[0] if len(rows) == 1 and rows[0] in self.rules else ""

    @property
    def _clauses(self) -> Iterator[tuple[range, tuple[str, ...]]]:
        """The lines of each clause that it yields, `yield holds, rule, sentence`, with the rows that this is a clause of."""
        for node in ast.walk(self.tree):
            match node:
                case ast.Yield(ast.Tuple([_, ast.Constant(named), _])):
                    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                    yield lines, name_rows(str(named), self.rules)

    @property
    def lines(self) -> range:
        """The lines of its body, without the docstring."""
        body = self.tree.body[1:] if ast.get_docstring(self.tree) else self.tree.body
        if not body:
            return range(0)
        return range(body[0].lineno, (self.tree.end_lineno or body[0].lineno) + 1)

    def __str__(self) -> str:
        return f"{self.module.partition('.')[2]}:{self.name}"


def functions(package: str, folder: Path) -> Iterator[Function]:
    """Each function of a package that declares rules, and each private one that is a part of it."""
    yield from (function for function in all_functions(package, folder) if function.rules)


def all_functions(package: str, folder: Path) -> Iterator[Function]:
    """Each function of a package; without rules those that declare none and are no part of one that does (`_parts`)."""
    modules = {
        ".".join((package, *file.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__"): (
            file,
            ast.parse(file.read_text("utf-8")),
        )
        for file in sorted(folder.rglob("*.py"))
    }
    every = {module: dict(_functions(tree)) for module, (_, tree) in modules.items()}
    declared = {module: {name: _declared(node) for name, node in own.items()} for module, own in every.items()}
    declaring = {name.rpartition(".")[2] for own in declared.values() for name, rules in own.items() if rules}
    for module, (file, tree) in modules.items():
        rules = {name: dict.fromkeys(its_own) for name, its_own in declared[module].items() if its_own}
        callers = _callers(tree)
        parts = _parts(every[module], callers, rules, declaring)
        waiting = list(rules)
        while waiting:
            name = waiting.pop()
            for called in parts:
                if name in callers[called]:
                    before = len(rules.setdefault(called, {}))
                    rules[called] |= rules[name]
                    if len(rules[called]) > before:
                        waiting.append(called)
        for name, node in every[module].items():
            yield Function(module, name, file, node, tuple(rules.get(name, ())))


def _parts(
    every: Mapping[str, ast.FunctionDef],
    callers: Mapping[str, Collection[str]],
    declared: Collection[str],
    declaring: Set[str],
) -> frozenset[str]:
    """The private functions and the facts of a module that are parts of those which declare rules. These and other parts alone call
    a private one, and it calls no function that declares a rule, as that is a joint; a fact may be read elsewhere too. callers: of each,
    by name; declaring: the names of all functions of the package that declare rules."""
    parts = {
        name
        for name in callers
        if name not in declared and (is_fact(every[name]) or not declaring & _called(every[name]))
    }
    while others := {
        name for name in parts if not is_fact(every[name]) and not {*callers[name]} - {name} <= {*declared, *parts}
    }:
        parts -= others
    return frozenset(parts)


def _called(tree: ast.AST) -> set[str]:
    """The names of what a function calls, without what they are attributes of."""
    called = {node.func for node in ast.walk(tree) if isinstance(node, ast.Call)}
    return {
        each.id if isinstance(each, ast.Name) else each.attr
        for each in called
        if isinstance(each, ast.Name | ast.Attribute)
    }


def _functions(tree: ast.AST, scope: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            if not any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list):
                yield f"{scope}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{node.name}.")


def _declared(node: ast.FunctionDef) -> list[str]:
    return list(declared_in(ast.get_docstring(node) or "")[0])


def _is_part(node: ast.FunctionDef) -> bool:
    """Whether a function works for those that declare rules, and declares none itself: it is private, or a fact of a case."""
    return (node.name.startswith("_") or is_fact(node)) and not _declared(node)


def is_fact(node: ast.FunctionDef) -> bool:
    """Whether a function is a fact of a case."""
    return any(isinstance(mark, ast.Name) and mark.id == "fact" for mark in node.decorator_list)


def _callers(tree: ast.Module) -> dict[str, set[str]]:
    """The functions of a module that call each of its parts, whether they call it their own or that of a class that theirs is made from."""
    every = dict(_functions(tree))
    parts = {name for name, node in every.items() if _is_part(node)}
    bases = {
        node.name: [base.id for base in node.bases if isinstance(base, ast.Name)]
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }

    def find(owner: str, attribute: str) -> str:
        name = f"{owner}.{attribute}"
        return (
            name if name in every else next(filter(None, (find(base, attribute) for base in bases.get(owner, ()))), "")
        )

    callers: dict[str, set[str]] = {}
    for name, node in every.items():
        for each in ast.walk(node):
            match each:
                case ast.Name(called):
                    pass
                case ast.Attribute(ast.Name("self"), attribute):
                    called = find(name.rpartition(".")[0], attribute)
                case _:
                    continue
            if called in parts:
                callers.setdefault(called, set()).add(name)
    return callers


def load_function(function: Function) -> FunctionType:
    """The function itself, out of what wraps it."""
    thing: Any = importlib.import_module(function.module)
    for part in function.name.split("."):
        thing = vars(thing)[part]
    function_itself = unwrap(thing)
    assert function_itself is not None
    return function_itself


def unwrap(thing: Any) -> FunctionType | None:
    """A function out of what wraps it, None if none is in it."""
    while not isinstance(thing, FunctionType) or hasattr(thing, "__wrapped__"):
        wraps = [name for name in ("__wrapped__", "fget", "__func__", "func") if hasattr(thing, name)]
        if not wraps:
            return None
        thing = getattr(thing, wraps[0])
    return thing


class Names:
    """What the names in the source of a function or a module stand for. scope: the globals that it reads; bound: the names that it
    gives itself; owner: its class."""

    def __init__(self, scope: Mapping[str, Any], bound: Collection[str] = (), owner: type | None = None) -> None:
        self._scope = scope
        self._bound = bound
        self._owner = owner

    @classmethod
    def of(cls, function: Function) -> Names:
        """Those in a function."""
        nodes = list(ast.walk(function.tree))
        bound = {node.arg for node in nodes if isinstance(node, ast.arg)}
        bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        scope = load_function(function).__globals__
        return cls(scope, bound, scope[function.owner] if function.owner else None)

    def thing(self, node: ast.AST) -> Any:
        """The function or class that an expression names, None for anything else."""
        thing = self._named(node)
        return thing if isinstance(thing, type) else unwrap(thing)

    def _named(self, node: ast.AST) -> Any:
        match node:
            case ast.Name(name) if name not in self._bound:
                return self._scope.get(name)
            case ast.Attribute(ast.Name("self"), name) if self._owner:
                return inspect.getattr_static(self._owner, name, None)
            case ast.Attribute(base, name):
                thing = self._named(base)
                return inspect.getattr_static(thing, name, None) if isinstance(thing, ModuleType | type) else None
        return None


class Constants:
    """The constants of a package's modules."""

    def __init__(self, package: str, folder: Path) -> None:
        self._defined: dict[str, list[tuple[str, ast.expr]]] = {}
        for file in sorted(folder.rglob("*.py")):
            module = ".".join((package, *file.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
            for node in ast.parse(file.read_text("utf-8")).body:
                match node:
                    case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
                        if name.isupper():
                            self._defined.setdefault(name, []).append((module, value))

    def read_by(self, function: Function) -> dict[str, Constant]:
        """Those that a function reads, by what its source calls them."""
        scope = load_function(function).__globals__
        read: dict[str, Constant] = {}
        for node in ast.walk(function.tree):
            match node:
                case ast.Name(name, ast.Load()):
                    value = scope.get(name)
                case ast.Attribute(ast.Name(base), name) if isinstance(scope.get(base), ModuleType):
                    value = vars(scope[base]).get(name)
                case _:
                    continue
            for module, expression in self._defined.get(name, ()):
                its_own = vars(importlib.import_module(module))
                if value is not None and its_own[name] is value:
                    read.setdefault(ast.unparse(node), Constant(expression, its_own))
        return read
