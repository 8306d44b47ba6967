"""What supply hangs on, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assistant.questions import Step, Verdict, step, verdict
from assistant.questions.wording import fill

from ..report import by_source, wanted
from ..side.resting import Passage
from .losses import RULES, Kind
from .result import Alternative, Effect, Had, LossTold, SideLifelines, Through, Undecided

NAMED = 6
"""How many hexes a line names of which the same is to be said; the result holds all of them."""
WORDS = {"in": "In Supply", "low": "Low Supply", "out": "Out of Supply", None: "undecided"}
LOST: dict[Kind, str] = {
    "hex": "an enemy in {places}",
    "source": "{places} eliminated",
    "railway": "RR line out of use in {places}",
    "bridge": "no bridge or ferry across {places}",
}
"""What is lost, in words."""
BY: dict[Passage, str] = {
    "line": "its line",
    "source": "the line of its source",
    "railway": "the RR line behind it",
    "way out": "the way that keeps it from being Isolated",
}


def state(had: Had) -> str:
    """A unit's supply in words."""
    return WORDS[had.state] + (" and Isolated" if had.isolated else "")


def served(had: Had) -> str:
    """The template of a unit's supply with its source: `now` stands for its state."""
    return "{now}" + by_source(had.source, had.cost, had.extended)


def told(had: Had) -> str:
    """A unit's supply with its source in words."""
    return fill(served(had), {"now": state(had), "source": had.source, "cost": had.cost})


def listed(places: Sequence[str]) -> str:
    """Places in words, of many the first ones."""
    more = len(places) - NAMED
    named = [*places[:NAMED], f"{more} more"] if more > 1 else list(places)
    return " or ".join(filter(None, [", ".join(named[:-1]), named[-1]]))


# --- losses -------------------------------------------------------------------------------------------------------------


def loss_steps(found: Sequence[LossTold]) -> Iterator[Step]:
    """Every loss with the units that are worse off; those of one kind with the same effects stand together."""
    same: dict[tuple[object, ...], list[LossTold]] = {}
    for one in found:
        effects = tuple(
            (effect.unit, state(effect.before), state(effect.after)) for effect in (*one.worse, *one.better)
        )
        same.setdefault((one.kind, effects, one.gone), []).append(one)
    return map(loss_step, same.values())


def loss_step(some: Sequence[LossTold]) -> Step:
    """Losses of one kind with the same effects, in a line."""
    one = some[0]
    effects = [*changes(one.worse), *changes(one.better)]
    text = LOST[one.kind] + ": {effects}" + ("; {gone} lost" if one.gone else "")
    figures = {"places": listed([each.where for each in some]), "effects": "; ".join(effects)}
    return step(RULES[one.kind], text, **figures, **({"gone": list(one.gone)} if one.gone else {}))


def changes(effects: Iterable[Effect]) -> Iterator[str]:
    """What becomes of units, those with the same change together: "22/1, 24/1 from In Supply to Low Supply"."""
    same: dict[tuple[str, str], list[str]] = {}
    for one in effects:
        same.setdefault((state(one.before), state(one.after)), []).append(one.unit)
    for (before, after), units in same.items():
        yield f"{', '.join(units)} from {before} to {after}"


def hanging_verdict(sides: Sequence[SideLifelines]) -> Verdict:
    """How many units hang on a single loss, and which is the worst."""
    units = sum(one.units for one in sides)
    losses = [loss for one in sides for loss in one.losses]
    if not units:
        return verdict("figure", "no units on the map")
    if not losses:
        text = "no single loss of a hex, source, RR hex or bridge worsens the supply of {units:#unit}"
        return verdict("figure", text, units=units)
    worst = max(losses, key=lambda one: one.severity)
    hanging = len({effect.unit for loss in losses for effect in loss.worse})
    certain = all(effect.after.state for loss in losses for effect in loss.worse)
    text = f"a single loss {'would' if certain else 'may'} worsen the supply of {{hanging}} of {{units:#unit}}; the worst: "
    text += LOST[worst.kind]
    return verdict("figure", text, hanging=hanging, units=units, places=worst.where)


def alternative_step(one: Alternative) -> Step:
    """What serves a unit as well without some hexes, in a line."""
    text = "{unit} without {places}: " + served(one.after)
    if one.same_line:
        text = "{unit} without {places}: " + served(one.after) + " along the same line, as another way leads round"
    elif one.after.line:
        text += ", by {line}"
    return step("14.1", text, one, one.after, places=listed(one.without), now=state(one.after))


# --- through a hex ------------------------------------------------------------------------------------------------------


def through_step(one: Through) -> Step:
    """A unit whose supply passes a hex, in a line."""
    text = "{unit} in {place}, by {part}: {has}; then " + (served(one.after) if one.after else "lost")
    now = {"now": state(one.after)} if one.after else {}
    return step("14.1", text, one, one.after, part=BY[one.by], has=state(one.before), **now)


def through_verdict(hex: str, sides: Sequence[SideLifelines]) -> Verdict:
    """How many units are supplied through a hex, and how many would be worse off."""
    found = [one for side in sides for one in side.through]
    if not found:
        return verdict("figure", "the supply of none of these units passes {hex}", hex=hex)
    then = [(state(one.before), one.after) for one in found]
    changed = [after for before, after in then if after and state(after) != before]
    doubt = "would" if all(after.state for after in changed) else "may"
    text = f"the supply of {{units:#unit}} passes {{hex}}; with an enemy there {{worse}} {doubt} be worse off"
    gone = sum(after is None for _, after in then)
    text += ", {gone} lost" if gone else ""
    return verdict("figure", text, units=len(found), hex=hex, worse=len(changed), **({"gone": gone} if gone else {}))


def undecided_step(one: Undecided) -> Step:
    """A unit of which nothing can be told yet, in a line."""
    return step("14.4", "{unit} in {place}: undecided; {wanted}", one, wanted=wanted(one.missing))


def with_undecided(said: Verdict, sides: Sequence[SideLifelines]) -> Verdict:
    """A verdict with the number of units of which nothing can be told yet."""
    many = sum(len(one.undecided) for one in sides)
    if not many:
        return said
    return Verdict("undecided", f"{said.template}; {{missing:#unit}} undecided", {**said.figures, "missing": many})


# --- suppositions -------------------------------------------------------------------------------------------------------


def effect_step(one: Effect) -> Step:
    """What becomes of a unit, in a line."""
    has, gets = told(one.before), told(one.after)
    if has == gets:
        return step("14.4", "{unit} in {place}: {has}, then along {line}", one, one.after, has=has)
    return step("14.4", "{unit} in {place}: {has}, then {gets}", one, has=has, gets=gets)


def supposed_verdict(sides: Sequence[SideLifelines]) -> Verdict:
    """How many units have less, and how many more, with what is supposed."""
    worse, unsure, better = (sum(len(getattr(one, name)) for one in sides) for name in ("worse", "unsure", "better"))
    gone = sum(len(one.gone) for one in sides)
    counts = {name: count for name, count in (("doubtful", unsure), ("gone", gone)) if count}
    text = (
        "{worse:#unit} worse off, {gaining} better off"
        if worse or unsure or better
        else "no unit is better or worse off"
    )
    text += (", {doubtful} undecided" if unsure else "") + (", {gone} off the map" if gone else "")
    return verdict("figure", text, worse=worse, gaining=better, **counts)


def gone_steps(found: Sequence[str]) -> list[Step]:
    """The units that leave the map, in a line."""
    return [step("14.4", "{gone}", gone=list(found))] if found else []
