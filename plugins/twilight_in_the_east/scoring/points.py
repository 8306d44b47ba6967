"""Victory Points: the schedule by source (27.2), and the points that an answer scores, as changes and in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from assistant.asking import Part, Step, View
from assistant.state.changes import Gain

from ..forces.objectives import force_title
from ..forces.units import CombatUnit, is_asset
from ..terms import FIELD_ARMS

# Tracks of a side's Victory Points, one for each source.
ATTACKS = "vp-attacks"
PLANS = "vp-plans"
CALL = "vp-call"
TOWNS = "vp-towns"
DIVISIONS = "vp-divisions"
SUPPLY_UNITS = "vp-supply-units"
ACCOUNTS: Mapping[str, str] = {
    ATTACKS: "27.2.1",
    PLANS: "27.2.2",
    CALL: "27.2.3",
    TOWNS: "27.2.4",
    DIVISIONS: "27.2.5",
    SUPPLY_UNITS: "27.2.6",
}
"""The rule of each source, by track."""
PREPARED_END = "prepared-points-end"
"""The track of the last game turn in which Prepared Attacks earn points; `-medium` and so on follow for a Magnitude."""

DIVISION_POINTS = {"infantry": 4, "cavalry": 2}
"""Victory Points for each eliminated enemy division, by arm (27.2.5)."""
SUPPLY_UNIT_POINTS = {"major-depot": 4, "minor-depot": 2, "corps-train": 2}
"""Victory Points for each destroyed enemy supply unit, by arm (27.2.6)."""
PLAN_POINTS = ((3, 14), (5, 10), (7, 7), (9, 5), (11, 3))
"""Pairs of a game turn, and the Victory Points for achieving an army's Strategic Plan up to that turn (27.2.2)."""
CORPS_PLAN_POINTS = -5
"""Victory Points for abandoning the Strategic Plan of a corps (27.2.2)."""


class Award(msgspec.Struct, frozen=True):
    """Victory Points that a side gains or loses at once, or 0 if an exception of the scenario denies them."""

    account: str
    side: str
    points: int
    of: str
    """The unit, hex or army that brings the points, or "" for the call."""


# --- the schedule -----------------------------------------------------------------------------------------------------


def score_prepared_attack(shift: int, magnitude: str, phase: str, turn: int, last: int | None) -> int:
    """Return the attacker's points for a Prepared Attack, 1 or 0.

    It earns a point if it has the column shift, is not Small, and is fought in the Attack Phase, no later than the
    scenario allows.

    `shift`: the column shift for the Prepared Attack.
    `phase`: the phase, or "" if it is not stated, which counts as the Attack Phase.
    `last`: the last game turn that earns points, or None without such a turn.

    Rule: 27.2.1
    """
    in_time = last is None or turn <= last
    return int(shift > 0 and magnitude != "Small" and phase != "counter-attack" and in_time)


def last_prepared(view: View, magnitude: str) -> int | None:
    """Return the last game turn in which Prepared Attacks of a Magnitude earn points, or None if they always do.

    A scenario may state a last turn for all Magnitudes, for one, or for both; the earlier one counts.
    """
    tracks = (PREPARED_END, f"{PREPARED_END}-{magnitude.casefold()}")
    ends = [view.fact(track) for track in tracks if track in view.game.tracks]
    return min((int(str(end.value)) for end in ends if end), default=None)


def score_plan_achieved(turn: int) -> int:
    """Return an army's points for its Strategic Plan achieved in a game turn. Rule: 27.2.2a"""
    return next((points for last, points in PLAN_POINTS if turn <= last), 2)


def score_plan_abandoned(distance: int) -> int:
    """Return an army's points for abandoning its Strategic Plan, a negative number.

    `distance`: hexes from its nearest infantry formation to the nearest objective. A unit in the objective counts as
    adjacent.

    Rule: 27.2.2b
    """
    return next(points for least, points in ((8, -16), (6, -13), (4, -10), (2, -7), (0, -4)) if distance >= least)


def score_corps_plan(*, abandoned: bool) -> int:
    """Return the points for the end of a corps' Strategic Plan: 0 if achieved, negative if abandoned.

    Rule: 27.2.2c
    """
    return CORPS_PLAN_POINTS if abandoned else 0


def score_town(star: int, holder: str, side: str) -> int:
    """Return a side's points for entering a starred town or city: its number if the other side held it.

    `star`: the number in the town's star.
    `holder`: the side that last occupied the town, or at first the side of its country.

    Rule: 27.2.4
    """
    return star if holder != side else 0


def star_holder(view: View, hex: str) -> str:
    """Return the side that last occupied a starred town, or "" if that is not stated.

    It is the stated side, or else that of the troops there, or of the country.

    Rule: 27.2.4
    """
    stated = view.word("star-holder", hex)
    if stated:
        return stated
    troops = (unit.id for unit in view.stack(hex) if view.word("arm", unit.id) in FIELD_ARMS)
    standing = next(map(view.side_of, troops), "")
    if standing:
        return standing
    country = view.word("country", hex)
    return next((side for side, nations in view.game.file.sides.items() if country in nations), "")


def score_unit(arm: str, size: str, *, formation: bool) -> int:
    """Return the enemy's points for an eliminated unit: a formation of division size, or a supply unit.

    Brigades and Asset Units earn nothing.

    Rule: 27.2.5, 27.2.6
    """
    if arm in SUPPLY_UNIT_POINTS:
        return SUPPLY_UNIT_POINTS[arm]
    return DIVISION_POINTS.get(arm, 0) if formation and size == "XX" else 0


def score_divisions(eliminated: Iterable[CombatUnit]) -> int:
    """Return the enemy's points for eliminated combat units."""
    return sum(score_unit(unit.arm, unit.size, formation=unit.formation) for unit in eliminated)


def worth_of(view: View, unit: str) -> int:
    """Return the enemy's points for a unit if it is eliminated, or 0 if its facts are not stated."""
    arm = view.word("arm", unit)
    size = view.word("size", unit)
    return score_unit(arm, size, formation=not is_asset(arm, size, marked=view.flag("asset", unit)))


# --- what an answer scores --------------------------------------------------------------------------------------------


def score_losses(view: View, units: Iterable[str]) -> list[Award]:
    """Return the awards for eliminated units.

    `view`: the position before; units that are already off the map score nothing again (27.2.5, 27.2.6).
    """
    awards = list[Award]()
    for unit in dict.fromkeys(units):
        if view.unit(unit).place is None:
            continue
        points = worth_of(view, unit)
        enemy = enemy_of(view, view.side_of(unit)) if points else ""
        if enemy:
            account = DIVISIONS if view.word("arm", unit) in DIVISION_POINTS else SUPPLY_UNITS
            awards.append(Award(account, enemy, points, unit))
    return awards


def enemy_of(view: View, side: str) -> str:
    """Return the other side, or "" if the side is not known."""
    return next((enemy for enemy in view.game.file.sides if side and enemy != side), "")


def gains(awards: Iterable[Award]) -> tuple[Gain, ...]:
    """Return the changes of awards, one for each account of a side. Rule: 27.1"""
    totals: dict[tuple[str, str], int] = {}
    for award in awards:
        key = award.account, award.side
        totals[key] = totals.get(key, 0) + award.points
    return tuple(Gain(account, side, points, ACCOUNTS[account]) for (account, side), points in totals.items() if points)


WORDS = {
    ATTACKS: "{side}: {victory_points:#Victory Point} for the Prepared Attack on {hexes}",
    PLANS: "{side}: {victory_points:#Victory Point} for the Strategic Plan of {armies}",
    TOWNS: "{side}: {victory_points:#Victory Point} for the star of {hexes}",
    DIVISIONS: "{side}: {victory_points:#Victory Point} for {units} eliminated",
    SUPPLY_UNITS: "{side}: {victory_points:#Victory Point} for {units} destroyed",
}
DENIED = "{side}: no Victory Point for the Prepared Attack on {hexes}, by an exception of the scenario"
SOURCE_FIGURES = {ATTACKS: "hexes", PLANS: "armies", TOWNS: "hexes", DIVISIONS: "units", SUPPLY_UNITS: "units"}
"""The placeholder in `WORDS` for the source of the points, by account."""


def format_awards(view: View, awards: Sequence[Award]) -> tuple[Step, ...]:
    """Return a line on the awards for each account of a side."""
    together = dict[tuple[str, str], list[Award]]()
    for award in awards:
        together.setdefault((award.account, award.side), []).append(award)
    lines = list[Step]()
    for (account, side), alike in together.items():
        figures: dict[str, Any] = {
            "side": view.title_of(side),
            "victory_points": sum(award.points for award in alike),
            SOURCE_FIGURES[account]: [force_title(view, award.of) if account == PLANS else award.of for award in alike],
        }
        text = WORDS[account] if any(award.points for award in alike) else DENIED
        lines.append(Step(ACCOUNTS[account], text, figures))
    return tuple(lines)


def points_part(view: View, awards: Sequence[Award]) -> Part:
    """Return the points scored at once as a part of a report, empty if there are none."""
    return Part("Victory Points", format_awards(view, awards))
