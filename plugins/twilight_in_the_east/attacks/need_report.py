"""What is asked of `need`, its typed result, and its words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec

from assistant.mechanics.odds import Odds
from assistant.questions import Part, PlaceName, Step, UnitName, Verdict, note, step, verdict

from ..battle.report import chances_part
from ..battle.result import BattleChances
from ..combat.engagement import BattleParameters, Points
from ..forces.units import SIDES
from .report import Names, RankedAttack

AT_HAND = note(
    "who can be allocated Artillery Ammunition Points: corps, hexes for stacks of independent units; `all` that can use one, or "
    "`none`. The answer says who needs one"
)
CHEAPEST = note(
    "the attack that reaches the column with fewest strength points, then fewest units, then fewest Artillery Ammunition Points, "
    "then the units that the position lists first; null if none reaches it"
)


class NeedParameters(BattleParameters, frozen=True, rename="kebab", kw_only=True):
    """A column to be reached against a hex. The other parameters are those of the attack as it is planned; every unit that can
    attack the hex is at hand, whether it is part of the plan or not."""

    column: Annotated[str, note("the odds column wished for, after shifts: 3:1")]
    from_: Annotated[tuple[PlaceName, ...], note("attacking hexes of the plan, every adjacent hex if left out")] = ()
    withhold: Annotated[tuple[UnitName, ...], note("attackers not in the plan; defenders that stay out")] = ()
    without: Annotated[tuple[UnitName, ...], note("units that are not at hand")] = ()
    attacker_ap: Annotated[Points, AT_HAND] = None


class ColumnChances(msgspec.Struct, frozen=True):
    """A column that can be reached."""

    column: Annotated[str, note("the column of the chart")]
    attack: Annotated[RankedAttack, note("the cheapest attack that makes it")]
    chances: Annotated[BattleChances | None, note("the chances of that attack; null without a chart cell")] = None


class Countermove(msgspec.Struct, frozen=True, kw_only=True):
    """What the enemy could do against the cheapest attack, by what is seen of him."""

    move: Annotated[str, note("what he does")]
    rule: Annotated[str, note("the rule")]
    defence: Annotated[int, note("his strength then, in points")]
    column: Annotated[str, note("the column that the same attack makes then")]
    again: Annotated[RankedAttack | None, note("the cheapest attack on the column then, null if none reaches it")] = (
        None
    )
    missing: Annotated[int, note("strength points that are missing to it then")] = 0


class NeedResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a column takes."""

    at: Annotated[str, note("the defending hex")]
    column: Annotated[str, note("the column wished for")]
    defence: Annotated[int, note("the strength of the defence, in points")]
    defenders: Annotated[Names, note("the units that make it")]
    attack: Annotated[RankedAttack | None, CHEAPEST] = None
    add: Annotated[Names, note("the units of that attack that are not in the plan")] = ()
    withhold: Annotated[Names, note("the units of the plan that it does not need")] = ()
    missing: Annotated[int, note("strength points that are missing where no attack reaches the column")] = 0
    nearest: Annotated[RankedAttack | None, note("the attack that they are missing to")] = None
    margin: Annotated[
        int | None, note("points that the defence may grow before the attack drops a column; null if it has none")
    ] = None
    columns: Annotated[tuple[ColumnChances, ...], note("each column that can be reached, from left to right")] = ()
    countermoves: Annotated[tuple[Countermove, ...], note("what the enemy could do to spoil it")] = ()


def verdict_of(result: NeedResult) -> Verdict:
    """What it takes, in a line."""
    if result.attack is None:
        return verdict("no", "{column} is out of reach: {missing:#strength point} missing", result)
    text = "{column} takes {total:#point} against {defence}: " + _who(result.attack)
    return verdict("yes", text, result.attack, result, column=result.column)


def _who(attack: RankedAttack) -> str:
    """The template that names an attack's units and their Artillery Ammunition Points."""
    return "{units} with AP to {points}" if attack.points else "{units} without an AP"


def need_part(result: NeedResult) -> Part:
    """The cheapest attack or the nearest one: odds and shifts, and what it changes in the plan."""
    attack = result.attack or result.nearest
    assert attack is not None
    steps = [step("4.5", "defended by {defenders}: {defence}", result)]
    steps.append(step("10.7", _who(attack) + ", from {places}: {total:#point}, {initial}", attack))
    steps += [step(one.rule, "{why}: {amount:+}", one) for one in attack.shifts]
    net = sum(one.amount for one in attack.shifts)
    text = ("shifted by {net_shift:+} to {final}: " if net else "") + "column {column}, {magnitude}"
    steps.append(step("10.8", text, attack, net_shift=net))
    if result.attack is None:
        steps.append(step("4.4.1", "{missing:#more strength point} would make {column} with these shifts", result))
    if result.add:
        steps.append(step("10.1.5", "add to the plan: {add}", result))
    if result.withhold:
        steps.append(step("10.1.5", "withhold: {withhold}", result))
    return Part("What it takes" if result.attack else "What comes nearest", tuple(steps))


def column_parts(result: NeedResult) -> Iterator[Part]:
    """The chances at the column of that attack, and in brief at the others, best first."""
    reached = result.attack.column if result.attack else ""
    for one in result.columns:
        if one.column == reached and one.chances:
            yield msgspec.structs.replace(chances_part(one.chances), title=f"Chances at {one.column}")
    others = [one for one in reversed(result.columns) if one.column != reached]
    yield Part("Other columns at hand", tuple(line for one in others for line in _column_steps(one)))


def _column_steps(one: ColumnChances) -> Iterator[Step]:
    """One column in brief."""
    yield step("10.7", "{column} ({total:#point}, {magnitude}): " + _who(one.attack), one.attack)
    if one.chances:
        text = (
            "{column}: defender leaves the hex {vacates:%}"
            + " at least" * bool(one.chances.may_open)
            + ", retreats by the result {retreats}"
        )
        yield step("10.9.1", text, one, one.chances, retreats=list(one.chances.defender_retreat))
        text = "{column}: steps lost by the attacker {attacker_losses}, by the defender {defender_losses}"
        losses = {f"{role}_losses": list(getattr(one.chances, f"{role}_steps")) for role in SIDES}
        yield step("11.1", text, one, **losses)


def countermoves_part(result: NeedResult) -> Part:
    """What the enemy could do to spoil it, in words."""
    steps = []
    if result.attack and result.margin is not None:
        text = "this attack makes {column} against up to {most:#point} of defence" + (
            ", {margin} more than now" if result.margin else ", as many as now"
        )
        steps.append(step("4.4.1", text, result, most=result.defence + result.margin))
    steps += [_countermove_step(result, one) for one in result.countermoves]
    return Part("What the enemy could do", tuple(steps))


def _countermove_step(result: NeedResult, one: Countermove) -> Step:
    """One countermove: the column of the same attack, and what the column wished for takes then."""
    text = "{move}: {defence:#point}, column {column}"
    if one.again is None:
        text += "; {wished} is out of reach then, {missing:#point} short"
    elif Odds.parse(one.column) < Odds.parse(result.column):
        text += "; {wished} takes {total:#point} then: " + _who(one.again)
    else:
        text += ", which is still enough"
    return step(one.rule, text, one, one.again, wished=result.column)
