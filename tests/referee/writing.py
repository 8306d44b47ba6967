"""How a suite is written: docs/reference/referee.md has the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from assistant.game.games import Game
from assistant.records.referee.cases import content_mark
from assistant.records.referee.files import FORMAT_VERSION, NOTHING

WIDTH = 140
_PLAIN = re.compile(r'[^\s",=#]+')


def quoted_value(value: str) -> str:
    """A value as a file has it: in quotes if it has signs of its own."""
    return value if _PLAIN.fullmatch(value) and value != NOTHING else f'"{value}"'


class Question(msgspec.Struct, frozen=True):
    """A question with what is expected. asked: as in notation; expected: values by their name, KEY=VALUE as pairs of a mapping."""

    asked: str
    expected: Mapping[str, Sequence[str] | Mapping[str, object] | str]
    answers: str = ""


class Posed(msgspec.Struct, frozen=True):
    """A case. notation: its lines beside those of the head."""

    name: str
    notation: Sequence[str]
    questions: Sequence[Question]


class Suite(msgspec.Struct, frozen=True):
    """A file. about: what stands at its beginning; values: path and meaning by name; uses: files and folders of the game;
    notation: the lines of the head but that of the game.
    """

    subject: str
    about: Sequence[str]
    values: Mapping[str, tuple[str, str]]
    uses: Sequence[str]
    notation: Sequence[str]
    cases: Iterable[Posed]


def suite_text(suite: Suite, game: Game) -> str:
    """A suite as its file has it. game: without its owner's pack, as `make_game_loader(pack="none")` gives it."""
    lines = [f"referee {FORMAT_VERSION}", *(f"# {line}" for line in suite.about)]
    lines += [f"value {name} = {path}    # {meaning}" for name, (path, meaning) in suite.values.items()]
    lines += [f"uses {path} {content_mark(game, path)}" for path in suite.uses]
    lines += [f"game {game.id}", *suite.notation]
    for case in suite.cases:
        lines += ["", f"case {case.name}", *case.notation]
        for question in case.questions:
            lines.append(f"ask {question.asked}")
            lines += [f"answers {question.answers}"] if question.answers else []
            for name, values in question.expected.items():
                lines += expected_lines(name, values)
    return "\n".join(lines) + "\n"


def expected_lines(name: str, values: Sequence[str] | Mapping[str, object] | str) -> list[str]:
    """`expect NAME: VALUE, ...`, in several lines if it is long."""
    if isinstance(values, str):
        written = [quoted_value(values)]
    elif isinstance(values, Mapping):
        written = [f"{quoted_value(str(key))}={quoted_value(str(value))}" for key, value in values.items()]
    else:
        written = ["=".join(map(quoted_value, value.split("=", 1))) for value in values]
    lines = [f"expect {name}: {', '.join(written[:1]) or NOTHING}"]
    for value in written[1:]:
        if len(lines[-1]) + len(value) + 2 > WIDTH:
            lines[-1] += ","
            lines.append(f"  {value}")
        else:
            lines[-1] += f", {value}"
    return lines
