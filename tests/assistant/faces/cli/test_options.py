"""What commands on a position take: its file, and --watch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click import Choice, Context
from click.testing import CliRunner

from assistant import ask, read
from assistant.faces.cli.main import cli
from assistant.faces.cli.options import answer_anew, file_of
from assistant.installed.registry import installed_games, load_game, questions_of
from assistant.state.trust import ALL_WORD, PLACEHOLDERS
from assistant.util.errors import InputError
from assistant.util.notes import options_of


def test_an_example_is_named_without_its_path_and_other_files_stay_as_they_are(tmp_path: Path) -> None:
    assert Path(file_of("example:battle")).read_text().startswith("game twilight-in-the-east\n")
    assert file_of("example:twilight/supply-line").endswith("supply-line.pos")
    assert file_of("example:comprehensive-example.vsav").endswith(".vsav")
    assert "kaisers-war-in-the-east" in Path(file_of("example:kai/battle")).read_text()
    file = tmp_path / "x.pos"
    file.write_text("")
    assert (file_of(str(file)), file_of("-")) == (str(file), "-")


def test_a_journal_starts_from_an_example_too(tmp_path: Path) -> None:
    file = tmp_path / "east.journal"
    begun = CliRunner().invoke(cli, ["journal", "new", "kai", str(file), "--from", "example:kai/battle"])
    assert begun.exit_code == 0, begun.output
    assert "2620: Rus-2 (9-12-4)" in file.read_text()


@pytest.mark.parametrize(
    ("name", "what", "hint"),
    [
        ("no.pos", "no.pos: No such file or directory", "check the path, or try an example: example:battle-before"),
        ("example:batle", "there is no example:batle", "nearest known: example:battle"),
        ("example:nothing/battle", "unknown game 'nothing'", ""),
        ("example:kai/battl", "there is no example:kai/battl", "nearest known: example:kai/battle, example:kai/battle-after"),
    ],
)  # fmt: skip
def test_what_is_not_there(name: str, what: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        file_of(name)
    assert what in str(caught.value)
    assert hint in str(caught.value)


POSITION = "game twilight-in-the-east\n40.20: 25/3\nturn={}\n"


def saved_as(*texts: str) -> object:
    """What watches a file into which these texts are saved, one after the other; then Ctrl+C is pressed."""

    def saved(file: Path) -> Iterator[None]:
        yield None
        for text in texts:
            file.write_text(text)
            yield None
        raise KeyboardInterrupt

    return saved


def test_a_question_is_answered_again_and_a_mistake_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "game.pos"
    file.write_text(POSITION.format(1))
    monkeypatch.setattr(
        "assistant.util.files.versions", saved_as("game twilight-in-the-east\nwrong\n", POSITION.format(7))
    )
    said = CliRunner().invoke(cli, ["check", str(file), "--watch"], prog_name="assistant")
    assert said.exit_code == 0
    assert said.stdout.count("Position of") == 2 and "turn 1" in said.stdout and "turn 7" in said.stdout
    watched = f"watching {file}; Ctrl+C ends it\n\n{file} was saved\nassistant: {file}:2:1: "
    assert said.stderr.startswith(watched) and said.stderr.count("was saved") == 2


def test_what_it_wrote_itself_is_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, picture = tmp_path / "game.pos", tmp_path / "line.svg"
    text = '{}: "3 Train" range=5 extended-range=8\n40.20: 25/3\nline "3 Train": {} -road- 40.20 rough\nask supply unit=25/3\n'
    text = "game twilight-in-the-east\n" + text
    file.write_text(text.format("40.21", "40.21"))
    monkeypatch.setattr("assistant.util.files.versions", saved_as(text.format("41.20", "41.20")))
    words = ["supply", str(file), "--watch", "--picture", str(picture)]
    said = CliRunner().invoke(cli, words, prog_name="assistant")
    assert said.exit_code == 0 and said.stderr.count("picture written") == 2
    picture.write_text("mine")
    assert CliRunner().invoke(cli, words).exit_code == 3
    assert picture.read_text() == "mine"


def test_only_a_file_that_is_there_can_be_watched(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="standard input does not change"):
        answer_anew("-", "assistant", lambda anew: None)
    said = CliRunner().invoke(cli, ["check", str(tmp_path / "none.pos"), "--watch"], prog_name="assistant")
    assert said.exit_code == 3 and "none.pos" in said.stderr


def test_each_kind_of_placeholder_can_be_chosen() -> None:
    explain = cli.get_command(Context(cli), "explain")
    assert explain is not None
    chosen = {option.name: option.type for option in explain.params}
    for name in ("trust", "own"):
        kinds = chosen[name]
        assert isinstance(kinds, Choice)
        assert tuple(kinds.choices) == (*PLACEHOLDERS, ALL_WORD)


def test_what_is_trusted_and_not_is_refused() -> None:
    for options in (["--strict", "--trust", "map"], ["--own", "all", "--accept", "drawn"]):
        refused = CliRunner().invoke(cli, ["supply", "example:supply-line", *options])
        assert (refused.exit_code, refused.output) == (
            3,
            "assistant: the options both trust the map and do not\n  leave out one of the two\n",
        )


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_no_parameter_has_an_option_that_a_command_has_itself(game: str) -> None:
    ctx = Context(cli)
    own = set[str]()
    for command in ("ask", "answer"):
        found = cli.get_command(ctx, command)
        own |= {option for parameter in found.params for option in parameter.opts} if found else set()
    assert {"--full", "--own", "--line"} <= own
    for question in questions_of(load_game(game)).values():
        assert not own & {*options_of(question.parameters)}, question.name


def test_a_parameter_whose_name_is_an_option_has_its_own_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "tanks.pos"
    file.write_text("game der-weltkrieg\nturn=mar17/5\nnation british rpl-tank=50\n")
    words = ["rebuild", str(file), "--who", "british", "--kind", "tank"]
    done = CliRunner().invoke(cli, [*words, "--strength-after", "10", "--full"])
    assert done.exit_code == 0 and "British tanks have at most 8" in done.stdout
    typed = ask(read(str(file)), "rebuild", who="british", kind="tank", full="10")
    assert "British tanks have at most 8" in str(typed)
