"""What a refused line was meant as: a suggestion stands only if the prompt understands it.

A suggestion is a whole line, or a word in place of the one at fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ...util.errors import InputError, quoted
from ...util.patterns import late_pattern
from .shorthand.abbreviations import Abbreviations

Works = Callable[[str], bool]
"""Returns whether the prompt would not refuse a line."""
_MEANT = late_pattern(r"did you mean (.+?)\?(?= |$)")
_NEW = late_pattern(r'(?:; | )?put a new unit in quotes: ("[^"]*")')
_WRITTEN = late_pattern(r"(?:; |^)write: (.+?)(?=; |$)")
_PLACEHOLDER = late_pattern(r"[.]{3}|\b[A-Z]{3,}\b|\bN\b|<[a-z ]+>")
"""What stands in a form that is to be filled in, and in no line."""
_REMARK = late_pattern(r" \([^()]*\)$")
"""What is said of a suggestion behind it."""
_ELSEWHERE = "(about "
"""How the remark begins on a fact that is typed about something else, in a line of its own."""
_QUOTED = late_pattern("'([^']+)'")


def keep_what_works(error: InputError, line: str, works: Works) -> None:
    """Leave out of the hint of a refused line what cannot be typed either.

    If nothing that was meant can be typed, the hint names it as the nearest known.
    """
    hint = str(error.hint)

    def keep_meant(meant: re.Match[str]) -> str:
        if _ELSEWHERE in meant[1]:
            return meant[0]
        options = meant[1].split(" or ")
        if kept := [typed for option in options if (typed := _find_typed(option, line, error.what, works))]:
            return f"did you mean {' or '.join(kept)}?"
        names = [_REMARK.sub("", option).strip("`") for option in options]
        return f"nearest known: {', '.join(names)}{';' if meant.end() < len(hint) else ''}"

    def keep_other(suggested: re.Match[str]) -> str:
        return suggested[0] if _find_typed(suggested[1], line, error.what, works) else ""

    hint = _WRITTEN.sub(keep_other, _NEW.sub(keep_other, _MEANT.sub(keep_meant, hint)))
    error.hint = hint.strip("; ")


def _find_typed(option: str, line: str, fault: str, works: Works) -> str:
    """Return a suggestion as it can be typed, in quotes if it needs them; "" if it cannot be.

    A form that is to be filled in stays as it is.
    """
    if _PLACEHOLDER.search(option):
        return option
    bare = _REMARK.sub("", option).strip("`")
    for typed in dict.fromkeys((bare, quoted(bare))):
        if any(map(works, _fill_in(typed, line, fault))):
            return option.replace(bare, typed)
    return ""


def _fill_in(typed: str, line: str, fault: str) -> Iterator[str]:
    """Yield a suggestion as a line, and a line with it in place of each word that its fault names."""
    yield typed
    parts = [part for part in _QUOTED.findall(fault) if part in line] or [fault.partition(" is not ")[0]]
    for part in parts:
        for match in re.finditer(re.escape(part), line):
            start, end = match.span()
            yield line[:start] + typed + line[end:]
            while start and not line[start - 1].isspace():
                start -= 1
            while end < len(line) and not line[end].isspace():
                end += 1
            yield line[:start] + typed + line[end:]


def find_quoted_line(line: str, known: Abbreviations) -> str:
    """Return a refused line with quotes round the units' names that have a blank, or "" if there is no such name."""
    words = line.split()
    meant = list[str]()
    while words:
        for end in range(min(known.longest, len(words)), 1, -1):
            name = " ".join(words[:end])
            before, bare, behind = _split_name(name)
            unit = known.unit(bare)
            if '"' not in name and unit and " " in bare:
                meant.append(f'{before}"{unit}"{behind}')
                words = words[end:]
                break
        else:
            meant.append(words.pop(0))
    text = " ".join(meant)
    return text if text.count('"') > line.count('"') else ""


def _split_name(text: str) -> tuple[str, str, str]:
    """Return what stands before a name, such as `unit=` or a sign, the name itself, and what stands behind it."""
    parts = re.fullmatch(r"((?:[a-z-]+=(?:\S+,)?|[+-])?)(.*?)([,;]?)", text, re.IGNORECASE)
    assert parts, "any text of one line fits"
    return parts[1], parts[2], parts[3]
