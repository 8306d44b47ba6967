"""A module and its extensions, opened: what they say in names that a game's files may have, their pictures, faces,
dice, charts, turns.
"""

from __future__ import annotations

import io
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from assistant.formats.vassal.adopted.mapping import NUMBERED
from assistant.formats.vassal.containers import BUILD_FILES, Archive
from assistant.formats.vassal.grids import Pixel
from assistant.formats.vassal.maps import picture_size
from assistant.formats.vassal.modules import Module, TurnLevel, all_levels, read_module_file
from assistant.pictures.symbols import PictureFile, face_of
from assistant.util.console import count_text
from assistant.util.errors import InputError, Where, located, plain
from assistant.util.files import read_xml
from assistant.util.limits import Limit
from assistant.util.texts import folded

from ..vassal.elements import MODULE, WIDGET
from ..vassal.extras import PAGES, check_file

if TYPE_CHECKING:
    from PIL.Image import Image


_LONGEST = 80
_PLAIN = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": "'",
        "\u201d": "'",
        '"': "'",
        "\u2013": "-",
        "\u2014": "-",
        "|": "/",
        "=": "-",
    }
)
WORDS = "{}-{}"
"""The form of a word with a number."""


def clean(text: str, longest: int = _LONGEST) -> str:
    """A text in one line, without signs that notation cannot write; "" if nothing is left. longest: where it is cut."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text.translate(_PLAIN))
    return " ".join(shown.split())[:longest].strip()


def slug(text: str) -> str:
    """A text as a word of small letters and figures with hyphens between them, such as `with-artillery`; "" if it has
    none.
    """
    return re.sub("[^a-z0-9]+", "-", folded(text)[:_LONGEST]).strip("-")[:40].rstrip("-")


class Names:
    """Gives names, each to one thing; a number behind a name tells it from others.

    kind: what they name, in words; key: what tells two names apart, for capitals and such may not; taken: those that
    nobody gets; form: of a name with a number.
    """

    def __init__(
        self, kind: str, key: Callable[[str], str] = str.casefold, taken: Iterable[str] = (), form: str = NUMBERED
    ) -> None:
        self.kind, self._key, self._form = kind, key, form
        self.numbered = 0
        """How many have a number behind their name."""
        self._taken = {key(name) for name in taken}
        self._next: dict[str, int] = {}
        self.changed: list[tuple[str, str]] = []
        """What is called otherwise than in the module: its name there, and here."""

    def reserve(self, names: Iterable[str]) -> None:
        """Give nothing these names."""
        self._taken |= {self._key(name) for name in names}

    def give(self, wanted: str, called: str = "") -> str:
        """A name that is still free: the one that is wanted, or with a number behind it. called: what the module calls
        it.
        """
        base = name = wanted or self.kind
        number = self._next.get(self._key(base), 2)
        while self._key(name) in self._taken:
            name, number = self._form.format(base, number), number + 1
        self._next[self._key(base)] = number
        self._taken.add(self._key(name))
        self.numbered += name != base
        if called and called != base:
            self.changed.append((called, name))
        return name


# --- what an import notes ---------------------------------------------------------------------------------------------

_MOST = 200
"""How many lines a list has at most; it says how many more there are."""


class Findings:
    """What an import notes on its way."""

    def __init__(self) -> None:
        self._left_out: dict[str, Counter[str]] = {}
        self._renamed: dict[str, list[tuple[str, str]]] = {}
        self.numbered = 0
        """How many units and boxes have a number behind their name, for others have the same name."""
        self.taken: list[tuple[int, str, str]] = []
        """What was imported: how many of what, and the words for one and for several."""

    def left_out(self, what: str, which: str = "") -> None:
        """Note that something was not imported. what: the kind of thing, and why, in words; which: its name."""
        self._left_out.setdefault(what, Counter())[which] += 1

    def renamed(self, kind: str, changed: Iterable[tuple[str, str]]) -> None:
        """Note what things are called in the module, and here."""
        if pairs := list(changed):
            self._renamed.setdefault(kind, []).extend(pairs)

    @property
    def lost(self) -> int:
        """How many things were not imported."""
        return sum(sum(which.values()) for which in self._left_out.values())

    @property
    def in_words(self) -> list[str]:
        """What was imported."""
        return [count_text(count, single, some) for count, single, some in self.taken if count]

    def page(self, title: str) -> str:
        """The page. title: of the module."""
        return "\n".join([*self._lines(title)]) + "\n"

    def _lines(self, title: str) -> Iterator[str]:
        yield from (f"# {_escape(title)}: what was imported", "")
        yield "Pictures and texts in this folder belong to the maker of the module and of the game: keep them to yourself."
        yield from ("", "## Imported", "")
        yield from (f"- {said}" for said in self.in_words)
        if self.numbered:
            yield from (
                "",
                "Where several pieces or places share a name, or a set-up has a piece several times, each has a number after its name here.",
            )
        if self._left_out:
            yield from ("", "## Not imported", "")
            for what, which in self._left_out.items():
                named = {name: count for name, count in which.items() if name}
                count = sum(which.values())
                yield f"- {_escape(what)}" + (f" ({count} times)" if count > 1 else "")
                yield from _bullets(
                    (f"{_escape(name)}" + (f" ({count} times)" if count > 1 else "") for name, count in named.items()),
                    len(named),
                )
        for kind, changed in self._renamed.items():
            yield from ("", f"## {kind} renamed here", "")
            pairs = dict.fromkeys(changed)
            yield from _bullets((f"{_escape(before)}: {_escape(now)}" for before, now in pairs), len(pairs), "")


def _bullets(lines: Iterable[str], count: int, indent: str = "  ") -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == _MOST:
            yield f"{indent}- and {count - _MOST} more"
            return
        yield f"{indent}- {line}"


def _escape(text: str) -> str:
    """A text of the module on a line of the page, where it is no mark-up."""
    return "".join(f"\\{sign}" if sign in "\\`*_<>[]#" else sign for sign in plain(text))


# --- the opened module ------------------------------------------------------------------------------------------------

_SIGNS = {b"\x89PNG": "png", b"GIF8": "gif", b"\xff\xd8\xff": "jpg"}
"""What files of pictures begin with, and the endings of their names."""


class Source:
    """An opened module. module: all that it and its extensions say; roots: their build files, the module's own first."""

    def __init__(self, module: Module, roots: Sequence[etree._Element], archives: Sequence[Archive]) -> None:
        self.module, self.roots, self._archives = module, roots, archives
        self._pictures: dict[str, PictureFile | None] = {}
        self._sizes: dict[str, Pixel] = {}

    def elements(self, tag: str) -> Iterator[etree._Element]:
        """All elements of a class."""
        for root in self.roots:
            yield from root.iter(tag)

    def file(self, name: str) -> bytes | None:
        """A file, None if there is none. Raises InputError if it is damaged or too large."""
        for archive in self._archives:
            if name in archive:
                with located(Where(name)):
                    return archive.read(name)
        return None

    def picture(self, image: str) -> PictureFile | None:
        """A picture by its name, with the ending that fits it; None if it is missing or nothing that is known."""
        if image not in self._pictures:
            self._pictures[image] = self._find(image)
        return self._pictures[image]

    def size(self, image: str) -> Pixel:
        """Width and height of a picture, (0, 0) if there is none or they are not found."""
        if image not in self._sizes:
            picture = self.picture(image)
            try:
                self._sizes[image] = picture_size(picture.data) if picture else (0, 0)
            except ValueError:
                self._sizes[image] = 0, 0
        return self._sizes[image]

    def _find(self, image: str) -> PictureFile | None:
        if not image:
            return None
        for name in (image, f"{image}.gif"):  # old modules leave that out
            if data := self.file(f"images/{name}"):
                ending = next((ending for sign, ending in _SIGNS.items() if data.startswith(sign)), "")
                ending = ending or _drawing(name, data)
                return PictureFile(ending, data) if ending else None
        return None


def _drawing(name: str, data: bytes) -> str:
    return "svg" if name.lower().endswith(".svg") or re.search(rb"<svg\b", data[:1000]) else ""


@contextmanager
def open_source(file: Path, extensions: Sequence[Path] = ()) -> Iterator[Source]:
    """A module with extensions, while it is imported. Raises InputError with the file for one that is no module or is
    damaged.
    """
    with ExitStack() as stack:
        modules, roots, archives = list[Module](), list[etree._Element](), list[Archive]()
        for path in (file, *extensions):
            modules.append(read_module_file(path))
            with located(Where(str(path))):
                archive = stack.enter_context(closing(Archive(path, limit=Limit.IMPORT)))
                build = next(name for name in BUILD_FILES if name in archive)
                roots.append(read_xml(archive.read(build), build))
                archives.append(archive)
        whole = modules[0]
        for extension in modules[1:]:
            whole = whole.extended(extension)
        yield Source(whole, roots, archives)


class LaidPicture(NamedTuple):
    """A picture of the module on a piece. off: of its middle from that of the piece, in pixels."""

    image: str
    off: Pixel = (0, 0)


Face = tuple[LaidPicture, ...]
"""The pictures of a face, the lowest first."""


class Studio:
    """Puts faces together, each once."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._made: dict[Face, PictureFile | None] = {}
        self._can: dict[str, bool] = {}

    def face(self, face: Face) -> PictureFile | None:
        """The picture of a face, None if none of its pictures can be used; one alone is taken as it is."""
        if face not in self._made:
            self._made[face] = self._face(face)
        return self._made[face]

    def missing(self, face: Face) -> list[str]:
        """The pictures of a face that the module lacks, or that cannot be used."""
        return [laid.image for laid in face if not self._usable(laid.image)]

    def _usable(self, image: str) -> bool:
        """Whether a picture can be the face of a counter."""
        if image not in self._can:
            picture = self._source.picture(image)
            try:
                self._can[image] = picture is not None and bool(face_of(picture))
            except InputError:
                self._can[image] = False
        return self._can[image]

    def not_laid(self, face: Face) -> list[str]:
        """The usable pictures of a face that are not on it: a drawing (SVG) beside others, or layers that together are
        too large.
        """
        drawn = [laid for laid, _ in self._drawn(face)]
        return [laid.image for laid in face if self._usable(laid.image) and laid not in drawn]

    def _drawn(self, face: Face) -> list[tuple[LaidPicture, PictureFile]]:
        """The pictures that are laid over one another, the lowest first."""
        usable = [
            (laid, picture)
            for laid in face
            if self._usable(laid.image) and (picture := self._source.picture(laid.image))
        ]
        bitmaps = [(laid, picture) for laid, picture in usable if picture.ending != "svg"]
        if not bitmaps:
            return usable[:1]
        left, top, right, bottom = self._frame([laid for laid, _ in bitmaps])
        return bitmaps if (right - left) * (bottom - top) <= Limit.ART_PIXELS.most else bitmaps[:1]

    def _face(self, face: Face) -> PictureFile | None:
        drawn = self._drawn(face)
        if len(drawn) <= 1:
            return drawn[0][1] if drawn else None
        from PIL import Image as Images

        left, top, right, bottom = self._frame([laid for laid, _ in drawn])
        whole = Images.new("RGBA", (right - left, bottom - top))
        for laid, picture in drawn:
            if (shown := open_picture(picture)) is not None:
                x, y, _, _ = self._frame([laid])
                whole.alpha_composite(shown, (x - left, y - top))
        return PictureFile("png", png(whole))

    def _frame(self, pictures: Sequence[LaidPicture]) -> tuple[int, int, int, int]:
        """The left, upper, right and lower edge of pictures laid over one another."""
        boxes = []
        for laid in pictures:
            (wide, high), (x, y) = self._source.size(laid.image), laid.off
            boxes.append((x - wide // 2, y - high // 2, x - wide // 2 + wide, y - high // 2 + high))
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)


def open_picture(picture: PictureFile) -> Image | None:
    """A picture's pixels with their opacity, None if it cannot be read; its size was looked at before."""
    from PIL import Image as Images

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Images.DecompressionBombWarning)
            with Images.open(io.BytesIO(picture.data), formats=["PNG", "GIF", "JPEG"]) as file:
                return file.convert("RGBA")
    except Exception:  # on spoiled files each of its readers raises what it likes
        return None


def png(picture: Image) -> bytes:
    """A picture as a PNG."""
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


# --- dice, charts and turns -------------------------------------------------------------------------------------------

_DICE, _SIDES = range(1, 21), range(2, 101)
_TURNS = 200
"""How many turns a track has at most."""
_ENDLESS = 30
"""How many turns it has where the module counts without end."""
_HIGHEST = 9999
"""The highest number that its first turn may have."""
_TAKEN = (
    "PlayerRoster Map PrivateMap PieceWindow PrototypesContainer DiceButton ChartWindow turn.TurnTracker PredefinedSetup "
    "ExtensionElement"
)
_ANEW = (
    "BasicCommandEncoder BasicLogger Chatter KeyNamer GlobalOptions Documentation NotesWindow Inventory Language "
    "properties.GlobalProperties ModuleExtension gamepieceimage.GamePieceImageDefinitions"
)
_KNOWN = {MODULE + name for name in (*_TAKEN.split(), *_ANEW.split())} | {"VASSAL.i18n.Language"}


def read_dice(source: Source, findings: Findings) -> list[tuple[int, int]]:
    """The dice of its buttons: how many of how many sides."""
    kinds: dict[tuple[int, int], None] = {}
    for button in source.module.controls.dice:
        if button.dice in _DICE and button.faces in _SIDES:
            kinds[button.dice, button.faces] = None
        else:
            findings.left_out("dice other than 1 to 20 dice of 2 to 100 sides", button.name)
    return [*kinds]


class Charts(NamedTuple):
    """The charts of a module: each a title with its file, and the files."""

    shown: list[tuple[str, str]]
    files: dict[str, bytes]


def read_charts(source: Source, findings: Findings) -> Charts:
    """The pictures and pages of its chart windows; what a module of ours may not hold is left out."""
    taken, names = Charts([], {}), Names("chart", form=WORDS)
    for chart in source.elements(WIDGET + "Chart"):
        title, picture = _title(chart), source.picture(chart.get("fileName", ""))
        if picture is None:
            findings.left_out("charts without a usable picture", title)
        else:
            _add_chart(taken, names, title, picture.ending, picture.data, findings)
    for chart in source.elements(WIDGET + "HtmlChart"):
        title, name = _title(chart), chart.get("fileName", "")
        data = source.file(name)
        if data is None or name.rpartition(".")[2].lower() not in PAGES:
            findings.left_out("charts without a usable page", title)
        else:
            _add_chart(taken, names, title, "html", data, findings)
    return taken


def _title(chart: etree._Element) -> str:
    return clean(chart.get("chartName", "")) or "Chart"


def _add_chart(collected: Charts, names: Names, title: str, ending: str, data: bytes, findings: Findings) -> None:
    file = f"charts/{names.give(slug(title) or 'chart')}.{ending}"
    try:
        collected.files[file] = check_file(file, data)
    except InputError as error:
        findings.left_out(f"charts that are refused: {error.what}", title)
        return
    collected.shown.append((title, file))


class Turns(NamedTuple):
    """The turn tracker. least, most: the numbers of its turns; names: what they are called, by number; lists: what each
    turn goes through.
    """

    least: int
    most: int
    names: dict[int, str]
    lists: list[list[str]]


def read_turns(source: Source, findings: Findings) -> Turns | None:
    """The turn tracker of a module, None if it has none."""
    trackers = source.module.controls.trackers
    if len(trackers) > 1:
        findings.left_out("turn trackers beyond the first")
    if not trackers or not trackers[0]:
        return None
    level, *others = trackers[0]
    for other in others:
        findings.left_out("levels of the turn tracker besides the first", clean(other.name))
    lists = []
    for within in all_levels(level.below):
        if within.entries:
            lists.append(_clean(within))
        else:
            findings.left_out("counters within a turn", clean(within.name))
    if level.entries:
        entries = _clean(level)
        for entry in entries[_TURNS:]:
            findings.left_out(f"turns beyond the first {_TURNS}", entry)
        entries = entries[:_TURNS]
        return Turns(1, len(entries), dict(enumerate(entries, 1)), lists) if entries else None
    first = min(max(level.first, 0), _HIGHEST)
    if first != level.first:
        findings.left_out(f"turns that begin below 0 or beyond {_HIGHEST}", str(level.first))
    if level.last < first:
        last = first + _ENDLESS - 1
        findings.left_out(f"an endless count of turns: [turn] in tracks.toml has {_ENDLESS}")
    else:
        last = min(level.last, first + _TURNS - 1)
        if last != level.last:
            findings.left_out(f"turns beyond the first {_TURNS}", f"{last + 1} to {level.last}")
    if level.step != 1:
        findings.left_out("turns that are not counted one by one")
    return Turns(first, last, {}, lists)


def _clean(level: TurnLevel) -> list[str]:
    return [name for entry in level.entries if (name := clean(entry))]


def note_others(source: Source, findings: Findings) -> None:
    """Note the elements of a module that have no place in the builder's files."""
    for root in source.roots:
        for child in root:
            if isinstance(child.tag, str) and "." in child.tag and child.tag not in _KNOWN:
                name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", child.tag.rpartition(".")[2])
                called = f"{name}: {clean(child.get('name') or child.get('text') or '')}".rstrip(": ")
                findings.left_out("buttons, windows and commands that the builder cannot place", called)
