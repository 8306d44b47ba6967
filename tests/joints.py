"""Faults put where functions are joined: what is handed over to a rule or by it, what becomes of its result, and the order of sides and of calls.

A joint is a call that leads to a function that declares rules, from wherever in the game, or from one to another function. At each, one
fault at a time: two arguments of a kind are exchanged; one is left to its default, or is empty; a truth is turned round, a
side exchanged for the other; the result is nothing, or what was handed over; a call that is a statement is left out, or comes after the
next one; sides come in the other order. Words for a person stay as they are.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from types import FunctionType, GenericAlias
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from .core import LAYERS
from .credited import Function, Names, load_function
from .mutants import UNTOUCHED, Change, Mutant, changes_in, make_mutants, mutant_texts, parts_of

SAID = {"step", "Step", "Part", "verdict", "Verdict", "Ask", "InputError", "refuse", "refused", "Question", "note"}
"""What is called to say something to a person."""
SAID_IN = {"rule", "why", "title", "text", "name", "hint"}
"""Parameters that hold what is said."""
MANY = ("Collection", "Sequence", "Iterable", "tuple", "list", "Container")
EMPTY = {
    **dict.fromkeys(MANY, "()"),
    **dict.fromkeys(("set", "frozenset", "Set"), "set()"),
    **dict.fromkeys(("dict", "Mapping"), "{}"),
    "Iterator": "iter(())",
    "bool": "False",
    "int": "0",
    "str": "''",
}
"""What is nothing, by what an annotation begins with."""
OTHER = {"attacker": "defender", "defender": "attacker"}
EVERYBODYS = {"View", "Gather", "Game", "Board"}
"""What nearly every function is handed, of which there is one."""


class Joint(NamedTuple):
    """A fault where functions are joined: the function that it is in, the rules on either side of the call, the lines of the call."""

    caller: Function
    rules: tuple[str, ...]
    mutant: Mutant
    lines: range


class Joints:
    """The joints of a game. every: all functions of its package, with the rules that they declare; words: those that may stand in a
    track, by its name."""

    def __init__(
        self, package: str, every: Iterable[Function], words: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._ours = (f"{package}.", *(f"assistant.{layer}" for layer in LAYERS), "msgspec.structs")
        self._every = {(function.module, function.name): function for function in every}
        self._words = words or {}
        owners: dict[str, list[Function]] = {}
        for function in self._every.values():
            if function.owner:
                owners.setdefault(function.name.rpartition(".")[2], []).append(function)
        self._methods = {name: methods[0] for name, methods in owners.items() if len(methods) == 1}
        self._leading: dict[tuple[str, str], tuple[str, ...]] = {}
        for key, function in self._every.items():
            if not function.rules:
                into = self._declaring(Names.of(function), function.tree)
                self._leading[key] = tuple(dict.fromkeys(rule for each in into for rule in each.rules))

    def rules_at(self, caller: Function) -> set[str]:
        """The rules that the joints within a function concern."""
        return {rule for _, rules, _ in self._changes(caller) for rule in rules}

    def list_faults(self, caller: Function) -> Iterator[Joint]:
        """The faults at the joints within a function."""
        if (function := load_function(caller)).__code__.co_freevars:  # its code cannot be put in place of what it was
            return
        joints = {id(change): (change, rules, lines) for change, rules, lines in self._changes(caller)}
        if not joints:
            return
        others = mutant_texts(caller.tree) if caller.rules else ()
        changes = [change for change, _, _ in joints.values()]
        for change, mutant in make_mutants(caller.tree, function.__globals__, caller.owner, changes, others):
            _, rules, lines = joints[id(change)]
            yield Joint(caller, rules, mutant, lines)

    def _changes(self, caller: Function) -> Iterator[tuple[Change, tuple[str, ...], range]]:
        """What may be wrong at the joints of a function, with the rules that this concerns, and its lines."""
        names, scope = Names.of(caller), load_function(caller).__globals__
        for node, parent, put in spots(caller.tree):
            lines = range(getattr(node, "lineno", 0), (getattr(node, "end_lineno", None) or 0) + 1)
            match node:
                case ast.Call():
                    into = self._function(names, node)
                    rules = _together(self._behind(into), caller.rules)
                    for other in self._at_call(node, parent, names, into) if rules else ():
                        yield Change(node, other, put), rules, lines
                    if rules and not caller.rules:
                        yield from ((change, rules, lines) for change in wrong_inputs(caller.tree, node))
                case ast.Compare(left, [ast.In() | ast.NotIn()], [known]) if caller.rules:
                    for word in self._others(left, known, scope):
                        more = ast.Tuple([ast.Starred(known, ast.Load()), ast.Constant(word)], ast.Load())
                        yield Change(node, ast.Compare(left, node.ops, [more]), put), caller.rules, lines
                case ast.Attribute(base, name, ast.Load()) if name in self._methods and self._methods[name].rules:
                    for other in self._with_others(base, self._methods[name]):
                        yield Change(node, ast.BoolOp(ast.Or(), [node, other]), put), self._methods[name].rules, lines
                case ast.Expr(ast.Call() as call) | ast.Expr(ast.YieldFrom(ast.Call() as call)):
                    if (into := self._function(names, call)) and into.rules:
                        yield Change(node, ast.Pass(), put), into.rules, lines
                case ast.For(iter=ast.Name(name) as sides) | ast.comprehension(iter=ast.Name(name) as sides):
                    in_order = isinstance(scope.get(name), tuple) and not isinstance(parent, ast.DictComp | ast.SetComp)
                    if caller.rules and name.isupper() and in_order:
                        other_order = copy.copy(node)
                        other_order.iter = ast.Call(ast.Name("reversed", ast.Load()), [sides], [])
                        yield Change(node, other_order, put), caller.rules, range(sides.lineno, sides.lineno + 1)
        for block in (getattr(node, field, None) for node in ast.walk(caller.tree) for field in ("body", "orelse")):
            if isinstance(block, list):
                yield from self._exchanged(caller, names, block)

    def _at_call(self, call: ast.Call, parent: ast.AST, names: Names, into: Function | None) -> Iterator[ast.expr]:
        """What may stand in place of a call. into: the function of the game to which it leads."""
        thing = names.thing(call.func) or (load_function(into) if into else None)
        if into or str(getattr(thing, "__module__", "")).startswith(self._ours):
            yield from wrong_arguments(call, thing)
        if into and into.rules:
            yield from wrong_results(call, into, parent)

    def _exchanged(
        self, caller: Function, names: Names, block: list[ast.stmt]
    ) -> Iterator[tuple[Change, tuple[str, ...], range]]:
        """Two statements in a row that lead to rules and do something besides giving a name, in the other order."""
        for at, pair in enumerate(pairwise(block)):
            rules = [[rule for into in self._declaring(names, each) for rule in into.rules] for each in pair]
            if not all(rules) or not all(isinstance(each, ast.Expr | ast.AugAssign) for each in pair):
                continue
            first, second = pair
            given = {
                node.id for node in ast.walk(first) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            }
            if given & {node.id for node in ast.walk(second) if isinstance(node, ast.Name)}:
                continue

            def put(_: ast.AST, at: int = at) -> None:
                block[at : at + 2] = [block[at + 1], block[at]]

            lines = range(first.lineno, (second.end_lineno or second.lineno) + 1)
            yield Change(first, first, put), _together(*rules, caller.rules), lines

    def _declaring(self, names: Names, tree: ast.AST) -> list[Function]:
        """The functions that declare rules and are called somewhere in a tree."""
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        return [into for call in calls if (into := self._function(names, call)) and into.rules]

    def _function(self, names: Names, call: ast.Call) -> Function | None:
        """The function of the game to which a call leads; a method by its name, if only one class has it."""
        thing = names.thing(call.func)
        if thing is None and isinstance(call.func, ast.Attribute):
            return self._methods.get(call.func.attr)
        return self._every.get((thing.__module__, thing.__qualname__)) if isinstance(thing, FunctionType) else None

    def _others(self, left: ast.expr, known: ast.expr, scope: Mapping[str, Any]) -> Iterator[str]:
        """The words that may stand where those of a set are looked for, and are not in it."""
        every = self._words.get(words_of(left), ())
        listed = scope.get(known.id) if isinstance(known, ast.Name) else None
        if isinstance(known, ast.Tuple | ast.Set):
            listed = [word.value for word in known.elts if isinstance(word, ast.Constant)]
        if isinstance(listed, Collection) and set(listed) <= set(every):
            yield from (word for word in every if word not in listed)

    def _with_others(self, base: ast.expr, into: Function) -> Iterator[ast.expr]:
        """What a use of `unit.is_army` takes in besides, if that only looks for a word of the unit in a set."""
        match into.tree.body[-1]:
            case ast.Return(ast.Compare(ast.Attribute(attr=said) as left, [ast.In()], [known])):
                for word in self._others(left, known, load_function(into).__globals__):
                    yield ast.Compare(ast.Attribute(base, said, ast.Load()), [ast.Eq()], [ast.Constant(word)])

    def _behind(self, into: Function | None) -> tuple[str, ...]:
        """The rules that a function declares, or to which it leads at once."""
        return (into.rules or self._leading.get((into.module, into.name), ())) if into else ()


def _together(*several: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(rule for rules in several for rule in rules))


def words_of(node: ast.expr) -> str:
    """The track whose word an expression gives: `unit.arm` or `facts.word("arm", unit)`; "" if it is none."""
    match node:
        case ast.Attribute(attr=name):
            return name
        case ast.Call(ast.Attribute(attr="word"), [ast.Constant(str(name)), *_]):
            return name
    return ""


def wrong_inputs(tree: ast.FunctionDef, call: ast.Call) -> Iterator[Change]:
    """What may be wrong in what a function hands over: in an argument, or in a name that it is made of."""
    used = {node.id for node in ast.walk(call) if isinstance(node, ast.Name)}
    for part, _, _ in spots(tree):
        match part:
            case ast.Assign([ast.Name(name)]) | ast.AugAssign(ast.Name(name)) if name in used:
                yield from changes_in(part)
    yield from changes_in(call)


def spots(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST, Callable[[ast.AST], None]]]:
    """Each node below one, its parent, and what puts another in its place; not what is said to a person."""
    yield from parts_of(node, UNTOUCHED, _is_said)


def _is_said(node: ast.AST) -> bool:
    match node:
        case ast.JoinedStr() | ast.Raise():
            return True
        case ast.Call(func=ast.Name(name)):
            return name in SAID
    return False


def wrong_arguments(call: ast.Call, thing: Any) -> Iterator[ast.Call]:
    """A call with one thing wrong in what is handed over."""
    try:
        parameters = inspect.signature(thing).parameters
    except (TypeError, ValueError):
        return
    names = [
        name
        for name, parameter in parameters.items()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    if isinstance(call.func, ast.Attribute) and names[:1] == ["self"]:
        names = names[1:]
    given: list[tuple[str, ast.expr, int]] = []
    for at, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred) or at >= len(names):
            break
        given.append((names[at], argument, at))
    given += [(each.arg, each.value, len(call.args) + at) for at, each in enumerate(call.keywords) if each.arg]
    kinds = {name: kind(parameter.annotation) for name, parameter in parameters.items()}
    for at, (name, argument, spot) in enumerate(given):
        its_kind = kinds.get(name, "")
        if may_be_left_out(call, spot, argument, parameters.get(name)):
            yield _without(call, spot)
        nothing = EMPTY.get(its_kind.partition("[")[0])
        if its_kind == "bool" and not isinstance(argument, ast.Constant):
            yield _with(call, {spot: ast.UnaryOp(ast.Not(), argument)})
        elif nothing and "[" in its_kind and ast.unparse(argument) not in ("()", "[]", "{}", "set()"):
            yield _with(call, {spot: _expression(nothing)})
        if isinstance(argument, ast.Constant) and argument.value in OTHER:
            yield _with(call, {spot: ast.Constant(OTHER[argument.value])})
        elif its_kind == "Role":
            yield _with(call, {spot: ast.Subscript(_expression(str(OTHER)), argument, ast.Load())})
        by_name = spot >= len(call.args) and isinstance(thing, type)  # nobody confuses the fields of a result
        if name in SAID_IN or by_name or its_kind in ("", *EVERYBODYS):
            continue
        alike = (each for each in given[at + 1 :] if kinds.get(each[0]) == its_kind and each[0] not in SAID_IN)
        for _, other, place in islice(alike, 1):
            if ast.unparse(argument) != ast.unparse(other):
                yield _with(call, {spot: other, place: argument})


def may_be_left_out(call: ast.Call, spot: int, argument: ast.expr, parameter: inspect.Parameter | None) -> bool:
    """Whether a call goes on without an argument, and then does something else; `replace(unit, left=2)` names no parameter."""
    if parameter is None:
        return True
    is_last = spot >= len(call.args) - 1
    return is_last and parameter.default is not parameter.empty and not _is_default(argument, parameter.default)


def wrong_results(call: ast.Call, into: Function, parent: ast.AST) -> Iterator[ast.expr]:
    """What may stand in place of the result of a function."""
    returns = into.tree.returns
    if returns is None or isinstance(parent, ast.Expr):
        return
    its_kind = kind(ast.unparse(returns))
    if its_kind == "bool":
        yield from (ast.Constant(True), ast.Constant(False))
    elif its_kind.endswith("| None"):
        yield ast.Constant(None)
    elif nothing := EMPTY.get(its_kind.partition("[")[0]):
        yield _expression(nothing)
    parameters = inspect.signature(load_function(into)).parameters
    same = [name for name, parameter in parameters.items() if kind(parameter.annotation) == its_kind]
    names = [name for name in parameters if name != "self"]
    for name in same[-1:]:
        at = names.index(name)
        if at < len(call.args) and not any(isinstance(argument, ast.Starred) for argument in call.args[: at + 1]):
            yield call.args[at]
        yield from (each.value for each in call.keywords if each.arg == name)


def kind(annotation: Any) -> str:
    """An annotation as text, without notes."""
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    plain = isinstance(annotation, type) and not isinstance(annotation, GenericAlias)
    text = annotation if isinstance(annotation, str) else annotation.__name__ if plain else str(annotation)
    if text.startswith("Annotated[") and isinstance(tree := _expression(text), ast.Subscript):
        assert isinstance(tree.slice, ast.Tuple)
        return ast.unparse(tree.slice.elts[0])
    return "" if text in ("_empty", "Any") else text.replace("collections.abc.", "")


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _is_default(argument: ast.expr, default: Any) -> bool:
    try:
        return bool(ast.literal_eval(argument) == default)
    except (ValueError, TypeError, SyntaxError):
        return False


def _with(call: ast.Call, new: Mapping[int, ast.expr]) -> ast.Call:
    """A call with other arguments, by their place, those with keywords counted after the others."""
    args = [new.get(at, argument) for at, argument in enumerate(call.args)]
    after = len(args)
    keywords = [
        ast.keyword(keyword.arg, new.get(after + at, keyword.value)) for at, keyword in enumerate(call.keywords)
    ]
    return ast.Call(call.func, args, keywords)


def _without(call: ast.Call, spot: int) -> ast.Call:
    after = len(call.args)
    args = [argument for at, argument in enumerate(call.args) if at != spot]
    return ast.Call(call.func, args, [keyword for at, keyword in enumerate(call.keywords, after) if at != spot])
