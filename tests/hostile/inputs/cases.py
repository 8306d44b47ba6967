"""The cases of a run: what a stranger's files and keys may be, drawn by chance, each with the command that meets them."""

from __future__ import annotations

import bz2
import io
import lzma
import os
import warnings
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple

from assistant.formats.vassal.containers import COMMANDS
from assistant.formats.vassal.streams import deobfuscate
from assistant.game.packs import Pack
from assistant.installed.registry import load_game, named_game
from module_builder.new import new_game
from tests.saves import read_container

from ..reading import ASSISTANT, BUILDER
from .grammar import LONG, Words, from_schema
from .mutations import as_bytes, as_text, spoiled, words
from .seeds import GAME, sound_files

MODULE, LINE, TOGETHER = "module", "line", "together"


class Case(NamedTuple):
    """One case.

    kind: what it is; program: what meets it; words: the command's words; files: by their paths on the desk;
    typed: standard input.
    """

    kind: str
    program: str
    words: tuple[str, ...] = ()
    files: Mapping[str, bytes] = {}
    typed: bytes = b""


READERS = (
    "check",
    "check --as russian",
    "battle",
    "battle --as central-powers",
    "convert",
    "answer --json",
    "battle --narrow",
)
HEATH = "heath"


class Seeds:
    """What is spoiled, made once for all workers."""

    def __init__(self) -> None:
        self.sound = sound_files()
        self.words = {GAME: Words(load_game(GAME))}
        self.heath = dict(_heath())
        self.pack = dict(_pack())
        self.kept = dict(_kept())

    def of(self, *endings: str) -> list[tuple[str, bytes]]:
        """The sound files with one of these endings."""
        return [file for file in self.sound if file[0].endswith(endings)]


def _heath() -> Iterator[tuple[str, bytes]]:
    """The files of the game that `module-builder new` makes, with a symbol and a rule index."""
    with TemporaryDirectory() as folder:
        home = Path(folder, HEATH)
        new_game(home)
        for path in sorted(home.rglob("*")):
            if path.is_file():
                yield f"{HEATH}/{path.relative_to(home)}", path.read_bytes()
    symbol = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><path d="M0 0L60 40C1 2 3 4 5 6z" stroke="#000"/></svg>'
    yield f"{HEATH}/symbols/infantry.svg", symbol
    face = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><style>.a{fill:red}</style><g transform="rotate(9)" style="stroke:#000">'
        b'<rect class="a" width="9" height="9" rx="1"/><circle r="2" cx="4"/><polygon points="1,2 3,4 5 6"/></g></svg>'
    )
    yield f"{HEATH}/faces/1st.svg", face
    yield (
        f"{HEATH}/rulings.csv",
        b"id,rule,doubt,readings,default,authority\nhalf,1.1,half,up: up; down: down,up,sense\n",
    )
    yield (
        f"{HEATH}/boards/field/more.lines",
        b'source drawn "an atlas" since 1910\n"Mill heath" region: 0501 0603   # a label\n'
        b"stream: 0102|0101,0201\n    0202|0201 [rulebook 1.1]\n0404, 0405 clear [since 1914-08]\n0404|0405, 0505 road=no\n",
    )
    yield (
        f"{HEATH}/boards/field/places.csv",
        "hex,name,class,label,name-de,source,since\n0403,Mill,town,ne,Mühle,drawn,1914\n".encode(),
    )
    yield f"{HEATH}/rules.csv", b"rule,kind,title,left_out\n1.1,compute,odds,\n"


def _pack() -> Iterator[tuple[str, bytes]]:
    """A pack with charts, counters, ground, a ruling, turns and an army."""
    with TemporaryDirectory() as folder:
        game = load_game(GAME)
        pack = Pack(game, Path(folder))
        unit = next(iter(game.roster))
        chart = next(name for name in game.charts if pack.charts.missing(name))
        for key, cell in list(game.chart(chart).cells.items())[:30]:
            pack.charts.enter_cells(chart, {key: "/".join(map(str, cell.values.values()))})
        tracks = [track for track in game.tracks.values() if track.printed == "counter" and track.kind == "integer"]
        for track in tracks[:3]:
            if all(str(fact.source) != "rulebook" for fact in game.roster[unit].get(track.name, ())):
                pack.enter_all({(unit, track.name): "7"})
        pack.enter_all(ground={("", "41.19", "terrain"): "clear"})
        pack.enter_all(ground={("", "41.19|41.20", "road"): "road"})
        ruling = next(iter(game.rulings.values()))
        pack.enter_ruling(ruling.id, ruling.default)
        pack.enter_turns({(1, "date"): "17 August 1914", (2, "rail-rate"): "10"})
        pack.enter_army("german Eighth", "attachment-limit", "5")
        for path in sorted((*Path(folder).rglob("*.csv"), *Path(folder).rglob("*.lines"))):
            yield f"data/packs/{GAME}/{path.relative_to(folder)}", path.read_bytes()


def _kept() -> Iterator[tuple[str, bytes]]:
    """The settings, and the table that is kept between sessions."""
    from assistant.faces.prompt.files import TableFile
    from assistant.faces.prompt.line_reading import read_line
    from assistant.faces.prompt.table import TableState
    from assistant.installed.formats import read_position

    yield "data/settings.json", f'{{"viewpoint": {{"{GAME}": "russian"}}}}\n'.encode()
    with TemporaryDirectory() as folder:
        name, data = next(file for file in sound_files() if file[0] == "battle.pos")
        table = read_line(TableState(read_position(name, data)), "turn=2").table
        TableFile(Path(folder, "table.json")).keep(table)
        yield f"data/table/{GAME}.json", Path(folder, "table.json").read_bytes()


# --- kinds ------------------------------------------------------------------------------------------------------------


def _reader(random: Random) -> tuple[str, ...]:
    return tuple(random.choice(READERS).split())


def notation(seeds: Seeds, random: Random) -> Case:
    """A position in notation: spoiled, or put together from the words of the game."""
    if random.random() < 0.5:
        text = seeds.words[GAME].position(random)
        data = (words(text, random) if random.random() < 0.3 else text).encode("utf-8", "replace")
        return Case("notation", ASSISTANT, (*_reader(random), "made.pos"), {"made.pos": data})
    name, data = random.choice(seeds.of(".pos"))
    return Case("notation", ASSISTANT, (*_reader(random), name), {name: spoiled(name, data, seeds.sound, random)})


def json_text(seeds: Seeds, random: Random) -> Case:
    """A position in JSON: spoiled, or of the published shape with other values."""
    if random.random() < 0.5:
        data = from_schema(seeds.words[GAME], random)
        return Case("JSON", ASSISTANT, (*_reader(random), "made.json"), {"made.json": data})
    name, data = random.choice(seeds.of(".json"))
    return Case("JSON", ASSISTANT, (*_reader(random), name), {name: spoiled(name, data, seeds.sound, random)})


def repacked(data: bytes, random: Random) -> bytes:
    """A save in another of its forms: the commands plain, obfuscated or in XZ, the entries packed by any method."""
    try:
        files = read_container(data)
        stream = deobfuscate(files[COMMANDS])
    except (ValueError, KeyError):
        return data
    mask = random.randrange(256)
    hexed = b"!VCSK" + f"{mask:02x}".encode() + bytes(byte ^ mask for byte in stream).hex().encode()
    files[COMMANDS] = random.choice((stream, hexed, lzma.compress(stream), lzma.compress(hexed), bz2.compress(stream)))
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as container:
        warnings.simplefilter("ignore")  # an entry may come twice
        for name, entry in files.items():
            method = random.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA))
            container.writestr(name, entry, method)
            if random.random() < 0.03:
                container.writestr(name, entry[::-1], method)
    return out.getvalue()


def _save(seeds: Seeds, random: Random, ending: str) -> Case:
    name, data = random.choice(seeds.of(ending))
    data = spoiled(name, data, seeds.sound, random) if random.random() < 0.9 else data
    if random.random() < 0.25:
        data = repacked(data, random)
        data = as_bytes(data, seeds.sound, random) if random.random() < 0.3 else data
    return Case("save" if ending == ".vsav" else "log", ASSISTANT, (*_reader(random), name), {name: data})


def save(seeds: Seeds, random: Random) -> Case:
    """A VASSAL save."""
    return _save(seeds, random, ".vsav")


def log(seeds: Seeds, random: Random) -> Case:
    """A VASSAL log."""
    return _save(seeds, random, ".vlog")


def module(seeds: Seeds, random: Random) -> Case:
    """A VASSAL module."""
    name, data = random.choice(seeds.of(".vmod"))
    return Case("module", MODULE, (name,), {name: spoiled(name, data, seeds.sound, random)})


def spoiled_text(data: bytes, random: Random) -> bytes:
    """A text file of a game or a pack with other words, lines, bytes, or values that are well formed but extreme."""
    text = data.decode("utf-8", "replace")
    others = [("", data)]
    match random.randrange(8):
        case 0:
            return as_bytes(data, others, random)
        case 1:
            return as_text(data, others, random)
        case 2 | 3:
            parts = text.split('"')
            inside = random.randrange(1, max(len(parts) - 1, 2), 2)
            if inside < len(parts):
                parts[inside] = random.choice(
                    (*LONG, "..", "/etc/passwd", "../x.csv", "a\\u0000b", "C:\\\\x", "boards", "{column}")
                )
            return '"'.join(parts).encode("utf-8", "replace")
        case 4 | 5:
            found = [at for at, letter in enumerate(text) if letter.isdigit()]
            if found:
                at = random.choice(found)
                numbers = (
                    "30000000",
                    "-1",
                    "0",
                    "1e9",
                    "0x" + "f" * 5000,
                    "9" * 5000,
                    "nan",
                    "inf",
                    "100000000000000000000",
                    "",
                )
                text = text[:at] + random.choice(numbers) + text[at + 1 :]
            return text.encode()
        case 6:
            lines = text.splitlines(keepends=True) or [""]
            at, to = random.randrange(len(lines)), random.randrange(len(lines))
            lines[at:at] = lines[to : to + random.choice((1, 3, 10))] * random.choice((1, 1, 50))
            return "".join(lines).encode()
        case _:
            return words(text, random).encode("utf-8", "replace")


KNOWN = (
    "most = 30000000\nleast = 0\n",
    "values = []\n",
    'absent = "x"\n',
    "below = 3\n",
    'ends_with = ["turn"]\n',
    "hidden = true\n",
)
SECTIONS = (
    '[sides]\nblue = []\n"" = ["red"]\n',
    "[intelligence]\n",
    "[grid]\ncolumns = [5, 1]\n",
    "[combat]\ndice = [20, 100]\n",
)
GAME_COMMANDS = (
    (BUILDER, f"check {HEATH}"),
    (BUILDER, f"check {HEATH}"),
    (BUILDER, f"check {HEATH}"),
    (ASSISTANT, f"check {HEATH}/examples/attack.pos --game {HEATH}"),
    (ASSISTANT, f"odds {HEATH}/examples/attack.pos --game {HEATH} --as blue"),
    (ASSISTANT, f"odds {HEATH}/examples/attack.pos --game {HEATH} --picture x.svg --chart y.svg"),
    (ASSISTANT, f"reference {HEATH}"),
    (ASSISTANT, f"schema {HEATH}"),
    (ASSISTANT, f"questions {HEATH}"),
    (ASSISTANT, f"rules {HEATH}"),
    (ASSISTANT, f"pack diff {HEATH}"),
    (ASSISTANT, f"pack check {HEATH}"),
    (ASSISTANT, f"pack enter {HEATH} crt"),
    (ASSISTANT, f"viewpoint {HEATH} blue"),
    (ASSISTANT, f"demo {HEATH}"),
    (ASSISTANT, f"table {HEATH}"),
    (ASSISTANT, f"table {HEATH}"),
    (BUILDER, f"module {HEATH} --out x.vmod"),
    (BUILDER, f"counters {HEATH} --dpi 50 --overview x.png"),
    (BUILDER, f"sheets {HEATH} --out x.pdf"),
    (BUILDER, f"aids {HEATH} --out x.pdf"),
)
TYPED = "0504 blue Militia 2-3 < 0403 red Foe 3-3\n4\nhelp\n?1\n?\u00b2\nposition\nwhy\ndone\nkeep\ncharts\nundo\njournal\nnew\nquit\n"


def game(seeds: Seeds, random: Random) -> Case:
    """A folder with a game of which one to three files are spoiled."""
    files = dict(seeds.heath)
    for _ in range(random.choice((1, 1, 2, 3))):
        likely = [
            f"{HEATH}/game.toml",
            f"{HEATH}/tracks.toml",
            f"{HEATH}/charts.toml",
            f"{HEATH}/course.toml",
            f"{HEATH}/turns.csv",
            f"{HEATH}/boards/field/board.toml",
            f"{HEATH}/boards/field/map.lines",
            f"{HEATH}/boards/field/more.lines",
            f"{HEATH}/boards/field/places.csv",
        ]
        name = random.choice([*(one for one in likely * 2 if one in files), *files])
        data = files[name]
        match random.randrange(6):
            case 0 if name.endswith("tracks.toml"):
                parts = data.decode("utf-8", "replace").split("\n[")
                at = random.randrange(len(parts))
                parts[at] += "\n" + random.choice(KNOWN)
                files[name] = "\n[".join(parts).encode()
            case 0 if name.endswith("game.toml"):
                section = random.choice(SECTIONS)
                head = section.partition("\n")[0]
                before, _, after = data.decode("utf-8", "replace").partition(head + "\n")
                files[name] = (before + section + "[" + after.partition("\n[")[2]).encode()
            case 1 if len(files) > 2:
                other = random.choice(list(files))
                files[name], files[other] = files[other], files[name]
            case 2 if len(files) > 4 and random.random() < 0.3:
                del files[name]
            case _:
                files[name] = spoiled_text(data, random)
    program, command = random.choice(GAME_COMMANDS)
    return Case("game", program, tuple(command.split()), files, TYPED.encode())


PACK_COMMANDS = (
    "pack list",
    f"pack check {GAME}",
    f"pack diff {GAME}",
    f"pack export {GAME} x.zip",
    f"pack set {GAME} unit 25/3 defence 12",
    f"pack set {GAME} ground 41.19 terrain rough",
    f"pack enter {GAME} crt",
    f"pack set {GAME} turn 3 date May",
    f"pack enter {GAME} turns",
    "battle battle.pos",
    f"reference {GAME}",
)


def pack(seeds: Seeds, random: Random) -> Case:
    """An owner's pack of which one file is spoiled."""
    files = dict(seeds.pack)
    name = random.choice(list(files))
    if random.random() < 0.1:
        other = random.choice(list(files))
        files[name], files[other] = files[other], files[name]
    else:
        files[name] = spoiled_text(files[name], random)
    files["battle.pos"] = dict(seeds.sound)["battle.pos"]
    return Case(
        "pack", ASSISTANT, tuple(random.choice(PACK_COMMANDS).split()), files, b"+1 / -\n\xff\n9\n\xc2\xb2\n\n.\n"
    )


def settings(seeds: Seeds, random: Random) -> Case:
    """Settings or a kept table that are spoiled."""
    files = dict(seeds.kept)
    name = random.choice(list(files))
    files[name] = spoiled("x.json", files[name], seeds.sound, random)
    files["battle.pos"] = dict(seeds.sound)["battle.pos"]
    commands = (
        "viewpoint",
        f"viewpoint {GAME} russian",
        "battle battle.pos",
        f"table {GAME}",
        f"table {GAME}",
        f"table {GAME} --new",
    )
    return Case("settings", ASSISTANT, tuple(random.choice(commands).split()), files, b"why\nundo\ndone\n7\nquit\n")


def piped(seeds: Seeds, random: Random) -> Case:
    """Lines piped to the table, in any encoding."""
    lines = "\n".join(seeds.words[GAME].typed(None, random) for _ in range(6)) + "\n"
    coding = random.choice(("utf-8", "utf-8", "utf-16", "latin-1"))
    data = lines.encode(coding, "replace")
    data = as_bytes(data, seeds.sound, random) if random.random() < 0.3 else data
    return Case("piped lines", ASSISTANT, ("table", GAME), {}, data)


def line(seeds: Seeds, random: Random) -> Case:
    """A line typed at a table that goes on; the worker draws it, for it depends on what is asked for."""
    return Case("table line", LINE, (str(random.random()),))


def together(seeds: Seeds, random: Random) -> Case:
    """Two processes with a pack, the settings and a table between them."""
    return Case("two processes", TOGETHER, (str(random.random()),), {**seeds.kept, **seeds.pack})


KINDS: dict[Callable[[Seeds, Random], Case], int] = {
    notation: 140,
    json_text: 120,
    save: 190,
    log: 130,
    module: 70,
    line: 220,
    game: 80,
    pack: 30,
    settings: 20,
    piped: 10,
    together: 2,
}


@cache
def seeds() -> Seeds:
    """The seeds, made on first use: a worker that is forked later has them too."""
    return Seeds()


def case(number: int, seed: int) -> Case:
    """The case with a number: the same in any run with this seed."""
    random = Random(f"{seed} {number}")
    return random.choices([*KINDS], [*KINDS.values()])[0](seeds(), random)


def warm() -> None:
    """Load what any case needs, so that it does not count as memory or time of one."""
    environ = os.environ.get("FIELD_STAFF_DATA")
    assert environ, "a run keeps off the user's own data"
    named_game(GAME)
    seeds()
