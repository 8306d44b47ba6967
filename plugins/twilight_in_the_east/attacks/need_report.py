"""What it takes to reach a column, as values and in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from assistant.asking import Part, Step, Verdict, note, step, verdict
from assistant.asking.report import fill_from
from assistant.mechanics.odds import Odds

from ..battle.chances import BattleChances
from ..battle.report import chances_part
from ..forces.units import SIDES
from ..terms import SAY
from .search import Names, RankedAttack

CHEAPEST = note(
    "the attack that reaches the column with the fewest strength points, then the fewest units, then the fewest "
    "Artillery Ammunition Points, then the units listed first in the position; null if none reaches it"
)


class ColumnChances(msgspec.Struct, frozen=True):
    """A column that can be reached."""

    column: Annotated[str, note("the column of the chart")]
    attack: Annotated[RankedAttack, note("the cheapest attack that reaches the column")]
    chances: Annotated[BattleChances | None, note("the chances of the cheapest attack; null without a chart cell")] = (
        None
    )


class Countermove(msgspec.Struct, frozen=True, kw_only=True):
    """What the enemy could do against the cheapest attack, by what is seen of him."""

    move: Annotated[str, note("what the enemy does")]
    rule: Annotated[str, note("the rule")]
    defence: Annotated[int, note("the enemy's strength then, in points")]
    column: Annotated[str, note("the column that the same attack then reaches")]
    again: Annotated[
        RankedAttack | None, note("the cheapest attack that then reaches the column, null if none does")
    ] = None
    missing: Annotated[int, note("strength points that the attack then lacks")] = 0


class NeedResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a column takes."""

    at: Annotated[str, note("the defending hex")]
    column: Annotated[str, note("the column wanted")]
    defence: Annotated[int, note("the strength of the defence, in points")]
    defenders: Annotated[Names, note("the units that make the defence")]
    attack: Annotated[RankedAttack | None, CHEAPEST] = None
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


def choose_verdict(result: NeedResult) -> Verdict:
    """Return what it takes, in a line."""
    if result.attack is None:
        return SAY.verdict("no", "need.out_of_reach", result)
    text = (
        "{column} takes {total:#point} against {defence}: {units}[points:| without an AP]"
        "[one_point: with an AP for {points}][several_points: with APs for {points}]"
    )
    return verdict("yes", text, result.attack, result, column=result.column)


def format_need_briefly(result: NeedResult) -> Iterator[Step]:
    """Yield what it takes in a few sentences: who can attack at which column, the changes of the plan, and the chance
    to take the hex.
    """
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
    """Return the cheapest attack or the nearest one: odds and shifts, and what it changes in the plan."""
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
    """Yield the chances at the column of that attack, and in brief at the others, best first."""
    reached = result.attack.column if result.attack else ""
    for column in result.columns:
        if column.column == reached and column.chances:
            yield replace(chances_part(column.chances), title=f"Chances at {column.column}")
    others = [column for column in reversed(result.columns) if column.column != reached]
    yield Part("Other columns within reach", tuple(line for other in others for line in _column_steps(other)))


def _column_steps(column: ColumnChances) -> Iterator[Step]:
    """Yield one column in brief."""
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
    """Return what the enemy could do to spoil it, in words."""
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
    """Return one countermove: the column of the same attack, and what the column wanted takes then."""
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
