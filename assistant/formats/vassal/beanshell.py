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


def worked_out(text: str, lookup: Lookup) -> str:
    """Return the value of an expression, which may stand in braces, as text. Raises Unsolved if it cannot be worked
    out.
    """
    return _text(_read(text)(lookup))


# --- values -----------------------------------------------------------------------------------------------------------


def _text(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(text: str | None) -> Value:
    """Return the value that the text of a property stands for, as VASSAL takes it. Raises Unsolved for fractions and
    unknown properties.
    """
    if text is None:
        raise Unsolved("an unknown property")
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"[+-]?(?:0|[1-9][0-9]*)", text):
        return _bound(int(text[:12]))
    if re.fullmatch(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)", text):
        raise Unsolved("a fraction, or a number with a leading 0")
    return text


def _bound(value: Value) -> Value:
    """Return the value itself. Raises Unsolved for a number or a text that is too large."""
    too_much = len(value) > _LONGEST if isinstance(value, str) else not -_LARGEST <= value < _LARGEST
    if too_much:
        raise Unsolved("a value that is too large")
    return value


def _divide(dividend: int, other: int) -> int:
    return abs(dividend) // abs(other) * (1 if (dividend < 0) == (other < 0) else -1)


def _rest(dividend: int, other: int) -> int:
    return dividend - _divide(dividend, other) * other


_COMPARED: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_RECKONED: Mapping[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": _divide, "%": _rest,
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
        left, other = _text(left), _text(other)
    if sign in ("==", "!=") or (sign in _COMPARED and not isinstance(left, bool)):
        return _COMPARED[sign](left, other)
    if isinstance(left, str) and isinstance(other, str) and sign == "+":
        return _bound(left + other)
    if type(left) is int and type(other) is int and not (sign in "/%" and not other):
        return _bound(_RECKONED[sign](left, other))
    raise Unsolved(f"{sign} between such values")


def _true(value: Value) -> bool:
    if not isinstance(value, bool):
        raise Unsolved("a condition that is neither true nor false")
    return value


# --- reading ----------------------------------------------------------------------------------------------------------


class _BeanToken(NamedTuple):
    kind: str
    text: str


_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[0-9]+(?![0-9A-Za-z_.]))|"(?P<text>(?:[^"\\]|\\.)*)"|(?P<name>[A-Za-z_][A-Za-z0-9_]*|\$[^$"\\]+\$)"""
    r"""|(?P<sign>==|!=|<=|>=|&&|\|\||[-+*/%<>!?:(),.]))""",
    re.ASCII,
)
_LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
"""Signs between two values, those that bind least first."""
_ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\", "'": "'"}


@remembered
def _read(text: str) -> Worked:
    """Return an expression as a function of what properties are, which raises Unsolved for one that is not simple."""
    inner = text.strip()
    inner = inner[1:-1] if inner.startswith("{") and inner.endswith("}") else inner
    try:
        if len(inner) > _LONGEST:
            raise Unsolved("an expression that is too long")
        return _ExpressionReader(inner.strip()).whole()
    except Unsolved as error:
        return _unsolved(str(error))


def _unsolved(why: str) -> Worked:
    def value(lookup: Lookup) -> Value:
        raise Unsolved(why)

    return value


class _ExpressionReader:
    """An expression while it is read, one token ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.ahead = _BeanToken("", "")
        self.next()

    def next(self) -> _BeanToken:
        """Go on by one token, and return the one before. Raises Unsolved for what is none."""
        before = self.ahead
        if self.at == len(self.text):
            self.ahead = _BeanToken("", "")
            return before
        match = _TOKEN.match(self.text, self.at)
        if match is None or match.lastgroup is None:
            raise Unsolved(f"{self.text[self.at : self.at + 20]!r} is not supported")
        self.ahead = _BeanToken(match.lastgroup, match[match.lastgroup])
        self.at = match.end()
        return before

    def takes(self, *signs: str) -> str:
        """Return the sign that stands ahead, if it is one of these, which is passed over; "" if not."""
        return self.next().text if self.ahead.kind == "sign" and self.ahead.text in signs else ""

    def needs(self, sign: str) -> None:
        """Pass over a sign. Raises Unsolved if another one stands ahead."""
        if not self.takes(sign):
            raise Unsolved(f"{sign} is missing")

    def whole(self) -> Worked:
        """Return all of it. Raises Unsolved for what is not simple."""
        worked = self.choice(0)
        if self.ahead.kind:
            raise Unsolved(f"{self.ahead.text!r} is not expected")
        return worked

    def choice(self, depth: int) -> Worked:
        """Return a value, or several with conditions: the first whose condition holds, else the last."""
        if depth > _DEEPEST:
            raise Unsolved("an expression that is nested too deeply")
        condition = self.between(0, depth)
        chosen: list[tuple[Worked, Worked]] = []
        while self.takes("?"):
            chosen.append((condition, self.choice(depth + 1)))
            self.needs(":")
            condition = self.between(0, depth)
        return _first_that_holds(chosen, condition) if chosen else condition

    def between(self, level: int, depth: int) -> Worked:
        """Values with signs of a level between them."""
        if level == len(_LEVELS):
            return self.part(depth)
        first = self.between(level + 1, depth)
        more: list[tuple[str, Worked]] = []
        while sign := self.takes(*_LEVELS[level]):
            more.append((sign, self.between(level + 1, depth)))
        return _in_turn(first, more) if more else first

    def part(self, depth: int) -> Worked:
        """Return a number, a text, a property, or what stands in brackets; with the signs in front of it."""
        kind, text = self.next()
        if kind == "number":
            number = _value(text)
            return lambda lookup: number
        if kind == "text":
            plain = re.sub(r"\\(.)", lambda letter: _escape(letter[1]), text, flags=re.DOTALL)
            return lambda lookup: plain
        if kind == "name":
            return self.named(text, depth)
        if kind == "sign" and text == "(":
            inner = self.choice(depth + 1)
            self.needs(")")
            return inner
        if kind == "sign" and text in "!-" and depth < _DEEPEST:
            inner = self.part(depth + 1)
            return (
                (lambda lookup: not _true(inner(lookup))) if text == "!" else _in_turn(lambda lookup: 0, [("-", inner)])
            )
        raise Unsolved(f"{text!r} is not expected")

    def named(self, name: str, depth: int) -> Worked:
        """Return a property, a truth value, or a function of those that are known."""
        if name in ("true", "false"):
            return lambda lookup: name == "true"
        if not self.takes("("):
            return self.asked(name.strip("$"))
        given = [self.choice(depth + 1)]
        while self.takes(","):
            given.append(self.choice(depth + 1))
        self.needs(")")
        match name, given:
            case "GetProperty", [asked]:
                return lambda lookup: _value(lookup(_text(asked(lookup))))
            case "GetString", [asked]:
                return lambda lookup: _known(lookup(_text(asked(lookup))))
            case "If", [condition, first, other]:
                return lambda lookup: _either(_true(condition(lookup)), first(lookup), other(lookup))
        raise Unsolved(f"the function {name} is not known")

    def asked(self, name: str) -> Worked:
        """Return a property, or what one of the known questions about its text gives."""
        if not self.takes("."):
            return lambda lookup: _value(lookup(name))
        kind, question = self.next()
        answer = _QUESTIONS.get(question) if kind == "name" else None
        self.needs("(")
        asked = self.next()
        self.needs(")")
        if answer is None or asked.kind != "text" or "\\" in asked.text:
            raise Unsolved(f"the function {question} is not known")
        return lambda lookup: answer(_known(lookup(name)), asked.text)


_QUESTIONS: Mapping[str, Callable[[str, str], bool]] = {
    "equals": operator.eq,
    "contains": operator.contains,
    "startsWith": str.startswith,
    "endsWith": str.endswith,
}


def _known(text: str | None) -> str:
    if text is None:
        raise Unsolved("an unknown property")
    return text


def _escape(letter: str) -> str:
    if letter not in _ESCAPED:
        raise Unsolved("a character that is escaped in an unknown way")
    return _ESCAPED[letter]


def _either(condition: bool, first: Value, other: Value) -> Value:
    """Return what the function If gives: both values are worked out before it is asked."""
    return first if condition else other


def _first_that_holds(chosen: Sequence[tuple[Worked, Worked]], last: Worked) -> Worked:
    """Return the value behind the first condition that holds, the last one if none does."""

    def value(lookup: Lookup) -> Value:
        return next((worked for condition, worked in chosen if _true(condition(lookup))), last)(lookup)

    return value


def _in_turn(first: Worked, more: Sequence[tuple[str, Worked]]) -> Worked:
    """Values with signs of one level between them, from left to right; what decides nothing any more is not asked."""

    def value(lookup: Lookup) -> Value:
        result = first(lookup)
        for sign, worked in more:
            if sign in ("&&", "||"):
                result = _true(result)
                result = result if result is (sign == "||") else _true(worked(lookup))
            else:
                result = _combine(sign, result, worked(lookup))
        return result

    return value
