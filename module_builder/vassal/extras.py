"""An author's additions to the module by hand: elements of the build file, and files. They survive every rebuild.

A folder of the game has the layout of a module: `buildFile.xml`, `images` and more. An element that the module has, by
its kind and name, is changed; any other is added. Nothing in them may run code or load from elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from copy import deepcopy
from importlib.resources.abc import Traversable
from typing import NamedTuple

from lxml import etree

from assistant.formats.vassal.containers import BUILD_FILES
from assistant.formats.vassal.maps import read_picture_size
from assistant.formats.vassal.modules import SLOTS
from assistant.formats.vassal.pieces import Piece, read_added
from assistant.formats.vassal.sequence import split
from assistant.formats.vassal.traits import read_layer
from assistant.game.games import Game
from assistant.util.datafiles import read_data, resolve_within
from assistant.util.errors import InputError, Where, format_suggestion
from assistant.util.limits import Limit
from assistant.util.patterns import late_pattern

from .elements import KNOWN_CLASSES, MAP, MODULE, PLAIN_ELEMENTS, read_elements
from .pieces.maker import FIRST_FREE_SLOT, slot_number

PICTURES = ("png", "gif", "jpg", "jpeg", "svg")
PAGES = ("html", "htm")
_KINDS = {*PICTURES, *PAGES, "wav", "mp3", "ogg", "aiff", "au", "pdf", "txt", "vsav"}
_NAMES = ("mapName", "name", "entryName", "chartName", "title")
"""The attributes by which elements of a kind are told apart."""
_FILES = ("image", "icon", "fileName", "file")
"""The attributes that name files of the module."""
_OUTSIDE = late_pattern(r"\b(?:https?|ftp|file|jar|data|javascript)\s*:|^\s*//", re.IGNORECASE)
"""A text that leads out of the module."""
_RUNS = ("script", "object", "applet", "iframe", "embed", "link", "base", "meta", "foreignobject", "form")
"""The elements of a page that run or load something."""
_LEADS = ("src", "background", "href", "data", "action")
"""The attributes of a page by which it loads something."""
_MAX_FILES = 2000
_HEAD_BYTES = 2**18
"""Bytes of a picture that are read to find its size."""
_ROOT = "VASSAL.build.GameModule"
_PROTOTYPE = MODULE + "PrototypeDefinition"
_MAPS = (MODULE + "Map", MODULE + "PrivateMap")
_PICKER = MAP + "BoardPicker"
_BOARD = MAP + "boardPicker.Board"
_CHANGEABLE_ATTRIBUTES = {
    "visible",
    "dotsVisible",
    "color",
    "fontSize",
    "fontsize",
    "rotateText",
    "edgesLegal",
    "cornersLegal",
    "reversible",
}
"""Attributes of our boards' grids that an author may change."""


class Extras(NamedTuple):
    """An author's additions."""

    elements: etree._Element | None = None
    """The root of the author's build file, None if there is none."""
    files: Mapping[str, bytes] = {}
    """The other files that the author adds, by their paths."""


def read_extras(game: Game, folder: str) -> Extras:
    """Return the additions in a folder of the game, or none for "". Raises InputError for content that modules may not
    have.
    """
    if not folder:
        return Extras()
    traversable = resolve_within(game.folder, folder)
    if not traversable.is_dir():
        raise InputError(
            f"there is no folder {folder}", where=Where("game.toml"), hint="[module] extra names a folder of the game"
        )
    elements, files, total = None, dict[str, bytes](), 0
    held: dict[bytes, bytes] = {}  # contents that several files share count once
    for path, file in _list_files(game.folder, folder, ""):
        data = check_file(f"{folder}/{path}", read_data(file))
        if data not in held:
            total += len(data)
            Limit.CONTAINER.check(total, f"{folder} holds")
        data = held.setdefault(data, data)
        if path in BUILD_FILES:
            elements = read_elements(data, f"{folder}/{path}")
        else:
            files[path] = data
        if len(files) > _MAX_FILES:
            raise InputError(f"{folder} holds more than {_MAX_FILES} files", where=Where(folder))
    if elements is not None:
        _check_elements(elements, f"{folder}/{BUILD_FILES[0]}")
    return Extras(elements, files)


def _list_files(home: Traversable, folder: str, path: str) -> Iterator[tuple[str, Traversable]]:
    """Yield the files below a folder with their paths in it, except hidden files and links to the outside."""
    whole = f"{folder}/{path}".rstrip("/")
    for entry in sorted(resolve_within(home, whole).iterdir(), key=lambda entry: entry.name):
        if entry.name.startswith("."):
            continue
        name = f"{path}{entry.name}"
        at = resolve_within(home, f"{folder}/{name}")
        if at.is_dir():
            yield from _list_files(home, folder, f"{name}/")
        else:
            yield name, at


def check_file(name: str, data: bytes) -> bytes:
    """Return the bytes of a file. Raises InputError if modules may not contain it."""
    ending = name.rpartition(".")[2].lower()
    if name.rpartition("/")[2] in BUILD_FILES:
        return data
    if ending not in _KINDS:
        hint = f"it may hold files that end in {', '.join(sorted(_KINDS))}"
        raise InputError(f"a module may not hold .{ending} files", where=Where(name), hint=hint)
    try:
        Limit.FILE.check(len(data), "it holds")
        if ending == "svg":
            _check_page(read_elements(data, name))
        elif ending in PICTURES:
            width, height = read_picture_size(data[:_HEAD_BYTES])
            Limit.PIXELS.check(width * height, "it has")
        elif ending in PAGES:
            page = etree.HTML(data, etree.HTMLParser(no_network=True, encoding="utf-8")) if data.strip() else None
            if page is None:
                raise InputError("the page is empty")
            _check_page(page)
    except InputError as error:
        raise error.at(Where(name)) from None
    except ValueError as error:
        raise InputError(
            f"it is not a picture: {error}", where=Where(name), hint="save it as PNG, JPEG or GIF"
        ) from None
    return data


def _check_page(root: etree._Element) -> None:
    """Raise InputError if a page or drawing runs code or loads from elsewhere. Links that a reader clicks are allowed."""
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        tag = etree.QName(element).localname.lower()
        if tag in _RUNS:
            raise InputError(f"it has an element {tag}, which runs or loads something", hint="leave it out")
        for name, text in element.attrib.items():
            short = etree.QName(name).localname.lower()
            clicked = tag == "a" and short == "href" and not re.match(r"\s*(javascript|data):", text, re.IGNORECASE)
            if short.startswith("on") or (short in _LEADS and not clicked and _OUTSIDE.search(text)):
                raise InputError(
                    f"its element {tag} has {short}={text[:40]!r}, which runs or loads something", hint="leave it out"
                )
            if short == "style" and re.search(r"url\s*\(|@import|expression", text, re.IGNORECASE):
                raise InputError(f"the style of its element {tag} loads something", hint="leave it out")
        if tag == "style" and re.search(r"url\s*\(|@import", element.text or "", re.IGNORECASE):
            raise InputError("its style loads something", hint="leave it out")


def _check_elements(root: etree._Element, name: str) -> None:
    """Raise InputError for elements that would run code other than VASSAL's, or lead out of the module."""
    if root.tag != _ROOT:
        raise InputError(
            f"it begins with <{str(root.tag)[:60]}>", where=Where(name, 1), hint=f"begin it with <{_ROOT}>"
        )
    for element in root.iter():
        where = Where(name, element.sourceline or 0)
        if not isinstance(element.tag, str):
            continue
        if "." in element.tag and not element.tag.startswith("VASSAL."):
            what = f"{element.tag[:60]} is not an element of VASSAL"
            raise InputError(what, where=where, hint="modules made here hold no code")
        if element.tag not in KNOWN_CLASSES | PLAIN_ELEMENTS:
            what = f"VASSAL 3.6 has no element {element.tag[:60]}, and could not open the module"
            raise InputError(what, where=where, hint=format_suggestion(element.tag, KNOWN_CLASSES | PLAIN_ELEMENTS))
        for key, text in element.attrib.items():
            if _OUTSIDE.search(text) or (key == "fileType" and text != "archive"):
                raise InputError(
                    f"{key}={text[:60]!r} leads out of the module", where=where, hint="put the file into the folder"
                )


def add_elements(root: etree._Element, added: Extras, file: str) -> None:
    """Merge an author's elements into those of the module.

    `file`: the file of the author's elements.

    Raises InputError, with file and line, for a slot with the id of another, for a map without a board, and for
    elements that would move our hexes away from their counters.
    """
    if added.elements is None:
        return
    before = _describe_boards(root)
    _merge_elements(root, deepcopy(added.elements), {slot.get("gpid", "") for slot in root.iter(*SLOTS)}, file)
    after = _describe_boards(root)
    for name, board in before.items():
        if after.get(name) != board:
            hint = "leave its boards, grids and numbers as they are; a board.png of the same size replaces its picture"
            raise InputError(
                f"it changes the boards of the map {name}, where counters stand by our hexes",
                where=Where(file),
                hint=hint,
            )
    for window in root.iter(*_MAPS):
        if window.find(_PICKER) is None:
            name = window.get("mapName", "")
            known = [other.get("mapName", "") for other in root.iter(*_MAPS) if other is not window]
            raise InputError(f"the map {name!r} has no board", where=Where(file), hint=format_suggestion(name, known))


def _describe_boards(root: etree._Element) -> dict[str, list[tuple[str, str, list[tuple[str, str]]]]]:
    """Return the boards of each map with all their grids, without colours, as values to compare."""
    boards: dict[str, list[tuple[str, str, list[tuple[str, str]]]]] = {}
    for window in root.iter(*_MAPS):
        lines: list[tuple[str, str, list[tuple[str, str]]]] = []
        picker = window.find(_PICKER)
        setup = picker.find("setup") if picker is not None else None
        if picker is not None and setup is not None:
            lines.append((str(setup.tag), setup.text or "", [("", "")]))
            ours = (setup.text or "").split("\t")[1:2]
            for board in picker.iter(_BOARD):
                if board.get("name") in ours:
                    lines += [(str(element.tag), "", _list_attributes(element)) for element in board.iter()]
        boards[window.get("mapName", "")] = lines
    return boards


def _list_attributes(element: etree._Element) -> list[tuple[str, str]]:
    return sorted((str(key), str(text)) for key, text in element.attrib.items() if key not in _CHANGEABLE_ATTRIBUTES)


def check_pieces(elements: etree._Element | None, file: str, has: Collection[str]) -> Iterator[InputError]:
    """Yield an author's pieces that VASSAL could not read, or whose pictures are missing.

    `has`: the paths of all files in the module.
    """
    if elements is None:
        return
    for element in elements.iter(*SLOTS, _PROTOTYPE):
        name, where = element.get("entryName") or element.get("name", ""), Where(file, element.sourceline or 0)
        try:
            piece = read_added((element.text or "").strip())
        except (ValueError, IndexError):
            piece = None
        if not isinstance(piece, Piece):
            what = f"{name!r} holds no piece that VASSAL could read"
            yield InputError(
                what, where=where, hint="copy the text of a piece from a module that VASSAL's editor has saved"
            )
            continue
        for picture in _list_pictures(piece):
            if f"images/{picture}" not in has:
                what = f"{name!r} shows the picture {picture}, which the module does not have"
                yield InputError(what, where=where, hint="put it into the folder images beside it")


def _list_pictures(piece: Piece) -> Iterator[str]:
    """Yield the pictures of a piece and its layers, each once."""
    named = [(split(piece.traits[-1].type, ";") + [""] * 4)[3]]
    for trait in piece.traits:
        if trait.kind == "emb2":
            named += read_layer(trait.type).images
    yield from dict.fromkeys(filter(None, named))


def _merge_elements(root: etree._Element, added: etree._Element, taken: set[str], file: str) -> None:
    """Merge an author's elements into those of the module.

    `taken`: the ids of slots; those of new slots are added.
    `file`: the file of the author's elements.

    Raises InputError for a slot with the id of another.
    """
    known = {_identify_element(child): child for child in reversed(root)}
    for child in [*added]:  # a copy, because `_add_element` moves children out of `added`
        ours = known.get(_identify_element(child))
        if ours is None:
            _add_element(root, child, taken, file)
            continue
        kept = {"gpid": ours.get("gpid", "")} if ours.get("gpid") else {}
        ours.attrib.update({**child.attrib, **kept})
        if (child.text or "").strip():
            ours.text = child.text
        _merge_elements(ours, child, taken, file)


def _identify_element(element: etree._Element) -> tuple[str, str]:
    return str(element.tag), next(
        (element.get(name, "") for name in _NAMES if element.get(name)),
        (element.text or "").strip() if element.tag == "entry" else "",
    )


def _add_element(root: etree._Element, child: etree._Element, taken: set[str], file: str) -> None:
    """Add an element after the last one of its kind. Its slots get ids that depend on their names."""
    for slot in child.iter(*SLOTS):
        id = slot.get("gpid") or str(slot_number(f"extra {slot.get('entryName', '')}"))
        if id in taken or not re.fullmatch("[0-9]{1,10}", id) or not 0 < int(id) < FIRST_FREE_SLOT:
            what = f"the slot {slot.get('entryName', '')} has the id {id[:20]}, which another one has, or none may have"
            raise InputError(
                what,
                where=Where(file, slot.sourceline or 0),
                hint="leave out its gpid, and give it another name",
            )
        taken.add(id)
        slot.set("gpid", id)
    last = next((element for element in reversed(root) if element.tag == child.tag), None)
    if last is None:
        root.append(child)
    else:
        last.addnext(child)


def missing_files(root: etree._Element, has: set[str]) -> Iterator[str]:
    """Yield the files that elements name but the module lacks. `has`: the paths of all files in the module."""
    for element in root.iter():
        for key in _FILES:
            named = element.get(key, "")
            if named and not named.startswith("/") and named not in has and f"images/{named}" not in has:
                yield named
