"""Ways to spoil an input where it means something: commands, traits and steps; elements and attributes; values of tables and texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from lxml import etree

from assistant.formats.vassal.containers import ESCAPE
from assistant.formats.vassal.sequence import fold, join, split, unfold
from tests.hostile.inputs.cases import repacked, spoiled_text
from tests.hostile.inputs.mutations import NUMBERS, ODD, as_bytes, as_json, as_zip, commands, words

from .seeds import KIND_OF_EACH, STEPS, apart, together, words_of_all

Spoil = Callable[[bytes, Random], bytes]
_EXTREME = (
    *NUMBERS,
    *ODD,
    "99999999",
    "-99999999",
    "1.5",
    "2d6",
    "1e308",
    "a" * 3000,
    "1" * 200,
    "$name$ $x$",
    "{",
    "[[",
    "null",
)
_STATED = re.compile(r"[^\x1b\\]+")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _value(text: str, random: Random) -> str:
    """Another value in the place of one."""
    match random.randrange(5):
        case 0:
            return random.choice(_EXTREME)
        case 1:
            return random.choice(words_of_all())
        case 2 if re.fullmatch("-?[0-9]{1,9}", text):
            return str(int(text) + random.choice((-1, 1, 100, -100000)))
        case 3:
            return text * random.choice((0, 2, 30))
        case _:
            return text[: random.randrange(len(text) + 1)] + random.choice(ODD)


def _token(text: str, delimiter: str, random: Random) -> str:
    """A sequence of which one token is another value, is left out, comes twice or changes places."""
    tokens = split(text, delimiter)
    at, other = random.randrange(len(tokens)), random.randrange(len(tokens))
    match random.randrange(6):
        case 0:
            del tokens[at]
        case 1:
            tokens.insert(at, tokens[other])
        case 2:
            tokens[at], tokens[other] = tokens[other], tokens[at]
        case 3 if len(tokens[at]) > 2 and (inner := next((sign for sign in ",;:\t" if sign in tokens[at]), "")):
            tokens[at] = _token(tokens[at], inner, random)
        case _:
            tokens[at] = _value(tokens[at], random)
    try:
        return join(tokens, delimiter)
    except ValueError:
        return delimiter.join(tokens)


def added(command: str, random: Random) -> str:
    """A command that adds a piece, with one trait more, less, doubled or spoiled, or with a spoiled state."""
    try:
        id, type, state = split(command[2:], "/")
        types, states = unfold(type), unfold(state)
    except ValueError:
        return _token(command, "/", random)
    at = random.randrange(len(types))
    match random.randrange(7):
        case 0:
            kind = random.choice([*KIND_OF_EACH.values()])
            types.insert(at, kind)
            states.insert(at, _value("1", random))
        case 1 if len(types) > 1:
            del types[at], states[at : at + 1]
        case 2:
            types[at:at] = types[at : at + 1] * random.choice((1, 3, 300))
            states[at:at] = states[at : at + 1] * random.choice((1, 3, 300))
        case 3 | 4:
            types[at] = _token(types[at], ";", random)
        case _ if states:
            here = random.choice((len(states) - 1, random.randrange(len(states))))
            states[here] = _token(states[here], ";", random)
    try:
        return "+/" + join((id, fold(types or [""]), fold(states or [""])), "/")
    except ValueError:
        return f"+/{id}/{type}/{_value(state, random)}"


def stream(data: bytes, random: Random) -> bytes:
    """The commands of a save or a log with faults."""
    text = _text(data)
    found = text.split(ESCAPE)
    at = random.randrange(len(found))
    match random.randrange(12):
        case 0:
            return as_bytes(data, [("", data)], random)
        case 1:
            text = commands(text, random)
        case 2:
            text = words(text, random)
        case 3 | 4 | 5 | 6:
            pieces = [n for n, command in enumerate(found) if command.lstrip("\\").startswith("+/")] or [at]
            at = random.choice(pieces)
            tail = "\\" * (len(found[at]) - len(found[at].rstrip("\\")))
            found[at] = added(found[at].removesuffix(tail), random) + tail
            text = ESCAPE.join(found)
        case 7 | 8:
            step = random.choice(STEPS)
            step = _token(step, "/" if step[1:2] == "/" else "\t", random) if random.random() < 0.7 else step
            text = f"{text}{ESCAPE}LOG\t{step}"
        case 9:
            delimiter = random.choice("\t;/|")
            found[at] = _token(found[at], delimiter, random)
            text = ESCAPE.join(found)
        case 10:
            part = found[at : at + random.choice((1, 3, 30))]
            found[at : at + len(part)] = [join(["", *(one.rstrip("\\") for one in part)], ESCAPE)]
            text = ESCAPE.join(found)
        case _:
            tokens = sorted({*_STATED.findall(text[:20_000])}) or [""]
            text = text.replace(random.choice(tokens)[:40] or " ", random.choice(tokens)[:40], random.choice((1, -1)))
    return text.encode("utf-8", "replace")


def file(data: bytes, random: Random) -> bytes:
    """A file of a save or a module with faults in its bytes or its entries, or in another form."""
    match random.randrange(12):
        case 0:
            return repacked(data, random)
        case 1 | 2 | 3:
            return as_bytes(data, [("", data)], random)
        case _:
            return as_zip(data, [("", data)], random)


def xml(data: bytes, random: Random) -> bytes:
    """XML of which an element or an attribute is another, is left out or comes twice."""
    try:
        root = etree.fromstring(data, etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True))
        elements = [one for one in root.iter() if isinstance(one.tag, str)]
        _change(random.choice(elements), elements, random)
        return etree.tostring(root)
    except (ValueError, etree.XMLSyntaxError):
        return words(_text(data), random).encode("utf-8", "replace")


def _change(element: etree._Element, elements: list[etree._Element], random: Random) -> None:
    other, above = random.choice(elements), element.getparent()
    match random.randrange(8):
        case 0 if above is not None:
            above.remove(element)
        case 1 if above is not None:
            for _ in range(random.choice((1, 1, 50))):
                above.append(etree.fromstring(etree.tostring(element, with_tail=False)))
        case 2:
            other.append(etree.fromstring(etree.tostring(element, with_tail=False)))
        case 3:
            element.tag = other.tag
        case 4 if (element.text or "").startswith("+/"):
            element.text = added(element.text or "", random)
        case 5:
            element.text = _value(element.text or "", random)
        case _ if element.attrib:
            name = random.choice(list(element.attrib))
            value = element.attrib[name]
            if random.random() < 0.1:
                del element.attrib[name]
            else:
                sign = next((sign for sign in ";,/" if sign in value), "")
                element.set(
                    name, _token(value, sign, random) if sign and random.random() < 0.6 else _value(value, random)
                )
        case _:
            element.set(random.choice(("name", "x0", "dx", "path", "mapName", "image")), random.choice(_EXTREME))


def text(data: bytes, random: Random) -> bytes:
    """A text with other words, lines or values."""
    return spoiled_text(data, random)


def json(data: bytes, random: Random) -> bytes:
    """JSON with other values."""
    return as_json(data, [("", data)], random)


def of_each(spoil: Spoil) -> Spoil:
    """Spoils one file of several."""

    def spoiled(data: bytes, random: Random) -> bytes:
        files = apart(data)
        if not files:
            return as_bytes(data, [("", data)], random)
        name = random.choice(list(files))
        files[name] = spoil(files[name], random)
        return together(files)

    return spoiled


def spoiled(data: bytes, spoil: Spoil, most: int, seed: int) -> bytes:
    """An input with one to four faults, no longer than so many bytes; the same for one seed."""
    random = Random(seed)
    for _ in range(random.choice((1, 1, 2, 4))):
        data = spoil(data, random)
    return data[:most]
