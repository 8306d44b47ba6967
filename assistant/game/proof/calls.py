"""A call in the words of its function's docstring, or by the function's name."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence

from . import phrases
from .grounds import Grounds
from .names import CONTEXT, CONTEXT_TYPES
from .sources import Type
from .words import Unsayable, drop_article, name_thing

_SYNONYMS: Mapping[str, Sequence[str]] = {
    "at": ("hex", "place"),
    "here": ("hex", "place"),
    "there": ("hex", "place"),
    "to": ("hex", "place"),
    "place": ("hex",),
    "hex": ("place",),
    "name": ("unit", "hexside"),
    "who": ("nation", "side"),
    "option": ("optional rule",),
    "source": ("supply unit",),
}
"""Words by which docstrings name an argument, beside its own name."""
_PLAIN = ("it", "this hex", "that hex", "the hex", "the present", "the mover")
"""Arguments that a phrase without them is about all the same."""


class Calls(Grounds):
    """A call in the words of its function's docstring, or by the function's name."""

    def _called(self, code: ast.Call, say: Callable[[str], str]) -> str:
        """Return a call in the words of its function's docstring, or "" if `say` makes no phrase of it."""
        found = self._find_function(code.func)
        if found is None:
            return ""
        context, tree = found
        said = say(ast.get_docstring(tree) or "")
        if not said:
            return ""
        if isinstance(code.func, ast.Attribute) and context.owner:
            said = self._about(said, code.func.value)
        said = self._fill(said, code, tree)
        self._note_function(said, context)
        return said

    def _arguments_of(self, code: ast.Call, tree: ast.FunctionDef) -> list[tuple[str, ast.expr]]:
        """Return the arguments of a call by their names, without the position that is read."""
        names = [argument for argument in tree.args.args if argument.arg not in ("self", "cls")]
        given = [*zip([argument.arg for argument in names], code.args, strict=False)]
        given += [(keyword.arg, keyword.value) for keyword in code.keywords if keyword.arg]
        types = {
            argument.arg: Type(argument.annotation, self._context.module).name
            for argument in [*tree.args.args, *tree.args.kwonlyargs]
            if argument.annotation
        }
        return [
            (name, value)
            for name, value in given
            if name not in CONTEXT
            and types.get(name) not in CONTEXT_TYPES
            and not (self._is_context(value) or self._is_class(value))
        ]

    def _fill(self, said: str, code: ast.Call, tree: ast.FunctionDef) -> str:
        """Return a phrase with the arguments of the call in place of those that it names, and the others behind it."""
        left = list[str]()
        flags = list[str]()
        for name, value in self._arguments_of(code, tree):
            words = phrases.name_in_words(name)
            if isinstance(value, ast.Constant) and isinstance(value.value, bool | None):
                flags += [f'with "{words}"'] if value.value else []
                continue
            if isinstance(value, ast.Name) and value.id == name and not re.search(rf"\b{re.escape(words)}\b", said):
                continue  # passed on as it is
            argument = re.sub(r" \([^()]*\)", "", self.value(value))
            filled = _put_in(said, argument, (words, *_SYNONYMS.get(words, ())))
            if filled:
                said = filled
            elif drop_article(argument) not in said and argument not in _PLAIN:
                is_told = drop_article(argument).startswith(words) or words.endswith("s") or argument.startswith("the ")
                left.append(argument if is_told or self._text_of(value) else f"{words}: {argument}")
        notes = [*([f"for {phrases.listed(left)}"] if left else ()), *flags]
        return f"{said} ({' '.join(notes)})" if notes else said

    def _by_name(self, code: ast.Call) -> str:
        """Return what a call says by the name of its function and its arguments."""
        name = (
            code.func.attr
            if isinstance(code.func, ast.Attribute)
            else code.func.id
            if isinstance(code.func, ast.Name)
            else ""
        )
        if not name or self._seen:
            raise Unsayable(ast.unparse(code)[:60])
        words = phrases.name_in_words(name)
        arguments = [
            self.value(each) for each in code.args if not self._is_context(each) and not isinstance(each, ast.Starred)
        ]
        if (
            isinstance(code.func, ast.Attribute)
            and not self._context.module_of(code.func.value)
            and not self._is_context(code.func.value)
        ):
            arguments = [self.value(code.func.value), *arguments]
        found = self._find_function(code.func)
        is_statement = words.startswith(("is ", "has ", "may ", "can "))
        if is_statement and len(arguments) == 1:
            said = f"{arguments[0]} {words}"
        else:
            said = f"it {words}" if is_statement else name_thing(name)
            said += f" of {phrases.listed(arguments)}" if arguments else ""
        if found:
            self._note_function(said, found[0])
        return said

    def _said_of_each(self, called: ast.Call) -> str:
        try:
            return self.condition(called)
        except Unsayable:
            return self._by_name(called)


def _put_in(said: str, argument: str, names: Sequence[str]) -> str:
    """Return a phrase with an argument in the place of one of its names, or "" if the phrase has none of them."""
    for name in names:
        pattern = rf"\b(?:an?|the|some) {re.escape(name)}\b(?! of)"
        if match := re.search(pattern, said):
            is_phrase = " " in argument or argument == name or argument.startswith('"') or name in ("text", "turn")
            put = argument if is_phrase else f"the {name} {argument}"
            return said[: match.start()] + put + said[match.end() :]
    return ""
