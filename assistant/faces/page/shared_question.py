"""The question that is open at a table, as far as it may be told at another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import NamedTuple

import msgspec

from ...formats.positions import Asked
from ...records.journal.entries import OpenQuestion
from ...records.journal.open_question import posed_entry
from ..prompt.combats import list_named
from ..prompt.table import TableState

Questions = tuple[tuple[tuple[str, Mapping[str, object]], ...], Mapping[str, str]]
"""Questions, each with its parameters, and the dice and choices that are given."""
NO_QUESTIONS: Questions = ((), {})
_ABOUT = ("unit", "units")
"""The parameters that say about which units a question is."""


def combat_at(table: TableState | None) -> TableState | None:
    """Return a table with the combat that is open, be it set aside by another question, which is nobody else's; None
    for none.
    """
    if table is None:
        return None
    combat = table.combat
    if combat is None:
        return None
    if table.asked == combat.asked:
        return table
    position = msgspec.structs.replace(table.position, asks=(combat.asked,), answers=combat.answers)
    return TableState(position, chosen={**table.chosen, **combat.chosen}, numbered=combat.numbered)


def beside_own(own: TableState | None, combat: TableState | None) -> TableState | None:
    """Return the table of somebody with a question of his own, beside which the combat is set; the combat alone where
    he has none.
    """
    if own is None or own.asked is None or own.asked.question == own.position.game.file.prompt.ask:
        return combat
    return msgspec.structs.replace(own, aside=combat.combat if combat else None)


def combat_asked(table: TableState | None) -> Questions:
    """Return the combat that is asked at a table."""
    if (combat := combat_at(table)) is None:
        return NO_QUESTIONS
    asks = tuple((asked.question, dict(asked.parameters)) for asked in combat.position.asks)
    return asks, dict(combat.position.answers)


def read_questions(combat: OpenQuestion) -> Questions:
    """Return the combat of an entry as `combat_asked` does."""
    asked, answers = posed_entry(combat)
    return (((asked.question, dict(asked.parameters)),), answers) if asked else NO_QUESTIONS


def combat_target(table: TableState, questions: Questions) -> object:
    """Return the hex that a combat is about, None for none. table: of its game."""
    return next((asked.get(table.position.game.file.prompt.target) for _, asked in questions[0]), None)


def has_fewer_dice(asked: Questions, before: Questions) -> bool:
    """Return whether the same is asked as before, with fewer dice and choices."""
    return asked[0] == before[0] and asked[1].items() < before[1].items()


class Following(NamedTuple):
    """The table of a side with what is asked there, the shared combat that it has followed so far, and both as they were
    at each combat before, the oldest first.
    """

    table: TableState | None
    shared: Questions = NO_QUESTIONS
    earlier: tuple[tuple[TableState | None, Questions], ...] = ()

    def follow(self, combat: TableState | None, is_unseen: Callable[[], bool], *, is_undone: bool = False) -> Following:
        """Return what is asked once the shared combat is another: that of another hex in place of what is asked, else
        beside that. Dice that no longer count for an unseen reason stay until others are thrown.

        `combat`: the table with the combat as the side sees it, or None if there is none.
        `is_unseen`: whether the side sees nothing of what has changed with the combat.
        `is_undone`: whether the side has taken back a line of its own with that. The table is as it was at the same
        combat before, so that it does not depend on whether the line could be stated on the shared table.
        """
        asked = combat_asked(combat)
        if asked == self.shared or (has_fewer_dice(asked, self.shared) and is_unseen()):
            return self
        earlier = (*self.earlier, (self.table, self.shared))
        same = (table for table, shared in reversed(earlier) if is_undone and shared == asked)
        is_new = combat is not None and combat_target(combat, asked) != combat_target(combat, self.shared)
        return Following(next(same, combat if is_new else beside_own(self.table, combat)), asked, earlier)


def without_unseen_units(table: TableState, unseen: Set[str], seen: Set[str] | None = None) -> TableState | None:
    """Return a table with its question, without the units that another table does not show; None for a question about
    none but such units, as its hexes would reveal them.

    unseen: units of this table that the other does not show; seen: the only ones that a question there may be about,
    None for all but those.
    """
    position = table.position
    for asked in position.asks:
        about = [unit for name in _ABOUT for unit in list_named(asked, name)]
        if about and all(unit in unseen or (seen is not None and unit not in seen) for unit in about):
            return None
    asks = tuple(_drop_units(asked, unseen, seen) for asked in position.asks)
    answers = {}
    for name, value in position.answers.items():
        if unseen.isdisjoint(_words(f"{name.partition('.')[2]},{value}")):
            answers[name] = value
    return TableState(msgspec.structs.replace(position, asks=asks, answers=answers))


def _drop_units(asked: Asked, unseen: Set[str], seen: Set[str] | None) -> Asked:
    """Return a question without some units; parameters of which nothing is left are gone."""
    parameters = {}
    for name, value in asked.parameters.items():
        parts = [part for part in str(value).split(",") if unseen.isdisjoint(_words(part))]
        if name in _ABOUT and seen is not None:
            parts = [part for part in parts if part in seen]
        if left := ",".join(parts):
            parameters[name] = left
    return Asked(asked.question, parameters)


def _words(value: str) -> Iterator[str]:
    """Yield the names in a value: two in `25/3,27/3`; in `X:corps`, `X@41.19` and `X.way` also that of the unit,
    `X`.
    """
    for part in value.split(","):
        yield part
        for sign in ":@.":
            yield part.rpartition(sign)[0]
