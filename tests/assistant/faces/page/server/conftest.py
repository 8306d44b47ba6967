"""The response to a line has the answer to its question, however slow the machine is."""

from __future__ import annotations

import pytest

from assistant.faces.page.server import room


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_PATIENCE_SECONDS", 60.0)
