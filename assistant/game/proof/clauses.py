"""The clauses of a game's rules, and the functions that compute the rules without any.

A clause is what code gives as `(holds, rule, sentence)`, or as a step or bar of a rule with a sentence, below the
conditions around it. It is read from the sources, so that nothing stands between them and the reader but words.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import copy, deepcopy
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ...state.tracks import Track
from ...util.patterns import late_pattern
from ..rule_index import declared_in, is_under
from ..rulings import Ruling
from . import phrases
from .conditions import UNREADABLE
from .grounds import MAX_READ
from .guards import Guard, Guards, find_parts, negate
from .sources import Context, Sources, recall
from .wording import Wording
from .words import ProofFact, Unsayable, Words

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_FIGURE = late_pattern(r"{{?(\w+)(?:[:!][^}]*)?}}?")
"""A figure of a sentence, with how it is said."""
_OPTIONAL = late_pattern(r"\[(\w+):([^|\]]*)(?:\|([^\]]*))?\]")
"""A part of a sentence that is said only if a figure is there, and what is said instead."""
MAX_DEPTH = 3
"""The maximum number of functions that are unfolded one within another."""
_TERM = late_pattern(r'"([a-z]+(?: [a-z]+)*)"')
"""A name of the code that stands in a condition as a term."""
_EACH = late_pattern(r'\b(?:each|some|no|every|and) "([a-z ]+)"')
"""A term that a loop or a quantity explains."""
_SENTENCE = late_pattern(r"\S+ \S+")
_CHOSEN = late_pattern(r'\[if "([^"]+)": ')
MAX_RULINGS = 2
"""The maximum number of rulings of a function that are explained though no condition names them."""
_RANGE_OF_RULES = late_pattern(r"\bRule:[^\"']* to ")
_RULE = late_pattern(r"(?:[0-9]|[A-Z][A-Za-z-]*/)[\w./+-]*")


class ProofClause(NamedTuple):
    """A clause of a rule."""

    rules: tuple[str, ...]
    """The rows that it bears: its rule, or all those of its function if it takes its rule from elsewhere."""
    about: str
    """The summary of the function that has the clause."""
    when: tuple[str, ...]
    """The conditions in words, all of which must hold."""
    says: str
    facts: tuple[ProofFact, ...]
    """The facts behind its conditions."""
    place: str
    """The function, with its module and line."""
    path: str
    """The path of its module."""
    line: int


class ProofFunction(NamedTuple):
    """A function that declares rules."""

    rules: tuple[str, ...]
    borne: tuple[str, ...]
    """The rows that its own clauses bear."""
    about: str
    reads: tuple[str, ...]
    """The facts and fields that it reads."""
    read_as: str
    """Its result in words, or "" if no short words say it."""
    facts: tuple[ProofFact, ...]
    place: str


class Proof(NamedTuple):
    """All that a proof sheet shows of a game's code."""

    clauses: tuple[ProofClause, ...]
    functions: tuple[ProofFunction, ...]


def read_proof(
    folder: Traversable, rulings: Mapping[str, Ruling], tracks: Mapping[str, Track], number: str = ""
) -> Proof:
    """Read the clauses and functions of the rules under a number from the modules of a game's folder.

    Raises InputError if a file is too large or is not Python.
    """
    words = Words(tracks, rulings)
    clauses = list[ProofClause]()
    functions = list[ProofFunction]()
    for module in Sources(folder).modules.values():
        if number not in module.text and not _RANGE_OF_RULES.search(module.text):
            continue
        for context in module.list_contexts():
            function = context.function
            assert function is not None
            declared, _ = declared_in(ast.get_docstring(function) or "")
            own = [*_list_clauses(context, declared), *(_list_tabled(context) if declared else ())]
            clauses += (
                _read_clause(words, clause)
                for clause in own
                if any(is_under(rule, number) and _RULE.fullmatch(rule) for rule in clause.rules)
            )
            if any(is_under(rule, number) for rule in declared):
                borne = tuple(dict.fromkeys(rule for clause in own for rule in clause.rules))
                functions.append(_read_function(context, words, declared, borne))
    return Proof(tuple(clauses), tuple(functions))


class _Found(NamedTuple):
    """A clause in the syntax of a function."""

    node: ast.expr
    rules: tuple[str, ...]
    sentence: str
    conditions: tuple[tuple[Context, Guard], ...]
    """The conditions and loops around the clause, each with the function that has it."""
    context: Context


def _list_clauses(context: Context, declared: Sequence[str], depth: int = 0) -> Iterator[_Found]:
    """Yield the clauses of a function whose docstring declares some rules.

    A call that is given one of these rules has the clauses of the called function.
    """
    function = context.function
    assert function is not None
    for node, guards in _find_candidates(function.body):
        match node:
            case ast.Tuple([holds, rule, says]):
                own: Guards = () if isinstance(holds, ast.Constant) else (holds,)
                is_pair = False
            case ast.Call(ast.Name(name), [rule, says, *_]) if is_step(name):
                own, is_pair = (), True
            case ast.Call() if depth < MAX_DEPTH:
                around = tuple((context, guard) for guard in guards)
                for found in _unfold(node, context, declared, depth):
                    yield found._replace(conditions=(*around, *found.conditions))
                continue
            case _:
                continue
        said = _value_of(says, context)
        sentence = _say_sentence(said, context)
        rules = _name_rules(rule, declared, context, is_pair=is_pair)
        if (
            not sentence
            and isinstance(said, ast.Constant)
            and isinstance(rule, ast.Constant)
            and {*rules} <= {*declared}
        ):
            sentence = str(said.value) if isinstance(said.value, str) else ""  # a single word
        if sentence and rules:
            conditions = tuple((context, guard) for guard in (*guards, *own))
            yield _Found(node, rules, sentence, conditions, context)


def _list_tabled(context: Context) -> Iterator[_Found]:
    """Yield the bars of a table that a function goes through: each with its rule, its words, what decides it, and what
    follows from it.
    """
    function = context.function
    assert function is not None
    subject = next((argument.arg for argument in context.arguments if argument.arg != "self"), "")
    for node in ast.walk(function):
        match node:
            case ast.Name(name) if name.isupper():
                for row in _rows_of(ast.Name(name), context):
                    match row:
                        case ast.Call(
                            ast.Name(kind), [ast.Constant(str(rule)), ast.Constant(str(says)), decides, *others]
                        ):
                            condition = _decided_by(decides, subject)
                            if is_step(kind) and condition is not None:
                                follows = dict.fromkeys(text for each in others for text in _texts_of(each, context))
                                sentence = f"it {says}{', and ' if follows else ''}{' / '.join(follows)}"
                                yield _Found(row, (rule,), sentence, ((context, condition),), context)


def _rows_of(table: ast.expr, context: Context) -> Iterator[ast.expr]:
    """Yield the rows of a constant table, those with names of their own among them."""
    match context.find(table):
        case (_, ast.Assign(value=ast.Tuple(rows) | ast.List(rows))):
            for row in rows:
                match context.find(row) if isinstance(row, ast.Name) else None:
                    case (_, ast.Assign(value=value)):
                        yield value
                    case _:
                        yield row


def _texts_of(table: ast.expr, context: Context) -> Iterator[str]:
    """Yield the texts of a constant mapping, those of mappings that it takes up among them."""
    match table:
        case ast.Dict(_, values):
            for value in values:
                if isinstance(value, ast.Constant):
                    yield str(value.value)
                else:
                    yield from _texts_of(value, context)
        case ast.Name():
            match context.find(table):
                case (module, ast.Assign(value=ast.expr() as found) | ast.AnnAssign(value=ast.expr() as found)):
                    yield from _texts_of(found, Context(module, None, None))


def _decided_by(decides: ast.expr, subject: str) -> ast.expr | None:
    """Return the condition by which a row of a table bars a subject, or None if the row has no condition."""
    match decides:
        case ast.Lambda(ast.arguments(args=[argument]), body):
            named = _Filler({argument.arg: ast.copy_location(ast.Name(subject), body)}).visit(deepcopy(body))
            assert isinstance(named, ast.expr)
            return named
        case ast.Call(ast.Name("attrgetter"), [ast.Constant(str(field))]):
            return ast.copy_location(ast.Attribute(ast.Name(subject), field), decides)
    return None


def is_step(name: str) -> bool:
    """Return whether a function or class makes a step or bar of a rule and a sentence."""
    return name == "step" or name.endswith("Bar")


def _unfold(call: ast.Call, context: Context, declared: Sequence[str], depth: int) -> Iterator[_Found]:
    """Yield the clauses that a called function makes of a rule which it is given."""
    match context.find(call.func):
        case (module, ast.FunctionDef() as function) if bearing := recall(
            module, function, partial(_find_bearing, function)
        ):
            given = _bind(call, function)
            for name, value in given.items():
                if name not in bearing:
                    continue
                for rule in dict.fromkeys(_name_rules(value, declared, context, is_pair=True)):
                    filled = _fill_in(function, {**given, name: ast.copy_location(ast.Constant(rule), value)})
                    found = _list_clauses(Context(module, None, filled), (rule,), depth + 1)
                    yield from (each for each in found if each.rules == (rule,))


def _find_bearing(function: ast.FunctionDef) -> set[str]:
    """Return the names by which a function makes clauses of rules that it is given."""
    found = set[str]()
    for node in ast.walk(function):
        match node:
            case ast.Tuple([_, ast.Name(name), _]):
                found.add(name)
            case ast.Call(args=arguments, keywords=keywords):
                values = (*arguments, *(keyword.value for keyword in keywords))
                found |= {value.id for value in values if isinstance(value, ast.Name)}
    return found & {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}


def _bind(call: ast.Call, function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Return the arguments of a call, and the defaults of those that it leaves out, by their names."""
    arguments = function.args.args
    defaults = zip(reversed(arguments), reversed(function.args.defaults), strict=False)
    given = {argument.arg: default for argument, default in defaults}
    given |= {argument.arg: value for argument, value in zip(arguments, call.args, strict=False)}
    return given | {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


class _Filler(ast.NodeTransformer):
    """Puts constants in the place of arguments."""

    def __init__(self, constants: Mapping[str, ast.expr]) -> None:
        self._constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the constant of an argument, or another name as it is."""
        constant = self._constants.get(node.id) if isinstance(node.ctx, ast.Load) else None
        return ast.copy_location(copy(constant), node) if constant else node


def _fill_in(function: ast.FunctionDef, given: Mapping[str, ast.expr]) -> ast.FunctionDef:
    """Return a function with the constants of a call in the place of its arguments."""
    constants = {name: value for name, value in given.items() if isinstance(value, ast.Constant)}
    filled = _Filler(constants).visit(deepcopy(function))
    assert isinstance(filled, ast.FunctionDef)
    return filled


def _name_rules(rule: ast.expr, declared: Sequence[str], context: Context, *, is_pair: bool) -> tuple[str, ...]:
    """Return the rows that a clause bears, or no rows if the code is not a clause.

    `is_pair`: whether the code is a step or a bar.
    """
    match rule:
        case ast.Constant(str(name)) if _RULE.fullmatch(name):
            rows = name_rows(name, declared)
            return rows if not is_pair or {*rows} <= {*declared} else ()
        case ast.IfExp(body=body, orelse=orelse):
            names = [_name_rules(each, declared, context, is_pair=is_pair) for each in (body, orelse)]
            return tuple(dict.fromkeys(row for rows in names for row in rows))
        case ast.Name(name):
            value = _value_of(rule, context)
            if isinstance(value, ast.Constant | ast.IfExp):
                return _name_rules(value, declared, context, is_pair=is_pair)
            match context.module.find(name):
                case (_, ast.Assign(value=ast.Constant(str()) as fixed)):
                    return _name_rules(fixed, declared, context, is_pair=is_pair)
            return () if is_pair else tuple(declared)
        case ast.Attribute(base, name):
            match context.find_member(base, name):
                case (_, ast.Assign(value=ast.Constant(str()) as fixed), _):
                    return _name_rules(fixed, declared, context, is_pair=is_pair)
            return () if is_pair else tuple(declared)
        case ast.Subscript(ast.Name(name)) if name.isupper():
            return () if is_pair else tuple(declared)
    return ()


def name_rows(rule: str, declared: Sequence[str]) -> tuple[str, ...]:
    """Return the rows of a clause: its rule, or the parts of the rule that its function declares.

    Parts of 8.2.3 are 8.2.3b and 8.2.3/late.

    `declared`: the rules that the function declares.
    """
    parts = tuple(row for row in declared if re.fullmatch(rf"{re.escape(rule)}([a-z]|/.+)", row))
    return (rule,) if rule in declared else parts or (rule,)


def _find_candidates(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.expr, Guards]]:
    """Yield what may be a clause in some statements, each with the conditions and loops around it."""
    for part, guards in find_parts(body):
        yield from _find_in(part, guards)


def _find_in(code: ast.AST, guards: Guards) -> Iterator[tuple[ast.expr, Guards]]:
    """Yield what may be a clause within some code."""
    match code:
        case ast.Tuple(elts, ast.Load()) if len(elts) == 3:
            yield code, guards
        case ast.Call(ast.Name(name), [_, _, *_]) if is_step(name):
            yield code, guards
        case ast.Call(args=arguments, keywords=keywords) if any(
            map(_may_be_rule, (*arguments, *(keyword.value for keyword in keywords)))
        ):
            yield code, guards
        case ast.IfExp(test, body, orelse):
            yield from _find_in(test, guards)
            yield from _find_in(body, (*guards, test))
            yield from _find_in(orelse, (*guards, negate(test)))
            return
        case ast.BoolOp(operator, values):
            for value in values:
                yield from _find_in(value, guards)
                guards = (*guards, value if isinstance(operator, ast.And) else negate(value))
            return
        case ast.GeneratorExp(elt, generators) | ast.ListComp(elt, generators):
            for generator in generators:
                yield from _find_in(generator.iter, guards)
                bare = ast.comprehension(generator.target, generator.iter, [], 0)
                guards = (*guards, bare, *generator.ifs)
            yield from _find_in(elt, guards)
            return
    for child in ast.iter_child_nodes(code):
        yield from _find_in(child, guards)


def _may_be_rule(code: ast.expr) -> bool:
    match code:
        case ast.Constant(str(text)):
            return _RULE.fullmatch(text) is not None
        case ast.Name(name):
            return name == "rule"
    return False


def _value_of(code: ast.expr, context: Context) -> ast.expr:
    """Return what a local name was last given before its line; other code as it is."""
    if not isinstance(code, ast.Name):
        return code
    given = [value for value in context.values_of(code.id) if value.lineno < code.lineno]
    return given[-1] if given else code


def _read_clause(words: Words, found: _Found) -> ProofClause:
    """Say the conditions and the sentence of a clause in words."""
    function = found.context.function
    assert function is not None
    when = list[str]()
    facts = dict[ProofFact, None]()
    for context, condition in found.conditions:
        wording = Wording(context, words, facts)
        try:
            if isinstance(condition, ast.comprehension):
                when.append(wording.loop(condition))
            else:
                when += wording.conditions(condition)
        except Unsayable:
            when.append(not_shown(condition_line(condition), context.module.path))
        _note_terms(when, facts, context, condition)
    wording = Wording(found.context, words, facts)
    wording.note_rulings(MAX_RULINGS)
    _note_figures(wording, found)
    return ProofClause(
        found.rules,
        phrases.summary_of(ast.get_docstring(function) or ""),
        tuple(dict.fromkeys(each for each in when if each != "always")),
        found.sentence,
        tuple(_name_unread(fact, _place_of(found.context)) for fact in facts),
        _place_of(found.context),
        found.context.module.path,
        found.node.lineno,
    )


def _note_figures(wording: Wording, found: _Found) -> None:
    """Note the figures on which parts of the sentence are said."""
    figures = set(_CHOSEN.findall(found.sentence))
    for node in ast.walk(found.context.function or ast.Pass()) if figures else ():
        match node:
            case ast.keyword(str(name), value) if name.replace("_", " ") in figures:
                term = f'"{name.replace("_", " ")}"'
                if not any(fact.name == term for fact in wording.facts):
                    wording.note_condition(term, value)


def _name_unread(fact: ProofFact, place: str) -> ProofFact:
    """Return a fact with the function that explains it in the place of a reading that no reader understands."""
    is_ruling = fact.name.startswith("ruling ")
    is_clear = is_ruling or (len(fact.read) <= MAX_READ and not UNREADABLE.search(fact.read))
    return fact if is_clear else ProofFact(fact.name, "", place)


def _note_terms(when: Sequence[str], facts: dict[ProofFact, None], context: Context, condition: Guard) -> None:
    """Note the function as what explains the terms of conditions that no fact explains."""
    function = context.function
    assert function is not None
    said = " ".join(when)
    explained = {fact.name.split('"')[1] for fact in facts if fact.name.startswith('"')} | {*_EACH.findall(said)}
    nodes = (*ast.walk(function), *ast.walk(condition))
    used = {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes
        if isinstance(node, ast.Name | ast.Attribute)
    }
    for term in _TERM.findall(said):
        if term not in explained and term.replace(" ", "_") in used:
            facts.setdefault(ProofFact(f'"{term}"', "", _place_of(context)), None)


def not_shown(line: int, path: str) -> str:
    """Return that a condition is not shown, and where it stands."""
    return f"a condition holds that no words here show (line {line} of {path})"


def condition_line(condition: Guard) -> int:
    """Return the line of a condition."""
    return next(
        (node.lineno for node in ast.walk(condition) if isinstance(node, ast.expr) and hasattr(node, "lineno")), 0
    )


def _read_function(context: Context, words: Words, declared: tuple[str, ...], borne: tuple[str, ...]) -> ProofFunction:
    """Return what a sheet says of a function that declares rules."""
    function = context.function
    assert function is not None
    wording = Wording(context, words)
    return ProofFunction(
        declared,
        borne,
        phrases.summary_of(ast.get_docstring(function) or ""),
        tuple(wording.list_read()),
        wording.read_function(),
        tuple(_name_unread(fact, _place_of(context)) for fact in wording.facts),
        _place_of(context),
    )


def _place_of(context: Context) -> str:
    assert context.function is not None
    return f"{context.function.name} ({context.module.path}:{context.function.lineno})"


# --- sentences --------------------------------------------------------------------------------------------------------


def _say_sentence(says: ast.expr, context: Context) -> str:
    """Return the sentence of a clause, or its alternatives with strokes between, or "" if it has none."""
    texts = [text for text in _list_texts(says, context) if _SENTENCE.search(text)]
    return " / ".join(dict.fromkeys(map(_show_figures, texts)))


def _show_figures(text: str) -> str:
    text = _OPTIONAL.sub(_show_choice, text)
    return " ".join(_FIGURE.sub(lambda match: f"{{{match[1].replace('_', ' ')}}}", text).split())


def _show_choice(match: re.Match[str]) -> str:
    """Return a part of a sentence with the figure on which it is said."""
    otherwise = f"; otherwise: {match[3].strip(' ,;:')}" if match[3] and match[3].strip() else ""
    return f'[if "{match[1].replace("_", " ")}": {match[2].strip(" ,;:")}{otherwise}]'


def _list_texts(code: ast.expr, context: Context) -> list[str]:
    """Return the texts that some code may be, with a figure for each of its values."""
    match code:
        case ast.Constant(str(text)):
            return [text]
        case ast.JoinedStr(parts):
            return ["".join(_say_part(part) for part in parts)]
        case ast.IfExp(body=body, orelse=orelse):
            return [*_list_texts(body, context), *_list_texts(orelse, context)]
        case ast.BoolOp(values=values):
            return [text for value in values for text in _list_texts(value, context)]
        case ast.BinOp(left, ast.Add(), right):
            return [
                first + second
                for first in _list_texts(left, context) or [_as_figure(left)]
                for second in _list_texts(right, context) or [_as_figure(right)]
            ]
        case ast.Name(name):
            value = _value_of(code, context)
            if value is not code:
                return _list_texts(value, context)
            match context.module.find(name):
                case (module, ast.Assign(value=value)):
                    return _list_texts(value, Context(module, None, None))
        case ast.Attribute():
            match context.find(code):
                case (module, ast.Assign(value=value)):
                    return _list_texts(value, Context(module, None, None))
        case ast.Call(ast.Attribute(ast.Constant(str(text)), "format")):
            return [text]
        case ast.Subscript(ast.Name(name)):
            match context.module.find(name):
                case (
                    module,
                    (ast.Assign(value=ast.Dict(values=values)) | ast.AnnAssign(value=ast.Dict(values=values))),
                ):
                    return [text for value in values for text in _list_texts(value, Context(module, None, None))]
    return []


def _say_part(part: ast.expr) -> str:
    match part:
        case ast.Constant(str(text)):
            return text
        case ast.FormattedValue(value):
            return _as_figure(value)
    return ""


def _as_figure(code: ast.expr) -> str:
    """Return a value in a sentence as a figure: by its name."""
    names = [
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(code)
        if isinstance(node, ast.Name | ast.Attribute)
    ]
    name = names[0] if names else "figure"
    return f"{{{name.lower()}}}"
