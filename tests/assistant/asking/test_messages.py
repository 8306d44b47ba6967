"""Messages are read from a table, each in one wording or in a full and a brief one."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.asking.messages import FILE, SAY, Messages, read_messages
from assistant.util.errors import CodeError, InputError

TABLE = """[move]
to = "{unit} can move to {end}: {way:way}."
hex = { full = "{hex} by {how}: {cost}", brief = "{hex} {how} {cost}" }
"""


def test_a_message_has_one_wording_or_a_full_and_a_brief_one(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(TABLE)
    assert read_messages(tmp_path) == {
        "move.to": "{unit} can move to {end}: {way:way}.",
        "move.hex": "{hex} by {how}: {cost}",
        "move.hex.brief": "{hex} {how} {cost}",
    }
    assert read_messages(tmp_path / "none") == {}
    (tmp_path / FILE).write_text(TABLE.replace("brief", "short"))
    with pytest.raises(InputError, match="brief"):
        read_messages(tmp_path)


def test_steps_verdicts_and_words_are_said_by_name() -> None:
    entered = {"hex": "41.20", "how": "march", "cost": 2}
    said = SAY("8.1", "move.hex", **entered)
    assert (said.rule, said.text) == ("8.1", "41.20 by march: 2")
    assert SAY.brief("move.hex", **entered) == "41.20 march 2"
    verdict = SAY.verdict("no", "need.refused", at="41.20")
    assert (verdict.kind, verdict.text) == ("no", "no attack on 41.20 is allowed")


def test_a_message_that_is_not_in_the_table_is_a_fault_of_the_code() -> None:
    with pytest.raises(CodeError, match="has no message 'move.hexes'"):
        SAY("", "move.hexes")
    with pytest.raises(CodeError, match=r"move\.to\.brief"):
        Messages("assistant.asking").brief("move.to")


@pytest.mark.parametrize(
    ("hexes", "said"),
    [
        (["1", "2", "3", "4", "5", "6"], "1, 2, 3, 4, 5, 6"),
        (["1", "2", "3", "4", "5", "6", "7"], "1, 2, 3 ... 5, 6, 7"),
    ],
)
def test_of_a_long_way_the_ends_are_said(hexes: list[str], said: str) -> None:
    assert SAY("", "supply.line", way=hexes).text == f"Its line: {said}."
