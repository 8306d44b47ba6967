"""Facts of a position left out, assumed, hidden from a side or contradicted. Each function takes a position in notation and returns another."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

_WORD = re.compile(r'(?:[^ "]|"[^"]*")+')
_WHOLE = ("game", "board", "line", "answers", "ruling", "ask", "trust", "chart")
"""The words with which a line begins that says what belongs together."""
_SHARES = (0, 0, 0.05, 0.15, 0.3)


def leave_out(text: str, random: Random, share: float) -> str:
    """Leave out a share of the facts. What names a place, a unit, a line or a setting stays."""
    return _change_words(text, lambda word: "" if random.random() < share else word)


def assume(text: str, random: Random, share: float) -> str:
    """Mark a share of the facts as assumed."""
    return _change_words(text, lambda word: f"{word}?" if random.random() < share and word[-1] not in '?")"' else word)


def hide(text: str, random: Random, share: float, side: str) -> str:
    """Hide a share of the units from all but `side`."""
    lines = list[str]()
    for line in text.splitlines():
        place, colon, units = line.partition(": ")
        each = [f"{unit} invisible={side}" if random.random() < share else unit for unit in units.split(", ")]
        lines.append(f"{place}: {', '.join(each)}" if colon and " " not in place else line)
    return "\n".join([*lines, ""])


def contradict(text: str, random: Random, words: Sequence[str]) -> str:
    """State two different things about one of the hexes. `words`: at least two values of a track."""
    hex = random.choice([match[1] for line in text.splitlines() if (match := re.match(r"([\d.]+)[ :]", line))])
    return text + "".join(f"{hex} {word}\n" for word in random.sample(list(words), 2))


def spoil(text: str, random: Random, more: Sequence[str] = ()) -> str:
    """Leave out facts as chance has it, most often none or few, and add up to two of the lines in `more`.

    Nothing is left out of a line that begins with `!`, which goes.
    """
    share = random.choice(_SHARES)
    lines = list[str]()
    for line in text.splitlines():
        lines.append(line[1:] if line[0] == "!" else leave_out(line, random, share).strip() if share else line)
    spoiled = "\n".join([*filter(None, lines), ""])
    for line in random.sample(list(more), min(len(more), random.choice((0, 0, 1, 2)))):
        spoiled = add(spoiled, line)
    return spoiled


def add(text: str, lines: str) -> str:
    """Add lines in which settings take the place of those stated before; a line about a unit that is not there is left out."""
    for line in lines.splitlines():
        head = line.split(" ")[0]
        if "=" in head or line == head:
            tracks = "|".join(re.escape(word.partition("=")[0]) for word in line.split(" "))
            text = re.sub(rf"(?<![^ \n])(?:{tracks})=[^ \n]*", "", text)
        if head[:1].islower() or "." in head or _names(text, head):
            ask = text.rindex("\nask ") + 1 if "\nask " in text else len(text)
            text = f"{text[:ask]}{line}\n{text[ask:]}"
    return re.sub(r"(?m)^ +| +$|^\n", "", re.sub(r" {2,}", " ", text))


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![^ \n]){re.escape(name)}(?![^ ,\n])", text) is not None


def _change_words(text: str, change: Callable[[str], str]) -> str:
    """Return a position with some words of each line changed, and lines left out of which nothing but a name is left."""
    lines = list[str]()
    for line in text.splitlines():
        words = _WORD.findall(line) or [""]
        if words[0] in _WHOLE:
            lines.append(line)
            continue
        head = 2 if words[0] in ("side", "nation", "army") else int(len(words) > 1)
        is_stack = words[0].endswith(":")
        if is_stack:
            head = len(words) - sum("=" in word for word in words)
        left = [changed for word in words[head:] if (changed := change(word))]
        if left or is_stack:
            lines.append(" ".join([*words[:head], *left]))
    return "\n".join([*lines, ""])
