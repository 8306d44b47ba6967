"""The question `need`: the units for an odds column against a hex, its chances, and countermoves (10.7, 10.8)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import ceil, floor
from typing import Annotated, NamedTuple

import msgspec
from msgspec.structs import replace

from assistant.asking import (
    Part,
    PlaceName,
    Step,
    UnitName,
    Verdict,
    View,
    declare,
    note,
    read_unless,
    refused,
    step,
    verdict,
)
from assistant.asking.ranking import Way, cheapest
from assistant.asking.report import MissingFacts, Report, fill_from
from assistant.asking.sketch import Chart, Ladder, Row, Rows, Rung
from assistant.asking.wording import fill
from assistant.mechanics.odds import Odds
from assistant.state.state import Unit
from assistant.util.errors import InputError
from assistant.util.limits import TooMuch

from ..battle.chances import BattleChances, battle_chances, evaluate_before_dice, play_out
from ..battle.report import chances_part
from ..combat.allocation import EVERY_COMMAND, MAGAZINE_PREFIX, reallocate
from ..combat.before_dice import POLICY_MEANINGS
from ..combat.engagement import (
    MAX_ODDS,
    MIN_ODDS,
    BattleParameters,
    Engagement,
    Points,
    Units,
    initial_odds,
    rounded_total,
)
from ..combat.legality import (
    assumption_steps,
    combining_steps,
    out_of_turn_steps,
    phase_steps,
    retreated_steps,
    withholding_steps,
)
from ..combat.setup import leaders_to_choose, narrow
from ..forces.unit import gather_unit
from ..forces.units import SIDES
from ..ground.calendar import phase_against, weather_left_out
from ..ground.hexsides import Entry, assume_crossed, entry_bar
from ..terms import BOYEN, FIELD_ARMS, SAY
from .search import (
    POINTS_GRANTED,
    Attack,
    Names,
    RankedAttack,
    Search,
    defence,
    engage_everybody,
    open_places,
    points_of,
    rank_attack,
    same_kinds,
    why_not,
)

AT_HAND_NOTE = note(
    "who can be allocated Artillery Ammunition Points: corps, hexes for stacks of independent units; `all` for "
    "everyone who can use one, or `none`. The answer says who needs one"
)


class NeedParameters(BattleParameters, frozen=True, rename="kebab", kw_only=True):
    """The parameters of the question `need`: a planned attack on a hex, and the column to reach.

    Every unit that can attack the hex and is not withheld is at hand, whether it is part of the plan or not.
    """

    column: Annotated[str, note("the odds column wanted, after shifts, such as 3:1")]
    from_: Annotated[tuple[PlaceName, ...], note("attacking hexes of the plan, every adjacent hex if left out")] = ()
    without: Annotated[tuple[UnitName, ...], note("units that are not available")] = ()
    attacker_ap: Annotated[Points, AT_HAND_NOTE] = None


CHEAPEST_NOTE = note(
    "the attack that reaches the column with the fewest strength points, then the fewest units, then the fewest "
    "Artillery Ammunition Points, then the units listed first in the position; null if none reaches it"
)
"""Note on the choice of the cheapest attack."""


class ColumnChances(msgspec.Struct, frozen=True):
    """A column that can be reached."""

    column: Annotated[str, note("the column of the chart")]
    attack: Annotated[RankedAttack, note("the cheapest attack that reaches the column")]
    chances: Annotated[BattleChances | None, note("the chances of the cheapest attack; null without a chart cell")] = (
        None
    )


class Countermove(msgspec.Struct, frozen=True, kw_only=True):
    """An enemy move against the cheapest attack, as far as visible units allow it."""

    move: Annotated[str, note("what the enemy does")]
    rule: Annotated[str, note("the rule")]
    defence: Annotated[int, note("the enemy's strength then, in points")]
    column: Annotated[str, note("the column that the same attack then reaches")]
    again: Annotated[
        RankedAttack | None, note("the cheapest attack that then reaches the column, null if none does")
    ] = None
    missing: Annotated[int, note("strength points that the attack then lacks")] = 0


class NeedResult(msgspec.Struct, frozen=True, kw_only=True):
    """The units and Artillery Ammunition Points that a column takes."""

    at: Annotated[str, note("the defending hex")]
    column: Annotated[str, note("the column wanted")]
    defence: Annotated[int, note("the strength of the defence, in points")]
    defenders: Annotated[Names, note("the units that make the defence")]
    attack: Annotated[RankedAttack | None, CHEAPEST_NOTE] = None
    add: Annotated[Names, note("the units of the cheapest attack that are not in the plan")] = ()
    withhold: Annotated[Names, note("the units of the plan that the cheapest attack does not need")] = ()
    missing: Annotated[int, note("strength points missing where no attack reaches the column")] = 0
    nearest: Annotated[RankedAttack | None, note("the attack that lacks the missing strength points")] = None
    margin: Annotated[
        int | None,
        note(
            "points by which the defence may grow before the attack drops below the column; null if there is no defence"
        ),
    ] = None
    columns: Annotated[tuple[ColumnChances, ...], note("each column that can be reached, from left to right")] = ()
    countermoves: Annotated[tuple[Countermove, ...], note("what the enemy could do to spoil the attack")] = ()


COLUMNS = tuple(Odds(number) for number in range(MIN_ODDS.columns, MAX_ODDS.columns + 1))
"""Columns of the chart, from left to right."""
MAX_JOINING_DISTANCE_HEXES = 3
"""Maximum distance from which units could join the defender, in hexes."""
MAX_JOINING_SHOWN = 3
"""Maximum number of joining units shown, those with the strongest defences first."""
MAX_LEVEL_DUG = 2
"""Highest level of an Improved Position that needs neither a formation nor a game turn (13.1)."""


def answer(view: View, parameters: NeedParameters, *, with_chances: bool = True) -> Report[NeedResult]:
    """Return the report on the attack that reaches a column.

    `with_chances`: whether to add chances and countermoves, on which no verdict depends.

    Raises MissingFacts if a deciding fact is not stated, InputError for a combat or column that cannot be named,
    TooMuch for a hex with too many ways to attack it.
    """
    column = _parse_column(parameters.column)
    battle = _gather_all_at_hand(view, parameters)
    text = "this attack is not allowed"
    standing = phase_steps(phase_against(view, battle.at), battle.at)
    engagement = read_unless(standing, lambda: engage_everybody(view, battle))
    if engagement is None:
        return refused(f"What {column} takes at {battle.at}", text, standing)
    title = f"What {column} takes at {engagement.at}, GT {engagement.turn}"
    if wrong := _list_bars_to_defence(engagement):
        return refused(title, text, wrong)
    known: dict[Hashable, list[Attack]] = {}
    ways = _list_ways(view, engagement, known)
    if not ways:
        reasons = [step("10.1", "{why}", why=why) for why in why_not(engagement)]
        return refused(title, "no unit can attack this hex", reasons)
    result, attack = _find_need(engagement, column, ways, _find_units_of_plan(parameters, engagement))
    fought = narrow(engagement, attack.units, engagement.defenders)

    def takes(other: Engagement) -> NeedResult:
        return _find_need(other, column, _list_ways(view, other, known))[0]

    if engagement.flank.held >= 3:
        assume_crossed(view, engagement.ring.unsaid)
    parts = [need_part(result)]
    if with_chances:
        each = cheapest(ways, COLUMNS).items()
        # An attack that exceeds the column is listed with a higher column.
        attacks = [way.what for made, way in each if way.column.within(MIN_ODDS, MAX_ODDS) == made]
        measured = [_measure_chances(view, parameters, engagement, found) for found in attacks]
        result = replace(result, columns=tuple(column for column, _ in measured))
        unknown = [cells for _, cells in measured if cells]
        parts += [*column_parts(result), *unknown[:1]]
        if result.attack:
            spoiling = EnemyMoves(view, battle, fought).list_spoiling(column, takes)
            result = replace(result, countermoves=tuple(spoiling))
            parts.append(countermoves_part(result))
    needs_points = any(unit.ap for unit in attack.units)
    granted = [*weather_left_out(view), *assumption_steps(fought)]
    if needs_points:
        granted.append(POINTS_GRANTED)
    parts.append(Part("Assumed", tuple(granted)))
    short = tuple(format_need_briefly(result))
    return Report(title=title, verdict=choose_verdict(result), short=short, parts=tuple(parts), result=result)


def _parse_column(text: str) -> Odds:
    column = Odds.parse(text)
    if column not in COLUMNS:
        raise InputError(f"column: the chart has no {text}", hint=f"from {MIN_ODDS} to {MAX_ODDS}, after shifts")
    return column


def _gather_all_at_hand(view: View, parameters: NeedParameters) -> BattleParameters:
    for place in parameters.from_:
        view.board.check_adjacent(parameters.at, place, "the plan attacks from adjacent hexes")
    for point in parameters.attacker_ap or ():
        if point.startswith(MAGAZINE_PREFIX) or point == BOYEN:
            raise InputError(
                f"attacker-ap: the question need does not count the APs of {point}",
                hint="leave it out here; the question battle counts it",
            )
    points = parameters.attacker_ap
    return BattleParameters(
        at=parameters.at,
        defender_ap=parameters.defender_ap,
        flanked=parameters.flanked,
        shift=parameters.shift,
        leader=parameters.leader,
        attacker_drm=parameters.attacker_drm,
        defender_drm=parameters.defender_drm,
        defender_policy=parameters.defender_policy,
        attacker_ap=(EVERY_COMMAND,) if points == ("all",) else points,
        from_=open_places(view, parameters.at),
        withhold=(*parameters.withhold, *parameters.without),
    )


def _list_bars_to_defence(engagement: Engagement) -> list[Step]:
    return [
        *withholding_steps(engagement),
        *retreated_steps(replace(engagement, attackers=())),
        *combining_steps(engagement.defenders, "defender"),
        *out_of_turn_steps(replace(engagement, attackers=())),
    ]


def _list_ways(view: View, engagement: Engagement, known: dict[Hashable, list[Attack]]) -> list[Way[Attack, Odds]]:
    """Return the smallest legal attack of every kind, with its odds.

    `known`: the kinds of attack found before on this hex, to which new ones are added.

    Raises TooMuch if there are too many.
    """
    order = {name: number for number, name in enumerate(view.state.units)}
    search = Search(engagement, order, points=True)
    kinds = same_kinds(engagement)
    if kinds not in known:
        known[kinds] = list(search.kinds_of_attack())
    return list(search.legal_attacks(known[kinds]))


def _find_units_of_plan(parameters: NeedParameters, engagement: Engagement) -> set[str]:
    every = engagement.present("attacker")
    there = {unit.id for unit in every if not parameters.from_ or unit.place in parameters.from_}
    return there - set(parameters.withhold)


def _find_need(
    engagement: Engagement, column: Odds, ways: Sequence[Way[Attack, Odds]], plan: Collection[str] = ()
) -> tuple[NeedResult, Attack]:
    total = engagement.total("defender")
    reached = cheapest(ways, COLUMNS).get(column)
    result = NeedResult(
        at=engagement.at,
        column=str(column),
        defence=total,
        defenders=tuple(unit.id for unit in engagement.defenders),
    )
    if reached is None:
        missing, nearest = find_nearest(ways, column, total)
        return replace(result, missing=missing, nearest=rank_attack(engagement, nearest.units)), nearest
    attack = rank_attack(engagement, reached.what.units)
    shift = sum(modifier.amount for modifier in attack.shifts)
    result = replace(
        result,
        attack=attack,
        add=tuple(unit for unit in attack.units if unit not in plan),
        withhold=tuple(
            unit.id for unit in engagement.present("attacker") if unit.id in plan and unit.id not in attack.units
        ),
        margin=margin(attack.total, total, shift, column),
    )
    return result, reached.what


def _find_rounded_ratio(odds: Odds) -> Fraction:
    """Return the smallest ratio of attack to defence that rounds to the given odds."""
    return (odds.shifted(-1).strength(1) + odds.strength(1)) / 2


def fewest_points(odds: Odds, total: int) -> int:
    """Return the fewest strength points of an attack that make at least these odds before shifts.

    `total`: the defence in points, above 0.
    """
    return max(ceil(_find_rounded_ratio(odds) * total), 1)


def most_defence(odds: Odds, attack: int) -> int:
    """Return the most points of defence against which an attack still makes at least these odds before shifts."""
    return floor(attack / _find_rounded_ratio(odds))


def find_nearest(ways: Sequence[Way[Attack, Odds]], column: Odds, total: int) -> tuple[int, Attack]:
    """Return the points that the nearest legal attack lacks for a column, and the cheapest such attack.

    `ways`: one or more attacks that do not reach the column.
    `total`: strength of the defence, in points.
    """
    made = {(way.what.halves, way.column) for way in ways}
    missing = {(halves, odds): _count_points_short(Fraction(halves, 2), odds, column, total) for halves, odds in made}
    points = min(missing.values())
    nearest = [way for way in ways if missing[way.what.halves, way.column] == points]
    return points, min(nearest, key=lambda way: way.cost).what


def _count_points_short(strength: Fraction, odds: Odds, column: Odds, defending: int) -> int:
    """Return the strength points that an attack lacks for a column with unchanged shifts.

    `strength`: the strength of the attack, not rounded.
    `odds`: the odds after shifts, below the column.
    """
    total = rounded_total([strength])
    shift = odds.columns - initial_odds(total, defending).columns
    return fewest_points(column.shifted(-shift), defending) - total


def margin(attack: int, total: int, shift: int, column: Odds) -> int | None:
    """Return the points by which the defence may grow before the attack drops below a column.

    Returns None without a defence.

    `attack`, `total`: strengths of attack and defence, in points.
    `shift`: shift of the column, positive to the right.
    """
    return most_defence(column.shifted(-shift), attack) - total if total > 0 else None


def _measure_chances(
    view: View, parameters: NeedParameters, engagement: Engagement, attack: Attack
) -> tuple[ColumnChances, Part | None]:
    """Return an attack with its chances in a battle.

    If chart cells are unknown, also return the part that replaces the chances, otherwise None. Units of a policy that
    do not attack are left out.
    """
    fought = narrow(engagement, attack.units, engagement.defenders)
    there = {unit.id for unit in fought.attackers}
    policy = tuple(named for named in parameters.attacker_policy if named in POLICY_MEANINGS or named in there) or (
        "usual",
    )
    _, battle, combat = evaluate_before_dice(view, fought, replace(parameters, attacker_policy=policy))
    played = play_out(view, combat, {})
    chances = battle_chances(combat, played.chances) if played.chances else None
    return ColumnChances(
        battle.column, rank_attack(engagement, attack.units), chances
    ), None if chances else played.unknown_cells


class Move(NamedTuple):
    """A possible move of the enemy."""

    rule: str
    what: str
    engagement: Engagement
    """The combat of all units at hand after the move."""


class EnemyMoves(NamedTuple):
    """Possible moves of the enemy against an attack."""

    view: View
    battle: BattleParameters
    """The combat of all units at hand."""
    fought: Engagement
    """The attack that the moves are against."""

    @property
    def side(self) -> str:
        return self.view.side_of(self.view.stack(self.battle.at)[0].id)

    def list_all(self) -> Iterator[Move]:
        """Yield all possible moves of the enemy for which the facts are stated."""
        for attempt in (self._list_strong_defence, self._dig_in_deeper, self._guard_flanks, self._list_leader_moves):
            yield from _list_if_possible(attempt())
        joined = [move for unit in self._find_units_near() for move in _list_if_possible(self._reinforce(unit))]
        yield from sorted(joined, key=lambda move: (-move.engagement.total("defender"), move.what))[:MAX_JOINING_SHOWN]

    def _list_strong_defence(self) -> Iterator[Move]:
        here = {unit.id for unit in self.view.stack(self.battle.at)}
        freely = replace(
            self.battle,
            defender_ap=(EVERY_COMMAND,),
            withhold=tuple(unit for unit in self.battle.withhold if unit not in here),
        )
        strongest = defence(self.view, engage_everybody(self.view, freely), points=True)
        if strongest and strongest.total("defender") > self.fought.total("defender"):
            points = points_of(strongest, "defender")
            text = "defended by {units}[one_point: with an AP for {points}][several_points: with APs for {points}]"
            units = tuple(unit.id for unit in strongest.defenders)
            count = {"one_point": len(points) == 1, "several_points": len(points) > 1}
            yield Move("10.1.3", fill(text, {"units": units, "points": points, **count}), strongest)

    def _dig_in_deeper(self) -> Iterator[Move]:
        """Yield the move by which the enemy digs in one level deeper.

        The level must be one that any unit may build at any time. Guns of unstated class negate nothing.
        """
        level = self.fought.position + 1
        if level <= MAX_LEVEL_DUG:
            engagement = engage_everybody(self.view, self.battle)
            guns = {unit.id: self.view.words("artillery-class", unit.id) for unit in engagement.attackers if unit.ap}
            attackers = tuple(replace(unit, classes=guns.get(unit.id, unit.classes)) for unit in engagement.attackers)
            what = f"Level {level} Improved Position"
            yield Move("13.1", what, replace(engagement, position=level, attackers=attackers))

    def _guard_flanks(self) -> Iterator[Move]:
        if self.fought.flanked:
            yield Move("10.4.1", "no flank attack", engage_everybody(self.view, replace(self.battle, flanked=False)))

    def _list_leader_moves(self) -> Iterator[Move]:
        engagement = engage_everybody(self.view, self.battle)
        for leader in leaders_to_choose(self.view, self.fought):
            if self.view.game.side_of(leader.nation) == self.side:
                yield Move(leader.rule, leader.title, replace(engagement, leaders=(*engagement.leaders, leader)))

    def _reinforce(self, unit: Unit) -> Iterator[Move]:
        engagement = engage_everybody(self.view, self.battle)
        with self.view.gather() as facts:
            joining = replace(gather_unit(facts, unit, "defender"), place=self.battle.at)
        points = (EVERY_COMMAND,) if self.battle.defender_ap == ("all",) else self.battle.defender_ap
        units = reallocate([*engagement.present("defender"), joining], points)
        idle = tuple(unit for unit in engagement.idle if unit.place != self.battle.at)
        more = replace(engagement, defenders=units, idle=idle, stack=(*engagement.stack, unit.id))
        strongest = defence(self.view, more, points=True)
        if strongest and joining.id in {defender.id for defender in strongest.defenders}:
            yield Move("10.1.3", f"{unit.id} joins from {unit.place}", strongest)

    def _find_units_near(self) -> list[Unit]:
        view, at = self.view, self.battle.at

        def close(place: str | None) -> bool:
            return (
                place is not None
                and view.board.is_hex(place)
                and 0 < view.board.distance(place, at) <= MAX_JOINING_DISTANCE_HEXES
            )

        every = (unit for unit in view.units() if close(unit.place))
        able = (unit for unit in every if view.side_of(unit.id) == self.side)
        able = (unit for unit in able if view.word("arm", unit.id) in FIELD_ARMS)
        return [unit for unit in able if not entry_bar(Entry(at, (view.word("nation", unit.id),)))]

    def list_spoiling(self, column: Odds, find_need: Callable[[Engagement], NeedResult]) -> Iterator[Countermove]:
        """Yield the moves that would make the attack drop a column.

        `column`: the wanted column.
        `find_need`: returns the need for that column in another combat.
        """
        before = Odds.parse(rank_attack(self.fought, self.fought.attackers).column)
        for rule, what, engagement in self.list_all():
            then = rank_attack(engagement, self._find_same_units(engagement))
            if Odds.parse(then.column) >= before:
                continue
            result = find_need(engagement)
            yield Countermove(
                move=what,
                rule=rule,
                defence=engagement.total("defender"),
                column=then.column,
                again=then if Odds.parse(then.column) >= column else result.attack,
                missing=result.missing,
            )

    def _find_same_units(self, other: Engagement) -> Units:
        sent = {unit.id: unit for unit in self.fought.present("attacker")}
        there = {unit.id: unit for unit in other.present("attacker")}
        return tuple(replace(there[name], ap=unit.ap, point=unit.point) for name, unit in sent.items() if name in there)


def _list_if_possible(attempt: Iterator[Move]) -> list[Move]:
    try:
        return list(attempt)
    except TooMuch:
        raise
    except (InputError, MissingFacts):
        return []


def choose_verdict(result: NeedResult) -> Verdict:
    """Return the verdict on the need."""
    if result.attack is None:
        return SAY.verdict("no", "need.out_of_reach", result)
    text = (
        "{column} takes {total:#point} against {defence}: {units}[points:| without an AP]"
        "[one_point: with an AP for {points}][several_points: with APs for {points}]"
    )
    return verdict("yes", text, result.attack, result, column=result.column)


def format_need_briefly(result: NeedResult) -> Iterator[Step]:
    """Yield the need in a few sentences: attack and column, changes of the plan, and the chance to take the hex."""
    if not (attack := result.attack):
        yield SAY("4.4.1", "need.missing", result, result.nearest)
        return
    yield SAY("10.8", "need.reached", attack, result)
    if attack.points:
        yield SAY("10.4", "need.points", attack)
    for name in ("add", "withhold"):
        if getattr(result, name):
            yield SAY("10.1.5", f"need.{name}", result)
    for column in result.columns:
        if column.column == attack.column and column.chances:
            yield SAY("11.4", "need.chances", column.chances)


def need_part(result: NeedResult) -> Part:
    """Return the cheapest or the nearest attack, with odds, shifts, and changes of the plan."""
    attack = result.attack or result.nearest
    assert attack is not None
    steps = [SAY("4.5", "need.defended", result)]
    text = (
        "{units}[points:| without an AP][one_point: with an AP for {points}][several_points: with APs for {points}], "
        "from {places}: {total:#point}, {initial}"
    )
    steps.append(step("10.7", text, attack))
    steps += [SAY(shift.rule, "need.shift", shift) for shift in attack.shifts]
    net = sum(shift.amount for shift in attack.shifts)
    text = "[net_shift:shifted by {net_shift:+} to {final}: ]column {column}, {magnitude}"
    steps.append(step("10.8", text, attack, net_shift=net))
    if result.attack is None:
        steps.append(SAY("4.4.1", "need.more", result))
    if result.add:
        steps.append(SAY("10.1.5", "need.to_add", result))
    if result.withhold:
        steps.append(SAY("10.1.5", "need.to_withhold", result))
    return Part(fill_from("[attack:What it takes|What comes nearest]", result), tuple(steps))


def column_parts(result: NeedResult) -> Iterator[Part]:
    """Yield the chances at the column of the attack, and in brief those at other columns, best first."""
    reached = result.attack.column if result.attack else ""
    for column in result.columns:
        if column.column == reached and column.chances:
            yield replace(chances_part(column.chances), title=f"Chances at {column.column}")
    others = [column for column in reversed(result.columns) if column.column != reached]
    yield Part("Other columns within reach", tuple(line for other in others for line in _column_steps(other)))


def _column_steps(column: ColumnChances) -> Iterator[Step]:
    text = (
        "{column} ({total:#point}, {magnitude}): {units}[points:| without an AP][one_point: with an AP for {points}]"
        "[several_points: with APs for {points}]"
    )
    yield step("10.7", text, column.attack)
    if column.chances:
        text = "{column}: defender vacates the hex: {vacates:%}[may_open: at least], retreats by the result {retreats}"
        yield step("10.9.1", text, column, column.chances, retreats=list(column.chances.defender_retreat))
        text = "{column}: steps lost by the attacker {attacker_losses}, by the defender {defender_losses}"
        losses = {f"{role}_losses": list(getattr(column.chances, f"{role}_steps")) for role in SIDES}
        yield step("11.1", text, column, **losses)


def countermoves_part(result: NeedResult) -> Part:
    """Return the enemy's countermoves in words."""
    steps = []
    if result.attack and result.margin is not None:
        text = (
            "this attack still reaches {column} against a defence of up to {most:#point}"
            "[margin:, {margin} more than now|, no more than now]"
        )
        steps.append(step("4.4.1", text, result, most=result.defence + result.margin))
    steps += [_countermove_step(result, countermove) for countermove in result.countermoves]
    return Part("What the enemy could do", tuple(steps))


def _countermove_step(result: NeedResult, move: Countermove) -> Step:
    if move.again is None:
        text = "{move}: {defence:#point}, column {column}; {wished} is then out of reach, {missing:#point} short"
    elif Odds.parse(move.column) < Odds.parse(result.column):
        text = (
            "{move}: {defence:#point}, column {column}; {wished} then takes {total:#point}: {units}"
            "[points:| without an AP][one_point: with an AP for {points}][several_points: with APs for {points}]"
        )
    else:
        text = "{move}: {defence:#point}, column {column}, which is still enough"
    return step(move.rule, text, move, move.again, wished=result.column)


def sketch(_: View, report: Report[NeedResult]) -> Chart | None:
    """Return the chart of the attack for each column within reach, the best on top.

    It shows the chance to take the hex; a column out of reach shows the missing points. Returns None if nothing can
    attack the hex.
    """
    result = report.result
    if result is None or not (result.columns or result.nearest):
        return None
    attack = result.attack or result.nearest
    reached = result.attack.column if result.attack else ""
    rungs = []
    leaves = []
    for column in reversed(result.columns):
        wanted = column.column == reached
        rungs.append(Rung(column.column, column.attack.total, _format_attackers(column.attack), wanted=wanted))
        if column.chances:
            least = fill_from("[may_open:at least]", column.chances)
            leaves.append(Row(column.column, "defender", (column.chances.vacates,), least))
    if result.nearest:
        lacking = Rung(result.column, result.nearest.total + result.missing, "", lacking=result.missing, wanted=True)
        above = [rung for rung in rungs if Odds.parse(rung.label) > Odds.parse(result.column)]
        rungs = [*above, lacking, *rungs[len(above) :]]

    rows = [Rows("The chance that the defender vacates the hex", (), leaves)] if leaves else []
    title = f"What columns take against {result.defence} points in {result.at}"
    caption = [f"{caution.text[:1].upper()}{caution.text[1:]}." for caution in report.cautions]
    return Chart(
        title=report.title,
        lines=[report.headline],
        ladder=Ladder(title, "points", rungs),
        rows=rows,
        caption=caption,
        attackers=attack.units if attack else (),
        defenders=result.defenders,
    )


def _format_attackers(attack: RankedAttack) -> str:
    text = (
        "{units}[points:| without an AP][one_point: with an AP for {points}][several_points: with APs for {points}]; "
        "{magnitude}"
    )
    return fill_from(text, attack)


QUESTION = declare(
    "need",
    (
        "what it takes to reach an odds column, the chances at each column within reach, and what the enemy could do "
        "to spoil it"
    ),
    answer,
    decide=partial(answer, with_chances=False),
    sketch=sketch,
)
