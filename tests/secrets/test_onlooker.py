"""A side that looks at one state after the other sees of each what it sees of it alone, to the byte."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from types import MappingProxyType

import msgspec
import pytest

from assistant.formats.json_state import write_json
from assistant.formats.positions import Position
from assistant.game import viewpoint
from assistant.game.viewpoint import Onlooker, reduce_state
from assistant.service import parse
from assistant.state.state import FactKey, GameState, Unit, Unread
from assistant.state.tracks import Fact
from benchmarks.front import front_line

from ..cases import few, seeds
from .worlds import ENDINGS, GAME, TARGET, hidden, seen

STEPS = 40


def lead_on(random: Random, first: GameState, others: list[GameState]) -> Iterator[GameState]:
    """States of which each differs a little from the one before: a unit or a fact is as in another state, moves or goes."""
    state, places = first, sorted({str(unit.place) for unit in first.units.values() if unit.place})
    places += [near for place in places for near in GAME.board("").neighbours(place)]
    for _ in range(STEPS):
        units, facts, other = dict(state.units), dict(state.facts), random.choice(others)
        for _ in range(random.choice([0, 1, 1, 2])):
            name = random.choice([*units])
            there = random.choice([random.choice(places), units[name].place, None])
            units[name] = msgspec.structs.replace(units[name], place=there, order=random.randint(0, 5))
        for _ in range(random.choice([0, 1, 1, 3])):
            key = random.choice(
                [*facts, *(key for key in other.facts if key[1] in units or "." in key[1] or not key[1])]
            )
            fact = other.facts.get(key)
            if fact is None or random.random() < 0.3:
                facts.pop(key, None)
            else:
                facts[key] = fact
        if random.random() < 0.1:
            units = dict(random.sample([*units.items()], len(units)))
        passed = random.choice([state, state, state, other])
        state = msgspec.structs.replace(
            state,
            units=MappingProxyType(units),
            facts=MappingProxyType(facts),
            lines=passed.lines,
            line_facts=passed.line_facts,
            unread=passed.unread,
        )
        yield state


@few(4)
@pytest.mark.parametrize("seed", seeds(40))
def test_sight_of_one_state_after_the_other_is_that_of_each_alone(seed: int) -> None:
    random = Random(f"onlooker {seed}")
    known = seen(random)
    worlds = [hidden(random, known, random.choice(ENDINGS)).state for _ in range(3)]
    for side in GAME.file.sides:
        onlooker = Onlooker(side)
        for state in lead_on(random, worlds[0], worlds):
            alone = reduce_state(GAME, state, side)
            sight = onlooker.sight(GAME, state)
            assert write_json(Position(GAME, sight)) == write_json(Position(GAME, alone))
            assert onlooker.sight(GAME, state) is sight


BELOW = parse(f"game {GAME.id}\nphase=movement\nphasing=russian\n{TARGET}: 1/1, 2/1\n").state
SEEN_AT_ONCE: dict[str, tuple[dict[FactKey, Fact], tuple[Unread, ...]]] = {
    "an attack that is announced": ({("announced", TARGET): Fact(True)}, ()),
    "a marker on a stack": ({("ip", TARGET): Fact(True)}, ()),
    "a side that is active": ({("phasing", ""): Fact("central-powers")}, ()),
    "an unknown piece": ({}, (Unread("a piece", about=None, place="48.20"),)),
}


@pytest.mark.parametrize("what", SEEN_AT_ONCE)
def test_what_is_no_unit_is_seen_at_once(what: str) -> None:
    facts, unread = SEEN_AT_ONCE[what]
    crossed = {("crossed", "40.19|40.20"): Fact("1")}
    before = msgspec.structs.replace(BELOW, facts={**BELOW.facts, **crossed})
    after = msgspec.structs.replace(before, facts={**before.facts, **facts}, unread=unread)
    for first, then in ((before, after), (after, before)):
        onlooker = Onlooker("russian")
        seen_first, alone = onlooker.sight(GAME, first), reduce_state(GAME, then, "russian")
        assert write_json(Position(GAME, seen_first)) != write_json(Position(GAME, alone))
        assert write_json(Position(GAME, onlooker.sight(GAME, then))) == write_json(Position(GAME, alone))


def test_what_looks_the_same_is_the_same_state() -> None:
    random = Random("same")
    known = seen(random)
    state = hidden(random, known, ".pos").state
    onlooker = Onlooker(known.side)
    first = onlooker.sight(GAME, state)
    units = {name: unit for name, unit in state.units.items() if name in first.units or unit.place}
    away = msgspec.structs.replace(state, units=MappingProxyType(units))
    assert onlooker.sight(GAME, away) is first


def test_no_more_places_are_looked_at_where_more_units_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = list[str]()
    real = viewpoint._Eyes.units_seen

    def units_seen(eyes: viewpoint._Eyes, place: str) -> tuple[list[tuple[Unit, bool]], str]:
        looks.append(place)
        return real(eyes, place)

    monkeypatch.setattr(viewpoint._Eyes, "units_seen", units_seen)
    counts = []
    for units in (40, 160):
        state = parse(front_line(GAME, units)).state
        onlooker = Onlooker("russian")
        onlooker.sight(GAME, state)
        name = next(name for name in state.units if "/" in name)
        looks.clear()
        onlooker.sight(GAME, msgspec.structs.replace(state, facts={**state.facts, ("lost", name): Fact(2)}))
        counts.append(len(looks))
    assert counts[0] == counts[1] == 7, "its hex and those next to it"
