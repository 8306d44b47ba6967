"""Journals of which one after the other begins with almost the same position begin, and are read, as each alone."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from functools import partial
from random import Random
from typing import Any

import msgspec
import pytest

from assistant.formats.json_state import write_json
from assistant.formats.notation import NotationReader
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state
from assistant.records.journal import new_journal
from assistant.records.journal.files import parse_journal, with_check
from assistant.records.journal.journal import Journal, write_head
from assistant.records.journal.new_journal import NewJournal, begin_journal
from assistant.service import parse
from assistant.state.state import GameState
from assistant.state.tracks import Fact
from assistant.util.errors import InputError, format_with_file

from ....cases import few, seeds
from ....secrets.test_onlooker import lead_on
from ....secrets.worlds import ENDINGS, GAME, hidden, seen

SIDE = "russian"


def load(id: str) -> Game:
    assert id == GAME.id
    return GAME


def outcome_of(made: Any) -> object:
    """What a beginning comes to, as bytes, or why there is none."""
    try:
        begun: NewJournal = made()
    except InputError as error:
        return format_with_file(error), error.hint
    return begun.data, begun.size, begun.journal.text, write_json(begun.journal.position()), begun.journal.books.counted


def alone(state: GameState) -> object:
    """What the journal comes to if nothing is known of another one."""

    def begin() -> NewJournal:
        head = write_head(GAME, Position(GAME, state), "").encode()
        data = with_check(head)
        journal = Journal.read(parse_journal(data, "x.journal"), "x.journal", load, side=SIDE)
        return NewJournal(state, None, data, len(head), journal, None)  # type: ignore[arg-type]

    return outcome_of(begin)


def seen_by_side(lines: str) -> GameState:
    """What the side knows of a position."""
    return msgspec.structs.replace(parse(f"game {GAME.id}\n{lines}").state, seen_by=SIDE)


def begin(state: GameState, known: NewJournal | None) -> NewJournal:
    return begin_journal(GAME, state, "x.journal", load, SIDE, known)


@few(4)
@pytest.mark.parametrize("seed", seeds(40))
def test_journal_begins_after_another_as_alone(seed: int) -> None:
    random = Random(f"beginnings {seed}")
    worlds = [hidden(random, seen(random), random.choice(ENDINGS)).state for _ in range(3)]
    known: NewJournal | None = None
    state = worlds[0]
    for wished in lead_on(random, state, worlds):
        state = reduce_state(GAME, wished, SIDE)
        if random.random() < 0.8:  # as after an entry: of what was read before, not of what was written
            state = begin_on(known, random) or state
        assert outcome_of(partial(begin, state, known)) == alone(state)
        with suppress(InputError):
            known = begin(state, known)


def begin_on(known: NewJournal | None, random: Random) -> GameState | None:
    """The state of a journal with a fact more or less, a unit moved, or one of another name."""
    if known is None or not known.journal.start.state.units:
        return None
    state = known.journal.position().state
    units, facts = dict(state.units), dict(state.facts)
    name = random.choice([*units])
    match random.randrange(4):
        case 0:
            units[name] = msgspec.structs.replace(units[name], place=random.choice([*units.values()]).place, order=9)
        case 1:
            key = random.choice([*facts])
            facts[key] = facts.pop(key)
        case 2:
            facts.pop(random.choice([*facts]))
        case _:
            del units[name]
            facts = {key: fact for key, fact in facts.items() if key[1] != name}
    return msgspec.structs.replace(state, units=units, facts=facts)


ARMIES = "40.20: 25/3 army={}\n42.20: 27/3 army={}\n44.20: 29/20\n"


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (ARMIES.format("Second", "Second"), ARMIES.format("second", "Second")),
        (ARMIES.format("second", "second"), "42.20: 27/3 army=second\n43.20: 25/3 army=second\n44.20: 29/20\n"),
        ("40.20: 25/3\n41.20: 27/3\n", "40.20: 25/3\n41.20: 27/3, 29/20\n"),
        ("40.20: 25/3, 27/3\n41.20: 29/20\n", "40.20: 25/3\n41.20: 29/20, 27/3\n"),
        ("40.20: 25/3, 27/3\n41.20: 29/20\n", "41.20: 29/20, 27/3\n"),
        ("40.20: 25/3\noff-map: 27/3\n", "40.20: 25/3 -1\noff-map: 27/3\n"),
        ("40.20: 25/3\noff-map: 27/3\n", "40.20: 27/3\noff-map: 25/3\n"),
        ("turn=3\n40.20: 25/3\n", "turn=3\n40.20: 25/3 -1\n40.20 clear\n"),
    ],
)
def test_what_lines_share_is_read_as_a_whole(first: str, then: str) -> None:
    states = [parse(f"game {GAME.id}\n{lines}").state for lines in (first, then)]
    spelled = dict(states[1].facts)
    for key, fact in spelled.items():
        if key[0] == "army" and "army=second" in then:
            spelled[key] = msgspec.structs.replace(fact, value="second")
    states[1] = msgspec.structs.replace(states[1], facts=spelled)
    states = [msgspec.structs.replace(state, seen_by=SIDE) for state in states]
    known = begin(states[0], None)
    assert outcome_of(lambda: begin(states[1], known)) == alone(states[1])


CORPS = "40.20: 25/3\n42.20: 27/3\n44.20: 29/20\n"


@pytest.mark.parametrize(
    ("first", "then"),
    [({"25/3": "alpha"}, {"25/3": "alpha", "27/3": "Alpha"}), ({"25/3": "alpha", "27/3": "Alpha"}, {"27/3": "Alpha"})],
)
def test_text_that_no_counter_spells_is_spelled_as_on_the_first_line(
    first: dict[str, str], then: dict[str, str]
) -> None:
    state = parse(f"game {GAME.id}\n{CORPS}").state
    facts = [{("corps", unit): Fact(text) for unit, text in texts.items()} for texts in (first, then)]
    states = [msgspec.structs.replace(state, facts=own, seen_by=SIDE) for own in facts]
    known = begin(states[0], None)
    assert outcome_of(lambda: begin(states[1], known)) == alone(states[1])


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("ruling supply-rounding=exact\n", "ruling supply-rounding=half-up\n"),
        ("board east\n", ""),
        ("line 25/3: 40.20 40.21\n", ""),
    ],
)
def test_what_is_beside_the_stacks_is_read_too(first: str, then: str) -> None:
    states = [seen_by_side(f"{head}40.20: 25/3{lost}\n") for head, lost in ((first, ""), (then, " -1"))]
    for before, after in (states, states[::-1]):
        known = begin(before, None)
        assert outcome_of(partial(begin, after, known)) == alone(after)


def test_only_the_line_that_differs_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    state = seen_by_side("40.20: 25/3\n42.20: 27/3\n42.20 clear\n")
    known = begin(state, None)
    read = []

    class Reader(NotationReader):
        def read(self, text: str) -> Position:
            read.append(text)
            return super().read(text)

    monkeypatch.setattr(new_journal, "NotationReader", Reader)
    begin(seen_by_side("40.20: 25/3\n42.20: 27/3 -1\n42.20 clear\n"), known)
    assert read == [f"game {GAME.id}\n42.20: 27/3 -1"]


def test_same_state_or_text_is_the_journal_that_is_known() -> None:
    state = seen_by_side("40.20: 25/3\n")
    known = begin(state, None)
    assert begin(state, known) is known
    assert begin(msgspec.structs.replace(state), known).journal is known.journal


NEW = '40.20: russian infantry XX "New"\n42.20: 27/3\n'


def test_two_units_of_one_name_are_found_on_different_lines() -> None:
    state = seen_by_side(NEW)
    known = begin(state, None)
    double = msgspec.structs.replace(state.units["New"], id="NEW", type="NEW", place="42.20", order=1)
    facts = {(track, "NEW"): fact for (track, unit), fact in state.facts.items() if unit == "New"}
    twice = msgspec.structs.replace(state, units={**state.units, "NEW": double}, facts={**state.facts, **facts})
    assert "placed twice" in str(alone(twice))
    assert outcome_of(partial(begin, twice, known)) == alone(twice)


def test_file_that_is_too_large_is_not_read_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    state = seen_by_side(CORPS)
    known = begin(state, None)
    monkeypatch.setenv("FIELD_STAFF_LIMIT_NOTATION", "50")  # enough for one of its lines
    lost = msgspec.structs.replace(state, facts={("lost", "25/3"): Fact(1)})
    assert "it holds more than 50" in str(alone(lost))
    assert outcome_of(partial(begin, lost, known)) == alone(lost)


def test_journal_of_a_game_that_is_read_again_begins_by_it() -> None:
    state = seen_by_side("40.20: 25/3\n")
    known = begin(state, None)
    game = copy(GAME)
    begun = begin_journal(game, state, "x.journal", lambda _: game, SIDE, known)
    assert begun.journal.game is game
