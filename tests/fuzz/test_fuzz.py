"""A few inputs of each kind, spoiled where it means something: each is answered or refused in two lines. `make explore WHAT=fuzz` tries very many."""

from __future__ import annotations

import importlib.util
import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile.reading import HANGS

from ..cases import examples, few
from .seeds import apart, together
from .spoiling import spoiled
from .targets import Target, met, targets

ROOT = Path(__file__).parents[2]
FEW = {"game": 10, "pack": 15}
"""Inputs of the targets that take longest; of others there are more."""


@cache
def sound(name: str) -> list[bytes]:
    return list(targets()[name].seeds())


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FIELD_STAFF_DATA", str(tmp_path / "data"))


def check(target: Target, data: bytes) -> str:
    came = met(target, data, HANGS)
    assert not came.crash, came.crash
    return came.kind


@few(1)
@pytest.mark.parametrize("name", targets())
def test_sound_inputs_are_answered(name: str) -> None:
    came = [check(targets()[name], data) for data in sound(name)]
    assert "read" in came


@few(5)
@pytest.mark.parametrize("name", targets())
def test_spoiled_inputs_are_answered_or_refused(name: str) -> None:
    target = targets()[name]

    @settings(max_examples=examples(FEW.get(name, 60)), suppress_health_check=list(HealthCheck), deadline=None)
    @given(st.sampled_from(sound(name)), st.integers(0, 2**32))
    def tried(data: bytes, seed: int) -> None:
        check(target, spoiled(data, target.spoil, 64_000, seed))

    tried()


def test_files_of_an_input_are_taken_apart_as_they_were_put_together() -> None:
    files = {"a.csv": b"x,y\n1,2\n", "b/c.toml": b"", "d": b"\n"}
    assert apart(together(files)) == files


@pytest.mark.skipif(
    importlib.util.find_spec("atheris") is None, reason="Atheris is not installed: pip install -e .[fuzz]"
)
def test_inputs_are_guided_by_what_they_reach(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.fuzz.guided", "rewrite", "60", "1914", str(tmp_path / "kept")]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=False
    )
    told = []
    rest = done.stdout
    while rest:
        data, came = pickle.loads(rest)
        told.append(came)
        rest = rest[len(pickle.dumps((data, came))) :]
    assert len(told) == 60, done.stderr[-2000:]
    assert not any(came.crash for came in told)
    assert len(list((tmp_path / "kept/corpus").iterdir())) > len(sound("rewrite")), "some reached more, and are kept"
