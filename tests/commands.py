"""Commands of the assistant, run one after the other as a shell would run them, but in this process: faults that are put into the
program (see faults.py) are met on the way."""

from __future__ import annotations

import os
from contextlib import chdir
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from click.testing import CliRunner

from assistant.faces.cli.main import cli

from .reloading import forget_code


class Done(NamedTuple):
    """What has come of a command."""

    returncode: int
    stdout: str
    stderr: str


def run_command(folder: Path, *words: str, typed: str = "", data: Path | None = None) -> Done:
    """A command run in a folder. typed: what standard input holds; data: the user's data folder, that of the tests if none is given."""
    environment = {"COLUMNS": "100"} | ({"FIELD_STAFF_DATA": str(data)} if data else {})
    forget_code()
    with chdir(folder), patch.dict(os.environ, environment):
        done = CliRunner().invoke(cli, words, typed, prog_name="assistant")
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return Done(done.exit_code, done.stdout, done.stderr)
