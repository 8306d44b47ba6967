"""Which questions run which code of a game: what a question names, what that names, and so on, read from the source.

It is read without importing it, as the rule index is.
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
from .games import Game
from .rule_index import OF_FILES, RuleRow, list_files_ending, modules_of, rule_index, tree_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


CORE = "assistant"
"""The package of the questions that no game's code declares."""
Node = tuple[str, str]
"""A module, as `combat.odds`, and what it defines at its top level: a function, a class, a constant."""
RuleWithQuestions = tuple[RuleRow, tuple[str, ...]]
"""A rule of the index, and the questions that run its code."""
_MAKERS = ("declare", "Question")
"""What makes a question of a function; also the method of a row of a table by which a single die decides."""
_ROOT = Path(__file__).parents[2]
"""The folder of the assistant's package."""
_READY_MADE = f"{CORE}.rules"
"""The package of the functions that make the assistant's ready-made questions for a game."""
RULES = Copies("rules", ".rules", 12)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign | ast.expr


def questions_by_place(folder: Traversable, questions: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the questions that run each function of a folder, by its place as in `rule_index`: "combat/odds.py:40
    shift_for_terrain".

    questions: the name of each with the module that holds it, as it is imported; a file that one follows is a place
    too. Raises InputError for a file that is not Python.
    """
    there = {
        file for file in OF_FILES if resolve_within(folder, file).is_file() or resolve_within(folder, file).is_dir()
    }
    followed = ((file, name) for file, name in OF_FILES.items() if name in questions and file in there)
    of_code = _find_questions(tuple(modules_of(folder)), tuple(questions.items()))
    return {**{file: (name,) for file, name in followed}, **of_code}


@lru_cache(4)  # at the table and in a check the same game is asked about again
def _find_questions(
    modules: tuple[tuple[str, str], ...], questions: tuple[tuple[str, str], ...]
) -> Mapping[str, tuple[str, ...]]:
    """Return what `questions_by_place` does, without files."""
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
        beside = [other for other, of in questions if of == module and other != name]
        for at, definition in sorted(
            _find_reached(_find_declarations(sources, declarations, name, module, beside), named_by)
        ):
            for place in sources[at].places.get(definition, ()):
                names_at.setdefault(place, []).append(name)
    return {place: tuple(dict.fromkeys(names)) for place, names in names_at.items()}


def questions_at(asked: Mapping[str, tuple[str, ...]], place: str) -> tuple[str, ...]:
    """Return the questions that run what stands at a place of the rule index. asked: from `questions_by_place`."""
    file = place.partition(":")[0]
    return asked.get(place) or asked.get(file) or asked.get(file.partition("/")[0], ())


def rules_with_questions(game: Game, questions: Mapping[str, str]) -> list[RuleWithQuestions]:
    """Return the rules of the index, each with the questions that run its code, in the order of `questions`, which is
    as for `questions_by_place`. It reads all code of the game, which takes a while the first time.

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
    """Return a mark of all on which the rules of a game depend; empty where that cannot be read."""
    files = [*list_files_ending(game.folder, ".py", ".csv", ".toml")]
    modules = [str(file) for path, file in files if path.endswith(".py")]
    ready_made = [str(_ROOT.joinpath(*_READY_MADE.split("."), below, "__init__.py")) for below in ("", "threats")]
    core = [datafiles.__file__, *modules_beside(__file__), *chain.from_iterable(map(modules_beside, ready_made))]
    code = mark_code([*core, *modules])
    stated = msgspec.msgpack.encode(([*game.tracks.values()], [*questions.items()]))
    try:
        data = [(path.encode(), read_data(file)) for path, file in files if not path.endswith(".py")]
    except InputError:
        return b""  # whoever reads the rules will say what is wrong
    return mark_content([code, stated, *chain.from_iterable(data)]) if code else b""


def _find_rules(game: Game, questions: Mapping[str, str]) -> list[RuleWithQuestions]:
    rows = rule_index(game)
    asked = questions_by_place(game.folder, questions) if rows else {}
    run = [{name for place in row.code for name in questions_at(asked, place)} for row in rows]
    return [(row, tuple(name for name in questions if name in names)) for row, names in zip(rows, run, strict=True)]


class ModuleSource:
    """A module of a game or of the assistant. path: of its file; tree: what it says."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.path = path
        self.tree = tree
        self._package = path.split("/")[:-1]

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        """What is defined at the top level, by name; of a list of questions also each of them, QUESTIONS[0]."""
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
        """Yield the names that a call gives to a question: by its first argument, its argument `name`, or the row of a
        table that it is called of. A constant of the module, or a record made there, stands for what it holds.
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
        """Where the functions are that stand in each definition, itself among them."""
        return {
            name: [f"{self.path}:{t.lineno} {t.name}" for t in ast.walk(node) if isinstance(t, ast.FunctionDef)]
            for name, node in self.definitions.items()
        }

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """What each imported name stands for: a module of the game or of the assistant, and what is taken from it."""
        names: dict[str, tuple[str, str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and (node.level or _is_core(node.module or "")):
                above = self._package[: len(self._package) - node.level + 1] if node.level else []
                module = ".".join([*above, *(node.module or "").split(".")]).strip(".")
                names |= {name.asname or name.name: (module, name.name) for name in node.names}
        return names

    def names_in(self, definition: str) -> Iterator[tuple[str, str]]:
        """Yield the names that a definition uses, each with the attribute that is taken of it, "" for none; those of
        annotations are left out.
        """
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
    """The calls that declare questions, in the modules of a game: those of `declare` and `Question`, the method
    `declare` of a row, and functions that return a question, of the game or among the assistant's ready-made ones.

    `sources`: the modules of the game, to which the calls within functions are added as definitions, such as
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
        """Return the questions that a definition declares, or that it is a name for."""
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
        """Return the names of the questions that a call makes, as far as they are written, or None if it makes none."""
        if (at, id(call)) not in self._made:
            self._made[at, id(call)] = None  # until it is found: a function may call itself
            self._made[at, id(call)] = self._resolve_names(at, call)
        return self._made[at, id(call)]

    def _resolve_names(self, at: str, call: ast.Call) -> frozenset[str] | None:
        source = self._sources[at]
        function = call.func
        own = frozenset(source.list_written_names(call))
        if isinstance(function, ast.Attribute):
            if function.attr in _MAKERS:
                return own
            names = (getattr(function.value, "id", ""), function.attr)
        else:
            names = (getattr(function, "id", ""), "")
        module, taken = source.imported.get(names[0], ("", ""))
        if _is_core(module) and taken in _MAKERS:
            return own
        self._add_core(module, f"{module}.{taken}")
        for where, name in _find_definitions(self._sources, at, *names):
            definition = self._sources[where].definitions[name]
            if isinstance(definition, ast.FunctionDef) and _returns_question(definition):
                within = (self._names_made(where, inner) for inner in _list_calls(definition))
                return own.union(*(made for made in within if made))
        return None

    def _add_core(self, *modules: str) -> None:
        """Add modules of ready-made questions, with those from which they import, as far as they lie in files."""
        for module in modules:
            if not module.startswith(_READY_MADE) or module in self._sources:
                continue
            for name in (module, f"{module}.__init__"):
                path = f"{name.replace('.', '/')}.py"
                file = _ROOT / path
                if file.is_file():
                    self._sources[name] = ModuleSource(path, tree_of(path, file.read_text("utf-8")))
                    self._add_core(*(of for of, _ in self._sources[name].imported.values()))


def _list_calls(node: ast.AST) -> Iterator[ast.Call]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Call))


def _returns_question(function: ast.FunctionDef) -> bool:
    return function.returns is not None and re.search(r"\bQuestion\b", ast.unparse(function.returns)) is not None


def _find_declarations(
    sources: Mapping[str, ModuleSource], declarations: Declarations, question: str, module: str, beside: Sequence[str]
) -> Iterator[Node]:
    """Yield what declares a question in the module that holds it, or else in any other of the game; or else what is
    called QUESTION or listed in QUESTIONS there and declares none of the others. beside: the other questions of that
    module.
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
        own = [name for name in definitions if name != "QUESTIONS" or "QUESTIONS[0]" not in definitions]
        declared = {name: declarations.list_declared(where, name) for name in own}
        named = [name for name in own if question in declared[name]]
        unnamed = (name for name in own if name.startswith("QUESTION") and where == at)
        named = named or [name for name in unnamed if declared[name].isdisjoint(beside)]
        yield from ((where, name) for name in named)
        if named:
            return


def _find_reached(beginning: Iterable[Node], beyond: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """Return all that is named by some definitions, by what these name, and so on."""
    reached = set[Node]()
    todo = list(beginning)
    while todo:
        if (at := todo.pop()) not in reached:
            reached.add(at)
            todo += beyond(at)
    return reached


def _find_definitions(
    sources: Mapping[str, ModuleSource], at: str, name: str, attribute: str = "", passed: frozenset[Node] = frozenset()
) -> Iterator[Node]:
    """Yield the definition that a name stands for in a module, through whatever modules it is imported. passed: names
    on the way.
    """
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
