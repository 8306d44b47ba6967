"""What a model types, and what it is answered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from assistant.faces.mcp.access import Access, check_roots
from assistant.faces.mcp.tools import Reply, answer

BATTLE = """game twilight-in-the-east
turn=1
trust charts
40.20: 25/3 (10-?-5-10), 27/3 (10-?-5-10)
40.19: 29/20 (10-?-5-10) -3
41.19 clear: 1/1 (12?-16-7-11)
41.19|40.19,40.20 open
"""
"""The battle at the end of the rulebook's chapter on combat."""
OF_BATTLE = {"at": "41.19", "attacker-ap": [3, 20], "defender-ap": 1}
"""What is asked about it, with numbers as a model types them."""


@pytest.fixture
def tell() -> Callable[..., Reply]:
    """What a tool answers to a model that may read no file."""

    def told(tool: str, **given: object) -> Reply:
        return answer(Access(), tool, given)

    return told


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    """A folder of saves, beside which lies what nobody has allowed."""
    folder = tmp_path / "saves"
    (folder / "1914").mkdir(parents=True)
    (folder / "1914" / "battle.pos").write_text(BATTLE, "utf-8")
    (tmp_path / "secret.pos").write_text(BATTLE, "utf-8")
    return folder


@pytest.fixture
def access(saves: Path) -> Access:
    """A model that may read the folder of saves."""
    return Access(check_roots((saves,)))
