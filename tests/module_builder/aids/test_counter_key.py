"""The aid "How to read a counter": what it explains, and that no line hides what it points at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.drawing.lettering import ink_extent, text_width
from assistant.drawing.scene import ANCHORS, Group, Polyline, Scene, Text
from assistant.game.games import read_game
from assistant.game.rule_faults import quoted_rule_faults
from assistant.installed.registry import installed_games, load_game
from assistant.util.datafiles import read_text
from assistant.util.errors import InputError
from module_builder.aids.cards import CARDS
from module_builder.counters.checks import counter_faults
from module_builder.new import new_game

from .moor import said, shapes, texts, wanted

TWILIGHT = "twilight-in-the-east"
CITING = re.compile("means = |^back = ")
STEPS = 60
"""The points of a line that are looked at."""


def test_each_figure_of_a_counter_has_a_callout_with_its_rule() -> None:
    (card,) = CARDS["counter"](wanted(load_game(TWILIGHT)))
    words = said(card.pages)
    for title in ("Unit ID", "Unit size (3.3.2)", "Movement Allowance", "Artillery Value", "Defence Strength", "Steps"):
        assert title in words
    assert "Extended Mode" in words and "National crest (26.2.1)" in words


def test_an_explanation_is_printed_once() -> None:
    (card,) = CARDS["counter"](wanted(load_game(TWILIGHT)))
    words = said(card.pages)
    assert words.count("Rail Cost Points") > 1 and words.count("what the unit costs to carry") == 1


def test_the_key_has_every_sign_of_the_counters_and_no_other() -> None:
    (card,) = CARDS["counter"](wanted(load_game(TWILIGHT)))
    found = {text.text for text in texts(card.pages)}
    assert {"Landwehr infantry", "Rifles", "High trajectory", "Division", "Battalion", "Austro-Hungarian"} <= found
    assert not {"Corps", "Tank", "Heavy artillery"} & found
    (german,) = CARDS["counter"](wanted(load_game(TWILIGHT), nation="german"))
    assert "Russian" not in {text.text for text in texts(german.pages)}


@pytest.mark.parametrize("name", installed_games())
def test_no_leader_hides_a_figure(name: str) -> None:
    """Every point of a line within a counter is clear of the ink of texts, unless it ends there."""
    (card,) = CARDS["counter"](wanted(load_game(name)))
    found = 0
    for page in card.pages:
        inks = [ink_box(text) for group in groups(page) for text in group.shapes if isinstance(text, Text)]
        for leader in (shape for shape in shapes((page,)) if isinstance(shape, Polyline) and shape.casing):
            found += 1
            (x0, y0), (x1, y1) = leader.points[-2:]
            for step in range(STEPS):
                x, y = x1 + (x0 - x1) * step / STEPS, y1 + (y0 - y1) * step / STEPS
                hidden = [ink for ink in inks if ink[0] < x < ink[2] and ink[1] < y < ink[3]]
                assert not hidden, (page.title, leader.points, hidden)
    assert found > 10


def groups(page: Scene) -> Iterator[Group]:
    return (shape for layer in page.layers for shape in layer.shapes if isinstance(shape, Group))


def ink_box(text: Text) -> tuple[float, float, float, float]:
    ink, width = ink_extent(text.text, bold=text.bold), text_width(text.text, text.size, bold=text.bold)
    left = text.x - ANCHORS[text.anchor] * width
    return (
        left + ink.left * text.size,
        text.y + ink.top * text.size,
        left + ink.right * text.size,
        text.y + ink.bottom * text.size,
    )


@pytest.mark.parametrize("name", installed_games())
def test_explanations_name_rules_of_the_game(name: str) -> None:
    game = load_game(name)
    explained = [line for line in read_text(game.folder / "counters.toml").splitlines() if CITING.search(line)]
    cited = [" ".join(re.findall(r"\(([0-9][^()]*)\)", line)) for line in explained]
    assert any(cited) or name == "der-weltkrieg"
    assert [*quoted_rule_faults(game, cited, "counters.toml")] == []


def test_a_game_without_a_choice_explains_its_fullest_counter(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    game = read_game("drill", tmp_path / "drill")
    (card,) = CARDS["counter"](wanted(game))
    assert any(unit in said(card.pages) for unit in game.counters)


def test_an_unknown_unit_is_refused(tmp_path: Path) -> None:
    new_game(tmp_path / "drill")
    file = tmp_path / "drill/counters.toml"
    old = file.read_text("utf-8") if file.exists() else ""
    file.write_text(old + '\n[explained.Foot]\nunit = "Lancer"\n', "utf-8")
    game = read_game("drill", tmp_path / "drill")
    (fault,) = counter_faults(game)
    assert "unknown unit 'Lancer'" in fault.what and "Lancers" in fault.hint
    with pytest.raises(InputError, match=r"explained\.Foot"):
        CARDS["counter"](wanted(game))
