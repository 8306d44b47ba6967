"""Who follows after random combats of *Kaiser's War in the East* and *The World Undone*.

Two combats of one phase are played from position to position; then each unit beside each hex asks to follow into it. The answer must be
that of a plain account of who took part, on which side, and with which result (16.0 to 16.4; 6.6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

import assistant
from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.util.errors import InputError

from ..comparing.search import Search
from ..conftest import answered, typed
from .faults import thrown

ENEMIES = {"german": "russian", "russian": "german"}


class Rules(NamedTuple):
    """How a game of two nations has its combats followed."""

    game: str
    question: str
    centre: str
    sides: dict[str, str]
    """Its sides, by nation."""
    head: str
    attackers_win: tuple[str, ...]
    defenders_win: tuple[str, ...]
    able: tuple[str, ...]
    """Kinds of units that follow, as they are typed."""
    unable: tuple[str, ...]
    """Kinds of units that do not."""
    several_follow: bool
    """Whether those of an earlier combat may still follow."""


DICE = ("1-", "2", "3", "4", "5", "6+")
COLUMNS = ("1:3-", "1:2", "1:1", "2:1", "3:1", "4:1+")
KAISER = Rules(
    "kaisers-war-in-the-east",
    "pursue",
    "2620",
    {"german": "central-powers", "russian": "allies"},
    "turn=8 main-effort=east phase=first-combat\nside allies vp=60\nside central-powers vp=60\n"
    "elsewhere clear open no-rail country=russia city=no objective=no\n"
    "chart reorganization german infantry-army = 3\nchart reorganization russian infantry-army = 3",
    ("BT", "DD", "DP", "DZ", "MD"),
    ("AZ",),
    (
        "infantry XXX {} (FACTOR-3-3)",
        "infantry XXXX {} (FACTOR-4-4)",
        "shock XXX {} (FACTOR-4-3)",
        "cavalry XXX {} (FACTOR-2-5)",
    ),
    ("infantry XXX {} (FACTOR-3-0)",),
    several_follow=False,
)
UNDONE = Rules(
    "world-undone-east-prussia-1914",
    "advance",
    "3015",
    {"german": "german", "russian": "russian"},
    "turn=6 phase=first-combat scenario=historical\nelsewhere clear open town=none no-rail",
    ("D1", "D2", "DE"),
    ("A1", "A2", "AE"),
    ("infantry ARMY {} (7-3) supply=in", "cavalry ARMY {} (3-4) supply=in"),
    ("heavy-artillery ARMY {} (?-2) supply=in",),
    several_follow=True,
)


class Claim(NamedTuple):
    """That a unit may follow into a hex."""

    unit: str
    at: str


ARMIES = {"german": "8th", "russian": "second"}


def make_position(rules: Rules, random: Random) -> Position:
    """A corner of the map: defenders in two hexes, attackers around them, each side of one nation."""
    board = typed(f"game {rules.game}\n").game.board("")
    held = [rules.centre, random.choice(board.neighbours(rules.centre))]
    around = sorted({hex for at in held for hex in board.neighbours(at)}.difference(held))
    attacker = random.choice(sorted(ENEMIES))
    lines = [f"game {rules.game}", rules.head, f"phasing={rules.sides[attacker]}"]
    if rules is UNDONE:
        codes = (*rules.attackers_win, *rules.defenders_win, "EX", "-")
        lines += [
            f"chart {attacker}-table {column} {die} = {random.choice(codes)}" for column in COLUMNS for die in DICE
        ]
    number = 0
    beside = random.sample(around, random.randint(2, 5))
    for nation, places in ((ENEMIES[attacker], held), (attacker, beside)):
        for at in places:
            for _ in range(random.choice((1, 1, 2))):
                number += 1
                kind = random.choice((*rules.able * 2, *rules.unable)).replace("ARMY", ARMIES[nation])
                kind = kind.replace("FACTOR", f"{random.choice((1, 1, 2, 4, 12))}")
                lines.append(f"{at}: {nation} " + kind.format(f"{nation[0].upper()}{number}"))
    return typed("\n".join(lines) + "\n")


def nation_of(unit: str) -> str:
    """The nation of a unit, by the letter with which its id begins."""
    return "german" if unit[0] == "G" else "russian"


class Evening:
    """Combats of a phase, one after the other, with a plain account of who may follow."""

    def __init__(self, rules: Rules, random: Random) -> None:
        self.rules, self.random = rules, random
        self.position = make_position(rules, random)
        self.attacker = "german" if f"phasing={rules.sides['german']}" in self.text("phasing") else "russian"
        self.claims = set[Claim]()
        self.fought = set[str]()
        self.codes = list[str]()

    def text(self, track: str) -> str:
        """What is stated of the game."""
        return f"{track}={self.position.state.value(track)}"

    def stack(self, at: str) -> list[str]:
        """The units in a hex."""
        return [unit.id for unit in self.position.state.stack(at)]

    def ring(self, at: str) -> Sequence[str]:
        """The hexes around one."""
        return self.position.game.board("").neighbours(at)

    def nation(self, at: str) -> str:
        """The nation that stands in a hex, "" for none."""
        return next(map(nation_of, self.stack(at)), "")

    def ask(self, question: str, **given: Any) -> Report[Any]:
        """The answer to a question about the position, with random dice and choices as long as some are due."""
        answers = dict[str, str]()
        while True:
            report = answered(self.position, question, **given, **({"answers": answers} if answers else {}))
            if not (due := [ask for ask in report.asks if ask.kind in ("roll", "choice")]):
                return report
            answers[due[0].name] = thrown(due[0], self.random)

    def attack(self) -> bool:
        """Fight a combat by some of those who can, if anybody can; whether it was fought."""
        units = self.position.state.units.values()
        held = sorted({str(unit.place) for unit in units if unit.place and nation_of(unit.id) != self.attacker})
        targets = [at for at in held if at.isdigit() and not self.position.state.value("attacked", at)]
        self.random.shuffle(targets)
        for at in targets:
            near = [unit for hex in self.ring(at) for unit in self.stack(hex) if nation_of(unit) == self.attacker]
            free = [unit for unit in near if unit not in self.fought]
            chosen = self.random.sample(free, self.random.randint(1, len(free))) if free else []
            places = sorted({str(self.position.state.units[unit].place) for unit in chosen})
            staying = [unit for hex in places for unit in self.stack(hex) if unit not in chosen]
            given = {"at": [at]} if self.rules is UNDONE else {"at": at, "table": self.choose_table(chosen)}
            try:
                report = self.ask("battle", from_=places, withhold=staying, **given)
            except InputError:
                continue
            if report.result and report.result.outcome:
                self.carry_out(at, chosen, places, report)
                return True
        return False

    def choose_table(self, attackers: Sequence[str]) -> str:
        """A table that they may choose."""
        shock = any(self.position.state.value("arm", unit) == "shock" for unit in attackers)
        return self.random.choice(("standard", "shock")) if shock else "standard"

    def carry_out(self, at: str, attackers: Sequence[str], places: Sequence[str], report: Report[Any]) -> None:
        """What a combat has led to, with its retreats, and who may follow by it."""
        rules, code, lost = self.rules, report.result.outcome, report.result.lost
        defenders = self.stack(at)
        corps = {loss.unit: loss.into for loss in lost} if rules is KAISER else dict.fromkeys(lost, ())
        before = self.position.state
        self.position = self.position.after(report.changes)
        self.codes.append(code)
        left = {unit: corps.get(unit, (unit,)) for unit in (*attackers, *defenders)}
        overstacked = {unit for unit in left if before.value("over", unit)}
        self.fought.update(attackers, *(left[unit] for unit in attackers))
        won = attackers if code in rules.attackers_win else defenders if code in rules.defenders_win else ()
        if code == "BB" and not any(left[unit] for unit in defenders):
            won = attackers
        if not rules.several_follow:
            self.claims.clear()
        self.claims.update(
            Claim(name, hex)
            for unit in won
            if unit[1:].isdigit() and unit not in overstacked
            for name in left[unit]
            if name not in self.unable
            for hex in ([at] if won is attackers else places)
        )
        self.retreat(report.result.retreating)

    @property
    def unable(self) -> set[str]:
        """The units of kinds that never follow."""
        value = self.position.state.value
        return {
            unit
            for unit in self.position.state.units
            if value("arm", unit) == "heavy-artillery" or value("movement", unit) == 0
        }

    def retreat(self, units: Sequence[str]) -> None:
        """Beaten units go, by the first hex that is open; those who find none leave the map."""
        stood = {unit: str(self.position.state.units[unit].place) for unit in units}
        for at in sorted({*stood.values()}):
            together = [unit for unit in units if stood[unit] == at]
            for some in [together] if self.rules is UNDONE else [[unit] for unit in together]:
                report = self.ask("retreat", units=some)
                self.position = self.position.after(report.changes)
        self.claims = {claim for claim in self.claims if claim.unit not in units}

    def faults(self) -> Iterator[str]:
        """Each unit beside a hex that is answered otherwise than by the account."""
        state = self.position.state
        for unit in [unit for unit in state.units.values() if unit.place and str(unit.place).isdigit()]:
            for at in self.ring(str(unit.place)):
                claim = Claim(unit.id, at)
                enemies = self.nation(at) == ENEMIES[nation_of(unit.id)]
                may = claim in self.claims and not enemies
                report = self.ask(self.rules.question, units=[unit.id], at=at)
                kind = report.verdict.kind
                if (kind == "yes") is not may:
                    yield f"{claim}: {report.verdict.text}, by the account {may}; {self.codes}"
                elif may and (again := self.ask_again(claim, report)):
                    yield again

    def ask_again(self, claim: Claim, report: Report[Any]) -> str:
        """What is wrong if a unit that has followed may do so again, "" if it may not."""
        later = self.position.after(report.changes)
        for at in self.ring(claim.at):
            if answered(later, self.rules.question, units=[claim.unit], at=at).verdict.kind == "yes":
                return f"{claim} and then into {at}"
        return ""


def make_evening(number: int, seed: int) -> Evening:
    """Make an evening of the one game or the other."""
    return Evening((KAISER, UNDONE)[number % 2], Random(f"{seed} {number}"))


def find_faults(evening: Evening, seen: Counter[str]) -> Iterator[str]:
    """Yield what is answered otherwise than by the account after each of two combats, and count their results."""
    while len(evening.codes) < 2 and evening.attack():
        seen[evening.codes[-1]] += 1
        yield from evening.faults()
    seen["claims"] += len(evening.claims)


SEARCH = Search(
    "following", make_evening, find_faults, 2000, write=lambda evening: assistant.notation(evening.position), chunk=20
)
