"""The definitions behind the names in a game's modules, read from the sources without importing them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from ..rule_index import modules_of, tree_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

T = TypeVar("T")
CORE = __name__.partition(".")[0]
"""The package whose modules a game may import."""
CORE_FIELDS = {
    "view": ("asking/view", "View"),
    "facts": ("asking/view", "Gather"),
    "board": ("game/boards/board", "Board"),
}
"""The class in the core of each field that leads to the position."""
_WRAPPERS = ("Annotated", "Final", "ClassVar", "Optional", "cached_property")
_COLLECTIONS = (
    *("Sequence", "Iterable", "Iterator", "Collection", "Set", "AbstractSet", "list", "tuple", "set", "frozenset"),
    *("Mapping", "dict", "Counter", "defaultdict"),
)
_MAPPINGS = ("Mapping", "dict", "Counter", "defaultdict")


class Module:
    """A module with the definitions behind its names."""

    def __init__(self, path: str, text: str, sources: Sources) -> None:
        self.path = path
        self.text = text
        self.memo = dict[object, Any]()
        """The cache of results about its classes and functions."""
        self._sources = sources

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree of the module. Raises InputError if it is not Python."""
        return tree_of(self.path, self.text)

    @cached_property
    def _defined(self) -> dict[str, ast.stmt]:
        defined = dict[str, ast.stmt]()
        for node in self.tree.body:
            match node:
                case ast.FunctionDef(name) | ast.ClassDef(name):
                    defined[name] = node
                case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name), value=ast.expr()):
                    defined[name] = node
        return defined

    @cached_property
    def _imported(self) -> dict[str, tuple[str, str]]:
        """The imported names, each with the path of its package or module and its original name."""
        imported = dict[str, tuple[str, str]]()
        folders = self.path.split("/")[:-1]
        # blocks of imports for type checking
        blocks = [node.body for node in self.tree.body if isinstance(node, ast.If)]
        for node in (*self.tree.body, *(each for block in blocks for each in block)):
            if isinstance(node, ast.ImportFrom):
                up = folders[: len(folders) - node.level + 1] if node.level else []
                path = "/".join([*up, *(node.module.split(".") if node.module else ())])
                imported |= {name.asname or name.name: (path, name.name) for name in node.names}
        return imported

    def find(self, name: str) -> tuple[Module, ast.stmt] | None:
        """Return the definition of a name, in this module or where it is imported from, or None if it is foreign."""
        if name in self._defined:
            return self, self._defined[name]
        path, named = self._imported.get(name, ("", ""))
        module = self._sources.find(path) if path else None
        return module.find(named) if module and module is not self else None

    def find_module(self, name: str) -> Module | None:
        """Return the module that an imported name stands for, or None if it is not a module."""
        path, named = self._imported.get(name, ("", ""))
        return self._sources.find("/".join(filter(None, (path, named)))) if named else None

    def find_class(self, name: str) -> Class | None:
        """Return the class that a name in this module stands for, or None if it is not a class."""
        match self.find(name):
            case (module, ast.ClassDef() as tree):
                return Class(module, tree)
        return None

    def find_core(self, path: str, name: str) -> Type | None:
        """Return a class of the core as a type, or None if the core has no such module."""
        module = self._sources.find(f"{CORE}/{path}")
        return Type(ast.Name(name), module) if module else None

    def list_contexts(self) -> Iterator[Context]:
        """Yield the functions of the module and the methods of its classes."""
        for node in self.tree.body:
            match node:
                case ast.FunctionDef():
                    yield Context(self, None, node)
                case ast.ClassDef(body=body):
                    owner = Class(self, node)
                    yield from (Context(self, owner, method) for method in body if isinstance(method, ast.FunctionDef))


def recall(module: Module, key: object, work: Callable[[], T]) -> T:
    """Return a cached result about a part of a module, or work it out."""
    if key not in module.memo:
        module.memo[key] = work()
    found: T = module.memo[key]
    return found


class Sources:
    """The modules of a game's folder, and the core's modules that they import.

    Raises InputError for a file that is too large.
    """

    def __init__(self, folder: Traversable) -> None:
        self.modules = {path: Module(path, text, self) for path, text in modules_of(folder)}
        self._core = dict[str, Module | None]()

    def find(self, path: str) -> Module | None:
        """Return a module or a package by its path without a suffix, or None."""
        for name in (f"{path}.py", f"{path}/__init__.py".lstrip("/")):
            if module := self.modules.get(name) or self._find_core(name):
                return module
        return None

    def _find_core(self, path: str) -> Module | None:
        package, _, within = path.partition("/")
        if package != CORE:
            return None
        if path not in self._core:
            file = files(CORE).joinpath(within)
            self._core[path] = Module(path, file.read_text("utf-8"), self) if file.is_file() else None
        return self._core[path]


class Class(NamedTuple):
    """A class of a module."""

    module: Module
    tree: ast.ClassDef

    @property
    def bases(self) -> Iterator[Class]:
        """The bases that are classes of the game or the core."""
        for base in self.tree.bases:
            named = base.value if isinstance(base, ast.Subscript) else base
            if isinstance(named, ast.Name) and (found := self.module.find_class(named.id)):
                yield found

    def find_member(self, name: str) -> Member | None:
        """Return a method or field of the class or the first of its bases that has it, or None if none has it."""
        return recall(self.module, (self.tree, name), lambda: self._find_member(name))

    def _find_member(self, name: str) -> Member | None:
        after: ast.stmt | None
        for node, after in zip(self.tree.body, [*self.tree.body[1:], None], strict=True):
            match node:
                case ast.FunctionDef() if node.name == name:
                    return Member(self, node, ast.get_docstring(node) or "")
                case ast.AnnAssign(ast.Name(field)) | ast.Assign([ast.Name(field)]) if field == name:
                    return Member(self, node, _describe_field(node, after))
        return next((found for base in self.bases if (found := base.find_member(name))), None)

    def is_a(self, name: str) -> bool:
        """Return whether the class or one of its bases has a name."""
        return self.tree.name == name or any(base.is_a(name) for base in self.bases)


class Member(NamedTuple):
    """A method or field of a class."""

    owner: Class
    node: ast.FunctionDef | ast.AnnAssign | ast.Assign
    description: str
    """The docstring, the note or the text below, or "" if there is none."""

    @property
    def type(self) -> Type | None:
        """The type of the field or of the method's result, or None if it is not annotated."""
        annotation = self.node.returns if isinstance(self.node, ast.FunctionDef) else None
        annotation = self.node.annotation if isinstance(self.node, ast.AnnAssign) else annotation
        return Type(annotation, self.owner.module) if annotation else None


class _Locals(NamedTuple):
    given: dict[str, list[ast.expr]]
    """The values of each name, in order."""
    members: dict[str, ast.expr]
    """The collection of each loop variable."""
    entered: dict[str, ast.expr]
    """The value of each name in a `with` block."""
    changed: frozenset[str]
    """Names with several values one after another."""


@lru_cache(4096)
def _read_locals(function: ast.FunctionDef) -> _Locals:
    given = dict[str, list[ast.expr]]()
    members = dict[str, ast.expr]()
    entered = dict[str, ast.expr]()
    changed = set[str]()
    for node in ast.walk(function):
        match node:
            case ast.Assign([ast.Name(name)], value):
                given.setdefault(name, []).append(value)
            case ast.AnnAssign(ast.Name(name), value=ast.expr() as value) | ast.NamedExpr(ast.Name(name), value):
                given.setdefault(name, []).append(value)
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)) if len(names) == len(values):
                for each, value in zip(names, values, strict=True):
                    if isinstance(each, ast.Name):
                        given.setdefault(each.id, []).append(value)
            case ast.Assign([ast.Tuple(names)], ast.IfExp(test, ast.Tuple(first), ast.Tuple(second))):
                for each, one, other in zip(names, first, second, strict=False):
                    if isinstance(each, ast.Name):
                        chosen = ast.copy_location(ast.IfExp(test, one, other), node)
                        given.setdefault(each.id, []).append(chosen)
            case ast.AugAssign(ast.Name(name)):
                changed.add(name)
            case ast.For(target, held) | ast.comprehension(target, held):
                changed |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
                if isinstance(target, ast.Name):
                    members.setdefault(target.id, held)
            case ast.withitem(value, ast.Name(name)):
                entered[name] = value
    for values in given.values():
        values.sort(key=lambda value: (value.lineno, value.col_offset))
    return _Locals(given, members, entered, frozenset(changed))


class Context(NamedTuple):
    """A function of a module or of a class, in which names are looked up."""

    module: Module
    owner: Class | None
    """The class of `self`, or None outside a class."""
    function: ast.FunctionDef | None

    @property
    def place(self) -> str:
        """The function by its name, with its module and line."""
        assert self.function is not None
        return f"{self.function.name} ({self.module.path}:{self.function.lineno})"

    def recall(self, subject: object, work: Callable[[], T]) -> T:
        """Return a cached result about a subject in this function, or work it out."""
        return recall(self.module, (self.owner and self.owner.tree, self.function, subject), work)

    def type_of(self, code: ast.expr) -> Type | None:
        """Return the type of some code, or None if it is not certain."""
        is_written = hasattr(code, "lineno")  # code without line numbers is temporary, and is not cached
        return self.recall(code, lambda: self._type_of(code)) if is_written else self._type_of(code)

    def _type_of(self, code: ast.expr) -> Type | None:
        match code:
            case ast.Name("self"):
                return Type(ast.Name(self.owner.tree.name), self.owner.module) if self.owner else None
            case ast.Name(name):
                return self._type_of_name(name)
            case ast.NamedExpr(value=value) | ast.IfExp(body=value):
                return self.type_of(value)
            case ast.Attribute(base, name):
                if member := self.find_member(base, name):
                    return member.type
                return self.module.find_core(*CORE_FIELDS[name]) if name in CORE_FIELDS else None
            case ast.Call(function):
                return self._type_of_call(function)
            case ast.Subscript(base):
                held = self.type_of(base)
                return held.element if held and not held.is_mapping else held and held.value
            case ast.Compare():
                return Type(ast.Name("bool"), self.module)
            case ast.UnaryOp(ast.Not()):
                return Type(ast.Name("bool"), self.module)
        return None

    def _type_of_call(self, function: ast.expr) -> Type | None:
        if isinstance(function, ast.Attribute) and not self.module_of(function.value):
            match function.attr:
                case "values" | "get":
                    held = self.type_of(function.value)
                    return held if held is None or function.attr == "values" else held.value
            return member.type if (member := self.find_member(function.value, function.attr)) else None
        match self.find(function):
            case (module, ast.ClassDef(name)):
                return Type(ast.Name(name), module)
            case (module, ast.FunctionDef(returns=ast.expr() as returns)):
                return Type(returns, module)
        return None

    def _type_of_name(self, name: str) -> Type | None:
        for argument in self.arguments:
            if argument.arg == name:
                return Type(argument.annotation, self.module) if argument.annotation else None
        if self.function:
            if held := _read_locals(self.function).members.get(name):
                found = self.type_of(held)
                return found.element if found else None
            if entered := _read_locals(self.function).entered.get(name):
                return self.type_of(entered)
        given = self.values_of(name)
        types = [found for value in given[:1] if (found := self.type_of(value))]
        if types:
            return types[0]
        match self.module.find(name):
            case (module, ast.AnnAssign(annotation=annotation)):
                return Type(annotation, module)
            case (module, ast.Assign(value=value)) if name.isupper():
                return Context(module, None, None).type_of(value)
        return None

    @property
    def arguments(self) -> list[ast.arg]:
        """The arguments of the function."""
        return [*self.function.args.args, *self.function.args.kwonlyargs] if self.function else []

    def values_of(self, name: str) -> list[ast.expr]:
        """Return the values that the function assigns to a name, in order."""
        return _read_locals(self.function).given.get(name, []) if self.function else []

    def is_changed(self, name: str) -> bool:
        """Return whether a local name takes several values one after another."""
        return self.function is not None and name in _read_locals(self.function).changed

    def module_of(self, code: ast.expr) -> Module | None:
        """Return the module that some code names, or None."""
        return self.module.find_module(code.id) if isinstance(code, ast.Name) and not self.values_of(code.id) else None

    def find(self, code: ast.expr) -> tuple[Module, ast.stmt] | None:
        """Return the definition of `name` or `module.name`, or None if the name is local."""
        match code:
            case ast.Name(name):
                is_own = any(argument.arg == name for argument in self.arguments) or self.values_of(name)
                return None if is_own else self.module.find(name)
            case ast.Attribute(base, name) if module := self.module_of(base):
                return module.find(name)
        return None

    def find_function(self, code: ast.expr) -> Context | None:
        """Return the context of a called function, or None if neither the game nor the core defines it."""
        match self.find(code):
            case (module, ast.FunctionDef() as tree):
                return Context(module, None, tree)
        if isinstance(code, ast.Attribute) and not self.module_of(code.value):
            member = self.find_member(code.value, code.attr)
            if member and isinstance(member.node, ast.FunctionDef):
                return Context(member.owner.module, member.owner, member.node)
        return None

    def find_member(self, base: ast.expr, name: str) -> Member | None:
        """Return a field or method of the class of some code, or None if the class is not known or lacks it."""
        kind = self.type_of(base)
        owner = kind.owner if kind else None
        return owner.find_member(name) if owner else None


class Type(NamedTuple):
    """A type as an annotation states it.

    `module`: the module of the annotation.
    """

    annotation: ast.expr
    module: Module

    @property
    def _bare(self) -> ast.expr:
        """The annotation without quotes, `| None` and notes."""
        node = self.annotation
        while True:
            match node:
                case ast.Constant(str(text)):
                    node = ast.parse(text, mode="eval").body
                case ast.BinOp(left, ast.BitOr(), ast.Constant(None)):
                    node = left
                case ast.BinOp(ast.Constant(None), ast.BitOr(), right):
                    node = right
                case ast.Subscript(ast.Name(name), ast.Tuple([first, *_])) if name in _WRAPPERS:
                    node = first
                case ast.Subscript(ast.Name(name), inner) if name in _WRAPPERS:
                    node = inner
                case _:
                    return node

    @property
    def name(self) -> str:
        """The name of the type, such as int, or ""."""
        match self._bare:
            case ast.Name(name) | ast.Subscript(ast.Name(name)):
                return name
            case ast.Attribute(_, name):
                return name
        return ""

    @property
    def owner(self) -> Class | None:
        """The class of the type, or None for a class outside the game and the core."""
        match self._bare:
            case ast.Attribute(ast.Name(module), name):
                found = self.module.find_module(module)
                return found.find_class(name) if found else None
        return self.module.find_class(self.name) if self.name else None

    @property
    def is_collection(self) -> bool:
        """Whether the type is a collection."""
        return self.name in _COLLECTIONS

    @property
    def is_mapping(self) -> bool:
        """Whether the type is a mapping."""
        return self.name in _MAPPINGS

    @property
    def element(self) -> Type | None:
        """The type of a collection's items, or of a mapping's keys, or None if the annotation does not state it."""
        match self._bare:
            case ast.Subscript(ast.Name(), ast.Tuple([first, *_])):
                return Type(first, self.module)
            case ast.Subscript(ast.Name(), inner):
                return Type(inner, self.module)
        return None

    @property
    def value(self) -> Type | None:
        """The type of a mapping's values, or None if the annotation does not state it."""
        match self._bare:
            case ast.Subscript(ast.Name(), ast.Tuple([_, value])):
                return Type(value, self.module)
        return None


def _describe_field(field: ast.AnnAssign | ast.Assign, after: ast.stmt | None) -> str:
    """Return the note of a field, or the text below it.

    `after`: the statement below the field.
    """
    if text := note_of(field):
        return text
    match after:
        case ast.Expr(ast.Constant(str(text))):
            return text
    return ""


def note_of(code: ast.AST) -> str:
    """Return the note in an annotation, or "" if it has none."""
    for part in ast.walk(code):
        match part:
            case ast.Call(ast.Name("note" | "meaning"), [ast.Constant(str(text)), *_]):
                return text
    return ""
