"""What a retreat costs: zones of control, rivers, mountains, hexes not retreated, and the distance from supply (11.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.field import HexOption
from assistant.questions import View, note, step

from ..combat.engagement import Cause
from ..forces.sharing import bearers
from ..forces.units import Force
from ..terms import BUKOWINA_BOX, DEPOTS


def supply_charges(
    view: View, sources: Sequence[str], name: str, ends: tuple[str, str], hexes: tuple[int, int], *, fortress: bool
) -> tuple[Charge, ...]:
    """What a Force pays that ends its retreats farther from every supply source of its command, as far as these are known.

    sources: their hexes; name: of the Force; ends: the hex where it was in the combat, and where it stands now; hexes: that it had to
    retreat by combat results, and away from a Repulse; fortress: whether a friendly fortress unit stands where it ends.
    Rule: 11.2.3
    """
    if sum(hexes) < 2:
        return ()
    if not view.board.is_hex(ends[1]):
        text = "{unit} ends off the map in the {box}, where it is In Supply: no distance from its supply sources is measured"
        view.presume(step("23.4", text, unit=name, box=ends[1]))
        return ()
    if not view.word("army", name) and any(view.word("arm", unit.id) in DEPOTS for unit in view.units()):
        view.presume(step("11.2.3", "the army of {unit} is not stated, so its depots are left out", unit=name))
    if not sources:
        text = "no supply source of {unit}'s command is known: whether it ends farther from all is left to the players"
        view.presume(step("11.2.3", text, unit=name))
        return ()
    before, after = ([view.board.distance(source, end) for source in sources] for end in ends)
    doubtful = not fortress and is_farther(before, after, "nearest") and not is_farther(before, after)
    charged = farther_from_supply(before, after, sum(hexes), fortress, view.ruling("away-from-supply", doubtful))
    spared = charged and hexes[0] < 2 and view.ruling("repulsed-from-supply") == "spared"
    return () if spared else charged


def worn(force: Force, costs: Sequence[Charge]) -> Force | None:
    """A Force with the levels that its way has cost it, None if nothing is left of it. Its owner still chooses who bears the steps."""
    lost = suffered(force, costs)
    if lost.eliminated:
        return None
    units = (replace(unit, levels=unit.levels + lost.levels) if unit.formation else unit for unit in force.units)
    return Force(force.name, tuple(unit for unit in units if unit.id not in lost.guns))


MOUNTAIN_GUNS = frozenset({"GAR.3", "GAR.8", "GAR.14"})
"""The artillery units that retreat over mountains."""
LEVELS = 3
"""The last unoccupied hex in an EZOC that is a level beyond doubt (11.2.5)."""
SOURCES = {"every": "every", "nearest": "the nearest"}
EZOC = "11.2.5"
"""The rule of what EZOCs cost."""


class RetreatHex(HexOption, frozen=True, kw_only=True):
    """A hex next to the one that the stack stands in now."""

    zone: Annotated[bool, note("whether it is in an EZOC with no friendly unit")] = False
    river: Annotated[bool, note("whether an un-bridged Major or Grand River is crossed, a ferry included")] = False
    mountains: Annotated[bool, note("whether artillery is lost in mountains, along no road or RR line")] = False
    distance: Annotated[int, note("hexes from the hex that is left")] = 0
    in_area: Annotated[bool | None, note("whether it is in its army's Area of Attachment, null if not stated")] = None
    friendly: Annotated[bool | None, note("whether the side controls it, null if not stated")] = None
    to_supply: Annotated[int, note("hexes to the nearest supply source of its commands, 0 if none is known")] = 0
    unsaid: Annotated[tuple[str, ...], note("what is not stated and assumed to be open")] = ()

    @property
    def is_safe(self) -> bool:
        """Whether it is the Holding Box, where a retreat ends however many hexes were owed. Rule: 23.4.1"""
        return self.hex == BUKOWINA_BOX


class Charge(msgspec.Struct, frozen=True):
    """What one thing on the way costs each Force of the stack."""

    rule: Annotated[str, note("the rule that costs it")]
    why: Annotated[str, note("what costs it, with the hex")]
    levels: Annotated[int, note("Combat Effectiveness Levels")] = 0
    steps: Annotated[int, note("steps")] = 0
    guns: Annotated[bool, note("whether all artillery units are eliminated")] = False
    mountains: Annotated[bool, note("whether artillery units are that cannot go over mountains")] = False


class ForceRetreat(msgspec.Struct, frozen=True):
    """What the retreat costs a Force."""

    force: Annotated[str, note("the Force, named by its first unit")]
    levels: Annotated[int, note("Combat Effectiveness Levels that it loses")] = 0
    steps: Annotated[int, note("steps that it loses, those instead of levels included")] = 0
    guns: Annotated[tuple[str, ...], note("artillery units eliminated")] = ()
    eliminated: Annotated[bool, note("whether nothing is left of it, or only artillery")] = False
    zones: Annotated[int, note("unoccupied hexes in EZOCs that it has entered")] = 0
    converted: Annotated[int, note("levels that it could not lose and that became steps")] = 0


def charges(way: Sequence[RetreatHex], levels: str = "one", earlier: int = 0) -> tuple[Charge, ...]:
    """What the hexes of a way cost, in order.

    The first unoccupied hex in an EZOC is a level; the second a level, a step and all artillery; the third a level and a step;
    each further one a step. An un-bridged Major or Grand River is a level and all artillery, mountains are the artillery.

    levels: what the third and all further hexes in EZOCs cost, "one" together or one "each"; earlier: unoccupied hexes in EZOCs
    that count from an earlier retreat. Rule: 11.2.4b, 11.2.4c, 11.2.5b, 11.2.5c, 11.2.5d
    """
    found, zones = [], earlier
    for entered in way:
        if entered.river:
            why = f"over an un-bridged Major or Grand River into {entered.hex}"
            found.append(Charge("11.2.4", why, levels=1, guns=True))
        if entered.mountains:
            found.append(Charge("11.2.4", f"through mountains into {entered.hex}", mountains=True))
        if entered.zone:
            zones += 1
            why, level = f"{entered.hex}, unoccupied hex no. {zones} in an EZOC", zones <= LEVELS or levels == "each"
            found.append(Charge(EZOC, why, int(level), steps=int(zones >= 2), guns=zones == 2))
    return tuple(found)


class Unable(NamedTuple):
    """What becomes of a Force that cannot retreat all its hexes. surrenders: whether it is eliminated; costs: what it suffers else."""

    surrenders: bool = False
    costs: tuple[Charge, ...] = ()


def unable_to_retreat(owed: int, way: Sequence[RetreatHex], cause: Cause, before: int = 0) -> Unable:
    """What becomes of a Force that can go no farther: it surrenders if the Combat Results Table makes it retreat and it has not retreated
    even one hex, or else loses a step and a level for each hex that lacks; none lacks once it is in the Holding Box.

    owed: hexes that it still had to retreat at the start of the way; way: the hexes entered; before: those that it had retreated earlier by
    the same result. Rule: 11.2.6a, 11.2.6b
    """
    short = owed - len(way)
    if short <= 0 or (way and way[-1].is_safe):
        return Unable()
    if cause == "crt" and not way and not before:
        return Unable(surrenders=True)
    return Unable(costs=(Charge("11.2.6", f"{short} of {owed} hexes not retreated", levels=short, steps=short),))


def spared(costs: Sequence[Charge]) -> tuple[Charge, ...]:
    """What charges cost units that were withheld from the combat: only those of EZOCs count. Rule: 10.1.5f"""
    return tuple(charge for charge in costs if charge.rule == EZOC)


def paid_by(force: Force, costs: Sequence[Charge]) -> tuple[Charge, ...]:
    """Charges as a Force pays them, in order. A level is a step for lone Asset Units, and for a Force that is Demoralized from the start or
    on the way. Rule: 11.2.4b, 11.2.4c, 11.2.5a, 6.4.2
    """
    formation, paid = force.formation, list[Charge]()
    can = 4 - formation.levels if formation and not formation.disorder else 0
    for charge in costs:
        levels = min(charge.levels, can)
        can -= levels
        paid.append(replace(charge, levels=levels, steps=charge.steps + charge.levels - levels))
    return tuple(paid)


def suffered(force: Force, costs: Sequence[Charge]) -> ForceRetreat:
    """What charges cost a Force in all. Rule: 11.2.4b, 11.2.4c, 11.2.5a, 6.4.2"""
    paid = paid_by(force, costs)
    levels, steps = sum(charge.levels for charge in paid), sum(charge.steps for charge in paid)
    left = sum(unit.left for unit in bearers(force))
    guns = [unit.id for unit in force.units if unit.arm == "artillery"]
    lost = [gun for gun in guns if any(one.guns or (one.mountains and gun not in MOUNTAIN_GUNS) for one in costs)]
    zones = sum(charge.rule == EZOC for charge in costs)
    converted = sum(charge.levels for charge in costs) - levels
    return ForceRetreat(force.name, levels, min(steps, left), tuple(lost), steps >= left, zones, converted)


def is_farther(before: Sequence[int], after: Sequence[int], sources: str = "every") -> bool:
    """Whether "every" supply source is farther, or only the "nearest". before, after: hexes to each, in one order."""
    if sources == "nearest":
        return bool(before) and min(after) > min(before)
    return bool(before) and all(now > then for then, now in zip(before, after, strict=True))


def farther_from_supply(
    before: Sequence[int], after: Sequence[int], owed: int, in_fortress: bool, sources: str = "every"
) -> tuple[Charge, ...]:
    """The level that a Force loses which had to retreat two hexes or more and stands farther from its supply sources.

    before, after, sources: as in `is_farther`; in_fortress: whether it ends with a friendly fortress unit. Rule: 11.2.3, 12.1.1
    """
    if owed < 2 or in_fortress or not is_farther(before, after, sources):
        return ()
    return (Charge("11.2.3", f"farther from {SOURCES[sources]} supply source of its command", levels=1),)
