"""Limits: each is documented, can be set, and says by which variable."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Set
from pathlib import Path

import pytest

from assistant.formats.positions import file_bytes
from assistant.formats.vassal.modules import SLOTS, read_module
from assistant.formats.vassal.replay import replay
from assistant.formats.vassal.saves import read_save
from assistant.formats.vassal.sequence import fold
from assistant.formats.vassal.streams import join_commands
from assistant.installed.formats import formats, read_position
from assistant.util.errors import InputError
from assistant.util.limits import Limit, TooMuch

from ..cases import thorough
from .inputs.bombs import module, more

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs/reference/limits.md"


def test_all_limits_are_documented_as_they_are() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \| (.*) \|$", DOCS.read_text("utf-8"), re.MULTILINE)
    assert rows == [(limit.variable, limit.default, limit.unit, limit.of) for limit in Limit]


def test_every_limit_is_used() -> None:
    folders = (ROOT / "assistant", ROOT / "module_builder", ROOT / "plugins")
    code = "".join(path.read_text("utf-8") for folder in folders for path in folder.rglob("*.py"))
    assert [limit.name for limit in Limit if not re.search(rf"Limit\.{limit.name}\b", code)] == []


def test_no_limit_refuses_what_it_allows() -> None:
    Limit.STACK.check(1000, "a stack holds")
    with pytest.raises(InputError, match="^a stack holds more than 1000 pieces\n.* FIELD_STAFF_LIMIT_STACK=2000$"):
        Limit.STACK.check(1001, "a stack holds")


@pytest.mark.parametrize(
    ("text", "most"), [("1", 1), ("0", 0), ("3k", 3072), (" 64M ", 2**26), ("2G", 2**31), ("", 2**24)]
)
def test_the_environment_sets_them(text: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(Limit.FILE.variable, text)
    assert Limit.FILE.most == most


@pytest.mark.parametrize("text", ["many", "-1", "1.5M", "64MB", "M", "9" * 13])
def test_what_is_no_limit_is_said_with_its_variable(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(Limit.FILE.variable, text)
    with pytest.raises(
        InputError, match=f"^FIELD_STAFF_LIMIT_FILE: '{re.escape(text)}' is not a limit\n  write a whole"
    ):
        read_position(str(DOCS))


def test_a_higher_limit_lets_a_file_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "x.pos"
    file.write_text("game twilight-in-the-east\n" + "\n" * 20_000, "utf-8")
    with pytest.raises(InputError, match="it holds more than 10000 lines"):
        read_position(str(file))
    monkeypatch.setenv("FIELD_STAFF_LIMIT_LINES", "20001")
    assert read_position(str(file)).state.units == {}


# --- a save over several limits ---------------------------------------------------------------------------------------


def deep(levels: int) -> str:
    text = "CHAT"
    for _ in range(levels):
        text = join_commands([text, "CHAT"])
    return text


def piece(number: int) -> str:
    return f"+/n{number}/piece;;;a;b/Map;1;1;;0"


#: Limits, and commands that exceed them, as they stand in a save: plain, nested, in a step of a log.
OVER = {
    "PIECES": ("20", [piece(n) for n in range(50)]),
    "COMMANDS": ("100", ["CHAT"] * 300),
    "COMMAND": ("300", ["NOTES\t" + "a" * 1000]),
    "STACK": ("5", ["+/s/stack/Map;1;1;" + ";".join(f"n{n}" for n in range(9))]),
    "TRAITS": ("30", ["+/t/" + fold([*["t"] * 40, "piece;;;a;b"]) + "/" + fold([*["1"] * 40, "Map;1;1;;0"])]),
    "TEXT": ("4K", ["CHAT" + "a" * 250] * 20),
    "NESTING": ("3", [deep(6)]),
    "ENTRY": ("8K", ["CHAT" + "a" * 250] * 20),
}


@pytest.mark.parametrize("chosen", [OVER.keys(), *({one} for one in OVER), *({"PIECES", one} for one in OVER)])
def test_one_message_names_every_limit_of_a_save(chosen: Set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in chosen:
        monkeypatch.setenv(f"FIELD_STAFF_LIMIT_{name}", OVER[name][0])
    data = more(command for _, commands in OVER.values() for command in commands)
    with pytest.raises(TooMuch) as raised:
        read_save(data)
    assert {limit.name for limit in raised.value.over} == set(chosen)
    for word in raised.value.hint.split(": ")[1].split():
        monkeypatch.setenv(*word.split("="))
    assert len(read_save(data).pieces) > 50


def test_one_message_names_every_limit_of_a_file_that_is_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in OVER:
        monkeypatch.setenv(f"FIELD_STAFF_LIMIT_{name}", OVER[name][0])
    monkeypatch.setenv("FIELD_STAFF_LIMIT_FILE", "1K")
    file = tmp_path / "x.vsav"
    file.write_bytes(more(command for _, commands in OVER.values() for command in commands))
    with pytest.raises(TooMuch) as raised:
        read_position(str(file))
    assert {limit.name for limit in raised.value.over} == {"FILE", *OVER}
    assert str(raised.value).startswith(f"{file}: it holds more than 1 KiB, ")
    for word in raised.value.hint.split(": ")[1].split():
        monkeypatch.setenv(*word.split("="))
    assert len(read_save(file_bytes(file, formats())).pieces) > 50


def test_one_message_names_every_limit_of_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "+/null/" + fold([*["t;" + "a" * 20] * 4, "piece;;;a;b"]) + "/" + fold([*["1"] * 4, "null;0;0;;0"])
    data = module(f"<{SLOTS[0]} entryName='a' gpid='1'>{text}</{SLOTS[0]}>" * 50)
    most = {
        "ENTRY": "4K",
        "CONTAINER": "5K",
        "XML": "4K",
        "TAGS": "50",
        "ATTRIBUTES": "60",
        "PIECES": "20",
        "PARTS": "90",
    }
    for name, number in most.items():
        monkeypatch.setenv(f"FIELD_STAFF_LIMIT_{name}", number)
    with pytest.raises(TooMuch) as raised:
        read_module(data)
    assert {limit.name for limit in raised.value.over} == set(most)
    for word in raised.value.hint.split(": ")[1].split():
        monkeypatch.setenv(*word.split("="))
    assert len(read_module(data).slots) == 50


def test_one_message_names_every_limit_of_the_steps_of_a_log(monkeypatch: pytest.MonkeyPatch) -> None:
    stack = "LOG\t+/s/stack/Map;1;1;" + ";".join(f"n{n}" for n in range(9))
    moves = [f"LOG\tM/n{n}/Map/1/1/null/Map/1/1/null/x" for n in range(9)]
    data = more([*map(piece, range(9)), stack, *moves, *(f"LOG\t{piece(n)}" for n in range(20, 30))])
    most = {"STACK": "5", "HANDLED": "100", "PIECES": str(len(read_save(more([])).pieces) + 15)}
    for name, number in most.items():
        monkeypatch.setenv(f"FIELD_STAFF_LIMIT_{name}", number)
    with pytest.raises(TooMuch) as raised:
        replay(read_save(data))
    assert {limit.name for limit in raised.value.over} == set(most)
    for word in raised.value.hint.split(": ")[1].split():
        monkeypatch.setenv(*word.split("="))
    assert len(replay(read_save(data)).pieces) == len(read_save(more([])).pieces) + 19


@thorough
def test_sound_saves_of_long_games_are_read() -> None:
    """Empty stacks by the tens of thousands, logs of many steps, nested as VASSAL nests them."""
    stacks = [f"+/{1_700_000_000_000 + n}/stack/Map;{n % 3000};{n % 2000};@@0" for n in range(79_000)]
    save = read_save(more([*stacks, *(piece(n) for n in range(322)), "LOG\t" + deep(18)]))
    kept = len(read_save(more([])).pieces)
    assert (len(save.pieces), len([stack for stack in save.stacks.values() if not stack.pieces])) == (
        kept + 322,
        79_000,
    )
    assert len(replay(save).stacks) == len(save.stacks)


def test_a_module_may_be_of_any_size(tmp_path: Path) -> None:
    """Only what is needed of it is read."""
    file = tmp_path / "large.vmod"
    with zipfile.ZipFile(file, "w") as container:
        container.writestr("buildFile.xml", "<VASSAL.build.GameModule name='Large'/>")
        with container.open("images/map.png", "w", force_zip64=True) as picture:
            for _ in range(150):
                picture.write(bytes(2**20))
    words = "from pathlib import Path; from tests.hostile.reading import *; limit_memory()\n"
    words += f"print(read_module(Path({str(file)!r})).about.module)"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "FIELD_STAFF_LIMIT_CONTAINER": "1M"}
    done = subprocess.run([sys.executable, "-c", words], env=env, capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout, done.stderr) == ("Large\n", "")
