"""Files that are small, or within every limit, and would take much memory or time of a careless reader."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable

from assistant.formats.vassal.containers import COMMANDS, ESCAPE, MODULE_DATA, SAVE_DATA, write_container
from assistant.formats.vassal.modules import BOARD, MAPS, PICKER, PROTOTYPE, SLOTS
from assistant.formats.vassal.sequence import fold
from assistant.formats.vassal.streams import deobfuscate, join_commands, obfuscate
from tests.saves import read_container

from .seeds import FOLDER

MIB = 2**20
FILES = read_container((FOLDER / "examples/comprehensive-example.vsav").read_bytes())
STREAM = deobfuscate(FILES[COMMANDS]).decode()
WIDE = "\U0001f600"  # a text with such a letter takes four bytes for each
LONG = 199_000  # letters of a command
TIMES = 76  # so many of them are all that a save may hold


def save(stream: str) -> bytes:
    """The kept save with other commands."""
    return write_container({**FILES, COMMANDS: obfuscate(stream)})


def more(commands: Iterable[str]) -> bytes:
    """The kept save with further commands."""
    *before, end = STREAM.split(ESCAPE)
    return save(ESCAPE.join([*before, *commands, end]))


def many(command: Callable[[int], str], times: int = TIMES) -> bytes:
    """The kept save with so many further commands."""
    return more(command(number) for number in range(times))


def piece(number: int, *types: str, state: str = "1", place: str = "Map;1;1;;0") -> str:
    """The command that adds a piece with these traits."""
    return f"+/n{number}/{fold([*types, 'piece;;;a;b'])}/{fold([*[state] * len(types), place])}"


def words(count: int, delimiter: str) -> str:
    """Words of two letters each, which Python keeps one by one."""
    return delimiter.join(f"{number % 90 + 10}" for number in range(count))


def nested(stream: str, levels: int) -> bytes:
    """A save with commands nested so deep."""
    for _ in range(levels):
        stream = join_commands([stream, "b"])
    return save(stream)


# --- zip files --------------------------------------------------------------------------------------------------------


def zipped(method: int, size: int, says: int) -> bytes:
    """A save of so many bytes, whose headers say another size."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as container, container.open(COMMANDS, "w") as entry:
        for _ in range(size // MIB):
            entry.write(bytes(MIB))
    return out.getvalue().replace(struct.pack("<I", size), struct.pack("<I", says))


def xz(size: int) -> bytes:
    return write_container({COMMANDS: lzma.compress(bytes(size))})


def overlapping(names: Iterable[str], data: bytes, before: bytes = b"", record: bytes = b"") -> bytes:
    """A zip file whose entries are all the same bytes of the file. before, record: another entry."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = squeeze.compress(data) + squeeze.flush()
    sizes = struct.pack("<HHHIII", 8, 0, 0, zlib.crc32(data), len(packed), len(data))
    local = b"PK\3\4" + struct.pack("<HH", 20, 0) + sizes + struct.pack("<HH", 0, 0) + packed
    directory, count = record, bool(record)
    for name in names:
        head = b"PK\1\2" + struct.pack("<HHH", 20, 20, 0) + sizes
        directory += head + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, len(before)) + name.encode()
        count += 1
    end = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, count, count, len(directory), len(before) + len(local), 0)
    return before + local + directory + end


def module(body: str) -> bytes:
    return write_container({"buildFile.xml": f"<VASSAL.build.GameModule>{body}</VASSAL.build.GameModule>".encode()})


def boards(names: Iterable[str]) -> str:
    """The map of a module with boards, by the names of their images."""
    drawn = "".join(f"<{BOARD} name='{number}' image='{name}'/>" for number, name in enumerate(names))
    return f"<{MAPS[0]} mapName='M'><{PICKER}>{drawn}</{PICKER}></{MAPS[0]}>"


def boards_of_one_image() -> bytes:
    """A module with many images which are the same bytes of the file, 300 MiB of nothing."""
    names = [f"i{number}.png" for number in range(19_000)]
    build = f"<VASSAL.build.GameModule>{boards(names)}</VASSAL.build.GameModule>".encode()
    local = b"PK\3\4" + struct.pack("<HHHHHIIIHH", 20, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    sizes = struct.pack("<HHHIII", 0, 0, 0, zlib.crc32(build), len(build), len(build))
    record = b"PK\1\2" + struct.pack("<HHH", 20, 20, 0) + sizes + struct.pack("<HHHHHII", 13, 0, 0, 0, 0, 0, 0)
    return overlapping([f"images/{name}" for name in names], bytes(300 * MIB), local + build, record + b"buildFile.xml")


def slots(text: str) -> bytes:
    """A module with as many slots of one text as its build file may hold."""
    slot = f"<{SLOTS[0]} entryName='a'>{text}</{SLOTS[0]}>"
    return module(slot * min(15 * MIB // len(slot), 19_990))


def filled(tag: str) -> bytes:
    """A module with as many of one tag as its build file may hold."""
    return module(tag * min(15 * MIB // len(tag), 399_000 // tag.count("<")))


BOMBS: dict[str, Callable[[], bytes]] = {
    # what comes out of a zip file
    "deflate.vsav": lambda: zipped(zipfile.ZIP_DEFLATED, 300 * MIB, 1000),
    "bzip2.vsav": lambda: zipped(zipfile.ZIP_BZIP2, 300 * MIB, 1000),
    "lzma.vsav": lambda: zipped(zipfile.ZIP_LZMA, 300 * MIB, 1000),
    "honest.vsav": lambda: zipped(zipfile.ZIP_BZIP2, 300 * MIB, 300 * MIB),
    "xz.vsav": lambda: xz(300 * MIB),
    "overlapping.vsav": lambda: overlapping(
        [COMMANDS, SAVE_DATA, MODULE_DATA, *map(str, range(19_000))], bytes(30 * MIB)
    ),
    "boards-of-one-image.vmod": boards_of_one_image,
    # letters that take four bytes each
    "wide-unread.vsav": lambda: many(lambda n: "X" + WIDE + "a" * LONG),
    "wide-notes.vsav": lambda: many(lambda n: "NOTES\t" + WIDE + "a" * LONG),
    "wide-step.vlog": lambda: more(["LOG\tX" + WIDE + "a" * 15 * MIB]),
    "wide-steps.vlog": lambda: many(lambda n: "LOG\tX" + WIDE + "a" * LONG),
    "wide-names.vsav": lambda: many(lambda n: f"+/n{n}/piece;;;a;{n}{WIDE}{'a' * LONG}/Map;1;1;;0"),
    "wide-labels.vsav": lambda: many(lambda n: piece(n, f"label;;;10;;;b;0;c;0;t;c;$label${n}{WIDE}{'a' * LONG};D")),
    "wide-and-short.vsav": lambda: many(lambda n: f"X{n}{WIDE}" + "a" * 60, 190_000),
    # few letters that are many things
    "empty-stacks.vsav": lambda: many(lambda n: f"+/s{n}/stack/Map;{n % 3000};9;@@0", 199_000),
    "high-stacks.vsav": lambda: many(lambda n: f"+/s{n}/stack/Map;1;1;{words(999, ';')}", 5000),
    "boards.vsav": lambda: many(lambda n: f"M{n}BoardPicker" + "\ta\t1\t1" * (LONG // 6)),
    "pieces.vsav": lambda: many(lambda n: f"+/n{n}/piece;;;a;b/Map;1;1;;0", 99_000),
    "properties.vsav": lambda: many(lambda n: piece(n, place="Map;1;1;;9" + ";a;b" * (LONG // 4))),
    "layers.vsav": lambda: many(lambda n: piece(n, f"emb2{';' * 16}{n};{words(LONG // 3, ',')};false;S")),
    "markers.vsav": lambda: many(lambda n: piece(n, "mark;" + words(LONG // 3, ","))),
    "traits.vsav": lambda: many(lambda n: piece(n, *["t"] * 198, state=f"{n % 90 + 10}"), 350),
    "fewer-traits.vsav": lambda: many(lambda n: piece(n, *["t"] * 40, state=f"{n % 90 + 10}"), 7000),
    "quoted-traits.vsav": lambda: many(lambda n: piece(n, f"'{'a' * (LONG - 45_000)}", *["t"] * 198)),
    "quoted-commands.vsav": lambda: many(lambda n: f"'{'a' * 70}'", 199_000),
    "one-deep-command.vsav": lambda: nested("a" * 14 * MIB, 31),
    "many-deep-commands.vsav": lambda: nested(ESCAPE.join(["ab"] * 90_000), 20),
    # modules
    "attributes.vmod": lambda: filled("<a " + " ".join(f"a{n}=''" for n in range(1000)) + "/>"),
    "fewer-attributes.vmod": lambda: module(("<a " + " ".join(f"a{n}=''" for n in range(1000)) + "/>") * 499),
    "tags.vmod": lambda: filled("<a/>"),
    "namespaces.vmod": lambda: filled("<a xmlns:n='u'/>"),
    "deep.vmod": lambda: module("<a>" * 199_000 + "</a>" * 199_000),
    "deep-pickers.vmod": lambda: module(
        f"<{MAPS[0]}>" * 100 + f"<{PICKER}>" * 100 + f"<{BOARD}/>" * 4000 + f"</{PICKER}>" * 100 + f"</{MAPS[0]}>" * 100
    ),
    "missing-image.vmod": lambda: module(boards(["x.png"] * 150_000)),
    "prototypes.vmod": lambda: module(
        "".join(
            f"<{PROTOTYPE} name='{n}'>+/null/prototype;{n + 1}\tpiece;;;/\tnull;0;0;;0</{PROTOTYPE}>"
            for n in range(50_000)
        )
    ),
    "properties.vmod": lambda: slots(piece(1, place="null;1;1;;9" + ";a;b" * (LONG // 4))),
    "traits.vmod": lambda: slots(piece(1, *["t"] * 30)),
}
