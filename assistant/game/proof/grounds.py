"""What a phrase rests on: how a function works out what it returns."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from .names import Names, is_fact
from .sources import Context, Member, Type
from .words import ProofFact, Unsayable

MAX_DEPTH = 4
"""The maximum number of functions that are read one within another."""
MAX_READ = 260
"""The maximum length of how a fact is read, in letters; a longer one is named by its function alone."""


class Grounds(Names):
    """What a phrase rests on: how a function works out what it returns."""

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
        wording = type(self)(context, self._words, facts, (*self._seen, key))
        returns = context.function.returns
        is_bool = is_fact(context.function) or (returns is not None and Type(returns, context.module).name == "bool")
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
