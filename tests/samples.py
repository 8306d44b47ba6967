"""Files that every version must read as version 1.0 did: `tests/promise/samples` (docs/maintaining/versions.md).

A folder holds one position, written in one or several ways, with what it was read as: `state.json`, a position in JSON, which must itself be read as
the same. Beside a journal `entries.json` has its entries; what the rules make of the events of a campaign may be corrected, so its state is
not kept. `tests/promise/packs` has what owners have entered of their copies, with what was read of it. `python -m tests.surface --write` adds what a new folder lacks, and never changes what is there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import assistant
from assistant.game.events import read_events
from assistant.game.packs import overlay_pack
from assistant.installed.registry import load_game
from assistant.records.journal.entries import write_what
from assistant.records.journal.files import parse_journal
from assistant.records.journal.journal import Journal

from .released import PROMISE

SAMPLES, PACKS = PROMISE / "samples", PROMISE / "packs"
STATE, ENTRIES = "state.json", "entries.json"
JOURNAL, LINK = ".journal", ".link"


def samples() -> list[Path]:
    """The files that must be read, and the folders of packs."""
    packs = [folder for folder in PACKS.iterdir() if folder.is_dir()]
    return sorted([*(file for file in SAMPLES.glob("*/[!.]*") if file.name != ENTRIES), *packs])


def state(file: Path) -> Any:
    """The position that a file is read as, with its questions and answers, as JSON."""
    named = file.read_text("utf-8").strip() if file.suffix == LINK else file
    return json.loads(assistant.to_json(assistant.read(named, side="")))


def entries(file: Path) -> list[dict[str, Any]]:
    """The entries of a journal, as a line has each today, and whether it takes effect."""
    journal = read_journal(file)
    count = {entry.number for entry in journal.counting.entries}
    return [
        {
            "number": entry.number,
            "turn": journal.label(entry.turn),
            "what": write_what(entry.what, journal.game, journal.rules.events),
            "late": entry.late,
            "force": entry.force,
            "counts": entry.number in count,
        }
        for entry in journal.entries
    ]


def read_journal(file: Path) -> Journal:
    """The journal in a file. Raises the first error of a line that cannot be read."""
    journal = Journal.read(parse_journal(file.read_bytes(), file.name), file.name, load_game)
    for fault in journal.all_faults():
        raise fault
    return journal


def pack(folder: Path) -> dict[str, Any]:
    """What the pack in a folder says, which is called as its game."""
    read = overlay_pack(load_game(folder.name), folder).overlay
    return {
        "cells": {" ".join(map(str, (chart, *key))): cell.values for (chart, key), cell in read.cells.items()},
        "counters": {" ".join(key): fact.value for key, fact in read.counters.items()},
        "ground": {
            board: {" ".join(key): fact.value for key, fact in facts.items()} for board, facts in read.ground.items()
        },
        "rulings": dict(read.rulings),
        "turns": {f"{turn} {kind}": text for (turn, kind), text in read.turns.items()},
        "armies": {" ".join(key): fact.value for key, fact in read.armies.items()},
    }


def readings(file: Path) -> Iterator[tuple[Path, Any]]:
    """What is kept of a sample, where, and as what it is read now."""
    if file.is_dir():
        yield file.with_suffix(".json"), pack(file)
        return
    if file.suffix == JOURNAL:
        yield file.with_name(ENTRIES), entries(file)
    if file.suffix != JOURNAL or not read_events(read_journal(file).game).event:
        yield file.with_name(STATE), state(file)


def holds(before: Any, after: Any) -> bool:
    """Whether a value in JSON has all that it had: fields may have come to it, none may be gone or differ. That a drawn map is
    accepted is no longer stated, as it goes without saying.
    """
    match before, after:
        case {"accepts": [*sources]}, dict() if "drawn" in sources:
            kept = [source for source in sources if source != "drawn"]
            rest = {name: value for name, value in before.items() if name != "accepts"}
            return after.get("accepts", []) == kept and holds(rest, after)
        case dict(), dict():
            return all(name in after and holds(value, after[name]) for name, value in before.items())
        case list(), list():
            return len(before) == len(after) and all(map(holds, before, after))
    return type(before) is type(after) and before == after


def changed_samples(released: Mapping[str, str], folder: Path) -> list[str]:
    """The samples of a release that are no longer as they were: what is read, not what it is read as. released: its files by name."""
    before = {name: text for name, text in released.items() if name.startswith(("samples/", "packs/"))}
    read_as = re.compile(rf"samples/[^/]+/({STATE}|{ENTRIES})|packs/[^/]+\.json")
    return [
        name
        for name, text in before.items()
        if not read_as.fullmatch(name)
        and not ((folder / name).is_file() and (folder / name).read_text("utf-8") == text)
    ]


def write_new() -> Iterator[Path]:
    """Write what is not kept yet of a sample. Gives each file that is written."""
    for file in samples():
        for target, read in readings(file):
            if not target.exists():
                target.write_text(json.dumps(read, indent=1, ensure_ascii=False) + "\n", "utf-8")
                yield target
