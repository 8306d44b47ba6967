"""The scorecard of saves and logs, and its independent count, with files made here."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from assistant.formats.vassal.containers import COMMANDS, ESCAPE, ModuleData, write_container, write_module_data
from assistant.formats.vassal.sequence import join
from assistant.formats.vassal.streams import obfuscate

from .__main__ import card_of, table
from .counting import count_facts

UNIT = "+/1/emb2;;2\tpiece;;;a\\/1.png;First/1\tMap;10;20;12;0"
PIECES = [UNIT, "+/2/piece;;;b.png;Second/null;0;0", "+/s/stack/Map;10;20;1;@@3", "+/k/deck;true/Map;5;5;true;2"]
STEPS = ["-/2", "+/3/piece;;;c.png;Third/Map;1;1;;0", "M/1/Map/5/5/null/Map/10/20/null/me"]
SAVE = join(["begin_save", join(["", *PIECES], ESCAPE), "end_save"], ESCAPE)
LOG = join([SAVE, join([f"LOG\t{step}" for step in ("", *STEPS)], ESCAPE)], ESCAPE)
ABOUT = write_module_data(ModuleData("Game", "1", "3.6.0"))


@pytest.mark.parametrize(
    ("data", "form"),
    [
        (write_container({COMMANDS: obfuscate(LOG)}), "zip, !VCSK"),
        (write_container({COMMANDS: b"VOBS\x07" + bytes(byte ^ 7 for byte in LOG.encode())}), "zip, VOBS"),
        (write_container({COMMANDS: lzma.compress(obfuscate(LOG))}), "zip, xz, !VCSK"),
        (LOG.encode(), "bare, plain"),
    ],
)
def test_the_count_needs_no_reader(data: bytes, form: str) -> None:
    """Stacks and decks are no pieces; the log takes one off and brings one in."""
    assert count_facts(data) == (2, 2, form)


def test_the_count_follows_the_log() -> None:
    more = ESCAPE.join([LOG, *["LOG\t+/4/piece;;;;Fourth/null;0;0"] * 2])
    assert count_facts(more.encode())[:2] == (2, 3)


def test_a_file_is_read_counted_and_written_back() -> None:
    for text, last, steps in ((SAVE, 2, 0), (LOG, 2, 4)):
        card = card_of(write_container({COMMANDS: obfuscate(text), "moduledata": ABOUT}), "Game")
        assert (card.module, card.refused, card.first, card.last, card.steps) == ("Game", "", 2, last, steps)
        assert card.agrees
        assert card.same
        assert card.kept


def test_a_file_that_is_refused_says_why() -> None:
    card = card_of(obfuscate(join(["begin_save", "+/s/stack/Map;x;y"], ESCAPE)), "folder")
    assert card.refused.startswith("the command '+/s/stack/Map;x;y' cannot be read")


def test_logs_follow_on_if_the_next_one_begins_where_the_last_one_ended(tmp_path: Path) -> None:
    after = [UNIT.replace("10;20", "5;5"), "+/3/piece;;;c.png;Third/Map;1;1;;0"]
    follows = join(["begin_save", *after, "end_save", "LOG\tCHAT"], ESCAPE)
    logs = [LOG, follows, join([SAVE, "LOG\tCHAT"], ESCAPE)]
    cards = [
        (tmp_path, card_of(write_container({COMMANDS: obfuscate(log), "moduledata": ABOUT}), "Game")) for log in logs
    ]
    row = next(line for line in table(cards).splitlines() if "Game" in line)
    assert row == "| Game | 3 | 3 | 6 | 3 | 3 | 3 | 6 | 1 of 2 |  |"
