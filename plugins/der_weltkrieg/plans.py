"""The questions on duties of 1914: `plans`, `duty`, `objective`, `plan-17` and `mobilized`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Literal, NamedTuple

import msgspec

from assistant.asking import (
    MissingFacts,
    NationName,
    Parameters,
    Part,
    PlaceName,
    Report,
    Step,
    View,
    declare,
    holding,
    note,
    permission,
    step,
    verdict,
)
from assistant.asking.asks import Ask
from assistant.game.boards import Board
from assistant.game.schedule_files import read_schedules
from assistant.rules.arrivals import fact_of
from assistant.util.console import format_count
from assistant.util.errors import InputError
from assistant.util.texts import natural

from .terms import (
    AUSTRIAN,
    RUSSIAN,
    Count,
    dates_of,
    format_nation,
    format_turn,
    list_remarks,
    parse_army,
    read_campaign_calendar,
    read_rows,
    turn_now,
)

METZ = "2415"
STRASBOURG = "3018"
LIEGE = "2107"
NAMUR = "1807"
BELGIAN_REDOUBT = ("1504", "1603", "1604")
"""The hexes in which the Belgian army gathers."""
GARRISONED_PORTS = ("3419", "3620", "3423")
"""Trieste, Fiume and Pola."""
NORTHEAST = ("N", "NE", "SE")
SPENDING_ARMIES = {"aug14/6": ("1", "4"), "aug14/7": ("1", "3", "4")}
"""The armies that must spend supply points on attacks, by turn."""
MIN_POINTS_SPENT = 8
"""The minimum number of supply points that such an army spends."""
DUTIES_OF_MOVES = ("3-3", "5-4", "6-13", "10-3", "10-4", "10-5")
"""Duties that are judged by a move."""
SECOND_RUSSIAN_OBJECTIVE = "3111"
"""The objective of a Russian army once its first ones are taken."""
LAST_OBJECTIVE_TURN = "sep14/4"
"""The last turn in which armies have objectives."""


class Duty(msgspec.Struct, frozen=True, kw_only=True):
    """A requirement of the plans of 1914, or a permission for the whole game: a row of `tables/duties.csv`."""

    who: Annotated[str, note("the nation")]
    rule: Annotated[str, note("the rule")]
    text: Annotated[str, note("the requirement or permission in words")]
    first: Annotated[str, note("the first turn, empty for what holds in all")] = ""
    last: Annotated[str, note("the last turn")] = ""


def duties(view: View, turn: int) -> Iterator[Duty]:
    """Return the requirements of the plans of 1914 in a turn.

    Rule: 3-3, 3-4, 3-5, 3-6, 3-7, 5-3, 5-4, 6-4, 6-7, 6-8, 7-4, 10-3, 10-4, 10-5
    """
    dates = dates_of(view)
    return (duty for duty in read_rows("duties", Duty) if duty.first and dates.is_within(turn, duty.first, duty.last))


def plans(view: View) -> Report[tuple[Duty, ...]]:
    """Return the report on the requirements of plans in the turn of the position.

    Rule: 6-3, 7-3, 3-8, 3-9, 6-12, 6-13, 6-14, 6-15, 6-16
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    found = tuple(duties(view, turn))
    always = [duty for duty in read_rows("duties", Duty) if not duty.first]
    text = "{count:#duty} of 1914" if found else "no plan of 1914 is in force any more"
    steps = []
    for duty in found:
        line = "{who}: {text} ({first} to {last})"
        steps.append(step(duty.rule, line, duty, who=format_nation(view, duty.who)))
    return Report(
        title=f"Plans in {format_turn(view, turn)}",
        verdict=verdict("figure", text, count=len(found)),
        parts=(
            Part("Duties", tuple(steps)),
            Part("Always", tuple(step(duty.rule, duty.text) for duty in always)),
        ),
        result=found,
    )


class DutyKept(msgspec.Struct, frozen=True, kw_only=True):
    """Whether a duty of 1914 is kept."""

    rule: Annotated[str, note("the rule")]
    in_force: Annotated[bool, note("whether it binds in this turn")]
    allowed: Annotated[bool | None, note("whether it is observed")] = None


class DutyParameters(Parameters, frozen=True, kw_only=True):
    """The parameters of `duty`."""

    of: Annotated[
        Literal["3-3", "3-4", "5-4", "6-7", "6-8", "6-12", "6-13", "10-3", "10-4", "10-5"],
        note("the duty, by its rule"),
    ]
    way: Annotated[tuple[str, ...], note("the hexes of the move or retreat, from first to last", "way")] = ()
    held: Annotated[
        tuple[str, ...],
        note("of 3-4: hexes that infantry or its ZOC holds; of 6-12: fortress hexes with an infantry brigade", "place"),
    ] = ()
    army: Annotated[str, note("of 6-7: the army, such as 1", "name")] = ""
    points: Annotated[Count, note("of 6-7: supply points that it spends on its forces' attacks this turn")] = 0
    hq: Annotated[bool, note("of 6-8: whether it is an HQ")] = False
    contact: Annotated[bool, note("of 6-8: whether it begins in an enemy ZOC")] = False
    ends: Annotated[bool, note("of 6-8 and 10-5: whether it ends in an enemy ZOC")] = False
    able: Annotated[bool, note("whether it can do what is asked of it")] = True
    attacked: Annotated[
        bool,
        note(
            "of 5-4: whether its army has attacked; of 6-13: whether it has to retreat; of 10-3 and 10-4: "
            "whether it has been attacked; of 10-5: whether it was, with a loss"
        ),
    ] = False
    guarded: Annotated[bool, note("of 10-3: whether 10 German strength points are within a hex of Brussels")] = True


class Deed(NamedTuple):
    """A move, or the spending in a turn, that a duty judges."""

    asked: DutyParameters
    turn: Annotated[str, note("the label")]
    board: Board
    army: Annotated[str, note("of 6-7: the number or name of the army")] = ""

    @property
    def first(self) -> str:
        return self.asked.way[0] if self.asked.way else ""

    @property
    def last(self) -> str:
        return self.asked.way[-1] if self.asked.way else ""


def holds_line(board: Board, held: tuple[str, ...]) -> bool:
    """Return whether adjacent held hexes lead from Metz to Strasbourg.

    Rule: 3-4
    """
    reached = {METZ} & {*held}
    open_hexes = {*held} - {METZ}
    while more := {hex for hex in open_hexes if any(board.distance(hex, other) == 1 for other in reached)}:
        reached |= more
        open_hexes -= more
    return STRASBOURG in reached


def goes_northeast(board: Board, way: tuple[str, ...]) -> bool:
    """Return whether each step of a move leads to the north, northeast or southeast.

    Rule: 5-4
    """
    grid = board.grid
    around = [(grid.around(grid.parse(at)), grid.parse(to)) for at, to in pairwise(way)]
    return all(to in {hexes[direction] for direction in NORTHEAST} for hexes, to in around)


def breach_next_to_liege(deed: Deed) -> str:
    """Return the breach of duty by German infantry that mobilizes on turn 1, or "".

    Rule: 3-3
    """
    return "" if deed.board.distance(deed.last, LIEGE) == 1 else "it has to end next to Liege"


def breach_of_line(deed: Deed) -> str:
    """Return the breach of the duty to hold the line from Metz to Strasbourg, or "".

    Rule: 3-4
    """
    return "" if holds_line(deed.board, deed.asked.held) else "the line from Metz to Strasbourg is not held"


def breach_of_direction(deed: Deed) -> str:
    """Return the breach of duty by French infantry of the 1st to 4th Armies, or "".

    Rule: 5-4
    """
    is_free = deed.asked.attacked or goes_northeast(deed.board, deed.asked.way)
    return "" if is_free else "it moves only to the north, northeast and southeast until it has attacked"


def breach_of_spending(deed: Deed) -> str:
    """Return the breach of duty by an Austro-Hungarian army that must attack, or "". Rule: 6-7"""
    owes = deed.army in SPENDING_ARMIES[deed.turn] and deed.asked.able and deed.asked.points < MIN_POINTS_SPENT
    return f"the army has to spend at least {MIN_POINTS_SPENT} supply points on its attacks" if owes else ""


def breach_of_zones(deed: Deed) -> str:
    """Return the breach of duty by an Austro-Hungarian move against Serbia, or "".

    Rule: 6-8
    """
    if deed.turn == "aug14/3" and deed.asked.contact:
        return "in an enemy ZOC it may not move" if deed.first != deed.last else ""
    if deed.turn == "aug14/4" and deed.asked.hq:
        return ""
    return "" if deed.asked.ends or not deed.asked.able else "it has to end in an enemy ZOC, as it can"


def breach_at_przemysl(deed: Deed) -> str:
    """Return the breach of the duty to garrison Przemysl, or "".

    Rule: 6-12
    """
    return "" if deed.asked.held else "an infantry brigade has to stay in a fortress hex of Przemysl"


def breach_of_garrison(deed: Deed) -> str:
    """Return the breach of duty by a garrison of Trieste, Fiume or Pola, or "".

    Rule: 6-13
    """
    leaves = deed.first in GARRISONED_PORTS and deed.last != deed.first and not deed.asked.attacked
    return "it moves only if it has to retreat" if leaves else ""


def breach_of_retreat(deed: Deed) -> str:
    """Return the breach of the duty to retreat by a Belgian unit, or "".

    Rule: 10-3
    """
    if deed.asked.attacked or deed.last in BELGIAN_REDOUBT:
        return ""
    if deed.first in BELGIAN_REDOUBT:
        return "it stays in 1504, 1603 or 1604 until attacked" if deed.asked.guarded else ""
    return "it has to move into 1504, 1603 or 1604, as it can" if deed.asked.able else ""


def breach_of_1807(deed: Deed) -> str:
    """Return the breach of duty by a Belgian unit of 1807, or "".

    Rule: 10-4
    """
    if not deed.asked.attacked:
        return "it stays in 1807 until attacked" if deed.last != NAMUR else ""
    if deed.last in BELGIAN_REDOUBT or not deed.asked.able:
        return ""
    return "it has to join the units in 1504, 1603 or 1604, as it can"


def breach_at_liege(deed: Deed) -> str:
    """Return the breach of duty by a Belgian unit at Liege that has a loss before it is mobilized, or "".

    Rule: 10-5
    """
    if not (deed.asked.attacked and deed.asked.able) or deed.board.distance(deed.first, LIEGE) > 1:
        return ""
    has_gone = deed.first != deed.last and not deed.asked.ends
    return "" if has_gone else "it has to retreat out of enemy ZOC, as it can"


BREACHES: Mapping[str, Callable[[Deed], str]] = {
    "3-3": breach_next_to_liege,
    "3-4": breach_of_line,
    "5-4": breach_of_direction,
    "6-7": breach_of_spending,
    "6-8": breach_of_zones,
    "6-12": breach_at_przemysl,
    "6-13": breach_of_garrison,
    "10-3": breach_of_retreat,
    "10-4": breach_of_1807,
    "10-5": breach_at_liege,
}
"""The function that judges each duty, by its rule.

It returns why the duty is broken, or "" if it is kept.
"""


def duty(view: View, asked: DutyParameters) -> Report[DutyKept]:
    """Return the report on whether a duty of 1914 is observed."""
    with view.gather() as facts:
        turn = turn_now(facts)
    if asked.of in DUTIES_OF_MOVES and not asked.way:
        ask = Ask(kind="parameter", name="way", rule=asked.of, title="the hexes of the move", how="way=HEX,HEX,...")
        raise MissingFacts([ask])
    if asked.of == "6-7" and not asked.army:
        raise MissingFacts([Ask(kind="parameter", name="army", rule=asked.of, title="the army", how="army=NUMBER")])
    army = parse_army(view.game, asked.army)
    if asked.of == "6-7" and army.who not in ("", "ah"):
        raise InputError(f"army: {asked.army!r} is not Austro-Hungarian")
    dates = dates_of(view)
    listed = [row for row in read_rows("duties", Duty) if row.rule == asked.of]
    in_force = any(not row.first or dates.is_within(turn, row.first, row.last) for row in listed)
    why = BREACHES[asked.of](Deed(asked, format_turn(view, turn), view.board, army.number)) if in_force else ""
    return permission(
        f"Duty {asked.of}",
        ("it is observed" if in_force else "it does not bind in {turn}", "it is violated"),
        [step(asked.of, "{why}", why=why)] if why else [],
        DutyKept(rule=asked.of, in_force=in_force),
        turn=format_turn(view, turn),
        working={"The duty": [step(asked.of, row.text) for row in listed]},
    )


# --- objectives of 1914 -----------------------------------------------------------------------------------------------


class ArmyObjective(msgspec.Struct, frozen=True):
    """A row of `tables/objectives.csv`: the objectives of an army on map 5-5.

    They are empty if any enemy ZOC is the army's objective.
    """

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
    """Return whether a hex is at most as far from one of the objectives as another hex is. Rule: 6-4, 7-4"""
    board = view.board
    return any(board.distance(at, hex) <= board.distance(other, hex) for hex in hexes)


class ObjectiveParameters(Parameters, frozen=True, kw_only=True):
    """The parameters of `objective`."""

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
    objectives = {row.army: row for row in read_rows("objectives", ArmyObjective)}
    key = " ".join(parse_army(view.game, named))
    if key not in objectives:
        raise InputError(f"army: {named!r} has no objective", hint="one of " + ", ".join(objectives))
    return objectives[key]


def _measure_nearest(board: Board, at: str, hexes: tuple[str, ...]) -> int | None:
    return min((board.distance(at, hex) for hex in hexes), default=None) if at else None


def objective(view: View, asked: ObjectiveParameters) -> Report[Objective]:
    """Return the report on an army and its objective on map 5-5, by the optional rules.

    Rule: 6-4, 6-5, 6-6, 7-4, 7-5, 7-6
    """
    row = _find_army(view, asked.army)
    with view.gather() as facts:
        turn = turn_now(facts)
    rule = row.rule
    hexes = row.hexes
    is_russian = row.army.startswith("ru")
    law = "7-4" if is_russian else "6-4"
    if is_russian and asked.reached:
        hexes = (SECOND_RUSSIAN_OBJECTIVE,)
    over = turn > read_campaign_calendar(view).number(LAST_OBJECTIVE_TURN)
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
    compared_hex = asked.hq or asked.could
    is_far = is_judged and not is_as_near(view, asked.to, compared_hex, hexes)
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


Names = tuple[str, ...]


def read_attackers(units: Names, attacking: Names, able: Names, fortress: Names) -> tuple[Names, Names, Names, Names]:
    """Return four groups of infantry: all, the attackers, the unable, and those limited to a fortress.

    If units are counted, they get numbers: the first ones attack and are in position, and the last ones in position can
    attack only a fortress.

    Raises InputError if names are mixed with counts, or if the counts contradict one another.
    """
    most = _read_count(units)
    if most is None:
        unable = tuple(unit for unit in units if able and unit not in able)
        return units, attacking, unable, fortress
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
    attackers = numbers[: counts.get("attacking") or 0]
    return numbers, attackers, numbers[in_position:], numbers[in_position - only_fortress : in_position]


def _read_count(units: tuple[str, ...]) -> int | None:
    """Return the number of units if they are counted, or None if they are named."""
    return natural(units[0]) if len(units) == 1 else None


def plan_17(
    view: View,
    *,
    army: Annotated[Literal["1", "2", "3", "4"], note("the French army")],
    units: Annotated[
        tuple[str, ...], note("the 6-4 and 7-4 infantry: the units, or how many, as all of these", "name")
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


# --- mobilization -----------------------------------------------------------------------------------------------------


class Mobilized(msgspec.Struct, frozen=True, kw_only=True):
    """A group of units that completes its mobilization."""

    turn: Annotated[str, note("the turn", "turn")]
    map: Annotated[str, note("the map")]
    text: Annotated[str, note("the units in words")]


def mobilized(view: View, *, who: NationName) -> Report[tuple[Mobilized, ...]]:
    """Return the report on the mobilization of a nation.

    Rule: 28/general, 28/HQ, 28/column, 28/schedule, 28/Aug-1, 28/Aug-2, 28/Aug-3, 28/Aug-4, 28/Aug-5, 28/Aug-6,
    28/Aug-7, 28/Italy+0, 28/Italy+1, 28/Italy+2, 8-2
    """
    with view.gather() as facts:
        turn = turn_now(facts)
    schedules = read_schedules(view.game).where(lambda row: (row.item, row.who) == ("mobilization", who))
    dated = dict(schedules.dated(fact_of(view)))
    steps: dict[str, list[Step]] = {"Mobilized": [], "To follow": []}
    found = []
    for row in schedules.rows:
        when = dated.get(row)
        item = Mobilized(turn=format_turn(view, when), map=row.map, text=row.text)
        found.append(item)
        done = when is not None and when <= turn
        steps["Mobilized" if done else "To follow"].append(
            step(row.rule, ("{turn}, map {map}: {text}" if item.turn else "map {map}: {text}"), item)
        )
    count = len(steps["Mobilized"])
    return Report(
        title=f"Mobilization of {format_nation(view, who)}",
        verdict=verdict("figure", "{count} of {all} groups have mobilized", count=count, all=len(found)),
        parts=(
            *(Part(title, tuple(some)) for title, some in steps.items()),
            Part("Rules", tuple(list_remarks("mobilized", who))),
        ),
        result=tuple(found),
    )


QUESTIONS = (
    declare("plans", "what the plans of 1914 require this turn", plans),
    declare("duty", "whether a duty of 1914 is observed by a move, by what stands where, or by what is spent", duty),
    declare("objective", "an army's objective, and whether a move keeps to it", objective),
    declare("plan-17", "whether a French army fulfils the attack of Plan 17", plan_17),
    declare("mobilized", "which units have completed their mobilization", mobilized),
)
