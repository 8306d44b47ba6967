"""Which questions run which code of a game: what a question names, what that names, and so on, read from the source.

It is read without importing it, as the rule index is.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING

from ..util.datafiles import inner
from .rule_index import OF_FILES, modules_of, tree_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


Node = tuple[str, str]
"""A module, as `combat.odds`, and what it defines at its top level: a function, a class, a constant."""
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def questions_by_place(folder: Traversable, questions: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The questions that run each function of a folder, by its place as in `rule_index`: "combat/odds.py:40
    shift_for_terrain".

    questions: the name of each with the module that holds it, as it is imported; a file that one follows is a place too.
    Raises InputError for a file that is not Python.
    """
    followed = ((file, name) for file, name in OF_FILES.items() if name in questions and inner(folder, file).is_file())
    of_code = _by_place(tuple(modules_of(folder)), tuple(questions.items()))
    return {**{file: (name,) for file, name in followed}, **of_code}


@lru_cache(4)  # at the table and in a check the same game is asked about again
def _by_place(
    modules: tuple[tuple[str, str], ...], questions: tuple[tuple[str, str], ...]
) -> Mapping[str, tuple[str, ...]]:
    """As `questions_by_place`, without files. modules: the path and the text of each."""
    sources = {
        path.removesuffix(".py").replace("/", "."): ModuleSource(path, tree_of(path, text)) for path, text in modules
    }
    names_at: dict[str, list[str]] = {}

    @cache
    def named_by(at: Node) -> frozenset[Node]:
        named = set(sources[at[0]].names_in(at[1]))
        return frozenset(node for name, attribute in named for node in _definitions_of(sources, at[0], name, attribute))

    for name, module in questions:
        for at, definition in sorted(_reach(_declarations(sources, name, module), named_by)):
            for place in sources[at].places.get(definition, ()):
                names_at.setdefault(place, []).append(name)
    return {place: tuple(dict.fromkeys(names)) for place, names in names_at.items()}


def questions_at(asked: Mapping[str, tuple[str, ...]], place: str) -> tuple[str, ...]:
    """The questions that run what stands at a place of the rule index. asked: from `questions_by_place`."""
    return asked.get(place) or asked.get(place.partition(":")[0], ())


class ModuleSource:
    """A module of a game. path: of its file; tree: what it says."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.path, self.tree = path, tree
        self._package = path.split("/")[:-1]

    @cached_property
    def definitions(self) -> dict[str, Definition]:
        """What is defined at the top level, by name."""
        nodes: dict[str, Definition] = {}
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                nodes[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                nodes |= {target.id: node for target in targets if isinstance(target, ast.Name)}
        return nodes

    @cached_property
    def places(self) -> dict[str, list[str]]:
        """Where the functions are that stand in each definition, itself among them."""
        return {
            name: [f"{self.path}:{t.lineno} {t.name}" for t in ast.walk(node) if isinstance(t, ast.FunctionDef)]
            for name, node in self.definitions.items()
        }

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """What each imported name stands for: a module of the game, and what is taken from it."""
        names: dict[str, tuple[str, str]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                above = self._package[: len(self._package) - node.level + 1]
                module = ".".join([*above, *(node.module or "").split(".")]).strip(".")
                names |= {name.asname or name.name: (module, name.name) for name in node.names}
        return names

    def names_in(self, definition: str) -> Iterator[tuple[str, str]]:
        """The names that a definition uses, each with the attribute that is taken of it, "" for none; those of
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
                    todo += [
                        part for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST)
                    ]


def _declarations(sources: Mapping[str, ModuleSource], question: str, module: str) -> Iterator[Node]:
    """What declares a question in the module that holds it: the definition that calls something with its name, or else
    all that is called QUESTION or QUESTIONS.
    """
    parts = module.split(".")
    tails = (".".join(parts[number:]) for number in range(len(parts) + 1))
    at = next((tail or "__init__" for tail in tails if (tail or "__init__") in sources), "__init__")
    own = sources[at].definitions if at in sources else {}
    named = [
        name for name, node in own.items() if isinstance(node, ast.Assign | ast.AnnAssign) and _calls(node, question)
    ]
    yield from ((at, name) for name in named or own if named or name in ("QUESTION", "QUESTIONS"))


def _calls(node: ast.AST, question: str) -> bool:
    """Whether something is called with the name of a question."""
    calls = (t for t in ast.walk(node) if isinstance(t, ast.Call))
    values = (
        value
        for call in calls
        for value in (*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg == "name"))
    )
    return any(isinstance(value, ast.Constant) and value.value == question for value in values)


def _reach(beginning: Iterable[Node], beyond: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """All that is named by some definitions, by what these name, and so on."""
    reached, todo = set[Node](), list(beginning)
    while todo:
        if (at := todo.pop()) not in reached:
            reached.add(at)
            todo += beyond(at)
    return reached


def _definitions_of(
    sources: Mapping[str, ModuleSource], at: str, name: str, attribute: str = "", passed: frozenset[Node] = frozenset()
) -> Iterator[Node]:
    """The definition that a name stands for in a module, through whatever modules it is imported. passed: names on the
    way.
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
            yield from _definitions_of(sources, file, what, passed=passed | {(at, name)})
