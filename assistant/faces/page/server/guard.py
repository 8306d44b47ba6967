"""What is refused before anything of a request is read: other hosts and origins, methods, types, sizes; and the headers
of every answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ....util.texts import natural
from ..respond import LONGEST

POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
"""The headers of every answer, also of a refusal."""
_JSON = "application/json"


class Guard:
    """An application that answers only requests which pass these checks."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if refused:
                    headers["Connection"] = "close"  # what else it sends is not read
            await send(message)

        if refused := _find_refusal(scope):
            status, why = refused
            await PlainTextResponse(f"{why}\n", status)(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)


def _find_refusal(scope: Scope) -> tuple[int, str] | None:
    """Return why a request is refused, with its status; None if it is not."""
    headers = Headers(scope=scope)
    hosts = headers.getlist("host")
    if len(hosts) != 1 or hosts[0] not in _find_own_names(scope):
        return 421, "this is not the host that was asked for"
    if any(origin != f"http://{hosts[0]}" for origin in headers.getlist("origin")):
        return 403, "another page may not ask this one"
    if any(site not in _find_allowed_sites(headers, scope) for site in headers.getlist("sec-fetch-site")):
        return 403, "another page may not ask this one"
    if scope["method"] == "GET":
        has_body = "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
        return (413, "a request to read has no body") if has_body else None
    if scope["method"] != "POST":
        return 405, "only GET and POST are answered"
    if headers.getlist("content-type") not in ([_JSON], [f"{_JSON}; charset=utf-8"]):
        return 415, "only JSON is answered"
    if "transfer-encoding" in headers:  # a body in chunks is as long as it likes; the page sends none
        return 411, "the length of the request is stated, and it comes as one"
    length = headers.get("content-length", "")
    if not re.fullmatch("[0-9]+", length):
        return 411, "the length of the request is missing"
    if (size := natural(length)) is None or size > LONGEST:
        return 413, f"a request has at most {LONGEST} bytes"
    return None


def _find_own_names(scope: Scope) -> Iterable[str]:
    """Return what a request may call this host: the address by which its connection came, or `localhost` on this
    machine.
    """
    server = scope.get("server") or ("", 0)
    address = str(server[0])
    port = server[1]
    names = [f"[{address}]" if ":" in address else address]
    if is_here(address):
        names.append("localhost")
    with_port = [f"{name}:{port}" for name in names]
    return [*with_port, *names] if port == 80 else with_port


def _find_allowed_sites(headers: Headers, scope: Scope) -> tuple[str, ...]:
    """Return from where a browser may say that a request comes: from the page itself or the reader; a link that is
    followed from anywhere may open a page, but without the cookie, which no other site can send.
    """
    follows = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    if scope["method"] == "GET" and follows:
        return ("same-origin", "none", "same-site", "cross-site")
    return ("same-origin", "none")


def is_here(address: str) -> bool:
    """Return whether an address is this machine's own, which no other can reach."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return False
