"""A campaign's books as the page asks for them: the events of a game, an account, and what a side may know of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistant.faces.page.books import list_books
from assistant.faces.page.respond import respond
from assistant.faces.page.sides import SideTables, WholeTables
from assistant.faces.page.tables import OpenTables, Tables
from assistant.installed.registry import load_game

WELTKRIEG = "der-weltkrieg"


def send(tables: OpenTables, do: str, **request: Any) -> Any:
    return json.loads(respond(tables, json.dumps({"do": do, "table": "war", **request}).encode()))


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    """A table at which two events have been entered."""
    tables = Tables(tmp_path)
    send(tables, "begin", game=WELTKRIEG)
    for line in ("turn oct14/5", "ah dm 42 Sabac", "ge spend 10 infantry"):
        assert send(tables, "enter", line=line)["refused"] is None
    return tables


def test_events_say_what_a_line_takes() -> None:
    books = list_books(load_game(WELTKRIEG))
    assert books
    spend = next(event for event in books.events if event.word == "spend")
    assert (spend.on, spend.least, spend.most, spend.usual, spend.needs_kind) == ("nation", 1, 999, None, False)
    assert [(kind.name, kind.accounts) for kind in spend.kinds] == [
        ("artillery", ("sp", "artillery-spent")),
        ("infantry", ("sp", "infantry-spent")),
    ]
    give = next(event for event in books.events if event.word == "give")
    assert give.needs_kind
    assert give.kinds[0].accounts == ("sp",)  # what the ally gains is an account of his
    declare = next(event for event in books.events if event.word == "declare")
    assert (declare.accounts, declare.least, declare.only) == (("dm",), None, ("austro-hungarian",))
    assert [level.at for level in books.levels if level.who == "romanian"] == [250]


def test_a_game_that_records_no_events_keeps_no_books() -> None:
    assert list_books(load_game("twilight-in-the-east")) is None


def test_account_has_its_postings_with_their_entries_and_rules(tables: Tables) -> None:
    shown = send(tables, "account", account="sp", who="german")
    assert shown["title"] == "Germany: supply points"
    assert shown["holds"] == 50
    last = shown["rows"][-1]
    assert (last["amount"], last["holds"], last["entry"], last["rule"]) == (-10, 50, 3, "16-15")
    assert all(row["entry"] == 0 and row["rule"] for row in shown["rows"][:-1])


def test_account_that_is_none_is_refused_with_what_is_near(tables: Tables) -> None:
    refused = send(tables, "account", account="spp", who="german")
    assert refused["is"] == "refused"
    assert "sp" in refused["hint"]
    refused = send(tables, "account", account="sp", who="central-powers")
    assert "an account of each nation" in refused["what"]


def test_entries_say_which_amount_may_be_corrected(tables: Tables) -> None:
    entries = {entry["number"]: entry for entry in send(tables, "look")["entries"]}
    assert [(entries[number]["amount"], entries[number]["amends"]) for number in (1, 2, 3)] == [
        (None, False),
        (42, True),
        (10, True),
    ]
    send(tables, "enter", line="amend 2 22")
    amended = send(tables, "look")["entries"][0]
    assert (amended["amount"], amended["amends"]) == (None, False)


def test_a_side_is_not_told_what_others_have_entered(tables: Tables, tmp_path: Path) -> None:
    whole = WholeTables(tables, "war", ["central-powers", "entente"], tmp_path / "sides")
    assert "Sabac" in str(send(whole, "account", account="dm", who="austro-hungarian"))
    of_side = send(SideTables(whole, "entente"), "account", account="dm", who="austro-hungarian")
    assert of_side["rows"] == []
    assert of_side["holds"] == 42
