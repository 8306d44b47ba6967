"""Recent answers: whatever was asked before, an answer and what it rests on equal those worked out afresh."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from types import MappingProxyType

import pytest
from msgspec.structs import replace

import assistant
from assistant.asking.recent_answers import RecentAnswers, keeping_answers
from assistant.asking.report import Report
from assistant.faces.vassal.answering import CARD, Selection, list_offers
from assistant.formats.positions import Position
from assistant.game.states import apply_changes
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.state.changes import Change
from assistant.state.state import EVERYTHING, UMPIRE, is_same_state
from assistant.state.tracks import Source
from assistant.util.datafiles import read_text
from assistant.util.errors import InputError

from ...cases import few

GAMES = ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914")
VIEWPOINTS = (EVERYTHING, UMPIRE, "first side", "second side")
SEQUENCES = 17
"""The number of sequences for each game and viewpoint."""
STEPS = 10


def begun(game_name: str, viewpoint: str) -> Position:
    game = load_game(game_name)
    file, called, _ = game.set_up(next(iter(game.setups)))
    position = assistant.parse("\n".join([read_text(file, called), "trust map charts counters"]), game=game)
    sides = [*game.file.sides]
    side = {"first side": sides[0], "second side": sides[1]}.get(viewpoint, viewpoint)
    return position.seen(reduce_state(game, position.state, side)) if side else position


def moved(position: Position, random: Random) -> Position:
    """The position with a unit in a free hex beside its own, or as it was if there is none."""
    board = position.game.board_of(position.state)
    units = position.state.units.values()
    unit = random.choice([unit for unit in units if unit.place and board.is_hex(unit.place)])
    free = {*board.neighbours(str(unit.place))} - {other.place for other in units}
    if not free:
        return position
    change = Change("place", unit.id, unit.place, random.choice(sorted(free)), "")
    return position.with_state(apply_changes(position.game, position.state, [change]))


def with_other_trust(position: Position, random: Random) -> Position:
    sources = position.state.accepts ^ {random.choice([*Source])}
    return position.with_state(replace(position.state, accepts=sources))


def with_other_ruling(position: Position, random: Random) -> Position:
    rulings = position.game.rulings
    if not rulings:
        return position
    name = random.choice([*rulings])
    reading = random.choice([*rulings[name].readings])
    return position.with_state(
        replace(position.state, rulings=MappingProxyType({**position.state.rulings, name: reading}))
    )


def offered(position: Position, random: Random) -> Iterator[str]:
    """Questions about two units of the position, and about the whole of it, as in notation."""
    placed = [unit for unit in position.state.units.values() if unit.place]
    for unit in (None, *random.sample(placed, 2)):
        selection = Selection((unit.id,), unit.place or "") if unit else Selection((), "")
        for offer in list_offers(position, selection):
            if not offer.asked.startswith(CARD):
                yield offer.asked


def outcome(position: Position, typed: str) -> str:
    """The answer to a question as JSON, or what is wrong."""
    try:
        asked = assistant.parse(f"ask {typed}", position)
        return assistant.to_json(assistant.ask(asked, asked.asks[0]))
    except InputError as error:
        return f"{error.what}: {error.hint}"


@few(2)
@pytest.mark.parametrize(
    ("game_name", "viewpoint", "seed"),
    [(*case, seed) for seed, case in product(range(SEQUENCES), product(GAMES, VIEWPOINTS))],
)
def test_answers_in_any_order_equal_fresh_ones(game_name: str, viewpoint: str, seed: int) -> None:
    random, recent = Random(f"{game_name} {viewpoint} {seed}"), RecentAnswers()
    positions = [begun(game_name, viewpoint)]
    questions = list(offered(positions[0], random))
    change = random.choices((moved, with_other_trust, with_other_ruling), (8, 1, 1), k=STEPS)
    for step in range(STEPS):
        if random.random() < 0.6:
            positions.append(change[step](random.choice(positions[-2:]), random))
        position = random.choice(positions[-3:])
        typed = random.choice(questions[-6:] if random.random() < 0.5 else questions)
        with keeping_answers(recent):
            answer = outcome(position, typed)
        assert answer == outcome(position, typed), typed


@pytest.fixture
def position() -> Position:
    return assistant.parse("game twilight-in-the-east\n41.19 clear: german infantry XX 1/1 (8-10-5-9)\n")


def count_asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that gets the name of each question that is worked out."""
    asked = list[str]()
    answer = assistant.service.answer_in_view

    def answer_in_view(*arguments: object) -> Report[object]:
        asked.append(arguments[2].question)  # type: ignore[attr-defined]
        return answer(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("assistant.service.answer_in_view", answer_in_view)
    return asked


def test_the_same_question_is_worked_out_once(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = count_asked(monkeypatch)
    again = position.with_state(replace(position.state, facts=MappingProxyType({**position.state.facts})))
    with keeping_answers() as recent:
        first = assistant.ask(position, "condition", unit="1/1")
        assert assistant.ask(again, "condition", unit="1/1") is first
    assistant.ask(position, "condition", unit="1/1")
    with keeping_answers(recent):
        assert assistant.ask(position, "condition", unit="1/1") is first
    assert asked == ["condition", "condition"]


@pytest.mark.parametrize("lines", ["trust charts", "ruling ezoc-leaving=once", "1/1 -1"])
def test_another_position_is_answered_anew(position: Position, lines: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = count_asked(monkeypatch)
    other = assistant.parse(lines, position)
    with keeping_answers():
        assistant.ask(position, "condition", unit="1/1")
        assistant.ask(other, "condition", unit="1/1")
    assert len(asked) == 2


def test_nothing_crosses_a_viewpoint(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = count_asked(monkeypatch)
    with keeping_answers():
        for side in (EVERYTHING, UMPIRE, "russian", "central-powers"):
            assistant.ask(position.with_state(replace(position.state, seen_by=side)), "condition", unit="1/1")
    assert len(asked) == 4


def test_few_answers_are_kept_and_the_oldest_goes(position: Position, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = count_asked(monkeypatch)
    with keeping_answers(RecentAnswers(max_kept=2)):
        for question in ("condition", "supply", "condition", "reach", "supply"):
            assistant.ask(position, question, **({"units": "1/1"} if question == "reach" else {"unit": "1/1"}))
    assert asked == ["condition", "supply", "reach", "supply"]


def test_errors_are_not_kept(position: Position) -> None:
    with keeping_answers():
        for _ in range(2):
            with pytest.raises(InputError, match="unknown unit"):
                assistant.ask(position, "condition", unit="2/2")


def test_states_with_another_order_are_not_the_same(position: Position) -> None:
    state = position.state
    turned = replace(state, facts=MappingProxyType(dict(reversed(state.facts.items()))))
    assert turned == state and not is_same_state(turned, state)
    assert is_same_state(replace(state), state)
