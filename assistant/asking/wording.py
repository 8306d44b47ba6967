"""Words for what a report is made of: templates with their figures, and what a figure may be."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from ..mechanics.chances import Likelihood
from ..mechanics.distribution import format_percent
from ..mechanics.procedure import Modifier
from ..util.patterns import late_pattern
from ..util.texts import make_plural


class Between(msgspec.Struct, frozen=True):
    """A figure that is not known exactly: its values with everything hidden at its weakest and at its strongest."""

    weakest: Any
    strongest: Any

    @property
    def in_order(self) -> tuple[Any, Any]:
        """Both ends; of two numbers, the smaller first."""
        ends = self.weakest, self.strongest
        return ends if any(isinstance(end, str) for end in ends) or ends[0] < ends[1] else ends[::-1]


_OPTIONAL = late_pattern(r"\[(\w+):([^][|]*)(?:\|([^][]*))?\]")
"""An optional passage of a template: a figure, the text if it is true, and the text if not: `[half:half of |]{hex}`."""


def choose_passages(template: str, figures: Mapping[str, object]) -> str:
    """Return a template with those of its optional passages alone that its figures have it say."""
    return _OPTIONAL.sub(lambda passage: passage[2] if figures[passage[1]] else passage[3] or "", template)


@cache
def template_pieces(template: str) -> tuple[tuple[str, str, str], ...]:
    """Split a template into texts, each with the name and the format of the figure behind it, or "" without one."""
    return tuple((text, name or "", spec or "") for text, name, spec, _ in string.Formatter().parse(template))


@cache
def passage_figures(template: str) -> tuple[str, ...]:
    """Return the figures on which the optional passages of a template turn."""
    return tuple(passage[1] for passage in _OPTIONAL.finditer(template))


@cache
def said_figures(template: str) -> frozenset[str]:
    """Return the figures that a template says, whichever of its passages."""
    return frozenset(name for _, name, _ in template_pieces(template) if name)


@cache
def figure_names(template: str) -> tuple[str, ...]:
    """Return the names of a template's figures in order, first the conditions of its optional passages."""
    said = (name for _, name, _ in template_pieces(template) if name)
    return tuple(dict.fromkeys([*passage_figures(template), *said]))


MOST_LISTED = 4
"""Maximum number of words in a list of a text, where the figures beside it have the others."""
WAY_ENDS = 3
"""Number of hexes named at each end of a way in a text, where the figures beside it have the others."""


def _format_figure(value: Any, spec: str = "") -> str:
    """Return a figure in words. spec: how, as `fill` has it."""
    if type(value) is str and spec != "title" and not spec.startswith("#"):
        return str(value)
    if isinstance(value, Fraction) and not spec.startswith("#"):
        if spec == "%":
            return format_percent(value)
        if spec == "f":
            return f"{float(value):.1f}"
        whole, rest = divmod(abs(value), 1)
        number = " ".join(str(part) for part in (whole, rest) if part) or "0"
        return f"-{number}" if value < 0 else number
    if isinstance(value, Likelihood):
        return f"{_format_figure(value.value)} ({format_percent(value.chance)})"
    if isinstance(value, Between):
        counted = "" if spec.startswith("#") else spec
        ends = " to ".join(_format_figure(end, counted) for end in value.in_order)
        return f"{ends} {make_plural(spec[1:])}" if spec.startswith("#") else ends
    if spec == "title":
        return _format_figure(value).title()
    if isinstance(value, list | tuple | frozenset):
        if spec == "way" and len(value) > 2 * WAY_ENDS:
            hexes = [*map(_format_figure, value)]
            return f"{', '.join(hexes[:WAY_ENDS])} ... {', '.join(hexes[-WAY_ENDS:])}"
        if spec in ("&", "+") and len(value) > MOST_LISTED:
            some = [*value][: MOST_LISTED - 1]
            return format_list([*map(_format_figure, some), f"{len(value) - len(some)} more"])
        if spec == "&":
            return format_list(map(_format_figure, value)) or "none"
        return ", ".join(_format_figure(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if spec.startswith("#"):
        single = value == 1 or (isinstance(value, Fraction) and 0 < value < 1)
        return f"{_format_figure(value)} {spec[1:] if single else make_plural(spec[1:])}"
    return format(value, spec)


def format_likelihood(weakest: Likelihood, strongest: Likelihood) -> str:
    """Return one value whose chance is not known exactly, in words."""
    return fill("{value} ({chance:%})", {"value": weakest.value, "chance": Between(weakest.chance, strongest.chance)})


def fill(template: str, figures: Mapping[str, object]) -> str:
    """Return a template with its figures.

    `{name:%}` is a chance in percent, `{name:f}` a decimal, `{name:#step}` a number of steps, `{name:+}` a list,
    shortened if long, `{name:&}` the same with "and", `{name:way}` the hexes of a way, only its ends if long,
    `{name:title}` words with capitals. `[name:text]` is said only where the figure is true, `[name:text|other]` says
    another text else.
    """
    return "".join(
        text + _format_figure(figures[name], spec) if name else text
        for text, name, spec in template_pieces(choose_passages(template, figures))
    )


def append_rule(text: str, rule: str) -> str:
    """Return a text, and behind it the rule, if any."""
    return f"{text} [{rule}]" if rule else text


def format_modifiers(modifiers: Iterable[Modifier]) -> str:
    """Return modifiers of a roll in words, each with its rule."""
    return ", ".join(append_rule(f"{modifier.amount:+} {modifier.why}", modifier.rule) for modifier in modifiers)


def format_fact(fact: str, subject: str) -> str:
    """Return a fact in words without its value, such as "1/1, steps printed".

    `fact`: its track or title.
    `subject`: a unit or place; "" for the game.
    """
    return f"{subject}, {fact}" if subject else fact


NOT_PRINTED = "{how}, not from the printed game: {facts}"
"""The template for facts that are from elsewhere than the printed game."""


def format_list(words: Iterable[str], joined: str = "and") -> str:
    """Return words in a list: `a`, `a and b`, `a, b and c`. joined: the word before the last."""
    *before, last = [*words] or [""]
    return f"{', '.join(before)} {joined} {last}" if before else last


def format_fact_count(what: str, count: int) -> str:
    """Return what facts are about, with their number if there are several: "terrain (3 facts)"."""
    return f"{what} ({count} facts)" if count > 1 else what


def short_title(title: str) -> str:
    """Return the title of a track without what stands in brackets behind it."""
    return title.partition(" (")[0]


def drop_fact_counts(text: str) -> str:
    """Return a text about facts without the numbers of them, as a picture tells it."""
    return re.sub(r" \([0-9]+ facts\)", "", text)


def sentence_case(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def pluralize_predicate(words: str, many: int) -> str:
    """Return a predicate of one as that of several."""
    if many < 2:
        return words
    first, space, rest = words.partition(" ")
    plural = {"is": "are", "has": "have", "was": "were"}.get(first, first.removesuffix("s"))
    return f"{plural}{space}{rest}"
