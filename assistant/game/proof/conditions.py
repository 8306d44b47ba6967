"""Conditions in words: what must hold for some code to be true, or false."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence

from ...util.patterns import late_pattern
from . import phrases
from .names import bare, is_empty, is_fact
from .sources import Type
from .stated import say_ruling
from .values import MAX_INLINE, Values
from .words import MAX_LITERALS, ProofFact, Unsayable, name_thing, put_article, put_the, say_flag, say_neither

MAX_REASONS = 3
"""The maximum number of clauses whose conditions stand in the place of whether one of them holds."""
MAX_JOINED = 220
"""The maximum length of what a local name joins that stands in its place, in letters."""
_COMPARED: Mapping[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("is less than", "is at least"),
    ast.LtE: ("is at most", "is more than"),
    ast.Gt: ("is more than", "is at most"),
    ast.GtE: ("is at least", "is less than"),
}

UNREADABLE = late_pattern(
    r"\b(?:among|of|the) of\b|\bthe what\b|\bthere (?:is|are)(?: no| an?)? (?:[0-9]|holds\b|the\b|as\b|none\b)|\bthe (?:is|has|are|how) |"
    r"\beach [^:]* for each\b|\b(?:such that|for each) .* (?:such that|for each)\b|\bjoined with\b|^the (\w+) (?:is|are) the \1$|: anything\b|"
    r'(?<![\w"])""(?!\w)|'
    r"\bone \w+ of each\b|\bmodulo\b"
)
"""Words of a condition that no reader can make sense of."""


class Conditions(Values):
    """Conditions in words: what must hold for some code to be true, or false."""

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
            case ast.Name(name) if isinstance(bound := bare(self._given_once(name)), ast.BoolOp | ast.UnaryOp):
                parts = self._within(name, lambda: self.conditions(bound, holds=holds))
                return parts if len(" and ".join(parts)) <= MAX_JOINED else [self._say_given(name, bound, holds=holds)]
            case ast.IfExp(test, body, ast.Constant(None | False | 0 | "") | ast.Tuple([])) if holds:
                return [*self.conditions(test), *self.conditions(body)]
        return [self.condition(code, holds=holds)]

    def condition(self, code: ast.expr, *, holds: bool = True) -> str:
        """Return a condition in one phrase. Raises Unsayable."""
        said = self._say_condition(code, holds=holds)
        if UNREADABLE.search(said):
            raise Unsayable(said)
        return said

    def _say_condition(self, code: ast.expr, *, holds: bool) -> str:
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
        self.facts.setdefault(ProofFact(say_flag(name_thing(name), holds=True), " and ".join(parts)), None)
        return say_flag(name_thing(name), holds=holds)

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
            case ast.Name(name) if isinstance(bound := bare(self._given_once(name)), ast.BoolOp | ast.UnaryOp):
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
                return phrases.agree(self.value(left), f"is {'' if positive else 'not '}{self.value(right)}")
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
        return phrases.agree(self.value(left), f"{_COMPARED[type(operator)][not holds]} {self.value(right)}")

    def _chain(self, left: ast.expr, operators: list[ast.cmpop], rights: list[ast.expr], *, holds: bool) -> str:
        first, second = operators[0], operators[1] if len(operators) == 2 else None
        if isinstance(first, ast.LtE) and isinstance(second, ast.LtE):
            said = "lies" if holds else "does not lie"
            return f"{self.value(rights[0])} {said} from {self.value(left)} to {self.value(rights[1])}"
        parts: list[ast.expr] = [
            ast.Compare(before, [operator], [after])
            for before, operator, after in zip([left, *rights[:-1]], operators, rights, strict=True)
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
                    return self._among(left, members, holds=holds)
                if len(words) <= MAX_LITERALS:
                    said = phrases.listed(words, "or")
                    return phrases.agree(self.value(left), f"is {said if holds else say_neither(words)}")
        if literal := self._literals(right):
            return phrases.agree(
                self.value(left), f"is {phrases.listed(literal, 'or') if holds else say_neither(literal)}"
            )
        return phrases.agree(self.value(left), f"is {'' if holds else 'not '}among {self.value(right)}")

    def _ruled(self, name: str, readings: Sequence[object], *, holds: bool) -> str:
        ruling = self._words.rulings.get(name)
        if ruling is None:
            return f"the ruling {name} is {'' if holds else 'not '}{phrases.listed([*map(str, readings)], 'or')}"
        self.name_ruling(name)
        meanings = [f'"{ruling.readings.get(str(reading), reading)}"' for reading in readings]
        return f"ruling {name} is {'' if holds else 'not '}{phrases.listed(meanings, 'or')}"

    def _among(self, left: ast.expr, members: Sequence[ast.expr], *, holds: bool) -> str:
        """Return that a value is one of some members, which may be collections themselves."""
        several = [member.value for member in members if isinstance(member, ast.Starred)]
        single = [member for member in members if not isinstance(member, ast.Starred)]
        parts: list[ast.expr] = [ast.Compare(left, [ast.In()], [each]) for each in several]
        if single:
            parts.insert(0, ast.Compare(left, [ast.In()], [ast.Tuple(single, ast.Load())]))
        return self.condition(parts[0] if len(parts) == 1 else ast.BoolOp(ast.Or(), parts), holds=holds)

    def name_ruling(self, name: str) -> str:
        """Return a ruling by its name, after noting its readings."""
        if ruling := self._words.rulings.get(name):
            self.facts[ProofFact(f"ruling {name}", say_ruling(ruling))] = None
        return f"ruling {name}"

    def _choice(self, test: ast.expr, body: ast.expr, orelse: ast.expr, *, holds: bool) -> str:
        if is_empty(orelse):
            if isinstance(body, ast.Constant):
                return self.condition(test, holds=holds)
            return self.condition(ast.BoolOp(ast.And(), [test, body]), holds=holds)
        if is_empty(body):
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
            is_bool = is_fact(member.node) or (member.type is not None and member.type.name == "bool")
            said = phrases.statement_of(member.description, is_fact=is_bool)
            said = self._about(said, base) if said else ""
            if said:
                self._note_member(said, member, base)
                return said if holds else phrases.deny(said)
            if reason := phrases.reason_of(member.description, exists=holds):
                self._note_member(phrases.reason_of(member.description, exists=True), member, base)
                return reason
            if is_bool:
                named = "" if self._is_self(base) or self._is_bundle(base) else f" of {self._base(base)}"
                said = f'"{phrases.name_in_words(name)}"{named} holds'
                self._note_member(said, member, base, means=phrases.core_of(phrases.summary_of(member.description)))
                return said if holds else f"{said.removesuffix('holds')}does not hold"
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
        if said := self._having(code, holds=holds):
            return said
        noun = self.value(code)
        if noun.startswith("whether "):
            return f"it is {'' if holds else 'not '}known {noun}"
        if self._is_read(code):
            return phrases.agree(noun, f"is {'' if holds else 'not '}stated")
        if noun.startswith(("the ", "a ", "an ", "its ", "their ", "all ")):
            return phrases.existence(noun, exists=holds)
        return phrases.agree(noun, f"is {'given' if holds else 'not given'}")

    def _existence(self, code: ast.expr, *, holds: bool) -> str:
        """Return that a value is not empty, or that it is."""
        kind = self._context.type_of(code)
        if said := self._having(code, holds=holds):
            return said
        noun = self.value(code)
        if self._is_read(code):
            return phrases.agree(noun, f"is {'' if holds else 'not '}stated")
        if noun.startswith(("it is ", "it has ", "it may ", "it can ")):
            return noun if holds else phrases.deny(noun)
        if noun.startswith("whether "):
            return noun[8:] if holds else phrases.deny(noun[8:])
        if (kind and kind.name == "bool") or re.match(r"the (?:is|has|may|can|must|are|was) ", noun):
            return say_flag(noun, holds=holds)
        if (kind and kind.name in ("int", "Fraction", "float")) or self._is_figure(code):
            return phrases.agree(noun, f"is {'not ' if holds else ''}0")
        if kind and kind.name in ("str", "HexId", "UnitId", "Place"):
            return phrases.agree(noun, f"is {'' if holds else 'not '}given")
        if noun.startswith('"'):
            is_several = (kind is not None and kind.is_collection) or self._is_collection(code)
            return (
                f"{noun} is {'not ' if holds else ''}empty"
                if is_several
                else f"{noun} is {'' if holds else 'not '}given"
            )
        if noun.startswith(("the ", "a ", "an ", "its ", "their ", "all ")):
            return phrases.existence(noun, exists=holds)
        return (
            f"there is {'something' if holds else 'nothing'}: {noun}"
            if " " in noun
            else f"there is {noun}"
            if holds
            else f"there is no {noun}"
        )

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
            case ast.Call(_, [several, *_]) if parts := self._list_reasons(several):
                return self.condition(ast.BoolOp(ast.Or(), parts) if len(parts) > 1 else parts[0], holds=holds)
            case ast.Call(ast.Name("holding")):
                return f"{'one' if holds else 'none'} of the reasons against it holds"
            case ast.Call(ast.Name("isinstance"), [value, kind]):
                return f"{self.value(value)} is {'' if holds else 'not '}{put_article(phrases.listed([phrases.name_in_words(node.id) for node in ast.walk(kind) if isinstance(node, ast.Name)], 'or'))}"
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

    def _having(self, code: ast.expr, *, holds: bool) -> str:
        """Return that a mapping has something for a key, or "" if the code does not look that up."""
        match code:
            case ast.Call(ast.Attribute(base, "get"), [key]):
                held, of = put_the(self.value(base)), self.value(key)
                if held in ("the units", f"{of}s"):
                    return f"the position {'has' if holds else 'does not have'} {of}"
                if (kind := self._context.type_of(code)) and kind.owner:
                    return f"{of} is {'' if holds else 'not '}among {held}"
        return ""

    def _list_reasons(self, code: ast.expr) -> list[ast.expr]:
        """Return the conditions of some clauses that are given to a function, or none if it is given something else."""
        if isinstance(code, ast.Name):
            code = self._given_once(code.id) or code
        if not isinstance(code, ast.Tuple | ast.List) or not 0 < len(code.elts) <= MAX_REASONS:
            return []
        parts = list[ast.expr]()
        for clause in code.elts:
            match clause:
                case ast.Tuple([holds, ast.Constant(str()), ast.Constant(str()) | ast.JoinedStr()]):
                    parts.append(holds)
                case _:
                    return []
        return parts

    def _flag(self, track: ast.expr, subject: Sequence[ast.expr], *, holds: bool) -> str:
        title = self._title(track)
        if subject:
            return f"{self.value(subject[0])} {'has' if holds else 'does not have'} the fact {title}"
        return f"the fact {title} {'holds' if holds else 'does not hold'}"
