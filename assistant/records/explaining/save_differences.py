"""The differences between two saves of a module that has no adoption, as a report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...asking.builtin.comparison import count_differences
from ...asking.report import UNLIMITED, Part, Report, Step
from ...formats.vassal.others.differences import (
    Alteration,
    PieceThere,
    SaveDifferences,
    listing_differences,
)
from ...formats.vassal.others.listing import LEFT_OUT, SaveListing
from ...state.differences import StackChange
from ...util.errors import InputError, plain

_COUNTS = (
    ("moved", "{moved:#piece} moved"),
    ("gone", "{gone} gone"),
    ("came", "{came} came"),
    ("restacked", "{restacked:#stack} in another order"),
    ("changed", "{changed:#piece} changed"),
    ("decks", "{decks:#deck} changed"),
    ("game", "{game} of the game changed"),
)
"""The words of the verdict for each kind of difference."""
_NAMELESS = "a piece without a name"
"""The text for a piece without a name."""


def report_save_differences(
    before: SaveListing, after: SaveListing, names: tuple[str, str], *, umpire: bool = False
) -> Report[SaveDifferences]:
    """Return the report on the differences between two saves of a module, as one side sees both.

    `names`: the names of the two saves, such as their files.
    `umpire`: whether the reader may see everything.

    Raises InputError if the saves are of different modules.
    """
    if before.module and after.module and before.module != after.module:
        raise InputError(f"{names[0]} belongs to {before.module}, {names[1]} to {after.module}")
    difference = listing_differences(before, after)
    cautions = list[Step]()
    for file, listing in zip(names, (before, after), strict=True):
        if unread := len(listing.not_understood):
            words = "{unread:#thing} in {file} not understood: see `assistant check`"
            cautions.append(Step("", words, {"unread": unread, "file": file}))
    if after.seen_by:
        cautions.append(Step("", LEFT_OUT))
    return Report(
        question="compare",
        title=plain(f"{after.module or 'an unknown module'}: from {names[0]} to {names[1]}"),
        verdict=count_differences(difference, _COUNTS),
        parts=tuple(part for part in _list_parts(difference, seen=bool(after.seen_by)) if part.steps),
        cautions=tuple(cautions),
        result=difference,
        viewpoint=after.seen_by or ("" if umpire else UNLIMITED),
    )


def _list_parts(difference: SaveDifferences, *, seen: bool) -> Iterator[Part]:
    """Yield the parts of the report; some may be empty.

    `seen`: whether the saves are seen by a side, so that missing pieces may only be out of sight.
    """
    names_by_move: dict[tuple[str, str], list[str]] = {}
    for move in difference.moved:
        names_by_move.setdefault((move.before, move.after), []).append(move.name)
    yield _make_part(
        "Moved",
        (("{before} to {after}", move_places, names) for move_places, names in names_by_move.items()),
        ("before", "after"),
    )
    yield _make_part("No longer seen" if seen else "Lost", _group_by_place("from {place}", difference.gone), ("place",))
    yield _make_part("Newly seen" if seen else "Came", _group_by_place("in {place}", difference.came), ("place",))
    yield Part("In another order", tuple(map(_tell_restacked, difference.restacked)))
    pieces_by_changes: dict[tuple[Alteration, ...], list[str]] = {}
    for piece in difference.changed:
        pieces_by_changes.setdefault(piece.changes, []).append(f"{piece.name or _NAMELESS} in {piece.place}")
    yield Part("Changed", tuple(_tell_changed(pieces, changes) for changes, pieces in pieces_by_changes.items()))
    yield Part("Decks", tuple(map(_tell_alteration, difference.decks)))
    yield Part("The game", tuple(map(_tell_alteration, difference.game)))


def _tell_restacked(stack: StackChange) -> Step:
    figures = {
        "place": plain(stack.place),
        "before": _format_pieces(stack.before),
        "after": _format_pieces(stack.after),
    }
    return Step("", "{place}, from the top: {after:+} (before: {before:+})", figures)


def _tell_changed(pieces: Iterable[str], changes: Iterable[Alteration]) -> Step:
    figures = {"pieces": _format_counts(pieces), "changes": [*map(_format_names, changes)]}
    return Step("", "{pieces:+}: {changes}", figures)


def _tell_alteration(change: Alteration) -> Step:
    return Step("", "{change}", {"change": _format_names(change)})


def _make_part(title: str, runs: Iterable[tuple[str, Sequence[str], Sequence[str]]], names: Sequence[str]) -> Part:
    steps = []
    for template, values, pieces in runs:
        figures = {"pieces": _format_counts(pieces), **dict(zip(names, _format_pieces(values), strict=True))}
        steps.append(Step("", "{pieces:+}: " + template, figures))
    return Part(title, tuple(steps))


def _group_by_place(template: str, pieces: Iterable[PieceThere]) -> Iterator[tuple[str, Sequence[str], Sequence[str]]]:
    places: dict[str, list[str]] = {}
    for piece in pieces:
        places.setdefault(piece.place, []).append(piece.name)
    for place, names in places.items():
        yield template, (place,), names


def _format_counts(names: Iterable[str]) -> list[str]:
    return [
        plain(name or _NAMELESS) + (f" ({number} times)" if number > 1 else "")
        for name, number in Counter(names).items()
    ]


def _format_names(change: Alteration) -> str:
    what = change.what
    before = change.before
    after = change.after
    if after is None:
        return plain(f"no longer {what}" if before == "yes" else f"{what} no longer {before}".rstrip())
    if before is None and after == "yes":
        return plain(what)
    return plain(f"{what} {before} to {after}" if before else f"{what} {after}")


def _format_pieces(texts: Iterable[str]) -> list[str]:
    return [*map(plain, texts)]
