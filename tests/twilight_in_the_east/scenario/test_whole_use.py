"""The whole use: an owner types a scenario, begins its journal and plays three game turns, looks back, amends a loss.

The scenario, its units' places and its arrivals are invented; nothing of it is from a booklet.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ...cases import thorough
from ...commands import Done, run_command

GAME = "twilight-in-the-east"
MOOR = Path(__file__).parent / "moor"
KEYS_AN_HOUR = 60 * 60
"""Keystrokes of a slow typist who looks each up in his booklet: one a second."""


class Desk:
    """An owner's desk: his data folder, and a journal beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data = folder, folder / "data"

    def run(self, *words: str, typed: str = "") -> Done:
        return run_command(self.folder, *words, typed=typed, data=self.data)

    def said(self, *words: str, typed: str = "") -> str:
        done = self.run(*words, typed=typed)
        assert not done.returncode, done.stderr
        return " ".join(done.stdout.split())


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path)
    desk.said("viewpoint", GAME, "umpire")
    desk.said("pack", "take", GAME, "setups", str(MOOR / "moor.pos"))
    desk.said("pack", "take", GAME, "schedules", str(MOOR / "moor.csv"))
    return desk


def test_it_is_typed_in_less_than_an_hour() -> None:
    texts = [(MOOR / name).read_text("utf-8") for name in ("moor.pos", "moor.csv")]
    assert sum(map(len, texts)) < KEYS_AN_HOUR
    units = sum(line.count(",") + 1 for line in texts[0].splitlines() if line[:1].isdigit())
    assert units >= 35, "with what arrives some forty units"


@thorough
def test_it_can_be_typed_line_by_line(tmp_path: Path, desk: Desk) -> None:
    anew = Desk(tmp_path / "anew")
    anew.folder.mkdir()
    lines = [
        line for line in (MOOR / "moor.pos").read_text("utf-8").splitlines() if not line.startswith(("game", "scen"))
    ]
    assert f"{len(lines)} lines saved" in anew.said("pack", "enter", GAME, "setups", "moor", typed="\n".join(lines))
    rows = """1 38.18 38.19: 2 c, 3 c
2 37.29: 43/2
2 46.25: 36 r/1 R
3 50.40: 4/6, 16/6, 6 Train army=Second
3 38.20: 5 rf
5 48.28: 6 lw, 70 lw
withdraw 3: 1 gdc
substitute 3: 36/17 replaces="2 lw"
activate 2 corps=2 who=russian
activate 3 army="russian Second"
"""
    assert "10 lines saved" in anew.said("pack", "enter", GAME, "schedules", "moor", typed=rows)
    for which in (desk, anew):
        which.said("journal", "new", GAME, "moor.journal", "--setup", "moor")
    assert desk.said("journal", "due", "moor.journal", "until=6") == anew.said(
        "journal", "due", "moor.journal", "until=6"
    )


def test_check_says_what_it_lacks_in_the_order_in_which_it_is_typed(desk: Desk) -> None:
    said = desk.said("pack", "check", GAME)
    parts = [
        "units of its armies that are neither set up nor arrive",
        "turns without: date",
        "counters that lack values",
    ]
    places = [said.index(f"scenario moor: {part}") for part in parts]
    assert places == sorted(places)
    assert "not stated for" not in said.partition("scenario moor")[2]
    assert "(1-6)" in said and "german-rp" in said


@thorough
def test_three_turns_of_it(desk: Desk) -> None:
    def add(*words: str) -> None:
        desk.said("journal", "add", "moor.journal", *words)

    def due(moment: str = "") -> str:
        return desk.said("ask", "due", f"moor.journal{moment}")

    def owed(moment: str = "") -> str:
        return desk.said("turn", f"moor.journal{moment}", "--full")

    desk.said("journal", "new", GAME, "moor.journal", "--setup", "moor")
    assert "Due in 1 = 2 items due Russian 16.1 2 c, 38.18 38.19 16.1 3 c, 38.18 38.19" in due()
    assert "due and not on the map: 2 c, 3 c" in owed()
    add("fact", '38.18: "2 c"')
    add("fact", '38.19: "3 c"')
    assert "nothing is due" in due() and "due and not on the map" not in owed()
    add("turn", "next")
    add("fact", "phase=reinforcement phasing=russian")
    assert "43/2" in due() and "36 r/1 R" in due()
    assert "active from now on: 2 Corps" in owed()
    add("fact", "37.29: 43/2")
    add("fact", "25/3 -3")
    add("turn", "next")
    add("fact", "phase=reinforcement phasing=russian")
    expected = (
        "4/6, 50.40",
        "5 rf, 38.20",
        "1 gdc (withdraw)",
        "36/17 for 2 lw (substitute)",
        "russian Second (activate)",
    )
    assert [text for text in expected if text not in due()] == []
    assert "to be removed from the map: 1 gdc" in owed()
    assert "active from now on: russian Second" in owed()

    assert "2 c" in due("@1") or "nothing is due" in due("@1")
    assert "43/2" not in due("@2") and "43/2" in due("#4") and "2 c" in due("#0")
    assert "25/3 -3" in desk.said("convert", "moor.journal@2", "--notation")
    assert "25/3 -3" not in desk.said("convert", "moor.journal@1", "--notation")


def test_an_old_loss_is_amended_and_what_never_was_is_refused(desk: Desk) -> None:
    desk.said("journal", "new", GAME, "moor.journal", "--setup", "moor")
    for entry in ("fact 25/3 -3", "turn next", "turn next"):
        desk.said("journal", "add", "moor.journal", entry)
    desk.said("journal", "amend", "moor.journal", "1", "25/3 -2")
    for moment in ("@1", "@3"):
        assert "25/3 -2" in desk.said("convert", f"moor.journal{moment}", "--notation")
    before = (desk.folder / "moor.journal").read_bytes()
    for number, entry, why in (
        ("66", "25/3 -2", "there is no entry 66 the last one is 4"),
        ("1", "fact 25/33 -2", "a line cannot begin with '25/33' nearest known: 25/3"),
        ("2", "25/3 -2", "entry 2 begins a turn"),
    ):
        refused = desk.run("journal", "amend", "moor.journal", number, entry)
        assert refused.returncode == 3 and why in " ".join(refused.stderr.split())
    assert (desk.folder / "moor.journal").read_bytes() == before
