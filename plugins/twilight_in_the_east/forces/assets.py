"""A unit as attachment sees it: its record on a display, the area it stands in, and the formation of an Asset Unit (6.1.1, 6.4.1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from assistant.field.standing import side_of
from assistant.questions.report import Ask
from assistant.questions.view import Gather
from assistant.state.state import Unit

from ..terms import COMBAT_ARMS, FORTRESSES
from .armies import GARRISONS, Fault, areas, army_of, chain, side_of_army
from .units import corps_of, is_asset


class Placed(NamedTuple):
    """A unit in play.

    place: its hex, "" in a box; army: that it is recorded with, by its side and name, "" for none; corps: the track that it is on, "" if independent; own_corps:
    that its ID names; area: the army of its side in whose area it stands; train: whether it is a Corps Train; member: whether a
    display records it: formations and Corps Trains; asset: whether it is an Asset Unit; chosen: the formation that its owner
    attaches an Asset Unit to; joined: the formation in its hex that this one is a part of; of_corps: the army of its corps, if that
    and not its area decides (ruling corps-or-area).
    """

    id: str
    nation: str
    side: str
    arm: str
    size: str
    place: str
    army: str
    corps: str
    own_corps: str
    area: str
    train: bool = False
    member: bool = False
    asset: bool = False
    entrained: bool = False
    cavalry_corps: bool = False
    chosen: str = ""
    joined: str = ""
    of_corps: str = ""


class Lone(NamedTuple):
    """An Asset Unit that stands without a formation. army: of its formation; nearest: the formations that are equally near to it."""

    id: str
    army: str
    nearest: tuple[str, ...]


def gather_placed(facts: Gather, drawn: Mapping[str, frozenset[str]], unit: Unit) -> Placed:
    """A unit with what attachment needs of it. drawn: the areas that are stated."""
    arm, side = facts.word("arm", unit.id), side_of(facts, unit)
    size = facts.word("size", unit.id) if arm in COMBAT_ARMS else ""
    asset = is_asset_unit(facts, unit.id)
    train = arm == "corps-train"
    inside = [army for army, hexes in drawn.items() if side_of_army(army) == side and unit.place in hexes]
    chosen = facts.word("with", unit.id) if asset else ""
    return Placed(
        id=unit.id,
        nation=facts.word("nation", unit.id),
        side=side,
        arm=arm,
        size=size,
        place=unit.place if unit.place and facts.view.board.is_hex(unit.place) else "",
        army=army_of(facts.view, unit.id),
        corps=chain(facts.view, unit.id)[0],
        own_corps="" if train else corps_of(unit.id),
        area=inside[0] if len(inside) == 1 else "",
        train=train,
        member=train or (not asset and arm in COMBAT_ARMS),
        asset=asset,
        entrained=facts.flag("entrained", unit.id),
        cavalry_corps=train and facts.flag("cavalry-corps", unit.id),
        chosen=chosen,
        joined=formation_with(facts, unit, chosen) if asset else "",
    )


def is_asset_unit(facts: Gather, name: str) -> bool:
    """Whether a unit is an Asset Unit; the size matters of combat units only (6.4)."""
    arm = facts.word("arm", name)
    return is_asset(arm, facts.word("size", name) if arm in COMBAT_ARMS else "", facts.flag("asset", name))


def formation_with(facts: Gather, unit: Unit, chosen: str) -> str:
    """The formation of its own nation in its hex that an Asset Unit is a part of, "" if there is none."""
    formations = formations_beside(facts, unit)
    return chosen if chosen in formations else next(iter(formations), "")


def formations_beside(facts: Gather, unit: Unit) -> list[str]:
    """The formations of its own nation in an Asset Unit's hex, top of the stack first."""
    return [
        other.id
        for other in facts.view.stack(str(unit.place))
        if facts.word("arm", other.id) in COMBAT_ARMS
        and facts.word("nation", other.id) == facts.word("nation", unit.id)
        and not is_asset_unit(facts, other.id)
    ]


def by_area(one: Placed) -> str:
    """The army that a unit without a record belongs to by the area in which it stands; units in Rail Mode and fortresses to none."""
    return "" if one.entrained or one.arm in FORTRESSES else one.area


def led_from_elsewhere(placed: Sequence[Placed]) -> dict[str, str]:
    """The formations without a record that stand in the area of one army, while the Corps Train of their corps is with another:
    each with that army."""
    trains = {(one.nation, one.corps): one.army or by_area(one) for one in placed if one.train and one.corps}
    found = {}
    for one in placed:
        army = trains.get((one.nation, one.corps), "") if one.member and not one.train and not one.army else ""
        if army and by_area(one) not in ("", army):
            found[one.id] = army
    return found


def misplaced(one: Placed) -> Fault | None:
    """A unit that stands in the area of another army of its side, which is put right as soon as may be; garrisons may stand in any.

    Rule: 6.1.1d
    """
    army = one.army or one.of_corps
    if not army or army in GARRISONS or by_area(one) in ("", army):
        return None
    why = f"it is with {army} and stands in the area of {one.area}: it should leave or change its army as soon as may be, and "
    why += "enters no hex next to an enemy outside the area of its army"
    return Fault("6.1.1", one.id, why, tolerated=True)


def foreign_formation(one: Placed, placed: Sequence[Placed]) -> Fault | None:
    """An Asset Unit that is attached to a formation of another nation.

    Rule: 6.2.4b
    """
    chief = next((other for other in placed if other.id == one.chosen), None)
    if not one.asset or chief is None or chief.nation == one.nation:
        return None
    return Fault("6.2.4", one.id, f"{chief.id} is of another nation, and an Asset Unit joins its own only")


def lone_assets(
    placed: Sequence[Placed], distance: Callable[[str, str], int], *, unsaid: bool = False
) -> tuple[Lone, ...]:
    """Each Asset Unit that stands without a formation, with the nearest formations of its nation in its army.

    Its army is that in whose area it stands, or that it is recorded with where no area is stated; formations stand in the same
    area, or are recorded with the same army. distance: between two hexes; unsaid: whether a formation counts too where nobody
    says of which army it or the Asset Unit is.
    """
    formations = [one for one in placed if one.member and not one.train]
    found = []
    for one in placed:
        if not one.asset or one.joined or not one.place:
            continue
        army = one.area or one.army
        kin = [other for other in formations if other.place and other.nation == one.nation]
        near = {
            other.id: distance(one.place, other.place)
            for other in kin
            if (army and (other.area or other.army) == army) or (unsaid and not (army and (other.area or other.army)))
        }
        nearest = tuple(name for name, far in near.items() if far == min(near.values()))
        found.append(Lone(one.id, army, (one.chosen,) if one.chosen in nearest else nearest))
    return tuple(found)


def nearest_formations(facts: Gather, unit: Unit, *, unsaid: bool = False) -> tuple[str, ...]:
    """The formations to one of which an Asset Unit that stands without one is attached; none for any other unit."""
    view = facts.view
    if not is_asset_unit(facts, unit.id) or not unit.place:
        return ()
    kin = [
        other
        for other in view.units()
        if other.place and facts.word("nation", other.id) == facts.word("nation", unit.id)
    ]
    drawn = areas(view)
    placed = [gather_placed(facts, drawn, other) for other in kin]
    alone = lone_assets(placed, view.board.distance, unsaid=unsaid)
    return next((one.nearest for one in alone if one.id == unit.id), ())


def attaching(facts: Gather, unit: Unit) -> Unit:
    """The formation to which an Asset Unit that stands without one is attached, as far as that is known; any other unit itself.

    Where several are equally near, its owner is asked for one.

    Rule: 6.4.1b
    """
    nearest = nearest_formations(facts, unit)
    if len(nearest) > 1:
        ask_which(facts, unit, nearest)
    return facts.view.unit(nearest[0]) if nearest else unit


def corps_of_nearest(facts: Gather, unit: Unit) -> str:
    """The corps of the formation to which an Asset Unit that stands without one is attached, "" if that is independent or there
    is none. Where formations of several corps are equally near, its owner is asked for one.

    Rule: 6.4.1b
    """
    nearest = nearest_formations(facts, unit, unsaid=True)
    corps = dict.fromkeys(chain(facts.view, name)[0] for name in nearest)
    if len(corps) > 1:
        ask_which(facts, unit, nearest)
    return next(iter(corps), "")


def ask_which(facts: Gather, unit: Unit, nearest: Sequence[str]) -> None:
    """Ask the owner of an Asset Unit to which of the formations that are equally near it is attached."""
    how = facts.view.game.track("with").how_to_state(unit.id)
    title = f"which formation {unit.id} is attached to, of {', '.join(nearest)}"
    key = ("with", unit.id)
    facts.ask(Ask(kind="fact", name=how, rule="6.4.1", title=title, how=how, takes=" or ".join(nearest), key=key))
