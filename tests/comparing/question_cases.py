"""Made-up positions with a question, as a file and as lines typed at the prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from random import Random
from typing import NamedTuple

from assistant.game.games import Game
from assistant.installed.registry import load_game, questions_of

from ..making.maker import USUAL, Front, Size, habits, make_front, readable
from ..making.shrinking import without_lines
from ..making.spoiling import assume, hide, leave_out

GAMES = ("twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914")
QUESTIONS = ("battle", "supply", "need", "battle", "reach", "threat")


class QuestionCase(NamedTuple):
    """A position with a question."""

    game: Game
    lines: tuple[str, ...]
    question: str
    parameters: dict[str, str]
    """As they are typed."""
    is_short: bool = False
    """Whether the question is typed in short at the prompt."""

    @property
    def ask(self) -> str:
        """The line that asks the question."""
        return " ".join(["ask", self.question, *(f'{name}="{value}"' for name, value in self.parameters.items())])

    @property
    def typed(self) -> str:
        """The line that asks it at the prompt: a combat by its hexes, any other question by its name."""
        if not self.is_short:
            return self.ask
        others, words = dict(self.parameters), [self.question]
        if self.question == "battle" and "from" in others:
            words = [others.pop("at"), "<", *others.pop("from").split(",")]
        return " ".join([*words, *(f'{name}="{value}"' for name, value in others.items())])

    @property
    def bare(self) -> str:
        """The file without the question."""
        return "\n".join([f"game {self.game.id}", *self.lines, ""])

    def text(self, *more: str) -> str:
        """Return the file. `more`: further lines."""
        return "\n".join([f"game {self.game.id}", *self.lines, *more, self.ask, ""])

    def units_at(self, hex: str) -> list[str]:
        """Return the units in a hex, each as it is written."""
        head = f"{hex}: "
        return [unit for line in self.lines if line.startswith(head) for unit in line.removeprefix(head).split(", ")]

    def with_units(self, hex: str, units: Iterable[str]) -> QuestionCase:
        """Return the position with these units in a hex in place of those there."""
        others = [line for line in self.lines if not line.startswith(f"{hex}: ")]
        stack = ", ".join(units)
        return self._replace(lines=(*others, *([f"{hex}: {stack}"] if stack else [])))

    def smaller(self) -> Iterator[QuestionCase]:
        """Yield the position without one line or word."""
        for text in without_lines(self.bare):
            yield self._replace(lines=tuple(text.splitlines()[1:]))


def make_question_case(
    number: int, seed: int, question: str = "", size: Size = USUAL, *, game: str = "", complete: bool = False
) -> QuestionCase:
    """Make a random position with a question.

    `question`: its name, or "" for those of `QUESTIONS` in turn.
    `game`: its id, or "" for each game with combats in turn that answers the question.
    `complete`: whether all is stated that units are rated by, and nothing spoiled, so that most questions can be decided.
    """
    random = Random(f"{seed}/{number}")
    names = (game,) if game else GAMES
    games = [each for each in map(load_game, names) if not question or question in questions_of(each)]
    played = games[number % len(games)]
    question = question or QUESTIONS[number // len(GAMES) % len(QUESTIONS)]
    front = make_front(random, played, size, moves=question not in ("battle", "need"), complete=complete)
    text = front.scene.text()
    if not complete and random.random() < 0.3:
        spoil = random.choice((assume, leave_out, partial(hide, side=front.attacker)))
        text = spoil(text, random, 0.2)
        if "turn=" not in text:  # a table of the page always has one
            text += f"turn={front.scene.settings['turn']}\n"
    _, *lines = readable(text).splitlines()
    units = [line for line in front.scene.statements() if ": " in line]
    is_short = random.random() < 0.5 and {*units} <= {*lines}
    return QuestionCase(played, tuple(lines), question, _draw_parameters(random, played, question, front), is_short)


def _draw_parameters(random: Random, game: Game, question: str, front: Front) -> dict[str, str]:
    """Return the parameters of a question about the hex that is attacked, or about one of the units."""
    at, units, known = front.at, front.scene.units, habits(game.id)
    unit, side = random.choice([*units]), random.choice(sorted(game.file.sides))
    match question:
        case "battle":
            near = game.board("").neighbours(at)
            from_ = dict.fromkeys(facts["place"] for facts in units.values() if facts["place"] in near)
            given = {"at": at} | ({"from": ",".join(from_)} if random.random() < 0.6 else {})
            return given | (dict(known.battle) if random.random() < 0.4 else {})
        case "need":
            return {"at": at, "column": random.choice(known.columns)}
        case "supply":
            return random.choice(({"unit": unit}, {"side": side}))
        case "reach":
            return {known.mover: unit}
    declared = questions_of(game)[question].parameters.__struct_fields__
    fitting = [{name: value} for name, value in (("at", at), ("side", side), ("unit", unit)) if name in declared]
    return random.choice(fitting[:2] or [{}])
