"""The functions of the core that do the work of a game's rules: those that a function which declares rules calls or takes, those to which one is
handed over, and what these call in their own modules and those of the same subject."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

from .credited import Function, Names, all_functions

Key = tuple[str, str]
"""The module and the name of a function."""
LAYERS = ("mechanics", "rules")
"""The packages of the core that do a rule's work; the others read, word and draw for all rules alike."""

SUBJECTS = {
    "assistant.rules.retreat_ways": "assistant.rules.retreat",
    "assistant.rules.phase_now": "assistant.rules.turns",
    "assistant.rules.next_phase": "assistant.rules.turns",
}
"""Modules that are parts of the subject of another one."""


def core_functions(every: Iterable[Function], core: Path) -> Iterator[Function]:
    """The functions of the core behind the rules of a game, each with these rules. every: the functions of the game; core: its folder."""
    every = list(every)
    declaring = {(function.module, function.name): function.rules for function in every if function.rules}
    layers = [function for layer in LAYERS for function in all_functions(f"{core.name}.{layer}", core / layer)]
    own = {(function.module, function.name): function for function in layers}
    reached: dict[Key, dict[str, None]] = {}

    def reach(keys: Iterable[Key], rules: Iterable[str]) -> list[Key]:
        """Note that functions do the work of rules; those of which this is new."""
        rules = dict.fromkeys(rules)
        new = [key for key in keys if key in own and not rules.keys() <= reached.get(key, {}).keys()]
        for key in new:
            reached[key] = reached.get(key, {}) | rules
        return new

    for names, tree, rules in scopes(every):
        for node in ast.walk(tree):
            if rules:
                reach(keys_of(names.thing(node)), rules)
            elif isinstance(node, ast.Call):
                handed = (part for each in (*node.args, *node.keywords) for part in ast.walk(each))
                keys = (key for part in handed for key in keys_of(names.thing(part)))
                reach(keys_of(names.thing(node.func)), [rule for key in keys for rule in declaring.get(key, ())])
    waiting = list(reached)
    while waiting:
        key = waiting.pop()
        names = Names.of(own[key])
        within = {called for node in ast.walk(own[key].tree) for called in keys_of(names.thing(node))}
        waiting += reach([called for called in within if subject_of(called) == subject_of(key)], reached[key])
    yield from (function._replace(rules=tuple(reached[key])) for key, function in own.items() if reached.get(key))


def subject_of(key: Key) -> str:
    """The module that stands for the subject of a function's module."""
    return SUBJECTS.get(key[0], key[0])


def scopes(every: Iterable[Function]) -> Iterator[tuple[Names, ast.AST, tuple[str, ...]]]:
    """Each function, and each of their modules without the functions, with what its names stand for and the rules that it declares."""
    yield from ((Names.of(function), function.tree, function.rules) for function in every)
    for name, file in {function.module: function.file for function in every}.items():
        tree = ast.parse(file.read_text("utf-8"))
        tree.body = [node for node in tree.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
        yield Names(vars(importlib.import_module(name))), tree, ()


def keys_of(thing: Any) -> list[Key]:
    """The function that something is, or the methods of the class, as module and name."""
    if isinstance(thing, type):
        return [(thing.__module__, f"{thing.__qualname__}.{name}") for name in vars(thing)]
    return [(thing.__module__, thing.__qualname__)] if isinstance(thing, FunctionType) else []
