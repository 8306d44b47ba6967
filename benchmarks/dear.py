"""Dear questions of many guests at one served table: `python -m benchmarks.dear [GUESTS]`.

Each asks again and again what the supply of a whole side depends on, every other one by a typed line, so that the question is open at its
table, and gives up every other time. A third of them sits at the link of each side, and a third at that of everybody. Meanwhile the
laptop's own link taps. Printed are how long a tap took, the processor time that it took the server, what the guests were answered, and
the memory of the server and of the processes beside it.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from benchmarks.cold import GAME, SET_UP

SIDES = ("russian", "central-powers")
TAPS = 20


class Laptop:
    """A laptop with a server of its own process."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder, self.port, self.tokens = folder, port, dict[str, str]()
        self.start()

    def start(self) -> None:
        """Begin the server. Raises AssertionError if it does not answer within 20 seconds."""
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
        """End the server at once."""
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
        """The response to a request about the table."""
        answer = self.client.post(f"/{self.path}/respond", json={"table": GAME, **request})
        assert answer.status_code == 200
        return answer.json()

    def tap(self, tap: str, line: str) -> Any:
        """The table after a line."""
        return self.send(do="enter", line=line, tap=tap, sure=True)


def memory_of(process: int) -> float:
    """The most memory that a process has had, in MiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def seconds_of(process: int) -> float:
    """The processor time that a process has taken."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def ask(phone: Phone, number: int, until: float, answered: Counter[str]) -> None:
    """Ask for a time, and give up every other time. number: of the guest; answered: counts what comes of it."""
    patience, asked = 0.3, 0
    types = number % 2 == 0
    while time.monotonic() < until:
        patience, asked = 60.3 - patience, asked + 1
        line, tap = f"lifelines side={SIDES[asked % 2]}", f"guest-{number}-{asked}"
        request = (
            {"do": "enter", "line": line, "tap": tap, "sure": True}
            if types
            else {"do": "ask", "question": "lifelines", "parameters": {"side": SIDES[asked % 2]}}
        )
        try:
            answer = phone.client.post(
                f"/{phone.path}/respond", json={"table": GAME, **request}, timeout=patience
            ).json()
            came = answer["what"] if answer["is"] == "refused" else answer["is"]
            came = f"table with {(answer['answer'] or {}).get('question')}" if came == "table" else came
        except httpx.HTTPError as error:
            came = type(error).__name__
        answered[f"{'line' if types else 'request'}: {came}"] += 1


def children_of(process: int) -> list[int]:
    """The processes that a process has begun."""
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def tap(laptop: Laptop, umpire: Phone, number: int) -> tuple[float, float]:
    """How long a tap that changes the ground of a hex takes, and the processor time of the server meanwhile, in seconds."""
    spent, begun = seconds_of(laptop.process.pid), time.monotonic()
    umpire.tap(f"tap-{number}", f"46.2{number % 5} {'rough' if number % 2 else 'clear'}")
    took = time.monotonic() - begun, seconds_of(laptop.process.pid) - spent
    time.sleep(0.5)
    return took


def main(guests: int = 20) -> None:
    """Let the guests ask while the umpire taps."""
    with tempfile.TemporaryDirectory() as folder:
        laptop = Laptop(Path(folder))
        try:
            umpire, *links = (Phone.entering(laptop, path) for path in "0123")
            for number, line in enumerate(Path(SET_UP).read_text("utf-8").splitlines()):
                if line.partition("#")[0].strip() and not line.startswith("game "):
                    umpire.tap(f"set-{number}", line)
            alone = tap(laptop, umpire, 0)[1]
            until, answered = time.monotonic() + 30, Counter[str]()
            asking = [
                threading.Thread(target=ask, args=(links[number % 3].again(), number, until, answered), daemon=True)
                for number in range(guests)
            ]
            for thread in asking:
                thread.start()
            time.sleep(3)
            took = [tap(laptop, umpire, number) for number in range(1, TAPS + 1)]
            wall, processor = sorted(wall for wall, _ in took), sorted(processor for _, processor in took)
            print(
                f"{TAPS} taps while {guests} guests ask: at most {wall[-1]:.2f} s, half of them {wall[TAPS // 2]:.2f} s"
            )
            print(
                f"processor time of the server until it was answered: at most {processor[-1]:.2f} s, half of them "
                f"{processor[TAPS // 2]:.2f} s, with nobody else there {alone:.2f} s"
            )
            print(f"answers: {', '.join(f'{count} {what}' for what, count in sorted(answered.items()))}")
            beside = [memory_of(child) for child in children_of(laptop.process.pid)]
            print(
                f"memory: server {memory_of(laptop.process.pid):.0f} MiB, beside it {', '.join(f'{much:.0f}' for much in beside)} MiB"
            )
        finally:
            laptop.kill()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
