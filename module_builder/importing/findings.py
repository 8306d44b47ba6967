"""The notes of an import: imported parts, omissions with their reasons, and new names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from assistant.util.console import format_count
from assistant.util.errors import plain

_MAX_LISTED = 200
"""Maximum number of lines of a list."""


class Findings:
    """The notes of an import."""

    def __init__(self) -> None:
        self._left_out: dict[str, Counter[str]] = {}
        self._renamed: dict[str, list[tuple[str, str]]] = {}
        self.numbered = 0
        """How many units and boxes have a number after their name, for others have the same name."""
        self.unknown: list[str] = []
        """The rows of the table `pieces.csv` to be filled in: pieces and nations of which not all is known."""
        self.guessed: dict[str, str] = {}
        """The titles of tabs that were taken for nations, by the nation's word."""
        self.smaller: list[str] = []
        """What is smaller here than in the module, and by how much."""
        self.taken: list[tuple[int, str, str]] = []
        """What was imported: how many of what, and the words for one and for several."""

    def left_out(self, what: str, which: str = "") -> None:
        """Note that something was not imported.

        `what`: the kind of thing, and the reason, in words.
        `which`: the name of the thing.
        """
        self._left_out.setdefault(what, Counter())[which] += 1

    def renamed(self, kind: str, changed: Iterable[tuple[str, str]]) -> None:
        """Note the names of things in the module and in the game."""
        if pairs := list(changed):
            self._renamed.setdefault(kind, []).extend(pairs)

    @property
    def lost(self) -> int:
        """The number of things that were not imported."""
        return sum(sum(which.values()) for which in self._left_out.values())

    @property
    def in_words(self) -> list[str]:
        return [format_count(count, single, some) for count, single, some in self.taken if count]

    def page(self, title: str) -> str:
        """Return the page of notes. `title`: the title of the module."""
        return "\n".join([*self._list_lines(title)]) + "\n"

    def _list_lines(self, title: str) -> Iterator[str]:
        yield from (f"# {_escape_text(title)}: what was imported", "")
        yield (
            "Pictures and texts in this folder belong to the maker of the module and of the game: keep them to "
            "yourself."
        )
        yield from ("", "## Imported", "")
        yield from (f"- {text}" for text in self.in_words)
        if self.numbered:
            yield from (
                "",
                (
                    "Where several pieces or places share a name, or a set-up has a piece several times, each has a "
                    "number after its name here."
                ),
            )
        if self.smaller:
            yield from (
                "",
                "## Made smaller",
                "",
                "Too large for a board here; counters and hexes keep their proportion.",
                "",
            )
            yield from _format_bullets([_escape_text(text) for text in self.smaller])
        if self.guessed:
            yield from ("", "## Taken for nations", "")
            yield (
                "Only the titles of tabs say so. Where one names something else, give its pieces their nation in "
                "`pieces.csv` and import again with `--pieces`."
            )
            yield ""
            yield from _format_bullets([f"{word}: the tab {_escape_text(tab)}" for word, tab in self.guessed.items()])
        if self._left_out:
            yield from ("", "## Not imported", "")
            for what, which in self._left_out.items():
                named = {name: count for name, count in which.items() if name}
                yield f"- {_format_count(what, which[''])}"
                yield from _format_bullets([_format_count(name, times) for name, times in named.items()], "  ")
        if self.unknown:
            yield from ("", "## Nation or side not known", "")
            yield (
                "Fill in the file `pieces.csv` of this folder and import again with `--pieces`. A row without a piece says "
                "the side of a nation; `none` says that a piece has none; as its unit, that it is a marker."
            )
            yield from ("", "```csv", "piece,nation,side,unit", *self.unknown[:_MAX_LISTED], "```")
            if len(self.unknown) > _MAX_LISTED:
                yield from ("", f"The file has {len(self.unknown) - _MAX_LISTED} more.")
        for kind, changed in self._renamed.items():
            yield from ("", f"## {kind} renamed here", "")
            yield from _format_bullets(
                [f"{_escape_text(before)}: {_escape_text(now)}" for before, now in dict.fromkeys(changed)]
            )


def _format_count(text: str, times: int) -> str:
    return _escape_text(text) + (f" ({times} times)" if times > 1 else "")


def _format_bullets(lines: Sequence[str], indent: str = "") -> Iterator[str]:
    """Yield lines as a list, or the first ones and the number of the rest."""
    yield from (f"{indent}- {line}" for line in lines[:_MAX_LISTED])
    if len(lines) > _MAX_LISTED:
        yield f"{indent}- and {len(lines) - _MAX_LISTED} more"


def _escape_text(text: str) -> str:
    """Return a text of the module as plain text on the page."""
    return "".join(f"\\{sign}" if sign in "\\`*_<>[]#" else sign for sign in plain(text))
