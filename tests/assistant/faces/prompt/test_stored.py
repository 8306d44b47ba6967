"""What lies on the table is always what a file may say."""

from __future__ import annotations

import pytest

from ....cases import few, seeds
from ....comparing.search import tried
from .stored import SEARCH


@few(1)
@pytest.mark.parametrize("seed", seeds(12))
def test_no_session_leaves_on_the_table_what_a_file_may_not_say(seed: int) -> None:
    assert tried(SEARCH, range(5), 29 + seed).wrong == []
