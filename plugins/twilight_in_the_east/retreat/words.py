"""The costs of hexes in a retreat, their bars and their order by the priorities, in words (11.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.asking import Part, Step, step

from ..forces.units import Force
from ..terms import OFF_MAP
from .ways import EZOC_RULE, MOUNTAIN_GUNS, Charge, ForceRetreat, RetreatHex, pay_charges, price_for


def charge_step(charge: Charge) -> Step:
    """Return the cost to each Force of the stack from one cause."""
    text = (
        "{why}: [losses:each Force loses {losses}][guns:, all artillery]"
        "[mountains:all artillery except GAR.3, GAR.8 and GAR.14][fischer:the units of Fischer are destroyed]"
    )
    return step(charge.rule, text, charge, losses=format_losses(charge.levels, charge.steps))


def force_step(force: ForceRetreat) -> Step:
    """Return the total cost of a retreat to a Force."""
    text = "{force}: [losses:{losses}|no levels or steps][guns:; artillery lost: {guns}][destroyed:; destroyed: {destroyed}]"
    if force.eliminated:
        text = "{force} is eliminated"
    text += "[converted: ({converted:#level} that could not be lost became ][single:a step][several:steps][converted:)]"
    return step(
        "11.2",
        text,
        force,
        losses=format_losses(force.levels, force.steps),
        single=force.converted == 1,
        several=force.converted > 1,
    )


def format_remark(
    forces: Iterable[Force], before: Mapping[str, Sequence[Charge]], after: Mapping[str, Sequence[Charge]]
) -> str:
    """Return the cost of entering a hex for each Force, and the Forces and units that it eliminates, or "".

    `before`, `after`: by Force, the charges of the route without and with the hex.
    """
    names_by_price = dict[str, list[str]]()
    dead = list[str]()
    for force in forces:
        charged = after[force.name]
        paid = pay_charges(force, charged)[len(before[force.name]) :]
        names_by_price.setdefault(_format_charges(paid, _format_guns_lost(force)), []).append(force.name)
        price = price_for(force, before[force.name], charged)
        dead += [force.name] if price.eliminated else price.destroyed
    lines = list[str]()
    for text, names in names_by_price.items():
        if text:
            lines.append(f"{text} for {', '.join(names)}" if len(names_by_price) > 1 else text)
    if dead:
        lines.append(f"eliminates {', '.join(dead)}")
    return "; ".join(lines)


def _format_guns_lost(force: Force) -> str:
    """Return the artillery that a Force loses in mountains, in words, or "" if it has none except mountain guns."""
    guns = [unit.id for unit in force.units if unit.arm == "artillery"]
    lost = [gun for gun in guns if gun not in MOUNTAIN_GUNS]
    return "all artillery" if lost == guns and guns else ", ".join(lost)


def _format_charges(charges: Iterable[Charge], in_mountains: str) -> str:
    """Return the charges of a hex for a Force in words, or "" if it costs nothing.

    `in_mountains`: the artillery that the Force loses there, in words.
    """
    lines = []
    for charge in charges:
        if charge.mountains and not in_mountains:
            continue
        if charge.mountains:
            what = "through mountains"
        elif charge.rule == EZOC_RULE:
            what = "enemy ZOC"
        else:
            what = "over an un-bridged river" if charge.rule == "11.2.4" else ""
        losses = format_losses(charge.levels, charge.steps)
        if charge.guns:
            losses.append("all artillery")
        if charge.mountains:
            losses.append(in_mountains)
        if losses:
            lines.append(f"{what}: costs {', '.join(losses)}" if what else ", ".join(losses))
    return "; ".join(lines)


def format_losses(levels: int, steps: int) -> list[str]:
    """Return levels and steps lost in words, leaving out zeros."""
    counted = ((levels, "level"), (steps, "step"))
    return [f"{number} {noun}" if number == 1 else f"{number} {noun}s" for number, noun in counted if number]


def closed_step(option: RetreatHex) -> Step:
    """Return the bar of a hex."""
    return step(option.rule, "{hex}: {why}", option, why=option.barred)


EZOC_COSTS = (
    "the first EZOC on the route costs each Force a level; the second a level, a step and all artillery; "
    "the third a level and a step; each further one at least a step"
)
"""The costs of EZOCs on a retreat, in words. Rule: 11.2.5"""


def options_part(options: Sequence[RetreatHex]) -> Part:
    """Return the adjacent hexes, each with its cost or its bar."""
    steps = []
    for option in options:
        if option.barred:
            steps.append(closed_step(option))
            continue
        if option.leaves:
            steps.append(_leaving_step(option))
            continue
        if option.is_safe:
            steps.append(step("23.4.1", "{hex}: open; the stack is safe there and its retreat ends", option))
            continue
        marks = {
            "an EZOC": option.zone,
            "over an un-bridged river, a level and all artillery": option.river,
            "artillery is lost in the mountains": option.mountains,
            "the units of Fischer are destroyed": option.outside,
            "in the army's area": option.in_area is True,
            "outside the army's area": option.in_area is False,
            "friendly-controlled": option.friendly is True,
            "not friendly-controlled": option.friendly is False,
        }
        listed = [mark for mark, holds in marks.items() if holds]
        text = "{hex}: open, {distance:#hex} from the combat[marks:; {marks}][unsaid:; not stated: {unsaid}]"
        steps.append(step("11.2.2", text, option, marks=listed))
    if any(option.zone and not option.barred for option in options):
        steps.append(step("11.2.5", EZOC_COSTS))
    text = (
        "the farther from the combat the better, then within the Area of Attachment, under control, towards supply; "
        "EZOCs may be avoided[unknown:; no Area of Attachment is stated, so that priority is left to the players]"
    )
    unknown = any(option.in_area is None for option in options)
    return Part("Next hex", (*steps, step("11.2.2", text, unknown=unknown)), brief="")


def _leaving_step(option: RetreatHex) -> Step:
    """Return that the stack may leave the map, with the consequence."""
    text = (
        "{hex}: open, [edge:off the edge of the map|in Romania][outside:; the units of Fischer are destroyed (23.3)]; "
        "units that leave the map never return and do not count as eliminated"
    )
    return step("1.2.2", text, option, edge=option.hex == OFF_MAP)


def priority_step(hex: str, better: str, why: str) -> Step:
    """Return that a hex was entered although the priorities put another one first, with the first priority that does."""
    return step("11.2.2", "the priorities put {better} before {hex}: {why}", better=better, hex=hex, why=why)


def priority_sentence(hex: str, better: str, why: str) -> Step:
    """Return `priority_step` as a sentence of the short answer."""
    text = "The priorities put {better} before {hex}: {why}."
    return step("11.2.2", text, better=better, hex=hex, why=why)
