"""What is imported when it is first used."""

from __future__ import annotations

import json
import re
import sys

import pytest

from assistant.util.late import late, load
from assistant.util.patterns import late_pattern


def test_a_place_is_a_module_or_what_it_holds_or_an_error() -> None:
    assert load("json") is json
    assert load("json:dumps") is json.dumps
    assert load("json.decoder:JSONDecoder.decode") is json.JSONDecoder.decode
    with pytest.raises(AttributeError):
        load("json:nothing")
    with pytest.raises(ImportError):
        load("json.nothing:x")


def test_a_function_is_imported_when_it_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "this", raising=False)
    written = late("json:dumps")
    late("this:d")
    assert "this" not in sys.modules
    assert (written([1], indent=None), written.__module__, written.__name__) == ("[1]", "json", "dumps")


def test_a_pattern_is_compiled_when_it_is_first_used(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = list[str]()
    real = re.compile
    monkeypatch.setattr(re, "compile", lambda *given: compiled.append(given[0]) or real(*given))
    number = late_pattern(r"([0-9]+)/x", re.IGNORECASE)
    assert compiled == []
    assert number.sub(r"\1", "4/X and 5/x") == "4 and 5"
    match = number.fullmatch("4/X")
    assert match is not None
    assert (match[1], number.fullmatch("y"), number.pattern) == ("4", None, r"([0-9]+)/x")
