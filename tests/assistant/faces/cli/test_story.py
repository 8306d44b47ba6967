"""The command `story`: text, page and strip of logs and journals, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from assistant.faces.cli.main import cli
from assistant.installed.registry import load_game
from assistant.records.journal.files import create
from assistant.records.journal.journal import write_head
from assistant.records.journal.journal_file import JournalFile
from assistant.service import parse

from ....cases import thorough

EXAMPLES = Path(__file__).parents[4] / "plugins" / "twilight_in_the_east" / "examples"
AUGUST, LOG = str(EXAMPLES / "august-1914.journal"), str(EXAMPLES / "comprehensive-example.vlog")
HEAD = "game twilight-in-the-east\nboard east\ntrust counters\nturn=1\n"


def story(*words: str, **env: str) -> Result:
    return CliRunner().invoke(cli, ["story", *words], prog_name="assistant", env=env)


@thorough
def test_page_and_strip_are_written_and_not_overwritten(tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("story.html", "strip.svg")]
    words = (LOG, "--umpire", "-o", files[0], "--strip", files[1])
    told = story(*words)
    assert told.exit_code == 0 and "story.html" in told.output
    kinds = [Path(file).read_bytes()[:6] for file in files]
    assert kinds == [b"<!DOCT", b"<svg x"]
    again = story(*words)
    assert again.exit_code == 3 and "--force" in again.output
    assert story(LOG, "--umpire", "--strip", files[1], "--force").exit_code == 0


@thorough
@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ((LOG, "--strip", "strip.txt"), "name it NAME.svg"),
        ((LOG, "-o", "story.pdf"), "name it NAME.html"),
        ((LOG, "--turn", "99"), "outside the game"),
        ((LOG, "--turn", "7"), "nothing was played in turn 7"),
        ((str(EXAMPLES / "battle.pos"),), "does not record how a game was played"),
    ],
)
def test_what_cannot_be_told_is_refused(words: tuple[str, ...], refused: str, tmp_path: Path) -> None:
    told = story(*words)
    assert told.exit_code == 3 and refused in told.output


def test_a_battle_that_a_side_cannot_settle_is_told_without_a_verdict() -> None:
    told = story(LOG, "--as", "german")
    assert "Attack on Stallupönen (41.19): Too little is known to say how it went." in told.output
    assert "Undecided" not in told.output and "(from the beginning)" in told.output


@thorough
def test_only_some_turns_are_told() -> None:
    told = story(AUGUST, "--umpire", "--turn", "3")
    assert "== GT 3" in told.output and "== GT 2" not in told.output


def journal(folder: Path, hidden: str, *entries: str) -> str:
    """A journal that begins with units of which the Russian side sees the top ones alone."""
    file = folder / f"{len(list(folder.iterdir()))}" / "game.journal"
    file.parent.mkdir()
    create(
        file,
        write_head(load_game("twilight-in-the-east"), parse(HEAD + f"41.19: 25/3, 27/3\n44.20: 35/17{hidden}\n"), ""),
    )
    opened = JournalFile(file, load_game)
    for entry in entries:
        opened.add(entry)
    return str(file)


@thorough
def test_two_journals_that_differ_in_what_is_hidden_tell_a_side_the_same_bytes(tmp_path: Path) -> None:
    moved = ("fact 43.19: 25/3", "turn 2", "fact 45.20: 35/17", "turn 3")
    pair = [
        journal(tmp_path, " -2, 36/17", *moved),
        journal(tmp_path, ", 36/17, 37/20", "fact 35/17 -3", *moved, "fact 36/17 cel=-1"),
    ]
    written = []
    for number, file in enumerate(pair):
        folder = tmp_path / f"written-{number}"
        folder.mkdir()
        names = [folder / name for name in ("story.html", "strip.png")]
        told = [story(file, "--as", "russian")]
        told.append(story(file, "--as", "russian", "-o", str(names[0]), "--strip", str(names[1])))
        assert [done.exit_code for done in told] == [0] * 2
        written.append(([done.output.replace(str(folder), "") for done in told], [name.read_bytes() for name in names]))
    assert written[0] == written[1]
    assert "25/3 from Stallupönen (41.19) to 43.19" in written[0][0][0] and "36/17 goes" not in written[0][0][0]
    assert "entry" not in written[0][0][0]
    assert story(pair[0], "--umpire").output != story(pair[1], "--umpire").output


def test_the_players_own_setting_counts(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "settings.json").write_text('{"viewpoint": {"twilight-in-the-east": "russian"}}')
    told = story(journal(tmp_path, ", 36/17", "turn 2"), FIELD_STAFF_DATA=str(data))
    assert told.exit_code == 0 and told.output.endswith("You see what the Russian side knows.\n")


@pytest.mark.parametrize("moment", ["@1", "#24", "@9"])
def test_a_log_has_moments_as_a_journal_has(moment: str) -> None:
    runner = CliRunner()
    last, at = (runner.invoke(cli, ["convert", f"{LOG}{which}", "--umpire", "--notation"]) for which in ("", moment))
    assert last.exit_code == at.exit_code == 0 and last.output == at.output


def test_an_earlier_moment_of_a_log_is_another_position() -> None:
    runner = CliRunner()
    compared = runner.invoke(cli, ["compare", f"{LOG}#3", f"{LOG}@1", "--umpire"])
    assert compared.exit_code == 0 and "27/3: 40.20 to 39.20" in compared.output


@pytest.mark.parametrize(
    ("moment", "words", "refused"),
    [
        ("#99", (), "there is no step 99\n  the last one is 24"),
        ("#x", (), "there is no step x"),
        ("@0", (), "0 is outside the game"),
        ("#2", ("--as", "russian"), "a side names a turn"),
    ],
)
def test_moments_that_a_log_does_not_have_are_refused(moment: str, words: tuple[str, ...], refused: str) -> None:
    told = CliRunner().invoke(cli, ["check", f"{LOG}{moment}", *words], prog_name="assistant")
    assert told.exit_code == 3 and refused in told.output
