"""The conditions around what a function does: what must hold for a part of its code to be reached."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

Guard = ast.expr | ast.comprehension
"""A condition, or a loop that the conditions after it are within."""
Guards = tuple[Guard, ...]
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_LEAVING_FUNCTION = (ast.Return, ast.Raise)
_Kinds = tuple[type[ast.stmt], ...]


class Unshown(ast.expr):
    """A condition that no words say: only its line is known."""

    def __init__(self, node: ast.AST) -> None:
        super().__init__()
        self.lineno = getattr(node, "lineno", 0)


def find_parts(body: Sequence[ast.stmt], guards: Guards = ()) -> Iterator[tuple[ast.AST, Guards]]:
    """Yield the statements and tests of a function that are no blocks, each with the conditions and loops around it."""
    for node in body:
        match node:
            case ast.If(test, inner, otherwise):
                yield test, guards
                yield from find_parts(inner, (*guards, test))
                yield from find_parts(otherwise, (*guards, negate_condition(test)))
            case ast.For(target, each, inner, otherwise):
                yield each, guards
                yield from find_parts(inner, (*guards, ast.comprehension(target, each, [], 0)))
                yield from find_parts(otherwise, (*guards, *_conditions_without_break(node)))
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
                for each_case, condition in _list_cases(subject, cases):
                    yield from find_parts(each_case.body, (*guards, condition))
            case ast.FunctionDef(body=inner):
                yield from find_parts(inner, guards)
            case _:
                yield node, guards
        if (passed := _find_passing(node, _LEAVING)) is not None:
            for part in parts_of(passed):
                guards = (*guards, _reduce_condition(part, guards))


def find_nodes(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.AST, Guards]]:
    """Yield the expressions of a function, each with the conditions and loops around it."""
    for part, guards in find_parts(body):
        yield from _find_in(part, guards)


def _find_in(code: ast.AST, guards: Guards) -> Iterator[tuple[ast.AST, Guards]]:
    yield code, guards
    match code:
        case ast.IfExp(test, body, orelse):
            yield from _find_in(test, guards)
            yield from _find_in(body, (*guards, test))
            yield from _find_in(orelse, (*guards, negate_condition(test)))
        case ast.BoolOp(operator, values):
            for value in values:
                yield from _find_in(value, guards)
                guards = (*guards, value if isinstance(operator, ast.And) else negate_condition(value))
        case ast.GeneratorExp(elt, generators) | ast.ListComp(elt, generators):
            for generator in generators:
                yield from _find_in(generator.iter, guards)
                bare = ast.comprehension(generator.target, generator.iter, [], 0)
                guards = (*guards, bare, *generator.ifs)
            yield from _find_in(elt, guards)
        case _:
            for child in ast.iter_child_nodes(code):
                yield from _find_in(child, guards)


def _reduce_condition(code: ast.expr, guards: Guards) -> ast.expr:
    """Return a condition without the alternatives that some conditions before it rule out."""
    match code:
        case ast.BoolOp(ast.Or(), values):
            ruled_out = {ast.dump(negate_condition(guard)) for guard in guards if isinstance(guard, ast.expr)}
            return _join_conditions(ast.Or(), [value for value in values if ast.dump(value) not in ruled_out])
        case ast.UnaryOp(ast.Not(), ast.BoolOp(ast.And(), values)):
            return _reduce_condition(_join_conditions(ast.Or(), [*map(negate_condition, values)]), guards)
    return code


def negate_condition(code: ast.expr) -> ast.expr:
    """Return the opposite of a condition."""
    match code:
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Constant(bool(value)):
            return ast.Constant(not value)
    return ast.copy_location(ast.UnaryOp(ast.Not(), code), code)


def parts_of(code: ast.expr) -> Iterator[ast.expr]:
    """Yield the conditions that a condition joins."""
    match code:
        case ast.BoolOp(ast.And(), values):
            yield from values
        case ast.UnaryOp(ast.Not(), ast.BoolOp(ast.Or(), values)):
            yield from map(negate_condition, values)
        case _:
            yield code


def _join_conditions(operator: ast.boolop, codes: Sequence[ast.expr]) -> ast.expr:
    """Return the conjunction or disjunction of some conditions, without those that decide nothing."""
    is_all = isinstance(operator, ast.And)
    kept = [code for code in codes if not (isinstance(code, ast.Constant) and code.value is is_all)]
    if any(isinstance(code, ast.Constant) and code.value is not is_all for code in kept):
        return ast.Constant(not is_all)
    if len(kept) < 2:
        return kept[0] if kept else ast.Constant(is_all)
    return ast.copy_location(ast.BoolOp(operator, kept), kept[0])


def _find_passing(node: ast.stmt, kinds: _Kinds) -> ast.expr | None:
    """Return the condition on which the code after a statement is reached, None if it always is.

    `kinds`: the statements that leave this code.
    """
    left = _leaving_by(node, kinds)
    return None if isinstance(left, ast.Constant) and left.value is False else negate_condition(left)


def _find_leaving(body: Sequence[ast.stmt], kinds: _Kinds) -> ast.expr:
    """Return the condition on which some statements leave the code, by one of the kinds."""
    ways = list[ast.expr]()
    before = list[ast.expr]()
    for node in body:
        left = _leaving_by(node, kinds)
        ways.append(_join_conditions(ast.And(), [*before, left]))
        passed = _find_passing(node, _LEAVING) if isinstance(node, _LEAVING) or _has_blocks(node) else None
        if isinstance(passed, ast.Constant) and passed.value is False:
            break
        before += [] if passed is None else [passed]
    return _join_conditions(ast.Or(), ways)


def _has_blocks(node: ast.stmt) -> bool:
    return isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try | ast.Match)


def _leaving_by(node: ast.stmt, kinds: _Kinds) -> ast.expr:
    """Return the condition on which a statement leaves the code, by one of the kinds."""
    within = tuple(kind for kind in kinds if kind in _LEAVING_FUNCTION)
    match node:
        case ast.Raise(ast.Call(ast.Name("CodeError" | "InputError"))):
            return ast.Constant(False)  # no position brings that about, or the question has no answer
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return ast.Constant(isinstance(node, kinds))
        case ast.If(test, inner, otherwise):
            first = _join_conditions(ast.And(), [test, _find_leaving(inner, kinds)])
            return _join_conditions(
                ast.Or(),
                [first, _join_conditions(ast.And(), [negate_condition(test), _find_leaving(otherwise, kinds)])],
            )
        case ast.With(body=inner):
            return _find_leaving(inner, kinds)
        case ast.For(target, each, inner, otherwise):
            left = _some_of(target, each, _find_leaving(inner, within))
            rest = _join_conditions(ast.And(), [*_conditions_without_break(node), _find_leaving(otherwise, kinds)])
            return _join_conditions(ast.Or(), [left, rest])
        case ast.While(body=inner) | ast.Try(body=inner):
            return ast.Constant(False) if not _leaves_somewhere(node, kinds, within) else Unshown(node)
        case ast.Match(subject, cases):
            ways = [
                _join_conditions(ast.And(), [condition, _find_leaving(each.body, kinds)])
                for each, condition in _list_cases(subject, cases)
            ]
            return _join_conditions(ast.Or(), ways)
    return ast.Constant(False)


def _leaves_somewhere(node: ast.stmt, kinds: _Kinds, within: _Kinds) -> bool:
    """Return whether a loop or an attempt may leave the code. `within`: the kinds that leave it from within a loop."""
    leaving = within if isinstance(node, ast.While) else kinds
    return any(isinstance(part, leaving) for part in ast.walk(node))


def _some_of(target: ast.expr, each: ast.expr, condition: ast.expr) -> ast.expr:
    """Return that a condition holds for one of several."""
    if isinstance(condition, ast.Constant):
        return each if condition.value else condition
    if any(isinstance(part, Unshown) for part in ast.walk(condition)):
        return Unshown(each)
    some = ast.GeneratorExp(condition, [ast.comprehension(target, each, [], 0)])
    return ast.copy_location(ast.Call(ast.Name("any"), [some], []), each)


def _conditions_without_break(node: ast.For) -> Iterator[ast.expr]:
    """Yield the condition on which a loop is not broken off."""
    left = _find_leaving(node.body, (ast.Break, *_LEAVING_FUNCTION))
    if not (isinstance(left, ast.Constant) and left.value is False):
        yield negate_condition(_some_of(node.target, node.iter, left))


def _list_cases(subject: ast.expr, cases: Sequence[ast.match_case]) -> Iterator[tuple[ast.match_case, ast.expr]]:
    """Yield the cases of a `match`, each with its condition: its own pattern, and none before it that might fit too."""
    before = list[ast.expr]()
    for each in cases:
        own = _join_conditions(ast.And(), [_write_fit(subject, each.pattern), each.guard or ast.Constant(True)])
        earlier = (
            before
            if each.guard or not _is_literal(each.pattern)
            else [
                condition
                for condition, pattern in zip(before, (case.pattern for case in cases), strict=False)
                if not _is_literal(pattern)
            ]
        )
        yield each, _join_conditions(ast.And(), [*map(negate_condition, earlier), own])
        before.append(own)


def _is_literal(pattern: ast.pattern) -> bool:
    """Return whether a pattern fits nothing but some constants."""
    match pattern:
        case ast.MatchValue() | ast.MatchSingleton():
            return True
        case ast.MatchOr(patterns) | ast.MatchSequence(patterns):
            return all(map(_is_literal, patterns))
    return False


def _write_fit(subject: ast.expr, pattern: ast.pattern) -> ast.expr:
    """Return the condition that a value fits a pattern."""
    match pattern, subject:
        case ast.MatchValue(value), _:
            found: ast.expr = ast.Compare(subject, [ast.Eq()], [value])
        case ast.MatchSingleton(value), _:
            found = ast.Compare(subject, [ast.Is()], [ast.Constant(value)])
        case ast.MatchAs(None, _), _:
            return ast.Constant(True)
        case ast.MatchAs(inner), _ if inner:
            return _write_fit(subject, inner)
        case ast.MatchOr(patterns), _:
            return _join_conditions(ast.Or(), [_write_fit(subject, each) for each in patterns])
        case ast.MatchSequence(patterns), ast.Tuple(members) if len(patterns) == len(members):
            return _join_conditions(ast.And(), [_write_fit(*each) for each in zip(members, patterns, strict=True)])
        case ast.MatchClass(kind, [], [], []), _:
            found = ast.Call(ast.Name("isinstance"), [subject, kind], [])
        case _:
            return Unshown(pattern)
    return ast.copy_location(found, subject)
