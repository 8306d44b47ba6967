"""The same signs over and over, up to the limits, wherever text is read: no pattern takes longer for them than for other text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

import assistant
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.vassal.file_limits import name_save_limits
from assistant.formats.vassal.grids import fill_format
from assistant.formats.vassal.modules import read_module
from assistant.installed.registry import named_game
from assistant.util.errors import InputError, quoted
from assistant.util.limits import Limit
from assistant.util.xml_reader import read_xml

from ..cases import few
from .inputs.bombs import module, more, piece, save
from .reading import ASSISTANT, measured, run_command

SIGNS = [
    *"\"()[]{}| \t1\\,=-;:#?'.<+$",
    '"a"',
    '="',
    "a=",
    "1+",
    "a|",
    "a ",
    "1a",
    "(a",
    '="a ',
    "a;",
    "{a",
    "$a",
    "\\\x1b",
]
LINE = 4000
BEFORE = (
    "",
    "02.16: ",
    "02.16: russian infantry XX A ",
    "02.16 ",
    "02.16|",
    "line L: ",
    "ask battle at=",
    "answers ",
    "chart crt ",
)
TYPED = ("", "0216 ", "4119 1/1 < 4020 ", "?", "3 ", "off ")


def lines() -> Iterator[str]:
    yield from ((sign * LINE)[:LINE] for sign in SIGNS)


def notation() -> None:
    for line in lines():
        for before in BEFORE:
            with suppress(InputError):
                assistant.parse(f"game twilight-in-the-east\n{before}{line[len(before) :]}")


def typed() -> None:
    session = Session(TableState(assistant.parse("game twilight-in-the-east\nturn=3")), 100)
    for line in lines():
        for before in TYPED:
            session.enter(before + line[len(before) :])


def written() -> None:
    for line in lines():
        names = {"id": line, "type": line, "place": "02.16", "order": 0}
        facts = [{"track": name, "subject": line, "value": value} for name, value in _IDENTITY.items()]
        found = _read({"units": [names], "facts": facts})
        if found is not None:
            with suppress(InputError):
                assistant.notation(found)
            str(assistant.ask(found, "check"))
        quoted(line)


_IDENTITY = {"nation": "russian", "arm": "infantry", "size": "XX"}


def _read(state: Mapping[str, object]) -> assistant.Position | None:
    file = Path("state.json")
    file.write_text(json.dumps({"game": "twilight-in-the-east", **state}), "utf-8")
    with suppress(InputError):
        return assistant.read(file)
    return None


def options() -> None:
    Path("position.pos").write_text("game twilight-in-the-east\n", "utf-8")
    for line in lines():
        run_command(ASSISTANT, ("battle", "position.pos", "--answers", line, "--at", line))
    run_command(ASSISTANT, ("rules", "twilight-in-the-east", "(a+)+" * 800))


def saves() -> None:
    for line in lines():
        long = line * 10
        with suppress(ValueError):  # such as a token that ends in a backslash, which cannot be written
            added = piece(1, f"emb2;{long}", f"mark;{long}", f"label;{long}", place=f"Map;1;1;{long}")
            Path("game.vsav").write_bytes(more([added]))
            assistant.read("game.vsav")
        fill_format(long, a=long)


def deep() -> None:
    """A save that is too much, whose text is surveyed for what else is."""
    for sign in ("\\", "\x1b", "\\\x1b", "'", "\\'"):
        data = save((sign * 2**19)[: 2**19] + "\x1b")
        name_save_limits(Limit.TEXT.error("it holds"), data)


def modules() -> None:
    for line in lines():
        with suppress(InputError):
            read_module(module(f"<a b='{line.replace(chr(39), '').replace('<', '').replace(chr(27), '')}'/>"))
        with suppress(InputError):
            read_xml(f"<a>{line * 20}</a>".encode(), "x")


def games() -> None:
    """Formats and charts of a game's own files."""
    folder = Path("fen")
    folder.mkdir()
    head = 'title = "Fen"\nabout = "A fen."\n[grid]\ncolumns = [1, 9]\nrows = [1, 9]\nformat = \'{column}{row}'
    keys = 'keys = [{ name = "roll", least = 1, most = 6 }]'
    for sign in ("{", "{a", "{column", "a", "(", "[", "\\\\"):
        (folder / "game.toml").write_text(f"{head}{sign * 100_000}'\n", "utf-8")
        with suppress(InputError):
            named_game(str(folder))
    (folder / "game.toml").write_text(f"{head}'\n", "utf-8")
    field = 'fields = [{ name = "result", values = ["a", "b"], several = true }]'
    (folder / "charts.toml").write_text(f'[crt]\ntitle = "C"\nfile = "crt.csv"\n{keys}\n{field}\n', "utf-8")
    for words in ("a" * LINE, "a " * LINE, "a b " * LINE):
        (folder / "crt.csv").write_text(f"roll,result,source\n1,{words},rulebook\n", "utf-8")
        with suppress(InputError):
            assert named_game(str(folder)).charts


READERS: tuple[Callable[[], None], ...] = (notation, typed, written, options, saves, deep, modules, games)


@few(1)
@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_repeated_signs_are_read_in_no_time(
    reader: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def meet() -> tuple[str, str]:
        reader()
        return "read", ""

    assert not measured(meet).crash
