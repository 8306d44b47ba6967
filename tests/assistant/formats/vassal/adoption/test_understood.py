"""What `check` says of the version of a module."""

from __future__ import annotations

import pytest

from assistant.formats.vassal.adoption.understood import compare_versions


@pytest.mark.parametrize(
    ("saved", "mapped", "remark"),
    [
        ("3.5", "3.5", ""),
        ("", "3.5", ""),
        ("3.5", "", ""),
        ("3.5", "3.6", "; the mapping is newer, made from 3.6: adopt 3.5 too"),
        ("3.10", "3.9", "; the mapping is older, made from 3.9: adopt 3.10 too"),
        ("v2 beta", "2", "; the mapping is another, made from 2: adopt v2 beta too"),
        ("final", "beta", "; the mapping is another, made from beta: adopt final too"),
    ],
)
def test_a_mapping_of_another_version_is_newer_or_older(saved: str, mapped: str, remark: str) -> None:
    assert compare_versions(saved, mapped) == remark
