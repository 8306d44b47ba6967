"""The signs of whose a piece is: names that share words, and pieces that are like others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from assistant.formats.vassal.traits import Trait

from .kinds import PieceKind
from .names import word_of

_FEW = 2
"""How many pieces a trait must be on to say anything of further ones."""

_Word = TypeVar("_Word", bound=Hashable)
Owned = Mapping[PieceKind, str]
"""By piece, the word of its nation or side."""


def list_signs(
    own: Owned, tabs: Owned, kinds: Sequence[PieceKind], names: Mapping[str, str]
) -> list[Callable[[PieceKind], str]]:
    """Return what says whose a piece is, the surest first: itself, those of the palettes that are defined like it, those
    with its picture, the names of its prototypes, its traits, its tab, and the names of the stack and the window in
    which it lies at the start.

    own: what pieces say themselves; tabs: what theirs say; kinds: all pieces; names: of nations or sides, by their words.
    """
    base = {**tabs, **own}
    listed = {kind: word for kind, word in base.items() if kind.path}
    return [
        lambda kind: own.get(kind, ""),
        _by_likeness(listed, listed, lambda kind: (kind.name, kind.piece.front, kind.piece.back)),
        _by_likeness(base, kinds, lambda kind: kind.piece.front),
        lambda kind: find_one(find_named(name, names) for name in kind.prototypes),
        _by_traits(base, kinds),
        lambda kind: tabs.get(kind, ""),
        lambda kind: find_one(find_named(name, names) for name in kind.starts),
    ]


def find_named(text: str, names: Mapping[str, str]) -> str:
    """Return the nation or side that a text names, by its word, "" if it names none or several."""
    word = word_of(text)
    if word in names:
        return word
    return find_one(name for name in names if _shares_words(word, name))


def _shares_words(one: str, other: str) -> bool:
    """Return whether a name has all words of another one, or the beginning of one in common with it: `german-units` and
    `germany`.
    """
    words, others = one.split("-"), other.split("-")
    alike = (a.startswith(b[:5]) or b.startswith(a[:5]) for a in words for b in others if min(len(a), len(b)) > 3)
    return {*others} <= {*words} or any(alike)


def find_one(words: Iterable[str]) -> str:
    """Return the only word of some, "" if there is none or several."""
    some = {*words} - {""}
    return some.pop() if len(some) == 1 else ""


def find_alike(nations: Owned, sides: Owned) -> dict[PieceKind, str]:
    """Return the side of each piece of a nation whose pieces are all on one, as far as it is known."""
    of_nations = _find_common((nation, sides.get(kind, "")) for kind, nation in nations.items())
    return {kind: of_nations[word] for kind, word in nations.items() if word in of_nations}


def _find_common(pairs: Iterable[tuple[_Word, str]]) -> dict[_Word, str]:
    """Return what all pairs of the same first word have in common, where it is one thing."""
    held: dict[_Word, set[str]] = defaultdict(set)
    for key, word in pairs:
        held[key].add(word)
    return {key: word for key, words in held.items() if (word := find_one(words))}


def _by_likeness(
    known: Owned, kinds: Iterable[PieceKind], likeness: Callable[[PieceKind], Hashable]
) -> Callable[[PieceKind], str]:
    """Return what says whose a piece is by those with a face that are like it, of which at least half are known. kinds:
    all of them.
    """
    common = _find_common((likeness(kind), word) for kind, word in known.items() if kind.piece.front)
    few = Counter(likeness(kind) for kind in kinds)
    few.subtract(likeness(kind) for kind in known for _ in range(2))
    return lambda kind: common.get(likeness(kind), "") if kind.piece.front and few[likeness(kind)] <= 0 else ""


def _by_traits(known: Owned, kinds: Iterable[PieceKind]) -> Callable[[PieceKind], str]:
    """Return what says whose a piece is by its traits that only one nation or side has, where at least half of the pieces
    with them are known. kinds: all of them.
    """
    held: dict[str | Trait, list[str]] = defaultdict(list)
    for kind, word in known.items():
        for trait in kind.traits:
            held[trait].append(word)
    count = Counter(trait for kind in kinds for trait in kind.traits)
    are_several = len({*known.values()}) > 1  # all traits are signs of a single one
    signs = {
        trait: words[0]
        for trait, words in held.items()
        if are_several and len(words) >= _FEW and 2 * len(words) >= count[trait] and len({*words}) == 1
    }
    return lambda kind: find_one(signs.get(trait, "") for trait in kind.traits)
