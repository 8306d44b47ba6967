"""Undos and strikes at a table with four seats lose no unit, and bring no enemies together."""

from __future__ import annotations

import pytest

from ..cases import few, seeds
from .run import some
from .table import told

LOST_A_UNIT = 19
"""The seed of a history in which the undo of a march once lost the unit, as an enemy had entered the hex."""


@few(3)
@pytest.mark.parametrize("seed", [LOST_A_UNIT, 99, *seeds(40)])
def test_no_undo_and_no_strike_loses_a_unit(seed: int) -> None:
    played = told(seed, 25 if seed else 12)
    assert not played.fault, "\n".join([played.fault, *played.steps])


def test_figures_of_a_run_are_those_of_its_histories() -> None:
    seen, wrong = some(range(2), 1)
    assert not wrong and seen == told(1).tried + told(2).tried
