"""What the two HTTP servers of the extras have in common: sockets, and who may come in."""

from __future__ import annotations

import hmac
import ipaddress
import socket
import sys


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach *host*."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def bears(authorization: str, token: str) -> bool:
    """Return whether the header *authorization* brings *token*; the time it takes tells nothing."""
    scheme, _, given = authorization.partition(" ")
    right = hmac.compare_digest(given.strip().encode("utf-8", "surrogateescape"), token.encode())
    return scheme.lower() == "bearer" and right


def is_json(content_type: str) -> bool:
    """Return whether the header *content_type* says JSON.

    >>> is_json("application/JSON; charset=utf-8"), is_json("text/plain")
    (True, False)
    """
    return content_type.partition(";")[0].strip().lower() == "application/json"


def listener(host: str, port: int) -> socket.socket:
    """Return the socket to serve on; the system has refused if it raises OSError.

    Its protocol is named: without it asyncio does not set TCP_NODELAY, and replies wait 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform != "win32":  # where it would let two servers share a port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(128)
    except OSError as err:
        made.close()
        raise OSError(f"{host}:{port} cannot be used ({err}): choose another --port") from err
    return made
