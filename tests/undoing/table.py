"""A table with four seats at which lines are entered, taken back and struck, held to a plain model of what players expect.

The model knows where each unit stands, and by which line it came there. What it expects of an undo is worked out from these lines alone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Set
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from assistant.faces.page.respond import respond
from assistant.faces.page.sides import SideTables, WholeTables
from assistant.faces.page.tables import OpenTables, Tables
from assistant.installed.registry import load_game

from ..comparing.search import Row, Search

GAME, NAME = "twilight-in-the-east", "front"
LAPTOP, OPEN_LINK = "laptop", "open link"
UNITS = {"russian": ("25/3", "27/3", "29/20"), "central-powers": ("1/1", "2/1", "35/17")}
SIDE_OF = {unit: side for side, units in UNITS.items() for unit in units}
TITLES = {side: load_game(GAME).file.title_of(side) for side in UNITS}
HEXES = ("40.20", "41.19", "41.20", "42.19")
STEPS = 25
"""How many steps a history takes."""

Places = dict[str, str | None]
"""The place of each unit that was ever entered, None off the map."""


class Line(NamedTuple):
    """A line that has made entries: their numbers, and each unit that it moved, with where it stood before and afterwards."""

    seat: str
    numbers: frozenset[int]
    moved: dict[str, tuple[str | None, str | None]]
    corrects: bool
    """Whether it takes back others."""

    def cut(self, numbers: Set[int], entries: dict[int, str]) -> Line:
        """The line with some of its entries alone, and the units that these state."""
        kept = self.numbers & numbers
        stated = {unit for number in kept for unit in (read_stack(entries[number]) or (None, []))[1]}
        moved = {unit: way for unit, way in self.moved.items() if unit in stated}
        return self._replace(numbers=kept, moved=moved)


class Model:
    """What the players expect: all lines in their order, and where the units stand."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.places: Places = {}

    def note(self, seat: str, entries: dict[int, str], known: dict[int, str], now: Places) -> bool:
        """Note a line, after which units stand elsewhere, and return whether it has made entries. known: the entries before it."""
        numbers = frozenset(entries.keys() - known.keys())
        if numbers:
            corrects = find_struck(entries) != find_struck(known)
            self.lines.append(Line(seat, numbers, differing(self.places, now), corrects))
        self.places = now
        return bool(numbers)

    def without(self, gone: list[Line], entries: dict[int, str]) -> Places:
        """Where the units stand without some lines: each that they have moved stands where the lines before them put it, unless another one
        has moved it since. entries: those of the journal.
        """
        places = dict(self.places)
        left = {number: text for number, text in entries.items() if not any(number in line.numbers for line in gone)}
        meant, stacked, stated = self.meant(left), read_stacks(left), read_places(left)
        for line in reversed(gone):
            earlier = self.meant(left, min(line.numbers))
            moved_since = self.moved_since(line, left)
            for unit, (was, now) in line.moved.items():
                if places.get(unit) == now and unit not in moved_since:
                    stands = (
                        was in stated.get(unit, ()) if meant.get(unit) is None else stacked.get(unit) != meant[unit]
                    )
                    places[unit] = was if stands else earlier.get(unit) or meant.get(unit)
            for number in line.numbers:
                _, units = read_stack(entries.get(number, "")) or (None, [])
                gone_too = {unit for unit in units if unit not in line.moved}  # stated again where it stood
                places.update({unit: None for unit in gone_too if meant.get(unit) is stacked.get(unit) is None})
        for unit, place in stacked.items():
            is_taken_back = meant.get(unit) == place or self.is_taken_from(unit, gone, left)
            if not places.get(unit) and is_taken_back:  # what took it off the map
                places[unit] = place
        return places

    def is_taken_from(self, unit: str, gone: list[Line], entries: dict[int, str]) -> bool:
        """Whether a unit was last taken off the map from a hex into which a line that goes had moved it."""
        counting = entries.keys() - find_struck(entries)
        ways = [line.moved[unit] for line in self.lines if line.numbers & counting and unit in line.moved]
        was, now = ways[-1] if ways else (None, None)
        return now is None and was is not None and was in {line.moved[unit][1] for line in gone if unit in line.moved}

    def moved_since(self, line: Line, entries: dict[int, str]) -> set[str]:
        """The units that later lines have moved to a place, as far as they count. entries: those that are left."""
        counting = entries.keys() - find_struck(entries)
        later = [each for each in self.lines if min(each.numbers) > min(line.numbers)]
        made = [each.cut(counting, entries) if each.corrects else each for each in later if each.numbers & counting]
        return {unit for each in made for unit, (_, place) in each.moved.items() if place}

    def taken_back_with(self, line: Line, entries: dict[int, str]) -> list[Line]:
        """A line, and what undos of its side have stated again since, which goes with it."""
        undos = [each for each in self.lines if each.corrects and each.seat == line.seat]
        since = {
            number for each in undos for number in each.numbers - find_struck(entries) if number > max(line.numbers)
        }
        return self.with_numbers(line.numbers | {number for number in since if read_stack(entries[number])}, entries)

    def with_numbers(self, numbers: Set[int], entries: dict[int, str]) -> list[Line]:
        """The lines of some entries that go. Of one that takes back others only what it states itself goes."""
        return [line.cut(numbers, entries) if line.corrects else line for line in self.lines if line.numbers & numbers]

    def meant(self, entries: dict[int, str], before: int | None = None) -> Places:
        """Where each unit stands by the last line that counts and that has moved or stated it, as it was meant when it was entered. What
        takes back others means what it states itself. before: the number of the entry at which to stop.
        """
        places: Places = {}
        struck = find_struck(entries)
        for number in sorted(number for number in entries.keys() - struck if before is None or number < before):
            line = next(line for line in self.lines if number in line.numbers)
            if not line.corrects:
                places.update({unit: now for unit, (_, now) in line.moved.items()})
            if stack := read_stack(entries[number]):
                places.update(dict.fromkeys(stack[1], stack[0]))
        return places

    def last_of(self, side: str, struck: set[int]) -> Line | None:
        """The line that a side takes back next: its last one of which something counts."""
        own = (line for line in reversed(self.lines) if line.seat == side and not line.corrects)
        return next((line for line in own if line.numbers - struck), None)


def find_struck(entries: dict[int, str]) -> set[int]:
    """The numbers of the entries that do not count: a strike that is struck strikes nothing."""
    struck = set[int]()
    for number in sorted(entries, reverse=True):
        if number not in struck and (match := re.search(r"\bstrike (\d+)", entries[number])):
            struck.add(int(match[1]))
    return struck


def differing(was: Places, now: Places) -> dict[str, tuple[str | None, str | None]]:
    """The units that stand elsewhere than before."""
    return {unit: (was.get(unit), now.get(unit)) for unit in {**was, **now} if was.get(unit) != now.get(unit)}


def shared_hexes(places: Places) -> set[str]:
    """The hexes that hold units of both sides."""
    sides: dict[str, set[str]] = {}
    for unit, place in places.items():
        if place:
            sides.setdefault(place, set()).add(SIDE_OF[unit])
    return {place for place, there in sides.items() if len(there) > 1}


def read_stack(text: str) -> tuple[str | None, list[str]] | None:
    """The place and the units of an entry that states a stack, None for another entry; the place of units off the map is None."""
    match = re.search(r" fact (\S+): (.*?)(?: ~\w+)?$", text)
    if match is None:
        return None
    units = re.findall(r"\d+/\d+", match[2])
    return match[1] if match[1] in HEXES else None, units


def read_stacks(entries: dict[int, str]) -> Places:
    """Where the units stand if each entry that counts states the whole stack of its hex, gone through from the first."""
    places: Places = {}
    for number in sorted(entries.keys() - find_struck(entries)):
        if stack := read_stack(entries[number]):
            place, units = stack
            if place:
                places.update({unit: None for unit, there in places.items() if there == place})
            places.update(dict.fromkeys(units, place))
    return places


def read_places(entries: dict[int, str]) -> dict[str, set[str | None]]:
    """All places where entries that count state each unit."""
    places: dict[str, set[str | None]] = {}
    for number in entries.keys() - find_struck(entries):
        place, units = read_stack(entries[number]) or (None, [])
        for unit in units:
            places.setdefault(unit, set()).add(place)
    return places


class Fault(AssertionError):
    """Something at the table that no player expects."""


class FourSeats:
    """The table: the laptop, the open link and a phone of each side."""

    def __init__(self, folder: Path) -> None:
        tables = Tables(folder, load_game)
        tables.begin(NAME, GAME)
        whole = WholeTables(tables, NAME, UNITS, folder / "sides")
        guests = Tables(folder, load_game, files=tables.files, writes_pack=False)
        self.seats: dict[str, OpenTables] = {LAPTOP: whole, OPEN_LINK: guests}
        self.seats |= {side: SideTables(whole, side) for side in UNITS}
        self.journal = folder / f"{NAME}.journal"
        self.taps = 0

    def send(self, seat: str, do: str, **request: Any) -> Any:
        """The response to a request."""
        return json.loads(respond(self.seats[seat], json.dumps({"do": do, "table": NAME, **request}).encode()))

    def enter(self, seat: str, line: str, *, sure: bool = False) -> Any:
        """The response to a line."""
        self.taps += 1
        return self.send(seat, "enter", line=line, tap=f"tap {self.taps}", sure=sure)

    def look(self, seat: str) -> Places:
        """Where the units stand that a seat sees."""
        return {unit["id"]: unit["place"] or None for unit in self.send(seat, "look")["units"]}

    def entries(self) -> dict[int, str]:
        """The entries of the journal, struck or not, by number, as its file has them."""
        rows = (row.split(" ", 1) for row in self.journal.read_text("utf-8").splitlines())
        return {int(number): text for number, text in rows if number.isdecimal()}


class History:
    """Random steps at a table, each held to the model. seed: of all that happens."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.table, self.model, self.random = FourSeats(folder), Model(), Random(seed)
        self.tried = Counter[str]()
        self.told: list[str] = []

    def run(self, steps: int) -> None:
        """Take steps. Raises Fault at the first after which something is not as expected."""
        for _ in range(steps):
            seat = self.random.choice([*self.table.seats])
            step = self.random.choices([self._enter, self._undo, self._agree, self._strike], (50, 25, 18, 7))[0]
            step(seat)
            self._check_seats()

    def _enter(self, seat: str) -> None:
        """A seat moves a unit of its own into a hex where it sees no enemy."""
        units = UNITS.get(seat) or tuple(SIDE_OF)
        unit = self.random.choice(units)
        seen = self.table.look(seat)
        free = [hex for hex in HEXES if hex not in shared_hexes({**seen, unit: hex})]
        if not free:
            return
        hex = self.random.choice(free)
        with_others = [other for other in units if seen.get(other) == hex and other != unit]
        stack = ", ".join([unit, *with_others])
        line = self.random.choice([f"{hex} +{unit}", f"{hex}: {unit}", f"{hex}: {stack}", f"off-map: {unit}"])
        known = self.table.entries()
        answer = self._send(seat, line, sure=self.random.random() < 0.5)
        now = self.table.look(LAPTOP)
        if answer["held"] or answer["refused"]:
            self._expect(self.model.places, now, "a line that was not entered")
        self._note(seat, known, now, "lines")

    def _undo(self, seat: str) -> None:
        """A seat takes back its last line, or asks the others whether it may."""
        known = self.table.entries()
        line = self.model.last_of(seat, find_struck(known)) if seat in UNITS else None
        answer = self._send(seat, "undo", sure=self.random.random() < 0.8)
        now = self.table.look(LAPTOP)
        if answer["held"] or answer["refused"] or "waiting" in str(answer["said"]):
            self._expect(self.model.places, now, "an undo that was not made")
            self.tried["undos that wait"] += line is not None
        elif seat in UNITS and self.table.entries().keys() == known.keys():
            self._expect(self.model.places, now, "an undo of what only the side believes")
        elif seat in UNITS:
            gone = self.model.taken_back_with(line, known) if line else []
            self._expect(self.model.without(gone, known), now, f"the undo of {line}")
        else:
            self._expect_named(known, now, answer["said"])
        self._note(seat, known, now, "undos")

    def _agree(self, seat: str) -> None:
        """A seat agrees to what another one would like to take back."""
        known = self.table.entries()
        shown = self.table.send(seat, "look")
        if not (agrees := shown.get("agrees")):
            return
        answer = self._send(seat, agrees)
        now = self.table.look(LAPTOP)
        gone = self.model.with_numbers(self._struck_since(known), known)
        if answer["refused"]:
            self._expect(self.model.places, now, "an undo that was refused")
        else:
            self._expect(self.model.without(gone, known), now, f"the agreed undo of {gone}")
        wishing = next(side for side in UNITS if shown["wished"].startswith(TITLES[side]))
        self._note(wishing, known, now, "undos agreed to")

    def _strike(self, seat: str) -> None:
        """Somebody who sees everything strikes any entry."""
        known = self.table.entries()
        if seat in UNITS or not known:
            return
        answer = self._send(seat, f"strike {self.random.choice([*known])}")
        now = self.table.look(LAPTOP)
        if answer["refused"]:
            self._expect(self.model.places, now, "a strike that was refused")
        else:
            self._expect_named(known, now, answer["said"])
        self._note(seat, known, now, "strikes")

    def _expect_named(self, known: dict[int, str], now: Places, said: list[str]) -> None:
        """Raise Fault for a unit that is not named although corrections take it off the map, or lead it elsewhere while the lines that
        they take back have not moved it. One that no line places any more is off the map by right, and one that a line which counts
        again states in a hex stands there by right.
        """
        entries = self.table.entries()
        changed = find_struck(entries) ^ find_struck(known)
        lines = [line for line in self.model.lines if line.numbers & changed]
        restated = read_places({number: entries[number] for number in changed - find_struck(entries)})
        meant = self.model.meant({number: entries[number] for number in known.keys() - find_struck(entries)})
        for unit, (was, place) in differing(_on_map(self.model.places), _on_map(now)).items():
            is_moved = any(unit in line.moved for line in lines) or place in restated.get(unit, ())
            was_off = any(line.moved.get(unit) == (None, was) for line in lines)
            is_fault = (meant.get(unit) and not was_off) if place is None else not is_moved
            if was and is_fault and not _is_named(unit, said):
                raise Fault(f"{unit} was in {was} and is in {place}, and nobody is told")

    def _note(self, seat: str, known: dict[int, str], now: Places, kind: str) -> None:
        """Note the entries that a seat has made."""
        self.tried[kind] += self.model.note(seat, self.table.entries(), known, now)

    def _struck_since(self, known: dict[int, str]) -> set[int]:
        """The numbers that the entries strike that are not known."""
        since = (text for number, text in self.table.entries().items() if number not in known)
        return {int(match[1]) for text in since if (match := re.search(r"\bstrike (\d+)", text))}

    def _send(self, seat: str, line: str, *, sure: bool = False) -> Any:
        answer = self.table.enter(seat, line, sure=sure)
        outcome = answer["held"] or (answer["refused"] or {}).get("what") or "; ".join(answer["said"])
        self.told.append(f"{seat}: {line}{' (sure)' if sure else ''} -> {outcome}")
        return answer

    def _expect(self, expected: Places, now: Places, after: str) -> None:
        """Raise Fault where units stand elsewhere than expected."""
        if differ := differing(_on_map(expected), _on_map(now)):
            raise Fault(f"after {after}: {differ}")

    def _check_seats(self) -> None:
        """Raise Fault if enemies share a hex, or a seat sees a unit elsewhere than it stands."""
        places = self.table.look(LAPTOP)
        if shared := shared_hexes(places):
            raise Fault(f"enemies share {shared}")
        if _on_map(self.table.look(OPEN_LINK)) != _on_map(places):
            raise Fault("the laptop and the open link differ")
        for side, units in UNITS.items():
            seen = _on_map(self.table.look(side))
            own = {unit: place for unit, place in _on_map(places).items() if unit in units}
            if wrong := differing({**own, **seen}, {**seen, **_on_map(places)}):
                wrong = {unit: way for unit, way in wrong.items() if unit in units or way[0]}
            if wrong:
                raise Fault(f"{side} sees {wrong}")


def _on_map(places: Places) -> Places:
    return {unit: place for unit, place in places.items() if place}


def _is_named(unit: str, said: list[str]) -> bool:
    """Whether a remark names a unit."""
    return any(line.startswith("!") and unit in line for line in said)


class Told(NamedTuple):
    """A history: what was tried, what was done step by step, and the fault that ended it, "" for none."""

    tried: Counter[str]
    steps: list[str]
    fault: str


def told(seed: int, steps: int = STEPS) -> Told:
    """Play a history to its end, or to its first fault."""
    with TemporaryDirectory() as folder:
        history = History(Path(folder), seed)
        fault = ""
        try:
            history.run(steps)
        except Fault as error:
            fault = str(error)
    history.tried["steps"] += len(history.told)
    return Told(history.tried, history.told, fault)


def find_faults(history: Told, seen: Counter[str]) -> Iterator[str]:
    """Yield the fault that ended a history, and count what was tried."""
    seen.update(history.tried)
    seen["undos and strikes"] += sum(history.tried[name] for name in ("undos", "undos agreed to", "strikes"))
    if history.fault:
        yield "\n  ".join([history.fault, *history.steps])


ROW = Row(
    "Undos at shared tables",
    "{steps:,} steps, {undos and strikes:,} undos and strikes",
    "{faults} units lost or enemies in one hex",
    200,
)
SEARCH = Search("undoing", lambda number, seed: told(seed + number), find_faults, 270, 0, row=ROW, chunk=5)
