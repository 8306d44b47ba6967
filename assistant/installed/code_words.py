"""Words in the calls of a game's code that stand for nothing in its files. They fail at their first use, or never and
do nothing; a check finds them before, whether an example comes that way or not.

The code is read, not run: only words that stand in the call itself are seen.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from types import FunctionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from ..game.games import Game
from ..game.rule_index import modules_of, tree_of
from ..state.changes import PLACED
from ..util.errors import InputError, Where, format_suggestion, nearest

READERS = ("facts", "view", "over")
"""What code calls that from which it reads facts."""
OF_FACTS = (
    "amounts",
    "fact",
    "flag",
    "granted",
    "integer",
    "on_front",
    "points",
    "value",
    "word",
    "word_among",
    "words",
)
"""What reads a fact, by the track that its first argument names."""
TRACK_AT = {"changed": 1, "turned_over": 1, "Change": 0, "Gain": 0, "Raise": 0}
"""Which argument of what the assistant offers is a track."""


def word_faults(game: Game) -> Iterator[InputError]:
    """Yield the unknown tracks, charts and rulings that calls name, charts with too few or too many keys, and words
    that what the assistant offers does not take. Raises InputError for a file that is not Python.
    """
    for path, text in modules_of(game.folder):
        tree = tree_of(path, text)
        offered = _find_offered(tree)
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            for fault in (*_find_reader_faults(game, call), *_find_offer_faults(game, call, offered)):
                yield fault.at(Where(path, call.lineno))


def _find_reader_faults(game: Game, call: ast.Call) -> Iterator[InputError]:
    """Yield what is wrong with a call that reads something by name."""
    function = call.func
    reader = getattr(function, "value", None)
    if not isinstance(function, ast.Attribute) or getattr(reader, "attr", getattr(reader, "id", "")) not in READERS:
        return
    if function.attr in OF_FACTS:
        yield from _find_unknown("track", call.args[:1], game.tracks)
    elif function.attr == "ruling":
        yield from _find_unknown("ruling", call.args[:1], game.rulings)
    elif function.attr == "cell":
        yield from _find_unknown("chart", call.args[:1], game.charts)
        chart = game.charts.get(str(_read_text(call.args[0]))) if call.args else None
        starred = any(isinstance(key, ast.Starred) for key in call.args)
        if chart and not starred and len(call.args) - 1 != len(chart.keys):
            hint = f"they are: {', '.join(key.name for key in chart.keys)}"
            yield InputError(f"the chart {chart.name} has {len(chart.keys)} keys, not {len(call.args) - 1}", hint=hint)


def _find_offer_faults(game: Game, call: ast.Call, offered: Mapping[str, object]) -> Iterator[InputError]:
    """Yield what is wrong with a call of what the assistant offers. offered: that, by the names by which the module has
    it.
    """
    name = getattr(call.func, "id", "")
    what = offered.get(name)
    if not isinstance(what, type | FunctionType):
        return
    at = TRACK_AT.get(what.__name__)
    if at is not None:
        yield from _find_unknown("track", call.args[at : at + 1], {*game.tracks, *PLACED})
    for argument, words in _list_words(what).items():
        given = call.args[argument] if isinstance(argument, int) and argument < len(call.args) else None
        named = next((keyword.value for keyword in call.keywords if keyword.arg == argument), given)
        text = _read_text(named)
        if text is not None and text not in words:
            hint = nearest(text, words) or f"known: {', '.join(filter(None, words))}"
            yield InputError(f"{name}: unknown word {text!r}", hint=hint)


def _find_unknown(what: str, named: Collection[ast.AST], known: Collection[str]) -> Iterator[InputError]:
    """Yield the names in arguments that are not known."""
    for node in named:
        if (name := _read_text(node)) is not None and name not in known:
            yield InputError(f"unknown {what} {name!r}", hint=format_suggestion(name, known))


def _read_text(node: ast.AST | None) -> str | None:
    """Return the text that an argument is, None for any other."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _find_offered(tree: ast.Module) -> dict[str, Any]:
    """Return what a module imports from the assistant, by the names by which it has it; nothing of a module that cannot
    be imported, which fails where it is used.
    """
    offered = dict[str, Any]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "assistant" and not node.level:
            with suppress(ImportError):
                module = import_module(str(node.module))
                offered |= {name.asname or name.name: getattr(module, name.name, None) for name in node.names}
    return offered


@cache
def _list_words(what: Any) -> dict[int | str, tuple[str, ...]]:
    """Return the words that the arguments of a function or a class may be, by their place and by their name."""
    try:
        hints = get_type_hints(what)
        taken = signature(what)
    except (NameError, TypeError, ValueError):  # nothing is said of its arguments
        return {}
    words = dict[int | str, tuple[str, ...]]()
    for place, (name, parameter) in enumerate(taken.parameters.items()):
        if get_origin(hint := hints.get(name)) is Literal:
            words[name] = get_args(hint)
            if parameter.kind is not Parameter.KEYWORD_ONLY:
                words[place] = get_args(hint)
    return words
