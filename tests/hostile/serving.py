"""Who drives a command while it runs. A visitor of a served table comes by its link, types two lines, looks twice, and ends the server as
Ctrl+C does; a client of `assistant mcp` sends one message after the other.
"""

from __future__ import annotations

import json
import os
import re
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from ..conftest import GAME
from ..ended import has_ended

_LINK = re.compile(r"(http://127\.0\.0\.1:\d+/0/)#(\S+)")
_PATIENCE = 30.0
"""Seconds after which a server counts as not begun."""
_PATIENCE_OF_A_VISITOR = 10.0
"""Seconds after which a visitor goes who gets no answer."""
_NO_ANSWER = "no answer"
TAPS = {1: "t=2", 2: "27/3 cel=-1"}
"""The lines that are typed, by the numbers of their taps."""


def visit(process: int, folder: Path, taps: Mapping[int, str] = TAPS) -> None:
    """Visit a server that has begun in a folder, and end it. What it answers goes to `FOLDER.answered`. taps: the lines to type."""
    answered: list[Any] = []
    if link := _link(process, Path(f"{folder}.told")):
        base, token = link
        browser = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
        )
        asked = [
            (f"{base}enter", {"token": token}),
            *((f"{base}respond", _of_table("enter", line=line, tap=f"tap {at}")) for at, line in taps.items()),
            *((f"{base}respond", _of_table("look")) for _ in range(2)),
        ]
        for address, body in asked:
            answered.append(_post(process, browser, address, body))
            if answered[-1] == _NO_ANSWER:
                break
    Path(f"{folder}.answered").write_text(json.dumps(answered, indent=1), "utf-8")
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGINT)


def converse(messages: Sequence[Mapping[str, Any]], process: int, folder: Path) -> None:
    """Send messages to a command that reads `FOLDER.typed`, each once the one before is answered, and close that then: what is not
    answered until then never is.
    """
    told = Path(f"{folder}.told")
    with suppress(BrokenPipeError), open(f"{folder}.typed", "w", encoding="utf-8") as typed:
        answers = 0
        for message in messages:
            typed.write(json.dumps(message) + "\n")
            typed.flush()
            answers += "id" in message
            until = time.monotonic() + _PATIENCE
            while _lines_in(told) < answers and time.monotonic() < until and not has_ended(process):
                time.sleep(0.005)
            if _lines_in(told) < answers:
                break


def _lines_in(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def _of_table(do: str, **request: str) -> dict[str, str]:
    return {"do": do, "table": GAME, **request}


def _link(process: int, told: Path) -> tuple[str, str] | None:
    """The link of the umpire, as address and token; None if the server ends before it has one."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and not has_ended(process):
        said = told.read_text("utf-8", "replace") if told.exists() else ""  # half a letter may be there
        if "again:" in said and (found := _LINK.search(said)):
            return found[1], found[2]
        time.sleep(0.02)
    return None


def _post(process: int, browser: urllib.request.OpenerDirector, address: str, body: dict[str, str]) -> Any:
    """The answer to a request, or how it failed."""
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json", "Origin": address.rsplit("/", 2)[0]}
    )
    until = time.monotonic() + _PATIENCE_OF_A_VISITOR
    while not has_ended(process) and time.monotonic() < until:
        try:
            with browser.open(request, timeout=_PATIENCE_OF_A_VISITOR) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return f"status {error.code}"
        except OSError:  # it does not listen yet, or no longer
            time.sleep(0.02)
    return _NO_ANSWER
