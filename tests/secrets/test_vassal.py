"""What VASSAL's plugin is told for a side: no hidden fact changes a byte of it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import pytest

from assistant.faces.vassal import answering
from assistant.faces.vassal.answering import Conversation
from assistant.faces.vassal.offers import Selection
from assistant.faces.vassal.requests import ASK, OFFER, Request
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.positions import RunningGame
from assistant.formats.vassal.saves import Save, read_save
from assistant.formats.vassal.streams import read_stream
from assistant.installed.registry import make_game_loader

from ..cases import few, thorough
from . import beside, fog, telling

SEED = 1914
PAIRS = 100
"""The number of pairs of each kind."""
KINDS = ("hidden", "beside", "in fog")


class Saves(NamedTuple):
    """Two saves that differ only in what a side may not know."""

    side: str
    files: tuple[bytes, bytes]
    limits: dict[str, str]


def pair_of(kind: str, number: int) -> Saves:
    if kind == "hidden":
        both = telling.pair(number, SEED, endings=[".vsav"])
        return Saves(both.known.side, both.files, both.limits)
    other, _ = (beside if kind == "beside" else fog).pair(number, SEED, endings=[".vsav"])
    return Saves(other.side, other.files, {})


def replies(data: bytes, side: str, selections: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """What is offered and answered about selections in a save, one after the other."""
    stream, module = read_stream(data)
    conversation = Conversation(make_game_loader(None))

    def reply(action: str, asked: str, pieces: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(conversation.answer(Request(action, asked, side, "", module, pieces, stream)))

    for pieces in selections:
        offered = reply(OFFER, "", pieces)
        yield offered
        for line in offered:
            word, _, rest = line.partition(" ")
            if word == "offer":
                yield reply(ASK, rest.partition("\t")[0], pieces)


@pytest.mark.parametrize(
    ("side", "line"),
    [("", "say take a side first"), ("Referee", "say whose counters Referee may see is not known: `assistant adopt`")],
)
def test_without_a_known_side_nothing_is_told_of_a_game_with_hidden_counters(side: str, line: str) -> None:
    (told,) = next(replies(pair_of("hidden", 1).files[0], side, [()]))
    assert told.startswith(line)


def selectable(saves: list[Save], side: str) -> list[str]:
    """The pieces that a player of a side can select in both saves: those that show the same there."""
    one, other = (save.pieces for save in saves)

    def shown(piece: Piece) -> object:
        hidden = any(owner.casefold() != side for owner in piece.owners().values())
        return (piece.map, piece.at, "?" if hidden else piece.marks().get("unit"))

    return [id for id in one if id in other and shown(one[id]) == shown(other[id])]


def differences(kind: str, numbers: range) -> tuple[list[str], Counter[str]]:
    found, seen = list[str](), Counter[str]()
    for number in numbers:
        both = pair_of(kind, number)
        random = Random(f"{SEED} {number}")
        ids = selectable([read_save(data) for data in both.files], both.side)
        selections: list[tuple[str, ...]] = [(), *((id,) for id in random.sample(ids, min(3, len(ids))))]
        with patch.dict(os.environ, both.limits):
            told = [list(replies(data, both.side, selections)) for data in both.files]
        seen["replies"] += len(told[0])
        seen["shapes"] += sum(line.startswith("map ") for reply in told[0] for line in reply)
        if told[0] != told[1]:
            wrong = next(pair for pair in zip(*told, strict=False) if pair[0] != pair[1])
            found.append(f"{kind} {number}: {wrong[0][:2]} and {wrong[1][:2]}")
    return found, seen


@few(1)
@pytest.mark.parametrize("first", range(0, PAIRS, 20))
@pytest.mark.parametrize("kind", KINDS)
def test_no_hidden_fact_changes_a_byte_of_what_the_plugin_is_told(kind: str, first: int) -> None:
    found, seen = differences(kind, range(first, first + 20))
    assert found == []
    assert seen["replies"] > 100
    assert kind == "hidden" or seen["shapes"] > 0


@thorough
def test_it_would_notice_a_name_that_comes_from_the_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_selection(running: RunningGame, request: Request) -> Selection:
        named = [running.legend.unit(running.save.pieces[id]) for id in request.pieces]
        return Selection(tuple(named), "41.19" if named else "")

    monkeypatch.setattr(answering, "_find_selection", find_selection)
    found, _ = differences("hidden", range(40))
    assert found
