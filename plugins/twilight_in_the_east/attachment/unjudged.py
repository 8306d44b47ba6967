"""What a report on attachment has not judged, for want of facts or because the players see to it (6.1 to 6.4)."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.questions import Step, step

from ..forces.armies import GARRISONS
from ..ground.calendar import left_out
from .breaches import Attachments

BARRED = "{about}: {why}, which is a breach"
"""The words for a breach of a rule of the campaign."""
LEFT = (
    ("6.1", "whether boundaries between armies are straight, and where the outer ones run, is left to the players"),
    ("6.1.1", "when an attachment changed is not judged here (ask attach)"),
    ("24.1.1", "the least strength of the Warsaw Garrison is left to the players"),
    ("24.1.2", "where units of the Warsaw Garrison end their movement is left to the players"),
)
"""What no position shows, or no rule here reads."""


def unjudged(attachments: Attachments, army: str) -> Iterator[Step]:
    """What is not judged of the armies that are looked at, first for want of facts. army: the only one, "" for all."""
    looked_at = {*(unit.army for unit in attachments.recorded), *attachments.areas} - {"", *GARRISONS}
    armies = looked_at & {army} if army else looked_at
    if bare := sorted(armies - {*attachments.areas}):
        text = (
            "the Area of Attachment of {armies} is not stated ({how}): neither its shape nor who stands in it is judged"
        )
        yield step("6.1", text, armies=bare, how='army NAME area="44.18-44.22 45.19"')
    if lineless := sorted(armies & {*attachments.areas} - {*attachments.fronts}):
        text = "no Front Line of {armies} is known: where the boundaries of its area begin and end is not judged"
        yield step("6.1", text, armies=lineless)
    if trainless := sorted(corps_without_train(attachments, army)):
        text = "the Corps Trains of {corps} are not in this position: how many divisions each corps holds is not judged"
        yield step("6.2.2", text, corps=trainless)
    for breach in attachments.of_campaign:
        if army in ("", *(unit.army for unit in attachments.recorded if unit.id == breach.about)):
            yield from left_out(attachments.view, breach.rule, BARRED, about=breach.about, why=breach.why)
    if unknown := sorted(unit.id for unit in attachments.recorded if not unit.army):
        yield step("6.2", "no army of {units} is known: nothing else of these is judged", units=unknown)
    yield from (
        step(rule, text) for rule, text in LEFT if not rule.startswith("24.1") or has_garrison(attachments, army)
    )


def corps_without_train(attachments: Attachments, army: str) -> set[str]:
    """The corps with formations but no Corps Train in the position, each with its nation."""
    trains = {(unit.nation, unit.corps) for unit in attachments.recorded if unit.train}
    members = (unit for unit in attachments.recorded if unit.corps and army in ("", unit.army))
    return {f"{unit.nation} {unit.corps}" for unit in members if (unit.nation, unit.corps) not in trains}


def has_garrison(attachments: Attachments, army: str) -> bool:
    """Whether units of a garrison that is not an army are looked at."""
    return any(unit.army in GARRISONS and army in ("", unit.army) for unit in attachments.units)
