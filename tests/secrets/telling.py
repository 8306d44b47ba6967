"""What a side is told: commands run in this process, with everything that they print and write."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Protocol

import msgspec
from click.testing import CliRunner

from assistant.faces.cli.main import cli

from .worlds import (
    BESIDE,
    DUG_IN,
    ENDINGS,
    FACE_DOWN,
    GAME,
    OURS,
    RUMOURS,
    SECOND,
    TARGET,
    Seen,
    World,
    file,
    hidden,
    seen,
)

DICE = "crt=2+5 slrt=3/4"
_RUNNER = CliRunner()


class Told(msgspec.Struct, frozen=True):
    """What a command told: its exit code, what it printed, the files that it wrote or changed."""

    exit: int
    out: str
    err: str
    files: dict[str, bytes]


class Pair(msgspec.Struct, frozen=True):
    """Two positions that differ only in what a side may not know. commands: what is asked of both; env: its settings and limits."""

    known: Seen
    ending: str
    worlds: tuple[World, World]
    files: tuple[bytes, bytes]
    commands: tuple[tuple[str, ...], ...]
    settings: bool
    limits: dict[str, str]


def pair(number: int, seed: int, *, posed: bool = False, endings: Sequence[str] = ENDINGS, count: int = 4) -> Pair:
    """A pair by its number; the same in any run with this seed. posed: what they ask and answer differs too; endings: of the files that
    it may be; count: how many commands are asked.
    """
    random = Random(f"{seed} {number}")
    ending = random.choice(endings)
    known = seen(random)
    worlds = tuple(hidden(Random(f"{seed} {number} {one}"), known, ending) for one in "ab")
    files = tuple(
        file(Random(f"{seed} {number} {one}"), world, known, ending, posed=posed)
        for one, world in zip("ab", worlds, strict=True)
    )
    settings = random.random() < 0.3
    commands = tuple(random.sample(_commands(random, known), count))
    limits = {}
    if random.random() < 0.3:
        name, most = random.choice(LIMITS)
        limits = {f"FIELD_STAFF_LIMIT_{name}": str(random.choice(most))}
    return Pair(known, ending, worlds, files, commands, settings, limits)  # type: ignore[arg-type]


LIMITS = [
    ("UNITS", range(3, 20)), ("PIECES", range(3, 30)), ("STACK", range(1, 6)), ("COMMANDS", range(20, 60)), ("COMMAND", range(500, 5000)),
    ("TRAITS", range(5, 40)), ("HANDLED", range(1, 20)), ("NESTING", range(1, 5)),
]  # fmt: skip
"""Limits that hidden things may not reach, and values around what a position of this run holds."""


def _commands(random: Random, known: Seen) -> list[tuple[str, ...]]:
    """Every command on a position, in some of its forms; FILE stands for the position, FIRST for the first of the pair,
    OUT for the beginning of new files."""
    ours = [unit.id for unit in known.units if GAME.side_of_unit(unit, known.facts) == known.side]
    theirs = [
        *known.tops.values(),
        *random.sample(known.free, 4),
        "nobody",
        "29/2O",
        *random.sample(RUMOURS, 3),
        "x. rumor",
    ]
    own, named = random.choice(ours), random.choice([*ours, *theirs])
    place = random.choice([TARGET, SECOND, FACE_DOWN, DUG_IN, OURS, BESIDE, "44.20"])
    covered = known.capped or known.crests or DUG_IN
    force = random.choice(["russian Second", "russian 2 Corps", "central-powers First", "Second"])
    form = random.choice([(), ("--json",), ("--narrow",), ("--forum",)])
    trusting = random.choice([(), ("--reconstruction",), *[("--accept", "illustrative", "--reconstruction")] * 4])
    battle = (
        "battle",
        "FILE",
        "--attacker-ap",
        random.choice(["none", "none", "all"]),
        "--defender-ap",
        random.choice(["none", "none", "all", "1"]),
        *form,
        *trusting,
    )
    drawn = random.choice([(), ("--picture", "OUT.svg"), ("--chart", "OUT.svg"), ("--chart", "OUT.png")])
    table = [
        "position",
        f"4119 {known.tops[TARGET]} < 4020 {ours[0]}",
        f"{named} D1",
        "7",
        "why",
        "done",
        "save OUT.pos",
        "journal",
    ]
    return [
        ("check", "FILE", *form),
        (*battle, "--at", TARGET, *drawn),
        (*battle, "--at", place),
        (*battle, "--at", TARGET, "--withhold", named),
        (*battle, "--at", TARGET, "--answers", DICE, "--after", "OUT.json"),
        ("answer", "FILE", *form, *trusting),
        ("supply", "FILE", "--unit", own, *form, *random.choice([(), ("--picture", "OUT.svg")])),
        ("supply", "FILE", "--unit", named, *form),
        ("supply", "FILE", *trusting, *random.choice([(), ("--side", known.side), ("--side", known.enemy)]), *random.choice([("--map",), ("--picture", "OUT.svg")])),
        ("supply-phase", "FILE", "--side", random.choice([known.side, known.enemy]), *form, *trusting),
        ("railways", "FILE", "--side", random.choice([known.side, known.enemy]), "--at", place, *form),
        ("railhead", "FILE", "--side", random.choice([known.side, known.enemy]), *form),
        ("pontoon", "FILE", *form, *random.choice([(), ("--at", OURS, "--to", TARGET), ("--at", TARGET, "--to", OURS)])),
        ("move", "FILE", "--units", own, "--way", place, *form),
        ("move-depot", "FILE", "--unit", named, "--to", BESIDE, "--rate", "3", *form),
        ("arrive", "FILE", *random.choice([(), ("--units", named), ("--units", named, "--at", place)]), *form),
        ("arrive", "FILE", *random.choice([(), ("--side", known.side), ("--side", known.enemy), ("--units", own, "--at", place), ("--units", f"{named},{own}")]), *form, *trusting),
        ("ask", "due", "FILE", *random.choice([(), ("--side", known.side), ("--side", known.enemy)]), *form, *trusting),
        ("ask", "victory", "FILE", *form, *trusting),
        ("ask", "plans", "FILE", *random.choice([(), ("--side", random.choice([known.side, known.enemy])), ("--army", force)]), *form, *trusting),
        ("ask", "abandon", "FILE", "--army", force, *random.choice([(), ("--distance", "3"), ("--after", "OUT.json")]), *form, *trusting),
        ("ask", "replace", "FILE", *random.choice([(), ("--unit", named), ("--unit", own, "--steps", "1"), ("--unit", named, "--nation", "russian")]), *form, *trusting),
        ("ask", "substitute", "FILE", *random.choice([(), ("--unit", named), ("--unit", named, "--exchanged", own), ("--unit", own, "--exchanged", named), ("--unit", own, "--exchanged", named, "--destroyed", named)]), *form, *trusting),
        ("ask", "garrison", "FILE", *form, *trusting),
        ("ask", "call", "FILE", *form, *random.choice([(), ("--after", "OUT.json")])),
        ("ask", "activate", "FILE", "--army", random.choice(["Ninth", "Eleventh", "AG P-B"]), *random.choice([(), ("--units", named, "--at", place)]), *form),
        ("ask", "scenario", "FILE", *random.choice([(), ("--scenario", "29.1")]), *form),
        ("ask", "next", "FILE", *form, *trusting),
        ("ask", "clock", "FILE", *form),
        ("ask", "weather", "FILE", *form),
        ("ask", "setup", "FILE", *form),
        ("ask", "bridgehead", "FILE", "--unit", named, *form),
        ("ask", "ersatz", "FILE", "--from", named, "--to", own, *form),
        ("ask", "holding-box", "FILE", "--unit", named, *form),
        ("ask", "rail", "FILE", "--units", named, "--to", "44.20", "--rate", "9", *form),
        ("ask", "rail-points", "FILE", *form, *trusting),
        ("ask", "move", "FILE", "--units", ",".join(ours[:2]), "--way", random.choice(["40.19,39.20", "40.19,40.18", "41.19"]), "--after", "OUT.json", *form, *trusting),
        ("ask", "reach", "FILE", "--units", ours[0], "--picture", random.choice(["OUT.svg", "OUT.png"]), *trusting),
        ("ask", "conceal", "FILE", *random.choice([("--side", known.enemy), ("--at", OURS, "--dummy", random.choice(RUMOURS), "--movement", "5", "--after", "OUT.json")]), *form),
        ("return", "FILE", "--unit", named, *random.choice([(), ("--at", place)]), *form),
        ("build-line", "FILE", "--at", OURS, "--to", place, *form),
        ("lifelines", "FILE", *form, *trusting, *random.choice([(), ("--unit", named), ("--zone", "yes"), ("--side", known.enemy)])),
        ("lifelines", "FILE", *trusting, *random.choice([("--through", OURS), ("--if", f"{place} enemy; side {known.side} whole-network"), ("--if", f"{place} unseen={known.enemy}")])),
        ("ask", "need", *battle[1:], "--at", place, "--column", random.choice(["1:2", "2:1", "4:1"])),
        ("ask", "attacks", "FILE", "--side", random.choice([known.side, known.enemy])),
        ("ask", "threat", "FILE", *random.choice([("--side", known.side), ("--side", known.enemy), ("--at", place), ("--unit", own), ("--unit", named), ("--if", f"{own}@{place}"), ("--side", known.side, "--picture", random.choice(["OUT.svg", "OUT.png"])), ("--side", known.side, "--map")]), *form),
        ("attachment", "FILE", *form, *random.choice([(), ("--army", f"{known.enemy} Second"), ("--army", f"{known.side} Second")])),
        ("attach", "FILE", "--unit", named, "--attachment-phase", "yes", "--army", "Second", *form),
        ("control", "FILE", "--at", f"{place},{BESIDE}", *form),
        ("control", "FILE", *form),
        ("stack", "FILE", "--at", place, *form),
        ("retreat", "FILE", "--at", random.choice([OURS, TARGET]), "--hexes", "2", *form, *random.choice([(), ("--picture", "OUT.svg")])),
        ("repulse", "FILE", "--at", TARGET, "--from", OURS, *form),
        ("cavalry", "FILE", "--unit", named, *form),
        ("displace", "FILE", "--unit", named, *form),
        ("ezoc", "FILE", "--units", ours[0], "--way", "41.20,42.19", *form),
        ("forced-march", "FILE", "--unit", named, "--points", "2", *form),
        ("prepared", "FILE", *form, *random.choice([(), ("--unit", own, "--at", TARGET)])),
        ("dig-in", "FILE", "--unit", named, *form),
        ("dig-in", "FILE", "--unit", ours[0], "--points", "9", "--after", random.choice(["OUT.json", "OUT.vsav", "OUT.vlog"]), *form),
        ("recover", "FILE", "--unit", named, "--points", "2", *form),
        ("condition", "FILE", "--unit", named, *form),
        ("ammunition", "FILE", "--at", random.choice([OURS, TARGET]), *form),
        ("reunite", "FILE", "--unit", named, "--ends", "yes", *form),
        ("ask", "conceal", "FILE", *form, *random.choice([(), ("--at", place), ("--units", named), ("--units", named, "--off", "yes"), ("--at", OURS, "--dummy", "x. rumour 9", "--movement", "5")])),
        ("ask", "intercepts", "FILE", *form, *random.choice([(), ("--answers", "intercepts=2"), ("--reveal", covered, "--answers", "intercepts=2", "--after", "OUT.json")])),
        ("ask", "markers", "FILE", *form),
        ("ask", "zones", "FILE", *random.choice([(), ("--at", covered), ("--picture", "OUT.svg")])),
        ("ask", "reach", "FILE", "--units", own, *form, *trusting),
        ("ask", "turn", "FILE", *form),
        ("ask", "move", "FILE", "--units", ours[0], "--way", random.choice(["39.21", "39.20", "40.21,39.22"]), "--ground", random.choice(["1", "2", "1,2"]), *form),
        ("ask", "battle", "FILE", "--at", covered, "--attacker-ap", "none", "--defender-ap", "none", *form, *trusting),
        ("stack", "FILE", "--at", covered, *form),
        ("compare", "FIRST", "FILE", *form),
        ("explain", "FILE", *random.choice([(), ("--json",), ("--whole",)]), *trusting),
        ("story", "FILE", *random.choice([(), ("--forum",), ("--turn", "1-3"), ("-o", "OUT.html"), ("--strip", "OUT.svg")]), *trusting),
        ("luck", "FILE", *random.choice([(), ("--json",), ("--csv",), ("--forum",), ("--page", random.choice(["OUT.html", "OUT.svg"]))]), *trusting),
        ("convert", "FILE"),
        ("convert", "FILE", "--notation"),
        ("link", "FILE", *random.choice([(), ("--page", "https://example.org/", "--qr", "OUT.svg")])),
        ("pack", "complete", "FILE"),
        ("table", GAME.id, "FILE", "\n".join(table)),
        ("table", GAME.id, "\n".join(table)),  # the one that was kept before
        ("check", "-", *form),
    ]  # fmt: skip


class Files(Protocol):
    """Two files that differ only in what a side may not know, with the commands that are asked of both."""

    @property
    def ending(self) -> str: ...
    @property
    def files(self) -> tuple[bytes, bytes]: ...
    @property
    def commands(self) -> tuple[tuple[str, ...], ...]: ...


def told(pair: Pair, which: int, folder: Path) -> list[Told]:
    """Return all that the side is told of one of a pair, by one command after the other. `folder`: emptied for each of them."""
    return [_told(pair, which, command, folder) for command in pair.commands]


def _told(pair: Pair, which: int, command: tuple[str, ...], folder: Path) -> Told:
    words, typed = lay_out(pair, which, command, folder)
    if pair.settings:
        (folder / "data/settings.json").write_text(json.dumps({"viewpoint": {GAME.id: pair.known.side}}))
    if command[0] == "table" and "FILE" not in command:
        kept = folder / "data/table" / f"{GAME.id}.json"
        kept.parent.mkdir()
        kept.write_bytes(b'{"position":' + _in_json(pair, which) + b"}")
    return tell([*words, *([] if pair.settings else ["--as", pair.known.side])], folder, typed, pair.limits)


def lay_out(
    pair: Files, which: int, command: tuple[str, ...], folder: Path, **more: bytes
) -> tuple[list[str], str | bytes]:
    """Write the files of a command into an empty folder, and return its words and what it reads from standard input.

    In its words FILE stands for the position, FIRST for the first of the pair, OUT for the beginning of new files. `more`: further files,
    by their words.
    """
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "data").mkdir(parents=True)
    files = {"FILE": folder / f"mail{pair.ending}", "FIRST": folder / f"first{pair.ending}"}
    files |= {name: folder / name.lower().replace("_", ".") for name in more}
    for name, data in {"FILE": pair.files[which], "FIRST": pair.files[0], **more}.items():
        files[name].write_bytes(data)
    named = {name: str(file) for name, file in files.items()} | {"OUT": str(folder / "out")}
    words = [functools.reduce(lambda word, one: word.replace(*one), named.items(), word) for word in command]
    typed: str | bytes = pair.files[which] if "-" in words else ""
    return words, words.pop() if command[0] == "table" else typed


def tell(words: list[str], folder: Path, typed: str | bytes, limits: dict[str, str]) -> Told:
    """What a command tells whose files are in a folder. typed: its standard input; limits: variables of the environment."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    env = {"FIELD_STAFF_DATA": str(folder / "data"), "COLUMNS": "100", **limits}
    done = _RUNNER.invoke(cli, words, input=typed, env=env, prog_name="assistant")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    # Of the file itself, and copies of a map and of a game's files, which the first command that needs them leaves.
    kept = (".before", ".board", ".tables")
    mine = {
        path: data
        for path, data in after.items()
        if before.get(path) != data and not any(one in path.name for one in kept)
    }
    return Told(done.exit_code, done.stdout, done.stderr, {path.name: data for path, data in sorted(mine.items())})


def _in_json(pair: Pair, which: int) -> bytes:
    from assistant.formats import json_state
    from assistant.formats.positions import Position

    return json_state.write_json(Position(GAME, pair.worlds[which].state))
