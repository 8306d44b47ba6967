"""What most tests need: a game, and positions typed in notation."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings

from assistant.asking.report import NOT_ALLOWED, Report
from assistant.asking.view import View
from assistant.formats.notation import read_notation
from assistant.formats.positions import Position
from assistant.game.boards import Board
from assistant.game.boards.files import read_board
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game
from assistant.state.changes import Change
from assistant.testing import asked
from assistant.util.errors import quoted

from .cases import LongFirst, beyond_share, leave_to_thorough

GAME = "twilight-in-the-east"
SAMPLE = Path(__file__).parent / "twilight_in_the_east" / "boards" / "sample"

FEW = 10
"""The made-up cases of a test with which `make test` is content."""
BUSY = [HealthCheck.too_slow]
"""What a busy machine makes of a test that is sound."""
settings.register_profile("repeatable", derandomize=True, deadline=None, suppress_health_check=BUSY)
settings.register_profile("few", settings.get_profile("repeatable"), max_examples=FEW)
settings.register_profile("explore", derandomize=False, print_blob=True, deadline=None, suppress_health_check=BUSY)
settings.load_profile("repeatable")  # the same cases at each run; other commands try new ones


def pytest_configure(config: pytest.Config) -> None:
    """Have long tests begin first, and let programs that tests begin hear the signals that tests send, though what runs the tests may ignore them, as `nohup` does."""
    config.pluginmanager.register(LongFirst())
    for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --rule 10.8a`: the tests that are marked with a row of a rule index. `pytest --share 3`: every third thorough case."""
    parser.addoption("--rule", default="", help="run the tests alone that are marked with this row of a rule index")
    parser.addoption(
        "--share", type=int, default=1, help="of the thorough cases of each test, run every so-manieth alone"
    )


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Before any are chosen by their marks."""
    leave_to_thorough(items)
    left_out = beyond_share(items, config.getoption("--share"))
    if rule := config.getoption("--rule"):
        left_out |= {item for item in items if not any(rule in mark.args for mark in item.iter_markers("rule"))}
    config.hook.pytest_deselected(items=[item for item in items if item in left_out])
    items[:] = [item for item in items if item not in left_out]


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep what collection has made, which stays to the end, out of every later search for garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True, scope="session")
def no_pack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of the owner's data, which is empty: whoever runs the tests may own the game, and his pack stays out of them.

    All of a run share the boards that one has read.
    """
    base = tmp_path_factory.getbasetemp()
    run = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    data = tmp_path_factory.mktemp("data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", str(data))
        patch.setenv("FIELD_STAFF_CACHE", os.environ.get("FIELD_STAFF_TESTS_CACHE", str(run / "cache")))
        yield data


@pytest.fixture
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of its own for what a test keeps for an owner."""
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def leaves_no_pack(no_pack: Path) -> Iterator[None]:
    """What a test keeps for an owner would be there in every later one: it uses `own_data`."""
    before = os.environ["FIELD_STAFF_DATA"]
    yield
    after = os.environ.get("FIELD_STAFF_DATA")
    os.environ["FIELD_STAFF_DATA"] = before
    left = sorted(no_pack.iterdir())
    for each in left:
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    assert after == before, "this test changes FIELD_STAFF_DATA for all later ones"
    assert not left, "this test leaves something in the data of an owner, for all later ones"


@pytest.fixture(autouse=True, scope="session")
def no_wait_for_the_disk() -> Iterator[None]:
    """Files of tests need not outlast a power cut, and a run would wait for the disk thousands of times. Processes that tests begin wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", os.fstat)  # which refuses a file that is closed, too
        yield


@pytest.fixture(autouse=True, scope="session")
def made_up_ground() -> Iterator[None]:
    """A small board of Twilight, `sample`, whose ground is made up and stays as it is: tests of supply count its hexes."""
    board_of = Game.board

    def board(game: Game, name: str) -> Board:
        if name == SAMPLE.name and game.id == GAME and name not in game._boards:
            game._boards[name] = game._overlay(read_board(SAMPLE, game.tracks))
        return board_of(game, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Game, "board", board)
        yield


@pytest.fixture(scope="session")
def twilight() -> Game:
    return load_game(GAME)


def typed(text: str) -> Position:
    """The position that a text in notation says, for Twilight unless the text names a game."""
    head = "" if text.lstrip().startswith("game") else f"game {GAME}\n"
    return read_notation((head + text).encode(), "typed.pos", load_game)


def viewed(text: str) -> View:
    """The view of a position of Twilight in the East."""
    position = typed(text)
    return View(position.game, position.state)


def _readings(report: Report[Any]) -> dict[str, str]:
    steps = (step.figures for part in report.parts if part.title == "Rulings" for step in part.steps)
    return {str(figures["ruling"]): str(figures["reading"]) for figures in steps}


def ruled(report: Report[Any], ruling: str) -> str:
    """The reading of a ruling that a report says it rests on, "" if it names none."""
    return _readings(report).get(ruling, "")


def rulings(report: Report[Any]) -> list[str]:
    """The rulings that a report says it rests on."""
    return sorted(_readings(report))


def why_not(report: Report[Any]) -> list[str]:
    """The rules for which something is not allowed."""
    return [step.rule for part in report.parts if part.title == NOT_ALLOWED for step in part.steps]


def values(report: Report[Any]) -> dict[tuple[str, str], object]:
    """What a report changes: by track and subject the new value, or what is added to it."""
    return {
        (getattr(change, "track", "place"), getattr(change, "subject", "") or getattr(change, "unit", "")): getattr(
            change, "after", getattr(change, "amount", getattr(change, "place", None))
        )
        for change in report.changes
    }


ACCOUNT = ("spent", "passed", "ended", "checked", "worked-on")
"""The facts of what units do in a phase, which lapse with it."""


def on_the_map(report: Report[Any]) -> list[tuple[str, object]]:
    """What a report changes beside the accounts of a phase: each track with its new value."""
    return [(track, after) for (track, _), after in values(report).items() if track not in ACCOUNT]


def carried_on(position: Position, report: Report[Any]) -> Position:
    """The position after what a report changes."""
    after = View(position.game, position.state).after(report.changes)
    return msgspec.structs.replace(position, state=after.state)


def answered(position: Position, question: str = "", **parameters: Any) -> Report[Any]:
    """The report on a question: the one that the position asks, or a named one with parameters and nothing else."""
    return asked(position if not question else msgspec.structs.replace(position, asks=()), question, **parameters)


def carried_out(text: str, question: str = "", advance: str = "", **parameters: Any) -> Report[Any]:
    """The report on a combat as typed, its stacks retreating by the way offered first. advance: who advances, "" if that is left open."""
    while True:
        report = asked(typed(text), question, **parameters)
        ways = [
            f"{ask.name}={quoted(ask.options[0])}"
            for ask in report.asks
            if ask.name.startswith(("retreat.", "onward."))
        ]
        ways += [f"advance={advance}" for ask in report.asks if ask.name == "advance" and advance]
        if not ways:
            return report
        text = text.replace("answers ", f"answers {' '.join(ways)} ", 1)


def told(report: Report[Any], part: str = "") -> list[str]:
    """The lines of a report's working: of all its parts, or of the one with a title."""
    return [step.text for each in report.parts if part in ("", each.title) for step in each.steps]


def settings_of(report: Any) -> list[Change]:
    """The facts that the changes of a report set, without what is added to numbers."""
    return [change for change in report.changes if isinstance(change, Change)]


@pytest.fixture
def report() -> Callable[..., Report[Any]]:
    def of(text: str, question: str = "", **parameters: Any) -> Report[Any]:
        return answered(typed(text), question, **parameters)

    return of


# --- credit for rules (see credit.py) ---------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def fresh_caches() -> None:
    """Forget what rules functions have cached, so that every test executes what it needs itself."""
    for cached in rule_caches(len(sys.modules)):
        cached.cache_clear()


@cache
def rule_caches(modules: int) -> list[Any]:
    """The functions of the games that keep what they returned. modules: how many are imported; another number may bring others."""
    games = {entry.value.partition(".")[0] for entry in installed_games().values()}
    own = [module for name, module in list(sys.modules.items()) if name.partition(".")[0] in games]
    return [thing for module in own for thing in vars(module).values() if hasattr(thing, "cache_clear")]
