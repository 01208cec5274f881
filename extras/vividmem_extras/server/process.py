"""A server in a process of its own, and a small client: for tests, benchmark and screenshot."""

from __future__ import annotations

import http.client
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode, urlsplit

PATIENCE = 180.0  # seconds a server may take to answer: a busy machine is slow


class Reply(NamedTuple):
    """What the server answered."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    content: bytes

    @property
    def json(self) -> Any:
        """Return the body read as JSON."""
        return json.loads(self.content)


class Client:
    """One connection that is kept open; one thread at a time."""

    def __init__(self, address: str, token: str = "") -> None:
        parts = urlsplit(address)
        self._connection = http.client.HTTPConnection(
            parts.hostname or "", parts.port, timeout=PATIENCE
        )
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    def ask(
        self, method: str, path: str, body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:  # fmt: skip
        """Send one request and return the reply, whatever its status."""
        resting = self._connection.sock
        if resting is not None and select.select([resting], [], [], 0)[0]:
            self._connection.close()  # the server has hung up meanwhile: it is called anew
        sent = {**self._headers, **(headers or {})}
        self._connection.request(method, path, body, sent)
        reply = self._connection.getresponse()
        told = {name.lower(): value for name, value in reply.getheaders()}
        return Reply(reply.status, told, reply.read())

    def post(self, route: str, **body: Any) -> Reply:
        """Post *body* to a route below /api/memory."""
        content = json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        return self.ask("POST", f"/api/memory{route}", content, headers)

    def get(self, route: str, **query: Any) -> Reply:
        """Get a route below /api/memory."""
        return self.ask("GET", f"/api/memory{route}{_query(query)}")

    def delete(self, route: str, **query: Any) -> Reply:
        """Delete at a route below /api/memory."""
        return self.ask("DELETE", f"/api/memory{route}{_query(query)}")

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def _query(query: Mapping[str, Any]) -> str:
    return f"?{urlencode(query, quote_via=quote)}" if query else ""


class ServerProcess:
    """``vividmem-server`` on a free port of loopback, until closed or killed."""

    def __init__(self, folder: Path, *options: str, settings: str = "") -> None:
        """Start it; *settings* is code for a mapping of further settings, as ``{"idle": 1}``."""
        words = ["-m", "vividmem_extras.server"]
        if settings:
            words = ["-c", _STARTED_WITH.format(settings=settings)]
        self._process = subprocess.Popen(
            [sys.executable, *words, "--dir", str(folder), "--port", "0", *options],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.address = self.token = ""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            name, _, value = line.strip().partition(": ")
            if name == "dashboard":
                self.address, _, secret = value.partition("/#token=")
                self.address = self.address.rstrip("/")
                self.token = secret
                break
        if not self.address:
            raise OSError(f"the server did not start: {self.ended()[1]}")

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def client(self) -> Client:
        """Return a new connection to it."""
        return Client(self.address, self.token)

    def cpu_seconds(self) -> float:
        """Return the CPU time it has used so far; 0 where the system does not tell."""
        if not sys.platform.startswith("linux"):
            return 0.0
        return time.clock_gettime((~self._process.pid << 3) | _CPU_CLOCK)

    def stop(self) -> tuple[int, str]:
        """Ask it to end; return its exit code and what it wrote to stderr."""
        if self._process.poll() is None:
            self._process.terminate()
        return self.ended()

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self._process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
        self.ended()

    def ended(self) -> tuple[int, str]:
        """Wait for its end; return its exit code and what it wrote to stderr."""
        _, errors = self._process.communicate(timeout=PATIENCE)
        return self._process.returncode, errors


_CPU_CLOCK = 2  # of a process, as in linux/posix-timers.h
_STARTED_WITH = """
import sys
from dataclasses import replace
from vividmem_extras.server import __main__ as server
asked = server.settings_of
server.settings_of = lambda args: replace(asked(args), **{settings})
sys.exit(server.main(sys.argv[1:]))
"""
