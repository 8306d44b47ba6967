"""The functions of the core that do the work of a game's rules: those that a function which declares rules calls or takes, those to which one is
handed over, and what these call in their own modules."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from .credited import Function, Names, all_functions, found

LAYERS = ("field", "mechanics", "readymade")
"""The packages of the core that do a rule's work; the others read, word and draw for all rules alike."""


def core_functions(every: Iterable[Function], core: Path) -> Iterator[Function]:
    """The functions of the core behind the rules of a game, each with these rules. every: the functions of the game; core: its folder."""
    every = list(every)
    declaring = {(one.module, one.name): one.rules for one in every if one.rules}
    own = {(one.module, one.name): one for layer in LAYERS for one in all_functions(f"{core.name}.{layer}", core / layer)}
    reached: dict[tuple[str, str], dict[str, None]] = {}

    def note(thing: Any, rules: Iterable[str]) -> bool:
        new = False
        for key in keys_of(thing):
            if key in own:
                known = reached.setdefault(key, {})
                before = len(known)
                known.update(dict.fromkeys(rules))
                new |= len(known) > before
        return new

    for module in {one.module: one.file for one in every}.items():
        for names, tree, rules in scopes(module, every):
            if rules:
                for node in ast.walk(tree):
                    note(names.thing(node), rules)
                continue
            for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
                handed = [names.thing(node) for each in (*call.args, *call.keywords) for node in ast.walk(each)]
                behind = [rule for thing in handed for key in keys_of(thing) for rule in declaring.get(key, ())]
                if behind:
                    note(names.called(call), behind)
    waiting = list(reached)
    while waiting:
        key = waiting.pop()
        names = Names.of(own[key])
        for node in ast.walk(own[key].tree):
            for called in keys_of(names.thing(node)):
                if called[0] == key[0] and note_key(called, reached, own, reached[key]):
                    waiting.append(called)
    for key, rules in reached.items():
        yield own[key]._replace(rules=tuple(rules))


def note_key(key: tuple[str, str], reached: dict[tuple[str, str], dict[str, None]], own: Mapping[tuple[str, str], Function], rules: Iterable[str]) -> bool:
    if key not in own:
        return False
    known = reached.setdefault(key, {})
    before = len(known)
    known.update(dict.fromkeys(rules))
    return len(known) > before


def scopes(module: tuple[str, Path], every: Iterable[Function]) -> Iterator[tuple[Names, ast.AST, tuple[str, ...]]]:
    """Each function of a module, and the module without them, with what its names stand for and the rules that it declares."""
    name, file = module
    for one in every:
        if one.module == name:
            yield Names.of(one), one.tree, one.rules
    tree = ast.parse(file.read_text("utf-8"))
    tree.body = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
    yield Names(vars(importlib.import_module(name))), tree, ()


def keys_of(thing: Any) -> list[tuple[str, str]]:
    """The function that something is, or the methods of the class, as module and name."""
    if isinstance(thing, type):
        return [(thing.__module__, f"{thing.__qualname__}.{name}") for name in vars(thing)]
    return [(thing.__module__, thing.__qualname__)] if isinstance(thing, FunctionType) else []
