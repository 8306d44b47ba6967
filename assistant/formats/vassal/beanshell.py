"""Simple BeanShell expressions as VASSAL evaluates them.

They consist of properties, texts, whole numbers, arithmetic, comparisons and choices. An expression becomes a Python
function. One with any other function, or with fractions, is not evaluated.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from ...util.patterns import late_pattern
from .sequence import remembered

Value = str | int | bool
Lookup = Callable[[str], str | None]
"""A function that returns the value of a property by name, or None if it is unknown."""
Worked = Callable[[Lookup], Value]

_MAX_TEXT_CHARS = 4000
"""Maximum length of an expression, and of a text in it."""
_MAX_DEPTH = 10
"""Maximum depth of nesting in an expression."""
_NUMBER_BOUND = 2**31
"""The bound of numbers: less than it, and at least its negative."""


class Unsolved(ValueError):
    """An expression that is not simple, or depends on an unknown value."""


def evaluate(text: str, lookup: Lookup) -> str:
    """Return the value of an expression, with or without braces, as text.

    Raises Unsolved if it cannot be evaluated.
    """
    return _format_value(_read_expression(text)(lookup))


# --- values -----------------------------------------------------------------------------------------------------------


def _format_value(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_value(text: str | None) -> Value:
    """Return the value of a property's text, as VASSAL reads it.

    Raises Unsolved if it is a fraction or unknown.
    """
    if text is None:
        raise Unsolved("an unknown property")
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"[+-]?(?:0|[1-9][0-9]*)", text):
        return _check_bound(int(text[:12]))
    if re.fullmatch(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)", text):
        raise Unsolved("a fraction, or a number with a leading 0")
    return text


def _check_bound(value: Value) -> Value:
    """Return the value itself, or raise Unsolved if it is too large."""
    too_much = len(value) > _MAX_TEXT_CHARS if isinstance(value, str) else not -_NUMBER_BOUND <= value < _NUMBER_BOUND
    if too_much:
        raise Unsolved("a value that is too large")
    return value


def _divide(dividend: int, other: int) -> int:
    return abs(dividend) // abs(other) * (1 if (dividend < 0) == (other < 0) else -1)


def _divide_rest(dividend: int, other: int) -> int:
    return dividend - _divide(dividend, other) * other


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divide, "%": _divide_rest,
}  # fmt: skip


def _combine(sign: str, left: Value, right: Value) -> Value:
    """Return the result of an operator.

    An empty text beside a number counts as 0. Otherwise values of two types are compared or joined as texts.
    """
    if type(left) is int and right == "":
        right = 0
    elif type(right) is int and left == "":
        left = 0
    if type(left) is not type(right):
        left, right = _format_value(left), _format_value(right)
    if sign in ("==", "!=") or (sign in _COMPARISONS and not isinstance(left, bool)):
        return _COMPARISONS[sign](left, right)
    if isinstance(left, str) and isinstance(right, str) and sign == "+":
        return _check_bound(left + right)
    if type(left) is int and type(right) is int and not (sign in "/%" and not right):
        return _check_bound(_OPERATIONS[sign](left, right))
    raise Unsolved(f"{sign} between such values")


def _check_condition(value: Value) -> bool:
    if not isinstance(value, bool):
        raise Unsolved("a condition that is neither true nor false")
    return value


# --- reading ----------------------------------------------------------------------------------------------------------


class _ExpressionToken(NamedTuple):
    kind: str
    text: str


_TOKEN = late_pattern(
    r"""\s*(?:(?P<number>[0-9]+(?![0-9A-Za-z_.]))|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<name>[A-Za-z_][A-Za-z0-9_]*|\$[^$"\\]+\$)"""
    r"""|(?P<sign>==|!=|<=|>=|&&|\|\||[-+*/%<>!?:(),.]))""",
    re.ASCII,
)
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
"""Operators by precedence, the lowest first."""
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'"}


@remembered
def _read_expression(text: str) -> Worked:
    """Return an expression as a function of the properties, which raises Unsolved if the expression is not simple."""
    inner = text.strip()
    inner = inner[1:-1] if inner.startswith("{") and inner.endswith("}") else inner
    try:
        if len(inner) > _MAX_TEXT_CHARS:
            raise Unsolved("an expression that is too long")
        return _ExpressionReader(inner.strip()).read_whole()
    except Unsolved as error:
        return _make_unsolved(str(error))


def _make_unsolved(why: str) -> Worked:
    def value(lookup: Lookup) -> Value:
        raise Unsolved(why)

    return value


class _ExpressionReader:
    """An expression while it is read, one token ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.ahead = _ExpressionToken("", "")
        self.next()

    def next(self) -> _ExpressionToken:
        """Advance by one token, and return the previous one.

        Raises Unsolved if the next token is unknown.
        """
        before = self.ahead
        if self.at == len(self.text):
            self.ahead = _ExpressionToken("", "")
            return before
        match = _TOKEN.match(self.text, self.at)
        if match is None or match.lastgroup is None:
            raise Unsolved(f"{self.text[self.at : self.at + 20]!r} is not supported")
        self.ahead = _ExpressionToken(match.lastgroup, match[match.lastgroup])
        self.at = match.end()
        return before

    def take(self, *signs: str) -> str:
        """Return the next token and pass it if it is one of these signs, or else return ""."""
        return self.next().text if self.ahead.kind == "sign" and self.ahead.text in signs else ""

    def require(self, sign: str) -> None:
        """Pass a sign.

        Raises Unsolved if the next token is another.
        """
        if not self.take(sign):
            raise Unsolved(f"{sign} is missing")

    def read_whole(self) -> Worked:
        worked = self.read_choice(0)
        if self.ahead.kind:
            raise Unsolved(f"{self.ahead.text!r} is not expected")
        return worked

    def read_choice(self, depth: int) -> Worked:
        """Read a value, or conditional values: the first whose condition holds, or else the last."""
        if depth > _MAX_DEPTH:
            raise Unsolved("an expression that is nested too deeply")
        condition = self.read_level(0, depth)
        chosen: list[tuple[Worked, Worked]] = []
        while self.take("?"):
            chosen.append((condition, self.read_choice(depth + 1)))
            self.require(":")
            condition = self.read_level(0, depth)
        return _make_choice(chosen, condition) if chosen else condition

    def read_level(self, level: int, depth: int) -> Worked:
        """Read values with operators of one level of precedence between them."""
        if level == len(_LEVELS):
            return self.read_part(depth)
        first = self.read_level(level + 1, depth)
        more: list[tuple[str, Worked]] = []
        while sign := self.take(*_LEVELS[level]):
            more.append((sign, self.read_level(level + 1, depth)))
        return _make_sequence(first, more) if more else first

    def read_part(self, depth: int) -> Worked:
        """Read a number, text, property or expression in brackets, with the signs before it."""
        kind, text = self.next()
        if kind == "number":
            number = _read_value(text)
            return lambda lookup: number
        if kind == "text":
            plain = re.sub(r"\\(.)", lambda letter: _escape(letter[1]), text, flags=re.DOTALL)
            return lambda lookup: plain
        if kind == "name":
            return self.read_named(text, depth)
        if kind == "sign" and text == "(":
            operand = self.read_choice(depth + 1)
            self.require(")")
            return operand
        if kind == "sign" and text in "!-" and depth < _MAX_DEPTH:
            operand = self.read_part(depth + 1)
            if text == "!":
                return lambda lookup: not _check_condition(operand(lookup))
            return _make_sequence(lambda lookup: 0, [("-", operand)])
        raise Unsolved(f"{text!r} is not expected")

    def read_named(self, name: str, depth: int) -> Worked:
        """Read a property, a truth value or a known function."""
        if name in ("true", "false"):
            return lambda lookup: name == "true"
        if not self.take("("):
            return self.read_property(name.strip("$"))
        arguments = [self.read_choice(depth + 1)]
        while self.take(","):
            arguments.append(self.read_choice(depth + 1))
        self.require(")")
        match name, arguments:
            case "GetProperty", [name_read]:
                return lambda lookup: _read_value(lookup(_format_value(name_read(lookup))))
            case "GetString", [name_read]:
                return lambda lookup: _check_known(lookup(_format_value(name_read(lookup))))
            case "If", [condition, first, other]:
                return lambda lookup: _choose(_check_condition(condition(lookup)), first(lookup), other(lookup))
        raise Unsolved(f"the function {name} is not known")

    def read_property(self, name: str) -> Worked:
        """Read a property, or a known method of its text."""
        if not self.take("."):
            return lambda lookup: _read_value(lookup(name))
        kind, question = self.next()
        answer = _QUESTIONS.get(question) if kind == "name" else None
        self.require("(")
        asked = self.next()
        self.require(")")
        if answer is None or asked.kind != "text" or "\\" in asked.text:
            raise Unsolved(f"the function {question} is not known")
        return lambda lookup: answer(_check_known(lookup(name)), asked.text)


_QUESTIONS: Mapping[str, Callable[[str, str], bool]] = {
    "equals": operator.eq,
    "contains": operator.contains,
    "startsWith": str.startswith,
    "endsWith": str.endswith,
}


def _check_known(text: str | None) -> str:
    if text is None:
        raise Unsolved("an unknown property")
    return text


def _escape(letter: str) -> str:
    if letter not in _ESCAPES:
        raise Unsolved("a character that is escaped in an unknown way")
    return _ESCAPES[letter]


def _choose(condition: bool, first: Value, other: Value) -> Value:
    """Return a value as the function If does, which evaluates both values in any case."""
    return first if condition else other


def _make_choice(chosen: Sequence[tuple[Worked, Worked]], last: Worked) -> Worked:
    """Return a function that evaluates the branch of the first true condition, or else `last`."""

    def value(lookup: Lookup) -> Value:
        return next((worked for condition, worked in chosen if _check_condition(condition(lookup))), last)(lookup)

    return value


def _make_sequence(first: Worked, more: Sequence[tuple[str, Worked]]) -> Worked:
    """Return a function that applies operators of one level from left to right.

    Once `&&` or `||` is decided, further operands are not evaluated.
    """

    def value(lookup: Lookup) -> Value:
        result = first(lookup)
        for sign, worked in more:
            if sign in ("&&", "||"):
                result = _check_condition(result)
                result = result if result is (sign == "||") else _check_condition(worked(lookup))
            else:
                result = _combine(sign, result, worked(lookup))
        return result

    return value
