"""The server of the Model Context Protocol, on standard input and output, until the client disconnects.

A second process answers the calls, one at a time. It is killed if the client cancels a call or the call takes too long,
since nothing else stops running Python code.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from typing import Any, Self, TypeVar

import anyio
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from ...util.console import echo
from ...util.errors import is_want_of_memory, plain, word_loading_error, word_machine_error
from ...util.memory import collect_often
from ...util.processes import Crew, Ended
from ...util.signals import end_at_once
from .access import Access
from .guide import ASKING, INSTRUCTIONS, GuidePage, list_pages, question_prompt
from .tools import Reply, ToolDescription, answer, answer_page, describe_tools

_READS_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def serve_model(access: Access, seconds: float) -> None:
    """Answer calls until the client disconnects.

    `seconds`: the maximum duration of an answer.
    """
    # asyncio may warn about the second process, which ends with the client
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"  # for the second process
    end_at_once("assistant")
    logging.raiseExceptions = False  # a lack of memory for a log record is reported at the end
    if logging.lastResort:  # this handler writes the records of libraries
        logging.lastResort.addFilter(reword_want)
    threading.excepthook = _report_thread
    wants: list[BaseException] = []
    collect_often()
    try:
        anyio.run(_serve, access, seconds, wants)
    except BaseExceptionGroup as errors:
        raise first_of(errors) from None
    except RuntimeError:  # for example, because the event loop was stopped
        if wants:
            raise wants[0] from None
        raise


def first_of(errors: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error of a group, or of the groups in it."""
    error = errors.exceptions[0]
    return first_of(error) if isinstance(error, BaseExceptionGroup) else error


def reword_want(noted: logging.LogRecord) -> bool:
    """Replace the traceback of a lack of memory by words, and return True, so that every record is logged."""
    error = noted.exc_info[1] if noted.exc_info else None
    if error is not None and is_want_of_memory(error):
        noted.msg = f"assistant: {word_machine_error(error)}"
        noted.args = ()
        noted.exc_info = None
    return True


def _report_thread(ended: threading.ExceptHookArgs) -> None:
    """Report the error that ended a thread, except a lack of memory, which ends the server too and is reported then."""
    if not is_want_of_memory(ended.exc_value or ended.exc_type()):
        threading.__excepthook__(ended)


def _stop_without_memory(wants: list[BaseException], loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Stop a loop that lacks memory for its own work, as it would try again without end.

    `wants`: a list to which the error is added.
    """
    error = context.get("exception")
    if error is not None and is_want_of_memory(error):
        wants.append(error)
        logging.disable()  # asyncio would log the unfinished tasks
        loop.stop()
    else:
        loop.default_exception_handler(context)


Asked = TypeVar("Asked")
Answered = TypeVar("Answered")


def refuse_on_want(
    answer_call: Callable[[Any, Asked], Awaitable[Answered]],
) -> Callable[[Any, Asked], Awaitable[Answered]]:
    """Return a handler of calls that turns a lack of memory or a failed disk into an error of the protocol."""

    async def answer_or_refuse(context: Any, asked: Asked) -> Answered:
        try:
            return await answer_call(context, asked)
        except (MemoryError, OSError) as error:
            raise MCPError(types.INTERNAL_ERROR, str(word_machine_error(error))) from None
        except ImportError as error:
            raise MCPError(types.INTERNAL_ERROR, str(word_loading_error(error))) from None

    return answer_or_refuse


async def _serve(access: Access, seconds: float, wants: list[BaseException]) -> None:
    asyncio.get_running_loop().set_exception_handler(partial(_stop_without_memory, wants))
    crew = Crew(_call_beside, 1)
    server = _make_server(access, seconds, crew)
    try:
        async with stdio_server() as (reading, writing):
            await server.run(_Readable(reading, writing), writing, server.create_initialization_options())
    finally:
        crew.close()


class _Readable:
    """The readable messages of a client, of which the others are refused at once.

    The library skips unreadable messages, so that the client would wait for an answer for ever.
    """

    def __init__(self, reading: Any, writing: Any) -> None:
        self._reading = reading
        self._writing = writing

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reading, name)

    async def receive(self) -> SessionMessage:
        message: SessionMessage | Exception = await self._reading.receive()
        while isinstance(message, Exception):
            await self._writing.send(refuse_line(message))
            message = await self._reading.receive()
        return message

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._reading.aclose()


def refuse_line(error: Exception) -> SessionMessage:
    """Return the answer to a line that is not a message of the protocol, with the id of its call if it has one."""
    faults = error.errors() if isinstance(error, ValidationError) else []
    is_json = bool(faults) and faults[0]["type"] != "json_invalid"
    objects = [fault["input"] for fault in faults if isinstance(fault["input"], dict)]
    message: Any = next((value for value in objects if "jsonrpc" in value), objects[0] if objects else None)
    if faults and not is_json:
        with suppress(TypeError, ValueError, RecursionError):
            message = json.loads(faults[0]["input"])
    code = types.INVALID_REQUEST if is_json else types.PARSE_ERROR
    what = "this line is not a message of the protocol" if is_json else "this line is not JSON in UTF-8"
    if any("recursion limit" in fault["msg"] for fault in faults):
        what = "the values in this line are nested too deeply"
    if is_torn(message):
        what = "a text in this line holds half of a character, such as \\ud83d alone: send both halves, or neither"
    number = message.get("id") if isinstance(message, dict) else None
    is_number = isinstance(number, int | str) and not isinstance(number, bool) and not is_torn(number)
    refused = types.ErrorData(code=code, message=what)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number if is_number else None, error=refused))


def is_torn(value: object) -> bool:
    """Return whether a JSON value contains half of a UTF-16 surrogate pair.

    Values nested too deeply to be written are taken to contain none.
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    except RecursionError:
        return False
    return False


Call = tuple[Callable[..., Reply], tuple[object, ...]]
"""A function that answers a call, and its arguments."""


def _call_beside(call: Call) -> Reply:
    """Return the answer to a call, in the second process."""
    function, given = call
    return function(*given)


def _describe_tool(tool: ToolDescription) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.parameters,
        output_schema=tool.result,
        annotations=_READS_ONLY,
    )


def _describe_page(page: GuidePage) -> types.Resource:
    return types.Resource(uri=page.uri, name=page.title, description=page.description, mime_type="text/markdown")


def _make_server(access: Access, seconds: float, crew: Crew[Call, Reply]) -> Server[Any]:
    """Return the server with its handlers.

    `crew`: the second process.
    """
    one_at_a_time = anyio.CapacityLimiter(1)

    async def beside(function: Callable[..., Reply], *given: object) -> Reply:
        """Return the answer of a function in the second process, or a refusal if that takes too long."""
        try:
            async with one_at_a_time:
                reply = await crew.work_on((function, given), seconds)
        except TimeoutError:
            hint = "ask about less, such as one unit or one hex; --seconds of the server allows more"
            return Reply(f"no answer within {seconds:g} seconds\n  {hint}", is_refused=True)
        if isinstance(reply, Ended):
            return Reply("the process at work on this has died\n  the next call begins another", is_refused=True)
        if reply.log:
            echo(reply.log, err=True)
        return reply

    async def list_tools(_: Any, __: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[*map(_describe_tool, describe_tools())])

    async def call_tool(_: Any, call: types.CallToolRequestParams) -> types.CallToolResult:
        reply = await beside(answer, access, call.name, call.arguments or {})
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)],
            structured_content=reply.structured,
            is_error=reply.is_refused,
        )

    async def list_resources(_: Any, __: Any) -> types.ListResourcesResult:
        return types.ListResourcesResult(resources=[*map(_describe_page, list_pages(access))])

    async def read_resource(_: Any, asked: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        reply = await beside(answer_page, access, str(asked.uri))
        if reply.is_refused:
            raise MCPError(types.INVALID_PARAMS, reply.text)
        contents = types.TextResourceContents(uri=asked.uri, mime_type="text/markdown", text=reply.text)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(_: Any, __: Any) -> types.ListPromptsResult:
        given = types.PromptArgument(name="question", description="what a player wants to know")
        prompt = types.Prompt(name=ASKING, description="Ask the assistant before you state a rule.", arguments=[given])
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(_: Any, asked: types.GetPromptRequestParams) -> types.GetPromptResult:
        if asked.name != ASKING:
            raise MCPError(types.INVALID_PARAMS, plain(f"there is no prompt {asked.name!r}; known: {ASKING}"))
        text = question_prompt((asked.arguments or {}).get("question", ""))
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=text))
        return types.GetPromptResult(messages=[message])

    return Server(
        "field-staff",
        version=version("field-staff"),
        title="Field Staff",
        instructions=INSTRUCTIONS.strip(),
        on_list_tools=refuse_on_want(list_tools),
        on_call_tool=refuse_on_want(call_tool),
        on_list_resources=refuse_on_want(list_resources),
        on_read_resource=refuse_on_want(read_resource),
        on_list_prompts=refuse_on_want(list_prompts),
        on_get_prompt=refuse_on_want(get_prompt),
    )
