"""Small faults to put into a function, one clause at a time: its mutants.

Each clause of a condition is held to be true or false, each bound is moved by one, each number raised and lowered, each
word left out of a set, each operand left out of a sum. No mutant is made that any test has to notice which notices another
one: a negated condition, `and` for `or`, another word or number after `==`. What a person reads, the words of steps and
errors with their figures, stays as it is.
"""

from __future__ import annotations
import __future__

import ast
import difflib
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

WORDING = {"Step", "Part", "Verdict", "Ask", "Report", "InputError", "refuse", "Question"}
"""What is called to say something to a person."""
SAID = {"figures", "text", "title", "hint", "how", "strict"}
"""The variables and arguments that hold what is said, and the one that only says whether zip complains."""
SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any", "half_up": "int", "up": "int"}
BOUNDS: dict[type, tuple[type[ast.cmpop], int]] = {
    ast.Lt: (ast.LtE, -1),
    ast.LtE: (ast.Lt, 1),
    ast.Gt: (ast.GtE, 1),
    ast.GtE: (ast.Gt, -1),
}
"""For each comparison the one that moves its bound one way, and what moves a number on its right the other way."""
FILLING = {"append", "add", "extend", "update", "discard", "remove", "setdefault"}
UNTOUCHED = ("decorator_list", "returns", "annotation")
"""The parts of a function in which nothing is changed."""
CHANGED = "_changed_constant"
AROUND = 60
"""How many letters to tell on each side of a difference."""


class Mutant(NamedTuple):
    """A fault: what it changes, into what, the function with it, and what that reads besides the globals of its module."""

    before: str
    after: str
    function: types.FunctionType
    reads: Mapping[str, Any] = {}
    line: int = 0


class Constant(NamedTuple):
    """A constant of a module: the expression that it is made from, and what that may read."""

    value: ast.expr
    scope: dict[str, Any]


class Change(NamedTuple):
    """A node of a syntax tree, the node to put in its place, and where that is."""

    old: ast.AST
    new: ast.AST
    put: Callable[[ast.AST], None]


def mutants(
    tree: ast.FunctionDef, scope: dict[str, Any], owner: str = "", constants: Mapping[str, Constant] | None = None
) -> Iterator[Mutant]:
    """The mutants of a function, each once.

    tree: its syntax; scope: the globals that it reads; owner: its class, "" if it is no method; constants: those that it
    reads, by what its source calls them. Nothing but the function itself reads a changed constant.
    """
    for _, mutant in make_mutants(tree, scope, owner, changes_in(tree)):
        yield mutant
    for name, constant in (constants or {}).items():
        reading, holder, line = _reading(tree, name), ast.Expression(constant.value), _line_reading(tree, name)
        seen = {ast.unparse(holder)}
        for change in _changed(holder):
            if (new := ast.unparse(holder)) not in seen:
                seen.add(new)
                try:
                    value = eval(compile(holder, "<constant>", "eval"), constant.scope)
                except Exception:  # no module could hold it: it would not be imported
                    continue
                texts = [f"{name}: {ast.unparse(node)[: 2 * AROUND]}" for node in (change.old, change.new)]
                reads = {CHANGED: value}
                yield Mutant(*texts, build(reading, scope | reads, owner), reads, line)


def make_mutants(
    tree: ast.FunctionDef, scope: dict[str, Any], owner: str, changes: Sequence[Change], others: Iterable[str] = ()
) -> Iterator[tuple[Change, Mutant]]:
    """The functions with one change each, but those that are the same as another or as the function itself. others: texts of
    functions that have been made already."""
    text, plain = ast.unparse(tree), build(tree, scope, owner)
    seen = {text, *others}
    for change in _put(changes):
        if (new := ast.unparse(tree)) in seen:
            continue
        seen.add(new)
        function = build(tree, scope, owner)
        if not _is_same(function, plain):
            yield change, Mutant(*_compare_texts(text, new), function, line=getattr(change.old, "lineno", 0))


def mutant_texts(tree: ast.FunctionDef) -> Iterator[str]:
    """What the mutants of a function look like, but for those of the constants that it reads."""
    for _ in _changed(tree):
        yield ast.unparse(tree)


def drop_results(tree: ast.FunctionDef, scope: dict[str, Any], owner: str = "") -> Mutant:
    """A function that returns nothing: the mutant of one that has no clause to change."""
    new = ast.parse(ast.unparse(tree)).body[0]
    assert isinstance(new, ast.FunctionDef)
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(new)):
        new.body.insert(0, ast.Return())
    for node in ast.walk(new):
        if isinstance(node, ast.Return):
            node.value = None
    return Mutant("return ...", "return None", build(new, scope, owner))


def build(tree: ast.FunctionDef, scope: dict[str, Any], owner: str = "", file: str = "<mutant>") -> types.FunctionType:
    """The function that this syntax defines, without its decorators. file: where a traceback says that it stands."""
    kept, tree.decorator_list = tree.decorator_list, []
    body: list[ast.stmt] = [tree]
    if owner:
        body = [ast.ClassDef(owner, [], [], body, [])]
    module = ast.fix_missing_locations(ast.Module(body, []))
    namespace: dict[str, Any] = {}
    exec(compile(module, file, "exec", __future__.annotations.compiler_flag, True), scope, namespace)
    tree.decorator_list = kept
    function = namespace[tree.name] if not owner else vars(namespace[owner])[tree.name]
    assert isinstance(function, types.FunctionType)
    return function


def _is_same(function: types.FunctionType, other: types.FunctionType) -> bool:
    defaults = [(each.__defaults__, each.__kwdefaults__) for each in (function, other)]
    return function.__code__ == other.__code__ and defaults[0] == defaults[1]


def _compare_texts(old: str, new: str) -> tuple[str, str]:
    """The lines of one text that differ in another, and those of the other; of long ones what stands around the difference."""
    compared = list(difflib.ndiff(old.splitlines(), new.splitlines()))
    before, after = (" ".join(line[2:].strip() for line in compared if line.startswith(sign)) for sign in ("- ", "+ "))
    if before == after:  # a line has moved
        lines = [[line.strip() for line in text.splitlines()] for text in (old, new)]
        first, last = (
            next(at for at, (a, b) in enumerate(zip(*each, strict=True)) if a != b)
            for each in (lines, [line[::-1] for line in lines])
        )
        return tuple(" ".join(each[first : len(each) - last]) for each in lines)
    same = _same_letters(before, after)
    same_at_end = _same_letters(before[same:][::-1], after[same:][::-1])
    start = max(same - AROUND, 0)
    return before[start : len(before) - same_at_end + AROUND], after[start : len(after) - same_at_end + AROUND]


def _same_letters(text: str, other: str) -> int:
    """How many letters are the same from the start."""
    return next((at for at, (a, b) in enumerate(zip(text, other, strict=False)) if a != b), min(len(text), len(other)))


def _reading(tree: ast.FunctionDef, name: str) -> ast.FunctionDef:
    """The function with a constant read from elsewhere."""

    class Reader(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == name:
                return ast.Name(CHANGED, ast.Load())
            return self.generic_visit(node)

    changed = Reader().visit(ast.parse(ast.unparse(tree)).body[0])
    assert isinstance(changed, ast.FunctionDef)
    return changed


def _line_reading(tree: ast.FunctionDef, name: str) -> int:
    """Return the only line on which a function reads a constant, or 0 if it reads it on several."""
    named = (node for node in ast.walk(tree) if isinstance(node, ast.Name | ast.Attribute))
    lines = {node.lineno for node in named if ast.unparse(node) == name}
    return lines.pop() if len(lines) == 1 else 0


# --- what is changed --------------------------------------------------------------------------------------------------


def _changed(tree: ast.AST) -> Iterator[Change]:
    """Change the tree, another way at each step; it is as before when all are taken."""
    yield from _put(changes_in(tree))


def changes_in(tree: ast.AST) -> list[Change]:
    """All the changes within a part of a function."""
    return list(_changes(tree, {id(node) for node in _conditions(tree)}))


def _put(changes: Iterable[Change]) -> Iterator[Change]:
    for change in changes:
        change.put(ast.fix_missing_locations(ast.copy_location(change.new, change.old)))
        yield change
        change.put(change.old)


def _conditions(tree: ast.AST) -> Iterator[ast.AST]:
    """The expressions of which only matters whether they hold, whole, not their operands."""
    operands = {id(value) for node in ast.walk(tree) if isinstance(node, ast.BoolOp) for value in node.values}
    for node in ast.walk(tree):
        match node:
            case ast.If() | ast.IfExp() | ast.While():
                yield node.test
            case ast.comprehension():
                yield from node.ifs
            case ast.match_case(guard=ast.expr()):
                yield node.guard
            case ast.FunctionDef(returns=ast.Name("bool")):
                yield from (each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value)
            case ast.GeneratorExp(ast.Compare() as each):
                operands.add(id(each))
        if id(node) not in operands and _is_truth(node):
            yield node


def _is_truth(node: ast.AST) -> bool:
    match node:
        case ast.Compare() | ast.UnaryOp(ast.Not()) | ast.Call(func=ast.Name("any" | "all" | "bool" | "isinstance")):
            return True
        case ast.BoolOp():
            return all(map(_is_truth, node.values))
    return False


def _changes(node: ast.AST, conditions: set[int]) -> Iterator[Change]:
    """All the changes within a node, those of its parts among them."""
    for part, parent, put in parts_of(node, (*UNTOUCHED, "keys"), _is_said):
        others = [*_instead(part, parent)]
        if id(part) in conditions and not _are_words(part):
            others += _decided(part, parent)
        yield from (Change(part, new, put) for new in others)


def parts_of(
    node: ast.AST, untouched: Collection[str], is_said: Callable[[ast.AST], bool]
) -> Iterator[tuple[ast.AST, ast.AST, Callable[[ast.AST], None]]]:
    """Each node below one, its parent, and what puts another in its place; but for some fields and for what is said to a person."""
    for field, value in ast.iter_fields(node):
        if field in untouched:
            continue
        for index, part in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(part, ast.AST) or is_said(part):
                continue

            def put(
                new: ast.AST, field: str = field, at: int | None = index if isinstance(value, list) else None
            ) -> None:
                if at is None:
                    setattr(node, field, new)
                else:
                    getattr(node, field)[at] = new

            yield part, node, put
            yield from parts_of(part, untouched, is_said)


def _is_said(node: ast.AST) -> bool:
    """Whether a node says something to a person, or to the type checker."""
    match node:
        case ast.JoinedStr() | ast.Raise() | ast.Assert() | ast.AnnAssign(annotation=ast.Name("TypeAlias")):
            return True  # an assertion tells the type checker what is known already
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)) | ast.keyword(arg=str(name)):
            return name in SAID
        case ast.Call(func=ast.Name(name)):
            return name in WORDING
    return False


def _are_words(node: ast.AST) -> bool:
    """Whether an expression is a choice of words for a person."""
    match node:
        case ast.JoinedStr():
            return True
        case ast.Constant(str(text)):
            return " " in text
        case ast.IfExp():
            return _are_words(node.body) and _are_words(node.orelse)
        case ast.BinOp(op=ast.Add()):
            return _are_words(node.left) or _are_words(node.right)
    return False


def _decided(node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
    """A condition held to be true, and to be false, but where one of its clauses shows that."""
    if isinstance(parent, ast.IfExp) and _are_words(parent):
        return
    for value in (True, False):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) == value:
            continue
        if isinstance(parent, ast.While) and value:
            continue
        if any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):  # it still has to be named
            yield ast.BoolOp(ast.Or() if value else ast.And(), [node, ast.Constant(value)])
        else:
            yield ast.Constant(value)


def _instead(node: ast.AST, parent: ast.AST) -> Iterator[ast.AST]:
    """What may stand in place of a node."""
    match node:
        case ast.BoolOp():
            for at in range(len(node.values)):
                rest = node.values[:at] + node.values[at + 1 :]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
        case ast.Compare():
            yield from _bounds(node)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)) if not _is_compared(parent):
            yield from (ast.Constant(value + 1), ast.Constant(value - 1))
        case ast.BinOp() if not _are_words(node) and not isinstance(node.op, ast.Mod):
            yield node.left
            if isinstance(node.op, ast.Add | ast.Mult | ast.BitOr | ast.BitAnd):
                yield node.right
            if isinstance(node.op, ast.FloorDiv):  # rounded up, not down
                negative = ast.BinOp(ast.UnaryOp(ast.USub(), node.left), node.op, node.right)
                yield ast.UnaryOp(ast.USub(), negative)
        case ast.UnaryOp(ast.USub(), operand) if not isinstance(operand, ast.Constant):
            yield operand
        case ast.Call(func=ast.Name(name)) if name in SWAPPED:
            yield ast.Call(ast.Name(SWAPPED[name], ast.Load()), node.args, node.keywords)
            match node.args:
                case [ast.GeneratorExp() as each] if name in ("any", "all"):
                    always = ast.GeneratorExp(ast.Constant(name == "any"), each.generators)
                    yield ast.Call(node.func, [always], [])
        case ast.Set(elts) | ast.Tuple(elts, ast.Load()) | ast.List(elts, ast.Load()):
            if len(elts) > 1 and (isinstance(parent, ast.Lambda) or all(map(_is_word, elts))):
                for at in range(len(elts)):
                    yield type(node)(elts[:at] + elts[at + 1 :], *[ast.Load()] * (not isinstance(node, ast.Set)))
        case ast.MatchOr(patterns):
            for at in range(len(patterns)):
                rest = patterns[:at] + patterns[at + 1 :]
                yield rest[0] if len(rest) == 1 else ast.MatchOr(rest)
        case ast.AugAssign() if not _is_alone(parent):
            yield ast.Pass()
        case ast.Expr(ast.Call(func=ast.Attribute(attr=name), args=args)):
            if name in FILLING and not _is_alone(parent) and not any(map(_is_said, args)):
                yield ast.Pass()


def _bounds(node: ast.Compare) -> Iterator[ast.AST]:
    """A comparison with each of its bounds moved."""
    sides = [node.left, *node.comparators]
    for at, op in enumerate(node.ops):
        if type(op) not in BOUNDS:
            continue
        other, moved = BOUNDS[type(op)]
        yield ast.Compare(node.left, [*node.ops[:at], other(), *node.ops[at + 1 :]], node.comparators)
        for side, by in ((at, -moved), (at + 1, moved)):
            match sides[side]:
                case ast.Constant(int(value)):
                    new = [*sides[:side], ast.Constant(value + by), *sides[side + 1 :]]
                    yield ast.Compare(new[0], node.ops, new[1:])


def _is_compared(parent: ast.AST) -> bool:
    return isinstance(parent, ast.Compare | ast.MatchValue)


def _is_alone(parent: ast.AST) -> bool:
    """Whether a statement is all that a branch does, so that the condition of the branch speaks for it."""
    return isinstance(parent, ast.If) and len(parent.body) == 1


def _is_word(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value
