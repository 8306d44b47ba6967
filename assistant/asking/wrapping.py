"""Wrapping of texts for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from ..util.typesetting import set_in_type


def wrap_text(text: str, width: int, mark: str = "", *, typed: bool = False) -> list[str]:
    """Return a text as lines of a width, with a mark before the first.

    Words joined by | break after a | if they are too long.

    `typed`: whether to keep hyphens, as a player types them, instead of minus signs.
    """
    text = text if typed else set_in_type(text, curly=False)
    words = (word.replace("|", "| ") if len(word) > width - len(mark) else word for word in text.split(" "))
    text = " ".join(words)
    return textwrap.wrap(text, width, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)


def wrap_lines(lines: Iterable[str], width: int) -> Iterator[str]:
    """Yield lines no wider than a width.

    A longer line continues below, indented a little more; no word is broken.
    """
    for line in lines:
        if len(line) <= width:
            yield line
        else:
            indent = " " * min(len(line) - len(line.lstrip()) + 2, width // 2)
            yield from textwrap.wrap(
                line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
            )
