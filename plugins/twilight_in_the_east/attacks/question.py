"""The question `attacks`: every hex that a side can attack, ranked.

For each hex it lists the largest legal attack and the smallest for each odds column, by the rules of a battle. Each
attack is judged by itself, as if it were the only one. Only viewers of both sides may ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Literal

import msgspec
from msgspec.structs import replace

from assistant.asking import Part, SideName, Step, Verdict, View, declare, note, ranking, step, verdict
from assistant.asking.asks import Ask
from assistant.asking.bounds import CountVerdict
from assistant.asking.ranking import AttacksAsked, RankedPlace
from assistant.asking.report import MissingFacts, Report
from assistant.mechanics.odds import Odds

from ..combat.allocation import EVERY_COMMAND
from ..combat.engagement import BattleParameters, Chosen, Engagement
from ..combat.legality import out_of_turn_steps, retreated_steps, units_without_army
from ..forces.units import SIDES
from ..ground.calendar import active_now, weather_left_out
from ..ground.hexsides import between, why_closed
from .search import (
    POINTS_GRANTED,
    Names,
    RankedAttack,
    Search,
    defence,
    engage_everybody,
    points_of,
    rank_attack,
    why_not,
)

POINTS_NOTE = note(
    "all: every Artillery Ammunition Point that one combat allows and that helps, one per command, none from "
    "magazines; none: no Artillery Ammunition Points"
)
"""Note on the choice of Artillery Ammunition Points."""
SMALLEST_NOTE = note(
    "the one with the fewest strength points, then the fewest units, then the fewest Artillery Ammunition Points, "
    "then the units listed first in the position; it may reach beyond this column"
)
"""Note on the choice of the smallest attack."""
ORDER_NOTE = note(
    "the hexes, best first: by the rightmost column that can be reached, then by the magnitude of the largest "
    "attack, then by the fewest points that reach that column, then by hex number; hexes without a "
    "legal attack or with missing facts come last"
)
"""Note on the order of the hexes."""
Allocated = Annotated[Literal["all", "none"] | None, POINTS_NOTE]


class AttacksParameters(AttacksAsked, frozen=True, rename="kebab"):
    """The side whose attacks are ranked."""

    side: Annotated[SideName, note("the side that attacks; if left out, the side that is active in the phase")] = ""
    attacker_ap: Allocated = None
    defender_ap: Allocated = None
    leader: Chosen = ()


class ColumnAttack(msgspec.Struct, frozen=True):
    """The smallest attack that reaches a column."""

    column: Annotated[str, note("the column of the chart")]
    attack: Annotated[RankedAttack, SMALLEST_NOTE]


class Target(RankedPlace, frozen=True, kw_only=True):
    """A hex to attack."""

    defence: Annotated[int, note("the strength of its strongest legal defence, rounded")] = 0
    defenders: Annotated[Names, note("the units that make the strongest legal defence")] = ()
    defender_points: Annotated[Names, note("the commands with an Artillery Ammunition Point in that defence")] = ()
    withheld: Annotated[Names, note("the units that stay out of that defence")] = ()
    largest: Annotated[
        RankedAttack | None, note("the attack with the most strength points, then the best odds, then the smallest")
    ] = None
    columns: Annotated[tuple[ColumnAttack, ...], note("the smallest attack for each column that can be reached")] = ()
    unsaid: Annotated[
        Names, note("hexsides of unstated terrain across which ZOC is assumed in counting for a flank attack")
    ] = ()
    no_army: Annotated[Names, note("formations whose army is not stated, and is assumed to be that of the others")] = ()

    @property
    def attacks(self) -> tuple[RankedAttack, ...]:
        """The largest attack and the smallest ones, or () if no attack is legal."""
        smallest = tuple(column.attack for column in self.columns)
        return (self.largest, *smallest) if self.largest else smallest

    @property
    def farthest(self) -> ColumnAttack | None:
        return self.columns[-1] if self.columns else None


class AttacksResult(msgspec.Struct, frozen=True):
    """The attacks of a side, each judged by itself, so that a unit may be in several."""

    side: Annotated[str, note("the side that attacks")]
    targets: Annotated[tuple[Target, ...], ORDER_NOTE]


RANKING_VERDICT = CountVerdict(
    "{ranked:#hex} can be attacked, {at} best: {column} with {strength:#point}",
    "facts are missing for {lacking} of {targets:#hex}",
    "no legal attack ({targets:#hex} examined)",
    ("ranked",),
)
"""The verdicts on the number of hexes that can be attacked."""


def _choose_verdict(targets: Sequence[Target]) -> Verdict:
    ranked = [target for target in targets if target.largest]
    missing = sum(1 for target in targets if target.missing)
    if not targets:
        return verdict("no", "no enemy is adjacent to a unit of this side")
    kind, text = RANKING_VERDICT.word(len(ranked), missing)
    figures = {"ranked": len(ranked), "lacking": missing, "targets": len(targets)}
    if not ranked:
        return verdict(kind, text, **figures)
    best = ranked[0].farthest
    assert best is not None
    return verdict(kind, text, ranked[0], best, best.attack, **figures)


def _target_part(number: int, target: Target) -> Part:
    if target.missing:
        return Part(f"{target.at}: facts are missing", (step("", "state: {missing}", target),))
    if target.largest is None:
        return Part(f"{target.at}: no legal attack", tuple(step("10.1", "{why}", why=why) for why in target.barred))
    text = (
        "defended by {defenders}: {defence}[one_point:, with an AP for {defender_points}]"
        "[several_points:, with APs for {defender_points}]"
    )
    count = len(target.defender_points)
    steps = [step("4.5", text, target, one_point=count == 1, several_points=count > 1)]
    if target.withheld:
        steps.append(step("10.1.5", "withheld there: {withheld}", target))
    steps.append(_attack_step("largest", target.largest))
    smallest = [column.attack for column in reversed(target.columns) if column.column == column.attack.column]
    # an attack that reaches a higher column is listed there
    steps += [_attack_step("smallest", attack) for attack in smallest]
    return Part(f"{number}. {target.at}", tuple(steps))


def _granted_part(targets: Sequence[Target], left_out: Sequence[Step]) -> Part:
    text = "each attack is judged by itself; in a phase a unit attacks, and a hex is attacked, only once"
    steps = [step("10.1", text), *left_out]
    if unstated := {side for target in targets for side in target.unsaid}:
        text = "ZOC assumed across {hexsides:#hexside} (terrain not stated): the result lists them"
        steps.append(step("4.1.1", text, hexsides=len(unstated)))
    if bare := list(dict.fromkeys(unit for target in targets for unit in target.no_army)):
        steps.append(step("6.3.1", "{units}: army not stated, assumed to be that of the others", units=bare))
    if any(target.defender_points or any(attack.points for attack in target.attacks) for target in targets):
        steps.append(POINTS_GRANTED)
    return Part("Assumed", tuple(steps))


def _attack_step(which: str, attack: RankedAttack) -> Step:
    text = (
        "[largest:largest attack: {column}, {magnitude}|smallest for {column} ({magnitude})]: {units} from {places}, "
        "{total:#point}[one_point:, with an AP for {points}][several_points:, with APs for {points}], {initial}"
        "[shifts: shifted by {net_shift:+}][listed: ({shifts})]"
    )
    net = sum(shift.amount for shift in attack.shifts)
    shifts = [f"{shift.amount:+} {shift.why}" for shift in attack.shifts]
    listed = attack.shifts and which == "largest"
    return step("10.7", text, attack, largest=which == "largest", net_shift=net, shifts=shifts, listed=listed)


MAGNITUDES = ("Massive", "Large", "Medium", "Small")


def answer(view: View, parameters: AttacksParameters) -> Report[AttacksResult]:
    """Return the report on the attacks of a side; missing facts for one hex do not stop the others.

    Raises MissingFacts if a side is neither named nor active; InputError for an unknown side, and if units are hidden
    from the asker; TooMuch for a hex with too many ways to attack it.
    """
    parameters = replace(parameters, side=parameters.side or _require_active_side(view))
    order = {name: number for number, name in enumerate(view.state.units)}
    places = ranking.find_targets(view, parameters)
    targets, asks = ranking.rank_places(
        view, places, Target, lambda at: _rank_target(view, parameters, at, places[at], order), _rank
    )
    parts = [_target_part(number, shown) for number, shown in enumerate(targets, 1)]
    if targets:
        parts.append(_granted_part(targets, weather_left_out(view)))
    return Report(
        title=f"Attacks of {view.game.file.the_side(parameters.side)}",
        verdict=_choose_verdict(targets),
        parts=tuple(parts),
        asks=asks,
        result=AttacksResult(parameters.side, targets),
    )


def _require_active_side(view: View) -> str:
    if side := active_now(view):
        return side
    how = " or ".join(f"side={name}" for name in view.game.file.sides)
    title = f"side ({' / '.join(view.game.file.sides)})"
    raise MissingFacts([Ask(kind="parameter", name="side", rule="5.4", title=title, how=how)])


def _rank_target(
    view: View, parameters: AttacksParameters, at: str, places: tuple[str, ...], order: Mapping[str, int]
) -> Target:
    open_ones = tuple(place for place in places if not why_closed(between(view, place, at)))
    if not open_ones:
        return Target(at=at, barred=tuple(sorted({why_closed(between(view, place, at)) for place in places})))
    battle = BattleParameters(
        at=at, from_=open_ones, attacker_ap=(EVERY_COMMAND,), defender_ap=(EVERY_COMMAND,), leader=parameters.leader
    )
    engagement = engage_everybody(view, battle)
    if over := out_of_turn_steps(replace(engagement, attackers=(), defenders=())):
        return Target(at=at, barred=tuple(reason.text for reason in over))
    if asks := [*_asks_for_points(parameters, engagement)]:
        raise MissingFacts(asks)
    defended = defence(view, engagement, points=parameters.defender_ap == "all")
    if defended is None:
        retreated = retreated_steps(replace(engagement, attackers=()))
        return Target(at=at, barred=(*(reason.text for reason in retreated), "no legal defence"))
    reached = Search(defended, order, points=parameters.attacker_ap == "all").find_reach()
    if reached is None:
        return Target(at=at, barred=tuple(why_not(engagement)))
    ranked = cache(partial(rank_attack, defended))  # the same attack may be the smallest for several columns
    largest, smallest = reached
    return Target(
        at=at,
        defence=defended.total("defender"),
        defenders=tuple(unit.id for unit in defended.defenders),
        defender_points=points_of(defended, "defender"),
        withheld=tuple(unit.id for unit in defended.withheld),
        largest=ranked(largest),
        columns=tuple(ColumnAttack(column, ranked(units)) for column, units in smallest.items()),
        unsaid=engagement.ring.unsaid if engagement.flank.held >= 3 else (),
        no_army=(*units_without_army(engagement.attackers), *units_without_army(engagement.defenders)),
    )


def _asks_for_points(parameters: AttacksParameters, engagement: Engagement) -> Iterator[Ask]:
    for role, named in zip(SIDES, (parameters.attacker_ap, parameters.defender_ap), strict=True):
        if named is None and any(unit.ap for unit in engagement.side(role)):
            name = f"{role}-ap"
            title = f"Artillery Ammunition Points of the {role}"
            yield Ask(kind="parameter", name=name, rule="10.5.1", title=title, how=f"{name}=all, or none")


def _rank(target: Target) -> tuple[object, ...]:
    best = target.farthest
    if best is None or target.largest is None:
        return bool(target.missing) + 1, target.at
    column = -Odds.parse(best.column).columns
    return 0, column, MAGNITUDES.index(target.largest.magnitude), best.attack.strength, target.at


QUESTION = declare(
    "attacks",
    "the attacks that a side can make, ranked: the largest on each hex, and the smallest for each odds column",
    answer,
)
