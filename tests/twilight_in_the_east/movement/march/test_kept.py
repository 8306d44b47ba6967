"""Reaches in a view instead of another one: the same as in a view that knows nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction

import pytest

from assistant.asking.asks import Ask
from assistant.asking.parameters import read_parameters
from assistant.asking.report import MissingFacts, Report, Step
from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.installed.registry import load_game, question_of
from assistant.state.changes import AnyChange, Change, Leave
from assistant.state.state import GameState, hexside
from assistant.state.tracks import Fact, Value
from benchmarks.front import front_line
from benchmarks.sides import SIDES, moves_by_a_hex
from twilight_in_the_east.movement.march.reach import known_reaches

from ....cases import few, seeds
from ....conftest import GAME, typed, viewed
from .ground import russian, text_of

HEAD = "board east\ntrust charts counters\nturn=5 phase={phase} phasing=russian\n"
HEXES = [f"{column}.{row}" for column in range(62, 72) for row in range(30, 42)]
ARMS = ("infantry XX", "infantry XX", "cavalry XX", "artillery III", "corps-train -", "infantry X", "fortress -")
PRINTED = "movement={} back-steps=4 steps=8 effectiveness=9 range=4 extended-range=6"
HEX_FACTS: tuple[tuple[str, tuple[Value | None, ...]], ...] = (
    ("terrain", ("clear", "wetlands", "rough", "mountain", "sea")),
    ("control", ("russian", "central-powers")),
    ("ip", (1, 3, 4, None)),
)
HEXSIDE_FACTS: tuple[tuple[str, tuple[Value | None, ...]], ...] = (
    ("barrier", (("major-river",), ("lake",), ("minor-river",), (), ("escarpment",))),
    ("road", ("primary-road", "secondary-road", "no-road")),
    ("rail", ("rail1", "no-rail")),
    ("crossing", ("bridge", "ferry", "pontoon", "no-crossing")),
    ("causeway", (True, None)),
)
RULINGS = ("", "ruling ezoc-leaving=once\n", "ruling march-rounding=sum\n", "ruling ezoc-position=combat\n")


def position(seed: int, units: int = 24) -> Position:
    """Both sides, close to one another."""
    drawn = random.Random(seed)
    places = {side: drawn.sample(HEXES[number::2], units // 2) for number, side in enumerate(("russian", "german"))}
    lines = [
        f"{hex}: {nation} {drawn.choice(ARMS)} {nation[0]}{number} army={'Second' if nation == 'russian' else 'Eighth'} "
        + PRINTED.format(drawn.randint(3, 8))
        for nation, hexes in places.items()
        for number, hex in enumerate(hexes)
    ]
    phase = drawn.choice(("movement", "movement", "counter-movement"))
    return typed(HEAD.format(phase=phase) + RULINGS[seed % len(RULINGS)] + "\n".join(lines) + "\n")


def changes(view: View, drawn: random.Random) -> Iterator[AnyChange]:
    """Changes of all kinds one after the other, each of the state as it is then."""
    state, beside = view.state, view.board.neighbours
    unit, hex = drawn.choice(list(state.units.values())), drawn.choice(HEXES)
    kind = drawn.choice(("move", "move", "move", "hex", "hexside", "unit", "lost", "now"))
    if kind == "move":
        taken = {other.place for other in state.units.values() if other.id[0] != unit.id[0]}
        near = [near for near in (*beside(str(unit.place)), hex) if near not in taken]
        yield Change("place", unit.id, unit.place, drawn.choice(near), "")
    elif kind in ("hex", "hexside"):
        track, values = drawn.choice(HEX_FACTS if kind == "hex" else HEXSIDE_FACTS)
        subject = hex if kind == "hex" else hexside(hex, drawn.choice(beside(hex)))
        yield changed(state, track, subject, drawn.choice(values))
    elif kind == "unit":
        values = {"spent": "march:2", "prepared": drawn.choice(beside(str(unit.place))), "entrained": True, "cel": -1}
        track = drawn.choice([*values])
        yield changed(state, track, unit.id, values[track])
    elif kind == "now":
        track, value = drawn.choice((("turn", 6), ("turn", 12), ("phase", "movement"), ("phase", "counter-movement")))
        yield changed(state, track, "", value)
    elif len(state.units) > 12:
        yield Leave(unit.id, "")


def changed(state: GameState, track: str, subject: str, value: Value | None) -> Change:
    fact = state.facts.get((track, subject))
    return Change(track, subject, None if fact is None else fact.value, value, "")


def front(seed: int) -> Position:
    """Two armies face to face, with a Movement Allowance for each unit."""
    text = front_line(load_game(GAME), 10 + 3 * seed, seed)
    return typed(text + "".join(f"{unit} movement={3 + at % 5}\n" for at, unit in enumerate(typed(text).state.units)))


Answer = tuple[Report[object] | tuple[Ask, ...], dict[str, str], set[Step]]


def asked(view: View, **given: object) -> Answer:
    """The answer, or what is missing for it, with the rulings that it rests on and what it takes for granted."""
    question = question_of(view.game, "reach")
    view.premises.rulings, view.premises._assumptions = {}, {}
    try:
        report: Report[object] | tuple[Ask, ...] = question.answer(view, read_parameters(question, view, given), {})
    except MissingFacts as missing:
        report = missing.asks
    granted = {
        (step.rule, step.text, str(sorted(map(str, step.figures.values())))) for step in view.premises.assumptions
    }
    return report, dict(view.premises.rulings), granted  # type: ignore[return-value]


def facts_of_movers(view: View) -> dict[tuple[str, str], Fact]:
    """The facts that answers in a view rest on and that are read only of units that move."""
    return {key: fact for key, fact in view.premises.facts.items() if key[0] in ("movement", "spent", "task")}


def questions(state: GameState, drawn: random.Random) -> list[dict[str, object]]:
    """Of both sides, of a unit and of a stack, with a Forced March and without."""
    unit = drawn.choice(list(state.units.values()))
    stack = [other.id for other in state.units.values() if other.place == unit.place]
    forced = {"forced": drawn.choice(("yes", "no"))}
    return [
        {"side": "russian"},
        {"side": "central-powers"},
        {"side": "russian", **forced},
        {"units": unit.id, **forced},
        {"units": ",".join(stack)},
    ]


@few(1)
@pytest.mark.parametrize("seed", seeds(16))
def test_what_is_reached_after_some_changes_is_that_of_a_view_that_knows_nothing(seed: int) -> None:
    drawn, place = random.Random(seed), position(seed)
    view = View(place.game, place.state)
    for given in questions(place.state, drawn):
        asked(view, **given)
    for _ in range(8):
        made = list(changes(view, drawn))
        state = apply_changes(place.game, view.state, made)
        view = view.view_of(state)
        for given in drawn.sample(questions(state, drawn), 3):
            anew = View(place.game, state)
            assert asked(view, **given) == asked(anew, **given), (made, given)
            assert facts_of_movers(anew).items() <= facts_of_movers(view).items(), (made, given)


@few(2)
@pytest.mark.parametrize("seed", seeds(12))
def test_a_front_of_which_units_move_on_is_reached_as_by_a_view_that_knows_nothing(seed: int) -> None:
    drawn = random.Random(seed)
    place = front(seed)
    view = View(place.game, place.state)
    for side in SIDES:
        assert isinstance(asked(view, side=side)[0], Report)
    for _ in range(3):
        moved = moves_by_a_hex(place.game, view.state, drawn)
        view = view.view_of(apply_changes(place.game, view.state, [moved]))
        for side in SIDES:
            anew = View(place.game, view.state)
            assert asked(view, side=side) == asked(anew, side=side), moved
            assert list(view.premises.rulings) == list(anew.premises.rulings), moved
            assert facts_of_movers(anew).items() <= facts_of_movers(view).items(), moved


@few(2)
@pytest.mark.parametrize("seed", seeds(8))
def test_each_hex_of_a_side_is_listed_with_the_way_that_needs_least_of_a_forced_march(seed: int) -> None:
    place = front(seed)
    for side in SIDES:
        report, _, _ = asked(View(place.game, place.state), side=side)
        assert isinstance(report, Report)
        ways: dict[str, list[tuple[Fraction, int]]] = {}
        for reach in report.result.each:  # type: ignore[attr-defined]
            for there in reach.hexes:
                ways.setdefault(there.hex, []).append((there.march, there.cost))
        listed = report.result.hexes  # type: ignore[attr-defined]
        assert {there.hex: (there.march, there.cost) for there in listed} == {hex: min(of) for hex, of in ways.items()}
        assert sorted(listed, key=lambda there: (there.cost, there.hex)) == list(listed)


def test_a_unit_that_moves_leaves_the_reach_of_others_far_away_known() -> None:
    place = typed(
        HEAD.format(phase="movement")
        + "".join(f"{hex}: russian infantry XX {hex}/1 {PRINTED.format(4)}\n" for hex in ("63.31", "70.40"))
    )
    view = View(place.game, place.state)
    asked(view, side="russian")
    moved = apply_changes(place.game, place.state, [Change("place", "63.31/1", "63.31", "63.32", "")])
    assert [units for units, _ in known_reaches(view)] == [("63.31/1",), ("70.40/1",)]
    assert [units for units, _ in known_reaches(view.view_of(moved))] == [("70.40/1",)]


def test_a_ruling_on_a_step_that_is_known_from_another_unit_is_named() -> None:
    text = f"30.20: {russian('R')}, {russian('S')}\n30.19 country=romanian"
    view = viewed(text_of(text))
    for unit in ("R", "S", "R"):
        assert "off-map-move" in asked(view, units=unit)[1], unit


def test_each_unit_of_a_side_that_goes_on_foot_moves_alone() -> None:
    place = typed(
        HEAD.format(phase="movement")
        + f"63.31: russian infantry XX 1/1 {PRINTED.format(4)}\n"
        + f"64.31: russian fortress - F\n70.40: german infantry XX 1/9 {PRINTED.format(4)}\n"
    )
    report, _, _ = asked(View(place.game, place.state), side="russian")
    alone, _, _ = asked(View(place.game, place.state), units="1/1")
    assert isinstance(report, Report) and isinstance(alone, Report)
    assert report.result.each[0].hexes == report.result.hexes == alone.result.hexes  # type: ignore[attr-defined]
    assert report.verdict.figures["who"] == "the Russian side"
