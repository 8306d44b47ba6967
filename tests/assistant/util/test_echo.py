"""What a command prints."""

from __future__ import annotations

import pytest

from assistant.util.echo import echo


def test_signs_that_steer_a_terminal_are_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    echo("Łódź\n\x1b[2J\u202etxt", nl=False)
    assert capsys.readouterr().out == "Łódź\n\\x1b[2J\\u202etxt"
