"""What the names in a function stand for, as far as the words for it depend on that."""

from __future__ import annotations

import ast
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

from ...state.tracks import Track
from .sources import Context
from .words import ProofFact, Words, short_title

T = TypeVar("T")
CONTEXT = ("self", "cls", "view", "facts", "game", "state", "position")
CONTEXT_TYPES = ("View", "Gather", "Reader", "Game", "GameState", "Position", "Board")
READS = ("word", "integer", "words", "value", "points", "amounts", "fact", "on_front", "word_among")


class Names(ABC):
    """What the names in a function stand for, as far as the words for it depend on that."""

    def __init__(
        self, context: Context, words: Words, facts: dict[ProofFact, None] | None = None, seen: tuple[object, ...] = ()
    ) -> None:
        self._context = context
        self._words = words
        self.facts = {} if facts is None else facts
        self._seen = seen
        self._given = set[str]()

    @abstractmethod
    def value(self, code: ast.expr) -> str:
        """Return a value in words. Raises Unsayable."""

    @abstractmethod
    def condition(self, code: ast.expr, *, holds: bool = True) -> str:
        """Return a condition in one phrase. Raises Unsayable."""

    @abstractmethod
    def conditions(self, code: ast.expr, *, holds: bool = True) -> list[str]:
        """Return what must hold together for some code to be true, or false. Raises Unsayable."""

    def _given_once(self, name: str) -> ast.expr | None:
        """Return what a local name was given, None if it is no local name, or is given several things, or is being said."""
        if name in self._given or any(argument.arg == name for argument in self._context.arguments):
            return None
        values = self._context.values_of(name)
        return values[0] if len(values) == 1 and not self._context.is_changed(name) else None

    def _within(self, name: str, say: Callable[[], T]) -> T:
        self._given.add(name)
        try:
            return say()
        finally:
            self._given.discard(name)

    def _argument_doc(self, name: str) -> str:
        """Return what the docstring of the function says of an argument."""
        function = self._context.function
        text = (ast.get_docstring(function) or "") if function else ""
        text = re.sub(r"\n(?!\n)\s*(?!`)", " ", text)
        match = re.search(rf"(?:^|[.;]\s+|\n\s*|\s`){re.escape(name)}`?: ([^.;\n]+)", text)
        if match:
            return match[1]
        return ""

    def _find_function(self, function: ast.expr) -> tuple[Context, ast.FunctionDef] | None:
        """Return the called function and its context, or None if neither the game nor the core defines it."""
        match self._context.find(function):
            case (module, ast.FunctionDef() as tree):
                return Context(module, None, tree), tree
        if isinstance(function, ast.Attribute) and not self._context.module_of(function.value):
            member = self._context.find_member(function.value, function.attr)
            if member and isinstance(member.node, ast.FunctionDef):
                return Context(member.owner.module, member.owner, member.node), member.node
        return None

    def _is_class(self, code: ast.expr) -> bool:
        match self._context.find(code):
            case (_, ast.ClassDef()):
                return True
        return False

    def _text_of(self, code: ast.expr) -> str:
        """Return the text of a literal or a constant, or "" if the code is neither."""
        if isinstance(code, ast.Constant):
            return code.value if isinstance(code.value, str) else ""
        match self._context.find(code):
            case (_, ast.Assign(value=ast.Constant(str(text)))):
                return text
        return ""

    def _is_context(self, code: ast.expr) -> bool:
        match code:
            case ast.Name(name) | ast.Attribute(_, name) if name in CONTEXT:
                return True
            case ast.Name() | ast.Attribute():
                kind = self._context.type_of(code)
                return kind is not None and kind.name in CONTEXT_TYPES
        return False

    def _is_reader(self, base: ast.expr) -> bool:
        kind = self._context.type_of(base)
        if kind and kind.name in ("View", "Gather", "Reader"):
            return True
        name = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
        return name in ("view", "facts")

    def _title(self, track: ast.expr) -> str:
        named = self._find_track(track)
        return f'"{short_title(named)}"' if named else self.value(track)

    def _title_of(self, track: ast.expr, subject: str) -> str:
        """Return a fact of something: the subject stands where the title has one of its kind, else behind the title, or
        before what it says of how the fact is stated: `the country of the hex (by the borders of 1914)`.
        """
        named = self._find_track(track)
        title = self._title(track).strip('"')
        title = title if title.startswith(("the ", "what ", "who ")) else f"the {title}"
        said = re.sub(rf"\ban? {named.on}\b", subject, title, count=1) if named else title
        head, by, means = title.partition(", by ")
        return said if said != title else f"{head} of {subject}{f' (by {means})' if by else ''}"

    def _find_track(self, track: ast.expr) -> Track | None:
        """Return the track that some code names, None if none is found."""
        if isinstance(track, ast.Constant):
            return self._words.tracks.get(str(track.value))
        match self._context.find(track):
            case (_, ast.Assign(value=ast.Constant(str(name)))):
                return self._words.tracks.get(name)
        return None

    def _is_read(self, code: ast.expr) -> bool:
        """Return whether some code reads a fact of the position that is not a number."""
        match code:
            case ast.Call(ast.Attribute(base, name)):
                return name in READS and name not in ("integer", "points") and self._is_reader(base)
            case ast.Name(name) if (value := self._given_once(name)) is not None:
                return self._within(name, lambda: self._is_read(value))
        return False

    def _is_figure(self, code: ast.expr) -> bool:
        match code:
            case ast.Call(ast.Name("len" | "sum" | "int")) | ast.Call(ast.Attribute(_, "integer" | "points")):
                return True
            case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult()):
                return not self._is_collection(left)
            case ast.Name(name):
                value = self._given_once(name)
                return value is not None and self._within(name, lambda: self._is_figure(value))
        return False

    def _is_collection(self, code: ast.expr) -> bool:
        match code:
            case (
                ast.Set()
                | ast.Tuple()
                | ast.List()
                | ast.SetComp()
                | ast.ListComp()
                | ast.Call(ast.Name("set" | "frozenset" | "tuple" | "list"))
            ):
                return True
            case ast.BinOp(op=ast.BitOr() | ast.BitAnd()):
                return True
            case ast.Name(name) if (value := self._given_once(name)) is not None:
                return self._within(name, lambda: self._is_collection(value))
        kind = self._context.type_of(code)
        return kind is not None and kind.is_collection

    def _base(self, base: ast.expr) -> str:
        if self._is_self(base):
            return "it"
        return self.value(base)

    def _is_self(self, base: ast.expr) -> bool:
        return (isinstance(base, ast.Name) and base.id in ("self", "asked", "parameters")) or self._is_context(base)

    def _is_only_object(self, base: ast.expr) -> bool:
        """Return whether a base is the one argument of the function whose fields are read, and so needs no name."""
        if not (isinstance(base, ast.Name) and self._context.function):
            return False
        read = self._context.recall("names whose fields are read", self._find_names_read)
        arguments = {argument.arg for argument in self._context.arguments}
        return base.id in arguments and read <= {base.id, "self"}

    def _find_names_read(self) -> set[str]:
        """Return the names in the function whose fields it reads."""
        return {
            base.id
            for base in self._context.recall("bases", self._find_bases).values()
            if isinstance(base, ast.Name) and not self._context.module_of(base) and not self._is_context(base)
        }

    def _find_bases(self) -> dict[str, ast.expr]:
        """Return the names and fields whose fields the function reads, each once."""
        return {
            ast.dump(node.value): node.value
            for node in ast.walk(self._context.function or ast.Pass())
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute)
        }

    def _is_bundle(self, base: ast.expr) -> bool:
        """Return whether a base only holds things together, and is the one of its class that the function reads."""
        kind = self._context.type_of(base)
        owner = kind.owner if kind else None
        is_thing = owner is None or owner.find_member("id") is not None or owner.find_member("name") is not None
        return not is_thing and not self._has_others(base)

    def _has_others(self, base: ast.expr) -> bool:
        """Return whether the function reads fields of others of the class of a base too."""
        kind = self._context.type_of(base)
        if kind is None or kind.owner is None or self._context.function is None:
            return False
        bases = self._context.recall("bases", self._find_bases)
        own = kind.owner.tree
        same = [
            each
            for each in bases.values()
            if (found := self._context.type_of(each)) and found.owner and found.owner.tree is own
        ]
        return len(same) > 1

    def _about(self, said: str, base: ast.expr) -> str:
        """Return a phrase of a class about one of that class."""
        if self._is_self(base):
            return said
        named = self._base(base)
        if said.startswith("it "):
            return f"{named} {said[3:]}"
        if said.startswith("its "):
            return f"{said[4:]} of {named}" if len(said.split()) < 3 else f"for {named}: {said}"
        return said if self._is_only_object(base) or not self._has_others(base) else f"for {named}: {said}"


def is_fact(node: ast.AST) -> bool:
    """Return whether a method is a fact of a case."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(mark, ast.Name) and mark.id == "fact" for mark in node.decorator_list
    )


def bare(code: ast.expr | None) -> ast.expr | None:
    """Return some code without `bool` and without a name for it."""
    while True:
        match code:
            case ast.Call(ast.Name("bool"), [inner]) | ast.NamedExpr(value=inner):
                code = inner
            case _:
                return code


def is_empty(code: ast.expr) -> bool:
    """Return whether some code is an empty value."""
    match code:
        case ast.Constant(value):
            return value in (None, False, "", 0)
        case ast.Tuple([]) | ast.List([]) | ast.Dict([]):
            return True
        case ast.Call(args=[], keywords=[]):
            return True
    return False
