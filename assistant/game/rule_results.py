"""The results of a combat table in the usual notation.

`A1` and `D2` are lost steps, `AE` and `DE` eliminations, `AR` and `DR2` retreats; `EX` eliminates the defenders, and the
attacker as many strength points. `A1/D1` joins several.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from ..mechanics.effects import Result
from ..util.errors import InputError
from ..util.patterns import late_pattern
from .charts import Chart

_EFFECT = late_pattern(r"([AD])(E|[1-9]|R([1-9]?))")
_Role = Literal["attacker", "defender"]
_SIDES: Mapping[str, _Role] = {"A": "attacker", "D": "defender"}
OPPONENTS: Mapping[str, _Role] = {"attacker": "defender", "defender": "attacker"}
"""The other side of a combat."""
NO_EFFECT = ("NE", "-", "")
"""The codes of a result without effect."""
EXCHANGE = "EX"
PAY = "pay"
"""The effect by which the attacker of an exchange eliminates units of his choice."""


def read_result(code: str, text: str) -> Result:
    """Return the result of a code from its effects in the usual notation.

    Raises InputError for an effect that is not known, or if both sides retreat.
    """
    effects, said = list[str](), list[str]()
    retreats: _Role | Literal[""] = ""
    hexes = 1
    for word in re.split(r"[\s/,]+", text.strip()):
        if word.upper() in NO_EFFECT:
            continue
        if word.upper() == EXCHANGE:
            effects += ["defender:all", f"attacker:{PAY}"]
            said.append("an exchange")
            continue
        found = _EFFECT.fullmatch(word.upper())
        if not found:
            hint = "write effects as A1, D2, AE, DE, AR, DR2, EX or NE, with blanks between"
            raise InputError(f"{word!r} of the result {code} is not an effect", hint=hint)
        side, does = _SIDES[found[1]], found[2]
        if does == "E":
            effects.append(f"{side}:all")
            said.append(f"the {side} is eliminated")
        elif does.startswith("R"):
            if retreats:
                raise InputError(f"the result {code} has two retreats", hint="name one: AR or DR2")
            retreats, hexes = side, int(found[3] or 1)
            said.append(f"the {side} retreats")
        else:
            effects += [f"{side}:step"] * int(does)
            said.append(f"the {side} loses {'a step' if does == '1' else f'{does} steps'}")
    eliminated = next((effect.partition(":")[0] for effect in effects if effect.endswith(":all")), "")
    pursues: _Role | Literal[""] = "" if f"attacker:{PAY}" in effects else OPPONENTS.get(retreats or eliminated, "")
    return Result(
        code=code,
        meaning=", ".join(said) or "no effect",
        effects=tuple(effects),
        retreats=retreats,
        pursues=pursues,
        hexes=hexes,
    )


def codes_of(chart: Chart) -> tuple[str, ...]:
    """Return the results that a chart of a combat may give: the values of its field, or those in its cells."""
    field = next((field for field in chart.fields if field.name == "result"), None)
    listed = field.values if field else ()
    return tuple(listed or dict.fromkeys(str(cell.values.get("result", "")) for cell in chart.cells.values()))
