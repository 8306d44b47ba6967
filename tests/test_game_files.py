"""docs/making/game-files.md names every key that a game's files may have, and docs/making/questions.md every part of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

import msgspec
import pytest

from assistant.asking.question import Question
from assistant.game import course, gamefile
from assistant.game.boards.head import BoardFile
from assistant.game.calendar import CalendarFile
from assistant.game.charts import Chart
from assistant.game.events import AccountLevel, DebtRow, Events, EventWord
from assistant.game.hexes import HexGrid
from assistant.game.rulings import Ruling
from assistant.game.schedule_rows import ScheduleRow
from assistant.installed.registry import load_game
from assistant.state.changes import AnyChange
from assistant.state.tracks import InModule, Owed, Source, Track
from module_builder.counters.design import Choice, CountersFile, FigureItem, MarkerDesign, Slot, Style

from .pages import ROOT

PAGE = (ROOT / "docs/making/game-files.md").read_text("utf-8")
SECTIONS = {
    "game.toml": gamefile.GameFile,
    "[grid]": HexGrid,
    "[notation]": gamefile.Notation,
    "[[roster]]": gamefile.RosterFile,
    "[combat]": gamefile.ClassicCombat,
    "[picture]": gamefile.PictureTracks,
    "[intelligence]": gamefile.Intelligence,
    "[demo]": gamefile.Demo,
    "[start]": gamefile.PageStart,
    "[table]": gamefile.TablePrompt,
    "[module]": gamefile.VassalModule,
    "tracks.toml": Track,
    "What is owed": Owed,
    "[NAME.module]": InModule,
    "charts.toml": Chart,
    "course.toml": course.CourseFile,
    "[turns]": course.TurnRecord,
    "[calendar]": CalendarFile,
    "events.toml": Events,
    "[event.WORD]": EventWord,
    "[[level]]": AccountLevel,
    "[[debt]]": DebtRow,
    "Schedules": ScheduleRow,
    "[[turns.figures]]": course.Figure,
    "[[phase]]": course.Phase,
    "[[phase.steps]]": course.CourseStep,
    "[organisation]": course.Organisation,
    "[[army]]": course.Army,
    "[[record]]": course.RecordTrack,
    "Boards": BoardFile,
    "rulings.csv": Ruling,
}
IN_COUNTERS: tuple[type[msgspec.Struct], ...] = (CountersFile, Style, Slot, FigureItem, Choice, MarkerDesign)
"""What counters.toml has."""
COUNTERS = (ROOT / "docs/printing/counters.md").read_text("utf-8")
#: What the title of a section gives, and what only the program fills in.
UNTYPED = {Track: {"name"}, Chart: {"name", "cells"}}


def sections() -> Iterator[tuple[str, str]]:
    """The sections of the page, each with its title."""
    _, *parts = re.split(r"^#+ ", PAGE, flags=re.MULTILINE)
    for part in parts:
        title, _, text = part.partition("\n")
        yield title, text


@pytest.mark.parametrize("title", SECTIONS)
def test_every_key_is_named(title: str) -> None:
    kind: type[msgspec.Struct] = SECTIONS[title]
    text = dict(sections())[title]
    keys = {field.encode_name for field in msgspec.structs.fields(kind)} - UNTYPED.get(kind, set())
    assert {key for key in keys if f"`{key}`" not in text} == set()


@pytest.mark.parametrize("kind", IN_COUNTERS)
def test_every_key_of_a_design_is_named(kind: type[msgspec.Struct]) -> None:
    keys = [field.encode_name for field in msgspec.structs.fields(kind)]
    assert [key for key in keys if f"`{key}`" not in COUNTERS] == []


@pytest.mark.parametrize("part", ["keys", "fields"])
def test_every_key_of_a_chart_s_parts_is_named(part: str) -> None:
    (kind,) = {field.type for field in msgspec.structs.fields(Chart) if field.name == part}
    item = msgspec.inspect.type_info(kind).item_type  # type: ignore[union-attr]
    text = dict(sections())["charts.toml"]
    assert all(re.search(rf"`{field.encode_name}\b", text) for field in item.fields)


@pytest.mark.parametrize("title", [title for title in SECTIONS if title != "rulings.csv"])
def test_no_key_is_named_that_does_not_exist(title: str) -> None:
    rows = re.findall(r"^\| (`[^|]+) \|", dict(sections())[title], re.MULTILINE)
    named = {key for row in rows for key in re.findall(r"`([a-z_]+)`", row)}
    assert named <= {field.encode_name for field in msgspec.structs.fields(SECTIONS[title])}


@pytest.mark.parametrize("title", [title for title in SECTIONS if title not in ("rulings.csv", "Boards")])
def test_what_a_table_needs_is_marked(title: str) -> None:
    rows = re.findall(r"^\| (`[^|]+) \|(.*)$", dict(sections())[title], re.MULTILINE)
    marked = {key for row, text in rows if "required" in text for key in re.findall(r"`([a-z_]+)`", row)}
    fields = msgspec.structs.fields(SECTIONS[title])
    needed = {field.encode_name for field in fields if field.required} - UNTYPED.get(SECTIONS[title], set())
    assert marked == needed


def test_every_source_is_named() -> None:
    assert all(f"`{source.value}`" in PAGE for source in Source)


@pytest.mark.parametrize("kind", [Question, *get_args(AnyChange)], ids=lambda kind: kind.__name__)
def test_every_part_of_a_question_is_named(kind: type[msgspec.Struct]) -> None:
    page = (ROOT / "docs/making/questions.md").read_text("utf-8")
    assert f"`{kind.__name__}`" in page
    if kind is Question:
        assert all(f"`{name}`" in page for name in kind.__struct_fields__)


NOTHING_THERE = ("none", "open", "clear", "elsewhere", "other")
"""The words for a place that has nothing of what a track tells, besides those that begin with `no-`."""
EVERYWHERE = {"country": ("germany", "russia"), "front-1915": (), "front-1916": ()}
"""The tracks of which each hex has one of the values, by their values where games differ."""


@pytest.mark.parametrize("game", ["kaisers-war-in-the-east", "world-undone-east-prussia-1914"])
def test_of_each_feature_of_the_map_it_can_be_stated_that_a_place_has_none(game: str) -> None:
    """What silence leaves unknown is asked for, and then must have an answer in each case that a rule distinguishes."""
    for track in load_game(game).tracks.values():
        if track.printed != "map" or track.kind != "choice" or track.absent is not None:
            continue
        if track.name in EVERYWHERE and EVERYWHERE[track.name] in ((), track.values):
            continue
        said = [word for word in track.values if word in NOTHING_THERE or word.startswith("no-")]
        assert said, f"{track.name} of {game} has no word for none"
        assert track.parse(said[0]) == track.check(said[0])
