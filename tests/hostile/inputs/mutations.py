"""Ways to spoil a file: its bytes, the entries of a zip file, the commands of a save, the words of a text."""

from __future__ import annotations

import copy
import json
import re
from random import Random
from typing import Any

from assistant.formats.vassal.containers import COMMANDS, ESCAPE, write_container
from assistant.formats.vassal.streams import deobfuscate, obfuscate
from tests.saves import read_container

ODD = (
    "\0",
    "\x1b",
    "\\",
    "'",
    '"',
    "|",
    ";",
    "\t",
    "/",
    "\u202e",
    "\ud7ff",
    "💣",
    "\r",
    "=",
    ",",
    ":",
    "<",
    "&",
    "$x$",
)
MOST = 1_000_000
"""The most letters that a doubled part may have."""
NUMBERS = ("0", "-1", "1e999", "NaN", "9" * 30, "-2147483649", "1048576", "٣", "0x10", "", "null", "true", "[[]]", "{}")


def spoiled(name: str, data: bytes, others: list[tuple[str, bytes]], random: Random) -> bytes:
    """The file with one to four faults. others: files of which pieces may come in."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        if name.endswith((".pos", ".json")):
            ways = (as_bytes, as_text, as_text, as_json) if name.endswith(".json") else (as_bytes, as_text, as_text)
            data = random.choice(ways)(data, others, random)
        else:
            data = random.choice((as_bytes, as_zip, as_zip, as_zip))(data, others, random)
    return data


def as_bytes(data: bytes, others: list[tuple[str, bytes]], random: Random) -> bytes:
    """Bits turned, the end cut off, a part left out, doubled, moved, replaced by zeros, noise or a part of another
    file.
    """
    size = len(data)
    at = random.randrange(size + 1)
    part = data[at : at + random.choice((1, 2, 8, 64, 1000))]
    rest = data[at + len(part) :]
    other = random.choice(others)[1]
    match random.randrange(8):
        case 0:
            turned = bytearray(data)
            for _ in range(random.choice((1, 3, 20)) if size else 0):
                turned[random.randrange(size)] ^= 1 << random.randrange(8)
            return bytes(turned)
        case 1:
            return data[:at]
        case 2:
            return data[:at] + rest
        case 3:
            return data[:at] + part * random.choice((2, 3, 50)) + rest
        case 4:
            to = random.randrange(len(data) + 1)
            return data[:to] + part + data[to:]
        case 5:
            return data[:at] + bytes(len(part)) + rest
        case 6:
            return data[:at] + random.randbytes(len(part)) + rest
        case _:
            return data[:at] + other[random.randrange(len(other) + 1) :]


def as_text(data: bytes, others: list[tuple[str, bytes]], random: Random) -> bytes:
    """A text with other words, or as another encoding writes it."""
    text = words(data.decode("utf-8", "replace"), random)
    coding = random.choice(("utf-8",) * 12 + ("utf-16", "utf-16-le", "utf-8-sig", "latin-1", "utf-32"))
    return text.encode(coding, "replace")


def as_json(data: bytes, others: list[tuple[str, bytes]], random: Random) -> bytes:
    """JSON of which one value is another, is left out or comes twice; text that is no JSON has its words spoiled."""
    try:
        root = json.loads(data)
    except ValueError:
        return as_text(data, others, random)
    holders: list[dict[str, object] | list[object]] = []
    values: list[object] = [None, -1, 10 ** random.choice((9, 19, 40)), 0.5, "", "\0", "a" * 5000, [[]], {}, True]
    todo = [root]
    while todo:
        one = todo.pop()
        values.append(one)
        if isinstance(one, dict | list) and one:
            holders.append(one)
            todo += one.values() if isinstance(one, dict) else one
    if holders:
        holder = random.choice(holders)
        key: Any = random.choice(list(holder)) if isinstance(holder, dict) else random.randrange(len(holder))
        match random.randrange(4):
            case 0:
                del holder[key]
            case 1 if isinstance(holder, list):
                holder.append(holder[key])
            case _:
                holder[key] = copy.deepcopy(random.choice(values))
    return json.dumps(root).encode()


def words(text: str, random: Random) -> str:
    """Lines, words, numbers and signs left out, doubled, changed with one another or made huge."""
    parts = re.split(random.choice((r"(\n)", r"([\s,;:/|\x1b]+)", r"(-?[0-9]+)", r"([\"{}\[\]<>\x1b\t])")), text)
    here, there = random.randrange(len(parts)), random.randrange(len(parts))
    match random.randrange(8):
        case 0:
            del parts[here]
        case 1:
            parts[here] = (parts[here] * random.choice((2, 100)))[:MOST]
        case 2:
            parts[here], parts[there] = parts[there], parts[here]
        case 3:
            parts[here] = random.choice(NUMBERS)
        case 4:
            parts[here] += random.choice(ODD) * random.choice((1, 1, 1, 300))
        case 5:
            parts[here] = parts[there]
        case 6:
            parts[here:here] = parts[there : there + random.choice((2, 40, 4000))]
        case _:
            parts[here] = parts[here][::-1] + "9" * random.choice((1, 8, 5000))
    return "".join(parts)


def as_zip(data: bytes, others: list[tuple[str, bytes]], random: Random) -> bytes:
    """A zip file whose entries are spoiled and packed again; one that is none already has its bytes spoiled."""
    try:
        files = read_container(data) | {"images/board.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + random.randbytes(8)}
        names = list(files)
        name = random.choice([one for one in (COMMANDS, "buildFile.xml") if one in files] * 6 + names)
        match random.randrange(8):
            case 0:
                other = random.choice(names)
                files[name], files[other] = files[other], files[name]
            case 1:
                files[random.choice(("../" + name, "/" + name, name.upper(), name + "\\x"))] = files.pop(name)
            case 2:
                files[name] = as_bytes(files[name], others, random)
            case _ if name == COMMANDS:
                stream = deobfuscate(files[name]).decode()
                files[name] = obfuscate(random.choice((words, commands))(stream, random), random.randrange(256))
            case _:
                files[name] = words(files[name].decode("utf-8", "replace"), random).encode("utf-8", "replace")
        return write_container(files)
    except ValueError:
        return as_bytes(data, others, random)


def commands(stream: str, random: Random) -> str:
    """A stream whose commands are left out, doubled, changed with one another, or nested deeper."""
    found = stream.split(ESCAPE)
    here, there = random.randrange(len(found)), random.randrange(len(found))
    match random.randrange(5):
        case 0:
            del found[here]
        case 1:
            found.insert(there, found[here])
        case 2:
            found[here], found[there] = found[there], found[here]
        case 3:
            found[here] = words(found[here], random)
        case _:
            found[here] = f"LOG\t{found[there]}\\{ESCAPE}{found[here]}"
    return ESCAPE.join(found)
