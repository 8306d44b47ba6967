"""Random evenings: a position of the game's own, and then questions that its answers allow, some of them carried out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Literal, get_args, get_origin

import msgspec

import assistant
from assistant.asking.report import Report
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.installed.registry import load_game, questions_of
from assistant.util.errors import InputError
from assistant.util.notes import hints_of, kinds_named

from ..combats.faults import Fault, thrown

LONG = 2.5
"""A question that takes longer, in seconds, is left out."""
TRIES = 60
MOST_ANSWERS = 25
LENGTH = (9, 14)
QUIET = ("check", "scenario", "setup")


def starts(game: Game) -> list[Path | str]:
    """The positions with which evenings may begin: examples and set-ups."""
    folder = Path(str(game.folder))
    moments = [
        f"{journal}@{moment}"
        for journal in folder.glob("examples/*.journal")
        for moment in ("aug14/5", "sep14/3", "dec14/5")
    ]
    return [*sorted(folder.glob("examples/*.pos")), *sorted(folder.glob("setups/*.pos")), *moments]


def random_evening(name: str, number: int, seed: int) -> list[str] | None:
    """The lines of an evening, None where its beginning cannot be typed."""
    game, chance = load_game(name), Random(f"evening {name} {seed} {number}")
    beginnings = starts(game)
    start = beginnings[number % len(beginnings)]
    try:
        position = assistant.read(start, side="umpire")
        lines = [
            line
            for line in assistant.notation(position).splitlines()
            if line.split(" ")[0] not in ("ask", "answers", "#")
        ]
        assistant.parse("\n".join(lines))
    except InputError:
        return None
    evening = ["referee 1", f"# A random evening, from {Path(str(start)).name}.", *lines, "", f"case random-{number}"]
    session = Session(game, assistant.parse("\n".join(lines)), chance, list(position.asks))
    wanted, asked = chance.randint(*LENGTH), list[str]()
    for _ in range(TRIES):
        if len([line for line in asked if line.startswith(("ask", "do"))]) >= wanted:
            break
        asked += session.step()
    while asked and asked[-1].startswith("phase="):
        asked.pop()
    return [*evening, *asked] if len(asked) > LENGTH[0] // 2 else None


class Session:
    """An evening in the making: the position as it is now."""

    def __init__(self, game: Game, position: Position, chance: Random, known: list[Any]) -> None:
        self.game, self.position, self.chance, self.known = game, position, chance, known
        self.asked: set[str] = set()
        self.told = False
        self.questions = {name: question for name, question in questions_of(game).items() if name not in QUIET}

    def step(self) -> list[str]:
        """The next lines, none if nothing came of what was tried."""
        if not self.told and self.chance.random() < 0.15 and (line := self.fact()):
            self.told = True
            return [line]
        words = self.words()
        if words in self.asked:
            return []
        self.asked.add(words)
        try:
            report, answers = self.answered(words)
        except (InputError, Fault):
            return []
        if report is None or (report.verdict.kind == "undecided" and self.chance.random() < 0.9):
            return []
        done = bool(report.changes) and not report.asks and report.verdict.kind != "no"
        if done:
            try:
                self.position = self.position.after(report.changes)
            except InputError:
                return []
        self.told = False
        said = " ".join(f"{quoted(name)}={quoted(value)}" for name, value in answers.items())
        return [f"{'do' if done else 'ask'} {words}", *([f"answers {said}"] if said else [])]

    def fact(self) -> str:
        """A line that goes on to another phase, "" in a game without phases."""
        track = self.game.tracks.get("phase")
        if track is None:
            return ""
        line = f"phase={self.chance.choice(track.values)}"
        try:
            self.position = assistant.parse(line, self.position)
        except InputError:
            return ""
        return line

    def words(self) -> str:
        """A question with parameters: one that the position asks, or any with values that may fit."""
        if self.known and self.chance.random() < 0.35:
            asked = self.chance.choice(self.known)
            return " ".join(
                [asked.question, *(f"{name}={quoted(str(value))}" for name, value in asked.parameters.items())]
            )
        name = self.chance.choice(sorted(self.questions))
        parameters = self.questions[name].parameters
        words = [name]
        for field in msgspec.structs.fields(parameters):
            if field.required or self.chance.random() < 0.25:
                value = self.value(hints_of(parameters)[field.name], field.encode_name)
                words += [f"{field.encode_name.replace('_', '-').rstrip('-')}={quoted(value)}"] if value else []
        return " ".join(words)

    def value(self, hint: Any, name: str) -> str:
        """A value for a parameter, "" for none."""
        chance, kinds = self.chance, kinds_named(hint)
        units = [unit for unit in self.position.state.units.values() if unit.place]
        near = self.near(units)
        if "unit" in kinds:
            return chance.choice(units).id if units else ""
        if "way" in kinds:
            return ",".join(chance.sample(near, 1)) if near else ""
        if "place" in kinds:
            return chance.choice(near) if near else ""
        if "side" in kinds:
            return chance.choice([*self.game.file.sides])
        if "nation" in kinds:
            return chance.choice(sorted({nation for some in self.game.file.sides.values() for nation in some}) or [""])
        for part in parts_of(hint):
            if get_origin(part) is Literal:
                return str(chance.choice(get_args(part)))
            if part is bool:
                return chance.choice(("yes", "no"))
            if part is int:
                return str(chance.randint(1, 6))
        return ""

    def near(self, units: list[Any]) -> list[str]:
        """Hexes where units stand, and next to them."""
        if not units:
            return []
        place = self.chance.choice(units).place
        board = self.position.game.board("")
        return [place, *(board.neighbours(place) if board.is_hex(place) else ())]

    def answered(self, words: str) -> tuple[Report[Any] | None, dict[str, str]]:
        """The report on a question with all its dice and choices, and these; none if it takes too long."""
        position = assistant.parse(f"ask {words}", self.position)
        answers: dict[str, str] = {}
        begun = time.monotonic()
        for _ in range(MOST_ANSWERS):
            report = assistant.ask(position, answers=answers)
            if time.monotonic() - begun > LONG:
                return None, {}
            due = [ask for ask in report.asks if ask.kind in ("roll", "choice")]
            if not due or any(ask.kind not in ("roll", "choice") for ask in report.asks):
                break
            answers |= {ask.name: thrown(ask, self.chance) for ask in due[:1]}
        return report, answers


def parts_of(hint: Any) -> Iterator[Any]:
    """A type and all that it is made of."""
    yield hint
    for part in get_args(hint) if get_origin(hint) is not Literal else ():
        yield from parts_of(part)


def quoted(text: str) -> str:
    """A value as an ask line has it."""
    return f'"{text}"' if " " in text or not text else text
