"""What is painted of the printed map: it goes to the pack, counts at once, and can be taken back; two pages lose nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from typing import Any

import pytest

from assistant.game.pack_map import _PAINTED
from assistant.installed.registry import load_game, pack_of
from assistant.state.tracks import Source

from ....cases import thorough
from .pages import AtTable

GAME = "twilight-in-the-east"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AtTable]:
    """A table for all of them, with a data folder of its own."""
    folder = tmp_path_factory.mktemp("painting")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FIELD_STAFF_DATA", str(folder / "data"))
        page = AtTable(folder / "tables", GAME)
        page.enter("board east")
        yield page


@pytest.fixture
def page(table: AtTable) -> AtTable:
    """The table, with an empty pack."""
    rmtree(pack_of(table.game).folder, ignore_errors=True)
    return table


def paint(page: AtTable, subjects: str, track: str = "", value: str = "", brush: str = "word", **more: Any) -> Any:
    return page.send("paint", brush=brush, track=track, value=value, subjects=subjects.split(), **more)


def back(changes: list[list[Any]]) -> list[list[Any]]:
    """What takes changes back."""
    return [[track, subject, after, before] for track, subject, before, after in changes]


def text_of(page: AtTable) -> str:
    return (pack_of(page.game).folder / "map.lines").read_text()


def source(track: str, subject: str) -> tuple[object, Source]:
    """What the game has there now, whoever asks."""
    fact = load_game(GAME).board("east").fact(track, subject)
    assert fact
    return fact.value, fact.source


def test_a_stroke_is_kept_in_the_pack_as_printed(page: AtTable) -> None:
    shown = paint(page, "4119 41.20 42.20", "terrain", "rough")
    assert shown["changes"] == [["terrain", name, None, "rough"] for name in ("41.19", "41.20", "42.20")]
    assert text_of(page) == f"{_PAINTED}\n41.19, 41.20, 42.20 rough\n"
    assert source("terrain", "41.20") == ("rough", Source.PRINTED)
    paint(page, "41.20|41.19 41.20|42.20", "barrier", "minor-river")
    paint(page, "41.19|41.20", "rail", "rail2")
    paint(page, "41.20", "terrain", "wetlands")
    assert text_of(page).splitlines()[1:] == [
        "41.19, 42.20 rough", "41.20 wetlands", "41.19|41.20 minor-river rail2", "41.20|42.20 minor-river",
    ]  # fmt: skip


def test_what_is_printed_needs_no_caution_any_more(page: AtTable) -> None:
    card = page.send("hex", hex="41.19")
    assert {fact["how"] for fact in card["ground"] if fact["track"] == "terrain"} == {"drawn from geography"}
    paint(page, "41.19", "terrain", "rough")
    paint(page, "41.19|41.20", "barrier", "ridge")
    card = page.send("hex", hex="41.19")
    (terrain,) = [fact for fact in card["ground"] if fact["track"] == "terrain"]
    assert (terrain["word"], terrain["how"], terrain["doubtful"]) == ("rough", "printed in your copy", False)
    (ridge,) = [
        fact
        for side in card["sides"]
        for fact in side["known"]
        if fact["track"] == "barrier" and fact["how"] == "printed in your copy"
    ]
    assert ridge["word"] == "ridge"


def test_a_battle_over_what_is_confirmed_has_no_caution_of_the_map(page: AtTable) -> None:
    for line in ("41.19: 1/1 (1-16-7-11)", "40.20: 25/3 (10-1-5-10)", "4119 < 4020"):
        assert page.enter(line)["refused"] is None
    assert "drawn" in str(page.send("look")["answer"]["cautions"])
    paint(page, "41.19 40.20 41.18", brush="shown")
    assert "drawn" not in str(page.send("look")["answer"]["cautions"])


def test_as_drawn_confirms_what_the_board_shows_and_nothing_that_is_known(page: AtTable) -> None:
    paint(page, "41.19", "terrain", "rough")
    before = {(track, subject) for track, subject, *_ in paint(page, "41.19", brush="shown")["changes"]}
    assert ("terrain", "41.19") not in before
    assert {subject for track, subject in before if track == "barrier"} == {
        "|".join(sorted(("41.19", other))) for other in load_game(GAME).board("east").neighbours("41.19")
    }
    assert paint(page, "41.19", brush="shown")["changes"] == []


def test_nothing_else_leaves_what_is_known(page: AtTable) -> None:
    paint(page, "41.19|41.20", "barrier", "ridge")
    changes = paint(page, "41.19", brush="nothing")["changes"]
    values = {(track, subject): value for track, subject, _, value in changes}
    assert "barrier" in {track for track, _ in values} and ("barrier", "41.19|41.20") not in values
    assert values["town", "41.19"] == "no-town"
    assert {values[key] for key in values if key[0] == "rail"} == {"no-rail"}
    assert "terrain" not in {track for track, _ in values} and "country" not in {track for track, _ in values}


def test_words_that_lie_together_are_added_one_to_the_other(page: AtTable) -> None:
    paint(page, "41.19|41.20", "barrier", "minor-river")
    (change,) = paint(page, "41.19|41.20", "barrier", "ridge", adds=True)["changes"]
    assert change[2:] == ["minor-river", "minor-river+ridge"]
    (change,) = paint(page, "41.19|41.20", "barrier", "lake")["changes"]
    assert change[3] == "lake"


def test_what_is_taken_out_is_drawn_again(page: AtTable) -> None:
    drawn = source("terrain", "41.19")
    paint(page, "41.19 41.20", "terrain", "mountain")
    paint(page, "41.19|41.20", "barrier", "ridge")
    assert len(paint(page, "41.19|41.20", brush="remove")["changes"]) == 1
    assert len(paint(page, "41.19", brush="remove")["changes"]) == 1
    assert source("terrain", "41.19") == drawn
    assert text_of(page) == f"{_PAINTED}\n41.20 mountain\n"
    paint(page, "41.20", brush="remove")
    assert text_of(page) == ""


@thorough
def test_strokes_are_taken_back_and_done_again(page: AtTable) -> None:
    texts = []
    strokes = []
    for subjects, value in (("41.19 41.20", "rough"), ("41.20 42.20", "sea"), ("41.19", "clear")):
        texts.append(text_of(page) if strokes else "")
        strokes.append(paint(page, subjects, "terrain", value)["changes"])
    final = text_of(page)
    for stroke, before in zip(reversed(strokes), reversed(texts), strict=True):
        page.send("restore", changes=back(stroke))
        assert text_of(page) == before
    for stroke in strokes:
        page.send("restore", changes=stroke)
    assert text_of(page) == final


def test_two_pages_paint_at_once_and_neither_takes_back_what_the_other_has_painted(
    page: AtTable, tmp_path: Path
) -> None:
    other = AtTable(tmp_path / "others", GAME)
    other.enter("board east")
    mine = paint(page, "41.19 41.20", "terrain", "rough")
    theirs = paint(other, "41.20 42.20", "terrain", "sea")
    assert theirs["before"] == mine["mark"]
    taken = page.send("restore", changes=back(mine["changes"]))
    assert taken["before"] == theirs["mark"] != mine["mark"], "so the page reads anew"
    assert [change[1] for change in taken["changes"]] == ["41.19"]
    assert {(layer["value"], layer["subjects"]) for layer in other.send("ground")["layers"]} == {("sea", "41.20 42.20")}


def test_the_page_is_told_what_it_can_paint_and_how_much_is_printed(page: AtTable) -> None:
    ground = page.send("ground")
    tracks = [brush["track"] for brush in ground["brushes"]]
    assert tracks[:5] == ["terrain", "barrier", "rail", "road", "town"]
    printed = {track.name for track in page.game.tracks.values() if track.printed == "map"}
    assert {*tracks} <= printed
    crossing = {brush["track"] for brush in ground["brushes"] if brush["crosses"]}
    assert {"rail", "road"} <= crossing and "barrier" not in crossing
    assert [word["value"] for word in ground["brushes"][0]["words"]] == list(page.game.tracks["terrain"].values)
    assert (ground["total"], ground["layers"]) == (9442, [])
    assert paint(page, "41.19 41.20 41.21", "terrain", "clear")["printed"] == ground["printed"] + 3


@pytest.mark.parametrize("game", ["kaisers-war-in-the-east", "world-undone-east-prussia-1914", "der-weltkrieg"])
def test_every_game_is_painted_with_its_own_words(game: str, tmp_path: Path, own_data: None) -> None:
    page = AtTable(tmp_path / "tables", game)
    ground = page.send("ground")
    terrain = page.game.file.picture.terrain
    assert ground["brushes"][0]["track"] == terrain
    at = page.tables.desk("warsaw").game.board("").grid
    name = at.name(at.middle)
    value = ground["brushes"][0]["words"][1]["value"]
    shown = paint(page, name, terrain, value)
    assert shown["changes"] == [[terrain, name, None, value]]
    assert shown["printed"] == ground["printed"] + 1


def test_what_the_rulebook_says_otherwise_is_left_out_and_told(page: AtTable) -> None:
    board = load_game(GAME).board("east")
    (stated,) = [at for at in board.hexes if (fact := board.fact("terrain", at)) and fact.source is Source.RULEBOOK]
    other = next(word for word in page.game.tracks["terrain"].values if word != board.fact("terrain", stated).value)  # type: ignore[union-attr]
    shown = paint(page, f"{stated} {board.neighbours(stated)[0]}", "terrain", other)
    assert [change[1] for change in shown["changes"]] == [board.neighbours(stated)[0]]
    assert "contradicts the rulebook" in shown["left"][0]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        ({"brush": "word", "track": "terrain", "value": "rouhg", "subjects": ["41.19"]}, "'rouhg' is not allowed"),
        ({"brush": "word", "track": "terrain", "value": "rough", "subjects": ["99.99"]}, "hex 99.99 is off the map"),
        ({"brush": "word", "track": "terrain", "value": "rough", "subjects": ["41.19|41.20"]}, "is not a hex"),
        ({"brush": "word", "track": "barrier", "value": "ridge", "subjects": ["41.19|43.19"]}, "not adjacent"),
        ({"brush": "word", "track": "ip", "value": "1", "subjects": ["41.19"]}, "no map prints this"),
        ({"brush": "shown", "subjects": ["41.19"] * 251}, "a stroke over more than 250 places"),
        ({"brush": "erase", "subjects": []}, "this is not a request of the page"),
    ],
)
def test_what_cannot_be_painted_is_refused_and_nothing_is_kept(page: AtTable, request_: Any, said: str) -> None:
    refused = page.send("paint", **request_)
    assert refused["is"] == "refused" and said in refused["what"]
    assert pack_of(page.game).files.list_existing() == []


@thorough
def test_a_whole_map_has_room_in_the_pack(page: AtTable) -> None:
    """Terrain in every hex, and a railway on every hexside of half of it."""
    board = load_game(GAME).board("east")
    pack, half = pack_of(page.game), set(sorted(board.hexes)[:4700])
    sides = {"|".join(sorted((at, other))) for at in half for other in board.neighbours(at)}
    certain = {key for key, fact in board.facts.items() if fact.source is Source.RULEBOOK}
    facts = {("terrain", at): "rough" for at in board.hexes} | {("rail", side): "rail1" for side in sides}
    pack.change_ground("east", lambda known: {key: value for key, value in facts.items() if key not in certain})
    assert page.send("ground")["printed"] == 9442
    assert paint(page, "41.19", "terrain", "clear")["changes"] == [["terrain", "41.19", "rough", "clear"]]
