"""The report on the certain part of a combat: strengths, odds, magnitude, modifiers, and remarks for its picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace

from assistant.asking import Part, Step, step
from assistant.asking.report import fill_from
from assistant.asking.sketch import Remark
from assistant.mechanics.procedure import Modifier

from .allocation import MAX_POINTS
from .before_dice import Reckoning, UnitStrength
from .engagement import Engagement


def strength_part(engagement: Engagement, battle: Reckoning) -> Part:
    """Return the part on the strengths, unit by unit. Its short form names commands without an AP.

    Rule: 10.5b
    """
    steps = []
    sides = {"attacker": battle.attacker, "defender": battle.defender}
    for role, side in sides.items():
        steps.append(step("10.5.1", "{role}: AP allocated to {points}", side, role=role))
        if side.without:
            text = (
                "{role}: {points_needed:#AP} would serve all[too_many:, but at most two may be allocated]; "
                "without an AP: {without}"
            )
            steps.append(step("10.5.1", text, side, role=role, too_many=side.points_needed > MAX_POINTS))
        for unit in side.units:
            rule = "3.4.1" if role == "attacker" else "3.4.2"
            steps.append(_unit_step("10.6" if unit.halved else rule, unit))
        steps.append(step("4.5", "{role}: {total} in all", side, role=role))
    if idle := [unit.id for unit in engagement.idle]:
        steps.append(
            step(
                "10.1.4",
                "{units} take no part: without an AP, Displaced, or not stacked with a combat unit",
                units=idle,
            )
        )
    short = {role: side for role, side in sides.items() if side.points and side.points_needed > MAX_POINTS}
    brief = "; ".join(f"{role}'s {', '.join(side.without)} without an AP" for role, side in short.items())
    if brief:
        brief += f", as a side has {MAX_POINTS} at most"
    return Part("Strengths", tuple(steps), brief=brief)


def _unit_step(rule: str, unit: UnitStrength) -> Step:
    text = "{unit} in {place}: [halved:{printed}, halved is ]{base}[artillery: + {artillery} artillery = {strength}]"
    if unit.lost:
        text = (
            "{unit} in {place}: {printed}[back: on its back] less {lost} lost[halved:, halved] is {base}"
            "[artillery:, + {artillery} artillery = {strength}]"
        )
    return step(rule, text, unit)


def odds_part(battle: Reckoning, engagement: Engagement) -> Part:
    """Return the part on the odds: the ratio, each shift, and the column.

    It also names rivers and ridges that shift nothing because not all attackers cross one.
    """
    totals = {"attack": battle.attacker.total, "defence": battle.defender.total}
    rule = "4.4.1"
    text = "{attack}:{defence} rounds to {initial}"
    if not all(totals.values()):
        rule = "10.7"
        text = "{attack}:{defence} has no ratio: the last column, {initial}, is used, unshifted"
    steps = [step(rule, text, battle, **totals)]
    steps += _flank_steps(battle)
    steps += [step(shift.rule, "{why}: {amount:+}", shift) for shift in battle.shifts]
    if not battle.shifts:
        steps.append(step("10.8", "no shifts ({terrain} terrain)", battle))
    spared = _find_features_some_cross(engagement)
    if spared:
        text = "no shift for {features}: not every attacker crosses one (ruling river-shift)"
        steps.append(step("10.8", text, features=spared))
    rule = "10.7" if battle.final != battle.column else "10.8"
    steps.append(step(rule, "[net_shift:shifted by {net_shift:+} to {final}: ]column {column}", battle))
    shifting = [f"{shift.amount:+} {shift.why}" for shift in battle.shifts]
    if spared:
        shifting.append(f"no shift for {' and '.join(spared)}, which not every attacker crosses")
    text = (
        "{attack} against {defence} is {initial}[reasons:; {reasons}: |, unshifted: ]"
        "[beyond:{final}, beyond the last ]column {column}"
    )
    beyond = shifting and battle.final != battle.column
    brief = fill_from(text, battle, SimpleNamespace(reasons=shifting, beyond=beyond, **totals))
    return Part("Odds and column", tuple(steps), brief)


def _find_features_some_cross(engagement: Engagement) -> tuple[str, ...]:
    if not engagement.mixed or engagement.readings.river_shift != "all":
        return ()
    return tuple(sorted(frozenset[str]().union(*engagement.crossed.values()) - {"", "open"}))


def _flank_steps(battle: Reckoning) -> Iterator[Step]:
    """Yield a line on the hexes held around the defender, and whether it is flanked."""
    if battle.flanked_as_typed:
        text = (
            "[flanked:flanked, as typed with flanked=yes|not flanked, as typed with flanked=no]; {held_around} of the "
            "six hexes around {at} are held by the attacker or in its ZOC, as stated"
        )
        yield step("10.4.1", text, battle)
    elif battle.flank_rule == "10.4.5":
        text = (
            "a hex with a fortress unit cannot be flank attacked; {held_around} of the six hexes around {at} are held "
            "by the attacker or in its ZOC, as stated"
        )
        yield step("10.4.5", text, battle)
    elif battle.flank_rule == "10.4.2":
        text = (
            "{held_by_formations} of the six hexes around {at} are held by attacking formations or in their ZOC, as "
            "stated: Asset Units without a formation are [flanked:flanked|not flanked] (three hexes are needed)"
        )
        yield step("10.4.2", text, battle)
    elif battle.held_around:
        text = (
            "{held_around} of the six hexes around {at} are held by the attacker or in its ZOC, as stated: "
            "[flanked:flanked|not flanked]"
        )
        yield step("10.4.1", text, battle)


def size_part(battle: Reckoning) -> Part:
    """Return the part on the magnitude and the known modifiers of both step loss rolls."""
    text = "{attacking:#division} against {defending}, {divisions} in all: {magnitude}"
    sides = {"attacking": battle.attacker.divisions, "defending": battle.defender.divisions}
    attacking = modifier_steps("attacker's losses", battle.attacker_modifiers)
    defending = modifier_steps("defender's losses", battle.defender_modifiers)
    attacker_drm = sum(modifier.amount for modifier in battle.attacker_modifiers)
    defender_drm = sum(modifier.amount for modifier in battle.defender_modifiers)
    brief = f"{battle.magnitude}; loss rolls: attacker {attacker_drm:+}, defender {defender_drm:+}"
    return Part("Magnitude and losses", (step("10.10.1", text, battle, **sides), *attacking, *defending), brief)


def modifier_steps(what: str, added: Iterable[Modifier]) -> list[Step]:
    """Return a line for each modifier of a roll.

    `what`: the name of the roll.
    """
    return [step(modifier.rule, "{what}: {amount:+} {why}", modifier, what=what) for modifier in added]


_OMITTED_WORDS = (
    "attackers of ",
    " or independent stacks",
    " terrain",
    "across ",
    "defender ",
    " artillery",
    " Improved Position",
)
"""Words left out of a shift's reason on the map; the sum below the map has them."""


def shift_remarks(at: str, shifts: Sequence[Modifier], causes: Sequence[Sequence[str]]) -> Iterator[Remark]:
    """Yield a remark on the map for each shift, at the hex or hexside that causes it.

    If several hexsides cause a shift, its amount is at the first, and only its name at the others.

    `at`: the hex under attack, for shifts without a place.
    `causes`: the places of each shift.
    """
    for shift, places in zip(shifts, causes, strict=True):
        why = shift.why
        for word in _OMITTED_WORDS:
            why = why.replace(word, "")
        first, *others = places or (at,)
        yield Remark(where=first, text=f"{shift.amount:+}: {why.replace('-', ' ')}")
        if "|" in first:
            for other in others:
                yield Remark(where=other, text=f"({why.replace('-', ' ')})")
