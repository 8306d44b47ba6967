"""What VASSAL's plugin asks and is told, through the pipe and without the engine."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.asking.asks import Ask
from assistant.faces.vassal.answering import Conversation, answer_requests
from assistant.faces.vassal.requests import (
    ASK,
    CHAT_LINE,
    GIVE,
    OFFER,
    Request,
    fill_blank,
    read_request,
    write_text,
    write_wish,
)
from assistant.formats.vassal.containers import ModuleData
from assistant.formats.vassal.saves import read_save
from assistant.formats.vassal.streams import read_stream
from assistant.installed.registry import make_game_loader
from assistant.util.errors import InputError

SAVE = Path(__file__).parents[3] / "engine" / "older.vsav"
"""A save of the set-up in which one division defends against three."""


@pytest.fixture(scope="module")
def state() -> bytes:
    """The commands of the game."""
    return read_stream(SAVE.read_bytes())[0]


@pytest.fixture(scope="module")
def ids(state: bytes) -> dict[str, str]:
    return {piece.marks().get("unit", ""): id for id, piece in read_save(state).pieces.items()}


def request(
    state: bytes, action: str, asked: str = "", pieces: tuple[str, ...] = (), side: str = "", player: str = "Tester"
) -> Request:
    return Request(action, asked, side, player, ModuleData("A module", "1.0"), pieces, state)


def sent(one: Request) -> bytes:
    """A request as the plugin writes it."""
    pieces = "".join(f"{id}\x1f" for id in one.pieces)
    fields = (one.action, one.asked, one.side, one.player, one.module.module, one.module.module_version, pieces)
    return "\t".join((*fields, str(len(one.state)))).encode() + b"\n" + one.state


def told(conversation: Conversation, one: Request) -> list[str]:
    return list(conversation.answer(one))


def test_a_selected_counter_is_offered_what_takes_a_unit_or_its_hex(state: bytes, ids: dict[str, str]) -> None:
    lines = told(Conversation(make_game_loader(None)), request(state, OFFER, pieces=(ids["1/1"],)))
    first = [line.split("\t")[0] for line in lines if line.startswith("offer ")]
    assert first[:4] == [
        "offer reach units=1/1",
        "offer supply unit=1/1",
        "offer threat at=41.19",
        "offer battle at=41.19",
    ]
    assert any(line.startswith("more stack at=41.19\t") for line in lines)


def test_the_hex_of_a_counter_is_described(state: bytes, ids: dict[str, str]) -> None:
    conversation = Conversation(make_game_loader(None))
    lines = told(conversation, request(state, OFFER, pieces=(ids["1/1"],)))
    assert [line.split("\t")[0] for line in lines].index("offer hex 41.19") == 6
    lines = told(conversation, request(state, ASK, "hex 41.19", (ids["1/1"],)))
    assert "clear" in lines[0]
    assert any("1/1" in line for line in lines)


def test_without_a_selection_the_turn_and_one_s_own_supply_are_offered(state: bytes) -> None:
    lines = told(Conversation(make_game_loader(None)), request(state, OFFER, side="russian"))
    assert [line.split("\t")[0] for line in lines[:2]] == ["offer turn", "offer next"]
    assert any(line.startswith("offer supply side=russian\t") for line in lines)


def test_a_battle_goes_on_with_what_is_typed_and_with_the_module_s_dice(state: bytes, ids: dict[str, str]) -> None:
    conversation = Conversation(make_game_loader(None))
    bare = state.replace(b"ask battle at=41.19 attacker-ap=3,20 defender-ap=1", b"weather=normal")
    lines = told(conversation, request(bare, ASK, "battle at=41.19", (ids["1/1"],)))
    assert lines[-1].startswith("wish battle at=41.19 attacker-ap=\x1e\tArtillery Ammunition Points: ")
    typed = "battle at=41.19 attacker-ap=3,20 defender-ap=1"
    lines = told(conversation, request(bare, ASK, typed, (ids["1/1"],)))
    assert "column 1:1 (42 against 23 is 2:1" in lines[0]
    assert lines[1] == "say Wanted: Combat Results Table, summer, 1:1: roll 2d6 with the module's button"
    assert "dice" in lines
    assert told(conversation, request(bare, CHAT_LINE, "*** 1d6: 3 <Tester>")) == []
    lines = told(conversation, request(bare, CHAT_LINE, "*** 2d6: 3,4 = 7 <Tester>"))
    assert "Step Loss Results Table" in lines[1]


def test_a_whole_battle_is_thrown_and_chosen_in_vassal(state: bytes) -> None:
    conversation = Conversation(make_game_loader(None))
    cells = b"chart crt summer 1:1 7 = +1 / -|chart slrt summer Large 6 = 2 / 0|"
    charted = state.replace(b"ask battle", cells + b"ask battle", 1)
    told(conversation, request(charted, ASK, "battle at=41.19"))
    for line in ("*** 2d6: 3,4 = 7 <Tester>", "*** 1d6: 3 <Tester>"):
        assert "dice" in told(conversation, request(charted, CHAT_LINE, line))
    lines = told(conversation, request(charted, CHAT_LINE, "*** 1d6: 4 <Tester>"))
    (wish,) = (line for line in lines if line.startswith("wish "))
    asked, title, *options = wish.removeprefix("wish ").split("\t")
    assert title == "2 step losses of the attacker"
    assert "25/3,27/3" in options
    lines = told(conversation, request(charted, GIVE, f"{asked}\x1f25/3,27/3"))
    assert "Effectiveness Check" in lines[1]


def test_dice_of_another_player_are_not_taken(state: bytes) -> None:
    conversation = Conversation(make_game_loader(None))
    told(conversation, request(state, ASK, "battle at=41.19"))
    assert told(conversation, request(state, CHAT_LINE, "*** 2d6: 3,4 = 7 <The Opponent>")) == []
    named = request(state, CHAT_LINE, "*** 2d6: 3,4 = 7 <Tester &amp; Co (German)>", player="Tester & Co")
    assert told(conversation, named) != []


def test_dice_that_were_thrown_are_not_lost_while_a_figure_of_a_chart_is_stated(state: bytes) -> None:
    conversation = Conversation(make_game_loader(None))
    told(conversation, request(state, ASK, "battle at=41.19"))
    lines = told(conversation, request(state, CHAT_LINE, "*** 2d6: 3,3 = 6 <Tester>"))
    assert any("type into the public notes" in line for line in lines)
    charted = state.replace(b"ask battle", b"chart crt summer 1:1 6 = +1 / -|ask battle", 1)
    (first, *_) = told(conversation, request(charted, OFFER))
    asked, title = first.removeprefix("offer ").split("\t")
    assert title == "go on with the dice that were thrown"
    assert "dice" in told(conversation, request(charted, ASK, asked))
    assert not any("go on with" in line for line in told(conversation, request(charted, OFFER)))


def test_a_name_with_a_space_is_chosen_as_it_is_shown() -> None:
    filled = fill_blank("battle at=41.19 | losses=\x1e\x1f25/3, 3 Train")
    assert filled == 'battle at=41.19 | losses=25/3,"3 Train"'
    assert fill_blank('reach units=\x1e\x1f"3 Train",25/3') == 'reach units="3 Train",25/3'
    assert fill_blank("ask a{}b=\x1e\x1f3") == "ask a{}b=3"


@pytest.mark.parametrize("text", ["!<img src=http://e.org/x>: drag it", "   !<img>: drag it", "\t?<b>", "~ what"])
def test_a_line_with_the_sign_of_a_colour_is_not_shown_as_html(text: str) -> None:
    assert write_text(text).startswith("say Field Staff: ")
    assert write_text("25/3 is <b>").startswith("say 25/3")


def test_a_label_of_a_window_is_not_shown_as_html() -> None:
    options = ("<html><img src=http://e.org/x>", "25/3")
    wanted = Ask(kind="choice", name="units", rule="", title="<html>which", how="", options=options)
    assert write_wish("battle", wanted).split("\t")[1:] == [" <html>which", " <html><img src=http://e.org/x>", "25/3"]


def test_what_ends_the_process_is_said_in_the_chat_first(monkeypatch: pytest.MonkeyPatch) -> None:
    replied = io.BytesIO()
    with pytest.raises(InputError):
        answer_requests(io.BytesIO(b"offer\n"), replied, make_game_loader(None))
    assert "`assistant vassal install` renews it" in replied.getvalue().decode()
    monkeypatch.setenv("FIELD_STAFF_LIMIT_TEXT", "4")
    with pytest.raises(InputError):
        answer_requests(io.BytesIO(b"offer\t\t\t\t\t\t\t5\nabcde"), replied, make_game_loader(None))
    assert "FIELD_STAFF_LIMIT_TEXT=8" in replied.getvalue().decode()


def test_what_carries_an_answer_out_is_listed(state: bytes) -> None:
    lines = told(Conversation(make_game_loader(None)), request(state, ASK, "move units=25/3 way=40.21"))
    assert lines[0].startswith("say 25/3 goes to 40.21: 3 Movement Points.")
    assert lines[1] == "say    25/3: drag it to 40.21"


def test_three_thousand_pieces_are_no_hindrance(state: bytes) -> None:
    chits = b"".join(
        b"+/x%d/piece;;;;Chit/Map;%d;%d;;0\x1b" % (number, number % 2000, number % 900) for number in range(3000)
    )
    many = state.replace(b"end_save", chits + b"end_save", 1)
    lines = told(Conversation(make_game_loader(None)), request(many, ASK, "supply unit=1/1"))
    assert lines[0].startswith("say 1/1 is In Supply")


def test_the_notes_own_parameters_are_taken_for_their_own_hex_alone(state: bytes, ids: dict[str, str]) -> None:
    conversation = Conversation(make_game_loader(None))
    assert "column 1:1" in told(conversation, request(state, ASK, "battle at=41.19", (ids["1/1"],)))[0]
    assert "no command '3'" not in told(conversation, request(state, ASK, "battle at=40.20", (ids["25/3"],)))[0]


def test_shapes_lie_on_the_map_in_its_pixels(state: bytes, ids: dict[str, str]) -> None:
    lines = told(Conversation(make_game_loader(None)), request(state, ASK, "battle at=41.19", (ids["1/1"],)))
    assert lines[lines.index("dice") + 1] == "map Map"
    hexes = [line for line in lines if line.startswith("hex ")]
    assert len(hexes) == 3
    assert hexes[0].endswith("\tdefence 23")


def test_what_the_player_cannot_see_is_not_asked_about(state: bytes) -> None:
    lines = told(Conversation(make_game_loader(None)), request(state, OFFER, pieces=("no such piece",)))
    assert lines == ["say Select a counter that you can see."]


def test_a_game_of_an_unknown_module_is_one_line(state: bytes) -> None:
    (line,) = told(Conversation(make_game_loader(None)), request(b"begin_save\x1bend_save", OFFER))
    assert line.startswith("say the save belongs to A module, whose pieces are unknown")


def test_requests_are_answered_in_order_until_the_pipe_is_closed(state: bytes) -> None:
    asked = io.BytesIO(sent(request(state, OFFER)) + sent(request(state, ASK, "turn")))
    replied = io.BytesIO()
    answer_requests(asked, replied, make_game_loader(None))
    offers, answer, rest = replied.getvalue().decode().split("\n\n")
    assert offers.startswith("offer turn\t")
    assert answer.startswith("say turn 1")
    assert rest == ""


@pytest.mark.parametrize("line", [b"offer\n", b"offer\t\t\t\t\t\t\tmany\n", b"offer\t\t\t\t\t\t\t5", b"\xff\xff\n"])
def test_a_damaged_request_is_refused(line: bytes) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_request(io.BytesIO(line))


def test_a_request_that_is_cut_off_is_none() -> None:
    assert read_request(io.BytesIO(b"offer\t\t\t\t\t\t\t5\nabc")) is None
    assert read_request(io.BytesIO(b"")) is None


def test_a_state_above_the_limit_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIELD_STAFF_LIMIT_TEXT", "4")
    with pytest.raises(InputError, match="the game has"):
        read_request(io.BytesIO(b"offer\t\t\t\t\t\t\t5\nabcde"))


def test_the_command_answers_through_its_standard_streams(state: bytes) -> None:
    words = [sys.executable, "-P", "-m", "assistant", "vassal", "answer"]
    run = subprocess.run(words, input=sent(request(state, ASK, "turn")), capture_output=True, timeout=60, check=True)
    assert run.stdout.decode().startswith("say turn 1")
    assert run.stderr == b""
