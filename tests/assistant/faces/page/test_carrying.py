"""Units that are carried over the map: what is shown of each hex is what the questions answer, asked hex by hex."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import msgspec
import pytest

import assistant
from assistant.asking.recent_answers import RecentAnswers
from assistant.faces.page.carrying import _leave_out_unseen
from assistant.faces.page.desk import StandingTable
from assistant.faces.page.messages.requests import CarryRequest, DangerRequest, ReachRequest
from assistant.faces.page.respond import answer_reading
from assistant.faces.page.tiles import Pictures
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.game.viewpoint import reduce_state
from assistant.installed.formats import examples_of
from assistant.installed.registry import load_game
from assistant.rules.threats.report import format_chance
from assistant.state.changes import Change
from assistant.state.state import GameState, hides
from assistant.state.tracks import Fact
from assistant.util.errors import InputError
from benchmarks.asked_again import start_table

from ....cases import few, seeds

PRUSSIA = """game world-undone-east-prussia-1914
board east-prussia
scenario=historical
turn=4
phasing=german
phase=first-movement
trust counters
trust charts
3015: XVII/36, XVII/35
3012: II/26
"""
MAX_HEXES = 5


@cache
def start() -> Position:
    return start_table()


def made(seed: int) -> tuple[Position, tuple[str, ...]]:
    """The start table with units elsewhere and with losses, as all or one side sees it; and units that are carried.

    Some have gone far from their sources, and some hexes beside the carried units hold several divisions.
    """
    random = Random(f"carried {seed}")
    position = start()
    game, state = position.game, position.state
    board = game.board_of(state)
    on_map = [unit for unit in state.units.values() if board.is_hex(unit.place)]
    side_of = {unit.id: game.side_of_unit(unit, state.facts) for unit in on_map}
    divisions = [unit.id for unit in on_map if game.roster[unit.type]["size"][0].value == "XX"]

    def move(state: GameState, name: str, at: str) -> GameState:
        enemies = {unit.place for unit in state.units.values() if side_of.get(unit.id) != side_of[name]}
        place = state.units[name].place
        change = Change("place", name, place, at, "")
        return state if at in {*enemies, place} else apply_changes(game, state, [change])

    first = random.choice(divisions)
    for name in [*random.sample([*side_of], random.randrange(2, 20)), *[first] * random.randrange(12)]:
        state = move(state, name, random.choice(board.neighbours(str(state.units[name].place))))
    friends = [name for name in divisions if side_of[name] == side_of[first] and name != first]
    crowded = random.choice(board.neighbours(str(state.units[first].place)))
    for name in random.sample(friends, random.choice((0, 3, 4))):
        state = move(state, name, crowded)
    losses = {("lost", name): Fact(random.randrange(1, 3)) for name in random.sample(divisions, 5)}
    state = msgspec.structs.replace(state, facts=MappingProxyType({**state.facts, **losses}))
    stack = [unit.id for unit in state.stack(str(state.units[first].place)) if unit.id in divisions]
    carried = tuple(stack) if random.random() < 0.3 else (first,)
    seen_by = random.choice(("", side_of[first]))
    return position.with_state(reduce_state(game, state, seen_by) if seen_by else state), carried


def lemberg() -> Path:
    """An example of Kaiser's War in the East."""
    return next(file for file in examples_of(load_game("kaisers-war-in-the-east")) if file.name == "threat.pos")


def table_of(position: Position) -> StandingTable:
    return StandingTable(position, None, Pictures(), RecentAnswers())


def reached(table: StandingTable, units: tuple[str, ...]) -> list[str]:
    """The hexes that units can reach; none where they may not move together."""
    try:
        shown: Any = answer_reading(table, ReachRequest(table="t", units=units))
    except InputError:
        return []
    return [place.hex for place in shown.hexes]


def moved(position: Position, units: tuple[str, ...], at: str) -> Position:
    places = {name: position.state.units[name].place for name in units}
    changes = [Change("place", name, place, at, "") for name, place in places.items() if place != at]
    return position.with_state(apply_changes(position.game, position.state, changes))


def compare(position: Position, units: tuple[str, ...], hexes: list[str]) -> Counter[str]:
    """Compare each figure with the answers asked one by one; how many there were of each kind."""
    table = table_of(position)
    kinds = Counter[str]()
    carried: Any = answer_reading(table, CarryRequest(table="t", units=units, hexes=tuple(hexes)))
    for at, shown in zip(hexes, carried.hexes, strict=True):
        there = moved(position, units, at)
        stack = assistant.ask(there, "stack", at=at)
        supplies = [assistant.ask(there, "supply", unit=unit).verdict for unit in units]
        worst_kind = min((supply.kind for supply in supplies), key=["no", "undecided", "figure", "yes"].index)
        texts = dict.fromkeys(supply.text for supply in supplies if supply.kind == worst_kind)
        is_over = stack.result.is_excessive if stack.result else None
        assert (shown.hex, shown.is_over) == (at, is_over)
        assert shown.stack == ("" if is_over is False else stack.verdict.text)
        assert (shown.supply, shown.supplied) == (worst_kind, "; ".join(texts))
        danger: Any = answer_reading(table, DangerRequest(table="t", units=units, hex=at))
        seen = there.with_state(_leave_out_unseen(there.state)) if hides(there.state) else there
        threat = assistant.ask(seen, "threat", at=at)
        worst = threat.result.hexes[0].worst if threat.result else None
        assert danger.column == (worst.column if worst else "")
        assert danger.lost == (format_chance(worst) if worst else "")
        kinds.update([f"supply {shown.supply}", f"over {is_over}", f"attacked {bool(worst)}"])
    return kinds


def choose(position: Position, units: tuple[str, ...], hexes: list[str], random: Random) -> list[str]:
    """Five of the hexes that units can reach, two of them with other units if there are any."""
    held = [at for at in hexes if any(unit.id not in units for unit in position.state.stack(at))]
    chosen = random.sample(held, min(2, len(held)))
    others = [at for at in hexes if at not in chosen]
    return [*chosen, *random.sample(others, min(MAX_HEXES - len(chosen), len(others)))]


@few(2)
@pytest.mark.parametrize("seed", seeds(300))
def test_what_is_shown_while_units_are_carried_is_what_the_questions_answer(seed: int) -> None:
    position, units = made(seed)
    hexes = reached(table_of(position), units)
    compare(position, units, choose(position, units, hexes, Random(seed)))


@few(1)
@pytest.mark.parametrize("unit", ["XVII/36", "AH-3"])
def test_figures_of_other_games_are_those_of_their_questions(unit: str) -> None:
    position = assistant.parse(PRUSSIA) if unit == "XVII/36" else assistant.read(lemberg())
    hexes = reached(table_of(position), (unit,))
    assert hexes
    compare(position, (unit,), choose(position, (unit,), hexes, Random(1)))


def test_what_one_request_has_found_holds_for_the_next_one() -> None:
    """Each state is worked out from the one before, also of hexes asked for later."""
    table = table_of(start())
    hexes = reached(table, ("25/3",))[:12]
    request = CarryRequest(table="t", units=("25/3",), hexes=tuple(hexes))
    whole: Any = answer_reading(table, request)
    other = table_of(start())
    for at, shown in zip(hexes, whole.hexes, strict=True):
        one: Any = answer_reading(other, CarryRequest(table="t", units=("25/3",), hexes=(at,)))
        assert one.hexes == (shown,)
    assert whole.has_dangers


def test_enemy_that_a_side_does_not_see_counts_for_nothing() -> None:
    """The danger is the same whatever lies hidden below what the side sees."""
    position = start()
    game, state = position.game, position.state
    russian = reduce_state(game, state, "russian")
    assert hides(russian)
    table = table_of(position.with_state(russian))
    shown: Any = answer_reading(table, DangerRequest(table="t", units=("25/3",), hex="41.18"))
    assert shown.says.startswith("of the enemies seen: ")


def test_game_without_threats_has_no_danger() -> None:
    table = table_of(assistant.parse("game der-weltkrieg\n"))
    with pytest.raises(InputError, match="no question about threats"):
        answer_reading(table, DangerRequest(table="t", units=("x",), hex="1"))


def test_unit_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="unknown unit"):
        answer_reading(table_of(start()), CarryRequest(table="t", units=("99/9",), hexes=("41.18",)))
