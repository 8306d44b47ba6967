"""The page to print: each battle with what came marked, the running luck of each side, as one picture, as pages, as HTML."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from assistant.drawing.scene import Group, Polyline, Rectangle, Scene, Shape, Text
from assistant.installed.registry import load_game
from assistant.records.luck.charts import running_chart, swing_chart
from assistant.records.luck.evening import Evening
from assistant.records.luck.page import luck_html, page_scenes, write_page
from assistant.util.errors import InputError

from ....conftest import typed
from ..explaining.played import CHECKS, DICE, OUTCOME
from .asked import evening_of, passage
from .test_calculation import TRUSTED, of_log

GAME = load_game("twilight-in-the-east")


@pytest.fixture(scope="module")
def evening() -> Evening:
    return of_log(*DICE, *CHECKS, OUTCOME)


@pytest.fixture(scope="module")
def many() -> Evening:
    position = typed(TRUSTED)
    answers = {"crt": "7", "slrt": "3/4", "losses": "29/20,27/3", "ec.40.19": "5", "ec.40.20": "12", "ec.41.19": "6"}
    given = {"at": "41.19", "attacker_ap": "3,20", "defender_ap": "1"}
    return evening_of(passage(position, "battle", answers, number, **given) for number in range(1, 20))


def shapes(scene: Scene) -> Iterator[Shape]:
    def flat(some: tuple[Shape, ...]) -> Iterator[Shape]:
        for shape in some:
            yield from flat(shape.shapes) if isinstance(shape, Group) else (shape,)

    return (shape for layer in scene.layers for shape in flat(layer.shapes))


def test_a_battle_is_drawn_with_all_it_might_have_come_to(evening: Evening) -> None:
    (battle,) = evening.battles
    chart = swing_chart(evening, GAME, battle)
    assert sum(chance for _, chance in chart.chances) == 1
    assert (chart.came, chart.expected) == (0, Fraction(-13, 108))
    assert chart.lines == ["lost (expected): Russian 2 (1.86), Central Powers 2 (1.74)", "percentile 54 (Russian)"]


def test_what_came_is_the_dark_column_and_the_highest_chance_the_highest(evening: Evening) -> None:
    (scene,) = page_scenes(evening, GAME, paged=False)
    chart = swing_chart(evening, GAME, evening.battles[0])
    columns = [shape for shape in shapes(scene) if isinstance(shape, Rectangle) and shape.height < 20]
    assert len(columns) == len(chart.chances)
    dark = [column for column in columns if column.fill == chart.colour]
    assert len(dark) == 1 and dark[0].height == max(column.height for column in columns)
    assert "33%" in [shape.text for shape in shapes(scene) if isinstance(shape, Text)]
    assert "came +0, expected -0.12, of -2 (13.3%), -1 (24.2%), +0 (32.9%)" in scene.description


def test_the_curve_of_each_side_ends_with_the_luck_of_its_own_rolls(evening: Evening) -> None:
    running = running_chart(evening, GAME)
    assert running is not None
    ends = {line.title: line.points[-1][1] for line in running.lines}
    assert ends == {total.title: total.own_luck for total in evening.sides}
    assert [len(line.points) for line in running.lines] == [7, 7] and running.marks == [(6, "1")]
    (scene,) = page_scenes(evening, GAME, paged=False)
    curves = [shape for shape in shapes(scene) if isinstance(shape, Polyline) and len(shape.points) == 7]
    assert len(curves) == 2 and len({curve.dash for curve in curves}) == 2


def test_pages_hold_all_battles_and_nothing_beyond_their_edge(many: Evening) -> None:
    pages = page_scenes(many, GAME, paged=True)
    assert len(pages) > 1 and {(page.width, page.height) for page in pages} == {(190.0, 277.0)}
    texts = [shape for page in pages for shape in shapes(page) if isinstance(shape, Text)]
    assert all(0 < text.x < 190 and 0 < text.y < 277 for text in texts)
    heads = [text.text for text in texts if text.bold and text.text[:1].isdigit() and ". Battle" in text.text]
    assert len(heads) == 19


def test_html_needs_nothing_else_has_every_roll_and_its_names_are_text(evening: Evening) -> None:
    page = luck_html(evening, GAME)
    assert page.count("<svg") == 2 and "src=" not in page and "href=" not in page and "<script" not in page
    assert "Effectiveness Check in 40.20: 0 of 2 passed (Russian)" in page
    assert "1 battle rests on made-up charts" in page
    (battle,) = evening.battles
    named = msgspec.structs.replace(evening, battles=(msgspec.structs.replace(battle, title="<b>Hill & Dale</b>"),))
    assert "&lt;b&gt;Hill &amp; Dale&lt;/b&gt;" in luck_html(named, GAME) and "<b>Hill" not in luck_html(named, GAME)


@pytest.mark.parametrize(
    ("ending", "begins"), [(".html", b"<!DOCTYPE"), (".pdf", b"%PDF"), (".svg", b"<svg"), (".png", b"\x89PNG")]
)
def test_each_kind_of_page_is_written_whole_and_not_over_another(
    evening: Evening, tmp_path: Path, ending: str, begins: bytes
) -> None:
    path = tmp_path / f"luck{ending}"
    write_page(evening, GAME, path)
    assert path.read_bytes().startswith(begins)
    with pytest.raises(InputError):
        write_page(evening, GAME, path)
    write_page(evening, GAME, path, force=True)


def test_an_evening_without_a_battle_has_a_page_too(tmp_path: Path) -> None:
    empty = of_log()
    assert running_chart(empty, GAME) is None
    write_page(empty, GAME, tmp_path / "luck.pdf")
    assert "Luck in" in luck_html(empty, GAME)
