"""Whatever the page is sent is answered or refused, and what is refused changes nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.faces.page.desk import PageDesk
from assistant.faces.page.messages.requests import AnyRequest
from assistant.faces.page.respond import _MAX_LOCAL_REQUEST_BYTES, respond
from assistant.faces.page.sides import WholeTables
from assistant.faces.page.tables import Tables
from assistant.installed.registry import installed_games, make_game_loader, named_game
from assistant.util.files import data_folder
from module_builder.new import new_game

ROOT = Path(__file__).parents[4]
OWN = "heath"
"""A game of files only in a folder of the player's, which is not installed."""
GAMES = (*sorted(installed_games()), OWN)
EXAMPLES = {
    "der-weltkrieg": "der_weltkrieg/examples/may-1916.pos",
    "kaisers-war-in-the-east": "kaisers_war_in_the_east/examples/battle.pos",
    "twilight-in-the-east": "twilight_in_the_east/examples/battle.pos",
    "world-undone-east-prussia-1914": "world_undone_east_prussia/examples/battle.pos",
}
KINDS = [one.__struct_config__.tag for one in get_args(AnyRequest)]


@pytest.fixture(autouse=True, scope="module")
def own_pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the page keeps for the owner of a game stays with the tests of this module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", str(tmp_path_factory.mktemp("data")))
        yield


def send(tables: Tables, request: Any) -> Any:
    """The response to a request."""
    return json.loads(respond(tables, msgspec.json.encode(request)))


def begun(folder: Path, game: str) -> Tables:
    """The tables of a host with one of that game, `t`, on which lies an example."""
    own, example = folder / OWN, ROOT / "plugins" / EXAMPLES.get(game, "")
    if game == OWN:
        new_game(own)
        example = own / "examples" / "attack.pos"
    tables = Tables(folder, make_game_loader(named_game(str(own)) if game == OWN else None))
    request = {"do": "begin", "table": "t", "game": game, "position": example.read_text("utf-8")}
    assert (shown := send(tables, request))["is"] == "table", shown
    return tables


def on_disk(folder: Path) -> dict[str, bytes]:
    """The tables and the owner's packs as they lie on the disk."""
    packed = (file for file in data_folder().rglob("*") if file.is_file() and "packs" in file.parts)
    return {str(file): file.read_bytes() for file in sorted([*folder.rglob("*.journal"), *packed])}


def test_mistake_of_the_program_is_answered_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tables = Tables(tmp_path)
    send(tables, {"do": "begin", "table": "t", "game": GAMES[0]})

    def fail(_: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(PageDesk, "show", fail)
        assert send(tables, {"do": "look", "table": "t"})["what"] == "the program failed at this"
    assert "ZeroDivisionError" in caplog.text
    assert send(tables, {"do": "look", "table": "t"})["is"] == "table"


def test_journal_that_is_gone_is_told_of(tmp_path: Path) -> None:
    send(Tables(tmp_path), {"do": "begin", "table": "t", "game": GAMES[0]})
    whole = WholeTables(Tables(tmp_path), "t", (), tmp_path / "sides")
    (tmp_path / "t.journal").unlink()
    refused = send(whole, {"do": "look", "table": "t"})
    assert (refused["is"], refused["hint"]) == ("refused", "has it been moved or removed?")


# --- every kind of request, in every game -----------------------------------------------------------------------------


def some_request(kind: str, game: str) -> dict[str, Any]:
    """A request of a kind that makes sense in any game."""
    fields = {
        "games": {},
        "words": {"game": game},
        "begin": {"table": "another", "game": game},
        "enter": {"table": "t", "line": "position", "tap": "1"},
        "ask": {"table": "t", "question": "stack"},
        "counter": {"table": "t", "unit": "1/1"},
        "meaning": {"table": "t", "word": "turn"},
        "hex": {"table": "t", "hex": "2620"},
        "tile": {"table": "t", "column": 0, "row": 0},
        "chart": {"table": "t", "chart": "crt"},
        "cells": {"table": "t", "chart": "crt", "cells": {}},
        "open-link": {"table": "another", "fragment": "AAAA"},
    }
    return {"do": kind, **fields.get(kind, {"table": "t"})}


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_request_is_answered_or_refused_with_a_reason(game: str, tmp_path: Path) -> None:
    tables = begun(tmp_path, game)
    for kind in KINDS:
        response = send(tables, some_request(kind, game))
        assert response["is"] != "refused" or response["what"], kind


# --- requests that are none -------------------------------------------------------------------------------------------

IN_FOLDER = ROOT / "tests" / "distributions" / "mill_race" / "mill_race"
"""A game whose code would be run if the page could name it."""
DEEP = b"[" * 100_000
NO_REQUESTS = {
    "nothing": b"",
    "no JSON": b"{",
    "not UTF-8": b'{"do": "look", "table": "\xff"}',
    "half a surrogate": b'{"do": "look", "table": "\\ud800"}',
    "a number": b"7",
    "no kind": b"{}",
    "an unknown kind": b'{"do": "format"}',
    "a kind of another type": b'{"do": 7}',
    "a field too many": b'{"do": "look", "table": "t", "and": 1}',
    "a field too few": b'{"do": "look"}',
    "a field of another type": b'{"do": "look", "table": ["t"]}',
    "deep": DEEP,
    "deep in a field": b'{"do": "ask", "table": "t", "question": "stack", "parameters": ' + DEEP,
    "long": b'{"do": "enter", "table": "t", "line": "' + b"x" * _MAX_LOCAL_REQUEST_BYTES + b'"}',
    "a long name": b'{"do": "look", "table": "' + b"x" * 900_000 + b'"}',
    "a large number": b'{"do": "tile", "table": "t", "column": ' + b"9" * 5000 + b', "row": 0}',
    "a game that is a folder": json.dumps({"do": "begin", "table": "u", "game": str(IN_FOLDER)}).encode(),
    "a game beside": json.dumps({"do": "begin", "table": "u", "game": "../mill_race"}).encode(),
    "a position of a game in a folder": json.dumps(
        {"do": "begin", "table": "u", "game": "twilight-in-the-east", "position": f"game {IN_FOLDER}\n"}
    ).encode(),
    "words of a game in a folder": json.dumps({"do": "words", "game": str(IN_FOLDER)}).encode(),
    "a table beside": b'{"do": "look", "table": "../t"}',
    "a table elsewhere": b'{"do": "begin", "table": "/tmp/t", "game": "twilight-in-the-east"}',
    "a table that is there": b'{"do": "begin", "table": "t", "game": "twilight-in-the-east"}',
}


@pytest.mark.parametrize("case", NO_REQUESTS)
def test_what_is_no_request_is_refused_and_changes_nothing(case: str, tmp_path: Path) -> None:
    tables = begun(tmp_path, "twilight-in-the-east")
    before = on_disk(tmp_path)
    response = json.loads(respond(tables, NO_REQUESTS[case]))
    assert response["is"] == "refused"
    assert response["what"]
    assert len(json.dumps(response)) < 2000
    assert on_disk(tmp_path) == before


@pytest.mark.parametrize(
    "line", ["save stolen.pos", "save", "s stolen.pos", "picture stolen.svg", "pi stolen.svg always"]
)
@pytest.mark.parametrize("game", ["twilight-in-the-east", "der-weltkrieg"])
def test_no_line_writes_a_file(game: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = begun(tmp_path / "tables", game)
    (tmp_path / "at").mkdir()
    monkeypatch.chdir(tmp_path / "at")
    before = on_disk(tmp_path)
    assert send(tables, {"do": "enter", "table": "t", "line": line})["refused"]
    assert list(Path().iterdir()) == []
    assert on_disk(tmp_path) == before


def shown(tables: Tables) -> dict[str, Any]:
    """What is shown of the table, but for in which words `undo` names what it takes back."""
    table: dict[str, Any] = send(tables, {"do": "look", "table": "t"})
    return {name: value for name, value in table.items() if name != "undo"}


# --- made-up requests -------------------------------------------------------------------------------------------------

WORDS = (
    *("", "t", "u", "T", "../t", "twilight-in-the-east", "mill_race", "battle", "supply", "stack", "turn", "at", "crt"),
    *("41.19", "4119", "40.20", "1/1", "25/3", "4020 -25/3", "4119 <", "7", "3 4", "y", "undo", "done", "new", "quit"),
    *("?1", "?9 none", "charts", "=", "1 = 2", "trust charts", "turn=5", "phase=", "undo undo", "keep", "help"),
    *("picture x.svg", "save x.pos", "strike 1", "\x00", "\x1b[2J", "🐎", "ẞ", "a" * 3000, "amend 1 turn=2", "check"),
)
TEXTS = st.sampled_from(WORDS) | st.text(max_size=20)


def made_up(kind: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    """Requests of a kind, with whatever in their fields; most are for the table that there is."""
    by_type: dict[Any, st.SearchStrategy[Any]] = {
        str: TEXTS,
        bool: st.booleans(),
        int: st.integers(-3, 2**70),
        dict: st.dictionaries(TEXTS, TEXTS, max_size=3),
    }
    fields = {}
    for field in msgspec.structs.fields(kind):
        types = [one for one in by_type if one.__name__ in str(field.type)]
        value = by_type[types[0]] if types else st.sampled_from(["picture", "chart"])
        fields[field.encode_name] = st.just("t") | value if field.name == "table" else value
    return st.fixed_dictionaries({"do": st.just(kind.__struct_config__.tag), **fields})


@given(requests=st.lists(st.one_of(*map(made_up, get_args(AnyRequest))), min_size=1, max_size=8))
def test_made_up_requests_never_raise_and_what_is_refused_changes_nothing(
    requests: list[dict[str, Any]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    tables = begun(folder, "twilight-in-the-east")
    for request in requests:
        before = on_disk(folder)
        response = json.loads(respond(tables, json.dumps(request).encode()))
        if response["is"] == "refused" or response.get("refused") or response.get("held"):
            assert on_disk(folder) == before, request
    assert shown(Tables(folder)) == shown(tables)  # as after the host was killed


def test_a_request_at_which_memory_runs_out_is_refused_and_the_next_one_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = begun(tmp_path, GAMES[0])
    before = send(tables, {"do": "look", "table": "t"})
    usual = PageDesk.show

    def fail(*given: object, **named: object) -> object:
        monkeypatch.setattr(PageDesk, "show", usual)
        raise MemoryError

    monkeypatch.setattr(PageDesk, "show", fail)
    refused = send(tables, {"do": "look", "table": "t"})
    assert (refused["what"], refused["hint"]) == ("not enough memory", "close other programs, or ask for less at once")
    assert send(tables, {"do": "look", "table": "t"}) == before
