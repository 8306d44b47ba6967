"""A host for the tests of the shell: the page's files and one answer a request, on loopback, as either real host does it.

Run by itself it serves a folder of tables for a look at the page: `python -m tests.page.small_host FOLDER`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from assistant.faces.page import shell_files
from assistant.faces.page.respond import MAX_REQUEST_BYTES, respond
from assistant.faces.page.tables import Tables

TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob: data:; "
    "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HOST = """import { Unreachable } from "./host/unreachable.js";

export const connect = async () => ({
  kind: "test",
  onEvent() {},
  async send(request) {
    const response = await fetch("respond", { method: "POST", body: JSON.stringify(request) }).catch((error) => { throw new Unreachable(error.message); });
    return response.json();
  },
});
"""


class Handler(BaseHTTPRequestHandler):
    """Answers for the page."""

    tables: Tables
    files: Mapping[str, bytes]
    asking = threading.Lock()

    def do_GET(self) -> None:
        """A file of the shell; its way to a host is ours."""
        name = self.path.split("?")[0].lstrip("/") or "index.html"
        if name == "host.js":
            self._send(HOST.encode(), TYPES[".js"])
        elif name in self.files:
            self._send(self.files[name], TYPES.get(Path(name).suffix, "application/octet-stream"))
        elif name == "favicon.ico":
            self._send(b"", "image/x-icon")
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """The answer to a request."""
        request = self.rfile.read(min(int(self.headers["Content-Length"]), MAX_REQUEST_BYTES + 1))
        with self.asking:
            answer = respond(self.tables, request)
        self._send(answer, "application/json")

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def hosted(tables: Tables, port: int = 0) -> Iterator[str]:
    """The address of the page while the block runs."""
    handler = type("Bound", (Handler,), {"tables": tables, "files": shell_files()})
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()


if __name__ == "__main__":
    with hosted(Tables(Path(sys.argv[1])), 8137) as address:
        print(address)
        threading.Event().wait()
