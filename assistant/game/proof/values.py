"""Values in words."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from . import phrases
from .calls import Calls
from .grounds import MAX_READ
from .names import READS, is_empty
from .sources import Context, Module
from .words import (
    MAX_LITERALS,
    ProofFact,
    Unsayable,
    drop_article,
    name_thing,
    put_the,
    say_constant,
)

MAX_INLINE = 150
"""The maximum length of what a local name was given that stands in its place, in letters."""
_ORDINALS = ("first", "second", "third", "fourth")
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


class Values(Calls):
    """Values in words."""

    def value(self, code: ast.expr) -> str:
        """Return a value in words. Raises Unsayable."""
        match code:
            case ast.Constant(value):
                return say_constant(value)
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
                if is_empty(orelse):
                    return f"{self.value(body)} (if {self.condition(test)})"
                return f"{self.value(body)} if {self.condition(test)} or else {self.value(orelse)}"
            case ast.BoolOp(ast.Or(), [first, *others]) if is_empty(others[-1]):
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
                return self._entry(base, key)
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
            case ast.Dict(keys, values):
                pairs = [
                    f"{self.value(value)} for {self.value(key)}" for key, value in zip(keys, values, strict=True) if key
                ]
                return phrases.listed(pairs) or "none"
        raise Unsayable(ast.unparse(code)[:80])

    def _entry(self, base: ast.expr, key: ast.expr) -> str:
        """Return what a mapping has for a key: the unit itself, if its name is the key."""
        held, of = put_the(self.value(base)), self.value(key)
        return of if held == f"{of}s" else f"{held} for {of}"

    def _is_set(self, code: ast.expr) -> bool:
        """Return whether some code collects different values, be it under a name and in order."""
        match code:
            case ast.Call(ast.Name("sorted" | "list" | "tuple"), [inner, *_]):
                return self._is_set(inner)
            case ast.Name(name) if (value := self._given_once(name)) is not None:
                return self._within(name, lambda: self._is_set(value))
        return isinstance(code, ast.SetComp)

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

    def _each_of(self, generator: ast.comprehension) -> str:
        """Return which things a loop goes through: `unit of the stack`."""
        target = phrases.listed(
            [
                self._name_member(node.id)
                for node in ast.walk(generator.target)
                if isinstance(node, ast.Name) and node.id != "_"
            ]
        )
        return f"{target or 'one'} of {self._things(generator.iter)}"

    def _name_member(self, name: str) -> str:
        """Return what each of the things of a loop is called."""
        words = drop_article(self._name_local(name))
        return "name" if name == "name" else words.removeprefix("this ").removeprefix("that ")

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

    def _name_value(self, name: str) -> str:
        value = self._given_once(name)
        if value is not None:
            said = self._name_local(name)
            try:
                read = self._within(name, lambda: self.value(value))
                if len(read) <= MAX_INLINE // 2:
                    return read
                self.facts[ProofFact(said, read)] = None
            except Unsayable:
                self._note_name(said)
            return said
        if documented := phrases.noun_of(self._argument_doc(name), is_field=True):
            return documented
        if any(argument.arg == name for argument in self._context.arguments) or self._context.values_of(name):
            said = self._name_local(name)
            if said.startswith('"') and not self._context.is_changed(name):
                self._note_name(said)
            return said
        match self._context.module.find(name):
            case (module, ast.Assign() | ast.AnnAssign() as node) if name.lstrip("_").isupper():
                return self._constant(name, node, module)
            case (_, ast.FunctionDef() | ast.ClassDef()):
                return phrases.name_in_words(name)
        return self._name_local(name)

    def _name_local(self, name: str) -> str:
        """Return a local name, or in its place the class of what it stands for."""
        return self._name_of_kind(name, ast.Name(name))

    def _name_of_kind(self, name: str, code: ast.expr) -> str:
        kind = self._context.type_of(code)
        return name_thing(name, kind.owner.tree.name if kind and kind.owner else "")

    def _note_name(self, said: str) -> None:
        """Note that only the function explains a name."""
        function = self._context.function
        if function is not None:
            place = f"{function.name} ({self._context.module.path}:{function.lineno})"
            self.facts.setdefault(ProofFact(said, "", place), None)

    def _constant(self, name: str, node: ast.Assign | ast.AnnAssign, module: Module) -> str:
        """Return a short constant itself, or the name of a long one after noting its value."""
        key = module.path, name
        if node.value is None or key in self._seen:
            return f"the {phrases.name_in_words(name)}"
        inner = type(self)(Context(module, None, None), self._words, self.facts, (*self._seen, key))
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
                        found.append("not stated" if member.value in ("", None) else say_constant(member.value))
                    elif isinstance(member, ast.Starred) and (inner := self._literals(member.value)):
                        found += inner
                    elif isinstance(member, ast.Name | ast.Attribute) and self._text_of(member):
                        found.append(say_constant(self._text_of(member)))
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
                        found = type(self)(Context(module, None, None), self._words, self.facts, self._seen)._literals(
                            value
                        )
                        return found if len(found) <= MAX_LITERALS else []
        return []

    def _member_value(self, base: ast.expr, name: str) -> str:
        if module := self._context.module_of(base):
            match module.find(name):
                case (found, ast.Assign() | ast.AnnAssign() as node):
                    return self._constant(name, node, found)
            return phrases.name_in_words(name)
        if name == "id":
            return self._base(base)
        if self._is_context(base) and not (isinstance(base, ast.Name) and base.id == "self"):
            return name_thing(name)
        member = self._context.find_member(base, name)
        is_method = member is not None and isinstance(member.node, ast.FunctionDef)
        noun = phrases.noun_of(member.description, is_field=not is_method) if member else ""
        is_alone = self._is_self(base) or self._is_only_object(base) or self._is_bundle(base)
        if noun and is_alone and not noun.startswith(("its ", "their ")):
            if member and is_method:
                self._note_member(noun, member, base)
            return noun
        said = self._name_of_kind(name, ast.Attribute(base, name))
        if not is_alone:
            said = f"{said if said.startswith(('the ', chr(34))) else f'the {phrases.name_in_words(name)}'} of {self._base(base)}"
        if member and is_method:
            self._note_member(said, member, base)
        elif member and (noun or said.startswith('"')):
            means = noun or phrases.core_of(phrases.summary_of(member.description))
            if means and drop_article(means.removeprefix("its ")) != drop_article(said):
                self.facts.setdefault(ProofFact(said, means), None)
        return said

    def _call_value(self, code: ast.Call) -> str:
        match code:
            case ast.Call(ast.Name("len"), [inner]):
                said = self.value(inner)
                if " for each " in said:
                    return f"the number of {'different ' if self._is_set(inner) else ''}values ({said})"
                return f"the number of {drop_article(said)}"
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
            case ast.Call(ast.Attribute(base, name), [track, *subject]) if name in READS and self._is_reader(base):
                if subject:
                    return self._title_of(track, self.value(subject[-1]))
                title = self._title(track).strip('"')
                return title if title.startswith(("the ", "what ", "who ")) else f"the {title}"
            case ast.Call(ast.Attribute(base, "granted"), [track, subject_, *_]) if self._is_reader(base):
                return self._title_of(track, self.value(subject_))
            case ast.Call(ast.Attribute(base, "cell"), [chart, *keys]) if self._is_reader(base):
                return f"the figure of the chart {self.value(chart)} for {phrases.listed([self.value(key) for key in keys])}"
            case ast.Call(ast.Attribute(ast.Dict(), "get"), [key, *_]):
                return f"the value for {self.value(key)}"
            case ast.Call(ast.Attribute(base, "get"), [key, *_]) if not self._context.find_member(base, "get"):
                return self._entry(base, key)
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
