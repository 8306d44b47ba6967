"""Words for what a report is made of: templates with their figures, what a figure may be, changes on the map."""

from __future__ import annotations

import string
import textwrap
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from ..mechanics.chances import Likelihood
from ..mechanics.procedure import Modifier
from ..state.changes import AnyChange, Change, Enter, Gain, Leave, Raise


class Between(msgspec.Struct, frozen=True):
    """A figure that is not known exactly. weakest, strongest: its value with everything hidden at its weakest and at its
    strongest."""

    weakest: Any
    strongest: Any

    @property
    def in_order(self) -> tuple[Any, Any]:
        """Both ends; of two numbers, the smaller first."""
        ends = self.weakest, self.strongest
        return ends if any(isinstance(end, str) for end in ends) or ends[0] < ends[1] else ends[::-1]


@cache
def names_in(template: str) -> tuple[str, ...]:
    """The figures that a template names, in order."""
    return tuple(dict.fromkeys(name for _, name, _, _ in string.Formatter().parse(template) if name))


def _plural(noun: str) -> str:
    return f"{noun}es" if noun.endswith(("x", "ch")) else f"{noun}s"


class _Formatter(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        if isinstance(value, Fraction) and not spec.startswith("#"):
            if spec == "%":
                return f"{float(value):.1%}"
            whole, rest = divmod(abs(value), 1)
            number = " ".join(str(part) for part in (whole, rest) if part) or "0"
            return f"-{number}" if value < 0 else number
        if isinstance(value, Likelihood):
            return f"{self.format_field(value.value, '')} ({float(value.chance):.1%})"
        if isinstance(value, Between):
            counted = "" if spec.startswith("#") else spec
            ends = " to ".join(self.format_field(end, counted) for end in value.in_order)
            return f"{ends} {_plural(spec[1:])}" if spec.startswith("#") else ends
        if isinstance(value, list | tuple | frozenset):
            return ", ".join(self.format_field(one, "") for one in value) or "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if spec.startswith("#"):
            return f"{self.format_field(value, '')} {spec[1:] if value == 1 else _plural(spec[1:])}"
        return format(value, spec)


def likelihood_between(one: Likelihood, other: Likelihood) -> str:
    """One value whose chance is not known exactly, in words."""
    return fill("{value} ({chance:%})", {"value": one.value, "chance": Between(one.chance, other.chance)})


def fill(template: str, figures: Mapping[str, Any]) -> str:
    """A template with its figures. `{name:%}` is a chance in percent, `{name:#step}` a number of steps."""
    return _Formatter().vformat(template, (), figures)


def wrapped(text: str, width: int, mark: str = "") -> list[str]:
    """A text as lines of a width, a mark before the first."""
    return textwrap.wrap(text, width, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)


def by_rule(text: str, rule: str) -> str:
    """A text with the rule behind it, if there is one."""
    return f"{text} [{rule}]" if rule else text


def modifiers_text(modifiers: Iterable[Modifier]) -> str:
    """Modifiers of a roll in words, each with its rule."""
    return ", ".join(by_rule(f"{one.amount:+} {one.why}", one.rule) for one in modifiers)


def change_text(change: AnyChange) -> str:
    """What to do on the map, in words, and the rule that does it."""
    match change:
        case Enter(unit, type, place):
            kind = f" ({type})" if type != unit else ""
            subject, what = unit + kind, "waits off the map" if place is None else f"enters at {place}"
        case Leave(unit):
            subject, what = unit, "leaves play"
        case Gain(track, subject, amount):
            what = f"{track} {amount:+}"
        case Raise(track, subject, to):
            what = f"{track} up to {to}"
        case Change("place", subject, before, None):
            what = f"remove from {before}"
        case Change("place", subject, before, after):
            what = f"{before} to {after}"
        case Change(track, subject, _, ""):
            what = f"{track} none"
        case Change(track, subject, before, after):
            what = " to ".join(
                "none" if value is None else fill("{value}", {"value": value}) for value in (before, after)
            )
            what = f"{track} {what}"
    return by_rule(f"{subject or 'the game'}: {what}", change.rule)
