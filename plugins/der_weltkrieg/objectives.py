"""What armies must do on map 5-5 and by Plan 17: the questions `objective` and `plan-17` (5-3, 6-4 to 6-6, 7-4 to
7-6).
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.asking import (
    InputError,
    MissingFacts,
    Parameters,
    PlaceName,
    Report,
    Step,
    View,
    declare,
    holding,
    note,
    permission,
)
from assistant.asking.asks import Ask
from assistant.game.boards import Board
from assistant.util.console import format_count
from assistant.util.texts import natural

from .terms import AUSTRIAN, RUSSIAN, list_remarks, parse_army, read_campaign_calendar, read_rows, turn_now

LATER = "3111"
"""The objective of a Russian army once its own are taken."""
LAST = "sep14/4"
"""The last turn in which armies go for their objectives."""


class ArmyObjective(msgspec.Struct, frozen=True):
    """A row of `tables/objectives.csv`: the objectives of an army on map 5-5, none for any enemy ZOC."""

    army: str
    rule: str
    hexes: tuple[str, ...] = ()


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a move keeps to an army's objective."""

    objectives: Annotated[tuple[str, ...], note("the objectives, none for any enemy ZOC")]
    before: Annotated[int | None, note("hexes to the nearest before the move, null without a hex")]
    after: Annotated[int | None, note("hexes to the nearest after it")]
    allowed: Annotated[bool | None, note("whether the move keeps to it, null without a move")] = None


def is_as_near(view: View, at: str, other: str, hexes: tuple[str, ...]) -> bool:
    """Return whether a hex is as near to one of several objectives as another hex, or nearer. Rule: 6-4, 7-4"""
    board = view.board
    return any(board.distance(at, hex) <= board.distance(other, hex) for hex in hexes)


class ObjectiveParameters(Parameters, frozen=True, kw_only=True):
    """What `objective` is asked about."""

    army: Annotated[str, note("the army: `ah 1`, `ru 5` ...", "name")]
    from_: Annotated[PlaceName, note("where its HQ or unit was", "place")] = msgspec.field(default="", name="from")
    to: Annotated[PlaceName, note("where it goes", "place")] = ""
    hq: Annotated[PlaceName, note("of infantry: where its HQ is after the move", "place")] = ""
    could: Annotated[
        PlaceName,
        note("of an HQ: the hex nearest to the objective that it can reach without entering an enemy ZOC", "place"),
    ] = ""
    beyond: Annotated[
        bool, note("of infantry: whether every hex so near is outside the unreduced supply range of its HQ")
    ] = False
    zones: Annotated[bool, note("of infantry: whether every hex so near is in an enemy ZOC")] = False
    vacant: Annotated[bool, note("whether an objective beside it is vacant, and it could enter it")] = False
    contact: Annotated[bool, note("whether it begins in an enemy ZOC")] = False
    near: Annotated[bool, note("whether an enemy unit is within two hexes of the HQ's place (Russian armies)")] = False
    reached: Annotated[
        bool,
        note(
            "whether the objectives of a Russian army are taken; of an Austro-Hungarian one: whether Russia "
            "holds one of any Russian army"
        ),
    ] = False
    enters: Annotated[
        bool, note("of an army without a hex: whether the move enters an enemy ZOC, or comes as near as it can")
    ] = False
    exempt: Annotated[bool, note("whether it is cavalry or an independent brigade")] = False


def _find_army(view: View, named: str) -> ArmyObjective:
    """Return the row of an army, named `ah 1`, `AH 1st` or `Austro-Hungarian 1st Army`.

    Raises InputError for one without an objective.
    """
    known = {row.army: row for row in read_rows("objectives", ArmyObjective)}
    key = " ".join(parse_army(view.game, named))
    if key not in known:
        raise InputError(f"army: {named!r} has no objective", hint="one of " + ", ".join(known))
    return known[key]


def _measure_nearest(board: Board, at: str, hexes: tuple[str, ...]) -> int | None:
    """Return how far a hex is from the nearest of several, None where there is none to measure."""
    return min((board.distance(at, hex) for hex in hexes), default=None) if at else None


def objective(view: View, asked: ObjectiveParameters) -> Report[Objective]:
    """Return the report on an army and its objective on map 5-5, by the optional rules: its HQ comes as near as it can
    without entering an enemy ZOC, its infantry is as near as the HQ or nearer, and nobody stays beside a vacant
    objective. Rule: 6-4, 6-5, 6-6, 7-4, 7-5, 7-6
    """
    row = _find_army(view, asked.army)
    with view.gather() as facts:
        turn = turn_now(facts)
    rule = row.rule
    hexes = row.hexes
    is_russian = row.army.startswith("ru")
    law = "7-4" if is_russian else "6-4"
    if is_russian and asked.reached:
        hexes = (LATER,)
    over = turn > read_campaign_calendar(view).number(LAST)
    free = over or asked.contact or asked.exempt or (asked.near if is_russian else asked.reached)
    board = view.board
    before = _measure_nearest(board, asked.from_, hexes)
    after = _measure_nearest(board, asked.to, hexes)
    is_judged = bool(asked.to and hexes and not free and after)
    if is_judged and not (asked.hq or asked.could):
        title = (
            "where its HQ is, for infantry; for an HQ the nearest hex that it can reach outside enemy ZOC: could=HEX"
        )
        raise MissingFacts([Ask(kind="parameter", name="hq", rule=law, title=title, how="hq=HEX")])
    other = asked.hq or asked.could
    is_far = is_judged and not is_as_near(view, asked.to, other, hexes)
    may_stay = bool(asked.hq) and (asked.beyond or (asked.zones and view.ruling("objective-zones") == "no"))
    clauses = (
        (is_far and asked.hq and not may_stay, law, "{to} is farther from {hexes} than its HQ at {hq}"),
        (is_far and not asked.hq, law, "{to} is farther from {hexes} than {could}, which the HQ can reach"),
        (is_judged and asked.vacant, law, "an objective that it could enter is vacant: no unit stays beside it"),
        (
            not free and not hexes and asked.to and not asked.enters,
            "6-5",
            "it has to enter an enemy ZOC, or come as near as it can",
        ),
    )
    reasons = holding(clauses, to=asked.to, hq=asked.hq, could=asked.could, hexes=[*hexes])
    text = (
        (hexes, rule, "objective: {hexes}"),
        (not hexes, rule, "objective: any enemy ZOC"),
        (over, "7-4" if is_russian else "6-6", "released after turn 4 of September 1914"),
        (not is_russian and asked.reached, "6-6", "released: Russia holds one of its objectives"),
        (is_russian and asked.reached, "7-5", "its objectives are taken: the new one is Przemysl"),
        (is_russian and asked.near, "7-6", "not required: an enemy is within two hexes of the HQ's place"),
        (asked.contact, rule, "units that begin in an enemy ZOC may stay"),
        (asked.exempt, rule, "cavalry and independent brigades move as they wish"),
        (is_far and may_stay and asked.beyond, law, "it need not leave the unreduced supply range of its HQ"),
        (is_far and may_stay and not asked.beyond, law, "it need not enter an enemy ZOC"),
    )
    found = Objective(objectives=hexes, before=before, after=after)
    report = permission(
        f"Objective of army {row.army}",
        (
            "the move keeps to the plan" if asked.to else "the objective of the army",
            "the move does not keep to the plan",
        ),
        reasons,
        found,
        kind="yes" if asked.to else "figure",
        working={
            "The plan": [
                *holding(text, hexes=[*hexes]),
                *list_remarks("objective", RUSSIAN if is_russian else AUSTRIAN),
            ]
        },
    )
    return report if asked.to else msgspec.structs.replace(report, result=found)


class Plan17(msgspec.Struct, frozen=True, kw_only=True):
    """Whether an army fulfils Plan 17."""

    missing: Annotated[tuple[str, ...], note("units that have to attack and do not, a count if units were counted")]
    allowed: Annotated[bool | None, note("whether the attack fulfils it")] = None


class Attackers(NamedTuple):
    """The infantry of an army as Plan 17 judges it."""

    units: tuple[str, ...]
    attacking: tuple[str, ...]
    unable: tuple[str, ...]
    fortress: tuple[str, ...]


def read_attackers(
    units: tuple[str, ...], attacking: tuple[str, ...], able: tuple[str, ...], fortress: tuple[str, ...]
) -> Attackers:
    """Return the infantry that is asked about.

    Units that are counted get numbers: the first ones attack and are in position, and the last ones in position can
    attack only a fortress.

    Raises InputError if names stand beside counts, if the army has fewer units, or if more can attack only a fortress
    than are in position.
    """
    most = _read_count(units)
    if most is None:
        unable = tuple(unit for unit in units if able and unit not in able)
        return Attackers(units, attacking, unable, fortress)
    given = {"attacking": attacking, "able": able, "fortress": fortress}
    counts = {name: _read_count(units) for name, units in given.items() if units}
    for name, count in counts.items():
        if count is None:
            raise InputError(
                f"{name}: {given[name][0]!r} is a name, and the units are counted", hint="name all, or count"
            )
        if count > most:
            raise InputError(f"{name}: {count} are more than the {most} units of the army")
    numbers = tuple(str(number) for number in range(1, most + 1))
    in_position = counts.get("able", most) or 0
    only_fortress = counts.get("fortress") or 0
    if only_fortress > in_position:
        raise InputError(f"fortress: {only_fortress} are more than the {in_position} units in position")
    return Attackers(
        numbers,
        numbers[: counts.get("attacking") or 0],
        numbers[in_position:],
        numbers[in_position - only_fortress : in_position],
    )


def _read_count(units: tuple[str, ...]) -> int | None:
    """Return how many units a single number stands for, or None if they are named."""
    return natural(units[0]) if len(units) == 1 else None


def plan_17(
    view: View,
    *,
    army: Annotated[Literal["1", "2", "3", "4"], note("the French army")],
    units: Annotated[
        tuple[str, ...], note("its 6-4 and 7-4 infantry: the units, or how many, as all of these", "name")
    ],
    attacking: Annotated[tuple[str, ...], note("those that attack this turn", "name")] = (),
    able: Annotated[tuple[str, ...], note("those that are in a position to attack; by default all", "name")] = (),
    fortress: Annotated[tuple[str, ...], note("those that can attack only a fortress of 12 or more", "name")] = (),
) -> Report[Plan17]:
    """Return the report on the attack that Plan 17 requires of a French army by turn 5 of August 1914. Rule: 5-3"""
    is_counted = _read_count(units) is not None
    units, attacking, unable, fortress = read_attackers(units, attacking, able, fortress)
    with view.gather() as facts:
        turn = turn_now(facts)
    fifth = read_campaign_calendar(view).number("aug14/5")
    spared = fortress if turn == fifth else ()
    missing: tuple[str, ...] = ()
    if attacking or turn >= fifth:
        excused = (*attacking, *spared) if turn < fifth else (*attacking, *spared, *unable)
        missing = tuple(unit for unit in units if unit not in excused)

    def show(which: tuple[str, ...]) -> list[str]:
        return [format_count(len(which), "unit")] if is_counted and which else [*which]

    clauses = (
        (turn > fifth, "5-3", "the attack was due by turn 5 of August"),
        (attacking and turn < fifth and unable, "5-3", "an earlier attack needs all of them in position: not {unable}"),
        (attacking and missing, "5-3", "all of them attack together: not {missing}"),
        (not attacking and turn == fifth and missing, "5-3", "it has to attack this turn with {missing}"),
    )
    reasons: list[Step] = holding(clauses, unable=show(unable), missing=show(missing))
    text = "army {army} fulfils its attack" if attacking else "army {army} need not attack this turn"
    return permission(
        f"Plan 17: army {army}",
        (text, "army {army} does not fulfil its attack"),
        reasons,
        Plan17(missing=(str(len(missing)),) if is_counted and missing else missing),
        army=army,
        working={
            "The plan": holding(
                [(spared, "5-3", "on turn 5 those that can attack only a fortress of 12 or more are spared: {spared}")],
                spared=show(spared),
            )
        },
    )


QUESTIONS = (
    declare("objective", "an army's objective, and whether a move keeps to it", objective),
    declare("plan-17", "whether a French army fulfils the attack of Plan 17", plan_17),
)
