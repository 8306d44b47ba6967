"""The ways to ask one question about one position, and what differs between two answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

import assistant
from assistant.asking.report import Report
from assistant.asking.schemas import as_plain
from assistant.faces.cli.main import cli
from assistant.faces.mcp.access import Access
from assistant.faces.mcp.tools import answer
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.notation import read_notation
from assistant.formats.positions import Asked, Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

from ..assistant.faces.page.pages import AtTable

Answered = Report[Any] | str
"""A report, or why there is none."""
Given = Mapping[str, Any]
"""A question's parameters, by the names that players type."""
Answer = dict[str, Any]
"""An answer as plain values: those of a report, or `error`, why there is none."""
MAX_CHARS = 400
"""The length at which a value that differs is cut."""


def read_file(text: str) -> Position:
    """Return the position that a file holds."""
    return read_notation(text.encode(), "made.pos", load_game)


def ask(position: Position, question: str | Asked = "", **parameters: Any) -> Answered:
    """Return the answer to a question of a position, or why there is none."""
    try:
        return assistant.ask(position, question, **parameters)
    except InputError as error:
        return error.what


def plain(answered: Answered) -> Answer:
    """Return an answer as plain values."""
    return {"error": answered} if isinstance(answered, str) else as_plain(answered)


def ask_file(text: str) -> Answered:
    """Ask what a file asks."""
    return ask(read_file(text))


def ask_library(text: str, question: str, given: Given) -> Answered:
    """Ask the library about a position that asks nothing itself."""
    named = {f"{name}_" if name == "from" else name: value for name, value in given.items()}
    try:
        return ask(assistant.parse(text), question, **named)
    except InputError as error:
        return error.what


def ask_command(text: str) -> Answer:
    """Ask what a file asks by `answer --json`."""
    done = CliRunner().invoke(cli, ["answer", "-", "--json"], input=text)
    if not done.stdout:
        return {"error": done.stderr}
    (there,) = json.loads(done.stdout)
    return {"error": there["error"]["what"]} if "error" in there else there


def ask_mcp(text: str, question: str, given: Given) -> Answer:
    """Ask as a language model does."""
    reply = answer(Access(), "ask", {"position": text, "question": question, "parameters": dict(given)})
    return {"error": reply.text} if reply.structured is None else reply.structured


def ask_page(game: Game, lines: tuple[str, ...], typed: str, question: str, given: Given) -> tuple[Any, Any]:
    """Return the page's responses to a question that is typed, and to one that is filled in, after some lines."""
    with TemporaryDirectory() as folder:
        page = AtTable(Path(folder), game.id)
        for line in lines:
            page.send("enter", line=line, tap=line, sure=True)
        table = page.send("enter", line=typed, tap="ask", sure=True)
        return table, page.send("ask", question=question, parameters=dict(given))


def begin_session(game: Game) -> Session:
    """Return a session at the prompt with nothing stated."""
    return Session(TableState(Position(game, build_state(game))), 200)


def enter(session: Session, line: str) -> str:
    """Type a line and confirm what is asked about it. Returns why it is refused, or "" if it is taken."""
    session.enter(line)
    if session.held:
        session.enter("y")
    return session.fault.what if session.fault else ""


def differences(one: str, this: Answered | Answer, other: str, that: Answered | Answer) -> Iterator[str]:
    """Yield what differs between two answers, value by value. `one`, `other`: whose they are."""
    before, after = (each if isinstance(each, dict) else plain(each) for each in (this, that))
    if "error" in before or "error" in after:
        if before != after:
            yield f"{one}: {_sum_up(before)}; {other}: {_sum_up(after)}"
        return
    for name in before:
        if before[name] != after.get(name):
            values = (_shorten(before[name], after.get(name)), _shorten(after.get(name), before[name]))
            yield f"{name}: {one}: {values[0]}; {other}: {values[1]}"


def decision(answered: Answered) -> Answer:
    """Return what an answer decides, asks for and takes for granted, without the order in which it lists that."""
    if isinstance(answered, str):
        return {"error": answered}
    return {
        "kind": answered.verdict.kind,
        "asks": sorted(ask.how for ask in answered.asks),
        "cautions": sorted(caution.text for caution in answered.cautions),
        "changes": sorted(map(str, answered.changes)),
    }


def _sum_up(answer: Answer) -> str:
    return str(answer["error"] if "error" in answer else answer.get("verdict", {}).get("text", answer))


def _shorten(value: Any, beside: Any) -> str:
    """Return a value in few words: of a list what another one lacks, or "in another order"."""
    if isinstance(value, list | tuple) and isinstance(beside, list | tuple):
        value = [item for item in value if item not in beside] or "in another order"
    return (value if isinstance(value, str) else repr(value))[:MAX_CHARS]
