"""A server that is killed between taps: what was acknowledged is there, and a tap that is sent again counts once."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cases import thorough

from .served import GAME


class Laptop:
    """A laptop with a server of its own process."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder, self.port, self.tokens = folder, port, dict[str, str]()
        self.start()

    def start(self) -> None:
        environment = {**os.environ, "FIELD_STAFF_DATA": str(self.folder), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "assistant", "serve", GAME, "--port", str(self.port)],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/(\d)/#(\S+)", line):
                self.port, self.tokens[found[2]] = int(found[1]), found[3]
            if line.startswith("again:"):
                break
        until = time.monotonic() + 20
        while time.monotonic() < until:
            try:
                httpx.get(f"http://127.0.0.1:{self.port}/")
                return
            except httpx.ConnectError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe
            pipe.close()


class Phone:
    """A phone that has entered, and sends a tap again until it is answered."""

    def __init__(self, laptop: Laptop, path: str) -> None:
        self.path = path
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{laptop.port}", timeout=30)
        assert self.client.post(f"/{path}/enter", json={"token": laptop.tokens[path]}).status_code == 204

    def send(self, **request: Any) -> Any:
        answer = self.client.post(f"/{self.path}/respond", json={"table": GAME, **request})
        assert answer.status_code == 200
        return answer.json()

    def tap(self, tap: str, line: str) -> Any:
        return self.send(do="enter", line=line, tap=tap, sure=True)


TAPS = [
    "accept reconstruction",
    "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 = 4019o 29/20 = -3",
    "7",
    "3 4",
    "1",
    "2",
    "6",
    "5",
    "done",
    "t=2",
    "27/3 cel=-1",
    "undo",
]


def shown(phone: Phone) -> Any:
    """The table. A fact that says that nothing is so is as good as none."""
    table = phone.send(do="look")
    units = [(unit["id"], unit["place"], stated(unit["facts"])) for unit in table["units"]]
    same = [table[name] for name in ("turn", "moment", "answer", "pending", "combat", "assumed")]
    return [units, stated(table["ground"]), *same]


def stated(facts: Any) -> Any:
    return [fact for fact in facts if not fact["word"].endswith("=no")]


@thorough
@pytest.mark.parametrize("path", ["0", "2"])
def test_kill_between_taps_loses_nothing_and_counts_nothing_twice(tmp_path: Path, path: str) -> None:
    calm, killed = Laptop(tmp_path / "calm"), Laptop(tmp_path / "killed")
    try:
        one, other = Phone(calm, path), Phone(killed, path)
        for number, line in enumerate(TAPS):
            expected = one.tap(f"tap {number}", line)
            answered = other.tap(f"tap {number}", line)
            assert (answered["refused"] is None) == (expected["refused"] is None), line
            killed.kill()
            killed.start()
            assert shown(other) == shown(one), line
            again = other.tap(f"tap {number}", line)  # as its answer got lost
            assert again["entry"] == answered["entry"] or answered["refused"], line
            assert shown(other) == shown(one), line
    finally:
        calm.kill()
        killed.kill()
