"""Reports: a verdict, the working step by step with its rule numbers, and what is still asked for.

A step is a template and its figures, and its text is made from the two, so whatever stands in the text stands in the
JSON too. A report renders as text (wide or narrow), as plain lines for a forum, and as JSON.
"""

from __future__ import annotations

import string
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, Literal, TypeVar

import msgspec

from ..mechanics.chances import Likelihood
from ..mechanics.procedure import Choice, Modifier, Roll
from ..state.changes import AnyChange, Gain, Raise
from ..state.hidden import UMPIRE
from ..util.errors import quoted
from .bars import Barred, drawn

R = TypeVar("R")


class Between(msgspec.Struct, frozen=True):
    """A figure that is not known exactly. weakest, strongest: what it is with all that is hidden at its weakest and at its
    strongest."""

    weakest: Any
    strongest: Any

    @property
    def in_order(self) -> tuple[Any, Any]:
        """Both, of numbers the smaller first."""
        ends = self.weakest, self.strongest
        return ends if any(isinstance(end, str) for end in ends) or ends[0] < ends[1] else ends[::-1]


class Step(msgspec.Struct, frozen=True):
    """One step of the working.

    rule: the rule it follows; template: its text with figures to fill in; figures: the figures by name.
    """

    rule: str
    template: str
    figures: Mapping[str, Any] = {}

    @property
    def text(self) -> str:
        """The step in words."""
        return _fill(self.template, self.figures)


class Verdict(msgspec.Struct, frozen=True):
    """The answer itself.

    kind: yes, no, a figure, or undecided; template: its text with figures to fill in; figures: the figures by name.
    """

    kind: Literal["yes", "no", "figure", "undecided"]
    template: str
    figures: Mapping[str, Any] = {}

    @property
    def text(self) -> str:
        """The verdict in words."""
        return _fill(self.template, self.figures)


class Part(msgspec.Struct, frozen=True):
    """A stretch of the working.

    title: its title; steps: its steps.
    """

    title: str
    steps: tuple[Step, ...]


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """Something the report waits for.

    kind: a fact, a chart cell, a parameter, a roll or a choice; name: how answers name it; rule: the rule that needs it;
    title: what it is; how: what to type; takes: the allowed values; dice: the dice of a roll; options: of a choice;
    modifiers: of a roll, by what it decides; key: of a fact its track and what it speaks of, of a chart cell the chart and
    the keys that lead to it.
    """

    kind: Literal["fact", "cell", "parameter", "roll", "choice"]
    name: str
    rule: str
    title: str
    how: str
    takes: str = ""
    dice: str = ""
    options: tuple[str, ...] = ()
    modifiers: Mapping[str, tuple[Modifier, ...]] = {}
    key: tuple[str | int, ...] = ()


class Report(msgspec.Struct, Generic[R], frozen=True, kw_only=True):
    """The answer to one question about one state.

    game: the game's id; question: the question's name; title: what was asked; verdict: the answer; parts: the working;
    cautions: every doubt that it rests on; asks: what is missing or due; changes: what it does to the state, if it is
    played; result: the typed result, null where facts are missing; viewpoint: whose knowledge it rests on: a side's, the
    umpire's, "everything" if nobody said, or "" in a game in which nothing is hidden; between: the results with what is
    hidden at its weakest and at its strongest, where they differ and take the place of one result.
    """

    game: str
    question: str
    title: str
    verdict: Verdict
    parts: tuple[Part, ...] = ()
    cautions: tuple[Step, ...] = ()
    asks: tuple[Ask, ...] = ()
    changes: tuple[AnyChange, ...] = ()
    result: R | None = None
    viewpoint: str = ""
    between: tuple[R | None, R | None] | None = None

    def __str__(self) -> str:
        """The report as text, 100 columns wide."""
        return to_text(self)

    @property
    def drawable(self) -> R | None:
        """The result that a picture can show: the only one, or the first of two."""
        return self.result if self.between is None else self.between[0] or self.between[1]


class MissingFacts(Exception):
    """Facts that a question needs and nobody has stated: all of them at once. asks: one entry a fact; parts: the
    working as far as it got without them."""

    def __init__(self, asks: Sequence[Ask], parts: Sequence[Part] = ()) -> None:
        super().__init__("; ".join(ask.how for ask in asks))
        self.asks, self.parts = tuple(asks), tuple(parts)


def ask_for(node: Roll | Choice) -> Ask:
    """What a pending roll or choice asks for."""
    if isinstance(node, Roll):
        how = f"{quoted(node.name)}=TOTAL" + (", or the dice joined by +" if node.dice.number > 1 else "")
        shown = {label: modifiers for label, modifiers in node.modifiers.items() if modifiers}
        return Ask(
            kind="roll", name=node.name, rule=node.rule, title=node.title, how=how, dice=str(node.dice), modifiers=shown
        )
    options = tuple(node.options)
    return Ask(
        kind="choice",
        name=node.name,
        rule=node.rule,
        title=node.title,
        how=f"{quoted(node.name)}=OPTION",
        options=options,
    )


def _plural(noun: str) -> str:
    return f"{noun}es" if noun.endswith("x") else f"{noun}s"


class _Formatter(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        if isinstance(value, Fraction) and not spec.startswith("#"):
            if spec == "%":
                return f"{float(value):.1%}"
            whole, rest = divmod(abs(value), 1)
            number = " ".join(str(part) for part in (whole, rest) if part) or "0"
            return f"-{number}" if value < 0 else number
        if isinstance(value, Likelihood):
            return f"{self.format_field(value.value, '')} at {float(value.chance):.1%}"
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
    return _fill("{value} at {chance:%}", {"value": one.value, "chance": Between(one.chance, other.chance)})


def _fill(template: str, figures: Mapping[str, Any]) -> str:
    return _Formatter().vformat(template, (), figures)


# --- text -------------------------------------------------------------------------------------------------------------

NARROW = 40


def to_text(report: Report[Any], width: int = 100, *, bars: bool = True) -> str:
    """The report as text: rule numbers in a column of their own, or above the text where the width is small.

    width: columns of the terminal; NARROW suits a phone. bars: whether likelihoods are drawn as bars of block characters where
    there is room.
    """
    lines = [
        *wrapped(report.title, width),
        *wrapped(report.verdict.text, width, "= "),
        *working(report, width, bars=bars),
    ]
    if report.asks:
        lines += ["", "Asked for"]
        for ask in report.asks:
            lines += wrapped(_asked(ask), width, "? ")
    if report.changes:
        lines += ["", "On the map"]
        for change in report.changes:
            lines += wrapped(change_text(change), width, "- ")
    if seen := viewpoint_text(report.viewpoint):
        lines += ["", *wrapped(seen, width)]
    return "\n".join(lines) + "\n"


def working(report: Report[Any], width: int = 100, *, bars: bool = True) -> list[str]:
    """The lines of the working and its cautions, an empty one before each part; the arguments are those of `to_text`."""
    lines: list[str] = []
    rules = [step.rule for part in report.parts for step in part.steps]
    column = max((len(rule) for rule in rules), default=0) + 2 if width > NARROW else 0
    for part in report.parts:
        lines += ["", part.title]
        barred = _barred(part, width - column - 2) if bars and column else {}
        for number, step in enumerate(part.steps):
            if number in barred:
                rules_first = (step.rule, *[""] * (len(barred[number]) - 1))
                lines += [f"  {rule:<{column}}{line}" for rule, line in zip(rules_first, barred[number], strict=True)]
            else:
                lines += _step(step.rule, step.text, width, column)
    if report.cautions:
        lines += ["", "Cautions"]
        for caution in report.cautions:
            lines += wrapped(caution.text, width, "! ")
    return lines


def to_forum(report: Report[Any]) -> str:
    """The report as plain lines that survive a forum: no columns, no wrapping, and of letters only what players typed."""
    lines = [report.title, report.verdict.text, ""]
    for part in report.parts:
        lines += [f"{part.title}:", *(f"- {_with_rule(step)}" for step in part.steps), ""]
    for title, entries in (
        ("Cautions", [caution.text for caution in report.cautions]),
        ("Asked for", [_asked(ask) for ask in report.asks]),
        ("On the map", [change_text(change) for change in report.changes]),
    ):
        if entries:
            lines += [f"{title}:", *(f"- {entry}" for entry in entries), ""]
    if seen := viewpoint_text(report.viewpoint):
        lines.append(seen)
    return "\n".join(lines).rstrip() + "\n"


UNLIMITED = "everything"
"""The viewpoint of a report for which nobody has said whose eyes it is for."""


def viewpoint_text(viewpoint: str) -> str:
    """Whose knowledge a report rests on, in words; "" where that goes without saying: an umpire's, or nothing is hidden."""
    if viewpoint == UNLIMITED:
        return "Seen: everything; --as SIDE leaves out what that side may not know, --umpire is meant to see it"
    return f"Seen: what the {viewpoint} side may know" if viewpoint not in ("", UMPIRE) else ""


def _with_rule(step: Step) -> str:
    return f"{step.text} [{step.rule}]" if step.rule else step.text


def _barred(part: Part, room: int) -> dict[int, list[str]]:
    """The lines of those steps of a part that have likelihoods to draw and room for them, by number."""
    found = {}
    for number, step in enumerate(part.steps):
        for name, value in step.figures.items():
            if isinstance(value, tuple) and value and all(isinstance(one, Likelihood) for one in value):
                head = _fill(step.template, {**step.figures, name: ""}).removesuffix(": ")
                found[number] = Barred(head, value)
    lines = drawn(list(found.values()), room)
    return {number: line for number, line in zip(found, lines, strict=True) if line}


def _step(rule: str, text: str, width: int, column: int) -> Iterator[str]:
    if not column:
        yield from wrapped(f"{text} [{rule}]" if rule else text, width, "  ")
        return
    first, *rest = textwrap.wrap(text, max(width - column - 2, 20)) or [""]
    yield f"  {rule:<{column}}{first}"
    for line in rest:
        yield " " * (column + 2) + line


def wrapped(text: str, width: int, mark: str = "") -> list[str]:
    """A text as lines of a width, a mark before the first."""
    return textwrap.wrap(text, width, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)


_WHERE = {"parameter": "ask ... ", "roll": "answers ", "choice": "answers ", "fact": "", "cell": ""}
"""The line on which an answer to each kind of ask is typed."""


def _asked(ask: Ask) -> str:
    parts = [f"{ask.title}: {_WHERE[ask.kind]}{ask.how}"]
    if ask.takes:
        parts.append(f"({ask.takes})")
    if ask.options:
        parts.append("- " + " or ".join(f'"{option}"' if " " in option else option for option in ask.options))
    for label, modifiers in ask.modifiers.items():
        parts.append(f"- {label}: " + ", ".join(f"{m.amount:+} {m.why} [{m.rule}]" for m in modifiers))
    return " ".join(parts)


def change_text(change: AnyChange) -> str:
    """What to do on the map, in words."""
    subject = change.subject or "the game"
    if isinstance(change, Gain):
        return f"{subject}: {change.track} {change.amount:+} [{change.rule}]"
    if isinstance(change, Raise):
        return f"{subject}: {change.track} up to {change.to} [{change.rule}]"
    if change.track == "place":
        if change.after is None:
            return f"{subject}: remove from {change.before} [{change.rule}]"
        return f"{subject}: {change.before} to {change.after} [{change.rule}]"
    if change.after == "":
        return f"{subject}: {change.track} none [{change.rule}]"
    return _fill(
        "{subject}: {track} {before} to {after} [{rule}]",
        {
            "subject": subject,
            "track": change.track,
            "rule": change.rule,
            "before": "none" if change.before is None else change.before,
            "after": "none" if change.after is None else change.after,
        },
    )


# --- JSON -------------------------------------------------------------------------------------------------------------


def exact(value: Any) -> Any:
    """How JSON writes what it has no word for: a fraction is its exact text and a decimal."""
    if isinstance(value, Fraction):
        return {"exact": str(value), "decimal": round(float(value), 9)}
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(type(value))


def exact_schema(kind: type) -> dict[str, Any]:
    """The JSON Schema of what `exact` writes."""
    if kind is Fraction:
        return {
            "type": "object",
            "description": "an exact fraction, and the same as a decimal",
            "properties": {"exact": {"type": "string"}, "decimal": {"type": "number"}},
            "required": ["exact", "decimal"],
        }
    raise NotImplementedError(kind)


def to_json(report: Report[Any]) -> bytes:
    """The report as JSON, each step with its text beside its figures."""
    plain = msgspec.to_builtins(report, enc_hook=exact, str_keys=True)
    plain["verdict"]["text"] = report.verdict.text
    for part, made in zip(report.parts, plain["parts"], strict=True):
        for step, line in zip(part.steps, made["steps"], strict=True):
            line["text"] = step.text
    for caution, line in zip(report.cautions, plain["cautions"], strict=True):
        line["text"] = caution.text
    return msgspec.json.format(msgspec.json.encode(plain), indent=2)
