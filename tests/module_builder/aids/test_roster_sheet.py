"""The roster sheet: a row for each counter, a box for each step, level and point."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.drawing.scene import Rectangle
from assistant.game.games import read_game
from assistant.game.lint.course import find_course_faults
from assistant.installed.registry import installed_games, load_game
from assistant.util.errors import InputError
from module_builder.aids.cards import CARDS, choose_cards, pack_cards, troubles
from module_builder.new import new_game

from .moor import said, shapes, texts, wanted

TWILIGHT = "twilight-in-the-east"


def boxes_in_row(name: str, unit: str) -> int:
    """The boxes on the line of a unit, within its column."""
    (card,) = CARDS["roster"](wanted(load_game(name)))
    for page in card.pages:
        for text in texts((page,)):
            if text.text == unit:
                drawn = [shape for shape in shapes((page,)) if isinstance(shape, Rectangle) and shape.stroke]
                level = [
                    box for box in drawn if box.y < text.y < box.y + box.height and 0 < box.x - text.x < page.width / 2
                ]
                return len(level)
    raise AssertionError(unit)


def test_a_division_has_a_box_for_each_step_and_level_and_a_depot_for_each_point() -> None:
    assert boxes_in_row(TWILIGHT, "1/1") == 12 + 4
    assert boxes_in_row(TWILIGHT, "NINTH Minor Depot") == 4
    assert boxes_in_row("der-weltkrieg", "GE 4Es") == 7


def test_an_unknown_number_has_one_box_to_write_in() -> None:
    assert boxes_in_row(TWILIGHT, "35 r") == 1


@pytest.mark.parametrize("name", [TWILIGHT, "der-weltkrieg"])
def test_every_counter_with_steps_has_a_row(name: str) -> None:
    game = load_game(name)
    (card,) = CARDS["roster"](wanted(game))
    lines = [text.text for text in texts(card.pages) if text.bold]
    lost = next(track for track in game.tracks.values() if track.on == "unit" and track.below)
    steps = {unit: facts[0].value for unit in game.counters if (facts := game.roster[unit].get(lost.below))}
    wanted_units = [unit for unit, number in steps.items() if number]
    known = {line for line in lines if line in game.counters}
    assert len(known) > 60
    assert sum(unit not in known for unit in wanted_units) < 12  # names shortened as on their counters


def test_a_formation_that_goes_on_in_the_next_column_has_its_heading_again() -> None:
    (card,) = CARDS["roster"](wanted(load_game("der-weltkrieg"), nation="german"))
    assert "Germany: Infantry, continued" in said(card.pages)
    for page in card.pages:
        heads = [text for text in texts((page,)) if text.text.startswith("Unit")]
        rows = [text for text in texts((page,)) if text.text.startswith("GE ")]
        assert all(any(0 < row.y - head.y < 9 for row in rows) for head in heads), "a head without a row"


@pytest.mark.parametrize("name", installed_games())
def test_nothing_is_cut_off(name: str) -> None:
    aids = wanted(load_game(name))
    if CARDS["roster"](aids):
        assert [*troubles(pack_cards(choose_cards(aids, ["roster"])))] == []


def test_it_is_printed_only_if_it_is_named() -> None:
    assert "roster" not in {card.name for card in choose_cards(wanted(load_game(TWILIGHT)), [])}


def test_a_tally_of_an_unknown_track_is_a_fault(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    file = tmp_path / "drill/course.toml"
    file.write_text(file.read_text("utf-8") + '\n[[tally]]\ntrack = "stepz"\ntitle = "Steps"\n', "utf-8")
    faults: list[InputError] = []
    find_course_faults(read_game("drill", tmp_path / "drill"), faults.append)
    assert any("stepz" in fault.what for fault in faults)
