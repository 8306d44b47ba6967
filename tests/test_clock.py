"""What a test takes of the processor."""

from __future__ import annotations

from pathlib import Path

from .clock import seconds_in


def test_the_seconds_of_a_test_whose_name_has_spaces(tmp_path: Path) -> None:
    file = tmp_path / "seconds.txt"
    text = "0.250 usual tests/test_a.py::test_one[a b]\n1.000 thorough tests/test_a.py::test_two\n"
    file.write_text(text, "utf-8")
    assert seconds_in(file) == {"tests/test_a.py::test_one[a b]": 0.25, "tests/test_a.py::test_two": 1.0}
    assert seconds_in(file, ["usual"]) == {"tests/test_a.py::test_one[a b]": 0.25}
