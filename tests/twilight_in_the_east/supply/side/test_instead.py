"""The supply of a side in a view instead of another one: the same as in a view that knows nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from assistant.asking.asks import Ask
from assistant.asking.parameters import read_parameters
from assistant.asking.report import MissingFacts, Report
from assistant.asking.view import View
from assistant.game.states import apply_changes
from assistant.installed.registry import question_of
from assistant.mechanics.tracing import CostField
from assistant.state.changes import AnyChange, Change, Leave
from assistant.state.state import End, GameState, hexside
from twilight_in_the_east.supply.ground import supply_ground

from ....cases import few, seeds, thorough
from ....conftest import typed
from .test_sides import HEAD, HEXES, position

UNITS = """65.37: russian corps-train - "1 Train" corps=1 army=Second range=3 extended-range=5
66.36: russian infantry XX 1/1 army=Second
"""


def changes(state: GameState, seed: int) -> Iterator[AnyChange]:
    """One change of each kind: a unit moves, one is lost, a supply unit flips, a hex changes hands, a railway stops, a river rises."""
    drawn = random.Random(seed)
    units = list(state.units.values())
    unit, taken = drawn.choice(units), {unit.place for unit in units}
    yield Change("place", unit.id, unit.place, drawn.choice([hex for hex in HEXES if hex not in taken]), "")
    yield Leave(drawn.choice(units).id, "")
    flipped = state.facts.get(("extended", "1 Train"))
    yield Change("extended", "1 Train", flipped.value if flipped else None, None if flipped else True, "")
    for track, subject, after in (
        ("control", drawn.choice(HEXES), "central-powers"),
        ("operational", drawn.choice(["65.37", "64.38", "63.39"]), "central-powers"),
        ("barrier", drawn.choice(["64.38|65.37", "65.37|66.37", "65.37|65.38"]), ("grand-river",)),
    ):
        yield Change(track, subject, None, after, "")


def supply(view: View, **asked: str) -> Report[object]:
    question = question_of(view.game, "supply")
    return question.answer(view, read_parameters(question, view, asked), {})


@few(1)
@pytest.mark.parametrize("seed", seeds(12))
def test_the_answer_is_that_of_a_view_that_knows_nothing(seed: int) -> None:
    lines = position(seed, enemies=8)
    place = typed(HEAD + "\n".join(lines) + "\n")
    known = View(place.game, place.state)
    before = supply(known)
    for change in changes(place.state, seed):
        state = apply_changes(place.game, place.state, [change])
        assert supply(known.view_of(state)) == supply(View(place.game, state)), change
    assert supply(known) == before == supply(View(place.game, place.state)), "what is kept stays as it was"


@few(1)
@pytest.mark.parametrize("seed", seeds(4))
def test_the_answer_about_one_unit_is_that_of_a_view_that_knows_nothing(seed: int) -> None:
    """Its lines are sought only as far as they are asked for, and taken over as far as they were sought."""
    lines = position(seed, enemies=8)
    place = typed(HEAD + "\n".join(lines) + "\n")
    known = View(place.game, place.state)
    names = [unit.id for unit in place.state.units.values() if not unit.id.endswith("/9")]
    before = [of_unit(known, name) for name in names]
    for change in changes(place.state, seed):
        state = apply_changes(place.game, place.state, [change])
        view = known.view_of(state)
        for name in state.units.keys() & set(names):
            assert of_unit(view, name) == of_unit(View(place.game, state), name), (change, name)
    assert [of_unit(known, name) for name in names] == before, "what is kept stays as it was"


@thorough
@pytest.mark.parametrize("seed", [0, 11])
def test_what_a_view_is_asked_after_another_was_set_up_from_it(seed: int) -> None:
    """Lines that the first view seeks only then are not taken over as if nothing lay apart."""
    drawn, place = random.Random(seed), typed(HEAD + "\n".join(position(seed, enemies=8)) + "\n")
    names = [unit.id for unit in place.state.units.values() if not unit.id.endswith("/9")]
    for change in changes(place.state, seed):
        state = apply_changes(place.game, place.state, [change])
        left = [name for name in names if name in state.units]
        for _ in range(3):
            known = View(place.game, place.state)
            of_unit(known, drawn.choice(names))
            view = known.view_of(state)
            of_unit(view, drawn.choice(left))
            supply(known)
            for name in names:
                of_unit(known, name)
            assert supply(view) == supply(View(place.game, state)), change
            for name in left:
                assert of_unit(view, name) == of_unit(View(place.game, state), name), (change, name)


def of_unit(view: View, name: str) -> Report[object] | tuple[Ask, ...]:
    """The answer about one unit, or what is missing for it."""
    try:
        return supply(view, unit=name)
    except MissingFacts as missing:
        return missing.asks


@few(2)
@pytest.mark.parametrize("seed", seeds(10))
@pytest.mark.rule("14.2.1a")
def test_railways_that_are_cut_and_mended_are_linked_as_by_a_view_that_knows_nothing(seed: int) -> None:
    """The links are the same, in the same order and by the same ways: which of two as short is taken must not turn on what was known."""
    place = typed(
        "board east\ntrust counters\nturn=5\n"
        "68.35: russian infantry XX 22/1 army=Second\n60.20: german infantry XX g/9 army=Eighth\n"
    )
    drawn, beside = random.Random(seed), place.game.board("east").neighbours
    view, state = View(place.game, place.state), place.state
    railways = sorted(links(view).cost)
    edges = [hex for hex, far in links(view).cost.items() if far == 0]
    for _ in range(8):
        mended = [key for key in state.facts if key[0] in WORSE and drawn.random() < 0.3]
        cut = [
            (track, hexside(hex, drawn.choice(beside(hex))) if track == "rail" else hex)
            for hex in drawn.sample(railways, drawn.choice((0, 1, 2, 9)))
            for track in [drawn.choice([*WORSE])]
        ]
        cut += [("map-edge", hex) for hex in edges if drawn.random() < 0.1]
        for track, subject in {*mended} ^ {*cut}:
            before = state.facts.get((track, subject))
            stated, after = (None, WORSE[track]) if before is None else (before.value, None)
            change = Change(track, subject, stated, after, "")
            state = apply_changes(place.game, state, [change])
        enemy = drawn.choice(railways)
        state = apply_changes(place.game, state, [Change("place", "g/9", state.units["g/9"].place, enemy, "")])
        view = view.view_of(state)
        found, anew = links(view), links(View(place.game, state))
        assert [*found.cost.items()] == [*anew.cost.items()], (mended, cut)
        assert [*found.before.items()] == [*anew.before.items()], (mended, cut)


WORSE = {"operational": "none", "rail": "no-rail", "map-edge": "none"}
"""What cuts a railway, by track."""


def links(view: View) -> CostField:
    """The RR hexes that are linked to the map edges of the Russian side."""
    return supply_ground(view, "russian").certain.railway


def test_one_change_after_another() -> None:
    place = typed(HEAD + "\n".join(position(3, enemies=8)) + "\n")
    view, state = View(place.game, place.state), place.state
    supply(view)
    for change in changes(place.state, 7):
        state = apply_changes(place.game, state, [change]) if not isinstance(change, Leave) else state
        view = view.view_of(state)
        assert supply(view) == supply(View(place.game, state)), change


@few(1)
@pytest.mark.parametrize("seed", seeds(8))
def test_units_that_move_about_a_fortress_and_an_asset_unit(seed: int) -> None:
    """Units next to the fortress need no line, and the artillery without a formation joins the nearest one."""
    drawn = random.Random(seed)
    near = [f"{column}.{row}" for column in range(66, 71) for row in range(33, 37)]
    lines = [*position(seed, enemies=3), "68.35: russian fortress - Osoviets supply-symbol"]
    place = typed(HEAD + "\n".join(lines) + "\n")
    view, state = View(place.game, place.state), place.state
    supply(view)
    for name in [*drawn.sample([*state.units], 12), "Osoviets", *drawn.sample([*state.units], 4), "Osoviets"]:
        unit = state.units[name]
        taken = {other.place for other in state.units.values() if other.id.endswith("/9") != name.endswith("/9")}
        hex = drawn.choice([hex for hex in near if hex not in taken])
        state = apply_changes(place.game, state, [Change("place", name, unit.place, hex, "")])
        view = view.view_of(state)
        assert supply(view) == supply(View(place.game, state)), (name, hex)


@pytest.mark.parametrize("end", ["weakest", "strongest"])
def test_unseen_enemies_where_nobody_stood(end: End) -> None:
    place = typed(
        HEAD
        + "65.37 operational=russian\n64.38 operational=russian\n64.39 operational=russian map-edge=russian\n"
        + UNITS
    )
    known = View(place.game, place.state, end)
    assert (before := supply(known, side="russian")).verdict.decided
    state = apply_changes(place.game, place.state, [Change("unseen", "64.38", None, "central-powers", "")])
    after = supply(known.view_of(state), side="russian")
    assert before.verdict != after.verdict and after == supply(View(place.game, state, end), side="russian")
