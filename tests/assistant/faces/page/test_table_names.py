"""What a table is called that its players have not named, and the tables of the prompt beside those of the page."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from assistant import parse, read
from assistant.faces.page.table_names import name_by_game
from assistant.faces.prompt.files import TableFile, table_file
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.game.viewpoint_settings import set_viewpoint
from assistant.installed.registry import load_game

from .test_desk import COMBAT, GAME, Page

EXAMPLES = Path(__file__).parents[4] / "plugins"
COVERED = f"game {GAME}\nturn=2\n44.20: 1/1, 2/1\n43.19: 25/3\n"


@pytest.fixture
def page(tmp_path: Path, own_data: None) -> Page:
    return Page(tmp_path / "tables")


def at_the_prompt(*lines: str, start: str = "") -> None:
    """A session of the prompt at which these lines were typed."""
    file = table_file(GAME)
    file.parent.mkdir(parents=True, exist_ok=True)
    game = load_game(GAME)
    position = parse(start, game=game) if start else Position(game, build_state(game))
    session = Session(TableState(position), 100, TableFile(file))
    for line in lines:
        session.enter(line)


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("twilight_in_the_east/examples/gumbinnen.pos", "Twilight, 19 Aug, Gumbinnen"),
        ("kaisers_war_in_the_east/examples/lemberg.pos", "Kaiser, Aug 1914, Lemberg"),
        ("world_undone_east_prussia/examples/reach.pos", "World Undone, turn 1, Schirwindt"),
        ("der_weltkrieg/examples/may-1916.pos", "Weltkrieg, May 1916"),
    ],
)
def test_table_is_called_by_game_date_and_place(file: str, name: str) -> None:
    assert name_by_game(read(EXAMPLES / file)) == name


def test_what_is_not_known_is_left_out() -> None:
    game = load_game(GAME)
    assert name_by_game(Position(game, build_state(game))) == "Twilight"
    apart = parse(f"game {GAME}\nturn=3\n44.20: 1/1\n05.74: 25/3\n", game=game)
    assert name_by_game(apart) == "Twilight, 21 Aug"
    assert name_by_game(apart, "44.20") == "Twilight, 21 Aug, Gumbinnen"


def test_title_that_players_give_stands_beside_it(page: Page) -> None:
    for table, called in ((f"{GAME}-1", "Twilight, 19 Aug, Stallupönen"), ("mondays", "")):  # one is of a player's file
        page.send("begin", table=table, game=GAME, title="Mondays with Anna")
        page.enter("t=2", table=table)
        page.enter(COMBAT, table=table)
        listed = page.send("about", table=table)
        assert (listed["title"], listed["called"]) == ("Mondays with Anna", called)


def test_table_of_the_prompt_is_listed_and_continued_as_a_copy(page: Page) -> None:
    assert page.send("games")["prompts"] == []
    assert page.send("open-prompt", game=GAME)["is"] == "refused"
    at_the_prompt("t=2", COMBAT)
    before = table_file(GAME).read_bytes()
    assert page.send("games")["prompts"] == [GAME]
    listed = page.send("about-prompt", game=GAME)
    assert (listed["called"], listed["stands"]) == ("Twilight, 19 Aug, Stallupönen", "battle at 41.19")
    assert listed["written"]
    shown = page.send("open-prompt", game=GAME)
    assert (shown["is"], shown["answer"]["question"], shown["combat"]["target"]) == ("table", "battle", "41.19")
    page.send("enter", table=shown["table"], line="turn=3")
    assert page.send("open-prompt", game=GAME)["table"] == shown["table"]
    assert table_file(GAME).read_bytes() == before
    at_the_prompt("t=5", COMBAT)
    table_file(GAME).with_suffix(".beside.json").replace(table_file(GAME))  # the prompt has gone on
    assert page.send("open-prompt", game=GAME)["table"] != shown["table"]


def test_table_of_the_prompt_shows_no_more_than_the_own_viewpoint(page: Page) -> None:
    at_the_prompt("t=3", start=COVERED)
    whole = page.send("open-prompt", game=GAME)
    assert {unit["id"] for unit in whole["units"]} == {"1/1", "2/1", "25/3"}
    set_viewpoint(GAME, "russian")
    shown = page.send("open-prompt", game=GAME)
    assert shown["viewpoint"] == "russian"
    assert "2/1" not in {unit["id"] for unit in shown["units"]}
    assert "2/1" not in msgspec.json.encode(shown).decode()


def test_only_an_installed_game_has_a_table_at_the_prompt(page: Page) -> None:
    for game in ("../table", "nothing", ""):
        assert page.send("about-prompt", game=game)["what"] == "no table of the prompt is saved here"
