"""A small game with everything that player aids are made from, and pages measured as they are printed."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw

from assistant.drawing.scene import Group, Rectangle, Scene, Shape, Text
from assistant.game.course import course_file
from assistant.game.games import Game, read_game
from module_builder.aids.aid_set import AidSet
from module_builder.aids.page import AidStyle
from module_builder.sheets.sizes import PAPERS, parse_die

MILLIMETRE = 72 / 25.4
FILES = {
    "game.toml": """
title = "Moor"
about = "Made up for the tests."
[grid]
[sides]
red = ["crimson", "blood-red"]
blue = ["blue"]
""",
    "tracks.toml": """
[nation]
title = "nation"
on = "unit"
kind = "choice"
values = ["crimson", "blood-red", "blue"]
printed = "counter"
[turn]
title = "turn"
on = "game"
kind = "integer"
least = 1
most = 7
[phase]
title = "phase"
on = "game"
kind = "choice"
values = ["march", "fire"]
[terrain]
title = "terrain"
on = "hex"
kind = "choice"
values = ["clear", "deep-bog"]
printed = "map"
[barrier]
title = "water (open: none)"
on = "hexside"
kind = "choice"
values = ["open", "minor-river"]
printed = "map"
[rail]
title = "railway"
on = "hexside"
kind = "choice"
values = ["no-rail", "rail1", "rail2"]
printed = "map"
""",
    "charts.toml": """
[crt]
title = "fire table"
rule = "4.1"
file = "crt.csv"
keys = [{ name = "season", values = ["dry", "wet"] }, { name = "odds", values = ["1:1", "2:1"] }, { name = "roll", least = 1, most = 3, open = true }]
fields = [{ name = "losses", least = 0, most = 9, note = "steps" }, { name = "result", values = ["-", "R"], note = "R: retreat" }]
[costs]
title = "costs of movement"
rule = "3.1"
file = "costs.csv"
keys = [{ name = "weather", values = ["dry", "wet"] }, { name = "feature", values = ["clear", "deep-bog", "minor-river", "rail", "bridge"] }]
fields = [{ name = "cost", least = 0, most = 9 }]
""",
    "crt.csv": "season,odds,roll,losses,result,source\ndry,1:1,1,3,R,rulebook\ndry,1:1,2,7,-,reconstruction\n",
    "costs.csv": "weather,feature,cost,source\ndry,clear,1,rulebook\nwet,deep-bog,8,reconstruction\ndry,rail,5,rulebook\n",
    "turns.csv": """turns,kind,text,who,rule,source
1-4,season,Dry,,2.1,rulebook
5-7,season,Wet,,2.1,rulebook
1-7,weather,mist,,2.2,rulebook
2,date,5 May 1914,,2.3,reconstruction
3 6,inter-phase,Rest,,2.4,rulebook
2,event,the crimson guard arrives,crimson,3.1,rulebook
2,event,the blood-red guard arrives,blood-red,3.2,rulebook
3,event,the blue guard arrives,blue,3.3,rulebook
4,event,the bog rises,,3.4,rulebook
3,rail,12,,3.5,rulebook
""",
    "course.toml": """
costs = ["costs"]
[turns]
tag = "Day {}"
order = ["blue", "red"]
figures = [{ name = "rail", title = "Trains" }, { name = "red-rp", title = "Rails", who = "red", turns = "3 6" }]
[[phase]]
title = "Weather"
part = "turn"
rule = "2.2"
who = "red"
steps = [{ do = "Look at the sky" }]
[[phase]]
title = "March"
word = "march"
rule = "5.1"
steps = [{ do = "March on" }, { do = "March by night", who = "blue", turns = "1-3" }, { do = "Ride", who = "blood-red" }]
[[phase]]
title = "Answer"
word = "fire"
active = "other"
steps = [{ do = "Fire back", rule = "5.3" }]
[[phase]]
title = "Dice"
part = "combat"
steps = [{ do = "Roll" }]
[[phase]]
title = "Rest"
part = "inter-phase"
steps = [{ do = "Mend boots" }]
[organisation]
title = "{} Army"
statuses = ["fresh", "tired", "spent"]
status = "How they feel"
independent = "Independent"
corps = "Corps"
[[army]]
name = "First"
nation = "crimson"
limit = 2
boxes = [{ only = "KG", rule = "6.1" }]
[[army]]
name = "Second"
nation = "blue"
[[record]]
title = "Points"
most = 14
who = ["crimson", "blue"]
note = "Ones and tens."
[[record]]
title = "Score"
least = -3
most = 3
""",
}


def moor(folder: Path, **changed: str | None) -> Game:
    """The game in a folder; changed: other texts for files by their names without ending, None to leave one out."""
    folder.mkdir(exist_ok=True)
    for name, text in FILES.items():
        new = changed.get(name.partition(".")[0], text) if "." in name else text
        (folder / name).unlink(missing_ok=True)
        if new is not None:
            (folder / name).write_text(new, "utf-8")
    return read_game("moor", folder)


def wanted(game: Game, *, die: str = "5/8", paper: str = "a4", low_ink: bool = False, **more: object) -> AidSet:
    return AidSet(game, course_file(game), AidStyle(PAPERS[paper], parse_die(die), low_ink), **more)  # type: ignore[arg-type]


class Letter(NamedTuple):
    """A printed letter, in millimetres from the upper left corner of its page. size: of its font, in points."""

    left: float
    top: float
    right: float
    bottom: float
    size: float


def letters(page: pypdfium2.PdfPage) -> Iterator[Letter]:
    """All letters of a page, as they are printed."""
    text = page.get_textpage()
    high = page.get_height()
    for number in range(text.count_chars()):
        if not text.get_text_range(number, 1).strip():
            continue
        left, bottom, right, top = text.get_charbox(number)
        matrix = raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(text, number, ctypes.byref(matrix))
        size = abs(matrix.d) * raw.FPDFText_GetFontSize(text, number)
        yield Letter(
            left / MILLIMETRE, (high - top) / MILLIMETRE, right / MILLIMETRE, (high - bottom) / MILLIMETRE, size
        )


def words_of(page: pypdfium2.PdfPage) -> str:
    """The words of a page, with single spaces."""
    return " ".join(page.get_textpage().get_text_bounded().split())


def texts(scenes: Iterator[Scene] | tuple[Scene, ...]) -> list[Text]:
    """All texts of some scenes, in their order."""
    return [shape for shape in shapes(scenes) if isinstance(shape, Text)]


def said(scenes: Iterator[Scene] | tuple[Scene, ...]) -> str:
    """All words of some scenes."""
    return " ".join(text.text for text in texts(scenes))


def boxes(scenes: Iterator[Scene] | tuple[Scene, ...], side: float) -> list[Rectangle]:
    """The boxes in which a counter of this side has room, and a little more: none as large as a page."""
    found = [shape for shape in shapes(scenes) if isinstance(shape, Rectangle) and shape.stroke]
    return [one for one in found if min(one.width, one.height) >= side - 1e-6 and max(one.width, one.height) < 150]


def shapes(scenes: Iterator[Scene] | tuple[Scene, ...]) -> Iterator[Shape]:
    def inside(some: tuple[Shape, ...]) -> Iterator[Shape]:
        for shape in some:
            if isinstance(shape, Group):
                yield from inside(shape.shapes)
            else:
                yield shape

    for scene in scenes:
        for layer in scene.layers:
            yield from inside(layer.shapes)
