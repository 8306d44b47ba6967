"""The proof sheet of a game: each clause of its rules as the code has it, for a reader with the rulebook who does not program:
what it says and when, and how each fact in it is read.

A clause is what code gives as `(holds, rule, sentence)`. It is read from the sources, so that nothing stands between them and the
reader but names written out; a name is explained only where it is certain what it stands for.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib.resources.abc import Traversable
from typing import NamedTuple

from ..util.patterns import late_pattern
from .rule_index import RuleRow, declared_in, is_under, modules_of, tree_of
from .rulings import Ruling

_SIGNS = (
    (r"\bself\.(view\.|facts\.)?", ""),
    (r"\b(facts|view|it)\.", ""),
    (r" == ", " is "),
    (r" != ", " is not "),
    (r" >= ", " at least "),
    (r" <= ", " at most "),
    (r" > ", " more than "),
    (r" < ", " less than "),
    (r" not in ", " is not among "),
    (r"(?<!for \w) in ", " among "),
    (r" \| ", " or "),
    (r" & ", " shared with "),
    (r" // ", " divided, rounded down, by "),
    (r"(?<=\w)_(?=\w)", " "),
    (r"(?<![\w'])_(?=\w)", ""),
)
"""The signs of Python in words, in the order in which they are replaced."""
_OPPOSITES: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}
_FIGURE = late_pattern(r"{(\w+):[^}]*}")
"""A figure of a sentence with how it is said."""
_SENTENCE = late_pattern(r"\S+ \S+")
_RULE = late_pattern(r"[0-9A-Z][\w./+-]*")
LONG_CODE = 400
"""Code of this many letters or more is not written out."""


class ProofFact(NamedTuple):
    """A fact that a clause turns on."""

    name: str
    means: str
    """What it says, "" for what its name says."""
    read: str
    """How the code reads it."""


class ProofClause(NamedTuple):
    """A clause of a rule."""

    rules: tuple[str, ...]
    """Its rule, or all those of its function where it takes its rule from elsewhere; and those of its function that no
    clause bears.
    """
    bears: tuple[str, ...]
    """Of these its own."""
    about: str
    """What the function says of itself that has the clause."""
    when: str
    """When it holds."""
    says: str
    facts: tuple[ProofFact, ...]
    """Those that it names, and those that they are read from."""
    place: str
    """Its module and line."""


class _Context(NamedTuple):
    """Where names stand: a function of a module or of a class."""

    module: _Module
    owner: _Class | None
    """The class whose `self` it is."""
    function: ast.FunctionDef | None


class _Class(NamedTuple):
    """A class of a module."""

    module: _Module
    tree: ast.ClassDef


class _Explained(NamedTuple):
    """What a name stands for: what the sheet says of it, its code, and where that stands."""

    fact: ProofFact
    code: tuple[ast.AST, ...]
    context: _Context


class _Module:
    """A module: what its names stand for. path, text: of its file; others: all modules of the game by their paths."""

    def __init__(self, path: str, text: str, others: Mapping[str, _Module]) -> None:
        self.path = path
        self._text = text
        self._others = others

    @cached_property
    def tree(self) -> ast.Module:
        """What it says. Raises InputError for what is not Python."""
        return tree_of(self.path, self._text)

    @cached_property
    def _defined(self) -> dict[str, ast.stmt]:
        """Its functions, classes and constants."""
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
        """The names that it imports from modules of the game, each with the path of the module and its name there."""
        imported = dict[str, tuple[str, str]]()
        folders = self.path.split("/")[:-1]
        for node in ast.walk(self.tree):
            if isinstance(node, ast.ImportFrom) and node.level:
                up = folders[: len(folders) - node.level + 1]
                path = "/".join([*up, *(node.module or "").split(".")]) + ".py"
                imported |= {name.asname or name.name: (path, name.name) for name in node.names}
        return imported

    def find(self, name: str) -> tuple[_Module, ast.stmt] | None:
        """Return what defines a name, here or where it is imported from; None for what is not of the game."""
        if name in self._defined:
            return self, self._defined[name]
        path, named = self._imported.get(name, ("", ""))
        return self._others[path].find(named) if path in self._others else None

    def find_class(self, name: str) -> _Class | None:
        """Return a class by its name here."""
        match self.find(name):
            case (module, ast.ClassDef() as tree):
                return _Class(module, tree)
        return None


def proof_sheet(folder: Traversable, rulings: Mapping[str, Ruling], number: str = "") -> Iterator[ProofClause]:
    """Yield the clauses of the rules under a number, as the modules of a game's folder have them, in the order of their places.
    Raises InputError for a file that is too large, or is not Python.
    """
    modules = dict[str, _Module]()
    for path, text in modules_of(folder):
        modules[path] = _Module(path, text, modules)
    for module in modules.values():
        for context in _list_contexts(module):
            yield from _list_clauses(context, rulings, number)


def _list_contexts(module: _Module) -> Iterator[_Context]:
    """Yield the functions of a module and of its classes."""
    for node in module.tree.body:
        match node:
            case ast.FunctionDef():
                yield _Context(module, None, node)
            case ast.ClassDef(body=body):
                owner = _Class(module, node)
                yield from (_Context(module, owner, method) for method in body if isinstance(method, ast.FunctionDef))


def _list_clauses(context: _Context, rulings: Mapping[str, Ruling], number: str) -> Iterator[ProofClause]:
    """Yield the clauses of a function for rules under a number."""
    function = context.function
    assert function is not None
    declared, _ = declared_in(ast.get_docstring(function) or "")
    clauses = [*_find_clauses(function.body, ())]
    others = _find_unborne([clause for clause, _ in clauses], declared)
    for clause, guards in clauses:
        holds, rule, says = clause.elts
        said = _value_of(says, function, clause.lineno)
        sentence = _say_sentence(said)
        named = name_rows(str(rule.value), declared) if isinstance(rule, ast.Constant) else declared
        if isinstance(rule, ast.Constant) and isinstance(said, ast.Constant) and {*named} <= {*declared}:
            sentence = sentence or str(said.value)  # a single word
        rows = tuple(dict.fromkeys((*named, *others)))
        wanted = any(is_under(each, number) and _RULE.fullmatch(each) for each in rows)
        if not (sentence and wanted) or isinstance(holds, ast.Tuple):
            continue
        parts = [*guards, *([] if isinstance(holds, ast.Constant) else [holds])]
        facts = _explain(parts, context)
        facts += _find_rulings([*map(ast.unparse, parts), *(fact.read for fact in facts)], rulings)
        place = f"{context.module.path}:{clause.lineno}"
        yield ProofClause(rows, named, _first_sentence(function), _say_condition(parts), sentence, tuple(facts), place)


def name_rows(rule: str, declared: Sequence[str]) -> tuple[str, ...]:
    """Return the rows of a clause: where its function declares none of its rule but some of its parts, such as 8.2.3b for
    8.2.3 and 6.1/stacks for 6.1, these. declared: by its function.
    """
    parts = tuple(row for row in declared if re.fullmatch(rf"{re.escape(rule)}([a-z]|/.+)", row))
    return (rule,) if rule in declared else parts or (rule,)


def _find_unborne(clauses: Sequence[ast.Tuple], declared: Sequence[str]) -> tuple[str, ...]:
    """Return the rows that a function declares and none of its clauses bears, as each says the same as another or follows
    from several: they have all of its clauses.
    """
    named = [str(clause.elts[1].value) for clause in clauses if isinstance(clause.elts[1], ast.Constant)]
    borne = {row for rule in named for row in name_rows(rule, declared)}
    return tuple(row for row in declared if row not in borne)


def _find_clauses(
    body: Sequence[ast.stmt], guards: tuple[ast.AST, ...]
) -> Iterator[tuple[ast.Tuple, tuple[ast.AST, ...]]]:
    """Yield the tuples of three in some statements that may be clauses, each with the conditions and loops around it."""
    for node in body:
        match node:
            case ast.If(test, inner, otherwise):
                yield from _find_clauses(inner, (*guards, test))
                opposite = ast.UnaryOp(ast.Not(), test)
                yield from _find_clauses(otherwise, (*guards, opposite))
                if not otherwise and isinstance(inner[-1], ast.Return | ast.Continue | ast.Raise):
                    guards = (*guards, opposite)
            case ast.For(target, each, inner):
                yield from _find_clauses(inner, (*guards, ast.comprehension(target, each, [], 0)))
            case ast.With(body=inner) | ast.Try(body=inner):
                yield from _find_clauses(inner, guards)
            case ast.FunctionDef():
                continue
            case _:
                for part in ast.walk(node):
                    if isinstance(part, ast.Tuple) and len(part.elts) == 3 and isinstance(part.ctx, ast.Load):
                        yield part, guards


def _value_of(expression: ast.expr, function: ast.FunctionDef, line: int) -> ast.expr:
    """Return what a name in a function stands for at a line, as it was last given; anything else as it is."""
    if not isinstance(expression, ast.Name):
        return expression
    given = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and node.lineno < line and ast.unparse(node.targets[0]) == expression.id
    ]
    return max(given, key=lambda value: value.lineno, default=expression)


# --- what a name stands for -------------------------------------------------------------------------------------------


def _explain(code: Iterable[ast.AST], context: _Context) -> list[ProofFact]:
    """Return what some code names, and what that is read from, each once, in the order in which it is named."""
    found = dict[ProofFact, None]()
    waiting = [(part, context) for part in code]
    while waiting:
        part, within = waiting.pop(0)
        for explained in _list_named(part, within):
            if explained.fact not in found and (explained.fact.means or explained.fact.read):
                found[explained.fact] = None
                waiting += [(code, explained.context) for code in explained.code]
    return [*found]


def _list_named(part: ast.AST, context: _Context) -> Iterator[_Explained]:
    """Yield what the names in some code stand for, in its order."""
    nodes = [node for node in ast.walk(part) if isinstance(node, ast.Name | ast.Attribute)]
    nodes.sort(key=lambda node: (getattr(node, "end_lineno", 0), getattr(node, "end_col_offset", 0)))
    for node in nodes:
        match node:
            case ast.Attribute(ast.Name(base), attribute):
                if owner := _class_of(base, context):
                    yield from _explain_member(owner, attribute)
            case ast.Name(name):
                yield from _explain_name(name, context)


def _class_of(name: str, context: _Context) -> _Class | None:
    """Return the class of which a name is one: `self`, or an argument that is annotated so."""
    function = context.function
    if name == "self":
        return context.owner
    arguments = [*function.args.args, *function.args.kwonlyargs] if function else []
    for argument in arguments:
        if argument.arg == name and isinstance(argument.annotation, ast.Name):
            return context.module.find_class(argument.annotation.id)
    return None


def _explain_member(owner: _Class, name: str, of: _Class | None = None) -> Iterator[_Explained]:
    """Yield what a method or field of a class says, as it or the first of its bases has it that does. of: the class of whose
    `self` it is, if another.
    """
    of = of or owner
    after: ast.stmt | None
    for node, after in zip(owner.tree.body, [*owner.tree.body[1:], None], strict=True):
        match node:
            case ast.FunctionDef() if node.name == name:
                yield _explain_function(node, _Context(owner.module, of, node))
                return
            case ast.AnnAssign(ast.Name(field)) | ast.Assign([ast.Name(field)]) if field == name:
                means = _describe_field(node, after)
                value = ast.unparse(node.value) if node.value and not means else ""
                yield _Explained(
                    ProofFact(_say_name(name), means, _say_if_short(value)), (), _Context(owner.module, of, None)
                )
                return
    for base in owner.tree.bases:
        found = owner.module.find_class(base.id) if isinstance(base, ast.Name) else None
        if found and (explained := [*_explain_member(found, name, of)]):
            yield from explained
            return


def _explain_name(name: str, context: _Context) -> Iterator[_Explained]:
    """Yield what a name stands for: a value in the function, a function or a constant."""
    function = context.function
    if function is not None:
        bound = {argument.arg for argument in [*function.args.args, *function.args.kwonlyargs]}
        given = [
            node for node in ast.walk(function) if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
        ]
        for node in given:
            if read := _say_if_short(ast.unparse(_plain(node.value))):
                yield _Explained(ProofFact(_say_name(name), "", read), (node.value,), context)
        if given or name in bound:
            return
    match context.module.find(name):
        case (module, ast.FunctionDef() as tree):
            explained = _explain_function(tree, _Context(module, None, tree))
            if module is not context.module:  # of another chapter, which has its own sheet
                explained = explained._replace(fact=explained.fact._replace(read=""), code=())
            yield explained
        case (module, ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value)) if name.isupper():
            if read := _say_if_short(ast.unparse(_plain(value))):
                yield _Explained(ProofFact(_say_name(name), "", read), (value,), _Context(module, None, None))


def _explain_function(tree: ast.FunctionDef, context: _Context) -> _Explained:
    """Return what a function says of itself, and how it reads what it returns."""
    body = [line for line in tree.body if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant))]
    read = _say_if_short("; ".join(ast.unparse(_plain(line)).removeprefix("return ") for line in body))
    fact = ProofFact(_say_name(tree.name), _first_sentence(tree), read)
    return _Explained(fact, tuple(body) if read else (), context)


def _describe_field(field: ast.AnnAssign | ast.Assign, after: ast.stmt | None) -> str:
    """Return what a field says of itself: in a note, or in the text behind it. after: the statement behind it."""
    for part in ast.walk(field):
        match part:
            case ast.Call(ast.Name("note"), [ast.Constant(str(text)), *_]):
                return text
    match after:
        case ast.Expr(ast.Constant(str(text))):
            return text
    return ""


def _find_rulings(texts: Iterable[str], rulings: Mapping[str, Ruling]) -> Iterator[ProofFact]:
    """Yield the rulings that some code reads: their readings, and the one that is taken."""
    for name in dict.fromkeys(re.findall(r"ruling\('([\w-]+)'", " ".join(texts))):
        if ruling := rulings.get(name):
            readings = "; ".join(f"{reading}: {meaning}" for reading, meaning in ruling.readings.items())
            yield ProofFact(f"ruling {name}", f"{ruling.doubt}? Readings: {readings}. Taken: {ruling.default}", "")


# --- words ------------------------------------------------------------------------------------------------------------


class _Plain(ast.NodeTransformer):
    """Writes an expression as a player would say it: no `not` before a comparison, no `bool`, no half-open range."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Return a negated comparison as its opposite."""
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.Not(), ast.Compare(left, [op], right)):
                return ast.Compare(left, [_OPPOSITES[type(op)]()], right)
            case ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), operand)):
                return operand
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Return a truth value as what it is of, and a range by its first and last number."""
        self.generic_visit(node)
        match node:
            case ast.Call(ast.Name("bool"), [operand]):
                return operand
            case ast.Call(ast.Name("range"), [ast.Constant(int(first)), ast.Constant(int(end))]):
                return ast.Name(f"{first}_to_{end - 1}")
        return node


def _plain(code: ast.AST) -> ast.AST:
    plain: ast.AST = _Plain().visit(copy.deepcopy(code))
    return plain


def say_code(code: str) -> str:
    """Return an expression of Python with its signs and names in words."""
    for sign, words in _SIGNS:
        code = re.sub(sign, words, code)
    return code


def _say_condition(parts: Sequence[ast.AST]) -> str:
    """Return when a clause holds: the loops and conditions around it, and its own."""
    said = list[str]()
    for part in parts:
        if isinstance(part, ast.comprehension):
            said.append(f"for each {ast.unparse(part.target)} of {ast.unparse(_plain(part.iter))}:")
        else:
            plain = _plain(part)
            text = ast.unparse(plain)
            alone = len(parts) == 1 or not (isinstance(plain, ast.BoolOp) and isinstance(plain.op, ast.Or))
            said.append(f"{text if alone else f'({text})'} and")
    return say_code(" ".join(said).removesuffix(" and").removesuffix(":")) or "always"


def _say_sentence(says: ast.expr) -> str:
    """Return the sentence of a clause, of several those that it may be."""
    texts = [part.value for part in ast.walk(says) if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    return " / ".join(_FIGURE.sub(r"{\1}", text) for text in texts if _SENTENCE.search(text))


def _say_name(name: str) -> str:
    return name.lstrip("_").replace("_", " ")


def _say_if_short(code: str) -> str:
    return say_code(" ".join(code.split())) if len(code) < LONG_CODE else ""


def _first_sentence(node: ast.FunctionDef) -> str:
    """Return the first sentence of what a function says of itself."""
    text = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
    return re.split(r"(?<=\.) (?=[A-Z])", text)[0].removeprefix("Return ").removeprefix("Yield ")


def write_proof(clauses: Iterable[ProofClause], rows: Iterable[RuleRow], number: str = "") -> Iterator[str]:
    """Yield the lines of a proof sheet: the rules under a number in the order of the rulebook, each with its clauses, and
    below them the facts that these turn on; then clauses whose rule is no row, and the rows that have
    none. rows: those of the rule index.
    """
    by_rule = dict[str, list[ProofClause]]()
    for clause in clauses:
        for rule in clause.rules:
            by_rule.setdefault(rule, []).append(clause)
    others = list[RuleRow]()
    rows = [*rows]
    known = {row.rule for row in rows}
    for row in rows:
        if not is_under(row.rule, number):
            continue
        if row.rule in by_rule:
            yield f"{row.rule}  {row.title}"
            yield from (*_write_clauses(by_rule[row.rule], row.rule), "")
        else:
            others.append(row)
    for rule, its_clauses in by_rule.items():
        unlisted = [clause for clause in its_clauses if known.isdisjoint(clause.rules)]
        if unlisted and is_under(rule, number):
            yield f"{rule}  (no row of the rule index)"
            yield from (*_write_clauses(unlisted, rule), "")
    if by_rule and others:
        yield "Not on this sheet, as no clause permits or forbids there:"
        yield from (f"  {row.rule}  {row.title}: {row.left or '; '.join(row.code[:2])}" for row in others)


def _write_clauses(clauses: Iterable[ProofClause], rule: str) -> Iterator[str]:
    """Yield the lines of the clauses of one rule; of one that bears the number of another rule, with that."""
    facts = dict[ProofFact, None]()
    about = ""
    for clause in clauses:
        if clause.about != about:
            about = clause.about
            yield f"  {about} ({clause.place})"
        yield f"    when {clause.when}"
        bears = "" if rule in clause.bears else f" by {clause.bears[0]}"
        yield f"       says{bears}: {clause.says}"
        facts |= dict.fromkeys(clause.facts)
    if facts:
        yield "    where"
    for fact in facts:
        yield f"       {fact.name}: {fact.means or fact.read}"
        if fact.means and fact.read:
            yield f"          read as: {fact.read}"
