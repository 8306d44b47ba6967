"""Who wins, and by how much the marker shows it (27.0, 27.1), over plain values."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from assistant.rules.victory import Lead, PointsAccount, lead_of, level_by_lead

from ..scoring.points import ACCOUNTS, ATTACKS, CALL, DIVISIONS, PLANS, SUPPLY_UNITS, TOWNS

WORDS = {
    ATTACKS: "for Prepared Attacks",
    PLANS: "for Strategic Plans",
    CALL: "for the Western call",
    TOWNS: "for towns",
    DIVISIONS: "for divisions",
    SUPPLY_UNITS: "for supply units",
}
SOURCES = tuple(PointsAccount(track, WORDS[track], rule) for track, rule in ACCOUNTS.items())
"""The accounts of a side, one for each source of the Victory Point Schedule."""
WITH_LEVELS = "29.1"
"""The only scenario that has levels of victory (27.0)."""


def judge_victory(
    points: Mapping[str, int], levels: Mapping[str, Mapping[str, int]], scenario: str
) -> tuple[Lead, str]:
    """Return who wins if the game ends with these points, the side that has more, and the level of its victory, "" for
    none. There are levels in one scenario only.

    levels: of each side, each with the least lead that wins it; scenario: that is played, "" if not stated.
    Rule: 27.0
    """
    lead = lead_of(points)
    own = levels.get(lead.side, {}) if scenario == WITH_LEVELS else {}
    greatest_first = sorted(own.items(), key=itemgetter(1), reverse=True)
    return lead, level_by_lead(lead.by, dict(greatest_first))
