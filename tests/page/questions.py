"""Two hundred questions of all games: what examples ask, and the same with other values for a parameter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from assistant import read
from assistant.asking.parameters import FormField, list_form_fields
from assistant.formats.notation_writer import write_notation
from assistant.formats.positions import Position
from assistant.installed.registry import question_of

PLUGINS = Path(__file__).parents[2] / "plugins"
COUNT = 200
PARTS = 4
"""How many tests share them."""
VARIED = 3
"""How many other values of a parameter are asked with."""


class Asking(NamedTuple):
    """A question. file: of the position that it is asked about; notation: the position."""

    file: Path
    game: str
    notation: str
    question: str
    parameters: dict[str, str]
    answers: dict[str, str]

    def __str__(self) -> str:
        given = " ".join(f"{name}={value}" for name, value in self.parameters.items())
        return f"{self.file.relative_to(PLUGINS)}: {self.question} {given}".strip()


@cache
def questions(count: int = COUNT) -> Sequence[Asking]:
    """The questions: all that examples ask, then others in turn from each of their positions."""
    files = sorted([*PLUGINS.glob("*/examples/*.pos"), *PLUGINS.glob("*/setups/*.pos")])
    posed = [list(_posed(file)) for file in files]
    varied = [list(_varied(askings)) for askings in posed if askings]
    asked = {str(asking): asking for askings in posed for asking in askings}
    for row in zip_longest(*varied):
        for asking in row:
            if asking and len(asked) < count:
                asked.setdefault(str(asking), asking)
    return tuple(asked.values())


def choose_part(asked: Sequence[Asking], part: int) -> list[Asking]:
    """Return one of the PARTS of some questions: those about every so-manieth position."""
    files = [*dict.fromkeys(asking.file for asking in asked)]
    chosen = {*files[part::PARTS]}
    return [asking for asking in asked if asking.file in chosen]


def _posed(file: Path) -> Iterator[Asking]:
    """What a file asks."""
    position = read(file)
    bare = write_notation(Position(position.game, position.state))
    for asked in position.asks:
        parameters = {name: str(value) for name, value in asked.parameters.items()}
        question = question_of(position.game, asked.question)
        answers = {name: str(value) for name, value in position.answers.items() if question.waits_for(name)}
        yield Asking(file, position.game.id, bare, asked.question, parameters, answers)


def _varied(askings: list[Asking]) -> Iterator[Asking]:
    """What else could be asked of a position."""
    position = read(askings[0].file)
    for asking in askings:
        for field in list_form_fields(question_of(position.game, asking.question), position.game):
            usual = asking.parameters.get(field.name)
            others = [value for value in _values(field, position) if value != usual]
            for value in others[:VARIED]:
                yield asking._replace(parameters={**asking.parameters, field.name: value}, answers={})


def _values(field: FormField, position: Position) -> list[str]:
    """Values that a parameter may have in a position."""
    match field.takes:
        case "flag":
            return ["yes", "no"]
        case "word" | "side" | "nation":
            return list(field.words)
        case "number":
            return ["0", "1", "2", "3"]
        case "unit":
            return sorted(unit.id for unit in position.state.units.values())
        case "hex":
            return sorted({unit.place for unit in position.state.units.values() if unit.place})
    return []
