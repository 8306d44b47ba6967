"""The lettering of all pictures: widths and pairs, what fits a place, and what the face lacks."""

# ruff: noqa: RUF001 (letters that look alike are meant)

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.svgLib.path.parser import parse_path
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st

from assistant.drawing.lettering import (
    FIGURE_HEIGHT,
    base_line,
    fit_line,
    fit_lines,
    font_file,
    ink_extent,
    ink_rise,
    kern_text,
    missing_letters,
    outline,
    text_width,
    wrap,
)
from assistant.drawing.scene import Text
from assistant.util.typesetting import set_in_type
from tests.fonts import FOLDER, PAGE_LETTERS
from tests.growth import grows_evenly

ROOT = Path(__file__).parents[3]


def font(bold: bool) -> TTFont:
    return TTFont(BytesIO(font_file(bold=bold)))


@pytest.mark.parametrize("bold", [False, True])
def test_widths_outlines_and_ink_are_those_of_the_fonts(bold: bool) -> None:
    face = font(bold)
    widths = {chr(code): face["hmtx"][glyph][0] for code, glyph in face.getBestCmap().items()}
    assert len(widths) > 480
    assert {letter: kern_text(letter, bold=bold).width for letter in widths} == widths
    face = font(bold)
    outlines = face.getGlyphSet()
    for code, glyph in face.getBestCmap().items():
        printed, drawn = BoundsPen(outlines), BoundsPen(None)
        outlines[glyph].draw(printed)
        parse_path(outline(chr(code), bold=bold), drawn)
        if printed.bounds is None:
            assert drawn.bounds is None
        else:
            left, low, right, high = printed.bounds
            assert drawn.bounds == pytest.approx((left, -high, right, -low), abs=2), chr(code)
    face = font(bold)
    outlines = face.getGlyphSet()
    for code, glyph in face.getBestCmap().items():
        printed = BoundsPen(outlines)
        outlines[glyph].draw(printed)
        left, low, right, high = printed.bounds or (0, 0, 0, 0)
        found = ink_extent(chr(code), bold=bold)
        assert found == pytest.approx((left / 1000, -high / 1000, right / 1000, -low / 1000), abs=0.02), chr(code)


def test_face_of_the_page_is_the_bold_one_with_fewer_letters() -> None:
    kept, bold = TTFont(FOLDER / "Condensed-Page.ttf"), font(bold=True)
    names = kept.getBestCmap()
    assert set(names) == set(map(ord, PAGE_LETTERS))
    for code, glyph in names.items():
        ours, drawn = RecordingPen(), RecordingPen()
        kept.getGlyphSet()[glyph].draw(ours)
        bold.getGlyphSet()[bold.getBestCmap()[code]].draw(drawn)
        assert (ours.value, kept["hmtx"][glyph]) == (drawn.value, bold["hmtx"][bold.getBestCmap()[code]]), chr(code)


def test_ink_of_a_word_reaches_from_its_first_letter_to_its_last_as_outlines_do() -> None:
    word, one, last = (ink_extent(text, bold=True) for text in ("1yn", "1", "n"))
    assert word.left == one.left
    assert word.right == pytest.approx(text_width("1yn", 1, bold=True) - text_width("n", 1, bold=True) + last.right)
    assert word.bottom > 0.2 > one.bottom
    assert ink_extent(" ") == ink_extent("") == (0, 0, 0, 0)
    assert ink_rise(" ") == ink_rise("") == (0, 0)
    begins = [int(x) for x in re.findall("M(-?[0-9]+) ", outline("HV H", bold=True))]
    assert begins[2] - begins[0] == kern_text("HV H", bold=True).width - kern_text("H", bold=True).width
    assert outline(" ") == outline("") == ""


@pytest.mark.parametrize("text", ["1/1", "Königsberg", "det 22+24/1", "*", "Ź ą", "(\N{MINUS SIGN}1)"])
def test_how_far_ink_rises_and_falls_is_that_of_the_whole_text(text: str) -> None:
    whole = ink_extent(text, bold=True)
    assert ink_rise(text, bold=True) == pytest.approx((whole.top, whole.bottom))


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("-1", "\u22121"),
        ("-4: worn", "\u22124: worn"),
        ("(-2)", "(\u22122)"),
        ("x -1", "x \u22121"),
        ("+3 X / -2", "+3 X / \u22122"),
        ("+1 / -", "+1 / \u2212"),
        ("-", "\u2212"),
        ("[-]", "[\u2212]"),
        ("GE 4-", "GE 4-"),
        ("D-1", "D-1"),
        ("Rus-inf-4", "Rus-inf-4"),
        ("10-?-5-10", "10-?-5-10"),
        ("the rules 16-16, 16-17", "the rules 16-16, 16-17"),
        ("1914-1916", "1914\u20131916"),
        ("the winter of 1916-17", "the winter of 1916\u201317"),
        ("column 50-99 %", "column 50\u201399 %"),
        ("the dice - 2d6 - decide", "the dice \u2013 2d6 \u2013 decide"),
        ('"35 r", ("3 c")', "\u201c35 r\u201d, (\u201c3 c\u201d)"),
        ('2512 +"GE"', "2512 +\u201cGE\u201d"),
        ("the enemy's, both sides' and 'his'", "the enemy\u2019s, both sides\u2019 and \u2018his\u2019"),
    ],
)
def test_signs_of_a_keyboard_are_set_in_type(typed: str, printed: str) -> None:
    assert set_in_type(typed) == set_in_type(printed) == printed
    assert Text(x=0, y=0, text=typed, size=3).text == printed
    assert Text(x=0, y=0, text=typed, size=3, typed=True).text == typed
    assert " ".join(wrap(typed, 3, 12)) == " ".join(fit_lines(typed, 3, 99, 9, min_size=2).lines) == printed
    assert " ".join(wrap(typed, 3, 12, typed=True)) == typed


@pytest.mark.parametrize("bold", [False, True])
def test_figures_stand_in_columns_of_a_small_and_open_font(bold: bool) -> None:
    (width,) = {text_width(figure, 1, bold=bold) for figure in "0123456789"}
    assert width <= 0.46
    assert text_width("1386890", 1, bold=bold) == pytest.approx(7 * width)
    assert len(font_file(bold=bold)) < 60_000
    assert "Open Font License" in str(font(bold)["name"].getDebugName(13))
    assert "SIL OPEN FONT LICENSE" in (ROOT / "images" / "fonts" / "OFL.txt").read_text("utf-8")


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize(("letter", "height"), [("H", FIGURE_HEIGHT), ("1", FIGURE_HEIGHT)])
def test_heights(letter: str, height: float, bold: bool) -> None:
    face = font(bold)
    drawn = BoundsPen(face.getGlyphSet())
    face.getGlyphSet()[face.getBestCmap()[ord(letter)]].draw(drawn)
    assert drawn.bounds[1::2] == pytest.approx((0, height * 1000), abs=7)


def test_everything_that_comes_with_the_project_can_be_written() -> None:
    kinds = {".toml", ".csv", ".pos"}
    only_read = "nations.toml"  # words that the titles of others' modules are looked up in
    files = [path for name in ("assistant", "module_builder", "plugins") for path in (ROOT / name).rglob("*")]
    texts = {path.name: path.read_text("utf-8") for path in files if path.suffix in kinds and path.name != only_read}
    assert {name: missing for name, text in texts.items() if (missing := missing_letters(text))} == {}


@pytest.mark.parametrize(
    ("text", "missing", "shown"),
    [
        ("字 and 字", "字", "◊ and ◊"),
        ("ḱ", "ḱ", "k"),
        ("e\u0328", "", "ę"),
        ("a\tb\u2003c", "", "a b c"),
        ("\x00", "\x00", "◊"),
    ],
)
def test_what_the_face_lacks_is_named_and_its_place_kept(text: str, missing: str, shown: str) -> None:
    assert missing_letters(text) == missing
    assert kern_text(text).text == shown
    assert text_width(text, 5) == text_width(shown, 5)


@given(st.text("AVTo1‒ Łя", max_size=9))
def test_a_width_is_the_sum_of_letters_and_pairs(text: str) -> None:
    alone = sum(kern_text(letter).width for letter in text)
    pairs = sum(
        kern_text(one + other).width - kern_text(one).width - kern_text(other).width for one, other in pairwise(text)
    )
    assert kern_text(text).width == alone + pairs == alone + sum(kern_text(text).kerns)


@given(text=st.text(max_size=80), width=st.floats(3, 60))
def test_fitted_text_fits(text: str, width: float) -> None:
    found = fit_line(text, 3, width, min_size=1.5, bold=True)
    assert found.size <= 3
    assert text_width(found.lines[0], found.size, bold=True) <= width * 1.0001
    assert found.cut or found.lines == (set_in_type(text),)


def test_a_word_is_broken_after_its_own_hyphen_and_two_lines_are_taken_where_they_are_larger() -> None:
    found = fit_lines("Main Reserve", 3, 9, 5, min_size=1, bold=True)
    assert found.lines == ("Main", "Reserve")
    assert fit_lines("25/3", 3, 12, 5, min_size=1, bold=True).lines == ("25/3",)
    assert len(fit_lines("Main Reserve", 3, 9, 3, min_size=1.6, bold=True).lines) == 1
    assert [*wrap("in November-December 1914", 2.4, 12, broken=True)] == ["in", "November-", "December", "1914"]
    assert [*wrap("in November-December 1914", 2.4, 12)] == ["in", "November-December", "1914"]


@given(st.lists(st.text("AVTo1.", min_size=1, max_size=9), min_size=2, max_size=12), st.booleans())
def test_two_lines_are_the_most_even_ones(words: list[str], bold: bool) -> None:
    def longer(lines: tuple[str, ...]) -> float:
        return max(text_width(line, 1, bold=bold) for line in lines)

    text = " ".join(words)
    found = fit_lines(text, 3, text_width(text, 3, bold=bold) * 0.9, 6, min_size=0.1, bold=bold)
    every = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    assert longer(found.lines) == min(map(longer, every)) or len(found.lines) == 1


@pytest.mark.parametrize("piece", ["N", "N "])
def test_a_long_text_takes_as_much_more_work_as_it_has_letters(piece: str) -> None:
    def make(many: int) -> Callable[[], object]:
        def act() -> None:
            kern_text.cache_clear()
            fit_lines(piece * many, 3, 10, 6, min_size=1.5)

        return act

    assert grows_evenly(make, larger=40)


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=9), min_size=1))
def test_wrapping_loses_no_word(words: list[str]) -> None:
    lines = wrap(" ".join(words), 3, 40)
    assert " ".join(lines).split() == words
    assert all(text_width(line, 3) <= 40 or " " not in line for line in lines)


@given(st.lists(st.text("abcdefgh-", min_size=1, max_size=60), min_size=1), st.floats(6, 40))
def test_broken_words_lose_no_letter_and_fit(words: list[str], width: float) -> None:
    lines = wrap(" ".join(words), 3, width, broken=True, typed=True)
    assert "".join(lines).replace("-", "").replace(" ", "") == "".join(words).replace("-", "")
    assert all(kern_text(line).width * 3 / 1000 <= width for line in lines)


@given(y=st.floats(-50, 50), size=st.floats(0.5, 20), lines=st.integers(1, 4), pitch=st.floats(0.8, 1.5))
def test_capitals_are_centred(y: float, size: float, lines: int, pitch: float) -> None:
    first = base_line(y, size, lines, pitch)
    top, foot = first - FIGURE_HEIGHT * size, first + (lines - 1) * pitch * size
    assert (top + foot) / 2 == pytest.approx(y, abs=1e-9)
