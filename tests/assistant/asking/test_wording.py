"""Words for figures, and the messages of a table in one wording or in a full and a brief one."""

from __future__ import annotations

import os
import re
from fractions import Fraction
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from assistant.asking.changes import format_change
from assistant.asking.messages import FILE, SAY, Messages, read_messages
from assistant.asking.report import Step, step
from assistant.asking.wording import figure_names, fill
from assistant.installed.registry import installed_games, load_game
from assistant.mechanics.chances import Likelihood
from assistant.state.changes import AnyChange, Change, Gain, Raise
from assistant.state.tracks import Track, Value
from assistant.util.errors import CodeError, InputError


def test_a_long_list_names_the_first_and_how_many_more() -> None:
    hexes = ["40.19", "40.20", "40.21", "40.22", "40.23"]
    assert fill("across {hexes:+}", {"hexes": hexes}) == "across 40.19, 40.20, 40.21 and 2 more"
    assert fill("across {hexes:+}", {"hexes": hexes[:4]}) == "across 40.19, 40.20, 40.21, 40.22"
    assert fill("across {hexes}", {"hexes": hexes}) == "across 40.19, 40.20, 40.21, 40.22, 40.23"


def test_words_are_written_with_capitals_where_a_text_asks_for_it() -> None:
    assert fill("{nation:title} units", {"nation": "austro-hungarian"}) == "Austro-Hungarian units"
    assert fill("{nations:title} units", {"nations": ("german", "turkish")}) == "German, Turkish units"


@pytest.mark.parametrize("name", installed_games())
def test_no_change_is_worded_with_a_bare_sign_or_a_mark_of_notation(name: str) -> None:
    """Of every track of every game, for values drawn at random."""
    tracks, random = load_game(name).tracks, Random(1914)
    for track in tracks.values():
        about = "" if track.on == "game" else "the subject"
        for before, after, amount in [_drawn(track, random) for _ in range(CHANGES)]:
            changes: list[AnyChange] = [Change(track.name, about, before, after, "")]
            if track.kind == "integer":
                changes += [Gain(track.name, about, amount, ""), Raise(track.name, about, abs(amount), "")]
            for change in changes:
                said = format_change(change, tracks)
                assert not re.search(r"(?<![\w.])[-+\u2212]\d|\w=|\bD\d", said), said


CHANGES = int(os.environ.get("CHANGES", "5"))
"""How many changes of each track are drawn: CHANGES=100 tries some 30,000."""


def _drawn(track: Track, random: Random) -> tuple[Value | None, Value | None, int]:
    """A value before, one after, and an amount, each of which the track may have."""
    least = -9 if track.least is None else track.least
    most = least + 40 if track.most is None else track.most

    def value() -> Value | None:
        if track.kind == "integer":
            return random.choice([None, random.randint(least, most)])
        if track.kind == "flag":
            return random.choice([None, True, False])
        return random.choice([None, *track.values]) if track.kind == "choice" else None

    return value(), value(), random.choice([number for number in range(-9, 10) if number])


def test_a_passage_is_said_only_where_its_figure_is_true() -> None:
    template = "[half:half of |]{hex} is built[complete:, and the line of {hexes:#hex} is complete]"
    assert fill(template, {"half": True, "complete": False, "hex": "20.20", "hexes": 3}) == "half of 20.20 is built"
    text = "20.20 is built, and the line of 3 hexes is complete"
    assert fill(template, {"half": 0, "complete": [1], "hex": "20.20", "hexes": 3}) == text
    assert fill("[half:half|all] of it [8.3]", {"half": False}) == "all of it [8.3]"
    assert figure_names(template) == ("half", "complete", "hex", "hexes")


def test_a_step_has_the_passages_that_it_says_and_the_figures_of_these() -> None:
    template = "[half:half of |]{hex} is built[hexes:, and the line of {hexes:#hex} is complete]"
    ground = SimpleNamespace(half=False, hexes=0)
    assert step("17.1", template, ground, hex="20.20") == Step("17.1", "{hex} is built", {"hex": "20.20"})
    long = step("17.1", template, hex="20.20", half=True, hexes=3)
    assert long.template == "half of {hex} is built, and the line of {hexes:#hex} is complete"
    assert long.figures == {"hex": "20.20", "hexes": 3}, "what only chooses a passage is no figure of the step"
    with pytest.raises(AttributeError, match="the figure 'half' of"):
        step("17.1", template, hex="20.20", hexes=3)


def test_equal_chances_of_a_line_are_written_alike() -> None:
    sixth, third = Likelihood("A", Fraction(1, 6)), Likelihood("B", Fraction(1, 3))
    assert fill("{all}", {"all": (sixth,) * 6}) == ", ".join(["A (16.7%)"] * 6)
    assert fill("{all}", {"all": (third,) * 3}) == ", ".join(["B (33.3%)"] * 3)
    mixed = (Likelihood("A", Fraction(1, 6)), Likelihood("B", Fraction(1, 6)), Likelihood("C", Fraction(2, 3)))
    assert fill("{all}", {"all": mixed}) == "A (16.7%), B (16.7%), C (66.7%)"


# --- messages ---------------------------------------------------------------------------------------------------------

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
