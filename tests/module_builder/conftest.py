"""What several tests of the builder read."""

from __future__ import annotations

import pytest

from assistant.installed.registry import load_game
from module_builder.vassal.module import BuiltModule, build

from ..conftest import GAME


@pytest.fixture(scope="session")
def built() -> BuiltModule:
    """The module of Twilight in the East."""
    return build(load_game(GAME))
