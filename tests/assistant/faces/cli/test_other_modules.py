"""`check` and `convert` on a save of a module that nobody has adopted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.formats.vassal.containers import COMMANDS, ModuleData, write_container, write_module_data
from assistant.formats.vassal.modules import BOARD, PICKER
from assistant.formats.vassal.saves import PROPERTY
from assistant.formats.vassal.streams import obfuscate

from ...formats.vassal.test_modules import GRID, MAP
from .test_main import run

SAVE = "begin_save\x1bFieldBoardPicker\tLand\t0\t0\x1b+/1/piece;;;a.png;Guards/Field;20;20;;0\x1bend_save"
LOG = f"{SAVE}\x1bLOG\tM/1/Field/55/40/null/Field/20/20/null/me"
ABOUT = write_module_data(ModuleData("Old Game", "1.2", "3.1"))
BUILD = f'<VASSAL.launch.BasicModule><{MAP} mapName="Field"><{PICKER}>%s</{PICKER}></{MAP}></VASSAL.launch.BasicModule>'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.vsav").write_bytes(write_container({COMMANDS: obfuscate(SAVE), "moduledata": ABOUT}))
    Path("a.vlog").write_bytes(write_container({COMMANDS: obfuscate(LOG), "moduledata": ABOUT}))
    Path("old.sav").write_text(SAVE)
    Path("there.svg").write_text("kept")
    land = f'<{BOARD} name="Land" width="100" height="80">{GRID}</{BOARD}>'
    Path("old.vmod").write_bytes(write_container({"buildFile": (BUILD % land).encode()}))
    return tmp_path


def test_a_save_is_checked_by_its_pieces(files: Path) -> None:
    done = run("check", "a.vsav")
    assert (done.exit_code, done.output) == (
        0,
        "A save of Old Game 1.2, a module not made by the builder\n= 1 piece: 1 on Field\n\nField\n- at 20,20: Guards\n",
    )


def test_the_module_names_the_places_of_a_save_and_of_a_log_after_its_last_step(files: Path) -> None:
    """A save of an old engine is in no container."""
    assert "- 0101: Guards" in run("check", "a.vsav", "--module", "old.vmod").output
    assert "- 0101: Guards" in run("check", "old.sav", "--module", "old.vmod").output
    log = run("check", "a.vlog", "--module", "old.vmod").output
    assert log.startswith("A log of Old Game 1.2, a module not") and "- 0201: Guards" in log


def test_an_extension_adds_boards(files: Path) -> None:
    Path("empty.vmod").write_bytes(write_container({"buildFile": (BUILD % "").encode()}))
    target = f'target="{MAP}:Field/{PICKER}"'
    land = f'<{BOARD} name="Land" width="100" height="80">{GRID}</{BOARD}>'
    element = "VASSAL.build.module.ExtensionElement"
    text = f"<VASSAL.build.module.ModuleExtension><{element} {target}>{land}</{element}></VASSAL.build.module.ModuleExtension>"
    Path("more.vmdx").write_bytes(write_container({"buildFile": text.encode()}))
    assert "at 20,20: Guards" in run("check", "a.vsav", "--module", "empty.vmod").output
    assert "0101: Guards" in run("check", "a.vsav", "--module", "empty.vmod", "--module", "more.vmdx").output


@pytest.mark.parametrize("words", [("convert", "a.vsav"), ("check", "a.vsav", "--json")])
def test_the_list_as_json(files: Path, words: tuple[str, ...]) -> None:
    found = json.loads(run(*words, "--module", "old.vmod").stdout)
    assert found["module"] == "Old Game"
    assert found["pieces"] == [{"id": "1", "name": "Guards", "map": "Field", "at": [20, 20], "place": "0101"}]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["check", "a.vsav", "--as", "red"], "which windows of Old Game are private is not known without its file"),
        (["convert", "a.vsav", "--as", "red"], "which windows of Old Game are private is not known without its file"),
        (["check", "a.vsav", "--module", "old.vmod", "--as", "Rot"], "unknown side 'Rot' of Old Game"),
        (["check", "a.vsav", "--picture", "a.svg", "--as", "Red"], "which windows of Old Game are private"),
        (["check", "old.vmod", "--as", "Rot"], "unknown side 'Rot'"),
        (["compare", "a.vsav", "a.pos"], "the save belongs to Old Game, whose pieces are unknown"),
        (["compare", "a.vsav", "a.vlog", "--as", "red"], "which windows of Old Game are private"),
        (["convert", "a.vsav", "--notation"], "the save belongs to Old Game, whose pieces are unknown"),
        (["check", "a.vsav", "--module", "none.vmod"], "none.vmod: there is no such file"),
        (["check", "a.vsav", "--module", "old.sav"], "old.sav: not a readable zip file"),
        (["check", "a.vsav", "--module", "a.vsav"], "a.vsav: buildFile.xml is missing\n  this is a save or a log"),
        (["check", "none.vmod"], "none.vmod: there is no such file"),
        (["check", "more.vmdx"], "more.vmdx: an extension is read with its module"),
        (["check", "a.vsav", "--picture", "a.txt"], "a.txt is not a picture file"),
        (["check", "a.vsav", "--picture", "there.svg"], "there.svg: the file already exists"),
        (["check", "none.vsav", "--module", "old.vmod"], "none.vsav: No such file"),
    ],
)
def test_what_cannot_be_listed(files: Path, words: list[str], message: str) -> None:
    Path("a.pos").touch()
    done = run(*words)
    assert (done.exit_code, done.stdout) == (3, "")
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2


def test_an_umpire_sees_the_list_even_if_the_player_has_a_side(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.game.viewpoint_settings.read_viewpoints", lambda: {"some-game": "red"})
    assert (
        "you have chosen a side of a game, but not of this module"
        in run("check", "a.vsav", "--module", "old.vmod").stderr
    )
    assert "Guards" in run("check", "a.vsav", "--umpire").output


def test_a_module_is_checked_by_its_new_game(files: Path) -> None:
    assert (
        run("check", "old.vmod").output
        == "A new game of an unknown module, a module not made by the builder\n= no pieces\n"
    )
    assert json.loads(run("convert", "old.vmod").stdout)["boards"] == {"Field": ["Land"]}


def test_the_pieces_are_drawn(files: Path) -> None:
    done = run("check", "a.vsav", "--module", "old.vmod", "--picture", "a.svg")
    assert (done.exit_code, done.stderr) == (0, "picture written: a.svg\n")
    assert "0101: Guards" in Path("a.svg").read_text("utf-8")
    assert run("check", "a.vsav", "--picture", "there.svg", "--force").exit_code == 0


@pytest.mark.parametrize("name", ["a.vsav", "old.sav"])
@pytest.mark.parametrize("words", [("check", "-"), ("check", "-", "--module", "old.vmod"), ("convert", "-")])
def test_a_save_on_standard_input_is_listed(files: Path, name: str, words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(cli, words, input=Path(name).read_bytes(), prog_name="assistant")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Guards" in done.stdout


def test_what_the_builder_made_is_not_called_anothers(files: Path) -> None:
    made = SAVE.replace("end_save", f"{PROPERTY};FieldStaffGame;valley;Module\x1bend_save")
    Path("made.vsav").write_bytes(write_container({COMMANDS: obfuscate(made), "moduledata": ABOUT}))
    said = run("check", "made.vsav", "--module", "old.vmod").output
    assert said.startswith("A save of Old Game 1.2\n")
    holder = "VASSAL.build.module.properties.GlobalProper"
    declared = f'<{holder}ties><{holder}ty name="FieldStaffGame" initialValue="valley"/></{holder}ties>'
    build = (BUILD % "").replace("</VASSAL.launch", f"{declared}</VASSAL.launch")
    Path("made.vmod").write_bytes(write_container({"buildFile": build.encode(), "moduledata": ABOUT}))
    assert run("check", "made.vmod").output.startswith("A new game of Old Game 1.2\n")


def test_the_module_must_be_that_of_the_save(files: Path) -> None:
    other = write_module_data(ModuleData("Other Game", "1.2", "3.1"))
    build = (BUILD % "").encode()
    Path("other.vmod").write_bytes(write_container({"buildFile": build, "moduledata": other}))
    Path("newer.vmod").write_bytes(
        write_container({"buildFile": build, "moduledata": write_module_data(ModuleData("Old Game", "2", "3.7"))})
    )
    done = run("check", "a.vsav", "--module", "other.vmod")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "a.vsav: the save belongs to Old Game, but --module names Other Game" in done.stderr
    assert "name the module of the save" in done.stderr
    assert run("check", "a.vsav", "--module", "newer.vmod").exit_code == 0


def test_where_the_units_of_a_position_stand_is_drawn(files: Path) -> None:
    Path("a.pos").write_text("game twilight-in-the-east\n41.19: 1/1\n")
    done = run("check", "a.pos", "--picture", "a.svg")
    assert (done.exit_code, done.stderr) == (0, "picture written: a.svg\n")
    assert "Hex 41.19: 1/1" in Path("a.svg").read_text("utf-8")


def test_a_side_gets_a_picture_of_what_it_sees_of_a_position(files: Path) -> None:
    Path("a.pos").write_text("game twilight-in-the-east\n41.19: 1/1 masked=central-powers\n40.20: 25/3\n")
    run("check", "a.pos", "--as", "russian", "--picture", "seen.svg")
    drawn = Path("seen.svg").read_text("utf-8")
    assert "Hex 40.20: 25/3" in drawn and "Hex 41.19: german, unseen units" in drawn and "1/1" not in drawn


def test_a_position_without_units_on_the_map_is_not_drawn(files: Path) -> None:
    Path("a.pos").write_text("game twilight-in-the-east\n")
    done = run("check", "a.pos", "--picture", "a.svg")
    assert (done.exit_code, Path("a.svg").exists()) == (3, False)
    assert "--picture: no unit stands on the map" in done.stderr


ROSTER = "<VASSAL.build.module.PlayerRoster><entry>Red</entry><entry>Blue</entry></VASSAL.build.module.PlayerRoster>"
HIDDEN = (
    SAVE.replace("\x1bend_save", "")
    + "\x1b+/2/obs;77,130;b.png;Mask;I;Somebody;side:;Peek;;false;;\tpiece;;;t.png;Tanks/Red;|0\tField;20;20;;0"
    + "\x1b+/3/piece;;;p.png;Plan/Plans;1;1;;0\x1bend_save"
)


@pytest.fixture
def mail(files: Path) -> Path:
    """Saves of a module with two sides and a private window of one of them."""
    land = f'<{BOARD} name="Land" width="100" height="80">{GRID}</{BOARD}>'
    private = '<VASSAL.build.module.PrivateMap mapName="Plans" side="Red" visible="false"/>'
    build = (BUILD % land).replace("</VASSAL.launch", f"{ROSTER}{private}</VASSAL.launch")
    Path("sides.vmod").write_bytes(write_container({"buildFile": build.encode()}))
    Path("mail.vsav").write_bytes(write_container({COMMANDS: obfuscate(HIDDEN), "moduledata": ABOUT}))
    moved = f"{HIDDEN}\x1bLOG\tM/2/Field/55/40/null/Field/20/20/null/me\x1bLOG\tM/3/Plans/9/9/null/Plans/1/1/null/me"
    Path("mail.vlog").write_bytes(write_container({COMMANDS: obfuscate(moved), "moduledata": ABOUT}))
    return files


def test_a_side_is_told_what_vassal_shows_it(mail: Path) -> None:
    blue = run("check", "mail.vsav", "--module", "sides.vmod", "--as", "Blue").output
    assert "= 2 pieces: 2 on Field" in blue
    assert "- 0101: Guards, Somebody" in blue
    assert "- Plans: belongs to Red" in blue
    assert "Seen: what Blue may know." in blue
    assert "Tanks" not in blue and "Plan\n" not in blue
    red = run("check", "mail.vsav", "--module", "sides.vmod", "--as", "red").output
    assert "Tanks(Somebody) (masked by: Red)" in red and "- at 1,1: Plan" in red
    assert "Seen: what Blue may know." in run("check", "sides.vmod", "--as", "Blue").output


def test_a_picture_shows_a_side_no_more(mail: Path) -> None:
    run("check", "mail.vsav", "--module", "sides.vmod", "--as", "Blue", "--picture", "blue.svg")
    drawn = Path("blue.svg").read_text("utf-8")
    assert "Somebody" in drawn and "Tanks" not in drawn and "Plan" not in drawn


def test_saves_of_a_module_that_nobody_has_adopted_are_compared(mail: Path) -> None:
    done = run("compare", "a.vsav", "a.vlog", "--module", "old.vmod")
    said = "Old Game: from a.vsav to a.vlog\n= 1 piece moved\n\nMoved\n    Guards: 0101 to 0201\n"
    assert done.exit_code == 0 and said in done.output
    typed = CliRunner().invoke(cli, ["compare", "-", "a.vlog"], input=Path("a.vsav").read_bytes())
    for said in (run("compare", "a.vsav", "a.vlog").output, typed.output):
        assert "Guards: 20,20 to 55,40" in said
    assert json.loads(run("compare", "a.vsav", "a.vlog", "--json").stdout)["result"]["moved"] == [
        {"piece": "1", "name": "Guards", "before": "20,20", "after": "55,40"}
    ]


def test_a_side_compares_what_it_sees(mail: Path) -> None:
    words = ("compare", "mail.vsav", "mail.vlog", "--module", "sides.vmod", "--as")
    assert "= 2 pieces moved" in run(*words, "Red").output
    blue = run(*words, "Blue").output
    assert "= 1 gone, 1 came" in blue
    assert "Somebody: from 0101" in blue and "Somebody: in 0201" in blue
    assert "Tanks" not in blue


def test_what_happened_is_told_again_at_each_save(mail: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("assistant.util.files.versions", lambda file: iter((None, None)))
    done = run("compare", "a.vsav", "a.vlog", "--watch")
    assert (done.exit_code, done.stdout.count("= 1 piece moved")) == (0, 2)
    done = run("check", "mail.vsav", "--module", "sides.vmod", "--as", "Blue", "--watch")
    assert (done.exit_code, done.stdout.count("- 0101: Guards, Somebody")) == (0, 2)
    done = run("check", "a.vsav", "--picture", "a.svg", "--watch")
    assert (done.exit_code, done.stderr.count("picture written: a.svg")) == (0, 2)
    assert "already exists" not in done.stderr


def test_a_game_with_rules_of_its_own_for_what_is_seen_lists_no_pieces_for_a_side(mail: Path) -> None:
    made = SAVE.replace("end_save", f"{PROPERTY};FieldStaffGame;twilight-in-the-east;Module\x1bend_save")
    Path("made.vsav").write_bytes(write_container({COMMANDS: obfuscate(made), "moduledata": ABOUT}))
    for words in (("check", "made.vsav"), ("compare", "made.vsav", "made.vsav")):
        done = run(*words, "--module", "old.vmod", "--as", "russian")
        assert (done.exit_code, done.stdout) == (3, "")
        assert "1914, Twilight in the East has special rules for what a side may see" in done.stderr
