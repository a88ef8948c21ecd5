"""The other end of a connection: which account of this machine it belongs to."""

import os
import sys
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Literal

from starlette.types import Scope

from playground.settings.host import is_loopback, plain_address

CONNECTION_HEADER = "x-playground-connection"
"""Header with both ends of a websocket's connection. `Guard` sets it, so no client can."""

CONNECTION_TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""Linux's connections of this machine, over IPv4 and IPv6."""

_ESTABLISHED = "01"  # other connections have lost their account

ConnectionOwner = Literal["own", "other", "unknown"]


def with_connection(scope: Scope) -> Scope:
    """The scope of a websocket with `CONNECTION_HEADER`."""
    ends = [*(scope.get("client") or ("", 0)), *(scope.get("server") or ("", 0))]
    name = CONNECTION_HEADER.encode()
    headers = [pair for pair in scope["headers"] if pair[0] != name]
    return {**scope, "headers": [*headers, (name, " ".join(map(str, ends)).encode())]}


def account(headers: Mapping[str, str]) -> ConnectionOwner:
    """Account of the other end: this server's own, on this machine, or another; unknown on systems other than Linux."""
    client, client_port, server, server_port = (headers.get(CONNECTION_HEADER) or "- 0 - 0").split(" ")
    if not is_loopback(client):
        return "other"
    if not CONNECTION_TABLES[0].exists():
        return "unknown"
    wanted = (plain_address(client), int(client_port)), (plain_address(server), int(server_port))
    for table in filter(Path.exists, CONNECTION_TABLES):
        for line in table.read_text().splitlines()[1:]:
            _, local, remote, status, *_, user = line.split()[:8]
            if status == _ESTABLISHED and (_end(local), _end(remote)) == wanted:
                return "own" if int(user) == os.geteuid() else "other"
    return "other"


def _end(text: str) -> tuple[str, int]:
    """Address and port of one end in Linux's notation: words of four bytes in the machine's order."""
    address, port = text.split(":")
    words = (int(address[start : start + 8], 16) for start in range(0, len(address), 8))
    packed = b"".join(word.to_bytes(4, sys.byteorder) for word in words)
    return plain_address(str(ip_address(packed))), int(port, 16)
