"""Regions of the map that rules name and whose borders the printed map shows: Hungary, and the west bank of the Vistula
(22.2, 23.1.1).

A hex belongs to one as it is stated, or else as the board draws its borders and rivers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from assistant.questions import View
from assistant.state.differences import Apart
from assistant.state.state import hexside

from ..terms import WARSAW

HUNGARY, VISTULA = "Hungary", "Vistula"
"""What the board calls the region and the river."""
PROVINCE_BORDER, SEA = "province-border", "sea"
PLAIN = ("german", "russian")
"""The countries through which the Vistula has a west bank: in Galicia it flows to the east, and no rule asks for it there."""


def is_in_hungary(view: View, hex: str) -> bool | None:
    """Whether a hex lies in Hungary, None where neither the position nor the board says so. Rule: 23.1.1"""
    if stated := view.word("province", hex):
        return stated == "hungary"
    country = view.word("country", hex)
    if country != "austro-hungarian":
        return False if country else None
    drawn = _kept(view, HUNGARY, _hungary)
    return hex in drawn if drawn else None


def is_west_of_vistula(view: View, hex: str) -> bool | None:
    """Whether a hex lies west of the Vistula, on the bank of Warsaw, None where neither the position nor the board says so.
    Rule: 22.2
    """
    if stated := view.word("vistula", hex):
        return stated == "west"
    drawn = _kept(view, VISTULA, _west_bank)
    return hex in drawn if drawn else None


def _kept(view: View, name: str, draw: Callable[[View], frozenset[str]]) -> frozenset[str]:
    """A region as the board draws it, once for all views of it: nothing in a position changes it."""

    def read(known: frozenset[str] | None, apart: Apart) -> frozenset[str]:
        return draw(view) if known is None else known

    return view.kept(("region", name), read)


def _hungary(view: View) -> frozenset[str]:
    """The hexes of Austria-Hungary that no border of a province parts from those over which the name of Hungary runs."""
    board = view.board
    named = [hex for label in board.labels if label.name == HUNGARY for hex in label.hexes]
    borders = {name for name in board.known("border") if _word(view, "border", name) == PROVINCE_BORDER}
    return _region(view, named, borders, ("austro-hungarian",))


def _west_bank(view: View) -> frozenset[str]:
    """The hexes of Germany and Russia that the Vistula does not part from Warsaw."""
    river = {name for chain in view.board.chains if chain.along and chain.name == VISTULA for name in chain.path}
    return _region(view, [WARSAW], river, PLAIN) if river else frozenset()


def _region(
    view: View, starts: Collection[str], borders: Collection[str], countries: Collection[str]
) -> frozenset[str]:
    """The hexes of some countries that a way over land joins to some hexes without crossing a border."""
    board, region = view.board, set[str]()
    todo = [hex for hex in starts if _word(view, "country", hex) in countries]
    while todo:
        hex = todo.pop()
        if hex in region:
            continue
        region.add(hex)
        beyond = (
            there for there in board.neighbours(hex) if there not in region and hexside(hex, there) not in borders
        )
        todo += [
            there
            for there in beyond
            if _word(view, "country", there) in countries and _word(view, "terrain", there) != SEA
        ]
    return frozenset(region)


def _word(view: View, track: str, subject: str) -> str:
    """What the board alone says."""
    fact = view.board.fact(track, subject)
    return str(fact.value) if fact else ""
