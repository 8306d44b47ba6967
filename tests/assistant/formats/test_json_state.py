"""States as JSON, and words that a newer program may have written."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import assistant
from assistant.faces.prompt.files import TableFile
from assistant.faces.prompt.table import TableState
from assistant.formats import json_state
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.states import build_state
from assistant.installed.formats import read_position
from assistant.installed.registry import load_game
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.util.errors import InputError

from ...conftest import GAME, answered, typed


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


EXAMPLES = Path(assistant.__file__).parents[1] / "plugins" / "twilight_in_the_east" / "examples"
UPDATE = "update Field Staff, if a newer one has written this"


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))
    folder = tmp_path / "data" / "packs" / GAME
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    "more",
    [
        {"weathers": 3},
        {"facts": [{"track": "snowstorm", "value": "heavy"}]},
        {"cells": [{"chart": "snow", "key": [1], "values": {}}]},
    ],
)
def test_a_position_in_json_with_a_word_that_is_not_known(more: dict[str, object], tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    file.write_text(json.dumps({"game": GAME, **more}), "utf-8")
    with pytest.raises(InputError) as raised:
        assistant.read(file)
    assert raised.value.hint.endswith(UPDATE)


@pytest.mark.parametrize(
    "line",
    [
        "fact 25/3 morale=high",
        "fact snowstorm=heavy",
        "snowstorm heavy",
        "answer turn |  | snowstorm - light -> heavy 5.4.4",
        "asked turn |  | snowstorm 25/3 = heavy",
    ],
)
def test_an_entry_with_a_word_that_is_not_known(line: str, tmp_path: Path) -> None:
    game, file = load_game(GAME), tmp_path / "war.journal"
    create(file, write_head(game, Position(game, build_state(game)), ""))
    with file.open("a", encoding="utf-8") as written:
        written.write(f"1 1 {line}\n")
    journal = JournalFile(file, load_game).read()
    for _ in range(2):  # each time that they are named
        (fault,) = journal.all_faults()
        assert fault.hint.count(UPDATE) == 1
    with pytest.raises(InputError) as raised:
        JournalFile(file, load_game).add(line)
    assert UPDATE not in raised.value.hint  # it has been typed just now


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("counters.csv", "unit,morale\n25/3,4\n"),
        ("map.lines", "40.20 morale=4\n"),
        ("armies.csv", "army,track,value\nrussian First,morale,4\n"),
    ],
)
def test_a_pack_with_a_track_that_is_not_known(name: str, text: str, pack: Path) -> None:
    (pack / name).write_text(text, "utf-8")
    with pytest.raises(InputError) as raised:
        load_game(GAME)
    assert UPDATE in raised.value.hint


@pytest.mark.parametrize(
    "more", [{"weathers": 3}, {"chosen": [["soil", "41.19", "wet"]]}, {"position": {"game": GAME, "weathers": 3}}]
)
def test_a_kept_table_of_a_newer_program(more: dict[str, object], tmp_path: Path) -> None:
    game, file = load_game(GAME), tmp_path / "table.json"
    TableFile(file).keep(TableState(Position(game, build_state(game))))
    kept = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({**kept, **more}), "utf-8")
    with pytest.raises(InputError, match="a newer Field Staff has written this table") as raised:
        TableFile(file).read(load_game)
    assert raised.value.hint.startswith("update Field Staff; --new starts with an empty table")
    file.write_text(json.dumps(kept)[:-9], "utf-8")
    with pytest.raises(InputError) as damaged:
        TableFile(file).read(load_game)
    assert "a newer Field Staff" not in str(damaged.value)


def test_counters_of_another_build_of_our_module_are_named(pack: Path) -> None:
    """The answer goes by the game's figures, and says whose counters in the save show others."""
    (pack / "counters.csv").write_text("unit,defence\n25/3,13\n", "utf-8")
    position = assistant.read(EXAMPLES / "comprehensive-example.vsav")
    said = "25/3: the counter shows defence strength printed 12, the game has 13: build the module again"
    assert [(item.what, item.about, item.track, item.shown) for item in position.state.unread] == [
        (said, "25/3", "defence", "12")
    ]
    assert assistant.parse("25/3 -1", position).state.unread == position.state.unread
    other = "the counters in the file show other figures: 25/3"
    attacked = {"at": "40.20", "from_": "41.19", "attacker_ap": "all", "defender_ap": "all"}
    strength = assistant.ask(assistant.parse("40.20 clear", position), "battle", **attacked)
    assert other in str(strength)
    assert "not understood" not in str(strength)
    assert said in str(assistant.ask(position, "check"))
    assert other not in str(assistant.ask(position, "weather"))
