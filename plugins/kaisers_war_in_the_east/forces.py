"""Units as plain values, stacking limits, and the corps that replace armies.

Rules 2.4, 2.5, 10.0, 10.1, 10.6, 12.1, 14.16 and 21.1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from typing import Annotated, Any

import msgspec

from assistant.asking import Gather, Step, View, holding, note, step
from assistant.rules.field.movement import bring_unit
from assistant.state.changes import AnyChange, Change, Gain
from assistant.state.state import Unit
from assistant.state.vocabulary import Nation, UnitId, UnitSize, UnitType

from . import terms

MAY_PRINT_NONE = (terms.FORTRESS, terms.SUPPLY, terms.HEADQUARTERS, terms.AIRBASE)
"""The unit types whose attack or movement factor may be 0 or in brackets."""
FACTORS = ("attack", "defence", "movement")
"""The factors on a counter (2.4)."""
MAX_CORPS = 3
"""The maximum number of corps in a hex without an army (12.1)."""
SUD_CORPS = ("german", "austro-hungarian")
"""The nations of the corps of the Sud Army (21.1)."""
NATIONS_WITHOUT_CORPS = ("romanian", "bolshevik")
"""The nations whose armies have no corps (10.6, 14.16)."""
SHORT_NAMES = {
    "german": "Ger",
    "austro-hungarian": "AH",
    "bulgarian": "Bul",
    "turkish": "Turk",
    "russian": "Rus",
    "romanian": "Rom",
    "infantry": "inf",
    "cavalry": "cav",
}
"""The short names of nations and unit types in the roster's ids."""


class Formation(msgspec.Struct, frozen=True, kw_only=True):
    """A unit with the values of the side of its counter that is up."""

    id: UnitId
    nation: Nation
    arm: UnitType
    size: UnitSize
    place: Annotated[str, note("the place of the unit")]
    attack: Annotated[int, note("attack factor, or support strength of a Headquarters")] = 0
    defence: Annotated[int, note("defence factor")] = 0
    movement: Annotated[int, note("movement factor")] = 0
    support: Annotated[bool, note("whether its attack factor only supports attacks")] = False

    @property
    def is_army(self) -> bool:
        """Whether results of combat count the unit as an army. Rule: 14.15"""
        return self.size in terms.ARMIES

    @property
    def is_shock(self) -> bool:
        """Whether the unit allows the Shock table."""
        return self.arm in terms.SHOCK


def describe_newcomer(view: View, unit: Formation, rule: str) -> Iterator[Change]:
    """Yield the changes that state the values of a unit that neither the position nor the roster has."""
    if unit.id not in view.state.units and unit.id not in view.game.roster:
        for track in ("nation", "arm", "size"):
            yield Change(track, unit.id, None, getattr(unit, track), rule)


def formation(facts: Gather, unit: Unit, *, fights: bool = True, factors: Collection[str] = FACTORS) -> Formation:
    """Return a unit with the values on the face-up side of its counter.

    `fights`: whether the unit's factors are needed at all; if not, all are 0.
    `factors`: the factors that are needed; others are 0.

    Rule: 2.4, 2.5, 2.7
    """
    nation = facts.word("nation", unit.id)
    arm = facts.word("arm", unit.id)
    size = facts.word("size", unit.id)
    kind = Formation(id=unit.id, place=str(unit.place), nation=nation, arm=arm, size=size)
    if not fights:
        return kind
    read: dict[str, Any] = {name: facts.integer(name, unit.id) for name in factors if needs_factor(name, arm)}
    support = arm in (terms.HEADQUARTERS, terms.AIRBASE) or facts.flag("support", unit.id)
    return msgspec.structs.replace(kind, support=support, **read)


def formation_taken(facts: Gather, unit: Unit, needed: Collection[str], doubtful: Collection[str] = ()) -> Formation:
    """Return a unit's stated values; unstated attack and movement factors are assumed to be 1.

    `needed`: the factors that are asked for if they are not stated.
    `doubtful`: the factors asked for only if the unit may print 0 or brackets. Nothing is assumed for such a unit.

    `note_granted_factors` notes the assumptions.
    """
    view = facts.view
    may_be_none = facts.word("arm", unit.id) in MAY_PRINT_NONE
    asked = {*needed}
    if may_be_none:
        asked.update(doubtful)
    stated = {name for name in FACTORS if view.fact(name, unit.id)}
    stated_values = formation(facts, unit, factors=[name for name in FACTORS if name in asked | stated])
    taken = () if may_be_none else {"attack", "movement"} - asked - stated
    return msgspec.structs.replace(stated_values, **dict.fromkeys(taken, 1))


def note_granted_factors(view: View, units: Iterable[str], factor: str) -> None:
    """Note the units for which a factor was assumed to be 1 or more."""
    for unit in units:
        if view.word("arm", unit) not in MAY_PRINT_NONE:
            text = f"{{units}} assumed to have a {factor} factor of 1 or more (not stated)"
            view.granted(factor, unit, 1, "2.4", text)


def needs_factor(factor: str, arm: str) -> bool:
    """Return whether a unit type has a factor.

    Fortresses and supply units do not attack, and fortresses do not move.
    """
    if factor == "attack":
        return arm not in (terms.FORTRESS, terms.SUPPLY)
    return not (factor == "movement" and arm == terms.FORTRESS)


def kind_of(arm: str, size: str) -> str:
    """Return the kind of a unit in the charts: headquarters, army, abteilung, corps, fortress, supply or other.

    Rule: 2.5
    """
    if arm in (terms.HEADQUARTERS, terms.FORTRESS, terms.SUPPLY):
        return arm
    if arm in (terms.TRAIN, terms.AIRBASE):
        return "other"
    return {terms.ARMY: "army", terms.ABTEILUNG: "abteilung", terms.CORPS: "corps"}.get(size, "other")


def is_within_limits(units: Iterable[Formation]) -> bool:
    """Return whether units may end a phase in one hex.

    A hex holds one army or Headquarters, or three corps; besides, one supply unit, one fortress, and one armoured
    train, shock corps or tank. Units smaller than a corps count as corps.

    Rule: 12.1/1, 12.1/2, 12.1/3, 12.1/4
    """
    held = Counter(_find_slot(unit) for unit in units)
    if max(held["supply"], held["fortress"], held["train"]) > 1:
        return False
    besides = 0 if held["train"] else min(held["shock"], 1)
    corps = held["corps"] + held["shock"] - besides
    return held["army"] <= 1 and corps <= (0 if held["army"] else MAX_CORPS)


def has_room(facts: Gather, at: str, *entering: Formation) -> bool:
    """Return whether a hex is within the stacking limits, including units that enter it. Rule: 12.2"""
    return is_within_limits([*(formation(facts, unit, fights=False) for unit in facts.view.stack(at)), *entering])


def _find_slot(unit: Formation) -> str:
    if unit.arm in (terms.SUPPLY, terms.FORTRESS):
        return unit.arm
    if unit.arm in (terms.TRAIN, "tank"):
        return "train"
    if unit.is_army or unit.arm == terms.HEADQUARTERS:
        return "army"
    return "shock" if unit.arm == "shock" else "corps"


# --- armies, and the corps that take their place ----------------------------------------------------------------------


def chart_key(nation: str, arm: str, size: str) -> tuple[str, str]:
    """Return the line of the Reorganization Chart for an army."""
    return nation, "abteilung" if size == terms.ABTEILUNG else f"{arm}-army"


def is_alone(nation: str) -> bool:
    """Return whether the armies of a nation have no corps, so that they never break down. Rule: 10.6"""
    return nation in NATIONS_WITHOUT_CORPS


def breaks_down(unit: Formation) -> bool:
    """Return whether a unit breaks down instead of being eliminated: armies and Abteilungen with corps do.

    Rule: 10.6, 14.16, 17.8
    """
    return unit.is_army and not is_alone(unit.nation)


def corps_of(facts: View | Gather, army: Formation) -> tuple[str, ...] | None:
    """Return the nation of each corps into which an army breaks down, or None if the chart is not known.

    Rule: 10.0, 10.1, 21.1, ROC/chart
    """
    if army.id == terms.SUD:
        return SUD_CORPS
    cell = facts.cell("reorganization", *chart_key(army.nation, army.arm, army.size))
    return None if cell is None else (army.nation,) * int(str(cell.values["corps"]))


def corps_needed(facts: Gather, unit: Formation) -> tuple[str, ...]:
    """Return the nation of each corps into which a unit breaks down, or () if it does not break down.

    The chart is asked for.
    """
    return (corps_of(facts, unit) or ()) if breaks_down(unit) else ()


AtHand = Mapping[tuple[str, str], Sequence[str]]
"""The ids of the corps that can take the place of armies, in order, by nation and type."""


def corps_at_hand(view: View, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the corps off the map that can replace armies: those of the position, the roster, then new ones.

    The track `spare-corps` limits infantry.

    Rule: 10.1, 14.16
    """
    at_hand = {}
    for (nation, arm), number in Counter(wanted).items():
        spare = _count_spare_corps(view, nation, arm)
        most = number if spare is None else min(number, spare)
        ids = chain(waiting_corps(view, nation, arm), _name_new_corps(view, nation, arm))
        at_hand[nation, arm] = tuple(islice(ids, most))
    return at_hand


def available_corps(
    army: Formation, nations: Iterable[str], at_hand: AtHand, used: Collection[str] = ()
) -> tuple[Formation, ...]:
    """Return the corps that replace an army, as many as are at hand.

    `used`: the ids of corps given to other armies.

    Rule: 10.1, 14.16
    """
    corps = dict[str, Formation]()
    for nation in nations:
        free = (name for name in at_hand.get((nation, army.arm), ()) if name not in used and name not in corps)
        if (name := next(free, None)) is not None:
            corps[name] = Formation(id=name, nation=nation, arm=army.arm, size=terms.CORPS, place=army.place)
    return tuple(corps.values())


def _count_spare_corps(view: View, nation: str, arm: str) -> int | None:
    stated = view.fact("spare-corps", nation) if arm == terms.INFANTRY else None
    return None if stated is None else int(str(stated.value))


def bars_by_counters(view: View, wanted: Iterable[tuple[str, str]]) -> Iterator[Step]:
    """Yield the reasons why corps cannot enter the map: the position counts too few off it. Rule: 9.5"""
    for (nation, arm), number in Counter(wanted).items():
        spare = _count_spare_corps(view, nation, arm)
        clauses = (
            (spare == 0, "9.5", "no {nation:title} {arm} corps is off the map"),
            (
                spare and spare < number,
                "9.5",
                "{wanted} {nation:title} {arm} corps are needed, but only {spare} off the map",
            ),
        )
        yield from holding(clauses, wanted=number, nation=nation, arm=arm, spare=spare)


def waiting_corps(view: View, nation: str, arm: str) -> list[str]:
    """Return the ids of the corps of a nation and type off the map, those in the position first."""
    kind = {"nation": nation, "arm": arm, "size": terms.CORPS}
    off = (unit.id for unit in view.units() if unit.place in (None, terms.AVAILABLE, terms.DEAD_PILE))
    named = [name for name in off if all(view.word(track, name) == word for track, word in kind.items())]
    others = {name: row for name, row in view.game.roster.items() if name not in view.state.units}
    printed = {name: {track: known[0].value for track, known in row.items() if known} for name, row in others.items()}
    return named + [name for name, row in printed.items() if kind.items() <= row.items()]


def _name_new_corps(view: View, nation: str, arm: str) -> Iterator[str]:
    known = {name.casefold() for name in (*view.game.roster, *view.state.units)}
    stem = f"{SHORT_NAMES.get(nation, nation.title())}-{SHORT_NAMES.get(arm, arm)}"
    numbered = (f"{stem}-{number}" for number in count(1))
    return (name for name in numbered if name.casefold() not in known)


def place_corps(view: View, corps: Collection[Formation], rule: str) -> Iterator[AnyChange]:
    """Yield the changes by which corps replace a unit. Rule: 10.1, 14.16, 21.1"""
    for formation in corps:
        yield bring_unit(view, formation.id, formation.place, rule, on_top=True)
        yield from describe_newcomer(view, formation, rule)
    yield from count_off(view, corps, -1, rule)


def count_off(view: View, units: Iterable[Formation], by: int, rule: str) -> Iterator[AnyChange]:
    """Yield the changes in the count of corps off the map, if the position has a count.

    `by`: -1 if units enter the map, 1 if they leave it.
    """
    corps = Counter((unit.nation, unit.arm) for unit in units if unit.size == terms.CORPS)
    for (nation, arm), number in corps.items():
        spare = _count_spare_corps(view, nation, arm)
        if spare is not None and (amount := max(by * number, -spare)):
            yield Gain("spare-corps", nation, amount, rule)


def note_presumed_corps(view: View, corps: Iterable[Formation]) -> None:
    """Note the corps that are assumed to be off the map."""
    unnamed = [formation for formation in corps if formation.id not in view.state.units]
    uncounted = [
        formation for formation in unnamed if _count_spare_corps(view, formation.nation, formation.arm) is None
    ]
    nations = sorted({formation.nation for formation in uncounted if formation.arm == terms.INFANTRY})
    others = sorted({(formation.nation, formation.arm) for formation in uncounted if formation.arm != terms.INFANTRY})
    if nations:
        text = "enough {nations:title} corps are assumed to be off the map (if not, state spare-corps)"
        view.premises.assume(step("14.16", text, nations=nations))
    for nation, arm in others:
        view.premises.assume(
            step("14.16", "enough {nation:title} {arm} corps are assumed to be off the map", nation=nation, arm=arm)
        )
