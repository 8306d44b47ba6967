"""What draws a retreat: the supply sources of its commands, and the areas of its armies (11.2.2, 11.2.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.questions import View, step
from assistant.state.state import Unit

from ..forces.armies import area, army_of, corps_and_army, may_draw
from ..forces.units import CombatUnit, Force
from ..terms import DEPOTS, SUPPLY_ARMS
from . import cost

Supply = Mapping[tuple[str, str], Mapping[str, tuple[Unit, str]]]
"""The supply units of a side with their arms, by id, by their corps and by their army."""


def supply_of(view: View, units: Iterable[Unit]) -> Supply:
    """The supply units among some units, by the commands that may draw on them."""
    found: dict[tuple[str, str], dict[str, tuple[Unit, str]]] = {}
    for unit in units:
        if (arm := view.word("arm", unit.id)) in SUPPLY_ARMS:
            corps, army = corps_and_army(view, unit.id)
            for key in (("corps", corps), ("army", army)):
                found.setdefault(key, {})[unit.id] = (unit, arm)
    return found


def sources_of_command(view: View, supply: Supply, corps: str, army: str) -> list[str]:
    """The hexes of the Corps Trains and the depots of a command, as far as they are known."""
    near = {**supply.get(("corps", corps), {}), **supply.get(("army", army), {})}
    drawn = (one for one, arm in near.values() if may_draw(corps, army, arm, *corps_and_army(view, one.id)))
    return [str(one.place) for one in drawn]


def sources_of(view: View, supply: Supply, forces: Iterable[Force]) -> frozenset[str]:
    """The hexes of all supply sources of the commands of some Forces, as far as they are known."""
    commands = {corps_and_army(view, force.name) for force in forces}
    return frozenset(place for command in commands for place in sources_of_command(view, supply, *command))


def areas_of(view: View, units: Sequence[CombatUnit]) -> tuple[frozenset[str] | None, ...]:
    """The Areas of Attachment of the armies of a stack, None where one is not stated; Asset Units go with their formations."""
    formations = [unit for unit in units if unit.formation] or units
    return tuple(dict.fromkeys(area(view, army_of(view, unit.id)) for unit in formations))


def supply_charges(
    view: View, sources: Sequence[str], name: str, ends: tuple[str, str], hexes: tuple[int, int], *, fortress: bool
) -> tuple[cost.Charge, ...]:
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
    doubtful = not fortress and cost.is_farther(before, after, "nearest") and not cost.is_farther(before, after)
    charged = cost.farther_from_supply(before, after, sum(hexes), fortress, view.ruling("away-from-supply", doubtful))
    spared = charged and hexes[0] < 2 and view.ruling("repulsed-from-supply") == "spared"
    return () if spared else charged
