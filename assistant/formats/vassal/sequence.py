"""The sequences in which VASSAL writes everything: tokens with a delimiter between them, nested many levels deep.

A delimiter inside a token has a backslash before it; backslashes themselves are not doubled. A token that begins with a
backslash, or begins and ends with an apostrophe, stands between apostrophes.
"""

from __future__ import annotations

from collections.abc import Iterable


def join(tokens: Iterable[str], delimiter: str) -> str:
    """The tokens as one sequence. Raises ValueError for a token that ends in a backslash, which would not come back."""
    return delimiter.join([_written(token, delimiter) for token in tokens])


def _written(token: str, delimiter: str) -> str:
    if token.endswith("\\"):
        raise ValueError(f"{token!r} ends in a backslash")
    escaped = token.replace(delimiter, "\\" + delimiter)
    if token[:1] == "\\" or (token[:1] == token[-1:] == "'"):
        return f"'{escaped}'"
    return escaped


def split(text: str, delimiter: str) -> list[str]:
    """The tokens of a sequence; an empty one has a single empty token."""
    if "\\" + delimiter not in text:
        tokens = text.split(delimiter)
    else:
        tokens = []
        held: list[str] = []
        for part in text.split(delimiter):
            if part.endswith("\\"):
                held.append(part[:-1])
            else:
                tokens.append(delimiter.join([*held, part]))
                held = []
        if held:  # the text ends in an escaped delimiter
            tokens.append(delimiter.join([*held, ""]))
    return [_bare(token) for token in tokens] if "'" in text else tokens


def split_first(text: str, delimiter: str) -> tuple[str, str | None]:
    """The first token and what follows it, as written; None where nothing does."""
    end = text.find(delimiter)
    while end > 0 and text[end - 1] == "\\":
        end = text.find(delimiter, end + 1)
    if end < 0:
        return _bare(text.replace("\\" + delimiter, delimiter)), None
    return _bare(text[:end].replace("\\" + delimiter, delimiter)), text[end + 1 :]


def _bare(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] == token[-1] == "'" else token


def fold(parts: Iterable[str]) -> str:
    """Traits, or their states, as VASSAL nests them: each is the first token of a pair whose second holds the inner ones.

    parts: outermost first, the basic piece last; at least one.
    """
    *outer, text = parts
    for part in reversed(outer):
        text = join((part, text), "\t")
    return text


def unfold(text: str, count: int = 0) -> list[str]:
    """The traits, or their states, outermost first, that `fold` nested. count: how many there are, 0 if not known."""
    *outer, last = text.split("\t")
    plain = "'" not in text and len(outer) + 1 == (count or len(outer) + 1)
    if plain and all(_backslashes(part, depth) for depth, part in enumerate(outer)):
        return [*(part[: len(part) - depth] for depth, part in enumerate(outer)), last]
    found: list[str] = []
    while "\t" in text and len(found) != count - 1:
        first, rest = split_first(text, "\t")
        if rest is None:
            text = first
            break
        found.append(first)
        text = split(rest, "\t")[0]
    return [*found, text]


def _backslashes(part: str, count: int) -> bool:
    """Whether a part ends in exactly so many backslashes: then each tab parts two levels, and none is in a token."""
    end = len(part) - count
    return end >= 0 and part.endswith("\\" * count) and part[end - 1 : end] != "\\"
