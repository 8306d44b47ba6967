"""Dear questions of many guests at one served table: `python -m tests.assistant.faces.page.server.dear [GUESTS]`.

Each asks again and again what the supply of a whole side depends on, every other one by a typed line, so that the question is open at its
table, and gives up every other time. A third of them sits at the link of each side, and a third at that of everybody. Meanwhile the
laptop's own link taps. Printed are how long a tap took, the processor time that it took the server, what the guests were answered, and
the memory of the server and of the processes beside it.
"""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import httpx

from .laptop import Laptop, Phone
from .load import memory_of, seconds_of
from .served import GAME

SETUP = Path(__file__).parents[5] / "plugins/twilight_in_the_east/setups/19-august-1914.pos"
SIDES = ("russian", "central-powers")
TAPS = 20


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
            for number, line in enumerate(SETUP.read_text("utf-8").splitlines()):
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
