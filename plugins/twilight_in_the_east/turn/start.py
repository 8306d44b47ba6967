"""What a player turn begins with: weather, reinforcements, withdrawals, attachment, pontoon bridges, supply and
railways, each as far as the position shows whether it is done (5.3, 5.4.1 to 5.4.5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assistant.asking import View
from assistant.asking.view import changed
from assistant.rules.field.movement import bring_unit
from assistant.rules.phase_now import Duty, ItemState, StepFinding
from assistant.rules.turns import finding
from assistant.state.state import Unit
from assistant.util.errors import InputError, quoted

from ..arrivals.entry import is_withdrawn
from ..arrivals.facts import withdrawal_turns
from ..attachment.breaches import list_findings, read_displays
from ..attachment.przemysl import misplaced_formations
from ..entering.arrival import March
from ..entering.consequences import find_consequences
from ..forces.activation import release_of
from ..forces.armies import Breach, judge, side_of_army
from ..forces.departures import ARRIVES, DEPARTED, WITHDRAWN, depart, way_departed
from ..ground.calendar import TITLES, possible_weather, record_entry
from ..substitutions.facts import SUBSTITUTE_FOR, exchanged_for, read_substitution, substitutes_of, with_substitutes
from ..terms import RUINED_BATTERY, VISTULA_BATTERIES
from .duties import is_carried_out, rolls_for_weather

SUBSTITUTED = "substituted"
"""The track of a Withdrawal Indicator with an S."""
DONE = "supply-phase-done"
"""The track of the Supply Phase carried out last."""


def _list_units(view: View, side: str) -> list[Unit]:
    """Return the units of a side, on the map and off it."""
    return [unit for unit in view.units() if view.side_of(unit.id) == side]


def judge_weather(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the weather of the turn is known."""
    stated = view.word("weather")
    if rolls_for_weather(duty.turn, stated):
        special = TITLES[possible_weather(duty.turn)[-1]]
        yield finding("owed", "5.3.1b", "not rolled yet; it may be {weather}", weather=special)
    else:
        now = TITLES[stated or possible_weather(duty.turn)[0]]
        yield finding("done", "5.3.1b", "{weather} in GT {turn}", weather=now, turn=duty.turn)


def judge_withdrawals(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which units are withdrawn this turn, with what their leaving brings; a Supply Unit that is withdrawn does
    not come back.
    """
    turns = withdrawal_turns(view, duty.turn)
    going = [unit for unit in _list_units(view, duty.side) if is_withdrawn(turns.get(unit.id), duty.turn)]
    there = [unit.id for unit in going if unit.place is not None]
    if there:
        leaving = depart(view, there, WITHDRAWN)
        following = find_consequences(view, [March((name,), departs=True) for name in there]).changes
        changes = (*leaving, *following)
        yield finding("owed", "16.5", "to be removed from the map: {units}", units=there, changes=changes)
    waiting = [unit.id for unit in going if unit.place is None and view.integer(ARRIVES, unit.id)]
    waiting = [unit for unit in waiting if not way_departed(view, unit)]
    if waiting:
        gone = [changed(view, DEPARTED, unit, WITHDRAWN, "16.5") for unit in waiting]
        text = "withdrawn while they wait, so that they do not enter: {units}"
        yield finding("owed", "16.5", text, units=waiting, changes=gone)
    if not (there or waiting):
        text = "no unit on the map has a Withdrawal Indicator of GT {turn} or before"
        yield finding("impossible", "16.5", text, turn=duty.turn)


def judge_substitutions(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which units may take the place of others this turn, and what keeps others from it; an S on a counter says
    that a substitute is to come. Rule: 16.2
    """
    view = with_substitutes(view)
    coming = substitutes_of(view, duty.side, duty.turn)
    named = [name for name in coming if view.word(SUBSTITUTE_FOR, name)]
    for name in coming:
        ask = f"substitute unit={quoted(name)}"
        if name not in named:
            yield finding("possible", "16.2.3", "{units} is ready", units=[name], ask=ask)
            continue
        try:
            known = read_substitution(view, view.unit(name), exchanged_for(view, name))
        except InputError as error:
            yield _judge_absent_unit(view, name, exchanged_for(view, name), error)
            continue
        if known.reasons:
            why, *_ = known.reasons
            yield finding("impossible", why.rule, "{units}: {why}", units=[name], why=why.text)
        else:
            state: ItemState = "possible" if known.voluntary else "owed"
            exchanged = tuple(old.id for old in known.units)
            gone = known.destroyed
            text = WORDS[known.kind]
            yield finding(state, "16.2", text, units=[name], ask=ask, exchanged=exchanged, destroyed=gone)
    taken = {old for name in named for old in exchanged_for(view, name)}
    marked = [unit.id for unit in _list_units(view, duty.side) if unit.place and view.flag(SUBSTITUTED, unit.id)]
    marked = [unit for unit in marked if unit not in taken]
    if marked:
        text = "with an S on the counter: {units}; a substitute that arrives this turn takes the place of its unit"
        yield finding("possible", "16.2", text, units=marked)
    elif not coming:
        yield finding("impossible", "16.2", "no unit on the map is stated to bear an S (substituted)")


def _judge_absent_unit(view: View, name: str, olds: Sequence[str], error: InputError) -> StepFinding:
    """Return what is found of a substitute while a unit whose place it would take is not there: it waits, unless nobody
    has said what has become of that unit.
    """
    why = error.what.removeprefix("exchanged: ")
    gone = [old for old in olds if old not in view.state.units]
    if not gone:
        return finding("impossible", "16.2", "{units} waits: {why}", units=[name], why=why)
    ask = f"substitute unit={quoted(name)} destroyed={','.join(map(quoted, gone))}"
    text = "{units}: {why}; state where it stands, or that it has been destroyed"
    return finding("undecided", "16.2.1", text, units=[name], ask=ask, why=why)


WORDS = {
    "exchange": "{units} takes the place of {exchanged}",
    "reinforcement": "{units} enters as a reinforcement, as {destroyed} has been destroyed",
    "never": "{units} is never formed, as {destroyed} have been destroyed",
}
"""What becomes of substitutes, in words."""


def judge_batteries(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which batteries along the Vistula are still to be placed under the optional rule: those that have not been
    destroyed, and whose hex no enemy holds. Rule: 22.4.3
    """
    waiting = {unit: hex for unit, hex in VISTULA_BATTERIES.items() if unit not in view.state.units}
    waiting = {unit: hex for unit, hex in waiting.items() if not view.flag(RUINED_BATTERY, hex)}
    free = {unit: hex for unit, hex in waiting.items() if _is_free_of_enemies(view, hex, duty.side)}
    if free and view.flag("vistula-batteries"):
        placed = [bring_unit(view, unit, hex, "22.4.3") for unit, hex in free.items()]
        yield finding("owed", "22.4.3", "{units}", units=free, places=free.values(), changes=placed)
    else:
        text = "the optional rule is not in force (vistula-batteries), or none is left to place"
        yield finding("impossible", "22.4.3", text)


def _is_free_of_enemies(view: View, hex: str, side: str) -> bool:
    """Return whether no unit of the other side is known to stand in a hex."""
    return all(view.side_of(unit.id) in ("", side) for unit in view.stack(hex))


def judge_releases(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which units their Movement Restriction dot releases this turn, or a row of the scenario."""
    dotted = [unit.id for unit in _list_units(view, duty.side) if view.word("restriction", unit.id) != "none"]
    free = [unit for unit in dotted if is_carried_out(release_of(view, unit) or None, duty.turn)]
    if free:
        yield finding("done", "3.3.5", "free to move from now on: {units}", units=free)
    else:
        yield finding("impossible", "3.3.5", "no Movement Restriction dot shows GT {turn}", turn=duty.turn)


def judge_attachment(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the attachment of the side breaks a rule, as far as that is stated."""
    every, _ = judge(list_findings(read_displays(view)))
    breaches = [breach for breach in every if not breach.tolerated]
    own = {unit.id for unit in _list_units(view, duty.side)}
    wrong = dict[tuple[str, str], list[Breach]]()
    for breach in breaches:
        if breach.concerns & own or side_of_army(breach.about) == duty.side:
            wrong.setdefault((breach.rule, breach.why), []).append(breach)
    for (rule, why), alike in wrong.items():
        units = sorted(own & {name for breach in alike for name in breach.concerns})
        about = [breach.about for breach in alike]
        yield finding("owed", rule, "{about}: {why}", units=units, about=about, why=why)
    if "austro-hungarian" in view.game.file.sides[duty.side]:
        for name, why in misplaced_formations(view):
            wrong["23.6", why] = []
            yield finding("owed", "23.6", "{units}: {why}", units=[name], ask=f"attach unit={quoted(name)}", why=why)
    if not wrong:
        yield finding("possible", "6.2", "nothing stated breaks a rule of attachment")


def judge_pontoons(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which Corps Trains have laid a pontoon bridge, and whether others may."""
    on_map = [unit.id for unit in _list_units(view, duty.side) if unit.place]
    trains = [unit for unit in on_map if view.word("arm", unit) == "corps-train"]
    builders = [unit for unit in trains if view.flag("pontoon-laid", unit)]
    free = [unit for unit in trains if unit not in builders and not view.flag("entrained", unit)]
    if builders:
        yield finding("done", "18.2", "laid by {units}", units=builders)
    if free:
        yield finding("possible", "18.0", "{units} can lay one", units=free)
    elif not builders:
        yield finding("impossible", "18.0", "the side has no Corps Train on the map that could lay one")


def judge_supply(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield whether the side has carried out its Supply Phase of this turn."""
    if is_carried_out(view.integer(DONE, duty.side) or None, duty.turn):
        yield finding("done", "5.4.4", "carried out in GT {turn}", turn=duty.turn)
    else:
        ask = f"supply-phase side={duty.side}"
        yield finding("owed", "5.4.4", "not carried out yet", ask=ask)


def judge_railheads(view: View, duty: Duty) -> Iterator[StepFinding]:
    """Yield which RR hexes have been converted this turn, and with how many RR Engineer points others may be."""
    converted = sorted(hex for hex in view.stated_about.get("converted", ()) if view.flag("converted", hex))
    if converted:
        yield finding("done", "17.1.2", "converted this turn: {places}", places=converted)
    points = [*_list_points_of_turn(view, view.game.file.sides[duty.side])]
    text = "[points:RR Engineer points of the turn: {points}|the turn record shows the RR Engineer points]"
    yield finding("possible", "17.1.2", text, points=points)


def _list_points_of_turn(view: View, nations: Iterable[str]) -> Iterator[str]:
    """Yield the RR Engineer points that the record of the turn shows for some nations, as far as somebody has entered
    them; those for the home country alone apart.
    """
    for nation in nations:
        entry = record_entry(view, f"{nation}-engineers")
        if entry:
            yield f"{view.title_of(nation)} {entry}"
        at_home = record_entry(view, f"{nation}-home-engineers")
        if at_home:
            yield f"{view.title_of(nation)} {at_home.strip('()')} for Germany alone"
