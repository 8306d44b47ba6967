"""Names that a game's files may have, made of what a module calls its pieces, places and set-ups."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from assistant.game.roster import NUMBERED, list_copies
from assistant.util.texts import folded

_LONGEST = 80  # letters of a name at most
_LONGEST_WORD = 40  # letters of a word at most
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
"""What stands for signs that notation cannot write."""
WORDS = "{}-{}"
"""The form of a word with a number."""


def clean_text(text: str, longest: int = _LONGEST) -> str:
    """Return a text in one line, without signs that notation cannot write; "" if nothing is left. longest: where it is
    cut.
    """
    shown = "".join(letter if letter.isprintable() else " " for letter in text.translate(_PLAIN))
    return " ".join(shown.split())[:longest].strip()


def slug(text: str) -> str:
    """Return a text as a word of small letters and figures with hyphens between them, such as `with-artillery`; "" if
    it has none.
    """
    return re.sub("[^a-z0-9]+", "-", folded(text)[:_LONGEST]).strip("-")[:_LONGEST_WORD].rstrip("-")


_COMMON = ("units", "counters", "pieces", "forces", "troops", "the")
"""Words of a tab that name no nation."""


def word_of(title: str) -> str:
    """Return the word by which a nation or a side is known: without such words as `units`."""
    whole = slug(title)
    return "-".join(part for part in whole.split("-") if part not in _COMMON) or whole or title.casefold()


class Names:
    """Gives names, each to one thing; a number after a name tells it from others.

    kind: what they name, in words; key: what tells two names apart, for capitals and such may not; taken: those that
    nobody gets; form: of a name with a number.
    """

    def __init__(
        self, kind: str, key: Callable[[str], str] = str.casefold, taken: Iterable[str] = (), form: str = NUMBERED
    ) -> None:
        self.kind, self._key, self._form = kind, key, form
        self.numbered = 0
        """How many have a number after their name."""
        self._taken = {key(name) for name in taken}
        self._next: dict[str, int] = {}
        self.changed: list[tuple[str, str]] = []
        """What is called otherwise than in the module: its name there, and here."""

    def reserve(self, names: Iterable[str]) -> None:
        """Give nothing these names."""
        self._taken |= {self._key(name) for name in names}

    def release(self, name: str, count: int) -> None:
        """Make a name free again. count: of the copies that had it too, each with a number."""
        self._taken -= {self._key(other) for other in (name, *list_copies(name, count))}

    def _is_free(self, name: str, count: int) -> bool:
        """Return whether nothing has a name, or that of one of so many copies."""
        return self._taken.isdisjoint(map(self._key, (name, *list_copies(name, count))))

    def give(self, wanted: str, called: str = "", count: int = 1) -> str:
        """Return a name that is still free: the one that is wanted, or with a number after it. called: what the module
        calls it; count: for how many copies, of which each has the name with a number.
        """
        base = name = wanted or self.kind
        number = self._next.get(self._key(base), 2)
        while not self._is_free(name, count):
            name, number = self._form.format(base, number), number + 1
        self._next[self._key(base)] = number
        self.reserve((name, *list_copies(name, count)))
        self.numbered += 1 if name != base else 0
        if called and called != base:
            self.changed.append((called, name))
        return name
