"""The conditions under which a part of a function's code is reached.

For example, the call of `pay` in

    if unit.is_lost:
        return
    for cost in costs:
        if cost > 2:
            pay(cost)

has the guards `not unit.is_lost`, `for cost in costs` and `cost > 2`. A statement that may leave the
code, such as the `return` above, guards all code after it with the negation of its own condition.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Guard = ast.expr | ast.comprehension
"""A condition, or a loop (without its conditions) that encloses the guards after it."""
Guards = tuple[Guard, ...]
_EXITS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_FUNCTION_EXITS = (ast.Return, ast.Raise)
_ExitKinds = tuple[type[ast.stmt], ...]


class Unshown(ast.expr):
    """A condition that cannot be put into words: only its line is known."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__()
        self.lineno = getattr(node, "lineno", 0)


def find_parts(body: Sequence[ast.stmt], guards: Guards = ()) -> Iterator[tuple[ast.AST, Guards]]:
    """Yield the simple statements and the heads of blocks, such as the test of an `if`, with their guards."""
    for node in body:
        match node:
            case ast.If(test, inner, otherwise):
                yield test, guards
                yield from find_parts(inner, (*guards, test))
                yield from find_parts(otherwise, (*guards, negate_condition(test)))
            case ast.For(target, each, inner, otherwise):
                yield each, guards
                yield from find_parts(inner, (*guards, ast.comprehension(target, each, [], 0)))
                yield from find_parts(otherwise, (*guards, *_find_no_break(node)))
            case ast.While(test, inner, otherwise):
                yield test, guards
                yield from find_parts(inner, (*guards, test))
                yield from find_parts(otherwise, (*guards, negate_condition(test)))
            case ast.With(items, inner):
                yield from ((item, guards) for item in items)
                yield from find_parts(inner, guards)
            case ast.Try(inner, handlers, otherwise, finally_):
                yield from find_parts(inner, guards)
                for handler in handlers:
                    yield from find_parts(handler.body, (*guards, Unshown(handler)))
                yield from find_parts(otherwise, (*guards, *(Unshown(handler) for handler in handlers[:1])))
                yield from find_parts(finally_, guards)
            case ast.Match(subject, cases):
                yield subject, guards
                for case_, condition in _list_case_conditions(subject, cases):
                    yield from find_parts(case_.body, (*guards, condition))
            case ast.FunctionDef(body=inner):
                yield from find_parts(inner, guards)
            case _:
                yield node, guards
        if (stays := _exclude_exit(node, _EXITS)) is not None:
            for part in parts_of(stays):
                guards = (*guards, _reduce_condition(part, guards))


def find_nodes(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.AST, Guards]]:
    """Yield the expressions and simple statements of a function, each with its guards."""
    for part, guards in find_parts(body):
        yield from _walk_expression(part, guards)


def _walk_expression(code: ast.AST, guards: Guards) -> Iterator[tuple[ast.AST, Guards]]:
    """Yield an expression and all parts of it, each with its guards.

    In `a and b`, `b` has the guard `a`; in `a or b`, it has `not a`. In `b if a else c`, `b` has `a` and `c` has `not
    a`.
    """
    yield code, guards
    match code:
        case ast.IfExp(test, body, orelse):
            yield from _walk_expression(test, guards)
            yield from _walk_expression(body, (*guards, test))
            yield from _walk_expression(orelse, (*guards, negate_condition(test)))
        case ast.BoolOp(operator, values):
            for value in values:
                yield from _walk_expression(value, guards)
                guards = (*guards, value if isinstance(operator, ast.And) else negate_condition(value))
        case ast.GeneratorExp(elt, generators) | ast.ListComp(elt, generators):
            for generator in generators:
                yield from _walk_expression(generator.iter, guards)
                bare = ast.comprehension(generator.target, generator.iter, [], 0)
                guards = (*guards, bare, *generator.ifs)
            yield from _walk_expression(elt, guards)
        case _:
            for child in ast.iter_child_nodes(code):
                yield from _walk_expression(child, guards)


def _reduce_condition(code: ast.expr, guards: Guards) -> ast.expr:
    """Return a condition without the alternatives that its guards rule out: `a or b` after `not a` is `b`."""
    match code:
        case ast.BoolOp(ast.Or(), values):
            ruled_out = {ast.dump(negate_condition(guard)) for guard in guards if isinstance(guard, ast.expr)}
            return _join(ast.Or(), [value for value in values if ast.dump(value) not in ruled_out])
        case ast.UnaryOp(ast.Not(), ast.BoolOp(ast.And(), values)):
            return _reduce_condition(_join(ast.Or(), [*map(negate_condition, values)]), guards)
    return code


def negate_condition(code: ast.expr) -> ast.expr:
    """Return the negation of a condition: that of `not a` is `a`."""
    match code:
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Constant(bool(value)):
            return ast.Constant(not value)
    return ast.copy_location(ast.UnaryOp(ast.Not(), code), code)


def parts_of(code: ast.expr) -> Iterator[ast.expr]:
    """Yield the conditions that must all hold: for `a and b` both, for `not (a or b)` their negations."""
    match code:
        case ast.BoolOp(ast.And(), values):
            yield from values
        case ast.UnaryOp(ast.Not(), ast.BoolOp(ast.Or(), values)):
            yield from map(negate_condition, values)
        case _:
            yield code


def _join(operator: ast.boolop, codes: Sequence[ast.expr]) -> ast.expr:
    """Join conditions by `and` or `or`, and simplify constants.

    `a and True` is `a`, `a or True` is `True`.
    """
    neutral = isinstance(operator, ast.And)  # True changes no conjunction, False no disjunction
    deciding = [code for code in codes if not (isinstance(code, ast.Constant) and code.value is neutral)]
    if any(isinstance(code, ast.Constant) and code.value is not neutral for code in deciding):
        return ast.Constant(not neutral)
    if len(deciding) < 2:
        return deciding[0] if deciding else ast.Constant(neutral)
    return ast.copy_location(ast.BoolOp(operator, deciding), deciding[0])


def _exclude_exit(node: ast.stmt, kinds: _ExitKinds) -> ast.expr | None:
    """Return the condition under which the code after a statement is reached, or None if it always is.

    After `if a: return` the condition is `not a`.
    """
    exit_ = _exit_condition(node, kinds)
    return None if isinstance(exit_, ast.Constant) and exit_.value is False else negate_condition(exit_)


def _body_exit_condition(body: Sequence[ast.stmt], kinds: _ExitKinds) -> ast.expr:
    """Return the condition under which some statements exit by one of the kinds.

    For `if a: continue` and then `if b: return`, the condition of a return is `not a and b`.
    """
    exits = list[ast.expr]()
    reached = list[ast.expr]()  # the conditions under which the next statement is reached
    for node in body:
        exits.append(_join(ast.And(), [*reached, _exit_condition(node, kinds)]))
        stays = _exclude_exit(node, _EXITS) if isinstance(node, _EXITS) or _has_blocks(node) else None
        if isinstance(stays, ast.Constant) and stays.value is False:
            break
        reached += [] if stays is None else [stays]
    return _join(ast.Or(), exits)


def _has_blocks(node: ast.stmt) -> bool:
    return isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.Match)


def _exit_condition(node: ast.stmt, kinds: _ExitKinds) -> ast.expr:
    """Return the condition under which a statement exits by one of the kinds: `a` for `if a: return`."""
    exits_from_loop = tuple(kind for kind in kinds if kind in _FUNCTION_EXITS)
    match node:
        case ast.Raise(ast.Call(ast.Name("CodeError" | "InputError"))):
            return ast.Constant(False)  # no position raises a CodeError; an InputError is not an answer
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return ast.Constant(isinstance(node, kinds))
        case ast.If(test, inner, otherwise):
            then_exit = _join(ast.And(), [test, _body_exit_condition(inner, kinds)])
            else_exit = _join(ast.And(), [negate_condition(test), _body_exit_condition(otherwise, kinds)])
            return _join(ast.Or(), [then_exit, else_exit])
        case ast.With(body=inner):
            return _body_exit_condition(inner, kinds)
        case ast.For(target, each, inner, otherwise):
            loop_exit = _any_of(target, each, _body_exit_condition(inner, exits_from_loop))
            else_exit = _join(ast.And(), [*_find_no_break(node), _body_exit_condition(otherwise, kinds)])
            return _join(ast.Or(), [loop_exit, else_exit])
        case ast.While() | ast.Try():
            possible = exits_from_loop if isinstance(node, ast.While) else kinds
            return Unshown(node) if _has_exit(node, possible) else ast.Constant(False)
        case ast.Match(subject, cases):
            exits = [
                _join(ast.And(), [condition, _body_exit_condition(case_.body, kinds)])
                for case_, condition in _list_case_conditions(subject, cases)
            ]
            return _join(ast.Or(), exits)
    return ast.Constant(False)


def _has_exit(node: ast.stmt, kinds: _ExitKinds) -> bool:
    return any(isinstance(part, kinds) for part in ast.walk(node))


def _any_of(target: ast.expr, each: ast.expr, condition: ast.expr) -> ast.expr:
    """Return `any(condition for target in each)`, or just `each` if the condition always holds."""
    if isinstance(condition, ast.Constant):
        return each if condition.value else condition
    if any(isinstance(part, Unshown) for part in ast.walk(condition)):
        return Unshown(each)
    generator = ast.GeneratorExp(condition, [ast.comprehension(target, each, [], 0)])
    return ast.copy_location(ast.Call(ast.Name("any"), [generator], []), each)


def _find_no_break(node: ast.For) -> Iterator[ast.expr]:
    """Yield the condition under which the `else` of a loop is reached, if the loop can break off."""
    exit_ = _body_exit_condition(node.body, (ast.Break, *_FUNCTION_EXITS))
    if not (isinstance(exit_, ast.Constant) and exit_.value is False):
        yield negate_condition(_any_of(node.target, node.iter, exit_))


def _list_case_conditions(
    subject: ast.expr, cases: Sequence[ast.match_case]
) -> Iterator[tuple[ast.match_case, ast.expr]]:
    """Yield the cases of a `match`, each with the condition that its pattern fits and no earlier one does.

    Literal cases exclude each other: after `case 1`, `case 2` is just `x == 2`.
    """
    earlier = list[tuple[ast.match_case, ast.expr]]()
    for case_ in cases:
        own = _join(ast.And(), [_match_condition(subject, case_.pattern), case_.guard or ast.Constant(True)])
        excludes_literals = case_.guard is None and _is_literal(case_.pattern)
        might_fit = [
            condition for before, condition in earlier if not (excludes_literals and _is_literal(before.pattern))
        ]
        yield case_, _join(ast.And(), [*map(negate_condition, might_fit), own])
        earlier.append((case_, own))


def _is_literal(pattern: ast.pattern) -> bool:
    """Return whether a pattern fits only constants, such as `1`, `None` or `"a" | "b"`."""
    match pattern:
        case ast.MatchValue() | ast.MatchSingleton():
            return True
        case ast.MatchOr(patterns) | ast.MatchSequence(patterns):
            return all(map(_is_literal, patterns))
    return False


def _match_condition(subject: ast.expr, pattern: ast.pattern) -> ast.expr:
    """Return the condition that a subject fits a pattern: `case 1` of `match x` is `x == 1`."""
    match pattern, subject:
        case ast.MatchValue(value), _:
            condition: ast.expr = ast.Compare(subject, [ast.Eq()], [value])
        case ast.MatchSingleton(value), _:
            condition = ast.Compare(subject, [ast.Is()], [ast.Constant(value)])
        case ast.MatchAs(None, _), _:
            return ast.Constant(True)
        case ast.MatchAs(inner), _ if inner:
            return _match_condition(subject, inner)
        case ast.MatchOr(patterns), _:
            return _join(ast.Or(), [_match_condition(subject, each) for each in patterns])
        case ast.MatchSequence(patterns), ast.Tuple(members) if len(patterns) == len(members):
            return _join(ast.And(), [_match_condition(*each) for each in zip(members, patterns, strict=True)])
        case ast.MatchClass(kind, [], [], []), _:
            condition = ast.Call(ast.Name("isinstance"), [subject, kind], [])
        case _:
            return Unshown(pattern)
    return ast.copy_location(condition, subject)
