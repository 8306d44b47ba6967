"""What a retreat costs, in words (11.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.questions import Step, step

from ..forces.units import Force
from .cost import Charge, ForceRetreat, paid_by, suffered

EXCEPT = "all artillery except GAR.3, GAR.8 and GAR.14"


def charge_step(charge: Charge) -> Step:
    """What one thing on the way costs each Force of the stack."""
    listed = [price(charge) + " of each Force"] if charge.levels or charge.steps else []
    listed += ["all artillery"] * charge.guns + [EXCEPT] * charge.mountains
    return step(charge.rule, "{why}: " + ", ".join(listed), charge)


def force_step(one: ForceRetreat) -> Step:
    """What a retreat has cost a Force in all."""
    text = "{force} is eliminated" if one.eliminated else "{force}: " + price(one)
    text += "; artillery lost: {guns}" if one.guns and not one.eliminated else ""
    turned = "{converted:#level} that could not be lost became " + ("a step" if one.converted == 1 else "steps")
    return step("11.2", text + f" ({turned})" * bool(one.converted), one)


def price(cost: Charge | ForceRetreat) -> str:
    """The levels and steps that something costs, as a text to be filled in, without what it does not cost."""
    listed = ["{levels:#level}"] * bool(cost.levels) + ["{steps:#step}"] * bool(cost.steps)
    return ", ".join(listed) or "no level and no step"


def remark(
    forces: Iterable[Force], before: Mapping[str, Sequence[Charge]], after: Mapping[str, Sequence[Charge]]
) -> str:
    """What a hex that may be entered next costs the Forces that enter it, "" if nothing, and who does not survive that.

    before, after: what the way costs each Force without the hex and with it.
    """
    told, dead = dict[str, list[str]](), list[str]()
    for force in forces:
        charged = after[force.name]
        told.setdefault(prices(paid_by(force, charged)[len(before[force.name]) :]), []).append(force.name)
        dead += [force.name] if suffered(force, charged).eliminated else []
    found = [text + f" for {', '.join(names)}" * (len(told) > 1) for text, names in told.items() if text]
    return "; ".join([*found, *([f"eliminates {', '.join(dead)}"] if dead else [])])


def prices(charges: Iterable[Charge]) -> str:
    """What a hex costs a Force, "" if nothing: an EZOC or a river, and the price."""
    found = []
    for charge in charges:
        what = {"11.2.5": "an EZOC", "11.2.4": "over an un-bridged river"}.get(charge.rule, "")
        what = "through mountains" if charge.mountains else what
        levels, steps = (
            f"{number} {unit}{'s' * (number > 1)}"
            for number, unit in ((charge.levels, "level"), (charge.steps, "step"))
        )
        listed = [levels] * bool(charge.levels) + [steps] * bool(charge.steps)
        listed += ["all artillery"] * (charge.guns or charge.mountains)
        found.append(f"{what}: {', '.join(listed)}")
    return "; ".join(found)
