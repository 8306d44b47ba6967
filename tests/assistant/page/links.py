"""Random taps, undos, lost answers, reloads and restarts at one table with several links: each link is a view of the one journal.

`python -m tests.assistant.page.links STEPS SEED` takes so many steps.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from assistant.game.viewpoint import seen_by
from assistant.journal.files import parse_journal
from assistant.journal.journal import Journal
from assistant.journal.lines import mark_of_tap
from assistant.page.desk import OpenTables, Tables
from assistant.page.respond import respond
from assistant.page.side_record import unpack_state
from assistant.page.sides import SideDesk, SideTables, WholeTables
from assistant.plugins.registry import load_game
from assistant.state.state import GameState

GAME = "twilight-in-the-east"
SIDES = ("russian", "central-powers")
OWN = {"russian": ("25/3", "27/3", "29/20", "28/20"), "central-powers": ("1/1", "2/1", "35/17", "36/17")}
RATINGS = {"russian": "10--5-10", "central-powers": "12-16-7-11"}
HEXES = {"russian": ("4020", "4019", "3920"), "central-powers": ("4119", "4219", "4220")}
STEPS = 50
"""How many steps a table takes."""


class Links:
    """A table with the laptop's link and several of each side. phones: who holds each."""

    def __init__(self, folder: Path, random: Random) -> None:
        self.folder, self.random = folder, random
        self.phones = ["", *SIDES, *random.choices(["", *SIDES], k=random.randint(0, 3))]
        Tables(folder).begin("front", GAME)
        self.taps = 0
        self.log: list[str] = []
        self.start()

    def start(self) -> None:
        """Serve the table, be it again."""
        whole = WholeTables(Tables(self.folder), "front", SIDES, self.folder / "sides")
        self.whole = whole
        self.seats: dict[str, OpenTables] = {"": whole, **{side: SideTables(whole, side) for side in SIDES}}

    def send(self, side: str, do: str, **request: Any) -> Any:
        """The response to a request of a phone."""
        return json.loads(respond(self.seats[side], json.dumps({"do": do, "table": "front", **request}).encode()))

    def enter(self, side: str, line: str) -> Any:
        """Enter a line; its answer may be lost, and then it is sent again, maybe once the table is served anew."""
        self.taps += 1
        request = {"line": line, "tap": f"tap {self.taps}", "sure": True}
        shown = self.send(side, "enter", **request)
        self.log.append(f"{side or 'laptop'}: {line} -> {shown['refused'] and shown['refused']['what']}")
        if self.random.random() < 0.1:
            if self.random.random() < 0.3:
                self.start()
            before = self.journal().last
            self.send(side, "enter", **request)
            assert self.journal().last == before, "a tap that is sent again counts twice"
        return shown

    def journal(self) -> Journal:
        """The journal of the table, read anew from its file."""
        file = self.folder / "front.journal"
        return Journal(parse_journal(file.read_bytes(), file.name), file.name, load_game)

    # --- a step ---

    def line(self, side: str) -> str:
        """A line that somebody types."""
        random = self.random
        own = side or random.choice(SIDES)
        (enemy,) = (other for other in SIDES if other != own)
        unit, place = random.choice(OWN[own]), random.choice(HEXES[own])
        there = [shown["id"] for shown in self.send(own, "look")["units"] if shown["place"] and shown["side"] == own]
        some = random.choice(there) if there else unit
        lines = [
            f"{place} {unit} {RATINGS[own]}",
            f"{place} +{unit} {RATINGS[own]}",
            f"{place} +{some}",
            f"{some} -{random.randint(1, 4)}",
            f"{random.choice(HEXES[enemy])} {random.choice(['clear', 'rough'])}",
            f"{random.choice(OWN[enemy])} -{random.randint(1, 3)}",
            f"{random.choice(HEXES[enemy])} announced",
            f"phasing={random.choice(SIDES)}",
            f"turn={self.journal().turn + random.randint(0, 1)}",
            f"need at={random.choice(HEXES[enemy])[:2]}.{random.choice(HEXES[enemy])[2:]}",
            f"{random.choice(HEXES[enemy])}c < {place}o {some}",
            str(random.randint(2, 12)),
            f"crt={random.randint(2, 12)}",
            f"{random.randint(1, 6)} {random.randint(1, 6)}",
            "1",
            "done",
            "accept reconstruction",
            "undo together",
        ]
        return "undo" if random.random() < 0.3 else random.choice(lines)

    def step(self) -> None:
        """Something that somebody does, after which each link is a view of the journal."""
        side = self.random.choice(self.phones)
        what = self.random.random()
        if what < 0.07:
            self.log.append("served anew")
            before = {one: self.send(one, "look") for one in self.seats}
            self.start()
            after = {one: self.send(one, "look") for one in self.seats}
            for one in before:
                was, now = shown(before[one]), shown(after[one])
                differ = [f"{name}: {was[name]} / {now[name]}" for name in was if was[name] != now[name]]
                assert not differ, f"{one or 'laptop'} sees another table once it is served anew: {differ}"
        else:
            line = self.line(side)
            counted = (
                {entry.number for entry in self.journal().counting.entries if entry.tap} if line == "undo" else set()
            )
            answer = self.enter(side, line)
            if line == "undo" and side:
                self.check_undo(side, counted, answer)
        self.check()

    def check_undo(self, side: str, before: set[int], answer: Any) -> None:
        """A side's undo takes back entries of its own alone."""
        journal = self.journal()
        gone = before - {entry.number for entry in journal.counting.entries if entry.tap}
        assert not (answer["refused"] and gone)
        own = {mark_of_tap(f"{side} tap {tap}") for tap in range(self.taps + 1)}
        struck = [entry for entry in journal.entries if entry.number in gone]
        assert all(entry.tap in own for entry in struck), f"{side} has taken back what is not its own: {struck}"

    def check(self) -> None:
        """Each side's table is what it may know of the journal, with what it believes of the rest."""
        state = self.journal().position().state
        game = load_game(GAME)
        assert on_map(self.whole.shared.whole.position.state) == on_map(state)
        for side in SIDES:
            shown, sight = self.whole.shared.desks[side].position.state, seen_by(game, state, side)
            assert self.send(side, "look")["is"] == "table"
            shown = self.whole.shared.desks[side].position.state
            private = believed(self.whole.shared.desks[side])
            places, seen = on_map(shown), on_map(sight)
            assert {id: place for id, place in places.items() if id not in private} == {
                id: place for id, place in seen.items() if id not in private
            }, f"{side} sees other units"
            for key, fact in sight.facts.items():
                if key[1] not in private and key[0] not in private:
                    assert key in shown.facts and shown.facts[key].value == fact.value, f"{side}: {key}"


def on_map(state: GameState) -> dict[str, str]:
    """Where each unit stands."""
    return {unit.id: unit.place for unit in state.units.values() if unit.place}


def believed(desk: SideDesk) -> set[str]:
    """What a side states of its own beside what it sees: units, hexes, and facts of the game."""
    subjects = set[str]()
    for action in desk._record.actions:
        if action.private:
            before, after = (unpack_state(text, load_game) for text in action.private)
            assert before and after
            subjects |= {
                key[1] or key[0]
                for key in {*before.facts, *after.facts}
                if before.facts.get(key) != after.facts.get(key)
            }
            subjects |= {id for id in {*before.units, *after.units} if before.units.get(id) != after.units.get(id)}
    return subjects


def shown(look: Any) -> Any:
    """What a link shows, but for how often it has changed, and in which words the laptop names its last line."""
    left_out = ("entry", "said", "wished", *(() if look["viewpoint"] else ("undo",)))
    facts = ("moment", "powers", "units", "ground")
    return {
        name: sorted(map(json.dumps, value)) if name in facts else value
        for name, value in look.items()
        if name not in left_out
    }


def play(number: int, seed: int, steps: int = STEPS) -> Sequence[str]:
    """Play at one table. Returns what was done. Raises AssertionError with that as a note."""
    with tempfile.TemporaryDirectory() as folder:
        links = Links(Path(folder), Random(f"links {seed} {number}"))
        try:
            for _ in range(steps):
                links.step()
        except AssertionError as error:
            error.add_note("\n".join(links.log[-60:]))
            raise
        return links.log


def main(steps: int = 10_000, seed: int = 1914) -> None:
    """Run."""
    for number in range(max(steps // STEPS, 1)):
        play(number, seed)
    print(f"{steps} steps, no link differs from the journal")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
