"""Simple expressions of BeanShell, as VASSAL works them out: properties, texts, whole numbers, sums, comparisons,
choices.

An expression is read into functions of our own. One that names any other function, or needs fractions, is not worked
out at all.
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
"""From the name of a property to its value, None if that is not known."""
Worked = Callable[[Lookup], Value]

_LONGEST = 4000
"""The most letters of an expression, and of a text in it."""
_DEEPEST = 10
"""How deeply it may be nested."""
_LARGEST = 2**31
"""The bound of its numbers."""


class Unsolved(ValueError):
    """An expression that is not simple, or that rests on something that is not known."""


def evaluate(text: str, lookup: Lookup) -> str:
    """Return the value of an expression, which may stand in braces, as text. Raises Unsolved if it cannot be worked
    out.
    """
    return _format_value(_read_expression(text)(lookup))


# --- values -----------------------------------------------------------------------------------------------------------


def _format_value(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _read_value(text: str | None) -> Value:
    """Return the value that the text of a property stands for, as VASSAL takes it. Raises Unsolved for fractions and
    unknown properties.
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
    """Return the value itself. Raises Unsolved for a number or a text that is too large."""
    too_much = len(value) > _LONGEST if isinstance(value, str) else not -_LARGEST <= value < _LARGEST
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


def _combine(sign: str, left: Value, other: Value) -> Value:
    """Return what a sign between two values gives. An empty text beside a number counts as 0, any other makes both of
    them texts.
    """
    if type(left) is int and other == "":
        other = 0
    elif type(other) is int and left == "":
        left = 0
    if type(left) is not type(other):
        left, other = _format_value(left), _format_value(other)
    if sign in ("==", "!=") or (sign in _COMPARISONS and not isinstance(left, bool)):
        return _COMPARISONS[sign](left, other)
    if isinstance(left, str) and isinstance(other, str) and sign == "+":
        return _check_bound(left + other)
    if type(left) is int and type(other) is int and not (sign in "/%" and not other):
        return _check_bound(_OPERATIONS[sign](left, other))
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
"""Signs between two values, those that bind least first."""
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'"}


@remembered
def _read_expression(text: str) -> Worked:
    """Return an expression as a function of what properties are, which raises Unsolved for one that is not simple."""
    inner = text.strip()
    inner = inner[1:-1] if inner.startswith("{") and inner.endswith("}") else inner
    try:
        if len(inner) > _LONGEST:
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
        """Go on by one token, and return the one before. Raises Unsolved for what is none."""
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
        """Return the sign that stands ahead, if it is one of these, which is passed over; "" if not."""
        return self.next().text if self.ahead.kind == "sign" and self.ahead.text in signs else ""

    def require(self, sign: str) -> None:
        """Pass over a sign. Raises Unsolved if another one stands ahead."""
        if not self.take(sign):
            raise Unsolved(f"{sign} is missing")

    def read_whole(self) -> Worked:
        """Return all of it. Raises Unsolved for what is not simple."""
        worked = self.read_choice(0)
        if self.ahead.kind:
            raise Unsolved(f"{self.ahead.text!r} is not expected")
        return worked

    def read_choice(self, depth: int) -> Worked:
        """Return a value, or several with conditions: the first whose condition holds, else the last."""
        if depth > _DEEPEST:
            raise Unsolved("an expression that is nested too deeply")
        condition = self.read_level(0, depth)
        chosen: list[tuple[Worked, Worked]] = []
        while self.take("?"):
            chosen.append((condition, self.read_choice(depth + 1)))
            self.require(":")
            condition = self.read_level(0, depth)
        return _make_choice(chosen, condition) if chosen else condition

    def read_level(self, level: int, depth: int) -> Worked:
        """Return values with signs of a level between them."""
        if level == len(_LEVELS):
            return self.read_part(depth)
        first = self.read_level(level + 1, depth)
        more: list[tuple[str, Worked]] = []
        while sign := self.take(*_LEVELS[level]):
            more.append((sign, self.read_level(level + 1, depth)))
        return _make_sequence(first, more) if more else first

    def read_part(self, depth: int) -> Worked:
        """Return a number, a text, a property, or what stands in brackets; with the signs in front of it."""
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
            inner = self.read_choice(depth + 1)
            self.require(")")
            return inner
        if kind == "sign" and text in "!-" and depth < _DEEPEST:
            inner = self.read_part(depth + 1)
            if text == "!":
                return lambda lookup: not _check_condition(inner(lookup))
            return _make_sequence(lambda lookup: 0, [("-", inner)])
        raise Unsolved(f"{text!r} is not expected")

    def read_named(self, name: str, depth: int) -> Worked:
        """Return a property, a truth value, or a function of those that are known."""
        if name in ("true", "false"):
            return lambda lookup: name == "true"
        if not self.take("("):
            return self.read_property(name.strip("$"))
        given = [self.read_choice(depth + 1)]
        while self.take(","):
            given.append(self.read_choice(depth + 1))
        self.require(")")
        match name, given:
            case "GetProperty", [name_read]:
                return lambda lookup: _read_value(lookup(_format_value(name_read(lookup))))
            case "GetString", [name_read]:
                return lambda lookup: _check_known(lookup(_format_value(name_read(lookup))))
            case "If", [condition, first, other]:
                return lambda lookup: _choose(_check_condition(condition(lookup)), first(lookup), other(lookup))
        raise Unsolved(f"the function {name} is not known")

    def read_property(self, name: str) -> Worked:
        """Return a property, or what one of the known questions about its text gives."""
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
    """Return what the function If gives: both values are worked out before it is asked."""
    return first if condition else other


def _make_choice(chosen: Sequence[tuple[Worked, Worked]], last: Worked) -> Worked:
    """Return the value behind the first condition that holds, the last one if none does."""

    def value(lookup: Lookup) -> Value:
        return next((worked for condition, worked in chosen if _check_condition(condition(lookup))), last)(lookup)

    return value


def _make_sequence(first: Worked, more: Sequence[tuple[str, Worked]]) -> Worked:
    """Return values with signs of one level between them, from left to right; what decides nothing any more is not
    asked.
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
