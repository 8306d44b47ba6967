"""`assistant adopt`: what it writes, what it keeps, what it refuses."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from assistant.formats.vassal.containers import write_container
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.saves import write_save

from ....cases import few, thorough
from ...formats.vassal.adoption.published import COUNTERS, GERMAN, Counter, build, example
from .test_main import run

GAME = "twilight-in-the-east"


@pytest.fixture
def folder(tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("front.vmod").write_bytes(build())
    Path("newer.vmod").write_bytes(build((*COUNTERS, Counter(GERMAN, "37th Inf Div", "g037.png")), "1.3"))
    return tmp_path


def adopt(*words: str) -> str:
    done = run("adopt", *words, "--game", GAME)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.output


def mapping(folder: Path) -> Path:
    return folder / "data/modules" / GAME / "the-eastern-front.toml"


def test_a_mapping_is_written_for_the_player_to_correct(folder: Path) -> None:
    said = adopt("front.vmod")
    assert said.startswith(f"The Eastern Front 1.2, adopted for 1914, Twilight in the East\n= {mapping(folder)}\n")
    assert "- units: 11 of 144 found (9 sure, 2 likely, 133 left to you)\n" in said
    text = mapping(folder).read_text("utf-8")
    found = tomllib.loads(text)
    assert (found["module"], found["version"], found["game"], found["board"]) == (
        "The Eastern Front",
        "1.2",
        GAME,
        "east",
    )
    assert found["units"]["29/20"] == "29th Inf Div"
    assert '"29/20" = "29th Inf Div"                          # sure\n' in text
    assert '# "22/1" = ""                                     # no piece found\n' in text
    assert "#   Victory Points\n" in text


def test_a_newer_version_adds_what_is_new_and_keeps_what_was_corrected(folder: Path) -> None:
    adopt("front.vmod")
    file = mapping(folder)
    corrected = (
        file.read_text("utf-8")
        .replace('"28/20" = "28th Inf Div"', '"28/20" = ""  # my own')
        .replace('"Step Losses"', '# mine\n"Step Losses"')
    )
    file.write_text(corrected, "utf-8")
    assert (
        "The Eastern Front 1.3, adopted for 1914, Twilight in the East, 1 new entry in the file that you have corrected\n"
        in adopt("newer.vmod")
    )
    text = file.read_text("utf-8")
    gone = set(corrected.splitlines()) - set(text.splitlines())
    assert {line.partition("  ")[0] for line in gone} == {'version = "1.2"', '# "37/20" = ""'}
    assert tomllib.loads(text)["units"]["28/20"] == ""
    assert tomllib.loads(text)["units"]["37/20"] == "37th Inf Div"
    adopt("newer.vmod")
    assert file.read_text("utf-8") == text


@few(2)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[units]", "[units]  # mine"),
        ('"Supply" = ["", "supply=low", "supply=out"]', '"Supply" = [\n  "",\n  "supply=low",\n  "supply=out",\n]'),
        ('"25/3" = "25th Inf Div"', '\'25/3\' = """25th Inf Div"""'),
        ("[dice]", '[dice]\n"version" = ""\nversion_2 = ""'),
    ],
)
def test_a_file_stays_as_a_player_wrote_it(folder: Path, before: str, after: str) -> None:
    adopt("front.vmod")
    file = mapping(folder)
    corrected = file.read_text("utf-8").replace(before, after)
    assert corrected.count(after) == 1
    file.write_text(corrected, "utf-8")
    adopt("newer.vmod")
    text = file.read_text("utf-8")
    assert after in text
    kept, found = tomllib.loads(corrected), tomllib.loads(text)
    kept["units"]["37/20"] = "37th Inf Div"
    assert found == {**kept, "version": "1.3"}
    adopt("newer.vmod")
    assert file.read_text("utf-8") == text


def test_a_map_with_brackets_in_its_name_stays_one_map(folder: Path) -> None:
    Path("front.vmod").write_bytes(build(map="Main Map [East] ]"))
    adopt("front.vmod")
    first = mapping(folder).read_text("utf-8")
    assert "Main Map [East] ]" in tomllib.loads(first)["maps"]
    for _ in range(2):
        adopt("front.vmod")
        assert mapping(folder).read_text("utf-8") == first


def test_a_file_that_nothing_can_be_added_to_is_left_alone(folder: Path) -> None:
    adopt("front.vmod")
    file = mapping(folder)
    spare = 'module = "The Eastern Front"\ngame = "twilight-in-the-east"\nunits = { "28/20" = "" }\n'
    file.write_text(spare, "utf-8")
    fixtures = file.with_suffix(".json").read_bytes()
    done = run("adopt", "newer.vmod", "--game", GAME)
    assert (done.exit_code, done.stdout) == (3, "")
    assert f"{file}: the new entries cannot be added to [sides], [maps], [units]" in done.stderr
    assert len(done.stderr.splitlines()) == 2
    assert (file.read_text("utf-8"), file.with_suffix(".json").read_bytes()) == (spare, fixtures)


def test_entries_whose_piece_is_gone_are_listed_with_the_piece_that_may_be_meant(folder: Path) -> None:
    adopt("front.vmod")
    renamed = tuple(one._replace(name=one.name.replace("25th Inf Div", "25th Infantry Division")) for one in COUNTERS)
    Path("newer.vmod").write_bytes(build(renamed, "1.3"))
    said = adopt("newer.vmod")
    assert "! [units] 25/3: the module has no piece '25th Inf Div'; it may now be '25th Infantry Division'\n" in said
    assert said.count("!") == 1
    assert "listed at the end of the file" not in said


@thorough
def test_names_that_the_module_does_not_have_are_listed(folder: Path) -> None:
    adopt("front.vmod")
    file = mapping(folder)
    text = file.read_text("utf-8")
    for name in ('"Turn"', '"Combat"', '"29th Inf Div"', '"German Player"', '."Dead Pile"'):
        assert text.count(name) == 1
        text = text.replace(name, f'{name[:-1]}t"')
    file.write_text(text, "utf-8")
    save = example(read_module(Path("front.vmod")))
    Path("game.vsav").write_bytes(write_save(save))
    said = " ".join(run("check", "game.vsav").output.split())
    assert "[sides]: the module has no side 'German Playert'; nearest known: German Player" in said
    assert "[maps]: the module has no map 'Dead Pilet'; nearest known: Dead Pile" in said
    assert "[turn]: the module has no level of a turn tracker 'Turnt'; nearest known: Turn" in said
    assert "[dice]: the module has no dice button 'Combatt'; nearest known: Combat" in said
    assert "[units] 29/20: the module has no piece '29th Inf Divt'; nearest known: " in said


def test_force_begins_anew(folder: Path) -> None:
    adopt("front.vmod")
    first = mapping(folder).read_text("utf-8")
    mapping(folder).write_text(first.replace('"28th Inf Div"', '"my own"'), "utf-8")
    adopt("front.vmod", "--force")
    assert mapping(folder).read_text("utf-8") == first


def test_an_extension_brings_its_pieces(folder: Path) -> None:
    slot = '<VASSAL.build.widget.PieceSlot entryName="41st Inf Div" gpid="9:1">+/null/piece;;;g041.png;41st Inf Div/null;0;0;9:1;0</VASSAL.build.widget.PieceSlot>'
    text = f'<VASSAL.build.module.ModuleExtension name="More"><VASSAL.build.module.ExtensionElement target="">{slot}</VASSAL.build.module.ExtensionElement></VASSAL.build.module.ModuleExtension>'
    Path("more.vmdx").write_bytes(write_container({"buildFile.xml": text.encode()}))
    adopt("front.vmod", "more.vmdx")
    assert tomllib.loads(mapping(folder).read_text("utf-8"))["units"]["41/20"] == "41st Inf Div"


def test_another_board_may_be_named(folder: Path) -> None:
    adopt("front.vmod", "--board", "")
    assert "board" not in tomllib.loads(mapping(folder).read_text("utf-8"))


def test_a_log_of_an_adopted_module_is_read(folder: Path) -> None:
    adopt("front.vmod")
    save = example(read_module(Path("front.vmod")))
    Path("game.vsav").write_bytes(write_save(save))
    converted = json.loads(run("convert", "game.vsav").stdout)
    assert {unit["id"]: unit["place"] for unit in converted["units"]}["25/3"] == "40.20"
    listed = run("check", "game.vsav", "--module", "front.vmod").output
    assert "a module not made by the builder" in listed, "with the module its pieces are listed as before"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.vmod"], "none.vmod: there is no such file"),
        (["data.txt"], "data.txt: not a readable zip file"),
        (["front.vmod", "--board", "west"], "--board: unknown board 'west'"),
        (["nameless.vmod"], "nameless.vmod: the module has no name"),
        (["ours.vmod"], "ours.vmod: this module was made by module-builder"),
    ],
)
def test_what_cannot_be_adopted(folder: Path, words: list[str], message: str) -> None:
    Path("data.txt").write_text("nothing")
    root = "VASSAL.build.GameModule"
    declared = "VASSAL.build.module.properties.GlobalPropert"
    Path("nameless.vmod").write_bytes(write_container({"buildFile.xml": f"<{root}/>".encode()}))
    ours = f'<{root} name="Ours"><{declared}ies><{declared}y name="FieldStaffGame" initialValue="x"/></{declared}ies></{root}>'
    Path("ours.vmod").write_bytes(write_container({"buildFile.xml": ours.encode()}))
    done = run("adopt", *words, "--game", GAME)
    assert (done.exit_code, done.stdout) == (3, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert not (folder / "data/modules").exists()


def test_a_mapping_with_a_mistake_is_not_written_over(folder: Path) -> None:
    adopt("front.vmod")
    broken = mapping(folder).read_text("utf-8").replace("[layers]", "[layer]")
    mapping(folder).write_text(broken, "utf-8")
    done = run("adopt", "newer.vmod", "--game", GAME)
    assert (done.exit_code, done.stdout) == (3, "")
    assert "layer: unknown key\n  nearest known: layers" in done.stderr
    assert mapping(folder).read_text("utf-8") == broken


def test_two_modules_whose_names_make_one_file_are_told_apart(folder: Path) -> None:
    adopt("front.vmod")
    other = '<VASSAL.build.GameModule name="The eastern front!"/>'
    Path("other.vmod").write_bytes(write_container({"buildFile.xml": other.encode()}))
    done = run("adopt", "other.vmod", "--game", GAME)
    assert done.exit_code == 3
    assert "this mapping is of 'The Eastern Front'" in done.stderr
