"""A campaign of 60 turns, pasted line by line at the table, and the same campaign kept by hand.

The hand knows the lines that were pasted, the second transcription of the schedules and the levels of morale; nothing of
the program reckons for it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from assistant.faces.prompt.books import JournalSession
from assistant.installed.registry import load_game
from assistant.records.journal.counting import questions_among
from assistant.records.journal.journal import JournalMoment
from assistant.records.journal.journal_file import JournalFile

from ..cases import thorough
from .test_schedules import NAIVE_TURNS, recurring, rows

pytestmark = thorough
PASTED = (Path(__file__).parent / "campaign.txt").read_text("utf-8").splitlines()
NATIONS = {
    "ge": "german", "ah": "austro-hungarian", "gb": "british", "fr": "french", "ru": "russian", "it": "italian",
    "se": "serbian", "be": "belgian", "ro": "romanian",
}  # fmt: skip
LEVELS = {
    ("german", "shaken"): 1500, ("british", "shaken"): 900, ("french", "shaken"): 900, ("russian", "shaken"): 750,
    ("russian", "collapse"): 1100, ("austro-hungarian", "shaken"): 550, ("austro-hungarian", "collapse"): 775,
}  # fmt: skip
ROTATION = (4, 3, 2, 2, 4, 4, 3, 2)
"""Replacement strength of the Austro-Hungarian rotation, step by step (6-24)."""
LABELS = [f"{month}/{turn}" for month, turn in NAIVE_TURNS]
NUMBERED = [label for label in LABELS if not label.endswith("/0")]
"""The turns by which a schedule counts: all but the special ones."""
EVENT = re.compile(r"(?:late (\S+) )?(?:force )?(\w\w) (dm|spend|rebuild|declare|cities)(?: (\d+))?(?: (\w+))?.*")


class Hand:
    """The books as a player keeps them with pencil and paper: the entries in force, reckoned anew from the first turn."""

    def __init__(self) -> None:
        self.entries: dict[int, tuple[int, str, str, int, str]] = {}
        self.others: list[int] = []
        self.number, self.turn, self.asked = 0, 0, ""
        self.enters: dict[int, tuple[str, str]] = {}

    def take(self, line: str) -> None:
        """A line that is pasted."""
        if line == "turn next":
            self._next()
            self.turn += 1
        elif line == "undo":
            last = max({*self.entries, *self.enters, *self.others})
            self._next()
            for kept in (self.entries, self.enters):
                kept.pop(last, None)
        elif line == "done":
            self._done()
        elif match := re.fullmatch(r"(strike|amend) (\d+)(?: (.*))?", line):
            old = self.entries.pop(int(match[2]))
            self._next()
            if match[1] == "amend":
                self.entries[int(match[2])] = (old[0], *self._event(match[3])[1:])
        elif line.split()[0] in ("gas", "romania", "italy"):
            self.asked = line
        elif EVENT.fullmatch(line):
            for one in line.split(", ") if line.count(" dm ") > 1 else [line]:
                turn, nation, word, amount, kind = self._event(one)
                if (
                    word in ("spend", "rebuild")
                    and "force" not in one
                    and not self._has(turn, nation, word, amount, kind)
                ):
                    continue
                self.entries[self._next()] = (turn, nation, word, amount, kind)

    def _next(self) -> int:
        self.number += 1
        self.others.append(self.number)
        return self.number

    def _event(self, line: str) -> tuple[int, str, str, int, str]:
        match = EVENT.fullmatch(line)
        assert match, line
        late, who, word, amount, kind = match.groups()
        return LABELS.index(late) if late else self.turn, NATIONS[who], word, int(amount or 0), kind or ""

    def _done(self) -> None:
        if self.asked.startswith("gas "):
            self._next()
        elif match := re.fullmatch(r"romania die=(\d)", self.asked):
            since = self.reckon()[self.turn]["austro-hungarian", "shaken"]
            after = NUMBERED.index(LABELS[since]) + 1
            self.enters[self._next()] = ("romanian", NUMBERED[after + int(match[1]) + 2])
        elif match := re.fullmatch(r"italy serbia=yes die=(\d)", self.asked):
            points = self.reckon()[self.turn]["austro-hungarian", "dm"]
            if int(match[1]) - 2 - points // 60 < 1:
                self.enters[self._next()] = ("italian", "may15/7")

    def _has(self, turn: int, nation: str, word: str, amount: int, kind: str) -> bool:
        left = self.reckon()[self.turn]
        if kind == "canadian":
            return left[nation, "canadian"] >= amount
        if word == "spend":
            return left[nation, "sp"] >= amount
        return left[nation, "rpl"] >= amount * (2 if kind == "artillery" else 1)

    def reckon(self) -> list[Counter[tuple[str, str]]]:
        """What each nation holds at the end of each turn so far, and since when it is Shaken or worse."""
        held: Counter[tuple[str, str]] = Counter()
        facts: dict[tuple[str, str], str] = {}
        for nation, turn in self.enters.values():
            facts["enters", nation] = turn
        kept = []
        for turn in range(self.turn + 1):
            for nation, account, amount in come(turn, facts, held):
                held[nation, account] += amount
            self._levels(turn, held, facts)
            for _, (when, nation, word, amount, kind) in sorted(self.entries.items()):
                if when != turn:
                    continue
                match word:
                    case "dm":
                        held[nation, "dm"] += amount
                    case "declare":
                        held[nation, "dm"] = max(550, held[nation, "dm"])
                    case "cities":
                        held[nation, "cities"] = amount
                    case "spend":
                        held[nation, "sp"] -= amount
                    case "rebuild":
                        account = kind if kind == "canadian" else "rpl"
                        held[nation, account] -= amount * (2 if kind == "artillery" else 1)
                self._levels(turn, held, facts)
            kept.append(+held)
        return kept

    def _levels(self, turn: int, held: Counter[tuple[str, str]], facts: dict[tuple[str, str], str]) -> None:
        for (nation, level), points in LEVELS.items():
            if held[nation, "dm"] >= points and (level, nation) not in facts:
                facts[level, nation] = LABELS[turn]
                held[nation, level] = turn


def come(
    turn: int, facts: dict[tuple[str, str], str], held: Counter[tuple[str, str]]
) -> Iterator[tuple[str, str, int]]:
    """What a turn brings by the second transcription: nation, account and amount."""
    dates = {LABELS[turn]}
    if (entered := facts.get(("enters", "romanian"))) in NUMBERED and LABELS[turn] in NUMBERED:
        dates.add(f"romanian.enters+{NUMBERED.index(LABELS[turn]) - NUMBERED.index(entered)}")
    for row in rows("arrivals"):
        if row["at"] in dates and row["item"] == "rpl":
            yield row["nation"], "rpl", int(row["strength"]) * int(row["count"] or 1)
        elif row["at"] in dates and row["sp"].isdigit() and row["action"] != "withdraw":
            yield row["nation"], "sp", int(row["sp"])
    if LABELS[turn] in ("feb15/1", "mar15/1") and held["belgian", "cities"] > 1:
        yield "belgian", "rpl", 4
    for row in recurring(turn, facts):
        nation, item, quantity = row["nation"], row["item"], int(row["quantity"])
        if item in ("sp", "dm"):
            yield nation, item, quantity
        elif row["rule"] == "4-13":
            yield nation, "canadian", 4
            yield nation, "rpl", -5
        elif row["rule"] == "7-20":
            yield nation, "rpl", 2 - 3
        elif nation == "austro-hungarian":
            yield nation, "rpl", ROTATION[held[nation, "steps"] % len(ROTATION)]
            yield nation, "steps", 1
        else:
            yield nation, "rpl", quantity * int(row["unit"][0])


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[JournalSession, Hand, list[str]]:
    journal = tmp_path_factory.mktemp("campaign") / "war.journal"
    journal.write_text("journal der-weltkrieg 1\n")
    books, hand = JournalSession(JournalFile(journal, load_game), 100), Hand()
    refusals = []
    for line in PASTED:
        said = books.enter(line)
        refusals += [text for text in said if text.startswith("! ") and " entry " not in text]
        hand.take(line)
    return books, hand, refusals


def test_the_hand_has_as_many_turns_and_entries(played: tuple[JournalSession, Hand, list[str]]) -> None:
    books, hand, refusals = played
    assert refusals == [
        "! Russia: supply points: 200 taken, but only 20 left (rule 16-4)",
        "! not entered: gas side=german gain=2+2; asked so again, `done` enters it",
        "! Great Britain: replacement strength of Canadians: 4 taken, but only 0 left (rule 4-13)",
    ]
    assert (hand.turn + 1, LABELS[hand.turn]) == (60, "mar15/4")
    entries = books.journal.entries
    assert (len(entries) - len(questions_among(entries, entries)), books.journal.turn) == (hand.number, 60)
    assert not books.journal.all_faults()


def test_every_turn_leaves_each_nation_with_what_the_hand_has_reckoned(
    played: tuple[JournalSession, Hand, list[str]],
) -> None:
    """Rule: 3-10, 3-14, 4-13, 5-12, 6-17, 6-18, 6-21, 6-22, 6-24, 7-16, 7-20, 8-1, 10-11, 13-1, 16-2, 25-5"""
    books, hand, _ = played
    for turn, reckoned in enumerate(hand.reckon()):
        state = books.journal.position(JournalMoment(turn=LABELS[turn])).state
        for nation in NATIONS.values():
            amounts = {track: fact.value for (track, who), fact in state.facts.items() if who == nation}
            found = {
                "dm": amounts.get("dm", 0),
                "sp": amounts.get("sp", 0),
                "canadian": amounts.get("rpl-canadian", 0),
                "rpl": sum(
                    value
                    for track, value in amounts.items()
                    if track.startswith("rpl") and track != "rpl-canadian" and isinstance(value, int)
                ),
            }
            assert found == {account: reckoned[nation, account] for account in found}, (LABELS[turn], nation)
        for nation, level in LEVELS:
            since = state.facts.get((level, nation))
            assert (since.value if since else "") == (
                LABELS[reckoned[nation, level]] if reckoned[nation, level] else ""
            ), (LABELS[turn], nation)


def test_neutrals_enter_as_the_dice_say(played: tuple[JournalSession, Hand, list[str]]) -> None:
    """Rule: 8-1, 13-1"""
    books, hand, _ = played
    facts = books.journal.position().state.facts
    assert dict(hand.enters.values()) == {nation: facts["enters", nation].value for nation in ("romanian", "italian")}
