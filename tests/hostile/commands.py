"""The commands that are killed (kills.py) or whose calls fail (failures.py), each with what lies in its folder before."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

import msgspec
from click.testing import CliRunner

from ..conftest import GAME
from .serving import TAPS, converse, visit

OURS = (".field-staff-", ".lock")
"""How names begin that hold nothing of the user's: parts of what is being written, and locks."""

EXAMPLES = Path(__file__).parents[2] / "plugins" / "twilight_in_the_east" / "examples"


class Command(msgspec.Struct, frozen=True):
    """A command.

    words: of the command line, the program first; typed: on standard input; before: files there already, by their paths; again:
    the words of the next run, which works and clears up; make: makes more files in the folder; drive: what is done with its process in
    that folder while it runs; first: commands that are run there before; converses: whether that
    types too, line by line, as the command answers.
    """

    words: tuple[str, ...]
    typed: str = ""
    before: Mapping[str, str] = {}
    again: tuple[str, ...] = ()
    make: Callable[[Path], object] | None = None
    drive: Callable[[int, Path], None] | None = None
    first: tuple[tuple[str, ...], ...] = ()
    converses: bool = False

    def broken_off(self) -> list[Command]:
        """The command, a session, as if a line of it had failed, or all from a line on. A first line that fails once its table is kept
        has the empty table kept in place of it, as `undo` has.
        """
        if self.drive:
            fewer = [{}, *({number: line} for number, line in TAPS.items())]
            return [msgspec.structs.replace(self, drive=partial(visit, taps=taps)) for taps in fewer]
        lines = self.typed.splitlines(keepends=True)
        typed = {"".join(lines[:at] + rest) for at in range(len(lines)) for rest in ([], lines[at + 1 :])}
        typed |= {"".join([*lines[:1], "undo\n", *rest]) for rest in ([], lines[1:])}
        return [msgspec.structs.replace(self, typed=text) for text in sorted(typed)]


Tree = dict[str, bytes]


class Moment(msgspec.Struct, frozen=True):
    """What a user could see at one moment: how many bytes were on the terminal, and all files."""

    told: int
    tree: Tree


def _on_paper(name: str) -> str:
    """An example without its board, which each run would read anew in a folder of its own."""
    return (EXAMPLES / name).read_text("utf-8").replace("board east\n", "").replace("", "")


_PACK = f"data/packs/{GAME}"
_DRAWN = ("module-builder", "counters", GAME, "--only", "25/3", "--only", "27/3", "--out", "drawn", "--dpi", "50")
_SHEETS = ("module-builder", "sheets", GAME, "--only", "25/3", "--only", "27/3")
_MAP = str(EXAMPLES.parents[1] / "der_weltkrieg")
_BOARD = ("module-builder", "board", _MAP, "--board", "map-4-5", "--area", "0816-1218", "-o")
_AIDS = ("module-builder", "aids", GAME, "--only", "terrain-key")
_TABLE = "t=1\n4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3\n"
_DICE = "2+5\n3 4\n3\n12\n5\n6\n"


@cache
def _make_counters() -> tuple[bytes, bytes]:
    """Return the module and the save, made once as they hold their time."""
    from ..module_builder.importing.identical import lying, module, pixel, save

    more = lying()[0]._replace(id="1900000000000", at=pixel("0707"))
    return module(), save([*lying(), more])


def _write_more_counters(folder: Path) -> None:
    """Import and adopt a module of identical counters, and write a save with more of them than its set-ups have."""
    from assistant.faces.cli.main import cli
    from module_builder.importing.game import import_module

    module, save = _make_counters()
    (folder / "valleys.vmod").write_bytes(module)
    (folder / "more.vsav").write_bytes(save)
    import_module(folder / "valleys.vmod", folder / "valleys")
    words = ["adopt", str(folder / "valleys.vmod"), "--game", str(folder / "valleys")]
    adopted = CliRunner().invoke(cli, words, env={"FIELD_STAFF_DATA": str(folder / "data")})
    assert adopted.exit_code == 0, adopted.output
    mapping = folder / "data" / "modules" / "valleys" / "two-valleys.toml"
    lines = mapping.read_text("utf-8").splitlines(keepends=True)
    mapping.write_text(
        "".join(line for line in lines if not line.startswith("folder = ")), "utf-8"
    )  # each run has its own


def _copy(source: Path) -> Callable[[Path], object]:
    """What copies a file into a folder."""
    return lambda folder: shutil.copy(source, folder / source.name)


WRITING: dict[str, Command] = {
    "pack enter": Command(
        ("assistant", "pack", "enter", GAME, "crt", "summer", "1:1"),
        typed="+1 / -\n" * 4,
        again=("assistant", "pack", "set", GAME, "chart", "crt", "summer", "1:1", "2", "=", "+1", "/", "-"),
    ),
    "vassal install": Command(("assistant", "vassal", "install")),
    "vassal remove": Command(
        ("assistant", "vassal", "remove"), before={"vassal/plugins/field-staff.vmdx": "an old one"}
    ),
    "learn": Command(
        ("assistant", "learn", GAME, "4.4/1"),
        typed="1:1\n\n",
        again=("assistant", "learn", GAME, "4.4/1", "--again"),
    ),
    "examples as a page": Command(
        ("assistant", "examples", GAME, "--page", "page"),
        again=("assistant", "examples", GAME, "--page", "page", "--force"),
    ),
    "pack set": Command(
        ("assistant", "pack", "set", GAME, "unit", "25/3", "defence", "13"),
        before={f"{_PACK}/counters.csv": "unit,defence\n27/3,12\n"},
    ),
    "pack take": Command(
        ("assistant", "pack", "take", GAME, "crt", "mine.csv"),
        before={"mine.csv": "season,odds,roll,attacker,defender\nsummer,1:1,2,+2,-\nsummer,1:1,3,+2,-\n"},
    ),
    "pack take turns": Command(
        ("assistant", "pack", "take", GAME, "turns", "mine.csv"),
        before={"mine.csv": "turn,date\n2,19 August 1914\n3,23 August 1914\n"},
    ),
    "pack export": Command(
        ("assistant", "pack", "export", GAME, "mine.zip"),
        before={f"{_PACK}/counters.csv": "unit,defence\n27/3,12\n"},
        again=("assistant", "pack", "export", GAME, "mine.zip", "--force"),
    ),
    "viewpoint": Command(
        ("assistant", "viewpoint", GAME, "russian"), before={"data/settings.json": '{"viewpoint":{"other":"red"}}'}
    ),
    "table": Command(("assistant", "table", GAME), typed=f"{_TABLE}{_DICE}done\nundo\nt=3\ny\nt=4\nt=5\n"),
    "table --new": Command(
        ("assistant", "table", GAME, "--new"),
        typed="t=2\n",
        before={f"data/table/{GAME}.json": '{"position":{"game":"twilight-in-the-east"}}'},
        again=("assistant", "table", GAME),
    ),
    "battle --picture --after": Command(
        ("assistant", "battle", "battle.pos", "--picture", "battle.svg", "--after", "after.json", "--force"),
        before={"battle.pos": _on_paper("battle.pos"), "battle.svg": "old"},
    ),
    "battle --chart": Command(
        ("assistant", "battle", "battle.pos", "--chart", "chances.png"),
        before={"battle.pos": _on_paper("battle-before.pos")},
        again=("assistant", "battle", "battle.pos", "--chart", "chances.png", "--force"),
    ),
    "count": Command(
        ("module-builder", "count", "valleys", "more.vsav"),
        make=_write_more_counters,
    ),
    "review --agree": Command(
        ("assistant", "review", "comprehensive-example.vlog", "--brief", "--agree", "24"),
        again=("assistant", "review", "comprehensive-example.vlog", "--brief"),
        make=_copy(EXAMPLES / "comprehensive-example.vlog"),
    ),
    "counters": Command(_DRAWN, again=(*_DRAWN, "--force")),
    "counters in a folder": Command(_DRAWN, before={"drawn/mine.txt": "mine"}, again=(*_DRAWN, "--force")),
    "sheets": Command((*_SHEETS, "-o", "mine.pdf", "--force"), before={"mine.pdf": "old"}),
    "sheets --svg": Command((*_SHEETS, "--svg", "pages"), again=(*_SHEETS, "--svg", "pages", "--force")),
    "sheets --export": Command(
        (*_SHEETS, "--export", "print", "--dpi", "150"),
        before={"print/mine.txt": "mine"},
        again=(*_SHEETS, "--export", "print", "--dpi", "150", "--force"),
    ),
    "module": Command(
        ("module-builder", "module", "kaisers-war-in-the-east", "--out", "mine.vmod", "--force"),
        before={"mine.vmod": "old"},
    ),
    "board": Command((*_BOARD, "mine.svg", "--force"), before={"mine.svg": "old"}),
    "board as PDF": Command((*_BOARD, "mine.pdf"), again=(*_BOARD, "mine.pdf", "--force")),
    "board as PNG": Command((*_BOARD, "mine.png"), again=(*_BOARD, "mine.png", "--force")),
    "board --sheets": Command((*_BOARD, "mine.pdf", "--hex", "60", "--sheets", "--force"), before={"mine.pdf": "old"}),
    "aids": Command((*_AIDS, "-o", "mine.pdf", "--force"), before={"mine.pdf": "old"}),
    "aids --svg": Command((*_AIDS, "--svg", "pages"), again=(*_AIDS, "--svg", "pages", "--force")),
    "aids --preview": Command((*_AIDS, "--preview", "mine.png", "--force"), before={"mine.png": "old"}),
    "new": Command(("module-builder", "new", "heath")),
    "new with rules": Command(("module-builder", "new", "heath", "--rules")),
    "new in an empty folder": Command(("module-builder", "new", "heath"), before={"heath/": ""}),
}

_EAST_PRUSSIA = EXAMPLES.parents[1] / "world_undone_east_prussia" / "examples"
_EVENING_FILE = _EAST_PRUSSIA / "evening.journal"
_LUCK = ("assistant", "luck", _EVENING_FILE.name, "--umpire")
_STORY = ("assistant", "story", _EVENING_FILE.name, "--umpire")
_PICTURED = (*_STORY, "--turn", "3", "-o", "mine.html", "--strip", "mine.svg", "--force")
_BOOKS = (
    ("assistant", "journal", "new", "der-weltkrieg", "mine.journal"),
    ("assistant", "journal", "add", "mine.journal", "ge", "dm", "1"),
    ("assistant", "journal", "add", "mine.journal", "ah", "dm", "2", "Sabac"),
)
_NEW = ("module-builder", "new", "heath")
_HEATH = (_NEW,)
_BATTLE = {"battle.pos": (_EAST_PRUSSIA / "battle.pos").read_text("utf-8")}
_CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
_CONVERSATION = tuple(
    {"jsonrpc": "2.0", **message}
    for message in (
        {"id": 1, "method": "initialize", "params": _CLIENT},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "prompts/list"},
    )
)
"""What a client sends to `assistant mcp`, until it goes."""


def _write_module(folder: Path) -> None:
    from ..assistant.formats.vassal.adoption.published import build

    (folder / "front.vmod").write_bytes(build())


def _write_answer(folder: Path) -> None:
    from assistant.faces.cli.main import cli

    done = CliRunner().invoke(cli, ["answer", str(folder / "battle.pos"), "--umpire", "--json"])
    (folder / "answer.json").write_text(done.stdout, "utf-8")


def _write_suite(folder: Path) -> None:
    from ..referee.__main__ import make_suite

    (folder / "conversions.txt").write_text(make_suite("der-weltkrieg/conversions"), "utf-8")


def _write_parts(folder: Path) -> None:
    from ..module_builder.page.parts import write_parts

    write_parts(folder / "parts")


def _journal(*words: str) -> Command:
    return Command(("assistant", "journal", words[0], "mine.journal", *words[1:]), first=_BOOKS)


READING: dict[str, Command] = {
    "adopt": Command(("assistant", "adopt", "front.vmod", "--game", GAME), make=_write_module),
    "answer": Command(("assistant", "answer", "battle.pos", "--umpire"), before=_BATTLE),
    "answer --reproduce": Command(
        ("assistant", "answer", "--reproduce", "answer.json", "--umpire"), make=_write_answer, before=_BATTLE
    ),
    "vassal answer": Command(("assistant", "vassal", "answer")),
    "vassal where": Command(("assistant", "vassal", "where")),
    "ask": Command(("assistant", "ask", "battle", "battle.pos", "--umpire", "--json"), before=_BATTLE),
    "ask --jobs": Command(
        ("assistant", "ask", "battle", "battle.pos", "other.pos", "--umpire", "--jobs", "2"),
        before=_BATTLE | {"other.pos": _BATTLE["battle.pos"]},
    ),
    "ask a position from standard input": Command(
        ("assistant", "ask", "battle", "-", "--umpire"), typed=_BATTLE["battle.pos"]
    ),
    "check": Command(("assistant", "check", "battle.pos"), before=_BATTLE),
    "check a position on a board": Command(
        ("assistant", "check", "reach.pos", "--umpire"), make=_copy(_EAST_PRUSSIA / "reach.pos")
    ),
    "compare": Command(
        ("assistant", "compare", "battle.pos", "later.pos", "--umpire"),
        before=_BATTLE | {"later.pos": _BATTLE["battle.pos"].replace("turn=3", "turn=4")},
    ),
    "convert": Command(("assistant", "convert", "battle.pos"), before=_BATTLE),
    "convert a save": Command(
        ("assistant", "convert", "comprehensive-example.vsav"), make=_copy(EXAMPLES / "comprehensive-example.vsav")
    ),
    "demo": Command(("assistant", "demo")),
    "doctor": Command(("assistant", "doctor")),
    "explain": Command(
        ("assistant", "explain", "comprehensive-example.vlog"), make=_copy(EXAMPLES / "comprehensive-example.vlog")
    ),
    "games": Command(("assistant", "games")),
    "journal new": Command(
        ("assistant", "journal", "new", "der-weltkrieg", "mine.journal"),
        again=("assistant", "journal", "list", "mine.journal"),
    ),
    "journal add": _journal("add", "ru", "dm", "13", "Gorlice"),
    "journal amend": _journal("amend", "2", "3"),
    "journal chart": Command(
        ("assistant", "journal", "chart", "mine.journal", "dm", "ge", "ah", "-o", "dm.svg", "--force"), first=_BOOKS
    ),
    "journal check": _journal("check"),
    "journal csv": _journal("csv"),
    "journal due": _journal("due"),
    "journal list": _journal("list"),
    "journal send": _journal("send"),
    "journal strike": _journal("strike", "2"),
    "journal take": Command(
        ("assistant", "journal", "take", "mine.journal", "more.csv"),
        before={"more.csv": "turn,nation,event,amount,note\naug14/1,ru,dm,13,Gorlice\naug14/1,fr,dm,4,\n"},
        first=_BOOKS,
    ),
    "journal why": _journal("why", "dm", "ge"),
    "link": Command(("assistant", "link", "battle.pos", "--umpire"), before=_BATTLE),
    "mcp": Command(
        ("assistant", "mcp", "battle.pos", "--umpire"),
        before=_BATTLE,
        drive=partial(converse, _CONVERSATION),
        converses=True,
    ),
    "pack check": Command(
        ("assistant", "pack", "check", GAME), before={f"{_PACK}/counters.csv": "unit,defence\n27/3,12\n"}
    ),
    "pack complete": Command(
        ("assistant", "pack", "complete", "battle.pos"),
        before={"battle.pos": _on_paper("battle.pos")},
        typed="+1 / -\n" * 4,
    ),
    "pack diff": Command(
        ("assistant", "pack", "diff", GAME), before={f"{_PACK}/counters.csv": "unit,defence\n27/3,12\n"}
    ),
    "pack import": Command(
        ("assistant", "pack", "import", GAME, "mine.zip"),
        before={f"{_PACK}/counters.csv": "unit,defence\n27/3,12\n"},
        first=(
            ("assistant", "pack", "export", GAME, "mine.zip"),
            ("assistant", "pack", "set", GAME, "unit", "27/3", "defence", "13"),
        ),
    ),
    "pack list": Command(("assistant", "pack", "list"), before={f"{_PACK}/counters.csv": "unit,defence\n27/3,12\n"}),
    "pack unset": Command(
        ("assistant", "pack", "unset", GAME, "unit", "27/3", "defence"),
        before={f"{_PACK}/counters.csv": "unit,defence\n27/3,12\n25/3,13\n"},
        again=("assistant", "pack", "list"),
    ),
    "questions": Command(("assistant", "questions", GAME)),
    "reference": Command(("assistant", "reference", "world-undone-east-prussia-1914")),
    "review": Command(
        ("assistant", "review", "battle.pos", "later.pos", "--umpire"),
        before=_BATTLE | {"later.pos": _BATTLE["battle.pos"]},
    ),
    "review of a log": Command(
        ("assistant", "review", "comprehensive-example.vlog", "--brief"),
        make=_copy(EXAMPLES / "comprehensive-example.vlog"),
    ),
    "rules": Command(("assistant", "rules", "world-undone-east-prussia-1914", "7")),
    "schema": Command(("assistant", "schema", "world-undone-east-prussia-1914")),
    "serve": Command(("assistant", "serve", GAME, "--port", "0"), drive=visit),
    "table on a journal": Command(
        ("assistant", "table", "der-weltkrieg", "mine.journal", "--umpire"), typed="ru dm 13\nfr dm 4\n", first=_BOOKS
    ),
    "luck": Command(
        (*_LUCK, "--page", "luck.svg"), again=(*_LUCK, "--page", "luck.svg", "--force"), make=_copy(_EVENING_FILE)
    ),
    "luck as PDF": Command(
        (*_LUCK, "--json", "--page", "luck.pdf", "--force"),
        before={"luck.pdf": "old"},
        make=_copy(_EVENING_FILE),
    ),
    "examples": Command(("assistant", "examples", GAME, "4.4")),
    "referee": Command(("assistant", "referee", "conversions.txt"), make=_write_suite),
    "referee of a folder": Command(("assistant", "referee", ".", "--jobs", "2", "--json"), make=_write_suite),
    "story": Command((*_STORY, "--forum"), make=_copy(_EVENING_FILE)),
    "story with its pictures": Command(
        _PICTURED, before=dict.fromkeys(("mine.html", "mine.svg"), "old"), make=_copy(_EVENING_FILE)
    ),
    "module-builder check": Command(("module-builder", "check", "heath"), first=_HEATH),
    "check-changed": Command(("module-builder", "check-changed", "heath/game.toml"), first=_HEATH),
    "colours": Command(("module-builder", "colours", "heath", "-o", "mine.svg", "--force"), first=_HEATH),
    "import": Command(
        ("module-builder", "import", "heath.vmod", "--out", "imported"),
        first=(_NEW, ("module-builder", "module", "heath", "--out", "heath.vmod")),
    ),
    "module of a small game": Command(
        ("module-builder", "module", "heath", "--out", "heath.vmod", "--force"), first=_HEATH
    ),
    "page": Command(
        ("module-builder", "page", "-o", "page", "--parts", "parts", "--game", "heath", "--force"),
        first=_HEATH,
        make=_write_parts,
    ),
    "symbols": Command(("module-builder", "symbols", "heath", "-o", "mine.svg", "--force"), first=_HEATH),
}
"""Commands that mostly read, and those that write what another command has made."""

SECOND: dict[str, Command] = {
    "pack enter": Command(("assistant", "pack", "set", GAME, "chart", "crt", "autumn", "6:1", "12", "=", "+1 / -")),
    "pack set": Command(("assistant", "pack", "set", GAME, "unit", "29/20", "defence", "9")),
    "pack take": Command(("assistant", "pack", "set", GAME, "chart", "crt", "autumn", "6:1", "12", "=", "+1 / -")),
    "pack take turns": Command(("assistant", "pack", "set", GAME, "turn", "9", "date", "14 September 1914")),
    "viewpoint": Command(("assistant", "viewpoint", GAME, "central-powers")),
    "table --new": Command(("assistant", "table", GAME, "--new"), typed="t=5\n4119c 1/1 12-16-7-11\n"),
}
"""What a second run does meanwhile to the same files."""


def prepared(command: Command, folder: Path) -> None:
    """Make a folder with what is there before a command."""
    folder.mkdir(parents=True)
    for name, text in command.before.items():
        file = folder / name
        if name.endswith("/"):
            file.mkdir(parents=True)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    if command.make:
        command.make(folder)


def tree(folder: Path) -> Tree:
    """All files of the user in a folder: those on the way, locks and what is kept to be faster are none."""
    files = (file for file in sorted(folder.rglob("*")) if file.is_file())
    inner = {file: file.relative_to(folder) for file in files}
    ours = {file for file, name in inner.items() if any(part.startswith(OURS) for part in name.parts)}
    ours |= {file for file, name in inner.items() if name.parts[:2] == ("data", "cache")}
    return {name.as_posix(): file.read_bytes() for file, name in inner.items() if file not in ours}


def left(folder: Path) -> list[str]:
    """What runs have left on the way."""
    return [str(file) for file in folder.rglob(".field-staff-*")]
