"""What to click in VASSAL for a change."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant.asking.clicks import format_changes_by_hand, format_clicks
from assistant.formats.vassal.containers import write_container
from assistant.formats.vassal.saves import read_save
from assistant.game.counter_names import unit_names
from assistant.game.games import Game
from assistant.installed.registry import load_game
from assistant.state.changes import AnyChange, Change, Enter, Gain, Leave, Raise

from ....cases import thorough
from ....commands import Done, run_command

SAVE = Path(__file__).parents[4] / "plugins/twilight_in_the_east/examples/comprehensive-example.vsav"
OTHER_MODULE = write_container({"buildFile.xml": b'<VASSAL.build.GameModule name="Other" version="1"/>'})
DICE = "crt=2+5 slrt=3/4 losses=29/20,27/3 ec.1/1=6 ec.29/20=5 ec.25/3=12 onward.40.20=39.20"


@pytest.mark.parametrize(
    ("change", "clicked"),
    [
        (Change("lost", "29/20", 3, 4, "11.1"), '29/20: "Lose a step" (Ctrl+L)'),
        (Change("lost", "29/20", None, 2, "11.1"), '29/20: "Lose a step" (Ctrl+L), 2 times'),
        (Change("lost", "29/20", 2, None, "7.6"), '29/20: "Regain a step" (Ctrl+K), 2 times'),
        (Change("cel", "27/3", None, -2, "11.3.2"), '27/3: "Lose a Combat Effectiveness Level" (Ctrl+E), 2 times'),
        (Change("reduced", "27/3", None, True, "11.1"), '27/3: "Flip" (Ctrl+Shift+F)'),
        (Change("reduced", "27/3", True, None, "7.6"), '27/3: "Flip" (Ctrl+Shift+F)'),
        (Change("supply", "27/3", "in", "out", "14.4"), '27/3: "Supply: in, low, out" (Ctrl+U), 2 times'),
        (Change("supply", "27/3", None, "in", "14.4"), ""),
        (Change("supply", "27/3", "out", "in", "14.4"), '27/3: "Supply: in, low, out" (Ctrl+U)'),
        (Change("prepared", "27/3", None, "41.19", "8.4"), '27/3: "Prepared Attack at ..." (Ctrl+Shift+P), type 41.19'),
        (
            Change("prepared", "27/3", "41.19", None, "8.4"),
            '27/3: "Prepared Attack at ..." (Ctrl+Shift+P), type nothing',
        ),
        (Change("place", "27/3", "40.20", "40.21", "11.2"), "27/3: drag it to 40.21"),
        (Change("place", "27/3", "40.20", None, "11.1"), "27/3: delete it"),
        (Change("order", "27/3", 1, 0, "4.2.5"), "27/3: move it up in its stack"),
        (Change("order", "27/3", 0, 1, "4.2.5"), ""),
        (Change("terrain", "40.20", None, "clear", ""), ""),
        (Gain("lost", "27/3", 1, "11.1"), ""),
        (Enter("27/3", "27/3", "41.20", 0, "9"), "27/3: take 27/3 from the palette, drop it on 41.20"),
        (Enter("27/3", "27/3", None, 0, "9"), ""),
        (Leave("27/3", "9"), "27/3: delete it"),
    ],
)
def test_the_line_of_the_menu_and_how_often(twilight: Game, change: AnyChange, clicked: str) -> None:
    assert format_clicks(change, twilight.tracks) == clicked


def test_a_number_on_either_side_of_what_silence_means_has_a_level_of_its_own(twilight: Game) -> None:
    tracks = {**twilight.tracks, "lost": msgspec.structs.replace(twilight.tracks["lost"], least=-2, most=2, absent=0)}
    menu = twilight.tracks["lost"].module
    assert menu is not None
    assert (
        format_clicks(Change("lost", "29/20", -1, 1, "11.1"), tracks)
        == f'29/20: "{menu.menu[0]}" (Ctrl+{menu.keys[0]})'
    )


def test_all_that_changes_in_a_module_whose_menus_are_not_known_is_set_by_hand(twilight: Game) -> None:
    changes: list[AnyChange] = [
        Change("lost", "29/20", 3, 4, "11.1"),
        Change("place", "27/3", "40.20", "40.21", "11.2"),
        Change("supply", "29/20", "in", None, "14.4"),
        Gain("lost", "27/3", 1, "11.1"),
        Raise("lost", "25/3", 2, "11.1"),
    ]
    assert [*format_changes_by_hand(changes, twilight.tracks)] == [
        "27/3: drag it to 40.21",
        "29/20: by hand: has lost 1 more step, 4 in all, supply status: in to none",
        "27/3: by hand: steps lost: 1 more",
        "25/3: by hand: steps lost: up to 2",
    ]


def run(folder: Path, *words: str) -> Done:
    return run_command(folder, *words)


def test_a_battle_from_a_save_says_what_to_click_and_writes_the_position_after_it(tmp_path: Path) -> None:
    done = run(tmp_path, "battle", str(SAVE), "--answers", DICE, "--after", "after.pos")
    assert done.stdout.split("In VASSAL\n")[1].splitlines()[:2] == [
        '- 29/20: "Lose a step" (Ctrl+L)',
        '- 27/3: "Lose a step" (Ctrl+L)',
    ]
    assert done.stderr == "position written: after.pos\n"
    after = (tmp_path / "after.pos").read_text()
    assert "29/20 (10-?-5-10) -4" in after
    assert "27/3 (10-?-5-10) -1 cel=-2" in after
    again = run(tmp_path, "battle", str(SAVE), "--answers", DICE, "--after", "after.pos")
    assert (again.returncode, again.stderr.splitlines()[0]) == (3, "assistant: after.pos: the file already exists")
    assert run(tmp_path, "battle", str(SAVE), "--answers", DICE, "--after", "after.json").returncode == 0


POS = str(SAVE.with_name("battle.pos"))
DIG_IN = ["dig-in", str(SAVE), "--unit", "25/3", "--points", "7"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["battle", str(SAVE), "--after", "after.txt"], "after.txt: a position is written as NAME.pos or NAME.json"),
        (["battle", str(SAVE), "--after", "after.pos"], "--after: this answer changes nothing yet"),
        (["zones", str(SAVE), "--after", "a.pos"], "--after: this answer changes nothing, and there is nothing to write"),
        ([*DIG_IN, "--as", "russian", "--after", "new.vsav"], "new.vsav: a save holds both sides' game"),
        (["battle", str(SAVE), "--answers", DICE, "--after", "new.vsav", "--module", "no.vmod"], "no.vmod: there is no such file"),
        (["battle", POS, "--after", "new.vsav"], "new.vsav: only an answer about a VASSAL save or log goes into one"),
    ],
)  # fmt: skip
def test_what_is_not_written_is_refused_and_for_a_side_before_the_answer_is_shown(
    tmp_path: Path, words: list[str], message: str
) -> None:
    done = run(tmp_path, *words)
    assert done.returncode == 3 and message in done.stderr
    assert "--as" not in words or done.stdout == ""
    assert ("rolls" in done.stderr) == message.endswith("yet"), "where nothing is waited for, none would help"
    assert not list(tmp_path.iterdir())


def notation(folder: Path, name: str) -> set[str]:
    """A position as notation, line by line; the order of lines and words says nothing."""
    return {" ".join(sorted(line.split())) for line in run(folder, "convert", name, "--notation").stdout.splitlines()}


@thorough
@pytest.mark.parametrize("name", ["new.vsav", "new.vlog"])
def test_a_battle_is_carried_out_in_a_save_or_a_log_as_in_a_position(tmp_path: Path, name: str) -> None:
    before = SAVE.read_bytes()
    done = run(tmp_path, "battle", str(SAVE), "--answers", DICE, "--after", name)
    assert (done.returncode, done.stderr) == (0, f"{'log' if name.endswith('log') else 'save'} written: {name}\n")
    assert run(tmp_path, "battle", str(SAVE), "--answers", DICE, "--after", "new.pos").returncode == 0
    assert notation(tmp_path, name) == notation(tmp_path, "new.pos")
    assert SAVE.read_bytes() == before
    again = run(tmp_path, "battle", str(SAVE), "--answers", DICE, "--after", name)
    assert (again.returncode, again.stderr.splitlines()[0]) == (3, f"assistant: {name}: the file already exists")


def test_the_save_that_is_asked_about_is_never_written_over(tmp_path: Path) -> None:
    (tmp_path / "game.vsav").write_bytes(SAVE.read_bytes())
    done = run(tmp_path, "battle", "game.vsav", "--answers", DICE, "--after", "game.vsav", "--force")
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.splitlines()[0] == "assistant: game.vsav: this is the file that was asked about"
    assert (tmp_path / "game.vsav").read_bytes() == SAVE.read_bytes()


def test_markers_come_from_the_builder_or_from_the_module_that_is_named(tmp_path: Path) -> None:
    dig_in = ("ask", "dig-in", str(SAVE), "--unit", "25/3", "--points", "7", "--after")
    assert run(tmp_path, *dig_in, "new.vsav").returncode == 0
    (marker,) = [
        piece for piece in read_save((tmp_path / "new.vsav").read_bytes()).pieces.values() if "marker" in piece.marks()
    ]
    assert "++ ip=1," in next(
        trait.type for trait in marker.traits if trait.type.startswith("emb2") and "IP level up" in trait.type
    )
    assert (marker.name, marker.map) == ("IP", "Map")
    (tmp_path / "other.vmod").write_bytes(OTHER_MODULE)
    done = run(tmp_path, *dig_in, "again.vsav", "--module", "other.vmod")
    assert done.returncode == 3
    assert "the save belongs to 1914, Twilight in the East" in done.stderr and "--module names Other" in done.stderr


def test_the_module_that_is_named_is_that_of_a_battle_half_fought_too(tmp_path: Path) -> None:
    (tmp_path / "other.vmod").write_bytes(OTHER_MODULE)
    half = ("battle", str(SAVE), "--answers", "crt=2+5 slrt=3/4", "--after", "half.vsav", "--module")
    done = run(tmp_path, *half, "other.vmod")
    assert done.returncode == 3 and "--module names Other" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["other.vmod"]


def test_counters_are_called_as_the_module_calls_them() -> None:
    names = unit_names(load_game("kaisers-war-in-the-east"))
    tracks = load_game("kaisers-war-in-the-east").tracks
    told = [
        format_clicks(change, tracks, names)
        for change in (
            Change("place", "Ger-8", "2620", "2621", "15.0"),
            Leave("AH-1", "14.14"),
            Enter("AH-inf-2", "AH-inf-1", "2621", 0, "10.1"),
        )
    ]
    assert told == [
        "German 8th Army: drag it to 2621",
        "Austro-Hungarian 1st Army: delete it",
        "AH-inf-2: take Austro-Hungarian Infantry Corps 1 from the palette, drop it on 2621",
    ]
