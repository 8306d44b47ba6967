"""The server as a process, with the official client at the other end."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.types import JSONRPCError, jsonrpc_message_adapter

from assistant.faces.mcp.access import Access
from assistant.faces.mcp.guide import ASKING, list_pages
from assistant.faces.mcp.server import first_of, refuse_line, refuse_on_want, reword_want
from assistant.faces.mcp.tools import TOOLS
from assistant.util.signals import INTERRUPTED_EXIT_CODE
from module_builder.new import new_game

from ....cases import thorough
from ....conftest import GAME
from ....ended import has_ended
from ....pages import ROOT, calls
from .conftest import BATTLE, OF_BATTLE

COMMAND = ("-m", "assistant", "mcp")
LATEST_WITH_HANDSHAKE = "2025-11-25"
Talk = Callable[[Client], Awaitable[None]]


def converse(
    talk: Talk, *words: str, mode: str = "auto", log: Path | None = None, begun_in: Path | None = None
) -> None:
    """Talk with a server that is begun with further words, in a folder. log: takes what it prints on standard error."""

    async def session() -> None:
        own = {name: os.environ[name] for name in ("FIELD_STAFF_DATA", "FIELD_STAFF_CACHE")}
        begun = ["-P", *COMMAND, *words]  # as the command `assistant` does, which looks for no module in the folder
        parameters = StdioServerParameters(command=sys.executable, args=begun, env=own, cwd=begun_in)
        with (log or Path("/dev/null")).open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors), mode=mode) as client:
                await talk(client)

    asyncio.run(session())


async def text_of(client: Client, tool: str, **given: Any) -> str:
    """What a tool answers in words."""
    result = await client.call_tool(tool, given)
    assert not result.is_error, result.content
    return str(result.content[0].text)


@thorough
def test_a_session_of_the_official_client(saves: Path, tmp_path: Path, no_pack: Path) -> None:
    log = tmp_path / "log"
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}

    async def talk(client: Client) -> None:
        assert client.server_info.name == "field-staff"
        assert client.instructions is not None
        assert "list_games" in client.instructions
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [*TOOLS]
        assert all(tool.annotations is not None and tool.annotations.read_only_hint for tool in tools)
        shape = {tool.name: tool.output_schema for tool in tools}
        assert "saves/1914/battle.pos" in await text_of(client, "list_games")
        assert "tracks" not in await text_of(client, "list_questions", game=GAME, question="battle")
        assert "40.20: 25/3" in await text_of(client, "how_to_type", game=GAME)
        assert "27/3" in await text_of(client, "check_position", position="saves/1914/battle.pos")
        asked = await client.call_tool("ask", {"position": BATTLE, "question": "battle", "parameters": OF_BATTLE})
        assert asked.structured_content["verdict"]["text"] == "column 1:1, Large; roll 2d6"
        assert shape["ask"] is not None
        jsonschema.validate(asked.structured_content, shape["ask"])
        compared = await text_of(client, "compare_positions", before=BATTLE, after=BATTLE.replace("turn=1", "turn=2"))
        assert "turn" in compared
        assert "rulebook" in await text_of(client, "look_up", game=GAME, word="25/3")
        refused = await client.call_tool("ask", {"position": "secret.pos"})
        assert refused.is_error
        assert refused.structured_content is None
        assert str(refused.content[0].text).startswith("secret.pos: there is no file of this name")
        for tool, given, answered in calls(ROOT / "docs/reference/mcp.md"):
            result = await client.call_tool(tool, given)
            assert str(result.content[0].text) == answered.rstrip("\n")
        pages = (await client.list_resources()).resources
        assert [page.uri for page in pages] == [page.uri for page in list_pages(Access())]
        assert "# Position notation" in str((await client.read_resource("field-staff://notation")).contents[0].text)
        with pytest.raises(MCPError, match="there is no page"):
            await client.read_resource("field-staff://../secret.pos")
        (prompt,) = (await client.list_prompts()).prompts
        assert prompt.name == ASKING
        message = (await client.get_prompt(ASKING, {"question": "May 25/3 attack?"})).messages[0]
        assert str(message.content.text).endswith("The question: May 25/3 attack?")

    converse(talk, str(saves), log=log)
    assert log.read_text() == ""
    log.unlink()
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path != tmp_path} == before
    assert not [*no_pack.iterdir()]  # nothing is written


def hello(asked: str = LATEST_WITH_HANDSHAKE) -> list[dict[str, Any]]:
    """How a client begins, with the version for which it asks."""
    about = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    return [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]


def call(number: int, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    """The call of a tool."""
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": tool, "arguments": given}}


def begin(*words: str) -> subprocess.Popen[str]:
    """A server on bare pipes."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, *COMMAND, *words], text=True, **pipes)  # type: ignore[call-overload,no-any-return]


def send(server: subprocess.Popen[str], *lines: dict[str, Any]) -> None:
    """Send some messages."""
    assert server.stdin is not None
    server.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
    server.stdin.flush()


@thorough
def test_no_module_of_the_folder_in_which_it_is_begun_is_run(tmp_path: Path) -> None:
    modules = ("anyio", "assistant", "msgspec", "pickle", "twilight_in_the_east")
    for name in modules:
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'run')!r}, 'a').write({name!r})\n", "utf-8")

    async def talk(client: Client) -> None:
        assert "27/3" in await text_of(client, "check_position", position=BATTLE)

    converse(talk, begun_in=tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(modules)


@pytest.mark.parametrize(
    ("asked", "settled"),
    [
        ("2025-06-18", "2025-06-18"),
        pytest.param("2024-11-05", "2024-11-05", marks=thorough),
        pytest.param("1999-01-01", LATEST_WITH_HANDSHAKE, marks=thorough),
    ],
)
def test_versions_are_settled_and_standard_output_holds_nothing_else(asked: str, settled: str) -> None:
    lines = [
        *hello(asked),
        {"jsonrpc": "2.0", "id": 2, "method": "ping"},
        "this is not JSON",
        {"jsonrpc": "2.0", "id": 3, "method": "nothing/known"},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/list"},
    ]
    typed = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    with subprocess.Popen(
        [sys.executable, *COMMAND], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(typed)
        server.stdin.flush()
        answers = {}
        while 4 not in answers:
            said = json.loads(server.stdout.readline())
            answers[said.get("id")] = said
        out, err = server.communicate(timeout=20)  # which closes its input
    assert (out, server.returncode) == ("", 0)
    assert "Traceback" not in err
    assert answers[1]["result"]["protocolVersion"] == settled
    assert answers[2]["result"] == {}
    assert answers[3]["error"]["code"] == -32601
    assert len(answers[4]["result"]["tools"]) == len(TOOLS)


@thorough
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_old_and_new_clients_are_answered_alike(mode: str) -> None:
    async def talk(client: Client) -> None:
        assert "column 1:1" in await text_of(client, "ask", position=BATTLE, question="battle", parameters=OF_BATTLE)

    converse(talk, mode=mode)


ENDLESS = """
import os, time
from pathlib import Path
from assistant.installed.hookspecs import hookimpl
from assistant.asking import Report, Verdict, View, declare

def never(view: View) -> Report[int]:
    started = Path(__file__).with_name("started")
    started.write_text(str(os.getpid()))
    started.rename(started.with_name("at-work"))  # whole as soon as it is there
    while True:
        time.sleep(0.1)

@hookimpl
def register_questions(game, register):
    if game.id == "heath":
        register(declare("never", "when it ends", never))
        register(declare("process", "which process is at work", process))

def process(view: View) -> Report[int]:
    return Report(title="the process", verdict=Verdict("figure", "{it}", {"it": os.getpid()}), result=os.getpid())
"""
ASKED = {"position": "game heath\n", "question": "never"}


@pytest.fixture
def heath(tmp_path: Path) -> Path:
    """A game with a question that never ends."""
    new_game(tmp_path / "heath")
    (tmp_path / "heath" / "__init__.py").write_text(ENDLESS, "utf-8")
    return tmp_path / "heath"


async def at_work(game: Path) -> None:
    """Wait until a process is at work at the question, however slow the machine."""
    async with asyncio.timeout(60):
        while not (game / "at-work").exists():
            await asyncio.sleep(0.05)


async def ended(game: Path) -> bool:
    """Whether the process that was at work at the question is gone within a second."""
    process = int((game / "at-work").read_text())
    for _ in range(20):
        if has_ended(process):
            return True
        await asyncio.sleep(0.05)
    return False


@thorough
def test_an_answer_that_takes_too_long_is_ended_and_the_next_one_comes(heath: Path) -> None:
    async def talk(client: Client) -> None:
        late = await client.call_tool("ask", ASKED)
        assert late.is_error
        assert str(late.content[0].text).startswith("no answer within 12 seconds\n")
        assert await ended(heath)
        assert "heath" in await text_of(client, "list_games")

    converse(talk, "--game", str(heath), "--seconds", "12")


@thorough
def test_a_call_that_the_client_gives_up_is_ended_and_the_next_one_comes(heath: Path) -> None:
    async def talk(client: Client) -> None:
        asked = asyncio.ensure_future(client.call_tool("ask", ASKED))
        await at_work(heath)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        assert await ended(heath)
        assert "heath" in await text_of(client, "list_games")

    converse(talk, "--game", str(heath))


@thorough
def test_a_process_that_dies_at_work_is_followed_by_another(heath: Path) -> None:
    async def talk(client: Client) -> None:
        asked = asyncio.ensure_future(client.call_tool("ask", ASKED))
        await at_work(heath)
        os.kill(int((heath / "at-work").read_text()), signal.SIGKILL)
        died = await asked
        assert str(died.content[0].text).startswith("the process at work on this has died\n")
        assert "heath" in await text_of(client, "list_games")

    converse(talk, "--game", str(heath))


@thorough
def test_a_client_that_goes_takes_all_with_it(heath: Path) -> None:
    async def talk(client: Client) -> None:
        asked = asyncio.ensure_future(client.call_tool("ask", ASKED))
        await at_work(heath)
        assert not asked.done()

    converse(talk, "--game", str(heath))
    assert asyncio.run(ended(heath))


@thorough
def test_calls_at_once_are_answered_one_after_the_other() -> None:
    async def talk(client: Client) -> None:
        calls = (
            text_of(client, "ask", position=BATTLE, question="battle", parameters={**OF_BATTLE, "shift": shift})
            for shift in (-1, 0, 1)
        )
        answers = await asyncio.gather(*calls)
        columns = [re.search(r"column \d:\d", answer) for answer in answers]
        assert [found and found[0] for found in columns] == ["column 1:2", "column 1:1", "column 2:1"]

    converse(talk)


@thorough
@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGINT])
def test_a_server_that_is_ended_leaves_nothing_at_work(ended_by: signal.Signals, heath: Path) -> None:
    with begin("--game", str(heath)) as server:
        send(server, *hello(), call(2, "ask", ASKED))
        while not (heath / "at-work").exists():
            time.sleep(0.05)
        server.send_signal(ended_by)
        with suppress(subprocess.TimeoutExpired):
            server.wait(5)
        code = server.poll()
        server.kill()
        interrupted = ended_by == signal.SIGINT
        assert code == (INTERRUPTED_EXIT_CODE if interrupted else -ended_by)
        assert server.stderr is not None
        assert server.stderr.read() == ("assistant: interrupted\n" if interrupted else "")
        assert asyncio.run(ended(heath))


@thorough
def test_ctrl_c_in_a_terminal_is_not_for_the_process_at_work(heath: Path) -> None:
    async def talk(client: Client) -> None:
        given = {"position": "game heath\n", "question": "process"}
        first = (await client.call_tool("ask", given)).structured_content["result"]
        os.kill(first, signal.SIGINT)
        await asyncio.sleep(0.2)
        assert (await client.call_tool("ask", given)).structured_content["result"] == first

    converse(talk, "--game", str(heath))


@thorough
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="lists processes as Linux does")
def test_no_process_stays_behind_a_call_that_is_given_up_while_it_begins() -> None:
    with begin() as server:
        send(server, *hello())
        for number in range(2, 30):
            given_up = {"requestId": number, "reason": "a test"}
            send(server, call(number, "list_questions", {"game": GAME}))
            time.sleep(0.01 * (number % 10))
            send(server, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": given_up})
        send(server, call(99, "list_games", {}))
        assert server.stdout is not None
        while json.loads(server.stdout.readline()).get("id") != 99:
            pass
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        begun = []
        for child in children:
            with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
                begun.append(Path(f"/proc/{child}/cmdline").read_text())
        server.communicate(timeout=20)
    assert sum("spawn_main" in command for command in begun) == 1


@thorough
def test_a_game_leaves_nothing_beside_its_code(heath: Path) -> None:
    before = {*heath.rglob("*")}

    async def talk(client: Client) -> None:
        await client.call_tool("ask", {"position": "game heath\n", "question": "process"})
        await client.list_resources()

    converse(talk, "--game", str(heath), "--umpire")
    assert {*heath.rglob("*")} == before


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "not enough memory"),
        (OSError(5, "Input/output error", "a.pos"), "a.pos: Input/output error"),
        (ImportError("No module named 'x'"), "a part of the program could not be loaded: No module named 'x'"),
    ],
)
def test_what_the_machine_lacks_is_an_error_of_the_protocol(error: Exception, said: str) -> None:
    async def fail(*_: object) -> None:
        raise error

    with pytest.raises(MCPError) as raised:
        asyncio.run(refuse_on_want(fail)(None, None))
    assert raised.value.error.message.startswith(said)


HALF = "a text in this line holds half of a character, such as \\ud83d alone: send both halves, or neither"
NESTED = "the values in this line are nested too deeply"
NO_MESSAGE, NO_JSON = "this line is not a message of the protocol", "this line is not JSON in UTF-8"


@pytest.mark.parametrize(
    ("line", "number", "code", "said"),
    [
        ('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{"word":"\\ud83d"}}}', 2, -32700, HALF),
        ('{"jsonrpc":"2.0","id":"\\ude00","method":"tools/list"}', None, -32700, HALF),
        ('{"jsonrpc":"2.0","id":8,"method":5}', 8, -32600, NO_MESSAGE),
        ('{"id":7}', 7, -32600, NO_MESSAGE),
        ("[]", None, -32600, NO_MESSAGE),
        ("no JSON", None, -32700, NO_JSON),
        ("[" * 20_000, None, -32700, NESTED),
    ],
)
def test_line_that_is_no_message_is_refused_at_once_with_the_number_of_its_call(
    line: str, number: object, code: int, said: str
) -> None:
    with pytest.raises(ValueError) as refused:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    answer = refuse_line(refused.value).message
    assert isinstance(answer, JSONRPCError)
    assert (answer.id, answer.error.code, answer.error.message) == (number, code, said)


def test_line_is_refused_however_deeply_it_is_nested() -> None:
    """Near the limit of Python what is nested can still be read, but no longer be written."""
    answers = set[tuple[object, str]]()
    for depth in range(300, 1100):
        line = f'{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{{"a":{"[" * depth}{"]" * depth}}}}}'
        with pytest.raises(ValueError) as refused:
            jsonrpc_message_adapter.validate_json(line, by_name=False)
        answer = refuse_line(refused.value).message
        assert isinstance(answer, JSONRPCError)
        answers.add((answer.id, answer.error.message))
    assert answers == {(9, NESTED), (None, NESTED)}


@thorough
def test_call_with_half_a_character_is_answered_and_the_next_one_too() -> None:
    calls = (
        '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\\ud83d"}}',
        '{"jsonrpc":"2.0","id":2,"method":"ping"}',
    )
    hello = {"protocolVersion": LATEST_WITH_HANDSHAKE, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    begin = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello})
    lines = [begin, '{"jsonrpc":"2.0","method":"notifications/initialized"}', *calls]
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-P", *COMMAND], stdin=pipe, stdout=pipe, text=True) as server:
        assert server.stdin and server.stdout
        server.stdin.write("\n".join([*lines, ""]))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(3)]
        server.stdin.close()
    assert [answer["id"] for answer in answers] == [0, 1, 2]
    assert answers[1]["error"]["message"] == HALF and "result" in answers[2]


def test_a_want_of_memory_that_is_noted_has_no_traceback() -> None:
    def noted(error: Exception) -> str:
        record = logging.LogRecord("mcp", logging.ERROR, "", 0, "failed: %s", ("a",), (type(error), error, None))
        assert reword_want(record)
        return logging.Formatter().format(record)

    assert noted(MemoryError()) == "assistant: not enough memory\n  close other programs, or ask for less at once"
    assert noted(ValueError("x")) == "failed: a\nValueError: x"


def test_of_errors_that_come_together_the_first_is_told() -> None:
    inner = ExceptionGroup("inner", [MemoryError(), OSError()])
    assert isinstance(first_of(ExceptionGroup("outer", [inner, ValueError()])), MemoryError)
