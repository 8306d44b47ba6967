"""The real engine, for tests that ask for it; where it is missing they are skipped, or fail if it is required."""

from __future__ import annotations

from types import ModuleType

import pytest

from ..cases import thorough
from . import engine as real_engine


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave them to the thorough run, or skip with a mark: pytest sums such tests up in one line a file."""
    reason = "" if real_engine.REQUIRED else real_engine.why_not()
    for item in items:
        if "engine" in getattr(item, "fixturenames", ()):
            item.add_marker(thorough)
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def engine() -> ModuleType:
    """The module `engine`; it can run here."""
    if reason := real_engine.why_not():
        pytest.fail(reason, pytrace=False)
    return real_engine
