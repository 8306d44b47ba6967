"""What the page draws its buttons from, what its words mean, and what it is told of a hex that may be attacked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from assistant import parse
from assistant.asking.asks import ask_for_fact
from assistant.faces.page.respond import respond
from assistant.faces.page.table_view import show_ask
from assistant.faces.page.tables import Tables
from assistant.faces.page.words import PAGE_VERSION
from assistant.formats.positions import Position
from assistant.game.games import Game, pack_folder
from assistant.game.hexes import Hex
from assistant.game.states import build_state
from assistant.installed.registry import installed_games, named_game
from assistant.util.errors import quoted

from ....folders import written
from ....module_builder.aids.moor import FILES
from .pages import AtTable

GAME = "twilight-in-the-east"


@pytest.fixture
def tables(tmp_path: Path) -> Tables:
    return Tables(tmp_path)


def asked(tables: Tables, **request: Any) -> Any:
    return msgspec.json.decode(respond(tables, msgspec.json.encode(request)))


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_every_game_says_its_words(tables: Tables, game: str) -> None:
    words = asked(tables, do="words", game=game)
    tracks = {track["name"] for track in words["tracks"]}
    assert words["is"] == "words"
    assert tracks >= {*words["brackets"], *words["identity"]}
    assert {unit["side"] for unit in words["units"]} <= {side["id"] for side in words["sides"]}
    assert words["questions"]


def test_words_of_a_game(tables: Tables) -> None:
    words = asked(tables, do="words", game=GAME)
    units = {unit["id"]: unit for unit in words["units"]}
    assert units["1/1"]["figures"] == ["", "16", "7", "11"], "what is only illustrative is not shown"
    assert units["1/1"]["groups"] == ["Eighth", "1"]
    assert (words["digits"], {"4110", "4111"} <= {*words["longer"]}, "4119" in words["longer"]) == (4, True, False)
    course = words["course"]
    assert (course["track"], course["turns"][0]) == ("turn", "1")
    assert {"player-turn", "turn"} <= {phase["part"] for phase in course["phases"]}
    assert asked(tables, do="words", game="der-weltkrieg")["course"]["turns"][0] == "aug14/1"
    assert asked(tables, do="words", game=GAME, known=words["mark"]) == {"is": "same", "game": GAME}
    assert asked(tables, do="words", game=GAME, known="an older mark") == words


def test_browser_knows_unchanged_words_by_what_they_are_made_from(
    tmp_path: Path, own_data: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = AtTable(tmp_path / "tables", GAME)
    monkeypatch.setenv(PAGE_VERSION, "one")
    words = page.send("words", game=GAME)

    def fail(_: Game) -> None:
        raise AssertionError("the words are listed again")

    with monkeypatch.context() as patch:
        patch.setattr("assistant.faces.page.words._list_words", fail)
        assert page.send("words", game=GAME, known=words["mark"]) == {"is": "same", "game": GAME}
    assert page.send("words", game="der-weltkrieg", known=words["mark"])["is"] == "words"
    assert page.send("printed", unit="25/3", values={"steps": "10"})["is"] == "form"
    packed = page.send("words", game=GAME, known=words["mark"])
    assert packed["is"] == "words"
    assert page.send("words", game=GAME, known=packed["mark"])["is"] == "same"
    monkeypatch.setenv(PAGE_VERSION, "two")
    assert page.send("words", game=GAME, known=packed["mark"])["is"] == "words"


def test_players_cannot_see_by_the_mark_of_words_that_the_owner_has_changed_the_pack(
    tmp_path: Path, own_data: None
) -> None:
    page = AtTable(tmp_path / "tables", GAME)
    before = page.send("words", game=GAME)["mark"]
    assert page.send("enter", line="4119 +1/1", tap="1")["is"] == "table"
    assert page.send("cells", chart="crt", cells={})["is"] != "refused"
    (pack_folder(GAME) / "notes").mkdir(parents=True)
    (pack_folder(GAME) / "notes" / "mine.txt").write_text("mine", "utf-8")
    assert page.send("words", game=GAME)["mark"] == before


def test_what_a_unit_is_though_the_roster_only_has_it_as_an_example_is_stated_with_it(tables: Tables) -> None:
    units = {unit["id"]: unit for unit in asked(tables, do="words", game=GAME)["units"]}
    assert units["25/3"]["states"] == ""
    asked(tables, do="begin", table="t", game=GAME)
    line = f"4119 +{units['41/20']['states']} 41/20"
    placed = asked(tables, do="enter", table="t", line=line, tap="1")
    assert [(unit["nation"], unit["arm"], unit["size"]) for unit in placed["units"]] == [("german", "infantry", "XX")]


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_the_line_that_states_a_fact_takes_each_of_its_words(game: str) -> None:
    playing = named_game(game)
    grid = playing.file.grid
    hex, unit = grid.name(Hex(grid.columns[0] + 5, grid.rows[0] + 5)), next(iter(playing.roster))
    subjects = {"unit": unit, "hex": hex, "game": ""}
    for track in playing.tracks.values():
        if track.on not in subjects or not track.values or track.name in playing.file.notation.identity:
            continue
        shown = show_ask(Position(playing, build_state(playing)), ask_for_fact(track, subjects[track.on]))
        assert set(track.values) <= set(shown.options)
        for value in track.values:
            lines = (f"game {game}", f"{hex}: {quoted(unit)}", shown.line.replace("{}", value))
            read = parse("\n".join(lines), game=playing)
            assert track.write(read.state.facts[track.name, subjects[track.on]].value) == value


def test_a_hex_that_may_be_attacked_is_shown_with_those_around_it(tables: Tables) -> None:
    asked(tables, do="begin", table="t", game=GAME, position=f"game {GAME}\n41.19: 1/1\n40.20: 25/3")
    shown = asked(tables, do="around", table="t", hex="4119")
    assert (shown["is"], shown["target"], shown["side"]) == ("combat", "41.19", "central-powers")
    assert [(one["hex"], one["angle"]) for one in shown["around"]][:3] == [("41.18", 0), ("40.19", 60), ("40.20", 120)]
    assert [one["hex"] for one in shown["around"] if one["attacks"]] == ["40.20"]
    assert asked(tables, do="around", table="t", hex="0099")["is"] == "refused"


def test_a_table_may_begin_with_each_set_up(tables: Tables) -> None:
    for setup in asked(tables, do="words", game=GAME)["setups"]:
        assert asked(tables, do="begin", table=setup["name"], game=GAME, position=setup["text"])["is"] == "table"


@pytest.mark.parametrize(
    ("game", "chart", "stand_ins"),
    [
        (GAME, "crt", "made-up charts"),
        ("kaisers-war-in-the-east", "turn-record", "rebuilt charts"),
        ("kaisers-war-in-the-east", "standard", ""),
    ],
)
def test_a_chart_is_listed_with_what_stands_in_for_it(tables: Tables, game: str, chart: str, stand_ins: str) -> None:
    charts = {each["name"]: each["stand_ins"] for each in asked(tables, do="words", game=game)["charts"]}
    assert charts[chart] == stand_ins


@pytest.mark.parametrize("game", sorted(installed_games()))
def test_questions_facts_charts_and_units_are_explained(tmp_path: Path, game: str) -> None:
    page = AtTable(tmp_path, game)
    words = page.send("words", game=page.game.id)
    some = [words[kind][0][name] for kind, name in (("questions", "name"), ("tracks", "name"), ("units", "id"))]
    for word in [*some, *(chart["name"] for chart in words["charts"][:1])]:
        meaning = page.send("meaning", word=word)
        assert (meaning["is"], bool(meaning["lines"])) == ("meaning", True), word


def test_a_rule_has_its_title_at_once_and_what_computes_it_when_asked(tmp_path: Path) -> None:
    page = AtTable(tmp_path, "twilight-in-the-east")
    brief = page.send("meaning", word="10.8")["rules"]
    assert brief[0] == {"rule": "10.8a", "title": "Terrain shift", "asked": [], "left": ""}
    whole = page.send("meaning", word="10.8", computed=True)["rules"]
    assert [rule["rule"] for rule in whole] == [rule["rule"] for rule in brief]
    assert "battle" in whole[0]["asked"]


def test_a_rule_that_nothing_computes_says_why(tmp_path: Path) -> None:
    page = AtTable(tmp_path, "twilight-in-the-east")
    left = [
        rule
        for chapter in "12345"
        for rule in page.send("meaning", word=f"{chapter}.1", computed=True).get("rules", ())
    ]
    assert any(rule["left"] and not rule["asked"] for rule in left)


def test_a_word_that_means_nothing_is_refused_with_the_nearest(tmp_path: Path) -> None:
    page = AtTable(tmp_path, "twilight-in-the-east")
    refused = page.send("meaning", word="suply")
    assert (refused["is"], "supply" in refused["hint"]) == ("refused", True)


def test_a_game_of_data_alone_explains_its_words(tmp_path: Path) -> None:
    page = AtTable(tmp_path / "tables", str(written(tmp_path / "moor", FILES)))
    assert page.send("meaning", word="terrain")["lines"][0] == "terrain: terrain"
