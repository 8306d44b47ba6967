"""Drive the real VASSAL engine: open a module, carry out steps, and learn what the engine made of them.

    outcome = run(module, [{"do": "load", "file": save}, {"do": "list", "as": "start"}])
    assert not outcome.faults
    assert not outcome["start"].off_board

Every run is a JVM of its own with folders of its own, and takes a second and a half; so put many steps into one run, or let tests
of one module share a session:

    with Session(module) as session:
        outcome = session.play([{"do": "load", "file": save}, {"do": "list", "as": "start"}])

The harness in `harness` is compiled on first use. A step has `do` and what it needs, and may have `as`, a name for its
result:

    load file, setup file, new     Started; a predefined set-up by its file or name; all take `side`
    setups                         [SetUp]
    list                           Listing
    locate map points              [Place]
    centre map names [board]       [(x, y) or None], the centre of the hex with that printed name
    move piece x y [map]           Moved; as with the mouse: snaps, stacks, reports. `exactly`: without the mover
    draw_card piece x y [map]      [id], the cards that are drawn from a deck and dropped there
    commands piece                 [Command], the menu as it pops up
    menu piece item                carries out the item with that text, in whatever submenu
    key piece key                  presses `ctrl L`, or the key that has that name
    properties [piece] names       {name: text or None}, of one piece; of every one by its id
    global names [map]             {name: text or None}, global properties
    set_global name value [map]    as if the game had set it
    view map                       {centre: [x, y], zoom: number} of what its window shows
    notes                          Notes
    inventory                      [line] of the inventory, as its button Save writes them
    say text                       types a line into the chat
    dice faces                     loads the dice: the faces that they show next
    undo                           undoes the last step, as the tool bar's button
    turn, turn_next [name]         Turn; the second advances it first
    save file                      writes a .vsav
    log_begin file, log_end        writes a .vlog; an empty log is not written
    log_step [steps]               steps the loaded log forward, to the end or that far: how many steps it took
    refresh                        Refreshed: "Refresh counters" with the options as they come
    palette                        [Slot]
    open_palettes                  [Seen], every piece of the palettes that are open, each tab and list gone through
    answer [text] [press]          fills in the next dialog and presses its button, OK unless named
    hover at map                   the mouse rests over a point of the map: the viewer of stacks is in the next screenshot
    windows, toolbar               [Window], [Button]
    select pieces                  selects pieces by their ids
    offers [seconds, menu]         [item] of the menu that pops up after `press`; [] if something is said in the chat instead,
                                   unless menu is true, as where an earlier question is still to be answered
    choose item                    chooses the item that begins with that text
    reply [seconds]                [[filled, label, x, y]] of the shapes on the map, once something is said in the chat
    escape                         the same after the key Escape
    settings_folder                where the engine has its settings if nobody chooses another folder
    press button                   presses the button of a tool bar with that text or tooltip
    screenshot file [map] [width] [height] [zoom] [centre]
                                   the titles of the windows painted into a PNG: all, or the one with that map
    draw file piece or slot [scale]   [width, height] of a PNG of one piece; a slot by its gpid
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import threading
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from .fetch_engine import is_engine

HERE = Path(__file__).parent
FOLDER = HERE.parents[1] / ".venv" / "engine"
REQUIRED = os.environ.get("FIELD_STAFF_ENGINE", "")
"""`required`: without the engine its tests fail; the path of a Vengine.jar: they run with that engine, whatever its version."""
FETCHED = FOLDER / "Vengine.jar"
JAR = FETCHED if REQUIRED in ("", "required") else Path(REQUIRED)
PACKAGES = HERE.parent / "debian-packages.txt"
JAVA_FOLDER = Path("/usr/share/java")
LIBRARIES = (
    *("slf4j-api", "slf4j-simple", "commons-lang3", "commons-io", "commons-codec", "maven3-artifact", "miglayout"),
    *("TimingFramework", "batik-all", "xml-apis-ext", "xmlgraphics-commons", "httpcore5"),
)
PROGRAMS = ("java", "javac", "Xvfb")
OFF_BOARD = "offboard"


class EngineError(AssertionError):
    """The engine could not open the module or carry out a step; says what it wrote to its error stream."""


# --- what comes back --------------------------------------------------------------------------------------------------


class Warned(NamedTuple):
    """A line of the engine's log at level WARN or ERROR, or an exception that nobody caught (BUG), with what followed.

    level: WARN, ERROR, BUG, or STDERR for what was written to the error stream before any log line
    step: the number of the step at work; -1 while the module opened
    """

    level: str
    text: str
    step: int


class Dialog(NamedTuple):
    """A modal dialog that the engine showed: its texts, one a line, and whether a step had an answer ready."""

    title: str
    text: str
    step: int
    answered: bool


class Trait(NamedTuple):
    """One trait of a piece, or its basic piece: its own type and state, and the name of the engine's class for it."""

    kind: str
    type: str
    state: str


class Piece(NamedTuple):
    """A piece in play.

    map, board: names; None if it is on none
    x, y: pixels of the map
    location, local_location: what the engine calls the place, also in the player's language; `offboard` if it is on no board
    order: the place of the piece, or of its stack, in the order of drawing on its map; 0 is drawn first
    stack, index: the stack's id and the place in it from the bottom, from 0; None if in no stack
    name, local_name: as it is shown, also in the player's language
    levels: of its layers, outermost first, as they show: from 1, negative while inactive
    traits: outermost first, the basic piece last
    """

    id: str
    map: str | None
    x: int
    y: int
    location: str | None
    local_location: str | None
    board: str | None
    order: int | None
    stack: str | None
    index: int | None
    name: str
    local_name: str
    levels: list[int]
    gpid: str | None
    type: str
    state: str
    traits: list[Trait]


class Stack(NamedTuple):
    """A stack, or a deck: where it is, and the ids of its pieces from the bottom."""

    id: str
    map: str | None
    x: int
    y: int
    location: str | None
    local_location: str | None
    board: str | None
    order: int | None
    pieces: list[str]
    type: str
    state: str


class Listing(NamedTuple):
    """Everything in play, in the order of drawing."""

    pieces: list[Piece]
    stacks: list[Stack]

    def piece(self, id_or_name: str) -> Piece:
        """The one piece with that id, or else that name."""
        found = [p for p in self.pieces if p.id == id_or_name] or [p for p in self.pieces if p.name == id_or_name]
        if len(found) != 1:
            raise LookupError(f"{len(found)} pieces are {id_or_name!r}")
        return found[0]

    @property
    def off_board(self) -> list[Piece]:
        """The pieces that are on no map or no board."""
        return [piece for piece in self.pieces if piece.location in (None, OFF_BOARD)]


class Started(NamedTuple):
    """Whether a game is in progress, what the set-up wizard would have asked for first, and the player's side."""

    started: bool
    asked: list[str]
    side: str | None


class Place(NamedTuple):
    """What the engine says of a point of a map: its name, where a piece would snap to, board and zone."""

    name: str
    snapped: tuple[int, int]
    board: str | None
    zone: str | None


class Moved(NamedTuple):
    """Where a piece is after it was moved, whether it moved at all, and the command as the engine writes it."""

    moved: bool
    map: str | None
    x: int
    y: int
    location: str | None
    board: str | None
    command: str


class Command(NamedTuple):
    """An item of a piece's menu: the submenus that lead to it, its text, its key as VASSAL shows it."""

    path: list[str]
    text: str
    key: str
    enabled: bool


class Notes(NamedTuple):
    """The texts of the notes window."""

    scenario: str
    public: str


class Turn(NamedTuple):
    """A turn tracker: its name, the turn that it shows, its state."""

    name: str
    turn: str
    state: str


class Refreshed(NamedTuple):
    """What "Refresh counters" counted: pieces updated, without a slot, on no map, in no stack."""

    updated: int
    not_found: int
    no_map: int
    no_stack: int


class SetUp(NamedTuple):
    """A predefined set-up of the module: the names of its menus, its name, its file or None."""

    path: list[str]
    name: str
    file: str | None


class Seen(NamedTuple):
    """What is seen of a piece in the window of its palette, in pixels, and how large it is there."""

    window: str
    gpid: str
    width: int
    height: int
    seen_width: int
    seen_height: int

    @property
    def whole(self) -> bool:
        """Whether nothing of it is cut off."""
        return self.seen_width >= self.width and self.seen_height >= self.height


class Slot(NamedTuple):
    """A piece of the module's palettes, as it would be dragged into play: with its prototypes expanded.

    path: the names of the components that hold it, outermost first
    definition: the text in the module, prototypes not expanded
    width, height: of the piece as drawn, in pixels
    missing: prototypes that it uses and that the module does not have (the engine does not mind)
    """

    path: list[str]
    entry_name: str
    gpid: str
    definition: str
    name: str
    local_name: str
    levels: list[int]
    type: str
    state: str
    traits: list[Trait]
    width: int
    height: int
    missing: list[str]


class Window(NamedTuple):
    """A window that shows."""

    title: str
    kind: str
    x: int
    y: int
    width: int
    height: int


class Button(NamedTuple):
    """A button of a tool bar: the map's name, or "" for the module's bar; whether it has an icon."""

    where: str
    text: str | None
    tooltip: str | None
    enabled: bool
    visible: bool
    icon: bool


@dataclass(frozen=True)
class Outcome:
    """What a run gave.

    results: one a step; None where the step failed
    errors: one a step; empty where it did not fail
    chat_of: the lines that the chat got in each step; `opening` those before the first
    seconds: how long it took
    unanswered: answers prepared for dialogs that did not come
    names: where the steps with a name are
    """

    results: list[Any]
    errors: list[str]
    warnings: list[Warned]
    dialogs: list[Dialog]
    chat_of: list[list[str]]
    opening: list[str]
    seconds: float
    unanswered: int
    names: dict[str, int]

    def __getitem__(self, step: str) -> Any:
        """The result of the step with that name."""
        return self.results[self.names[step]]

    def said(self, step: str) -> list[str]:
        """The lines that the chat got in the step with that name."""
        return self.chat_of[self.names[step]]

    @property
    def chat(self) -> list[str]:
        """All lines of the chat."""
        return [*self.opening, *(line for lines in self.chat_of for line in lines)]

    @property
    def faults(self) -> list[str]:
        """Everything that the engine complained of, one text each; dialogs that a step answered are none."""
        warned = [f"step {w.step}: {w.level} {w.text}" for w in self.warnings]
        shown = [f"step {d.step}: dialog {d.title}: {d.text}" for d in self.dialogs if not d.answered]
        return warned + shown


def _contents(given: dict[str, Any]) -> dict[str, Any]:
    return {**given, "traits": [Trait(**trait) for trait in given["traits"]]}


def _listing(given: dict[str, Any]) -> Listing:
    return Listing([Piece(**_contents(p)) for p in given["pieces"]], [Stack(**s) for s in given["stacks"]])


def _slot(given: dict[str, Any]) -> Slot:
    nothing = {
        "name": "",
        "type": "",
        "state": "",
        "traits": [],
        "local_name": "",
        "levels": [],
        "width": 0,
        "height": 0,
        "missing": [],
    }
    return Slot(**_contents({**nothing, **given}))


READ: dict[str, Any] = {
    "load": lambda it: Started(**it),
    "setup": lambda it: Started(**it),
    "new": lambda it: Started(**it),
    "setups": lambda it: [SetUp(**one) for one in it],
    "list": _listing,
    "locate": lambda it: [Place(**{**one, "snapped": tuple(one["snapped"])}) for one in it],
    "centre": lambda it: [tuple(one) if one else None for one in it],
    "move": lambda it: Moved(**{name: it[name] for name in Moved._fields}),
    "commands": lambda it: [Command(**{name: one[name] for name in Command._fields}) for one in it],
    "notes": lambda it: Notes(**it) if it else None,
    "turn": lambda it: Turn(**it),
    "turn_next": lambda it: Turn(**it),
    "refresh": lambda it: Refreshed(**it),
    "palette": lambda it: [_slot(one) for one in it],
    "open_palettes": lambda it: [Seen(**one) for one in it],
    "windows": lambda it: [Window(**one) for one in it],
    "toolbar": lambda it: [Button(**{name: one[name] for name in Button._fields}) for one in it],
}

# --- what must be there -----------------------------------------------------------------------------------------------


@functools.cache
def why_not() -> str:
    """What is missing to run the engine and how to get it, in one line; empty if it can run."""
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    missing += [library for library in LIBRARIES if not (JAVA_FOLDER / f"{library}.jar").exists()]
    hints = []
    if missing:
        packages = PACKAGES.relative_to(HERE.parents[1])
        hints.append(f"{', '.join(missing)}: apt-get install --no-install-recommends $(cat {packages})")
    if not (is_engine(JAR) if JAR == FETCHED else JAR.is_file()):
        hints.append(f"{JAR.name}: make engine" if JAR == FETCHED else str(JAR))
    return f"the engine's tests lack {'; and '.join(hints)}" if hints else ""


def _class_path(harness: Path | None = None) -> str:
    beside = sorted(JAR.parent.glob("*.jar")) if JAR != FETCHED else []  # an installed VASSAL has its libraries there
    jars = [JAR, *beside, *(JAVA_FOLDER / f"{library}.jar" for library in LIBRARIES)]
    return os.pathsep.join(map(str, [harness, *jars] if harness else jars))


@functools.cache
def _compiled() -> Path:
    """The jar with the compiled harness: compiled once for these sources and this engine."""
    sources = sorted((HERE / "harness").rglob("*.java"))
    digest = hashlib.sha256(JAR.read_bytes())
    for source in sources:
        digest.update(source.read_bytes())
    jar = FOLDER / f"harness-{digest.hexdigest()[:16]}.jar"
    if jar.exists():
        return jar
    building = Path(tempfile.mkdtemp(dir=FOLDER, prefix="building-"))
    javac = ["javac", "-nowarn", "-proc:none", "-encoding", "UTF-8", "-cp", _class_path(), "-d", str(building)]
    done = subprocess.run([*javac, *map(str, sources)], check=False, capture_output=True, text=True)
    if done.returncode:
        shutil.rmtree(building)
        raise EngineError(f"the harness does not compile:\n{done.stderr}")
    with zipfile.ZipFile(building / "harness.jar", "w") as archive:
        for file in sorted(building.rglob("*.class")):
            archive.write(file, file.relative_to(building))
    (building / "harness.jar").replace(jar)
    shutil.rmtree(building)
    return jar


def _archive() -> tuple[str, Path | None]:
    """The option that lets Java take the classes of the engine from an archive, in place of reading and checking each: it saves
    half a second of each run. Until there is one, the option to write it when the run ends, and where it is written."""
    kept = _compiled().with_suffix(".jsa")
    if kept.exists():
        return f"-XX:SharedArchiveFile={kept}", None
    written = kept.with_name(f"{kept.name}.{os.getpid()}")
    return f"-XX:ArchiveClassesAtExit={written}", written


@functools.cache
def _display() -> str:
    """The display of a screen in memory, started once and ended with Python."""
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]
    screen = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    atexit.register(screen.wait)
    atexit.register(screen.terminate)
    assert screen.stdout
    number = screen.stdout.readline().strip()
    if not number:
        raise EngineError("Xvfb did not start")
    return f":{number}"


# --- running ----------------------------------------------------------------------------------------------------------


class Session:
    """The engine with a module open, for steps that are carried out together, and others after them, as in a long evening of play.

    A test that plays on what others have played begins with a set-up, a save or a new game. What the engine says while it opens the module
    belongs to the first steps.

    seconds: after which the engine is stopped, for opening and for each of the plays
    megabytes: of memory for it; large map images are kept whole
    player: the player's name, and the password that identifies a player in saves
    plugin: a plugin, which is put where VASSAL looks for it
    variables: of the environment, beside the few that it has
    """

    def __init__(
        self,
        module: Path,
        *,
        seconds: int = 60,
        megabytes: int = 1024,
        player: str = "Tester",
        plugin: Path | None = None,
        variables: Mapping[str, str] = {},
    ) -> None:
        if reason := why_not():
            raise EngineError(reason)
        harness, display, self._began = _compiled(), _display(), time.monotonic()
        archive, self._written = _archive()
        self._folder = tempfile.TemporaryDirectory(prefix="engine-")
        self._seconds, self._opened, self._done = seconds, dict[str, Any](), 0
        own = self._folder.name
        environment = {"PATH": os.environ["PATH"], "HOME": own, "DISPLAY": display, "LANG": "C.UTF-8", "TZ": "UTC"}
        environment |= variables
        if plugin is not None:
            plugins = Path(own, "conf", "plugins")
            plugins.mkdir(parents=True)
            shutil.copy(plugin, plugins)
        options = [f"-Xmx{megabytes}m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", archive]
        properties = {
            "user.home": own,
            "java.util.prefs.userRoot": own,
            "java.io.tmpdir": own,
            "user.language": "en",
            "user.country": "US",
            "file.encoding": "UTF-8",
            "swing.boldMetal": "false",
            "org.slf4j.simpleLogger.defaultLogLevel": "warn",
            "org.slf4j.simpleLogger.showThreadName": "false",
            "org.slf4j.simpleLogger.cacheOutputStream": "false",
        }
        command = ["java", *options, *(f"-D{name}={value}" for name, value in properties.items())]
        command += ["-cp", _class_path(harness), "Harness"]
        read, write = os.pipe()
        command += [str(Path(module).resolve()), "/dev/stdin", f"/dev/fd/{write}", own, str(seconds), player]
        self._errors = Path(own, "errors")
        with self._errors.open("wb") as errors:
            self._java = subprocess.Popen(
                command,
                cwd=own,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                pass_fds=[write],
                text=True,
                encoding="utf-8",
            )
        os.close(write)
        self._answers = os.fdopen(read, encoding="utf-8")

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(self, steps: list[dict[str, Any]], *, check: bool = True) -> Outcome:
        """Carry out steps.

        steps: each with `do` and what it needs; a Path among them is made absolute
        check: raise an error for the first step that failed; without it, its result is None
        """
        began = self._began or time.monotonic()
        late = threading.Timer(2 * self._seconds + 20, self._java.kill)
        late.start()
        try:
            lines = [*(json.dumps(step, default=lambda p: str(Path(p).resolve())) for step in steps), ""]
            # Beside the reading: the engine would wait for its answers to be read, and we for it to take more steps.
            saying = threading.Thread(target=self._say, args=(lines,))
            saying.start()
            opening = [] if self._opened else [self._read(0)]
            answers = [self._read(number) for number in range(len(steps))]
            last = self._read(len(steps))
            saying.join()
        finally:
            late.cancel()
        for opened in opening:
            self._opened = opened
        first, self._done, self._began = self._done, self._done + len(steps), 0.0
        return self._outcome(steps, answers, last, first if not opening else -1, time.monotonic() - began, check)

    def close(self) -> None:
        """End the engine."""
        assert self._java.stdin
        try:
            with contextlib.suppress(BrokenPipeError):
                self._java.stdin.close()
            self._java.wait(self._seconds + 20)
        except subprocess.TimeoutExpired as late:
            self._java.kill()
            raise EngineError(f"the engine did not stop after {self._seconds} seconds:\n{self._said()}") from late
        finally:
            self._java.wait()
            self._answers.close()
            if self._written and self._written.exists():
                self._written.replace(self._written.with_suffix(""))
            self._folder.cleanup()

    def _say(self, lines: list[str]) -> None:
        assert self._java.stdin
        with contextlib.suppress(BrokenPipeError):  # it has ended: no answer comes then
            self._java.stdin.write("".join(f"{line}\n" for line in lines))
            self._java.stdin.flush()

    def _said(self) -> str:
        return self._errors.read_text("utf-8", "replace")

    def _read(self, done: int) -> dict[str, Any]:
        """The next answer. done: how many of the steps are answered. Raises EngineError if the engine has ended."""
        line = self._answers.readline()
        record: dict[str, Any] = json.loads(line) if line else {}
        if not line or "failed" in record:
            status = self._java.wait()
            raise EngineError(
                f"the engine ended with {status} after {done} steps:\n{record.get('failed', '')}{self._said()}"
            )
        return record

    def _outcome(
        self,
        steps: list[dict[str, Any]],
        answers: list[dict[str, Any]],
        last: dict[str, Any],
        first: int,
        seconds: float,
        check: bool,
    ) -> Outcome:
        """first: the number of the first step in the session, -1 where opening the module belongs to them."""
        results = []
        for step, answer in zip(steps, answers, strict=True):
            if check and "error" in answer:
                raise EngineError(f"step {answer['step']}, {step}: {answer['error']}\n{self._said()}")
            result = answer.get("result")
            read = READ.get(step["do"])
            results.append(read(result) if read and "error" not in answer else result)
        before = max(first, 0)
        return Outcome(
            results,
            [answer.get("error", "") for answer in answers],
            [Warned(**one | {"step": one["step"] - before}) for one in last["warnings"] if one["step"] >= first],
            [Dialog(**one | {"step": one["step"] - before}) for one in last["dialogs"] if one["step"] >= first],
            [answer["chat"] for answer in answers],
            self._opened["chat"] if first < 0 else [],
            seconds,
            last["unanswered"],
            {step["as"]: number for number, step in enumerate(steps) if "as" in step},
        )


def run(
    module: Path,
    steps: list[dict[str, Any]],
    *,
    seconds: int = 60,
    megabytes: int = 1024,
    player: str = "Tester",
    check: bool = True,
) -> Outcome:
    """Open a module and carry out steps, in a session of their own."""
    with Session(module, seconds=seconds, megabytes=megabytes, player=player) as session:
        return session.play(steps, check=check)
