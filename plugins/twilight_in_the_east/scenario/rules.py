"""What the rulebook says of the scenarios of the booklet: whose units each has, and which are campaign games (3.2.1,
29.0).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec

from assistant.asking import note
from assistant.game.course import CourseFile
from assistant.rules.scenarios import is_of_set
from assistant.util.datafiles import read_toml

CAMPAIGNS = ("29.6", "29.7")
"""The campaign games."""
COURSE = Path(__file__).parents[1] / "course.toml"


class Misfit(msgspec.Struct, frozen=True):
    """Something in a position that does not belong to its scenario."""

    rule: Annotated[str, note("the rule that it is against")]
    units: Annotated[tuple[str, ...], note("the units that it concerns, empty for none")]
    what: Annotated[str, note("what is wrong, in words")]


@cache
def _read_sets() -> Mapping[str, str]:
    """Return the set of Russian units of each scenario that is not a campaign game, as `course.toml` has it."""
    return read_toml(COURSE, CourseFile).scenario.sets["russian-set"]


def is_campaign(scenario: str) -> bool | None:
    """Return whether a scenario is a campaign game; None for one that is not in the booklet.
    Rule: 29.0
    """
    return scenario in CAMPAIGNS if scenario in (*CAMPAIGNS, *_read_sets()) else None


def belongs_to(scenario: str, russian_set: str) -> bool:
    """Return whether a Russian unit of a set belongs to a scenario: 29.1 and 29.5 have the North set, 29.2 to 29.4 the
    South set, the campaign games all; one of an unstated set, or of one's own scenario, does.

    russian_set: north, south or campaign, by the colour behind its Unit Type Symbol, or none.
    Rule: 3.2.1, 29.0
    """
    return is_of_set("" if russian_set == "none" else russian_set, _read_sets(), scenario)


def campaign_misfit(scenario: str, *, campaign: bool) -> str:
    """Return what is wrong with the Grand Campaign rules of a scenario, in words; "" if they are in force in a campaign
    game, and in no other scenario. campaign: whether they are. Rule: 29.0
    """
    wanted = is_campaign(scenario)
    if wanted is None or wanted == campaign:
        return ""
    if wanted:
        return "it is a campaign game; state: campaign"
    return "it is not a campaign game; leave out: campaign"
