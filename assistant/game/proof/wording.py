"""Code in words: the conditions and values of a function as a player would say them.

A fact, a field or a helper is said by its docstring or note, a local name by its value, a stated fact by the title of
its track. How a fact is read, or which function works it out, is noted beside the words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

from ...util.patterns import late_pattern
from . import phrases
from .conditions import UNREADABLE, Conditions
from .names import READS
from .sources import Member
from .words import ProofFact, Unsayable

_ROUNDABOUT = late_pattern(
    r"\beach\b|\bthe (?:first|second|third|last|smallest|largest) of\b|\bwithout it\b|, if .*, if "
)
"""Words of a value that no reader could work out from them."""


_BARE = late_pattern(
    r"(?:of|in|by|as|for|if|that|those|such|all of|those of|with|without) |(?:all of (?:them|these)|those)$"
)
"""How a note begins that needs the name of its field to be understood."""
_NAMES = ("id", "name")
"""Fields that only name a thing."""


class Wording(Conditions):
    """Says the code of one function."""

    def loop(self, each: ast.comprehension) -> str:
        """Return the head of a loop. Raises Unsayable."""
        return f"taking each {self._each_of(each)} in turn"

    def read_function(self) -> str:
        """Return how the function works out what it returns, or "" if that has no words or too many."""
        function = self._context.function
        assert function is not None
        read = self._read_body(self._context, (self._context.module.path, function.name, function.lineno))
        if not read or _ROUNDABOUT.search(read) or UNREADABLE.search(read):
            self.facts.clear()
            return ""
        return read

    def note_rulings(self, maximum: int) -> None:
        """Note the readings of the rulings that the function asks for, unless there are more than a maximum."""
        asked = dict.fromkeys(
            name
            for node in ast.walk(self._context.function or ast.Pass())
            for name in ([self._text_of(node.args[0])] if _asks_for_ruling(node) else ())
        )
        for name in asked if len(asked) <= maximum else ():
            self.name_ruling(name)

    def note_condition(self, term: str, code: ast.expr) -> None:
        """Note what a term of a sentence stands for."""
        try:
            said = " and ".join(self.conditions(code))
        except Unsayable:
            said = ""
        function = self._context.function
        place = f"{function.name} ({self._context.module.path}:{function.lineno})" if function else ""
        self.facts.setdefault(ProofFact(term, said, "" if said else place), None)

    def list_read(self) -> Iterator[str]:
        """Yield what the function reads, each once: facts of the position by their titles, fields by their notes."""
        found = dict[str, None]()
        for node in ast.walk(self._context.function) if self._context.function else ():
            match node:
                case ast.Call(ast.Attribute(base, name), [track, *_]) if name in (
                    *READS,
                    "flag",
                    "granted",
                ) and self._is_reader(base):
                    title = self._title(track).strip('"') if isinstance(track, ast.Constant | ast.Name) else ""
                    found[title] = None
                case ast.Call(ast.Attribute(base, "ruling"), [ast.Constant(str(name)), *_]):
                    found[self.name_ruling(name)] = None
                case ast.Attribute(base, name) if name not in _NAMES and not self._is_context(base):
                    if (member := self._context.find_member(base, name)) and member.description:
                        found[_say_read(name, member)] = None
        yield from (phrases.lower_first(each) for each in found if each)


def _asks_for_ruling(node: ast.AST) -> TypeGuard[ast.Call]:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "ruling"
        and bool(node.args)
    )


def _say_read(name: str, member: Member) -> str:
    """Return what a field is, for a list of what a function reads."""
    said = phrases.core_of(phrases.summary_of(member.description))
    of = phrases.name_in_words(member.owner.tree.name)
    if match := re.match(r"(?:[Ii]ts|[Tt]heir) (.+)", said):
        return f"the {match[1]} (of the {of})"
    if match := re.match(r"(?:whether )?(?:[Ii]t|[Tt]hey) (.+)", said):
        return f"whether the {of} {match[1]}"
    return f"{phrases.name_in_words(name)} ({said})" if _BARE.match(said) else said
