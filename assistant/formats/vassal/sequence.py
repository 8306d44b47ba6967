"""VASSAL's sequences: tokens separated by a delimiter, nested many levels deep.

A backslash escapes a delimiter inside a token; backslashes themselves are not doubled. A token that begins with a
backslash, or begins and ends with an apostrophe, is put between apostrophes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple, cast

from ...util.limits import Limit

Texts = TypeVarTuple("Texts")
Read = TypeVar("Read")
_MAX_CACHED_CALLS = 1024
_MAX_CACHED_CHARS = 2048
"""Maximum total length of the texts in a cached call."""


def remembered(read: Callable[[*Texts], Read]) -> Callable[[*Texts], Read]:
    """Return the function with a cache for recent texts, except long ones, whose results take much more memory."""
    known = lru_cache(maxsize=_MAX_CACHED_CALLS)(read)

    @wraps(read)
    def reading(*texts: *Texts) -> Read:
        return known(*texts) if sum(map(len, cast("tuple[str, ...]", texts))) <= _MAX_CACHED_CHARS else read(*texts)

    return reading


def join(tokens: Iterable[str], delimiter: str) -> str:
    """Return the tokens as one sequence.

    Raises ValueError if a token ends in a backslash, because it could not be read back.
    """
    tokens = list(tokens)
    joined = delimiter.join(tokens)
    if "\\" not in joined and "'" not in joined and joined.count(delimiter) == len(tokens) - 1:
        return joined  # the usual case: no character needs escaping
    return delimiter.join([_write_token(token, delimiter) for token in tokens])


def _write_token(token: str, delimiter: str) -> str:
    if token.endswith("\\"):
        raise ValueError(f"{token!r} ends in a backslash")
    escaped = token.replace(delimiter, "\\" + delimiter)
    if token[:1] == "\\" or (token[:1] == token[-1:] == "'"):
        return f"'{escaped}'"
    return escaped


def read_whole(text: str) -> int:
    """Return a token as a whole number, or 0 for any other text."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else 0


def write_flag(value: bool) -> str:
    """Return a boolean as a token."""
    return "true" if value else "false"


def split(text: str, delimiter: str) -> list[str]:
    """Return the tokens of a sequence. An empty one has a single empty token."""
    if "\\" + delimiter not in text:
        tokens = text.split(delimiter)
    else:
        tokens = []
        held: list[str] = []
        *parts, last = text.split(delimiter)  # no delimiter follows the last one, even if it ends in a backslash
        for part in parts:
            if part.endswith("\\"):
                held.append(part[:-1])
            else:
                tokens.append(delimiter.join([*held, part]))
                held = []
        tokens.append(delimiter.join([*held, last]))
    return [_strip_apostrophes(token) for token in tokens] if "'" in text else tokens


def _strip_apostrophes(token: str) -> str:
    return token[1:-1] if len(token) > 1 and token[0] == token[-1] == "'" else token


def bare(token: str) -> str:
    """Return a token without pairs of apostrophes around it, of which each level may have added one."""
    inner = token.strip("'")
    ends = token.partition(inner) if inner else (token[: len(token) // 2], "", token[len(token) // 2 :])
    pairs = min(len(ends[0]), len(ends[2]))
    return token[pairs : len(token) - pairs]


def fold(parts: Iterable[str]) -> str:
    """Return traits or their states as VASSAL nests them, each part followed by all inner parts.

    `parts`: at least one, the outermost first and the basic piece last.
    """
    *outer, text = parts
    if _are_plain([*outer, text]):  # each tab then has one backslash for every level above
        return "".join([*(part + "\\" * level + "\t" for level, part in enumerate(outer)), text])
    for part in reversed(outer):
        text = join((part, text), "\t")
    return text


def _are_plain(parts: Sequence[str]) -> bool:
    """Return whether no part needs escapes: none has a tab, or begins or ends with a special character."""
    whole = "\t".join(["", *parts, ""])
    return whole.count("\t") == len(parts) + 1 and not any(sign in whole for sign in ("\t\\", "\t'", "\\\t"))


def unfold(text: str, count: int = 0) -> list[str]:
    """Return the traits or states nested by `fold`, the outermost first.

    This takes linear time, because the backslashes before each tab give its level.

    `count`: the number of traits, or 0 if unknown.

    Raises InputError if there are too many.
    """
    parts = text.split("\t")
    if "'" not in text and len(parts) == (count or len(parts)) and _strip_backslashes(parts):
        return parts
    nested = _Nested(text)
    most = Limit.TRAITS.most
    commands: list[str] = []
    while nested.first < nested.last and len(commands) != count - 1:
        commands.append(nested.take_outer())
        if len(commands) > most:
            raise Limit.TRAITS.error("a piece has")
    return [*commands, nested.rest()] if nested.first <= nested.last else commands


def _strip_backslashes(parts: list[str]) -> bool:
    """Strip its backslashes from each part except the last. Return False if a part has not as many as its depth.

    If all have the right number, every tab separates two levels and none is inside a token, as in most pieces.
    """
    for depth in range(len(parts) - 1):
        part = parts[depth]
        bare = part.rstrip("\\")
        if len(part) - len(bare) != depth:
            return False
        parts[depth] = bare
    return True


class _Nested:
    """Nested tokens, as parts between tabs, from which the outermost token is taken again and again.

    `first` and `last` are the remaining parts. `level` counts the decodings so far, each of which removes a backslash
    from every tab.
    """

    def __init__(self, text: str) -> None:
        self.parts = text.split("\t")
        self.first = 0
        self.last = len(self.parts) - 1
        self.level = 0
        # number of backslashes before a tab -> indexes of the parts that end with so many
        self.tabs: dict[int, list[int]] = {}
        for number, part in enumerate(self.parts[:-1]):
            self.tabs.setdefault(len(part) - len(part.rstrip("\\")), []).append(number)

    def take_outer(self) -> str:
        """Remove and return the first token of this level. The second token remains, if there is one."""
        ends = [number for number in self.tabs.get(self.level, ()) if self.first <= number < self.last]
        for end in ends[:2]:
            self.parts[end] = self.parts[end][: len(self.parts[end]) - self.level]
        outer = _strip_apostrophes(self.join_parts(self.first, ends[0] if ends else self.last, self.level + 1))
        self.first = ends[0] + 1 if ends else self.last + 1
        self.last = ends[1] if len(ends) > 1 else self.last
        self.level += 1
        if self.first <= self.last:
            self.strip_apostrophes()
        return outer

    def strip_apostrophes(self) -> None:
        parts = self.parts
        first = self.first
        last = self.last
        if parts[first][:1] == parts[last][-1:] == "'" and (first < last or len(parts[first]) > 1):
            parts[first] = parts[first][1:]
            parts[last] = parts[last][:-1]

    def join_parts(self, first: int, last: int, level: int) -> str:
        """Return some parts as one text, decoded `level` times."""
        if first == last:
            return self.parts[first]
        bare = [part[: len(part) - level] for part in self.parts[first:last]]
        return "\t".join([*bare, self.parts[last]])

    def rest(self) -> str:
        return self.join_parts(self.first, self.last, self.level)
