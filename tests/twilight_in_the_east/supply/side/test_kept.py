"""The supply of a side after one move after another: kept where nothing differs, and otherwise as found afresh."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from assistant.asking.parameters import read_parameters
from assistant.asking.report import MissingFacts, Step
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game, question_of
from assistant.state.changes import Change
from assistant.state.state import End, GameState, hexside
from assistant.state.tracks import Value
from benchmarks.sides import two_sides
from twilight_in_the_east.supply.side.states import SideStates, side_states

from ....cases import few, seeds, thorough
from ....conftest import GAME, typed
from .test_sides import HEAD, HEXES, position

SIDES = ("russian", "central-powers")
MORE = (
    "russian fortress - Osoviets supply-symbol",
    "russian minor-depot - Minor army=Second range=2 extended-range=3",
    'russian corps-train - "3 Train" corps=3 army=Second range=2 extended-range=4',
    "russian infantry XX 1/3 army=Second",
    'german corps-train - "9 Train" corps=9 army=Eighth range=3 extended-range=5',
)
FACTS: tuple[tuple[str, tuple[Value, ...]], ...] = (
    ("control", ("russian", "central-powers")),
    ("control", ("russian", "central-powers")),
    ("operational", ("russian", "central-powers", "none")),
    ("barrier", (("grand-river",), ("major-river",), ())),
)


def crowded(seed: int) -> Position:
    """Both sides among one another, with depots, trains and a fortress."""
    lines = position(seed, enemies=8)
    taken = {line.partition(":")[0] for line in lines}
    free = random.Random(seed).sample([hex for hex in HEXES if hex not in taken], len(MORE))
    return typed(HEAD + "\n".join([*lines, *map(": ".join, zip(free, MORE, strict=True))]) + "\n")


def front(seed: int) -> Position:
    """Two sides close to one another along a long front with RR lines."""
    near = random.Random(seed).choice(((1, 2), (1, 3), (2, 4)))
    return typed(two_sides(load_game(GAME), "east", 32, seed, near))


class Found(NamedTuple):
    """All that is found of the supply of both sides."""

    reports: list[Any]
    offers: list[Any]
    certain: list[Any]
    plans: list[Any]
    rows: list[Any]
    rulings: dict[str, str]
    assumed: set[tuple[str, str, str]]


def states_of(view: View) -> list[SideStates]:
    return [side_states(view, side) for side in SIDES]


def found(view: View) -> Found:
    view.premises.rulings, view.premises._assumptions = {}, {}
    question = question_of(view.game, "supply")
    reports = list[Any]()
    for side in SIDES:
        try:
            reports.append(question.answer(view, read_parameters(question, view, {"side": side}), {}))
        except MissingFacts as missing:
            reports.append(missing.asks)
    states = states_of(view)
    return Found(
        reports,
        [[*each.side.lines.offered.items()] for each in states],
        [[*each.side.certain.items()] for each in states],
        [(each.best, each.stands) for each in states],
        [(each.supply_of(unit), each.if_isolated) for each in states for unit in each.side.inputs.around.units],
        dict(view.premises.rulings),
        {as_words(assumed) for assumed in view.premises.assumptions},
    )


def as_words(assumed: Step) -> tuple[str, str, str]:
    return assumed.rule, assumed.text, str(sorted(map(str, assumed.figures.values())))


def changes(view: View, drawn: random.Random) -> Iterator[Change]:
    """A move of a unit by a hex or far away, now and then with the control of its hex; or another fact that differs."""
    state, beside = view.state, view.board.neighbours
    kind = drawn.choice(("move", "move", "move", "move", "far", "fact", "flip"))
    if kind in ("move", "far"):
        unit = drawn.choice([unit for unit in state.units.values() if unit.place])
        own = view.side_of(unit.id)
        enemies = {other.place for other in state.units.values() if view.side_of(other.id) != own}
        beyond = drawn.choice([other.place for other in state.units.values() if other.place]) or ""
        near = str(unit.place) if kind == "move" else drawn.choice(beside(beyond))
        free = [hex for hex in beside(near) if hex not in enemies]
        if free:
            hex = drawn.choice(free)
            yield Change("place", unit.id, unit.place, hex, "")
            if drawn.random() < 0.2:
                yield change_of(state, "control", hex, own)
    elif kind == "flip":
        trains = [name for name in state.units if name.endswith(("Train", "Depot"))]
        name = drawn.choice(trains)
        flipped = ("extended", name) in state.facts
        yield Change("extended", name, True if flipped else None, None if flipped else True, "")
    else:
        track, values = drawn.choice(FACTS)
        hex = drawn.choice(HEXES[::2])
        yield change_of(
            state, track, hexside(hex, drawn.choice(beside(hex))) if track == "barrier" else hex, drawn.choice(values)
        )


def change_of(state: GameState, track: str, subject: str, value: Value) -> Change:
    fact = state.facts.get((track, subject))
    return Change(track, subject, None if fact is None else fact.value, value, "")


def follow(place: Position, state: GameState, seed: int, count: int, end: End = "weakest") -> None:
    """Make changes one after another, and compare what is found after each with what a view that knows nothing finds."""
    drawn = random.Random(seed)
    view = View(place.game, state, end)
    found(view)
    for _ in range(count):
        made = list(changes(view, drawn))
        after = view.view_of(apply_changes(place.game, view.state, made))
        now, anew = found(after), found(View(place.game, after.state, end))
        for name, one, other in zip(Found._fields, now, anew, strict=True):
            assert one == other, (name, made)
        if drawn.random() < 0.8:  # else the next changes are others of the same position
            view = after


@few(2)
@pytest.mark.parametrize("seed", seeds(40))
def test_after_each_move_all_is_found_as_by_a_view_that_knows_nothing(seed: int) -> None:
    place = crowded(seed)
    follow(place, place.state, seed, 10)


@thorough
@pytest.mark.parametrize("seed", seeds(8))
def test_along_a_front_all_is_found_as_by_a_view_that_knows_nothing(seed: int) -> None:
    place = front(seed)
    follow(place, place.state, seed, 4)


@few(1)
@pytest.mark.parametrize("seed", seeds(12))
def test_among_hidden_enemies_all_is_found_as_by_a_view_that_knows_nothing(seed: int) -> None:
    place = crowded(seed)
    state = reduce_state(place.game, place.state, "russian")
    follow(place, state, seed, 8, ("weakest", "strongest")[seed % 2])


def test_a_move_leaves_what_it_does_not_concern() -> None:
    """Only the unit that moves is found again, and nothing of the other side."""
    place = front(3)
    view = View(place.game, place.state)
    found(view)
    name = next(unit.id for unit in place.state.units.values() if unit.id.endswith("Depot"))
    unit, taken = place.state.units[name], {other.place for other in place.state.units.values()}
    infantry = next(other for other in place.state.units.values() if other.id.startswith("1/r"))
    hex = next(hex for hex in view.board.neighbours(str(unit.place)) if hex not in taken)
    moved = view.view_of(
        apply_changes(place.game, place.state, [Change("place", infantry.id, infantry.place, hex, "")])
    )
    before, after = states_of(view), states_of(moved)
    found(moved)
    for one, other in zip(before, after, strict=True):
        kept = {name for name, row in other._rows.items() if one._rows[name] is row}
        causes = {name for name, cause in other._causes.items() if one._causes.get(name) is cause}
        assert len(one._rows) - len(kept) <= 2, one.side.inputs.side
        assert len(one._causes) - len(causes) <= 2, one.side.inputs.side
        assert one.side.inputs.side == "russian" or other.best is one.best
