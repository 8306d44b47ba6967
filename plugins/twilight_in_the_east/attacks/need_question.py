"""The question `need`: what an odds column takes against a hex and how much of the defence it bears, the chances at
each column at hand, and what the enemy could do to spoil it (10.7, 10.8).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from functools import partial
from typing import Annotated

from msgspec.structs import replace

from assistant.asking import Part, PlaceName, Step, UnitName, View, declare, note, read_unless, refused, step
from assistant.asking.ranking import Way, cheapest
from assistant.asking.report import Report, fill_from
from assistant.asking.sketch import Chart, Ladder, Row, Rows, Rung
from assistant.mechanics.odds import Odds
from assistant.util.errors import InputError

from ..battle.chances import battle_chances, evaluate_before_dice, play_out
from ..combat.allocation import EVERY, MAGAZINE
from ..combat.engagement import BattleParameters, Engagement, Points
from ..combat.legality import (
    assumption_steps,
    combining_steps,
    out_of_turn_steps,
    phase_steps,
    retreated_steps,
    withholding_steps,
)
from ..combat.odds import HIGHEST, LOWEST
from ..combat.policies import MEANINGS
from ..combat.setup import narrow
from ..ground.calendar import phase_against, weather_left_out
from ..ground.hexsides import assume_crossed
from ..terms import BOYEN
from .countermoves import EnemyMoves
from .need_report import (
    ColumnChances,
    NeedResult,
    choose_verdict,
    column_parts,
    countermoves_part,
    format_need_briefly,
    need_part,
)
from .points_short import find_nearest, margin
from .search import (
    POINTS_GRANTED,
    Attack,
    RankedAttack,
    Search,
    engage_everybody,
    open_places,
    rank_attack,
    same_kinds,
    why_not,
)

AT_HAND = note(
    "who can be allocated Artillery Ammunition Points: corps, hexes for stacks of independent units; `all` for "
    "everyone who can use one, or `none`. The answer says who needs one"
)


class NeedParameters(BattleParameters, frozen=True, rename="kebab", kw_only=True):
    """A column to be reached against a hex. The other parameters are those of the attack as it is planned; every unit
    that can attack the hex and is not withheld is at hand, whether it is part of the plan or not.
    """

    column: Annotated[str, note("the odds column wanted, after shifts, such as 3:1")]
    from_: Annotated[tuple[PlaceName, ...], note("attacking hexes of the plan, every adjacent hex if left out")] = ()
    without: Annotated[tuple[UnitName, ...], note("units that are not available")] = ()
    attacker_ap: Annotated[Points, AT_HAND] = None


COLUMNS = tuple(Odds(number) for number in range(LOWEST.columns, HIGHEST.columns + 1))
"""The columns of the chart, from left to right."""


def answer(view: View, parameters: NeedParameters, *, whole: bool = True) -> Report[NeedResult]:
    """Return the report on what a column takes. whole: whether chances and countermoves are wanted, on which no verdict
    turns.

    Raises MissingFacts for what the rules need and is not stated, InputError for a combat or a column that cannot be
    named, TooMuch for a hex with too many ways to attack it.
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
    if whole:
        each = cheapest(ways, COLUMNS).items()
        attacks = [way.what for made, way in each if way.column.within(LOWEST, HIGHEST) == made]  # and does not pass
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
    """Return the column that is wished for. Raises InputError for one that is not on the chart."""
    column = Odds.parse(text)
    if column not in COLUMNS:
        raise InputError(f"column: the chart has no {text}", hint=f"from {LOWEST} to {HIGHEST}, after shifts")
    return column


def _gather_all_at_hand(view: View, parameters: NeedParameters) -> BattleParameters:
    """Return the combat of everybody at hand. Raises InputError for APs that the search does not know, and for a hex of
    the plan that is not adjacent.
    """
    for place in parameters.from_:
        view.board.check_adjacent(parameters.at, place, "the plan attacks from adjacent hexes")
    for point in parameters.attacker_ap or ():
        if point.startswith(MAGAZINE) or point == BOYEN:
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
        attacker_ap=(EVERY,) if points == ("all",) else points,
        from_=open_places(view, parameters.at),
        withhold=(*parameters.withhold, *parameters.without),
    )


def _list_bars_to_defence(engagement: Engagement) -> list[Step]:
    """Return why the hex cannot be attacked, or not as its defence is stated."""
    return [
        *withholding_steps(engagement),
        *retreated_steps(replace(engagement, attackers=())),
        *combining_steps(engagement.defenders, "defender"),
        *out_of_turn_steps(replace(engagement, attackers=())),
    ]


def _list_ways(view: View, engagement: Engagement, known: dict[Hashable, list[Attack]]) -> list[Way[Attack, Odds]]:
    """Return the smallest legal attack of every kind, with its odds. Raises TooMuch if there are too many.

    known: the kinds of attack on this hex that were found before, which it adds to.
    """
    order = {name: number for number, name in enumerate(view.state.units)}
    search = Search(engagement, order, points=True)
    kinds = same_kinds(engagement)
    if kinds not in known:
        known[kinds] = list(search.kinds_of_attack())
    return list(search.legal_attacks(known[kinds]))


def _find_units_of_plan(parameters: NeedParameters, engagement: Engagement) -> set[str]:
    """Return the attackers that are part of the plan."""
    every = engagement.present("attacker")
    there = {unit.id for unit in every if not parameters.from_ or unit.place in parameters.from_}
    return there - set(parameters.withhold)


def _find_need(
    engagement: Engagement, column: Odds, ways: Sequence[Way[Attack, Odds]], plan: Collection[str] = ()
) -> tuple[NeedResult, Attack]:
    """Return the cheapest attack that reaches a column, or what is missing to the nearest one; and that attack."""
    total = engagement.total("defender")
    reached = cheapest(ways, COLUMNS).get(column)
    result = NeedResult(
        at=engagement.at,
        column=str(column),
        defence=total,
        defenders=tuple(unit.id for unit in engagement.defenders),
    )
    if reached is None:
        short = find_nearest(ways, column, total)
        return replace(result, missing=short.points, nearest=rank_attack(engagement, short.attack.units)), short.attack
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


def _measure_chances(
    view: View, parameters: NeedParameters, engagement: Engagement, attack: Attack
) -> tuple[ColumnChances, Part | None]:
    """Return an attack with its chances, as a battle has them, but for a policy that names units which do not attack;
    and what stands in place of the chances where chart cells are unknown.
    """
    fought = narrow(engagement, attack.units, engagement.defenders)
    there = {unit.id for unit in fought.attackers}
    policy = tuple(named for named in parameters.attacker_policy if named in MEANINGS or named in there) or ("usual",)
    _, battle, combat = evaluate_before_dice(view, fought, replace(parameters, attacker_policy=policy))
    played = play_out(view, combat, {})
    chances = battle_chances(combat, played.chances) if played.chances else None
    return ColumnChances(
        battle.column, rank_attack(engagement, attack.units), chances
    ), None if chances else played.unknown_cells


def sketch(_: View, report: Report[NeedResult]) -> Chart | None:
    """Return what each column within reach takes, the best on top, and one that is out of reach with what it lacks;
    with the chance that the defender vacates his hex. None where nothing can attack it.
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
    """Return the units of an attack, with the commands that get an Artillery Ammunition Point."""
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
    decide=partial(answer, whole=False),
    sketch=sketch,
)
