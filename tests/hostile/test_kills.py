"""Commands that are killed while they write; `make explore WHAT=kills` kills them at every call."""

from __future__ import annotations

import sys

import pytest

from ..cases import few, thorough
from . import kills

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks")


@few(1)
@pytest.mark.parametrize("name", kills.WRITING)
def test_a_command_killed_while_it_writes(name: str) -> None:
    assert kills.every(name, most=4)  # fewer than four if the process has kept what the first run wrote


@thorough
@pytest.mark.parametrize("name", kills.SECOND)
def test_a_command_killed_beside_a_second_writer(name: str) -> None:
    assert kills.beside_another(name, most=4) > 1
