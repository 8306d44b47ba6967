"""A server in a process of its own, and phones that have entered."""

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

    def __init__(self, path: str, client: httpx.Client) -> None:
        self.path, self.table, self.client = path, GAME, client

    @classmethod
    def entering(cls, laptop: Laptop, path: str) -> Phone:
        """A phone that enters as one side."""
        client = httpx.Client(base_url=f"http://127.0.0.1:{laptop.port}", timeout=30)
        assert client.post(f"/{path}/enter", json={"token": laptop.tokens[path]}).status_code == 204
        return cls(path, client)

    def again(self) -> Phone:
        """The same player with a second phone."""
        return Phone(self.path, httpx.Client(base_url=self.client.base_url, cookies=self.client.cookies, timeout=30))

    def send(self, **request: Any) -> Any:
        answer = self.client.post(f"/{self.path}/respond", json={"table": GAME, **request})
        assert answer.status_code == 200
        return answer.json()

    def tap(self, tap: str, line: str) -> Any:
        return self.send(do="enter", line=line, tap=tap, sure=True)
