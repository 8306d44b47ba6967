"""Who visits a served table: comes by its link, types two lines, looks twice, and ends the server as Ctrl+C does."""

from __future__ import annotations

import json
import os
import re
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from ..conftest import GAME

_LINK = re.compile(r"(http://127\.0\.0\.1:\d+/0/)#(\S+)")
_PATIENCE = 30.0
"""Seconds after which a server counts as not begun."""
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
        answered.append(_post(process, browser, f"{base}enter", {"token": token}))
        for number, line in taps.items():
            answered.append(
                _post(process, browser, f"{base}respond", _of_table("enter", line=line, tap=f"tap {number}"))
            )
        for _ in range(2):
            answered.append(_post(process, browser, f"{base}respond", _of_table("look")))
    Path(f"{folder}.answered").write_text(json.dumps(answered, indent=1), "utf-8")
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGINT)


def _of_table(do: str, **request: str) -> dict[str, str]:
    return {"do": do, "table": GAME, **request}


def _link(process: int, told: Path) -> tuple[str, str] | None:
    """The link of the umpire, as address and token; None if the server ends before it has one."""
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until and not _has_ended(process):
        said = told.read_text("utf-8") if told.exists() else ""
        if "again:" in said and (found := _LINK.search(said)):
            return found[1], found[2]
        time.sleep(0.02)
    return None


def _has_ended(process: int) -> bool:
    about = Path(f"/proc/{process}/stat")
    return not about.exists() or about.read_text("utf-8").rpartition(")")[2].split()[0] == "Z"


def _post(process: int, browser: urllib.request.OpenerDirector, address: str, body: dict[str, str]) -> Any:
    """The answer to a request, or how it failed."""
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json", "Origin": address.rsplit("/", 2)[0]}
    )
    until = time.monotonic() + _PATIENCE
    while not _has_ended(process) and time.monotonic() < until:
        try:
            with browser.open(request, timeout=_PATIENCE) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            return f"status {error.code}"
        except OSError:  # it does not listen yet, or no longer
            time.sleep(0.02)
    return "no answer"
