"""Supply shown on the map of a save: `--after` puts pieces there, another answer replaces them, and no position reads them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant.asking.line_sketch import LineSketch, LineWords, Marked, Origin, Strand
from assistant.drawing.answer import line_pieces
from assistant.formats.positions import Position
from assistant.formats.vassal.overlay import OVERLAY, OVERLAYS
from assistant.formats.vassal.pieces import Piece
from assistant.formats.vassal.saves import Save, read_save, write_save
from assistant.installed.registry import load_game
from assistant.records.mailing import carry_out, overlay_of
from assistant.service import ask, read
from assistant.state.changes import Change
from assistant.state.overlay import OverlayStep, Tint
from assistant.state.state import GameState, Unit
from assistant.state.tracks import Fact
from assistant.util.errors import InputError
from module_builder.vassal.module import build_module
from tests.saves import read_container

from ..cases import thorough

GAME = "twilight-in-the-east"
SET_UP = "19-August-1914-East-Prussia.vsav"


@pytest.fixture(scope="module")
def set_up(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("module") / SET_UP
    file.write_bytes(read_container(build_module(load_game(GAME)).data)[SET_UP])
    return file


@pytest.fixture(scope="module")
def older(set_up: Path) -> Path:
    """The set-up of a module that has no such pieces."""
    save = read_save(set_up.read_bytes())
    properties = {key: value for key, value in save.properties.items() if key[1] != OVERLAYS}
    file = set_up.with_name("older.vsav")
    file.write_bytes(write_save(msgspec.structs.replace(save, properties=properties)))
    return file


def after(source: Path, file: Path, **parameters: str) -> Save:
    """The save with the supply of some units on its map."""
    position = read(source)
    carry_out(position, ask(position, "supply", **parameters), source, file, force=True)
    return read_save(file.read_bytes())


def shows(save: Save) -> list[Piece]:
    return [piece for piece in save.pieces.values() if OVERLAY in piece.marks()]


@thorough
def test_the_states_of_units_and_the_lines_lie_on_the_map(set_up: Path, tmp_path: Path) -> None:
    save = after(set_up, tmp_path / "a.vsav", side="russian")
    marks = [piece.marks()[OVERLAY] for piece in shows(save)]
    assert {mark.split()[0] for mark in marks} == {"russian"}
    here = next(piece.at for piece in save.pieces.values() if piece.marks().get("unit") == "30/4")
    assert "russian full" in [piece.marks()[OVERLAY] for piece in shows(save) if piece.at == here]
    assert {"russian line 30", "russian line 90", "russian line 150"} < {*marks}


def test_a_line_lies_midway_between_its_hexes(set_up: Path, tmp_path: Path) -> None:
    """30/4 in 43.23 is supplied over 43.24, which lies right below."""
    save = after(set_up, tmp_path / "a.vsav", unit="30/4")
    x, y = next(piece.at for piece in save.pieces.values() if piece.marks().get("unit") == "30/4")
    assert "russian line 90" in [piece.marks()[OVERLAY] for piece in shows(save) if piece.at == (x, y + 56)]


@thorough
def test_no_position_reads_them(set_up: Path, tmp_path: Path) -> None:
    position = read(set_up)
    report = ask(position, "supply", side="russian")
    after(set_up, tmp_path / "a.vsav", side="russian")
    shown = read(tmp_path / "a.vsav")
    assert shown.state.unread == ()
    assert shown.state.units == position.state.units
    assert shown.state.facts == position.after(report.changes).state.facts


@thorough
def test_an_answer_for_the_other_side_replaces_them(set_up: Path, tmp_path: Path) -> None:
    after(set_up, tmp_path / "a.vsav", side="russian")
    save = after(tmp_path / "a.vsav", tmp_path / "b.vsav", side="central-powers")
    assert {piece.marks()[OVERLAY].split()[0] for piece in shows(save)} == {"central-powers"}


@thorough
def test_another_answer_leaves_them(set_up: Path, tmp_path: Path) -> None:
    before = after(set_up, tmp_path / "a.vsav", side="russian")
    position = read(tmp_path / "a.vsav")
    report = ask(position, "dig-in", unit="25/3", points=7)
    carry_out(position, report, tmp_path / "a.vsav", tmp_path / "b.vsav")
    assert len(shows(read_save((tmp_path / "b.vsav").read_bytes()))) == len(shows(before))


def test_in_a_log_the_chat_says_why_they_come(set_up: Path, tmp_path: Path) -> None:
    save = after(set_up, tmp_path / "a.vlog", unit="30/4")
    assert sum("russian line" in step for step in save.steps) >= 5
    assert "* Field Staff" in save.steps[0]


@thorough
def test_a_save_of_an_older_module_is_written_without_them(older: Path, tmp_path: Path) -> None:
    assert shows(after(older, tmp_path / "a.vsav", side="russian")) == []


def test_an_answer_that_changes_nothing_needs_a_module_with_such_pieces(
    set_up: Path, older: Path, tmp_path: Path
) -> None:
    """Nothing changes where the counters show already what the answer finds."""
    position = read(older)
    report = ask(position, "supply", unit="25/3")
    unchanged = msgspec.structs.replace(report, changes=())
    with pytest.raises(InputError, match="the module of this save has no pieces that show supply"):
        carry_out(position, unchanged, older, tmp_path / "a.vsav")
    position = read(set_up)
    unchanged = msgspec.structs.replace(ask(position, "supply", unit="25/3"), changes=())
    carry_out(position, unchanged, set_up, tmp_path / "b.vsav")
    saves = [read_save(file.read_bytes()) for file in (set_up, tmp_path / "b.vsav")]
    assert saves[0].public_notes == saves[1].public_notes
    assert shows(saves[1])


def test_other_answers_have_none(set_up: Path) -> None:
    position = read(set_up)
    assert overlay_of(position, ask(position, "zones")) is None


# --- what they show ---------------------------------------------------------------------------------------------------

SHOWN = LineSketch(
    title="Supply",
    words=LineWords(statuses={}),
    sides=("russian",),
    units=(
        Marked(unit="25/3", place="40.20", side="russian", status="full"),
        Marked(unit="27/3", place="40.20", side="russian", status="none"),
        Marked(unit="29/20", place="40.19", side="russian", status="low"),
    ),
    origins=(Origin(name="3 Train", place="39.20", side="russian", unit="3 Train"),),
    strands=(
        Strand(unit="25/3", side="russian", hexes=("39.20", "40.20")),
        Strand(unit="29/20", side="russian", hexes=("39.20", "40.20", "40.19"), full=False),
    ),
)


def hiding(*units: str) -> GameState:
    return GameState(
        game=GAME,
        units={unit: Unit(unit, unit, "40.20") for unit in ("25/3", "27/3", "29/20", "3 Train")},
        facts={("masked", unit): Fact("russian") for unit in units},
    )


def test_a_hex_shows_the_worst_of_its_units_and_a_line_the_best_that_it_carries() -> None:
    assert line_pieces(SHOWN, hiding()) == (
        OverlayStep("russian", True, "39.20", "40.20"),
        OverlayStep("russian", False, "40.19", "40.20"),
        Tint("russian", "none", "40.20"),
        Tint("russian", "low", "40.19"),
        Tint("russian", "source", "39.20"),
    )


def test_nothing_is_shown_of_units_that_somebody_hides() -> None:
    """All players see the pieces: a ring or a line would tell where a hidden unit stands."""
    assert line_pieces(SHOWN, hiding("29/20", "3 Train")) == (
        OverlayStep("russian", True, "39.20", "40.20"),
        Tint("russian", "none", "40.20"),
    )


def test_a_hidden_unit_of_a_save_shows_nothing(set_up: Path, tmp_path: Path) -> None:
    position = read(set_up)
    hidden: Position = position.after((Change("invisible", "30/4", None, "russian", ""),))
    carry_out_hidden = overlay_of(hidden, ask(hidden, "supply", side="russian")) or ()
    assert "43.23" not in [shown.place for shown in carry_out_hidden if isinstance(shown, Tint)]
