"""What users may rely on, line by line, and the snapshot of it in `tests/promise`: docs/maintaining/versions.md.

`python -m tests.surface` says what has come and what is gone since the snapshot, `--write` puts that into it, and into `tests/promise/samples`
what a new sample is read as. Whatever may grow has a line for each of its parts, so that what is added never changes a line: a value of a
track, a type that a parameter takes, an optional argument. No such line may go; none may come of what something needs that was there before;
and a bound may widen, but not narrow.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click
import msgspec

import assistant
from assistant import asking, testing
from assistant.asking.question import Consequences, Question
from assistant.asking.report import Part, Report, Step, Verdict
from assistant.asking.schemas import PositionLine, Refusal, exact_schema, list_structs, report_json, schemas
from assistant.faces.cli.main import cli
from assistant.faces.mcp.tools import describe_tools
from assistant.formats.json_state import StateFile
from assistant.formats.links import PositionLink
from assistant.formats.positions import Format
from assistant.formats.vassal.modules import Module
from assistant.formats.vassal.others.listing import SaveListing
from assistant.game.events import read_events
from assistant.game.games import Game
from assistant.game.pack_charts import ChartFact
from assistant.installed import hookspecs
from assistant.installed.registry import load_game, questions_of
from assistant.records.examples import ExampleResult
from assistant.records.explaining.explanation import Explanation
from assistant.records.journal.accounts import AccountPeriod
from assistant.records.journal.entries import CORE
from assistant.records.journal.journal_text import ListedEntry
from assistant.records.journal.lines import AND, BOOKS, TAP
from assistant.records.luck.evening import Evening
from assistant.records.referee.cases import RefereeResult
from assistant.util.files import cache_folder, data_folder
from assistant.util.limits import Limit
from module_builder.cli import cli as builder

from .released import (
    MAJOR,
    NEEDS,
    PROJECT,
    PROMISE,
    ROOT,
    Lines,
    breaks,
    differences,
    lines_of_files,
    released,
    snapshot,
    write_snapshot,
)
from .test_game_files import IN_COUNTERS, SECTIONS

GAMES = sorted(PROJECT["entry-points"]["field_staff.games"])
PROGRAMS = {"assistant": cli, "module-builder": builder}
FOR_DEVELOPERS = {"docs", "examples", "fuzz", "release", "test"}
"""The extras that nobody needs who only uses the program."""
DOCUMENTS = (
    StateFile,
    Explanation,
    Evening,
    SaveListing,
    AccountPeriod,
    ListedEntry,
    PositionLine,
    Refusal,
    RefereeResult,
    ExampleResult,
)
"""What commands and the library write as JSON; explanations have reports in them."""
HANDED: dict[str, Any] = {kind.__name__: kind for kind in (ChartFact, Format, Module)} | {"Consequences": Consequences}
"""What plugins hand to hooks."""
PARTLY = {
    "Game": ("charts", "id", "roster", "title", "tracks"),
    "GameState": ("stack", "units", "value"),
    "InputError": ("hint", "what", "where"),
}
"""Classes of which pages name but some attributes."""

Schema = Mapping[str, Any]


def surface() -> dict[str, list[str]]:
    """All of it: the lines of each file, sorted."""
    games = {name: load_game(name) for name in GAMES}
    parts = {"commands": commands(), "library": library(), "authors": authors(), "game-files": game_files()}
    parts |= {"version": iter([MAJOR]), "hooks": hooks(), "journals": journals(), "json": documents(games[GAMES[0]])}
    for name, game in games.items():
        parts |= {f"{name}/{part}": lines for part, lines in of_game(game).items()}
    return {name: sorted({*lines}) for name, lines in parts.items()}


# --- programs ---------------------------------------------------------------------------------------------------------


def commands() -> Lines:
    """What can be typed into a terminal, but for the questions, which each game has."""
    for name in PROJECT["scripts"]:
        yield f"program {name}"
    for extra in PROJECT["optional-dependencies"].keys() - FOR_DEVELOPERS:
        yield f"extra {extra}"
    for limit in Limit:
        yield f"variable FIELD_STAFF_LIMIT_{limit.name}"
    for variable, folder in ("FIELD_STAFF_DATA", data_folder), ("FIELD_STAFF_CACHE", cache_folder):
        with patch.dict(os.environ, {variable: "named"}):
            yield from (f"variable {variable}" for _ in range(folder() == Path("named")))
    for tool in describe_tools():
        yield f"tool {tool.name}"
        yield from inputs({f"tool {tool.name}": tool.parameters, **tool.parameters.get("$defs", {})})
    for name, program in PROGRAMS.items():
        yield from lines_of_command(name, program, click.Context(program))


def lines_of_command(name: str, command: click.Command, context: click.Context) -> Lines:
    """What a command takes and needs, and the same of the commands below it."""
    yield name
    yield from (f"{name}{NEEDS}{_typed(parameter)}" for parameter in command.params if parameter.required)
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    for place, argument in enumerate(arguments, 1):
        yield f"{name} {_typed(argument)} as {place}."
        yield from _values(f"{name} {_typed(argument)}", argument, several=argument.nargs == -1)
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            for option in parameter.opts + parameter.secondary_opts:
                yield f"{name} {option}{'' if parameter.is_flag else ' VALUE' * parameter.nargs}"
                yield from _values(f"{name} {option}", parameter, several=parameter.multiple)
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            below = command.get_command(context, each)
            assert below is not None
            yield from lines_of_command(f"{name} {each}", below, click.Context(below, parent=context))


def _typed(parameter: click.Parameter) -> str:
    return parameter.opts[0] if isinstance(parameter, click.Option) else str(parameter.name).upper()


def _values(name: str, parameter: click.Parameter, *, several: bool) -> Lines:
    """What an option or an argument takes: words, or numbers within bounds; how often; and what it is if left out."""
    kind, default = parameter.type, parameter.default
    if several:
        yield f"{name}, several times"
    if isinstance(kind, click.Choice):
        yield from (f"{name} {choice}" for choice in kind.choices)
    if isinstance(kind, click.types.IntParamType | click.types.FloatParamType):
        yield f"{name}{NEEDS}a number"
    if isinstance(kind, click.types.IntParamType):
        yield f"{name}{NEEDS}an integer"
    if isinstance(kind, click.IntRange | click.FloatRange):
        yield from _bounds(name, kind.min, kind.max)
    if isinstance(parameter, click.Option) and parameter.is_bool_flag:
        yield f"{name} is {'on' if default is True else 'off'} if left out"
    elif isinstance(default, int | float | str | Path) and default != "":
        yield f"{name} is {default} if left out"


def _bounds(name: str, least: float | None, most: float | None) -> Lines:
    """The lines of the bounds that there are."""
    yield from (
        f"{name} at {which} {bound}" for which, bound in (("least", least), ("most", most)) if bound is not None
    )


# --- Python -----------------------------------------------------------------------------------------------------------


def library() -> Lines:
    """The names that `import assistant` gives, and what the pages show of their values."""
    for name in {*assistant.__all__} - {*PARTLY}:
        yield from lines_of_object(name, getattr(assistant, name))
    for kind in (PositionLink, *list_structs(Report)):
        yield from lines_of_object(kind.__name__, kind)
    state = assistant.parse(f"game {GAMES[0]}").state
    for thing in (load_game(GAMES[0]), state, assistant.InputError("")):
        kind = type(thing).__name__
        yield from _bases(kind, type(thing))
        for attribute in PARTLY[kind]:
            value = getattr(thing, attribute)
            yield from (
                lines_of_function(f"{kind}.{attribute}", value) if inspect.ismethod(value) else (f"{kind}.{attribute}",)
            )


def authors() -> Lines:
    """What the code and the tests of a game import: all names that the pages for authors and the template import, and all
    that `assistant.asking` offers.
    """
    offered = {(package.__name__, name) for package in (asking, testing) for name in package.__all__}
    for module, name in {*_imported(), *offered}:
        yield from lines_of_object(f"{module}.{name}", getattr(import_module(module), name), typed=False)


def _imported() -> set[tuple[str, str]]:
    files = [*ROOT.glob("docs/making/*.md"), *ROOT.glob("module_builder/template/**/*.py")]
    pattern = re.compile(r"^(?:>>> )?from (assistant\.[\w.]+) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
    imports = [match for file in files for match in pattern.finditer(file.read_text("utf-8"))]
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
                takes = inspect.signature(hook).parameters["register"].annotation
                yield f"{name}: register takes {takes}"
                for handed in re.findall(r"\w+", takes.partition("[[")[2].partition("]")[0]):
                    yield from lines_of_object(handed, HANDED[handed], typed=False)


def lines_of_object(name: str, thing: Any, *, typed: bool = True) -> Lines:
    """A function with its signature, or a class with that, its fields and its public methods. typed: with their types."""
    if not isinstance(thing, type):
        yield from lines_of_function(name, thing, typed=typed) if inspect.isfunction(thing) else (name,)
        return
    yield from _bases(name, thing)
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
        signature = _signature(thing)
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


def _signature(thing: Any) -> inspect.Signature:
    """How a thing is called. Raises ValueError for a class that nobody calls."""
    try:
        return inspect.signature(thing)
    except NameError as error:  # of a struct whose module imports a type for a type checker alone
        with patch.dict(vars(sys.modules[thing.__module__]), {error.name: Any}):
            return _signature(thing)


def _bases(name: str, kind: type) -> Lines:
    """What a class is too: an InputError is a ValueError."""
    public = (base for base in kind.__mro__[1:-1] if base.__module__.partition(".")[0] in ("assistant", "builtins"))
    yield from (f"{name} is a {base.__name__}" for base in public if not base.__name__.startswith("_"))


def _default(value: Any) -> str:
    if isinstance(value, msgspec.Struct):  # to which fields may come
        return f"{type(value).__name__}()"
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
    yield from outputs(components, DOCUMENTS)
    yield from inputs(components, _reached(components, "StateFile"))
    yield from _paths("a report", json.loads(report_json(_report())))
    yield from (f"the schemas of a question have {part}" for part in schemas(questions_of(game)["check"]))


def _report() -> Report[Any]:
    """A report with something in each field that is written otherwise than it is held."""
    share = {"share": Fraction(5, 36)}
    step, verdict = Step("10.8a", "{share}", share), Verdict("figure", "{share}", share)
    return Report(
        title="", verdict=verdict, as_seen=verdict, parts=(Part("", (step,)),), cautions=(step,), result=share
    )


def _paths(name: str, value: Any) -> Lines:
    """Where in a document each value stands, and its type."""
    match value:
        case dict():
            for field, inner in value.items():
                yield from _paths(f"{name}.{field}", inner)
        case [first, *_]:
            yield from _paths(f"{name}[]", first)
        case None:
            yield name
        case _:
            yield f"{name}: {'string' if isinstance(value, str) else 'number'}"


def schemas_of(kinds: Sequence[Any]) -> tuple[Sequence[Schema], Schema]:
    """The schemas of some types, and of the structs in them by name."""
    types, components = msgspec.json.schema_components(kinds, schema_hook=exact_schema, ref_template="#/$defs/{name}")
    return types, {_title(name): schema for name, schema in components.items()}


def _title(name: str) -> str:
    """What a struct is called: a report the same whatever its result is."""
    return re.sub(r"^Report_.*", "Report", name)


def outputs(components: Schema, kinds: Sequence[Any]) -> Lines:
    """Each field of structs that are written, with its type, each word that it may be, and whether it is always there.

    kinds: what is written, in which the structs are.
    """
    structs = {kind.__name__: kind for kind in list_structs(*kinds)}
    for name, schema in components.items():
        yield from (f"{name} = {word}" for word in _words(schema))
        for field, contents in schema.get("properties", {}).items():
            yield f"{name}.{field}: {_kind(contents)}"
            yield from (f"{name}.{field} = {word}" for word in _words(contents))
        always = _always_written(structs[name]) if name in structs else schema.get("required", ())
        yield from (f"{name} always has {field}" for field in always)


def _always_written(kind: type[msgspec.Struct]) -> Lines:
    """The fields of a struct that JSON has whatever they hold."""
    if tag := kind.__struct_config__.tag_field:
        yield tag
    for field in msgspec.structs.fields(kind):
        if field.required or not (kind.__struct_config__.omit_defaults or field.default is msgspec.UNSET):
            yield field.encode_name


def inputs(components: Schema, names: Iterable[str] = ()) -> Lines:
    """What structs need that are read, each type and word that a field may have, its bounds, and what it is if left out.

    names: of those that are read, by default all.
    """
    for name in names or components:
        schema = components[name]
        yield from (f"{name} takes {word}" for word in _words(schema))
        yield from (f"{name}{NEEDS}{field}" for field in schema.get("required", ()))
        for field, contents in schema.get("properties", {}).items():
            yield from (f"{name} takes {field}: {kind}" for kind in _kinds(contents))
            yield from (f"{name} takes {field} = {word}" for word in _words(contents))
            yield from _bounds(f"{name} takes {field}", *_least_and_most(contents))
            if _is_plain(contents.get("default", {})):
                yield f"{name} takes {field}, {json.dumps(contents['default'], ensure_ascii=False)} if left out"


def _is_plain(value: Any) -> bool:
    """Whether a value holds no fields, to which others may come."""
    return not isinstance(value, dict) and not (
        isinstance(value, list) and any(isinstance(each, dict) for each in value)
    )


def _least_and_most(schema: Schema) -> tuple[float | None, float | None]:
    """The bounds of a number, or of each number of several."""
    inner = [part for key in ("anyOf", "oneOf") for part in schema.get(key, ())] + [schema.get("items") or {}]
    least, most = zip(*(_bounds_of(part) for part in (schema, *inner)), strict=True)
    return next((low for low in least if low is not None), None), next((top for top in most if top is not None), None)


def _bounds_of(schema: Schema) -> tuple[float | None, float | None]:
    least, most = (schema.get(f"{which}imum", schema.get(f"exclusive{which.title()}imum")) for which in ("min", "max"))
    return least, most


def _reached(components: Schema, start: str) -> list[str]:
    """The structs that a struct has in it, itself among them."""
    reached, todo = list[str](), [start]
    while todo:
        name = todo.pop()
        if name not in reached and name in components:
            reached.append(name)
            todo += _structs(components[name])
    return reached


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
            return [f"[{kind}]" for kind in _kinds(schema.get("items"))]
        case {"properties": fields}:
            return [f"{{{', '.join(sorted(fields))}}}"]
        case {"additionalProperties": dict(values)}:
            return [f"{{{kind}}}" for kind in _kinds(values)]
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
    """What stands in the files of a game: every field that one may have, with its types, and those that it must have."""
    kinds = [*SECTIONS.values(), *IN_COUNTERS]
    yield from inputs(schemas_of(kinds)[1])


def journals() -> Lines:
    """The heads and signs of the lines of a journal that every game has."""
    yield from (f"entry {head}" for head in CORE)
    yield from (f"sign {sign}" for sign in ("late", "force", AND, f"{BOOKS}CHECK", f"{TAP}MARK"))
    yield from ("journal GAME 1", "journal GAME 2", "rules VERSION FINGERPRINT", "seen by SIDE", "setup NAME")


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
        "results": outputs(written, [each.result for each in asked]),
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
        yield from _bounds(name, track.least, track.most)
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
    notation = game.file.notation
    yield from (f"in brackets {place}. {name}" for place, name in enumerate(notation.brackets, 1))
    yield from (f"an unknown unit{NEEDS}{part}" for part in notation.identity)
    yield from (f"between hexes {sign} is {words}" for sign, words in notation.signs.items())
    yield from (f"behind a hex {letter} is {words}" for letter, words in notation.letters.items())
    yield from (f"board {name}" for name in game.board_names if name)
    yield from (f"set-up {name}" for name in game.setups)
    yield from (f"unit {unit}" for unit in game.roster)


# --- the command --------------------------------------------------------------------------------------------------------


def main() -> None:
    """Compare, and with --write take the snapshot anew. Exit code 1 if there is something to write, or something is gone that was released."""
    from .samples import write_new  # which needs this module

    with tempfile.TemporaryDirectory() as empty:
        os.environ["FIELD_STAFF_DATA"] = empty  # the games as they come, without the pack of whoever writes it
        before, after = snapshot(), surface()
        gone, come = list(differences(before, after)), list(differences(after, before))
        print("\n".join([*(f"- {line}" for line in gone), *(f"+ {line}" for line in come)]))
        if "--write" not in sys.argv:
            sys.exit("`python -m tests.surface --write` records this" if gone or come else 0)
        if lost := breaks(lines_of_files(released()), after):
            told = "\n".join(lost)
            sys.exit(
                f"{told}\nversion {MAJOR} has been released without these changes: take them back, or raise the major version"
            )
        write_snapshot(after)
        for written in write_new():
            print(f"+ {written.relative_to(PROMISE)}")


if __name__ == "__main__":
    main()
