"""Meeting the cases of a run, one after the other, in one process."""

from __future__ import annotations

import json
import os
import shutil
import traceback
from pathlib import Path
from random import Random

import msgspec

from assistant.faces.prompt.files import TableFile
from assistant.faces.prompt.session import Session
from assistant.faces.prompt.table import TableState
from assistant.formats.positions import Position
from assistant.game.states import build_state
from assistant.installed import registry
from assistant.installed.formats import read_position
from assistant.util.errors import printable

from ..reloading import forget_folders
from .inputs.cases import ASSISTANT, LINE, Case, seeds
from .inputs.seeds import GAME
from .reading import SECONDS, Outcome, kind, measured, module, run_command


class Desk:
    """A folder in which cases lie, one after the other, and a table that goes on from line to line."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.session: Session | None = None
        self.typed: list[str] = []

    def meet(self, case: Case) -> Outcome:
        """What comes of a case; whatever it writes is gone with the next one."""
        folder = self.folder / ("table" if case.program == LINE else "case")
        if case.program != LINE:
            shutil.rmtree(folder, ignore_errors=True)
            forget_folders()
        folder.mkdir(exist_ok=True)
        os.chdir(folder)
        os.environ["FIELD_STAFF_DATA"] = str(folder / "data")
        os.environ["FIELD_STAFF_VASSAL"] = str(folder / "vassal")
        for name, data in case.files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(data)
        match case.program:
            case "module":
                return measured(lambda: module(Path(case.words[0])), SECONDS)
            case "line":
                return measured(lambda: self._line(Random(case.words[0])), SECONDS)
            case "together":
                return measured(lambda: _together(Random(case.words[0])), SECONDS)
            case _:
                return measured(lambda: run_command(case.program, case.words, case.typed), SECONDS)

    def _line(self, random: Random) -> tuple[str, str]:
        if self.session is None or self.session.is_over or random.random() < 0.04:
            game = registry.named_game(GAME)
            kept = self.session is None or random.random() < 0.3
            file = TableFile(Path("data/table.json").absolute()) if kept else None
            position = Position(game, build_state(game))
            if random.random() < 0.5:
                position = read_position(*random.choice(seeds().of(".pos")))
            position = msgspec.structs.replace(position, asks=position.asks[:1])
            self.session, self.typed = Session(TableState(position), 100, file), []
            self.session.begin()
        line = seeds().words[GAME].typed(self.session.pending, random)
        self.typed.append(line)
        said = self.session.enter(line)
        refused = said[0:1] if said and said[0].startswith("! ") else []
        untidy = [text for text in map(printable, said) if not text.isprintable()]
        if untidy or (refused and sum(map(len, said)) > 2000):
            return "", "\n".join(said)
        return (kind(refused[0]) if refused else "read"), ""


# --- two processes ------------------------------------------------------------------------------------------------------


def _together(random: Random) -> tuple[str, str]:
    """Two processes that write the same files at once: each says what it kept, and all of that is there afterwards."""
    number = random.randrange(10, 90)
    sets = [
        [f"pack set {GAME} ground {column}.{row} terrain clear" for row in (number, number + 1)] for column in (10, 11)
    ]
    others = [
        f"viewpoint {GAME} russian",
        f"viewpoint {GAME} none",
        f"pack diff {GAME}",
        f"table {GAME}",
        f"pack export {GAME} x.zip --force",
    ]
    told = []
    for mine in sets:
        commands = [*mine, *random.sample(others, 2)]
        random.shuffle(commands)
        reading, writing = os.pipe()
        if child := os.fork():
            os.close(writing)
            told.append((child, reading))
        else:
            os.close(reading)
            results = []
            for words in commands:
                try:
                    results.append((words, *run_command(ASSISTANT, tuple(words.split()), b"turn=3\nquit\n")))
                except BaseException:
                    results.append((words, "", traceback.format_exc()))
            os.write(writing, json.dumps(results).encode())
            os._exit(0)
    kept = []
    for child, reading in told:
        with open(reading, "rb") as pipe:
            results = json.loads(pipe.read() or "[]")
        os.waitpid(child, 0)
        if not results or (crash := next((crash for *_, crash in results if crash), "")):
            return "", f"a process of two: {crash if results else 'it died'}"
        kept += [
            command.split()[4] for command, kind, _ in results if kind == "read" and command.startswith("pack set")
        ]
    ground = Path(f"data/packs/{GAME}/map.lines").read_text("utf-8")
    lost = [place for place in kept if f"\n{place} " not in f"\n{ground}"]
    if lost:
        return "", f"said to be kept, and lost: {lost}"
    for words in (f"pack check {GAME}", "viewpoint", f"table {GAME}"):
        came, crash = run_command(ASSISTANT, tuple(words.split()), b"quit\n")
        if came != "read" or crash:
            return "", f"{words} afterwards: {came} {crash}"
    return "read", ""
