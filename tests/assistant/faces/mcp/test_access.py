"""Which files a model may read, and with whose eyes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from assistant.faces.cli.main import cli
from assistant.faces.mcp.access import (
    MAX_FILES_LISTED,
    Access,
    check_roots,
    check_side,
    is_typed,
    list_files,
    user_position,
)
from assistant.faces.mcp.tools import answer
from assistant.service import link, parse, to_json
from assistant.util.errors import InputError
from module_builder.new import new_game

from .conftest import BATTLE

OUTSIDE = [
    "secret.pos", "../secret.pos", "saves/../secret.pos", "saves/1914/../../secret.pos", "{root}/secret.pos",
    "{root}/saves/1914/battle.pos", "saves/1914", "saves", "saves/elsewhere.pos", "saves/elsewhere/secret.pos",
    "saves/.hidden.pos", "saves/.git/kept.pos", "saves/notes.md", "saves/1914/battle.pos\0",
    "SAVES/1914/BATTLE.POS", "-", "/etc/passwd", "a" * 5000, "a" * 5000 + ".journal@1", "/dev/stdin",
    "file:///etc/passwd",
]  # fmt: skip


@pytest.fixture
def tempting(saves: Path) -> Path:
    """The folder of saves with ways out of it, and with what is no position."""
    for way, to in (("elsewhere.pos", saves.parent / "secret.pos"), ("elsewhere", saves.parent)):
        os.symlink(to, saves / way)
    (saves / ".git").mkdir()
    for name in (".hidden.pos", ".git/kept.pos", "notes.md"):
        (saves / name).write_text(BATTLE, "utf-8")
    return saves


@pytest.mark.parametrize(
    ("root", "name"),
    [
        ("saves", "saves/1914/battle.pos"),
        ("mine", "saves/1914/battle.pos"),  # a link that the user names himself leads where it leads
        ("secret.pos", "secret.pos"),
        ("game of Anna.pos", "game of Anna.pos"),  # which begins like a position
    ],
)
def test_a_root_gives_its_positions_by_their_way_in_it(root: str, name: str, tempting: Path) -> None:
    os.symlink(tempting, tempting.parent / "mine")
    (tempting.parent / "game of Anna.pos").write_text(BATTLE, "utf-8")
    access = Access(check_roots((tempting.parent / root,)))
    assert list_files(access) == ([name], False)
    assert "29/20" in user_position(access, name).state.units


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_else_is_read_or_told_apart(name: str, access: Access, tempting: Path) -> None:
    named = name.format(root=tempting.parent)
    with pytest.raises(InputError) as refused:
        user_position(access, named)
    assert refused.value.what == "there is no file of this name that may be read"
    absent = answer(access, "ask", {"position": f"{named}x"})
    assert absent.is_refused
    assert answer(access, "ask", {"position": named}).text.partition("\n")[2] in (
        absent.text.partition("\n")[2],
        "nearest known: saves/1914/battle.pos",
    )


def test_two_roots_of_one_name_and_a_root_that_is_not_there_are_refused(saves: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "saves"
    other.mkdir(parents=True)
    with pytest.raises(InputError, match="two files or folders are called saves"):
        check_roots((saves, other))
    with pytest.raises(InputError, match="nowhere: No such file or directory"):
        check_roots((tmp_path / "nowhere",))


def test_an_error_in_a_file_says_its_name_and_not_where_it_lies(access: Access, saves: Path) -> None:
    (saves / "wrong.pos").write_text("game twilight-in-the-east\n40.20: nobody\n", "utf-8")
    text = answer(access, "check_position", {"position": "saves/wrong.pos"}).text
    assert text.startswith("saves/wrong.pos:2:8: ")
    assert str(saves.parent) not in text


@pytest.mark.parametrize("name", [b"pipe.pos", b"x\xff.pos", b"two\nlines.pos"])
def test_a_pipe_and_a_name_that_cannot_be_written_are_neither_listed_nor_read(
    name: bytes, access: Access, saves: Path
) -> None:
    file = saves / os.fsdecode(name)
    if name == b"pipe.pos":
        os.mkfifo(file)
    else:
        file.write_text(BATTLE, "utf-8")
    reply = answer(access, "list_games", {})
    assert reply.structured is not None and reply.structured["files"] == ["saves/1914/battle.pos"]
    assert reply.text.encode("utf-8").count(b"\n- saves/") == 1
    with pytest.raises(InputError):
        user_position(access, f"saves/{file.name}")


def test_a_file_behind_the_end_of_the_list_is_read_by_its_name(access: Access, saves: Path) -> None:
    for number in range(MAX_FILES_LISTED):
        (saves / f"{number:04}.pos").write_text(BATTLE, "utf-8")
    files, cut_short = list_files(access)
    assert (len(files), cut_short) == (MAX_FILES_LISTED, True)
    reply = answer(access, "list_games", {})
    assert reply.structured is not None and reply.structured["more_files"]
    assert "\n- and more, which are read by their names too\n" in reply.text
    assert "saves/1914/battle.pos" not in files
    assert "29/20" in user_position(access, "saves/1914/battle.pos").state.units


def test_a_list_ends_where_too_many_other_files_lie_before_it(
    access: Access, saves: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.faces.mcp.access.MAX_FILES_WALKED", 3)
    for number in range(3):
        (saves / f"{number}.png").touch()
    assert list_files(access) == ([], True)


def test_a_journal_is_read_at_any_moment(saves: Path) -> None:
    journal = Path(__file__).parents[4] / "plugins/der_weltkrieg/examples/books.journal"
    access = Access(check_roots((journal,)))
    turns = [user_position(access, f"books.journal{moment}").state.facts["turn", ""].value for moment in ("", "#1")]
    assert turns[0] != turns[1]


def test_whether_a_file_lies_where_the_server_was_begun_is_not_told(
    saves: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Path(__file__).parents[4] / "plugins/der_weltkrieg/examples/books.journal"
    (saves / "war.journal").write_bytes(journal.read_bytes())
    access = Access(check_roots((saves,)))
    (saves.parent / "run" / "saves").mkdir(parents=True)
    monkeypatch.chdir(saves.parent / "run")
    before = answer(access, "check_position", {"position": "saves/war.journal@secret"})
    Path("saves/war.journal@secret").touch()
    assert answer(access, "check_position", {"position": "saves/war.journal@secret"}) == before
    assert before.text.startswith("saves/war.journal: 'secret' is not a turn")


@pytest.mark.parametrize("name", ["war.journal@copy.pos", "old.journal#1.pos"])
def test_a_file_may_have_a_name_that_looks_like_a_moment_of_another(name: str, saves: Path) -> None:
    (saves / name).write_text(BATTLE, "utf-8")
    (saves / "war.journal").touch()
    assert "29/20" in user_position(Access(check_roots((saves,))), f"saves/{name}").state.units


def test_a_position_is_typed_in_notation_as_json_or_as_a_link() -> None:
    position = parse(BATTLE)
    for text in (BATTLE, to_json(position), link(position).fragment, f"https://example.org/{link(position).fragment}"):
        assert is_typed(text)
        assert user_position(Access(), text).state.units == position.state.units


@pytest.mark.parametrize("text", ["", " ", "41.19: 1/1", "[]", "\ufeff{}"])
def test_what_is_typed_without_its_game_is_not_taken_for_a_name(text: str) -> None:
    assert "there is no file" not in answer(Access(), "check_position", {"position": text}).text


def test_lines_change_a_position_for_once_and_their_errors_say_lines() -> None:
    assert user_position(Access(), BATTLE, "41.19 rough").state.facts["terrain", "41.19"].value == "rough"
    with pytest.raises(InputError, match=r"^lines:2:"):
        user_position(Access(), BATTLE, "41.19 rough\n41.19 ruogh")


def test_a_game_in_a_folder_is_there_only_if_the_user_names_it(tmp_path: Path) -> None:
    new_game(tmp_path / "heath")
    for position in (f"game {tmp_path / 'heath'}\n", f"example:{tmp_path / 'heath'}/supply"):
        with pytest.raises(InputError, match="unknown game"):
            user_position(Access(), position)
    access = Access(beside=str(tmp_path / "heath"), beside_id="heath")
    assert "heath" in access.game_ids()
    assert user_position(access, "game heath\n").game.id == "heath"
    assert user_position(access, BATTLE).game.id == "twilight-in-the-east"


@pytest.fixture
def spoilt(tmp_path: Path) -> Access:
    """A model that may use a game in a folder, which has been spoilt since the start."""
    new_game(tmp_path / "heath")
    (tmp_path / "heath" / "game.toml").write_text("title = \n", "utf-8")
    return Access(beside=str(tmp_path / "heath"), beside_id="heath")


def test_a_game_that_is_spoilt_spoils_no_other(spoilt: Access) -> None:
    assert user_position(spoilt, BATTLE).game.id == "twilight-in-the-east"
    listed = answer(spoilt, "list_games", {})
    assert "- heath cannot be used: game.toml:1:" in listed.text
    assert "- twilight-in-the-east: " in listed.text
    assert answer(spoilt, "check_position", {"position": "game heath\n"}).text.startswith("game.toml:1:")


def test_where_the_game_of_the_user_lies_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, at in enumerate((tmp_path, tmp_path.parent, Path.cwd())):
        monkeypatch.chdir(at)
        for code in ("1 / 0", "raise SystemExit"):
            game = tmp_path / f"heath{number}{len(code)}"
            new_game(game)
            (game / "__init__.py").write_text(code, "utf-8")
            access = Access(beside=os.path.relpath(game) if number else str(game), beside_id=game.name)
            for tool, given in (("check_position", {"position": f"game {game.name}\n"}), ("list_games", {})):
                text = answer(access, tool, given).text
                assert f"plugin {game.name} failed" in text
                assert "/" not in text.partition("Files that")[0]
                assert "--debug" not in text
    gone = access._replace(beside=str(tmp_path / "gone"))
    assert str(tmp_path) not in answer(gone, "check_position", {"position": f"game {access.beside_id}\n"}).text


def test_a_side_that_no_game_has_is_refused_at_the_start() -> None:
    check_side(Access(side="entente"))
    with pytest.raises(InputError, match="--as: unknown side 'gremans'"):
        check_side(Access(side="gremans"))


CLAIMS = [
    (claim, side) for claim in ("", "russian", "german", "umpire", "everything") for side in ("", "russian", "umpire")
]


@pytest.mark.parametrize(("claim", "side"), CLAIMS)
def test_a_typed_position_that_claims_to_be_seen_by_somebody_is_taken_as_by_the_command_line(
    claim: str, side: str
) -> None:
    typed = json.dumps(json.loads(to_json(parse(BATTLE))) | {"seen_by": claim})
    options = {"": [], "russian": ["--as", "russian"], "umpire": ["--umpire"]}[side]
    done = CliRunner().invoke(cli, ["check", "-", "--forum", *options], input=typed, prog_name="assistant")
    said = (
        done.stderr.removeprefix("assistant: ").replace("standard input", "position") if done.exit_code else done.stdout
    )
    reply = answer(Access(side=side), "check_position", {"position": typed})
    assert (reply.is_refused, reply.text) == (done.exit_code == 3, said.rstrip("\n"))
    if side == "russian" and not reply.is_refused:
        assert reply.structured is not None
        assert reply.structured["viewpoint"] == "russian"


FAULTY = {
    ".pos": [
        '41.19 clear: 1/1, "35 r"\n40.20: "35 r"',
        '41.19 clear: 1/1, "Reserve of Scholtz"',
        '\n\n41.19 clear: 1/1, "35 r" loost',
        "turn=x",
        "ask stack at",
    ],
    ".json": ['{"game": "twilight-in-the-east", "units": [{"id": "35 r", "type": "x"}]}', "{", ""],
    ".journal": ["journal twilight-in-the-east 1\nturn=1\n1 1 fact 35 r -1", "journal twilight-in-the-west 1"],
    ".vsav": ["PK", ""],
}


@pytest.mark.parametrize("ending", FAULTY)
def test_a_side_is_told_of_any_fault_in_a_file_the_same(ending: str, tmp_path: Path) -> None:
    file, told = tmp_path / f"mail{ending}", list[str]()
    access = Access(check_roots((file.parent,)))
    for text in FAULTY[ending]:
        file.write_text(f"game twilight-in-the-east\n{text}\n" if ending == ".pos" else text, "utf-8")
        given = {"position": f"{tmp_path.name}/mail{ending}"}
        told.append(answer(access._replace(side="russian"), "check_position", given).text)
        assert answer(access, "check_position", given).text != told[0]
    assert {*told} == {
        f"{tmp_path.name}/mail{ending}: it cannot be read from a side's viewpoint; only an umpire may see why\n"
        "  `assistant check FILE --umpire` in a terminal names the fault; a moment of a journal is FILE@TURN"
    }


def test_of_what_it_types_a_side_is_told_each_fault() -> None:
    given = {"position": 'game twilight-in-the-east\n41.19: "35 r"\n40.20: "35 r"\n'}
    assert answer(Access(side="russian"), "check_position", given).text.startswith("position.pos:3:8: ")


def test_a_side_sees_of_a_file_what_it_may_know(access: Access) -> None:
    given = {"position": "saves/1914/battle.pos"}
    assert "27/3" in answer(access._replace(side="russian"), "check_position", given).text
    assert "27/3" not in answer(access._replace(side="central-powers"), "check_position", given).text


def test_a_side_is_told_nothing_of_what_a_file_asks(access: Access, saves: Path) -> None:
    asked = 'ask supply unit="7. Reserve"\nask stack at=44.20\nanswers crt=2+5 losses=27/3\n'
    told = []
    for name, more in (("plain", ""), ("asking", asked)):
        saves.joinpath(f"{name}.pos").write_text(f"game twilight-in-the-east\nturn=1\n41.19: 1/1\n{more}", "utf-8")
        replies = [
            answer(access._replace(side="central-powers"), tool, {"position": f"saves/{name}.pos", **given})
            for tool, given in (("check_position", {}), ("ask", {"question": "stack", "parameters": {"at": "41.19"}}))
        ]
        told.append([reply.text.replace(name, "") for reply in replies])
    assert told[0] == told[1]
    assert "7. Reserve" in answer(access, "check_position", {"position": "saves/asking.pos"}).text
