"""A mapping of an older version of this program, to which what is new is added."""

from __future__ import annotations

import tomllib

from assistant.formats.vassal.adopted.proposing.amending import amended
from assistant.formats.vassal.adopted.proposing.draft import Draft

HEAD = {"module": "Front", "version": "1.3", "game": "some-game", "folder": "/games/some-game", "board": "east"}


def test_a_mapping_without_version_and_folder_gets_both() -> None:
    older = {name: value for name, value in HEAD.items() if name not in ("version", "folder")}
    text = "".join(f'{name} = "{value}"\n' for name, value in older.items())
    assert tomllib.loads(amended(text, Draft(HEAD, {}, [])).text) == HEAD
