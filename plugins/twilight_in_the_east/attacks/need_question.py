"""The question `need`: what it takes to reach an odds column against a hex, the chances at each column at hand, and
what the enemy could do to spoil it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from functools import partial

from msgspec.structs import replace

from assistant.mechanics.odds import Odds
from assistant.questions import Answers, View, declare, read_unless, refused
from assistant.questions.ranking import Way, cheapest
from assistant.questions.report import Part, Report, Step, step
from assistant.util.errors import InputError

from ..battle.report import battle_chances, before_the_dice, play_out
from ..combat.engagement import HIGHEST, LOWEST, BattleParameters, Engagement
from ..combat.legality import (
    EVERY,
    MAGAZINE,
    after_a_retreat,
    assumption_steps,
    combining,
    out_of_turn,
    untimely,
    withholding,
)
from ..combat.reckoning import MEANINGS
from ..combat.setup import narrow
from ..ground.calendar import phase_against, weather_left_out
from ..ground.zones import assume_crossed
from ..terms import BOYEN
from .need import (
    ColumnChances,
    NeedParameters,
    NeedResult,
    column_parts,
    countermoves,
    countermoves_part,
    margin,
    nearest,
    need_part,
    verdict_of,
)
from .report import POINTS_GRANTED
from .search import (
    Attack,
    Search,
    defence_total,
    everybody,
    kinds_of_attack,
    legal_attacks,
    open_places,
    rank_attack,
    same_kinds,
    why_not,
)

COLUMNS = tuple(Odds(number) for number in range(LOWEST.columns, HIGHEST.columns + 1))
"""The columns of the chart, from left to right."""


def answer(view: View, parameters: NeedParameters, answers: Answers, *, whole: bool = True) -> Report[NeedResult]:
    """The report on what a column takes. whole: whether chances and countermoves are wanted, on which no verdict turns.

    Raises MissingFacts for what the rules need and is not stated, InputError for a combat or a column that cannot be
    named, TooMuch for a hex with too many ways to attack it.
    """
    column, battle = column_of(parameters.column), all_at_hand(view, parameters)
    text, standing = "this hex cannot be attacked so", untimely(phase_against(view, battle.at), battle.at)
    engagement = read_unless(standing, lambda: everybody(view, battle))
    if engagement is None:
        return refused(f"What {column} takes at {battle.at}", text, standing)
    title = f"What {column} takes at {engagement.at}, GT {engagement.turn}"
    if wrong := wrong_with_the_defence(engagement):
        return refused(title, text, wrong)
    known: dict[Hashable, list[Attack]] = {}
    ways = ways_of(view, engagement, known)
    if not ways:
        reasons = [step("10.1", "{why}", why=why) for why in why_not(engagement, view.board.neighbours(engagement.at))]
        return refused(title, "nobody can attack this hex", reasons)
    result, attack = what_it_takes(engagement, column, ways, units_of_plan(parameters, engagement))
    fought = narrow(engagement, attack.units, engagement.defenders)

    def takes(other: Engagement) -> NeedResult:
        return what_it_takes(other, column, ways_of(view, other, known))[0]

    if engagement.flank.held >= 3:
        assume_crossed(view, engagement.ring.unsaid)
    parts = [need_part(result)]
    if whole:
        unknown: list[Part] = []
        columns = (
            with_chances(view, parameters, engagement, way.what, unknown) for way in cheapest_ways(ways).values()
        )
        result = replace(result, columns=tuple(columns))
        parts += [*column_parts(result), *unknown[:1]]
        if result.attack:
            result = replace(result, countermoves=countermoves(view, battle, fought, column, takes))
            parts.append(countermoves_part(result))
    needs_points = any(unit.ap for unit in attack.units)
    granted = [*weather_left_out(view), *assumption_steps(fought), *([POINTS_GRANTED] if needs_points else [])]
    parts.append(Part("Taken for granted", tuple(granted)))
    return Report(title=title, verdict=verdict_of(result), parts=tuple(parts), result=result)


def column_of(text: str) -> Odds:
    """The column that is wished for. Raises InputError for one that is not on the chart."""
    column = Odds.parse(text)
    if column not in COLUMNS:
        raise InputError(f"column: the chart has no {text}", hint=f"from {LOWEST} to {HIGHEST}, after shifts")
    return column


def all_at_hand(view: View, parameters: NeedParameters) -> BattleParameters:
    """The combat of everybody at hand. Raises InputError for APs that the search does not know."""
    for point in parameters.attacker_ap or ():
        if point.startswith(MAGAZINE) or point == BOYEN:
            raise InputError(
                f"attacker-ap: need does not weigh the APs of {point}", hint="leave it out; battle knows it"
            )
    here = {unit.id for unit in view.stack(parameters.at)}
    points = parameters.attacker_ap
    out = (*(unit for unit in parameters.withhold if unit in here), *parameters.without)
    same = ("at", "defender_ap", "flanked", "shift", "attacker_drm", "defender_drm", "defender_policy")
    return BattleParameters(
        **{name: getattr(parameters, name) for name in same},
        attacker_ap=(EVERY,) if points == ("all",) else points,
        from_=open_places(view, parameters.at),
        withhold=out,
    )


def wrong_with_the_defence(engagement: Engagement) -> list[Step]:
    """Why the hex cannot be attacked, or not as its defence is stated."""
    return [
        *withholding(engagement),
        *after_a_retreat(replace(engagement, attackers=())),
        *combining(engagement.defenders, "defender"),
        *out_of_turn(replace(engagement, attackers=())),
    ]


def ways_of(view: View, engagement: Engagement, known: dict[Hashable, list[Attack]]) -> list[Way[Attack, Odds]]:
    """Of every kind of attack the smallest legal one, with its odds. Raises TooMuch if there are too many.

    known: the kinds of attack on this hex that were found before, which it adds to.
    """
    order = {name: number for number, name in enumerate(view.state.units)}
    search, kinds = Search(engagement, view.board.neighbours(engagement.at), order, points=True), same_kinds(engagement)
    if kinds not in known:
        known[kinds] = list(kinds_of_attack(search))
    return list(legal_attacks(search, known[kinds]))


def cheapest_ways(ways: Iterable[Way[Attack, Odds]]) -> dict[Odds, Way[Attack, Odds]]:
    """The cheapest attack for each column that one makes and does not pass, from left to right."""
    cheapest_by_column = cheapest(ways, COLUMNS).items()
    return {column: way for column, way in cheapest_by_column if way.column.within(LOWEST, HIGHEST) == column}


def units_of_plan(parameters: NeedParameters, engagement: Engagement) -> set[str]:
    """The attackers that are part of the plan."""
    every = engagement.present("attacker")
    there = {unit.id for unit in every if not parameters.from_ or unit.place in parameters.from_}
    return there - set(parameters.withhold)


def what_it_takes(
    engagement: Engagement, column: Odds, ways: Sequence[Way[Attack, Odds]], plan: Collection[str] = ()
) -> tuple[NeedResult, Attack]:
    """The cheapest attack that reaches a column, or what is missing to the nearest one; and that attack."""
    defence = defence_total(engagement)
    reached = cheapest(ways, COLUMNS).get(column)
    result = NeedResult(
        at=engagement.at,
        column=str(column),
        defence=defence,
        defenders=tuple(unit.id for unit in engagement.defenders),
    )
    if reached is None:
        short = nearest(ways, column, defence)
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
        margin=margin(attack.total, defence, shift, column),
    )
    return result, reached.what


def with_chances(
    view: View, parameters: NeedParameters, engagement: Engagement, attack: Attack, unknown: list[Part]
) -> ColumnChances:
    """An attack with its chances, as a battle has them, but for a policy that names units which do not attack.

    unknown: receives what stands in place of the chances where chart cells are unknown.
    """
    fought = narrow(engagement, attack.units, engagement.defenders)
    there = {unit.id for unit in fought.attackers}
    policy = tuple(named for named in parameters.attacker_policy if named in MEANINGS or named in there) or ("usual",)
    _, battle, combat = before_the_dice(view, fought, replace(parameters, attacker_policy=policy))
    played = play_out(view, combat, {})
    chances = battle_chances(combat, played.chances) if played.chances else None
    unknown += [] if chances else [played.unknown_cells]
    return ColumnChances(battle.column, rank_attack(engagement, attack.units), chances)


QUESTION = declare(
    "need",
    "what it takes to reach an odds column, the chances at each column at hand, and what the enemy could do to spoil it",
    answer,
    decide=partial(answer, whole=False),
)
