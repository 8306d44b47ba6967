"""In which order missing facts are asked for."""

from __future__ import annotations

from itertools import groupby
from types import MappingProxyType

import msgspec
import pytest

from assistant.asking.asks import Ask, ask_for_fact, sort_as_printed
from assistant.faces.page.table_view import show_answer
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.notation import read_notation
from assistant.formats.positions import Asked, Position
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.service import ask

from ...cases import thorough


def list_ratings(game: Game, asks: tuple[Ask, ...]) -> list[tuple[str, list[str]]]:
    """Return the runs of ratings that are asked for of one unit after the other."""
    rated = [wanted.key for wanted in asks if wanted.key and wanted.key[0] in game.printed_order]
    return [(str(unit), [str(track) for track, _ in run]) for unit, run in groupby(rated, key=lambda key: key[1])]


def test_ratings_of_a_counter_stand_together_where_the_first_of_them_stood(twilight: Game) -> None:
    wanted = [
        ("effectiveness", "1/1"),
        ("terrain", "41.19"),
        ("artillery", "25/3"),
        ("cel", "1/1"),
        ("steps", "1/1"),
        ("steps", "25/3"),
        ("artillery", "1/1"),
    ]
    asks = [ask_for_fact(twilight.track(track), subject) for track, subject in wanted]
    assert [each.key for each in sort_as_printed(asks, twilight.printed_order)] == [
        ("steps", "1/1"),
        ("artillery", "1/1"),
        ("effectiveness", "1/1"),
        ("terrain", "41.19"),
        ("steps", "25/3"),
        ("artillery", "25/3"),
        ("cel", "1/1"),
    ]


@pytest.mark.parametrize(
    ("id", "example", "question", "side"),
    [
        ("kaisers-war-in-the-east", "second-example", "threat", "allies"),
        pytest.param("twilight-in-the-east", "retreat", "attacks", "russian", marks=thorough),
        pytest.param("twilight-in-the-east", "cavalry", "threat", "central-powers", marks=thorough),
    ],
)
def test_missing_ratings_are_asked_for_as_printed_on_every_face(
    id: str, example: str, question: str, side: str
) -> None:
    """The rules of each of these questions read the ratings in another order."""
    game = load_game(id)
    file = game.folder.joinpath("examples", f"{example}.pos")
    position = read_notation(file.read_bytes(), file.name, load_game)
    facts = {key: fact for key, fact in position.state.facts.items() if key[0] not in game.printed_order}
    bare = Position(game, msgspec.structs.replace(position.state, facts=MappingProxyType(facts)))
    asked = Asked(question, {"side": side})
    report = ask(bare, asked)
    ratings = list_ratings(game, report.asks)
    assert any(len(names) > 1 for _, names in ratings)
    for _, names in ratings:
        assert names == sorted(names, key=game.printed_order.__getitem__)
    assert len({unit for unit, _ in ratings}) == len(ratings), "those of a counter follow one another"
    session = Session(TableState(msgspec.structs.replace(bare, asks=(asked,))), 100)
    session.begin()
    assert session.pending == report.asks[0]
    shown = show_answer(bare, report)
    assert [each.name for each in shown.asks] == [each.name for each in report.asks]
