"""The table as a link, and a table from a link: the answer is there at once, and the same."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import msgspec
import pytest

import assistant
from assistant.faces.page.links import open_link
from assistant.faces.page.messages.requests import OpenLinkRequest
from assistant.formats import links
from assistant.formats.notation import read_on
from assistant.formats.positions import Asked, Position
from assistant.game.games import Game
from assistant.installed.registry import installed_games, load_game
from assistant.service import pose_question
from assistant.state.tracks import Source, Track
from assistant.state.trust import PLACEHOLDERS
from assistant.state.words import OFF_MAP
from assistant.testing import typed
from assistant.util.errors import InputError

from ....cases import few, seeds
from ...game.test_named import OTHERS, SPELLED, UNITS, name_subject, numbered
from .test_desk import COMBAT, GAME, Page

ROOT = Path(__file__).parents[4]
EXAMPLES = sorted(ROOT.glob("plugins/*/examples/*.pos"))
IN_ITS_OWN_WAY = ("isolated", "supplied", "august-1914")
"""What a prompt and a file answer in different words: what a drawn board is taken to say, and what is due."""
ADDRESS = "https://example.org/table/"


@pytest.fixture
def page(tmp_path: Path) -> Page:
    page = Page(tmp_path)
    page.send("begin", table="warsaw", game=GAME)
    page.enter("t=1")
    return page


def test_a_battle_with_its_dice_comes_back_from_its_link(page: Page) -> None:
    for line in (COMBAT, "7", "3 4", "3"):
        told = page.enter(line)
    shared = page.send("share", table="warsaw")
    assert (shared["is"], shared["seen"], shared["left_out"]) == ("link", "everything on the table", [])
    found = page.send("open-link", table="link", fragment=f"{ADDRESS}{shared['fragment']}")
    assert found["table"] == "link"
    assert found["answer"] == told["answer"]
    assert found["pending"] == told["pending"]
    assert found["units"] == told["units"]


@few(2)
@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_the_question_of_a_link_is_answered_at_once(file: Path, page: Page) -> None:
    position = assistant.read(file)
    position = position.with_state(msgspec.structs.replace(position.state, cells={}))
    shown = open_link(page.tables, OpenLinkRequest(table="link", fragment=assistant.link(position).fragment))
    assert shown.game == position.game.id
    if file.stem not in IN_ITS_OWN_WAY:
        report = assistant.ask(pose_question(position, position.asks[0], {}))
        assert shown.answer
        assert list(shown.answer.answers) == list(report.answers_on(()))


# --- all that a position may state ------------------------------------------------------------------------------------


def draw_value(game: Game, track: Track, chance: Random) -> str:
    """Return a value of a track as it is typed."""
    if track.names == "turn" and track.kind == "text":
        return "mar16/5"
    if track.names in SPELLED:
        return numbered(game, chance.choice([*SPELLED[track.names]]))
    if track.kind == "choices":
        return "+".join(chance.sample(track.values, min(2, len(track.values))))
    values = track.in_turn(12)
    return track.write(chance.choice(values)) if values else "3"


def draw_statements(game: Game, tracks: Iterable[Track], chance: Random) -> Iterator[str]:
    """Yield a line of notation for each track, and one for each other kind of statement."""
    for number, track in enumerate(tracks):
        line = f"{name_subject(game, track)} {track.name}={draw_value(game, track, chance)}"
        yield line if line.endswith('"') else line + chance.choice(["", "?"])
        if track.on == "hex":
            yield f"elsewhere {track.name}={draw_value(game, track, chance)}"
        elif track.on == "hexside":
            hexes = [numbered(game, f"30.{row}") for row in (10 + number, 11 + number)]
            yield f"line {track.name}: {hexes[0]} -{track.name}={draw_value(game, track, chance)}- {hexes[1]}"
    for name, ruling in chance.sample([*game.rulings.items()], min(3, len(game.rulings))):
        yield f"ruling {name}={chance.choice([*ruling.readings])}"
    yield f"accept {chance.choice([*Source])}"
    yield f"trust {chance.choice([*PLACEHOLDERS])}"
    yield f"own {chance.choice([*PLACEHOLDERS])}"
    if chance.random() < 0.5:
        yield f"{OFF_MAP}: U"


def draw_position(game: Game, part: int) -> Position:
    """Return a position without a turn that states a sixth of all that its game may state, with a question."""
    chance = Random(f"{game.id} {part}")
    position = typed(OTHERS.get(game.id, UNITS), game)
    described = {"turn", *game.file.notation.identity}
    tracks = [track for name, track in game.tracks.items() if name not in described]
    for line in draw_statements(game, tracks[part % 6 :: 6], chance):
        with suppress(InputError):  # it does not fit what the lines before it say
            position = read_on(line, position, same_moment=True)
    return msgspec.structs.replace(position, asks=(Asked("due", {}),))


@few(9)
@pytest.mark.parametrize("part", seeds(12))
@pytest.mark.parametrize("game", installed_games())
def test_whatever_a_position_states_is_on_the_table_of_its_link(game: str, part: int, page: Page) -> None:
    position = draw_position(load_game(game), part)
    assert len(position.state.facts) > 10
    fragment = assistant.link(position).fragment
    assert links.read_link(fragment.encode(), "link", load_game).state == position.state
    assert open_link(page.tables, OpenLinkRequest(table="link", fragment=fragment)).game == game
    state = page.tables.desk("link").position.state
    facts = {key: fact for key, fact in state.facts.items() if key != ("turn", "")}
    assert msgspec.structs.replace(state, facts=facts) == position.state


# --- what is shared ---------------------------------------------------------------------------------------------------


def test_an_empty_table_can_be_shared(page: Page) -> None:
    shared = page.send("share", table="warsaw")
    assert links.unpack(shared["fragment"]) == f"\ngame {GAME}\nturn=1\n".removesuffix("\n")


def test_no_cell_that_was_typed_at_the_table_is_in_its_link(page: Page) -> None:
    page.enter("chart crt summer 1:1 7 = +1 / -")
    shared = page.send("share", table="warsaw")
    assert shared["left_out"] == ["1 chart cell, which stay with the owner of the chart"]
    assert "chart" not in links.unpack(shared["fragment"])


def link_of(viewpoint: str) -> str:
    position = assistant.parse(f"game {GAME}\nturn=1\n40.20: 25/3\nask stack at=40.20\nask supply unit=25/3")
    return links.write_link(position.with_state(msgspec.structs.replace(position.state, seen_by=viewpoint))).fragment


def test_whose_knowledge_a_link_is_stands_first_and_stays(page: Page) -> None:
    found = page.send("open-link", table="link", fragment=link_of("russian"))
    assert found["said"] == [
        "This link shows what the Russian side may know",
        "The link also asks: supply unit=25/3",
    ]
    page.tables = page.tables.__class__(page.tables.folder)
    assert page.send("look", table="link")["viewpoint"] == "russian"
    assert page.send("share", table="link")["seen"] == "what the Russian side may know"


@pytest.mark.parametrize("viewpoint", ["", "umpire", "russian"])
def test_a_link_opens_no_table_of_another_viewpoint(viewpoint: str, page: Page) -> None:
    assert page.send("open-link", table="link", fragment=link_of(viewpoint))["is"] == "table"
    assert page.send("open-link", table="link", fragment=link_of(viewpoint))["is"] == "table"
    other = page.send("open-link", table="link", fragment=link_of("central-powers"))
    assert other["what"] == "there is another table link"


# --- a link that is opened again ----------------------------------------------------------------------------------------


def test_a_link_that_is_opened_again_goes_on_with_its_table(page: Page) -> None:
    page.enter(COMBAT)
    fragment = page.send("share", table="warsaw")["fragment"]
    first = page.send("open-link", table="link", fragment=fragment)
    page.tables = page.tables.__class__(page.tables.folder)
    again = page.send("open-link", table="link", fragment=fragment)
    assert again == {**first, "undo": again["undo"]} and again["undo"].startswith("asked battle")
    page.enter("turn=2", table="link")
    assert page.send("open-link", table="link", fragment=fragment)["turn"] != first["turn"]


def test_a_table_of_another_position_is_left_alone(page: Page) -> None:
    fragment = assistant.link(assistant.parse(f"game {GAME}\n40.20: 25/3")).fragment
    refused = page.send("open-link", table="warsaw", fragment=fragment)
    assert (refused["is"], refused["what"]) == ("refused", "there is another table warsaw")
    assert page.send("look", table="warsaw")["units"] == []


@pytest.mark.parametrize(
    "fragment", ["", "#fs1.AAAA", "#fs9.AAAA", "see #fs1.", links.pack_text("\ngame ../x\n"), "\u2028"]
)
def test_a_link_that_cannot_be_read_begins_nothing(fragment: str, page: Page) -> None:
    assert page.send("open-link", table="link", fragment=fragment)["is"] == "refused"
    assert page.tables.names() == ["warsaw"]


# --- the QR code ----------------------------------------------------------------------------------------------------------


def test_the_qr_code_is_made_for_the_page_that_asks(page: Page) -> None:
    assert page.send("share", table="warsaw")["qr"] == ""
    assert page.send("share", table="warsaw", page=ADDRESS)["qr"].startswith("<svg ")


def test_why_there_is_no_qr_code(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    shared = page.send("share", table="warsaw", page=ADDRESS * 100)
    assert shared["qr"] == ""
    assert shared["no_qr"].endswith("letters are too many for a QR code")
    monkeypatch.setitem(sys.modules, "segno", None)
    shared = page.send("share", table="warsaw", page=ADDRESS)
    assert shared["fragment"]
    assert shared["no_qr"] == "QR codes need the package segno"
