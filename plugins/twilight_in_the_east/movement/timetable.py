"""The timetable of a unit that goes by rail: as a result shows it, in words and in a picture (8.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Annotated

import msgspec

from assistant.asking import Step, Verdict, View, note, step, verdict
from assistant.asking.report import VerdictKind
from assistant.asking.sketch import Arrow, Role, Spot, way_of
from assistant.asking.wording import fill
from assistant.state.vocabulary import UnitId

from ..forces.account import On
from ..ground.calendar import ATTACK_PHASES, MOVEMENT_PHASES, PHASES
from ..railways.lines import RailLines
from ..railways.rail_points import POOL_TITLES, Purse
from ..railways.routes import rail_points
from ..railways.stations import Yards
from ..railways.transport import Stage, Timetable, Train, first_battle
from .train_plans import Run

DOINGS: Mapping[On, str] = {
    "entraining": "entrain",
    "rail": "move",
    "trans-shipping": "trans-ship",
    "detraining": "detrain",
    "waiting": "wait in the queue",
}
"""What Movement Points are spent on, in words."""


class RailPhase(msgspec.Struct, frozen=True, kw_only=True):
    """What a unit by rail does in a phase."""

    turn: Annotated[int, note("the game turn, 0 if it is not stated")]
    phasing: Annotated[str, note("the side whose player turn it is")]
    phase: Annotated[str, note("movement or counter-movement")]
    place: Annotated[str, note("the hex where the unit is at the end of the phase")]
    hexes: Annotated[tuple[str, ...], note("the hexes that it enters")] = ()
    spent: Annotated[
        Mapping[str, Fraction],
        note("its Movement Points: entraining, rail, trans-shipping, detraining, or waiting in a queue"),
    ]
    left: Annotated[Fraction, note("Movement Points that it has left then")]
    aboard: Annotated[bool, note("whether it is in Rail Mode at the end of the phase")]
    task: Annotated[str, note("what it has begun and not completed")] = ""
    marker: Annotated[int, note("Movement Points on its MPs Expended marker")] = 0
    off_map: Annotated[int, note("hexes behind it on an off-map line, 0 for a unit on the map")] = 0
    paid: Annotated[Mapping[str, Fraction], note("Rail Points that it costs, by pool")]
    pools: Annotated[Mapping[str, Fraction | None], note("Rail Points left then, by pool; null where not known")]
    stations: Annotated[Mapping[str, Fraction], note("Rail Cost Points that the stations it uses can serve then")]


class RailTime(msgspec.Struct, frozen=True):
    """A phase of a game turn."""

    turn: Annotated[int, note("the game turn, 0 if it is not stated")]
    phasing: Annotated[str, note("the side whose player turn it is")]
    phase: Annotated[str, note("its word, such as attack")]


class UnitByRail(msgspec.Struct, frozen=True, kw_only=True):
    """The timetable of a unit."""

    unit: UnitId
    destination: Annotated[
        str, note("the RR Station to which it goes, empty if it does not complete entraining yet and has to name none")
    ]
    route: Annotated[tuple[str, ...], note("the hexes of its route, in order")] = ()
    hexes: Annotated[int, note("the hexes of its route, those of single track counted twice")] = 0
    phases: Annotated[tuple[RailPhase, ...], note("where it is and what it spends, phase by phase")] = ()
    paid: Annotated[Mapping[str, Fraction], note("all Rail Points that it costs, by pool")] = {}
    lacking: Annotated[Fraction, note("Rail Points that are missing")] = msgspec.field(default_factory=Fraction)
    arrives: Annotated[RailTime | None, note("the phase in which it has detrained, null if it does not get so far")] = (
        None
    )
    fights: Annotated[
        RailTime | None, note("the first attack phase in which it can attack, null for a Corps Train, which never does")
    ] = None


# --- of a train -------------------------------------------------------------------------------------------------------


def unit_by_rail(run: Run, table: Timetable) -> UnitByRail:
    """Return the timetable of a unit as the result has it."""
    shown = list[RailPhase]()
    begins = run.train
    for stage, yards, purse in zip(table.stages, table.yards, table.purses, strict=True):
        shown.append(_rail_phase(run.train.nation, stage, begins, yards, purse))
        begins = stage.train
    paid = dict[str, Fraction]()
    for stage in table.stages:
        for pool, points in stage.paid.items():
            paid[pool.kind] = paid.get(pool.kind, Fraction(0)) + points
    done = table.done
    battle = first_battle(done, marked=run.train.marked) if done and run.attacks else None
    return UnitByRail(
        unit=run.train.unit,
        destination=run.train.destination,
        route=run.way.hexes,
        hexes=run.way.weighted,
        phases=tuple(shown),
        paid=paid,
        lacking=table.stages[-1].lacking,
        arrives=RailTime(done.turn, done.phasing, MOVEMENT_PHASES[done.counter]) if done else None,
        fights=RailTime(battle.turn, battle.phasing, ATTACK_PHASES[battle.counter]) if battle else None,
    )


def _rail_phase(nation: str, stage: Stage, begins: Train, yards: Yards, purse: Purse) -> RailPhase:
    """Return a phase of a unit as the result has it. begins: the unit as the phase begins for it."""
    moment, train = stage.moment, stage.train
    return RailPhase(
        turn=moment.turn,
        phasing=moment.phasing,
        phase=MOVEMENT_PHASES[moment.counter],
        place=train.place,
        hexes=stage.hexes,
        spent=stage.spent,
        left=stage.left,
        aboard=train.aboard,
        task=train.task,
        marker=int(train.done),
        off_map=train.gone,
        paid={pool.kind: points for pool, points in stage.paid.items()},
        pools={pool.kind: points for pool, points in purse.items() if pool.nation == nation},
        stations={hex: yards.room(hex) for hex in dict.fromkeys((begins.place, train.place)) if hex in yards.used},
    )


# --- in words ---------------------------------------------------------------------------------------------------------


def _format_phase(view: View, time: RailPhase | RailTime) -> str:
    """Return a phase in words: "Movement Phase of GT 9 (Russian player turn)"."""
    of_turn = f" of GT {time.turn}" if time.turn else ""
    return f"{PHASES[time.phase]}{of_turn} ({view.game.file.title_of(time.phasing)} player turn)"


def conclude(view: View, units: Sequence[UnitByRail]) -> Verdict:
    """Return the answer in a line."""
    waiting = [unit.unit for unit in units if not unit.destination and not unit.lacking]
    late = [unit.unit for unit in units if unit.arrives is None and unit.unit not in waiting]
    if len(late) == len(units):
        return verdict("no", "{units} cannot complete the journey", units=late)
    fights = [f"{unit.unit} in the {_format_phase(view, unit.fights)}" for unit in units if unit.fights]
    detrained = [unit for unit in units if unit.arrives and not unit.fights]
    arrivals = [f"{unit.unit} in the {_format_phase(view, unit.arrives)}" for unit in detrained if unit.arrives]
    texts = list[str]()
    if fights:
        texts.append("first attack possible: {when:+}")
    if arrivals:
        texts.append("detrained: {arrivals:+}")
    if late:
        texts.append("{units} cannot complete the journey")
    if waiting:
        texts.append("{delayed} cannot complete entraining in this phase, and so cannot move by rail yet")
    kind: VerdictKind = "figure" if fights or arrivals else "yes"
    said = SimpleNamespace(when=fights, arrivals=arrivals, units=late, delayed=waiting)
    return verdict("no" if late else kind, "; ".join(texts), said)


def unit_steps(view: View, lines: RailLines, run: Run, unit: UnitByRail) -> Iterator[Step]:
    """Yield the timetable of a unit in words."""
    if run.displaced:
        text = "{unit} displaces to {hex} first, and bears a Combat Strength 1/2 marker"
        yield step("8.2.4", text, unit=unit.unit, hex=run.displaced[-1])
    elif run.troubled:
        text = "{unit} goes to {hex} instead, and bears a Combat Strength 1/2 marker"
        yield step(run.troubled, text, unit=unit.unit, hex=unit.destination)
    if unit.hexes:
        text = (
            "to {hex}: {count:#hex}, single track counted twice; {points:#Movement Point} at {rate} per Movement Point"
        )
        points = rail_points(unit.hexes, lines.rate)
        yield step("8.2.2", text, hex=unit.destination, count=unit.hexes, points=points, rate=lines.rate)
    for phase in unit.phases:
        yield _phase_step(view, phase)
    if not unit.destination:
        yield step("8.2.3", "{unit} names its destination as soon as it has completed entraining", unit=unit.unit)
    if run.unfit:
        text = "the destination named is not needed yet, and would be refused now: {why:+}"
        yield step("8.2.3", text, why=[line.text for line in run.unfit])
    if unit.lacking:
        last = unit.phases[-1]
        text = "its side is {missing:#Rail Point} short in {hex}[aboard:: it waits there to trans-ship]"
        yield step("8.2.3", text, last, missing=unit.lacking, hex=last.place)
    if unit.arrives and run.train.marked:
        text = (
            "its Combat Strength 1/2 marker takes effect once it has detrained, "
            "and comes off in the second Post-Combat Phase"
        )
        yield step("8.2.5", text)


def _phase_step(view: View, phase: RailPhase) -> Step:
    """Return a phase in words: where the unit is then, what it has spent, and what is left."""
    spent = [
        f"{_format_points(phase.spent[word])} to {doing}" for word, doing in DOINGS.items() if word in phase.spent
    ] or ["nothing spent"]
    text = (
        "{when}: {doings:+}; in {hex}[over:, {over:#hex} along the off-map line]"
        "[points:, {points:#Movement Point} on its marker for {task}][paid:; pays {paid:+}][stations:; {stations:+}]"
    )
    return step(
        "8.2.3",
        text,
        when=_format_phase(view, phase),
        doings=spent,
        hex=phase.place,
        over=phase.off_map,
        points=phase.marker,
        task=phase.task,
        paid=[_format_pool(kind, points, phase.pools.get(kind)) for kind, points in phase.paid.items()],
        stations=[f"{hex} can serve {_format_points(left)} RCP more" for hex, left in phase.stations.items()],
    )


def _format_points(points: Fraction) -> str:
    """Return Movement Points in words: "5 9/14"."""
    return fill("{points}", {"points": points})


def _format_pool(kind: str, points: Fraction, left: Fraction | None) -> str:
    """Return Rail Points of a pool in words, with those that are left."""
    name = " ".join(filter(None, [_format_points(points), POOL_TITLES[kind], "RP"]))
    return name if left is None else f"{name} ({_format_points(left)} left)"


# --- what its picture shows -------------------------------------------------------------------------------------------


def timetable_spots(view: View, units: Sequence[UnitByRail]) -> Iterator[Spot]:
    """Yield where units set out and where they are as phases end: each hex with the game turn of the first of these,
    and all of them for the key.
    """
    roles: dict[str, Role] = {str(view.unit(unit.unit).place): "start" for unit in units}
    turns = dict[str, int]()
    stays = dict[str, list[str]]()
    for unit in units:
        ends = dict[str, list[str]]()
        for phase in unit.phases:
            roles.setdefault(phase.place, "passed")
            turns.setdefault(phase.place, phase.turn)
            away = ", under way off the map" if phase.off_map else ""
            end = _format_phase(view, phase) + away
            ends.setdefault(phase.place, []).append(end)
        for hex, times in ends.items():
            stays.setdefault(hex, []).append(f"{unit.unit} at the end of the {', the '.join(times)}")
        if unit.arrives:
            roles[unit.phases[-1].place] = "end"
    for hex, role in roles.items():
        turn = turns.get(hex, 0)
        yield Spot(hex=hex, role=role, label=f"GT {turn}" if turn else "", why="; ".join(stays.get(hex, ())))


def route_arrows(view: View, unit: UnitByRail, side: str) -> Iterator[Arrow]:
    """Yield the route of a unit, in parts where it leads off the map or the unit displaces."""
    part = list[str]()
    for hex in (str(view.unit(unit.unit).place), *unit.route):
        if part and hex not in view.board.neighbours(part[-1]):
            yield from way_of(part, side)
            part = []
        part.append(hex)
    yield from way_of(part, side)
