"""Units that are to come onto the map, and what changes as they do."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from assistant.questions import Gather, InputError, Step, View, note, step
from assistant.questions.view import changed
from assistant.state.changes import AnyChange, Change, Enter

from ..terms import AIRBASE, ARMIES, FORTRESS, HEADQUARTERS, SUPPLY, TRAIN

KINDS = {
    ("infantry", "XXX"): "infantry-corps",
    ("cavalry", "XXX"): "cavalry-corps",
    ("marine", "XXX"): "marine-corps",
    ("alpine", "XXX"): "alpine-corps",
    ("shock", "XXX"): "shock-corps",
    (SUPPLY, "-"): "supply",
    (FORTRESS, "-"): "fortress",
    (TRAIN, "-"): "armoured-train",
    (AIRBASE, "-"): "airbase",
}
SHAPES = {kind: shape for shape, kind in KINDS.items()}
"""The line of the Mobilization Chart for a unit type and size, and the other way round."""
Kind = Literal[
    "",
    "infantry-corps",
    "cavalry-corps",
    "marine-corps",
    "alpine-corps",
    "shock-corps",
    "supply",
    "fortress",
    "armoured-train",
    "airbase",
]
"""The kinds of units on the Mobilization Chart."""


class Newcomer(msgspec.Struct, frozen=True, kw_only=True):
    """A unit that is to come onto the map."""

    unit: Annotated[str, note("its id")]
    side: Annotated[str, note("its side")]
    nation: Annotated[str, note("its nation")]
    arm: Annotated[str, note("its unit type")]
    size: Annotated[str, note("its size")]

    @property
    def is_large(self) -> bool:
        """Whether it fills the room for units of a hex: a Headquarters or an army. Rule: 9.6"""
        return self.arm == HEADQUARTERS or self.size in ARMIES


def newcomer(facts: Gather, unit: str, kind: str = "", nation: str = "") -> Newcomer:
    """A unit by its id: as the position or the roster has it, or else of a kind and nation that are stated.

    Raises InputError for a unit that neither knows and that is not described.
    """
    view = facts.view
    if unit in view.state.units:
        word = {name: facts.word(name, unit) for name in ("nation", "arm", "size")}
    elif unit in view.game.roster:
        word = {name: str(view.game.roster.get(unit, {})[name][0].value) for name in ("nation", "arm", "size")}
    elif kind and nation:
        arm, size = SHAPES[kind]
        word = {"nation": nation, "arm": arm, "size": size}
    else:
        raise InputError(
            f"unit: {unit!r} is not known", hint="say of which kind and nation it is: kind=infantry-corps nation=german"
        )
    return Newcomer(unit=unit, side=view.game.side_of(word["nation"]) if word["nation"] else "", **word)


def in_play(view: View, who: Newcomer) -> list[Step]:
    """That a unit stands on the map already; there are no more units than counters. Rule: 9.5"""
    place = view.state.units[who.unit].place if who.unit in view.state.units else None
    if place is None or view.board.is_box(place):
        return []
    return [step("9.5", "{unit} stands in {place}, and there are no more units than counters", who, place=place)]


def entering(view: View, who: Newcomer, at: str | None, rule: str, arrives: int | None = None) -> list[AnyChange]:
    """What changes as a unit is placed in a hex, or waits to arrive in a turn. Rule: 9.5/delay"""
    changes: list[AnyChange] = []
    if who.unit in view.state.units:
        if view.state.units[who.unit].place != at:
            changes.append(changed(view, "place", who.unit, at, rule))
    else:
        changes.append(Enter(who.unit, who.unit, at, len(view.stack(at)) if at else 0, rule))
        if who.unit not in view.game.roster:
            words = {"nation": who.nation, "arm": who.arm, "size": who.size}
            changes += [Change(name, who.unit, None, word, rule) for name, word in words.items()]
    if at is not None:
        changes.append(changed(view, "placed", who.unit, True, rule))
    if arrives or ("arrives", who.unit) in view.state.facts:
        changes.append(changed(view, "arrives", who.unit, arrives, rule))
    return changes
