"""What users may rely on, line by line: commands and options, hooks, questions with parameters and JSON fields, tracks, charts, rulings.

`python -m tests.surface` prints it; two prints compared show what a change of shape took away or renamed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from assistant.cli.main import cli as assistant
from assistant.plugins import hookspecs
from assistant.plugins.registry import load_game, questions_of
from assistant.questions.question import Question
from assistant.questions.schemas import schemas
from module_builder.cli import cli as module_builder

GAMES = "twilight-in-the-east", "kaisers-war-in-the-east", "world-undone-east-prussia-1914"


def main() -> None:
    for line in surface():
        print(line)


def surface() -> Iterator[str]:
    """All of it, sorted within each kind."""
    for name, program in ("assistant", assistant), ("module-builder", module_builder):
        yield from _commands(name, program, click.Context(program))
    yield from sorted(f"hook {name}" for name in vars(hookspecs) if name.startswith("register_"))
    for id in GAMES:
        game = load_game(id)
        for question in sorted(questions_of(game).values(), key=lambda question: question.name):
            yield from (f"{id} {line}" for line in _question(question))
        yield from sorted(
            f"{id} track {track.name} of {track.on}: {track.kind} {track.token}" for track in game.tracks.values()
        )
        yield from sorted(f"{id} chart {name}" for name in game.charts)
        yield from sorted(f"{id} ruling {name}" for name in game.rulings)


def _commands(name: str, command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in sorted(command.params, key=lambda parameter: str(parameter.name)):
        yield f"command {name} {' '.join(sorted(parameter.opts)) if isinstance(parameter, click.Option) else parameter.name}"
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            assert below is not None
            yield from _commands(f"{name} {each}", below, click.Context(below, parent=context))
    else:
        yield f"command {name}"


def _question(question: Question[Any, Any]) -> Iterator[str]:
    """The question with the paths of all that its schemas hold."""
    yield f"question {question.name}"
    yield from (f"question {question.name} answer {name}" for name in sorted(question.answers or ()))
    for part, schema in sorted(schemas(question).items()):
        yield from (f"question {question.name} {part}{path}" for path in sorted(_paths(schema, schema, ())))


def _paths(schema: Any, whole: Any, within: tuple[str, ...]) -> set[str]:
    """The fields of a schema, each as the way to it; a struct within itself once."""
    paths: set[str] = set()
    match schema:
        case {"$ref": str(name)} if name not in within:
            target = whole
            for key in name.removeprefix("#/").split("/"):
                target = target[key]
            return _paths(target, whole, (*within, name))
        case {"properties": fields}:
            for name, field in fields.items():
                paths |= {f".{name}", *(f".{name}{path}" for path in _paths(field, whole, within))}
    if isinstance(schema, dict):
        for key in "items", "additionalProperties":
            paths |= {f"[]{path}" for path in _paths(schema.get(key), whole, within)}
        for key in "anyOf", "oneOf", "allOf", "prefixItems":
            for part in schema.get(key, ()):
                paths |= _paths(part, whole, within)
    return paths


if __name__ == "__main__":
    main()
