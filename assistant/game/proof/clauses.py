"""The clauses of a game's rules, and the functions that compute the rules without any.

A clause is code of the form `(holds, rule, sentence)`, or a step or bar of a rule with a sentence, with the conditions
around it. Clauses are read from the sources, so the reader sees the code itself in other words. A sentence, or its
conditions, are left out unless the whole of them reads as English.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy, deepcopy
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ...state.tracks import Track
from ...util.patterns import late_pattern
from ...util.texts import make_plural
from ..rule_index import declared_in, is_under
from . import phrases
from .guards import Guard, Guards, Unshown, find_nodes, parts_of
from .phrases import name_figure
from .sayings import Saying, Unsayable
from .sources import Context, Sources, recall

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_FIGURE = late_pattern(r"{{?(\w+)(?::#([A-Za-z -]+)|[:!][^}]*)?}}?")
"""A figure of a sentence, with its format."""
_CHOICE = late_pattern(r"\[\w+:([^|\]]*)(?:\|([^\]]*))?\]")
"""A part of a sentence that depends on a figure, and its alternative."""
MAX_DEPTH = 3
"""The maximum depth to which called functions are unfolded."""
_SENTENCE = late_pattern(r"\S+ \S+")
_WORD = late_pattern(r"[A-Za-z]{2,}")
MIN_WORDS = 3
"""The minimum number of words of a sentence, with figures in braces and without text in brackets."""
MAX_UNNAMED_FIGURES = 1
"""The maximum number of figures in a sentence without a plain word."""
_TYPING_HINT = late_pattern(r" ?\((?:[^()]*[ (])?(?:ask|state|say|options=)[^()]*\)")
"""The part of a sentence with instructions for typing."""
_UNREADABLE = late_pattern(r"[\[\]=|_`]| [/*+%] |}\w|\bask \w|^\W*$")
"""Signs of a sentence with other placeholders than figures, or with instructions for typing."""
_NO_NOUN = late_pattern(r"\w+s (?:the|how|what|whether|an?|code) |(?:what|how|where|whether|who|all) ", re.IGNORECASE)
"""The beginning of a class summary that does not name an object of the class."""
MAX_KIND_LETTERS = 70
"""The maximum length of a class summary before a method's summary, in letters."""
_RANGE_OF_RULES = late_pattern(r"\bRule:[^\"']* to ")
_RULE = late_pattern(r"(?:[0-9]|[A-Z][A-Za-z-]*/)[\w./+-]*")


class ProofClause(NamedTuple):
    """A clause of a rule."""

    rules: tuple[str, ...]
    """The row of the rule index that it belongs to, or all possible rows."""
    about: str
    """The summary of the function that has the clause."""
    when: tuple[str, ...]
    """All conditions in words, or none if some have no words."""
    unsaid: tuple[tuple[str, int], ...]
    """The modules and lines of the conditions if some have no words."""
    says: tuple[str, ...]
    """The alternatives of its sentence, or none if they do not read as English."""
    place: str
    """The function with its module and line."""
    path: str
    """The path of the module."""
    line: int

    @property
    def rule(self) -> str:
        """The rule under which a sheet shows the clause, or "" if the clause has no sentence or several rows."""
        return self.rules[0] if self.says and len(self.rules) == 1 else ""


class ProofFunction(NamedTuple):
    """A function that declares rules."""

    rules: tuple[str, ...]
    borne: tuple[str, ...]
    """The rows of the rule index under which its clauses are shown."""
    about: str
    place: str


class Proof(NamedTuple):
    """All that a proof sheet shows of a game's code."""

    clauses: tuple[ProofClause, ...]
    functions: tuple[ProofFunction, ...]


def read_proof(folder: Traversable, tracks: Mapping[str, Track], number: str = "") -> Proof:
    """Read the clauses and functions of the rules under a number from the modules of a game's folder.

    Raises InputError if a file is too large or is not Python.
    """
    sources = Sources(folder)
    clauses = list[ProofClause]()
    functions = list[ProofFunction]()
    for module in sources.modules.values():
        if number not in module.text and not _RANGE_OF_RULES.search(module.text):
            continue
        for context in module.list_contexts():
            function = context.function
            assert function is not None
            declared, _ = declared_in(ast.get_docstring(function) or "")
            all_found = [*_list_clauses(context, declared), *(_list_tabled(context) if declared else ())]
            own_clauses = [_read_clause(tracks, each) for each in all_found]
            clauses += (
                clause
                for clause in own_clauses
                if any(is_under(rule, number) and _RULE.fullmatch(rule) for rule in clause.rules)
            )
            if any(is_under(rule, number) for rule in declared):
                borne = tuple(dict.fromkeys(clause.rule for clause in own_clauses if clause.rule))
                functions.append(ProofFunction(declared, borne, _summarize_function(context), context.place))
    return Proof(tuple(clauses), tuple(functions))


class _Found(NamedTuple):
    """A clause in the syntax of a function."""

    node: ast.expr
    rules: tuple[str, ...]
    sentences: tuple[str, ...]
    conditions: tuple[tuple[Context, Guard], ...]
    """The conditions and loops around the clause, each with its function."""
    context: Context


def _list_clauses(context: Context, declared: Sequence[str], depth: int = 0) -> Iterator[_Found]:
    """Yield the clauses of a function whose docstring declares some rules.

    A call that is given one of these rules has the clauses of the called function.
    """
    function = context.function
    assert function is not None
    for node, guards in find_nodes(function.body):
        if not _may_be_clause(node):
            continue
        match node:
            case ast.Tuple([holds, rule, says]):
                own: Guards = () if isinstance(holds, ast.Constant) else (holds,)
                is_pair = False
            case ast.Call(ast.Name(name), [rule, says, *_]) if is_step(name):
                own, is_pair = (), True
            case ast.Call() if depth < MAX_DEPTH:
                around = tuple((context, guard) for guard in guards)
                for found in _unfold_call(node, context, declared, depth):
                    yield found._replace(conditions=(*around, *found.conditions))
                continue
            case _:
                continue
        sentence = _value_of(says, context)
        rules = _name_rules(rule, declared, context, is_pair=is_pair)
        texts = _list_texts(sentence, context)
        if rules and any(map(_SENTENCE.search, texts)):
            replaced = (Unshown(node),) if node in _list_replaced(context) else ()
            conditions = tuple((context, guard) for guard in (*guards, *own, *replaced))
            yield _Found(node, rules, tuple(texts), conditions, context)


def _list_replaced(context: Context) -> set[ast.AST]:
    """Return the code of the values of local names that are given several values."""
    return context.recall("replaced", lambda: _find_replaced(context))


def _find_replaced(context: Context) -> set[ast.AST]:
    function = context.function or ast.Pass()
    names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    several = [values for name in names if len(values := context.values_of(name)) > 1]
    return {node for values in several for value in values for node in ast.walk(value)}


def _list_tabled(context: Context) -> Iterator[_Found]:
    """Yield the bars of a table that a function goes through, each with its rule, its words and its condition."""
    function = context.function
    assert function is not None
    subject = next((argument.arg for argument in context.arguments if argument.arg != "self"), "")
    for node in ast.walk(function):
        match node:
            case ast.Name(name) if name.isupper():
                for row in _rows_of(ast.Name(name), context):
                    match row:
                        case ast.Call(ast.Name(kind), [ast.Constant(str(rule)), ast.Constant(str(says)), decides, *_]):
                            condition = _decided_by(decides, subject)
                            if is_step(kind) and condition is not None:
                                yield _Found(row, (rule,), (f"it {says}",), ((context, condition),), context)


def _rows_of(table: ast.expr, context: Context) -> Iterator[ast.expr]:
    """Yield the rows of a constant table, including rows with names of their own."""
    match context.find(table):
        case (_, ast.Assign(value=ast.Tuple(rows) | ast.List(rows))):
            for row in rows:
                match context.find(row) if isinstance(row, ast.Name) else None:
                    case (_, ast.Assign(value=value)):
                        yield value
                    case _:
                        yield row


def _decided_by(decides: ast.expr, subject: str) -> ast.expr | None:
    """Return the condition by which a row of a table bars a subject, or None if the row has no condition."""
    match decides:
        case ast.Lambda(ast.arguments(args=[argument]), body):
            named = _Filler({argument.arg: ast.copy_location(ast.Name(subject), body)}).visit(deepcopy(body))
            assert isinstance(named, ast.expr)
            return named
        case ast.Call(ast.Name("attrgetter"), [ast.Constant(str(field))]) | ast.Constant(str(field)):
            return ast.copy_location(ast.Attribute(ast.Name(subject), field), decides)
    return None


def is_step(name: str) -> bool:
    """Return whether a function or class makes a step or bar of a rule and a sentence."""
    return name == "step" or name.endswith("Bar")


def _unfold_call(call: ast.Call, context: Context, declared: Sequence[str], depth: int) -> Iterator[_Found]:
    """Yield the clauses that a called function makes of a rule in its arguments."""
    match context.find(call.func):
        case (module, ast.FunctionDef() as function) if bearing := recall(
            module, function, partial(_find_bearing, function)
        ):
            given = _bind_arguments(call, function)
            for name, value in given.items():
                if name not in bearing:
                    continue
                if rules := tuple(dict.fromkeys(_name_rules(value, declared, context, is_pair=True))):
                    filled = _fill_in(function, {**given, name: ast.copy_location(ast.Constant(rules[0]), value)})
                    found = _list_clauses(Context(module, None, filled), rules[:1], depth + 1)
                    yield from (each._replace(rules=rules) for each in found if each.rules == rules[:1])


def _find_bearing(function: ast.FunctionDef) -> set[str]:
    """Return the arguments from which a function takes the rules of its clauses."""
    names = set[str]()
    for node in ast.walk(function):
        match node:
            case ast.Tuple([_, ast.Name(name), _]):
                names.add(name)
            case ast.Call(args=arguments, keywords=keywords):
                values = (*arguments, *(keyword.value for keyword in keywords))
                names |= {value.id for value in values if isinstance(value, ast.Name)}
    return names & {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}


def _bind_arguments(call: ast.Call, function: ast.FunctionDef) -> dict[str, ast.expr]:
    arguments = function.args.args
    defaults = zip(reversed(arguments), reversed(function.args.defaults), strict=False)
    given = {argument.arg: default for argument, default in defaults}
    given |= {argument.arg: value for argument, value in zip(arguments, call.args, strict=False)}
    return given | {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg}


class _Filler(ast.NodeTransformer):
    """A transformer that puts other code in the place of arguments."""

    def __init__(self, constants: Mapping[str, ast.expr]) -> None:
        self._constants = constants

    def visit_Name(self, node: ast.Name) -> ast.expr:
        constant = self._constants.get(node.id) if isinstance(node.ctx, ast.Load) else None
        return ast.copy_location(copy(constant), node) if constant else node


def _fill_in(function: ast.FunctionDef, given: Mapping[str, ast.expr]) -> ast.FunctionDef:
    constants = {name: value for name, value in given.items() if isinstance(value, ast.Constant)}
    filled = _Filler(constants).visit(deepcopy(function))
    assert isinstance(filled, ast.FunctionDef)
    return filled


def _name_rules(rule: ast.expr, declared: Sequence[str], context: Context, *, is_pair: bool) -> tuple[str, ...]:
    """Return the rows for a clause, or () if the code is not a clause.

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


def _may_be_clause(code: ast.AST) -> bool:
    """Return whether some code may make a clause, itself or by what it calls."""
    match code:
        case ast.Tuple(elts, ast.Load()):
            return len(elts) == 3
        case ast.Call(ast.Name(name), [_, _, *_]) if is_step(name):
            return True
        case ast.Call(args=arguments, keywords=keywords):
            return any(map(_may_be_rule, (*arguments, *(keyword.value for keyword in keywords))))
    return False


def _may_be_rule(code: ast.expr) -> bool:
    match code:
        case ast.Constant(str(text)):
            return _RULE.fullmatch(text) is not None
        case ast.Name(name):
            return name == "rule"
    return False


def _value_of(code: ast.expr, context: Context) -> ast.expr:
    if not isinstance(code, ast.Name):
        return code
    given = [value for value in context.values_of(code.id) if value.lineno < code.lineno]
    return given[-1] if given else code


def _read_clause(tracks: Mapping[str, Track], found: _Found) -> ProofClause:
    says = tuple(dict.fromkeys(show_figures(text) for each in found.sentences for text in _list_choices(each)))
    conditions = [
        (context, part)
        for context, guard in found.conditions
        for part in ((guard,) if isinstance(guard, ast.comprehension) else parts_of(guard))
    ]
    when = _say_conditions(tracks, conditions)
    return ProofClause(
        found.rules,
        _summarize_function(found.context),
        when or (),
        tuple(
            dict.fromkeys((context.module.path, condition_line(part)) for context, part in conditions)
            if when is None
            else ()
        ),
        says if all(map(is_readable, says)) else (),
        found.context.place,
        found.context.module.path,
        found.node.lineno,
    )


def _say_conditions(tracks: Mapping[str, Track], conditions: Iterable[tuple[Context, Guard]]) -> tuple[str, ...] | None:
    sayings = dict[Context, Saying]()
    when = dict[str, None]()
    try:
        for context, part in conditions:
            when |= dict.fromkeys(sayings.setdefault(context, Saying(context, tracks)).say(part))
    except Unsayable:
        return None
    return tuple(when)


def is_readable(sentence: str) -> bool:
    """Return whether a sentence with its figures in braces reads as English."""
    figures = [figure for figure in re.findall(r"{[^}]*}", sentence) if figure != "{number}"]
    words = _WORD.findall(re.sub(r"{[^}]*}|\([^)]*\)", "", sentence))
    return (
        len(words) > 1
        and len(words) + len(figures) >= MIN_WORDS
        and not _UNREADABLE.search(sentence)
        and len({*figures}) == len(figures)
        and sentence.count("…") <= MAX_UNNAMED_FIGURES
    )


def _summarize_function(context: Context) -> str:
    assert context.function is not None
    said = phrases.summary_of(ast.get_docstring(context.function) or "")
    said = phrases.lower_first(phrases.drop_codes(said))
    kind = phrases.core_of(phrases.summary_of(ast.get_docstring(context.owner.tree) or "")) if context.owner else ""
    is_told = phrases.is_whole(kind) and len(kind) <= MAX_KIND_LETTERS and not _NO_NOUN.match(kind)
    return f"for {phrases.lower_first(kind)}: {said}" if is_told else said


def condition_line(condition: Guard) -> int:
    """Return the line of a condition."""
    return next(
        (node.lineno for node in ast.walk(condition) if isinstance(node, ast.expr) and hasattr(node, "lineno")), 0
    )


# --- sentences --------------------------------------------------------------------------------------------------------


def _list_choices(text: str) -> Iterator[str]:
    match _CHOICE.findall(text):
        case [(part, other)]:
            yield _CHOICE.sub(lambda _: part, text)
            yield _CHOICE.sub(lambda _: other, text)
        case _:
            yield text


def show_figures(text: str) -> str:
    """Return a sentence with its figures in braces, without instructions for typing."""
    shown = _FIGURE.sub(_show_figure, _TYPING_HINT.sub("", text))
    return " ".join(shown.split()).removesuffix(":")


def _show_figure(figure: re.Match[str]) -> str:
    """Return the placeholder for a figure, such as `{number} hexes`, or dots if the figure has no plain name."""
    if figure[2]:
        return f"{{number}} {make_plural(figure[2])}"
    said = name_figure(figure[1])
    return f"{{{said}}}" if said else "…"


def _list_texts(code: ast.expr, context: Context) -> list[str]:
    """Return the possible texts of some code, with a figure for each of its values."""
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
        case ast.Constant(str(text)) | ast.FormattedValue(ast.Constant(str(text))):
            return text
        case ast.FormattedValue(value):
            return _as_figure(value)
    return ""


def _as_figure(code: ast.expr) -> str:
    names = [
        node.attr if isinstance(node, ast.Attribute) else node.id
        for node in ast.walk(code)
        if isinstance(node, ast.Name | ast.Attribute)
    ]
    return f"{{{names[0].lower() if names else 'figure'}}}"
