"""Counters made up for the tests: each face has a ground and a spot of a colour that no other face has."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.drawing.scene import Layer, Rectangle, Scene, Text
from module_builder.counters.pieces import Counter
from module_builder.sheets.layout import Fold, SheetSetting
from module_builder.sheets.sizes import DIES, PAPERS

GROUNDS = ("#e0e0c0", "#c0e0e0")


def spot(number: int, *, back: bool) -> str:
    """The colour of the spot of a face, from 0 to 99: dark, and like no other on a page."""
    return f"#{8 + number % 12 * 8:02x}{8 + number // 12 * 8:02x}{'78' if back else '00'}"


def face(side: float, bleed: float, ground: str, colour: str, words: str = "", stripe: str = "") -> Scene:
    """A face with a spot at its upper left, 2 mm inside the trim. stripe: the colour of its top, bleed included."""
    whole = side + 2 * bleed
    shapes = [Rectangle(x=0, y=0, width=whole, height=whole, fill=ground)]
    if stripe:
        shapes.append(Rectangle(x=0, y=0, width=whole, height=bleed + 3, fill=stripe))
    shapes.append(Rectangle(x=bleed + 4, y=bleed + 4, width=3, height=3, fill=colour))
    texts = [Text(x=whole / 2, y=whole - bleed - 4, text=words, size=3, anchor="middle")] if words else []
    return Scene(width=whole, height=whole, title=words, layers=(Layer("counter", (*shapes, *texts)),))


def counter(number: int, setting: SheetSetting, ground: str = GROUNDS[0], count: int = 1, stripe: str = "") -> Counter:
    front, back = (
        face(setting.die, setting.bleed, ground, spot(number, back=back), f"{number}", stripe) for back in (False, True)
    )
    nation = ground
    return Counter(str(number), "", front, back, (), setting.die, setting.bleed, "", nation, ground, count)


def counters(numbers: Iterable[int], setting: SheetSetting, split: int = 1000) -> list[Counter]:
    """Counters of one ground, and from the number `split` on of another."""
    return [counter(number, setting, GROUNDS[number >= split]) for number in numbers]


def setting(fold: Fold = "gutter", paper: str = "a4", die: str = "5/8", bleed: float = 1.5) -> SheetSetting:
    return SheetSetting(PAPERS[paper], fold, DIES[die], bleed)
