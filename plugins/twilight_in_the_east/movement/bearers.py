"""The units with Prepared Attack markers, and their duty to attack (8.4, 10.3)."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from assistant.asking import Gather, View
from assistant.rules.field import side_of
from assistant.state.state import Unit

from ..forces.bars import bars
from ..forces.unit import StatusRead, is_unit_demoralized
from ..ground.hexsides import between, is_uncrossable, why_closed


class Bearer(msgspec.Struct, frozen=True):
    """A unit with a Prepared Attack marker."""

    unit: str
    place: str
    side: str
    arm: str
    army: str
    """The unit's army, or "" if it is not stated."""
    target: str
    """The hex at which the marker points."""
    demoralized: bool
    """Whether the unit counts as Demoralized, as a Disordered unit does too."""
    idle: str = ""
    """The reason why the unit cannot attack its target, or "" if it can."""


def must_attack(bearer: Bearer, enemies: Collection[str]) -> bool:
    """Return whether a unit must attack the hex at which its marker points.

    It must if enemies are there and it can attack them. Nothing else obliges a unit to attack.

    Rule: 8.4b, 10.1.2a, 10.3b
    """
    return bool(enemies) and not bearer.idle


def read_bearer(facts: Gather, unit: Unit, place: str, target: str) -> Bearer:
    """Return a unit with a marker, and the reason why it cannot attack (8.2.4, 8.2.5, 9.5.1, 10.1).

    `target`: the hex at which the marker points.
    """
    idle = next((f"it {bar.words}" for bar in bars(StatusRead(facts, unit), "attack")), "")
    return Bearer(
        unit=unit.id,
        place=place,
        side=side_of(facts, unit),
        arm=facts.word("arm", unit.id),
        army=facts.view.word("army", unit.id),
        target=target,
        demoralized=is_unit_demoralized(facts, unit),
        idle=idle or _find_bar(facts.view, place, target),
    )


def _find_bar(view: View, place: str, target: str) -> str:
    """Return why no unit may attack over a hexside, or "" if any may (10.1.2).

    Unstated facts bar nothing.
    """
    if over := why_closed(between(view, place, target)):
        return f"no unit may attack across or into {over}"
    if is_uncrossable(between(view, place, target)):
        return "there is a Grand River without bridge or ferry between"
    return ""
