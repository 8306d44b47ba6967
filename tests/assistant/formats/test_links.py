"""Positions as links: what is read back is the same, nothing of anybody's own copy is inside, and no link does harm."""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from hashlib import sha256
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import assistant
from assistant.formats import links
from assistant.formats.notation_writer import are_alike
from assistant.formats.positions import Position, is_link
from assistant.game.viewpoint import reduce_state
from assistant.installed.registry import load_game
from assistant.service import link
from assistant.state.state import Unit, Unread
from assistant.state.tracks import Fact, Source
from assistant.util.errors import InputError

from ...cases import examples, seeds
from ...conftest import GAME, typed
from ...secrets.worlds import hidden, seen
from .test_notation_writer import positions, same

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted(ROOT.glob("plugins/*/*/*.pos"))
BATTLE = ROOT / "plugins/twilight_in_the_east/examples/battle.pos"
PAGE = "https://example.org/table/"
MOST_LETTERS = 860
"""Of a link that a QR code of version 25 holds at level M, less an address of 137 letters."""


def reread(fragment: str, position: Position) -> Position:
    return links.read_link(fragment.encode(), "x.link", lambda _: position.game)


# --- what comes back ----------------------------------------------------------------------------------------------------


@given(positions(), st.sampled_from(["", "umpire", "South"]))
@settings(max_examples=examples(150))
def test_any_position_comes_back(position: Position, viewpoint: str) -> None:
    position = position.with_state(msgspec.structs.replace(position.state, seen_by=viewpoint))
    fragment, left_out = links.write_link(position)
    assert same(reread(fragment, position), position)
    assert left_out == ()


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: f"{file.parents[1].name}/{file.name}")
def test_the_examples_of_all_games_come_back_and_fit_a_qr_code(file: Path) -> None:
    position = assistant.read(file)
    fragment, _ = assistant.link(position)
    found = assistant.read(PAGE + fragment)
    left_out = {name: getattr(position.state, name) for name in ("rulings", "cells", "lines")}
    assert are_alike(found.with_state(msgspec.structs.replace(found.state, **left_out)), position)
    assert [(asked.question, asked.parameters) for asked in found.asks] == [
        (asked.question, asked.parameters) for asked in position.asks
    ]
    assert found.answers == position.answers
    assert len(fragment) <= MOST_LETTERS


def test_a_link_and_its_words_stay_the_same_as_long_as_their_version_does() -> None:
    """Links that are in use: no later program may read another position from them."""
    kept = "#fs1.BF7mN4OQJeWZOaBUgKLDxEDPyMBKwchU35gLAA"
    assert links.unpack(kept) == "\ngame twilight-in-the-east\n40.20: 25/3\n"
    assert (
        sha256(links.common_words("1")).hexdigest()
        == "2e9197e6e63a627798e0a9c37cd10406a18cdfa93d9a6f45c6ca98304dae2e2e"
    )


# --- what is left out ---------------------------------------------------------------------------------------------------

CELLS = "chart crt summer 1:1 7 = +1 / -"


def test_no_cell_of_a_chart_is_in_a_link() -> None:
    position = typed(f"turn=1\n40.20: 25/3\n{CELLS}")
    assert position.state.cells
    fragment, left_out = assistant.link(position)
    assert "chart" not in links.unpack(fragment)
    assert left_out == ("1 chart cell, which stay with the owner of the chart",)


def test_no_fact_that_is_printed_is_in_a_link() -> None:
    position = typed("turn=1\n40.20: 25/3 cel=-1\nline a: 40.20 clear -road- 40.21")
    state = position.state
    printed = {key: Fact(fact.value, Source.PRINTED) for key, fact in state.facts.items() if key[0] == "cel"}
    of_line = {
        name: {key: Fact(fact.value, Source.PRINTED) for key, fact in facts.items()}
        for name, facts in state.line_facts.items()
    }
    assert printed
    assert of_line["a"]
    owned = msgspec.structs.replace(state, facts={**state.facts, **printed}, line_facts=of_line)
    fragment, left_out = assistant.link(position.with_state(owned))
    text = links.unpack(fragment)
    assert "cel" not in text
    assert "clear" not in text
    assert "turn=1" in text
    count = len(printed) + len(of_line["a"])
    assert left_out == (f"{count} facts read off the owner's copy of the game",)


def test_what_notation_cannot_state_and_where_facts_came_from_is_named() -> None:
    position = typed("turn=1\n40.20: 25/3")
    away = Unit("27/3", "27/3", None)
    state = msgspec.structs.replace(
        position.state, units={**position.state.units, "27/3": away}, unread=(Unread("a strange piece"),)
    )
    fragment, left_out = assistant.link(position.with_state(state))
    assert left_out == ("not understood: a strange piece",)
    assert "off-map: 27/3" in links.unpack(fragment)
    position = typed("40.20 rough: 25/3")
    drawn = {key: Fact(fact.value, Source.DRAWN) for key, fact in position.state.facts.items()}
    drawn_position = position.with_state(msgspec.structs.replace(position.state, facts=drawn))
    fragment, left_out = assistant.link(drawn_position)
    assert left_out == ("where 1 fact came from: the link has them as assumed",)
    assert "rough?" in links.unpack(fragment)


def test_what_cannot_be_written_is_refused_and_a_unit_of_the_owners_pack_named(monkeypatch: pytest.MonkeyPatch) -> None:
    position = typed("40.20: 25/3")
    renamed = {"a": Unit("a", "25/3", "40.20")}
    with pytest.raises(InputError, match="cannot say that a is a 25/3"):
        assistant.link(position.with_state(msgspec.structs.replace(position.state, units=renamed)))
    position = typed("40.20: 25/3, russian infantry XX 9/X")
    roster = {
        name: {
            track: [msgspec.structs.replace(fact, source=Source.PRINTED) for fact in facts]
            for track, facts in printed.items()
        }
        for name, printed in position.game.roster.items()
        if name == "25/3"
    }
    monkeypatch.setattr(position.game, "roster", roster)
    assert assistant.link(position).left_out == (
        "what kind of unit 25/3 is, which your own pack alone says: describe it in the position",
    )


def test_worlds_that_differ_in_what_is_hidden_have_the_same_link() -> None:
    game, differed = load_game(GAME), 0
    for number in seeds(40):
        random = Random(number)
        known = seen(random)
        one, other = (hidden(random, known, ".pos") for _ in range(2))
        positions = [Position(game, world.state) for world in (one, other)]
        first, second = (link(position.seen(reduce_state(game, position.state, known.side))) for position in positions)
        assert first == second
        found = assistant.read(first.fragment)
        assert found.state.seen_by == known.side
        assert found.state.units.keys() == {
            unit for unit, at in reduce_state(game, one.state, known.side).units.items() if at.place
        }
        differed += assistant.link(positions[0]) != assistant.link(positions[1])
    assert differed


def test_of_what_a_side_sees_questions_and_answers_stay_out_and_nobody_sees_more_than_the_writer() -> None:
    position = assistant.read(BATTLE, side="russian")
    fragment, left_out = assistant.link(position)
    assert position.asks
    assert not assistant.read(fragment).asks
    assert not assistant.read(fragment).answers
    assert left_out[0] == "questions and answers: their author may have known more than this side"
    fragment, _ = assistant.link(assistant.read(BATTLE, side="russian"))
    assert assistant.read(fragment, side="umpire").state.seen_by == "russian"


# --- links that are damaged, or meant to do harm ------------------------------------------------------------------------

WHOLE = links.pack_text("\ngame twilight-in-the-east\n40.20: 25/3\n")


def raw(data: bytes, check: bytes | None = None, *, zdict: bytes = links.common_words("1")) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, zdict=zdict)
    packed = (zlib.crc32(data).to_bytes(4, "big") if check is None else check) + packer.compress(data) + packer.flush()
    return "#fs1." + urlsafe_b64encode(packed).decode().rstrip("=")


@pytest.mark.parametrize("end", range(len(WHOLE)))
def test_a_link_that_was_cut_off(end: int) -> None:
    with pytest.raises(InputError, match="damaged|not a link"):
        links.unpack(WHOLE[:end])


@given(st.integers(5, len(WHOLE) - 1), st.sampled_from("AZaz09-_"))
def test_a_letter_that_is_wrong(at: int, letter: str) -> None:
    changed = WHOLE[:at] + letter + WHOLE[at + 1 :]
    try:
        assert links.unpack(changed) == links.unpack(WHOLE)  # the last letter has bits that say nothing
    except InputError as error:
        assert error.what == "this link is damaged, or a part of it is missing"


@pytest.mark.parametrize(
    "link",
    [
        "#fs1.",
        "#fs1.A",
        "#fs1.AAAA",
        "#fs1.AAAAAA",
        "#fs1.____________",
        raw(b"\ngame x\n", b"\0\0\0\0"),
        raw(b"\xff\xfe\n"),
        WHOLE + "AAAA",
    ],
)
def test_a_fragment_that_was_made_up(link: str) -> None:
    with pytest.raises(InputError, match="this link is damaged"):
        links.unpack(link)


def test_a_link_that_is_too_long_unpacks_to_too_much_or_is_of_a_later_version() -> None:
    with pytest.raises(InputError, match="it holds more than 256K letters"):
        links.unpack(raw(b"\n" * 40_000_000))
    with pytest.raises(InputError, match="it holds more than 64K letters"):
        links.unpack("#fs1." + "A" * 100_000)
    with pytest.raises(InputError, match=r"x\.link: it holds more than 64K letters"):
        links.read_link(b" " * 100_000, "x.link", load_game)
    with pytest.raises(InputError, match="version 2\n  update Field Staff"):
        links.unpack("#fs2.AAAAAAAA")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("\n40.20: 25/3\n", "x.link:1: the first line must name the game"),
        ("\ngame ../../etc\n", "x.link:1:1: unknown game '../../etc'"),
        (f"nobody\ngame {GAME}\n", "x.link: unknown side 'nobody'"),
        (f"\ngame {GAME}\n40.20: nonsense\n", "x.link:2:8: unknown unit 'nonsense'"),
    ],
)
def test_a_link_with_a_position_that_is_wrong(text: str, fault: str) -> None:
    with pytest.raises(InputError) as raised:
        links.read_link(links.pack_text(text).encode(), "x.link", load_game)
    assert str(raised.value).startswith(fault)


# --- where links are read -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", ["", PAGE, f"{PAGE}?of=anna"])
def test_a_link_stands_where_a_file_is_named(before: str) -> None:
    assert list(assistant.read(before + WHOLE).state.units) == ["25/3"]


def test_a_file_with_a_link_even_one_that_a_mail_has_broken(tmp_path: Path) -> None:
    file = tmp_path / "game.link"
    file.write_text(f"{PAGE}{WHOLE[:20]}\n{WHOLE[20:]}\n")
    assert list(assistant.read(file).state.units) == ["25/3"]


@pytest.mark.parametrize("text", ["", "battle.pos", "war.journal#212", "#fs.AAAA", f"see {WHOLE}", "fs1.AAAA"])
def test_what_is_no_link(text: str) -> None:
    assert not is_link(text)
