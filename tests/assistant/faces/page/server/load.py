"""Taps from many phones at one served table: `python -m tests.assistant.faces.page.server.load [SECONDS] [TAPS A SECOND] [at-once]`.

Six phones, two for each link, tap in turn at one combat, or all in the same moment; each hears of the table whenever it has changed, as the page does. Printed are how long a tap took until it was answered, what went wrong, and the memory of the server.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import cycle
from pathlib import Path

import httpx

from .laptop import Laptop, Phone

COMBAT = "4119c 1/1 12-16-7-11 <4020o 25/3 10--5-10 27/3 10--5-10 = 4019o 29/20 10--5-10"
LINES = (
    "25/3 -1",
    "flanked=yes",
    "27/3 cel=-1",
    "ap=3,20",
    "flanked=no",
    "25/3 -2",
    "27/3 cel=0",
    "ap=all",
    "29/20 -1",
    "29/20 -0",
)


class Caller(threading.Thread):
    """A phone whose player taps at a pace, and is told of each change. begin, until: when, as time.monotonic() has it."""

    def __init__(self, phone: Phone, name: str, lines: Iterator[str], every: float, begin: float, until: float) -> None:
        super().__init__()
        self.phone, self.called, self.lines, self.every = phone, name, lines, every
        self.begin, self.until = begin, until
        self.took: list[float] = []
        self.wrong: list[str] = []
        self.told = 0

    def run(self) -> None:
        threading.Thread(target=self._listen, daemon=True).start()
        due = self.begin
        while due < self.until:
            time.sleep(max(0.0, due - time.monotonic()))
            begun = time.monotonic()
            try:
                answer = self.phone.tap(f"{self.called}-{len(self.took)}", next(self.lines))
                if answer["is"] != "table":
                    self.wrong.append(str(answer))
            except (AssertionError, httpx.HTTPError) as error:
                self.wrong.append(repr(error))
            self.took.append(time.monotonic() - begun)
            due += self.every

    def _listen(self) -> None:
        with (
            suppress(httpx.HTTPError),
            self.phone.client.stream("GET", f"/{self.phone.path}/events", timeout=60) as events,
        ):
            for line in events.iter_lines():
                if line.startswith("data") and time.monotonic() < self.until:
                    json.loads(line.removeprefix("data: "))
                    self.told += 1


def memory_of(process: int) -> float:
    """The most memory that a process has had, in MiB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def seconds_of(process: int) -> float:
    """The processor time that a process has taken."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def main(seconds: float = 60, pace: float = 20, *, at_once: bool = False) -> None:
    """Tap for some time at a pace a second in all. at_once: all phones in the same moment, and then again."""
    with tempfile.TemporaryDirectory() as folder:
        laptop = Laptop(Path(folder))
        try:
            first = {path: Phone.entering(laptop, path) for path in ("0", "1", "2")}
            first["0"].tap("begin", COMBAT)
            lines = cycle(LINES)
            begin, spent = time.monotonic(), seconds_of(laptop.process.pid)
            callers = []
            for number in range(6):
                phone = first[str(number % 3)] if number < 3 else first[str(number % 3)].again()
                offset = 0 if at_once else number / pace
                callers.append(Caller(phone, str(number), lines, 6 / pace, begin + offset, begin + seconds))
            for caller in callers:
                caller.start()
            for caller in callers:
                caller.join()
            took = sorted(seconds for caller in callers for seconds in caller.took)
            wrong = [what for caller in callers for what in caller.wrong]
            print(
                f"{len(took)} taps in {seconds:.0f} s, {sum(caller.told for caller in callers)} tables told, {len(wrong)} errors"
            )
            for share in (50, 95, 99):
                print(f"{share} %: {1000 * took[min(len(took) - 1, len(took) * share // 100)]:.0f} ms")
            spent = seconds_of(laptop.process.pid) - spent
            print(f"processor time of the server: {1000 * spent / len(took):.0f} ms a tap, with what is told of it")
            print(f"memory of the server: {memory_of(laptop.process.pid):.0f} MiB", *wrong[:3], sep="\n")
        finally:
            laptop.kill()


if __name__ == "__main__":
    figures = [word for word in sys.argv[1:] if word != "at-once"]
    main(*map(float, figures), at_once="at-once" in sys.argv)
