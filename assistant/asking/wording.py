"""The words of reports: templates with their figures, and the values that a figure may have."""

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
    """A figure that is not known exactly: its values with hidden facts at their weakest and their strongest."""

    weakest: Any
    strongest: Any

    @property
    def in_order(self) -> tuple[Any, Any]:
        """Both ends. If they are numbers, the smaller comes first."""
        ends = self.weakest, self.strongest
        return ends if any(isinstance(end, str) for end in ends) or ends[0] < ends[1] else ends[::-1]


_OPTIONAL = late_pattern(r"\[(\w+):([^][|]*)(?:\|([^][]*))?\]")
"""An optional passage of a template: a figure, the text if it is true, and the text if not: `[half:half of |]{hex}`."""


def choose_passages(template: str, figures: Mapping[str, object]) -> str:
    """Return a template with only the optional passages that its figures choose."""
    return _OPTIONAL.sub(lambda passage: passage[2] if figures[passage[1]] else passage[3] or "", template)


@cache
def template_pieces(template: str) -> tuple[tuple[str, str, str], ...]:
    """Split a template into triples of literal text, field name and format, the last two "" if no field follows."""
    return tuple((text, name or "", spec or "") for text, name, spec, _ in string.Formatter().parse(template))


@cache
def passage_figures(template: str) -> tuple[str, ...]:
    """Return the figures that choose the optional passages of a template."""
    return tuple(passage[1] for passage in _OPTIONAL.finditer(template))


@cache
def said_figures(template: str) -> frozenset[str]:
    """Return the figures whose values are in the text of a template, whatever passages are chosen."""
    return frozenset(name for _, name, _ in template_pieces(template) if name)


@cache
def figure_names(template: str) -> tuple[str, ...]:
    """Return the names of a template's figures in order, first the conditions of its optional passages."""
    said = (name for _, name, _ in template_pieces(template) if name)
    return tuple(dict.fromkeys([*passage_figures(template), *said]))


MAX_LISTED = 4
"""The maximum number of entries of a list in a text. The figures of the step have all entries."""
HEXES_PER_WAY_END = 3
"""The number of hexes named at each end of a way in a text. The figures of the step have all hexes."""


def _format_figure(value: Any, spec: str = "") -> str:
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
        end_spec = "" if spec.startswith("#") else spec
        ends = " to ".join(_format_figure(end, end_spec) for end in value.in_order)
        return f"{ends} {make_plural(spec[1:])}" if spec.startswith("#") else ends
    if spec == "title":
        return _format_figure(value).title()
    if isinstance(value, list | tuple | frozenset):
        if spec == "way" and len(value) > 2 * HEXES_PER_WAY_END:
            hexes = [*map(_format_figure, value)]
            return f"{', '.join(hexes[:HEXES_PER_WAY_END])} ... {', '.join(hexes[-HEXES_PER_WAY_END:])}"
        if spec in ("&", "+") and len(value) > MAX_LISTED:
            first_items = [*value][: MAX_LISTED - 1]
            return format_list([*map(_format_figure, first_items), f"{len(value) - len(first_items)} more"])
        if spec == "&":
            return format_list(map(_format_figure, value)) or "none"
        return ", ".join(_format_figure(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if spec.startswith("#"):
        is_singular = value == 1 or (isinstance(value, Fraction) and 0 < value < 1)
        return f"{_format_figure(value)} {spec[1:] if is_singular else make_plural(spec[1:])}"
    return format(value, spec)


def format_likelihood(weakest: Likelihood, strongest: Likelihood) -> str:
    """Return a value with the range of its chance, in words."""
    return fill("{value} ({chance:%})", {"value": weakest.value, "chance": Between(weakest.chance, strongest.chance)})


def fill(template: str, figures: Mapping[str, object]) -> str:
    """Return a template with its figures.

    - `{name:%}` is a chance in percent, and `{name:f}` a decimal.
    - `{name:#step}` is a number of steps.
    - `{name:+}` is a list, shortened if long, and `{name:&}` the same with "and".
    - `{name:way}` is the hexes of a way, only its ends if long.
    - `{name:title}` is words with capitals.
    - `[name:text]` is in the text only if the figure is true.
    - `[name:text|other]` has another text otherwise.
    """
    return "".join(
        text + _format_figure(figures[name], spec) if name else text
        for text, name, spec in template_pieces(choose_passages(template, figures))
    )


def append_rule(text: str, rule: str) -> str:
    """Return a text with the rule after it, if there is one."""
    return f"{text} [{rule}]" if rule else text


def format_modifiers(modifiers: Iterable[Modifier]) -> str:
    """Return modifiers of a roll in words, each with its rule."""
    return ", ".join(append_rule(f"{modifier.amount:+} {modifier.why}", modifier.rule) for modifier in modifiers)


def format_fact(fact: str, subject: str) -> str:
    """Return a fact in words without its value, such as "1/1, steps printed".

    `subject`: a unit or place, or "" for the game.
    """
    return f"{subject}, {fact}" if subject else fact


NOT_PRINTED = "{how}, not from the printed game: {facts}"
"""The template for facts that are not from the printed game."""


def format_list(words: Iterable[str], joined: str = "and") -> str:
    """Return words as a list: `a`, `a and b`, `a, b and c`.

    `joined`: the word before the last.
    """
    *before, last = [*words] or [""]
    return f"{', '.join(before)} {joined} {last}" if before else last


def format_fact_count(what: str, count: int) -> str:
    """Return the words for facts, with their number if there are several: "terrain (3 facts)"."""
    return f"{what} ({count} facts)" if count > 1 else what


def short_title(title: str) -> str:
    """Return the title of a track without the brackets at its end."""
    return title.partition(" (")[0]


def drop_fact_counts(text: str) -> str:
    """Return a text without the numbers of facts, as for a picture."""
    return re.sub(r" \([0-9]+ facts\)", "", text)


def sentence_case(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def pluralize_predicate(words: str, count: int) -> str:
    """Return a predicate in the plural: "have fought" for "has fought".

    `count`: the number of subjects; a single one keeps the singular.
    """
    if count < 2:
        return words
    first, space, rest = words.partition(" ")
    plural = {"is": "are", "has": "have", "was": "were"}.get(first, first.removesuffix("s"))
    return f"{plural}{space}{rest}"
