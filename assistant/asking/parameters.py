"""The parameters of a question, from JSON values or from typed text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import isfinite
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from ..game.games import Game, find_side
from ..game.turn_record import list_people, read_calendar
from ..util.errors import InputError, format_suggestion
from ..util.notes import field_meaning, fields_of, hints_of, kinds_named, listed_once
from ..util.texts import names_short_for, natural
from .asks import Ask
from .question import WAY, P, Question, Single
from .report import MissingFacts
from .view import View

FLAG_WORDS = ("yes", "no")
"""The words offered for a parameter that is yes or no."""
YES_OR_NO = {"yes": True, "no": False, "true": True, "false": False}
"""The words understood for a parameter that is yes or no."""


class ParameterError(InputError):
    """A parameter that is not allowed. `name`: the parameter as typed."""

    def __init__(self, name: str, error: InputError) -> None:
        super().__init__(f"{name.replace('_', '-')}: {error.what}", where=error.where, hint=error.hint)
        self.name = name


def read_parameters(question: Question[P, Any], view: View, given: Mapping[str, object]) -> P:
    """Return the parameters of a question from JSON values or from typed text (lists separated by commas).

    Raises ParameterError for an unknown parameter or unit, a bad value, and a hex off the map; also if a list other
    than a `Way` names a hex or unit twice. Raises MissingFacts if a required parameter is not given.
    """
    types = hints_of(question.parameters)
    fields = {field.encode_name.replace("_", "-"): field for field in fields_of(question.parameters)}
    values: dict[str, Any] = {}
    for typed, value in given.items():
        name = typed.replace("_", "-")
        if name not in fields:
            raise ParameterError(
                typed,
                InputError(
                    f"{question.name} has no such parameter",
                    hint=format_suggestion(name, {**fields, **(question.answers or {})}),
                ),
            )
        kind = types[fields[name].name]
        if isinstance(value, str) and _is_list(kind):
            value = [part.strip() for part in value.split(",") if part.strip()]
        try:
            if isinstance(value, str) and value.casefold() in YES_OR_NO and bool in _list_alternatives(kind):
                value = YES_OR_NO[value.casefold()]
            if isinstance(value, str) and _is_signed(kind) and natural(value.removeprefix("+")) is not None:
                value = value.removeprefix("+")
            value = msgspec.convert(value, kind, strict=False)
            _refuse_several(kind, value, view)
            values[fields[name].encode_name] = _resolve_names(kind, value, view)
            _check_decoys(kind, values[fields[name].encode_name], view)
        except (msgspec.ValidationError, InputError) as error:
            if isinstance(error, msgspec.ValidationError):
                error = InputError(f"{value!r} is not allowed", hint=_format_allowed(kind) or str(error))
            raise ParameterError(typed, error) from None
    missing = list[Ask]()
    for name, field in fields.items():
        if field.required and field.encode_name not in values:
            kind = types[field.name]
            how = f"{name}={_format_placeholder(kind)}"
            takes = " / ".join(_list_words(kind) or _list_powers(kind, view.game))
            missing.append(Ask(kind="parameter", name=name, rule="", title=name, how=how, takes=takes))
    if missing:
        raise MissingFacts(missing)
    return msgspec.convert(values, question.parameters)


def format_parameters(parameters: Mapping[str, object]) -> str:
    """Return parameters as typed after a question."""
    typed = {
        name: ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
        for name, value in parameters.items()
    }
    return " ".join(f"{name}={value}" for name, value in typed.items())


def _format_placeholder(kind: Any) -> str:
    meaning = field_meaning(kind)
    return f"<{meaning}>" if meaning else "..."


def _format_allowed(kind: Any) -> str:
    if words := _list_words(kind):
        return f"allowed: {', '.join(words)}"
    if bool in _list_alternatives(kind):
        return "allowed: yes or no"
    numbers = {int: "allowed: a whole number", float: "allowed: a number"}
    ends = [(meta.ge, meta.le) for meta in get_args(kind) if isinstance(meta, msgspec.Meta)]
    bounds = next((f" from {minimum} to {maximum}" for minimum, maximum in ends if None not in (minimum, maximum)), "")
    return next((numbers[type_] + bounds for type_ in _list_alternatives(kind) if type_ in numbers), "")


def list_parameter_words(question: Question[Any, Any], game: Game | None = None) -> dict[str, tuple[str, ...]]:
    """Return the words that each parameter of a question allows, or () for a parameter with other values.

    `game`: the game whose sides and nations are allowed, or None.
    """
    types = hints_of(question.parameters)
    own = _list_own_words(question.parameters)
    return {
        field.encode_name.replace("_", "-"): own[field.name] or (_list_powers(types[field.name], game) if game else ())
        for field in fields_of(question.parameters)
    }


@listed_once
def _list_own_words(parameters: Any) -> Mapping[str, tuple[str, ...]]:
    hints = hints_of(parameters).items()
    return {
        name: FLAG_WORDS if bool in _list_alternatives(hint) and not _list_words(hint) else tuple(_list_words(hint))
        for name, hint in hints
    }


Takes = Literal["flag", "number", "word", "hex", "unit", "side", "nation", "text"]
"""The kind of value that a parameter takes: `flag` is yes or no, `word` one of a list, `text` any text."""


class FormField(msgspec.Struct, frozen=True):
    """A parameter as a field of a form."""

    name: str
    meaning: str
    takes: Takes
    many: bool
    """Whether the field accepts a list of values."""
    needed: bool
    """Whether the question cannot be asked without it."""
    words: tuple[str, ...]
    """The words allowed as the value, or () if the parameter takes other values."""


def list_form_fields(question: Question[Any, Any], game: Game) -> tuple[FormField, ...]:
    """Return the parameters of a question as the fields of a form."""
    types = hints_of(question.parameters)
    words = list_parameter_words(question, game)
    form = list[FormField]()
    for field in fields_of(question.parameters):
        name = field.encode_name.replace("_", "-")
        kind = types[field.name]
        takes = _find_kind(kind, words[name])
        form.append(FormField(name, field_meaning(kind), takes, _is_list(kind), field.required, words[name]))
    return tuple(form)


def _find_kind(kind: Any, words: Collection[str]) -> Takes:
    by_mark: Mapping[str, Takes] = {"place": "hex", "unit": "unit", "side": "side", "nation": "nation"}
    marks = kinds_named(kind)
    for mark, takes in by_mark.items():
        if mark in marks:
            return takes
    if bool in _list_alternatives(kind):
        return "flag"
    if words:
        return "word"
    return "number" if {int, float}.intersection(_list_alternatives(kind)) else "text"


def _list_powers(kind: Any, game: Game) -> tuple[str, ...]:
    marks = kinds_named(kind)
    sides = game.file.sides
    powers: list[str] = []
    if "side" in marks:
        powers += sides
    if "nation" in marks:
        powers += [nation for nations in sides.values() for nation in nations]
    return tuple(dict.fromkeys(powers))


def _list_words(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return [str(word) for word in get_args(kind)]
    return [word for part in get_args(kind) for word in _list_words(part)]


def _list_alternatives(kind: Any) -> tuple[Any, ...]:
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def _is_signed(kind: Any) -> bool:
    if get_origin(kind) is Annotated:
        first, *notes = get_args(kind)
        bounds = [note.ge if note.ge is not None else note.gt for note in notes if isinstance(note, msgspec.Meta)]
        return _is_signed(first) and not any(bound is not None and bound >= 0 for bound in bounds)
    return int in _list_alternatives(kind)


def takes_list(question: Question[Any, Any], name: str) -> bool:
    """Return whether a parameter of a question takes several values."""
    return _is_list(hints_of(question.parameters)[name])


def _is_list(kind: Any) -> bool:
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return get_origin(kind) in (tuple, list) or any(_is_list(part) for part in get_args(kind) if part is not type(None))


def _refuse_several(kind: Any, value: Any, view: View) -> None:
    """Raise InputError for several units in a parameter that takes one, with the reason from `Single`, if any."""
    if not isinstance(value, str) or "," not in value or "unit" not in kinds_named(kind):
        return
    known = {name.casefold() for name in view.state.units}
    names = [name.strip() for name in value.split(",")]
    if value.casefold() not in known and all(name.casefold() in known for name in names):
        reasons = [part.why for part in _list_marks(kind) if isinstance(part, Single)]
        raise InputError(
            reasons[0] if reasons else "only one unit may be named", hint=f"name one of {', '.join(names)}"
        )


def _list_marks(kind: Any) -> tuple[Any, ...]:
    return get_args(kind)[1:] if get_origin(kind) is Annotated else ()


def _resolve_names(kind: Any, value: Any, view: View) -> Any:
    """Return the value with the regular names of all places, units, sides, nations and turns in it.

    Raises InputError for an unknown name, a name that is given twice, and an infinite number.
    """
    marks = kinds_named(kind)
    if isinstance(value, tuple):
        items = tuple(_resolve_names(kind, item, view) for item in value)
        if marks and WAY not in marks:
            seen = set()
            for item in items:
                if item in seen:
                    raise InputError(f"{item} is named twice", hint="leave out one of the two")
                seen.add(item)
        return items
    if isinstance(value, float) and not isfinite(value):
        raise InputError(f"{value} is not allowed", hint="allowed: a number")
    if "place" in marks and isinstance(value, str):
        return view.board.place(value)
    if "side" in marks and isinstance(value, str):
        return _find_side(value, view)
    if "unit" in marks and isinstance(value, str):
        return view.game.unit(view.state, value).id  # an unseen unit cannot be named
    if "nation" in marks and isinstance(value, str):
        return _find_nation(value, view)
    if "turn" in marks and isinstance(value, str):
        calendar = read_calendar(view.game)
        return calendar.label(calendar.number(value))
    if "name" in marks and isinstance(value, str):
        return ":".join(_normalize_name(part, view) for part in value.split(":"))
    return value


def _check_decoys(kind: Any, value: Any, view: View) -> None:
    marks = kinds_named(kind)
    if "unit" not in marks or "decoy" in marks or not view.decoys:
        return
    if decoys := sorted(view.decoys.intersection(value if isinstance(value, tuple) else [value])):
        raise InputError(f"{decoys[0]} is a dummy and takes no part in this", hint="leave it out")


def _find_nation(text: str, view: View) -> str:
    from ..game.typed_events import find_named  # loaded late: few parameters are nations or sides

    nations = sorted({nation for nations in view.game.file.sides.values() for nation in nations})
    nation = find_named(view.game, text)
    matches = [nation] if nation in nations else names_short_for(text, nations)
    if len(matches) == 1:
        return matches[0]
    fault = f"{text!r} may mean {' or '.join(matches)}" if matches else f"{view.game.title} has no nation {text!r}"
    raise InputError(fault, hint="type more letters" if matches else format_suggestion(text, nations))


def _normalize_name(text: str, view: View) -> str:
    units = {name.casefold(): name for name in view.state.units}
    return units.get(text.casefold()) or view.board.grid.punctuated(text)


def _find_side(text: str, view: View) -> str:
    from ..game.typed_events import find_named

    if side := find_side(view.game, find_named(view.game, text) or text):
        return side
    known = list_people(view.game)
    raise InputError(f"{view.game.title} has no side {text!r}", hint=format_suggestion(text, known, few=len(known)))
