"""The check of a game: all mistakes in its files, its code, their references to questions, and its positions."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache, partial
from importlib import import_module
from inspect import Parameter, signature
from types import FunctionType, MappingProxyType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from ..asking.messages import FILE, read_messages
from ..asking.parameters import read_parameters
from ..asking.question import Question, answer_question, draw_safely
from ..asking.reference import FIGURES
from ..asking.report import MissingFacts, Report, Step, Verdict
from ..asking.view import View
from ..asking.wording import figure_names, said_figures
from ..formats.notation import read_notation
from ..formats.positions import Asked, Position
from ..game.course import COURSE, TABLES, course_file
from ..game.events import EVENTS, read_events
from ..game.examples import read_examples
from ..game.gamefile import MARCH_WAY
from ..game.games import CLAUSES, Game
from ..game.lint.faults import Enough, Faults, unknown, unknown_names
from ..game.lint.files import lost_files, read_with_faults, title_in
from ..game.lint.tables import table_rows
from ..game.rule_faults import chapter_faults, data_rule_faults, quoted_rule_faults, rule_line_faults
from ..game.rule_file import read_rule_file
from ..game.rule_index import MAX_CACHED_MODULES, modules_of, tree_of
from ..game.schedule_files import read_schedules
from ..game.states import apply_changes
from ..mechanics.effects import DIE
from ..state.changes import BUILT_IN_TRACKS
from ..util.datafiles import find_toml_line, read_data, read_records, read_text, resolve_within
from ..util.errors import InputError, PluginError, Where, format_suggestion, ignore, nearest
from ..util.notes import fields_of, note
from .formats import read_position
from .registry import (
    GameFolder,
    aliases_of,
    code_faults,
    code_of,
    game_folder,
    installed_games,
    is_valid_id,
    of_another,
    register_questions,
)

WORDING = ("Step", "Verdict", "permission", "refused", "step", "verdict")
"""The functions and classes that word a report; their second argument is a template, or two."""


class GameCheck(msgspec.Struct, frozen=True):
    """The result of a check."""

    title: Annotated[str, note("title of the game")]
    game: Annotated[Game | None, note("the game, or None if it could not be read completely")]
    faults: Annotated[Faults, note("the mistakes")]
    unasked: Annotated[tuple[str, ...], note("the questions that none of its positions asks")] = ()


def examine_game(named: str, more: Callable[[Game], Iterable[InputError]] = lambda game: ()) -> GameCheck:
    """Return the game that a command names, and the mistakes in it. `more`: returns further mistakes in a game.

    Raises the errors of `game_folder`.
    """
    folder = game_folder(named)
    faults = Faults()
    title = title_in(folder.folder) or folder.id
    game = None
    unasked = tuple[str, ...]()
    faults.extend(lost_files(folder.folder))
    if not faults:  # lost files would cause most other mistakes
        with suppress(Enough):
            game = read_with_faults(folder.id, folder.folder, folder.made_by, folder.home, on_fault=faults)
            unasked = _check_code(folder, game, faults)
            faults.extend(_find_alias_faults(game))
            faults.extend(more(game))
    return GameCheck(title, game, faults, unasked)


def _find_alias_faults(game: Game) -> Iterator[InputError]:
    other_games = {name: entry for name, entry in installed_games().items() if name != game.id}
    names_taken = {name: name for name in other_games} | {
        alias: name for name in other_games for alias in aliases_of(other_games[name])
    }
    for alias in game.file.aliases:
        where = Where("game.toml")
        if owner := names_taken.get(alias):
            yield InputError(f"the alias {alias!r} names {owner} already", where=where, hint="choose another one")
        elif not is_valid_id(alias):
            hint = "use small letters, digits, hyphens and underscores, such as my-game"
            yield InputError(f"the alias {alias!r} is not a valid game id", where=where, hint=hint)


def _check_code(folder: GameFolder, game: Game, faults: Faults) -> tuple[str, ...]:
    """Report the mistakes in a game's code and in references to its questions. Return the questions that no position
    asks.

    Raises Enough if there are too many mistakes.
    """
    questions: dict[str, Question[Any, Any]] = {}
    try:
        code = code_of(folder)
        registered = register_questions(game, folder, code)
    except InputError as error:
        faults(error)
        return ()
    failed, in_code = list[InputError](), list[InputError]()
    for name in registered:
        try:
            questions[name] = registered[name]
        except InputError as error:
            failed.append(error)
    try:
        in_code.extend(rule_line_faults(game))
        in_code.extend(data_rule_faults(game))
        in_code.extend(chapter_faults(game))
        read_examples(game, in_code.append)
        in_code.extend(_find_figure_faults(game))
        in_code.extend(_find_word_faults(game))
        _find_record_faults(game, code, in_code.append)
    except InputError as error:  # a file that is not Python is reported once, not for each question that needs it
        in_code.append(error)
        failed = [fault for fault in failed if not isinstance(fault.__cause__, SyntaxError)]
    faults.extend(failed)
    faults.extend(InputError(fault) for fault in code_faults(game, code))
    faults.extend(in_code)
    if len(questions) == len(registered):  # otherwise names of failed questions would count as unknown
        faults.extend(_find_question_faults(game, questions))
    if faults:  # positions would repeat these faults
        return ()
    asked = _find_in_positions(game, questions, faults)
    return tuple(
        name for name in questions if name not in asked and not registered.modules[name].startswith("assistant.")
    )


def _find_figure_faults(game: Game) -> Iterator[InputError]:
    known = {*FIGURES, *game.file.figures}
    for path, text in modules_of(game.folder):
        for line, template in _find_templates(path, text):
            for name in sorted(said_figures(template)):
                if name not in known:
                    what = f"figure {name!r} in {template!r} has no meaning"
                    yield InputError(what, where=Where(path, line), hint="add it to [figures] of game.toml")
    for message, template in read_messages(game.folder).items():
        for name in sorted(said_figures(template)):
            if name not in known:
                what = f"figure {name!r} in the message {message} has no meaning"
                yield InputError(what, where=Where(FILE), hint="add it to [figures] of game.toml")


def _find_record_faults(game: Game, code: Any, on_fault: Callable[[InputError], None]) -> None:
    """Report the mistakes in tables of the game, as its code reads them.

    `code`: the game's module. In it a call such as `rows("limits", Limit)` names the record for a row of
    `tables/limits.csv`.
    """
    for path, text in modules_of(game.folder):
        parts = [getattr(code, "__name__", ""), *path.removesuffix(".py").split("/")]
        module = sys.modules.get(".".join(parts).removesuffix(".__init__"))
        for name, kind in _find_records(path, text):
            file = resolve_within(game.folder, f"{TABLES}/{name}.csv")
            record = getattr(module, kind, None)
            if file.is_file() and isinstance(record, type) and issubclass(record, msgspec.Struct):
                for _ in read_records(file, record, f"{TABLES}/{name}.csv", on_fault):
                    pass


@lru_cache(MAX_CACHED_MODULES)
def _find_records(path: str, text: str) -> tuple[tuple[str, str], ...]:
    calls = (node.args for node in ast.walk(tree_of(path, text)) if isinstance(node, ast.Call) and len(node.args) == 2)
    return tuple(
        (str(word.value), kind.id)
        for word, kind in calls
        if isinstance(word, ast.Constant) and isinstance(kind, ast.Name) and re.fullmatch(r"[\w-]+", str(word.value))
    )


@lru_cache(MAX_CACHED_MODULES)
def _find_templates(path: str, text: str) -> tuple[tuple[int, str], ...]:
    """Return the templates in a module's calls that word a report, each with its line.

    A composed text gives its parts. Only texts within the call itself are found, as its second argument, not texts in
    variables.
    """
    tree = tree_of(path, text)
    imported = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    aliases = [name for node in imported if (node.module or "").startswith("assistant.") for name in node.names]
    wording = {alias.asname or alias.name for alias in aliases if alias.name in WORDING}
    templates = []
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in wording:
            for node in (part for argument in call.args[1:2] for part in ast.walk(argument)):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    with suppress(ValueError):  # a part with only one of two braces
                        figure_names(node.value)
                        templates.append((node.lineno, node.value))
    return tuple(templates)


def _find_question_faults(game: Game, questions: Mapping[str, Question[Any, Any]]) -> Iterator[InputError]:
    """Yield unknown questions and parameters in `game.toml`, on the sheet of a turn and in tables.

    In `game.toml` they are under [table] and [wishes].
    """
    yield from _find_data_faults(game, questions)
    for wish, answer in game.file.wishes.items():
        yield from unknown_names(f"[wishes] {wish!r}", [answer.partition(":")[0]], questions, "question")
    table = game.file.table
    if table is None:
        return
    yield from unknown_names("[table] along", [table.along], questions, "question", optional=True)
    yield from unknown_names("[table] march", [table.march], questions, "question", optional=True)
    if table.march in questions:
        yield from _find_parameter_faults("[table] march", [MARCH_WAY], questions[table.march])
    yield from unknown_names("[table] ask", [table.ask], questions, "question", optional=True)
    yield from unknown_names("[table] also", table.also, questions, "question")
    for question, name in table.also.items():
        if question in questions:
            yield from _find_parameter_faults(f"[table] also {question}", [name], questions[question])
    if table.ask not in questions:
        return
    asked = questions[table.ask]
    parameters_by_spot = {"target": table.target, "attackers": table.attackers, "without": table.without}
    parameters_by_spot |= {f"short {short}": name for short, name in table.short.items()}
    for spot, name in parameters_by_spot.items():
        yield from _find_parameter_faults(f"[table] {spot}", [name] if name else (), asked)
    yield from _find_parameter_faults("[table] around", table.around, asked)
    known = [*game.tracks, *_list_parameters(asked)]
    yield from unknown_names("[table.usual]", table.usual, known, "track or parameter")


def _find_data_faults(game: Game, questions: Mapping[str, Question[Any, Any]]) -> Iterator[InputError]:
    """Yield unknown questions in a game's data, and questions on the sheet of a turn that need parameters."""
    course = course_file(game, ignore)
    events = read_events(game, ignore)
    text = read_text(resolve_within(game.folder, EVENTS)) if events.sheet else ""
    lines = (Where(EVENTS, find_toml_line(text, ("sheet", number, "question"))) for number in range(len(events.sheet)))
    sheet = [("[[sheet]] question", [row.question], where) for row, where in zip(events.sheet, lines, strict=True)]
    tables = [("question", [row.get("question", "")], where) for row, where in table_rows(game, ignore)]
    rows = read_schedules(game, ignore, course).located
    texts = [("text: ask", re.findall(r"\(ask ([\w-]+)", row.text), where) for row, where in rows]
    named_asks = [(phase, ask) for phase in course.phase for ask in (phase.ask, *(due.ask for due in phase.steps))]
    asks = [(f"[[phase]] {phase.title} ask", ask) for phase, ask in named_asks]
    steps = [(spot, [ask.partition(" ")[0]], Where(COURSE)) for spot, ask in asks]
    for spot, names, where in (*sheet, *tables, *texts, *steps):
        for fault in unknown_names(spot, names, questions, "question", "", optional=True):
            yield fault.at(where)
    for spot, (name,), where in sheet:
        if name in questions and any(field.required for field in fields_of(questions[name].parameters)):
            yield InputError(f"{spot}: {name!r} cannot be asked without parameters", where=where)


def _find_parameter_faults(spot: str, names: Iterable[str], question: Question[Any, Any]) -> Iterator[InputError]:
    yield from unknown_names(spot, names, _list_parameters(question), f"parameter of {question.name}")


def _list_parameters(question: Question[Any, Any]) -> list[str]:
    return [field.encode_name.replace("_", "-") for field in fields_of(question.parameters)]


def _find_in_positions(game: Game, questions: Mapping[str, Question[Any, Any]], faults: Faults) -> set[str]:
    """Report the mistakes in the positions of the game: set-ups, the tour, and `examples/`.

    Returns the questions asked in these positions.

    Raises Enough if there are too many mistakes.
    """
    files = list[str]()
    if game.file.module:
        files += [file for file, _ in game.file.module.setups]
    if game.file.demo:
        files += [file for file, _ in game.file.demo.shows]
    examples = resolve_within(game.folder, "examples")
    if examples.is_dir():
        names = sorted(file.name for file in examples.iterdir())
        files += [f"examples/{name}" for name in names if name.endswith((".pos", ".json"))]
    load = _make_loader(game)
    names_asked, names_rolled = set[str](), set[str]()
    for file in dict.fromkeys(files):
        faults_before = len(faults)
        try:
            data = read_data(resolve_within(game.folder, file))
            is_notation = file.endswith(".pos")
            position = read_notation(data, file, load, faults) if is_notation else read_position(file, data, load)
        except InputError as error:
            faults(error.at(Where(file)))
            continue
        names_asked.update(asked.question for asked in position.asks)
        if len(faults) != faults_before:
            continue
        if not position.asks:
            _ask_of_clauses(position, questions)
        for asked in position.asks:
            try:
                if asked.question not in questions:
                    raise unknown("ask", asked.question, questions, "question", "")
                report = _answer_asked(position, asked, questions)
                _check_changes(position, report)
                if asked.question not in names_rolled and (die := _find_die(report)):
                    names_rolled.add(asked.question)
                    _try_faces(position, asked, questions, die)
                for figure in sorted(unexplained(report, game)):
                    what = f"figure {figure!r} in the answer to {asked.question} has no meaning"
                    faults(InputError(what, where=Where("game.toml"), hint="add it to [figures]"))
                source = f"the answer to {asked.question}"
                for fault in quoted_rule_faults(game, (step.rule for step in _list_steps(report)), source):
                    faults(fault.at(asked.marks.get("") or Where(file)))
                _draw_report(position, report, questions[asked.question])
            except InputError as error:
                name_at_fault = getattr(error, "name", "")  # the name of a parameter or an answer
                marks = {**position.marks, **asked.marks}
                faults(error.at(marks.get(name_at_fault) or marks.get("") or Where(file)))
    return names_asked


def _ask_of_clauses(position: Position, questions: Mapping[str, Question[Any, Any]]) -> None:
    """Ask what the clauses of `rules.toml` answer of a set-up, without any parameter but a side, to see which they meet.

    What cannot be answered is left out: a set-up asks nothing.
    """
    game = position.game
    names = read_rule_file(game).questions if game.has_file(CLAUSES) else ()
    for name in names:
        required = [field.name for field in fields_of(questions[name].parameters) if field.required]
        for side in game.file.sides if required in ([], ["side"]) else ():
            parameters = {"side": side} if "side" in _list_parameters(questions[name]) else {}
            with suppress(InputError, MissingFacts):
                _answer_asked(position, Asked(name, parameters), questions)


def _answer_asked(
    position: Position,
    asked: Asked,
    questions: Mapping[str, Question[Any, Any]],
    more: Mapping[str, str] = MappingProxyType({}),
) -> Report[Any]:
    """Return the report on a question of a position, with the answers given in the position.

    `more`: further answers.

    Raises InputError for invalid or missing parameters, and PluginError if the code of the question fails.
    """
    question = questions[asked.question]
    view = View(position.game, position.state)
    try:
        parameters = read_parameters(question, view, asked.parameters)
    except MissingFacts as missing:
        what = f"{asked.question} cannot be asked: {', '.join(ask.name for ask in missing.asks)} is missing"
        raise InputError(what, hint=missing.asks[0].how) from None

    def waits_for(name: str, answer: str) -> bool:
        return name in questions and questions[name].waits_for(answer)

    return answer_question(question, view, parameters, {**position.answers_to(asked, waits_for), **more})


def _check_changes(position: Position, report: Report[Any]) -> None:
    try:
        apply_changes(position.game, position.state, report.changes)
    except InputError as error:
        raise InputError(f"the changes of {report.question} cannot be made: {error.what}", hint=error.hint) from None


def _find_die(report: Report[Any]) -> str:
    return next((ask.name for ask in report.asks if ask.kind == "roll" and ask.dice == str(DIE)), "")


def _try_faces(position: Position, asked: Asked, questions: Mapping[str, Question[Any, Any]], die: str) -> None:
    """Ask a question again with each face of a die.

    `die`: the name of the die.

    Raises InputError for changes that cannot be made, PluginError if the question's code fails.
    """
    for face in range(1, DIE.sides + 1):
        try:
            rolled = _answer_asked(position, asked, questions, {die: str(face)})
        except PluginError:
            raise
        except InputError:  # the roll needs another answer too
            continue
        _check_changes(position, rolled)


def unexplained(report: Report[Any], game: Game) -> set[str]:
    """Return the figures of a report that neither the assistant nor the game explains."""
    steps: list[Step | Verdict] = [report.verdict, *_list_steps(report)]
    return {name for step in steps for name in step.figures} - set(FIGURES) - set(game.file.figures)


def _list_steps(report: Report[Any]) -> Iterator[Step]:
    yield from report.cautions
    yield from (step for part in report.parts for step in part.steps)


def _draw_report(position: Position, report: Report[Any], question: Question[Any, Any]) -> None:
    if question.sketch is None or report.drawable is None:
        return
    try:
        draw_safely(position.game, partial(question.sketch, View(position.game, position.state), report))
    except PluginError:
        raise
    except InputError:  # there is nothing to draw
        pass


def _make_loader(game: Game) -> Callable[[str], Game]:
    """Return a loader of the game itself for every position in its folder.

    A position of another game is a fault. The fault is reported once for each name, because all positions of a copied
    folder have it.
    """
    reported = {game.id}

    def load(name: str) -> Game:
        if name not in reported:
            reported.add(name)
            raise InputError(f"the position is for {name}", hint=of_another(game, name))
        return game

    return load


_READERS = ("facts", "view", "over")
"""The usual names of variables from which code reads facts."""
_FACT_METHODS = (
    "amounts",
    "fact",
    "flag",
    "granted",
    "integer",
    "on_front",
    "points",
    "value",
    "word",
    "word_among",
    "words",
)
"""The methods whose first argument names the track of a fact."""
_TRACK_ARGUMENTS = {"changed": 1, "turned_over": 1, "Change": 0, "Gain": 0, "Raise": 0}
"""The index of the argument with a track, by the assistant's function."""


def _find_word_faults(game: Game) -> Iterator[InputError]:
    """Yield the unknown tracks, charts, rulings and other words in calls of a game's code.

    The code is read, not run: only words within the call itself are found.

    Raises InputError for a file that is not Python.
    """
    for path, text in modules_of(game.folder):
        tree = tree_of(path, text)
        offered = _find_offered(tree)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            for fault in (*_find_reader_faults(game, call), *_find_offer_faults(game, call, offered)):
                yield fault.at(Where(path, call.lineno))


def _find_reader_faults(game: Game, call: ast.Call) -> Iterator[InputError]:
    function = call.func
    reader = getattr(function, "value", None)
    if not isinstance(function, ast.Attribute) or getattr(reader, "attr", getattr(reader, "id", "")) not in _READERS:
        return
    if function.attr in _FACT_METHODS:
        yield from _find_unknown("track", call.args[:1], game.tracks)
    elif function.attr == "ruling":
        yield from _find_unknown("ruling", call.args[:1], game.rulings)
    elif function.attr == "cell":
        yield from _find_unknown("chart", call.args[:1], game.charts)
        chart = game.charts.get(str(_read_text(call.args[0]))) if call.args else None
        has_starred = any(isinstance(key, ast.Starred) for key in call.args)
        if chart and not has_starred and len(call.args) - 1 != len(chart.keys):
            hint = f"they are: {', '.join(key.name for key in chart.keys)}"
            yield InputError(f"the chart {chart.name} has {len(chart.keys)} keys, not {len(call.args) - 1}", hint=hint)


def _find_offer_faults(game: Game, call: ast.Call, offered: Mapping[str, object]) -> Iterator[InputError]:
    """Yield the faults of a call of an assistant's function.

    `offered`: the assistant's functions, by their names in the module.
    """
    name = getattr(call.func, "id", "")
    function = offered.get(name)
    if not isinstance(function, type | FunctionType):
        return
    track_argument = _TRACK_ARGUMENTS.get(function.__name__)
    if track_argument is not None:
        yield from _find_unknown(
            "track", call.args[track_argument : track_argument + 1], {*game.tracks, *BUILT_IN_TRACKS}
        )
    for argument, words in _list_words(function).items():
        positional = call.args[argument] if isinstance(argument, int) and argument < len(call.args) else None
        argument_node = next((keyword.value for keyword in call.keywords if keyword.arg == argument), positional)
        text = _read_text(argument_node)
        if text is not None and text not in words:
            hint = nearest(text, words) or f"known: {', '.join(filter(None, words))}"
            yield InputError(f"{name}: unknown word {text!r}", hint=hint)


def _find_unknown(what: str, named: Collection[ast.AST], known: Collection[str]) -> Iterator[InputError]:
    for node in named:
        if (name := _read_text(node)) is not None and name not in known:
            yield InputError(f"unknown {what} {name!r}", hint=format_suggestion(name, known))


def _read_text(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _find_offered(tree: ast.Module) -> dict[str, Any]:
    offered = dict[str, Any]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "assistant" and not node.level:
            with suppress(ImportError):
                module = import_module(str(node.module))
                offered |= {name.asname or name.name: getattr(module, name.name, None) for name in node.names}
    return offered


@cache
def _list_words(what: Any) -> dict[int | str, tuple[str, ...]]:
    try:
        hints = get_type_hints(what)
        taken = signature(what)
    except (NameError, TypeError, ValueError):  # the annotations cannot be resolved, or the object has no signature
        return {}
    words = dict[int | str, tuple[str, ...]]()
    for place, (name, parameter) in enumerate(taken.parameters.items()):
        if get_origin(hint := hints.get(name)) is Literal:
            words[name] = get_args(hint)
            if parameter.kind is not Parameter.KEYWORD_ONLY:
                words[place] = get_args(hint)
    return words
