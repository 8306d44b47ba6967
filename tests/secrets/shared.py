"""Pairs of tables that sides share, which differ only in what is hidden from one side: it plays the same at both, and the others do what
it sees in the same way.

The side is answered the same at both, byte for byte, whatever it asks and takes back.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

from assistant.faces.page.respond import respond
from assistant.faces.page.sides import SideTables, WholeTables
from assistant.faces.page.tables import OpenTables, Tables
from assistant.formats.positions import Position
from assistant.game.games import Game
from assistant.game.viewpoint import reduce_state
from assistant.records.journal.journal import write_head
from assistant.state.state import GameState, Unit
from assistant.state.tracks import Fact, Source
from assistant.util.errors import quoted

from ..comparing.search import Row, Search
from . import beside, fog, telling, worlds
from .asking import Wanted, asked_by

NAME, UMPIRE = "front", ""
_ASKED = 24
"""How many commands of a pair are drawn, of which those that ask a question are asked at the table."""
_STEPS = 10
"""How many things happen at a table."""
_PASSAGES = 5
"""How many passages a side steps through, from the start on."""


class Case(NamedTuple):
    """Two positions that differ only in what a side may not know. hides: words that state of an enemy unit what the side does not see;
    shows: words that state of a unit what all see; questions: what is asked at both.
    """

    game: Game
    side: str
    states: tuple[GameState, GameState]
    hides: tuple[str, ...]
    shows: tuple[str, ...]
    questions: tuple[Wanted, ...]


class Step(NamedTuple):
    """What somebody does at both tables. who: UMPIRE, or a side; kind: what it is, for the figures; requests: at the one and at the
    other.
    """

    who: str
    kind: str
    requests: tuple[Mapping[str, Any], Mapping[str, Any]]


# --- the pairs --------------------------------------------------------------------------------------------------------


def case_of_stacks(number: int, seed: int) -> Case:
    """A pair of Twilight in the East, of which a side sees the tops of stacks."""
    pair = telling.pair(number, seed, endings=(".pos",), count=_ASKED)
    states = [_playable(world.state, pair.known) for world in pair.worlds]
    hides = ("with=3", "with=17", "cel=-1", "cel=-2", "disorder=1", "half")
    return Case(
        worlds.GAME,
        pair.known.side,
        (states[0], states[1]),
        hides,
        ("-1", "-2", "prepared=40.19"),
        _questions(pair.commands),
    )


def _playable(state: GameState, known: worlds.Seen) -> GameState:
    """A state with what a battle of the known units needs to come to its dice."""
    nations = {("nation", unit.id): Fact(_nation_of(unit)) for unit in known.units}
    facts = {
        **nations,
        **{key: fact for key, fact in state.facts.items() if key[0] != "lost" or not _has_one_step(key[1])},
    }
    return msgspec.structs.replace(
        state, facts=MappingProxyType(facts), accepts=state.accepts | {Source.RECONSTRUCTION}
    )


def _nation_of(unit: Unit) -> str:
    return worlds.GAME.file.sides[str(worlds.GAME.side_of_unit(unit, {}))][0]


def _has_one_step(unit: str) -> bool:
    """Whether a unit has a single step, with which it would leave the map."""
    steps = worlds.GAME.roster[unit].get("steps") if unit in worlds.GAME.roster else None
    return bool(steps and steps[0].value == 1)


def case_beside(number: int, seed: int) -> Case:
    """A pair of The World Undone with hidden movement, of which a side sees what its units stand next to."""
    pair, _ = beside.pair(number, seed, endings=(".pos",), count=_ASKED)
    words = ("moved", "disrupted", "entrained", "fought")
    return Case(beside.GAME, pair.side, pair.states, words, words, _questions(pair.commands))


def case_in_fog(number: int, seed: int) -> Case:
    """A pair of Kaiser's War in the East with fog of war, of which a side sees the tops of stacks that lie face up."""
    pair, _ = fog.pair(number, seed, endings=(".pos",), count=_ASKED)
    words = ("moved", "fought", "declared", "marching")
    return Case(fog.GAME, pair.side, pair.states, words, words, _questions(pair.commands))


CASES: Mapping[str, Callable[[int, int], Case]] = {
    worlds.GAME.id: case_of_stacks,
    beside.GAME.id: case_beside,
    fog.GAME.id: case_in_fog,
}
"""The pairs of each game whose sides hide something, by its id."""


def _questions(commands: tuple[tuple[str, ...], ...]) -> tuple[Wanted, ...]:
    return tuple(wanted for words in commands if (wanted := asked_by(words)) and wanted.question)


# --- what happens at both ---------------------------------------------------------------------------------------------


class Script:
    """What happens at both tables of a pair, the same in any run with its seed."""

    def __init__(self, case: Case, random: Random) -> None:
        self.case, self.random, self.taps = case, random, 0
        game, side = case.game, case.side
        sight = reduce_state(game, case.states[0], side)
        (self.enemy,) = (other for other in game.file.sides if other != side)
        on_map = [unit for unit in sight.units.values() if unit.place]
        self.own = [unit.id for unit in on_map if game.side_of_unit(unit, sight.facts) == side]
        self.tops = [unit.id for unit in on_map if unit.id not in self.own]
        self.places = sorted(
            {str(unit.place) for unit in on_map} | {place for name, place in sight.facts if name == "unseen"}
        )
        self.unseen = tuple(
            [
                unit.id
                for unit in state.units.values()
                if unit.id not in sight.units and game.side_of_unit(unit, state.facts) == self.enemy
            ]
            for state in case.states
        )
        self.targets = {
            who: sorted({str(unit.place) for unit in on_map if (unit.id in self.tops) == (who != self.enemy)})
            for who in (side, self.enemy, UMPIRE)
        }

    def steps(self) -> Iterator[Step]:
        """What happens, one after the other."""
        yield self._same(self.case.side, "looks", {"do": "look"})
        acts = (
            self._asks,
            self._requests,
            self._states,
            self._fights,
            self._takes_back,
            self._hides,
            self._shows,
            self._wishes,
        )
        weights = (4, 3, 3, 3, 3, 2, 1, 2)
        for _ in range(_STEPS):
            [act] = self.random.choices(acts, weights)
            yield from act()
        yield from self._steps_through()

    def _steps_through(self) -> Iterator[Step]:
        """The side steps through what it has seen."""
        yield self._same(self.case.side, "counts passages", {"do": "passages"})
        for number in range(_PASSAGES):
            yield self._same(self.case.side, "steps through", {"do": "passage", "passage": number})
        requests: tuple[Mapping[str, Any], ...] = ({"do": "board"}, {"do": "stacks", "hexes": self.places[:20]})
        for request in requests:
            then = {"passage": self.random.randrange(_PASSAGES)}
            yield self._same(self.case.side, "steps through", {**request, **then})

    def _same(self, who: str, kind: str, request: Mapping[str, Any]) -> Step:
        return Step(who, kind, (request, request))

    def _line(self, who: str, kind: str, *lines: str, sure: bool | None = None) -> Step:
        """A line that somebody types, at each table its own if there are two."""
        self.taps += 1
        is_sure = self.random.random() < 0.5 if sure is None else sure
        typed = [{"do": "enter", "line": line, "tap": f"{who} {self.taps}", "sure": is_sure} for line in lines]
        return Step(who, kind, (typed[0], typed[-1]))

    def _asks(self) -> Iterator[Step]:
        """The side asks a question of its own, as a line or by a request, or has it drawn."""
        wanted = self.random.choice(self.case.questions)
        given = {"question": wanted.question, "parameters": wanted.parameters, "answers": wanted.answers}
        words = (f"{name}={quoted(value)}" for name, value in wanted.parameters.items())
        match self.random.choice(["line", "line", "ask", "draw"]):
            case "line":
                yield self._line(self.case.side, "asks", " ".join([wanted.question, *words]))
                if self.random.random() < 0.3:
                    yield self._same(
                        self.case.side, "draws", {"do": "draw", "what": self.random.choice(["picture", "chart"])}
                    )
            case "ask":
                yield self._same(self.case.side, "asks", {"do": "ask", **given})
            case _:
                what = self.random.choice(["picture", "chart"])
                yield self._same(self.case.side, "draws", {"do": "draw", "what": what, **given})

    def _requests(self) -> Iterator[Step]:
        """The side asks for a part of the board, a counter, a form, or what a word means."""
        place = self.random.choice(self.places)
        named = self.random.choice([*self.own, *self.tops, *self.unseen[0][:1], *self.unseen[1][:1]])
        request = self.random.choice(
            [
                {"do": "hex", "hex": place}, {"do": "around", "hex": place}, {"do": "stack", "hex": place}, {"do": "counter", "unit": named},
                {"do": "form", "unit": named}, {"do": "meaning", "word": named}, {"do": "reach", "units": self.own[:2]}, {"do": "reach", "units": [named]},
                {"do": "carry", "units": self.own[:1], "hexes": self.places[:4]}, {"do": "carry", "units": [named], "hexes": [place]},
                {"do": "danger", "units": self.own[:1], "hex": place}, {"do": "danger", "units": [named], "hex": place},
                {"do": "board"}, {"do": "share"}, {"do": "tile", "level": 0, "column": 5, "row": 0}, {"do": "words", "game": self.case.game.id},
                {"do": "counters"}, {"do": "stacks", "hexes": self.places[:100]}, {"do": "look"}, {"do": "chart", "chart": "crt"},
            ]
        )  # fmt: skip
        yield self._same(self.case.side, "requests", request)

    def _states(self) -> Iterator[Step]:
        """The side states something of its own units, of what it sees, or of what it believes."""
        own, top = (
            self.random.choice(self.own),
            self.random.choice([*self.tops, *self.unseen[0][:1], *self.unseen[1][:1]]),
        )
        place, word, hidden = (
            self.random.choice(self.places),
            self.random.choice(self.case.shows),
            self.random.choice(self.case.hides),
        )
        line = self.random.choice(
            [
                f"{quoted(own)} {word}", f"{quoted(top)} {word}", f"{quoted(top)} {hidden}", f"{place} +{quoted(own)}", f"{place} +{quoted(top)}",
                f"{place} clear", "turn=4", f"phasing={self.case.side}", f"off-map: {quoted(own)}", "position", "journal", "list", "story", f"help {quoted(top)}",
                "accept drawn", f"{quoted(own)} clera", "strike 1", "why", "done",
            ]
        )  # fmt: skip
        yield self._line(self.case.side, "states", line)

    def _fights(self) -> Iterator[Step]:
        """Somebody opens a combat against what the side sees, and dice are thrown."""
        who = self.random.choice([self.case.side, self.case.side, UMPIRE, self.enemy])
        ask, target = self.case.game.file.prompt.ask, self.random.choice(self.targets[who])
        rest = " attacker-ap=none defender-ap=none" if self.case.game is worlds.GAME else ""
        yield self._line(who, "fights", f"{ask} at={target}{rest}", sure=True)
        for _ in range(2):
            thrower = self.random.choice([who, self.case.side])
            bare = (
                ["7", "3 4", "1", "5"] if thrower == self.case.side else []
            )  # at another table it may answer something else
            yield self._line(thrower, "throws", self.random.choice([*bare, "crt=7", "die=3"]), sure=True)

    def _takes_back(self) -> Iterator[Step]:
        """The side takes something back, with or without what others have done since."""
        if self.random.random() < 0.6:
            unit, word = self.random.choice([*self.own, *self.tops, *self.tops]), self.random.choice(self.case.shows)
            yield self._line(self.case.side, "states", f"{quoted(unit)} {word}", sure=True)
            yield self._line(UMPIRE, "corrects", *self._corrections(unit), sure=True)
        yield self._line(self.case.side, "takes back", "undo", sure=False)
        if self.random.random() < 0.6:
            yield self._line(self.case.side, "takes back", "undo", sure=True)
            if self.random.random() < 0.5:
                yield self._line(self.enemy, "agrees", "undo together")

    def _corrections(self, unit: str) -> Iterator[str]:
        """For each table a line about a unit that the side sees, and about what lies below it there, in another order."""
        shown, hidden = self.random.choice(self.case.shows), self.random.choice(self.case.hides)
        for which, state in enumerate(self.case.states):
            place = str(state.units[unit].place)
            stack = [other.id for other in state.stack(place)]
            below = [other for other in stack if other in self.unseen[which]]
            if stack[0] != unit or not below:
                yield f"{quoted(unit)} {shown}"
            else:
                rest = [quoted(other) for other in stack[1:] if other not in below] + [
                    f"{quoted(other)} {hidden}" for other in below[::-1]
                ]
                yield " ".join([place, quoted(unit), shown, *rest])

    def _hidden(self, count: int) -> list[str]:
        """For each table what is stated there of a unit that the side does not see. count: of tables."""
        return [
            f"{quoted(self.random.choice(self.unseen[which]))} {self.random.choice(self.case.hides)}"
            for which in range(count)
        ]

    def _hides(self) -> Iterator[Step]:
        """The others state what the side does not see, at each table something else, or at one alone."""
        lines = self._hidden(2)
        if self.random.random() < 0.3:
            lines[self.random.randrange(2)] = "position"
        yield self._line(self.random.choice([UMPIRE, self.enemy]), "hides", *lines, sure=True)

    def _shows(self) -> Iterator[Step]:
        """The others state what the side sees."""
        top, place = self.random.choice(self.tops), self.random.choice(self.places)
        line = self.random.choice(
            [
                f"{quoted(top)} {self.random.choice(self.case.shows)}",
                f"{place} clear",
                f"phasing={self.enemy}",
                "turn=5",
            ]
        )
        yield self._line(self.random.choice([UMPIRE, self.enemy]), "shows", line, sure=True)

    def _wishes(self) -> Iterator[Step]:
        """The enemy wishes to undo what another has gone on from, be it hidden; the side may agree."""
        units = [self.random.choice(self.unseen[which]) for which in range(2)]
        if self.random.random() < 0.3:
            units = [self.random.choice(self.tops)] * 2
        first, second = self.random.sample(self.case.hides, 2)
        yield self._line(self.enemy, "wishes", *(f"{quoted(unit)} {first}" for unit in units), sure=True)
        yield self._line(UMPIRE, "corrects", *(f"{quoted(unit)} {second}, {first}" for unit in units), sure=True)
        yield self._line(self.enemy, "wishes", "undo", sure=True)
        yield self._same(self.case.side, "looks", {"do": "look"})
        if self.random.random() < 0.6:
            yield self._line(self.case.side, "agrees", "undo together")


class SharedPair:
    """A table of a pair."""

    def __init__(self, case: Case, state: GameState, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.case = case
        (folder / f"{NAME}.journal").write_text(write_head(case.game, Position(case.game, state), ""), "utf-8")
        sides = [*case.game.file.sides]
        whole = WholeTables(Tables(folder), NAME, sides, folder / "sides")
        self.seats: dict[str, OpenTables] = {UMPIRE: whole, **{side: SideTables(whole, side) for side in sides}}
        self._answers: list[bytes] = []
        self.has_effect = False
        """Whether the last request has added anything at the table of who sent it."""

    def do(self, who: str, request: Mapping[str, Any]) -> Any:
        """Send a request of somebody; what the side is answered is noted, and what it sees afterwards."""
        about = {} if request["do"] == "words" else {"table": NAME}
        before = self._look(who)
        answer = respond(self.seats[who], json.dumps({**about, **request}).encode())
        self.has_effect = json.loads(before)["entry"] != json.loads(self._look(who))["entry"]
        self._answers += [answer] if who == self.case.side else []
        self._answers.append(self._look(self.case.side))
        return json.loads(answer)

    def _look(self, who: str) -> bytes:
        return respond(self.seats[who], json.dumps({"do": "look", "table": NAME}).encode())

    def take_answers(self) -> list[bytes]:
        """What the side was answered since the last time."""
        answers, self._answers = self._answers, []
        return answers


class Pairing(NamedTuple):
    """A pair of tables by its game, its number and its seed."""

    game: str
    number: int
    seed: int


def make_pairing(number: int, seed: int) -> Pairing:
    """Make a pair of tables of each game in turn."""
    return Pairing([*CASES][number % len(CASES)], number // len(CASES), seed)


def find_faults(pairing: Pairing, tried: Counter[str]) -> Iterator[str]:
    """Yield what a side is answered otherwise at one table of a pair than at the other."""
    game, number, seed = pairing
    case = CASES[game](number, seed)
    with tempfile.TemporaryDirectory() as name, patch.dict(os.environ, FIELD_STAFF_DATA=f"{name}/data"):
        pair = [SharedPair(case, state, Path(name, which)) for state, which in zip(case.states, "ab", strict=True)]
        tried[f"pairs {game}"] += 1
        for step in Script(case, Random(f"shared {game} {seed} {number}")).steps():
            one, _ = [table.do(step.who, asked) for table, asked in zip(pair, step.requests, strict=True)]
            tried.update(["steps", step.kind])
            if step.who == case.side:
                yield from (f"not in words, {step.requests[0]}: {text}" for text in unworded(one))
                refused = one["is"] == "refused" or one.get("refused")
                told_so = {"held": one.get("held"), "wished": one.get("wished"), "refused": refused}
                tried.update(name for name, is_so in told_so.items() if is_so)
            if step.who != case.side and step.kind != "hides" and pair[0].has_effect != pair[1].has_effect:
                tried["broken off"] += 1  # what the others could do, for all to see, tells what was hidden
                return
            told = [table.take_answers() for table in pair]
            tried["answers"] += len(told[0])
            if told[0] != told[1]:
                yield f"answered otherwise: {step.who} {step.requests}\n{_first_difference(*told)}"
                return


def unworded(answer: Any) -> list[str]:
    """What an answer to a side says in the notation of lines instead of words: `hidden=cel`, `fact 25/3 -1`.

    What it tells the side to type stands there as it is typed.
    """
    if answer["is"] != "table":
        return []
    refused, headlines = answer["refused"] or {}, (answer["answer"] or {}).get("answers", ())
    texts = [
        *answer["said"],
        answer["held"],
        answer["undo"],
        answer["wished"],
        refused.get("what", ""),
        refused.get("hint", ""),
    ]
    texts += [*headlines, *(entry["text"] for entry in answer["entries"])]
    words = (re.sub(r"\(options=[\w-]+\)|: state \w+=N", "", text) for text in texts)
    return [text for text in words if re.search(r"[\w-]=\S|(^|\d )fact (?!is missing|not stated)", text)]


def _first_difference(one: list[bytes], other: list[bytes]) -> str:
    """Where the first of some answers differ."""
    here, there = next((here, there) for here, there in zip(one, other, strict=True) if here != there)
    pairs = enumerate(zip(here, there, strict=False))
    at = next((at for at, (sign, beside) in pairs if sign != beside), min(len(here), len(there)))
    return "\n".join(f"... {answer[max(at - 200, 0) : at + 200].decode(errors='replace')}" for answer in (here, there))


ROW = Row("Secrets at shared tables", "{cases:,} pairs, {answers:,} answers", "{faults} differed in a byte", 900)
SEARCH = Search("secrets-shared", make_pairing, find_faults, 900, row=ROW)
