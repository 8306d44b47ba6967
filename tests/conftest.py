"""What most tests need: a game, and positions typed in notation."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import Any

import msgspec
import pytest

from assistant.formats.notation import read
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.plugins.registry import load_game, question_of
from assistant.questions.question import ask, read_parameters
from assistant.questions.reference import FIGURES
from assistant.questions.report import Report
from assistant.questions.view import View

GAME = "twilight-in-the-east"


@pytest.fixture(autouse=True, scope="session")
def no_pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests may own the game: his pack stays out of them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session")
def twilight() -> Game:
    return load_game(GAME)


def typed(text: str) -> Position:
    """The position that a text in notation says, for Twilight unless the text names a game."""
    head = "" if text.lstrip().startswith("game") else f"game {GAME}\n"
    return read((head + text).encode(), "typed.pos", load_game)


def _readings(report: Report[Any]) -> dict[str, str]:
    steps = (step.figures for part in report.parts if part.title == "Rulings" for step in part.steps)
    return {str(figures["ruling"]): str(figures["reading"]) for figures in steps}


def ruled(report: Report[Any], ruling: str) -> str:
    """The reading of a ruling that a report says it rests on, "" if it names none."""
    return _readings(report).get(ruling, "")


def rulings(report: Report[Any]) -> list[str]:
    """The rulings that a report says it rests on."""
    return sorted(_readings(report))


def answered(position: Position, question: str = "", **parameters: Any) -> Report[Any]:
    """The report on a question: the one that the position asks, or a named one with parameters."""
    asked = position.asks[0] if not question else None
    name = asked.question if asked else question
    given = dict(asked.parameters) if asked else {key.strip("_").replace("_", "-"): v for key, v in parameters.items()}
    view = View(position.game, position.state)
    found = question_of(position.game, name)
    report = ask(found, view, read_parameters(found, view, given), position.answers)
    assert not unexplained(report, position.game)
    assert all(found.waits_for(one.name) for one in report.asks if one.kind in ("roll", "choice"))
    return report


def unexplained(report: Report[Any], game: Game) -> set[str]:
    """The figures of a report whose names neither the assistant nor the game explains."""
    steps = (report.verdict, *report.cautions, *(step for part in report.parts for step in part.steps))
    return {name for step in steps for name in step.figures} - set(FIGURES) - set(game.file.figures)


@pytest.fixture
def report() -> Callable[..., Report[Any]]:
    def of(text: str, question: str = "", **parameters: Any) -> Report[Any]:
        return answered(typed(text), question, **parameters)

    return of


# --- credit for rules (see credit.py) ---------------------------------------------------------------------------------


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Write down which rules each test is marked with."""
    if file := os.environ.get("FIELD_STAFF_MARKS"):
        marks = {item.nodeid: [rule for mark in item.iter_markers("rule") for rule in mark.args] for item in items}
        Path(file).write_text(json.dumps(marks), "utf-8")


@pytest.fixture(autouse=True)
def fresh_caches() -> None:
    """Forget what rules functions have cached, so that every test executes what it needs itself."""
    for name, module in list(sys.modules.items()):
        if name.startswith("twilight_in_the_east"):
            for thing in vars(module).values():
                if hasattr(thing, "cache_clear"):
                    thing.cache_clear()


def spoiled(value: Any) -> Any:
    """A wrong result in place of a right one."""
    match value:
        case bool():
            return not value
        case int() | Fraction():
            return value + 1
        case str():
            return f"{value}?"
        case tuple() if hasattr(value, "_replace"):
            return value._replace(**{name: spoiled(getattr(value, name)) for name in value._fields})
        case msgspec.Struct():
            fields = {name: getattr(value, name) for name in value.__struct_fields__}
            return msgspec.structs.replace(value, **{n: spoiled(v) for n, v in fields.items() if not callable(v)})
        case tuple() | list() | dict() | set() | frozenset():
            return type(value)()
    return (lambda *args: None) if callable(value) else value


def break_function(name: str) -> None:
    """Make a function return wrong results wherever it is called: `module:function` or `module:Class.property`."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = vars(found)[part] if isinstance(found, type) else getattr(found, part)
    function = found.fget if isinstance(found, property) else found
    original = FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)
    original.__kwdefaults__ = function.__kwdefaults__
    function.__globals__["_original"], function.__globals__["_spoiled"] = original, spoiled
    scope: dict[str, Any] = {}
    exec("def broken(*args, **named): return _spoiled(_original(*args, **named))", scope)
    function.__defaults__ = function.__kwdefaults__ = None
    function.__code__ = scope["broken"].__code__


if broken := os.environ.get("FIELD_STAFF_BREAK"):
    break_function(broken)
