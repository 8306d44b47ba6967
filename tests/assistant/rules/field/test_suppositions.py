"""A position as it would be if a line of notation held as well."""

from __future__ import annotations

import pytest

from assistant.rules.field.suppositions import suppose_line
from assistant.util.errors import InputError

from ....conftest import typed

POSITION = typed("40.20 clear: german infantry XX g, german infantry XX h\n40.21 operational=russian\n")


def test_a_fact_or_a_whole_stack_is_replaced_and_the_position_stays_as_it_is() -> None:
    after = suppose_line(POSITION.game, POSITION.state, "40.21 operational=none")
    assert after.value("operational", "40.21") == "none"
    assert POSITION.state.value("operational", "40.21") == "russian"
    after = suppose_line(POSITION.game, POSITION.state, "40.20: russian infantry XX r")
    assert {unit.id: unit.place for unit in after.units.values()} == {"g": None, "h": None, "r": "40.20"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("40.21 operational=prussian", "side whose operational RR line this is: 'prussian' is not allowed"),
        ("ask supply", "'ask supply' is a question or an answer"),
        ("answers crt=7", "'answers crt=7' is a question or an answer"),
        ("game chess", "the game is already twilight-in-the-east"),
    ],
)
def test_what_cannot_be_supposed(line: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        suppose_line(POSITION.game, POSITION.state, line)
    assert str(refused.value).startswith(message)
