"""Other counters of a unit: with other values, in another look, on a face of their own; and faces for markers."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assistant.drawing.scene import Symbol, Text
from assistant.game.games import read_game
from module_builder.cli import cli
from module_builder.counters.checks import counter_faults, counter_remarks
from module_builder.counters.faces import Cut
from module_builder.counters.look_checks import look_remarks
from module_builder.counters.pieces import Counter, counters_and_markers
from module_builder.new import new_game

LATE = """
[alternatives."Lancers 1916"]
of = "Lancers"
values = { attack = 1, unit = "Lancers foot" }

[alternatives."Lancers 1916".colours]
ground = "#d8d8d8"
"""
FACE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#123456"/></svg>'


@pytest.fixture
def drill(tmp_path: Path) -> Path:
    new_game(tmp_path / "drill")
    return tmp_path / "drill"


def made(folder: Path, more: str) -> dict[str, Counter]:
    file = folder / "counters.toml"
    file.write_text(file.read_text("utf-8") + more, "utf-8")
    return {counter.unit: counter for counter in counters_and_markers(read_game("drill", folder), Cut(), "colour")}


def shown(counter: Counter) -> list[str]:
    return [shape.text for shape in counter.front.layers[0].shapes if isinstance(shape, Text)]


def test_another_counter_has_the_values_of_its_unit_but_for_those_stated(drill: Path) -> None:
    drawn = made(drill, LATE)
    own, other = drawn["Lancers"], drawn["Lancers 1916"]
    assert list(drawn).index("Lancers 1916") == list(drawn).index("Lancers") + 1
    assert {"Lancers", "2", "1", "6"} <= set(shown(own))
    assert {"Lancers foot", "1", "6"} <= set(shown(other))
    assert "2" not in shown(other)
    first = other.front.layers[0].shapes[0]
    assert first.fill == "#d8d8d8"  # type: ignore[union-attr]
    assert other.nation == own.nation


def test_a_face_of_its_own_is_found_by_its_name(drill: Path) -> None:
    (drill / "faces").mkdir()
    (drill / "faces" / "Lancers 1916.svg").write_text(FACE, "utf-8")
    drawn = made(drill, LATE)
    assert any(isinstance(shape, Symbol) and shape.width > 15 for shape in drawn["Lancers 1916"].front.layers[0].shapes)
    assert "Lancers" in shown(drawn["Lancers"])
    assert not [line for line in look_remarks(read_game("drill", drill)) if "faces" in line]


def test_a_marker_may_have_a_face_of_its_own(drill: Path) -> None:
    marker = next(name for name, counter in made(drill, "").items() if counter.is_marker)
    track, _, values = marker.partition(" ")
    (drill / "faces").mkdir()
    (drill / "faces" / f"{track} {values.rpartition('/')[2]}.svg").write_text(FACE, "utf-8")
    drawn = made(drill, "")[marker]
    first, *_, last = *values.split("/"), values.split("/")[-1]
    for face, value in ((drawn.front, first), (drawn.back, last)):
        assert face is not None
        own = any(isinstance(shape, Symbol) and shape.width > 15 for shape in face.layers[0].shapes)
        assert own == (value == last), value
    assert not [line for line in look_remarks(read_game("drill", drill)) if "faces" in line]


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(cli, [str(word) for word in words])


def test_it_is_printed_by_its_name_on_the_sheets_and_not_in_the_module(drill: Path) -> None:
    before = run("sheets", drill, "-o", drill / "before.pdf").stdout
    made(drill, LATE)
    after = run("sheets", drill, "-o", drill / "after.pdf").stdout
    counts = [int(text.partition(": ")[2].split()[0]) for text in (before, after)]
    assert counts[1] == counts[0] + 1
    done = run("counters", drill, "--only", "Lancers 1916", "--out", drill / "drawn")
    assert done.exit_code == 0, done.stderr
    assert sorted(file.name for file in (drill / "drawn").iterdir()) == [
        "Lancers-1916-back.png",
        "Lancers-1916-front.png",
    ]
    done = run("module", drill, "--out", drill / "drill.vmod")
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('[alternatives.X]\nof = "Lancer"', "[alternatives.X]: unknown unit 'Lancer'"),
        ('[alternatives.X]\nof = "Lancers"\nvalues = { atack = 3 }', "[alternatives.X]: unknown printed track 'atack'"),
        ('[alternatives.X]\nof = "Lancers"\nvalues = { attack = "many" }', "[alternatives.X] values: "),
        ('[alternatives.Lancers]\nof = "Lancers"', "[alternatives.Lancers] is the name of a unit"),
        ('[alternatives.X]\nof = "Lancers"\nfrom = 1', "unknown key"),
        ('[alternatives.X]\nof = "Lancers"\nslots.name.text = "{nme}"', "[alternatives.X.slots.name] text"),
    ],
)
def test_a_mistake_is_told_with_its_place(drill: Path, more: str, said: str) -> None:
    file = drill / "counters.toml"
    file.write_text(f"{more}\n", "utf-8")
    faults = [str(fault) for fault in counter_faults(read_game("drill", drill))]
    assert any(said in fault and "counters.toml:" in fault for fault in faults), faults


def test_a_unit_that_is_not_there_is_refused_where_it_is_drawn(drill: Path) -> None:
    made(drill, "")
    (drill / "counters.toml").write_text('[alternatives.X]\nof = "Lancer"\n', "utf-8")
    done = run("sheets", drill, "-o", drill / "x.pdf")
    assert done.exit_code == 3
    assert "unknown unit 'Lancer'" in done.stderr
    assert "Lancers" in done.stderr


def test_what_finds_no_room_on_it_is_told(drill: Path) -> None:
    made(drill, LATE.replace("Lancers foot", "Lancers of the Guard, dismounted for good"))
    assert any("counter Lancers 1916" in line for line in counter_remarks(read_game("drill", drill)))
