"""What earns Victory Points and what costs them, source by source (27.2), and what an answer scores, as changes and in
words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from assistant.asking import Part, Step, View
from assistant.state.changes import Gain

from ..forces.objectives import force_title
from ..forces.units import CombatUnit, is_asset
from ..terms import FIELD_ARMS

# The tracks of the Victory Points of a side, by what they are for.
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
"""The accounts of a side, a track each, with the rule by which they score."""
PREPARED_END = "prepared-points-end"
"""The track of the last game turn in which Prepared Attacks earn points; with `-medium` and the like, those of a
Magnitude.
"""

DIVISION = {"infantry": 4, "cavalry": 2}
"""For each enemy division that is eliminated (27.2.5)."""
SUPPLY_UNIT = {"major-depot": 4, "minor-depot": 2, "corps-train": 2}
"""For each enemy supply unit that is destroyed (27.2.6)."""
PLAN_POINTS = ((3, 14), (5, 10), (7, 7), (9, 5), (11, 3))
"""For an army's Strategic Plan that is achieved, each up to a game turn (27.2.2)."""
CORPS_PLAN = -5
"""For the Strategic Plan of a corps that is abandoned (27.2.2)."""


class Award(msgspec.Struct, frozen=True):
    """Victory Points that a side earns or loses at once, none where an exception of the scenario denies them."""

    account: str
    side: str
    points: int
    of: str
    """The unit, hex or army that brings them, "" for the call."""


# --- the schedule -----------------------------------------------------------------------------------------------------


def score_prepared_attack(shift: int, magnitude: str, phase: str, turn: int, last: int | None) -> int:
    """Return what a Prepared Attack earns its attacker: a point if it was given the column for it, is not Small and is
    fought in the Attack Phase, no later than its scenario allows.

    shift: columns given for it; phase: "" if not stated, as markers come off later; last: the last game turn, None for
    all.
    Rule: 27.2.1
    """
    in_time = last is None or turn <= last
    return int(shift > 0 and magnitude != "Small" and phase != "counter-attack" and in_time)


def last_prepared(view: View, magnitude: str) -> int | None:
    """Return the last game turn in which Prepared Attacks of a Magnitude earn Victory Points, None if they do to the
    end. A scenario may end them for all, and earlier for one Magnitude.
    """
    tracks = (PREPARED_END, f"{PREPARED_END}-{magnitude.casefold()}")
    ends = [view.fact(track) for track in tracks if track in view.game.tracks]
    return min((int(str(end.value)) for end in ends if end), default=None)


def score_plan_achieved(turn: int) -> int:
    """Return what the Strategic Plan of an army earns that is achieved in a game turn. Rule: 27.2.2a"""
    return next((points for last, points in PLAN_POINTS if turn <= last), 2)


def score_plan_abandoned(distance: int) -> int:
    """Return what an army's Strategic Plan costs, as a negative number, that is abandoned.

    distance: hexes from its nearest infantry formation to the nearest of its objectives; in one it counts as adjacent.
    Rule: 27.2.2b
    """
    return next(points for least, points in ((8, -16), (6, -13), (4, -10), (2, -7), (0, -4)) if distance >= least)


def score_corps_plan(*, abandoned: bool) -> int:
    """Return what the end of a corps' Strategic Plan brings: nothing if it is achieved, a loss if it is abandoned.
    Rule: 27.2.2c
    """
    return CORPS_PLAN if abandoned else 0


def score_town(star: int, holder: str, side: str) -> int:
    """Return what the troops of a side earn that enter a starred town or city: its number if the other side held it.

    star: the number; holder: the side that occupied it last, at first that of its country.
    Rule: 27.2.4
    """
    return star if holder != side else 0


def star_holder(view: View, hex: str) -> str:
    """Return the side that occupied a starred town last: as stated, or else that of the troops there, or of the country
    in which it lies; "" if that is not stated. Rule: 27.2.4
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
    """Return what a unit that is gone earns the enemy: a formation of the size of a division, and a supply unit;
    brigades and Asset Units earn nothing. Rule: 27.2.5, 27.2.6
    """
    if arm in SUPPLY_UNIT:
        return SUPPLY_UNIT[arm]
    return DIVISION.get(arm, 0) if formation and size == "XX" else 0


def score_divisions(eliminated: Iterable[CombatUnit]) -> int:
    """Return what eliminated enemies earn that fight."""
    return sum(score_unit(unit.arm, unit.size, formation=unit.formation) for unit in eliminated)


def worth_of(view: View, unit: str) -> int:
    """Return what a unit of a position is worth to the enemy, as far as it is known."""
    arm = view.word("arm", unit)
    size = view.word("size", unit)
    return score_unit(arm, size, formation=not is_asset(arm, size, marked=view.flag("asset", unit)))


# --- what an answer scores --------------------------------------------------------------------------------------------


def score_losses(view: View, units: Iterable[str]) -> list[Award]:
    """Return what the enemy earns for units that are eliminated. view: of a position in which they are on the map
    still; those that are not have been scored before (27.2.5, 27.2.6).
    """
    awards = list[Award]()
    for unit in dict.fromkeys(units):
        if view.unit(unit).place is None:
            continue
        points = worth_of(view, unit)
        enemy = enemy_of(view, view.side_of(unit)) if points else ""
        if enemy:
            account = DIVISIONS if view.word("arm", unit) in DIVISION else SUPPLY_UNITS
            awards.append(Award(account, enemy, points, unit))
    return awards


def enemy_of(view: View, side: str) -> str:
    """Return the other side, "" if the side is not known."""
    return next((enemy for enemy in view.game.file.sides if side and enemy != side), "")


def gains(awards: Iterable[Award]) -> tuple[Gain, ...]:
    """Return what awards change: each account of a side once. Rule: 27.1"""
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
NAMED = {ATTACKS: "hexes", PLANS: "armies", TOWNS: "hexes", DIVISIONS: "units", SUPPLY_UNITS: "units"}
"""The figure of the words that names what brings the points."""


def format_awards(view: View, awards: Sequence[Award]) -> tuple[Step, ...]:
    """Return the awards in words, a line for each account of a side."""
    together = dict[tuple[str, str], list[Award]]()
    for award in awards:
        together.setdefault((award.account, award.side), []).append(award)
    lines = list[Step]()
    for (account, side), alike in together.items():
        figures: dict[str, Any] = {
            "side": view.title_of(side),
            "victory_points": sum(award.points for award in alike),
            NAMED[account]: [force_title(view, award.of) if account == PLANS else award.of for award in alike],
        }
        text = WORDS[account] if any(award.points for award in alike) else DENIED
        lines.append(Step(ACCOUNTS[account], text, figures))
    return tuple(lines)


def points_part(view: View, awards: Sequence[Award]) -> Part:
    """Return what is scored at once, as a part of a report; empty if that is nothing."""
    return Part("Victory Points", format_awards(view, awards))
