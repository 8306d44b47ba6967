"""States as JSON."""

from __future__ import annotations

import json

import jsonschema
import pytest

from assistant.formats import json_state
from assistant.game.games import Game
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
from assistant.util.errors import InputError

from ...conftest import answered, typed


def test_what_is_written_fits_the_published_schema(twilight: Game) -> None:
    text = twilight.folder.joinpath("examples/battle.pos").read_text("utf-8")
    written = json.loads(json_state.write_json(typed(text)))
    jsonschema.validate(written, json_state.position_schema())
    again = json_state.read_json(json.dumps(written).encode(), "x.json", load_game)
    assert answered(again).verdict == answered(typed(text)).verdict


@pytest.mark.parametrize(
    ("document", "what"),
    [
        ("{", "truncated"),
        ("[]", "Expected `object`"),
        (
            '{"game": "twilight-in-the-east", "facts": [{"track": "turn", "value": 1}, {"track": "turn", "value": 2}]}',
            "turn of the game is stated twice",
        ),
        (
            '{"game": "twilight-in-the-east", "cells": [{"chart": "crt", "key": [1], "values": {}}, {"chart": "crt", "key": [1], "values": {}}]}',
            "chart cell crt 1 is stated twice",
        ),
        ('{"game": "twilight-in-the-east", "unit": []}', "unknown field `unit`"),
        ('{"game": "nothing"}', "unknown game 'nothing'"),
        ('{"game": "twilight-in-the-east", "facts": [{"track": "turn", "value": 99}]}', "game turn: 99 is not allowed"),
        ('{"game": "twilight-in-the-east", "facts": [{"track": "trn", "value": 9}]}', "unknown track 'trn'"),
        (
            '{"game": "twilight-in-the-east", "facts": [{"track": "steps", "subject": "25/3", "value": 9}]}',
            "25/3 is in the roster, but not in this position",
        ),
        ('{"game": "twilight-in-the-east", "units": [{"id": "a", "type": "a", "place": "41.119"}]}', "off the map"),
        (
            '{"game": "twilight-in-the-east", "cells": [{"chart": "crt", "key": ["summer", "1:1", 20], "values": {}}]}',
            "roll: 20 is not allowed",
        ),
        (
            '{"game": "twilight-in-the-east", "cells": [{"chart": "crt", "key": ["summer", "1:1", 2], "values": {"attacker": "W9"}}]}',
            "attacker: 'W9' is not allowed",
        ),
        ('{"game": "g", "rulings": ' + "[" * 100_000, "Expected `object`"),
        ('{"game": "g", "asks": [{"question": "q", "parameters": {"a": ' + "[" * 100_000, "recursion"),
    ],
)
def test_faults_name_the_file(document: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        json_state.read_json(document.encode(), "x.json", load_game)
    assert what.casefold() in caught.value.what.casefold()
    assert str(caught.value.where) == "x.json"


@pytest.mark.parametrize(
    ("name", "what"), [("nowhere.pos", "No such file"), ("x.docx", "not a known kind of file"), (".", "Is a directory")]
)
def test_files_that_cannot_be_read(name: str, what: str, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    if name.endswith("docx"):
        open(name, "w").close()
    with pytest.raises(InputError) as caught:
        read_position(name)
    assert what in caught.value.what
    assert str(caught.value.where) == name


def test_a_file_that_is_too_large(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    with open("x.pos", "wb") as file:
        file.truncate(16 * 2**20 + 1)
    with pytest.raises(InputError, match="it holds more than 16 MiB"):
        read_position("x.pos")


@pytest.mark.parametrize("mark", ["\u202e", "\u2066", "\u200f"])
def test_name_or_text_with_a_mark_of_writing_direction_is_refused(mark: str) -> None:
    """It would turn round what an answer says beside it."""
    unit, other = ({"id": name, "type": name, "place": "40.20"} for name in (f"a{mark}b", "25/3"))
    facts = [{"track": "army", "subject": "25/3", "value": f"a{mark}b"}]
    for stated, what in (
        ({"units": [unit]}, "in its name"),
        ({"units": [other], "facts": facts}, "army: .* writing direction"),
    ):
        with pytest.raises(InputError, match=what):
            json_state.read_json(json.dumps({"game": "twilight-in-the-east", **stated}).encode(), "", load_game)
