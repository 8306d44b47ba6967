"""Rules of the Grand Campaign alone, marked (c): they hold where `campaign` is stated, and a report names one that it has left out (1.1)."""

from __future__ import annotations

from typing import Any

from assistant.questions import Gather, Step, View, step

ALONE = "in the campaign game (c) alone, and campaign is not stated"
"""How the line of a rule ends that was left out for want of a word on the campaign."""


def is_silent(view: View) -> bool:
    """Whether nobody has stated if the rules of the campaign are in use."""
    return view.state.value("campaign") is None


def left_out(view: View, rule: str, template: str, **figures: Any) -> list[Step]:
    """The line that a rule of the campaign was left out, where nobody has stated if these are in use; nothing where somebody has.

    template: what the rule would do, up to ALONE: "HN Corps belongs with AG P-B".
    """
    return [step(rule, f"{template} {ALONE}", **figures)] if is_silent(view) else []


def in_campaign(facts: View | Gather, matters: bool, rule: str, template: str, **figures: Any) -> bool:
    """Whether a rule of the campaign holds; where that matters and nobody has stated it, the report names the rule as left out.

    template: as for `left_out`.
    """
    view = facts.view if isinstance(facts, Gather) else facts
    for line in left_out(view, rule, template, **figures) if matters else ():
        view.presume(line)
    return view.flag("campaign")
