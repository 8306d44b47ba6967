"""The questions that run each part of a game's code.

The module follows the names in a question's code, the names in their definitions, and so on. Like the rule index, it
reads sources and imports nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ..util import datafiles
from ..util.copies import UNFIT, Copies, Copy, mark_code, mark_content, modules_beside
from ..util.datafiles import read_data, resolve_within
from ..util.errors import InputError
from .games import CLAUSES, Game
from .rule_index import (
    FILE_QUESTIONS,
    SECTION_QUESTIONS,
    RuleRow,
    list_files_ending,
    modules_of,
    rule_index,
    tree_of,
)

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


CORE = "assistant"
"""The package of the questions that belong to no game."""
Node = tuple[str, str]
"""A module such as `combat.odds`, and the name of a function, class or constant at its top level."""
RuleWithQuestions = tuple[RuleRow, tuple[str, ...]]
"""A rule of the index, and the questions that run its code."""
_MAKERS = ("declare", "Question")
"""The names of calls that make a question of a function, or a question from a row of a table."""
_ROOT = Path(__file__).parents[2]
"""The folder that holds the assistant's package."""
_READY_MADE = f"{CORE}.rules"
"""The package of the functions that make the assistant's ready-made questions for a game."""
RULES = Copies("rules", ".rules", 12)
"""The cache of rules with their questions."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign | ast.expr


def questions_by_place(folder: Traversable, questions: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the questions that run each function of a folder, by place: `combat/odds.py:40 shift_for_terrain`.

    A data file that a question follows is a place too.

    `questions`: the module of each question, as imported.

    Raises InputError for a file that is not Python.
    """
    existing_files = {
        file
        for file in FILE_QUESTIONS
        if resolve_within(folder, file).is_file() or resolve_within(folder, file).is_dir()
    }
    followed = ((file, name) for file, name in FILE_QUESTIONS.items() if name in questions and file in existing_files)
    of_code = _find_questions(tuple(modules_of(folder)), tuple(questions.items()))
    of_clauses = {
        f"{CLAUSES}:{section}": tuple(name for name in names if name in questions)
        for section, names in SECTION_QUESTIONS.items()
        if resolve_within(folder, CLAUSES).is_file()
    }
    of_overrides = {
        place: tuple(name for name in SECTION_QUESTIONS[section] if name in questions)
        for place, section in _find_overrides(folder)
        if of_clauses
    }
    return {**{file: (name,) for file, name in followed}, **of_clauses, **of_code, **of_overrides}


def _find_overrides(folder: Traversable) -> Iterator[tuple[str, str]]:
    """Yield the functions that override clauses of `rules.toml`, each with the section: `@override("movement.step")`."""
    for path, text in modules_of(folder):
        statements = tree_of(path, text).body if "@override(" in text else ()
        for node in (statement for statement in statements if isinstance(statement, ast.FunctionDef)):
            for mark in node.decorator_list:
                match mark:
                    case ast.Call(ast.Name("override"), [ast.Constant(str(point))]):
                        section = point.partition(".")[0]
                        if section in SECTION_QUESTIONS:
                            yield f"{path}:{node.lineno} {node.name}", section


@lru_cache(4)  # a prompt or a check asks about the same game repeatedly
def _find_questions(
    modules: tuple[tuple[str, str], ...], questions: tuple[tuple[str, str], ...]
) -> Mapping[str, tuple[str, ...]]:
    sources = {
        path.removesuffix(".py").replace("/", "."): ModuleSource(path, tree_of(path, text)) for path, text in modules
    }
    names_at: dict[str, list[str]] = {}

    @cache
    def named_by(at: Node) -> frozenset[Node]:
        names = set(sources[at[0]].names_in(at[1]))
        return frozenset(
            node for name, attribute in names for node in _find_definitions(sources, at[0], name, attribute)
        )

    declarations = Declarations(sources)
    for name, module in questions:
        beside = [other for other, other_module in questions if other_module == module and other != name]
        for at, definition in sorted(
            _find_reached(_find_declarations(sources, declarations, name, module, beside), named_by)
        ):
            for place in sources[at].places.get(definition, ()):
                names_at.setdefault(place, []).append(name)
    return {place: tuple(dict.fromkeys(names)) for place, names in names_at.items()}


def questions_at(asked: Mapping[str, tuple[str, ...]], place: str) -> tuple[str, ...]:
    """Return the questions that run the code at a place of the rule index."""
    file, _, part = place.partition(":")
    if file == CLAUSES:
        return asked.get(f"{file}:{part.partition('.')[0]}", ())
    return asked.get(place) or asked.get(file) or asked.get(file.partition("/")[0], ())


def rules_with_questions(game: Game, questions: Mapping[str, str]) -> list[RuleWithQuestions]:
    """Return the rules of the index, each with the questions that run its code, in the order of `questions`.

    This reads all code of the game, which takes a while the first time.

    Raises InputError for a file that is not Python.
    """
    content = _mark_content(game, questions)
    if not content:
        return _find_rules(game, questions)
    copy = Copy(RULES, str(game.folder), content)
    if (body := copy.read()) is not None:
        with suppress(*UNFIT):
            return msgspec.msgpack.decode(body, type=list[RuleWithQuestions])
    rules = _find_rules(game, questions)
    copy.write(msgspec.msgpack.encode(rules))
    return rules


def _mark_content(game: Game, questions: Mapping[str, str]) -> bytes:
    files = [*list_files_ending(game.folder, ".py", ".csv", ".toml")]
    modules = [str(file) for path, file in files if path.endswith(".py")]
    ready_made = [str(_ROOT.joinpath(*_READY_MADE.split("."), below, "__init__.py")) for below in ("", "threats")]
    core = [datafiles.__file__, *modules_beside(__file__), *chain.from_iterable(map(modules_beside, ready_made))]
    code = mark_code([*core, *modules])
    stated = msgspec.msgpack.encode(([*game.tracks.values()], [*questions.items()]))
    try:
        data = [(path.encode(), read_data(file)) for path, file in files if not path.endswith(".py")]
    except InputError:
        return b""  # reading the rules reports the fault
    return mark_content([code, stated, *chain.from_iterable(data)]) if code else b""


def _find_rules(game: Game, questions: Mapping[str, str]) -> list[RuleWithQuestions]:
    rows = rule_index(game)
    asked = questions_by_place(game.folder, questions) if rows else {}
    run = [{name for place in row.code for name in questions_at(asked, place)} for row in rows]
    return [(row, tuple(name for name in questions if name in names)) for row, names in zip(rows, run, strict=True)]


class ModuleSource:
    """The source of a module of a game or of the assistant."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.path = path
        self.tree = tree
        self._package = path.split("/")[:-1]

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        """The top-level definitions by name; each item of a list of questions has a name such as QUESTIONS[0]."""
        nodes: dict[str, Definition] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                nodes[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                nodes |= {target.id: node for target in targets if isinstance(target, ast.Name)}
        listed = getattr(nodes.get("QUESTIONS"), "value", None)
        elements = listed.elts if isinstance(listed, ast.Tuple | ast.List) else ()
        return nodes | {f"QUESTIONS[{number}]": element for number, element in enumerate(elements)}

    def list_written_names(self, call: ast.Call) -> Iterator[str]:
        """Yield the question names in a call.

        A name is the first argument, the argument `name`, or the key of the table row in use. A constant of the module,
        or a record made there, stands for its value.
        """
        function = call.func
        named = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "name")]
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Subscript):
            named.append(function.value.slice)
        for value in named:
            if isinstance(value, ast.Name):
                value = getattr(self.definitions.get(value.id), "value", value)
            if isinstance(value, ast.Call):
                value = next(iter(value.args), value)
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value

    @cached_property
    def places(self) -> dict[str, list[str]]:
        """The places of the functions in each definition, the definition itself included."""
        return {
            name: [f"{self.path}:{t.lineno} {t.name}" for t in ast.walk(node) if isinstance(t, ast.FunctionDef)]
            for name, node in self.definitions.items()
        }

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """The module, of the game or the assistant, and the original name behind each imported name."""
        names: dict[str, tuple[str, str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and (node.level or _is_core(node.module or "")):
                above = self._package[: len(self._package) - node.level + 1] if node.level else []
                module = ".".join([*above, *(node.module or "").split(".")]).strip(".")
                names |= {name.asname or name.name: (module, name.name) for name in node.names}
        return names

    def names_in(self, definition: str) -> Iterator[tuple[str, str]]:
        """Yield the names that a definition uses outside annotations, each with the attribute read from it, or ""."""
        todo: list[ast.AST] = [self.definitions[definition]]
        while todo:
            node = todo.pop()
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                yield node.value.id, node.attr
            elif isinstance(node, ast.Name):
                yield node.id, ""
            for field, value in ast.iter_fields(node):
                if field not in ("annotation", "returns"):
                    parts = value if isinstance(value, list) else [value]
                    todo += [part for part in parts if isinstance(part, ast.AST)]


def _is_core(module: str) -> bool:
    return module.partition(".")[0] == CORE


class Declarations:
    """The calls that declare questions in the modules of a game.

    They are calls of `declare` and `Question`, of a row's method `declare`, and of functions that return a question.

    `sources`: the modules of the game. Calls within functions are added to them as definitions such as
    `register_questions()[0]`.
    """

    def __init__(self, sources: Mapping[str, ModuleSource]) -> None:
        self._sources = dict(sources)
        self._made: dict[tuple[str, int], frozenset[str] | None] = {}
        self._declared: dict[Node, frozenset[str]] = {}
        for at, source in sources.items():
            functions = [node for node in source.definitions.values() if isinstance(node, ast.FunctionDef)]
            for node in functions:
                calls = [call for call in _list_calls(node) if self._names_made(at, call) is not None]
                source.definitions |= {f"{node.name}()[{number}]": call for number, call in enumerate(calls)}

    def list_declared(self, at: str, definition: str) -> frozenset[str]:
        """Return the questions that a definition declares, directly or as another name of a declaration."""
        if (at, definition) not in self._declared:
            self._declared[at, definition] = self._find_declared(at, definition)
        return self._declared[at, definition]

    def _find_declared(self, at: str, definition: str) -> frozenset[str]:
        definitions = self._sources[at].definitions
        node = definitions[definition]
        named = node.value if isinstance(node, ast.Starred) else node
        if isinstance(named, ast.Name) and named.id in definitions:
            return self.list_declared(at, named.id)
        if not isinstance(node, ast.Assign | ast.AnnAssign | ast.expr):
            return frozenset()
        return frozenset().union(*(self._names_made(at, call) or () for call in _list_calls(node)))

    def _names_made(self, at: str, call: ast.Call) -> frozenset[str] | None:
        if (at, id(call)) not in self._made:
            self._made[at, id(call)] = None  # a function may call itself
            self._made[at, id(call)] = self._resolve_names(at, call)
        return self._made[at, id(call)]

    def _resolve_names(self, at: str, call: ast.Call) -> frozenset[str] | None:
        source = self._sources[at]
        function = call.func
        written_names = frozenset(source.list_written_names(call))
        if isinstance(function, ast.Attribute):
            if function.attr in _MAKERS:
                return written_names
            names = (getattr(function.value, "id", ""), function.attr)
        else:
            names = (getattr(function, "id", ""), "")
        module, taken = source.imported.get(names[0], ("", ""))
        if _is_core(module) and taken in _MAKERS:
            return written_names
        self._add_core(module, f"{module}.{taken}")
        for where, name in _find_definitions(self._sources, at, *names):
            definition = self._sources[where].definitions[name]
            if isinstance(definition, ast.FunctionDef) and _returns_question(definition):
                within = (self._names_made(where, inner) for inner in _list_calls(definition))
                return written_names.union(*(made for made in within if made))
        return None

    def _add_core(self, *modules: str) -> None:
        for module in modules:
            if not module.startswith(_READY_MADE) or module in self._sources:
                continue
            for name in (module, f"{module}.__init__"):
                path = f"{name.replace('.', '/')}.py"
                file = _ROOT / path
                if file.is_file():
                    self._sources[name] = ModuleSource(path, tree_of(path, file.read_text("utf-8")))
                    self._add_core(*(imported_module for imported_module, _ in self._sources[name].imported.values()))


def _list_calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _returns_question(function: ast.FunctionDef) -> bool:
    return function.returns is not None and re.search(r"\bQuestion\b", ast.unparse(function.returns)) is not None


def _find_declarations(
    sources: Mapping[str, ModuleSource], declarations: Declarations, question: str, module: str, beside: Sequence[str]
) -> Iterator[Node]:
    """Yield the definitions that declare a question, in its own module or else in any other of the game.

    Without a declaration of that name, definitions named QUESTION or listed in QUESTIONS count. They must declare no
    other question of the module.
    """
    parts = module.split(".")
    if parts[0] == CORE:
        return
    tails = (".".join(parts[number:]) for number in range(len(parts) + 1))
    at = next((tail or "__init__" for tail in tails if (tail or "__init__") in sources), "")
    if not at:
        return
    for where in dict.fromkeys((at, *sources)):
        definitions = sources[where].definitions
        candidates = [name for name in definitions if name != "QUESTIONS" or "QUESTIONS[0]" not in definitions]
        declared = {name: declarations.list_declared(where, name) for name in candidates}
        named = [name for name in candidates if question in declared[name]]
        unnamed = (name for name in candidates if name.startswith("QUESTION") and where == at)
        named = named or [name for name in unnamed if declared[name].isdisjoint(beside)]
        yield from ((where, name) for name in named)
        if named:
            return


def _find_reached(beginning: Iterable[Node], named_by: Callable[[Node], Iterable[Node]]) -> set[Node]:
    reached = set[Node]()
    todo = list(beginning)
    while todo:
        if (at := todo.pop()) not in reached:
            reached.add(at)
            todo += named_by(at)
    return reached


def _find_definitions(
    sources: Mapping[str, ModuleSource], at: str, name: str, attribute: str = "", passed: frozenset[Node] = frozenset()
) -> Iterator[Node]:
    """Yield the definition behind a name in a module, followed through imports."""
    source = sources[at]
    if name in source.definitions:
        yield at, name
    if name not in source.imported or (at, name) in passed:
        return
    module, taken = source.imported[name]
    for where, what in ((module, taken), (f"{module}.{taken}".strip("."), attribute)):
        file = where if where in sources else f"{where}.__init__".strip(".")
        if what and file in sources:
            yield from _find_definitions(sources, file, what, passed=passed | {(at, name)})
