"""Names of a module as names that a game's files may have, each given once; and what an import notes on its way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from assistant.formats.vassal.adopted.mapping import NUMBERED
from assistant.util.console import count_text
from assistant.util.errors import plain
from assistant.util.texts import folded

_LONGEST = 80
_PLAIN = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": "'",
        "\u201d": "'",
        '"': "'",
        "\u2013": "-",
        "\u2014": "-",
        "|": "/",
        "=": "-",
    }
)


def clean(text: str, longest: int = 80) -> str:
    """A text in one line, without signs that notation cannot write; "" if nothing is left. longest: where it is cut."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text.translate(_PLAIN))
    return " ".join(shown.split())[:longest].strip()


def slug(text: str) -> str:
    """A text as a word of small letters and figures with hyphens between them, such as `with-artillery`; "" if it has
    none.
    """
    return re.sub("[^a-z0-9]+", "-", folded(text)[:_LONGEST]).strip("-")[:40].rstrip("-")


WORDS = "{}-{}"
"""The form of a word with a number."""


class Names:
    """Gives names, each to one thing; a number behind a name tells it from others.

    kind: what they name, in words; key: what tells two names apart, for capitals and such may not; taken: those that
    nobody gets; form: of a name with a number.
    """

    def __init__(
        self, kind: str, key: Callable[[str], str] = str.casefold, taken: Iterable[str] = (), form: str = NUMBERED
    ) -> None:
        self.kind, self._key, self._form = kind, key, form
        self.numbered = 0
        """How many have a number behind their name."""
        self._taken = {key(name) for name in taken}
        self._next: dict[str, int] = {}
        self.changed: list[tuple[str, str]] = []
        """What is called otherwise than in the module: its name there, and here."""

    def reserve(self, names: Iterable[str]) -> None:
        """Give nothing these names."""
        self._taken |= {self._key(name) for name in names}

    def given(self, wanted: str, called: str = "") -> str:
        """A name that is still free: the one that is wanted, or with a number behind it. called: what the module calls
        it.
        """
        base = name = wanted or self.kind
        number = self._next.get(self._key(base), 2)
        while self._key(name) in self._taken:
            name, number = self._form.format(base, number), number + 1
        self._next[self._key(base)] = number
        self._taken.add(self._key(name))
        self.numbered += name != base
        if called and called != base:
            self.changed.append((called, name))
        return name


_MOST = 200
"""How many lines a list has at most; it says how many more there are."""


class Findings:
    """What an import notes on its way."""

    def __init__(self) -> None:
        self._left_out: dict[str, Counter[str]] = {}
        self._renamed: dict[str, list[tuple[str, str]]] = {}
        self.numbered = 0
        """How many units and boxes have a number behind their name, for others have the same name."""
        self.taken: list[tuple[int, str, str]] = []
        """What was taken over: how many of what, and the words for one and for several."""

    def left_out(self, what: str, which: str = "") -> None:
        """Note that something was not taken over. what: a sentence on all that share this fate; which: this one of
        them.
        """
        self._left_out.setdefault(what, Counter())[which] += 1

    def renamed(self, kind: str, changed: Iterable[tuple[str, str]]) -> None:
        """Note what things are called in the module, and here."""
        if pairs := list(changed):
            self._renamed.setdefault(kind, []).extend(pairs)

    @property
    def lost(self) -> int:
        """How many things were not taken over."""
        return sum(sum(which.values()) for which in self._left_out.values())

    @property
    def in_words(self) -> list[str]:
        """What was taken over."""
        return [count_text(count, single, some) for count, single, some in self.taken if count]

    def page(self, title: str) -> str:
        """The page. title: of the module."""
        return "\n".join([*self._lines(title)]) + "\n"

    def _lines(self, title: str) -> Iterator[str]:
        yield from (f"# {_escape(title)}: what was imported", "")
        yield "Pictures and texts in this folder belong to the maker of the module and of the game: keep them to yourself."
        yield from ("", "## Taken over", "")
        yield from (f"- {said}" for said in self.in_words)
        if self.numbered:
            yield from (
                "",
                "Where several pieces or places have one name, or a set-up has a piece several times, each has a number behind its name here.",
            )
        if self._left_out:
            yield from ("", "## Not taken over", "")
            for what, which in self._left_out.items():
                named = {name: count for name, count in which.items() if name}
                count = sum(which.values())
                yield f"- {_escape(what)}" + (f" ({count} times)" if count > 1 else "")
                yield from _bullets(
                    (f"{_escape(name)}" + (f" ({count} times)" if count > 1 else "") for name, count in named.items()),
                    len(named),
                )
        for kind, changed in self._renamed.items():
            yield from ("", f"## {kind} with another name here", "")
            pairs = dict.fromkeys(changed)
            yield from _bullets((f"{_escape(before)}: {_escape(now)}" for before, now in pairs), len(pairs), "")


def _bullets(lines: Iterable[str], count: int, indent: str = "  ") -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == _MOST:
            yield f"{indent}- and {count - _MOST} more"
            return
        yield f"{indent}- {line}"


def _escape(text: str) -> str:
    """A text of the module on a line of the page, where it is no mark-up."""
    return "".join(f"\\{sign}" if sign in "\\`*_<>[]#" else sign for sign in plain(text))
