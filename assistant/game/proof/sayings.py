"""Conditions and values of the code in words, if these read as English.

A phrase is made of docstrings, notes, titles of facts and a few plain nouns. Code that needs other words gets none: the
sheet then names the place of the condition.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from ...state.tracks import Track
from . import phrases
from .guards import Guard
from .phrases import DETERMINED, NATIONS, is_number, name_thing
from .sources import Context, note_of

T = TypeVar("T")
POSITION_TYPES = ("View", "Gather", "Reader", "Game", "GameState", "Position", "Board")
_POSITION = ("self", "cls", "asked", "parameters", "view", "facts", "game", "state", "position", "board")
"""Names of objects from which a function reads a position."""
_READS = ("word", "integer", "words", "value", "points", "amounts", "fact", "on_front", "word_among")
_NUMBERS = ("int", "Fraction", "float")
_WRAPPERS = ("sorted", "set", "tuple", "list", "frozenset", "str", "int", "bool", "Fraction", "cast")
"""Functions that change nothing for a reader."""
MAX_LITERALS = 8
"""The maximum number of constants that are listed one by one."""
UNLESS = "unless "
"""The beginning of an exception."""
MAX_CONDITION_LETTERS = 180
"""The maximum length of a condition, in letters."""
_COMPARISONS: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Eq: ("is", "is not"),
    ast.Is: ("is", "is not"),
    ast.NotEq: ("is not", "is"),
    ast.IsNot: ("is not", "is"),
    ast.Lt: ("is less than", "is at least"),
    ast.LtE: ("is at most", "is more than"),
    ast.Gt: ("is more than", "is at most"),
    ast.GtE: ("is at least", "is less than"),
}
_ARITHMETIC: Mapping[type[ast.operator], str] = {ast.Add: "plus", ast.Sub: "less", ast.Mult: "times"}
_SYNONYMS: Mapping[str, Sequence[str]] = {
    "at": ("hex", "place"),
    "here": ("hex", "place"),
    "there": ("hex", "place"),
    "to": ("hex", "place"),
    "place": ("hex",),
    "hex": ("place",),
    "name": ("unit", "hexside"),
    "who": ("nation", "side", "unit"),
    "option": ("optional rule",),
    "source": ("supply unit",),
    "track": ("level", "fact"),
}
"""Other words in docstrings for an argument, by its name."""


class Unsayable(Exception):
    """Code without words."""


class Saying:
    """A writer of the code of one function in words.

    Within the function a phrase has one meaning; a second thing with that phrase has no words.
    """

    def __init__(self, context: Context, tracks: Mapping[str, Track]) -> None:
        self._context = context
        self._tracks = tracks
        self._being_said = set[str]()
        self._things = dict[str, str]()

    def say(self, guard: Guard) -> list[str]:
        """Return the statements that together make a condition true.

        Raises Unsayable if the condition is a loop or has no words.
        """
        if isinstance(guard, ast.comprehension):
            raise Unsayable
        said = self._conditions(guard, holds=True)
        if any(len(each) > MAX_CONDITION_LETTERS or not phrases.is_plain(each) for each in said):
            raise Unsayable
        return said

    # --- conditions ---------------------------------------------------------------------------------------------------

    def _conditions(self, code: ast.expr, *, holds: bool) -> list[str]:
        match code:
            case ast.UnaryOp(ast.Not(), operand):
                return self._conditions(operand, holds=not holds)
            case ast.NamedExpr(value=value) | ast.Call(ast.Name("bool"), [value]):
                return self._conditions(value, holds=holds)
            case ast.BoolOp(operator, values) if isinstance(operator, ast.And) == holds:
                return [said for value in values for said in self._conditions(value, holds=holds)]
            case ast.BoolOp(_, values):
                return [self._one_of(values, holds=holds)]
            case ast.Constant(value):
                if bool(value) != holds:
                    raise Unsayable
                return []
            case ast.Compare(left, [_, _, *_] as operators, rights):
                parts: list[ast.expr] = [
                    ast.Compare(before, [operator], [after])
                    for before, operator, after in zip([left, *rights[:-1]], operators, rights, strict=True)
                ]
                return self._conditions(ast.BoolOp(ast.And(), parts), holds=holds)
            case ast.Name(name) if (given := self._given_once(name)) is not None:
                return self._while_said(name, lambda: self._conditions(given, holds=holds))
            case ast.IfExp(test, body, ast.Constant(None | False | 0 | "")) if holds:
                return [*self._conditions(test, holds=True), *self._conditions(body, holds=True)]
        return [self._condition(code, holds=holds)]

    def _one_of(self, values: Sequence[ast.expr], *, holds: bool) -> str:
        parts = list[str]()
        for value in values:
            said = self._conditions(value, holds=holds)
            if len(said) != 1 or said[0].startswith(("either ", UNLESS)):
                raise Unsayable
            parts += said
        return f"either {', or '.join(dict.fromkeys(parts))}" if len({*parts}) > 1 else parts[0]

    def _condition(self, code: ast.expr, *, holds: bool) -> str:
        match code:
            case ast.Compare(left, [operator], [right]):
                return self._comparison(left, operator, right, holds=holds)
            case ast.Call(ast.Attribute(base, "flag"), [track, *subject]) if self._is_position(base):
                return self._flag(track, subject, holds=holds)
            case ast.Call():
                return self._called_condition(code, holds=holds)
            case ast.Attribute(base, name):
                return self._member_condition(base, name, holds=holds)
            case ast.Name(name):
                if said := phrases.statement_of(self._argument_doc(name)):
                    return _hold(said, holds=holds)
        return self._existence(code, holds=holds)

    def _comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr, *, holds: bool) -> str:
        if isinstance(operator, ast.In | ast.NotIn):
            return self._membership(left, right, holds=isinstance(operator, ast.In) == holds)
        if self._literals(left) and not self._literals(right):
            turned = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}
            left, right, operator = right, left, turned.get(type(operator), type(operator))()
        says = _COMPARISONS[type(operator)][not holds]
        if isinstance(right, ast.Constant) and (right.value is None or isinstance(right.value, bool | str)):
            match right.value, says:
                case None | "", _:
                    return self._existence(left, holds=says == "is not")
                case bool(value), _:
                    return self._condition(left, holds=(says == "is") == value)
        if self._is_collection(left) or self._is_collection(right):
            raise Unsayable
        if literals := self._literals(right):
            return phrases.make_agree(self.value(left), f"{says} {literals[0]}")
        return self._related(self.value(left), says, self.value(right))

    def _related(self, left: str, says: str, right: str) -> str:
        if left == right or f"{left} of" in right or _is_kind_in(right, left):
            raise Unsayable
        if says in ("is", "is not") and right.startswith(DETERMINED):
            says = "is the same as" if says == "is" else "differs from"
        said = phrases.make_agree(left, f"{says} {right}")
        return said.replace(" differs from ", " differ from ") if " are " in phrases.make_agree(left, "is x") else said

    def _membership(self, left: ast.expr, right: ast.expr, *, holds: bool) -> str:
        literals = self._literals(right)
        if literals and len(literals) <= MAX_LITERALS:
            return self._related(
                self.value(left), "is" if holds else "is not", phrases.join_words(literals, "or" if holds else "nor")
            ).replace("is not", "is neither" if len(literals) > 1 else "is not")
        among = self.value(right)
        if not phrases.is_several(among):
            raise Unsayable
        return self._related(self.value(left), "is one of" if holds else "is not one of", among)

    def _several(self, code: ast.expr) -> str:
        match code:
            case ast.Call(ast.Attribute(base, "values"), []):
                code = base
        said = self.value(code)
        if not phrases.is_several(said) or not said.startswith(DETERMINED):
            raise Unsayable
        return said

    def _flag(self, track: ast.expr, subject: Sequence[ast.expr], *, holds: bool) -> str:
        found = self._find_track(track)
        if found is None or not subject:
            raise Unsayable
        return (
            f'{self._subject(subject[0], found)} {"has" if holds else "does not have"} the fact "{_short_title(found)}"'
        )

    def _called_condition(self, code: ast.Call, *, holds: bool) -> str:
        if said := self._called(code, phrases.statement_of):
            return _hold(said, holds=holds)
        return self._existence(code, holds=holds)

    def _member_condition(self, base: ast.expr, name: str, *, holds: bool) -> str:
        member = None if self._context.module_of(base) else self._context.find_member(base, name)
        if member:
            is_bool = is_fact(member.node) or (member.type is not None and member.type.name == "bool")
            said = phrases.statement_of(member.description, is_fact=is_bool)
            if said:
                return _hold(self._about(said, base), holds=holds)
        return self._existence(ast.Attribute(base, name), holds=holds)

    def _about(self, said: str, base: ast.expr) -> str:
        if self._is_position(base):
            return said
        named = self.value(base)
        if said.startswith("it "):
            return f"{named} {said[3:]}"
        if self._is_alone(base) and not re.search(r"\b(?:it|its)\b", said):
            return said
        raise Unsayable

    def _existence(self, code: ast.expr, *, holds: bool) -> str:
        noun = self.value(code)
        kind = self._context.type_of(code)
        if kind and kind.name in _NUMBERS:
            return phrases.make_agree(noun, f"is {'not ' if holds else ''}0")
        if kind.name == "bool" if kind else not isinstance(code, ast.Call):
            raise Unsayable
        if self._is_read(code) or not noun.startswith("the ") or len(noun.split()) == 2:
            raise Unsayable
        if match := re.fullmatch(r"the (\w+) of (the [\w ]+)", noun):
            has = f"has {phrases.article_of(match[1])}" if holds else "has no"
            return (
                f"{match[2]} {has} {match[1]}"
                if not phrases.is_several(noun)
                else phrases.say_existence(noun, exists=holds)
            )
        return phrases.say_existence(noun, exists=holds)

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, code: ast.expr) -> str:
        """Return a value in words. Raises Unsayable if it has none."""
        match code:
            case ast.Constant(int() | str() as value) if not isinstance(value, bool):
                return say_constant(value)
            case ast.NamedExpr(value=inner) | ast.Starred(inner):
                return self.value(inner)
            case ast.Name(name):
                return self._name_value(code, name)
            case ast.Attribute(base, name):
                return self._member_value(base, name)
            case ast.Call():
                return self._called_value(code)
            case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
                if self._is_collection(left) or isinstance(left, ast.BinOp) or isinstance(right, ast.BinOp):
                    raise Unsayable
                return f"{self.value(left)} {_ARITHMETIC[type(operator)]} {self.value(right)}"
            case ast.Subscript(base, key) if self._is_set_of(base, key):
                return self.value(key)
        raise Unsayable

    def _is_set_of(self, base: ast.expr, key: ast.expr) -> bool:
        match base:
            case ast.Attribute(_, "units") | ast.Name("units"):
                return not isinstance(key, ast.Constant | ast.Slice)
        return False

    def _name_value(self, code: ast.expr, name: str) -> str:
        if (given := self._given_once(name)) is not None:
            return self._while_said(name, lambda: self.value(given))
        is_own = any(argument.arg == name for argument in self._context.arguments) or self._context.values_of(name)
        if not is_own and self._context.module.find(name):
            literals = self._literals(code)
            if not 0 < len(literals) <= MAX_LITERALS:
                raise Unsayable
            return phrases.join_words(literals)
        return self._leaf(ast.Name(name))

    def _leaf(self, code: ast.Name) -> str:
        kind = self._context.type_of(code)
        said = phrases.noun_of(self._argument_doc(code.id), is_field=True)
        if not phrases.is_noun(said):
            said = name_thing(code.id, kind.owner.tree.name if kind and kind.owner else "")
            if kind and kind.name in _NUMBERS and not is_number(said):
                raise Unsayable
        return self._once(said, code.id)

    def _once(self, said: str, name: str) -> str:
        """Return some words for a local name. Raises Unsayable if they already stand for another name."""
        if not said or self._things.setdefault(said, name) != name:
            raise Unsayable
        return said

    def _member_value(self, base: ast.expr, name: str) -> str:
        if self._context.module_of(base):
            literals = self._literals(ast.Attribute(base, name))
            if not 0 < len(literals) <= MAX_LITERALS:
                raise Unsayable
            return phrases.join_words(literals)
        if name == "id":
            return self.value(base)
        member = self._context.find_member(base, name)
        is_method = member is not None and isinstance(member.node, ast.FunctionDef)
        noun = phrases.noun_of(member.description, is_field=not is_method) if member else ""
        is_own = self._is_position(base)
        if phrases.is_noun(noun) and (is_own or (self._is_alone(base) and phrases.is_long(noun))):
            said = noun
        elif is_own:
            said = name_thing(name)
        else:
            own = re.sub(r"^(?:its|their) ", "the ", noun)
            head = name_thing(name) or (own if phrases.is_noun(own) and not phrases.is_long(own) else "")
            of = self.value(base)
            said = f"{head} of {of}" if head and head.split()[-1] not in of.split() else ""
        if not said:
            raise Unsayable
        return said

    def _called_value(self, code: ast.Call) -> str:
        match code:
            case ast.Call(ast.Name("len"), [several]):
                counted = self._several(several)
                return f"the number of {counted.removeprefix('the ')}"
            case ast.Call(ast.Name(name), [inner, *_]) if name in _WRAPPERS:
                return self.value(inner)
            case ast.Call(ast.Name("min" | "max" as name), [first, second]):
                word = "smaller" if name == "min" else "larger"
                return f"the {word} of {self.value(first)} and {self.value(second)}"
            case ast.Call(ast.Attribute(base, name), [track, *subject]) if name in _READS and self._is_position(base):
                return self._read(track, subject)
            case ast.Call(ast.Attribute(held, "get"), [key]) if self._is_set_of(held, key):
                return self.value(key)
        noun = self._called(code, phrases.noun_of)
        if not phrases.is_noun(noun):
            raise Unsayable
        return noun

    def _read(self, track: ast.expr, subject: Sequence[ast.expr]) -> str:
        """Return a fact of a position, by its title and its subject."""
        found = self._find_track(track)
        if found is None or not all(isinstance(each, ast.Name | ast.Attribute | ast.Call) for each in subject):
            raise Unsayable
        title = _short_title(found)
        title = title if title.startswith("the ") else f"the {phrases.lower_first(title)}"
        head, by, means = title.partition(", by ")
        if not phrases.is_noun(head):
            raise Unsayable
        if not subject:
            return title
        of = self._subject(subject[0], found)
        said = re.sub(rf"\b(?:an? {found.on}\b|the {found.on}$)", of, title, count=1)
        return said if said != title else f"{head} of {of}{f' (by {means})' if by else ''}"

    def _subject(self, code: ast.expr, track: Track) -> str:
        """Return the words for the subject of a fact.

        A local name that is not a noun stands for a subject of the track's kind.
        """
        if isinstance(code, ast.Name) and code.id == "name":
            return self._once(f"the {track.on}", code.id)
        if self._text_of(code):
            raise Unsayable
        return self.value(code)

    def _called(self, code: ast.Call, say: Callable[[str], str]) -> str:
        """Return a call in the words of its function's docstring, or "" if `say` makes no phrase of the docstring."""
        context = self._context.find_function(code.func)
        tree = context.function if context else None
        said = say(ast.get_docstring(tree) or "") if tree else ""
        if not (context and tree and said):
            return ""
        if isinstance(code.func, ast.Attribute) and context.owner:
            said = self._about(said, code.func.value)
        arguments = self._arguments_of(code, tree)
        if len(arguments) == 2 and " two hexes" in said:
            first, second = (self.value(value) for _, value in arguments)
            said, arguments = said.replace("two hexes", f"{first} and {second}", 1), []
        for name, value in arguments:
            if isinstance(value, ast.Constant) and value.value in (None, False):
                continue
            said = self._put_in(said, name, value)
        return said

    def _put_in(self, said: str, name: str, value: ast.expr) -> str:
        if isinstance(value, ast.Constant) and isinstance(value.value, bool):
            raise Unsayable
        words = phrases.name_in_words(name)
        argument = self.value(value)
        for each in (words, *_SYNONYMS.get(words, ())):
            if match := re.search(rf"\b(?:an?|the|some) {re.escape(each)}\b(?! of)", said):
                if each == "nation" and not argument.startswith(DETERMINED):
                    argument = f"the {argument} nation"
                is_phrase = argument.startswith(DETERMINED) or each in ("turn", "text")
                return (
                    said[: match.start()] + (argument if is_phrase else f"the {each} {argument}") + said[match.end() :]
                )
        if argument in said:
            return said
        raise Unsayable

    def _arguments_of(self, code: ast.Call, tree: ast.FunctionDef) -> list[tuple[str, ast.expr]]:
        names = [argument.arg for argument in tree.args.args if argument.arg not in ("self", "cls")]
        if len(code.args) > len(names) or any(isinstance(each, ast.Starred) for each in code.args):
            raise Unsayable
        given = [*zip(names, code.args, strict=False)]
        given += [(keyword.arg, keyword.value) for keyword in code.keywords if keyword.arg]
        return [(name, value) for name, value in given if not self._is_position(value)]

    # --- the meaning of names -----------------------------------------------------------------------------------------

    def _given_once(self, name: str) -> ast.expr | None:
        """Return the only value of a local name, or None if it has others or is already being put into words."""
        if name in self._being_said or any(argument.arg == name for argument in self._context.arguments):
            return None
        values = self._context.values_of(name)
        return values[0] if len(values) == 1 and not self._context.is_changed(name) else None

    def _while_said(self, name: str, say: Callable[[], T]) -> T:
        self._being_said.add(name)
        try:
            return say()
        finally:
            self._being_said.discard(name)

    def _argument_doc(self, name: str) -> str:
        """Return the description of an argument in the docstring of the function, or else in its annotation."""
        function = self._context.function
        text = (ast.get_docstring(function) or "") if function else ""
        text = re.sub(r"\n(?!\n)\s*(?!`)", " ", text)
        match = re.search(rf"(?:^|[.;]\s+|\n\s*|\s`){re.escape(name)}`?: ([^.;\n]+)", text)
        return match[1] if match else next(map(note_of, self._annotations_of(name)), "")

    def _annotations_of(self, name: str) -> Iterator[ast.expr]:
        for argument in self._context.arguments:
            if argument.arg == name and argument.annotation is not None:
                yield argument.annotation

    def _text_of(self, code: ast.expr) -> str:
        match code:
            case ast.Constant(str(text)):
                return text
            case ast.Name() | ast.Attribute():
                match self._context.find(code):
                    case (_, ast.Assign(value=ast.Constant(str(text)))):
                        return text
        return ""

    def _literals(self, code: ast.expr) -> list[str]:
        """Return the words of a collection of constants, or [] if the collection has other code."""
        match code:
            case ast.Constant(text) if isinstance(text, int | str) and not isinstance(text, bool):
                return [say_constant(text)] if text != "" else []
            case ast.Tuple(members) | ast.List(members) | ast.Set(members):
                found = [self._literals(each.value if isinstance(each, ast.Starred) else each) for each in members]
                return [each for several in found for each in several] if all(found) else []
            case ast.Call(ast.Name("frozenset" | "set" | "tuple"), [inner]):
                return self._literals(inner)
            case ast.Name() | ast.Attribute():
                match self._context.find(code):
                    case (module, ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value)):
                        return Saying(Context(module, None, None), self._tracks)._literals(value)
        return []

    def _find_track(self, track: ast.expr) -> Track | None:
        return self._tracks.get(self._text_of(track))

    def _is_position(self, code: ast.expr) -> bool:
        """Return whether some code is an object from which a function reads a position."""
        match code:
            case ast.Name(name) | ast.Attribute(_, name):
                kind = self._context.type_of(code)
                return name in _POSITION or (kind is not None and kind.name in POSITION_TYPES)
        return False

    def _is_read(self, code: ast.expr) -> bool:
        """Return whether some code reads a fact of the position that is not a number."""
        match code:
            case ast.Call(ast.Attribute(base, name), [_, *_]):
                return name in _READS and name not in ("integer", "points") and self._is_position(base)
            case ast.Name(name) if (value := self._given_once(name)) is not None:
                return self._while_said(name, lambda: self._is_read(value))
        return False

    def _is_collection(self, code: ast.expr) -> bool:
        match code:
            case ast.Set() | ast.Tuple() | ast.List() | ast.SetComp() | ast.ListComp() | ast.GeneratorExp():
                return True
            case ast.Name(name) if (value := self._given_once(name)) is not None:
                return self._while_said(name, lambda: self._is_collection(value))
        kind = self._context.type_of(code)
        return kind is not None and kind.is_collection

    def _is_alone(self, base: ast.expr) -> bool:
        """Return whether the function reads fields of only one thing, so that the fields need not name the thing."""
        if self._is_position(base):
            return True
        bases = self._context.recall("bases", self._find_bases)
        kind = self._context.type_of(base)
        owner = kind.owner if kind else None
        if owner is None or owner.find_member("id") or owner.find_member("name"):
            return {*bases} == {ast.dump(base)}
        kinds = [found.owner.tree for each in bases.values() if (found := self._context.type_of(each)) and found.owner]
        return kinds.count(owner.tree) < 2

    def _find_bases(self) -> dict[str, ast.expr]:
        return {
            ast.dump(node.value): node.value
            for node in ast.walk(self._context.function or ast.Pass())
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name | ast.Attribute)
            and not (self._is_position(node.value) or self._context.module_of(node.value))
        }


def _hold(statement: str, *, holds: bool) -> str:
    """Return the statement, or its negation: "unless …" if it cannot be negated."""
    return statement if holds else phrases.deny_statement(statement) or f"{UNLESS}{statement}"


def _is_kind_in(thing: str, phrase: str) -> bool:
    """Return whether a thing has only the name of its kind, and a phrase has that name too.

    An example is `the phase` in `the phase of the turn`.
    """
    return len(thing.split()) == 2 and thing.startswith("the ") and thing[4:] in phrase.split()


def is_fact(node: ast.AST) -> bool:
    """Return whether a method is a fact of a case."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(mark, ast.Name) and mark.id == "fact" for mark in node.decorator_list
    )


def say_constant(value: int | str) -> str:
    """Return a constant as a player reads it. Raises Unsayable if it is code."""
    if isinstance(value, int):
        return str(value)
    if not re.fullmatch(r"[A-Za-z0-9][\w .+-]*", value) or "_" in value:
        raise Unsayable
    if value in NATIONS:
        return value.title()
    return value if re.fullmatch(r"[A-Z0-9].*", value) else value.replace("-", " ")


def _short_title(track: Track) -> str:
    return track.title.partition(" (")[0]
