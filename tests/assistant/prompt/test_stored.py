"""What lies on the table is always what a file may say."""

from __future__ import annotations

from .stored import faults


def test_no_session_leaves_on_the_table_what_a_file_may_not_say() -> None:
    assert list(faults(60, seed=29)) == []
