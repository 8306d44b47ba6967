"""What users may rely on, line by line, and the snapshot of it in `tests/promise`: docs/maintaining/versions.md.

`python -m tests.surface` says what has come and what is gone since the snapshot, `--write` puts that into it, and into `tests/promise/samples`
what a new sample is read as. Whatever may grow has a line for each of its parts, so that what is added never changes a line: a value of a
track, a type that a parameter takes, an optional argument. No such line may go; and none may come of what something needs that was there before.
"""

from __future__ import annotations

import inspect
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import msgspec

import assistant
from assistant import questions, testing
from assistant.cli.main import cli
from assistant.explaining.explanation import Explanation
from assistant.formats.json_state import StateFile
from assistant.formats.links import Link
from assistant.formats.vassal.others.listing import Listing
from assistant.game.events import read_events
from assistant.game.games import Game
from assistant.journal.accounts import Account
from assistant.journal.entries import CORE
from assistant.journal.lines import AND, TAP
from assistant.journal.showing import ListedEntry
from assistant.mcp.tools import describe_tools
from assistant.plugins import hookspecs
from assistant.plugins.registry import load_game, questions_of
from assistant.questions.question import Question
from assistant.questions.report import Report
from assistant.questions.schemas import exact_schema, schemas, structs_of
from assistant.util.limits import Limit
from module_builder.cli import cli as builder
from tools.release.changelog import read_changelog

from .test_game_files import SECTIONS

ROOT = Path(__file__).parent.parent
PROMISE = ROOT / "tests" / "promise"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MAJOR = PROJECT["version"].partition(".")[0]
GAMES = sorted(PROJECT["entry-points"]["field_staff.games"])
PROGRAMS = {"assistant": cli, "module-builder": builder}
FOR_DEVELOPERS = {"docs", "examples", "fuzz", "release", "test"}
"""The extras that nobody needs who only uses the program."""
DOCUMENTS = (StateFile, Explanation, Listing, Account, ListedEntry)
"""What commands and the library write as JSON; explanations have reports in them."""
PARTLY = {
    "Game": ("charts", "id", "roster", "title", "tracks"),
    "GameState": ("stack", "units", "value"),
    "InputError": ("hint", "what", "where"),
}
"""Classes of which pages name but some attributes."""

NEEDS = " needs "
"""Behind what stands before it, the line says what it needs."""

Lines = Iterator[str]
Schema = Mapping[str, Any]


def surface() -> dict[str, list[str]]:
    """All of it: the lines of each file, sorted."""
    games = {id: load_game(id) for id in GAMES}
    files = {"commands": commands(), "library": library(), "authors": authors(), "game-files": game_files()}
    files |= {"version": iter([MAJOR]), "hooks": hooks(), "journals": journals(), "json": documents(games[GAMES[0]])}
    for id, game in games.items():
        files |= {f"{id}/{part}": lines for part, lines in of_game(game).items()}
    return {name: sorted({*lines}) for name, lines in files.items()}


# --- programs ---------------------------------------------------------------------------------------------------------


def commands() -> Lines:
    """What can be typed into a terminal, but for the questions, which each game has."""
    for name in PROJECT["scripts"]:
        yield f"program {name}"
    for extra in PROJECT["optional-dependencies"].keys() - FOR_DEVELOPERS:
        yield f"extra {extra}"
    for limit in Limit:
        yield f"variable FIELD_STAFF_LIMIT_{limit.name}"
    for tool in describe_tools():
        yield f"tool {tool.name}{''.join(f' {name}' for name in tool.parameters['required'])}"
        yield from (f"tool {tool.name}: {name}" for name in tool.parameters["properties"])
    for name, program in PROGRAMS.items():
        yield from lines_of_command(name, program, click.Context(program))


def lines_of_command(name: str, command: click.Command, context: click.Context) -> Lines:
    yield name
    yield from (f"{name}{NEEDS}{_typed(parameter)}" for parameter in command.params if parameter.required)
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    yield from (f"{name} {_typed(argument)} as {place}." for place, argument in enumerate(arguments, 1))
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in parameter.opts:
                takes = "" if parameter.is_flag else " VALUE, several times" if parameter.multiple else " VALUE"
                yield f"{name} {option}{takes}"
                if isinstance(parameter.type, click.Choice):
                    yield from (f"{name} {option} {choice}" for choice in parameter.type.choices)
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            assert below is not None
            yield from lines_of_command(f"{name} {each}", below, click.Context(below, parent=context))


def _typed(parameter: click.Parameter) -> str:
    name = parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.name).upper()
    return f"{name}{'...' if parameter.nargs == -1 else ''}"


# --- Python -----------------------------------------------------------------------------------------------------------


def library() -> Lines:
    """The names that `import assistant` gives, and what the pages show of their values."""
    for name in {*assistant.__all__} - {*PARTLY}:
        yield from _object(name, getattr(assistant, name))
    for kind in (Link, *structs_of(Report)):
        yield from _object(kind.__name__, kind)
    state = assistant.parse(f"game {GAMES[0]}").state
    for thing in (load_game(GAMES[0]), state, assistant.InputError("")):
        kind = type(thing).__name__
        for attribute in PARTLY[kind]:
            value = getattr(thing, attribute)
            yield from (
                lines_of_function(f"{kind}.{attribute}", value) if inspect.ismethod(value) else (f"{kind}.{attribute}",)
            )


def authors() -> Lines:
    """What the code and the tests of a game import: all names that the pages for authors and the template import, and all
    that `assistant.questions` offers.
    """
    offered = {(package.__name__, name) for package in (questions, testing) for name in package.__all__}
    for module, name in {*_imported(), *offered}:
        yield from _object(f"{module}.{name}", getattr(import_module(module), name), typed=False)


def _imported() -> set[tuple[str, str]]:
    files = [*ROOT.glob("docs/making/*.md"), *ROOT.glob("module_builder/template/**/*.py")]
    found = re.compile(r"^(?:>>> )?from (assistant\.[\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
    imports = [match for file in files for match in found.finditer(file.read_text("utf-8"))]
    return {(match[1], name) for match in imports for name in re.findall(r"\w+", match[2])}


def hooks() -> Lines:
    """The hooks with their arguments, and the groups of entry points in which plugins are found."""
    for group in PROJECT["entry-points"]:
        yield f"entry points {group}"
    for name, hook in vars(hookspecs).items():
        if name.startswith("register_"):
            yield f"{name}()"
            yield from (f"{name}({argument})" for argument in inspect.signature(hook).parameters)
            if "register" in inspect.signature(hook).parameters:
                yield f"{name}: register takes {inspect.signature(hook).parameters['register'].annotation}"


def _object(name: str, thing: Any, *, typed: bool = True) -> Lines:
    """A function with its signature, or a class with that, its fields and its public methods. typed: with their types."""
    if not isinstance(thing, type):
        yield from lines_of_function(name, thing, typed=typed) if inspect.isfunction(thing) else (name,)
        return
    if issubclass(thing, msgspec.Struct):
        yield from _made(name, thing)
    else:
        yield from lines_of_function(name, thing, typed=typed)
    kinds = [kind for kind in thing.__mro__ if kind.__module__.partition(".")[0] == "assistant"]
    for kind in kinds:
        for field, annotation in vars(kind).get("__annotations__", {}).items():
            if not field.startswith("_"):
                yield f"{name}.{field}{f': {_unnoted(annotation)}' if typed else ''}"
        for attribute, value in vars(kind).items():
            value = inspect.unwrap(getattr(value, "__func__", value))
            if attribute.startswith("_"):
                continue
            if inspect.isfunction(value):
                yield from lines_of_function(f"{name}.{attribute}", value, typed=typed)
            elif isinstance(value, property) or type(value).__name__ == "cached_property":
                yield f"{name}.{attribute}"


def lines_of_function(name: str, thing: Any, *, typed: bool = True) -> Lines:
    """What a call takes, where and by what name, what it needs of that, and each type that it takes."""
    yield f"{name}()"
    try:
        signature = inspect.signature(thing)
    except ValueError:  # a class that nobody calls
        return
    parameters = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    for place, each in enumerate(parameters, 1):
        if each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD):
            yield f"{name}({'*' if each.kind is each.VAR_POSITIONAL else '**'}{each.name})"
        else:
            yield f"{name}({each.name}) {'by name' if each.kind is each.KEYWORD_ONLY else f'as {place}.'}"
            yield (
                f"{name}{NEEDS}{each.name}"
                if each.default is each.empty
                else f"{name}({each.name}={_default(each.default)})"
            )
        if typed and isinstance(each.annotation, str):
            yield from (f"{name}({each.name}: {kind})" for kind in _alternatives(_unnoted(each.annotation)))
    if typed and isinstance(signature.return_annotation, str):
        yield f"{name}() gives {signature.return_annotation}"


def _made(name: str, kind: type[msgspec.Struct]) -> Lines:
    """How a struct is made: the fields that it takes, and those that it needs."""
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    optional = {
        name for name, value in zip(reversed(names), reversed(defaults), strict=False) if value is not msgspec.NODEFAULT
    }
    yield from (f"{name}({field})" for field in names)
    yield from (f"{name}{NEEDS}{field}" for field in names if field not in optional)


def _default(value: Any) -> str:
    written = repr(value)
    return getattr(value, "__name__", type(value).__name__) if " at 0x" in written else written


def _unnoted(annotation: Any) -> str:
    """A type as written, without the notes on it."""
    written = annotation if isinstance(annotation, str) else getattr(annotation, "__forward_arg__", str(annotation))
    match = re.fullmatch(r"Annotated\[(.*?), (?:note|meaning|Meta|msgspec\.Meta)\(.*", " ".join(written.split()))
    return match[1] if match else " ".join(written.split())


def _alternatives(annotation: str) -> list[str]:
    """The types of which a type is one."""
    parts, depth = [""], 0
    for letter in annotation:
        depth += (letter in "[(") - (letter in "])")
        if letter == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


# --- JSON -------------------------------------------------------------------------------------------------------------


def documents(game: Game) -> Lines:
    """The structs of all documents that no game has of its own: positions, reports, listings."""
    _, components = schemas_of(DOCUMENTS)
    yield from outputs(components)
    yield from inputs(components, _reached(components, "StateFile"))
    yield "a fraction is {decimal: number, exact: string}"
    yield from (f"{kind}.text: string" for kind in ("Step", "Verdict"))
    yield from (f"the schemas of a question have {part}" for part in schemas(questions_of(game)["check"]))


def schemas_of(kinds: Sequence[Any]) -> tuple[Sequence[Schema], Schema]:
    """The schemas of some types, and of the structs in them by name."""
    types, components = msgspec.json.schema_components(kinds, schema_hook=exact_schema, ref_template="#/$defs/{name}")
    return types, {_title(name): schema for name, schema in components.items()}


def _title(name: str) -> str:
    """What a struct is called: a report the same whatever its result is."""
    return re.sub(r"^Report_.*", "Report", name)


def outputs(components: Schema) -> Lines:
    """Each field of structs that are written, with its type, and each word that it may be."""
    for name, schema in components.items():
        yield from (f"{name} = {word}" for word in _words(schema))
        for field, contents in schema.get("properties", {}).items():
            yield f"{name}.{field}: {_kind(contents)}"
            yield from (f"{name}.{field} = {word}" for word in _words(contents))


def inputs(components: Schema, names: Iterable[str]) -> Lines:
    """What structs need that are read, and each type and word that a field may have."""
    for name in names:
        schema = components[name]
        yield from (f"{name} takes {word}" for word in _words(schema))
        yield from (f"{name}{NEEDS}{field}" for field in schema.get("required", ()))
        for field, contents in schema.get("properties", {}).items():
            yield from (f"{name} takes {field}: {kind}" for kind in _kinds(contents))
            yield from (f"{name} takes {field} = {word}" for word in _words(contents))


def _reached(components: Schema, start: str) -> list[str]:
    """The structs that a struct has in it, itself among them."""
    found, todo = [], [start]
    while todo:
        name = todo.pop()
        if name not in found and name in components:
            found.append(name)
            todo += _structs(components[name])
    return found


def _kind(schema: Schema) -> str:
    """The type of a value, or the types of which it is one."""
    return " or ".join(sorted({*_kinds(schema)}))


def _structs(schema: Any) -> list[str]:
    """The structs that a schema names."""
    return [_title(name) for name in re.findall(r"#/\$defs/([^'\"]+)", str(schema))]


def _kinds(schema: Any) -> list[str]:
    """The types of which a value is one."""
    match schema:
        case {"$ref": str(name)}:
            return [_title(name.removeprefix("#/$defs/"))]
        case {"anyOf": parts} | {"oneOf": parts}:
            return [kind for part in parts for kind in _kinds(part)]
        case {"prefixItems": parts}:
            return [f"({', '.join(' or '.join(_kinds(part)) for part in parts)})"]
        case {"type": "array"}:
            return [f"[{' or '.join(_kinds(schema.get('items')))}]"]
        case {"properties": fields}:
            return [f"{{{', '.join(sorted(fields))}}}"]
        case {"additionalProperties": dict(values)}:
            return [f"{{{' or '.join(_kinds(values))}}}"]
        case {"enum": _} | {"const": _}:
            return ["word"]
        case {"type": kind}:
            return [str(kind)]
    return ["anything"]


def _words(schema: Any) -> Lines:
    """The words that a value may be, itself or what it holds."""
    match schema:
        case {"enum": words}:
            yield from map(str, words)
        case dict():
            for key in "items", "additionalProperties":
                yield from _words(schema.get(key))
            for key in "anyOf", "oneOf", "prefixItems":
                for part in schema.get(key, ()):
                    yield from _words(part)


def game_files() -> Lines:
    """What stands in the files of a game: every field that one may have, and those that it must have."""
    structs = {kind for section in {*SECTIONS.values()} for kind in structs_of(section)}
    for kind in structs:
        fields = msgspec.structs.fields(kind)
        yield from (f"{kind.__name__}{NEEDS}{field.encode_name}" for field in fields if field.required)
        yield from (f"{kind.__name__} may have {field.encode_name}" for field in fields)


def journals() -> Lines:
    """The heads and signs of the lines of a journal that every game has."""
    yield from (f"entry {head}" for head in CORE)
    yield from (f"sign {sign}" for sign in ("late", "force", AND, f"{TAP}MARK"))
    yield from ("journal GAME 1", "seen by SIDE", "setup NAME")


# --- games ------------------------------------------------------------------------------------------------------------


def of_game(game: Game) -> dict[str, Lines]:
    """What one game adds."""
    asked = list(questions_of(game).values())
    common = schemas_of(DOCUMENTS)[1]
    kinds, components = schemas_of([*(each.parameters for each in asked), *(each.result for each in asked)])
    takes, gives = kinds[: len(asked)], kinds[len(asked) :]
    reached = {name for kind in gives for start in _structs(kind) for name in _reached(components, start)}
    written = {name: components[name] for name in reached if name not in common}
    return {
        "questions": _questions(asked, takes, gives, components),
        "results": outputs(written),
        "tracks": _tracks(game),
        "names": _names(game),
    }


def _questions(
    asked: Sequence[Question[Any, Any]], takes: Sequence[Schema], gives: Sequence[Schema], components: Schema
) -> Lines:
    for question, parameters, result in zip(asked, takes, gives, strict=True):
        yield f"{question.name} takes {_kind(parameters)}, gives {_kind(result)}"
        yield from (f"{question.name}: answer {answer}" for answer in question.answers or ())
        yield from (f"{question.name}: {way}" for way in question.drawn_as)
        yield from inputs(components, _reached(components, _kind(parameters)))


def _tracks(game: Game) -> Lines:
    for name, track in game.tracks.items():
        yield f"{name} of {track.on}: {track.kind}{f' that names {track.names}' if track.names else ''}"
        yield f"{name} is typed {track.written}"
        if track.absent is not None:
            yield f"{name} if nothing is stated: {track.absent}"
        yield from (f"{name} = {value}" for value in track.values)


def _names(game: Game) -> Lines:
    """What positions, journals and packs of the game name."""
    for name, chart in game.charts.items():
        yield f"chart {name} {' '.join(key.name for key in chart.keys)} = {'/'.join(field.name for field in chart.fields)}"
        for part in (*chart.keys, *chart.fields):
            yield from (f"chart {name} {part.name}: {value}" for value in part.values)
    for name, ruling in game.rulings.items():
        yield from (f"ruling {name}={reading}" for reading in ruling.readings)
    events = read_events(game)
    for word, event in events.event.items():
        yield f"event {word} of {event.on}"
        yield f"event {word} with {'a unit' if event.unit else 'no unit'}, {'no amount' if event.least is None else 'an amount'}"
        if event.usual is not None:
            yield f"event {word} {event.usual} if nothing is typed"
        yield from (f"event {word} {kind}" for kind in event.kinds)
    yield from (f"short {short}: {who}" for short, who in events.short.items())
    for side, nations in game.file.sides.items():
        yield from (f"side {side}", *(f"side {side}: {nation}" for nation in nations))
    yield from (f"board {name}" for name in game.board_names if name)
    yield from (f"set-up {name}" for name in game.setups)
    yield from (f"unit {id}" for id in game.roster)


# --- the snapshot -----------------------------------------------------------------------------------------------------


def snapshot() -> dict[str, list[str]]:
    """The lines that are kept, by the name of their file."""
    files = sorted(PROMISE.glob("**/*.txt"))
    return {
        file.relative_to(PROMISE).with_suffix("").as_posix(): file.read_text("utf-8").splitlines() for file in files
    }


def differences(before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> Lines:
    """The lines that the first has and the second lacks, each behind the name of its file."""
    for name, lines in before.items():
        there = {*after.get(name, ())}
        yield from (f"{name}: {line}" for line in lines if line not in there)


def broken(before: Mapping[str, Sequence[str]], after: Mapping[str, Sequence[str]]) -> list[str]:
    """What is gone, and what is needed now of what was there, neither of which may be within a major version."""
    if before.get("version") != after["version"]:
        return []
    gone = [line for line in differences(before, after) if NEEDS not in line]
    needed = [line for line in differences(after, before) if NEEDS in line]
    return gone + [f"new: {line}" for line in needed if _was_there(line, before)]


def _was_there(needed: str, before: Mapping[str, Sequence[str]]) -> bool:
    """Whether what a line says a need of was there. needed: with the name of its file."""
    file, _, line = needed.partition(": ")
    subject = re.compile(re.escape(line.partition(NEEDS)[0]) + r"\b")
    return any(subject.match(known) for known in before.get(file, ()))


def main() -> None:
    """Compare, and with --write take the snapshot anew. Exit code 1 if there is something to write, or something is gone that was released."""
    from .samples import write_new  # which needs this module

    before, after = snapshot(), surface()
    gone, come = list(differences(before, after)), list(differences(after, before))
    print("\n".join([*(f"- {line}" for line in gone), *(f"+ {line}" for line in come)]))
    if "--write" not in sys.argv:
        sys.exit("`python -m tests.surface --write` notes this" if gone or come else 0)
    if broken(before, after) and MAJOR in {
        section.version.partition(".")[0] for section in read_changelog() if section.date
    }:
        sys.exit(
            f"version {MAJOR} has been released with the lines marked -: bring them back, or raise the major version"
        )
    for name, lines in after.items():
        file = PROMISE / f"{name}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", "utf-8")
    for written in write_new():
        print(f"+ {written.relative_to(PROMISE)}")


if __name__ == "__main__":
    main()
