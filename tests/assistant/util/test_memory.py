"""When Python looks for garbage: a command seldom, what goes on often, and who imports either as before."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from weakref import ref

import pytest

from assistant.util.memory import all_kept, collect_often

from ...cases import thorough


class Circle:
    """Garbage, once nobody else refers to it."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def threshold() -> Iterator[tuple[int, int, int]]:
    """What the test finds set, and leaves so."""
    before = gc.get_threshold()
    yield before
    gc.set_threshold(*before)


def test_the_search_for_garbage_rests_meanwhile():
    assert gc.isenabled()
    with all_kept():
        assert not gc.isenabled()
        with all_kept():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_garbage_that_was_made_meanwhile_goes_with_the_next_search():
    with all_kept():
        made = ref(Circle())
    gc.collect(0)
    assert made() is None


@thorough
@pytest.mark.parametrize(
    "module", ["assistant.faces.cli.main", "assistant.faces.page.server.serving", "module_builder.cli"]
)
def test_an_import_leaves_the_search_as_it_is(module: str) -> None:
    code = (
        f"import gc; was = gc.get_threshold(); import {module}; print(gc.get_threshold() == was, gc.get_freeze_count())"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "True 0\n"


@pytest.mark.parametrize(
    ("begins", "runs"),
    [
        ("assistant.__main__:main", "assistant.faces.cli.main:main"),
        ("assistant.__main__:open_page", "assistant.faces.cli.main:open_page"),
        ("module_builder.__main__:main", "module_builder.cli:main"),
    ],
)
def test_a_command_seldom_looks_for_it(
    begins: str, runs: str, monkeypatch: pytest.MonkeyPatch, threshold: tuple[int, int, int]
) -> None:
    found = list[int]()
    place, name = runs.split(":")
    monkeypatch.setattr(import_module(place), name, lambda: found.append(gc.get_threshold()[0]))
    place, name = begins.split(":")
    getattr(import_module(place), name)()
    assert found == [1_000_000]


def test_what_goes_on_keeps_no_garbage_of_its_start(threshold: tuple[int, int, int]) -> None:
    made, stays = ref(Circle()), Circle()
    collect_often()
    try:
        assert made() is None
        assert stays not in gc.get_objects()
        assert gc.get_threshold()[0] < 100_000
    finally:
        gc.unfreeze()
