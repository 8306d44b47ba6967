"""Templates of notation that chance fills in.

    {clear*7 | rough | mountain}     one of these, `clear` seven times as often
    {3..12}                          a whole number; `{1..<steps}`: one below the number that was drawn as `steps`
    {30%: ip={1..3}}                 with a chance, or else nothing; `{30%: a | b}` chooses one of two then
    {nation}                         a value by its name: a text, or one of several, which may be templates
    {nation := german | russian}     drawn and written once, and the value of that name from then on

Braces may stand in braces. Lines without a word are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

Names = dict[str, str | Sequence[str]]
_RANGE = re.compile(r"(-?\d+)\.\.(<?)(-?\d+|[a-z][\w-]*)")
_CHANCE = re.compile(r"(\d+)%: ?")
_NAME = re.compile(r"[A-Za-z][\w-]*")
_NAMED = re.compile(r"([\w-]+) := ")
_BAR = re.compile(r" ?(?<![^ ])\|(?![^ ]) ?")
_WEIGHT = re.compile(r"\*(\d+)$")


class Option(NamedTuple):
    """What may be chosen, and how often."""

    text: str
    weight: int


def fill_in(template: str, random: Random, names: Names | None = None) -> str:
    """Return a template as chance has it. `names`: values by name, to which those drawn are added.

    Raises KeyError if the template has a name without a value.
    """
    text = "".join(_fill(template, random, {} if names is None else names))
    if "\n" not in text:
        return " ".join(text.split())
    return "".join(f"{words}\n" for line in text.split("\n") if (words := " ".join(line.split())))


def _fill(template: str, random: Random, names: Names) -> Iterator[str]:
    for part in _split(template, "{", "}"):
        yield _draw(part[1:-1], random, names) if part[:1] == "{" else part


def _draw(inside: str, random: Random, names: Names) -> str:
    if match := _NAMED.match(inside):
        drawn = inside[match.end() :]
        names[match[1]] = drawn if _NAME.fullmatch(drawn) and drawn not in names else _draw(drawn, random, names)
        return str(names[match[1]])
    if match := _CHANCE.match(inside):
        if random.random() * 100 >= int(match[1]):
            return ""
        inside = inside[match.end() :]
    elif _NAME.fullmatch(inside):
        value = names[inside]
        return "".join(_fill(value if isinstance(value, str) else random.choice(value), random, names))
    if match := _RANGE.fullmatch(inside):
        most = int(str(names.get(match[3], match[3]))) - len(match[2])
        return str(random.randint(int(match[1]), most))
    options = list(_list_options(inside))
    chosen = random.choices([option.text for option in options], [option.weight for option in options])[0]
    return "".join(_fill(chosen, random, names))


def _list_options(inside: str) -> Iterator[Option]:
    """Yield the options between bars that stand in no braces."""
    texts = [""]
    for part in _split(inside, "{", "}"):
        if part[:1] == "{":
            texts[-1] += part
            continue
        first, *others = _BAR.split(part)
        texts[-1] += first
        texts += others
    for text in texts:
        match = _WEIGHT.search(text)
        yield Option(text[: match.start()], int(match[1])) if match else Option(text, 1)


def _split(text: str, opens: str, closes: str) -> Iterator[str]:
    """Yield the outermost parts in braces, with them, and what stands between them. Raises ValueError if braces do not match."""
    depth = begun = 0
    for at, sign in enumerate(text):
        if sign == opens:
            if not depth and at > begun:
                yield text[begun:at]
                begun = at
            depth += 1
        elif sign == closes:
            depth -= 1
            if depth < 0:
                raise ValueError(f"a brace too many in {text!r}")
            if not depth:
                yield text[begun : at + 1]
                begun = at + 1
    if depth:
        raise ValueError(f"a brace is open in {text!r}")
    if begun < len(text):
        yield text[begun:]
