"""Later visits start from a snapshot of Python's memory: with the same answers, and in the usual way wherever that fails."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from assistant import read
from assistant.formats.notation_writer import write_notation
from assistant.installed.registry import published_game

from .battles import GAME
from .browser import Visit, opened
from .hosting import asked_there, hosted, rules_alone
from .questions import questions
from .snapshots import (
    change_file,
    change_snapshot,
    find_words,
    list_stored,
    make_snapshot,
    starts_from_snapshot,
    wait_for_snapshot,
    wait_until_tried,
)
from .test_same import requests

MARKER = "Zwischenfall"
"""A word that is in no file of the program."""
REFUSED = "throw new DOMException('no room', 'QuotaExceededError');"
PROBE = """
import { fetchArchives, startFromSnapshot } from "./host/python.js";
import { findSnapshot } from "./host/snapshots.js";

const python = await startFromSnapshot(fetchArchives(), await findSnapshot());
postMessage(python.runPython("import sys; str(sys.modules['random'].getstate()) if 'random' in sys.modules else ''"));
"""
PROBED = """() => new Promise((resolve) => {
    new Worker("probe.js", { type: "module" }).onmessage = ({ data }) => resolve(data);
})"""
WORKERS_NOTED = """() => {
    globalThis.noted = [];
    const Begun = Worker;
    globalThis.Worker = class extends Begun {
        constructor(address, options) {
            super(address, options);
            noted.push(address);
            this.addEventListener("message", ({ data }) => data.id && noted.push("answer"));
        }
    };
}"""


@pytest.fixture
def copied(files: Path, tmp_path: Path) -> Path:
    """A folder of the page that may change."""
    return Path(shutil.copytree(files, tmp_path / "page"))


@pytest.fixture
def address(copied: Path) -> Iterator[str]:
    with hosted(copied) as address:
        yield address


def some_requests() -> list[str]:
    """Requests of all kinds that a table answers; the tables are deleted again."""
    start = published_game(GAME).file.start
    assert start
    position = read(Path(__file__).parents[2] / "plugins" / "twilight_in_the_east" / "setups" / f"{start.setup}.pos")
    places = sorted({unit.place for unit in position.state.units.values() if unit.place})
    units = sorted(unit.id for unit in position.state.units.values())
    about = [
        {"do": "board"},
        {"do": "stacks", "hexes": places},
        {"do": "tile", "level": 0, "column": 5, "row": 1},
        {"do": "look"},
        {"do": "counters"},
        {"do": "chart", "chart": "crt"},
        *({"do": "hex", "hex": place} for place in places[:5]),
        *({"do": "counter", "unit": unit} for unit in units[:5]),
        *({"do": "on-map", "question": "supply", "parameters": {"unit": unit}} for unit in units[:3]),
        {"do": "enter", "line": "turn=2", "tap": "one"},
        {"do": "enter", "line": "undo", "tap": "two"},
    ]
    begin = {"do": "begin", "game": GAME, "position": write_notation(position)}
    texts = [json.dumps({"do": "words", "game": GAME})]
    texts += [json.dumps({"table": "start", **request}) for request in (begin, *about)]
    texts += requests(questions()[:40])
    begun = [json.loads(text) for text in texts]
    # what is answered to a deletion lists all tables, and a visit to the page begins another one
    tables = [request["table"] for request in begun if request["do"] == "begin"]
    return [*texts, *(json.dumps({"do": "delete", "table": table}) for table in tables)]


def test_answers_are_the_same_as_without_a_snapshot(visit: Visit, folder: str) -> None:
    asked = some_requests()
    assert len(asked) > 60
    context = visit.context(origin=folder)
    page = rules_alone(visit, context, folder)
    assert not starts_from_snapshot(page)
    usual = asked_there(page, asked)
    page.close()
    page = opened(context.new_page(), folder)
    wait_for_snapshot(page)
    page.close()
    page = rules_alone(visit, context, folder)
    assert starts_from_snapshot(page)
    from_snapshot = asked_there(page, asked)
    assert [json.loads(answer)["is"] for answer in usual].count("refused") < 5
    pairs = zip(asked, usual, from_snapshot, strict=True)
    differ = [request for request, one, other in pairs if one != other and '"delete"' not in request]
    assert differ == []


def answers_rightly(page: Page) -> bool:
    """Return whether the rules in a tab begin a table and answer a question about it."""
    *_, answer = asked_there(page, requests(questions()[:1]))
    return json.loads(answer)["is"] == "answer"


@pytest.mark.parametrize("change", ["damage", "spoil", "another version", "another browser"])
def test_snapshot_that_does_not_fit_is_left_alone(visit: Visit, folder: str, change: str) -> None:
    context = make_snapshot(visit, folder)
    page = rules_alone(visit, context, folder)
    [(url, _)] = list_stored(page)
    version = page.evaluate("async () => (await import('./program/version.js')).VERSION")
    agent = page.evaluate("encodeURIComponent(navigator.userAgent)")
    assert url.endswith(f"/snapshot/{version}/{agent}")
    if change.startswith("another"):
        change_snapshot(page, "rename", *((version, "0") if change == "another version" else (agent, "another")))
    else:
        change_snapshot(page, change)
    assert not starts_from_snapshot(page)
    assert answers_rightly(page)
    left = list_stored(page)
    assert left == ([] if change == "damage" else [(url, False)] if change == "spoil" else left)
    page.close()
    _, fit = wait_for_snapshot(opened(context.new_page(), folder)) if change == "damage" else ("", True)
    assert fit, "a damaged one is made again"


def test_new_snapshot_takes_the_place_of_older_ones(visit: Visit, folder: str) -> None:
    page = rules_alone(visit, visit.context(origin=folder), folder)
    page.evaluate("""async () => {
        const cache = await caches.open(`field-staff-snapshot-${new URL('.', location).pathname}`);
        await cache.put("snapshot/older/browser", new Response("old", { headers: { "X-Sum": "0" } }));
    }""")
    opened(page, folder)
    page.wait_for_timeout(1000)
    while any("older" in url for url, _ in list_stored(page)):
        page.wait_for_timeout(500)
    assert wait_for_snapshot(page)[1]


@pytest.mark.parametrize("refused", ["keeping", "reading"])
def test_browser_that_stores_nothing_starts_as_usual(visit: Visit, copied: Path, address: str, refused: str) -> None:
    if refused == "keeping":
        change_file(copied, "snapshot-worker.js", "", f"Cache.prototype.put = () => {{ {REFUSED} }};\n")
    else:
        getter = f"Object.defineProperty(globalThis, 'caches', {{ get() {{ {REFUSED} }} }});\n"
        change_file(copied, "worker.js", "", getter)
    page = visit.page(address)
    if refused == "keeping":
        wait_until_tried(page)
        assert list_stored(page) == []
    else:
        wait_for_snapshot(page)
    page.close()
    page = rules_alone(visit, page.context, address)
    assert not starts_from_snapshot(page)
    assert answers_rightly(page)


def test_pyodide_with_another_interface_starts_as_usual(visit: Visit, copied: Path, address: str) -> None:
    change_file(copied, "program/pyodide.asm.mjs", "makeMemorySnapshot", "makeNoSnapshot")
    page = visit.page(address)
    url, fit = wait_for_snapshot(page)
    assert not fit
    page.close()
    page = rules_alone(visit, page.context, address)
    assert not starts_from_snapshot(page)
    assert answers_rightly(page)
    page.close()
    page = opened(page.context.new_page(), address)
    page.wait_for_timeout(6000)
    assert [worker for worker in page.workers if "snapshot" in worker.url] == [], "it is not tried again"
    assert list_stored(page) == [(url, False)]


def test_snapshot_holds_nothing_of_the_tables_of_its_reader(visit: Visit, folder: str) -> None:
    context = visit.context(origin=folder)
    page = rules_alone(visit, context, folder)
    begin = {"do": "begin", "table": "own", "game": GAME, "title": f"{MARKER} am Morgen"}
    enter = {"do": "enter", "table": "own", "line": f'4119 +german infantry XX "{MARKER}"', "tap": "one"}
    printed = {
        "do": "printed",
        "table": "own",
        "unit": MARKER,
        "values": {"nation": "german", "arm": "infantry", "size": "XX"},
    }
    _, form, shown = map(json.loads, asked_there(page, [json.dumps(asked) for asked in (begin, printed, enter)]))
    assert (form["is"], [unit["id"] for unit in shown["units"]]) == ("form", [MARKER])
    page.close()
    page = opened(context.new_page(), folder)
    assert wait_for_snapshot(page)[1]
    assert find_words(page, MARKER, "twilight-in-the-east", "field_staff_images") == [
        "twilight-in-the-east",
        "field_staff_images",
    ]


def test_chance_is_not_the_same_at_each_visit(visit: Visit, copied: Path, address: str) -> None:
    (copied / "probe.js").write_text(PROBE, "utf-8")
    page = rules_alone(visit, make_snapshot(visit, address), address)
    first, second = page.evaluate(PROBED), page.evaluate(PROBED)
    assert first, "a module that the snapshot holds"
    assert first != second


def test_snapshot_is_made_after_the_first_answers(visit: Visit, folder: str) -> None:
    context = visit.context(origin=folder)
    context.add_init_script(f"({WORKERS_NOTED})()")
    page = opened(context.new_page(), folder)
    wait_for_snapshot(page)
    noted = page.evaluate("noted")
    assert noted[0] == "worker.js"
    assert noted.count("snapshot-worker.js") == 1
    assert noted.index("snapshot-worker.js") > noted.index("answer")
    page = opened(page, folder)
    page.wait_for_timeout(6000)
    assert "snapshot-worker.js" not in page.evaluate("noted"), "one is enough"
