"""The answer in sentences: each figure in it stands in the working, and one line holds it; of every example and set-up, and of
what can be asked of the units there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import assistant
from assistant.asking.asks import format_asks
from assistant.asking.messages import SAY
from assistant.asking.reference import FIGURES
from assistant.asking.report import (
    MAX_HEADLINE_CHARS,
    MAX_SHORT_LINES,
    MAX_SHORT_LINES_ON_PHONE,
    PHONE_COLUMNS,
    Report,
    format_changes,
    to_short,
    working,
)
from assistant.asking.view import View
from assistant.asking.wording import said_figures
from assistant.formats.positions import Asked, Position
from assistant.installed.registry import questions_of
from assistant.util.errors import InputError

from ...cases import few, thorough
from ...pages import ROOT

FILES = sorted(file for folder in ("examples", "setups") for file in ROOT.glob(f"plugins/*/{folder}/*.pos"))
_FIGURE = re.compile(r"\d+(?:[.:/]\d+)*%?")
_AND_MORE = re.compile(r"(?<=,) \d+ more|and \d+ more(?! by)")
#: What no reader should meet: a reason that is empty, a mark of notation outside what is to be typed, a count below zero.
_MISLEADING = re.compile(r": [:;,.]|: *$|\(\)|\?\d|(?<!\S)[a-z]+(?:-[a-z]+)*=\S|-\d+ \w+s? (?:left|lost|spent|missing)")
_TO_TYPE = re.compile(r"(?:state|ask|answers) [^\s]+=\S+|\((?:if|to|ask)[^)]*=[^)]*\)")
MOST_UNITS = 2
"""Of how many units of each side the questions are asked."""


@cache
def read(file: Path) -> Position:
    """A file as somebody who sees all reads it."""
    return assistant.read(file, side="")


def asked_of(position: Position) -> Iterator[Asked]:
    """What players ask of the first units of each side that are on the map: their supply, retreats, moves, reach and threats, and
    what an attack on them needs.
    """
    view, known = View(position.game, position.state), questions_of(position.game)
    standing = [unit for unit in view.units() if unit.place and view.board.is_hex(unit.place)]
    sides = {side: [unit for unit in standing if view.side_of(unit.id) == side] for side in position.game.file.sides}
    columns = {"kaisers-war-in-the-east": "100"}
    for side, units in sides.items():
        every: list[tuple[str, dict[str, object]]] = (
            [("supply", {"side": side}), ("threat", {"side": side})] if units else []
        )
        for unit in units[:MOST_UNITS]:
            at = str(unit.place)
            way, *_ = view.board.neighbours(at)
            for name in ("units", "unit"):
                every += [
                    ("move", {name: unit.id, "way": way}),
                    ("reach", {name: unit.id}),
                    ("supply", {name: unit.id}),
                ]
            every += [("retreat", {"units": unit.id, "at": at, "hexes": "1"}), ("threat", {"at": at})]
            every += [("battle", {"at": at}), ("need", {"at": at, "column": columns.get(position.game.id, "2:1")})]
        for name, parameters in every:
            if name in known:
                fields = known[name].parameters.__struct_encode_fields__
                taken = {key: value for key, value in parameters.items() if key in fields}
                if len(taken) == len(parameters) or name == "retreat":
                    yield Asked(name, taken)


def reports(file: Path, *, every: bool = False) -> Iterator[Report]:
    """The answers to the questions of a file. every: to those that can be asked of its units too."""
    position = read(file)
    for asked in (*position.asks, *(asked_of(position) if every else ())):
        try:
            yield assistant.ask(position, asked)
        except InputError:
            continue


def is_whole(report: Report) -> bool:
    """Whether the line says of whom it speaks: of a unit, hex, column or side that is in the title."""
    names = [word.strip(",.") for word in report.title.split() if re.search(r"\d", word)]
    return not names or any(name in report.headline for name in names)


def check_short(report: Report) -> None:
    """Hold an answer against what is promised of it."""
    after = (*format_asks(report.asks), *(text for texts in format_changes(report).values() for text in texts))
    full = " ".join((report.title, report.verdict.text, *working(report, 10**6), *after))
    said = _AND_MORE.sub("", " ".join(report.sentences))
    assert {*_FIGURE.findall(said)} <= {*_FIGURE.findall(full)}, said
    assert "\n" not in report.headline
    if report.sentences:
        assert len(report.headline) <= MAX_HEADLINE_CHARS, report.headline
        assert is_whole(report), report.headline
        assert not _MISLEADING.search(_TO_TYPE.sub("", f"{report.headline} {said}")), said
    for width, most in ((80, MAX_SHORT_LINES), (PHONE_COLUMNS, MAX_SHORT_LINES_ON_PHONE)):
        lines = to_short(report, width).splitlines()
        assert len(lines) <= most, lines
        assert all(len(line) <= width for line in lines if " " in line.strip()), lines


def check_reasons(report: Report) -> None:
    """See that nothing which an answer says lacks its reason."""
    for line in (report.title, *(step.text for part in report.parts for step in part.steps)):
        assert ": :" not in line
        assert ": ;" not in line
        assert not line.rstrip().endswith(":")
    for said in report.done:
        assert not re.search(r"no longer (?:may|is|has)|(?:left|spent|replacements\w*): -\d|CEL -", said), said


@few(12)
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_the_short_answer_is_short_gives_its_reasons_and_says_nothing_that_the_full_one_does_not(file: Path) -> None:
    for report in reports(file):
        check_short(report)
        check_reasons(report)


@thorough
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parts[-3]}-{file.stem}")
def test_whatever_is_asked_of_a_position_has_a_short_answer(file: Path) -> None:
    for report in reports(file, every=True):
        check_short(report)


def test_the_figures_of_all_messages_have_meanings() -> None:
    for name, template in SAY.templates.items():
        assert said_figures(template) <= FIGURES.keys(), name
