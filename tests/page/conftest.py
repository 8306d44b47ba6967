"""The page in a browser, for tests that ask for it; where something is missing they are skipped, or fail if it is required.

Any request to elsewhere, any error on the console (what the content security policy forbids is one) and any error that
nobody caught fails the test.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser

from assistant import parse
from assistant.faces.page.server.serving import Serving
from assistant.faces.page.tables import Tables
from assistant.faces.prompt.books import JournalSession
from assistant.installed.registry import named_game
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile

from ..assistant.faces.page.server.served import running, serving_of
from ..cases import thorough
from . import browser as real_browser
from . import small_host
from .browser import Elsewhere, Visit, chromium, visits
from .hosting import built, hosted

__all__ = ["chromium"]
GAME = "twilight-in-the-east"


class Laptop(NamedTuple):
    """A laptop that serves a table. address: where it answers."""

    serving: Serving
    address: str

    def link(self, path: str = "0") -> str:
        """A fresh link, for one reader."""
        return f"{self.address}/{path}/#{self.serving.seats.issue(self.serving.seats.by_path[path])}"


Serve = Callable[..., Laptop]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave them to the thorough run, or skip with a mark: pytest sums such tests up in one line a file."""
    reason = "" if real_browser.REQUIRED else real_browser.why_not()
    for item in items:
        if {"chromium", "files"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(thorough)
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the page, which all processes of a run share."""
    base = tmp_path_factory.getbasetemp()
    return built(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture(scope="session")
def folder(files: Path) -> Iterator[str]:
    """The address of the page on a static host."""
    with hosted(files) as address:
        yield address


@pytest.fixture
def serve(tmp_path: Path, own_data: None) -> Iterator[Serve]:
    """Begins a table on a laptop: a function from a game, a position and lines that are entered first, to what answers for it."""
    with ExitStack() as stack:
        stack.enter_context(pytest.MonkeyPatch.context()).setattr("sys.stdin", None)  # nobody sits at its terminal

        def begin(game: str = GAME, position: str | None = None, lines: Sequence[str] = ()) -> Laptop:
            file = tmp_path / f"table-{len([*tmp_path.glob('*.journal')]) + 1}.journal"
            playing = named_game(game)
            create(file, write_head(playing, parse(position, game=playing) if position else None, ""))
            books = JournalSession(JournalFile(file, lambda _: playing), 100)
            for line in lines:
                books.enter(line)
            serving = serving_of(tmp_path, str(file), game)
            return Laptop(serving, stack.enter_context(running(serving)))

        yield begin


@pytest.fixture
def visit(chromium: tuple[Browser, Elsewhere], serve: Serve, address: str) -> Iterator[Visit]:
    """Readers who look at the page; nothing may go wrong while they do. They leave before the laptop (`serve`) or the small host stops."""
    with visits(chromium) as visit:
        yield visit


@pytest.fixture
def tables(tmp_path: Path, own_data: None) -> Tables:
    """The tables of a page whose host is small."""
    return Tables(tmp_path / "tables")


@pytest.fixture
def address(tables: Tables) -> Iterator[str]:
    """Where that host answers."""
    with small_host.hosted(tables) as address:
        yield address
