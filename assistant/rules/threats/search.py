"""The units that can come next to a hex, and the worst attack on it in the position after their moves.

The game's own rules decide both. Units are placed by strength where an attack is hampered least, once massed and once
around the defender. The worse of the two is a legal attack; a larger one may exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any, NamedTuple

from msgspec.structs import replace

from ...asking.asks import Ask, sort_as_printed
from ...asking.report import MissingFacts
from ...asking.view import View, changed, moment
from ...game.course import course_file
from ...state.changes import Change
from ...state.tracks import Value
from ...util.errors import InputError, MachineError
from ...util.limits import Limit, TooMuch
from ..field.movement import HexWithinReach, Reach
from ..supply_lines import SEEN_SUPPLY
from .terms import (
    Approach,
    Attacker,
    ColumnReached,
    Danger,
    HexThreat,
    NextAttack,
    Phases,
    PossibleAttack,
    PossibleAttacks,
    ThreatAsked,
    ThreatAttack,
    ThreatRules,
)

MIN_COMERS = 1
"""The minimum number of coming units to which they are reduced by halves if there are too many ways to attack."""


def next_moment(view: View, enemy: str, phases: Phases) -> NextAttack:
    """Return the next moment at which a side attacks in its own player turn.

    The side moves first unless its movement phase is over. If neither phase nor side is stated, the position itself
    counts, unless it holds facts that end with their phase.

    Raises MissingFacts if only one of the two is stated and the other matters.
    """
    phase, phasing = moment(view)
    if not phase and not phasing:
        tracks = view.game.tracks
        if not any(name in tracks and tracks[name].is_passing for name, _ in view.state.facts):
            return NextAttack({}, {})
        enemy_turn: dict[str, Value] = {"phasing": enemy}
        return NextAttack({**enemy_turn, "phase": phases.moves[0]}, {**enemy_turn, "phase": phases.attacks[0]})
    with view.gather() as facts:
        if phasing in ("", enemy):
            phase = facts.word("phase")
            phasing = facts.word("phasing")
    words = list(phases.words)
    if phasing == enemy and phase in words:
        now = words.index(phase)
        for attack in (word for word in words[now:] if word in phases.attacks):
            march = next((word for word in words[now : words.index(attack)] if word in phases.moves), None)
            return NextAttack({"phase": march} if march else None, {"phase": attack})
    next_turn: dict[str, Value] = {"phasing": enemy}
    order = course_file(view.game).turns.order
    turn = view.value("turn")
    if isinstance(turn, int) and phase in words and order.index(enemy) <= order.index(phasing):
        next_turn["turn"] = turn + 1
    return NextAttack({**next_turn, "phase": phases.moves[0]}, {**next_turn, "phase": phases.attacks[0]})


def _list_moment_changes(view: View, values: Mapping[str, Value]) -> Iterator[Change]:
    """Yield the changes to another moment of the game: its stated tracks, and the facts that end with them.

    The supply that players see on their map stays, because no unit has moved.
    """
    game = view.game
    became = {
        name: value for name, value in values.items() if view.value(name) != value and _is_allowed(view, name, value)
    }
    for name, value in became.items():
        if view.value(name) is not None:
            yield changed(view, name, "", value, "")
    if became:
        for track, subject in [*view.state.facts]:
            if track not in (*became, SEEN_SUPPLY) and track in game.tracks and game.tracks[track].ends_as(became):
                yield changed(view, track, subject, None, "")


def _is_allowed(view: View, track: str, value: Value) -> bool:
    """Return whether a track may have a value. After the last turn, the next one is not allowed."""
    try:
        view.game.tracks[track].check(value)
    except InputError:
        return False
    return True


Comers = Mapping[str, Mapping[str, HexWithinReach]]
"""Units that can come, each with the hexes that it can enter."""


class Enemies(NamedTuple):
    """The hexes to which enemy units can move."""

    into: Mapping[str, Mapping[str, HexWithinReach]]
    """The units that can enter each hex, with their routes."""
    asks: Mapping[str, Ask]
    """The missing facts about other units."""
    moves: bool
    """Whether the enemy moves before attacking."""
    faults: tuple[str, ...] = ()
    """The reasons why other units could not be examined."""
    unknown: tuple[str, ...] = ()
    """The units that may move, or move farther than was found."""
    ground: tuple[str, ...] = ()
    """The hexes whose unknown ground leaves moves of the enemy uncertain."""


def _read_enemies(rules: ThreatRules, asked: ThreatAsked, view: View, enemy: str) -> Enemies:
    """Return the hexes to which units of a side can move in its next movement phase.

    Missing facts or errors of one unit do not stop the others.
    """
    moment = next_moment(view, enemy, rules.phases)
    if not asked.march or moment.march is None:
        return Enemies({}, {}, moves=False)
    then = view.after(_list_moment_changes(view, moment.march))
    names = [unit.id for unit in units_of(view, enemy) if rules.measure_weight(then, unit.id) > 0]
    reaches = list[Reach]()
    asks = dict[str, Ask]()
    faults = list[str]()
    unknown = [unit.id for unit in units_of(view, "")]
    try:
        reaches = list(rules.find_reaches(Attacker(then, enemy, asked), names))
    except (MissingFacts, InputError):
        for name in view.each(names, "enemy units"):
            try:
                reaches += rules.find_reaches(Attacker(then, enemy, asked), [name])
            except MissingFacts as missing:
                asks |= {ask.name: ask for ask in missing.asks}
                unknown.append(name)
            except MachineError:
                raise
            except InputError as error:
                faults.append(f"where {name} can move: {error.what}")
                unknown.append(name)
    unknown += [reach.unit for reach in reaches if reach.unknown]
    into = dict[str, dict[str, HexWithinReach]]()
    for reach in reaches:
        for place in reach.hexes:
            into.setdefault(place.hex, {})[reach.unit] = place
    ground = tuple(dict.fromkeys(hex for reach in reaches for hex in reach.unknown))
    return Enemies(into, asks, moves=True, faults=tuple(faults), unknown=tuple(unknown), ground=ground)


def units_of(view: View, side: str) -> list[Any]:
    """Return the units of a side in hexes of the map."""
    return [unit for unit in view.units() if view.board.is_hex(unit.place) and view.side_of(unit.id) == side]


def enemy_of(view: View, side: str) -> str:
    """Return the other side of a game."""
    return next(other for other in view.game.file.sides if other != side)


class Front(NamedTuple):
    """The position examined, the threatened side, and the enemy's moves."""

    rules: ThreatRules
    asked: ThreatAsked
    view: View
    then: View
    """The position at the time of the enemy's attack."""
    side: str
    enemy: str
    enemies: Enemies
    budget: AttackBudget


class AttackBudget:
    """The number of attacks that may still be weighed. Their chances take the most time.

    `short`: the hexes with attacks that were not weighed.
    `asks`: the facts missing to weigh attacks.
    """

    def __init__(self) -> None:
        self.left = Limit.THREATS.most
        self.short = list[str]()
        self.asks = dict[str, Ask]()

    def spend_attack(self, at: str) -> bool:
        """Return whether one more attack may be weighed. If not, the hex is recorded."""
        self.left -= 1
        if self.left < 0 and at not in self.short:
            self.short.append(at)
        return self.left >= 0


def read_front(rules: ThreatRules, asked: ThreatAsked, view: View, side: str, budget: AttackBudget) -> Front:
    """Return the position, the threatened side and the enemy's moves, to judge the threats to the side."""
    enemy = enemy_of(view, side)
    then = view.after(_list_moment_changes(view, next_moment(view, enemy, rules.phases).attack))
    of_any_hex = replace(asked, at=(), unit=(), if_=(), cuts=True)
    enemies = view.part(
        ("enemies", enemy, repr(of_any_hex)), lambda apart: _read_enemies(rules, of_any_hex, apart, enemy)
    )
    return Front(rules, asked, view=view, then=then, side=side, enemy=enemy, enemies=enemies, budget=budget)


def judge_hex(front: Front, at: str) -> HexThreat:
    """Return the threats to a hex.

    Missing facts or errors in one part do not stop the others.
    """
    view = front.view
    missing = dict[str, Ask]()
    own = units_at(view, at, front.side)
    with view.gather() as facts:
        for name in units_at(view, at, ""):
            facts.word(view.game.file.picture.nation, name)
    if not own and at not in [*front.rules.places_without_units(view, front.enemy)]:
        return HexThreat(at=at, barred=(f"no unit of {view.game.file.the_side(front.side)} stands there",))
    comers = _find_comers(front, at)
    threat = HexThreat(at=at, units=own, near=tuple(comers))
    for add in (_add_standing, partial(_add_leaving, comers), partial(_add_coming, comers)):
        try:
            threat = add(front, threat)
        except MissingFacts as lacking:
            missing |= {ask.name: ask for ask in lacking.asks}
        except InputError as error:
            threat = replace(threat, cut=(*threat.cut, f"not all attacks were tried: {error.what}"))
    front.budget.asks |= missing
    at_least = bool(missing or threat.cut or front.enemies.unknown)
    barred = () if threat.worst or at_least else threat.barred
    asks = sort_as_printed([*missing.values()], view.game.printed_order)
    return replace(threat, missing=tuple(ask.how for ask in asks), barred=barred, at_least=at_least)


def _add_standing(front: Front, threat: HexThreat) -> HexThreat:
    found = _find_attacks(front, front.then, threat.at)
    standing = _find_worst(front, front.then, threat.at, found.worst)
    columns = tuple(ColumnReached(way.column, way.attackers, way.support, way.battle) for way in found.smallest())
    return replace(threat, standing=standing, columns=columns, barred=tuple(found.why_not))


def units_at(view: View, at: str, side: str) -> tuple[str, ...]:
    """Return the units of a side in a hex, the top one first."""
    return tuple(unit.id for unit in view.stack(at) if view.side_of(unit.id) == side)


def _find_attacks(front: Front, view: View, at: str) -> PossibleAttacks:
    return front.rules.list_attacks(Attacker(view, front.enemy, front.asked), at)


def _find_worst(
    front: Front, view: View, at: str, attacks: Iterable[PossibleAttack], approaches: Sequence[Approach] = ()
) -> ThreatAttack | None:
    weighed = [_weigh_attack(front, view, at, found, approaches) for found in attacks]
    return max(weighed, key=_rank_attack, default=None)


def _weigh_attack(
    front: Front, view: View, at: str, found: PossibleAttack, approaches: Sequence[Approach]
) -> ThreatAttack:
    chances: Danger | None = None
    unweighed = ""
    if front.budget.spend_attack(at):
        try:
            chances = front.rules.measure_danger(Attacker(view, front.enemy, front.asked), found)
        except MissingFacts as missing:
            front.budget.asks |= {ask.name: ask for ask in missing.asks}
        except InputError as error:
            unweighed = error.what
    return ThreatAttack(
        attackers=found.attackers,
        support=found.support,
        places=found.places,
        approaches=tuple(approaches),
        attack=found.attack,
        defence=found.defence,
        column=found.column,
        rank=found.rank,
        battle=found.battle,
        arrives=_multiply_chances(approaches),
        chances=chances,
        unweighed=unweighed,
    )


def _multiply_chances(approaches: Iterable[Approach]) -> Fraction | None:
    """Return the chance that all units arrive, each by dice of its own, or None if no unit can fail."""
    risks = [approach.passes for approach in approaches if approach.passes is not None]
    return prod(risks, start=Fraction(1)) if risks else None


def _rank_attack(assault: ThreatAttack) -> tuple[Any, ...]:
    """Return the danger of an attack as a sort key.

    Attacks rank by the chance to lose the hex, the defender's losses, then the column. Without chances they rank by the
    column, then the ratio of strengths.
    """
    if chances := assault.chances:
        return chances.lost, chances.defender_mean, assault.rank, Fraction(0)
    return Fraction(-1), Fraction(0), assault.rank, assault.attack / max(assault.defence, 1)


def rank_threat(threat: HexThreat) -> tuple[Any, ...]:
    """Return the sort key of a hex.

    The most endangered come first, then hexes that units must leave, safe hexes, and uncertain hexes last.
    """
    if (assault := threat.worst) is None:
        return 1, threat.is_open, not threat.leaving, threat.at
    return 0, [-part for part in _rank_attack(assault)], threat.at


# --- enemy units that can come next to a hex --------------------------------------------------------------------------


def _find_comers(front: Front, at: str) -> dict[str, dict[str, HexWithinReach]]:
    """Return the enemy units that can come next to a hex from elsewhere, each with the hexes that it can enter."""
    around = front.view.board.neighbours(at)
    comers = dict[str, dict[str, HexWithinReach]]()
    for hex in around:
        for unit, place in front.enemies.into.get(hex, {}).items():
            if front.view.unit(unit).place not in around:
                comers.setdefault(unit, {})[hex] = place
    return comers


def _add_leaving(comers: Comers, front: Front, threat: HexThreat) -> HexThreat:
    """Return a hex with the units that must leave it once an enemy comes next to it.

    The enemy that makes the most units leave counts. Of several such enemies, one certain to come by the cheapest route
    counts.
    """
    view = front.then
    rules = front.rules
    before = rules.find_leaving(view, threat.at)
    nearest = dict[str, tuple[Any, ...]]()
    for unit, places in comers.items():
        for hex, place in places.items():
            way = bool(place.beyond), place.cost, unit
            nearest[hex] = min(nearest.get(hex, way), way)
    for hex, (_, _, unit) in sorted(nearest.items(), key=lambda item: item[1]):
        then = view.quiet_view().after([changed(view, "place", unit, hex, "")])
        leaving = {name: rule for name, rule in rules.find_leaving(then, threat.at).items() if name not in before}
        if len(leaving) > len(threat.leaving):
            threat = replace(threat, leaving=leaving, intruder=_make_approach(front, unit, comers[unit][hex]))
    return threat


def _add_coming(comers: Comers, front: Front, threat: HexThreat) -> HexThreat:
    """Return a hex with the worst attack once units have come, if this attack is worse than without them."""
    if not comers or threat.cut:
        return threat
    massed = _place_comers(front, threat.at, comers, spread=False)
    spread = _place_comers(front, threat.at, comers, spread=True)
    threat = _add_placed(front, threat, massed)
    if threat.cut or _collect_places(spread) == _collect_places(massed):
        return threat
    return _add_placed(front, threat, spread)


def _collect_places(placed: Iterable[Approach]) -> frozenset[tuple[str, str]]:
    return frozenset((approach.unit, approach.to) for approach in placed)


def _add_placed(front: Front, threat: HexThreat, placed: Sequence[Approach]) -> HexThreat:
    """Return a hex with the worst attack once units have been placed, if this attack is worse than all before."""
    while placed:
        try:
            assault = _find_attack_with(front, threat.at, placed)
        except TooMuch:
            if len(placed) <= MIN_COMERS:
                return replace(threat, cut=("there are too many ways to attack with those that can come",))
            placed = placed[: max(len(placed) // 2, MIN_COMERS)]
            threat = replace(
                threat, cut=(f"only the strongest {len(placed)} of those that can come were put together",)
            )
            continue
        worse = assault and (threat.worst is None or _rank_attack(assault) > _rank_attack(threat.worst))
        return replace(threat, coming=assault) if worse else threat
    return threat


def _find_attack_with(front: Front, at: str, placed: Sequence[Approach]) -> ThreatAttack | None:
    """Return the worst attack once units have come, or None if there is none.

    Units that take no part are left out if the attack is as bad without them.
    """
    view = front.then.after([changed(front.then, "place", approach.unit, approach.to, "") for approach in placed])
    assault = _find_worst(front, view, at, _find_attacks(front, view, at).worst, placed)
    if assault is None:
        return None
    participants = [approach for approach in placed if approach.unit in assault.attackers]
    if not participants or len(participants) == len(placed):
        return assault if participants else None
    attack_of_participants = _find_attack_with(front, at, participants)
    return (
        attack_of_participants
        if attack_of_participants and _rank_attack(attack_of_participants) >= _rank_attack(assault)
        else assault
    )


def _place_comers(front: Front, at: str, comers: Comers, *, spread: bool) -> list[Approach]:
    """Return the hexes where units that come end their moves, as far as hexes have room.

    The strongest are placed first, then units certain to come and with the cheapest route. Each takes the hex where an
    attack is hampered least, then the cheapest.

    `spread`: whether a hex with fewer attackers comes before a cheaper route.
    """
    view = front.then
    rules = front.rules
    there = {hex: [other.id for other in view.stack(hex)] for hex in view.board.neighbours(at)}
    attacking = {hex: sum(rules.measure_weight(view, name) > 0 for name in names) for hex, names in there.items()}
    approaches = list[Approach]()

    def by_way(place: HexWithinReach) -> tuple[Any, ...]:
        crowd = attacking[place.hex] if spread else 0
        return rules.measure_crossing(view, place.hex, at), crowd, bool(place.beyond), place.cost, place.hex

    def by_strength(unit: str) -> tuple[Any, ...]:
        return (
            -rules.measure_weight(view, unit),
            min((bool(way.beyond), way.cost) for way in comers[unit].values()),
            unit,
        )

    for unit in sorted(comers, key=by_strength):
        for place in sorted(comers[unit].values(), key=by_way):
            if rules.may_stack(view, [*there[place.hex], unit]):
                there[place.hex].append(unit)
                attacking[place.hex] += 1
                approaches.append(_make_approach(front, unit, place))
                break
    return approaches


def _make_approach(front: Front, unit: str, place: HexWithinReach) -> Approach:
    return Approach(
        unit=unit,
        at=str(front.view.unit(unit).place),
        to=place.hex,
        way=place.way,
        points=front.rules.format_points(place.cost),
        beyond=bool(place.beyond),
        passes=getattr(place, "passes", None),
    )
