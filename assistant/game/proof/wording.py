"""Code in words: the conditions and values of a function as a player would say them.

A fact, a field or a helper is said by its docstring or note, a local name by its value, a stated fact by the title of
its track. How a fact is read, or which function works it out, is noted beside the words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from ...state.tracks import Track
from ...util.patterns import late_pattern
from ..rulings import Ruling
from . import phrases
from .sources import Context, Member, Module, Type

T = TypeVar("T")
MAX_INLINE = 150
"""The maximum length of what a local name was given that stands in its place, in letters."""
MAX_JOINED = 220
"""The maximum length of what a local name joins that stands in its place, in letters."""
MAX_DEPTH = 4
"""The maximum number of functions that are read one within another."""
MAX_READ = 260
"""The maximum length of how a fact is read, in letters; a longer one is named by its function alone."""
_MAX_LITERALS = 8
_ORDINALS = ("first", "second", "third", "fourth")
_CONTEXT = ("self", "cls", "view", "facts", "game", "state", "position")
_CONTEXT_TYPES = ("View", "Gather", "Reader", "Game", "GameState", "Position", "Board")
_PLACES = {
    "here": "this hex",
    "there": "that hex",
    "at": "the hex",
    "to": "the hex that it goes to",
    "end": "its last hex",
    "last": "the last of them",
    "first": "the first of them",
    "who": "the one asked about",
    "of": "the one asked about",
    "now": "the present",
    "name": "the one named",
    "it": "it",
    "by": "the mover",
    "before": "what was before",
    "after": "what comes after",
    "most": "the maximum",
    "least": "the minimum",
}
"""Names that are no nouns."""
_NO_NOUNS = (
    *(
        "by",
        "over",
        "around",
        "of",
        "it",
        "who",
        "asked",
        "off",
        "own",
        "now",
        "found",
        "chosen",
        "left",
        "first",
        "last",
    ),
    *("at", "here", "there", "to", "before", "after", "held", "given", "one", "other", "these", "those"),
)
"""Names that are said by their class instead."""
_COMPARED: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("is less than", "is at least"),
    ast.LtE: ("is at most", "is more than"),
    ast.Gt: ("is more than", "is at most"),
    ast.GtE: ("is at least", "is less than"),
}
_ARITHMETIC: Mapping[type[ast.operator], str] = {
    ast.Add: "plus",
    ast.Sub: "less",
    ast.Mult: "times",
    ast.Div: "divided by",
    ast.FloorDiv: "divided (rounded down) by",
    ast.Mod: "modulo",
    ast.BitOr: "together with",
    ast.BitAnd: "in common with",
}
_SAME = (
    "sorted",
    "set",
    "tuple",
    "list",
    "frozenset",
    "dict",
    "iter",
    "str",
    "int",
    "bool",
    "Counter",
    "reversed",
    "Fraction",
    "cast",
)
"""Functions that leave what they take as it is, for a reader."""
_READS = ("word", "integer", "words", "value", "points", "amounts", "fact", "on_front", "word_among")


_ROUNDABOUT = late_pattern(
    r"\beach\b|\bthe (?:first|second|third|last|smallest|largest) of\b|\bwithout it\b|, if .*, if "
)
"""Words of a value that no reader could work out from them."""


class Unsayable(Exception):
    """Some code that has no words. The message names it."""


class ProofFact(NamedTuple):
    """A phrase of a condition, and what it rests on."""

    name: str
    """The phrase."""
    read: str
    """The way in which the code reads it, or "" if that is not shown."""
    place: str = ""
    """The function that works it out, with its module and line, if `read` is ""."""


class Words(NamedTuple):
    """What a game's files say that code only names."""

    tracks: Mapping[str, Track]
    rulings: Mapping[str, Ruling]


class Wording:
    """Says the code of one function. `facts`: where what its phrases rest on is noted."""

    def __init__(
        self, context: Context, words: Words, facts: dict[ProofFact, None] | None = None, seen: tuple[object, ...] = ()
    ) -> None:
        self._context = context
        self._words = words
        self.facts = {} if facts is None else facts
        self._seen = seen
        self._given = set[str]()

    def loop(self, each: ast.comprehension) -> str:
        """Return the head of a loop. Raises Unsayable."""
        return f"for each {self._each_of(each)}:"

    def read_function(self) -> str:
        """Return how the function works out what it returns, or "" if that has no words or too many."""
        function = self._context.function
        assert function is not None
        read = self._read_body(self._context, (self._context.module.path, function.name, function.lineno))
        return "" if _ROUNDABOUT.search(read) else read

    def list_read(self) -> Iterator[str]:
        """Yield what the function reads, each once: facts of the position by their titles, fields by their names."""
        found = dict[str, None]()
        for node in ast.walk(self._context.function) if self._context.function else ():
            match node:
                case ast.Call(ast.Attribute(base, name), [track, *_]) if name in (
                    *_READS,
                    "flag",
                    "granted",
                ) and self._is_reader(base):
                    title = self._title(track).strip('"') if isinstance(track, ast.Constant | ast.Name) else ""
                    found[title] = None
                case ast.Call(ast.Attribute(base, "ruling"), [ast.Constant(str(name)), *_]):
                    found[f"ruling {name}"] = None
                case ast.Attribute(base, name) if not self._is_context(base):
                    if (member := self._context.find_member(base, name)) and member.description:
                        said = phrases.core_of(phrases.summary_of(member.description))
                        bare = said.startswith(("of ", "in ", "by ", "as ", "for ", "if "))
                        found[f"{phrases.name_in_words(name)} {said}" if bare else said] = None
        yield from (phrases.lower_first(each) for each in found if each)

    # --- conditions ---------------------------------------------------------------------------------------------------

    def conditions(self, code: ast.expr, *, holds: bool = True) -> list[str]:
        """Return what must hold together for some code to be true, or false. Raises Unsayable."""
        match code:
            case ast.UnaryOp(ast.Not(), operand):
                return self.conditions(operand, holds=not holds)
            case ast.BoolOp(ast.And(), values) if holds:
                return [said for value in values for said in self.conditions(value)]
            case ast.BoolOp(ast.Or(), values) if not holds:
                return [said for value in values for said in self.conditions(value, holds=False)]
            case ast.Call(ast.Name("bool"), [operand]):
                return self.conditions(operand, holds=holds)
            case ast.NamedExpr(value=value):
                return self.conditions(value, holds=holds)
            case ast.Name(name) if isinstance(bound := _bare(self._given_once(name)), ast.BoolOp | ast.UnaryOp):
                parts = self._within(name, lambda: self.conditions(bound, holds=holds))
                return parts if len(" and ".join(parts)) <= MAX_JOINED else [self._say_given(name, bound, holds=holds)]
            case ast.IfExp(test, body, ast.Constant(None | False | 0 | "") | ast.Tuple([])) if holds:
                return [*self.conditions(test), *self.conditions(body)]
        return [self.condition(code, holds=holds)]

    def condition(self, code: ast.expr, *, holds: bool = True) -> str:
        """Return a condition in one phrase. Raises Unsayable."""
        match code:
            case ast.Constant(value):
                return "always" if bool(value) == holds else "never"
            case ast.UnaryOp(ast.Not(), operand):
                return self.condition(operand, holds=not holds)
            case ast.BoolOp(operator, values):
                is_all = isinstance(operator, ast.And) == holds
                several = [said for value in values for said in self._alternatives(value, is_all=is_all, holds=holds)]
                several = [*dict.fromkeys(several)]
                if is_all:
                    is_plain = all(" and " not in each and " or " not in each for each in several)
                    return " and ".join(several) if is_plain or len(several) == 1 else f"both {' and '.join(several)}"
                return f"either {', or '.join(several)}" if len(several) > 1 else several[0]
            case ast.Compare(left, [operator], [right]):
                return self._comparison(left, operator, right, holds=holds)
            case ast.Compare(left, operators, rights):
                return self._chain(left, operators, rights, holds=holds)
            case ast.NamedExpr(value=value):
                return self.condition(value, holds=holds)
            case ast.IfExp(test, body, orelse):
                return self._choice(test, body, orelse, holds=holds)
            case ast.Call():
                return self._call_condition(code, holds=holds)
            case ast.Name(name):
                return self._name_condition(name, holds=holds)
            case ast.Attribute(base, name):
                return self._member_condition(base, name, holds=holds)
            case ast.BinOp(left, ast.BitAnd(), right):
                share = "have something in common" if holds else "have nothing in common"
                return f"{self.value(left)} and {self.value(right)} {share}"
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                return self._some(code, None, holds=holds)
            case ast.BinOp(left, ast.Sub(), right) if self._is_collection(left):
                rest = f"{self.value(left)} other than {self.value(right)}"
                return phrases.existence(rest, exists=holds)
        return self._existence(code, holds=holds)

    def _say_given(self, name: str, value: ast.expr, *, holds: bool) -> str:
        """Return that a local name is true, by its name, and note what it was given."""
        parts = self._within(name, lambda: self.conditions(value))
        self.facts.setdefault(ProofFact(_say_flag(_noun(name), holds=True), " and ".join(parts)), None)
        return _say_flag(_noun(name), holds=holds)

    def _alternatives(self, code: ast.expr, *, is_all: bool, holds: bool) -> list[str]:
        """Return the parts of one of several conditions: its own if it joins them in the same way, else itself."""
        match code:
            case ast.UnaryOp(ast.Not(), operand):
                return self._alternatives(operand, is_all=is_all, holds=not holds)
            case ast.BoolOp(operator, values) if (isinstance(operator, ast.And) == holds) == is_all:
                return [said for value in values for said in self._alternatives(value, is_all=is_all, holds=holds)]
            case ast.Call(ast.Name("bool"), [operand]):
                return self._alternatives(operand, is_all=is_all, holds=holds)
            case ast.NamedExpr(value=value):
                return self._alternatives(value, is_all=is_all, holds=holds)
            case ast.Name(name) if isinstance(bound := _bare(self._given_once(name)), ast.BoolOp | ast.UnaryOp):
                parts = self._within(name, lambda: self._alternatives(bound, is_all=is_all, holds=holds))
                return parts if len(", or ".join(parts)) <= MAX_JOINED else [self._say_given(name, bound, holds=holds)]
        return [self.condition(code, holds=holds)]

    def _comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr, *, holds: bool) -> str:
        match operator, right:
            case ((ast.Eq() | ast.Is() | ast.NotEq() | ast.IsNot()), ast.Constant(None | "" | True | False)):
                positive = isinstance(operator, ast.Eq | ast.Is) == holds
                assert isinstance(right, ast.Constant)
                if right.value is True or (isinstance(operator, ast.Is | ast.IsNot) and right.value is False):
                    return self.condition(left, holds=positive == right.value)
                return self._presence(left, holds=not positive)
            case ((ast.In() | ast.NotIn()), _):
                return self._membership(left, right, holds=isinstance(operator, ast.In) == holds)
            case ((ast.Eq() | ast.Is() | ast.NotEq() | ast.IsNot()), _):
                positive = isinstance(operator, ast.Eq | ast.Is) == holds
                match left, right:
                    case ast.Call(ast.Attribute(_, "ruling"), [named, *_]), _ if self._text_of(named) and (
                        reading := self._text_of(right)
                    ):
                        return self._ruled(self._text_of(named), [reading], holds=positive)
                    case ast.Constant(), _:
                        left, right = right, left
                if isinstance(right, ast.Constant) and isinstance(right.value, bool):
                    return self.condition(left, holds=positive == right.value)
                return f"{self.value(left)} is {'' if positive else 'not '}{self.value(right)}"
        match left, right:
            case ast.Set(members) | ast.Tuple(members), _ if isinstance(operator, ast.LtE):
                all_of = phrases.listed([self.value(member) for member in members])
                return f"{all_of} are {'all' if holds else 'not all'} among {self.value(right)}"
            case _, ast.Set() if isinstance(operator, ast.LtE):
                return f"{self.value(left)} {'holds' if holds else 'does not hold'} nothing but {self.value(right)}"
            case ast.Constant(), _:
                swapped = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE}[type(operator)]()
                return self._comparison(right, swapped, left, holds=holds)
        if isinstance(operator, ast.LtE) and self._is_collection(left) and self._is_collection(right):
            return f"{self.value(left)} {'are all' if holds else 'are not all'} among {self.value(right)}"
        return f"{self.value(left)} {_COMPARED[type(operator)][not holds]} {self.value(right)}"

    def _chain(self, left: ast.expr, operators: list[ast.cmpop], rights: list[ast.expr], *, holds: bool) -> str:
        first, second = operators[0], operators[1] if len(operators) == 2 else None
        if isinstance(first, ast.LtE) and isinstance(second, ast.LtE):
            said = "lies" if holds else "does not lie"
            return f"{self.value(rights[0])} {said} from {self.value(left)} to {self.value(rights[1])}"
        parts: list[ast.expr] = [
            ast.Compare(one, [operator], [other])
            for one, operator, other in zip([left, *rights], operators, rights, strict=False)
        ]
        return self.condition(ast.BoolOp(ast.And(), parts), holds=holds)

    def _membership(self, left: ast.expr, right: ast.expr, *, holds: bool) -> str:
        match left, right:
            case ast.Call(ast.Attribute(_, "ruling"), [ast.Constant(str(name)), *_]), (
                ast.Tuple(members) | ast.List(members) | ast.Set(members)
            ):
                readings = [member.value for member in members if isinstance(member, ast.Constant)]
                return self._ruled(name, readings, holds=holds)
            case ast.Constant(str(word)), _ if "=" in word and not word.startswith("="):
                ruling, _, reading = word.partition("=")
                if ruling in self._words.rulings:
                    return self._ruled(ruling, [reading], holds=holds)
            case _, ast.Call(ast.Name("range"), arguments):
                return f"{self.value(left)} {'lies' if holds else 'does not lie'} {self._range(arguments)}"
            case _, (ast.Tuple(members) | ast.List(members) | ast.Set(members)) if members and not self._literals(
                right
            ):
                words = [
                    "not stated"
                    if isinstance(member, ast.Constant) and member.value in ("", None)
                    else self.value(member)
                    for member in members
                ]
                if any(isinstance(member, ast.Starred) for member in members):
                    return f"{self.value(left)} is {'' if holds else 'not '}among {phrases.listed(words)}"
                if len(words) <= _MAX_LITERALS:
                    said = phrases.listed(words, "or")
                    return f"{self.value(left)} is {said}" if holds else f"{self.value(left)} is {_neither(words)}"
        if literal := self._literals(right):
            return f"{self.value(left)} is {phrases.listed(literal, 'or') if holds else _neither(literal)}"
        return f"{self.value(left)} is {'' if holds else 'not '}among {self.value(right)}"

    def _range(self, arguments: Sequence[ast.expr]) -> str:
        match arguments:
            case [ast.Constant(int(end))]:
                return f"from 0 to {end - 1}"
            case [end]:
                return f"from 0 to below {self.value(end)}"
            case [first, ast.Constant(int(end)), *_]:
                return f"from {self.value(first)} to {end - 1}"
            case [first, ast.BinOp(end, ast.Add(), ast.Constant(1)), *_]:
                return f"from {self.value(first)} to {self.value(end)}"
            case [first, end, *_]:
                return f"from {self.value(first)} to below {self.value(end)}"
        raise Unsayable("range")

    def _ruled(self, name: str, readings: Sequence[object], *, holds: bool) -> str:
        ruling = self._words.rulings.get(name)
        if ruling is None:
            return f"the ruling {name} is {'' if holds else 'not '}{phrases.listed([*map(str, readings)], 'or')}"
        known = "; ".join(f"{reading}: {meaning}" for reading, meaning in ruling.readings.items())
        self.facts[ProofFact(f"ruling {name}", f"{ruling.doubt}? Readings: {known}. Taken: {ruling.default}")] = None
        meanings = [f'"{ruling.readings.get(str(reading), reading)}"' for reading in readings]
        return f"ruling {name} is {'' if holds else 'not '}{phrases.listed(meanings, 'or')}"

    def _choice(self, test: ast.expr, body: ast.expr, orelse: ast.expr, *, holds: bool) -> str:
        if _is_empty(orelse):
            if isinstance(body, ast.Constant):
                return self.condition(test, holds=holds)
            return self.condition(ast.BoolOp(ast.And(), [test, body]), holds=holds)
        if _is_empty(body):
            return self.condition(ast.BoolOp(ast.And(), [ast.UnaryOp(ast.Not(), test), orelse]), holds=holds)
        return (
            f"{self.condition(body, holds=holds)} if {self.condition(test)}, "
            f"or else {self.condition(orelse, holds=holds)}"
        )

    def _some(self, code: ast.expr, element: ast.expr | None, *, holds: bool, every: bool = False) -> str:
        """Return that some of several, or every one, is so. `element`: what is, None if it is enough to be there."""
        assert isinstance(code, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp)
        heads = list[str]()
        tests = list[ast.expr]()
        for generator in code.generators:
            heads.append(self._each_of(generator))
            tests += generator.ifs
        if every:
            assert element is not None
            among = f"{' and '.join(heads)}"
            limits = f" for which {' and '.join(self.condition(test) for test in tests)}" if tests else ""
            word = "every" if holds else "not every"
            return f"for {word} {among}{limits}: {self.condition(element)}"
        tests += [element] if element is not None else []
        said = [phrase for test in tests for phrase in self.conditions(test)]
        word = "some" if holds else "no"
        return f"for {word} {' and '.join(heads)}" + (
            f": {' and '.join(said)}" if said else "" if holds else ": anything"
        )

    def _each_of(self, generator: ast.comprehension) -> str:
        """Return which things a loop goes through: `unit of the stack`."""
        target = phrases.listed(
            [
                phrases.name_in_words(node.id)
                for node in ast.walk(generator.target)
                if isinstance(node, ast.Name) and node.id != "_"
            ]
        )
        return f"{target or 'one'} of {self._things(generator.iter)}"

    def _things(self, code: ast.expr) -> str:
        match code:
            case ast.Call(ast.Attribute(base, "items" | "values" | "keys"), []):
                return self.value(base)
            case ast.Call(ast.Name("enumerate" | "zip"), [first, *others]):
                return phrases.listed(
                    [self.value(each) for each in (first, *others) if not isinstance(each, ast.Constant)]
                )
            case ast.Call(ast.Name("range"), arguments):
                return f"the numbers {self._range(arguments)}"
        return self.value(code)

    def _name_condition(self, name: str, *, holds: bool) -> str:
        value = self._given_once(name)
        if value is not None:
            try:
                said = self._within(name, lambda: self.condition(value, holds=holds))
                if len(said) <= MAX_INLINE:
                    return said
            except Unsayable:
                pass
        elif (docs := self._argument_doc(name)) and (said := phrases.statement_of(docs)):
            return said if holds else phrases.deny(said)
        return self._existence(ast.Name(name), holds=holds)

    def _member_condition(self, base: ast.expr, name: str, *, holds: bool) -> str:
        module = self._context.module_of(base)
        member = None if module else self._context.find_member(base, name)
        if member:
            is_bool = _is_fact(member.node) or (member.type is not None and member.type.name == "bool")
            said = phrases.statement_of(member.description, is_fact=is_bool)
            said = self._about(said, base) if said else ""
            if said:
                self._note_member(said, member, base)
                return said if holds else phrases.deny(said)
            if reason := phrases.reason_of(member.description, exists=holds):
                self._note_member(phrases.reason_of(member.description, exists=True), member, base)
                return reason
            if is_bool:
                said = f"{phrases.name_in_words(name)} (of {self._base(base)})"
                said = said.removesuffix(" (of it)")
                self._note_member(said, member, base, means=phrases.core_of(phrases.summary_of(member.description)))
                return f"{said}: {'yes' if holds else 'no'}"
        return self._existence(ast.Attribute(base, name), holds=holds)

    def _presence(self, code: ast.expr, *, holds: bool) -> str:
        """Return that a value is stated, even if it is 0, or that it is not."""
        match code:
            case ast.NamedExpr(value=value):
                return self._presence(value, holds=holds)
            case ast.Name(name) if (bound := self._given_once(name)) is not None:
                return self._within(name, lambda: self._presence(bound, holds=holds))
            case ast.Call(ast.Name("next"), [ast.GeneratorExp() as inner, *_]):
                return self._some(inner, None, holds=holds)
        if isinstance(code, ast.Call) and (
            reason := self._called(code, lambda text: phrases.reason_of(text, exists=holds))
        ):
            return reason
        noun = self.value(code)
        if self._is_read(code):
            return f"{noun} is {'' if holds else 'not '}stated"
        if noun.startswith(("the ", "a ", "an ", "its ", "their ", "all ")):
            return phrases.existence(noun, exists=holds)
        return f"{noun} is {'given' if holds else 'not given'}"

    def _is_read(self, code: ast.expr) -> bool:
        """Return whether some code reads a fact of the position that is no number."""
        match code:
            case ast.Call(ast.Attribute(base, name)):
                return name in _READS and name not in ("integer", "points") and self._is_reader(base)
            case ast.Name(name) if (value := self._given_once(name)) is not None:
                return self._within(name, lambda: self._is_read(value))
        return False

    def _existence(self, code: ast.expr, *, holds: bool) -> str:
        """Return that a value is not empty, or that it is."""
        kind = self._context.type_of(code)
        noun = self.value(code)
        if self._is_read(code):
            return f"{noun} is {'' if holds else 'not '}stated"
        if noun.startswith(("it is ", "it has ", "it may ", "it can ")):
            return noun if holds else phrases.deny(noun)
        if (kind and kind.name == "bool") or re.match(r"the (?:is|has|may|can|must|are|was) ", noun):
            return _say_flag(noun, holds=holds)
        if (kind and kind.name in ("int", "Fraction", "float")) or self._is_figure(code):
            return f"{noun} is {'not ' if holds else ''}0"
        if kind and kind.name in ("str", "HexId", "UnitId", "Place"):
            return f"{noun} is {'' if holds else 'not '}given"
        if noun.startswith(("the ", "a ", "an ", "its ", "their ", "all ")):
            return phrases.existence(noun, exists=holds)
        return (
            f"there is {'something' if holds else 'nothing'}: {noun}"
            if " " in noun
            else f"there is {noun}"
            if holds
            else f"there is no {noun}"
        )

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

    # --- calls --------------------------------------------------------------------------------------------------------

    def _call_condition(self, code: ast.Call, *, holds: bool) -> str:
        match code:
            case ast.Call(ast.Name("bool" | "tuple" | "list" | "set" | "frozenset" | "sorted"), [operand]):
                return self.condition(operand, holds=holds)
            case ast.Call(ast.Name("any"), [ast.GeneratorExp(element) | ast.ListComp(element) as inner]):
                return self._some(inner, element, holds=holds)
            case ast.Call(ast.Name("all"), [ast.GeneratorExp(element) | ast.ListComp(element) as inner]):
                return self._some(inner, element, holds=holds, every=True)
            case ast.Call(ast.Name("any" | "all" as word), [ast.Call(ast.Name("map"), [function, over])]):
                called = ast.Call(function, [ast.Name("each")], [])
                head = {
                    ("any", True): "some",
                    ("any", False): "no",
                    ("all", True): "every",
                    ("all", False): "not every",
                }
                return f"for {head[word, holds]} each of {self._things(over)}: {self._said_of_each(called)}".replace(
                    " each of", " one of"
                )
            case ast.Call(ast.Name("any" | "all" as word), [several]):
                some = "one of" if holds else "none of"
                each = "each of" if holds else "not each of"
                return f"{some if word == 'any' else each} {self.value(several)} holds"
            case ast.Call(ast.Name("next"), [ast.GeneratorExp(element) as inner, *_]):
                return self._some(inner, None, holds=holds)
            case ast.Call(ast.Name("list_bars" | "list_bars_with"), rules):
                members = [
                    self._context.find_member(rule.value, rule.attr)
                    for rule in rules
                    if isinstance(rule, ast.Attribute)
                ]
                reasons = [phrases.reason_of(member.description, exists=holds) for member in members if member]
                joint = "or" if holds else "and"
                return (
                    phrases.listed([*filter(None, reasons)], joint)
                    or f"{'something' if holds else 'nothing'} forbids it"
                )
            case ast.Call(ast.Name("holding")):
                return f"{'one' if holds else 'none'} of the reasons against it holds"
            case ast.Call(ast.Name("isinstance"), [value, kind]):
                return f"{self.value(value)} is {'' if holds else 'not '}{_article(phrases.listed([phrases.name_in_words(node.id) for node in ast.walk(kind) if isinstance(node, ast.Name)], 'or'))}"
            case ast.Call(ast.Attribute(base, "flag"), [track, *subject]) if self._is_reader(base):
                return self._flag(track, subject, holds=holds)
            case ast.Call(ast.Attribute(base, "startswith" | "endswith" as name), [part]) if (
                not self._context.find_member(base, name)
            ):
                verb = name.removesuffix("swith") + "s with"
                verb = verb if holds else f"does not {name.removesuffix('swith')} with"
                return f"{self.value(base)} {verb} {self.value(part)}"
            case ast.Call(ast.Attribute(base, "intersection"), [other]):
                return (
                    f"{self.value(base)} and {self.value(other)} have {'something' if holds else 'nothing'} in common"
                )
            case ast.Call(ast.Attribute(base, "isdisjoint"), [other]):
                return (
                    f"{self.value(base)} and {self.value(other)} have {'nothing' if holds else 'something'} in common"
                )
            case ast.Call(ast.Attribute(base, "issubset" | "issuperset" as name), [other]):
                small, large = (base, other) if name == "issubset" else (other, base)
                return f"{self.value(small)} {'are all' if holds else 'are not all'} among {self.value(large)}"
            case ast.Call(ast.Attribute(base, "get")) if not self._context.find_member(base, "get"):
                return self._existence(code, holds=holds)
            case ast.Call(ast.Attribute(base, "difference"), [other]):
                return phrases.existence(f"the rest of {self.value(base)} without {self.value(other)}", exists=holds)
        said = self._called(code, lambda text: phrases.statement_of(text, is_fact=False))
        if said:
            return said if holds else phrases.deny(said)
        if reason := self._called(code, lambda text: phrases.reason_of(text, exists=holds)):
            return reason
        found = self._find_function(code.func)
        if found and found[1].returns is not None and Type(found[1].returns, found[0].module).name == "bool":
            said = self._by_name(code)
            return said if holds else phrases.deny(said)
        return self._existence(code, holds=holds)

    def _said_of_each(self, called: ast.Call) -> str:
        try:
            return self.condition(called)
        except Unsayable:
            return self._by_name(called)

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
            if name not in _CONTEXT
            and types.get(name) not in _CONTEXT_TYPES
            and not (self._is_context(value) or self._is_class(value))
        ]

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
            case ast.Name(name) | ast.Attribute(_, name) if name in _CONTEXT:
                return True
            case ast.Name() | ast.Attribute():
                kind = self._context.type_of(code)
                return kind is not None and kind.name in _CONTEXT_TYPES
        return False

    def _fill(self, said: str, code: ast.Call, tree: ast.FunctionDef) -> str:
        """Return a phrase with the arguments of the call in place of those that it names, and the others behind it."""
        left = list[str]()
        flags = list[str]()
        for name, value in self._arguments_of(code, tree):
            words = phrases.name_in_words(name)
            if isinstance(value, ast.Constant) and isinstance(value.value, bool | None):
                if value.value:
                    flags.append(f"{words}: yes")
                continue
            if isinstance(value, ast.Name) and value.id == name and not re.search(rf"\b{re.escape(words)}\b", said):
                continue  # passed on as it is
            argument = self.value(value)
            pattern = rf"\b(?:an?|the|some) {re.escape(words)}\b(?! of)"
            if re.search(pattern, said):
                said = re.sub(
                    pattern,
                    argument.replace("\\", "") if " " in argument or argument == words else f"the {words} {argument}",
                    said,
                    count=1,
                )
            elif argument.removeprefix("the ") in said:
                continue
            else:
                left.append(
                    argument
                    if argument.removeprefix("the ").startswith(words) or words.endswith("s") or words in _PLACES
                    else argument
                    if argument.startswith("the ") or self._text_of(value)
                    else f"{words}: {argument}"
                )
        notes = [*([f"for {phrases.listed(left)}"] if left else ()), *flags]
        return f"{said} ({'; '.join(notes)})" if notes else said

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
            said = f"it {words}" if is_statement else f"the {words}"
            said += f" of {phrases.listed(arguments)}" if arguments else ""
        if found:
            self._note_function(said, found[0])
        return said

    def _flag(self, track: ast.expr, subject: Sequence[ast.expr], *, holds: bool) -> str:
        title = self._title(track)
        if subject:
            return f"{self.value(subject[0])} {'has' if holds else 'does not have'} the fact {title}"
        return f"the fact {title} {'holds' if holds else 'does not hold'}"

    def _title(self, track: ast.expr) -> str:
        if isinstance(track, ast.Constant) and track.value in self._words.tracks:
            return f'"{_short_title(self._words.tracks[str(track.value)])}"'
        match self._context.find(track):
            case (_, ast.Assign(value=ast.Constant(str(name)))) if name in self._words.tracks:
                return f'"{_short_title(self._words.tracks[name])}"'
        return self.value(track)

    def _is_reader(self, base: ast.expr) -> bool:
        kind = self._context.type_of(base)
        if kind and kind.name in ("View", "Gather", "Reader"):
            return True
        name = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
        return name in ("view", "facts")

    # --- values -------------------------------------------------------------------------------------------------------

    def value(self, code: ast.expr) -> str:
        """Return a value in words. Raises Unsayable."""
        match code:
            case ast.Constant(value):
                return _say_constant(value)
            case ast.Name(name):
                return self._name_value(name)
            case ast.Attribute(base, name):
                return self._member_value(base, name)
            case ast.Starred(inner) | ast.NamedExpr(value=inner):
                return self.value(inner)
            case ast.Call():
                return self._call_value(code)
            case ast.BinOp(left, ast.Sub(), right) if self._is_collection(left) or self._is_collection(right):
                return f"{self.value(left)} without {self.value(right)}"
            case ast.BinOp(left, ast.Add(), right) if self._is_collection(left) or self._is_collection(right):
                return f"{self.value(left)} and {self.value(right)}"
            case ast.BinOp(left, operator, right) if type(operator) in _ARITHMETIC:
                return f"{self._operand(left)} {_ARITHMETIC[type(operator)]} {self._operand(right)}"
            case ast.UnaryOp(ast.USub(), operand):
                return f"minus {self.value(operand)}"
            case ast.Tuple(members) | ast.List(members) | ast.Set(members):
                if not members:
                    return "none"
                return phrases.listed([self.value(member) for member in members])
            case ast.IfExp(test, body, orelse):
                if _is_empty(orelse):
                    return f"{self.value(body)} (if {self.condition(test)})"
                return f"{self.value(body)} if {self.condition(test)} or else {self.value(orelse)}"
            case ast.BoolOp(ast.Or(), [first, *others]) if _is_empty(others[-1]):
                return self.value(first)
            case ast.BoolOp(ast.Or(), values):
                return ", or without it ".join(self.value(value) for value in values)
            case ast.Subscript(base, ast.Slice()):
                return f"a part of {self.value(base)}"
            case ast.Subscript(base, ast.UnaryOp(ast.USub(), ast.Constant(1))):
                return f"the last of {self.value(base)}"
            case ast.Subscript(base, ast.Constant(0)):
                return f"the first of {self.value(base)}"
            case ast.Lambda(body=body):
                return self.value(body)
            case ast.Subscript(base, ast.Constant(int(place))) if 0 < place < len(_ORDINALS):
                return f"the {_ORDINALS[place]} of {self.value(base)}"
            case ast.Subscript(base, key):
                return f"{_the(self.value(base))} for {self.value(key)}"
            case ast.ListComp(element) | ast.SetComp(element) | ast.GeneratorExp(element):
                return self._those(element, code)
            case ast.DictComp(key=element):
                return self._those(element, code)
            case ast.JoinedStr() if self._seen:
                raise Unsayable("a text")
            case ast.JoinedStr(values):
                return " joined with ".join(filter(None, map(self._template, values)))
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(ast.Not()):
                return f"whether {self.condition(code)}"
            case ast.Dict(keys):
                return phrases.listed([self.value(key) for key in keys if key]) or "none"
        raise Unsayable(ast.unparse(code)[:80])

    def _operand(self, code: ast.expr) -> str:
        """Return one of two values that are reckoned together, apart if it is reckoned itself."""
        said = self.value(code)
        return (
            f"({said})"
            if isinstance(code, ast.BinOp)
            and isinstance(code.op, ast.Sub | ast.Mult | ast.Div | ast.FloorDiv | ast.Mod)
            else said
        )

    def _template(self, part: ast.expr) -> str:
        match part:
            case ast.Constant(str(text)):
                return f'"{text.strip()}"' if text.strip() else ""
            case ast.FormattedValue(value):
                return self.value(value)
        return ""

    def _those(self, element: ast.expr, code: ast.expr) -> str:
        """Return the things that a comprehension collects."""
        assert isinstance(code, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp)
        tests = [said for generator in code.generators for test in generator.ifs for said in self.conditions(test)]
        inner = code.generators[-1]
        if (
            isinstance(element, ast.Name) and isinstance(inner.target, ast.Name) and element.id == inner.target.id
        ) or not isinstance(element, ast.Attribute | ast.Call | ast.Subscript | ast.BinOp):
            things = f"each {' and '.join(self._each_of(generator) for generator in code.generators)}"
        else:
            things = f"{self.value(element)} for each {' and '.join(self._each_of(generator) for generator in code.generators)}"
        return f"{things} such that {' and '.join(tests)}" if tests else things

    def _name_value(self, name: str) -> str:
        value = self._given_once(name)
        if value is not None:
            try:
                said = self._within(name, lambda: self.value(value))
                if len(said) <= MAX_INLINE // 2:
                    return said
                self.facts[ProofFact(_noun(name), said)] = None
            except Unsayable:
                pass
            return _noun(name)
        if documented := phrases.noun_of(self._argument_doc(name), is_field=True):
            return documented
        if (
            (phrases.name_in_words(name) in _NO_NOUNS)
            and (kind := self._context.type_of(ast.Name(name)))
            and kind.owner
        ):
            return f"the {phrases.name_in_words(kind.owner.tree.name)}"
        if any(argument.arg == name for argument in self._context.arguments) or self._context.values_of(name):
            return _noun(name)
        match self._context.module.find(name):
            case (module, ast.Assign() | ast.AnnAssign() as node) if name.lstrip("_").isupper():
                return self._constant(name, node, module)
            case (_, ast.FunctionDef() | ast.ClassDef()):
                return phrases.name_in_words(name)
        return _noun(name)

    def _constant(self, name: str, node: ast.Assign | ast.AnnAssign, module: Module) -> str:
        """Return a short constant itself, or the name of a long one after noting its value."""
        key = module.path, name
        if node.value is None or key in self._seen:
            return f"the {phrases.name_in_words(name)}"
        inner = Wording(Context(module, None, None), self._words, self.facts, (*self._seen, key))
        if isinstance(node.value, ast.Constant):
            return inner.value(node.value)
        if (literals := inner._literals(node.value)) and len(literals) <= 4:
            return phrases.listed(literals)
        words = f"the {phrases.name_in_words(name)}"
        try:
            read = inner.value(node.value)
            if len(read) <= MAX_READ:
                self.facts[ProofFact(words, read)] = None
        except Unsayable:
            pass
        return words

    def _literals(self, code: ast.expr) -> list[str]:
        """Return the words of a collection of constants, or no words if it holds other code."""
        match code:
            case ast.Tuple(members) | ast.List(members) | ast.Set(members):
                found = list[str]()
                for member in members:
                    if isinstance(member, ast.Constant):
                        found.append("not stated" if member.value in ("", None) else _say_constant(member.value))
                    elif isinstance(member, ast.Starred) and (inner := self._literals(member.value)):
                        found += inner
                    elif isinstance(member, ast.Name | ast.Attribute) and self._text_of(member):
                        found.append(_say_constant(self._text_of(member)))
                    elif isinstance(member, ast.Name) and member.id.isupper():
                        found.append(self.value(member))
                    else:
                        return []
                return found
            case ast.Call(ast.Name("frozenset" | "set" | "tuple"), [inner_code]):
                return self._literals(inner_code)
            case ast.Name() | ast.Attribute():
                match self._context.find(code):
                    case (module, ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value)):
                        found = Wording(Context(module, None, None), self._words, self.facts, self._seen)._literals(
                            value
                        )
                        return found if len(found) <= _MAX_LITERALS else []
        return []

    def _member_value(self, base: ast.expr, name: str) -> str:
        if module := self._context.module_of(base):
            match module.find(name):
                case (found, ast.Assign() | ast.AnnAssign() as node):
                    return self._constant(name, node, found)
            return phrases.name_in_words(name)
        if name == "id":
            return self._base(base)
        if self._is_context(base):
            return _noun(name)
        member = self._context.find_member(base, name)
        is_field = member is not None and not isinstance(member.node, ast.FunctionDef)
        noun = phrases.noun_of(member.description, is_field=is_field) if member else ""
        if noun and not noun.startswith(("its ", "their ")) and (self._is_self(base) or self._is_only_object(base)):
            if member and isinstance(member.node, ast.FunctionDef):
                self._note_member(noun, member, base)
            return noun
        said = _noun(name) if self._is_self(base) else f"the {phrases.name_in_words(name)}"
        if self._is_self(base) or (name in _PLACES and name not in ("end", "at", "first", "last", "most")):
            if member and noun:
                self.facts[ProofFact(said, noun)] = None
            return said
        said = f"{said} of {self._base(base)}"
        if member and isinstance(member.node, ast.FunctionDef):
            self._note_member(said, member, base)
        return said

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
        read = {
            node.value.id
            for node in ast.walk(self._context.function)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and not self._context.module_of(node.value)
            and not self._is_context(node.value)
        }
        arguments = {argument.arg for argument in self._context.arguments}
        return base.id in arguments and read <= {base.id, "self"}

    def _about(self, said: str, base: ast.expr) -> str:
        """Return a phrase of a class about one of that class."""
        if self._is_self(base):
            return said
        named = self._base(base)
        if said.startswith("it "):
            return f"{named} {said[3:]}"
        if said.startswith("its "):
            return f"{said[4:]} of {named}".replace("its ", "its ") if len(said.split()) < 3 else f"for {named}: {said}"
        return said if self._is_only_object(base) or not self._has_others(base) else f"for {named}: {said}"

    def _has_others(self, base: ast.expr) -> bool:
        """Return whether the function reads fields of others of the class of a base too."""
        kind = self._context.type_of(base)
        if kind is None or kind.owner is None or self._context.function is None:
            return False
        bases = {
            ast.unparse(node.value): node.value
            for node in ast.walk(self._context.function)
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute)
        }
        own = kind.owner.tree
        same = [
            each
            for each in bases.values()
            if (found := self._context.type_of(each)) and found.owner and found.owner.tree is own
        ]
        return len(same) > 1

    def _call_value(self, code: ast.Call) -> str:
        match code:
            case ast.Call(ast.Name("len"), [inner]):
                return f"the number of {_plural(self.value(inner))}"
            case ast.Call(ast.Name("sum"), [inner, *_]):
                return f"the sum of {self.value(inner)}"
            case ast.Call(ast.Name("max" | "min" as name), arguments):
                word = "largest" if name == "max" else "smallest"
                return f"the {word} of {phrases.listed([self.value(each) for each in arguments])}"
            case ast.Call(ast.Name("abs"), [inner]):
                return f"the size of {self.value(inner)}"
            case ast.Call(ast.Name("Fraction"), [number, divisor]):
                return f"({self.value(number)} divided by {self.value(divisor)})"
            case ast.Call(ast.Name("range"), arguments):
                return f"the numbers {self._range(arguments)}"
            case ast.Call(ast.Name("map" | "filter"), [function, over]):
                what = phrases.name_in_words(
                    function.attr
                    if isinstance(function, ast.Attribute)
                    else function.id
                    if isinstance(function, ast.Name)
                    else "what is read"
                )
                return f"the {what} of each of {self.value(over)}"
            case ast.Call(ast.Name("zip" | "enumerate"), arguments):
                return phrases.listed([self.value(each) for each in arguments])
            case ast.Call(ast.Name("next"), [ast.GeneratorExp(element) as inner, *_]):
                return f"the first: {self._those(element, inner)}"
            case ast.Call(ast.Name("next"), [inner, *_]):
                return f"the first of {self.value(inner)}"
            case ast.Call(ast.Name(name), arguments) if name in _SAME and not self._context.module.find(name):
                return self.value(arguments[-1]) if arguments else "none"
            case ast.Call(ast.Subscript(ast.Name(name)), arguments) if name in _SAME:
                return self.value(arguments[-1]) if arguments else "none"
            case ast.Call(ast.Name("any" | "all" | "isinstance")):
                return f"whether {self.condition(code)}"
            case ast.Call(ast.Attribute(base, "flag")) if self._is_reader(base):
                return f"whether {self.condition(code)}"
            case ast.Call(ast.Attribute(_, "ruling"), [named, *_]) if name := self._text_of(named):
                return f"the reading of ruling {name}"
            case ast.Call(ast.Attribute(base, "unit"), [inner]) if self._is_reader(base):
                return self.value(inner)
            case ast.Call(ast.Attribute(base, "stack" | "seen_stack"), [place]) if self._is_reader(base):
                return f"the units in {self.value(place)}"
            case ast.Call(ast.Attribute(base, "side_of"), [unit]) if self._is_reader(base):
                return f"the side of {self.value(unit)}"
            case ast.Call(ast.Attribute(base, name), [track, *subject]) if name in _READS and self._is_reader(base):
                title = self._title(track).strip('"')
                title = title if title.startswith(("the ", "what ", "who ")) else f"the {title}"
                return f"{title} of {self.value(subject[-1])}" if subject else title
            case ast.Call(ast.Attribute(base, "granted"), [track, subject_, *_]) if self._is_reader(base):
                title = self._title(track).strip('"')
                return f"the {title} of {self.value(subject_)}"
            case ast.Call(ast.Attribute(base, "cell"), [chart, *keys]) if self._is_reader(base):
                return f"the figure of the chart {self.value(chart)} for {phrases.listed([self.value(key) for key in keys])}"
            case ast.Call(ast.Attribute(ast.Dict(), "get"), [key, *_]):
                return f"the value for {self.value(key)}"
            case ast.Call(ast.Attribute(base, "get"), [key, *_]) if not self._context.find_member(base, "get"):
                return f"{_the(self.value(base))} for {self.value(key)}"
            case ast.Call(
                ast.Attribute(
                    base,
                    "items"
                    | "values"
                    | "keys"
                    | "copy"
                    | "strip"
                    | "casefold"
                    | "lower"
                    | "title"
                    | "split"
                    | "elements",
                ),
                _,
            ):
                return self.value(base)
            case ast.Call(ast.Attribute(base, "intersection"), [other]):
                return f"what {self.value(base)} and {self.value(other)} have in common"
            case ast.Call(ast.Attribute(base, "difference"), [other]):
                return f"{self.value(base)} without {self.value(other)}"
            case ast.Call(ast.Attribute(base, "union"), others):
                return phrases.listed([self.value(base), *(self.value(each) for each in others)])
            case ast.Call(ast.Attribute(base, "total"), []):
                return f"the sum of {self.value(base)}"
            case ast.Call(ast.Attribute(base, "count"), [inner]) if not self._context.find_member(base, "count"):
                return f"the number of {self.value(inner)} in {self.value(base)}"
            case ast.Call(
                ast.Attribute(ast.Attribute(ast.Name("dict") | ast.Name("Counter"), _) | ast.Name("dict"), "fromkeys"),
                [inner, *_],
            ):
                return self.value(inner)
        if noun := self._called(code, phrases.noun_of):
            return noun
        if said := self._called(code, phrases.statement_of):
            return f"whether {said}"
        return self._by_name(code)

    # --- what a name was given, and what a phrase rests on ------------------------------------------------------------

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

    def _note_function(self, said: str, context: Context) -> None:
        """Note how a function reads what it returns, or if it is of another module or too long, where it stands."""
        tree = context.function
        assert tree is not None
        key = context.module.path, tree.name, tree.lineno
        if key in self._seen:
            return
        place = f"{tree.name} ({context.module.path}:{tree.lineno})"
        read = ""
        if context.module is self._context.module and len(self._seen) < MAX_DEPTH:
            read = self._read_body(context, key)
        if context.module.path.startswith("assistant/") and not read:
            place = f"{tree.name} ({context.module.path}:{tree.lineno})"
        if read != said:
            self.facts.setdefault(ProofFact(said, read, "" if read else place), None)

    def _note_member(self, said: str, member: Member, base: ast.expr, means: str = "") -> None:
        if isinstance(member.node, ast.FunctionDef):
            owner = self._context.owner if self._is_self(base) and self._context.owner else member.owner
            context = Context(
                member.owner.module, owner if owner.is_a(member.owner.tree.name) else member.owner, member.node
            )
            key = context.module.path, member.node.name, member.node.lineno
            if key in self._seen:
                return
            read = self._read_body(context, key) if len(self._seen) < MAX_DEPTH else ""
            place = f"{member.node.name} ({context.module.path}:{member.node.lineno})"
            if read != said:
                self.facts.setdefault(
                    ProofFact(said, "; ".join(filter(None, (means, read))), "" if read else place), None
                )
        elif means:
            self.facts.setdefault(ProofFact(said, means), None)

    def _read_body(self, context: Context, key: object) -> str:
        """Return how a function reads what it returns, "" if that has no words or too many."""
        assert context.function is not None
        facts = dict[ProofFact, None]()
        wording = Wording(context, self._words, facts, (*self._seen, key))
        returns = context.function.returns
        is_bool = _is_fact(context.function) or (returns is not None and Type(returns, context.module).name == "bool")
        try:
            read = wording.read(context.function.body, is_bool=is_bool)
        except Unsayable:
            return ""
        if len(read) > MAX_READ:
            return ""
        for fact in facts:
            self.facts.setdefault(fact, None)
        return read

    def read(self, body: Sequence[ast.stmt], *, is_bool: bool) -> str:
        """Return what some statements return. Raises Unsayable if they do more than to give names and to choose."""
        said = list[str]()
        for node in body:
            match node:
                case (
                    ast.Expr(ast.Constant())
                    | ast.Assign()
                    | ast.AnnAssign()
                    | ast.Assert()
                    | ast.Import()
                    | ast.ImportFrom()
                ):
                    continue
                case ast.With(body=inner):
                    said.append(self.read(inner, is_bool=is_bool))
                case ast.Return(value):
                    said.append(self._returned(value, is_bool=is_bool))
                case ast.If(test, inner, []) if isinstance(inner[-1], ast.Return):
                    returned = self.read(inner, is_bool=is_bool)
                    said.append(f"{returned}, if {' and '.join(self.conditions(test))}")
                case ast.If(test, inner, otherwise) if otherwise:
                    said.append(f"{self.read(inner, is_bool=is_bool)}, if {' and '.join(self.conditions(test))}")
                    said.append(self.read(otherwise, is_bool=is_bool))
                case _:
                    raise Unsayable(ast.unparse(node)[:60])
        if not said:
            raise Unsayable("nothing returned")
        return "; otherwise ".join(said)

    def _returned(self, value: ast.expr | None, *, is_bool: bool) -> str:
        match value:
            case None | ast.Constant(None):
                return "none"
            case ast.Constant(bool(fixed)):
                return "yes" if fixed else "no"
        assert value is not None
        if is_bool:
            return " and ".join(self.conditions(value))
        return self.value(value)


def _is_fact(node: ast.AST) -> bool:
    """Return whether a method is a fact of a case."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(mark, ast.Name) and mark.id == "fact" for mark in node.decorator_list
    )


def _bare(code: ast.expr | None) -> ast.expr | None:
    """Return some code without `bool` and without a name for it."""
    while True:
        match code:
            case ast.Call(ast.Name("bool"), [inner]) | ast.NamedExpr(value=inner):
                code = inner
            case _:
                return code


def _is_empty(code: ast.expr) -> bool:
    match code:
        case ast.Constant(value):
            return value in (None, False, "", 0)
        case ast.Tuple([]) | ast.List([]) | ast.Dict([]):
            return True
        case ast.Call(args=[], keywords=[]):
            return True
    return False


def _say_constant(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        plain = re.fullmatch(r"[\w./+-]+", value) and "_" not in value
        return value if plain and value != "None" else f'"{value}"'
    return str(value)


def _say_flag(noun: str, *, holds: bool) -> str:
    """Return that a yes or no is yes, or no, by its name alone."""
    words = noun.removeprefix("the ")
    if re.match(r"(?:is|has|may|can|must|are|was) \w", words):
        said = f"it {words}"
        return said if holds else phrases.deny(said)
    return f"{words}: {'yes' if holds else 'no'}"


def _short_title(track: Track) -> str:
    return track.title.partition(" (")[0]


def _neither(words: list[str]) -> str:
    return f"not {words[0]}" if len(words) == 1 else f"neither {phrases.listed(words, 'nor')}"


def _noun(name: str) -> str:
    words = phrases.name_in_words(name)
    if words in _PLACES:
        return _PLACES[words]
    return f"the {words}"


def _the(words: str) -> str:
    return words if words.startswith(("the ", "its ")) else f"the {words}"


def _article(words: str) -> str:
    return f"{phrases.article_of(words)} {words}"


def _plural(words: str) -> str:
    return words.removeprefix("the ").removeprefix("each ") if words.startswith(("the ", "each ")) else words
