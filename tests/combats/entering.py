"""What follows from the moves of a combat, worked out by hand: a second, plain account of the same rules on sets of facts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from assistant.asking.view import View
from assistant.formats.positions import Position
from assistant.state.changes import Change
from twilight_in_the_east.entering.arrival import March
from twilight_in_the_east.entering.consequences import find_consequences, follows_changes

from .holding import side

FOLLOW = ("ip", "ruined", "control", "operational", "crossing", "pontoon-of", "task", "expended", "half")
"""The tracks that the account keeps, and the places of all units."""
SUPPLY = ("corps-train", "minor-depot", "major-depot")
LANDSTURM = ("Tilsit", "Elbing")
BESIDE_ENEMIES = ("recovery", "disorder", "entraining", "detraining")
ATTACKED = ("ersatz", "position")


class Account:
    """A position as who stands where and what is recorded. open: what a die or a fact decides."""

    def __init__(self, position: Position) -> None:
        state, game = position.state, position.game
        self.board = game.board("")
        self.where = {unit.id: unit.place for unit in state.units.values()}
        self.side = {unit: side(game, position, unit) for unit in self.where}
        self.facts: dict[tuple[str, str], Any] = {key: fact.value for key, fact in state.facts.items()}
        self.open: set[str] = set()

    def get(self, track: str, subject: str) -> Any:
        """A fact, None if it is not stated."""
        return self.facts.get((track, subject))

    def at(self, hex: str) -> list[str]:
        """The units in a hex."""
        return [unit for unit, place in self.where.items() if place == hex]

    def beside(self, hex: str) -> list[str]:
        """The units next to a hex."""
        return [unit for near in self.board.neighbours(hex) for unit in self.at(near)]

    def off(self, *keys: tuple[str, str]) -> None:
        """Facts that are no more."""
        for key in keys:
            self.facts.pop(key, None)

    def enemies(self, units: Iterable[str], own: str) -> list[str]:
        """Those of some units that are enemies of a side."""
        return [unit for unit in units if self.side[unit] != own]

    def go(self, units: Sequence[str], hex: str | None) -> None:
        """Some units go together into the next hex, or off the map."""
        own = self.side[units[0]]
        left = sorted({place for unit in units if (place := self.where[unit])})
        before = self.at(hex) if hex else []
        for unit in units:
            self.where[unit] = hex
        troops = any(self.get("arm", unit) not in SUPPLY for unit in units)
        for place in left:
            self.cut_line(place, own)
            if not self.at(place):
                self.vacated(place, own, troops=troops)
        if hex:
            self.entered(units, hex, own, friends=bool(before), troops=troops)
        for place in [*left, *([hex] if hex else [])]:
            self.unmarked(place, units, own)
        self.abandoned(units, left, hex)

    def vacated(self, hex: str, own: str, *, troops: bool) -> None:
        """A hex that nobody is left in."""
        mine = self.get("printed-ip", hex) == own
        if not (mine and self.get("ip", hex) in (3, 4)):
            self.off(("ip", hex))
        if troops:
            self.facts["control", hex] = own

    def entered(self, units: Sequence[str], hex: str, own: str, *, friends: bool, troops: bool) -> None:
        """A hex that units have come into."""
        if self.get("printed-ip", hex) not in (None, "none", own) and not friends:
            self.facts["ruined", hex] = True
            self.off(("ip", hex))
        self.cut_line(hex, own)
        if troops and self.get("control", hex) not in (None, own):
            self.facts["control", hex] = own
        for sides in self.sides_of(hex):
            if self.get("crossing", sides) == "pontoon":
                nation = self.get("pontoon-of", sides)
                if nation is None:
                    self.open.add(sides)
                elif (nation == "russian") != (own == "russian"):
                    self.off(("crossing", sides), ("pontoon-of", sides))
        if own == "russian" and any(self.get("arm", unit) == "infantry" for unit in units):
            for unit in self.beside(hex):
                if unit in LANDSTURM:
                    self.go([unit], None)

    def cut_line(self, hex: str, own: str) -> None:
        """The RR line of a hex, in which units have stood or now stand, lost to their enemies."""
        rails = {self.get("rail", sides) for sides in self.sides_of(hex)} - {None, "no-rail"}
        theirs = self.get("operational", hex) or (
            "other" if rails and self.get("control", hex) not in (None, own) else own
        )
        if theirs not in (own, "none"):
            self.facts["operational", hex] = "none"

    def sides_of(self, hex: str) -> list[str]:
        """The hexsides around a hex."""
        return ["|".join(sorted((hex, near))) for near in self.board.neighbours(hex)]

    def unmarked(self, hex: str, units: Sequence[str], own: str) -> None:
        """Markers of tasks that come off around a hex which units have left or entered."""
        others = self.enemies([*self.beside(hex), *self.at(hex)], own)
        for unit in (*others, *(units if others else ())):
            task = self.get("task", unit)
            if self.where[unit] and self.get("expended", unit) and task in BESIDE_ENEMIES:
                self.off(("task", unit), ("expended", unit))
                if task in ("entraining", "detraining"):
                    self.facts["half", unit] = True

    def abandoned(self, units: Sequence[str], left: Sequence[str], hex: str | None) -> None:
        """Bridgeheads for which a die is due."""
        fighting = [unit for unit in units if self.get("arm", unit) in ("infantry", "cavalry")]
        russian = [unit for unit in fighting if self.get("nation", unit) == "russian"]
        near = (
            [*self.at(hex), *self.beside(hex)]
            if hex and russian
            else [one for at in left for one in self.at(at)]
            if fighting
            else []
        )
        for fort in near:
            if (
                self.get("arm", fort) != "fort"
                or self.get("nation", fort) != "austro-hungarian"
                or self.get("tested", fort)
            ):
                continue
            place = str(self.where[fort])
            foes = russian if hex and russian else [one for one in self.beside(place) if self.is_combat(one, "russian")]
            if foes and not any(self.is_combat(one, "austro-hungarian") for one in self.at(place)):
                self.open.add(fort)

    def is_combat(self, unit: str, nation: str) -> bool:
        """Whether a unit is a combat unit of a nation."""
        return self.get("nation", unit) == nation and self.get("arm", unit) in ("infantry", "cavalry")


def wrongly_left(
    before: Position, after: Position, marches: Sequence[March], unsettled: Iterable[str]
) -> Iterator[str]:
    """Each thing in which a combat has left another position than its moves do, entered one by one, and what it fails to leave open.
    marches: its moves; unsettled: what it leaves open."""
    account = Account(before)
    for march in marches:
        for hex in march.way or (None,):
            account.go(march.units, hex)
    if missing := account.open - {*unsettled}:
        yield f"not left open: {sorted(missing)}"
    for name, other in (("by hand", account), ("one by one", Account(one_by_one(before, marches)))):
        yield from (f"{name}: {one}" for one in apart(before, account, other, Account(after)))


def apart(before: Position, account: Account, moved: Account, found: Account) -> Iterator[str]:
    """What differs between two accounts of the same moves. account: the one that tells who is still on the map."""
    if moved.where != found.where:
        yield f"units stand elsewhere: {sorted(set(moved.where.items()) ^ set(found.where.items()), key=str)}"
    for track, subject in sorted(moved.facts.keys() | found.facts.keys()):
        gone = subject in account.where and not account.where[subject]
        attacked = before.state.value("task", subject) in ATTACKED
        shown = track == "control" and before.state.value(track, subject) is None and account.at(subject)
        if track not in FOLLOW or gone or attacked or shown:
            continue
        if (by_moves := moved.get(track, subject)) != (by_combat := found.get(track, subject)):
            yield f"{subject} {track}={by_moves}, by the combat {by_combat}"


def one_by_one(before: Position, marches: Sequence[March]) -> Position:
    """The position after the moves, with what follows from each hex before the next is entered. The question `move` is not asked: markers
    keep units from moves, and not from retreats and advances."""
    position = before
    for march in marches:
        if not march.way:
            there = ((unit, position.state.units[unit].place) for unit in march.units)
            gone = [Change("place", unit, place, None, "11.1") for unit, place in there]
            follow = follows_changes(View(position.game, position.state), gone)
            position = position.after([*gone, *follow.changes])
        for hex in march.way:
            there = ((unit, position.state.units[unit].place) for unit in march.units)
            moves = [Change("place", unit, place, hex, "8.1") for unit, place in there]
            follow = find_consequences(View(position.game, position.state), [March(march.units, (hex,))])
            position = position.after([*moves, *follow.changes])
    return position
