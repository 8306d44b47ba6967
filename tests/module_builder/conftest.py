"""What several tests of the builder read."""

from __future__ import annotations

import pytest

from assistant.installed.registry import load_game
from module_builder.vassal.module import BuiltModule, build_module

from ..conftest import GAME


@pytest.fixture(scope="session")
def built() -> BuiltModule:
    """The module of Twilight in the East."""
    return build_module(load_game(GAME))
