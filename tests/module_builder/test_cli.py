"""The builder's commands: what they write, what they refuse, and that an interrupted build leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from assistant.game.games import Game
from module_builder.cli import cli
from module_builder.new import new_game
from module_builder.vassal import module as building

from ..cases import few
from .test_data_game import GAME, TRACKS, game_in

TWILIGHT = "twilight-in-the-east"
OLD = b"an older module"


@pytest.fixture
def heath(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A small game, found as if it were installed; commands run in an empty folder."""
    return installed(tmp_path, monkeypatch)


def installed(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> Game:
    game = game_in(folder / "game", **files)
    for command in (
        "aids.command",
        "boards.command",
        "counters.command",
        "gallery",
        "sheets.command",
        "vassal.command",
    ):
        monkeypatch.setattr(f"module_builder.{command}.named_game", lambda named: game)
    (folder / "here").mkdir()
    monkeypatch.chdir(folder / "here")
    return game


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, [*words])


def refused(done: Result, *said: str) -> None:
    """Unusable input: exit code 3, one or two lines, and nothing else."""
    assert (done.exit_code, done.stdout) == (3, "")
    assert 1 <= len(done.stderr.splitlines()) <= 2
    assert done.stderr.startswith("module-builder: ")
    for text in said:
        assert text in done.stderr


def here() -> list[str]:
    """Everything in the folder, hidden files too."""
    return sorted(entry.name for entry in Path().iterdir())


# --- module -----------------------------------------------------------------------------------------------------------


def test_a_module_is_written_and_says_what_it_holds(heath: Game) -> None:
    done = run("module", "heath")
    assert done.exit_code == 0
    assert done.output.splitlines() == [
        "heath.vmod: 3 counters and 1 set-up",
        "off this part of the map in The start: Wolves",
    ]
    assert here() == ["heath.vmod"]
    assert zipfile.ZipFile("heath.vmod").testzip() is None


def test_counters_of_no_palette_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rosters = '[[roster]]\nfile = "more.csv"\nsource = "printed"\n\n[module]\nunits = "roster.csv"\n'
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "more.csv").write_text("unit,army,strength\nRams,red,4\nGoats,red,3\nBears,blue,6\n")
    installed(tmp_path, monkeypatch, game_toml=GAME.replace("[module]\n", rosters))
    done = run("module", "../game")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[-1] == "in no palette, as `units` of [module] leaves more.csv out: 2 counters"


def test_check_reads_what_an_author_adds_to_the_module(heath: Game) -> None:
    game, mine = Path("../game"), Path("../game/mine")
    mine.mkdir()
    (mine / "buildFile.xml").write_text(
        '<VASSAL.build.GameModule><VASSAL.build.module.DiceBotton name="x"/></VASSAL.build.GameModule>'
    )
    toml = (game / "game.toml").read_text()
    (game / "game.toml").write_text(toml.replace('name = "Heath"', 'name = "Heath"\nextra = "mine"'))
    done = run("check", "../game")
    assert done.exit_code == 1
    assert "mine/buildFile.xml:1: VASSAL 3.6 has no element VASSAL.build.module.DiceBotton" in done.output


def test_an_existing_file_is_noticed_before_the_work_and_kept_unless_forced(
    heath: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("mine.VMOD").write_bytes(OLD)
    refused(run("module", "heath", "--out", "mine.VMOD"), "mine.VMOD: the file already exists", "--force overwrites it")
    assert Path("mine.VMOD").read_bytes() == OLD
    assert run("module", "heath", "--out", "mine.VMOD", "--force").exit_code == 0
    assert zipfile.is_zipfile("mine.VMOD") and here() == ["mine.VMOD"]
    Path("heath.vmod").write_bytes(OLD)
    monkeypatch.setattr(building, "build_module", lambda game, watch: pytest.fail("all that work"))
    refused(run("module", "heath"), "already exists")


@pytest.mark.parametrize("name", ["heath", "heath.zip", "heath.vmod.txt", "vmod"])
def test_a_name_of_no_module(heath: Game, name: str) -> None:
    refused(run("module", "heath", "--out", name), "--out", f"{name} is not the name of a module", "name it NAME.vmod")
    assert here() == []


def test_games_that_have_no_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(run("module", "twilight-in-east"), "unknown game 'twilight-in-east'", f"nearest known: {TWILIGHT}")
    installed(tmp_path, monkeypatch, game_toml=GAME.partition("[module]")[0])
    refused(run("module", "heath"), "game.toml: Heath has no [module]", "add that table to game.toml")
    assert here() == []


def test_folders_into_which_nothing_can_be_written(heath: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_bytes(OLD)
    refused(
        run("module", "heath", "--out", "nowhere/heath.vmod"),
        "No such file or directory",
        "check that the folder exists and that you may write to it",
    )
    refused(
        run("module", "heath", "--out", "file/heath.vmod"),
        "Not a directory",
        "check that the folder exists and that you may write to it",
    )
    Path("folder.vmod").mkdir()
    refused(run("module", "heath", "--out", "folder.vmod", "--force"), "folder.vmod")

    def locked(*names: Any, **options: Any) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("assistant.util.writing._open_part", locked)
    refused(
        run("module", "heath"),
        "heath.vmod: not written: Permission denied",
        "check that the folder exists and that you may write to it",
    )
    assert here() == ["file", "folder.vmod"]


def test_a_module_of_a_game_with_faults_is_refused_with_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faulty = GAME.replace("places.csv", "towns.csv").replace("hex = 60", "hex = 6")
    installed(tmp_path, monkeypatch, game_toml=faulty)
    refused(run("module", "heath"), "[module] names towns.csv, which does not exist", "module-builder check heath")
    done = run("check", "../game")
    assert (done.exit_code, done.stdout) == (1, "Heath: 2 mistakes\n")
    assert "towns.csv" in done.stderr and "16 to 600 pixels" in done.stderr


def test_a_check_of_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, monkeypatch, roster_csv="unit,army,strength\nRams,red,4\nRams,red,4\n")
    done = run("check", "../game")
    assert done.exit_code == 1
    assert "module-builder: roster.csv:3: unit Rams is listed twice; leave one of the rows out\n" in done.stderr


def test_a_check_finds_what_counters_cannot_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    installed(tmp_path, monkeypatch, tracks_toml=TRACKS.replace('keys = ["R"]', 'keys = ["E"]'))
    done = run("check", "../game")
    assert done.exit_code == 1
    assert (
        done.stderr == "module-builder: tracks.toml: [orders.module] has the key E, already used for [stance.module]\n"
    )


def test_a_check_says_what_is_missing_without_being_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heath = tmp_path / "heath"
    new_game(heath)
    chart = heath / "charts/crt.csv"
    chart.write_text("\n".join(chart.read_text("utf-8").splitlines()[:-1]) + "\n", "utf-8")
    heath.joinpath("rules.csv").write_text("rule,kind,title,left_out\n5.5,compute,Morale,\n", "utf-8")
    done = run("check", str(heath))
    assert done.exit_code == 0
    assert "chart crt: 29 of 30 cells; charts/crt.csv lacks 4:1 6\nrules.csv: no code applies 5.5; " in done.stdout


# --- interrupted ------------------------------------------------------------------------------------------------------


class Broken(Exception):
    """Anything that may happen."""


@few(4)
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("error", [KeyboardInterrupt, Broken, MemoryError])
@pytest.mark.parametrize("where", ["module_builder.vassal.module.to_png", "os.fsync", "os.replace", "os.link"])
def test_an_interrupted_build_leaves_everything_as_it_was(
    heath: Game, monkeypatch: pytest.MonkeyPatch, where: str, error: type[BaseException], force: bool
) -> None:
    if force:
        Path("heath.vmod").write_bytes(OLD)
    before = here()

    def interrupted(*args: Any, **options: Any) -> NoReturn:
        raise error

    reached = {"os.replace": force, "os.link": not force}.get(where, True)
    monkeypatch.setattr(where, interrupted)
    done = run("module", "heath", *["--force"] * force)
    assert (done.exit_code == 0) is not reached
    if reached:
        assert here() == before
        assert not force or Path("heath.vmod").read_bytes() == OLD


#: A build that says where it is, and waits there.
WAITS = """
import os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may begin a run that ignores it
from module_builder.cli import main
from module_builder.vassal import module
def wait(*args, **options):
    print("here", flush=True)
    time.sleep(60)
module.build_module = lambda game: module.BuiltModule(b"new", 1, 0, {})
if sys.argv.pop() == "drawing":
    module.build_module = wait
else:
    os.fsync = wait
main()
"""


@few(1)
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    ("at", "by", "force"),
    [
        ("drawing", "SIGTERM", False),
        ("drawing", "SIGKILL", True),
        ("writing", "SIGTERM", True),
        ("writing", "SIGINT", False),
        ("writing", "SIGKILL", True),
    ],
)
def test_a_build_that_is_killed(tmp_path: Path, at: str, by: str, force: bool) -> None:
    target = tmp_path / "t.vmod"
    if force:
        target.write_bytes(OLD)
    words = ["module", TWILIGHT, "--out", str(target), *["--force"] * force, at]
    with subprocess.Popen(
        [sys.executable, "-c", WAITS, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        process.send_signal(getattr(signal, by))
        assert process.wait(30) != 0
    assert (target.read_bytes() if target.exists() else None) == (OLD if force else None)
    others = {entry.name for entry in tmp_path.iterdir()} - {"t.vmod"}
    if by != "SIGKILL":  # against which nothing helps
        assert others == set()
    assert not any(name.endswith(".vmod") for name in others)


# --- counters ---------------------------------------------------------------------------------------------------------


def test_counters_are_written_with_both_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("counters", TWILIGHT, "--only", "29/20", "--only", "Tilsit", "--dpi", "254", "--out", "drawn")
    assert done.output == "drawn: 4 pictures of 2 counters\n"
    (folder,) = Path().iterdir()
    pictures = sorted(folder.iterdir())
    assert [file.name.rpartition("-")[2] for file in pictures].count("front.png") == 2
    assert {Image.open(file).size[0] for file in pictures} == {Image.open(file).size[1] for file in pictures}
    small = {Image.open(file).size[0] for file in pictures}
    assert run("counters", TWILIGHT, "--only", "29/20", "--dpi", "508").exit_code == 0
    large = {Image.open(file).size[0] for file in Path(f"{TWILIGHT}-counters").iterdir()}
    assert large == {2 * side for side in small}


def test_counters_that_are_there_already(heath: Game) -> None:
    assert run("counters", "heath", "--out", "drawn").output == "drawn: 22 pictures of 3 counters and 8 markers\n"
    files = sorted(Path("drawn").iterdir())
    files[-1].write_bytes(OLD)
    files[0].unlink()
    refused(run("counters", "heath", "--out", "drawn"), "the file already exists")
    assert sorted(Path("drawn").iterdir()) == files[1:], "nothing is written unless all can be"
    assert run("counters", "heath", "--out", "drawn", "--force").exit_code == 0
    assert sorted(Path("drawn").iterdir()) == files and files[-1].read_bytes() != OLD


def test_all_counters_in_one_picture(heath: Game) -> None:
    assert (
        run("counters", "heath", "--overview", "all.png", "--dpi", "50").output == "all.png: 3 counters and 8 markers\n"
    )
    three = Image.open("all.png").size
    refused(run("counters", "heath", "--overview", "all.png"), "all.png: the file already exists")
    again = run("counters", "heath", "--overview", "all.png", "--only", "Rams", "--dpi", "50", "--force")
    assert again.output == "all.png: 1 counter\n"
    assert Image.open("all.png").size[0] < three[0]
    assert here() == ["all.png"]


def test_pictures_state_their_resolution(heath: Game) -> None:
    assert run("counters", "heath", "--only", "Rams", "--out", "drawn").exit_code == 0
    run("counters", "heath", "--only", "Rams", "--overview", "all.png", "--dpi", "600")
    for file, dpi in (("drawn/" + sorted(file.name for file in Path("drawn").iterdir())[0], 300), ("all.png", 600)):
        assert [round(value) for value in Image.open(file).info["dpi"]] == [dpi, dpi]


@pytest.mark.parametrize("name", ["all.jpg", "all", "all.svg", "all.png.txt"])
def test_an_overview_is_a_png(heath: Game, name: str) -> None:
    refused(run("counters", "heath", "--overview", name), "--overview", f"{name} is not the name of a picture")
    assert here() == []


def test_options_that_make_no_sense(heath: Game) -> None:
    refused(run("counters", "heath", "--only", "Ram"), "--only: unknown counter 'Ram'", "nearest known: Rams")
    for dpi in ("0", "49", "1201", "many"):
        assert run("counters", "heath", "--dpi", dpi).exit_code == 2
    Path("file").write_bytes(b"")
    refused(run("counters", "heath", "--out", "file"), "file")
    assert here() == ["file"]
    refused(run("counters", "heath", "--watch"), "--watch", "add --overview FILE.png")


def test_a_misspelt_symbol_is_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "drill").exit_code == 0
    tracks = Path("drill/tracks.toml")
    tracks.write_text(tracks.read_text("utf-8").replace('"artillery"]', '"artillery", "cavlary", "wizards"]'), "utf-8")
    done = run("check", "drill")
    assert done.exit_code == 1
    assert done.stderr == "module-builder: tracks.toml: [arm] unknown symbol 'cavlary'; nearest known: cavalry\n"


def test_a_symbol_that_cannot_be_drawn_is_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "drill").exit_code == 0
    Path("drill/symbols").mkdir()
    Path("drill/symbols/wizards.svg").write_text("<svg/>", "utf-8")
    done = run("check", "drill")
    assert done.exit_code == 1 and len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("module-builder: symbols/wizards.svg: ")


@pytest.mark.parametrize("option", ["--side", "--bleed"])
@pytest.mark.parametrize("length", ["nan", "inf", "-inf", "wide"])
def test_a_length_that_is_none(heath: Game, option: str, length: str) -> None:
    done = run("counters", "heath", option, length)
    assert done.exit_code == 2
    assert option in done.output and length in done.output
    assert list(Path().iterdir()) == []
