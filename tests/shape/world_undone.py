"""The World Undone: East Prussia 1914: one combat, over one or several defending hexes (6.0 to 6.3).

A probe of the core's types, no plugin. The results tables are printed on the map and unknown; everything before them
is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec

from assistant.asking.asks import Ask, list_asks
from assistant.asking.question import Answers, PlaceName, Question, UnitName
from assistant.asking.report import MissingFacts, Part, Report, Step, Verdict
from assistant.asking.view import Gather, View
from assistant.mechanics import odds
from assistant.mechanics.odds import odds_down
from assistant.mechanics.procedure import Dice, Done, Modifier, Node, Procedure, Roll, Situation, Stuck, resolve
from assistant.mechanics.tracing import zone
from assistant.state.state import Cell, Unit, hexside
from assistant.util.errors import InputError

TERRAIN: Mapping[str, int] = {"clear": 0, "forest": 1, "swamp": 2}
SUPPLY_ROUNDING: Mapping[str, Callable[..., int]] = {"up": odds.up, "down": odds.down}
LookUp = Callable[..., Cell | None]


# --- the rules, on plain values ---------------------------------------------------------------------------------------


class Combatant(NamedTuple):
    """A unit in a combat. strength: its printed Strength Points, 0 for heavy artillery, which has a modifier instead."""

    id: str
    place: str
    strength: int
    supplied: bool
    artillery: bool = False


def strength_of(unit: Combatant, halved: Callable[..., int] = odds.up) -> int:
    """The Strength Points of one unit in combat, halved without a Line of Supply.

    Rule: 6.2
    """
    return unit.strength if unit.supplied else halved(Fraction(unit.strength, 2))


def supported(units: Sequence[Combatant]) -> tuple[Combatant, ...]:
    """The units of one side, heavy artillery that is alone in its hex counting as 1 Strength Point and no artillery.

    Rule: 3.1
    """
    accompanied = {unit.place for unit in units if not unit.artillery}
    return tuple(
        unit if not unit.artillery or unit.place in accompanied else unit._replace(strength=1, artillery=False)
        for unit in units
    )


def refusals(
    attackers: Sequence[Combatant], at: Sequence[str], neighbours: Callable[[str], Collection[str]]
) -> list[Step]:
    """Why these units may not attack these hexes in one combat; nothing if they may.

    Rule: 3.1, 6.1
    """
    found = [
        Step("6.1", "{unit} in {place} is not adjacent to {hex}", {"unit": unit.id, "place": unit.place, "hex": place})
        for unit in attackers
        for place in at
        if place not in neighbours(unit.place)
    ]
    accompanied = {unit.place for unit in attackers if not unit.artillery}
    alone = [unit.id for unit in attackers if unit.artillery and unit.place not in accompanied]
    return found + [
        Step("3.1", "{unit} may not attack without other units in its hex", {"unit": unit}) for unit in alone
    ]


def terrain_drm(terrain: Iterable[str], reading: str) -> int:
    """What woods and swamps in the defending hexes add to the die; with several hexes what all have, or any has.

    Rule: 6.3
    """
    return (min if reading == "least" else max)(TERRAIN[one] for one in terrain)


def exposed(at: Iterable[str], neighbours: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The hexes around the defending hexes, these left out.

    Rule: 6.3
    """
    at = frozenset(at)
    return frozenset(other for place in at for other in neighbours(place)) - at


def is_flanked(
    around: Collection[str],
    attackers: Collection[str],
    neighbours: Callable[[str], Iterable[str]],
    is_river: Callable[[str, str], bool],
    fortresses: Collection[str] = (),
) -> bool:
    """Whether participating attackers stand in, or have in their zones of control, every hex around the defenders.

    attackers: their hexes; fortresses: hexes of enemy ones, which no zone enters.

    Rule: 3.3, 6.3
    """
    reached = zone(attackers, neighbours, lambda here, there: there not in fortresses and not is_river(here, there))
    return (reached | set(attackers)).issuperset(around)


def modifiers(
    terrain: int, all_across_river: bool, flanked: bool, attacking_artillery: int, defending_artillery: int
) -> tuple[Modifier, ...]:
    """What is added to the die, cumulatively; more helps the defender.

    Rule: 6.3
    """
    found = (
        Modifier("6.3", "terrain", terrain),
        Modifier("6.3", "all across a river", 3 * all_across_river),
        Modifier("6.3", "flanking attack", -flanked),
        Modifier("6.3", "attacking heavy artillery", -attacking_artillery),
        Modifier("6.3", "defending heavy artillery", defending_artillery),
    )
    return tuple(one for one in found if one.amount)


# --- the die ----------------------------------------------------------------------------------------------------------


class Before(NamedTuple):
    """Before the die: the table, its column and what is added to the die."""

    chart: str
    column: str
    drm: tuple[Modifier, ...]


class After(NamedTuple):
    """The modified die."""

    chart: str
    column: str
    die: int


def combat(look_up: LookUp) -> Procedure:
    """The one roll of a combat.

    Rule: 6.0
    """

    def node(situation: Situation) -> Node:
        match situation:
            case Before(chart, column, drm):
                added = sum(modifier.amount for modifier in drm)
                title = f"{chart}, {column}"
                return Roll(
                    "combat", "6.0", title, Dice(1, 6), {"combat": drm}, lambda n: After(chart, column, n + added)
                )
            case After(chart, column, die):
                cell = look_up(chart, column, die)
                return Done({"result": str(cell.values["result"])}) if cell else Stuck((chart, (column, die)))
            case _:
                raise TypeError(f"{situation!r} is no situation of a combat")

    return node


# --- the question -----------------------------------------------------------------------------------------------------


class CombatParameters(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A combat: the attacking units, and the hexes whose defenders they attack together."""

    attackers: tuple[UnitName, ...]
    at: tuple[PlaceName, ...]


class CombatResult(msgspec.Struct, frozen=True, kw_only=True):
    """A combat before the die, and its result where the die and the table are known."""

    attack: int
    defence: int
    ratio: str
    modifiers: tuple[Modifier, ...]
    drm: int
    result: str | None = None


class Engagement(NamedTuple):
    """Everything that the rules of combat read, as plain values."""

    nation: str
    attackers: tuple[Combatant, ...]
    defenders: tuple[Combatant, ...]
    fortress: int
    terrain: tuple[str, ...]
    all_across_river: bool
    flanked: bool


def combatant(facts: Gather, unit: Unit, in_fortress: bool = False) -> Combatant:
    """A unit as combat sees it; in a fortress nobody needs a Line of Supply.

    Rule: 6.2
    """
    artillery = facts.word("arm", unit.id) == "heavy-artillery"
    strength = 0 if artillery else facts.integer("strength", unit.id)
    return Combatant(unit.id, str(unit.place), strength, in_fortress or facts.flag("supplied", unit.id), artillery)


def all_rivers(facts: Gather, view: View, sides: Collection[str]) -> bool:
    """Whether there is a river on every one of some hexsides. One known to be dry settles it, and nothing is asked for.

    `Gather` reads what is missing as dry and asks for it, so a known dry hexside has to be looked for beforehand.
    """
    known = [view.fact("river", side) for side in sides]
    if any(fact is not None and not fact.value for fact in known):
        return False
    rivers = [facts.flag("river", side) for side in sides]  # read one and all, so that every missing one is asked for
    return all(rivers)


def gather(view: View, parameters: CombatParameters) -> Engagement:
    """The combat that a state and its parameters describe.

    Raises MissingFacts with all that is missing, InputError for a hex that nobody defends.
    """
    at, neighbours = parameters.at, view.board.neighbours
    attacking = [view.unit(name) for name in parameters.attackers]
    defending = [unit for place in at for unit in view.state.stack(place)]
    hexes = dict.fromkeys(str(unit.place) for unit in attacking)
    with view.gather() as facts:
        fortresses = {place: facts.integer("fortress", place) for place in at}
        if not defending and not any(fortresses.values()):
            raise InputError(f"nobody defends {', '.join(at)}")
        sides = [hexside(here, there) for here in hexes for there in at]
        return Engagement(
            nation=facts.word("nation", attacking[0].id),
            attackers=tuple(combatant(facts, unit) for unit in attacking),
            defenders=supported([combatant(facts, unit, bool(fortresses[str(unit.place)])) for unit in defending]),
            fortress=sum(fortresses.values()),
            terrain=tuple(facts.word("terrain", place) or "clear" for place in at),
            all_across_river=all_rivers(facts, view, sides),
            flanked=gather_flanked(facts, exposed(at, neighbours), tuple(hexes), neighbours),
        )


def gather_flanked(
    facts: Gather, around: Collection[str], attackers: Sequence[str], neighbours: Callable[[str], Collection[str]]
) -> bool:
    """Whether the attack is a flanking one; rivers are asked for only if it would be one on dry ground.

    Rule: 6.3
    """
    if not is_flanked(around, attackers, neighbours, lambda here, there: False):
        return False
    fortresses = {place for place in around if facts.integer("fortress", place)}
    open_hexes = [place for place in around if place not in attackers]
    sides = {(here, there) for here in attackers for there in open_hexes if there in neighbours(here)}
    rivers = {side for side in sorted(sides) if facts.flag("river", hexside(*side))}
    return is_flanked(around, attackers, neighbours, lambda here, there: (here, there) in rivers, fortresses)


def answer(view: View, parameters: CombatParameters, answers: Answers) -> Report[CombatResult]:
    """The report on a combat: ratio and modifiers, and the result once the die is cast.

    Raises MissingFacts with the working so far where the die leads to a cell that nobody has stated.

    Rule: 6.0, 6.1, 6.2, 6.3
    """
    found = gather(view, parameters)
    refused = refusals(found.attackers, parameters.at, view.board.neighbours)
    if refused:
        verdict = Verdict("no", "this attack is not allowed: {reasons}", {"reasons": [step.text for step in refused]})
        return _report(view, verdict, (Part("Not allowed", tuple(refused)),))
    units = (*found.attackers, *found.defenders)
    halved = SUPPLY_ROUNDING[view.ruling("supply-rounding") if not all(unit.supplied for unit in units) else "up"]
    attack = sum(strength_of(unit, halved) for unit in found.attackers)
    defence = sum(strength_of(unit, halved) for unit in found.defenders) + found.fortress
    reading = view.ruling("mixed-terrain") if len(set(found.terrain)) > 1 else "least"
    drm = modifiers(
        terrain_drm(found.terrain, reading),
        found.all_across_river,
        found.flanked,
        sum(unit.artillery for unit in found.attackers),
        sum(unit.artillery for unit in found.defenders),
    )
    ratio = str(odds_down(attack, defence))
    resolved = resolve(combat(view.cell), Before(f"crt-{found.nation}", ratio, drm), answers)
    result = CombatResult(
        attack=attack,
        defence=defence,
        ratio=ratio,
        modifiers=drm,
        drm=sum(one.amount for one in drm),
        result=str(dict(resolved.notes)["result"]) if not resolved.pending else None,
    )
    figures = {name: getattr(result, name) for name in ("attack", "defence", "ratio", "drm", "result")}
    steps = [Step("6.0", "{attack} against {defence} is {ratio}", figures)]
    steps += [Step(one.rule, "{why}: {amount:+}", {"why": one.why, "amount": one.amount}) for one in drm]
    parts = (Part("Ratio and modifiers", tuple(steps)),)
    asks = tuple(list_asks(view.game, resolved.pending))
    if any(ask.kind == "cell" for ask in asks):
        raise MissingFacts(asks, parts)
    verdict = Verdict("figure", "{ratio}, {drm:+}; roll 1d6" if asks else "{ratio}, {drm:+}: {result}", figures)
    return _report(view, verdict, parts, asks, result)


def _report(
    view: View,
    verdict: Verdict,
    parts: tuple[Part, ...],
    asks: tuple[Ask, ...] = (),
    result: CombatResult | None = None,
) -> Report[CombatResult]:
    title = "Combat"
    return Report(
        game=view.game.id, question="combat", title=title, verdict=verdict, parts=parts, asks=asks, result=result
    )


QUESTION = Question(
    name="combat",
    title="the ratio and the modifiers of a combat, and its result",
    parameters=CombatParameters,
    result=CombatResult,
    answer=answer,
)
