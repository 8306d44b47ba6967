"""Lawful phases played by chance: units go along random ways, step by step, by the question `move` alone.

The review finds its ways with `reach`; the player does not ask it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import msgspec

import assistant
from assistant.asking.parameters import read_parameters
from assistant.asking.question import decide
from assistant.asking.report import MissingFacts, Report
from assistant.asking.view import View
from assistant.formats.positions import Position, Record
from assistant.installed.registry import load_game, question_of
from assistant.state.changes import AnyChange, Change, apply
from assistant.state.state import FactKey, GameState, hexside
from assistant.util.errors import InputError

from ..making.maker import Front, Size, make_front, readable

KAISERS_WAR = "kaisers-war-in-the-east"
GAMES = ("twilight-in-the-east", "world-undone-east-prussia-1914", KAISERS_WAR)
SIZES = (Size(2, 2, 3, 1), Size(2, 3, 6, 2), Size(3, 5, 10, 3))
SMALL = Size(2, 2, 3, 1)
PHASES = {
    "twilight-in-the-east": ("movement", "movement", "counter-movement"),
    "world-undone-east-prussia-1914": ("first-movement", "first-movement", "second-movement"),
    KAISERS_WAR: ("movement",),
}
MAX_TRIES = 12
"""The number of ways tried for a unit."""
CHART = "\n".join(
    f"chart terrain-cost {feature} = {cost}"
    for feature, cost in {"clear": 0, "forest": 1, "swamp": 2, "town": 0, "city": 0, "river": 1}.items()
)
"""Made-up costs of ground in *The World Undone*, whose chart only its owner has."""


SUPPLY_UNITS = {"allies": "Allied-supply-1", "central-powers": "CP-supply-1"}
COSTS = [
    f"chart terrain-cost {season} {feature} = {cost}"
    for feature, cost in {"rough": 2, "mountain": 3, "marsh": 3, "river": 1, "lake": 1}.items()
    for season in ("summer", "winter")
    if season == "summer" or feature not in ("river", "lake")
]
"""Made-up costs of ground in *Kaiser's War*, of which the rulebook has only some."""


class Played(NamedTuple):
    """A phase that was played."""

    start: Position
    states: Sequence[GameState]
    """The state after each move, by the rules."""
    units: Sequence[str]
    """The units that moved, in the order of their moves."""
    kinds: Sequence[str]
    """The kind of each move: foot, stack, rail and so on."""
    changes: Sequence[tuple[AnyChange, ...]]
    """The changes of each move, by the rules."""


def make_start(random: Random, name: str, *, small: bool = False, phase: str = "") -> Position | None:
    """Return a position in a movement phase with its ground known, or None if this one cannot be read.

    `small`: whether few units stand there, which move few hexes. `phase`: another phase, or "".
    """
    game = load_game(name)
    front: Front = make_front(random, game, SMALL if small else random.choice(SIZES), moves=not phase, complete=True)
    if name != KAISERS_WAR and not any(line.startswith("board ") for line in front.scene.lines):
        return None  # on a paper map nothing is known of the ground
    front.scene.lines[:] = [line for line in front.scene.lines if not line.startswith(("own map", "elsewhere"))]
    if name == KAISERS_WAR:
        lay_typed_map(random, front, small=small)
    front.scene.lines.append("trust charts counters map")
    if name == "world-undone-east-prussia-1914":
        front.scene.lines += CHART.splitlines()
        front.scene.settings["scenario"] = "historical"
        for facts in front.scene.units.values() if small else ():
            facts["ma"] = "2"
    elif name == "twilight-in-the-east":
        front.scene.settings["weather"] = "normal"
        for facts in front.scene.units.values():
            facts |= {"movement": 3 if small else random.randint(5, 8), "rail-cost": random.choice((1, 2, 4, 5))}
            if not small and random.random() < 0.3:
                facts["cel"] = random.choice((-1, -2))
    for facts in (*front.scene.hexes.values(), *front.scene.sides.values()) if name != KAISERS_WAR else ():
        facts.clear()  # the board has it
    phase = phase or random.choice(PHASES[name])
    counter = phase == "counter-movement"
    others = [side for side in game.file.sides if side != front.attacker]
    front.scene.settings |= {"phase": phase, "phasing": others[0] if counter else front.attacker}
    try:
        position = assistant.parse(readable(front.scene.text()))
    except InputError:
        return None
    return position.with_state(position.state)


def lay_typed_map(random: Random, front: Front, *, small: bool) -> None:
    """State the whole ground of *Kaiser's War*, which has only a paper map: railroads, rivers, borders and ports."""
    scene = front.scene
    scene.lines[:] = [*COSTS, "elsewhere clear open no-rail country=russia port=none coast=none city=no"]
    rails, water = random.choice((0.0, 0.1, 0.4)), random.choice((0.0, 0.2))
    for facts in scene.hexes.values():
        words = [
            random.choice(("clear", "clear", "forest", "rough")),
            random.choice(("country=russia", "country=germany")),
        ]
        facts |= {"words": [*words, "port=baltic" if random.random() < 0.05 else "port=none"]}
    for facts in scene.sides.values():
        rail = "rail" if random.random() < rails else "no-rail"
        facts |= {"words": [rail, "river" if random.random() < water else "open"]}
    scene.settings |= {"scenario": "1914", "main-effort": "west", "turn": 3}
    if random.random() < 0.3:
        scene.settings["options"] = "amphibious"
    for facts in scene.units.values():
        facts["movement"] = 2 if small else random.randint(1, 6)
    if not small and random.random() < 0.4:
        free = [hex for hex in scene.hexes if not scene.stack(hex)]
        scene.units[SUPPLY_UNITS[front.attacker]] = {"place": random.choice(free), "radius": 5}


def play(random: Random, start: Position, most: int = 12, spared: str = "") -> Played:
    """Play moves of the side that moves, as chance has it.

    `most`: the number of moves. `spared`: a unit that does not move.
    """
    position = start
    states, units, kinds = [start.state], list[str](), list[str]()
    changes = list[tuple[AnyChange, ...]]()
    candidates = [unit.id for unit in start.state.units.values() if unit.place and unit.id != spared]
    for _ in range(most):
        if not candidates:
            break
        unit = random.choice(candidates)
        found = try_moves(random, position, unit, spared)
        if found is None:
            candidates.remove(unit)
            continue
        report, moved, kind = found
        try:
            position = position.after(report.changes)
        except InputError:
            candidates.remove(unit)
            continue
        states.append(position.state)
        changes.append(report.changes)
        units += [one for one in moved if one not in units]
        kinds.append(kind)
        if random.random() < 0.8:
            candidates = [one for one in candidates if one not in moved]
    return Played(start, states, units, kinds, changes)


def play_settings(random: Random, played: Played, number: int = 4) -> Played:
    """Return a phase in which some units also place Prepared Attack markers or recover, after its moves.

    `number`: the number of units that try each.
    """
    if played.start.game.id != "twilight-in-the-east":
        return played
    position = played.start.with_state(played.states[-1])
    board = position.game.board_of(position.state)
    states, kinds, changes = [*played.states], [*played.kinds], [*played.changes]
    placed = [unit.id for unit in position.state.units.values() if unit.place in board.hexes]
    for unit in random.sample(placed, min(number, len(placed))):
        target = random.choice(sorted(board.neighbours(str(position.state.units[unit].place))))
        for name, parameters in (("prepared", {"at": target}), ("recover", {"points": random.choice((7, 14))})):
            try:
                report = assistant.ask(position, name, unit=unit, **parameters)
                after = position.after(report.changes) if report.verdict.kind == "yes" and not report.asks else None
            except InputError:
                continue
            if after is not None:
                position = after
                states.append(position.state)
                kinds.append(name)
                changes.append(report.changes)
    return played._replace(states=states, kinds=kinds, changes=changes)


def draw_way(random: Random, view: View, at: str, steps: int) -> list[str]:
    """Return a way by chance from a hex, which enters no hex twice."""
    by_rail = random.random() < 0.3
    way = [at]
    for _ in range(steps):
        onward = [hex for hex in view.board.neighbours(way[-1]) if hex not in way]
        rails = [hex for hex in onward if by_rail and has_rail(view, way[-1], hex)]
        if not onward:
            break
        way.append(random.choice(rails or onward))
    return way[1:]


def has_rail(view: View, here: str, there: str) -> bool:
    """Return whether a railway is known to lead from one hex to another."""
    return view.word("rail", hexside(here, there)) not in ("", "no-rail")


def may_move(view: View, parameters: dict[str, Any]) -> bool:
    """Return whether a move is allowed, by the question alone and without its words."""
    question = question_of(view.game, "move")
    try:
        report = decide(question, view, read_parameters(question, view, parameters), {})
    except (InputError, MissingFacts):
        return False
    return report.verdict.kind in ("yes", "figure") and not report.asks


def try_moves(random: Random, position: Position, unit: str, spared: str) -> tuple[Report[Any], list[str], str] | None:
    """Return an allowed move of a unit with its report, all that moved, and its kind, or None if none was found."""
    at = position.state.units[unit].place
    view = View(position.game, position.state)
    if not view.board.is_hex(at):
        return None
    for _ in range(MAX_TRIES):
        way = draw_way(random, view, at, random.randint(1, 6))
        if not way:
            continue
        for parameters, kind in list_orders(random, position, unit, at, way, spared):
            if not may_move(view, parameters):
                continue
            report = assistant.ask(position, "move", **parameters)
            if report.verdict.kind in ("yes", "figure") and not report.asks:
                moved = parameters.get("units", [unit])
                return report, [*moved], kind
    return None


def list_orders(
    random: Random, position: Position, unit: str, at: str, way: Sequence[str], spared: str
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the parameters of a move along a way: by rail, forced, as a stack of which some are left on the way, alone."""
    if position.game.id == KAISERS_WAR:
        yield from list_orders_in_kaisers_war(random, position, unit, at, way)
        return
    if position.game.id == "world-undone-east-prussia-1914":
        ends = [at, *way]
        if len(ends) > 1:
            on, off = sorted(random.sample(range(len(ends)), 2))
            yield {"units": [unit], "way": way, "entrain": ends[on], "detrain": ends[off]}, "rail"
        if random.random() < 0.3:
            yield {"units": [unit], "way": way, "forced": "yes"}, "forced"
    others = [one.id for one in position.state.stack(at) if one.id not in (unit, spared)]
    if others and random.random() < 0.7:
        stack = [unit, *random.sample(others, random.randint(1, len(others)))]
        yield {"units": stack, "way": way}, "stack"
        if len(way) > 1:
            yield {"units": stack, "way": way, "drop": [f"{stack[-1]}@{random.choice(way[:-1])}"]}, "drop"
    if position.game.id == "twilight-in-the-east" and random.random() < 0.3:
        passed = [one.id for hex in way[:-1] for one in position.state.stack(hex) if one.id != spared]
        if passed:
            picked = random.choice(passed)
            place = str(position.state.units[picked].place)
            yield {"units": [unit], "way": way, "pick": [f"{picked}@{place}"]}, "pick"
    yield {"units": [unit], "way": way}, "foot"


def list_orders_in_kaisers_war(
    random: Random, position: Position, unit: str, at: str, way: Sequence[str]
) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield the parameters of a move in *Kaiser's War*: by sea, partly by rail, by Forced March, on foot."""
    yield {"unit": unit, "way": way[-1:], "by": "sea"}, "sea"
    ends = [at, *way]
    on, off = sorted(random.sample(range(len(ends)), 2))
    yield {"unit": unit, "way": way, "by": "rail", "entrain": ends[on], "detrain": ends[off]}, "rail"
    supply = [name for name in SUPPLY_UNITS.values() if name in position.state.units]
    if supply and random.random() < 0.3:
        yield {"unit": unit, "way": way, "forced": random.choice(supply)}, "forced"
    yield {"unit": unit, "way": way}, "foot"


# --- what a table shows -----------------------------------------------------------------------------------------------


def write_down(random: Random, played: Played, *, shuffled: bool) -> Record:
    """Return a phase as a log of the table: where units stand, and the facts that a module's counters show.

    `shuffled`: whether only the start and the end are known, in any order.
    """
    game = played.start.game
    shown = {name for name, track in game.tracks.items() if track.module is not None}
    last = played.states[-1]
    if shuffled:
        moved = [unit for unit in last.units if last.units[unit].place != played.start.state.units[unit].place]
        random.shuffle(moved)
        tables = [played.start.state]
        for unit in moved:
            now = tables[-1].units[unit].place
            change = Change("place", unit, now, last.units[unit].place, "")
            tables.append(apply(tables[-1], [change], game.tracks))
        tables = mix_settings(random, played.start.state, last, tables, shown)
    else:
        tables = [played.start.state, *(as_shown(played.start.state, state, shown) for state in played.states[1:])]
    return Record(
        game,
        len(tables) - 1,
        (),
        tuple(range(len(tables))),
        lambda step: Position(game, tables[step]),
    )


def mix_settings(
    random: Random, start: GameState, last: GameState, tables: Sequence[GameState], shown: set[str]
) -> list[GameState]:
    """Return the tables of a phase with its markers set between the moves, as chance has it."""
    keys = [
        key for key in {**start.facts, **last.facts} if key[0] in shown and start.facts.get(key) != last.facts.get(key)
    ]
    mixed = list[GameState]()
    done = list[FactKey]()
    for number, table in enumerate(tables):
        end = number == len(tables) - 1
        due = [key for key in keys if key not in done and number and random.random() < 0.5]
        mixed.append(with_facts(table, last, done))
        for key in [key for key in keys if key not in done] if end else due:
            done.append(key)
            mixed.append(with_facts(table, last, done))
    return mixed


def with_facts(table: GameState, last: GameState, keys: Sequence[FactKey]) -> GameState:
    """Return a table with some facts as they are at the end."""
    facts = {key: fact for key, fact in table.facts.items() if key not in keys}
    facts |= {key: last.facts[key] for key in keys if key in last.facts}
    return msgspec.structs.replace(table, facts=facts)


def as_shown(start: GameState, now: GameState, shown: set[str]) -> GameState:
    """Return what a table shows of a state: the places of units, and of the facts those in `shown`."""
    facts = {key: fact for key, fact in start.facts.items() if key[0] not in shown}
    facts |= {key: fact for key, fact in now.facts.items() if key[0] in shown}
    return msgspec.structs.replace(start, units=now.units, facts=facts)
