"""VASSAL's files on the page: a save becomes a table, and the table a save again; what is refused."""

from __future__ import annotations

import shutil
from base64 import b64decode, b64encode
from pathlib import Path
from random import Random
from typing import Any

import pytest

import assistant
from assistant.faces.page.vassal import _MAX_LINES_SHOWN
from assistant.formats.vassal.adoption.mapping_files import mapping_file
from assistant.formats.vassal.containers import COMMANDS, MODULE_DATA, write_container
from assistant.formats.vassal.modules import read_module
from assistant.formats.vassal.saves import write_save
from assistant.util.errors import InputError
from tests.cases import few, seeds

from ...formats.vassal.adoption.adopting import Adopted, run
from ...formats.vassal.adoption.published import build, example
from .test_desk import GAME, Page

EXAMPLES = Path(__file__).parents[4] / "plugins" / "twilight_in_the_east" / "examples"
SAVE, LOG = (EXAMPLES / f"comprehensive-example{ending}" for ending in (".vsav", ".vlog"))


@pytest.fixture
def page(tmp_path: Path, own_data: None) -> Page:
    return Page(tmp_path / "tables")


def chosen(file: Path | bytes, name: str = "") -> dict[str, str]:
    """A file as the page sends it."""
    data = file if isinstance(file, bytes) else file.read_bytes()
    return {"name": name or (file.name if isinstance(file, Path) else "game.vsav"), "data": b64encode(data).decode()}


def given_back(page: Page, folder: Path, table: str = "war") -> tuple[assistant.Position, Any]:
    """What a table gives back, as it is read from a file."""
    given = page.send("give-save", table=table)
    assert (given["is"], given["why"]) == ("save", []), given
    file = folder / given["name"]
    file.write_bytes(b64decode(given["data"]))
    return assistant.read(file), given


# --- a save of ours ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", [SAVE, LOG], ids=["save", "log"])
def test_a_save_is_continued_as_a_table_and_given_back(page: Page, file: Path, tmp_path: Path) -> None:
    seen = page.send("look-into", **chosen(file))
    assert (seen["kind"], seen["title"], seen["lines"]) == ("game", "1914, Twilight in the East", [])
    begun = page.send("begin-from", table="war", **chosen(file))
    assert (begun["is"], begun["game"], begun["begun"]) == ("table", GAME, file.suffix)
    assert begun["said"][0].startswith("5 units")
    position = assistant.read(file)
    assert {unit["id"]: unit["place"] for unit in begun["units"]} == {
        unit.id: unit.place for unit in position.state.units.values()
    }
    page.send("enter", table="war", line="29/20 -5")
    page.send("enter", table="war", line="38.20 27/3", sure=True)
    after, given = given_back(page, tmp_path)
    assert given["name"] == file.name
    assert after.state.units["27/3"].place == "38.20"
    assert after.state.facts["lost", "29/20"].value == 5
    assert "27/3: drag it to 38.20" in given["clicks"]
    assert any(line.startswith('29/20: "Lose a step" (Ctrl+L)') for line in given["clicks"])


def test_what_a_save_asks_is_asked_and_if_nothing_has_happened_the_same_game_given_back(
    page: Page, tmp_path: Path
) -> None:
    shown = page.send("begin-from", table="war", **chosen(SAVE))
    assert shown["answer"]["question"] == "battle"
    assert shown["pending"]["kind"] == "roll"
    after, given = given_back(page, tmp_path)
    assert given["clicks"] == []
    assert after.state == assistant.read(SAVE).state


def test_the_save_goes_with_its_table_and_one_that_began_otherwise_gives_none_back(page: Page) -> None:
    page.send("begin-from", table="war", **chosen(SAVE))
    assert page.send("begin-from", table="war", **chosen(SAVE))["what"] == "there is a table war already"
    page.send("delete", table="war")
    assert [*page.tables.folder.iterdir()] == []
    assert page.send("begin", table="war", game=GAME)["begun"] == ""
    refused = page.send("give-save", table="war")
    assert (refused["is"], refused["what"]) == ("refused", "this table began with no save of VASSAL")


def test_what_no_save_can_hold_is_said_and_the_clicks_remain(page: Page) -> None:
    page.send("begin-from", table="war", **chosen(SAVE))
    page.send("enter", table="war", line="48.20: russian artillery - Foe")
    page.send("enter", table="war", line="38.20 27/3", sure=True)
    given = page.send("give-save", table="war")
    assert given["data"] == ""
    assert given["why"]
    assert "27/3: drag it to 38.20" in given["clicks"]


def test_where_something_is_hidden_a_table_can_be_what_a_side_knows(page: Page) -> None:
    assert page.send("look-into", **chosen(SAVE))["sides"] == [
        ["central-powers", "Central Powers"],
        ["russian", "Russian"],
    ]
    for side in ("", "central-powers"):
        shown = page.send("begin-from", table=f"war-{side or 'all'}", side=side, **chosen(SAVE))
        seen = assistant.read(SAVE, side=side)
        assert {unit["id"] for unit in shown["units"]} == {*seen.state.units}
        assert shown["viewpoint"] == side
        assert shown["begun"] == ("" if side else ".vsav")
    refused = page.send("give-save", table="war-central-powers")
    assert refused["what"] == "this table began with no save of VASSAL"
    assert (
        page.send("begin-from", table="more", side="martian", **chosen(SAVE))["what"]
        == "unknown side 'martian' of 1914, Twilight in the East"
    )


# --- saves of others --------------------------------------------------------------------------------------------------


def test_of_an_unknown_module_the_pieces_are_listed(page: Page) -> None:
    module = read_module(build())
    save = write_save(example(module))
    seen = page.send("look-into", **chosen(save))
    assert (seen["kind"], seen["title"]) == (
        "list",
        "A save of The Eastern Front 1.2, a module not made by the builder",
    )
    assert seen["lines"][0] == "the save belongs to The Eastern Front, whose pieces are unknown"
    assert any("25th Inf Div" in line for line in seen["lines"])
    refused = page.send("begin-from", table="war", **chosen(save))
    assert refused["is"] == "refused"


def test_an_adoption_travels_as_a_file(page: Page, tmp_path: Path) -> None:
    adopted = Adopted(tmp_path)
    file = tmp_path / "eastern-front.adoption"
    done = run("adopt", str(adopted.module_file), "--game", GAME, "--out", str(file))
    assert (done.exit_code, f"= {file}: open it on the table page" in done.output) == (0, True), done.output
    kept = {path.name: path.read_bytes() for path in adopted.file.parent.iterdir()}
    shutil.rmtree(tmp_path / "data")
    save = write_save(example(adopted.module))
    assert page.send("look-into", **chosen(save))["kind"] == "list"
    taken = page.send("look-into", **chosen(file))
    assert (taken["kind"], taken["title"], taken["game"]) == ("adoption", "The Eastern Front 1.2", GAME)
    assert {path.name: path.read_bytes() for path in adopted.file.parent.iterdir()} == kept
    assert page.send("look-into", **chosen(save))["kind"] == "game"
    assert page.send("look-into", **chosen(file))["kind"] == "adoption"  # the same once more
    corrected = adopted.file.read_bytes() + b"\n# mine\n"
    adopted.file.write_bytes(corrected)
    asked = page.send("look-into", **chosen(file))
    assert (asked["kind"], asked["title"]) == ("replaces", "you have another adoption of The Eastern Front")
    assert adopted.file.read_bytes() == corrected
    assert page.send("look-into", replace=True, **chosen(file))["kind"] == "adoption"
    assert {path.name: path.read_bytes() for path in adopted.file.parent.iterdir()} == kept
    page.send("begin-from", table="war", **chosen(save))
    page.send("enter", table="war", line="29/20 -4")
    _, given = given_back(page, tmp_path)
    assert given["clicks"] == ["29/20: by hand: has lost 1 more step, 4 in all"]


def test_an_adoption_is_written_only_where_there_is_room_for_it(own_data: None, tmp_path: Path) -> None:
    adopted, file = Adopted(tmp_path), tmp_path / "eastern-front.adoption"
    file.write_bytes(b"mine")
    for name, what in (
        (file.name, "already exists\n  choose another name, or remove it"),
        ("eastern-front.zip", "this is not the name of an adoption"),
    ):
        done = run("adopt", str(adopted.module_file), "--game", GAME, "--out", str(tmp_path / name))
        assert (done.exit_code, what in done.stderr) == (3, True), done.stderr
    assert file.read_bytes() == b"mine"
    assert not (tmp_path / "eastern-front.zip").exists()


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({}, "not a readable zip file: mapping.toml is missing"),
        ({"mapping.toml": b"module = "}, "not a readable zip file: mapping.json is missing"),
        ({"mapping.toml": b"module = ", "mapping.json": b"{}"}, "Invalid value"),
        ({"mapping.toml": b'module = "A"\ngame = "../chess"', "mapping.json": b"{}"}, "unknown game"),
        ({"mapping.toml": b'module = "A"\ngame = "twilight-in-the-east"\nfolder = "/tmp"', "mapping.json": b"{}"}, "a folder of another machine"),
        ({"mapping.toml": b'module = "A"\ngame = "twilight-in-the-east"', "mapping.json": b"{"}, "it is damaged"),
    ],
)  # fmt: skip
def test_an_adoption_that_cannot_be_used_is_refused(page: Page, files: dict[str, bytes], what: str) -> None:
    refused = page.send("look-into", **chosen(write_container(files), "their.adoption"))
    assert (refused["is"], what in refused["what"], refused["where"].startswith("their.adoption")) == (
        "refused",
        True,
        True,
    ), refused
    assert not mapping_file("A", GAME).exists()


def test_a_long_list_is_cut(page: Page) -> None:
    pieces = [f"+/{n}/piece;;;;Pawn {n}/Map;{n};1;1;0" for n in range(_MAX_LINES_SHOWN + 50)]
    stream = "\x1b".join(["begin_save", *pieces, "end_save"])
    save = write_container({COMMANDS: stream.encode(), MODULE_DATA: b"<data><name>Chess</name></data>"})
    lines = page.send("look-into", **chosen(save))["lines"]
    assert len(lines) <= _MAX_LINES_SHOWN + 3
    assert lines[-1].endswith("more lines")


# --- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "what"),
    [
        ("game.vsav", b"no zip", "not a readable zip file"),
        ("game.vmod", b"", "this is not a file of VASSAL that is read here"),
        ("../../game.pos", b"", "this is not a file of VASSAL that is read here"),
        ("game.vlog", write_container({"a": b""}), "savedGame is missing"),
    ],
)
def test_other_files_are_refused_in_a_line_or_two(page: Page, name: str, data: bytes, what: str) -> None:
    for request in ({"do": "look-into"}, {"do": "begin-from", "table": "war"}):
        refused = page.send(**request, **chosen(data, name))
        assert (refused["is"], what in refused["what"]) == ("refused", True), refused
        assert refused["where"].partition(":")[0] == Path(name).name
        assert refused["hint"] and "\n" not in refused["what"] + refused["hint"]
    assert page.tables.names() == []


def test_a_file_that_did_not_arrive_whole_is_refused(page: Page) -> None:
    assert page.send("look-into", name="a.vsav", data="?")["what"] == "the file did not arrive whole"


@few(10)
@pytest.mark.parametrize("seed", seeds(200))
def test_a_spoiled_save_is_refused_as_a_file_is(seed: int, page: Page, tmp_path: Path) -> None:
    for number in range(5):
        data = spoiled(SAVE.read_bytes(), Random(f"{seed} {number}"))
        file = tmp_path / "game.vsav"
        file.write_bytes(data)
        seen = page.send("look-into", **chosen(data))
        try:
            assistant.read(file)
        except InputError as error:
            assert (seen["is"], seen.get("what")) in (("refused", error.what), ("file", None)), (seen, error)
            assert seen["is"] == "refused" or seen["kind"] == "list"
        else:
            assert seen["kind"] == "game"


def spoiled(data: bytes, random: Random) -> bytes:
    """A save with a few faults."""
    made = bytearray(data)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(made))
        made[at : at + random.choice((0, 1, 1, 30))] = random.randbytes(random.randrange(3))
    return bytes(made)
