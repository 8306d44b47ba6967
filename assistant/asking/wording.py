"""Words for what a report is made of: templates with their figures, what a figure may be, changes on the map."""

from __future__ import annotations

import re
import string
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec

from ..mechanics.chances import Likelihood
from ..mechanics.distribution import percents
from ..mechanics.procedure import Modifier
from ..state.changes import AnyChange, Change, Enter, Gain, Leave, Raise
from ..state.tracks import Track, Value
from ..util.console import amount_text
from ..util.typesetting import set_in_type


class Between(msgspec.Struct, frozen=True):
    """A figure that is not known exactly: its values with everything hidden at its weakest and at its strongest."""

    weakest: Any
    strongest: Any

    @property
    def in_order(self) -> tuple[Any, Any]:
        """Both ends; of two numbers, the smaller first."""
        ends = self.weakest, self.strongest
        return ends if any(isinstance(end, str) for end in ends) or ends[0] < ends[1] else ends[::-1]


@cache
def template_pieces(template: str) -> tuple[tuple[str, str, str], ...]:
    """Return what a template is made of: each text with the figure behind it and how that is said, both "" where none
    follows.
    """
    return tuple((text, name or "", spec or "") for text, name, spec, _ in string.Formatter().parse(template))


@cache
def figure_names(template: str) -> tuple[str, ...]:
    """Return the figures that a template names, in order."""
    return tuple(dict.fromkeys(name for _, name, _ in template_pieces(template) if name))


_SIBILANTS = ("s", "x", "z", "ch", "sh")
_VOWELS = tuple("aeiou")


def _plural(noun: str) -> str:
    """Return the plural of a regular noun, and of corps: steps, losses, armies, days."""
    if noun.endswith("corps"):
        return noun
    if noun.endswith("y") and not noun[:-1].endswith(_VOWELS):
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_SIBILANTS) else f"{noun}s"


MOST_LISTED = 4
"""How many words a list has at most where the text may leave the others to the figures."""
WAY_ENDS = 3
"""How many hexes of each end of a way are named where the text may leave the others to the figures."""


def _word(value: Any, spec: str = "") -> str:
    """Return a figure in words. spec: how, as `fill` has it."""
    if not spec and type(value) is str:
        return str(value)
    if isinstance(value, Fraction) and not spec.startswith("#"):
        if spec == "%":
            return f"{float(value):.1%}"
        if spec == "f":
            return f"{float(value):.1f}"
        whole, rest = divmod(abs(value), 1)
        number = " ".join(str(part) for part in (whole, rest) if part) or "0"
        return f"-{number}" if value < 0 else number
    if isinstance(value, Likelihood):
        return f"{_word(value.value)} ({float(value.chance):.1%})"
    if isinstance(value, Between):
        counted = "" if spec.startswith("#") else spec
        ends = " to ".join(_word(end, counted) for end in value.in_order)
        return f"{ends} {_plural(spec[1:])}" if spec.startswith("#") else ends
    if spec == "title":
        return _word(value).title()
    if isinstance(value, tuple) and value and all(isinstance(item, Likelihood) for item in value):
        chances = zip(value, percents_of(value), strict=True)
        return ", ".join(f"{_word(item.value)} ({percent})" for item, percent in chances)
    if isinstance(value, list | tuple | frozenset):
        if spec == "way" and len(value) > 2 * WAY_ENDS:
            hexes = [*map(_word, value)]
            return f"{', '.join(hexes[:WAY_ENDS])} ... {', '.join(hexes[-WAY_ENDS:])}"
        if spec in ("&", "+") and len(value) > MOST_LISTED:
            some = [*value][: MOST_LISTED - 1]
            return listed([*map(_word, some), f"{len(value) - len(some)} more"])
        if spec == "&":
            return listed(map(_word, value)) or "none"
        return ", ".join(_word(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if spec.startswith("#"):
        single = value == 1 or (isinstance(value, Fraction) and 0 < value < 1)
        return f"{_word(value)} {spec[1:] if single else _plural(spec[1:])}"
    return format(value, spec)


def percents_of(likelihoods: Sequence[Likelihood]) -> list[str]:
    """Return the chance of each value in percent; those of a whole distribution add up to 100."""
    return percents([likelihood.chance for likelihood in likelihoods])


def likelihood_between(weakest: Likelihood, strongest: Likelihood) -> str:
    """One value whose chance is not known exactly, in words."""
    return fill("{value} ({chance:%})", {"value": weakest.value, "chance": Between(weakest.chance, strongest.chance)})


def fill(template: str, figures: Mapping[str, Any]) -> str:
    """Return a template with its figures. `{name:%}` is a chance in percent, `{name:f}` a decimal, `{name:#step}` a number of
    steps, `{name:+}` a list of which only the first are named if it is long, `{name:&}` such a list with "and",
    `{name:way}` the hexes of a way, only its ends if it is long, `{name:title}` words with capitals, as those of nations.
    """
    return "".join(
        text + _word(figures[name], spec) if name else text for text, name, spec in template_pieces(template)
    )


def wrap_text(text: str, width: int, mark: str = "", *, typed: bool = False) -> list[str]:
    """Return a text as lines of a width, a mark before the first. A list of words with | between them that is longer
    breaks behind a |. typed: whether it is as somebody types it; otherwise it has minus signs.
    """
    text = text if typed else set_in_type(text, curly=False)
    words = (word.replace("|", "| ") if len(word) > width - len(mark) else word for word in text.split(" "))
    text = " ".join(words)
    return textwrap.wrap(text, width, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)


def wrap_lines(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines no wider than a width: a longer one goes on below, set in as it is and a little more; no word is
    parted.
    """
    for line in lines:
        if len(line) <= width:
            yield line
        else:
            indent = " " * min(len(line) - len(line.lstrip()) + 2, width // 2)
            yield from textwrap.wrap(
                line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
            )


def by_rule(text: str, rule: str) -> str:
    """Return a text, and behind it the rule, if any."""
    return f"{text} [{rule}]" if rule else text


def modifiers_text(modifiers: Iterable[Modifier]) -> str:
    """Modifiers of a roll in words, each with its rule."""
    return ", ".join(by_rule(f"{modifier.amount:+} {modifier.why}", modifier.rule) for modifier in modifiers)


def fact_text(fact: str, subject: str) -> str:
    """Return a fact in words, without its value: "1/1, steps printed"; of the game itself, only what it is. fact: its
    track or title.
    """
    return f"{subject}, {fact}" if subject else fact


NOT_PRINTED = "{how}, not from the printed game: {facts}"
"""The template for facts that are from elsewhere than the printed game."""


def listed(words: Iterable[str], joined: str = "and") -> str:
    """Return words in a list: `a`, `a and b`, `a, b and c`. joined: the word before the last."""
    *before, last = [*words] or [""]
    return f"{', '.join(before)} {joined} {last}" if before else last


def with_fact_count(what: str, count: int) -> str:
    """Return what facts are about, with their number if there are several: "terrain (3 facts)"."""
    return f"{what} ({count} facts)" if count > 1 else what


def without_fact_counts(text: str) -> str:
    """Return a text about facts without the numbers of them, as a picture tells it."""
    return re.sub(r" \([0-9]+ facts\)", "", text)


def change_text(change: AnyChange, tracks: Mapping[str, Track] = {}, *, ruled: bool = True) -> str:
    """Return what to do on the map, in words, and the rule that does it. The old value of a fact is left out if none
    was stated. tracks: of the game, whose words say what changes; without them they are those of notation. ruled:
    whether the rule is named.
    """
    declared = None if isinstance(change, Enter | Leave) else tracks.get(change.track)
    if declared is not None and (said := _said_of(change, declared)):
        return by_rule(said, change.rule if ruled else "")
    match change:
        case Enter(unit, type, place):
            kind = f" ({type})" if type != unit else ""
            about = unit + kind
            what = "waits off the map" if place is None else f"enters at {place}"
        case Leave(unit):
            about = unit
            what = "leaves play"
        case Gain(track, subject, amount):
            about = fact_text(track, subject)
            what = amount_text(amount)
        case Raise(track, subject, to):
            about = fact_text(track, subject)
            what = f"up to {to}"
        case Change("place", about, before, None):
            what = f"remove from {before}"
        case Change("place", about, None, after):
            what = f"enters at {after}"
        case Change("place", about, before, after):
            what = f"{before} to {after}"
        case Change(track, subject, None, after):
            about = fact_text(track, subject)
            what = _value_text(after)
        case Change(track, subject, before, after):
            about = fact_text(track, subject)
            what = f"{_value_text(before)} to {_value_text(after)}"
    return by_rule(f"{about}: {what}", change.rule if ruled else "")


def change_words(change: AnyChange, tracks: Mapping[str, Track]) -> str:
    """Return what changes, in words, without its rule and without what it is of."""
    about = change.unit if isinstance(change, Enter | Leave) else change.subject
    return change_text(change, tracks, ruled=False).removeprefix(about).lstrip(" ,:")


def grouped_texts(changes: Iterable[tuple[AnyChange, str]]) -> list[str]:
    """Changes, each with its words, as a list that says once what several units or hexes have in common: "25/3 and 27/3
    have fought".
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for change, text in changes:
        subject = "" if isinstance(change, Enter | Leave) else change.subject
        common = subject and text.startswith(f"{subject} ")
        groups.setdefault(("", text.removeprefix(f"{subject} ")) if common else (text, ""), []).append(subject)
    return [
        text or f"{listed(subjects)} {of_several(predicate, len(subjects))}"
        for (text, predicate), subjects in groups.items()
    ]


def _said_of(change: AnyChange, track: Track) -> str:
    """Return a change in the words of its track, "" for what comes, moves or goes."""
    title = track.title.partition(" (")[0]
    match change:
        case Gain(_, subject, amount):
            return f"{fact_text(title, subject)}: {amount_text(amount)}"
        case Raise(_, subject, to):
            return f"{fact_text(title, subject)}: up to {to}"
        case Change(_, subject, before, after):
            says = track.module.says if track.module else {}
            written = "" if after is None else track.write(after)
            if said := says.get(written) or (says.get("*") if written else ""):
                shown = number_text(after) if isinstance(after, int) and after < 0 else written
                return f"{subject} {said.replace('{}', shown)}"
            if track.kind == "flag":
                now = title if after else f"no longer {title}"
                return f"{subject}: {now}" if subject else now
            old = "" if before is None else f"{_value_text(before)} to "
            return f"{fact_text(title, subject)}: {old}{_value_text(after)}"
        case _:
            return ""


def _value_text(value: Value | None) -> str:
    """Return the value of a fact in words, "none" for an empty one."""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return number_text(value)
    return "none" if value is None or value == "" else fill("{value}", {"value": value})


def number_text(number: int | Fraction) -> str:
    """Return a number in words that are not taken for a change: one below zero without its sign."""
    return f"minus {_word(-number)}" if number < 0 else _word(number)


def sentence_case(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def of_several(words: str, many: int) -> str:
    """Return a predicate of one as that of several."""
    if many < 2:
        return words
    first, space, rest = words.partition(" ")
    plural = {"is": "are", "has": "have", "was": "were"}.get(first, first.removesuffix("s"))
    return f"{plural}{space}{rest}"
