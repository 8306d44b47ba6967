"""The Warsaw Garrison: its required strength, and restrictions on leaving it and on ending a move (24.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Annotated

import msgspec

from assistant.asking import Gather, Step, View, holding, if_known, note, step
from assistant.asking.view import changed
from assistant.state.changes import Change
from assistant.state.state import Unit

from ..combat.garrisons import known_inside
from ..forces.armies import WARSAW_GARRISON, army_of, formation_with, is_asset_unit
from ..forces.unit import gather_unit
from ..forces.units import DIVISION_SHARES
from ..ground.calendar import in_campaign
from ..terms import COMBAT_ARMS, WARSAW

NOVO_GEORGIEVSK = "61.48"
ZEGRZE = "57.48"
HEXES = (WARSAW, NOVO_GEORGIEVSK, ZEGRZE)
COMPLEXES = (WARSAW, NOVO_GEORGIEVSK)
"""A hex of each Fortress Complex whose hexes are all open to the garrison (24.1.2)."""
MIN_DIVISIONS = 3
"""Minimum infantry divisions of the garrison (24.1.1)."""
MIN_STEPS = 35
"""Minimum infantry steps in and adjacent to Warsaw, Novo-Georgievsk and Zegrze (24.1.1)."""
MIN_STEPS_AT_WARSAW = 25
"""Minimum infantry steps in and adjacent to Warsaw (24.1.1)."""
DEADLINE_TURN = 6
"""The game turn by whose start the garrison must be complete for the first time (24.1.1)."""
COMPLETE = "warsaw-complete"
"""Track: whether the garrison has been complete once."""
# Rules that hold only in the campaign, as reports name them if it is not stated whether the campaign is played.
KEPT_IN_TEXT = "the rule that units of the Warsaw Garrison end their movement in its fortresses holds"
LOCKED_TEXT = "the rule that no combat unit leaves the Warsaw Garrison until it is complete holds"
COMPLETED_TEXT = "the rule that the Warsaw Garrison has to be complete holds"


class Guard(msgspec.Struct, frozen=True):
    """An infantry unit of the garrison."""

    id: str
    size: str
    """The size of the unit, or "" for an Asset Unit."""
    steps: int
    """Steps left."""
    near: bool
    """Whether the unit is in or adjacent to Warsaw, Novo-Georgievsk or Zegrze."""
    at_warsaw: bool
    """Whether the unit stands in Warsaw or adjacent to it."""


class Strength(msgspec.Struct, frozen=True):
    """The infantry of the garrison, or its shortfall."""

    divisions: Annotated[Fraction, note("division equivalents of the infantry formations attached")]
    steps: Annotated[int, note("infantry steps in or adjacent to 58.52, 61.48 or 57.48")]
    at_warsaw: Annotated[int, note("infantry steps in or adjacent to 58.52")]

    @property
    def is_none(self) -> bool:
        return not (self.divisions or self.steps or self.at_warsaw)


def count(guards: Iterable[Guard]) -> Strength:
    """Return the strength of the garrison: its divisions, and its infantry steps near the three hexes.

    Rule: 24.1.1
    """
    known = list(guards)
    near = [guard for guard in known if guard.near]
    return Strength(
        sum((DIVISION_SHARES.get(("infantry", guard.size), Fraction(0)) for guard in known), Fraction(0)),
        sum(guard.steps for guard in near),
        sum(guard.steps for guard in near if guard.at_warsaw),
    )


def shortfall(strength: Strength) -> Strength:
    """Return the shortfall from three divisions, 35 steps, and 25 of them near Warsaw. Rule: 24.1.1"""
    return Strength(
        max(MIN_DIVISIONS - strength.divisions, Fraction(0)),
        max(MIN_STEPS - strength.steps, 0),
        max(MIN_STEPS_AT_WARSAW - strength.at_warsaw, 0),
    )


def format_shortfall(lacking: Strength) -> Iterator[str]:
    """Yield each shortfall of the garrison in words."""
    if lacking.divisions:
        yield step("", "{divisions:#division}", lacking).text
    if lacking.steps:
        yield step("", "{steps:#infantry step}", lacking).text
    if lacking.at_warsaw:
        yield step("", "{steps:#infantry step} near Warsaw", steps=lacking.at_warsaw).text


def is_locked(lacking: Strength, *, complete: bool) -> bool:
    """Return whether no combat unit may leave the garrison, because it has never been complete. Rule: 24.1.1b"""
    return not complete and not lacking.is_none


def must_be_complete(turn: int, *, complete: bool, last: bool) -> bool:
    """Return whether the garrison must be complete at the end of a friendly movement phase.

    The garrison begins incomplete, and must be complete by the start of GT 6.

    `complete`: whether the garrison has been complete once, and so must remain so.
    `last`: whether the phase is the last of its side in the turn.

    Rule: 24.1.1, 24.1.1b
    """
    return complete or turn >= DEADLINE_TURN or (last and turn == DEADLINE_TURN - 1)


# --- the garrison in a position ---------------------------------------------------------------------------------------


def is_of_garrison(facts: Gather, unit: Unit) -> bool:
    """Return whether a Russian unit is attached to the Warsaw Garrison.

    The attachment is recorded. An Asset Unit without a record has that of its formation.

    Rule: 24.1.1
    """
    if facts.view.word("nation", unit.id) not in ("", "russian"):
        return False
    own = army_of(facts.view, unit.id)
    if own or not is_asset_unit(facts, unit.id):
        return own == WARSAW_GARRISON
    return army_of(facts.view, formation_with(facts, unit, facts.word("with", unit.id))) == WARSAW_GARRISON


def garrison_units(facts: Gather) -> list[Unit]:
    """Return the units of the garrison on the map."""
    view = facts.view
    if all(army_of(view, unit.id) != WARSAW_GARRISON for unit in view.units()):
        return []
    russian = [unit for unit in view.units() if unit.place and view.word("nation", unit.id) == "russian"]
    return [unit for unit in russian if is_of_garrison(facts, unit)]


def _read_guard(facts: Gather, unit: Unit) -> Guard:
    board = facts.view.board
    place = str(unit.place)
    around = {place, *board.neighbours(place)} if board.is_hex(place) else {place}
    asset = is_asset_unit(facts, unit.id)
    return Guard(
        unit.id,
        "" if asset else facts.word("size", unit.id),
        gather_unit(facts, unit, None).left,
        not around.isdisjoint(HEXES),
        WARSAW in around,
    )


def read_strength(view: View) -> Strength:
    """Return the strength of the garrison in the position.

    Raises MissingFacts if a fact on which it depends is not stated.
    """
    with view.gather() as facts:
        infantry = [unit for unit in garrison_units(facts) if facts.word("arm", unit.id) == "infantry"]
        return count([_read_guard(facts, unit) for unit in infantry])


def steps_of_leaving(view: View, after: View) -> Iterator[Step]:
    """Yield a warning if the garrison is too weak once units have left it, if its strength is known.

    It may be too weak until the end of its side's movement phase.

    `view`, `after`: the position before and after the units leave.

    Rule: 24.1.1
    """
    strength = if_known(after, lambda _: read_strength(after))
    if strength is None or shortfall(strength).is_none or not in_campaign(view, "24.1.1", COMPLETED_TEXT):
        return
    text = (
        f"short by {{short_by:+}}: {{divisions}} of {MIN_DIVISIONS} divisions, {{steps}} of {MIN_STEPS} infantry steps, "
        f"{{at_warsaw}} of {MIN_STEPS_AT_WARSAW} of them near Warsaw; that must be made up by the end of the Russian movement phase"
    )
    yield step("24.1.1", text, strength, short_by=tuple(format_shortfall(shortfall(strength))))


def completion(view: View) -> Iterator[Change]:
    """Yield the change that records that the garrison has been complete. Rule: 24.1.1b"""
    if not view.flag(COMPLETE):
        yield changed(view, COMPLETE, "", True, "24.1.1")


def is_place_of_garrison(facts: Gather, hex: str) -> bool:
    """Return whether units of the garrison may end their movement in a hex.

    These are the hexes of the Fortress Complexes of Warsaw and Novo-Georgievsk, and Zegrze. Unstated complexes of
    fortress units are asked for.

    Rule: 24.1.2
    """
    return hex in HEXES or any(known_inside(facts, hex, centre) for centre in COMPLEXES)


def bars_garrison_end(facts: Gather, unit: str, hex: str) -> Step | None:
    """Return the bar to a unit of the garrison ending its movement in a hex, or None.

    The bar holds only in the campaign.

    Rule: 24.1.2
    """
    outside = not is_place_of_garrison(facts, hex)
    text = (
        "{unit} belongs to the Warsaw Garrison, and ends its movement only in the complexes of Warsaw and "
        "Novo-Georgievsk, or in Zegrze"
    )
    bars = holding([(outside and in_campaign(facts, "24.1.2", KEPT_IN_TEXT), "24.1.2", text)], unit=unit)
    return bars[0] if bars else None


def is_leaving(view: View, unit: str, before: str, after: str) -> bool:
    """Return whether a combat unit would leave the garrison before it has been complete, in the campaign.

    `before`, `after`: the unit's army before and after its change of attachment.

    Raises MissingFacts if the strength of the garrison is not stated.

    Rule: 24.1.1b
    """
    leaves = before == WARSAW_GARRISON and after != WARSAW_GARRISON and view.word("arm", unit) in COMBAT_ARMS
    if not leaves or view.flag(COMPLETE):
        return False
    if not in_campaign(view, "24.1.1", LOCKED_TEXT):
        return False
    return is_locked(shortfall(read_strength(view)), complete=False)
